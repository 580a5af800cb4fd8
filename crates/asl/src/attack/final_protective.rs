//! Final Protective Fire (8.31): the odds of the NMC that the firers take by the DR of the attack.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::aftermath::{NEVER, add, selected, times};
use super::named::NamedAttack;
use super::report::{odds_text, percent};
use crate::counting::CLASSES;
use crate::play::firers_check::FirersCheck;
use crate::question::{Question, QuestionKind};
use crate::rulebook::Switch;
use crate::sequence::{Action, Step};
use crate::stack::{Member, Stack};
use crate::vocabulary::{Choices, Outcome, Report, Scene, Stage, Status};
use engine::exact::{Bound, Fraction, odds};
use engine::process::Question as _;
use schema::StatusClass;

/// The ELR of firers that have none of their own.
const ELR: u8 = 3;
/// An ELR that no NMC fails by more.
const NO_ELR: u8 = 12;

/// What becomes of a firer by its own check: the odds of each status.
struct CheckedFirer {
    name: String,
    ends: BTreeMap<Status, Fraction>,
}

/// Returns what the NMC of FPF does to the firers of an attack on the stack of `question`, as
/// sentences and as JSON; `None` if they take none.
pub(crate) fn own_check(question: &Question, attack: &NamedAttack) -> Option<(Vec<String>, Value)> {
    let checked = checked(question, attack)?;
    let mut told: IndexMap<String, usize> = IndexMap::new();
    for firer in &checked {
        *told.entry(firer.sentence()).or_default() += 1;
    }
    let sentence = |(sentence, number): (String, usize)| match number {
        1 => sentence,
        _ => sentence.replacen(':', &format!(" (each of {number}):"), 1),
    };
    let sentences = told.into_iter().map(sentence).map(|one| format!("By the same DR, {one}"));
    Some((sentences.collect(), checked.iter().map(CheckedFirer::to_json).collect()))
}

/// Returns the firers with the odds of their ends; `None` if there are none.
fn checked(question: &Question, attack: &NamedAttack) -> Option<Vec<CheckedFirer>> {
    let locations = &attack.reckoning.checking;
    let number = locations.iter().map(Vec::len).sum::<usize>();
    let mut all = Vec::new();
    for members in locations {
        let members: &Vec<Member> = &members.iter().map(|(_, member)| member.clone()).collect();
        let first = all.len();
        let named = |member: &Member| CheckedFirer {
            name: member.printed().printed().to_string(),
            ends: BTreeMap::new(),
        };
        all.extend(members.iter().map(named));
        let engagement = of_firers(question, members).whole();
        for original in 2..=12u8 {
            let ways = Fraction::new(6 - u128::from(original.abs_diff(7)), 36);
            // One of several is selected for Heat of Battle, or the Original 12.
            let struck = match original {
                2 | 12 => selected(number, number),
                _ => vec![(u32::MAX, Fraction::new(1, 1))],
            };
            for (struck, chance) in struck {
                let struck = struck >> first;
                let check = FirersCheck { engagement: (*engagement).clone(), original, struck };
                let weight = times(ways, chance);
                for chance in odds(&check, Bound::STANDARD).ok()?.chances {
                    let (Outcome::Unit(end), Some(odds)) = (chance.outcome, chance.fraction) else {
                        continue;
                    };
                    let place = first + usize::from(end.slot) - 1;
                    // Created heroes have further slots.
                    if usize::from(end.slot) <= members.len() {
                        let sum = all[place].ends.entry(end.status).or_insert(NEVER);
                        add(sum, times(weight, odds));
                    }
                }
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Returns the question about a NMC of the firers, in the situation of the question about a target.
fn of_firers(question: &Question, members: &[Member]) -> Question {
    let rulebook = question.rulebook;
    let mut members = members.to_vec();
    if rulebook.chooses(Switch::FinalProtectiveFireSparesElr) {
        members.iter_mut().for_each(|member| member.elr = Some(NO_ELR));
    }
    let stack = Stack { members, ..Stack::default() };
    let action = Action::Single(Stage::MoraleCheck { drm: 0 });
    Question {
        ask: QuestionKind::Check,
        stack,
        steps: vec![Step { action, condition: None }],
        scene: Scene { captor: false, ..question.scene },
        elr: ELR,
        report: Report::Units,
        rulebook,
        choices: Choices::default(),
        notes: Vec::new(),
        made: OnceLock::new(),
        snipers: None,
        followed: None,
        called: OnceLock::new(),
    }
}

impl CheckedFirer {
    /// Returns the odds of some statuses together.
    fn odds(&self, statuses: &[&str]) -> Fraction {
        let mut sum = NEVER;
        let is_meant = |status: &&Status| statuses.contains(&status.name());
        self.ends.keys().filter(is_meant).for_each(|status| add(&mut sum, self.ends[status]));
        sum
    }

    fn sentence(&self) -> String {
        let pinned = self.odds(&[Status::Pinned.name()]);
        let class = |(place, class): (usize, &StatusClass)| {
            let odds = self.odds(class.statuses);
            let words = format!("{} {}", class.name, percent(odds));
            let words = match place == 0 && pinned.numerator > 0 {
                true => format!("{words} (pinned {})", percent(pinned)),
                false => words,
            };
            (odds.numerator > 0).then_some(words)
        };
        let classes: Vec<String> = CLASSES.iter().enumerate().filter_map(class).collect();
        format!("{}: {} (A8.31).", self.name, classes.join(", "))
    }

    fn to_json(&self) -> Value {
        let end = |(status, odds): (&Status, &Fraction)| {
            (status.name().to_string(), Value::from(odds_text(*odds)))
        };
        json!({ "name": self.name, "ends": self.ends.iter().map(end).collect::<Value>() })
    }
}
