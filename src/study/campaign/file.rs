//! The study file of a campaign: a rout over several turns, on ground described by numbers, not by
//! a map.
//!
//! ```toml
//! question = "campaign"
//! about = "Low Crawl, or run for the woods?"
//! objective = "good-order"              # or survives, in-cover, cvp ..., or weights of them
//!
//! [base]
//! unit = "german:4-6-7/broken,dm"
//! open = 3                              # Open Ground hexes on the way to cover
//! interdicted = 2                       # how many of them, nearest first, the enemy Interdicts
//! cover = "woods"
//! leader = "8-1"                        # in the cover hex
//! fp = 6                                # the attack on an exposed hex in every fire phase
//! turns = 6
//!
//! [grid]                                # in a study
//! fp = [2, 4, 6, 8, 12]
//!
//! [run]
//! break-even = "fp"                     # report where the best choice changes along this field
//! ```

use super::super::chart;
use super::super::file::{ReadError, Study};
use super::super::grid::Grid as _;
use super::super::number_table::{Layout, without_mean};
use super::super::swept::MAX_CELLS;
use engine::monitor::Monitor;
use engine::text::{Fault, canonical};
use play::files::kinds::{game_of, head, kind_of};
use play::files::objective;
use play::{BreakEvenTable, CampaignFileTable, Objective, PartialQuestion, Registry, SharedGraph};
use schema::declared::named;
use schema::field::words_of;
use schema::{ChoiceMaker, FieldValue as _, RawValue, Spanned, from_toml};

/// A campaign or a grid of campaigns, with the objective of play.
pub struct CampaignFile {
    pub study: Study,
    pub objective: Objective,
    /// The varied field along which the file asks for break-even points.
    pub break_even: Option<String>,
    /// The number that the requested table shows.
    pub telling: CampaignMeasure,
    /// The state graphs that several cells of the study share.
    pub shared_graph: SharedGraph,
}

named! {
    /// The number or name that a table shows for a cell of a study of campaigns.
    pub enum CampaignMeasure {
        Choice = "choice",
        /// The value of the objective under best play.
        Value = "value",
        /// The margin of the best choice over the next best one.
        Margin = "margin",
    }
}

words_of!(CampaignMeasure, "WHAT", "a study of campaigns has no measure");

/// Returns whether a file asks a question that needs a solver for best play.
pub fn is_campaign(text: &str, registry: &Registry) -> bool {
    head(text, registry).is_ok_and(|(_, kind)| kind.play == ChoiceMaker::Best)
}

impl CampaignFile {
    /// Reads a campaign file and checks every cell of its grid.
    ///
    /// # Errors
    ///
    /// Fails with the place of the first key, value or cell that is not valid.
    pub fn parse(text: &str, registry: &Registry) -> Result<CampaignFile, Fault> {
        CampaignFile::read(text, registry, Monitor::NONE).map_err(ReadError::fault)
    }

    /// Reads a campaign file and checks every cell of its grid; `watch` can cancel the check.
    ///
    /// # Errors
    ///
    /// Fails like [`CampaignFile::parse`], and if `watch` cancels.
    pub fn read(
        text: &str,
        registry: &Registry,
        watch: Monitor,
    ) -> Result<CampaignFile, ReadError> {
        let tables: CampaignFileTable = from_toml::read(text, "a campaign")?;
        let game = game_of(registry, tables.system.as_ref())?;
        let kind = kind_of(game, tables.question.as_ref())?;
        let mut study = Study::one_cell(
            text,
            tables.about.clone(),
            PartialQuestion::new(game.form(kind)).with(&tables.base.entries)?,
        );
        study.read_grid(&tables.grid, MAX_CELLS)?;
        study.check(&(0..study.grid.cells()), &|_| Ok(()), watch)?;
        let objective = objective::read(tables.objective.as_ref(), game.measures(), &[kind])?;
        let break_even = break_even(&tables.run, &study)?;
        let CampaignFileTable { tell: number, average, .. } = &tables;
        study.layout = Layout::read(tables.wanted(), &study.swept_columns())?;
        let telling = number.as_ref().map(|number| {
            let read = CampaignMeasure::read("tell", RawValue::Text(&number.value));
            read.map_err(|fault| number.place.blamed(fault))
        });
        let telling = telling.transpose()?.unwrap_or(CampaignMeasure::Choice);
        if telling == CampaignMeasure::Choice {
            without_mean(average)?;
        }
        // Each thread uses at most one state graph at a time, and one more may have just been
        // released.
        let shared_graph = SharedGraph::keeping(rayon::current_num_threads() + 1);
        let file = CampaignFile { study, objective, break_even, telling, shared_graph };
        chart::check(&file, tables.chart.as_ref())?;
        Ok(file)
    }
}

/// Reads `break-even` of `[run]`, which must name a varied field of whole numbers.
fn break_even(run: &BreakEvenTable, study: &Study) -> Result<Option<String>, Fault> {
    let Some(Spanned { value: text, place }) = &run.break_even else { return Ok(None) };
    let name = canonical(text);
    let columns = study.swept_columns();
    let numbers = columns
        .iter()
        .filter(|(_, kind)| *kind == answer::sheet::Column::Integer)
        .map(|(field, _)| *field);
    if numbers.clone().any(|field| field == name) {
        return Ok(Some(name));
    }
    let fault =
        place.fault(format!("`break-even` needs a swept field of whole numbers, not `{text}`"));
    Err(if numbers.clone().next().is_some() { fault.expecting(text, numbers) } else { fault })
}
