//! The `compare` command: compares courses of action by value, with errors of the differences.

use std::path::PathBuf;

use clap::Args;

use super::fault::{Failure, Result};
use super::field_args::OverrideArgs;
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{Reply, ReplyCommand};
use super::run::PlainRunArguments;
use super::shell_words::quoted;
use api::Request;
use api::request::Comparison;
use play::files::courses::Course;
use play::{Courses, Registry};

pub const HELP: &str = "\
A comparison file has the fields that all courses share, the fields of each course, and an \
objective:
  question = \"rally\"           # or fire, check, interdict, campaign, or sequence
                               # with [[step]] as in a sequence file
  objective = \"good-order\"     # or good-order-squads, survives, squad-equivalents, cvp;
                               # or weights of them: { good-order-squads = 1.0, cvp = -0.25 };
                               # or a count of units: \"mmc holds\", \"mmc holds >= 2\"
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
A course of a sequence changes fields of its steps (2.fp = 8), or has its own as [[course.step]]. \
The objective is evaluated after the last phase or step. Differences are to the first course. With \
Monte Carlo all courses use the same dice. Options given here apply to every course. In a \
campaign, a rally or a sequence a course may name its `policy`: `lowcrawl help compare` lists \
them, and every key; `best` is the best play for the objective.
A file of another morale system names it at the top (system = \"NAME\"). Its questions and fields \
are those of its commands.
An unknown objective or policy lists the known ones.";

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new compare --out compare.toml",
    "lowcrawl compare compare.toml",
    "lowcrawl compare compare.toml --elr 2 --format csv",
];

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Comparison file (TOML)
    file: PathBuf,
    #[command(flatten)]
    over: OverrideArgs,
    #[command(flatten)]
    run: PlainRunArguments,
}

impl ReplyCommand for Compare {
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        let path = self.file.display().to_string();
        let text = files.text(&self.file)?;
        let in_file = |fault| Failure::file(&path, &text, fault);
        let file = Courses::parse(&text, true, registry).map_err(in_file)?;
        let given = &self.over.given;
        let finished = |course: &Course| {
            let mut form = course.question.form().boxed();
            given.fill(form.as_mut())?;
            Ok((course.name.clone(), file.finish(course, form.as_ref()).map_err(in_file)?))
        };
        let courses = file.courses.iter().map(finished).collect::<Result<_>>()?;
        let options = self.run.over(file.engine_request)?;
        let (about, objective) = (file.about.clone(), file.objective.clone());
        let request = Request::Compare(Comparison { about, courses, objective });
        let (place, run) = (quoted(&path), self.run.words(options.seed));
        let command = format!("lowcrawl compare {place}{}{run}", given.words());
        let answer = ask(request, command, &options)
            .map_err(|refused| Failure::from(refused).in_file(&self.file))?;
        Ok(Reply::plain(answer, options))
    }
}
