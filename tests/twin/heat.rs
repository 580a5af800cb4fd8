//! Heat of Battle (rules section 11).

use super::catalogue::{Hardened, Kind, index_of};
use super::leaders::{checking_order, note_loss};
use super::tree::{Branches, Mix, Stack, roll_dr};
use super::unit::{Rout, Unit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heat {
    Hero,
    HeroAndHardening,
    Hardening,
    Berserk,
    Surrender,
    Nothing,
}

/// A15.1: returns whether an Original 2 has no effect on the unit. A heroic leader is not exempt,
/// since it may Battle Harden (A15.3).
pub fn is_exempt(unit: &Unit) -> bool {
    unit.unarmed || unit.berserk || matches!(unit.counter().kind, Kind::Hero | Kind::Crew)
}

/// A15.1: returns the results of the Heat of Battle DR for the unit's present counter.
pub fn heat_of_battle(stack: &Stack, slot: usize, was_broken: bool) -> Branches {
    let drm = heat_drm(stack, slot, was_broken);
    let mut branches = Branches::new();
    for (heat, chance) in roll_dr(|dr| result(stack, slot, dr + drm)) {
        branches
            .extend(apply(stack, slot, heat).into_iter().map(|(end, part)| (end, chance * part)));
    }
    branches
}

/// Returns the DRM of the Heat of Battle DR, by A15.1, A25.25, A19.3, I-41, I-52.
fn heat_drm(stack: &Stack, slot: usize, was_broken: bool) -> i32 {
    let unit = &stack.units[slot];
    let counter = unit.counter();
    let nation = match counter.nationality.as_str() {
        "british" | "finnish" => -1,
        "french" | "partisan" => 1,
        "russian" => 2,
        "axis_minor" | "italian" => 3,
        _ => 0,
    };
    let drm = |holds: bool, value: i32| if holds { value } else { 0 };
    nation
        + drm(is_elite(unit), -1)
        + drm(counter.is_nkvd(), -1)
        + drm(was_broken || unit.broken, 1)
        + drm(is_inexperienced(stack, slot), 1)
}

/// A1.25, A1.11: returns whether the unit is Elite. Leaders are, except those of Partisans.
fn is_elite(unit: &Unit) -> bool {
    unit.counter().class == "E"
}

/// A19.3, I-52: returns whether the unit is Inexperienced. Conscript MMC are, and Green MMC without
/// an unbroken leader.
fn is_inexperienced(stack: &Stack, slot: usize) -> bool {
    let unit = &stack.units[slot];
    let led = stack.present().any(|other| other.is_leader() && !other.broken);
    !unit.is_smc() && (unit.counter().class == "C" || (unit.counter().class == "G" && !led))
}

/// A15.1, A15.44, A15.5: returns the result of the Heat of Battle table, with its exceptions.
fn result(stack: &Stack, slot: usize, final_dr: i32) -> Heat {
    let unit = &stack.units[slot];
    let minor = matches!(unit.counter().nationality.as_str(), "italian" | "axis_minor");
    let surrender_from = if minor && !is_elite(unit) { 10 } else { 12 };
    let berserk = match stack.place.scene.keu {
        false => Heat::Hardening,
        true if unit.is_heroic() => Heat::Nothing,
        true => Heat::Berserk,
    };
    match final_dr {
        ..=4 => Heat::Hero,
        5 | 6 => Heat::HeroAndHardening,
        7 | 8 => Heat::Hardening,
        _ if final_dr < surrender_from || never_surrenders(stack, slot) => berserk,
        _ if unit.is_heroic() => Heat::Nothing,
        _ => Heat::Surrender,
    }
}

/// A15.5: returns whether the unit never surrenders.
fn never_surrenders(stack: &Stack, slot: usize) -> bool {
    let (unit, scene) = (&stack.units[slot], &stack.place.scene);
    let nationality = unit.counter().nationality.as_str();
    let facing_russians = nationality == "german_ss" && scene.against_russians;
    unit.fanatic
        || unit.is_commissar()
        || nationality == "partisan"
        || facing_russians
        || scene.no_quarter
}

fn apply(stack: &Stack, slot: usize, heat: Heat) -> Branches {
    let mut after = stack.clone();
    match heat {
        Heat::Nothing => {}
        Heat::Hero => create_hero(&mut after, slot),
        Heat::HeroAndHardening => {
            create_hero(&mut after, slot);
            battle_harden(&mut after.units[slot]);
        }
        Heat::Hardening => battle_harden(&mut after.units[slot]),
        Heat::Surrender => surrender(&mut after, slot),
        Heat::Berserk => return berserk(stack, slot),
    }
    vec![(after, 1.0)]
}

/// A15.21, A10.8: makes a leader heroic. An MMC creates a hero and stays unchanged.
fn create_hero(stack: &mut Stack, slot: usize) {
    let unit = &mut stack.units[slot];
    if unit.is_leader() {
        unit.restore();
        unit.heroic = true;
    } else {
        let (fanatic, encircled, finn) =
            (unit.fanatic, unit.encircled, unit.counter().nationality == "finnish");
        stack.units.push(Unit {
            fanatic,
            encircled,
            finn,
            ..Unit::fresh(index_of("any_hero_149"))
        });
    }
}

/// A15.3, I-21: turns the unit into the next better counter, or makes it Fanatic if there is none.
/// A Commissar is not affected.
fn battle_harden(unit: &mut Unit) {
    match &unit.counter().hardened {
        Hardened::NotSubject => return,
        Hardened::Better(better) => unit.index = index_of(better),
        Hardened::Fanatic => unit.fanatic = true,
    }
    unit.restore();
}

/// A15.5, I-48: makes the unit surrender. Without a captor it is Disrupted.
fn surrender(stack: &mut Stack, slot: usize) {
    let (before, level) = (stack.units[slot], stack.level(slot));
    let captured = stack.place.scene.captor;
    let unit = &mut stack.units[slot];
    unit.break_it();
    unit.disrupted = true;
    unit.captured = captured;
    unit.rout = Rout::Ended;
    note_loss(stack, slot, &before, level);
}

/// A15.42, A15.41: returns the results of going berserk. Other units may follow a leader.
fn berserk(stack: &Stack, slot: usize) -> Branches {
    let after = stack.with(slot, go_berserk);
    match after.units[slot] {
        unit if unit.is_commissar() => vec![(everybody_berserk(after), 1.0)],
        unit if unit.is_leader() => follow_berserk(after, slot),
        _ => vec![(after, 1.0)],
    }
}

/// A15.42: turns the unit berserk.
fn go_berserk(unit: &mut Unit) {
    unit.restore();
    unit.berserk = true;
}

/// A15.41, I-45: returns whether the unit can follow a leader that goes berserk.
fn may_follow(unit: &Unit) -> bool {
    unit.in_location() && !unit.berserk && !unit.is_heroic()
}

/// A25.22: a berserk Commissar turns all friendly Infantry in the Location berserk.
fn everybody_berserk(mut stack: Stack) -> Stack {
    stack.units.iter_mut().filter(|unit| may_follow(unit)).for_each(go_berserk);
    stack
}

/// A15.41, I-45, I-46: returns the results of each unit's NTC with the DRM of the berserk leader. A
/// unit that passes follows. A Commissar that passes takes all others along.
fn follow_berserk(stack: Stack, leader: usize) -> Branches {
    let rating = stack.units[leader].leadership();
    let order = checking_order(&stack);
    let mut mix = Mix::of(stack);
    for slot in order.into_iter().filter(|&slot| slot != leader) {
        mix = mix.step(|stack| match may_follow(&stack.units[slot]) {
            true => berserk_task_check(stack, slot, rating),
            false => stack.unchanged(),
        });
    }
    mix.into_branches()
}

/// A15.41, A25.22: returns the results of one unit's NTC to follow a berserk leader.
fn berserk_task_check(stack: &Stack, slot: usize, rating: i32) -> Branches {
    let level = stack.level(slot);
    let follows = || match stack.with(slot, go_berserk) {
        after if after.units[slot].is_commissar() => everybody_berserk(after),
        after => after,
    };
    let end = |passed: bool| if passed { follows() } else { stack.clone() };
    roll_dr(|dr| dr + rating <= level)
        .into_iter()
        .map(|(passed, chance)| (end(passed), chance))
        .collect()
}
