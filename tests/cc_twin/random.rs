//! Random engagements.

use super::counters::{counter, index};
use super::{Ambush, Case, Leaving, Man, Plan, PlannedAttack, Side};
use crate::random::Rng;

const NATIONS: [(&str, &[&str], &[&str]); 9] = [
    (
        "german",
        &["ger_1_467", "ger_E_838", "ger_1_247", "ger_C_436", "ger_crew_228", "ger_E_548"],
        &["ger_ldr_9-1", "ger_ldr_8-0", "ger_ldr_9-2", "ger_ldr_6+1"],
    ),
    (
        "russian",
        &["rus_1_447", "rus_E_628", "rus_C_426", "rus_1_237", "rus_2_628", "rus_1_527"],
        &["rus_ldr_8-1", "rus_ldr_7-0", "rus_com_9-0", "rus_com_8+1", "rus_ldr_9-1"],
    ),
    ("ss", &["ss_E_658", "ss_E_348", "ger_1_467"], &["ss_ldr_9-1", "ger_ldr_8-1"]),
    ("american", &["usa_1_666", "usa_G_536", "usa_E_347"], &["usa_ldr_8-1", "usa_ldr_8-0"]),
    ("british", &["bri_1_457", "bri_G_436", "bri_1_247"], &["bri_ldr_8-1", "bri_ldr_10-2"]),
    ("italian", &["ita_E_447", "ita_1_346", "ita_C_336"], &["ita_ldr_8-1", "ita_ldr_6+1"]),
    ("finnish", &["fin_1_648", "fin_C_437"], &["fin_ldr_9-0", "fin_ldr_8+1"]),
    ("partisan", &["par_337", "par_137", "rus_1_447"], &["par_ldr_8-1", "rus_ldr_8-1"]),
    ("axis minor", &["axm_C_336", "ger_1_467"], &["axm_ldr_8-1", "ger_ldr_9-1"]),
];

const HEROES: [&str; 1] = ["any_hero_149"];

fn known(id: &str) -> bool {
    super::counters::all().iter().any(|counter| counter.id == id)
}

fn man(rng: &mut Rng, (_, mmc, leaders): (&str, &[&str], &[&str]), is_first: bool) -> Man {
    let is_smc = !is_first && rng.percent(35) || rng.percent(6);
    let ids = match () {
        () if is_smc && rng.percent(20) => &HEROES,
        () if is_smc => leaders,
        () => mmc,
    };
    let ids: Vec<&str> = ids.iter().copied().filter(|id| known(id)).collect();
    let mut man = Man { counter: index(rng.pick(&ids)), ..Man::default() };
    let of = counter(man.counter);
    let is_hero = of.id.contains("hero");
    match rng.below(16) {
        0 | 1 if !is_hero => man.broken = true,
        2 if !is_smc => (man.broken, man.disrupted) = (true, true),
        3 => man.pinned = true,
        4 if !of.nation.contains("com") => man.berserk = true,
        _ => {}
    }
    man.dm = man.broken && rng.one_in(3);
    man.cx = rng.one_in(10);
    man.ti = rng.one_in(14) && !man.berserk && !man.broken;
    man.unarmed = !is_smc && rng.one_in(20);
    man.guard = rng.one_in(20) && !man.unarmed;
    man.stealthy = rng.one_in(25);
    man.lax = !man.stealthy && rng.one_in(25);
    man.fanatic = rng.one_in(15) && !is_hero && !man.disrupted;
    man.wounded = is_smc && !is_hero && rng.one_in(6);
    man.heroic = of.id.contains("ldr") && rng.one_in(8);
    man.alone = is_smc && rng.one_in(6);
    man
}

fn side(rng: &mut Rng, most: i64) -> Side {
    let nation = rng.pick(&NATIONS);
    let number = rng.between(1, most) as usize;
    let mut men: Vec<Man> = (0..number).map(|i| man(rng, nation, i == 0)).collect();
    if rng.one_in(6) {
        let all = rng.one_in(2);
        for man in &mut men {
            man.concealed = !man.broken && !man.berserk && (all || rng.one_in(2));
        }
    }
    let smc = |man: &Man| counter(man.counter).is_smc();
    let mmc: Vec<usize> = (0..number).filter(|&i| !smc(&men[i])).collect();
    for i in 0..number {
        if smc(&men[i]) && !men[i].alone && !mmc.is_empty() && rng.one_in(5) {
            let with = rng.pick(&mmc);
            men[i].with = Some(with).filter(|&with| !men[with].broken && !men[with].withdraws);
        }
    }
    Side { men, plan: Plan::All, then: None, infiltrates: rng.one_in(4), has_exit: !rng.one_in(8) }
}

/// Returns units in groups of a written plan, by the heads of their blocks at the start.
fn plan(rng: &mut Rng, own: &Side, enemy: &Side, may_withdraw: bool) -> Plan {
    let named = [Plan::All, Plan::First, Plan::Pairs, Plan::Capture, Plan::None, Plan::Withdraw];
    if rng.percent(55) {
        let known = if may_withdraw { 6 } else { 5 };
        return named[rng.below(known)].clone();
    }
    let heads = |side: &Side| -> Vec<usize> {
        let men = &side.men;
        let is_mmc = |i: &usize| !counter(men[*i].counter).is_smc() || men[*i].alone;
        (0..men.len()).filter(is_mmc).collect()
    };
    let mut attackers: Vec<usize> =
        heads(own).into_iter().filter(|&i| !own.men[i].broken).collect();
    let mut targets = heads(enemy);
    let mut withdraw = Vec::new();
    if may_withdraw && rng.one_in(3) {
        let able = |i: &usize| !own.men[*i].pinned && !own.men[*i].berserk;
        let able: Vec<usize> =
            (0..own.men.len()).filter(able).filter(|&i| !own.men[i].disrupted).collect();
        if !able.is_empty() {
            withdraw.push(rng.pick(&able));
            attackers.retain(|i| !withdraw.contains(i));
        }
    }
    let mut attacks: Vec<PlannedAttack> = Vec::new();
    while !attackers.is_empty() && !targets.is_empty() && attacks.len() < 3 {
        let mut take = |from: &mut Vec<usize>| -> Vec<usize> {
            let number = 1 + rng.below(from.len());
            let mut taken: Vec<usize> = Vec::new();
            for _ in 0..number {
                let place = rng.below(from.len());
                taken.push(from.remove(place));
            }
            taken.sort();
            taken
        };
        let (by, at) = (take(&mut attackers), take(&mut targets));
        attacks.push((by, at, rng.one_in(4)));
    }
    Plan::Written { attacks, withdraw }
}

/// Returns an engagement.
pub fn random_case(seed: u64) -> Case {
    let mut rng = Rng(seed);
    let rng = &mut rng;
    let turns = rng.pick(&[1, 1, 1, 1, 2, 2, 3]);
    let most = if turns > 1 { 2 } else { 3 };
    let melee = rng.one_in(3);
    let mut sides = [side(rng, most), side(rng, most)];
    for this in 0..2 {
        let (own, enemy) = (sides[this].clone(), sides[1 - this].clone());
        sides[this].plan = plan(rng, &own, &enemy, melee);
        if turns > 1 && rng.one_in(3) {
            sides[this].then = Some(plan(rng, &own, &enemy, true));
        }
    }
    let ambush = match rng.below(6) {
        0 if !melee => Ambush::By(0),
        1 if !melee => Ambush::By(1),
        2 => Ambush::No,
        _ => Ambush::Roll,
    };
    Case {
        sides,
        phasing: rng.below(2) as usize,
        building: rng.one_in(2),
        ambush,
        leaving: rng.pick(&[Leaving::Never, Leaving::Never, Leaving::Before, Leaving::After]),
        melee,
        turns,
        hand_to_hand: !melee && rng.one_in(6),
        no_quarter: rng.one_in(4),
        night: rng.one_in(6),
        creation: rng.one_in(2),
    }
}
