//! A sequence of steps over Player Turns: the action of each step, and its condition.

use super::attack::named::NamedAttack;
use super::attack::report;
use super::close_combat::stage::CombatStage;
use super::stack::{Member, Stack};
use crate::board::terrain::Terrain;
use crate::vocabulary::{Attack, FireResult, Gauntlet, RallyPhase, Stage, StepCondition, Unit};
use std::sync::Arc;

use answer::question_info::Reckoned;
use engine::process::ReportIndex;
use engine::text::counted;
use schema::declared::named;

/// The action of a step.
#[derive(Clone, Debug)]
pub enum Action {
    /// A single stage: fire, a check, an elimination, a Voluntary Break, a gain of DM, and the gain
    /// and loss of concealment.
    Single(Stage),
    /// An attack by named firers (7).
    Attack(Arc<NamedAttack>),
    /// Rally Phases (10.6).
    Rally(Rally),
    /// A rout through Interdicted hexes (10.53).
    Interdict(Interdict),
    /// A Close Combat, or the Melee that goes on (11).
    CloseCombat(Arc<CombatStage>),
}

/// Consecutive Rally Phases.
#[derive(Clone, Debug)]
pub struct Rally {
    /// A leader outside the stack that gives its leadership DRM and is never at risk.
    pub leader: Option<Member>,
    pub phases: u16,
    pub own_rph: OwnRph,
    pub terrain: &'static Terrain,
    pub keeps_dm: bool,
    /// True if every broken unit starts with DM.
    pub dm: bool,
}

/// A rout through Interdicted hexes.
#[derive(Clone, Debug)]
pub struct Interdict {
    /// A leader in every hex that gives its leadership DRM and is never at risk.
    pub leader: Option<Member>,
    pub hexes: u8,
    /// The index in the stack, from 0, of the leader on a Voluntary Rout with the unit (10.711).
    pub escort: Option<usize>,
    /// True if Disrupted units rout as well (19.12). They do unless the step is part of a sequence.
    pub disrupted: bool,
}

named! {
    /// The Rally Phases, counted from 1, that are in the side's own Player Turn (18.11).
    pub enum OwnRph { Odd = "odd", Even = "even", Never = "never" }
}

impl OwnRph {
    /// Returns whether a phase, counted from 1, is in the side's own Player Turn.
    pub(super) fn is_own(self, phase: u16) -> bool {
        match self {
            OwnRph::Odd => phase % 2 == 1,
            OwnRph::Even => phase.is_multiple_of(2),
            OwnRph::Never => false,
        }
    }
}

/// An action, and the condition under which it happens.
#[derive(Clone, Debug)]
pub struct Step {
    pub action: Action,
    pub condition: Option<StepCondition>,
}

impl Step {
    pub(super) fn picks(&self, place: usize) -> bool {
        let acts = match &self.action {
            Action::Single(
                Stage::Elimination(slots) | Stage::VoluntaryBreak(slots) | Stage::Reveal(slots),
            ) => slots.picks(place),
            _ => false,
        };
        let stop = match &self.action {
            Action::Attack(attack) => attack.shots.as_ref().and_then(|plan| plan.stop.as_ref()),
            _ => None,
        };
        acts || self.condition.iter().chain(stop).any(|condition| condition.picks(place))
    }
}

impl Action {
    /// Returns the leader outside the stack that gives its leadership DRM, if there is one.
    pub fn leader(&self) -> Option<&Member> {
        match self {
            Action::Rally(rally) => rally.leader.as_ref(),
            Action::Interdict(interdict) => interdict.leader.as_ref(),
            _ => None,
        }
    }

    /// Returns the reckoning of an attack on a stack for readers.
    pub(super) fn reckoned(&self, stack: &Stack) -> Option<Reckoned> {
        match self {
            Action::Single(Stage::Fire(attack)) => Some(report::of_plain(*attack)),
            Action::Single(Stage::Shot { shots, .. }) => {
                let has_known = stack.members.iter().any(|member| !member.concealed);
                shots.plain().map(|attacks| report::at_concealed(attacks, has_known))
            }
            Action::Attack(attack) => Some(attack.reckoned(stack)),
            _ => None,
        }
    }

    /// Returns whether the action is an attack on several classes of targets (A.5), in which what
    /// happens to a unit depends on those of its class.
    pub(super) fn has_classes(&self) -> bool {
        match self {
            Action::Attack(attack) => attack.has_classes(),
            action => matches!(action, Action::Single(Stage::Shot { .. })),
        }
    }

    /// Returns whether the action is an attack.
    pub(super) fn is_attack(&self) -> bool {
        let is_plain = matches!(self, Action::Single(Stage::Fire(_) | Stage::Shot { .. }));
        is_plain || matches!(self, Action::Attack(_))
    }

    /// Returns whether the MG of an attack can fire on, or its target is one of several attacks.
    pub(super) fn fires_on(&self) -> bool {
        match self {
            Action::Attack(attack) => attack.shots.is_some(),
            action => matches!(action, Action::Single(Stage::Shot { .. })),
        }
    }

    /// Returns the stages of the step. `lent` is its leader from outside, `place_of` maps stack
    /// indices to the process's, `report` gives the report index after a phase of a Rally, if any.
    pub(super) fn stages(
        &self,
        lent: Option<Unit>,
        place_of: impl Fn(usize) -> Option<u8>,
        report: impl Fn(u16) -> Option<ReportIndex>,
    ) -> Vec<Stage> {
        match self {
            Action::Single(stage) => vec![match stage {
                Stage::Elimination(slots) => Stage::Elimination(slots.within(place_of)),
                Stage::VoluntaryBreak(slots) => Stage::VoluntaryBreak(slots.within(place_of)),
                Stage::Reveal(slots) => Stage::Reveal(slots.within(place_of)),
                Stage::Concealment(gain) => Stage::Concealment(gain.within(place_of)),
                stage => stage.clone(),
            }],
            Action::Attack(attack) => attack.stages(place_of),
            Action::CloseCombat(stage) => vec![Stage::CloseCombat(stage.place)],
            Action::Interdict(Interdict { hexes, escort, disrupted, .. }) => {
                vec![Stage::Gauntlet(Gauntlet {
                    hexes: Some(*hexes),
                    lent_leader: lent,
                    escort: escort.and_then(place_of),
                    disrupted: *disrupted,
                })]
            }
            Action::Rally(rally) => {
                let mut stages = if rally.dm { vec![Stage::DesperationMorale] } else { Vec::new() };
                for phase in 1..=rally.phases {
                    stages.push(Stage::RallyPhase(RallyPhase {
                        own: rally.own_rph.is_own(phase),
                        lent_leader: lent,
                        terrain: rally.terrain,
                        keeps_dm: rally.keeps_dm,
                    }));
                    stages.extend(report(phase).map(Stage::Report));
                }
                stages
            }
        }
    }
}

fn fire_in_words(attack: &Attack, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    let Attack { firepower, drm, cowering, .. } = attack;
    let firers = match cowering {
        0 => ", no Cowering",
        1 => "",
        _ => ", Inexperienced",
    };
    write!(f, "fire of {firepower} FP {drm:+}{firers}")
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Single(stage) => match stage {
                Stage::Fire(attack) => fire_in_words(attack, f),
                Stage::Shot { shots, .. } => match shots.plain() {
                    Some([attack, _]) => fire_in_words(&attack, f),
                    None => f.write_str("fire"),
                },
                Stage::MoraleCheck { drm } => FireResult::MoraleCheck(*drm).fmt(f),
                Stage::PinTaskCheck => f.write_str("PTC"),
                Stage::Elimination(slots) => write!(f, "{slots} eliminated"),
                Stage::VoluntaryBreak(slots) => write!(f, "Voluntary Break of {slots}"),
                Stage::Reveal(slots) => write!(f, "loss of concealment by {slots}"),
                Stage::Concealment(_) => f.write_str("gain of concealment"),
                _ => f.write_str("DM"),
            },
            Action::Attack(attack) => f.write_str(&attack.words),
            Action::Rally(rally) => {
                let terrain = rally.terrain.name.to_lowercase();
                write!(f, "{} in {terrain}", counted(rally.phases, "Rally Phase"))?;
                rally.leader.iter().try_for_each(|leader| write!(f, ", led by {leader}"))?;
                f.write_str(if rally.dm { ", with DM" } else { "" })?;
                f.write_str(if rally.keeps_dm { ", DM kept" } else { "" })?;
                f.write_str(match rally.own_rph {
                    OwnRph::Odd => "",
                    OwnRph::Even => ", own RPh even",
                    OwnRph::Never => ", own RPh never",
                })
            }
            Action::CloseCombat(stage) => stage.fmt(f),
            Action::Interdict(interdict) => {
                f.write_str(&counted(interdict.hexes, "Interdicted hex"))?;
                interdict.leader.iter().try_for_each(|leader| write!(f, ", led by {leader}"))?;
                f.write_str(if interdict.escort.is_some() { ", Voluntary Rout" } else { "" })
            }
        }
    }
}
