//! The chart of an answer: in a picture file, or as bars of characters below the text.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::fault::{Failure, Result};
use super::writer::{colours_are_seen, write_file};
use crate::study::chart::{WIDTH, fitting};
use charts::chart::{Chart, ChartKind, Look, draw, plot};
use engine::text::canonical;
use render::layout::WIDTH as LINE;

const SVG: &str = "svg";
const PNG: &str = "png";

/// The chart options of a command.
#[derive(Debug, Args)]
pub struct ChartArguments {
    /// Write the answer as a chart to an SVG file, or to a PNG file if this build supports PNG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Kind of chart [default: the one that fits best]
    #[arg(long, value_name = "KIND", value_parser = ChartKind::ALL.map(ChartKind::name))]
    pub chart_kind: Option<String>,
    /// Draw bars below the answer; with NO_COLOR they consist of letters
    #[arg(long)]
    pub plot: bool,
}

impl ChartArguments {
    pub fn file(&self) -> Option<&Path> {
        self.chart.as_deref()
    }

    /// Fails if `--chart-kind` has no chart, or the file of `--chart` is no picture.
    pub fn check(&self) -> Result<()> {
        if let (Some(kind), None, false) = (&self.chart_kind, &self.chart, self.plot) {
            let message = "`--chart-kind` needs a chart to draw";
            let help = "add `--chart odds.svg` or `--plot`";
            return Err(Failure::refused("--chart-kind", kind, message).help(help));
        }
        self.chart.as_deref().map_or(Ok(()), |path| check_picture("--chart", path))
    }

    /// Fails with the message `why` if a chart is requested.
    pub fn refuse(&self, why: &str, help: &str) -> Result<()> {
        if self.chart.is_some() || self.plot { Err(self.refused(why, help)) } else { Ok(()) }
    }

    fn refused(&self, why: &str, help: &str) -> Failure {
        let (option, place) = match &self.chart {
            Some(path) => ("--chart", path.display().to_string()),
            None => ("--plot", String::new()),
        };
        Failure::refused(option, &place, why).help(help)
    }

    /// Draws the requested or first chart, writes it to `file`, and returns the bars of `--plot`.
    pub fn drawn(&self, charts: &[Chart], file: Option<&Path>) -> Result<String> {
        if file.is_none() && !self.plot {
            return Ok(String::new());
        }
        let kind = self.chart_kind.as_deref();
        let chart = fitting(charts, kind).map_err(|names| match kind {
            Some(kind) if !names.is_empty() => {
                let message = format!("`{kind}` does not fit this answer");
                Failure::refused("--chart-kind", kind, message).help(format!("allowed: {names}"))
            }
            _ => self.refused("this answer has no chart", "remove it"),
        })?;
        if let Some(path) = file {
            write_picture(path, &draw(chart, WIDTH))?;
            // A closed standard error is no failure.
            let _ = writeln!(io::stderr(), "chart: {}", path.display());
        }
        let look = Look { width: LINE, colours: colours_are_seen(&io::stdout()) };
        // In characters a curve is a list of bars, and stacked bars say the same in fewer lines.
        let is_curve = kind.is_none() && chart.kind.name() == "curve";
        let bars = fitting(charts, Some("bars")).ok().filter(|_| is_curve).unwrap_or(chart);
        Ok(if self.plot { format!("\n{}", plot(bars, &look)) } else { String::new() })
    }
}

/// Writes an SVG picture, converted to PNG if the file name ends in `.png`.
pub fn write_picture(path: &Path, svg: &str) -> Result<()> {
    if let Some(convert) = charts::TO_PNG
        && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(PNG))
    {
        let failed =
            |error: String| Failure::io(&path.display().to_string(), io::Error::other(error));
        let image = convert(svg).map_err(failed)?;
        return write_file(path, &image);
    }
    write_file(path, svg.as_bytes())
}

/// Fails if `path` is standard output, or has an extension that is not supported for pictures.
pub fn check_picture(option: &str, path: &Path) -> Result<()> {
    let place = path.display().to_string();
    let refused = |message: &str| Failure::refused(option, &place, message);
    let svg = format!("{option} odds.{SVG}");
    if place == "-" {
        return Err(refused("a picture cannot go to standard output").help(svg));
    }
    match path.extension().map(|ending| canonical(&ending.to_string_lossy())) {
        Some(ending) if ending == SVG => Ok(()),
        Some(ending) if ending == PNG && charts::TO_PNG.is_some() => Ok(()),
        Some(ending) if ending == PNG => Err(refused("this build of lowcrawl has no PNG support")
            .help(format!("`cargo build --release --features png` builds one, or use {svg}"))),
        Some(ending) => {
            Err(refused(&format!("a chart must be an SVG file, not `.{ending}`")).help(svg))
        }
        // Devices and pipes have no extension.
        None if path.exists() && !path.is_file() => Ok(()),
        None => Err(refused("a chart is an SVG file").help(svg)),
    }
}
