//! Saves and logs of VASL as questions: a position becomes a situation, of which a side may know
//! only what its player sees ([`situations`]), and dice become statistics ([`luck`]).
//!
//! No function in this crate opens a file. The readers of the formats are those of [`vasl`].

mod attack;
mod boards;
mod changes;
mod combat;
mod counters;
mod crossing;
mod doubt;
mod drawing;
mod force;
pub mod luck;
pub mod luck_report;
mod off_board;
mod rally;
mod save;
mod sides;
mod situation;

pub use crossing::SavedCrossing;
pub use drawing::SavedDrawing;
pub use force::SavedQuestion;
pub use off_board::{OffBoardGroup, off_board};
pub use rally::rally_fields;
pub use save::{Save, SaveOptions};
pub use sides::nation;
pub use situation::{ROUTS_BEFORE, SavedSituation, situations, situations_at};

use engine::text::Fault;
use vasl::position::Position;
use vasl::saved::Saved;

/// The reason why a save gives no answer.
#[derive(Debug)]
pub enum SaveFault {
    /// A fault of the file.
    File(Box<Fault>),
    /// A fault of an option, with the option's name and its value.
    Option { name: &'static str, value: String, fault: Box<Fault> },
}

impl SaveFault {
    /// Returns the fault of a part of an option's value.
    fn option(name: &'static str, value: &str, fault: Fault) -> SaveFault {
        SaveFault::Option { name, value: value.to_string(), fault: Box::new(fault) }
    }

    /// Returns the fault of an option whose whole value is at fault.
    fn refused(name: &'static str, value: &str, message: impl Into<String>) -> SaveFault {
        SaveFault::option(name, value, Fault::new(message, 0..value.len()))
    }
}

impl From<Fault> for SaveFault {
    fn from(fault: Fault) -> SaveFault {
        SaveFault::File(Box::new(fault))
    }
}

/// Returns the position after `at_step` steps of a log, by default after all steps.
///
/// # Errors
///
/// Fails if the log has fewer steps, or if the file is damaged.
pub fn position(saved: &Saved, at_step: Option<usize>) -> Result<Position, SaveFault> {
    let steps = saved.steps()?;
    if let Some(step) = at_step.filter(|step| *step > steps) {
        let message = format!("the log has {steps} steps");
        return Err(SaveFault::refused("at-step", &step.to_string(), message));
    }
    Ok(saved.position(at_step)?)
}
