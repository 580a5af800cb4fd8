//! Snipers as a question: its fields, its words, and the labels of its outcomes.

use std::sync::Arc;

use super::process::{SniperOutcome, SniperPlay, SniperState};
use crate::close_combat::fields::engagement_of;
use crate::counting::{
    self, CLASSES, FURTHER_ENDS, FinalState, GROUPS, MEASURES, TIES, counted, printed_counter,
};
use crate::draft::Switches;
use crate::kinds::ENDS;
use crate::notation::StackNotation;
use crate::question::starting_counter;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::rulebook::{Profile, Rulebook, Switch};
use crate::stack::{Member, Stack};
use crate::unit::{Condition, Status};
use answer::estimate::percent_to;
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, Reckoned, Success, UnitInClass,
};
use engine::process::{IndependentUnit, Label, Player, Question, ReportIndex, UnitEnding};
use engine::text::{Fault, counted as counted_words};
use play::{Draft, Playable, Policy, QuestionForm};
use schema::declared::declared_words;
use schema::field::{Whole, fields};
use schema::{
    ChoiceMaker, Field, FieldFault, Fields, Group, Json, Kind, Measure, NoFields, NoStep, Other,
    UnitEnd, Word as _,
};
use serde_json::json;

fields! {
    /// The fields of a question about Snipers.
    pub struct SniperFields, SniperSetters {
        "stack" stack: Option<StackNotation>, "the units that an activated Sniper strikes";
        "san" san: Option<Whole<2, 7>>, "Sniper Activation Number, without a stack", ["A14.1"];
        "rolls" rolls: Option<Whole<1, 200>>,
            "Original DR of the enemy of the Sniper, without a stack; default: 1", ["A14.1"];
        "night" night: bool, "it is night: the SAN is 2 higher, at most 7", ["E1.76"];
        "dr" dr: Option<Whole<1, 6>>, "the Sniper dr, if it is known", ["A14.2"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
    }
}

const FIELDS: &[&[Field]] = &[<SniperFields as Fields>::ALL.split_at(1).1];

const HELP: &str = "\
Without a stack: how often a Sniper attacks in a number of Original DR (`--san 4 --rolls 60`).
With one: what one activated Sniper does to the stack in which it strikes, whatever its SAN.
A LLMC for a leader who dies is not taken here.";

declared_words! {
    /// The single kind of question about Snipers.
    pub enum SniperKind: Kind {
        Sniper = Kind {
            unreported: &["in-cover"],
            ..Kind::new(
                "sniper",
                "odds of Snipers: calls of a SAN, and what an attack does to a stack (A14)",
                Some(SniperFields::stack),
                FIELDS,
            )
        }
        .help(HELP)
        .played(ChoiceMaker::Unasked)
        .ends(ENDS, Status::in_charts)
        .counted(CLASSES, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter)
        .with_columns(&["side", "place"])
        .examples(&["--san 4 --rolls 60", "\"9-1 + 2x german:4-6-7\""]),
    }
}

/// The form (the fields to fill in) of questions about Snipers.
#[derive(Clone, Copy, Debug)]
pub struct Snipers;

impl QuestionForm for Snipers {
    type QuestionKind = SniperKind;
    type Head = SniperFields;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Switches;
    type Question = SniperQuestion;

    const MEASURES: &'static [Measure] = MEASURES;

    fn question(draft: &Draft<Snipers>) -> Result<SniperQuestion, FieldFault> {
        draft.head.checked(&draft.rules, draft.notes.clone())
    }

    fn others(draft: &Draft<Snipers>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        draft.rules.others_among(draft.head.profile, which, |switch| {
            [Switch::HeroesWoundedBySniper, Switch::WoundedHeroDies].contains(&switch)
        })
    }
}

impl SniperFields {
    fn checked(
        &self,
        switches: &Switches,
        mut notes: Vec<String>,
    ) -> Result<SniperQuestion, FieldFault> {
        let rulebook = switches.rulebook(self.profile)?;
        let Some(stack) = &self.stack else {
            SniperFields::dr
                .refuse_if(self.dr.is_some(), "the dr is that of an attack on a stack")?;
            let Some(san) = self.san else {
                let fault = SniperFields::san.fault("`san` or a stack is missing");
                return Err(fault.help("for example `--san 4 --rolls 60`, or name a stack"));
            };
            let san = if self.night { (san.u8() + 2).min(7) } else { san.u8() };
            let rolls = self.rolls.map_or(1, |rolls| rolls.u16());
            let play = Arc::new(SniperPlay::Calls { san, rolls });
            return Ok(SniperQuestion { play, stack: None, rulebook, notes });
        };
        let beside = "beside a stack the Sniper is called already: leave this out";
        SniperFields::san.refuse_if(self.san.is_some(), beside)?;
        SniperFields::rolls.refuse_if(self.rolls.is_some(), beside)?;
        SniperFields::night.refuse_if(self.night, beside)?;
        let in_field = FieldFault::in_field(SniperFields::stack.name);
        let stack = stack.resolve(&StackNotation::nations([stack])).map_err(in_field)?;
        notes.extend(stack.assumed.clone());
        let members = stack.members.clone();
        let engagement = Box::new(engagement_of(&members, rulebook));
        let dr = self.dr.map(|dr| dr.u8());
        let play = Arc::new(SniperPlay::Attack { engagement, members, dr });
        Ok(SniperQuestion { play, stack: Some(stack), rulebook, notes })
    }
}

/// A question about Snipers that is ready to be answered.
#[derive(Clone, Debug)]
pub struct SniperQuestion {
    play: Arc<SniperPlay>,
    stack: Option<Stack>,
    rulebook: Rulebook,
    notes: Vec<String>,
}

const ATTACKS: &str = "effective Sniper attacks";

impl SniperQuestion {
    fn members(&self) -> &[Member] {
        self.stack.as_ref().map_or(&[], |stack| &stack.members)
    }

    fn member(&self, slot: u8) -> Option<&Member> {
        self.members().get(usize::from(slot.checked_sub(1)?))
    }

    /// Returns the arithmetic of the calls (14.1).
    fn reckoned(&self) -> Option<Reckoned> {
        let SniperPlay::Calls { san, rolls } = *self.play else { return None };
        let ways = f64::from(6 - (i16::from(san) - 7).abs());
        let (called, attacks) = (ways / 36.0, ways / 108.0);
        let sentence = format!(
            "SAN {san}: called by an Original {san}, {} a DR; it attacks on a dr of 1 or 2, {} a \
             DR (A14.1, A14.2).",
            percent_to(called, 2),
            percent_to(attacks, 2)
        );
        let expected = attacks * f64::from(rolls);
        let some = 1.0 - (1.0 - attacks).powi(rolls.into());
        let json = json!({ "san": san, "rolls": rolls, "called": called, "attacks": attacks,
            "some": some, "expected": expected });
        Some(Reckoned {
            json: vec![("sniper", json)],
            summary: vec![sentence],
            ..Reckoned::default()
        })
    }
}

impl Question for SniperQuestion {
    type Process = Arc<SniperPlay>;
    type Factor = IndependentUnit<Arc<SniperPlay>>;

    fn whole(&self) -> Arc<SniperPlay> {
        self.play.clone()
    }

    fn label(&self, _: ReportIndex, outcome: &SniperOutcome) -> Label {
        match outcome {
            SniperOutcome::Attacks(attacks) => {
                let status = if *attacks > 0 { "some" } else { "none" };
                Label { status: Some(status), place: Some("attacks"), ..Label::default() }
            }
            SniperOutcome::Unit { unit, is_dm } => {
                let member = self.member(unit.slot);
                let counter = unit.counter_text().map(|counter| match is_dm {
                    true if counter.contains('/') => format!("{counter},dm"),
                    true => format!("{counter}/dm"),
                    false => counter,
                });
                let (slot, status) = (unit.slot, unit.status.name());
                let ending = UnitEnding { slot, status, counter, wounded: unit.wounded };
                Label {
                    unit_id: member.map(|member| member.printed().id.clone()),
                    side_slot: Some(slot),
                    ..Label::of_unit(member.map(starting_counter), ending)
                }
            }
        }
    }
}

impl QuestionInfo for SniperQuestion {
    fn facts(&self) -> QuestionFacts {
        let success = Success::of_unit(&["good-order", "pinned"], "unbroken");
        QuestionFacts {
            units: self.members().len() as u8,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(SniperKind::Sniper.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let words = match &*self.play {
            SniperPlay::Calls { san, rolls } => {
                format!("A Sniper of SAN {san} in {}", counted_words(*rolls, "Original DR"))
            }
            SniperPlay::Attack { dr, .. } => {
                let stack = self.stack.as_ref().map(Stack::in_words).unwrap_or_default();
                let dr = dr.map_or(String::new(), |dr| format!(" with a dr of {dr}"));
                format!("An activated Sniper{dr} strikes {stack}")
            }
        };
        QuestionTexts { in_words: words, notes: self.notes.clone(), uncertain: Vec::new() }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings = shared_settings(self.rulebook, false);
        QuestionDetails { shared_settings, reckoned: self.reckoned(), ..QuestionDetails::default() }
    }

    fn provenance(&self) -> Provenance {
        let mut provenance = provenance(self.rulebook, false, 0);
        provenance.facts.retain(|(name, _)| *name != "elr");
        provenance
    }

    fn quantities(&self) -> Vec<String> {
        match *self.play {
            SniperPlay::Calls { .. } => vec![ATTACKS.to_string()],
            SniperPlay::Attack { .. } => Vec::new(),
        }
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let member = self.member(slot)?;
        let counter = starting_counter(member);
        Some(InitialUnit {
            notation: member.to_string(),
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let member = self.member(end.slot?)?;
        let broken = Status::Broken.name();
        let is_broken = end.status == Some(broken) && !member.is(Condition::Broken);
        if is_broken { Some(broken) } else { counting::change(member, end) }
    }

    fn canonical_value(&self, field: &str) -> Option<Json> {
        let is_stack = field == SniperFields::stack.name;
        self.stack.as_ref().filter(|_| is_stack).map(|stack| stack.to_string().into())
    }
}

impl Answerable for SniperQuestion {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn amounts(
        &self,
        _: ReportIndex,
        outcome: &SniperOutcome,
        observe: &mut dyn FnMut(usize, i64),
    ) {
        if let SniperOutcome::Attacks(attacks) = outcome {
            observe(0, (*attacks).into());
        }
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, self.members().iter())
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &SniperOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        if let SniperOutcome::Unit { unit, .. } = outcome {
            counted(group, end, unit, self.member(unit.slot)).into_iter().for_each(observe);
        }
    }

    fn slot(&self, outcome: &SniperOutcome) -> Option<u8> {
        match outcome {
            SniperOutcome::Unit { unit, .. } => Some(unit.slot),
            SniperOutcome::Attacks(_) => None,
        }
    }
}

impl Playable for SniperQuestion {
    const TIES: [usize; 2] = TIES;

    fn policies(&self) -> Vec<Policy> {
        Vec::new()
    }

    fn option(&self, _: usize, _: &Arc<SniperPlay>, _: &SniperState, _: Player, _: usize) -> usize {
        0
    }

    fn ending(&self, _: ReportIndex, outcome: &SniperOutcome) -> Option<(u8, Vec<f64>)> {
        let SniperOutcome::Unit { unit, .. } = outcome else { return None };
        let began = self.member(unit.slot).map(Member::printed);
        Some((unit.slot, FinalState::from_outcome(unit, began).in_order()))
    }
}
