//! Campaigns on abstract ground, and what `solve` makes of them and of stacks.

use super::dice::{Dice, Toml, Words};
use super::sequences::{scene, steps};
use super::stacks::{Tilt, leader, mmc, nation, rules, stack};
use super::words::{OBJECTIVES, OWN_RPH, PROFILES, TERRAIN, switch};
use super::{Request, request};
use crate::store::Runs;

const COVER: [&str; 8] = [
    "woods",
    "woods",
    "building",
    "wooden-building",
    "stone-building",
    "rubble",
    "light-woods",
    "pine-woods",
];
const HERE: [&str; 6] = ["open-ground", "grain", "brush", "shellhole", "orchard", "crag"];

/// What is played for: a name, or weights; `in-cover` where a campaign tells it.
pub fn objective(dice: &mut Dice, file: &mut Toml, with_cover: bool) {
    match dice.below(8) {
        0 => file.key("objective", "{ good-order = 1.0, cvp = -0.25 }"),
        1 => file.key(
            "objective",
            format!("{{ survives = 0.5, squad-equivalents = {} }}", dice.from(1, 3)),
        ),
        2 if with_cover => file.text("objective", "in-cover"),
        3 if with_cover => file.key("objective", "{ in-cover = 1, survives = 2 }"),
        _ => file.text("objective", dice.pick(&OBJECTIVES)),
    }
}

/// The fields of a campaign, to stand in `[base]`.
pub fn base(dice: &mut Dice, file: &mut Toml) {
    let nation = nation(dice);
    let condition = dice.pick(&[
        "/broken,dm",
        "/broken,dm",
        "/dm",
        "/broken",
        "",
        "/dm,encircled",
        "/dm,fanatic",
        "/dm,elr=2",
    ]);
    let who = if dice.percent(12) { leader(dice, nation) } else { mmc(dice, nation) };
    file.text("unit", format!("{who}{condition}"));
    let open = if dice.percent(75) { dice.from(0, 4) } else { 2 };
    if open != 2 {
        file.key("open", open);
    }
    if dice.percent(40) {
        file.key("interdicted", dice.from(0, open));
    }
    if dice.percent(60) {
        file.text("cover", dice.pick(&COVER));
    }
    if dice.percent(30) {
        file.text("here", dice.pick(&HERE));
    }
    if dice.percent(20) {
        file.key("exposed", dice.percent(30));
    }
    if dice.percent(40) {
        file.key("range", dice.from(1, 12));
    }
    if dice.percent(70) {
        file.key("fp", dice.pick(&[1, 2, 4, 6, 8, 12, 20]));
        if dice.percent(40) {
            file.key("drm", dice.from(-2, 3));
        }
        if dice.percent(30) {
            file.key("cover-fp", dice.pick(&[2, 4, 8]));
        }
    }
    if dice.percent(10) {
        let (name, value) =
            dice.pick(&[("no-cowering", true), ("cowering", false), ("inexperienced", true)]);
        file.key(name, value);
    }
    if dice.percent(50) {
        file.text("leader", leader(dice, nation));
        if dice.percent(25) {
            file.key("leader-turn", dice.from(1, 3));
        }
    }
    if dice.percent(15) {
        file.text("leader-here", leader(dice, nation));
    }
    if dice.percent(10) {
        file.key("broken-morale", dice.from(4, 9));
    }
    if dice.percent(80) {
        file.key("turns", dice.pick(&[1, 2, 2, 3, 3, 4]));
    }
    if dice.percent(30) {
        file.text("begin", dice.pick(&["rout", "rally", "fire"]));
    }
    if dice.percent(20) {
        file.text("own-rph", dice.pick(&OWN_RPH));
    }
    file.flags(dice, 8, &["enemy-holds-fire", "created-stay", "no-quarter"]);
    if dice.percent(35) {
        let (name, value) = dice.pick(&[("no-hob", true), ("hob", false)]);
        file.key(name, value);
    }
    if dice.percent(30) {
        file.key("elr", dice.from(0, 5));
    }
    if dice.percent(10) {
        file.text("enemy", super::stacks::nation(dice).name);
    }
    if dice.percent(12) {
        file.text("profile", dice.pick(&PROFILES));
    }
    if dice.percent(20) {
        let switches = "i01 i02 i05 i11 i12 i14=nearest i15=first-hex i18 i24 i33 i34 i49 i57 i60";
        let (id, value) = switch(dice, switches);
        file.text(&id, value);
    }
}

/// What is solved: mostly a campaign, else the Rally Phases of a stack.
pub fn solve(dice: &mut Dice) -> Request {
    let mut file = Toml::default();
    let is_campaign = dice.percent(65);
    if is_campaign {
        file.text("question", "campaign");
        objective(dice, &mut file, true);
        file.head("[base]");
        base(dice, &mut file);
    } else {
        rallies(dice, &mut file);
    }
    let mut words = Words::of("solve plan.toml");
    if dice.percent(20) {
        words.option("objective", dice.pick(&OBJECTIVES));
    }
    if is_campaign && dice.percent(25) {
        words.option("turns", dice.from(1, 4));
    }
    if dice.percent(15) {
        words.option("elr", dice.from(0, 5));
    }
    if !is_campaign && dice.percent(20) {
        rules(dice, &mut words);
    }
    let tree = dice.percent(12);
    if tree {
        words.option("tree", dice.from(1, 3));
    }
    let runs = if tree {
        Runs::Plain
    } else {
        dice.pick(&[Runs::Rows, Runs::Rows, Runs::Rows, Runs::PlainAndRows])
    };
    request("campaigns", words, [("plan.toml", file.0)], runs)
}

/// A question of a stack with Rally Phases.
fn rallies(dice: &mut Dice, file: &mut Toml) {
    let is_sequence = dice.percent(35);
    file.text("question", if is_sequence { "sequence" } else { "rally" });
    objective(dice, file, false);
    let (stack, units) = stack(dice, if is_sequence { Tilt::Fresh } else { Tilt::Broken });
    file.head("[base]");
    file.text("stack", stack);
    scene(dice, file);
    if is_sequence {
        return steps(dice, file, units.min(3));
    }
    if dice.percent(85) {
        file.key("phases", dice.pick(&[1, 1, 2, 2, 3]));
    }
    if dice.percent(40) {
        file.text("terrain", dice.pick(&TERRAIN));
    }
    if dice.percent(30) {
        file.text("leader", super::stacks::lent(dice));
    }
    if dice.percent(20) {
        file.text("own-rph", dice.pick(&OWN_RPH));
    }
}
