//! Fire at a Melee (11.15): it attacks the units of both sides in the Melee. They have one DR and
//! one Random Selection (A.9); what follows concerns the units of each side alone, ours first.

use smallvec::SmallVec;

use crate::close_combat::state::{CombatSide, CombatState, CombatUnits, Standing};
use crate::engagement::Engagement;
use crate::location::LocationState;
use crate::unit::{Condition, Unit, UnitIndex};
use crate::vocabulary::{Attack, FireResult, Reading, Verdict};
use engine::process::{Due, Log, Process as _};

/// Fire at a Melee that is being resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MeleeFire {
    /// Our units outside the Melee, as they were. Meanwhile they count as prisoners, so that
    /// nothing befalls them.
    apart: SmallVec<[(UnitIndex, Unit); 2]>,
    attack: Attack,
    result: FireResult,
    /// The enemy under the attack, once ours are through.
    theirs: Option<LocationState>,
}

/// Returns the units of the enemy in the Melee: concealed ones are not (11.19).
fn enemies(melee: &CombatState) -> CombatUnits {
    let force = melee.force(CombatSide::Theirs);
    let is_held = |unit: &UnitIndex| !force.standing_of(*unit).is_concealed;
    force.here().units().filter(is_held).collect()
}

fn set_apart(location: &mut LocationState, units: impl Iterator<Item = UnitIndex>) {
    units.for_each(|unit| location.unit_mut(unit).conditions.set(Condition::Captured));
}

impl MeleeFire {
    /// Returns whether fire at a Melee hits any enemy.
    pub fn hits(melee: &CombatState) -> bool {
        !enemies(melee).is_empty()
    }

    /// Begins before the DR. `apart` are our units that have left the Melee, as they were.
    pub fn begin(
        (attack, location): (Attack, &mut LocationState),
        melee: &CombatState,
        apart: impl Iterator<Item = (UnitIndex, Unit)>,
    ) -> MeleeFire {
        let apart: SmallVec<[(UnitIndex, Unit); 2]> = apart.collect();
        set_apart(location, apart.iter().map(|(unit, _)| *unit));
        location.guests = enemies(melee).count() as u8;
        MeleeFire { apart, attack, result: FireResult::NoEffect, theirs: None }
    }

    /// Notes the result of the DR.
    pub fn note(&mut self, reading: Reading) {
        match reading.verdict {
            Verdict::Fire(result) => self.result = result,
            Verdict::Original(original) => self.result = self.attack.result(original),
            _ => {}
        }
    }

    /// Returns the enemy under the attack, if it waits for dice.
    pub fn theirs(&self) -> Option<&LocationState> {
        self.theirs.as_ref()
    }

    /// Begins what the attack does to the enemy, once ours are through.
    pub fn begin_theirs<L: Log>(
        &mut self,
        engagement: &Engagement,
        location: &mut LocationState,
        melee: &CombatState,
        log: &mut L,
    ) {
        let (_, hits) = (std::mem::take(&mut location.guests), std::mem::take(&mut location.hits));
        let units = melee.force(CombatSide::Theirs).location.units.clone();
        let mut theirs = LocationState::on_map(units);
        let targets = enemies(melee);
        set_apart(&mut theirs, melee.force(CombatSide::Theirs).all().filter(|&u| !targets.has(u)));
        let mut log = CombatSide::Theirs.log(log);
        engagement.suffer(&mut theirs, (&self.attack, self.result, hits), &mut log);
        self.theirs = Some(theirs);
    }

    /// Applies a roll of the enemy.
    pub fn apply<L: Log>(&mut self, engagement: &Engagement, reading: Reading, log: &mut L) {
        if let Some(theirs) = &mut self.theirs {
            let mut log = CombatSide::Theirs.log(log);
            engagement.apply(theirs, reading, &mut log);
        }
    }

    /// Returns whether nothing more is due.
    pub fn is_over(&self, engagement: &Engagement) -> bool {
        self.theirs.as_ref().is_some_and(|theirs| matches!(engagement.due(theirs), Due::Over))
    }

    /// Puts the units of both sides back into their places.
    pub fn end(self, location: &mut LocationState, melee: &mut CombatState) {
        for (unit, before) in self.apart {
            *location.unit_mut(unit) = before;
        }
        let targets = enemies(melee);
        let force = melee.force_mut(CombatSide::Theirs);
        let units = self.theirs.map(|mut theirs| std::mem::take(&mut theirs.units));
        for (unit, now) in (0..).zip(units.unwrap_or_default()) {
            if usize::from(unit) >= force.standing.len() {
                force.location.units.push(now);
                force.standing.push(Standing::alone(unit));
            } else if targets.has(unit) {
                *force.location.unit_mut(unit) = now;
            }
        }
        // Equal states merge.
        force.location.forget_lost_leaders();
    }
}
