//! Close Combat as a question: its kind, its words, and the labels of its outcomes.

use std::ops::Deref;
use std::sync::Arc;

use super::checks::CheckedCombat;
use super::combat::CloseCombat;
use super::fields::CombatFields;
use super::state::{CombatSide, CombatState};
use super::terms::{CombatEnd, CombatOutcome, Holders};
use crate::counting::{
    self, CLASSES, FURTHER_ENDS, FinalState, GROUPS, MEASURES, TIES, counted, printed_counter,
};
use crate::draft::Switches;
use crate::kinds::ENDS;
use crate::outcome::AWAY;
use crate::question::starting_counter;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::rulebook::Switch;
use crate::sniper::fields::uncalled;
use crate::stack::{Member, Stack};
use crate::unit::{Condition, Status};
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, Success, UnitInClass,
};
use engine::process::{Label, Parts, Player, Question, ReportIndex, UnitEnding};
use engine::text::notation::Remedy;
use engine::text::{Fault, counted as counted_words};
use play::{Draft, DynQuestion, Playable, Policy, QuestionBuilder, QuestionForm};
use schema::declared::declared_words;
use schema::{
    ChoiceMaker, Field, FieldFault, Fields, Group, Json, Kind, Measure, NoFields, NoStep, Other,
    UnitEnd, Word as _,
};

/// The form (the fields to fill in) of questions about Close Combat.
#[derive(Clone, Copy, Debug)]
pub struct CloseCombats;

const FIELDS: &[&[Field]] = &[<CombatFields as Fields>::ALL.split_at(1).1];

const HELP: &str = "\
Both stacks are written as for `fire`; units have their numbers in order, `2x` spread out.
  conditions in Close Combat  concealed, cx, ti, pinned, broken, berserk, unarmed, guard, stealthy,
              lax, disrupted, alone (an SMC by himself), with=N (an SMC with MMC N)
  plan        `2>1; 3>2`: our unit 2 attacks their unit 1, unit 3 their unit 2; `2,3>1,2`: one
              attack of two on two; `!capture` after an attack; `withdraw 2`; or a name:
              all, first, pairs, capture, none, withdraw
An SMC goes with the first unbroken MMC of its stack and is not named in a plan. Who is not named
does not attack. The ATTACKER is the side whose Player Turn it is (--phasing).";

declared_words! {
    /// The single kind of question about Close Combat.
    pub enum CombatKind: Kind {
        Cc = Kind {
            unreported: &["in-cover", "field", "sniper-attacks", "concealed"],
            ..Kind::new(
                "cc",
                "odds of Close Combat: Ambush, Kill Numbers, capture, Withdrawal, Melee (A11)",
                Some(CombatFields::stack),
                FIELDS,
            )
        }
        .help(HELP)
        .played(ChoiceMaker::Unasked)
        .ends(ENDS, Status::in_charts)
        .counted(CLASSES, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter)
        .between(CombatSide::NAMES)
        .with_columns(&["side", "place"])
        .examples(&[
            "german:4-6-7 --against russian:4-4-7",
            "\"9-1 + 2x german:4-6-7\" --against \"2x russian:4-4-7\" --plan \"2>1; 3>2\"",
            "german:4-6-7 --against russian:4-4-7/broken --turns 2",
        ]),
    }
}

/// Starts a question about Close Combat, with a method for each field.
pub fn close_combat(stack: &str, against: &str) -> QuestionBuilder<CloseCombats> {
    use super::fields::CombatSetters as _;
    QuestionBuilder::new(CombatKind::Cc, stack).against(against)
}

impl QuestionForm for CloseCombats {
    type QuestionKind = CombatKind;
    type Head = CombatFields;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Switches;
    type Question = CombatQuestion;

    const MEASURES: &'static [Measure] = MEASURES;

    fn lacking(_: Self::QuestionKind, field: &str) -> Option<Remedy> {
        uncalled(field)
    }

    fn finish(draft: &Draft<CloseCombats>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<CloseCombats>) -> Result<CombatQuestion, FieldFault> {
        draft.head.checked(&draft.rules, draft.notes.clone()).map(CombatQuestion)
    }

    fn others(draft: &Draft<CloseCombats>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        let last = Switch::DmOnlyByResult;
        draft.rules.others_among(draft.head.profile, which, |switch| {
            (Switch::WholeOddsBeyondTen..last).contains(&switch)
        })
    }
}

/// A Close Combat that is ready to be answered.
#[derive(Clone, Debug)]
pub struct CombatQuestion(CheckedCombat);

impl Deref for CombatQuestion {
    type Target = CheckedCombat;

    fn deref(&self) -> &CheckedCombat {
        &self.0
    }
}

impl CombatQuestion {
    /// Returns the process.
    pub fn combat(&self) -> &CloseCombat {
        &self.combat
    }

    /// Returns the slot of a unit among those of both sides: ours, theirs, then created ones.
    fn slot_of(&self, side: CombatSide, slot: u8) -> u8 {
        let [ours, theirs] = [0, 1].map(|side: usize| self.stacks[side].members.len() as u8);
        let own = if side == CombatSide::Ours { ours } else { theirs };
        match side {
            CombatSide::Ours if slot <= own => slot,
            CombatSide::Theirs if slot <= own => ours + slot,
            _ => (ours + theirs + 1 + side as u8).saturating_add(2 * (slot - own - 1)),
        }
    }

    /// Returns the member at a slot of both sides, and its side.
    fn member_at(&self, slot: u8) -> Option<(CombatSide, &Member)> {
        let place = usize::from(slot.checked_sub(1)?);
        let [ours, theirs] = &self.stacks;
        let own = ours.members.get(place).map(|member| (CombatSide::Ours, member));
        let enemy = || theirs.members.get(place.checked_sub(ours.members.len())?);
        own.or_else(|| enemy().map(|member| (CombatSide::Theirs, member)))
    }

    fn member(&self, end: &CombatEnd) -> Option<&Member> {
        self.combat.members(end.side).get(usize::from(end.unit.slot) - 1)
    }

    fn ending(&self, end: &CombatEnd) -> UnitEnding {
        let was_unarmed = self.member(end).is_none_or(|member| member.is(Condition::Unarmed));
        let words = [
            (end.is_concealed, "concealed"),
            (end.is_dm, Condition::Dm.name()),
            (end.is_unarmed && !was_unarmed, Condition::Unarmed.name()),
            (end.is_away && self.combat.joint, AWAY),
        ];
        let counter = end.unit.counter_text().map(|counter| {
            words.into_iter().filter(|(holds, _)| *holds).fold(counter, |counter, (_, word)| {
                let sign = if counter.contains('/') { ',' } else { '/' };
                format!("{counter}{sign}{word}")
            })
        });
        UnitEnding {
            slot: self.slot_of(end.side, end.unit.slot),
            status: end.unit.status.name(),
            counter,
            wounded: end.unit.wounded,
        }
    }

    fn points(&self) -> Option<&'static str> {
        (self.combat.turns > 1).then_some("Player Turn")
    }

    fn last_point(&self) -> ReportIndex {
        if self.combat.turns > 1 { self.combat.turns } else { 0 }
    }
}

const HERE: &str = "here";

impl Question for CombatQuestion {
    type Process = Arc<CloseCombat>;

    fn whole(&self) -> Arc<CloseCombat> {
        self.combat.clone()
    }

    fn compact(&self) -> Arc<CloseCombat> {
        self.combat.reporting_early().map_or_else(|| self.whole(), Arc::new)
    }

    fn parts(&self) -> Parts<Arc<CloseCombat>> {
        match self.combat.reporting_early() {
            Some(early) => Parts { processes: vec![Arc::new(early)], rest: None },
            None => Parts::whole(self.whole()),
        }
    }

    fn label(&self, point: ReportIndex, outcome: &CombatOutcome) -> Label {
        let label = match outcome {
            CombatOutcome::Unit(end) => {
                let member = self.member(end);
                let is_there = end.unit.counter.is_some() && end.unit.status != Status::Captured;
                let label = Label::of_unit(member.map(starting_counter), self.ending(end));
                Label {
                    unit_id: member.map(|member| member.printed().id.clone()),
                    side: Some(end.side.name().into()),
                    side_slot: Some(end.unit.slot),
                    place: is_there.then_some(if end.is_away { AWAY } else { HERE }),
                    ..label
                }
            }
            CombatOutcome::All(ends) => {
                let slots = ends.iter().map(|end| (self.slot_of(end.side, end.unit.slot), end));
                let slots: Vec<_> = slots.map(|(slot, end)| (slot, end.side, end.unit)).collect();
                let side_of = |slot: u8| {
                    let of = slots.iter().find(|(known, ..)| *known == slot);
                    of.map_or(("", slot), |(_, side, unit)| (side.name(), unit.slot))
                };
                Label::of_sides(ends.iter().map(|end| self.ending(end)).collect(), side_of)
            }
            CombatOutcome::Location { left, .. } => {
                Label { status: Some(left.name()), place: Some("Location"), ..Label::default() }
            }
        };
        Label { phase: self.points().map(|_| point), ..label }
    }
}

impl QuestionInfo for CombatQuestion {
    fn facts(&self) -> QuestionFacts {
        let success = Success::of_unit(&["good-order", "pinned"], "unbroken");
        QuestionFacts {
            units: self.stacks.iter().map(|stack| stack.members.len() as u8).sum(),
            points: self.points(),
            last_point: self.last_point(),
            is_joint: self.combat.joint,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(CombatKind::Cc.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let [ours, theirs] = self.stacks.each_ref().map(Stack::in_words);
        let terrain = self.terrain.name.to_lowercase();
        let combat = &self.combat;
        let mut words = format!("Close Combat of {ours} against {theirs}, {terrain}");
        for (holds, fact) in [
            (combat.begins_in_melee, "in Melee"),
            (combat.first_phasing == CombatSide::Theirs, "their Player Turn"),
            (combat.hand_to_hand, "Hand-to-Hand"),
            (combat.no_quarter, "No Quarter"),
            (combat.is_night, "night"),
            (!combat.creates_leaders, "no Leader Creation"),
        ] {
            if holds {
                words += &format!(", {fact}");
            }
        }
        if combat.turns > 1 {
            words += &format!(", {}", counted_words(combat.turns, "Player Turn"));
        }
        for side in CombatSide::ALL {
            let plan = &combat.orders[side as usize].plan;
            let what = if side == CombatSide::Ours { "plan" } else { "reply" };
            words += &format!("; {what} {}", plan.first.text());
            if plan.then != plan.first {
                words += &format!(", then {}", plan.then.text());
            }
        }
        QuestionTexts { in_words: words, notes: self.notes.clone(), uncertain: Vec::new() }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings = shared_settings(self.combat.rulebook, false);
        let reckoned = Some(self.combat.reckoned());
        QuestionDetails { shared_settings, reckoned, ..QuestionDetails::default() }
    }

    fn provenance(&self) -> Provenance {
        // No check is made in Close Combat, so the ELR has no part in it.
        let mut provenance = provenance(self.combat.rulebook, false, 0);
        provenance.facts.retain(|(name, _)| *name != "elr");
        provenance
    }

    fn quantities(&self) -> Vec<String> {
        vec![NET.to_string()]
    }

    fn quantity_keys(&self) -> &'static [&'static str] {
        &["net"]
    }

    fn amounts_between(&self) -> Option<(f64, f64)> {
        let [ours, theirs] = CombatSide::ALL.map(|side| f64::from(self.combat.most_lost(side)));
        Some((-ours, theirs))
    }

    fn usual_measure(&self) -> Option<String> {
        Some("net".to_string())
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let (side, member) = self.member_at(slot)?;
        let counter = starting_counter(member);
        Some(InitialUnit {
            notation: format!("{} {member}", side.name()),
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let (_, member) = self.member_at(end.slot?)?;
        // Close Combat pins nobody: a pin is from before, and no change.
        let status = end.status.filter(|status| *status != Status::Pinned.name());
        counting::change(member, &Label { status, ..end.clone() })
    }

    fn canonical_value(&self, field: &str) -> Option<Json> {
        let [ours, theirs] = &self.stacks;
        match field {
            _ if field == CombatFields::stack.name => Some(ours.to_string().into()),
            _ if field == CombatFields::against.name => Some(theirs.to_string().into()),
            _ => None,
        }
    }
}

/// The name of the expected balance of losses (26.21).
const NET: &str = "CVP taken less CVP given";

impl Answerable for CombatQuestion {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn amounts(
        &self,
        point: ReportIndex,
        outcome: &CombatOutcome,
        observe: &mut dyn FnMut(usize, i64),
    ) {
        if let CombatOutcome::Location { net, .. } = outcome
            && point == self.last_point()
        {
            observe(0, (*net).into());
        }
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, self.combat.members(CombatSide::Ours).iter())
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &CombatOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let ends = match outcome {
            CombatOutcome::Unit(end) => std::slice::from_ref(end),
            CombatOutcome::All(ends) => ends,
            CombatOutcome::Location { .. } => &[],
        };
        for one in ends.iter().filter(|end| end.side == CombatSide::Ours) {
            let unit = counted(group, end, &one.unit, self.member(one));
            let slot = self.slot_of(one.side, one.unit.slot);
            unit.map(|unit| UnitInClass { slot, ..unit }).into_iter().for_each(&mut *observe);
        }
    }

    fn slot(&self, outcome: &CombatOutcome) -> Option<u8> {
        match outcome {
            CombatOutcome::Unit(end) => Some(self.slot_of(end.side, end.unit.slot)),
            CombatOutcome::All(_) | CombatOutcome::Location { .. } => None,
        }
    }
}

impl Playable for CombatQuestion {
    const TIES: [usize; 2] = TIES;

    fn policies(&self) -> Vec<Policy> {
        Vec::new()
    }

    fn option(
        &self,
        _: usize,
        _: &Arc<CloseCombat>,
        _: &CombatState,
        _: Player,
        _: usize,
    ) -> usize {
        0
    }

    fn ending(&self, point: ReportIndex, outcome: &CombatOutcome) -> Option<(u8, Vec<f64>)> {
        if point != self.last_point() {
            return None;
        }
        let end = match outcome {
            CombatOutcome::Unit(end) if end.side == CombatSide::Ours => end,
            CombatOutcome::Location { left, net } => {
                let (net, clear) = (f64::from(*net), f64::from(u8::from(*left == Holders::Ours)));
                return Some((0, FinalState { net, clear, ..FinalState::default() }.in_order()));
            }
            _ => return None,
        };
        let began = self.member(end).map(Member::printed);
        let state = FinalState::from_outcome(&end.unit, began);
        Some((end.unit.slot, state.in_order()))
    }
}
