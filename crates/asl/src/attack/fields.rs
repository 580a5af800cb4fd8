//! The fields of an attack by named firers, and the attack that they describe.

use std::sync::Arc;

use super::aftermath::aftermath;
use super::circumstances::{
    AttackCircumstances, DemolitionUse, FirePhase, Movement, Sight, TargetState, TargetWorks,
    WallAdvantage,
};
use super::firers::{FireGroup, Firer, FiringLocation};
use super::named::NamedAttack;
use super::reckoning::{AttackReckoning, ReckonedClass, reckon};
use super::shots::{PartList, Recurrence, ShotPlan, ShotSetting, most_shots};
use crate::board::terrain::Terrain;
use crate::kinds::{BY, SHOTS, StackFields, StepFields};
use crate::rulebook::{Profile, Rulebook, Switch};
use crate::stack::{Member, Slots, Stack};
use crate::vocabulary::{Attack, Condition, Stage, StepCondition};
use engine::text::notation::{shown, text_field};
use engine::text::{Fault, counted};
use schema::{FieldFault, FieldSet as _};

/// Returns the name of a field that only an attack by named firers has, if one is given.
pub(crate) fn given_circumstance(fields: &StepFields) -> Option<&'static str> {
    let blank = StepFields::default();
    let differs = |name: &&'static str| fields.value_json(name) != blank.value_json(name);
    BY.iter().chain(SHOTS).map(|field| field.name).find(differs)
}

/// Reckons the attack that the fields of a step describe.
///
/// `recurrence` is `None` for the only attack of a question, which need not follow the states of
/// the target. `may_be_concealed`: some unit of the stack can be concealed by then.
pub(crate) fn named_attack(
    fields: &StepFields,
    stack: &Stack,
    rulebook: Rulebook,
    recurrence: Option<Recurrence>,
    may_be_concealed: bool,
) -> Result<NamedAttack, FieldFault> {
    let firers = named_firers(fields)?;
    let circumstances = &circumstances(fields)?;
    if rulebook.chooses(Switch::PlainFireOnly) {
        check_kit(circumstances)?;
    }
    let shared = sight(fields);
    let sights = firers.locations.iter().map(|location| location.sight.within(shared));
    let sights: &[Sight] = &sights.collect::<Vec<_>>();
    let (states, slots) = states(stack);
    let targets: Vec<(TargetState, Vec<u8>)> = states.into_iter().zip(slots).collect();
    let of_by = FieldFault::in_field(StepFields::by.name);
    let firers = &match rulebook.chooses(Switch::HeavyFinnishLmg) {
        true => firers.with_heavy_finnish_lmg(),
        false => firers.clone(),
    };
    if firers.has_loose && rulebook.chooses(Switch::LooseWeaponsRefused) {
        let fault = Fault::new("a SW is given to nobody (I-71)", 0..0);
        return Err(of_by(fault.help("write it behind its unit: `4-6-7/hmg`")));
    }
    let reckoning = reckon(firers, sights, circumstances, &targets, rulebook);
    let mut reckoning = reckoning.map_err(of_by)?;
    let parts = PartList::Together;
    let setting = ShotSetting { firers, sights, circumstances, may_be_concealed, rulebook, parts };
    let shots = shot_plan(fields, stack, &setting, &mut reckoning, recurrence)?;
    merge_equal(&mut reckoning);
    let later = |kept: u32| setting.later(kept, &targets);
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
    let mut words = in_words(firers, circumstances, sights);
    if let Some(ShotPlan { most, stop, .. }) = &shots {
        if *most > 1 {
            words += &format!(", up to {most} shots");
        }
        if let Some(stop) = stop {
            words += &format!(", {}", stop.as_stop());
        }
    }
    Ok(NamedAttack { reckoning, aftermath, stage, shots, words })
}

/// Returns the firers, which exclude FP and what belongs to it.
fn named_firers(fields: &StepFields) -> Result<&FireGroup, FieldFault> {
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
    fields.by.as_ref().ok_or_else(|| either(StepFields::by.name))
}

/// Returns the shots of an attack, if it needs them: there are several, they depend on what has
/// become of the target, or on who of the firers can still fire.
fn shot_plan(
    fields: &StepFields,
    stack: &Stack,
    setting: &ShotSetting,
    reckoning: &mut AttackReckoning,
    recurrence: Option<Recurrence>,
) -> Result<Option<ShotPlan>, FieldFault> {
    let rof = fields.rof.map_or(1, |rof| rof.u8());
    let most = most_shots(reckoning, rof);
    if most < rof {
        let note = format!("at most {} in the Location (A9.2, I-103)", counted(most, "shot"));
        reckoning.notes.push(note);
    }
    if rof > 1 && reckoning.weapons.iter().all(|weapon| weapon.rof == 0) {
        reckoning.notes.push("no SW of the firers has a ROF: all fire once (A9.2)".to_string());
    }
    let stop = fields.stop.as_ref().map(|text| StepCondition::parse(text, &stack.members));
    let stop = stop.transpose().map_err(FieldFault::in_field(StepFields::stop.name))?;
    if stop.is_some() && rof < 2 {
        let fault = StepFields::stop.fault("there is nothing to stop: each firer has one shot");
        return Err(fault.help("give `rof`, the largest number of shots"));
    }
    if most == 1 && recurrence.is_none() {
        return Ok(None);
    }
    let recurrence = recurrence.unwrap_or_default();
    let shots = setting.shots(most, recurrence);
    let shots = shots.map_err(FieldFault::in_field(StepFields::by.name))?;
    let is_plain = most == 1 && shots.is_uniform() && recurrence == Recurrence::default();
    Ok((!is_plain).then(|| ShotPlan { shots: Arc::new(shots), most, stop }))
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

/// Refuses what the rules of the Starter Kit do not have.
fn check_kit(circumstances: &AttackCircumstances) -> Result<(), FieldFault> {
    let AttackCircumstances { phase, movement, wall_advantage, demolition, .. } = *circumstances;
    let lacking = [
        (StepFields::fire_phase, phase == FirePhase::Opportunity, "Opportunity Fire"),
        (StepFields::movement, movement == Movement::Dash, "Dash"),
        (StepFields::movement, movement == Movement::Hazardous, "Hazardous Movement"),
        (StepFields::spraying, circumstances.spraying, "Spraying Fire"),
        (StepFields::snap_shot, circumstances.snap_shot, "Snap Shots"),
        (StepFields::molotov, circumstances.molotov, "MOL"),
        (StepFields::demolition, demolition == DemolitionUse::Thrown, "thrown DC"),
        (StepFields::wall_advantage, wall_advantage != WallAdvantage::None, "Wall Advantage"),
        (StepFields::night, circumstances.night, "night"),
    ];
    match lacking.into_iter().find(|(_, is_given, _)| *is_given) {
        None => Ok(()),
        Some((field, _, what)) => {
            let fault = field.fault(format!("the Starter Kit has no {what}"));
            let profile = text_field(StackFields::profile.name, Profile::AslV3.name());
            Err(fault.help(shown("`{}` has it", [profile])))
        }
    }
}

/// Returns the phase of an attack: First Fire at a moving target, else Prep Fire, if none is given.
pub(crate) fn fire_phase(fields: &StepFields) -> FirePhase {
    let moves = fields.movement.unwrap_or_default();
    let in_motion = !matches!(moves, Movement::None | Movement::Hazardous);
    fields.fire_phase.unwrap_or(if in_motion { FirePhase::First } else { FirePhase::Prep })
}

fn circumstances(fields: &StepFields) -> Result<AttackCircumstances, FieldFault> {
    let moves = fields.movement.unwrap_or_default();
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
        plain_heroes: false,
        phase: fire_phase(fields),
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
        let unit = firer.member.in_words();
        let sign = if unit.contains('/') { "," } else { "/" };
        let weapons = weapons.join(",");
        if weapons.is_empty() { unit } else { format!("{unit}{sign}{weapons}") }
    };
    let location = |location: &FiringLocation| {
        let firers: Vec<String> = location.firers.iter().map(firer).collect();
        let alike = firers.chunk_by(|one, next| one == next).map(|alike| match alike {
            [one] => one.clone(),
            _ => format!("{}x {}", alike.len(), alike[0]),
        });
        alike.collect::<Vec<_>>().join(" + ")
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
