//! The reply of a command that answers a question, in all forms in which it can be shown.

use std::io;

use clap::{ArgMatches, Args};

use super::batch;
use super::fault::Result;
use super::field_args::FieldArgs;
use super::file_root::FileRoot;
use super::output::{Format, OutputArguments};
use super::stop::watch;
use super::writer::{colours_are_seen, print};
use crate::study::chart;
use crate::study::list_study::{Answers, Listing};
use crate::study::number_table::{Numbers, TableDescription};
use answer::{Meta, Options, Sheet, SheetSource};
use api::Answer;
use asl::scenario::answer::RouterAnswer;
use charts::chart::Chart;
use play::{DynQuestion, Game, Registry};
use render::Looks;
use render::layout::{Digits, aligned, aligned_to_width, paragraph};
use saves::SavedQuestion;
use schema::Kind;
use schema::field::single_spaced;

/// A command with arguments for the output of its answer.
#[derive(Debug, Args)]
pub struct WithOutput<C: Args> {
    #[command(flatten)]
    command: C,
    #[command(flatten)]
    output: OutputArguments,
}

impl<C: Args> WithOutput<C> {
    /// Returns the command changed by a function.
    pub fn map(self, change: impl FnOnce(C) -> C) -> Self {
        WithOutput { command: change(self.command), ..self }
    }
}

impl<C: Args + ReplyCommand> ReplyCommand for WithOutput<C> {
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply> {
        self.output.format()?;
        let mut reply = self.command.reply(registry, files)?;
        if let Reply::Answer { looks, .. } = &mut reply {
            looks.digits = self.output.digits();
        }
        Ok(reply)
    }

    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn write_files(&self, files: &FileRoot) -> Result<()> {
        self.command.write_files(files)
    }
}

/// A question as a course of a comparison.
pub struct CommandCourse {
    pub game: &'static dyn Game,
    pub kind: &'static Kind,
    pub question: Box<dyn DynQuestion>,
    /// The first given option on how to answer or what to show, which a course does not have.
    pub answer_option: Option<String>,
}

pub trait ReplyCommand {
    /// Answers the question, which may read only files of `files`.
    fn reply(&self, registry: &Registry, files: &FileRoot) -> Result<Reply>;

    /// Returns the command, parsed from `matches`, as a course of a comparison, with the fields
    /// `over` set too; `None` if it is no question.
    fn course(
        &self,
        _over: &FieldArgs,
        _matches: &ArgMatches,
        _files: &FileRoot,
    ) -> Option<Result<CommandCourse>> {
        None
    }

    /// Returns the arguments for the output; `None` if it is always text on standard output.
    fn output(&self) -> Option<&OutputArguments> {
        None
    }

    /// Writes the further files that the command names, which it does not in an article.
    fn write_files(&self, _files: &FileRoot) -> Result<()> {
        Ok(())
    }

    fn run(&self, registry: &Registry) -> Result<()> {
        let files = FileRoot::anywhere();
        let reply = self.reply(registry, &files)?;
        self.write_files(&files)?;
        reply.put(self.output())
    }
}

/// The answer of a command, with the options to show it.
#[expect(clippy::large_enum_variant, reason = "a run has one reply")]
pub enum Reply {
    Answer {
        answer: Answer,
        looks: Looks,
        /// The options of the engines that computed the answer.
        options: Options<'static>,
        /// The heading of the map of a rout; empty without a map.
        title: String,
        /// The paragraphs above the answer; each ends with a newline.
        before: String,
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
    /// Creates a reply with default looks.
    pub fn plain(answer: Answer, options: Options<'static>) -> Reply {
        let (looks, title, before) = (Looks::default(), String::new(), String::new());
        Reply::Answer { answer, looks, options, title, before }
    }

    /// Adds what was read from a save: above the answer, and its notes before those of the answer.
    pub fn with_save(mut self, saved: SavedQuestion) -> Reply {
        let SavedQuestion { about, mut notes, .. } = saved;
        match &mut self {
            Reply::Answer { answer, before, .. } => {
                *before = paragraph(&about);
                answer.meta_mut().notes.splice(0..0, notes);
            }
            Reply::Lists { answers, .. } => {
                notes.insert(0, about);
                answers.meta.notes.splice(0..0, notes);
            }
            Reply::Study(_) | Reply::Facts(_) => {}
        }
        self
    }

    /// Writes the reply to the requested output. An answer without a table is written as text.
    pub fn put(&self, output: Option<&OutputArguments>) -> Result<()> {
        let Some(output) = output else {
            return print(self.words(colours_are_seen(&io::stdout()))?);
        };
        let wanted = output.format()?;
        // The chart of a rout is its map, unless a kind of chart is named.
        let is_rout = matches!(self, Reply::Answer { answer: Answer::Rout(_), .. });
        let file = output.chart.file().filter(|_| !is_rout || output.chart.chart_kind.is_some());
        let drawn = output.chart.drawn(&self.charts(), file)?;
        let text = match wanted {
            Some(Format::Markdown) if let Some(table) = self.table(true) => table,
            Some(format) if let Some(source) = self.source(format != Format::Json) => {
                return output.write_table(format, source.as_ref());
            }
            _ => self.words(output.file().is_none() && colours_are_seen(&io::stdout()))? + &drawn,
        };
        output.write(|sink| sink.write_all(text.as_bytes()))
    }

    /// Renders the reply as text, with the answer in bold if `is_bold`. Fails if the command is
    /// cancelled.
    pub fn words(&self, is_bold: bool) -> Result<String> {
        Ok(match self {
            Reply::Answer { answer, looks, before, .. } => {
                let document = render::render(answer, looks, watch())?;
                let text = if is_bold { format!("{document:#}") } else { document.to_string() };
                before.clone() + &text
            }
            Reply::Lists { answers, all, digits } => batch::text(answers, *all, *digits),
            Reply::Study(studied) => {
                let (text, _) = studied.numbers.on_screen(&studied.meant, true, usize::MAX);
                format!("{text}\n{}\n", studied.note)
            }
            Reply::Facts(facts) => facts.words(),
        })
    }

    /// Returns all rows of the reply, or with `counts` its counts of units, if asked for.
    fn source(&self, counts: bool) -> Option<Box<dyn SheetSource + '_>> {
        match self {
            // As JSON a reckoning is an object alone.
            Reply::Answer { answer: Answer::Reckoning(reckoning), .. } if !counts => {
                Some(Box::new(reckoning.object()))
            }
            Reply::Answer { answer, looks, .. } => {
                Some(Box::new(answer_sheet(answer, counts && looks.counts)?))
            }
            Reply::Lists { answers, .. } => Some(Box::new(Listing::new(answers))),
            Reply::Study(_) => None,
            Reply::Facts(facts) => Some(Box::new(facts.sheet.clone())),
        }
    }

    /// Renders the rows of [`Reply::source`] as a Markdown table with a caption.
    fn table(&self, counts: bool) -> Option<String> {
        Some(match self {
            Reply::Answer { answer, looks, .. } => {
                let sheet = answer_sheet(answer, counts && looks.counts)?;
                render::markdown(answer, &sheet, looks)
            }
            Reply::Lists { answers, digits, .. } => batch::markdown(answers, *digits),
            Reply::Study(Studied { meant, numbers, note, meta }) => {
                render::captioned(meta, note, &numbers.markdown(meant))
            }
            Reply::Facts(facts) => facts.markdown(),
        })
    }

    /// Renders the reply as a Markdown table, if it has one. `heading` replaces the question.
    pub fn markdown(&self, heading: Option<&str>) -> Option<String> {
        let table = self.table(false)?;
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
            Reply::Study(Studied { meant, numbers, note, .. }) => {
                chart::charts(numbers, meant, note, None)
            }
            Reply::Facts(facts) => facts.charts.clone(),
        }
    }

    /// Returns the map of a rout as SVG, headed by `heading` if given, and its description.
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
        let line = single_spaced(heading);
        let label = format!("{}. Best: {advice}.", line.trim_end_matches('.'));
        Some((render::rout::picture(routed, heading), label))
    }
}

fn answer_sheet(answer: &Answer, counts: bool) -> Option<Sheet> {
    let (counts, meta) = match answer {
        Answer::Question(odds) if counts => (&odds.table.counts, &odds.table.meta),
        Answer::Rout(routed) if counts => (&routed.counts, &routed.meta),
        answer => return answer.sheet(),
    };
    counts.as_ref().map(|counts| counts.sheet(meta))
}
