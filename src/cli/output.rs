//! The output of an answer: as text or as a table in some format, to standard output or to a file.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::chart::ChartArguments;
use super::fault::Failure;
use super::stop::watch;
use super::writer::{colours_are_seen, print, print_by, write_file, write_file_by};
use crate::frame;
use answer::{Block, Counting, Sheet, SheetSource, json};
use api::Answer;
use engine::text::{Fault, canonical};
use render::Looks;
use render::layout::{self, Digits};
use schema::Kind;

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Every column, aligned
    Table,
    Csv,
    Json,
    /// For readers: phases side by side, in percent, with a caption
    Markdown,
    Parquet,
}

impl Format {
    /// Returns whether the format shows the single number of each cell (one combination of listed
    /// values).
    pub fn has_numbers(self) -> bool {
        matches!(self, Format::Json | Format::Markdown)
    }

    /// Returns the format that the extension of a file name implies; `None` means plain text.
    fn of_file(path: &Path) -> Result<Option<Format>, Failure> {
        let ending = match path.extension() {
            // The extension of a device or pipe has no meaning.
            Some(ending) if path.is_file() || !path.exists() => {
                canonical(&ending.to_string_lossy())
            }
            _ => return Ok(None),
        };
        if let Some((_, format)) = ENDINGS.iter().find(|(known, _)| *known == ending) {
            return Ok(*format);
        }
        let place = path.display().to_string();
        let fault = Fault::new(
            format!("unknown file extension `.{ending}`"),
            place.len() - (ending.len() + 1).min(place.len())..place.len(),
        );
        let endings: Vec<String> = ENDINGS.iter().map(|(ending, _)| format!(".{ending}")).collect();
        Err(Failure::argument(
            "--out",
            &place,
            fault.help(format!(
                "known: {}, where the last is plain text; with `--format csv` any name is allowed",
                endings.join(", ")
            )),
        ))
    }
}

/// The known file extensions and their formats; `None` means plain text.
const ENDINGS: [(&str, Option<Format>); 5] = [
    ("csv", Some(Format::Csv)),
    ("json", Some(Format::Json)),
    ("md", Some(Format::Markdown)),
    ("parquet", Some(Format::Parquet)),
    ("txt", None),
];

/// What to do with the answer.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Print every row and column in this format [default: from the extension of --out, or else
    /// words]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file; it appears only when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Decimals of the percentages of an answer in words, 0 to 12
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8)
        .range(0..=12))]
    digits: u8,
    #[command(flatten)]
    pub chart: ChartArguments,
}

impl OutputArguments {
    /// Returns the output file; `None` means standard output.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the number of decimals of percentages in text.
    pub fn digits(&self) -> Digits {
        Digits(self.digits.into())
    }

    /// Returns whether the format shows unit counts besides the rows, as text and JSON do. Fails
    /// like [`OutputArguments::format`].
    pub fn has_counts(&self) -> Result<bool, Failure> {
        self.format().map(|format| matches!(format, None | Some(Format::Json)))
    }

    /// Returns the requested format, or else that of the file name; `None` means plain text. Fails
    /// if chart and output are the same file, the extension is unknown, bars are requested for a
    /// table, or the chart arguments are invalid.
    pub fn format(&self) -> Result<Option<Format>, Failure> {
        self.chart.check()?;
        if let Some((chart, out)) =
            self.chart.file().zip(self.file()).filter(|(a, b)| is_same(a, b))
        {
            let place = out.display().to_string();
            let fault = Fault::new("this command already uses this file", 0..place.len());
            let help = fault.help(format!("--chart {}", chart.with_extension("svg").display()));
            return Err(Failure::argument("--out", &place, help));
        }
        let format = match (self.format, self.out.as_deref()) {
            (None, Some(path)) => Format::of_file(path)?,
            (format, _) => format,
        };
        if format.is_some() && self.chart.plots() {
            let fault = Fault::new("`--plot` works only with an answer in words", 0..0);
            return Err(Failure::argument(
                "--plot",
                "",
                fault.help("remove `--format` and `--out`"),
            ));
        }
        Ok(format)
    }

    /// Returns whether the output may have colours: no file is named, and [`colours_are_seen`] is
    /// true.
    pub fn has_colours(&self) -> bool {
        self.file().is_none() && colours_are_seen()
    }
}

/// The options for counts of units.
#[derive(Debug, Args)]
pub struct CountArguments {
    /// Count the units of a group by how they end, instead of listing outcomes [default: the first
    /// group that has units]
    #[arg(long, value_name = "GROUP", num_args = 0..=1, default_missing_value = "")]
    counts: Option<String>,
    /// Also count units created on the way
    #[arg(long)]
    with_created: bool,
}

impl CountArguments {
    /// Returns whether unit counts replace the outcomes.
    pub fn is_set(&self) -> bool {
        self.counts.is_some()
    }

    /// Returns the first of these options that is given; `None` if none is.
    pub fn option(&self) -> Option<&'static str> {
        let counts = self.counts.as_ref().map(|_| "--counts");
        counts.or(self.with_created.then_some("--with-created"))
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let counts = self.counts.as_ref().map(|group| format!(" --counts {group}"));
        let created = self.with_created.then(|| " --with-created".to_string());
        counts.into_iter().chain(created).map(|words| words.trim_end().to_string()).collect()
    }

    /// Returns the group to count. Without `--counts`, this is the implicit group, if the output
    /// shows counts besides outcomes.
    pub fn counting(
        &self,
        kind: &'static Kind,
        output: &OutputArguments,
    ) -> Result<Option<Counting>, Failure> {
        let implicit = Counting { with_created: self.with_created, ..Counting::IMPLICIT };
        match self.counts.as_deref() {
            None => Ok(output.has_counts()?.then_some(implicit)),
            Some("") if kind.groups.is_empty() => {
                let fault = Fault::new(format!("`{}` has no units to count", kind.name), 0..0);
                Err(Failure::argument("--counts", "", fault.help("remove it")))
            }
            Some("") => Ok(Some(Counting { is_requested: true, ..implicit })),
            Some(text) => {
                let group = kind.group(text);
                let group = group.map_err(|fault| Failure::argument("--counts", text, fault))?;
                Ok(Some(Counting { group: Some(group), is_requested: true, ..implicit }))
            }
        }
    }
}

/// Writes an answer in the requested format, or as text in the style of `looks`. An answer without
/// a table is always written as text.
pub fn show(output: &OutputArguments, answer: &Answer, looks: &Looks) -> Result<(), Failure> {
    let wanted = output.format()?;
    // The chart of a rout is its map, unless a kind of chart is named.
    let is_picture = matches!(answer, Answer::Rout(_)) && !output.chart.names_kind();
    let file = output.chart.file().filter(|_| !is_picture);
    let drawn = output.chart.drawn(&render::chart::charts(answer, looks.counts), file)?;
    let sheet = match answer {
        Answer::Question(odds) if looks.counts && wanted != Some(Format::Json) => {
            odds.table.counts.as_ref().map(|counts| counts.sheet(&odds.table.meta))
        }
        Answer::Rout(routed) if looks.counts && wanted != Some(Format::Json) => {
            routed.counts.as_ref().map(|counts| counts.sheet(&routed.meta))
        }
        answer => answer.sheet(),
    };
    let Some(sheet) = sheet else {
        return print(render(answer, looks)? + &drawn);
    };
    let content = |people| match people {
        People::OnScreen => Ok(render(answer, looks)? + &drawn),
        People::InMarkdown => Ok(render::markdown(answer, &sheet, looks.digits)),
    };
    write(output, content, &sheet)
}

/// Renders an answer as text for a terminal.
pub fn render(answer: &Answer, looks: &Looks) -> Result<String, Failure> {
    Ok(render::render(answer, looks, watch())?.to_string())
}

/// Returns whether two paths lead to the same file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let absolute_path =
        |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    absolute_path(one).is_some_and(|one| Some(one) == absolute_path(other))
}

/// A medium in which people read an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    OnScreen,
    InMarkdown,
}

/// Writes the text that `render` returns, or all rows of `source` if the format is for machines.
pub fn write(
    output: &OutputArguments,
    render: impl FnOnce(People) -> Result<String, Failure>,
    source: &dyn SheetSource,
) -> Result<(), Failure> {
    let format = output.format()?;
    let people = match format {
        None => People::OnScreen,
        Some(Format::Markdown) => People::InMarkdown,
        Some(format) => return write_table(output, format, source),
    };
    let content = render(people)?.into_bytes();
    match output.file() {
        Some(path) => write_file(path, &content),
        None => print(&content),
    }
}

fn write_table(
    output: &OutputArguments,
    format: Format,
    source: &dyn SheetSource,
) -> Result<(), Failure> {
    if format == Format::Parquet && output.out.is_none() {
        let fault =
            Fault::new("Parquet cannot be printed: name a file", 0..0).help("--out odds.parquet");
        return Err(Failure::argument("--format", "", fault));
    }
    let source = &UntilStopped(source);
    let content = |sink: &mut dyn io::Write| {
        match format {
            Format::Table | Format::Markdown => layout::write(source, sink)?,
            Format::Json => json::write(source, sink)?,
            Format::Csv => frame::write_csv_of(source, sink).map_err(frame::as_io)?,
            Format::Parquet => frame::write_parquet_of(source, sink).map_err(frame::as_io)?,
        }
        // An incomplete table of a cancelled command counts as a failure.
        watch().check_cancelled().map_err(io::Error::other)
    };
    let written = match output.file() {
        Some(path) => write_file_by(path, content),
        None => print_by(content),
    };
    watch().check_cancelled()?;
    written
}

/// A table that ends early if a signal cancels the command.
struct UntilStopped<'a>(&'a dyn SheetSource);

impl SheetSource for UntilStopped<'_> {
    fn head(&self) -> &Sheet {
        self.0.head()
    }

    fn height(&self) -> usize {
        self.0.height()
    }

    fn blocks(&self) -> Box<dyn Iterator<Item = Block<'_>> + '_> {
        Box::new(self.0.blocks().take_while(|_| watch().check_cancelled().is_ok()))
    }
}
