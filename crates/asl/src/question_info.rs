//! The description of an ASL question for the general crates, which know no game.
//!
//! It lists values of the catalogue of less than high confidence that the rolls of a question can
//! use, even if only through a counter that can replace a unit. Printed values need no warning,
//! because the player sees them on the counter. In doubt a value is listed. A counter reached
//! through a listed value (a half-squad, a Replacement) is listed only if its confidence is lower.

use std::hash::{Hash as _, Hasher};

use indexmap::{IndexMap, IndexSet};

use super::catalogue::{CATALOGUE, Confidence, Counter, CounterId, Hardening, Replacement};
use super::close_combat::fields::CombatFields;
use super::counting::change;
use super::kinds::{QuestionKind, StackFields, StepFields};
use super::question::{Question, starting_counter};
use super::rulebook::Rulebook;
use super::sequence::{Action, Rally, Step};
use super::stack::Member;
use crate::vocabulary::{Condition, Report, Stage, Status};
use answer::{
    InitialUnit, MetaValue, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, SharedSetting,
};
use engine::process::{Label, Player, Question as _, ReportIndex};
use engine::text::counted;
use schema::{Json, Word as _};

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
            "{}, Heat of Battle {}",
            rulebook.profile().edition(),
            if heat_of_battle { "on" } else { "off" }
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

/// Returns the settings that all rows of a study share: none whose fields the study varies.
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
                format!("{stack} in a sequence of {}", counted(self.steps.len() as u64, "step"))
            }
            (QuestionKind::Turn, _) => {
                let attacks = counted(self.steps.len() as u64, "attack");
                format!("{stack} under {attacks} of one Player Turn")
            }
            (QuestionKind::Interdict, Some(action)) => format!("{stack} through {action}"),
            (QuestionKind::Fire, Some(action)) => format!("{stack} under {action}"),
            (QuestionKind::Rally, Some(action)) => format!("{stack} over {action}"),
            (_, Some(action)) => format!("{action} of {stack}"),
        };
        words += &format!(", ELR {}", self.elr);
        if let Some(snipers) = &self.snipers {
            words += &match snipers.san.own {
                Some(own) => format!(", SAN {own} and theirs {}", snipers.san.enemy),
                None => format!(", their SAN {}", snipers.san.enemy),
            };
            words += &snipers.hits.in_words().map_or(String::new(), |hits| format!(": {hits}"));
        }
        self.scene.facts().for_each(|fact| words += &format!(", {fact}"));
        words
    }

    /// Returns the last phase of a Rally, the last step of a sequence, or 0 for a single step.
    pub(super) fn last_point(&self) -> ReportIndex {
        match (self.ask, self.steps.first().map(|step| &step.action)) {
            _ if self.is_sequence() => self.steps.len() as ReportIndex,
            (_, Some(Action::Rally(rally))) => rally.phases,
            _ => 0,
        }
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        let kind = self.ask.declared();
        let is_fire = |step: &Step| step.action.is_attack();
        QuestionFacts {
            units: self.units(),
            columns: match (
                self.has_enemies(),
                self.report == Report::Stack && self.is_under_snipers(),
            ) {
                (false, false) => kind.columns,
                (true, false) => &["side"],
                (false, true) => &["sniper"],
                (true, true) => &["side", "sniper"],
            },
            points: self.ask.points(),
            last_point: self.last_point(),
            is_joint: self.report == Report::Stack,
            ranks: &Status::NAMES,
            rules: RULES,
            sides: if self.steps.iter().any(is_fire) { kind.sides } else { Player::NAMES },
            ..QuestionFacts::new(kind, self.ask.success())
        }
    }

    fn texts(&self) -> QuestionTexts {
        QuestionTexts {
            in_words: self.in_words(),
            notes: self.notes.clone(),
            uncertain: uncertain(self),
        }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings = shared_settings(self.rulebook, self.heat_of_battle());
        let aside = (!self.heat_of_battle()).then_some("No Heat of Battle.");
        let details = QuestionDetails { aside, shared_settings, ..QuestionDetails::default() };
        if !self.is_sequence() {
            let step = self.steps.first();
            let needs = step.map_or_else(Vec::new, |step| self.whole().needs(&step.action));
            return QuestionDetails {
                needs,
                reckoned: self.with_snipers(self.reckoned()),
                ..details
            };
        }
        let step = |step: &Step| match &step.condition {
            None => step.action.to_string(),
            Some(condition) => format!("{}, {condition}", step.action),
        };
        let point = |(point, step): (usize, &Step)| format!("end of step {point}, {}", step.action);
        QuestionDetails {
            steps: self.steps.iter().map(step).collect(),
            points: (1..).zip(&self.steps).map(point).collect(),
            reckoned: self.with_snipers(self.reckoned()),
            ..details
        }
    }

    fn provenance(&self) -> Provenance {
        provenance(self.rulebook, self.heat_of_battle(), self.elr)
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let (side, _, member) = self.at_slot(slot.max(1));
        let member = member.filter(|_| slot > 0)?;
        let counter = starting_counter(member);
        let notation = match self.has_enemies() {
            true => format!("{} {member}", side.name()),
            false => member.to_string(),
        };
        Some(InitialUnit {
            notation,
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let (.., member) = self.at_slot(end.slot.filter(|slot| *slot > 0)?);
        let member = member?;
        let is_concealed = || {
            end.counter.as_ref().is_some_and(|counter| {
                counter.split(['/', ',']).any(|word| word == Condition::Concealed.name())
            })
        };
        let is_revealed = self.tells_concealment() && member.concealed && end.counter.is_some();
        change(member, end).or((is_revealed && !is_concealed()).then_some("revealed"))
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
            _ if name == CombatFields::against.name => {
                match &self.steps.get(number.checked_sub(1)?)?.action {
                    Action::CloseCombat(stage) if !stage.goes_on => {
                        Some(stage.theirs.to_string().into())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Hashes all of a Rally question but its number of phases, which it returns; `None` for
    /// others. Terrain counts only by its DRM (10.61), a leader outside the stack by its DRM and,
    /// beside other leaders, its ML (10.22). No leader is created where one leads (18.11).
    fn hash_inputs(&self, mut what: &mut dyn Hasher) -> Option<ReportIndex> {
        let Question { ask, stack, steps, scene, elr, rulebook, choices, .. } = self;
        let joint = self.report == Report::Stack;
        let [Step { action: Action::Rally(rally), condition: None }] = &steps[..] else {
            return None;
        };
        let &Rally { ref leader, phases, own_rph, terrain, keeps_dm, dm } = rally;
        let lent = leader.as_ref().map(|leader| {
            let counter = leader.printed();
            let is_ranked = stack.members.iter().any(|member| member.printed().kind.is_leader());
            let own = is_ranked.then_some(leader.counter);
            let lends = (counter.kind, counter.nation, counter.leadership, leader.conditions);
            (lends, leader.nation, leader.elr, leader.morale, leader.broken_morale, own)
        });
        ask.declared().name.hash(&mut what);
        (&stack.members, scene, elr, joint, rulebook, choices).hash(&mut what);
        let bonus = rulebook.gives_rally_bonus(terrain);
        (lent, own_rph, bonus, keeps_dm, dm).hash(&mut what);
        Some(phases)
    }
}

/// The rolls that a unit can still make.
#[derive(Clone, Copy)]
struct Exposure {
    broken: bool,
    /// True if the unit can fail a MC while unbroken (19.1).
    fails: bool,
    /// True if the unit can try to rally without a leader (10.63).
    self_rallies: bool,
    /// True if the unit can roll for Heat of Battle (15.1).
    heat: bool,
    /// The number of further rolls by the half-squad to which the unit can be Reduced.
    reduced: u16,
    /// The number of further rolls by the counter that can replace the unit (19.1).
    replaced: u16,
}

impl Exposure {
    /// Returns the exposure of a unit of a question, or `None` if it never rolls for its morale.
    fn new(question: &Question, member: &Member) -> Option<Exposure> {
        let members = &question.stack.members;
        let leaders = || members.iter().filter(|other| other.is_leader());
        // Each other leader can be lost and cause a further check (10.2).
        let others = leaders().filter(|other| !std::ptr::eq(*other, member)).count() as u16;
        let broken = member.is(Condition::Broken);
        let unbroken_too = !broken || others > 0;
        let base = Exposure {
            broken: true,
            fails: unbroken_too,
            self_rallies: false,
            heat: question.heat_of_battle(),
            reduced: u16::MAX,
            replaced: others,
        };
        Some(match question.only_action() {
            // A unit that fails a PTC is pinned, which uses printed values only (7.305).
            Some(Action::Single(Stage::PinTaskCheck)) => return None,
            Some(Action::Single(Stage::MoraleCheck { .. })) => {
                Exposure { broken: broken || others > 0, reduced: others, ..base }
            }
            // A K result is followed by a MC (7.302).
            Some(action) if action.is_attack() => {
                Exposure { broken: broken || others > 0, reduced: others + 1, ..base }
            }
            Some(Action::Rally(rally)) => {
                // Only broken units roll in a Rally Phase, so an unbroken leader is never lost.
                let lost = leaders().any(|other| other.is(Condition::Broken));
                let others = if lost { others } else { 0 };
                if !broken && others == 0 {
                    return None;
                }
                let later = rally.phases.saturating_sub(1);
                Exposure {
                    fails: others > 0,
                    self_rallies: rally.leader.is_none(),
                    reduced: later + others,
                    // Only a check for a lost leader replaces it, not a failed rally (10.64).
                    replaced: if others > 0 { later + others - 1 } else { 0 },
                    ..base
                }
            }
            Some(Action::Interdict(_)) => base,
            _ => {
                let rallies = |step: &Step| matches!(step.action, Action::Rally(_));
                let self_rallies = question.steps.iter().any(rallies);
                Exposure { fails: true, self_rallies, replaced: u16::MAX, ..base }
            }
        })
    }

    /// Returns the values of a counter that this exposure uses, beside the printed ones.
    fn values(&self, counter: &Counter, broken_morale: bool) -> Vec<&'static str> {
        let can_fail = self.fails && counter.replacement != Replacement::Immune;
        let is_squad = counter.half_squad.is_some();
        let values = [
            (self.broken && broken_morale, "broken Morale Level"),
            (self.self_rallies, "Self-Rally"),
            (can_fail && !counter.kind.is_smc(), "underscored Morale"),
            (is_squad, "half-squad"),
            (can_fail, "Replacement"),
            (self.heat && !counter.kind.is_smc(), "class"),
            (self.heat && counter.hardening != Hardening::Exempt, "Battle Hardening"),
        ];
        values.into_iter().filter(|(bears, _)| *bears).map(|(_, value)| value).collect()
    }

    /// Returns the counters that can replace a counter and roll again, each with its own exposure.
    fn next(&self, counter: &Counter) -> Vec<(CounterId, Exposure)> {
        let fewer = |rolls: u16| if rolls == u16::MAX { rolls } else { rolls.saturating_sub(1) };
        let after =
            Exposure { reduced: fewer(self.reduced), replaced: fewer(self.replaced), ..*self };
        let replaced = counter.replacement.counter();
        let lesser = counter
            .lesser_half_squad
            .or_else(|| replaced.and_then(|lower| CATALOGUE.get(lower).half_squad));
        let next = [
            (counter.half_squad, self.reduced > 0 || self.replaced > 0),
            (replaced, self.fails && self.replaced > 0),
            (lesser, self.fails && self.replaced > 0),
            (counter.hardening.counter(), self.heat && self.replaced > 0),
        ];
        let next = next.into_iter().filter(|(_, rolls)| *rolls).filter_map(|(id, _)| id);
        next.map(|id| (id, after)).collect()
    }
}

/// Returns lines such as `german:8-0, german:8-1 (medium confidence): broken Morale Level`.
fn uncertain(question: &Question) -> Vec<String> {
    let mut stated: IndexMap<CounterId, IndexSet<&'static str>> = IndexMap::new();
    for member in &question.stack.members {
        let Some(exposure) = Exposure::new(question, member) else { continue };
        // Those with most rolls left come first, each with the confidence of what led to it.
        let mut met = IndexMap::from([(member.counter, (exposure, Confidence::High))]);
        let mut place = 0;
        while let Some((&id, &(exposure, mut sure))) = met.get_index(place) {
            // A broken morale set by the user replaces the value of the first counter.
            let broken_morale = place > 0 || member.broken_morale.is_none();
            let counter = CATALOGUE.get(id);
            let values = exposure.values(counter, broken_morale);
            if counter.confidence < sure && !values.is_empty() {
                stated.entry(id).or_default().extend(values);
                sure = counter.confidence;
            }
            for (next, exposure) in exposure.next(counter) {
                met.entry(next).or_insert((exposure, sure));
            }
            place += 1;
        }
    }
    let mut alike: IndexMap<(Confidence, Vec<&str>), Vec<String>> = IndexMap::new();
    for (id, values) in stated {
        let counter = CATALOGUE.get(id);
        let key = (counter.confidence, Vec::from_iter(values));
        alike.entry(key).or_default().push(counter.to_string());
    }
    let in_words = |((sure, values), counters): ((Confidence, Vec<&str>), Vec<String>)| {
        let (counters, values) = (counters.join(", "), values.join(", "));
        format!("{counters} ({} confidence): {values}", sure.name())
    };
    alike.into_iter().map(in_words).collect()
}
