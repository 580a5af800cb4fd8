//! The fields of an attack by named firers, and the attack that they describe.

use super::aftermath::aftermath;
use super::circumstances::{
    AttackCircumstances, FirePhase, Movement, Sight, TargetState, TargetWorks,
};
use super::firers::{FireGroup, Firer, FiringLocation};
use super::named::NamedAttack;
use super::reckoning::{AttackReckoning, ReckonedClass, reckon};
use crate::board::terrain::Terrain;
use crate::kinds::{BY, StepFields};
use crate::rulebook::{Rulebook, Switch};
use crate::stack::{Member, Slots, Stack};
use crate::vocabulary::{Attack, Condition, Stage};
use engine::text::{Fault, counted};
use schema::{FieldFault, FieldSet as _};

/// Returns the name of a field that only an attack by named firers has, if one is given.
pub(crate) fn given_circumstance(fields: &StepFields) -> Option<&'static str> {
    let blank = StepFields::default();
    let differs = |name: &&'static str| fields.value_json(name) != blank.value_json(name);
    BY.iter().map(|field| field.name).find(differs)
}

/// Reckons the attack that the fields of a step describe.
pub(crate) fn named_attack(
    fields: &StepFields,
    stack: &Stack,
    rulebook: Rulebook,
) -> Result<NamedAttack, FieldFault> {
    let either = |name: &'static str| {
        FieldFault::new(name, "use either `fp` and what belongs to it, or `by`")
            .help("FP, DRM and Cowering of named firers are reckoned; `drm` is added")
    };
    if fields.firepower.is_some() {
        return Err(either(StepFields::firepower.name));
    }
    if !fields.cowering || fields.inexperienced {
        let inexperienced = fields.inexperienced.then_some(StepFields::inexperienced.name);
        return Err(either(inexperienced.unwrap_or("no-cowering")));
    }
    let Some(firers) = &fields.by else { return Err(either(StepFields::by.name)) };
    let circumstances = circumstances(fields)?;
    let shared = sight(fields);
    let sights: Vec<Sight> =
        firers.locations.iter().map(|location| location.sight.within(shared)).collect();
    let (states, slots) = states(stack);
    let targets: Vec<(TargetState, Vec<u8>)> = states.into_iter().zip(slots).collect();
    let of_by = FieldFault::in_field(StepFields::by.name);
    if firers.has_loose && rulebook.chooses(Switch::LooseWeaponsRefused) {
        let fault = Fault::new("a SW is given to nobody (I-71)", 0..0);
        return Err(of_by(fault.help("write it behind its unit: `4-6-7/hmg`")));
    }
    let reckoning = reckon(firers, &sights, &circumstances, &targets, rulebook);
    let mut reckoning = reckoning.map_err(of_by)?;
    merge_equal(&mut reckoning);
    let later = |kept: u32| {
        let group = firers.keeping(kept, &sights);
        reckon(&group, &sights, &circumstances, &targets, rulebook).ok()
    };
    let aftermath = aftermath(&reckoning, &later, rulebook);
    let attacks: Vec<(Slots, Attack)> = reckoning
        .classes
        .iter()
        .map(|class| {
            let slots = class.slots.iter().map(|slot| usize::from(*slot) - 1).collect();
            (slots, reckoning.attack(class))
        })
        .collect();
    let stage = match &attacks[..] {
        [(_, attack)] => Stage::Fire(*attack),
        _ => Stage::FireAtClasses(attacks.into()),
    };
    let words = in_words(firers, &circumstances, &sights);
    Ok(NamedAttack { reckoning, aftermath, stage, words })
}

/// Merges classes of targets that the attack affects alike.
fn merge_equal(reckoning: &mut AttackReckoning) {
    let mut merged: Vec<ReckonedClass> = Vec::new();
    for class in std::mem::take(&mut reckoning.classes) {
        let same = |known: &&mut ReckonedClass| known.fp == class.fp && known.drm() == class.drm();
        match merged.iter_mut().find(same) {
            Some(known) => known.slots.extend(&class.slots),
            None => merged.push(class),
        }
    }
    reckoning.classes = merged;
}

/// Returns the states of the units of a stack, and the slots in each.
fn states(stack: &Stack) -> (Vec<TargetState>, Vec<Vec<u8>>) {
    let state = |member: &Member| TargetState {
        concealed: member.concealed,
        pinned: member.is(Condition::Pinned),
        broken: member.is(Condition::Broken),
        berserk: member.is(Condition::Berserk),
    };
    let (mut states, mut slots): (Vec<TargetState>, Vec<Vec<u8>>) = Default::default();
    for (slot, member) in (1..).zip(&stack.members) {
        match states.iter().position(|known| *known == state(member)) {
            Some(place) => slots[place].push(slot),
            None => {
                states.push(state(member));
                slots.push(vec![slot]);
            }
        }
    }
    (states, slots)
}

fn circumstances(fields: &StepFields) -> Result<AttackCircumstances, FieldFault> {
    let moves = fields.movement.unwrap_or_default();
    let in_motion = !matches!(moves, Movement::None | Movement::Hazardous);
    let phase = if in_motion { FirePhase::First } else { FirePhase::Prep };
    if fields.terrain.id == "pillbox" && fields.pillbox.is_none() {
        let fault = StepFields::pillbox.fault("a pillbox needs its CA or NCA number as TEM");
        return Err(fault.help("for example `--pillbox 5` (B30.3)"));
    }
    let of_terrain = TargetWorks::of_terrain(fields.terrain);
    if let (Some(one), Some(other)) = (of_terrain, fields.works)
        && one != other
    {
        return Err(StepFields::works.fault("the terrain already names other works"));
    }
    let is_works = of_terrain.is_some() || fields.terrain.id == "pillbox";
    Ok(AttackCircumstances {
        phase: fields.fire_phase.unwrap_or(phase),
        terrain: if is_works { Terrain::open() } else { fields.terrain },
        tem: fields.tem.map(|tem| tem.i8()),
        works: of_terrain.or(fields.works).unwrap_or_default(),
        pillbox: fields.pillbox.map(|tem| tem.i8()),
        wall_advantage: fields.wall_advantage.unwrap_or_default(),
        crest: fields.crest,
        smoke: fields.smoke.map_or(0, |drm| drm.u8()),
        low_visibility: fields.low_visibility.map_or(0, |drm| drm.u8()),
        night: fields.night,
        movement: moves,
        mf: fields.mf.map_or(1, |mf| mf.u8()),
        spraying: fields.spraying,
        snap_shot: fields.snap_shot,
        area: fields.area.map_or(0, |area| area.u8()),
        direction: fields.direction.unwrap_or_default(),
        overstacked_firers: fields.overstacked_firers.map_or(0, |number| number.u8()),
        overstacked_target: fields.overstacked_target.map_or(0, |number| number.u8()),
        target_flamethrowers: fields.target_flamethrowers.map_or(0, |number| number.u8()),
        demolition: fields.demolition.unwrap_or_default(),
        molotov: fields.molotov,
        drm: fields.drm.i8(),
    })
}

fn sight(fields: &StepFields) -> Sight {
    Sight {
        range: fields.range.map_or(1, |range| range.u8()),
        level: fields.level.map_or(0, |level| level.i8()),
        hindrance: fields.hindrance.map_or(0, |drm| drm.u8()),
        hexside: fields.hexside.unwrap_or_default(),
        smoke_los: fields.smoke_los.map_or(0, |drm| drm.u8()),
        smoke_out: fields.smoke_out.map_or(0, |drm| drm.u8()),
    }
}

/// Returns the attack in words: `Prep Fire of german:4-6-7/hmg, 3 hexes, stone building`.
fn in_words(firers: &FireGroup, circumstances: &AttackCircumstances, sights: &[Sight]) -> String {
    let AttackCircumstances { phase, terrain, works, pillbox, .. } = circumstances;
    let firer = |firer: &Firer| {
        let weapons: Vec<&str> =
            firer.weapons.iter().map(|manned| manned.weapon.name.as_str()).collect();
        let unit = firer.member.to_string();
        let sign = if unit.contains('/') { "," } else { "/" };
        let weapons = weapons.join(",");
        if weapons.is_empty() { unit } else { format!("{unit}{sign}{weapons}") }
    };
    let location = |location: &FiringLocation| {
        location.firers.iter().map(firer).collect::<Vec<_>>().join(" + ")
    };
    let who: Vec<String> = firers.locations.iter().map(location).collect();
    let ranges: Vec<u8> = sights.iter().map(|sight| sight.range).collect();
    let near = match &ranges[..] {
        [0] => "the same hex".to_string(),
        [range] => counted(*range, "hex"),
        _ => ranges.iter().map(u8::to_string).collect::<Vec<_>>().join(" and ") + " hexes",
    };
    let ground = terrain.name.to_lowercase();
    let works = if *works == TargetWorks::None { "" } else { works.name() };
    let works = if pillbox.is_some() { "pillbox" } else { works };
    let comma = if works.is_empty() { "" } else { ", " };
    format!("{} of {}, {near}, {ground}{comma}{works}", phase.in_words(), who.join(" | "))
}
