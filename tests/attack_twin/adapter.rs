//! Conversion of attacks and their figures for `lowcrawl`.

use serde_json::{Map, Value, json};

use super::counters::{UnitKind, weapon_nation};
use super::firepower::FP;
use super::outcomes::{Odds, WeaponFate, outcomes, shot_odds};
use super::ratio::Ratio;
use super::reckoning::{TargetClass, reckon};
use super::tables::COLUMNS;
use super::{
    Attack, Direction, Firer, FiringLocation, Hexside, Movement, Phase, WallAdvantage, Works,
};

fn with_words(text: String, words: &[String]) -> String {
    if words.is_empty() { text } else { format!("{text}/{}", words.join(",")) }
}

pub fn firer_text(f: &Firer) -> String {
    let mut words = Vec::new();
    for held in &f.weapons {
        let weapon = held.weapon;
        let is_own = weapon.nation == weapon_nation(f.counter.nation);
        let is_named = !is_own || f.counter.kind == UnitKind::Hero;
        let nation = if is_named { format!("{}:", weapon.nation) } else { String::new() };
        let mark = if held.is_marked { "!" } else { "" };
        words.push(format!("{nation}{}{mark}", weapon.name));
    }
    words.extend(f.words.iter().map(|word| word.to_string()));
    with_words(f.counter.text(), &words)
}

fn location_text(location: &FiringLocation) -> String {
    let firers = location.firers.iter().map(firer_text);
    let loose = location.loose.iter().map(|weapon| weapon.name.to_string());
    firers.chain(loose).collect::<Vec<_>>().join(" + ")
}

fn target_text(attack: &Attack) -> String {
    let unit = |(counter, state): &(super::Counter, super::TargetState)| {
        let words = [
            (state.concealed, "concealed"),
            (state.pinned, "pinned"),
            (state.broken, "broken"),
            (state.berserk, "berserk"),
        ];
        let words = words.into_iter().filter(|(is_so, _)| *is_so);
        with_words(counter.text(), &words.map(|(_, word)| word.to_string()).collect::<Vec<_>>())
    };
    attack.target.iter().map(unit).collect::<Vec<_>>().join(" + ")
}

fn by_text(attack: &Attack) -> String {
    let location = |location: &FiringLocation| {
        let hindrance = location.hindrance.map(|drm| format!(", hindrance {drm}"));
        let level = location.level.map(|level| format!(", level {level}"));
        let (hindrance, level) = (hindrance.unwrap_or_default(), level.unwrap_or_default());
        format!("{} @ {}{hindrance}{level}", location_text(location), location.range)
    };
    attack.locations.iter().map(location).collect::<Vec<_>>().join(" | ")
}

/// Returns the attack as a request.
pub fn request(attack: &Attack) -> Value {
    let a = attack;
    let mut request = json!({
        "kind": "fire", "hob": false, "options": { "engine": "monte-carlo", "trials": 10 },
        "stack": target_text(a), "by": by_text(a),
    });
    if let [location] = &a.locations[..] {
        request["by"] = location_text(location).into();
        request["range"] = location.range.into();
    }
    // The phase of a moving target differs by default.
    if a.phase != Phase::Prep || a.movement != Movement::None {
        request["phase"] = a.phase.word().into();
    }
    let words = [
        ("terrain", a.terrain.word, "open"),
        ("works", a.works.word(), Works::None.word()),
        ("hexside", a.hexside.word(), Hexside::None.word()),
        ("wall-advantage", a.wall_advantage.word(), WallAdvantage::None.word()),
        ("move", a.movement.word(), Movement::None.word()),
        ("direct", a.direct.word(), Direction::Auto.word()),
        ("dc", if a.dc_thrown { "thrown" } else { "placed" }, "placed"),
    ];
    for (name, word, _) in words.into_iter().filter(|(_, word, default)| word != default) {
        request[name] = word.into();
    }
    let numbers = [
        ("level", a.level, 0),
        ("hindrance", a.hindrance, 0),
        ("smoke", a.smoke, 0),
        ("smoke-los", a.smoke_los, 0),
        ("smoke-out", a.smoke_out, 0),
        ("lv", a.lv, 0),
        ("mf", a.mf, 1),
        ("area", a.area, 0),
        ("overstack-by", a.overstack_by, 0),
        ("overstack-target", a.overstack_target, 0),
        ("target-ft", a.target_ft, 0),
        ("drm", a.drm, 0),
        ("tem", a.tem.unwrap_or(i32::MIN), i32::MIN),
        ("pillbox", a.pillbox.unwrap_or(i32::MIN), i32::MIN),
    ];
    for (name, number, _) in numbers.into_iter().filter(|(_, number, default)| number != default) {
        request[name] = number.into();
    }
    let flags = [
        ("crest", a.crest),
        ("night", a.night),
        ("spraying", a.spraying),
        ("snap-shot", a.snap_shot),
        ("mol", a.mol),
    ];
    for (name, _) in flags.into_iter().filter(|(_, is_so)| *is_so) {
        request[name] = true.into();
    }
    request
}

fn fp_text(fp: i64) -> String {
    let parts = (0..17).map(|power| 1 << power).find(|parts| fp * parts % FP == 0).unwrap();
    let fp = fp * parts / FP;
    if parts == 1 { fp.to_string() } else { format!("{fp}/{parts}") }
}

fn odds_json<T: ToString>(odds: &Odds<T>) -> Value {
    let odds = odds.iter().map(|(value, odds)| (value.to_string(), odds.to_string().into()));
    Value::Object(odds.collect::<Map<_, _>>())
}

/// Returns the figures of the twin, in the form of `attack` in an answer.
pub fn figures(attack: &Attack) -> Value {
    let r = reckon(attack).unwrap();
    let all = outcomes(&r);
    let mut classes: Vec<(TargetClass, Value)> = Vec::new();
    for (class, shown) in r.classes.iter().zip(&all.shown) {
        // Targets that the attack affects alike are one class.
        let is_alike = |known: &TargetClass| known.fp == class.fp && known.drm == class.drm;
        match classes.iter_mut().find(|(known, _)| is_alike(known)) {
            Some((known, _)) => known.slots.extend(&class.slots),
            None if shown.is_empty() => classes.push((class.clone(), json!({ "NE": "1" }))),
            None => classes.push((class.clone(), odds_json(shown))),
        }
    }
    let class = |(class, results): &(TargetClass, Value)| {
        let slots = (classes.len() > 1).then_some(&class.slots);
        json!({
            "slots": slots, "fp": fp_text(class.fp), "drm": class.drm,
            "column": class.column().map(|column| COLUMNS[column]), "results": results,
        })
    };
    let weapon = |(place, w): (usize, &super::reckoning::ReckonedWeapon)| {
        let sum = |is: fn(&WeaponFate) -> bool| {
            let fates = all.fates.iter().filter(|(fates, _)| is(&fates[place]));
            fates.fold(Ratio::ZERO, |sum, (_, odds)| sum.plus(*odds)).to_string()
        };
        let number = |number: i32| (number > 0).then_some(number);
        json!({
            "name": w.name, "rof": w.rof, "breakdown": number(w.breakdown),
            "x_number": number(w.removal), "keeps": sum(|fate| fate.keeps_rof),
            "malfunctions": sum(|fate| fate.malfunctions), "removed": sum(|fate| fate.removed),
        })
    };
    let shots = shot_odds(attack).iter().map(Ratio::to_string).collect::<Vec<_>>();
    json!({
        "cowering": r.cowering, "shots": shots,
        "classes": classes.iter().map(class).collect::<Vec<_>>(),
        "weapons": r.weapons.iter().enumerate().map(weapon).collect::<Vec<_>>(),
        "residual": odds_json(&all.residual), "residual_keep": odds_json(&all.residual_keep),
    })
}
