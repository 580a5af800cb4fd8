//! A stack that moves under fire as a question: its kind, its words, and its outcomes.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::checked::{CheckedCrossing, checked, in_force};
use super::fields::{CrossingFields, CrossingHead, CrossingSetters as _};
use super::model::{Crossing, CrossingReport};
use super::orders::CrossingMove;
use super::report::{ShotsReport, with_paths};
use super::state::{CrossingEnd, CrossingOutcome, CrossingState};
use crate::counting::{
    self, FURTHER_ENDS, FinalState, GROUPS, MEASURES, OF_CROSSING, TIES, UNREPORTED, counted,
    printed_counter,
};
use crate::draft::Switches;
use crate::kinds::{COMMON, StackFields};
use crate::question::starting_counter;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::stack::Member;
use crate::vocabulary::{Condition, Status};
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, Success, UnitInClass,
};
use engine::process::{Label, Parts, Player, Question, ReportIndex, UnitEnding};
use engine::text::{Fault, counted as counted_words};
use play::{Draft, DynQuestion, Playable, Policy, QuestionBuilder, QuestionForm};
use schema::declared::declared_words;
use schema::{
    ChoiceMaker, Field, FieldFault, Fields, Group, Json, Kind, Measure, NoFields, NoStep, Other,
    UnitEnd, Word as _,
};

/// The form (the fields to fill in) of questions about a stack that moves under fire.
#[derive(Clone, Copy, Debug)]
pub struct Crossings;

const FIELDS: &[&[Field]] = &[<CrossingFields as Fields>::ALL, COMMON];

/// The statuses in which a unit of a crossing can end.
const CROSSING_ENDS: &[&str] = &[
    "arrived",
    "good-order",
    "pinned",
    "berserk",
    "broken",
    "disrupted",
    "captured",
    "eliminated",
];

const HELP: &str = "\
The stack enters the Locations of `--path` one after another, as one stack.
  path      `open, grain 2, B=stone 2 hexside wall`: terrain, MF (default: its cost), then words:
            works, hexside, hindrance, smoke, residual, fire-lane, lane-hindrance, soft
  defender  `A: 8-1 + german:4-6-7/mmg @ 4, 3 hindrance 1, none`: a name, the firers, the range to
            each Location; words: hindrance, level, hexside, smoke-los, smoke-out, nearer (a Known
            armed enemy is nearer: no Subsequent First Fire); no-sff, no-fpf behind the name.
            On a map `A: german:4-6-7/mmg @ G4` stands for the enemies of that Location
            On a map: the hexes with the start first, `works` behind a hex to enter them
  to        the safest path to a hex within the MF, and the next best
  fire      `A, A B, none`: who fires at each Location, in order; each fires with what is unmarked,
            else as Subsequent First Fire, else as FPF; what is not possible is skipped
Who breaks or is pinned stays; the rest goes on. `arrived` is unpinned in the last Location.";

declared_words! {
    /// The single kind of question about a stack that moves under fire.
    pub enum CrossingKind: Kind {
        Cross = Kind {
            omits_subject: true,
            unreported: UNREPORTED,
            policies_of: Player::Enemy,
            ..Kind::new(
                "cross",
                "odds of a stack that moves under Defensive First Fire, Location by Location (A8)",
                Some(StackFields::stack),
                FIELDS,
            )
        }
        .help(HELP)
        .played(ChoiceMaker::Plan)
        .ends(CROSSING_ENDS, Status::in_charts)
        .counted(OF_CROSSING, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter)
        .between(["mover", "defender"])
        .with_columns(&["location"])
        .examples(&[
            "russian:6-2-8:e --path \"open, open, open\" --defender \"G: german:4-6-7 @ 3, 2, 1\"",
            "\"8-1 + 2x russian:4-4-7\" --path \"open, open, stone 2\" --defender \
                \"A: 8-1 + german:4-6-7/mmg @ 4, 3, 2\" --defender \"B: german:4-6-7 @ 5, 4, 3\" \
                --fire \"A, A B, A A\"",
            "--map studies/rout/street-crossing.toml --path B5 --to C2 --no-hob",
        ]),
    }
}

/// Starts a question about a stack that moves under fire, with a method for each field.
pub fn cross(stack: &str, path: &str) -> QuestionBuilder<Crossings> {
    QuestionBuilder::new(CrossingKind::Cross, stack).path(path)
}

impl QuestionForm for Crossings {
    type QuestionKind = CrossingKind;
    type Head = CrossingHead;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Switches;
    type Question = CrossingQuestion;

    const MEASURES: &'static [Measure] = MEASURES;

    fn finish(draft: &Draft<Crossings>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Crossings>) -> Result<CrossingQuestion, FieldFault> {
        let checked = checked(&draft.head, &draft.rules, draft.notes.clone())?;
        Ok(CrossingQuestion { checked, shots: OnceLock::new() })
    }

    fn others(draft: &Draft<Crossings>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        let (head, own) = &draft.head;
        let (head, rules) = in_force(head, own, &draft.rules);
        rules.others(head.profile, which)
    }
}

/// A crossing that is ready to be answered.
#[derive(Clone, Debug)]
pub struct CrossingQuestion {
    checked: CheckedCrossing,
    /// The report of its attacks, once it is known.
    shots: OnceLock<ShotsReport>,
}

impl Deref for CrossingQuestion {
    type Target = CheckedCrossing;

    fn deref(&self) -> &CheckedCrossing {
        &self.checked
    }
}

impl CrossingQuestion {
    /// Returns the process that reports all units together.
    pub fn crossing(&self) -> &Crossing {
        &self.crossing
    }

    /// Returns how often each attack is made, and what becomes of the firers.
    pub fn shots(&self) -> &ShotsReport {
        self.shots.get_or_init(|| ShotsReport::new(&self.crossing))
    }

    fn member(&self, end: &CrossingEnd) -> Option<&Member> {
        self.stack.members.get(usize::from(end.unit.slot) - 1)
    }

    fn ending(&self, end: &CrossingEnd) -> UnitEnding {
        UnitEnding {
            slot: end.unit.slot,
            status: end.unit.status.name(),
            counter: end.unit.counter_text(),
            wounded: end.unit.wounded,
        }
    }

    fn heat_of_battle(&self) -> bool {
        self.crossing.setting.rulebook.plays_heat_of_battle(self.scene.heat_of_battle)
    }
}

impl Question for CrossingQuestion {
    type Process = Crossing;

    fn whole(&self) -> Crossing {
        self.crossing.clone()
    }

    /// Returns the crossing that reports each unit as it stops. Its states are fewer, because it
    /// forgets units and firers that bear on nothing more.
    fn parts(&self) -> Parts<Crossing> {
        if self.crossing.joint {
            return Parts::whole(self.whole());
        }
        Parts { processes: vec![self.crossing.reporting(CrossingReport::UnitByUnit)], rest: None }
    }

    fn label(&self, _: ReportIndex, outcome: &CrossingOutcome) -> Label {
        match outcome {
            CrossingOutcome::Unit(end) => {
                let member = self.member(end);
                let label = Label::of_unit(member.map(starting_counter), self.ending(end));
                Label {
                    unit_id: member.map(|member| member.printed().id.clone()),
                    location: Some(self.path.locations[usize::from(end.location)].name.clone()),
                    ..label
                }
            }
            CrossingOutcome::All(ends) => {
                Label::of_all(ends.iter().map(|end| self.ending(end)).collect())
            }
            _ => Label::default(),
        }
    }
}

impl QuestionInfo for CrossingQuestion {
    fn facts(&self) -> QuestionFacts {
        // Berserk units go on until they arrive or are lost (15.43).
        let (statuses, verb): (&[&str], _) = match self.movement {
            CrossingMove::Charge => (&["berserk"], "arrives berserk"),
            _ => (&["arrived"], "arrives unpinned"),
        };
        let success = Success {
            verb: Some(verb),
            ..Success::of_unit(statuses, "unpinned in the last Location")
        };
        QuestionFacts {
            units: self.stack.members.len() as u8,
            last_point: self.crossing.last_point(),
            is_joint: self.crossing.joint,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(CrossingKind::Cross.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let stack = self.stack.in_words();
        let locations = counted_words(self.path.locations.len() as u64, "Location");
        let how = match self.movement {
            CrossingMove::Assault if self.path.locations.len() > 1 => {
                "by Assault Movement, one Location a Player Turn without fire between them,"
            }
            CrossingMove::NonAssault => "by Non-Assault Movement",
            CrossingMove::Assault => "by Assault Movement",
            CrossingMove::Dash => "by Dash",
            CrossingMove::Charge => "charging",
        };
        let mut words = format!("{stack} {how} through {locations}");
        if self.crossing.is_concealed() {
            words += ", concealed";
        }
        words += &format!(", ELR {}", self.elr);
        self.scene.facts().for_each(|fact| words += &format!(", {fact}"));
        QuestionTexts { in_words: words, notes: self.notes.clone(), uncertain: Vec::new() }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings =
            shared_settings(self.crossing.setting.rulebook, self.heat_of_battle());
        let reckoned = self.shots().reckoned(&self.crossing);
        let reckoned = match &self.safest[..] {
            [] => reckoned,
            paths => with_paths(reckoned, paths),
        };
        let reckoned = Some(reckoned);
        let aside = (!self.heat_of_battle()).then_some("No Heat of Battle.");
        QuestionDetails {
            aside,
            shared_settings,
            reckoned,
            reckons_course: true,
            ..QuestionDetails::default()
        }
    }

    fn usual_measure(&self) -> Option<String> {
        Some(self.facts().success.statuses[0].to_string())
    }

    fn provenance(&self) -> Provenance {
        provenance(self.crossing.setting.rulebook, self.heat_of_battle(), self.elr)
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let member = self.stack.members.get(usize::from(slot).checked_sub(1)?)?;
        let counter = starting_counter(member);
        Some(InitialUnit {
            notation: member.to_string(),
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let member = self.stack.members.get(usize::from(end.slot?).checked_sub(1)?)?;
        counting::change(member, end)
    }

    fn canonical_value(&self, field: &str) -> Option<Json> {
        (field == StackFields::stack.name).then(|| self.stack.to_string().into())
    }
}

impl Answerable for CrossingQuestion {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, self.stack.members.iter())
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &CrossingOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let ends = match outcome {
            CrossingOutcome::Unit(end) => std::slice::from_ref(end),
            CrossingOutcome::All(ends) => ends,
            _ => &[],
        };
        for one in ends {
            counted(group, end, &one.unit, self.member(one)).into_iter().for_each(&mut *observe);
        }
    }

    fn slot(&self, outcome: &CrossingOutcome) -> Option<u8> {
        match outcome {
            CrossingOutcome::Unit(end) => Some(end.unit.slot),
            _ => None,
        }
    }
}

impl Playable for CrossingQuestion {
    const TIES: [usize; 2] = TIES;

    /// Lets the enemy choose who fires, unless the plan is written.
    fn open(self: &Arc<Self>) -> Arc<Self> {
        if !self.is_auto {
            return self.clone();
        }
        let crossing = self.crossing.with_open_plan();
        let checked = CheckedCrossing { crossing, ..self.checked.clone() };
        Arc::new(CrossingQuestion { checked, shots: OnceLock::new() })
    }

    fn policies(&self) -> Vec<Policy> {
        Vec::new()
    }

    fn option(
        &self,
        _: usize,
        _: &Crossing,
        _: &CrossingState,
        _: Player,
        options: usize,
    ) -> usize {
        options.saturating_sub(1).min(1)
    }

    fn ending(&self, _: ReportIndex, outcome: &CrossingOutcome) -> Option<(u8, Vec<f64>)> {
        // Who stops on the way is reported there, and only there.
        let CrossingOutcome::Unit(end) = outcome else { return None };
        let began = self.member(end).map(Member::printed);
        let state = FinalState::from_outcome(&end.unit, began);
        Some((end.unit.slot, state.in_order()))
    }
}
