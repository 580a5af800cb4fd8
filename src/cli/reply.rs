//! What a command that asks has found, in every shape it can be shown in.

use super::fault::Failure;
use super::file_root::FileRoot;
use super::output::{OutputArguments, People, show, told_of, write};
use super::several;
use crate::study::listed::Answers;
use crate::study::told::{CellValue, Meant, Numbers};
use crate::table::layout::{Digits, aligned, fitted, paragraph};
use crate::table::{Cell, Meta, Sheet};
use crate::{chart, study};
use asl::scenario::answer::course_words;
use door::Answer;
use report::chart::Chart;
use screen::Looks;
use system::Registry;
use system::answer::Options;

/// A command that asks; whoever wants to show what it finds in his own way asks for its reply.
pub trait ReplyCommand {
    /// Answers it, from files that may be read.
    fn reply(&self, house: &Registry, files: &FileRoot) -> Result<Reply, Failure>;

    /// What is to become of the answer; nothing where it can only be told.
    fn output(&self) -> Option<&OutputArguments>;

    /// Answers it, and does what the command line says with the answer.
    fn run(&self, house: &Registry) -> Result<(), Failure> {
        self.reply(house, &FileRoot::anywhere())?.put(self.output())
    }
}

/// The findings of a command.
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum Reply {
    Answer {
        answer: Answer,
        looks: Looks,
        /// How it was answered.
        options: Options<'static>,
        /// The heading of its picture, where it has one.
        title: String,
    },
    Lists {
        answers: Answers,
        /// Whether every line of a long table is told.
        all: bool,
        digits: Digits,
    },
    Study(Studied),
    Facts(FileReport),
}

/// What was found in files rather than worked out by an engine: a table, and the same for people.
pub struct FileReport {
    pub sheet: Sheet,
    /// Paragraphs that stand between the question and the table, and below it; each ends its last
    /// line.
    pub before: String,
    pub after: String,
    pub headings: Vec<String>,
    pub lines: Vec<Vec<String>>,
    /// Which columns are numbers.
    pub right: Vec<bool>,
    pub charts: Vec<Chart>,
}

impl FileReport {
    fn words(&self) -> String {
        let table = match self.lines.is_empty() {
            true => String::new(),
            false => fitted(&self.headings, &self.lines, &self.right) + "\n",
        };
        let question = paragraph(&format!("{}.", self.sheet.meta.question));
        format!("{question}\n{}\n{table}{}", self.before, self.after)
    }

    fn markdown(&self) -> String {
        let table = aligned(&self.headings, &self.lines, &self.right, true);
        screen::captioned(&self.sheet.meta, &format!("{}{}", self.before, self.after), &table)
    }

    fn put(&self, output: &OutputArguments) -> Result<(), Failure> {
        let drawn = output.chart.drawn(&self.charts, output.chart.file())?;
        let told = |people| {
            Ok(match people {
                People::OnScreen => self.words() + &drawn,
                People::InMarkdown => self.markdown(),
            })
        };
        write(output, told, &self.sheet)
    }
}

/// A study in memory: the number of each cell.
pub struct Studied {
    pub meant: Meant,
    pub fields: Vec<String>,
    pub cells: Vec<(Vec<Cell>, Option<CellValue>)>,
    /// How it was come by.
    pub note: String,
    pub meta: Meta,
}

impl Studied {
    pub fn numbers(&self) -> Numbers<'_> {
        Numbers {
            fields: self.fields.iter().map(String::as_str).collect(),
            cells: self.cells.clone(),
            digits: Digits::default(),
        }
    }
}

impl Reply {
    /// One without looks of its own.
    pub fn plain(answer: Answer, options: Options<'static>, digits: Digits) -> Reply {
        let looks = Looks { digits, ..Looks::default() };
        Reply::Answer { answer, looks, options, title: String::new() }
    }

    /// Does what the command line says with it.
    pub fn put(&self, output: Option<&OutputArguments>) -> Result<(), Failure> {
        match (self, output) {
            (Reply::Answer { answer, looks, .. }, Some(output)) => show(output, answer, looks),
            (Reply::Lists { answers, all, .. }, Some(output)) => {
                several::show(answers, *all, output)
            }
            (Reply::Facts(facts), Some(output)) => facts.put(output),
            _ => super::print(self.words()?),
        }
    }

    /// Told in words.
    pub fn words(&self) -> Result<String, Failure> {
        match self {
            Reply::Answer { answer, looks, .. } => told_of(answer, looks),
            Reply::Lists { answers, all, digits } => Ok(several::text(answers, *all, *digits)),
            Reply::Study(studied) => {
                let (text, _) = studied.numbers().on_screen(&studied.meant, true, usize::MAX);
                Ok(format!("{text}\n{}\n", studied.note))
            }
            Reply::Facts(facts) => Ok(facts.words()),
        }
    }

    /// As a table in Markdown below how it was come by, under a heading in place of the question;
    /// nothing of what has none.
    pub fn markdown(&self, heading: Option<&str>) -> Option<String> {
        let table = match self {
            Reply::Answer { answer, looks, .. } => {
                answer.sheet().map(|sheet| screen::markdown(answer, &sheet, looks.digits))
            }
            Reply::Lists { answers, digits, .. } => Some(several::markdown(answers, *digits)),
            Reply::Study(studied) => {
                let table = studied.numbers().markdown(&studied.meant);
                Some(screen::captioned(&studied.meta, &studied.note, &table))
            }
            Reply::Facts(facts) => Some(facts.markdown()),
        }?;
        let meta = match self {
            Reply::Answer { answer, .. } => answer.meta(),
            Reply::Lists { answers, .. } => &answers.meta,
            Reply::Study(studied) => &studied.meta,
            Reply::Facts(facts) => &facts.sheet.meta,
        };
        let rest = table.strip_prefix(&screen::heading(meta));
        Some(match heading.zip(rest) {
            Some((heading, rest)) => format!("**{heading}**{rest}"),
            None => table,
        })
    }

    /// The charts that fit it, the best first.
    pub fn charts(&self) -> Vec<Chart> {
        match self {
            Reply::Answer { answer, looks, .. } => screen::chart::charts(answer, looks.counts),
            Reply::Lists { answers, .. } => chart::of_lists(answers),
            Reply::Study(studied) => {
                study::chart::charts(&studied.numbers(), &studied.meant, &studied.note, None)
            }
            Reply::Facts(facts) => facts.charts.clone(),
        }
    }

    /// The picture of a rout, under a heading in place of its own, and what it shows in words.
    pub fn picture(&self, heading: Option<&str>) -> Option<(String, String)> {
        let Reply::Answer { answer: Answer::Rout(routed), title, looks, .. } = self else {
            return None;
        };
        let situation = &routed.scenario.situation;
        let unit = |answered: &asl::scenario::answer::RouterAnswer| {
            let best = answered.found.courses.first();
            let name = situation.unit_called(answered.unit);
            best.map(|best| {
                let survives = looks.digits.percent(best.summary().survives);
                format!("{name}: {}, survives {survives}", course_words(situation, best))
            })
        };
        let units: Vec<String> = routed.answers.iter().filter_map(unit).collect();
        let said = if units.is_empty() { "nobody routs".to_string() } else { units.join("; ") };
        let own = routed.scenario.about.as_deref().unwrap_or(title);
        let heading = heading.unwrap_or(own);
        Some((
            screen::rout::picture(routed, heading),
            format!("{}. Best: {said}.", in_a_line(heading)),
        ))
    }
}

/// A text in one line, without the end of its last sentence.
fn in_a_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches('.').to_string()
}
