//! Snipers as a question: its fields, its words, and the labels of its outcomes.

use std::sync::Arc;

use super::fields::{OF_SNIPERS, at_night};
use super::gain::{EnemyLos, EnemyRange, GainPlace};
use super::process::{SniperOutcome, SniperPlay, SniperState};
use crate::board::terrain::Terrain;
use crate::close_combat::engagements::engagement_of;
use crate::counting::{
    self, CLASSES, FURTHER_ENDS, FinalState, GROUPS, MEASURES, TIES, counted, printed_counter,
};
use crate::draft::Switches;
use crate::engagement::Engagement;
use crate::kinds::ENDS;
use crate::location::LocationState;
use crate::notation::StackNotation;
use crate::outcome::UnitOutcome;
use crate::question::starting_counter;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::rulebook::{Profile, Rulebook, Switch};
use crate::stack::{Member, Stack};
use crate::unit::{Condition, Status, UnitIndex};
use crate::vocabulary::sniper::SniperSearch;
use crate::vocabulary::stage::Stage;
use answer::estimate::percent_to;
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, Reckoned, Success, UnitInClass,
};
use engine::process::{Label, Player, Question, ReportIndex, UnitEnding};
use engine::text::{Fault, counted as counted_words};
use play::{Draft, DynQuestion, Playable, Policy, QuestionForm};
use schema::declared::declared_words;
use schema::field::{Whole, fields};
use schema::{
    ChoiceMaker, Field, FieldFault, Group, Json, Kind, Measure, NoFields, NoStep, Other, UnitEnd,
    Word as _,
};
use serde_json::json;

fields! {
    /// The fields of a question about Snipers.
    pub struct SniperFields, SniperSetters {
        "stack" stack: Option<StackNotation>,
            "the units that gain concealment, or that an activated Sniper strikes";
        "san" san: Option<Whole<2, 7>>, "Sniper Activation Number, without a stack", ["A14.1"];
        "rolls" rolls: Option<Whole<1, 200>>,
            "Original DR of the enemy of the Sniper, without a stack; default: 1", ["A14.1"];
        "night" night: bool, "it is night: the SAN is 2 higher, at most 7", ["E1.76"];
        "terrain" terrain: &'static Terrain = "open", "terrain of the Location", ["A12.12"];
        "enemy" enemy: EnemyRange = "within-16",
            "the nearest unbroken enemy: within-16 hexes, beyond-16, none", ["A12.12"];
        "los" los: EnemyLos = "yes", "yes or no: an unbroken enemy has LOS", ["A12.12"];
        "dr" dr: Option<Whole<1, 6>>, "the Sniper dr, if it is known", ["A14.2"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
    }
}

const FIELDS: &[&[Field]] = &[&[
    SniperFields::san,
    SniperFields::rolls,
    SniperFields::night,
    SniperFields::dr,
    SniperFields::profile,
]];

const FIELDS_OF_GAIN: &[&[Field]] =
    &[&[SniperFields::terrain, SniperFields::enemy, SniperFields::los, SniperFields::profile]];

const HELP: &str = "\
Without a stack: how often a Sniper attacks in a number of Original DR (`--san 4 --rolls 60`).
With one: what one activated Sniper does to the stack in which it strikes, whatever its SAN.
A LLMC for a leader who dies is not taken here.";

const HELP_OF_GAIN: &str = "\
Terrain that hinders or blocks LOS is Concealment Terrain. The dr needed counts US#, leadership,
Lax (+1), Stealthy (-1) and the TEM of the Location.";

declared_words! {
    /// The kinds of questions about Snipers and the gain of concealment.
    pub enum SniperKind: Kind {
        Sniper = Kind {
            omits_subject: true,
            unreported: &["in-cover", "net", "field", "concealed", "clear"],
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
        .examples(&[
            "--san 4 --rolls 60",
            "--san 3 --rolls 30 --night",
            "\"german:9-1 + 2x german:4-6-7\"",
        ]),
        Conceal = Kind {
            unreported: &["in-cover", "net", "field", "sniper-attacks", "clear"],
            ..Kind::new(
                "conceal",
                "odds to gain concealment at the end of the own Player Turn (A12.12)",
                Some(SniperFields::stack),
                FIELDS_OF_GAIN,
            )
        }
        .help(HELP_OF_GAIN)
        .played(ChoiceMaker::Unasked)
        .ends(ENDS, Status::in_charts)
        .counted(CLASSES, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter)
        .with_columns(&["side", "place"])
        .examples(&[
            "german:4-6-7 --terrain woods --los no",
            "\"german:4-6-7 + german:8-1\" --enemy within-16 --los no",
            "german:4-6-7 --enemy beyond-16 --los no",
        ]),
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

    fn finish(draft: &Draft<Snipers>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Snipers>) -> Result<SniperQuestion, FieldFault> {
        match draft.ask {
            SniperKind::Sniper => draft.head.checked(&draft.rules, draft.notes.clone()),
            SniperKind::Conceal => draft.head.checked_gain(&draft.rules, draft.notes.clone()),
        }
    }

    fn others(draft: &Draft<Snipers>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        draft.rules.others_among(draft.head.profile, which, |switch| {
            let is_of_attack = OF_SNIPERS.contains(&switch) && switch != Switch::NoLlmcBySniper;
            is_of_attack || switch == Switch::WoundedHeroDies
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
            SniperFields::dr.refuse_if(
                self.dr.is_some(),
                "the dr is that of an attack on a stack: name a stack, or leave this out",
            )?;
            let Some(san) = self.san else {
                let fault = SniperFields::san.fault("`san` or a stack is missing");
                return Err(fault.help("for example `--san 4 --rolls 60`, or name a stack"));
            };
            let san = if self.night { at_night(san.u8()) } else { san.u8() };
            let rolls = self.rolls.map_or(1, |rolls| rolls.u16());
            let play = Arc::new(SniperPlay::Calls { san, rolls });
            let ask = SniperKind::Sniper;
            return Ok(SniperQuestion { ask, play, stack: None, dr: None, rulebook, notes });
        };
        let beside = "beside a stack the Sniper is called already: leave this out";
        SniperFields::san.refuse_if(self.san.is_some(), beside)?;
        SniperFields::rolls.refuse_if(self.rolls.is_some(), beside)?;
        SniperFields::night.refuse_if(self.night, beside)?;
        let stack = resolved(stack, &mut notes)?;
        let members = stack.members.clone();
        let dr = self.dr.map(|dr| dr.u8());
        let stages = vec![Stage::Sniper(dr), Stage::Report(0)];
        let engagement = engagement_of(&members, rulebook).with_dummies(stack.dummies);
        let play = Arc::new(SniperPlay::Stack(Box::new(engagement.with_stages(stages))));
        let (ask, stack) = (SniperKind::Sniper, Some(stack));
        Ok(SniperQuestion { ask, play, stack, dr, rulebook, notes })
    }

    fn checked_gain(
        &self,
        switches: &Switches,
        mut notes: Vec<String>,
    ) -> Result<SniperQuestion, FieldFault> {
        let rulebook = switches.rulebook(self.profile)?;
        let Some(stack) = &self.stack else {
            let fault = SniperFields::stack.fault("`stack` is missing: who conceals itself");
            return Err(fault.help("for example `german:4-6-7`"));
        };
        let stack = resolved(stack, &mut notes)?;
        let message = "Dummies are concealed already (A12.11)";
        SniperFields::stack.refuse_if(stack.dummies > 0, message)?;
        let place = GainPlace { terrain: self.terrain, enemy: self.enemy, los: self.los };
        let stages = vec![Stage::Concealment(place.gain(&stack.members)), Stage::Report(0)];
        let engagement = engagement_of(&stack.members, rulebook).with_stages(stages);
        let play = Arc::new(SniperPlay::Stack(Box::new(engagement)));
        let (ask, stack) = (SniperKind::Conceal, Some(stack));
        Ok(SniperQuestion { ask, play, stack, dr: None, rulebook, notes })
    }
}

fn resolved(stack: &StackNotation, notes: &mut Vec<String>) -> Result<Stack, FieldFault> {
    let in_field = FieldFault::in_field(SniperFields::stack.name);
    let stack = stack.resolve(&StackNotation::nations([stack])).map_err(in_field)?;
    notes.extend(stack.assumed.clone());
    Ok(stack)
}

/// A question about Snipers or the gain of concealment that is ready to be answered.
#[derive(Clone, Debug)]
pub struct SniperQuestion {
    ask: SniperKind,
    play: Arc<SniperPlay>,
    stack: Option<Stack>,
    /// The Sniper dr, if it is given.
    dr: Option<u8>,
    rulebook: Rulebook,
    notes: Vec<String>,
}

const ATTACKS: &str = "effective Sniper attacks";
const GAINS: &str = "units that gain concealment";

impl SniperQuestion {
    fn members(&self) -> &[Member] {
        self.stack.as_ref().map_or(&[], |stack| &stack.members)
    }

    fn member(&self, slot: u8) -> Option<&Member> {
        self.members().get(usize::from(slot.checked_sub(1)?))
    }

    /// Returns whether a unit has become concealed.
    fn gains(&self, unit: &UnitOutcome) -> bool {
        unit.is_concealed && self.member(unit.slot).is_some_and(|member| !member.concealed)
    }

    /// Returns which dr each unit needs to gain concealment (12.122).
    fn reckoned_gain(&self, engagement: &Engagement) -> Option<Reckoned> {
        let Some(&Stage::Concealment(gain)) = engagement.stages.first() else { return None };
        let location = LocationState::on_map(engagement.units.clone());
        let highest = |unit: UnitIndex| engagement.view(&location).highest_dr(unit, gain);
        let needed = |(slot, member): (u8, &Member)| {
            let name = format!("{} [{slot}]", member.printed().printed());
            match highest(slot - 1) {
                0 => format!("{name} gains none"),
                6.. => format!("{name} gains it for sure"),
                most => format!("{name} gains it on a dr of {most} or less"),
            }
        };
        let all: Vec<String> = (1..).zip(self.members()).map(needed).collect();
        let drs = (0..self.members().len() as u8).map(highest);
        let json = json!({ "dr": drs.collect::<Vec<_>>() });
        Some(Reckoned {
            json: vec![("conceal", json)],
            summary: vec![format!("Concealment (A12.12): {}.", all.join("; "))],
            ..Reckoned::default()
        })
    }

    /// Returns the arithmetic of the Sniper Check of the whole stack (14.4), if one is made.
    fn reckoned_search(&self, engagement: &Engagement) -> Option<Reckoned> {
        if !self.rulebook.chooses(Switch::SniperCheckMade) {
            return None;
        }
        let location = LocationState::on_map(engagement.units.clone());
        let now = engagement.view(&location);
        now.searchers().next()?;
        let drm = now.search_drm();
        let on = |number: i8| (2..=12).contains(&(number - drm)).then_some(number - drm);
        let (dead, pinned) = (on(SniperSearch::ELIMINATED_ON), on(SniperSearch::PINNED_ON));
        let sentence = |what: &str, on: Option<i8>, or_less: &str| {
            on.map(|on| format!("{what} on {on}{}", if on > 2 { or_less } else { "" }))
        };
        let found = [sentence("eliminated", dead, " or less"), sentence("pinned", pinned, "")];
        let found: Vec<String> = found.into_iter().flatten().collect();
        let json = json!({ "drm": drm, "eliminated_on": dead, "pinned_on": pinned });
        let summary = format!(
            "Sniper Check of all (A14.4), DRM {drm:+}: the Sniper is {}; less if some cannot \
             search.",
            found.join(", ")
        );
        Some(Reckoned {
            json: vec![("check", json)],
            summary: vec![summary],
            ..Reckoned::default()
        })
    }

    /// Returns the arithmetic of the calls (14.1).
    fn reckoned(&self) -> Option<Reckoned> {
        let (san, rolls) = match (&*self.play, self.ask) {
            (SniperPlay::Stack(engagement), SniperKind::Conceal) => {
                return self.reckoned_gain(engagement);
            }
            (SniperPlay::Stack(engagement), _) => return self.reckoned_search(engagement),
            (&SniperPlay::Calls { san, rolls }, _) => (san, rolls),
        };
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

    fn whole(&self) -> Arc<SniperPlay> {
        self.play.clone()
    }

    fn label(&self, _: ReportIndex, outcome: &SniperOutcome) -> Label {
        match outcome {
            SniperOutcome::Attacks(attacks) => {
                let status = if *attacks > 0 { "some" } else { "none" };
                Label { status: Some(status), place: Some("attacks"), ..Label::default() }
            }
            SniperOutcome::Search(found) => {
                let status = match found {
                    SniperSearch::Eliminated => Status::Eliminated,
                    SniperSearch::Pinned => Status::Pinned,
                    SniperSearch::InVain => Status::GoodOrder,
                };
                let status = Some(status.name());
                Label { status, place: Some("Sniper"), ..Label::default() }
            }
            SniperOutcome::Unit { unit, is_dm } => {
                let member = self.member(unit.slot);
                let counter = unit.counter_text().map(|counter| match is_dm {
                    true if counter.contains('/') => format!("{counter},{}", Condition::Dm.name()),
                    true => format!("{counter}/{}", Condition::Dm.name()),
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
        // Of calls and of concealment an expected number is shown.
        let statuses: &[&str] = match *self.play {
            SniperPlay::Stack(_) if self.ask == SniperKind::Sniper => &["good-order", "pinned"],
            _ => &[],
        };
        let success = Success::of_unit(statuses, "unbroken");
        QuestionFacts {
            units: self.members().len() as u8,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(self.ask.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let stack = || self.stack.as_ref().map(Stack::in_words).unwrap_or_default();
        let words = match (&*self.play, self.ask) {
            (SniperPlay::Calls { san, rolls }, _) => {
                format!("A Sniper of SAN {san} in {}", counted_words(*rolls, "Original DR"))
            }
            (SniperPlay::Stack(_), SniperKind::Sniper) => {
                let dr = self.dr.map_or(String::new(), |dr| format!(" with a dr of {dr}"));
                format!("An activated Sniper{dr} strikes {}", stack())
            }
            (SniperPlay::Stack(_), SniperKind::Conceal) => {
                format!("Concealment of {} at the end of its Player Turn", stack())
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
        match (&*self.play, self.ask) {
            (SniperPlay::Calls { .. }, _) => vec![ATTACKS.to_string()],
            (SniperPlay::Stack(_), SniperKind::Conceal) => vec![GAINS.to_string()],
            (SniperPlay::Stack(_), SniperKind::Sniper) => Vec::new(),
        }
    }

    fn usual_measure(&self) -> Option<String> {
        let measure = match (&*self.play, self.ask) {
            (SniperPlay::Calls { .. }, _) => "sniper-attacks",
            (SniperPlay::Stack(_), SniperKind::Conceal) => "concealed",
            (SniperPlay::Stack(_), SniperKind::Sniper) => return None,
        };
        Some(measure.to_string())
    }

    fn amounts_between(&self) -> Option<(f64, f64)> {
        let most = match *self.play {
            SniperPlay::Calls { rolls, .. } => rolls.into(),
            SniperPlay::Stack(_) => self.members().len() as f64,
        };
        Some((0.0, most))
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
        match outcome {
            SniperOutcome::Search(_) => {}
            SniperOutcome::Attacks(attacks) => observe(0, (*attacks).into()),
            SniperOutcome::Unit { unit, .. } if self.ask == SniperKind::Conceal => {
                observe(0, i64::from(self.gains(unit)));
            }
            SniperOutcome::Unit { .. } => {}
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
            SniperOutcome::Attacks(_) | SniperOutcome::Search(_) => None,
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
        let unit = match outcome {
            SniperOutcome::Unit { unit, .. } => unit,
            SniperOutcome::Search(_) => return None,
            SniperOutcome::Attacks(attacks) => {
                let sniper_attacks = f64::from(*attacks);
                let state = FinalState { sniper_attacks, ..FinalState::default() };
                return Some((0, state.in_order()));
            }
        };
        let member = self.member(unit.slot);
        let state = FinalState::from_outcome(unit, member.map(Member::printed));
        let state = FinalState { concealed: f64::from(u8::from(self.gains(unit))), ..state };
        Some((unit.slot, state.in_order()))
    }
}
