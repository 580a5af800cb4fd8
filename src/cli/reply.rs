//! The reply of a command that answers a question, in all forms in which it can be shown.

use super::batch;
use super::fault::Failure;
use super::file_root::FileRoot;
use super::output::{OutputArguments, People, render, show, write};
use super::writer::print;
use crate::study::chart;
use crate::study::list_study::Answers;
use crate::study::number_table::{Numbers, TableDescription};
use answer::{Meta, Options, Sheet};
use api::Answer;
use asl::scenario::answer::RouterAnswer;
use charts::chart::Chart;
use play::Registry;
use render::Looks;
use render::layout::{Digits, aligned, aligned_to_width, paragraph};

/// A command that answers a question. A caller that shows the answer in its own way calls
/// `reply`.
pub trait ReplyCommand {
    /// Answers the question, which may read only files of `files`. Fails if the question is faulty
    /// or has no answer.
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply, Failure>;

    /// Returns the arguments for format and output file; `None` if the answer is always text on
    /// standard output.
    fn output(&self) -> Option<&OutputArguments>;

    /// Answers the question, and writes the answer to the requested output. Fails if there is no
    /// answer, or the answer cannot be written.
    fn run(&self, registry: &Registry) -> Result<(), Failure> {
        self.reply(registry, &FileRoot::anywhere())?.put(self.output())
    }
}

/// The answer of a command, with the options to show it.
#[expect(clippy::large_enum_variant, reason = "there is only one value of it")]
pub enum Reply {
    Answer {
        answer: Answer,
        looks: Looks,
        /// The options of the engines that computed the answer.
        options: Options<'static>,
        /// The heading of the map of a rout; empty without a map.
        title: String,
    },
    Lists {
        answers: Answers,
        /// True if all lines of a long table are shown.
        all: bool,
        digits: Digits,
    },
    Study(Studied),
    Facts(FileReport),
}

/// Facts that were read from files, not computed by an engine: a table, and its text for people.
pub struct FileReport {
    pub sheet: Sheet,
    /// The paragraphs between the question and the table; each ends with a newline.
    pub before: String,
    /// The paragraphs below the table; each ends with a newline.
    pub after: String,
    pub headings: Vec<String>,
    pub lines: Vec<Vec<String>>,
    /// Right alignment of each column, for numbers.
    pub right: Vec<bool>,
    pub charts: Vec<Chart>,
}

impl FileReport {
    fn words(&self) -> String {
        let table = match self.lines.is_empty() {
            true => String::new(),
            false => aligned_to_width(&self.headings, &self.lines, &self.right) + "\n",
        };
        let question = paragraph(&format!("{}.", self.sheet.meta.question));
        format!("{question}\n{}\n{table}{}", self.before, self.after)
    }

    fn markdown(&self) -> String {
        let table = aligned(&self.headings, &self.lines, &self.right, true);
        render::captioned(&self.sheet.meta, &format!("{}{}", self.before, self.after), &table)
    }

    fn put(&self, output: &OutputArguments) -> Result<(), Failure> {
        let drawn = output.chart.drawn(&self.charts, output.chart.file())?;
        let render = |people| {
            Ok(match people {
                People::OnScreen => self.words() + &drawn,
                People::InMarkdown => self.markdown(),
            })
        };
        write(output, render, &self.sheet)
    }
}

/// A study in memory, with one number for each cell (combination of varied values).
pub struct Studied {
    pub meant: TableDescription,
    pub numbers: Numbers,
    /// A note on the engines that computed the numbers.
    pub note: String,
    pub meta: Meta,
}

impl Reply {
    /// Creates a reply with default looks, except for the number of decimals.
    pub fn plain(answer: Answer, options: Options<'static>, digits: Digits) -> Reply {
        let looks = Looks { digits, ..Looks::default() };
        Reply::Answer { answer, looks, options, title: String::new() }
    }

    /// Writes the reply to the requested output; fails if that is impossible.
    pub fn put(&self, output: Option<&OutputArguments>) -> Result<(), Failure> {
        match (self, output) {
            (Reply::Answer { answer, looks, .. }, Some(output)) => show(output, answer, looks),
            (Reply::Lists { answers, all, .. }, Some(output)) => batch::show(answers, *all, output),
            (Reply::Facts(facts), Some(output)) => facts.put(output),
            _ => print(self.words()?),
        }
    }

    /// Renders the reply as text. Fails if the command is cancelled.
    pub fn words(&self) -> Result<String, Failure> {
        match self {
            Reply::Answer { answer, looks, .. } => render(answer, looks),
            Reply::Lists { answers, all, digits } => Ok(batch::text(answers, *all, *digits)),
            Reply::Study(studied) => {
                let (text, _) = studied.numbers.on_screen(&studied.meant, true, usize::MAX);
                Ok(format!("{text}\n{}\n", studied.note))
            }
            Reply::Facts(facts) => Ok(facts.words()),
        }
    }

    /// Renders the reply as a Markdown table with a caption. `heading` replaces the question in the
    /// caption. Returns `None` for an answer without a table.
    pub fn markdown(&self, heading: Option<&str>) -> Option<String> {
        let table = match self {
            Reply::Answer { answer, looks, .. } => {
                answer.sheet().map(|sheet| render::markdown(answer, &sheet, looks.digits))
            }
            Reply::Lists { answers, digits, .. } => Some(batch::markdown(answers, *digits)),
            Reply::Study(studied) => {
                let table = studied.numbers.markdown(&studied.meant);
                Some(render::captioned(&studied.meta, &studied.note, &table))
            }
            Reply::Facts(facts) => Some(facts.markdown()),
        }?;
        let meta = match self {
            Reply::Answer { answer, .. } => answer.meta(),
            Reply::Lists { answers, .. } => &answers.meta,
            Reply::Study(studied) => &studied.meta,
            Reply::Facts(facts) => &facts.sheet.meta,
        };
        let rest = table.strip_prefix(&render::heading(meta));
        Some(match heading.zip(rest) {
            Some((heading, rest)) => format!("**{heading}**{rest}"),
            None => table,
        })
    }

    /// Returns the charts that fit the reply, the preferred one first.
    pub fn charts(&self) -> Vec<Chart> {
        match self {
            Reply::Answer { answer, looks, .. } => render::chart::charts(answer, looks.counts),
            Reply::Lists { answers, .. } => chart::of_lists(answers),
            Reply::Study(studied) => {
                chart::charts(&studied.numbers, &studied.meant, &studied.note, None)
            }
            Reply::Facts(facts) => facts.charts.clone(),
        }
    }

    /// Draws the map of a rout; `heading` replaces its own heading. Returns the map as SVG and its
    /// description; `None` for other replies.
    pub fn picture(&self, heading: Option<&str>) -> Option<(String, String)> {
        let Reply::Answer { answer: Answer::Rout(routed), title, looks, .. } = self else {
            return None;
        };
        let situation = &routed.scenario.situation;
        let unit = |answered: &RouterAnswer| {
            let (plan, best) = answered.plans(situation).next()?;
            let name = situation.unit_called(answered.unit);
            Some(format!("{name}: {plan}, survives {}", looks.digits.percent(best.survives)))
        };
        let units: Vec<String> = routed.answers.iter().filter_map(unit).collect();
        let advice = if units.is_empty() { "nobody routs".to_string() } else { units.join("; ") };
        let own = routed.scenario.about.as_deref().unwrap_or(title);
        let heading = heading.unwrap_or(own);
        Some((
            render::rout::picture(routed, heading),
            format!("{}. Best: {advice}.", in_a_line(heading)),
        ))
    }
}

/// Joins a text into one line, without full stops at its end.
fn in_a_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches('.').to_string()
}
