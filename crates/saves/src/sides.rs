//! The two sides of a save: their nations, which of them moves, and their ELR.

use std::collections::BTreeSet;

use engine::text::{Fault, canonical};
use vasl::piece::NATIONS;
use vasl::position::{Position, SavedScenario};

/// The nations of the Axis; all others are Allied.
const AXIS: [&str; 7] =
    ["german", "german-ss", "italian", "finnish", "japanese", "axis-minor", "hungarian"];
/// The largest ELR.
const MOST_ELR: u8 = 5;

/// The nations of one side.
pub type Nations = BTreeSet<&'static str>;

/// Parses a nation: its name, or the two letters that VASL puts on its counters.
///
/// # Errors
///
/// Fails if there is no such nation.
pub fn nation(text: &str) -> Result<&'static str, Fault> {
    let word = canonical(text);
    let known = NATIONS.iter().find(|(letters, name)| word == *letters || word == *name);
    known.map(|(_, name)| *name).ok_or_else(|| {
        Fault::new(format!("no nation is called `{text}`"), 0..text.len())
            .expecting(&word, NATIONS.iter().map(|(_, name)| *name))
    })
}

/// Returns whether a side is that of the Axis.
pub fn is_axis(side: &Nations) -> bool {
    side.iter().any(|nation| AXIS.contains(nation))
}

/// Groups nations into sides. Two nations are two sides; more are the Axis and the Allies.
pub fn sides_of(nations: &Nations) -> Vec<Nations> {
    // SS and other German units are on the same side.
    let mut sides: Vec<Nations> = Vec::new();
    for nation in nations.iter().copied() {
        match sides.iter_mut().find(|side| side.contains("german") && nation == "german-ss") {
            Some(side) => drop(side.insert(nation)),
            None => sides.push(Nations::from([nation])),
        }
    }
    if sides.len() <= 2 {
        return sides;
    }
    let (axis, allied): (Nations, Nations) = nations.iter().partition(|one| AXIS.contains(one));
    [axis, allied].into_iter().filter(|side| !side.is_empty()).collect()
}

/// The side that moves, as a save says it.
pub struct Mover {
    /// True for the Axis; `None` if the save names a nation.
    is_axis: Option<bool>,
    nation: Option<&'static str>,
    /// A remark if the phase wheel and the scenario differ.
    pub note: Option<String>,
}

impl Mover {
    /// Reads who moves. The phase wheel holds where the scenario names the other side.
    pub fn from_position(position: &Position) -> Mover {
        let stated = &position.scenario.player_to_move;
        let of_side = |word: &str| match canonical(word).as_str() {
            "axis" => Some(true),
            "allied" | "allies" => Some(false),
            _ => None,
        };
        let wheel = position.phase_wheel();
        let turned = wheel.as_deref().and_then(|wheel| of_side(wheel.split_whitespace().next()?));
        let info = of_side(stated);
        let named = nation(stated).ok();
        let is_other = |axis: bool| {
            info.or(named.map(|nation| AXIS.contains(&nation))).is_some_and(|info| info != axis)
        };
        let note = wheel.filter(|_| turned.is_some_and(is_other)).map(|wheel| {
            format!("the phase wheel says {wheel}, the scenario {stated}: the wheel holds")
        });
        Mover { is_axis: turned.or(info), nation: named.filter(|_| turned.is_none()), note }
    }

    /// Returns whether a side moves, beside another one; `None` if the save does not say it.
    pub fn is_moving(&self, side: &Nations, other: &Nations) -> Option<bool> {
        match (self.is_axis, self.nation) {
            (Some(axis), _) if is_axis(side) != is_axis(other) => Some(is_axis(side) == axis),
            (None, Some(nation)) if side.contains(nation) => Some(true),
            (None, Some(nation)) if other.contains(nation) => Some(false),
            _ => None,
        }
    }
}

/// Returns the ELR of a side, and a remark if the save gives several values.
pub fn elr(scenario: &SavedScenario, is_axis: bool) -> (Option<u8>, Option<String>) {
    let SavedScenario { axis_elr, allied_elr, .. } = scenario;
    let (own, other) = if is_axis { (axis_elr, allied_elr) } else { (allied_elr, axis_elr) };
    let number = |text: &str| text.trim().parse().ok().filter(|elr: &u8| *elr <= MOST_ELR);
    if let Some(elr) = number(own) {
        return (Some(elr), None);
    }
    let pair = |text: &str| {
        let (first, second) = text.split_once('/')?;
        Some((number(first)?, number(second)?))
    };
    match (pair(own), pair(other)) {
        // The field of one side can hold both, first that of the Axis.
        (Some(both), _) | (None, Some(both)) if number(other).is_none() => {
            (Some(if is_axis { both.0 } else { both.1 }), None)
        }
        (Some((first, second)), _) => {
            let note = format!(
                "the save has the ELR {own} for this side: {first} is used (`--elr {second}` sets \
                    the other)"
            );
            (Some(first), Some(note))
        }
        _ => (None, None),
    }
}
