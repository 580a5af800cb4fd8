//! What a question reckons before its first roll, such as the FP and DRM of an attack.

use super::Refused;
use super::read::nothing_reckoned;
use super::request::Context;
use answer::{Cell, Column, Meta, Reckoned, Sheet};
use play::DynQuestion;
use schema::FieldFault;

/// The reckoning of a question, without its odds.
pub struct ReckonedAnswer {
    pub reckoned: Reckoned,
    pub meta: Meta,
}

pub(super) fn reckoning(
    question: &dyn DynQuestion,
    Context { command, .. }: Context,
) -> Result<ReckonedAnswer, Refused> {
    let words = question.words();
    let nothing = || {
        let fault = nothing_reckoned(words.facts().kind.name);
        FieldFault { field: String::new(), fault }
    };
    let reckoned = words.details().reckoned.ok_or_else(nothing)?;
    Ok(ReckonedAnswer { reckoned, meta: Meta { engine: "exact", ..question.meta(command) } })
}

impl ReckonedAnswer {
    /// Returns the rows of the reckoning as a table.
    pub fn sheet(&self) -> Sheet {
        let columns = ["part", "value", "how"].map(|name| (name, Column::Text));
        let row = |row: &[String; 3]| row.iter().cloned().map(Cell::Text).collect();
        let rows = self.reckoned.rows.iter().map(row).collect();
        Sheet { rows, columns: columns.to_vec(), ..self.object() }
    }

    /// Returns the reckoning as an object of JSON, without rows.
    pub fn object(&self) -> Sheet {
        let lists = self.reckoned.json.clone();
        Sheet { lists, ..Sheet::new(Vec::new(), Vec::new(), self.meta.clone()) }
    }
}
