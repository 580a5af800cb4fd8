//! The attacks of a crossing as an answer tells them: how often each is made, with which results,
//! and what becomes of the firers.

use std::collections::BTreeMap;

use super::marks::FirerFate;
use super::model::{AttackSource, Crossing, CrossingPlan, CrossingReport};
use super::rows::is_hex_name;
use super::safest::RankedPath;
use super::state::{CrossingOutcome, ShotTold};
use crate::attack::report::{estimate_json, fp_text, result_name};
use crate::vocabulary::{Attack, FireResult};
use answer::estimate::{Estimate, MOST_DROPPED, percent_to};
use answer::odds::{certain_figures, figures, is_too_big};
use answer::{CountedReport, Engine, Meta, Options, Reckoned, Trials};
use engine::exact::{Bound, Fraction};
use play::uncounted;
use serde_json::{Map, Value, json};

/// An attack of one kind, with the chance that it is made.
#[derive(Clone, Debug)]
pub struct AttackTold {
    /// `first`, `subsequent`, `fpf`, `residual` or `lane`.
    pub kind: &'static str,
    pub fp: f64,
    pub column: Option<u16>,
    pub drm: i8,
    pub made: Estimate,
}

/// The attacks of one firer at one point of a plan.
#[derive(Clone, Debug)]
pub struct ShotsTold {
    /// The index of the Location.
    pub location: usize,
    /// The slot of the unit that moves by itself; 0 for the stack.
    pub unit: u8,
    /// The name of the defender, `residual` or `lane`.
    pub by: String,
    pub made: Estimate,
    /// The kinds of attack that it can be, the likeliest first.
    pub attacks: Vec<AttackTold>,
    /// The chance of each result on the IFT, whatever the kind.
    pub results: BTreeMap<FireResult, Estimate>,
}

/// What becomes of the firers of one position.
#[derive(Clone, Debug, Default)]
pub struct FirersTold {
    /// The worst that any unit suffers by its own FPF.
    pub fates: BTreeMap<FirerFate, Estimate>,
    /// That a SW malfunctions.
    pub malfunctions: Option<Estimate>,
    /// What each unit suffers, and that each SW malfunctions, by their indices.
    pub units: BTreeMap<(u8, FirerFate), Estimate>,
    pub weapons: BTreeMap<u8, Estimate>,
}

/// The report of the attacks of a crossing.
#[derive(Clone, Debug, Default)]
pub struct ShotsReport {
    pub shots: Vec<ShotsTold>,
    /// For each position.
    pub firers: Vec<FirersTold>,
    /// The chance of each Residual FP in each Location at the end (8.2), by both.
    pub residual: BTreeMap<(u8, u8), Estimate>,
}

/// Bound of the states, a fifth of a second: the attacks are an aside.
pub(super) const BOUND: Bound = Bound { alive: 1 << 15, worked: 1 << 17, ..Bound::STANDARD };
/// The number of sequences where that is too little.
const TRIALS: u64 = 100_000;

fn add(sum: &mut Option<Estimate>, more: Estimate) {
    *sum = Some(sum.map_or(more, |known| known.or(more)));
}

impl ShotsReport {
    /// Computes the report. A crossing in which the enemy chooses has none.
    pub(super) fn new(crossing: &Crossing) -> ShotsReport {
        let mut report = ShotsReport {
            firers: vec![FirersTold::default(); crossing.positions.len()],
            ..ShotsReport::default()
        };
        if *crossing.plan == CrossingPlan::Open {
            return report;
        }
        let process = uncounted(crossing.reporting(CrossingReport::Shots));
        let mut meta = Meta::default().exact();
        let noted = match certain_figures(&process, BOUND, Some(MOST_DROPPED), &mut meta) {
            Err(too_big) if is_too_big(&too_big) => {
                let (engine, trials) = (Engine::MonteCarlo, Trials::Number(TRIALS));
                let options = Options { engine, trials, ..Options::default() };
                figures(&process, &options, Meta::default()).map(|(noted, _)| noted)
            }
            noted => noted,
        };
        let mut shots: BTreeMap<(u8, u8, u8), Vec<(ShotTold, Estimate)>> = BTreeMap::new();
        for ((_, outcome), figure) in noted.unwrap_or_default() {
            let CountedReport::Own(outcome) = outcome else { continue };
            match outcome {
                CrossingOutcome::Shot(told) => {
                    let location = crossing.entries[usize::from(told.entry)].location;
                    let key = (told.leg, location, told.number);
                    shots.entry(key).or_default().push((told, figure));
                }
                CrossingOutcome::Residual { location, fp } => {
                    // Units pass a Location at several points of the sequence.
                    let known = report.residual.entry((location, fp));
                    known.and_modify(|sum| *sum = sum.or(figure)).or_insert(figure);
                }
                outcome => report.note_firers(outcome, figure),
            }
        }
        let told = shots.into_iter();
        report.shots =
            told.filter_map(|(key, shots)| told_of(crossing, (key.0, key.1), &shots)).collect();
        report
    }

    fn note_firers(&mut self, outcome: CrossingOutcome, figure: Estimate) {
        match outcome {
            CrossingOutcome::Position { position, fate } => {
                self.firers[usize::from(position)].fates.insert(fate, figure);
            }
            CrossingOutcome::Malfunction { position } => {
                self.firers[usize::from(position)].malfunctions = Some(figure);
            }
            CrossingOutcome::Firer { position, unit, fate } => {
                self.firers[usize::from(position)].units.insert((unit, fate), figure);
            }
            CrossingOutcome::Weapon { position, part } => {
                self.firers[usize::from(position)].weapons.insert(part, figure);
            }
            _ => {}
        }
    }
}

/// Returns the report of the attacks at one point of the plan.
fn told_of(
    crossing: &Crossing,
    (unit, place): (u8, u8),
    shots: &[(ShotTold, Estimate)],
) -> Option<ShotsTold> {
    let mut made = None;
    let mut attacks: Vec<(AttackTold, Option<Estimate>)> = Vec::new();
    let mut results: BTreeMap<FireResult, Option<Estimate>> = BTreeMap::new();
    for (told, figure) in shots {
        add(&mut made, *figure);
        add(results.entry(told.result).or_default(), *figure);
        let Some(attack) = attack_told(crossing, told, *figure) else { continue };
        let key = |of: &AttackTold| (of.kind, of.fp.to_bits(), of.drm);
        match attacks.iter_mut().find(|(known, _)| key(known) == key(&attack)) {
            Some((_, sum)) => add(sum, *figure),
            None => attacks.push((attack, Some(*figure))),
        }
    }
    let attacks = attacks.into_iter();
    let mut attacks: Vec<AttackTold> =
        attacks.filter_map(|(attack, made)| Some(AttackTold { made: made?, ..attack })).collect();
    attacks.sort_by(|a, b| b.made.probability().total_cmp(&a.made.probability()));
    let by = match crossing.entries[usize::from(shots.first()?.0.entry)].source {
        AttackSource::Residual(_) => "residual".to_string(),
        AttackSource::Lane => "lane".to_string(),
        AttackSource::Position(position, _) => {
            crossing.positions[usize::from(position)].name.clone()
        }
    };
    let results = results.into_iter();
    let results = results.filter_map(|(result, sum)| Some((result, sum?))).collect();
    Some(ShotsTold { location: place.into(), unit, by, made: made?, attacks, results })
}

fn attack_told(crossing: &Crossing, told: &ShotTold, made: Estimate) -> Option<AttackTold> {
    let entry = crossing.entries[usize::from(told.entry)];
    let target = usize::from(told.state);
    let (kind, fp, column, drm) = match entry.source {
        AttackSource::Position(position, tier) => {
            let shots = &crossing.shots[usize::from(position)][usize::from(entry.location)];
            let figures = shots[tier as usize].figures.get(&told.key)?;
            let (fp, column, drm) = figures.by_state[target]?;
            (tier.phase().name(), fp, column, drm)
        }
        source => {
            let attack = crossing.attack(told.entry, told.key, target)?;
            let kind = if source == AttackSource::Lane { "lane" } else { "residual" };
            let Attack { firepower, drm, .. } = attack;
            (kind, firepower.into(), Attack::column_of(firepower), drm)
        }
    };
    Some(AttackTold { kind, fp, column, drm, made })
}

/// Returns a chance among those in which `whole` happens: a fraction if both are.
fn share(of: &Estimate, whole: &Estimate) -> Value {
    let fraction = |estimate: &Estimate| match estimate {
        Estimate::Exact { fraction, .. } => *fraction,
        _ => None,
    };
    let exact = fraction(of).zip(fraction(whole)).and_then(|(of, whole)| {
        let one = Fraction::new(of.numerator, whole.numerator);
        let two = Fraction::new(whole.denominator, of.denominator);
        let above = Fraction::new(one.numerator, two.denominator);
        let below = Fraction::new(two.numerator, one.denominator);
        let numerator = above.numerator.checked_mul(below.numerator)?;
        Some(Fraction::new(numerator, above.denominator.checked_mul(below.denominator)?))
    });
    match exact {
        Some(Fraction { numerator, denominator: 1 }) => numerator.to_string().into(),
        Some(share) => share.to_string().into(),
        None => (of.probability() / whole.probability()).into(),
    }
}

fn percent(estimate: &Estimate) -> String {
    percent_to(estimate.probability(), 2)
}

impl ShotsTold {
    fn to_json(&self, crossing: &Crossing) -> Value {
        let attack = |attack: &AttackTold| {
            json!({ "kind": attack.kind, "fp": fp_text(attack.fp), "column": attack.column,
                "drm": attack.drm, "made": estimate_json(&attack.made) })
        };
        let results: Map<String, Value> = self
            .results
            .iter()
            .map(|(result, odds)| (result_name(*result), share(odds, &self.made)))
            .collect();
        let mut json = json!({ "location": crossing.path[self.location].name, "by": self.by,
            "made": estimate_json(&self.made),
            "attacks": self.attacks.iter().map(attack).collect::<Vec<_>>(), "results": results });
        if self.unit > 0 {
            json["slot"] = self.unit.into();
        }
        json
    }

    /// Returns the row of the screen: the Location and the firer, the attack, how often it is made.
    fn row(&self, crossing: &Crossing) -> Option<[String; 3]> {
        let location = &crossing.path[self.location];
        let first = self.attacks.first()?;
        let fire = match first.kind {
            "first" => "First Fire",
            "subsequent" => "Subsequent",
            "fpf" => "FPF",
            "lane" => "Fire Lane",
            _ => "Residual FP",
        };
        let by = if ["lane", "residual"].contains(&self.by.as_str()) {
            String::new()
        } else {
            format!("{} ", self.by)
        };
        let others = match self.attacks.len() - 1 {
            0 => String::new(),
            1 => " (or 1 other)".to_string(),
            others => format!(" (or {others} others)"),
        };
        let attack = format!("{by}{fire} {} FP {:+}{others}", fp_text(first.fp), first.drm);
        let terrain = location.terrain.name.to_lowercase();
        let is_number = location.name == (self.location + 1).to_string();
        let place = match is_number || location.name.split(' ').all(is_hex_name) {
            true => format!("{} {terrain}", location.name),
            false => location.name.clone(),
        };
        let place = match self.unit {
            0 => place,
            unit => format!("{place}, unit {unit}"),
        };
        Some([place, attack, percent(&self.made)])
    }
}

impl FirersTold {
    fn to_json(&self, crossing: &Crossing, position: usize) -> Value {
        let of = &crossing.positions[position];
        let mut json = Map::new();
        for (fate, odds) in &self.fates {
            json.insert(fate.name().to_string(), estimate_json(odds));
        }
        if let Some(odds) = &self.malfunctions {
            json.insert("malfunctions".to_string(), estimate_json(odds));
        }
        let unit = |(unit, member): (u8, &crate::stack::Member)| {
            let mut own = Map::new();
            own.insert("unit".to_string(), member.printed().printed().into());
            for ((_, fate), odds) in self.units.iter().filter(|((of, _), _)| *of == unit) {
                own.insert(fate.name().to_string(), estimate_json(odds));
            }
            (own.len() > 1).then(|| Value::from(own))
        };
        let units: Vec<Value> = (0..).zip(of.members()).filter_map(unit).collect();
        if !units.is_empty() {
            json.insert("units".to_string(), units.into());
        }
        let names = of.part_names(crossing.setting.rulebook);
        let weapon = |(part, odds): (&u8, &Estimate)| {
            let name = &names[usize::from(*part)];
            json!({ "name": name, "malfunctions": estimate_json(odds) })
        };
        let weapons: Vec<Value> = self.weapons.iter().map(weapon).collect();
        if !weapons.is_empty() {
            json.insert("weapons".to_string(), weapons.into());
        }
        json.into()
    }

    /// Returns what becomes of the firers in one sentence; `None` if nothing can.
    fn sentence(&self, name: &str) -> Option<String> {
        let fates = self.fates.iter().rev();
        let mut words: Vec<String> =
            fates.map(|(fate, odds)| format!("{} {}", fate.name(), percent(odds))).collect();
        if let Some(last) = words.last_mut() {
            *last += " by its own FPF (A8.31)";
        }
        let lost = self.malfunctions.as_ref();
        words.extend(lost.map(|odds| format!("a SW malfunctions {} (A9.7)", percent(odds))));
        (!words.is_empty()).then(|| format!("{name}: {}.", words.join(", ")))
    }
}

/// The columns of the safest paths.
const PATH_HEADINGS: [&str; 3] = ["path", "MF", "arrives"];

impl RankedPath {
    fn to_json(&self) -> Value {
        json!({ "path": self.hexes, "mf": self.mf.number(), "arrived": self.arrived })
    }

    fn row(&self) -> [String; 3] {
        [self.hexes.clone(), self.mf.to_string(), percent_to(self.arrived, 2)]
    }
}

/// Puts the safest paths in place of the attacks on the screen, and beside them in JSON.
pub(super) fn with_paths(reckoned: Reckoned, paths: &[RankedPath]) -> Reckoned {
    let json = paths.iter().map(RankedPath::to_json).collect::<Vec<_>>();
    Reckoned {
        json: reckoned.json.into_iter().chain([("paths", json.into())]).collect(),
        rows: paths.iter().map(RankedPath::row).collect(),
        headings: Some(PATH_HEADINGS),
        ..reckoned
    }
}

impl ShotsReport {
    /// Returns the likeliest Residual FP in each Location in one sentence; `None` without any.
    fn residual_sentence(&self, crossing: &Crossing) -> Option<String> {
        let likeliest = |place: u8| {
            let here = self.residual.range((place, 0)..=(place, u8::MAX));
            let chance = |(_, odds): &(_, &Estimate)| odds.probability();
            let ((_, fp), odds) = here.max_by(|a, b| chance(a).total_cmp(&chance(b)))?;
            let name = &crossing.path[usize::from(place)].name;
            Some(format!("{fp} in {name} ({})", percent(odds)))
        };
        let all: Vec<String> = (0..crossing.path.len() as u8).filter_map(likeliest).collect();
        (!all.is_empty()).then(|| format!("Residual FP left (A8.2): {}.", all.join(", ")))
    }

    /// Returns the report of the attacks, for JSON and for the screen.
    pub(super) fn reckoned(&self, crossing: &Crossing) -> Reckoned {
        let shots: Vec<Value> = self.shots.iter().map(|shots| shots.to_json(crossing)).collect();
        let named = (0..).zip(&self.firers).map(|(position, firers)| {
            let name = crossing.positions[position].name.clone();
            (name, firers.to_json(crossing, position))
        });
        let firers: Map<String, Value> = named.collect();
        let residual = self.residual.iter().map(|((place, fp), odds)| {
            json!({ "location": crossing.path[usize::from(*place)].name, "fp": fp,
                "probability": estimate_json(odds) })
        });
        let residual: Vec<Value> = residual.collect();
        let sentences = self.firers.iter().zip(&crossing.positions);
        let sentences = sentences.filter_map(|(firers, of)| firers.sentence(&of.name));
        let after = sentences.collect();
        Reckoned {
            json: vec![
                ("shots", shots.into()),
                ("firers", firers.into()),
                ("residual", residual.into()),
            ],
            rows: self.shots.iter().filter_map(|shots| shots.row(crossing)).collect(),
            after,
            spare: self.residual_sentence(crossing),
            ..Reckoned::default()
        }
    }
}
