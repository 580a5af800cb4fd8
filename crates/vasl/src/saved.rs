//! A save or a log: a position and the steps logged after it.

use super::chat::Transcript;
use super::container::Archive;
use super::obfuscation::Mask;
use super::position::Position;
use super::sequence::each;
use super::xml::first_text;
use engine::text::Fault;

const GAME: &str = "savedGame";
/// The entry with the version of VASSAL that wrote the save.
const ABOUT: &str = "savedata";
const MODULE: &str = "moduledata";
/// The maximum size of the encoded text in bytes. Two digits can encode one byte.
const MOST_MASKED: usize = 2 * super::obfuscation::MOST_TEXT + 16;
/// The maximum size of the entries about save and module in bytes.
const MOST_ABOUT: usize = 1 << 20;
const VASL: &str = "VASL";

/// The contents of a save or log.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The version of VASSAL that wrote the file; `None` in very old files.
    pub vassal: Option<String>,
    /// The version of VASL; `None` in very old files.
    pub vasl: Option<String>,
    pub mask: Mask,
    text: String,
}

impl Saved {
    /// Reads a save or log from its bytes on disk.
    ///
    /// # Errors
    ///
    /// Fails if the archive is damaged, lacks the game, or belongs to another module.
    pub fn read(bytes: &[u8]) -> Result<Saved, Fault> {
        let mut archive = Archive::open(bytes)?;
        let Some(masked) = archive.entry(GAME, MOST_MASKED)? else {
            let fault = Fault::new(format!("the archive has no `{GAME}`"), 0..0);
            return Err(fault.help("a save has the extension .vsav, a log .vlog"));
        };
        let mut about = |entry: &str, element: &str| -> Result<Option<String>, Fault> {
            Ok(archive.entry(entry, MOST_ABOUT)?.and_then(|xml| first_text(&xml, element)))
        };
        let module = about(MODULE, "name")?;
        if let Some(module) = module.filter(|module| module != VASL) {
            return Err(Fault::new(
                format!("the game belongs to the module `{module}`, not to {VASL}"),
                0..0,
            ));
        }
        let (vassal, vasl) = (about(ABOUT, "VassalVersion")?, about(MODULE, "version")?);
        let (mask, text) = Mask::lift(&masked)?;
        Ok(Saved { vassal, vasl, mask, text })
    }

    /// Returns the position after a number of steps of the log, or after all steps.
    ///
    /// # Errors
    ///
    /// Fails as [`Position::read`] does.
    pub fn position(&self, steps: Option<usize>) -> Result<Position, Fault> {
        Position::read(&self.text, steps)
    }

    /// Returns the rolls in the chat of a log by step; none of a save, which are another log's.
    ///
    /// # Errors
    ///
    /// Fails if commands are nested too deeply.
    pub fn transcript(&self) -> Result<Transcript, Fault> {
        let (mut transcript, mut step) = (Transcript::default(), 0);
        each(&self.text, &mut |command, is_logged| {
            step += usize::from(is_logged);
            if let (true, Some(line)) = (is_logged, command.strip_prefix("CHAT")) {
                transcript.add(step, line);
            }
        })?;
        Ok(transcript)
    }

    /// Returns the number of logged steps.
    ///
    /// # Errors
    ///
    /// Fails if commands are nested too deeply.
    pub fn steps(&self) -> Result<usize, Fault> {
        let mut steps = 0;
        each(&self.text, &mut |_, is_logged| steps += usize::from(is_logged))?;
        Ok(steps)
    }
}
