//! `fire`, `check`, `rally`, `interdict`: stacks of many nations in many conditions, with every
//! option.

use super::dice::{Dice, Words};
use super::words::{MORALE_SWITCHES, NATIONS, Nation, OWN_RPH, PROFILES, TERRAIN, switch};
use super::{Request, request};
use crate::store::Runs;

/// How the units of a stack are on the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tilt {
    Fresh,
    Broken,
}

/// One of the nations.
pub fn nation(dice: &mut Dice) -> &'static Nation {
    &NATIONS[if dice.percent(60) { dice.below(3) } else { dice.below(NATIONS.len()) }]
}

/// A squad or half-squad, `german:4-6-7`.
pub fn mmc(dice: &mut Dice, nation: &Nation) -> String {
    let list = if dice.percent(75) { nation.squads } else { nation.half_squads };
    match dice.below(25) {
        0 if !["german-ss", "partisan"].contains(&nation.name) => {
            let crew = if ["american", "italian", "axis-minor"].contains(&nation.name) {
                "2-2-7"
            } else {
                "2-2-8"
            };
            format!("{}:{crew}:crew", nation.name)
        }
        1 => "1-2-7".to_string(),
        _ => format!("{}:{}", nation.name, dice.pick(list)),
    }
}

/// A leader, of Russians perhaps a Commissar.
pub fn leader(dice: &mut Dice, nation: &Nation) -> String {
    if nation.name == "russian" && dice.percent(30) {
        return format!("commissar:{}", dice.pick(&["10-0", "9-0", "8+1"]));
    }
    format!("{}:{}", nation.name, dice.pick(nation.leaders))
}

/// A counter with its conditions.
fn unit(dice: &mut Dice, nation: &Nation, tilt: Tilt, leads: bool) -> String {
    if !leads && dice.percent(4) {
        return dice.pick(&["hero", "hero/wounded", "1-4-9", "1-3-8"]).to_string();
    }
    let counter = if leads { leader(dice, nation) } else { mmc(dice, nation) };
    let mut conditions: Vec<String> = Vec::new();
    match tilt {
        Tilt::Broken if dice.percent(if leads { 40 } else { 85 }) => {
            conditions
                .push(dice.pick(&["broken", "dm", "dm", "broken,dm", "disrupted"]).to_string());
        }
        Tilt::Fresh if dice.percent(15) => conditions
            .push(dice.pick(&["broken", "dm", "pinned", "pinned", "berserk", "cx"]).to_string()),
        _ => {}
    }
    let rare =
        if leads { ["wounded", "heroic", "fanatic"] } else { ["fanatic", "encircled", "unarmed"] };
    if dice.percent(12) {
        conditions.push(dice.pick(&rare).to_string());
    }
    for (name, low, high) in [("elr", 0, 5), ("morale", 5, 9), ("broken-morale", 4, 9)] {
        if dice.percent(4) {
            conditions.push(format!("{name}={}", dice.from(low, high)));
        }
    }
    if conditions.is_empty() { counter } else { format!("{counter}/{}", conditions.join(",")) }
}

/// A stack, and how many units it has.
pub fn stack(dice: &mut Dice, tilt: Tilt) -> (String, usize) {
    let nation = nation(dice);
    let most = dice.pick(&[1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5]);
    let mut items = Vec::new();
    let mut units = 0;
    while units < most {
        let leads = dice.percent(if units == 0 { 45 } else { 15 });
        let item = unit(dice, nation, tilt, leads);
        let twice = !leads && units + 1 < most && dice.percent(20);
        units += 1 + usize::from(twice);
        items.push(if twice { format!("2x {item}") } else { item });
    }
    (items.join(" + "), units)
}

/// Flags and options of the rules.
pub fn rules(dice: &mut Dice, words: &mut Words) {
    words.flags(dice, 35, &["no-hob"]);
    words.flags(dice, 8, &["no-keu", "captor", "no-quarter", "enemy-adjacent"]);
    if dice.percent(8) {
        words.option("enemy", nation(dice).name);
    }
    if dice.percent(18) {
        words.option("profile", dice.pick(&PROFILES));
    }
    for _ in 0..dice.pick(&[0, 0, 0, 1, 1, 2]) {
        let (id, value) = switch(dice, MORALE_SWITCHES);
        words.option("set", format!("{id}={value}"));
    }
}

/// The engine, mostly left to choose; `big` questions get few trials.
pub fn engine(dice: &mut Dice, words: &mut Words, big: bool) {
    match dice.below(20) {
        0..=2 => {
            words.option("engine", "monte-carlo");
            words.option("trials", dice.pick(&[1, 100, 2000, 5000]));
            if dice.percent(30) {
                words.option("stratify", dice.from(1, 2));
            }
        }
        3 => {
            words.option("engine", "monte-carlo");
            words.option("precision", dice.pick(&["0.05", "0.01"]));
        }
        4 if !big => words.option("engine", "exact"),
        5 if !big => return words.option("engine", "monte-carlo"),
        _ if big => words.option("trials", dice.pick(&[1000, 3000])),
        _ => return,
    }
    if dice.percent(60) {
        words.option("seed", dice.below(1000));
    }
}

/// What is asked of a stack, but for its options of the kind.
fn ask(dice: &mut Dice, kind: &str, tilt: Tilt, own: impl Fn(&mut Dice, &mut Words)) -> Request {
    let (stack, units) = stack(dice, tilt);
    let mut words = Words::of(kind);
    words.word(stack);
    if dice.percent(30) {
        words.option("elr", dice.from(0, 5));
    }
    own(dice, &mut words);
    rules(dice, &mut words);
    if units <= 2 && dice.percent(8) {
        words.word("--joint");
    } else if units <= 2 && dice.percent(6) {
        words.word("--impact");
        if dice.percent(50) {
            words.word(switch(dice, MORALE_SWITCHES).0);
        }
    }
    engine(dice, &mut words, units > 3);
    let mut runs = if dice.percent(18) { Runs::PlainAndRows } else { Runs::Rows };
    if dice.percent(5) {
        runs = Runs::Plain;
        let (option, value) = dice.pick(&[
            ("format", "table"),
            ("format", "table"),
            ("format", "markdown"),
            ("out", "odds.json"),
            ("out", "odds.parquet"),
            ("out", "odds.md"),
            ("threads", "2"),
        ]);
        words.option(option, value);
    }
    request("stacks", words, [], runs)
}

/// A stack too big for one process: units created on the way are estimates, or all are.
pub fn big(dice: &mut Dice) -> Request {
    let nation = &NATIONS[dice.below(4)];
    let leader = leader(dice, nation);
    let stack =
        format!("{leader} + {}x {}:{}", dice.from(3, 5), nation.name, dice.pick(nation.squads));
    let mut words = Words::of(dice.pick(&["fire", "check"]));
    let is_fire = words.0[0] == "fire";
    words.word(stack);
    words.option(
        if is_fire { "fp" } else { "mc" },
        if is_fire { dice.pick(&[4, 8, 12]) } else { dice.from(0, 2) },
    );
    words.flags(dice, 15, &["captor", "no-keu", "no-hob"]);
    words.option("trials", dice.pick(&[500, 1000, 2000]));
    request("stacks", words, [], Runs::Rows)
}

pub fn fire(dice: &mut Dice) -> Request {
    ask(dice, "fire", Tilt::Fresh, |dice, words| {
        words.option("fp", dice.pick(&[1, 2, 4, 4, 6, 8, 8, 10, 12, 16, 20, 24, 30, 36, 50]));
        if dice.percent(60) {
            words.option("drm", dice.from(-3, 4));
        }
        match dice.below(8) {
            0 | 1 => words.word("--no-cowering"),
            2 => words.word("--inexperienced"),
            _ => {}
        }
    })
}

pub fn check(dice: &mut Dice) -> Request {
    ask(dice, "check", Tilt::Fresh, |dice, words| match dice.below(5) {
        0 => words.word("--ptc"),
        _ => words.option("mc", dice.pick(&[0, 1, 1, 2, 3, 4, 6])),
    })
}

pub fn rally(dice: &mut Dice) -> Request {
    ask(dice, "rally", Tilt::Broken, |dice, words| {
        if dice.percent(40) {
            words.option("leader", lent(dice));
        }
        if dice.percent(50) {
            words.option("terrain", dice.pick(&TERRAIN));
        }
        if dice.percent(75) {
            words.option("phases", dice.pick(&[1, 1, 2, 2, 3, 4]));
        }
        if dice.percent(20) {
            words.option("own-rph", dice.pick(&OWN_RPH));
        }
        words.flags(dice, 15, &["dm", "keep-dm"]);
    })
}

pub fn interdict(dice: &mut Dice) -> Request {
    if dice.percent(12) {
        return voluntary(dice);
    }
    ask(dice, "interdict", Tilt::Broken, |dice, words| {
        words.option("hexes", dice.pick(&[1, 1, 2, 2, 3, 4, 6]));
        if dice.percent(25) {
            words.option("leader", lent(dice));
        }
    })
}

/// A leader who goes along.
fn voluntary(dice: &mut Dice) -> Request {
    let nation = nation(dice);
    let mut words = Words::of("interdict");
    words.word(format!(
        "{} + {}/{}",
        leader(dice, nation),
        mmc(dice, nation),
        dice.pick(&["broken", "dm"])
    ));
    words.option("hexes", dice.from(1, 4));
    words.word("--voluntary-rout");
    rules(dice, &mut words);
    engine(dice, &mut words, false);
    request("stacks", words, [], Runs::Rows)
}

/// A leader who lends his leadership: without a nation he is of that of the stack.
pub fn lent(dice: &mut Dice) -> String {
    match dice.below(10) {
        0 => "none".to_string(),
        1 => format!("commissar:{}", dice.pick(&["10-0", "9-0", "8+1"])),
        2 => dice.pick(&["8-1/wounded", "9-1/heroic", "8-0/fanatic"]).to_string(),
        _ => dice.pick(&["10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1"]).to_string(),
    }
}
