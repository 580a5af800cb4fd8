//! `compare`: two or more courses of action side by side, with the difference and its error.

mod told;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::fault::Failure;
use super::output::{OutputArguments, write};
use super::over::Over;
use super::run::PlainRunArguments;
use super::typed::quoted;
use crate::door::House;
use crate::study::courses::Courses;
use crate::system::Footing;
use crate::system::asking::Asking;
use crate::system::compare::{COLUMNS, CompareError};
use crate::table::json::fact_value;
use crate::table::{Meta, Sheet};
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
    #[command(flatten)]
    over: Over,
    #[command(flatten)]
    run: PlainRunArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl Compare {
    pub fn run(&self, house: &House) -> Result<(), Failure> {
        let path = self.file.display().to_string();
        let text = super::read_text(&self.file)?;
        let in_file = |fault| Failure::argument(&path, &text, fault);
        let file = Courses::parse(&text, true, house).map_err(in_file)?;
        let (names, objective) = (&file.names(), &file.objective);
        let finished = |course: usize| {
            let mut form = file.draft(course).map_err(in_file)?;
            self.over.given.fill(form.as_mut())?;
            form.finish().map_err(|error| in_file(file.place_fault(course, error)))
        };
        let courses: Vec<Box<dyn Asking>> = (0..names.len()).map(finished).collect::<Result<_, _>>()?;
        let options = self.run.over(file.run())?;
        let command = self.command(options.seed);
        let metas: Vec<Meta> = courses.iter().map(|course| course.meta_of_course(command.clone())).collect();
        let compared = courses[0].compared(&courses, objective, &options, of_all(names, &metas));
        let compared = compared.map_err(|error| match error {
            CompareError::Course(error) => Failure::Engine { error, help: Some(TOO_BIG) },
            CompareError::Engine(error) => Failure::Engine { error, help: Some("`--engine monte-carlo` has no such bound") },
        })?;
        let told = Told { about: file.about(), names, metas: &metas, objective, compared: &compared };
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

    fn command(&self, seed: u64) -> String {
        let file = quoted(&self.file.display().to_string());
        format!("lowcrawl compare {file}{}{}", self.over.given.words(), self.run.words(seed))
    }
}

const TOO_BIG: &str = "ask for fewer phases, Player Turns or units; `created-stay` and `enemy-holds-fire` make it bigger";

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
