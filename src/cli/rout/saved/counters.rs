//! Conversion of VASL counters to stack notation.

use asl::catalogue::{CATALOGUE, Counter, CounterKind};
use asl::unit::Condition;
use engine::text::canonical;
use vasl::map_units::{MapUnit, Mark};

/// Returns the notation and the broken morale of a unit. The error of a unit that the catalogue
/// lacks is the first counter with its printed values.
pub fn notation(unit: &MapUnit) -> Result<(String, Option<u8>), Option<&'static str>> {
    let is_alike = |counter: &&Counter| {
        counter.printed() == unit.printed && [unit.nation, "any"].contains(&counter.nation.name())
    };
    let alike: Vec<_> = CATALOGUE.counters().iter().filter(is_alike).collect();
    let letters = unit.class.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let kind = match unit.class.get(letters.len()..) {
        Some("sq") => Some(CounterKind::Squad),
        Some("hs") => Some(CounterKind::HalfSquad),
        Some("cr") => Some(CounterKind::Crew),
        _ => None,
    };
    let letter = canonical(letters);
    let exact = |counter: &Counter| {
        kind.is_none_or(|kind| counter.kind == kind)
            && (counter.kind == CounterKind::Crew || counter.class.name() == letter)
    };
    let fitting: Vec<&Counter> = alike.iter().copied().filter(|counter| exact(counter)).collect();
    let (one, written) = match (&alike[..], &fitting[..]) {
        ([one], _) => (one, one.to_string()),
        (_, [one]) => (one, format!("id:{}", one.id)),
        _ => return Err(alike.first().map(|counter| counter.id.as_str())),
    };
    Ok((written, u8::try_from(one.broken_morale).ok()))
}

/// Returns the condition of a VASL mark in stack notation; `None` if it stands elsewhere.
pub const fn condition(mark: Mark) -> Option<Condition> {
    Some(match mark {
        Mark::Broken => Condition::Broken,
        Mark::Dm => Condition::Dm,
        Mark::Pinned => Condition::Pinned,
        Mark::Disrupted => Condition::Disrupted,
        Mark::Encircled => Condition::Encircled,
        Mark::Wounded => Condition::Wounded,
        Mark::Fanatic => Condition::Fanatic,
        Mark::Heroic => Condition::Heroic,
        Mark::Berserk => Condition::Berserk,
        Mark::Melee | Mark::Immobilized => return None,
    })
}
