//! `compare`: two or more courses of action side by side, with the difference and its error.

mod told;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use serde_json::json;

use super::ask::{self, RuleArguments};
use super::fault::Failure;
use super::output::{OutputArguments, write};
use super::run::PlainRunArguments;
use super::typed::{blame, quoted, typed, whole};
use crate::asl::campaign::LaneCampaign;
use crate::asl::question::{Question, Value};
use crate::course::line::Line;
use crate::course::objective::Objective;
use crate::engine::EngineError;
use crate::study::answer::{Engine, Trials};
use crate::study::compare::campaign::CampaignCourse;
use crate::study::compare::file::{Courses, Kinds, parse};
use crate::study::compare::policy::{BEST, Ruled};
use crate::study::compare::stack::StackCourse;
use crate::study::compare::{COLUMNS, Comparable, compare};
use crate::study::systems::{self, with_system};
use crate::system::form::Form;
use crate::system::{Footing, System};
use crate::table::json::fact_value;
use crate::table::{Meta, Sheet};
use crate::text::canonical;
use told::Told;

pub const HELP: &str = "\
A comparison says what the courses share, what each has of its own, and what they are compared by:
  question = \"rally\"           # or fire, check, interdict, sequence (with [[step]] as in its file), campaign
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
same dice. Options given here hold in every course. Of a campaign, a rally or a sequence a course may name its
`policy`: the README lists them; `best` is the best play for the objective.
A file of another morale system names it at the top (system = \"NAME\"): questions and fields are those of its commands; an
objective or a policy that is not known is answered with those that are.";

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
        let in_file = |fault| Failure::argument(&path, &text, fault);
        let system = systems::named(&text).map_err(in_file)?;
        if let Some(done) = with_system!(system, System => self.of_system::<System>(&path, &text)) {
            return done;
        }
        match parse(&text).map_err(in_file)? {
            Kinds::Stacks(file) => {
                let (names, filled) = self.filled(&file, &path, &text)?;
                let describe =
                    |ruled: &Ruled<Question>, command| with_policy(ask::described(&ruled.question, command), &ruled.policy);
                let asked = Wanted { names: &names, about: file.about(), objective: &file.objective, run: file.run() };
                self.compare(asked, filled, describe, |_, ruled| StackCourse::new(ruled, &file.objective).map_err(too_big))
            }
            Kinds::Campaigns(file) => {
                let (names, filled) = self.filled(&file, &path, &text)?;
                let asked = Wanted { names: &names, about: file.about(), objective: &file.objective, run: file.run() };
                let describe = |ruled: &Ruled<LaneCampaign>, command| {
                    let policy = ruled.policy.clone().unwrap_or(BEST.to_string());
                    with_policy(super::solve::described(&ruled.question, command), &Some(policy))
                };
                self.compare(asked, filled, describe, |course, ruled| {
                    let line = CampaignCourse::line(&ruled).map_err(|error| in_file(file.place_fault(course, error)))?;
                    CampaignCourse::new(&ruled.question, line, &file.objective).map_err(too_big)
                })
            }
        }
    }

    /// Courses of a system other than the first.
    fn of_system<S: System>(&self, path: &str, text: &str) -> Result<(), Failure> {
        let in_file = |fault| Failure::argument(path, text, fault);
        let file = systems::courses::<S>(text, true).map_err(in_file)?;
        let (names, filled) = self.filled(&file, path, text)?;
        let asked = Wanted { names: &names, about: file.about(), objective: &file.objective, run: file.run() };
        let describe = |ruled: &Ruled<S::Question>, command| with_policy(Meta::of(&ruled.question, command), &ruled.policy);
        self.compare(asked, filled, describe, |course, Ruled { question, policy }| match policy.as_deref() {
            Some(policy) if canonical(policy) == BEST => Line::best(question, &file.objective).map_err(too_big),
            policy => Line::named(question, policy).map_err(|error| in_file(file.place_fault(course, error))),
        })
    }

    /// The names of the courses, and each filled in.
    fn filled<F: Form>(&self, file: &Courses<F>, path: &str, text: &str) -> Result<(Vec<String>, Vec<F::Filled>), Failure> {
        let in_file = |fault| Failure::argument(path, text, fault);
        let names = file.names();
        let finished = |course: usize| {
            let mut form = file.draft(course).map_err(in_file)?;
            self.fill(&mut form)?;
            form.finish().map_err(|error| in_file(file.place_fault(course, error)))
        };
        let filled = (0..names.len()).map(finished).collect::<Result<Vec<_>, _>>()?;
        Ok((names, filled))
    }

    /// Compares courses of any form; `describe` gives the meta of one of them, `course` makes it one.
    fn compare<Q, C: Comparable>(
        &self,
        asked: Wanted,
        filled: Vec<Q>,
        describe: impl Fn(&Q, String) -> Meta,
        course: impl Fn(usize, Q) -> Result<C, Failure>,
    ) -> Result<(), Failure> {
        let Wanted { names, about, objective, run } = asked;
        let options = self.run.over(run)?;
        let command = self.command(options.seed);
        let metas: Vec<Meta> = filled.iter().map(|question| describe(question, command.clone())).collect();
        let courses =
            filled.into_iter().enumerate().map(|(number, question)| course(number, question)).collect::<Result<Vec<_>, _>>()?;
        let compared = compare(&courses, objective, &options, of_all(names, &metas))
            .map_err(|error| Failure::Engine { error, help: Some("`--engine monte-carlo` has no such bound") })?;
        if let Some(error) = courses.iter().find_map(Comparable::failure) {
            return Err(too_big(error));
        }
        // The exact engine is over in a second and does not look; its answer is not wanted any more.
        if super::STOP.load(Ordering::Relaxed) {
            return Err(Failure::from(EngineError::Interrupted));
        }
        let told = Told { about, names, metas: &metas, objective, compared: &compared };
        let (rows, errors) = compared.rows(names).into_iter().unzip();
        let of_course = |(name, meta): (&String, &Meta)| {
            let mut course = json!({ "course": name, "question": meta.question });
            for (name, fact) in &meta.footing.facts {
                course[name] = fact_value(fact);
            }
            course["notes"] = json!(meta.notes);
            course
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

/// What is compared, and how.
struct Wanted<'a> {
    names: &'a [String],
    about: Option<&'a str>,
    objective: &'a Objective,
    run: (Engine, Trials, u64),
}

/// A course whose best play is beyond the bound.
fn too_big(error: EngineError) -> Failure {
    Failure::Engine {
        error,
        help: Some("ask for fewer phases, Player Turns or units; `created-stay` and `enemy-holds-fire` make it bigger"),
    }
}

/// The same with the policy, where one is named.
fn with_policy(meta: Meta, policy: &Option<String>) -> Meta {
    let policy = policy.as_ref().map_or(String::new(), |policy| format!("; policy: {policy}"));
    Meta { question: format!("{}{policy}", meta.question), ..meta }
}

/// What holds of all courses; of what differs from one to the other, that it does.
fn of_all(names: &[String], metas: &[Meta]) -> Meta {
    let Some(first) = metas.first() else { return Meta::default() };
    let with_name = |(name, meta): (&String, &Meta)| format!("{name}: {}", meta.question);
    let footing = Footing::shared(&metas.iter().map(|meta| &meta.footing).collect::<Vec<_>>(), "by course");
    let mut notes = Vec::new();
    if metas.iter().any(|meta| meta.footing.words != first.footing.words) {
        notes.extend(names.iter().zip(metas).map(|(name, meta)| format!("{name}: {}", meta.footing.words)));
    }
    for (name, meta) in names.iter().zip(metas) {
        let shared = |note: &String| metas.iter().all(|meta| meta.notes.contains(note));
        let told = meta.notes.iter().map(|note| if shared(note) { note.clone() } else { format!("{name}: {note}") });
        notes.extend(told.collect::<Vec<_>>());
    }
    Meta {
        question: names.iter().zip(metas).map(with_name).collect::<Vec<_>>().join(" | "),
        footing,
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
