//! A crossing built from its parts: every attack that can meet the stack becomes a stage.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::marks::FireTier;
use super::model::{
    AttackEntry, AttackSource, Crossing, CrossingPlan, CrossingReport, CrossingSetup,
};
use super::orders::FirePolicy;
use super::path::{PathLocation, most_shots};
use super::position::{ExploredPath, FiringPosition, PathSetting, TierShots};
use crate::attack::aftermath::RESIDUAL_FP;
use crate::engagement::{Engagement, EngagementSetup};
use crate::roster::Roster;
use crate::rulebook::Switch;
use crate::stack::{Member, Stack};
use crate::vocabulary::{
    Choices, Condition, OutcomeDetail, Report, Scene, Shots, Stage, Unit, Wording,
};
use engine::text::Fault;
use rustc_hash::FxHashMap;

/// The parts of a crossing.
pub(super) struct CrossingParts<'a> {
    pub stack: &'a Stack,
    pub path: &'a [PathLocation],
    pub positions: Vec<FiringPosition>,
    /// The plan, if it is written: for each Location the positions in order.
    pub plan: Result<Vec<Vec<u8>>, FirePolicy>,
    pub setting: PathSetting,
    pub is_charge: bool,
    pub is_concealed: bool,
    pub goes_on_firing: bool,
    pub scene: Scene,
    pub elr: u8,
    pub joint: bool,
}

/// The ELR of defenders that have none of their own, and one that no NMC fails by more (I-86).
const ELR: u8 = 3;
const NO_ELR: u8 = 12;
/// The least number of rounds in which a policy lets every position fire.
const LEAST_ROUNDS: usize = 4;

impl CrossingParts<'_> {
    /// Builds the crossing.
    ///
    /// # Errors
    ///
    /// Fails if the firers of a position have too many shots.
    pub fn crossing(self) -> Result<Crossing, Fault> {
        let plan = match &self.plan {
            Ok(plan) => plan.clone(),
            Err(policy) => self.by_policy(*policy),
        };
        let is_open = self.plan.is_err();
        let mut shots = Vec::new();
        for (number, position) in (0..).zip(&self.positions) {
            let most: Vec<usize> = (0..self.path.len())
                .map(|place| {
                    let named = plan.get(place).into_iter().flatten();
                    let named = named.filter(|of| **of == number).count();
                    if is_open { 2 * LEAST_ROUNDS } else { named }
                })
                .collect();
            shots.push(position.explore(&self.explored(&most))?);
        }
        let (entries, stages) = self.entries(&shots);
        let setup = CrossingSetup {
            engagement: self.engagement(stages),
            entries,
            path: self.path.to_vec(),
            checks: self.positions.iter().map(|position| self.check_of(position)).collect(),
            positions: self.positions,
            shots,
            setting: self.setting,
            goes_on_firing: self.goes_on_firing,
            is_charge: self.is_charge,
            joint: self.joint,
        };
        Ok(Crossing {
            setup: Arc::new(setup),
            plan: Arc::new(CrossingPlan::Fixed(plan)),
            report: CrossingReport::Together,
        })
    }

    fn explored<'a>(&'a self, most: &'a [usize]) -> ExploredPath<'a> {
        ExploredPath { path: self.path, setting: self.setting, most }
    }

    /// Returns the plan of a policy: who has LOS fires in order, and again as often as it may.
    fn by_policy(&self, policy: FirePolicy) -> Vec<Vec<u8>> {
        let positions = || (0..).zip(&self.positions);
        let fires = |position: &FiringPosition, place: usize| {
            let range = position.sight(place).map(|sight| sight.range);
            match policy {
                FirePolicy::All | FirePolicy::First => range.is_some(),
                FirePolicy::HoldFire => {
                    let is_adjacent = |place| {
                        let sight = position.sight(place);
                        sight.is_some_and(|sight| sight.range <= 1)
                    };
                    range.is_some() && (0..=place).any(is_adjacent)
                }
            }
        };
        let here = |place: usize| {
            // A unit or SW fires as often as the stack spends MF (9.2), some later than others.
            let all = usize::from(most_shots(self.path, place, self.setting.rulebook)) + 2;
            let rounds = if policy == FirePolicy::First { 1 } else { all.max(LEAST_ROUNDS) };
            let once: Vec<u8> = positions()
                .filter(|(_, position)| fires(position, place))
                .map(|(number, _)| number)
                .collect();
            once.repeat(rounds)
        };
        (0..self.path.len()).map(here).collect()
    }

    /// Returns every attack, and its stage with a report behind it.
    fn entries(&self, shots: &[Vec<[TierShots; 3]>]) -> (Vec<AttackEntry>, Vec<Stage>) {
        let (mut entries, mut stages) = (Vec::new(), Vec::new());
        let mut add = |location: usize, source: AttackSource, shots: Arc<Shots>| {
            entries.push(AttackEntry { location: location as u8, source });
            stages.push(Stage::Shot { shots, is_first: false, is_last: false, left: 0 });
            stages.push(Stage::Report(0));
        };
        for (place, location) in self.path.iter().enumerate() {
            let left = RESIDUAL_FP.into_iter().filter(|_| self.setting.goes_on_apart && place > 0);
            let residual: BTreeSet<u8> =
                left.chain([location.residual]).filter(|fp| *fp > 0).collect();
            let residual = residual.into_iter().map(AttackSource::Residual);
            let lane = location.lane.map(|_| AttackSource::Lane);
            for source in residual.chain(lane) {
                let explored = self.explored(&[]);
                let Some(lying) = explored.lying(place, source) else { continue };
                let table = lying.table(self.setting.rulebook);
                let name = if lying.is_lane { "Fire Lane" } else { "Residual FP" };
                add(
                    place,
                    source,
                    Arc::new(Shots {
                        all: 1,
                        lost_from: None,
                        records: false,
                        by_parts: FxHashMap::from_iter([(1, table)]),
                        names: vec![name.to_string()],
                        marked_keeps: false,
                        tells_costs: false,
                    }),
                );
            }
            for (number, of) in shots.iter().enumerate() {
                for (tier, shots) in FireTier::ALL.into_iter().zip(&of[place]) {
                    if !shots.figures.is_empty() {
                        let source = AttackSource::Position(number as u8, tier);
                        add(place, source, shots.shots.clone());
                    }
                }
            }
        }
        (entries, stages)
    }

    /// Returns the rules for the units of the stack under these attacks.
    fn engagement(&self, stages: Vec<Stage>) -> Engagement {
        let members = &self.stack.members;
        let (roster, counters) = Roster::from_members(members);
        let unit = |(member, &counter): (&Member, _)| {
            let mut unit = Unit::from_member(member, counter, self.elr);
            let conditions = [
                (self.is_concealed || member.concealed, Condition::Concealed),
                (self.is_charge, Condition::Berserk),
            ];
            let conditions = conditions.into_iter().filter(|(holds, _)| *holds);
            conditions.for_each(|(_, condition)| unit.conditions.set(condition));
            unit
        };
        Engagement::new(EngagementSetup {
            roster,
            rulebook: self.setting.rulebook,
            scene: self.scene,
            choices: Choices::default(),
            units: members.iter().zip(&counters).map(unit).collect(),
            resident: None,
            stages,
            sniper: None,
            bystanders: 0,
            telling: telling(members.len()),
        })
    }

    /// Returns the rules for the units of a position under the NMC of FPF (8.31).
    fn check_of(&self, position: &FiringPosition) -> Engagement {
        let mut members: Vec<Member> = position.members().cloned().collect();
        if self.setting.rulebook.chooses(Switch::FinalProtectiveFireSparesElr) {
            members.iter_mut().for_each(|member| member.elr = Some(NO_ELR));
        }
        let (roster, counters) = Roster::from_members(&members);
        let unit = |(member, &counter): (&Member, _)| Unit::from_member(member, counter, ELR);
        Engagement::new(EngagementSetup {
            roster,
            rulebook: self.setting.rulebook,
            scene: Scene { captor: false, against_russians: false, ..self.scene },
            choices: Choices::default(),
            units: members.iter().zip(&counters).map(unit).collect(),
            resident: None,
            stages: vec![Stage::MoraleCheck { drm: 0 }, Stage::Report(0)],
            sniper: None,
            bystanders: 0,
            telling: telling(members.len()),
        })
    }
}

/// Reports every unit by itself.
fn telling(units: usize) -> OutcomeDetail {
    OutcomeDetail {
        wording: Wording::Check,
        slots: (1..=units as u8).collect(),
        first_created: units as u8 + 1,
        reported: vec![true; units],
        equals: Vec::new(),
        created: true,
        tells_concealment: false,
        report: Report::Units,
    }
}
