//! How often each shot of a question is made, in words and as JSON.

use super::attack::final_protective::own_check;
use super::attack::report;
use super::kinds::QuestionKind;
use super::play::made::ShotReporter;
use super::question::Question;
use super::sequence::{Action, Step};
use answer::estimate::{Estimate, MOST_DROPPED, percent_to};
use answer::odds::{certain_figures, figures, is_too_big};
use answer::{Engine, Meta, Options, Reckoned, Trials};
use engine::exact::Bound;
use engine::process::Question as _;
use serde_json::{Value, json};

/// Bound of the states, a tenth of a second: the shots are an aside.
const BOUND: Bound = Bound { alive: 1 << 14, worked: 1 << 15, ..Bound::STANDARD };
/// Returns whether a shot is always made, as far as its estimate can tell.
fn is_certain(made: &Estimate) -> bool {
    made.probability() + MOST_DROPPED >= 1.0
}

/// The number of sequences where that is too little.
const TRIALS: u64 = 100_000;

impl Question {
    pub(super) fn has_conditions(&self) -> bool {
        let stops = |step: &Step| match &step.action {
            Action::Attack(attack) => attack.shots.as_ref().is_some_and(|plan| plan.stop.is_some()),
            // In Melee nobody fires at the stack.
            Action::CloseCombat(_) => true,
            _ => false,
        };
        self.steps.iter().any(|step| step.condition.is_some() || stops(step))
    }

    /// Returns how often each shot is made, with the numbers of its step and of the shot in it,
    /// from 1: exact if possible, else from some sequences.
    pub fn shots_made(&self) -> &[(u16, u8, Estimate)] {
        self.made.get_or_init(|| {
            // Without conditions nothing depends on the targets.
            let process = match self.has_conditions() {
                true => self.whole(),
                false => self.without_targets(),
            };
            let process = ShotReporter(process);
            let mut meta = Meta::default().exact();
            let certain = certain_figures(&process, BOUND, Some(MOST_DROPPED), &mut meta);
            let noted = match certain {
                Err(too_big) if is_too_big(&too_big) => {
                    let (engine, trials) = (Engine::MonteCarlo, Trials::Number(TRIALS));
                    let options = Options { engine, trials, ..Options::default() };
                    figures(&process, &options, Meta::default()).map(|(noted, _)| noted)
                }
                certain => certain,
            };
            let noted = noted.unwrap_or_default();
            let numbers = process.numbers().into_iter();
            numbers
                .map(|(point, step, shot)| {
                    let is_it = |((at, ()), _): &&((u16, ()), Estimate)| *at == point;
                    let nothing =
                        || noted.first().map_or(Estimate::plain(0.0), |(_, one)| one.of_none());
                    let made = noted.iter().find(is_it).map_or_else(nothing, |(_, made)| *made);
                    (step, shot, made)
                })
                .collect()
        })
    }

    /// Returns what is reckoned of each attack, and how often each of its shots is made; `None`
    /// without attacks.
    pub(super) fn reckoned(&self) -> Option<Reckoned> {
        if self.ask != QuestionKind::Fire && !self.is_sequence() {
            return None;
        }
        let fires = |step: &&Step| step.action.is_attack();
        let plans_shots = self.steps.iter().any(|step| step.action.fires_on());
        if !self.is_sequence() {
            let action = &self.steps.first()?.action;
            let mut reckoned = action.reckoned(&self.stack)?;
            if let Action::Attack(attack) = action
                && let Some((sentences, firers)) = own_check(self, attack)
            {
                reckoned.after.extend(sentences);
                reckoned.set("firers", firers);
            }
            if plans_shots {
                reckoned.set("made", self.made_json(1));
                reckoned.after.extend(self.made_in_words(1, ""));
            }
            return Some(reckoned);
        }
        let named = |step: &Step| matches!(step.action, Action::Attack(_));
        if !self.steps.iter().any(named) {
            return None;
        }
        let (mut attacks, mut after) = (Vec::new(), Vec::new());
        for (number, step) in (1..).zip(&self.steps).filter(|(_, step)| fires(step)) {
            let reckoned = step.action.reckoned(&self.stack).into_iter();
            let mut json =
                reckoned.flat_map(|of| of.json).next().map_or(Value::Null, |(_, json)| json);
            json["step"] = json!(number);
            json["made"] = self.made_json(number);
            attacks.push(json);
            after.extend(self.made_in_words(number, &format!("Step {number}: ")));
        }
        Some(Reckoned { json: vec![("attacks", attacks.into())], after, ..Reckoned::default() })
    }

    fn made_json(&self, step: u16) -> Value {
        let own = self.shots_made().iter().filter(|(of, ..)| *of == step);
        own.map(|(.., made)| report::estimate_json(made)).collect()
    }

    /// Returns how often the shots of a step are made, where that is not certain.
    fn made_in_words(&self, step: u16, start: &str) -> Option<String> {
        const SHOTS: [&str; 3] = ["first", "second", "third"];
        let own = || self.shots_made().iter().filter(|(of, ..)| *of == step);
        if own().all(|(.., made)| is_certain(made)) {
            return None;
        }
        let is_told = |(_, shot, made): &&(u16, u8, Estimate)| *shot > 1 || !is_certain(made);
        let words = own().filter(is_told).map(|(_, shot, made)| {
            let name = SHOTS.get(usize::from(*shot) - 1).copied().unwrap_or("next");
            format!("{name} shot {}", percent_to(made.probability(), 2))
        });
        Some(format!("{start}{} (A9.2).", words.collect::<Vec<_>>().join(", ")))
    }
}
