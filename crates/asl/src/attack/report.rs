//! The reckoning of an attack for readers: rows of text, and JSON.

use std::collections::BTreeMap;

use super::aftermath::{WeaponOdds, results};
use super::firepower::{FpEffect, FpFactor, FpLine};
use super::modifiers::Modifier;
use super::named::NamedAttack;
use super::reckoning::{ReckonedClass, ReckonedWeapon};
use crate::stack::Stack;
use crate::vocabulary::{Attack, FireResult};
use answer::estimate::{Estimate, percent_to};
use answer::{FirstRoll, Reckoned};
use engine::exact::Fraction;
use indexmap::IndexMap;
use serde_json::{Value, json};

/// A name, a value, and how it came about.
type Row = [String; 3];

/// Formats FP, which is a whole number or a fraction: `9/2`.
pub(crate) fn fp_text(fp: f64) -> String {
    let denominator = (0..16).map(|power| 1u32 << power);
    let exact = |of: &u32| (fp * f64::from(*of)).fract() == 0.0;
    match denominator.into_iter().find(exact) {
        Some(1) | None => format!("{fp}"),
        Some(of) => format!("{}/{of}", fp * f64::from(of)),
    }
}

/// Formats a probability: a fraction, or 0 or 1.
pub(super) fn odds_text(odds: Fraction) -> String {
    if odds.denominator == 1 { odds.numerator.to_string() } else { odds.to_string() }
}

/// Formats an estimate as a fraction where it is exact, else as a number.
pub(crate) fn estimate_json(estimate: &Estimate) -> Value {
    match estimate {
        Estimate::Exact { fraction: Some(odds), .. } => odds_text(*odds).into(),
        estimate => estimate.probability().into(),
    }
}

pub(super) fn percent(odds: Fraction) -> String {
    percent_to(odds.to_f64(), 2)
}

/// Returns the short name of a result of the IFT: `NE` for none.
pub(crate) fn result_name(result: FireResult) -> String {
    match result {
        FireResult::NoEffect => "NE".to_string(),
        result => result.to_string(),
    }
}

const KIA: &str = "KIA";
const K: &str = "K";

/// Returns the odds of IFT results with an effect, the worst first; all KIA and all K together.
fn effects(attack: Attack) -> IndexMap<String, Fraction> {
    let mut effects = IndexMap::new();
    for (result, odds) in results(attack) {
        let name = match result {
            FireResult::NoEffect => continue,
            FireResult::Kills(_) => KIA.to_string(),
            FireResult::Casualties(_) => K.to_string(),
            result => result.to_string(),
        };
        let sum = effects.entry(name).or_insert(Fraction::new(0, 1));
        *sum = sum.checked_add(odds).unwrap_or(*sum);
    }
    effects
}

/// Returns the odds of IFT results; KIA and K of all sizes together, and each by itself.
fn results_json(attack: Attack) -> Value {
    let mut together = effects(attack);
    together.retain(|name, _| [KIA, K].contains(&name.as_str()));
    let each = results(attack).into_iter().map(|(result, odds)| (result_name(result), odds));
    let all = together.into_iter().chain(each);
    let odds: serde_json::Map<_, _> =
        all.map(|(name, odds)| (name, odds_text(odds).into())).collect();
    odds.into()
}

fn line_json(line: &FpLine) -> Value {
    let factor = |factor: &FpFactor| {
        let effect = match factor.effect {
            FpEffect::Times(times) => format!("x{times}"),
            FpEffect::Half => "/2".to_string(),
            FpEffect::UpTo(fp) => format!("+1, up to {fp}"),
        };
        json!({ "factor": effect, "name": factor.name, "rule": factor.rule })
    };
    let factors: Vec<Value> = line.factors.iter().map(factor).collect();
    json!({ "of": line.name, "printed": line.printed.to_string(), "factors": factors,
        "fp": fp_text(line.fp) })
}

fn modifier_json(modifier: &Modifier) -> Value {
    json!({ "drm": modifier.drm, "name": modifier.name, "rule": modifier.rule })
}

fn weapon_json((weapon, odds): (&ReckonedWeapon, &WeaponOdds)) -> Value {
    json!({ "name": weapon.name, "rof": weapon.rof, "breakdown": weapon.breakdown,
        "x_number": weapon.x_number, "keeps": odds_text(odds.keeps),
        "malfunctions": odds_text(odds.malfunctions), "removed": odds_text(odds.removed) })
}

fn residual_json(residual: &BTreeMap<u8, Fraction>) -> Value {
    residual.iter().map(|(fp, odds)| (fp.to_string(), Value::from(odds_text(*odds)))).collect()
}

/// Returns what a plain attack by FP and DRM has to tell.
pub(crate) fn of_plain(attack: Attack) -> Reckoned {
    let given = Modifier {
        drm: attack.drm,
        name: "given".to_string(),
        rule: "A7.3".to_string(),
        is_outside: false,
    };
    let modifiers: Vec<Value> =
        (attack.drm != 0).then(|| modifier_json(&given)).into_iter().collect();
    let json = json!({
        "fp": attack.firepower.to_string(), "column": Attack::column_of(attack.firepower),
        "drm": attack.drm, "cowering": attack.cowering, "lines": [], "modifiers": modifiers,
        "results": results_json(attack), "weapons": [],
    });
    let first_roll = first_roll([(String::new(), attack)]);
    let column = Attack::column_of(attack.firepower);
    let numbers = numbers(attack.firepower.into(), attack.drm, column).into();
    Reckoned { json: vec![("attack", json)], numbers, first_roll, ..Reckoned::default() }
}

/// Returns what a plain attack on a stack with concealed units has to tell. Those are attacked with
/// half the FP (12.13), and any result reveals them (12.14).
pub(crate) fn at_concealed([known, concealed]: [Attack; 2], has_known: bool) -> Reckoned {
    let plain = of_plain(if has_known { known } else { concealed });
    let classes = [(KNOWN, known), (CONCEALED, concealed)];
    let classes = classes.into_iter().skip(usize::from(!has_known));
    let name = |name: &str| if has_known { name.to_string() } else { String::new() };
    let first_roll = first_roll(classes.map(|(of, attack)| (name(of), attack)));
    let column = Attack::column_of(concealed.firepower);
    let read = column.map_or("no attack".to_string(), |column| format!("the {column} column"));
    let summary = format!("{} FP, halved at concealed units (A12.13): {read}.", known.firepower);
    let effects = results(concealed).into_iter().filter(|(of, _)| *of != FireResult::NoEffect);
    let none = Fraction::new(0, 1);
    let lost = effects.fold(none, |sum, (_, odds)| sum.checked_add(odds).unwrap_or(sum));
    let after = format!("Concealment is lost {} (any result on the IFT, A12.14).", percent(lost));
    let json = json!({ "fp": known.firepower, "column": column, "lost": odds_text(lost) });
    let mut reckoned = Reckoned { first_roll, ..plain };
    reckoned.json.push(("concealment", json));
    reckoned.summary.push(summary);
    reckoned.after.push(after);
    reckoned
}

const KNOWN: &str = "at Known units";
const CONCEALED: &str = "at concealed ones";

/// A number that a kind of question declares, with its name.
type NamedNumber = (&'static str, f64);

/// Returns the numbers of an attack, by the names that its kind declares; column 0 is no attack.
fn numbers(fp: f64, drm: i8, column: Option<u16>) -> [NamedNumber; 3] {
    [("fp", fp), ("drm", drm.into()), ("column", column.unwrap_or(0).into())]
}

/// Returns what an attack on each class of targets shows on the IFT.
fn first_roll(attacks: impl IntoIterator<Item = (String, Attack)>) -> FirstRoll {
    let odds = |attack| {
        let effects = effects(attack).into_iter();
        effects.map(|(name, odds)| (name, odds.to_f64())).collect()
    };
    FirstRoll {
        table: "the IFT",
        results: attacks.into_iter().map(|(name, attack)| (name, odds(attack))).collect(),
        harmed: ("broken or worse", &["breaks", "lost"]),
    }
}

impl NamedAttack {
    /// Returns what the attack on a stack has to tell. The odds of ROF and breakdown are exact.
    pub(crate) fn reckoned(&self, stack: &Stack) -> Reckoned {
        let NamedAttack { reckoning, aftermath, .. } = self;
        let class_json = |class: &ReckonedClass| {
            let attack = reckoning.attack(class);
            let lines: Vec<Value> = class.lines.iter().map(line_json).collect();
            let modifiers: Vec<Value> = class.modifiers.iter().map(modifier_json).collect();
            json!({ "fp": fp_text(class.fp), "column": class.column(), "drm": class.drm(),
                "cowering": reckoning.cowering, "lines": lines, "modifiers": modifiers,
                "results": results_json(attack) })
        };
        let mut json = class_json(&reckoning.classes[0]);
        if reckoning.classes.len() > 1 {
            let with_slots = |class: &ReckonedClass| {
                let mut json = class_json(class);
                json["slots"] = json!(class.slots);
                json
            };
            json["classes"] = reckoning.classes.iter().map(with_slots).collect();
        }
        let weapons = || reckoning.weapons.iter().zip(&aftermath.weapons);
        json["weapons"] = weapons().map(weapon_json).collect();
        json["shots"] = aftermath.shots.iter().map(|odds| odds_text(*odds)).collect();
        if !aftermath.residual.is_empty() {
            json["residual"] = residual_json(&aftermath.residual);
            json["residual_keep"] = residual_json(&aftermath.residual_if_kept);
        }
        let (mut rows, mut summary) = (Vec::new(), Vec::new());
        let name = |class: &ReckonedClass| match reckoning.classes.len() {
            1 => String::new(),
            _ => {
                let units = class.slots.iter().map(|slot| stack.name_of(*slot));
                format!("against {}", units.collect::<Vec<_>>().join(", "))
            }
        };
        for class in &reckoning.classes {
            let (name, lines, modifiers) = (name(class), self.fp_rows(class), drm_rows(class));
            let heading = Some(name.clone()).filter(|name| !name.is_empty());
            rows.extend(heading.map(|name| [name, String::new(), String::new()]));
            summary.push(self.in_short(class, &name, &lines, &modifiers));
            rows.extend(lines);
            rows.extend(modifiers);
            rows.push([
                "DRM".into(),
                format!("{:+}", class.drm()),
                format!("{} (A7.9)", self.cowering()),
            ]);
        }
        let classes = reckoning.classes.iter();
        let first_roll = first_roll(classes.map(|class| (name(class), reckoning.attack(class))));
        let mut after = folded(weapons().map(weapon_row));
        if !aftermath.residual.is_empty() {
            let left = |(fp, odds): (&u8, &Fraction)| format!("{fp} in {}", percent(*odds));
            let left: Vec<String> = aftermath.residual.iter().map(left).collect();
            after.push(format!("Residual FP left: {} (A8.2).", left.join(", ")));
        }
        let json = vec![("attack", json)];
        let numbers = self.numbers();
        Reckoned { json, numbers, rows, summary, first_roll, after, ..Reckoned::default() }
    }

    /// Returns the numbers of the attack. One that differs between the targets is none of it.
    fn numbers(&self) -> Vec<NamedNumber> {
        let classes = &self.reckoning.classes;
        let of = |class: &ReckonedClass| numbers(class.fp, class.drm(), class.column());
        let is_shared =
            |number: &NamedNumber| classes.iter().all(|class| of(class).contains(number));
        of(&classes[0]).into_iter().filter(is_shared).collect()
    }

    fn cowering(&self) -> &'static str {
        match self.reckoning.cowering {
            0 => "no Cowering",
            1 => "Cowering costs one column",
            _ => "Cowering costs two columns",
        }
    }

    /// Returns FP and DRM against a class of targets in a sentence.
    fn in_short(&self, class: &ReckonedClass, name: &str, fp: &[Row], drm: &[Row]) -> String {
        let list = |rows: &[Row]| {
            let words = rows.iter().map(|[name, value, _]| format!("{name} {value}"));
            words.collect::<Vec<_>>().join(", ")
        };
        let (last, lines) = fp.split_last().expect("the last row is the sum");
        let of = |sum: String, rows: &[Row]| match rows.is_empty() {
            true => sum,
            false => format!("{sum} ({})", list(rows)),
        };
        let [_, sum, column] = last;
        let at = if name.is_empty() { String::new() } else { format!(" {name}") };
        let fp = of(format!("{sum} FP{at}"), lines);
        let drm = of(format!("DRM {:+}", class.drm()), drm);
        format!("{fp} {column}; {drm}; {}.", self.cowering())
    }

    /// Returns the FP against a class of targets, a row for each firer and SW, and the sum; equal
    /// ones are folded.
    fn fp_rows(&self, class: &ReckonedClass) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut lines: Vec<(&FpLine, usize)> = Vec::new();
        for line in &class.lines {
            let same = |known: &&mut (&FpLine, usize)| {
                let (known, _) = known;
                (&known.name, &known.factors, known.printed, known.range)
                    == (&line.name, &line.factors, line.printed, line.range)
            };
            match lines.iter_mut().find(same) {
                Some((_, number)) => *number += 1,
                None => lines.push((line, 1)),
            }
        }
        for (line, number) in lines {
            let name = if line.is_weapon { line.name.to_uppercase() } else { line.name.clone() };
            let name = if number > 1 { format!("{number}x {name}") } else { name };
            // A group of several Locations names that of each.
            let is_one = class.lines.iter().all(|other| other.range == line.range);
            let name = if is_one { name } else { format!("{name} @{}", line.range) };
            let factors = line.factors.iter().map(|factor| {
                let FpFactor { name, rule, effect } = factor;
                match effect {
                    FpEffect::Times(times) => format!("x{times} {name} ({rule})"),
                    FpEffect::Half => format!("/2 {name} ({rule})"),
                    FpEffect::UpTo(fp) => format!("+1, up to {fp} {name} ({rule})"),
                }
            });
            let factors: Vec<String> = factors.collect();
            let how = match factors.is_empty() {
                true => String::new(),
                false => format!("{} {}", line.printed, factors.join(" ")),
            };
            rows.push([name, fp_text(line.fp * number as f64), how]);
        }
        if class.molotov > 0 {
            rows.push(["MOL".into(), format!("+{}", class.molotov), "(A22.611)".into()]);
        }
        let column = class.column().map_or("no attack below 1 FP (A7.3)".to_string(), |column| {
            format!("on the {column} column")
        });
        rows.push(["FP".to_string(), fp_text(class.fp), column]);
        rows
    }
}

fn drm_rows(class: &ReckonedClass) -> Vec<Row> {
    let row = |Modifier { drm, name, rule, .. }: &Modifier| {
        [name.clone(), format!("{drm:+}"), format!("({rule})")]
    };
    class.modifiers.iter().map(row).collect()
}

/// Returns a sentence for each SW, and for equal ones together.
fn folded(weapons: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut equal: IndexMap<(String, String), usize> = IndexMap::new();
    for weapon in weapons {
        *equal.entry(weapon).or_default() += 1;
    }
    let sentence = |((name, odds), number)| match number {
        1 => format!("{name}: {odds}."),
        _ => format!("{name} (each of {number}): {odds}."),
    };
    equal.into_iter().map(sentence).collect()
}

/// Returns the name of a SW, and what the attack does to it.
fn weapon_row((weapon, odds): (&ReckonedWeapon, &WeaponOdds)) -> (String, String) {
    let name = weapon.name.to_uppercase();
    let x_number = weapon.x_number.map(|x| format!("X{x}"));
    let Some(breakdown) = weapon.breakdown else {
        let number = x_number.unwrap_or_default();
        let rule = if weapon.is_spent { "A23.2" } else { "A22.1" };
        return (name, format!("used up {} ({number}, {rule})", percent(odds.removed)));
    };
    let again = match weapon.rof {
        0 => String::new(),
        rof => format!("fires again {} (ROF {rof}, A9.2), ", percent(odds.keeps)),
    };
    let numbers: Vec<String> = std::iter::once(format!("B{breakdown}")).chain(x_number).collect();
    let malfunctions = percent(odds.malfunctions);
    (name, format!("{again}malfunctions {malfunctions} ({}, A9.7)", numbers.join(" ")))
}
