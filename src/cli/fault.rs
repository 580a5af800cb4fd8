//! Failures of a command, with their message and exit code. The code is 2 for bad input and 1 for
//! I/O; a cancelled command ends as [`super::stop`] says.

use std::io;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::stop::INTERRUPTED;
use crate::study::disk::FileError;
use crate::study::run::RunError;
use api::Refused;
use engine::EngineError;
use engine::text::notation::{Notation, Remedy};
use engine::text::{Fault, plain};
use schema::form::FieldFault;

/// A failed command.
#[derive(Debug)]
pub enum Failure {
    /// Bad input: where it stands (an option or a file), its text, the fault in it, and the
    /// notation of the text.
    Input { place: String, text: String, fault: Box<Fault>, notation: Notation },
    /// A file or stream that failed.
    Io { place: String, error: io::Error },
    /// A study that could not run.
    Study(RunError),
    /// A batch in which some requests were answered with their fault.
    Requests { answered: usize, bad: usize },
    /// Claims of an article that are false, or output that is out of date.
    Untrue(Vec<Failure>),
    /// An engine that gave no answer, with advice.
    Engine { error: EngineError, help: Option<Remedy> },
}

impl Failure {
    /// A fault in the value of an argument.
    pub fn argument(place: &str, text: &str, fault: Fault) -> Failure {
        Failure::Input {
            place: plain(place),
            text: text.to_string(),
            fault: Box::new(fault),
            notation: Notation::Words,
        }
    }

    /// A fault in a file.
    pub fn file(place: &str, text: &str, fault: Fault) -> Failure {
        Failure::Input {
            place: plain(place),
            text: text.to_string(),
            fault: Box::new(fault),
            notation: Notation::Toml,
        }
    }

    pub fn io(place: &str, error: io::Error) -> Failure {
        Failure::Io { place: plain(place), error }
    }

    /// Names the file that asks what has no answer; a failure with a place of its own keeps that.
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
        let fault = Fault { help, ..Fault::new(message, 0..0) };
        Failure::argument(&file.display().to_string(), "", fault)
    }

    /// Whether the reader of our output has gone away, which is no error to tell.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Io { .. } | Failure::Study(RunError::File(_)) | Failure::Untrue(_) => 1,
            _ => 2,
        }
    }

    /// Returns the message of a cancelled command. Any other fault that it met meanwhile is
    /// dropped.
    pub fn report_of_stop(&self) -> String {
        match self {
            Failure::Study(RunError::Interrupted { .. }) => self.report(),
            _ => INTERRUPTED.to_string(),
        }
    }

    /// Returns the message for standard error.
    pub fn report(&self) -> String {
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
    let title = Level::ERROR.primary_title(&*fault.message);
    let help_text = fault.help.as_ref().map(|help| help.render(notation));
    let help = help_text.as_deref().map(|help| Level::HELP.message(help));
    let group = if text.is_empty() {
        return match &help_text {
            Some(help) => format!("error: {place}: {}\n  help: {help}", fault.message),
            None => format!("error: {place}: {}", fault.message),
        };
    } else {
        let span = match fault.span.clone() {
            // A fault without a span marks the first line.
            Range { start: 0, end: 0 } => 0..text.lines().next().unwrap_or_default().len(),
            span if span.is_empty() => {
                span.start
                    ..text[span.start..]
                        .chars()
                        .next()
                        .map_or(span.start, |c| span.start + c.len_utf8())
            }
            span => span,
        };
        // The library prints C1 control characters and separators as they are. Their substitutes
        // have as many bytes, so that the span still fits.
        let source = text.replace(|letter| letter > '\u{7f}' && letter < '\u{a0}', "·");
        let source = source.replace(['\u{2028}', '\u{2029}'], "\u{fffd}");
        title.element(
            Snippet::source(source).path(place).annotation(AnnotationKind::Primary.span(span)),
        )
    };
    Renderer::plain().render(&[group.elements(help)])
}

/// clap has checked the arguments before they are extracted. Any further error is printed by clap
/// and ends the process.
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
