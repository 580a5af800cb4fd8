//! Comparison of courses of action, with the settings they share.

use serde_json::json;

use super::Refused;
use super::number_format::NumberFormat;
use super::odds::unbound;
use super::request::{Comparison, Context};
use answer::{Meta, Provenance, Sheet};
use engine::process::side_in_words;
use play::compare::COLUMNS;
use play::files::courses::COURSES;
use play::variations::selected;
use play::{CompareError, Compared, DynQuestion, Objective};

/// The result of a comparison.
pub struct ComparedQuestions {
    pub about: Option<String>,
    pub names: Vec<String>,
    pub metas: Vec<Meta>,
    pub objective: Objective,
    pub compared: Compared,
}

pub(super) fn compare(
    Comparison { about, courses, objective, variations }: Comparison,
    Context { command, options }: Context,
) -> Result<ComparedQuestions, Refused> {
    let (mut courses, options) = match variations {
        Some(option) => selected(courses, option, &objective, options)?,
        None => (courses, *options),
    };
    courses.truncate(*COURSES.end());
    let (names, courses): (Vec<String>, Vec<Box<dyn DynQuestion>>) = courses.into_iter().unzip();
    let metas: Vec<Meta> =
        courses.iter().map(|course| course.meta_of_course(command.clone())).collect();
    let compared = courses[0].compared(&courses, &objective, &options, of_all(&names, &metas));
    let compared = compared.map_err(|error| match error {
        CompareError::Course(error) => Refused::Engine { error, help: Some(TOO_BIG.into()) },
        CompareError::Engine(error) => Refused::Engine { error, help: Some(unbound()) },
    })?;
    let objective = objective.counting_in(compared.group);
    Ok(ComparedQuestions { about, names, metas, objective, compared })
}

const TOO_BIG: &str = "use fewer phases, Player Turns or units; `created-stay` and \
    `enemy-holds-fire` need more states";

impl ComparedQuestions {
    /// Returns every outcome of every course; the JSON also has the courses and the verdict.
    pub(super) fn sheet(&self) -> Sheet {
        let rows = self.compared.rows(&self.names).into_iter();
        let (rows, errors) = rows.map(|(row, error)| (row, json!(error))).unzip();
        let of_course = |(name, meta): (&String, &Meta)| {
            let mut course = json!({ "course": name, "question": meta.question });
            for (name, fact) in &meta.footing.facts {
                course[name] = json!(fact);
            }
            course["notes"] = json!(meta.notes);
            course
        };
        Sheet {
            columns: COLUMNS.to_vec(),
            rows,
            json_only: vec![("probability_std_error", errors)],
            lists: vec![
                ("courses", self.names.iter().zip(&self.metas).map(of_course).collect()),
                ("verdict", self.verdict().into()),
            ],
            meta: self.compared.meta.clone(),
        }
    }

    /// Returns a sentence that says which course is better, or that no difference is clear.
    pub fn verdict(&self) -> String {
        let verdict = &self.compared.verdict;
        let (best, next) = (&self.names[verdict.best], &self.names[verdict.next]);
        // The best course minus the next, in the quantity that the objective names.
        let by = match self.objective.is_minimized() {
            true => verdict.lead.reversed(),
            false => verdict.lead,
        };
        let several = self.compared.several();
        let format = NumberFormat::new(&self.objective, several, 2);
        let error = by.error.map(|error| format!(" (95 %: {})", format.interval(error)));
        let gain = format.gain(by.value, &self.objective.gain_in_words(several));
        let lead = gain + &error.unwrap_or_default();
        let side = format!("for {}", side_in_words(self.compared.side));
        let estimated = verdict.lead.error.is_some();
        match (verdict.lead.is_clear(), self.names.len() > 2) {
            (true, false) => format!("{best} is better {side}: {lead}."),
            (true, true) => format!("{best} is best {side}: {lead}; the next is {next}."),
            (false, false) if estimated => {
                format!("No difference is clear of its error: {best} has {lead}.")
            }
            (false, true) if estimated => {
                format!(
                    "Which is best {side} is not clear of the error: {best} has {lead}; the next is \
                        {next}."
                )
            }
            (false, false) => "There is no difference.".to_string(),
            (false, true) => {
                format!("There is no difference between {best} and {next}, the best {side}.")
            }
        }
    }
}

/// Returns metadata for all courses together. Settings that differ become `by course`.
fn of_all(names: &[String], metas: &[Meta]) -> Meta {
    let Some(first) = metas.first() else { return Meta::default() };
    let footings: Vec<_> = metas.iter().map(|meta| &meta.footing).collect();
    let named = |text: fn(&Meta) -> &str| {
        let named = names.iter().zip(metas);
        named.map(|(name, meta)| format!("{name}: {}", text(meta))).collect::<Vec<_>>()
    };
    let mut notes = Vec::new();
    if metas.iter().any(|meta| meta.footing.words != first.footing.words) {
        notes.extend(named(|meta| &meta.footing.words));
    }
    let all = once_each(metas.iter().flat_map(|meta| meta.notes.clone()).collect());
    notes.extend(all.into_iter().map(|note| {
        let has_it = |(_, meta): &(&String, &Meta)| meta.notes.contains(&note);
        let (with, without): (Vec<_>, Vec<_>) = names.iter().zip(metas).partition(has_it);
        let listed = |courses: &[(&String, &Meta)]| {
            courses.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        match without.len() {
            0 => note,
            few if few < with.len() => format!("all but {}: {note}", listed(&without)),
            _ => format!("{}: {note}", listed(&with)),
        }
    }));
    Meta {
        question: named(|meta| &meta.question).join(" | "),
        footing: Provenance::shared(&footings, "by course"),
        notes,
        uncertain: once_each(metas.iter().flat_map(|meta| meta.uncertain.clone()).collect()),
        ..first.clone()
    }
}

fn once_each(mut words: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}
