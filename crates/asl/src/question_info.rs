//! The description of an ASL question for the general crates, which know no game.

use super::certainty;
use super::counting::change;
use super::kinds::{QuestionKind, StackFields, StepFields};
use super::question::{Question, starting_counter};
use super::rulebook::Rulebook;
use super::sequence::{Action, Rally, Step};
use crate::vocabulary::{Condition, Status};
use answer::{
    InitialUnit, MetaValue, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, SharedSetting,
};
use engine::process::{Label, Question as _, ReportIndex};
use schema::{Json, Word as _};
use std::hash::{Hash as _, Hasher};

/// The letter before rule numbers of the chapter on infantry.
pub const RULES: &str = "A";

/// Returns the rules and settings on which an answer rests.
pub fn provenance(rulebook: Rulebook, heat_of_battle: bool, elr: u8) -> Provenance {
    let profile = rulebook.profile().name();
    let switches = rulebook
        .changed()
        .map(|changed| (changed.id.to_string(), rulebook.value(changed.switch).to_string()))
        .collect();
    Provenance {
        words: format!(
            "profile {profile}, {} Heat of Battle",
            if heat_of_battle { "with" } else { "without" }
        ),
        facts: vec![
            ("profile", MetaValue::Text(profile.to_string())),
            ("switches", MetaValue::Settings(switches)),
            ("heat_of_battle", MetaValue::Boolean(heat_of_battle)),
            ("elr", MetaValue::Integer(elr.into())),
        ],
        setting: "Interpretation",
        uncertain: "Catalogue",
    }
}

/// Returns the settings that all rows of a study (one question with varied fields) share. A setting
/// is dropped if the study varies one of its fields.
pub fn shared_settings(rulebook: Rulebook, heat_of_battle: bool) -> Vec<SharedSetting> {
    let on = if heat_of_battle { "on" } else { "off" };
    vec![
        SharedSetting {
            name: "profile",
            words: "profile",
            value: rulebook.profile().name().to_string(),
            fields: &["profile"],
        },
        SharedSetting {
            name: "heat_of_battle",
            words: "Heat of Battle",
            value: on.to_string(),
            fields: &["hob", "no-hob", "profile", "sk-15.1"],
        },
    ]
}

impl Question {
    fn in_words(&self) -> String {
        let stack = self.stack.in_words();
        let mut words = match (self.ask, self.steps.first().map(|step| &step.action)) {
            (QuestionKind::Sequence, _) | (_, None) => {
                let steps = self.steps.len();
                format!(
                    "{} in a sequence of {steps} step{}",
                    stack,
                    if steps == 1 { "" } else { "s" }
                )
            }
            (QuestionKind::Interdict, Some(action)) => format!("{stack} through {action}"),
            (QuestionKind::Fire, Some(action)) => format!("{stack} under {action}"),
            (QuestionKind::Rally, Some(action)) => format!("{stack} over {action}"),
            (_, Some(action)) => format!("{action} of {stack}"),
        };
        words += &format!(", ELR {}", self.elr);
        self.scene.facts().for_each(|fact| words += &format!(", {fact}"));
        words
    }

    /// Returns the last phase of a Rally, the last step of a sequence, or 0 for a single step.
    pub(super) fn last_point(&self) -> ReportIndex {
        match (self.ask, self.steps.first().map(|step| &step.action)) {
            (QuestionKind::Sequence, _) => self.steps.len() as ReportIndex,
            (_, Some(Action::Rally(rally))) => rally.phases,
            _ => 0,
        }
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        QuestionFacts {
            units: self.stack.members.len() as u8,
            points: self.ask.points(),
            last_point: self.last_point(),
            is_joint: self.joint,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(self.ask.declared(), self.ask.success())
        }
    }

    fn texts(&self) -> QuestionTexts {
        QuestionTexts {
            in_words: self.in_words(),
            notes: self.notes.clone(),
            uncertain: certainty::uncertain(self),
        }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings = shared_settings(self.rulebook, self.heat_of_battle());
        let aside = (!self.heat_of_battle()).then_some("No Heat of Battle.");
        let details = QuestionDetails { aside, shared_settings, ..QuestionDetails::default() };
        if !self.is_sequence() {
            let step = self.steps.first();
            let needs = step.map_or_else(Vec::new, |step| self.whole().needs(&step.action));
            return QuestionDetails { needs, ..details };
        }
        let step = |step: &Step| match &step.condition {
            None => step.action.to_string(),
            Some(condition) => format!("{}, {condition}", step.action),
        };
        let point = |(point, step): (usize, &Step)| format!("end of step {point}, {}", step.action);
        QuestionDetails {
            steps: self.steps.iter().map(step).collect(),
            points: (1..).zip(&self.steps).map(point).collect(),
            ..details
        }
    }

    fn provenance(&self) -> Provenance {
        provenance(self.rulebook, self.heat_of_battle(), self.elr)
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
        change(member, end)
    }

    fn canonical_value(&self, field: &str) -> Option<Json> {
        let (number, name) = match field.split_once('.') {
            Some((number, name)) => (number.parse().ok()?, name),
            None => (1usize, field),
        };
        match name {
            _ if name == StackFields::stack.name => Some(self.stack.to_string().into()),
            _ if name == StepFields::leader.name => self
                .steps
                .get(number.checked_sub(1)?)?
                .action
                .leader()
                .map(|leader| leader.to_string().into()),
            _ => None,
        }
    }

    /// Hashes all of a Rally question but its number of phases, which it returns. Returns `None`
    /// for all other questions. Terrain counts only by its DRM (10.61), a leader outside the stack
    /// only by what it gives. Its ML matters only beside other leaders (10.22). No leader is
    /// created where one leads (18.11).
    fn hash_inputs(&self, mut what: &mut dyn Hasher) -> Option<ReportIndex> {
        let Question { ask, stack, steps, scene, elr, joint, rulebook, choices, notes: _ } = self;
        let [Step { action: Action::Rally(rally), condition: None }] = &steps[..] else {
            return None;
        };
        let &Rally { ref leader, phases, own_rph, terrain: _, bonus, keeps_dm, dm } = rally;
        let lent = leader.as_ref().map(|leader| {
            let counter = leader.printed();
            let is_ranked = stack.members.iter().any(|member| member.printed().kind.is_leader());
            let own = is_ranked.then_some(leader.counter);
            let lends = (counter.kind, counter.nation, counter.leadership, leader.conditions);
            (lends, leader.nation, leader.elr, leader.morale, leader.broken_morale, own)
        });
        ask.declared().name.hash(&mut what);
        (&stack.members, scene, elr, joint, rulebook, choices).hash(&mut what);
        (lent, own_rph, bonus, keeps_dm, dm).hash(&mut what);
        Some(phases)
    }
}
