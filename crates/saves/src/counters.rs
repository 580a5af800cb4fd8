//! The counters of the catalogue that VASL's units are.

use asl::catalogue::{CATALOGUE, Counter, CounterKind};
use engine::text::canonical;
use vasl::map_units::MapUnit;

/// The squad that a half-squad is half of where no squad of its side tells.
const COMMON_SQUAD: &str = "4-4-7";
/// The half-squad of the Partisans as VASL prints it, and as the catalogue does.
const PARTISANS: [&str; 2] = ["1-2-7", "1-3-7"];

/// A unit of VASL as a counter of the catalogue.
pub struct FoundCounter {
    /// The counter in stack notation.
    pub written: String,
    pub broken_morale: Option<u8>,
    /// The printed range, if it differs from that of the catalogue.
    pub range: Option<u8>,
    /// A remark on what had to be assumed.
    pub note: Option<String>,
}

/// Returns two names of a unit: nation and printed values, first without and then with its class.
pub fn unit_names(unit: &MapUnit) -> [String; 2] {
    let short = format!("{}:{}", unit.nation, unit.printed);
    let long = format!("{short} {}", unit.class);
    [short, long.trim_end().to_string()]
}

/// Returns the letters of a unit's class, such as `1` or `e`, and its kind.
fn class_of(unit: &MapUnit) -> (String, Option<CounterKind>) {
    let class = unit.class.trim_start_matches("SS");
    let letters = class.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let kind = match class.get(letters.len()..) {
        Some("sq") => Some(CounterKind::Squad),
        Some("hs") => Some(CounterKind::HalfSquad),
        Some("cr") => Some(CounterKind::Crew),
        _ => None,
    };
    (canonical(letters), kind)
}

/// Finds the counter of a unit. `squads` are the printed values of the squads of its nation.
///
/// # Errors
///
/// Fails with the first counter that has its values, if any, where none or several fit.
pub fn counter(unit: &MapUnit, squads: &[&str]) -> Result<FoundCounter, Option<&'static str>> {
    let (letters, kind) = class_of(unit);
    let is_partisans = unit.nation == "partisan"
        && kind == Some(CounterKind::HalfSquad)
        && unit.printed == PARTISANS[0];
    let printed = if is_partisans { PARTISANS[1] } else { &*unit.printed };
    let is_alike = |counter: &&Counter| {
        counter.printed() == printed && [unit.nation, "any"].contains(&counter.nation.name())
    };
    let same: Vec<&Counter> = CATALOGUE.counters().iter().filter(is_alike).collect();
    let of_kind = |counter: &&Counter| kind.is_none_or(|kind| counter.kind == kind);
    let alike: Vec<&Counter> = same.iter().copied().filter(of_kind).collect();
    let exact = |counter: &&Counter| {
        counter.kind == CounterKind::Crew || letters.is_empty() || counter.class.name() == letters
    };
    let fitting: Vec<&Counter> = alike.iter().copied().filter(exact).collect();
    let (one, note) = match (&alike[..], &fitting[..]) {
        ([one], _) | (_, [one]) => (*one, None),
        (_, [_, ..]) => half_of(&fitting, squads).ok_or(Some(fitting[0].id.as_str()))?,
        _ => return Err(same.first().map(|counter| counter.id.as_str())),
    };
    let note = note.map(|note: String| format!("{}: {note}", unit_names(unit)[0]));
    let range = is_partisans.then_some(2);
    let note = note.or_else(|| {
        let [vasl, catalogue] = PARTISANS;
        is_partisans.then(|| format!("{vasl} of the Partisans is the {catalogue} of the catalogue"))
    });
    let written = if same.len() == 1 { one.to_string() } else { format!("id:{}", one.id) };
    Ok(FoundCounter { written, broken_morale: u8::try_from(one.broken_morale).ok(), range, note })
}

/// Chooses among half-squads with the same values the half of a squad that is there, or that of the
/// common squad with a remark.
fn half_of(
    halves: &[&'static Counter],
    squads: &[&str],
) -> Option<(&'static Counter, Option<String>)> {
    let is_half_of = |half: &Counter, is_squad: &dyn Fn(&str) -> bool| {
        let own = CATALOGUE.find(&half.id);
        let mut all = CATALOGUE.counters().iter();
        all.any(|squad| own.is_some() && squad.half_squad == own && is_squad(squad.printed()))
    };
    let is_there = |half: &&&Counter| is_half_of(half, &|squad| squads.contains(&squad));
    let told: Vec<_> = halves.iter().filter(is_there).collect();
    if let [one] = told[..] {
        return Some((one, None));
    }
    let common = halves.iter().find(|half| is_half_of(half, &|squad| squad == COMMON_SQUAD))?;
    let note = format!("taken as half of the {COMMON_SQUAD}; no squad of its side decides it");
    Some((common, Some(note)))
}
