//! A save or a log: a position, and the steps that were logged after it.

use super::chat::{Roll, Transcript};
use super::command::{Command, each};
use super::container::Archive;
use super::obfuscation::Mask;
use super::position::Position;
use super::xml::first_text;
use engine::text::Fault;

/// The entries that matter.
const GAME: &str = "savedGame";
const ABOUT: &str = "savedata";
const MODULE: &str = "moduledata";
/// Most bytes of a masked text, in which two digits stand for a byte.
const MOST_MASKED: usize = 2 * super::obfuscation::MOST_TEXT + 16;
/// Most bytes of what a file says of itself.
const MOST_ABOUT: usize = 1 << 20;
/// What the module is called.
const VASL: &str = "VASL";

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Version of VASSAL that wrote it; nothing in very old files.
    pub vassal: Option<String>,
    /// Version of VASL.
    pub vasl: Option<String>,
    pub mask: Mask,
    text: String,
}

impl Saved {
    /// A save or log as it is on disk. A game of another module is a fault.
    pub fn read(bytes: &[u8]) -> Result<Saved, Fault> {
        let mut archive = Archive::open(bytes)?;
        let Some(masked) = archive.entry(GAME, MOST_MASKED)? else {
            let fault = Fault::new(format!("the archive has no `{GAME}`"), 0..0);
            return Err(fault.help("a save ends in .vsav, a log in .vlog"));
        };
        let mut about = |entry: &str, element: &str| -> Result<Option<String>, Fault> {
            Ok(archive.entry(entry, MOST_ABOUT)?.and_then(|xml| first_text(&xml, element)))
        };
        let module = about(MODULE, "name")?;
        if let Some(module) = module.filter(|module| module != VASL) {
            return Err(Fault::new(
                format!("a game of the module `{module}`, not of {VASL}"),
                0..0,
            ));
        }
        let (vassal, vasl) = (about(ABOUT, "VassalVersion")?, about(MODULE, "version")?);
        let (mask, text) = Mask::lift(&masked)?;
        Ok(Saved { vassal, vasl, mask, text })
    }

    /// The position after so many steps of the log, or after all.
    pub fn position(&self, steps: Option<usize>) -> Result<Position, Fault> {
        Position::read(&self.text, steps)
    }

    /// What was said in the log, by its steps. What stands in the chat of a save was rolled before,
    /// and is in another log.
    pub fn transcript(&self) -> Result<Transcript, Fault> {
        let (mut transcript, mut step) = (Transcript::default(), 0);
        each(&self.text, &mut |command, is_logged| {
            step += usize::from(is_logged);
            if let (true, Command::Chat(line)) = (is_logged, Command::read(command)) {
                transcript.add(step, line);
            }
        })?;
        Ok(transcript)
    }

    /// The rolls of the log, in their order.
    pub fn rolls(&self) -> Result<Vec<Roll>, Fault> {
        self.transcript().map(|transcript| transcript.rolls)
    }

    /// How many steps were logged.
    pub fn steps(&self) -> Result<usize, Fault> {
        let mut steps = 0;
        each(&self.text, &mut |_, is_logged| steps += usize::from(is_logged))?;
        Ok(steps)
    }
}
