//! The file of a campaign on abstract ground.
//!
//! ```toml
//! question = "campaign"
//! about = "Low Crawl, or run for the woods?"
//! objective = "good-order"              # or survives, in-cover, squad-equivalents, cvp, or weights of them
//!
//! [base]
//! unit = "german:4-6-7/broken,dm"
//! open = 3                              # Open Ground hexes on the way to cover
//! interdicted = 2                       # of them in the LOS and Normal Range of the enemy, the nearest first
//! cover = "woods"
//! leader = "8-1"                        # in the cover
//! fp = 6                                # attack on an exposed hex in every phase of fire
//! turns = 6
//!
//! [grid]                                # in a study
//! fp = [2, 4, 6, 8, 12]
//!
//! [run]
//! break-even = "fp"                     # where the best choice flips along that field
//! ```

use toml::de::{DeTable, DeValue};

use super::super::file::Study;
use super::super::keys::{document, entry, known_keys, placed_text, sub_table};
use super::super::objective;
use crate::asl::campaign::LaneDraft;
use crate::course::objective::Objective;
use crate::course::standing::MEASURES;
use crate::text::{Fault, canonical};

const TABLES: [&str; 8] = ["system", "question", "about", "objective", "base", "grid", "course", "run"];
const RUN: [&str; 1] = ["break-even"];

/// A campaign, or a grid of them, with what they are played for.
pub struct CampaignFile {
    pub study: Study<LaneDraft>,
    pub objective: Objective,
    /// The swept field along which the best choice is followed.
    pub break_even: Option<String>,
}

/// Whether a file asks for a campaign.
pub fn is_campaign(text: &str) -> bool {
    let question = |document: toml::Spanned<DeTable>| match entry(document.get_ref(), "question")?.get_ref() {
        DeValue::String(question) => Some(canonical(question) == "campaign"),
        _ => None,
    };
    document(text).ok().and_then(question).unwrap_or(false)
}

impl CampaignFile {
    /// Reads a file and checks every cell of its grid. Courses are left to a comparison.
    pub fn parse(text: &str) -> Result<CampaignFile, Fault> {
        let document = document(text)?;
        let root = document.get_ref();
        known_keys(root, &TABLES, "a campaign")?;
        let mut study = Study::begin(text, root, LaneDraft::default())?;
        let mut probe = LaneDraft::default();
        study.read_base(root, &mut probe)?;
        study.read_grid(root, &probe)?;
        let objective = objective::read(root, &MEASURES)?;
        let break_even = break_even(root, &study)?;
        Ok(CampaignFile { study, objective, break_even })
    }
}

/// `break-even` of `[run]`: a swept field of whole numbers.
fn break_even(root: &DeTable, study: &Study<LaneDraft>) -> Result<Option<String>, Fault> {
    let Some(run) = sub_table(root, "run")? else { return Ok(None) };
    known_keys(run, &RUN, "[run] of a campaign")?;
    let Some(value) = entry(run, "break-even") else { return Ok(None) };
    let text = placed_text(value, "break-even")?;
    let name = canonical(&text);
    let columns = study.swept_columns();
    let numbers = columns.iter().filter(|(_, kind)| *kind == crate::table::Kind::Integer).map(|(field, _)| *field);
    if numbers.clone().any(|field| field == name) {
        return Ok(Some(name));
    }
    let fault = Fault::new(format!("`break-even` names `{text}`, which is no swept field of whole numbers"), value.span());
    Err(if numbers.clone().next().is_some() { fault.expecting(&text, numbers) } else { fault })
}
