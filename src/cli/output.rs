//! The output of an answer: as text or as a table in some format, to standard output or to a file.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::chart::ChartArguments;
use super::fault::{Failure, Result};
use super::stop::watch;
use super::writer::{print_by, write_file_by};
use crate::frame;
use answer::{Block, Counting, Sheet, SheetSource, json};
use engine::text::{Fault, canonical};
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
    /// Returns the format that the extension of a file name implies; `None` means plain text.
    fn of_file(path: &Path) -> Result<Option<Format>> {
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
        let span = place.len() - (ending.len() + 1).min(place.len())..place.len();
        let fault = Fault::new(format!("unknown file extension `.{ending}`"), span);
        let endings = ENDINGS.map(|(ending, _)| format!(".{ending}")).join(", ");
        let help = format!(
            "known: {endings}, where the last is plain text; with `--format csv` any name is \
                allowed"
        );
        Err(Failure::argument("--out", &place, fault.help(help)))
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

const MOST_DECIMALS: u8 = 12;

/// The heading in help of options on what to show, and where.
pub const OUTPUT: &str = "Output";

/// What to do with the answer.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub struct OutputArguments {
    /// Print every row and column in this format [default: from the extension of --out, or else
    /// words]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file; it appears only when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Decimals of the percentages of an answer in words, 0 to 12
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = decimals)]
    digits: u8,
    #[command(flatten)]
    pub chart: ChartArguments,
}

impl OutputArguments {
    /// Returns the output file; `None` means standard output.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| *path != Path::new("-"))
    }

    pub fn digits(&self) -> Digits {
        Digits(self.digits.into())
    }

    /// Returns the requested format, or that of the file name (`None`: text), after all checks.
    pub fn format(&self) -> Result<Option<Format>> {
        self.chart.check()?;
        if let (Some(chart), Some(out)) = (self.chart.file(), self.file())
            && is_same(chart, out)
        {
            let help = format!("--chart {}", chart.with_extension("svg").display());
            let message = "this command already uses this file";
            return Err(Failure::refused("--out", &out.display().to_string(), message).help(help));
        }
        let format = match (self.format, self.out.as_deref()) {
            (None, Some(path)) => Format::of_file(path)?,
            (format, _) => format,
        };
        if format.is_some() && self.chart.plot {
            let message = "`--plot` works only with an answer in words";
            let help = "remove `--format` and `--out`";
            return Err(Failure::refused("--plot", "", message).help(help));
        }
        Ok(format)
    }

    /// Writes what `content` produces to the output file or to standard output.
    pub fn write(&self, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<()> {
        match self.file() {
            Some(path) => write_file_by(path, content),
            None => print_by(content),
        }
    }

    /// Writes all rows of `source` in `format`. Fails if the command is cancelled.
    pub fn write_table(&self, format: Format, source: &dyn SheetSource) -> Result<()> {
        if format == Format::Parquet && self.out.is_none() {
            let message = "Parquet cannot be printed: name a file";
            return Err(Failure::refused("--format", "", message).help("--out odds.parquet"));
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
        let written = self.write(content);
        watch().check_cancelled()?;
        written
    }
}

/// The options for counts of units.
#[derive(Debug, Args)]
#[command(next_help_heading = OUTPUT)]
pub struct CountArguments {
    /// Count the units of a group by how they end, instead of listing outcomes [default: the first
    /// group that has units]
    #[arg(long, value_name = "GROUP", num_args = 0..=1, default_missing_value = "")]
    pub counts: Option<String>,
    /// Also count units created on the way
    #[arg(long)]
    with_created: bool,
}

impl CountArguments {
    /// Returns the first of these options that is given; `None` if none is.
    pub fn option(&self) -> Option<&'static str> {
        let counts = self.counts.as_ref().map(|_| "--counts");
        counts.or(self.with_created.then_some("--with-created"))
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let counts = self.counts.as_ref().map(|group| format!(" --counts {group}"));
        let created = if self.with_created { " --with-created" } else { "" };
        counts.unwrap_or_default().trim_end().to_string() + created
    }

    /// Returns the group to count: by `--counts`, or implicit if the output shows counts too.
    pub fn counting(
        &self,
        kind: &'static Kind,
        output: &OutputArguments,
    ) -> Result<Option<Counting>> {
        let implicit = Counting { with_created: self.with_created, ..Counting::IMPLICIT };
        match self.counts.as_deref() {
            None => {
                let has_counts = matches!(output.format()?, None | Some(Format::Json));
                Ok(has_counts.then_some(implicit))
            }
            Some("") if kind.groups.is_empty() => {
                let message = format!("`{}` has no units to count", kind.name);
                Err(Failure::refused("--counts", "", message).help("remove it"))
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

/// Reads a number of decimals.
fn decimals(text: &str) -> Result<u8, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_DECIMALS);
    number.ok_or_else(|| {
        format!("`--digits` must be a whole number from 0 to {MOST_DECIMALS}, not `{text}`")
    })
}

pub fn is_same(one: &Path, other: &Path) -> bool {
    let absolute_path =
        |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    absolute_path(one).is_some_and(|one| Some(one) == absolute_path(other))
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
