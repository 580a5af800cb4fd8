//! `rout --turns`: what each first option of a routing unit is worth over Player Turns.

use super::super::fault::Failure;
use super::super::run::number;
use super::super::watch;
use crate::asl::campaign::{MAX_TURNS, Phase};
use crate::asl::rout::Situation;
use crate::course::opening::{Opening, Openings};
use crate::course::standing::MEASURES;
use crate::engine::EngineError;
use crate::engine::solve::EQUAL;
use crate::study::rout::campaign::{Ahead, campaign, doing_words, first_words};
use crate::study::situation::{Outlook, Scenario, bars_campaign, left_out};
use crate::system::objective::Objective;
use crate::table::layout::aligned;
use crate::text::Fault;

/// What is played for where nobody says.
const OBJECTIVE: &str = "good-order";
const TOO_BIG: &str = "fewer `--turns`, or a smaller situation: fewer enemies who fire, a smaller map, one unit by `--unit`; created units \
                       that stay, and an enemy who may hold his fire, make it bigger";

/// What is asked, if `--turns` or `--objective` is given; what is not given comes from the file.
pub(super) fn asked(scenario: &Scenario, turns: Option<&str>, objective: Option<&str>) -> Result<Option<Ahead>, Failure> {
    let outlook = scenario.campaign.as_ref();
    let turns = match (turns, objective) {
        (None, None) => return Ok(None),
        (Some(text), _) => number("--turns", text, 1, MAX_TURNS as u64)? as u16,
        (None, Some(text)) => outlook.and_then(Outlook::turns).ok_or_else(|| {
            let message = "over how many Player Turns? Neither `--turns` nor `turns` in [campaign] of the file says";
            Failure::argument("--objective", text, Fault::new(message, 0..text.len()).help("--turns 4"))
        })?,
    };
    let named =
        objective.map(|text| Objective::named(text, &MEASURES).map_err(|fault| Failure::argument("--objective", text, fault)));
    let objective = match (named, outlook.and_then(|outlook| outlook.objective.clone())) {
        (Some(named), _) => named?,
        (None, Some(of_file)) => of_file,
        (None, None) => {
            Objective::named(OBJECTIVE, &MEASURES).map_err(|fault| Failure::argument("--objective", OBJECTIVE, fault))?
        }
    };
    Ok(Some(Ahead { turns, objective }))
}

/// The campaigns of some routing units, each with the unit's place. `notes` gets why one has none; it is bad input where none has.
pub(super) fn campaigns(
    scenario: &Scenario,
    units: &[usize],
    ahead: &Ahead,
    notes: &mut Vec<String>,
) -> Result<Vec<(usize, Openings)>, Failure> {
    let mut found = Vec::new();
    let mut barred = Vec::new();
    for &unit in units {
        let router = &scenario.situation.routers[unit];
        match bars_campaign(router) {
            Some(reason) => barred.push(format!("no campaign of {}: {reason}", router.name)),
            None => found.push((unit, campaign(scenario, unit, ahead, watch()).map_err(too_big)?)),
        }
    }
    if let (Some(first), true) = (barred.first(), found.is_empty()) {
        return Err(Failure::argument(
            "--turns",
            "",
            Fault::new(first.clone(), 0..0).help("without `--turns`, its rout in this phase"),
        ));
    }
    notes.extend(barred);
    notes.extend(left_out(&scenario.situation));
    match scenario.campaign.as_ref().map(|outlook| outlook.table.begin) {
        None | Some(Phase::Rout) => {}
        Some(begin) => notes.push(format!("the campaign of the file begins with its {}, here with the RtPh", begin.name())),
    }
    Ok(found)
}

fn too_big(error: EngineError) -> Failure {
    Failure::Engine { error, help: Some(TOO_BIG) }
}

/// What a unit can do first, and what is best.
pub(super) fn told_campaign(situation: &Situation, unit: usize, found: &Openings, ahead: &Ahead) -> String {
    let words = ahead.objective.in_words(false);
    let turns = player_turns(ahead.turns);
    let name = &situation.routers[unit].name;
    let headings = ["first", words.as_str(), "margin", "survives", "squad-equivalents"].map(str::to_string);
    let row = |(number, Opening { first, value }): (usize, &Opening)| {
        let [value, survives, squads] = value.map(|value| format!("{value:.4}"));
        let margin = found.margin(number).map_or(String::new(), |margin| match margin.abs() <= EQUAL {
            true => "0".to_string(),
            false => format!("{margin:+.4}"),
        });
        vec![first_words(situation, *first), value, margin, survives, squads]
    };
    let rows: Vec<Vec<String>> = found.list.iter().enumerate().map(row).collect();
    let table = aligned(&headings, &rows, &[false, true, true, true, true], false);
    format!(
        "{name} over {turns} from this RtPh on, each first choice followed by the best play\n{table}  {}\n",
        advice(situation, found, ahead)
    )
}

/// What is best, and by how much.
fn advice(situation: &Situation, found: &Openings, ahead: &Ahead) -> String {
    let (turns, words) = (player_turns(ahead.turns), ahead.objective.in_words(false));
    let best = &found.list[0];
    let (first, value) = (first_words(situation, best.first), best.value[0]);
    let Some((next, margin)) = found.list.get(1).zip(found.margin(0)) else {
        return format!("Over {turns} for {words} there is no choice: {first}, {value:.4}");
    };
    let next = doing_words(situation, next.first);
    let than = match margin {
        margin if margin <= EQUAL => format!("as much as {next}"),
        margin if margin < 0.00005 => format!("less than 0.0001 more than {next}"),
        margin => format!("{margin:.4} more than {next}"),
    };
    format!("Best over {turns} for {words}: {first}, {value:.4} ({than})")
}

fn player_turns(turns: u16) -> String {
    format!("{turns} Player Turn{}", if turns == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_bound_it_says_what_to_do() {
        let failure = too_big(EngineError::TooManyStates { bound: 1 << 20 });
        let report = failure.report();
        assert_eq!(failure.exit_code(), 2);
        assert!(
            report.contains("1048576 states") && report.contains("help: fewer `--turns`, or a smaller situation"),
            "{report}"
        );
    }
}
