//! Failures of a command, with message and exit code: 1 for I/O, false claims and outdated files, 2
//! for all others. [`super::stop`] describes the end of a cancelled command.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::stop::INTERRUPTED;
use crate::study::disk::FileError;
use crate::study::run_error::RunError;
use api::Refused;
use engine::EngineError;
use engine::text::notation::{Notation, Remedy};
use engine::text::{Fault, plain};
use render::layout::WIDTH;
use schema::FieldFault;

pub type Result<T, E = Failure> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum Failure {
    /// Bad input: its place (an option or a file), its text, the fault, and the notation.
    Input { place: String, text: String, fault: Box<Fault>, notation: Notation },
    /// An I/O error, with the name of its file or stream.
    Io { place: String, error: io::Error },
    /// A study that did not finish.
    Study(RunError),
    /// A batch of requests, of which `bad` were answered with a fault.
    Requests { answered: usize, bad: usize },
    /// False claims of an article, or output files that are out of date.
    Untrue(Vec<Failure>),
    /// An engine that gave no answer, with advice.
    Engine { error: EngineError, help: Option<Remedy> },
}

impl Failure {
    fn input(place: &str, text: &str, fault: Fault, notation: Notation) -> Failure {
        let (place, text, fault) = (plain(place), text.to_string(), Box::new(fault));
        Failure::Input { place, text, fault, notation }
    }

    pub fn argument(place: &str, text: &str, fault: Fault) -> Failure {
        Failure::input(place, text, fault, Notation::Words)
    }

    /// Returns the failure for an argument whose whole value is at fault.
    pub fn refused(place: &str, text: &str, message: impl Into<String>) -> Failure {
        Failure::argument(place, text, Fault::new(message, 0..text.len()))
    }

    pub fn file(place: &str, text: &str, fault: Fault) -> Failure {
        Failure::input(place, text, fault, Notation::Toml)
    }

    /// Returns the failure for a fault of a file that is not shown, such as an archive.
    pub fn binary(path: &Path, fault: Fault) -> Failure {
        Failure::argument(&path.display().to_string(), "", fault)
    }

    /// Sets the advice for bad input; other failures stay unchanged.
    pub fn help(mut self, help: impl Into<Remedy>) -> Failure {
        if let Failure::Input { fault, .. } = &mut self {
            fault.help = Some(help.into());
        }
        self
    }

    pub fn io(place: &str, error: io::Error) -> Failure {
        Failure::Io { place: plain(place), error }
    }

    /// Names the course whose arguments are at fault.
    pub fn in_course(mut self, line: &str) -> Failure {
        if let Failure::Input { place, text, .. } = &mut self
            && text != line
        {
            *place += &format!(" of `{}`", plain(line));
        }
        self
    }

    /// Adds the name of the file to the failure of an engine or a cell.
    pub fn in_file(self, file: &Path) -> Failure {
        let (message, help) = match self {
            Failure::Engine { error, help } if error != EngineError::Interrupted => {
                (error.to_string(), help)
            }
            Failure::Study(error @ (RunError::Cell { .. } | RunError::Listed { .. })) => {
                (error.to_string(), None)
            }
            other => return other,
        };
        Failure::binary(file, Fault { help, ..Fault::new(message, 0..0) })
    }

    /// Returns whether the pipe that reads standard output was closed, which is no error.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Io { error, .. } if error.kind() == ErrorKind::BrokenPipe)
    }

    /// Returns what is wrong with a path, and the fix, if that is a mistake of the user.
    fn wrong_path(&self) -> Option<(String, [&'static str; 2])> {
        let (place, error) = match self {
            Failure::Io { place, error } => (place.clone(), error),
            Failure::Study(RunError::File(file)) => {
                (plain(&file.path.display().to_string()), &file.source)
            }
            _ => return None,
        };
        let words = match error.kind() {
            ErrorKind::NotFound => ["no such file or folder", "check the name and its folder"],
            ErrorKind::IsADirectory => ["this is a folder", "give the path of a file"],
            ErrorKind::NotADirectory => {
                ["part of this path is a file", "give a path through folders only"]
            }
            _ => return None,
        };
        Some((place, words))
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            _ if self.wrong_path().is_some() => 2,
            Failure::Io { .. } | Failure::Study(RunError::File(_)) | Failure::Untrue(_) => 1,
            _ => 2,
        }
    }

    /// Returns the message for standard error.
    pub fn report(&self) -> String {
        match self.wrong_path() {
            Some((place, [message, help])) => format!("error: {place}: {message}\n  help: {help}"),
            None => self.message(),
        }
    }

    fn message(&self) -> String {
        match self {
            Failure::Input { place, text, fault, notation } => {
                input_report(place, text, fault, *notation)
            }
            Failure::Io { place, error } => format!("error: {place}: {error}"),
            Failure::Study(error) => format!("error: {error}"),
            Failure::Requests { answered, bad } => {
                format!("error: {bad} of {answered} requests answered with a `fault`")
            }
            Failure::Untrue(all) => all.iter().map(Failure::report).collect::<Vec<_>>().join("\n"),
            Failure::Engine { error: EngineError::Interrupted, .. } => INTERRUPTED.to_string(),
            Failure::Engine { error, help: None } => format!("error: {error}"),
            Failure::Engine { error, help: Some(help) } => {
                format!("error: {error}\n  help: {}", help.render(Notation::Words))
            }
        }
    }
}

fn input_report(place: &str, text: &str, fault: &Fault, notation: Notation) -> String {
    let help = fault.help.as_ref().map(|help| help.render(notation));
    if text.is_empty() {
        let help = help.map_or(String::new(), |help| format!("\n  help: {help}"));
        return format!("error: {place}: {}{help}", fault.message);
    }
    let span = match fault.span.clone() {
        // A fault without a span marks the first line.
        Range { start: 0, end: 0 } => 0..text.lines().next().unwrap_or_default().len(),
        Range { start, end } if start == end => {
            start..start + text[start..].chars().next().map_or(0, char::len_utf8)
        }
        span => span,
    };
    // The library prints C1 controls and separators; substitutes of equal length keep the span.
    let source = text.replace(|letter| letter > '\u{7f}' && letter < '\u{a0}', "·");
    let source = source.replace(['\u{2028}', '\u{2029}'], "\u{fffd}");
    let group = Level::ERROR.primary_title(&*fault.message).element(
        Snippet::source(source).path(place).annotation(AnnotationKind::Primary.span(span)),
    );
    let help = help.as_deref().map(|help| Level::HELP.message(help));
    Renderer::plain().term_width(WIDTH).render(&[group.elements(help)])
}

/// After the checks of clap an error is unexpected: clap prints it and ends the process.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        error.exit()
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::io(&error.path.display().to_string(), error.source)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine { error, help: None }
    }
}

/// Converts a refusal that the checks of the command line have missed.
impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        match refused {
            Refused::Field(FieldFault { field, fault }) => {
                Failure::argument(&format!("--{field}"), "", fault)
            }
            Refused::Engine { error, help } => Failure::Engine { error, help },
        }
    }
}
