//! Snipers beside `fire`, `check` and sequences (A14.1): a plain listing of the dice of one squad,
//! and of a leader and a squad, in which nothing comes from lowcrawl.

use std::collections::BTreeMap;

use lowcrawl::answer_json;
use serde_json::{Value, json};

/// The largest difference of sums over all dice.
const ROUNDING: f64 = 1e-10;

/// Dice that are listed: every call of `list` plays one sequence for each combination of faces.
#[derive(Default)]
struct Listed {
    /// The face of each roll so far, from 0, and the weights of all its faces.
    rolls: Vec<(usize, Vec<f64>)>,
    next: usize,
    chance: f64,
}

impl Listed {
    fn roll(&mut self, weights: Vec<f64>) -> usize {
        if self.next == self.rolls.len() {
            self.rolls.push((0, weights));
        }
        let (face, weights) = &self.rolls[self.next];
        self.next += 1;
        self.chance *= weights[*face];
        *face
    }

    /// Rolls two dice.
    fn two(&mut self) -> i32 {
        let ways = |total: i32| f64::from(6 - (total - 7).abs()) / 36.0;
        self.roll((2..=12).map(ways).collect()) as i32 + 2
    }

    /// Rolls one die.
    fn one(&mut self) -> i32 {
        self.roll(vec![1.0 / 6.0; 6]) as i32 + 1
    }

    fn holds(&mut self, chance: f64) -> bool {
        self.roll(vec![chance, 1.0 - chance]) == 0
    }

    fn list(mut play: impl FnMut(&mut Listed)) {
        let mut dice = Listed::default();
        loop {
            (dice.next, dice.chance) = (0, 1.0);
            play(&mut dice);
            while let Some((face, weights)) = dice.rolls.last_mut() {
                *face += 1;
                if *face < weights.len() {
                    break;
                }
                dice.rolls.pop();
            }
            if dice.rolls.is_empty() {
                return;
            }
        }
    }
}

/// A NMC under a Sniper: who takes it, and how the rules are read.
#[derive(Clone, Copy)]
struct Case {
    san: i32,
    /// The share of called attacks that strike here.
    share: f64,
    has_leader: bool,
    has_llmc: bool,
    ties_at_random: bool,
    /// True if all who may make a Sniper Check after an effective attack (14.4).
    searches: bool,
}

const CASE: Case = Case {
    san: 4,
    share: 1.0,
    has_leader: true,
    has_llmc: true,
    ties_at_random: false,
    searches: false,
};

/// A German 8-1 and 4-6-7 of an ELR that nothing fails by more.
#[derive(Clone, Copy)]
struct Stack {
    has_leader: bool,
    is_leader_broken: bool,
    is_leader_pinned: bool,
    is_leader_wounded: bool,
    has_squad: bool,
    is_half: bool,
    is_broken: bool,
    is_pinned: bool,
    calls: u32,
    /// How much lower the SAN is, and whether the Sniper is pinned.
    lost: i32,
    is_sniper_pinned: bool,
    has_leader_searched: bool,
    has_squad_searched: bool,
}

impl Stack {
    fn leader(&self) -> &'static str {
        match self {
            Stack { has_leader: false, .. } => "eliminated",
            Stack { is_leader_broken: true, .. } => "broken",
            Stack { is_leader_pinned: true, .. } => "pinned",
            _ => "good-order",
        }
    }

    fn squad(&self) -> &'static str {
        match self {
            Stack { has_squad: false, .. } => "eliminated",
            Stack { is_broken: true, .. } => "broken",
            Stack { is_pinned: true, .. } => "pinned",
            _ => "good-order",
        }
    }

    fn level(&self) -> i32 {
        if self.is_half && self.is_broken { 6 } else { 7 }
    }

    fn reduce(&mut self) {
        (self.has_squad, self.is_half) = (self.has_squad && !self.is_half, true);
    }

    fn breaks(&mut self) {
        (self.is_broken, self.is_pinned) = (true, false);
    }

    /// Rolls for a check and notes a call.
    fn original(&mut self, case: Case, dice: &mut Listed) -> i32 {
        let original = dice.two();
        self.calls += u32::from(original == case.san - self.lost);
        original
    }

    /// Makes a MC of the squad with this DRM.
    fn squad_check(&mut self, case: Case, drm: i32, pins: bool, dice: &mut Listed) {
        let original = self.original(case, dice);
        let (failed, was_broken) = (original + drm > self.level(), self.is_broken);
        if original == 12 && was_broken {
            self.has_squad = false;
        } else if original == 12 {
            // A half-squad is eliminated by a Casualty MC.
            self.reduce();
            self.breaks();
        } else if failed && was_broken {
            self.reduce();
        } else if failed {
            self.breaks();
        } else if pins && !was_broken && original + drm == self.level() {
            self.is_pinned = true;
        }
    }

    /// Takes the LLMC for a leader who was of this ML.
    fn llmc(&mut self, case: Case, ml: i32, lost: i32, dice: &mut Listed) {
        if self.has_squad && self.level() < ml {
            self.squad_check(case, lost, false, dice);
        }
    }

    fn leader_level(&self) -> (i32, i32) {
        let wound = i32::from(self.is_leader_wounded);
        (8 - wound, 1 - wound)
    }

    /// Makes a NMC of all, with the checks for the leader.
    fn check(&mut self, case: Case, dice: &mut Listed) {
        let mut fall = None;
        if self.has_leader {
            let original = self.original(case, dice);
            if original > 8 {
                self.is_leader_broken = true;
                fall = Some(false);
                if original == 12 {
                    let dies = dice.one() >= 5;
                    (self.has_leader, self.is_leader_wounded) = (!dies, !dies);
                    fall = Some(dies);
                }
            } else if original == 8 {
                self.is_leader_pinned = true;
            }
        }
        let leads = self.has_leader && !self.is_leader_broken && !self.is_leader_pinned;
        self.squad_check(case, if leads { -1 } else { 0 }, true, dice);
        match fall {
            Some(true) => self.llmc(case, 8, 1, dice),
            Some(false) if self.has_squad && !self.is_broken && !self.is_pinned => {
                self.is_pinned = self.original(case, dice) + 1 > self.level();
            }
            _ => {}
        }
    }

    /// Applies a Sniper dr to the leader, and returns his ML and rating if he dies.
    fn hit_leader(&mut self, dr: i32, dice: &mut Listed) -> Option<(i32, i32)> {
        let before = self.leader_level();
        let wounded = i32::from(self.is_leader_wounded);
        if dr == 1 || dr == 2 && dice.one() + wounded >= 5 {
            self.has_leader = false;
            return Some(before);
        }
        self.is_leader_wounded |= dr == 2;
        None
    }

    fn hit_squad(&mut self, dr: i32) {
        match dr {
            1 if self.is_broken => self.reduce(),
            1 => self.breaks(),
            2 if !self.is_broken => self.is_pinned = true,
            _ => {}
        }
    }

    /// Plays one attack of a called Sniper.
    fn sniper(&mut self, case: Case, dice: &mut Listed) {
        if !(self.has_leader || self.has_squad) || !dice.holds(case.share) {
            return;
        }
        let dr = dice.one();
        if dr > 2 {
            return;
        }
        let dead = match (self.has_leader, self.has_squad) {
            (true, true) => {
                let (of_leader, of_squad) = (dice.one(), dice.one());
                if of_leader > of_squad {
                    self.hit_leader(dr, dice)
                } else if of_leader < of_squad {
                    self.hit_squad(dr);
                    None
                } else if case.ties_at_random && !dice.holds(0.5) {
                    self.hit_squad(dr);
                    let new = dice.one();
                    self.hit_leader(new, dice)
                } else {
                    let dead = self.hit_leader(dr, dice);
                    self.hit_squad(dice.one());
                    dead
                }
            }
            (true, false) => self.hit_leader(dr, dice),
            _ => {
                self.hit_squad(dr);
                None
            }
        };
        if let Some((ml, lost)) = dead.filter(|_| case.has_llmc) {
            self.llmc(case, ml, lost, dice);
        }
        if case.searches {
            self.search(dice);
        }
    }

    /// Makes a Sniper Check: -2 for a squad, -1 for a half-squad, the rating of a leader beside it.
    fn search(&mut self, dice: &mut Listed) {
        let leader = self.leader() == "good-order" && !self.has_leader_searched;
        let squad = self.squad() == "good-order" && !self.has_squad_searched;
        if !leader && !squad {
            return;
        }
        let of_squad = if self.is_half { -1 } else { -2 };
        let drm = match (leader, squad) {
            (true, true) if !self.is_leader_wounded => of_squad - 1,
            (_, true) => of_squad,
            _ => 0,
        };
        self.has_leader_searched |= leader;
        self.has_squad_searched |= squad;
        match dice.two() + drm {
            ..=2 => self.lost += 1,
            3 => self.is_sniper_pinned = true,
            _ => {}
        }
    }
}

/// The odds of the statuses of each unit by slot, and of a call and an effective attack.
fn listed(case: Case) -> (BTreeMap<(usize, &'static str), f64>, f64, f64) {
    let (mut odds, mut called, mut attacks) = (BTreeMap::new(), 0.0, 0.0);
    Listed::list(|dice| {
        let mut stack = Stack {
            has_leader: case.has_leader,
            is_leader_broken: false,
            is_leader_pinned: false,
            is_leader_wounded: false,
            has_squad: true,
            is_half: false,
            is_broken: false,
            is_pinned: false,
            calls: 0,
            lost: 0,
            is_sniper_pinned: false,
            has_leader_searched: false,
            has_squad_searched: false,
        };
        stack.check(case, dice);
        let first = stack.calls;
        let mut done = 0;
        while done < stack.calls {
            if stack.is_sniper_pinned || case.san - stack.lost < 2 {
                break;
            }
            done += 1;
            stack.sniper(case, dice);
        }
        if first > 0 {
            called += dice.chance;
            attacks += dice.chance * (1.0 - (2.0f64 / 3.0).powi(first as i32));
        }
        let mut add = |slot, status| *odds.entry((slot, status)).or_insert(0.0) += dice.chance;
        if case.has_leader {
            add(1, stack.leader());
        }
        add(1 + usize::from(case.has_leader), stack.squad());
    });
    (odds, called, attacks)
}

fn request(case: Case) -> Value {
    let stack = if case.has_leader { "german:8-1 + german:4-6-7" } else { "german:4-6-7" };
    let share = if case.share == 1.0 { json!("here") } else { json!("1/3") };
    let mut request = json!({ "kind": "check", "stack": stack, "mc": 0, "elr": 6, "hob": false,
        "san": case.san, "sniper-hits": share });
    if !case.has_llmc {
        request["i131"] = "alternative".into();
    }
    if case.ties_at_random {
        request["i133"] = "random".into();
    }
    if case.searches {
        request["i134"] = "always".into();
    }
    request
}

/// Returns a number or a fraction as a number.
fn number(value: &Value) -> f64 {
    let text = value.as_str().unwrap_or_default();
    match text.split_once('/') {
        Some((above, below)) => above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap(),
        None => value.as_f64().or_else(|| text.parse().ok()).unwrap_or(f64::NAN),
    }
}

fn chance(answer: &Value, slot: usize, status: &str) -> f64 {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let fits = |row: &&Value| row["slot"] == slot && row["status"] == status;
    rows.iter().filter(fits).map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// Outcomes of the whole stack tell how many effective attacks it has met, and are as likely
/// together.
#[test]
fn joint_outcomes_tell_the_attacks_of_the_sniper() {
    let case = Case { san: 6, has_leader: false, ..CASE };
    let mut request = request(case);
    request["joint"] = true.into();
    let answer = answer_json(&request.to_string());
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let sum = |fits: &dyn Fn(&Value) -> bool| -> f64 {
        let of = rows.iter().filter(|row| fits(row));
        of.map(|row| row["probability"].as_f64().unwrap()).sum()
    };
    // One MC calls the Sniper by an Original 6; dr 1 and 2 are effective.
    let struck = 5.0 / 36.0 / 3.0;
    assert!((sum(&|row| row["sniper"] == 1) - struck).abs() < ROUNDING, "{answer}");
    assert!((sum(&|row| row["sniper"] == 0) - (1.0 - struck)).abs() < ROUNDING, "{answer}");
    let (odds, ..) = listed(case);
    let broken = sum(&|row| row["ends"][0]["status"] == "broken");
    assert!((broken - odds[&(1, "broken")]).abs() < ROUNDING, "{answer}");
    request["joint"] = false.into();
    let answer = answer_json(&request.to_string());
    assert!(answer["rows"][0].get("sniper").is_none(), "{answer}");
}

fn cases() -> Vec<Case> {
    let alone = Case { has_leader: false, ..CASE };
    vec![
        alone,
        Case { san: 7, ..alone },
        Case { share: 1.0 / 3.0, san: 6, ..alone },
        CASE,
        Case { san: 7, ..CASE },
        Case { san: 2, ..CASE },
        Case { share: 1.0 / 3.0, ..CASE },
        Case { searches: true, ..CASE },
        Case { searches: true, san: 7, ..CASE },
        Case { searches: true, san: 2, ..CASE },
        Case { searches: true, share: 1.0 / 3.0, san: 3, ..CASE },
    ]
}

fn assert_listed(case: Case) {
    let mut request = request(case);
    request["options"] = json!({ "engine": "exact" });
    let (odds, called, attacks) = listed(case);
    let answer = answer_json(&request.to_string());
    for ((slot, status), expected) in odds {
        let found = chance(&answer, slot, status);
        assert!(
            (found - expected).abs() < ROUNDING,
            "{request} {slot} {status}: {found} {expected}"
        );
    }
    let theirs = &answer["sniper"]["theirs"];
    let found = (number(&theirs["called"]), number(&theirs["attacks"]));
    assert!((found.0 - called).abs() < ROUNDING, "{request}: called {found:?}, expected {called}");
    assert!(
        (found.1 - attacks).abs() < ROUNDING,
        "{request}: attacks {found:?}, expected {attacks}"
    );
}

/// 14.1 - 14.3, 14.23, 10.2: rows and calls of a NMC under a Sniper are those of all dice listed.
#[test]
fn sniper_beside_a_check_has_the_odds_of_all_dice() {
    cases().into_iter().for_each(assert_listed);
}

/// I-131: a leader whom a Sniper kills causes a LLMC, or none.
#[test]
fn leader_killed_by_a_sniper_causes_llmc_or_none() {
    let without = Case { has_llmc: false, san: 7, ..CASE };
    assert_listed(without);
    let (with, ..) = listed(Case { has_llmc: true, ..without });
    assert!(with[&(2, "broken")] > listed(without).0[&(2, "broken")]);
}

/// 14.4, I-134: by `i134=always` all who may search for the Sniper together. A lower SAN or a pin
/// spares the stack some of its later attacks; both readings have the odds of all dice.
#[test]
fn sniper_checks_are_made_by_a_reading() {
    let none = Case { san: 7, ..CASE };
    let always = Case { searches: true, ..none };
    [none, always].into_iter().for_each(assert_listed);
    let broken = [none, always].map(|case| listed(case).0[&(2, "broken")]);
    assert!(broken[0] > broken[1], "{broken:?}");
}

/// I-133: of a tied leader and squad the leader takes the dr, or by `i133=random` one at random.
#[test]
fn tied_units_are_chosen_by_rank_or_at_random() {
    let random = Case { ties_at_random: true, san: 7, ..CASE };
    assert_listed(random);
    let (best, ..) = listed(Case { ties_at_random: false, ..random });
    assert!(best[&(1, "eliminated")] > listed(random).0[&(1, "eliminated")]);
}

/// I-132, 12.14: a concealed unit that a Sniper pins keeps its "?", or loses it.
#[test]
fn pinned_unit_keeps_or_loses_its_concealment() {
    let mut request = json!({ "kind": "sniper", "stack": "german:4-6-7/concealed", "dr": 2 });
    for (value, expected) in [("default", "4-6-7/concealed"), ("alternative", "4-6-7")] {
        request["i132"] = value.into();
        let answer = answer_json(&request.to_string());
        assert_eq!(answer["rows"][0]["status"], "pinned", "{answer}");
        assert_eq!(answer["rows"][0]["counter"], expected, "{answer}");
    }
}

/// Monte Carlo gives the odds of the exact engine, within four standard errors.
#[test]
fn sampled_odds_under_a_sniper_are_the_exact_ones() {
    let mut request = json!({ "kind": "fire", "stack": "german:9-1 + german:4-6-7", "fp": 8,
        "drm": 0, "san": 7, "sniper-hits": "here" });
    request["options"] = json!({ "engine": "exact" });
    let exact = answer_json(&request.to_string());
    let trials = 200_000;
    request["options"] = json!({ "engine": "monte-carlo", "trials": trials, "seed": 5 });
    let sampled = answer_json(&request.to_string());
    for slot in 1..=2 {
        for status in ["good-order", "pinned", "broken", "eliminated"] {
            let expected = chance(&exact, slot, status);
            let found = chance(&sampled, slot, status);
            let error = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
            assert!((found - expected).abs() < 4.0 * error, "{slot} {status}: {found} {expected}");
        }
    }
}

/// Without `sniper-hits` the rows are those without a SAN, and the DR of one attack calls a SAN of
/// 3 twice in 36, that of 5 at night (E1.76) four times.
#[test]
fn calls_alone_change_no_row() {
    let plain = json!({ "kind": "fire", "stack": "german:9-1 + 2x german:4-6-7", "fp": 8 });
    let rows = answer_json(&plain.to_string())["rows"].clone();
    for (night, called) in [(false, "1/18"), (true, "1/9")] {
        let mut request = plain.clone();
        request["san"] = json!([3, 4]);
        if night {
            request["night"] = true.into();
        }
        let answer = answer_json(&request.to_string());
        assert_eq!(answer["rows"], rows, "{answer}");
        assert_eq!(answer["sniper"]["ours"]["called"], called, "{answer}");
    }
}

/// The odds of calls do not depend on how they are counted: by factors, or by the whole process
/// that outcomes of the whole stack need.
#[test]
fn calls_of_factors_are_those_of_the_whole() {
    let steps = json!([{ "do": "fire", "fp": 6 }, { "do": "check", "mc": 1 }]);
    let stack = "german:8-0 + german:4-6-7";
    let mut request = json!({ "kind": "sequence", "stack": stack, "step": steps, "san": 5 });
    let factored = answer_json(&request.to_string())["sniper"]["theirs"].clone();
    // A condition that counts units keeps the question from factorising.
    request["step"][1]["if"] = "units holds >= 0".into();
    let whole = answer_json(&request.to_string())["sniper"]["theirs"].clone();
    assert_eq!(factored, whole);
    assert!(number(&factored["called"]) > 0.0, "{factored}");
}

/// 14.1: no DR of the Rally, Rout and Close Combat Phases calls a Sniper.
#[test]
fn phases_that_do_not_count_refuse_a_san() {
    for request in [
        json!({ "kind": "rally", "stack": "german:4-6-7/broken", "san": 4 }),
        json!({ "kind": "interdict", "stack": "german:4-6-7", "hexes": 2, "san": 4 }),
        json!({ "kind": "cc", "stack": "german:4-6-7", "against": "russian:4-4-7", "san": 4 }),
    ] {
        let answer = answer_json(&request.to_string()).to_string();
        assert!(answer.contains("calls a Sniper (A14.1)"), "{answer}");
    }
    let steps = json!([{ "do": "rally" }, { "do": "interdict", "hexes": 1 }]);
    let stack = "german:4-6-7/broken";
    let request = json!({ "kind": "sequence", "stack": stack, "step": steps, "san": 7 });
    let answer = answer_json(&request.to_string());
    assert_eq!(answer["sniper"]["theirs"]["called"], "0", "{answer}");
}
