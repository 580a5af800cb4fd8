//! `compare`: two or more courses of action side by side, with the difference and its error.

mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use serde_json::json;

use super::ask::{self, OutputArguments, PlainRunArguments, RuleArguments, blame, quoted, typed, whole, write};
use super::fault::Failure;
use crate::asl::question::{Question, Value};
use crate::asl::sequence::Step;
use crate::engine::EngineError;
use crate::study::compare::file::Courses;
use crate::study::compare::{COLUMNS, Comparable, compare};
use crate::study::form::Form;
use crate::table::{Meta, Sheet};
use told::Told;

pub const HELP: &str = "\
A comparison says what the courses share, what each has of its own, and what they are compared by:
  question = \"rally\"           # or fire, check, interdict, sequence (with [[step]] as in its file)
  objective = \"good-order\"     # or good-order-squads, survives, squad-equivalents, cvp;
                               # or weights of them: { good-order-squads = 1.0, cvp = -0.25 }
  [base]                       # the options of `lowcrawl rally`
  stack = \"german:4-6-7/dm\"
  [[course]]
  name = \"a 9-2 in the open\"
  leader = \"9-2\"
  [[course]]
  name = \"an 8-0 in woods\"
  leader = \"8-0\"
  terrain = \"woods\"
  [run]                        # engine, trials or precision, seed
A course of a sequence changes fields of its steps (2.fp = 8), or has its own as [[course.step]]. What counts is how
units stand after the last phase or step. Differences are to the first course; by Monte Carlo all courses meet the
same dice. Options given here hold in every course.";

/// Courses of action side by side.
#[derive(Debug, Args)]
pub struct Compare {
    /// Comparison file (TOML)
    file: PathBuf,
    /// ELR of the side
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    elr: Option<String>,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    run: PlainRunArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl Compare {
    pub fn run(&self) -> Result<(), Failure> {
        let path = self.file.display().to_string();
        let text = super::read_text(&self.file)?;
        let courses = Courses::parse(&text).map_err(|fault| Failure::argument(&path, &text, fault))?;
        self.compare(&courses, &path, &text, described)
    }

    /// Compares courses of any form; `describe` gives the meta of one of them.
    fn compare<F: Form>(
        &self,
        file: &Courses<F>,
        path: &str,
        text: &str,
        describe: impl Fn(&F::Filled, String) -> Meta,
    ) -> Result<(), Failure>
    where
        F::Filled: Comparable,
    {
        let in_file = |fault| Failure::argument(path, text, fault);
        let names = file.names();
        let finished = |course: usize| {
            let mut form = file.draft(course).map_err(in_file)?;
            self.fill(&mut form)?;
            form.finish().map_err(|error| in_file(file.place_fault(course, error)))
        };
        let courses = (0..names.len()).map(finished).collect::<Result<Vec<_>, _>>()?;
        let options = self.run.over(file.run())?;
        let command = self.command(options.seed);
        let metas: Vec<Meta> = courses.iter().map(|course| describe(course, command.clone())).collect();
        let compared = compare(&courses, &file.objective, &options, of_all(&names, &metas))
            .map_err(|error| Failure::Engine { error, help: Some("`--engine monte-carlo` has no such bound") })?;
        // The exact engine is over in a second and does not look; its answer is not wanted any more.
        if super::STOP.load(Ordering::Relaxed) {
            return Err(Failure::from(EngineError::Interrupted));
        }
        let told = Told { about: file.about(), names: &names, metas: &metas, objective: &file.objective, compared: &compared };
        let (rows, errors) = compared.rows(&names).into_iter().unzip();
        let of_course = |(name, meta): (&String, &Meta)| {
            let Meta { question, profile, switches, heat_of_battle, elr, notes, .. } = meta;
            json!({ "course": name, "question": question, "profile": profile, "switches": switches,
                "heat_of_battle": heat_of_battle, "elr": elr, "notes": notes })
        };
        let sheet = Sheet {
            columns: COLUMNS.to_vec(),
            rows,
            json_only: Some(("probability_std_error", errors)),
            lists: vec![("courses", names.iter().zip(&metas).map(of_course).collect()), ("verdict", told.verdict().into())],
            meta: compared.meta.clone(),
        };
        write(&self.output, &sheet, || told.text())
    }

    fn elr(&self) -> Option<Value<'_>> {
        self.elr.as_deref().map(whole)
    }

    /// The options that hold in every course.
    fn fill<F: Form>(&self, form: &mut F) -> Result<(), Failure> {
        if let Some(elr) = self.elr() {
            form.set("elr", elr).map_err(|fault| blame("elr", &[("elr", elr)], fault))?;
        }
        self.rules.fill(form)
    }

    fn command(&self, seed: u64) -> String {
        let file = quoted(&self.file.display().to_string());
        let elr = self.elr().map_or(String::new(), |elr| typed("elr", &elr));
        format!("lowcrawl compare {file}{elr}{}{}", self.rules.words(), self.run.words(seed))
    }
}

/// What the meta of a question says, with the steps of a sequence.
fn described(question: &Question, command: String) -> Meta {
    let mut meta = ask::meta(question, command);
    if question.is_sequence() {
        let step = |step: &Step| format!("{}{}", step.action, step.test.map_or(String::new(), |test| format!(", {test}")));
        meta.question += &format!(": {}", question.steps().iter().map(step).collect::<Vec<_>>().join("; "));
    }
    meta
}

/// What holds of all courses; of what differs from one to the other, that it does.
fn of_all(names: &[String], metas: &[Meta]) -> Meta {
    let Some(first) = metas.first() else { return Meta::default() };
    let with_name = |(name, meta): (&String, &Meta)| format!("{name}: {}", meta.question);
    let mut switches = BTreeMap::new();
    for (id, value) in metas.iter().flat_map(|meta| &meta.switches) {
        let shared = metas.iter().all(|meta| meta.switches.get(id) == Some(value));
        switches.insert(*id, if shared { *value } else { "by course" });
    }
    let mut notes = Vec::new();
    if metas.iter().any(|meta| meta.heat_of_battle != first.heat_of_battle) {
        notes.push("not all courses have Heat of Battle".to_string());
    }
    for (name, meta) in names.iter().zip(metas) {
        let shared = |note: &String| metas.iter().all(|meta| meta.notes.contains(note));
        let told = meta.notes.iter().map(|note| if shared(note) { note.clone() } else { format!("{name}: {note}") });
        notes.extend(told.collect::<Vec<_>>());
    }
    Meta {
        question: names.iter().zip(metas).map(with_name).collect::<Vec<_>>().join(" | "),
        profile: if metas.iter().all(|meta| meta.profile == first.profile) { first.profile } else { "by course" },
        switches,
        heat_of_battle: metas.iter().any(|meta| meta.heat_of_battle),
        notes: once_each(notes),
        uncertain: once_each(metas.iter().flat_map(|meta| meta.uncertain.clone()).collect()),
        ..first.clone()
    }
}

fn once_each(mut words: Vec<String>) -> Vec<String> {
    let mut told = std::collections::BTreeSet::new();
    words.retain(|word| told.insert(word.clone()));
    words
}
