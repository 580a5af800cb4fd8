//! A sequence of steps over Player Turns: the action of each step, and its condition.

use super::stack::{Member, Slots};
use crate::board::terrain::Terrain;
use crate::vocabulary::{Attack, FireResult, Gauntlet, RallyPhase, Stage, StepCondition, Unit};
use engine::process::ReportIndex;
use schema::declared::named;

/// The action of a step.
#[derive(Clone, Debug)]
pub enum Action {
    /// An attack on the IFT (7.3).
    Fire(Attack),
    /// A MC with this DRM, 0 for a NMC (10.1).
    MoraleCheck(i8),
    /// A PTC (7.305).
    PinTaskCheck,
    /// The elimination of the units in these slots (10.2).
    Eliminate(Slots),
    /// A Voluntary Break of the units in these slots (10.41).
    Break(Slots),
    /// A gain of DM by all broken units (10.62).
    Dm,
    /// Rally Phases (10.6).
    Rally(Rally),
    /// A rout through Interdicted hexes (10.53).
    Interdict(Interdict),
}

/// Consecutive Rally Phases.
#[derive(Clone, Debug)]
pub struct Rally {
    /// A leader outside the stack that gives its leadership DRM and is never at risk.
    pub leader: Option<Member>,
    pub phases: u16,
    pub own_rph: OwnRph,
    pub terrain: &'static Terrain,
    /// True if the terrain gives its -1 DRM (10.61).
    pub bonus: bool,
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
    /// Returns whether the step names the unit at this index of the stack by its slot.
    pub(super) fn picks(&self, place: usize) -> bool {
        let acts = match &self.action {
            Action::Eliminate(slots) | Action::Break(slots) => slots.picks(place),
            _ => false,
        };
        acts || self.condition.as_ref().is_some_and(|condition| condition.picks(place))
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

    /// Returns the stages that play the step. `lent` is its leader outside the stack. `place_of`
    /// maps indices of the stack to those of the process. `report` returns the index of the report
    /// after a phase of a Rally, or `None` for no report.
    pub(super) fn stages(
        &self,
        lent: Option<Unit>,
        place_of: impl Fn(usize) -> Option<u8>,
        report: impl Fn(u16) -> Option<ReportIndex>,
    ) -> Vec<Stage> {
        match self {
            Action::Fire(attack) => vec![Stage::Fire(*attack)],
            Action::MoraleCheck(drm) => vec![Stage::MoraleCheck { drm: *drm }],
            Action::PinTaskCheck => vec![Stage::PinTaskCheck],
            Action::Eliminate(slots) => vec![Stage::Elimination(slots.within(place_of))],
            Action::Break(slots) => vec![Stage::VoluntaryBreak(slots.within(place_of))],
            Action::Dm => vec![Stage::DesperationMorale],
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
                        terrain: rally.bonus,
                        keeps_dm: rally.keeps_dm,
                    }));
                    stages.extend(report(phase).map(Stage::Report));
                }
                stages
            }
        }
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Action::Fire(attack) => {
                write!(f, "fire of {} FP {:+}", attack.firepower, attack.drm)?;
                f.write_str(match attack.cowering {
                    0 => ", no Cowering",
                    1 => "",
                    _ => ", Inexperienced",
                })
            }
            Action::MoraleCheck(drm) => FireResult::MoraleCheck(*drm).fmt(f),
            Action::PinTaskCheck => f.write_str("PTC"),
            Action::Eliminate(slots) => write!(f, "{slots} eliminated"),
            Action::Break(slots) => write!(f, "Voluntary Break of {slots}"),
            Action::Dm => f.write_str("DM"),
            Action::Rally(rally) => {
                let s = if rally.phases == 1 { "" } else { "s" };
                write!(
                    f,
                    "{} Rally Phase{s} in {}",
                    rally.phases,
                    rally.terrain.name.to_lowercase()
                )?;
                rally.leader.iter().try_for_each(|leader| write!(f, ", led by {leader}"))?;
                f.write_str(if rally.dm { ", with DM" } else { "" })?;
                f.write_str(if rally.keeps_dm { ", DM kept" } else { "" })?;
                f.write_str(match rally.own_rph {
                    OwnRph::Odd => "",
                    OwnRph::Even => ", own RPh even",
                    OwnRph::Never => ", own RPh never",
                })
            }
            Action::Interdict(interdict) => {
                let es = if interdict.hexes == 1 { "" } else { "es" };
                write!(f, "{} Interdicted hex{es}", interdict.hexes)?;
                interdict.leader.iter().try_for_each(|leader| write!(f, ", led by {leader}"))?;
                f.write_str(if interdict.escort.is_some() { ", Voluntary Rout" } else { "" })
            }
        }
    }
}
