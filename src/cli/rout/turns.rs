//! The `--turns` option of `rout`: Player Turns after the Rout Phase.

use super::super::fault::Failure;
use super::super::run::number;
use api::read::OBJECTIVE;
use asl::campaign::MAX_TURNS;
use asl::course::final_state::MEASURES;
use asl::scenario::later_turns::LaterTurns;
use asl::scenario::{CampaignSetup, Scenario};
use engine::text::Fault;
use system::objective::Objective;

/// Returns the number of Player Turns and the objective, if `--turns` or `--objective` is given.
/// The one that is missing comes from the file.
///
/// # Errors
///
/// Fails if the value of an option is not valid, or the number of turns is not known.
pub(super) fn turns_ahead(
    scenario: &Scenario,
    turns: Option<&str>,
    objective: Option<&str>,
) -> Result<Option<LaterTurns>, Failure> {
    let outlook = scenario.campaign.as_ref();
    let turns = match (turns, objective) {
        (None, None) => return Ok(None),
        (Some(text), _) => number("--turns", text, 1, MAX_TURNS as u64)? as u16,
        (None, Some(text)) => outlook.and_then(CampaignSetup::turns).ok_or_else(|| {
            let message = "the number of Player Turns is missing: use `--turns`, or `turns` in \
                [campaign] of the file";
            Failure::argument(
                "--objective",
                text,
                Fault::new(message, 0..text.len()).help("--turns 4"),
            )
        })?,
    };
    let named = objective.map(|text| {
        Objective::named(text, &MEASURES)
            .map_err(|fault| Failure::argument("--objective", text, fault))
    });
    let objective = match (named, outlook.and_then(|outlook| outlook.objective.clone())) {
        (Some(named), _) => named?,
        (None, Some(of_file)) => of_file,
        (None, None) => Objective::named(OBJECTIVE, &MEASURES)
            .map_err(|fault| Failure::argument("--objective", OBJECTIVE, fault))?,
    };
    Ok(Some(LaterTurns { turns, objective }))
}
