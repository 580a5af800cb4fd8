//! Limits on the tables and values of one text, which take much more memory than the text.

use std::ops::Range;

use engine::text::Fault;
use engine::text::notation::Notation;

/// The largest number of tables in a file, or of objects in a request.
pub const MOST_TABLES: usize = 20_000;
/// The largest number of values in a file or request.
pub const MOST_VALUES: usize = 1_000_000;

/// A part of a text that is counted.
#[derive(Clone, Copy)]
pub enum Part {
    Table,
    Value,
}

/// The numbers of tables and of values read so far.
#[derive(Default)]
pub struct Size([usize; 2]);

impl Size {
    /// Counts a part of a text at `span`.
    ///
    /// # Errors
    ///
    /// Fails at `span` if the text has too many such parts.
    pub fn add(&mut self, part: Part, notation: Notation, span: Range<usize>) -> Result<(), Fault> {
        let most = [MOST_TABLES, MOST_VALUES][part as usize];
        self.0[part as usize] += 1;
        if self.0[part as usize] <= most {
            return Ok(());
        }
        let (whole, parts) = match notation {
            Notation::Json => ("request", ["objects", "values"][part as usize]),
            _ => ("file", ["tables", "values"][part as usize]),
        };
        let fault = Fault::new(format!("the {whole} has more than {most} {parts}"), span);
        Err(fault.help(format!("split it into several {whole}s")))
    }
}
