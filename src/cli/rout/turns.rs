//! `rout --turns`: what each first option of a routing unit is worth over Player Turns.

use super::super::fault::Failure;
use super::super::run::number;
use crate::table::layout::{fitted, indented, paragraph};
use asl::campaign::MAX_TURNS;
use asl::course::opening::{Opening, Openings};
use asl::course::standing::MEASURES;
use asl::rout::Situation;
use asl::scenario::ahead::{Ahead, doing_words, first_words};
use asl::scenario::{Outlook, Scenario};
use door::read::OBJECTIVE;
use engine::solve::EQUAL;
use engine::text::Fault;
use system::objective::Objective;

/// What is asked, if `--turns` or `--objective` is given; what is not given comes from the file.
pub(super) fn asked(
    scenario: &Scenario,
    turns: Option<&str>,
    objective: Option<&str>,
) -> Result<Option<Ahead>, Failure> {
    let outlook = scenario.campaign.as_ref();
    let turns = match (turns, objective) {
        (None, None) => return Ok(None),
        (Some(text), _) => number("--turns", text, 1, MAX_TURNS as u64)? as u16,
        (None, Some(text)) => outlook.and_then(Outlook::turns).ok_or_else(|| {
            let message = "over how many Player Turns? Neither `--turns` nor `turns` in [campaign] of the file says";
            Failure::argument("--objective", text, Fault::new(message, 0..text.len()).help("--turns 4"))
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
    Ok(Some(Ahead { turns, objective }))
}

/// What a unit can do first, and what is best.
pub(super) fn told_campaign(
    situation: &Situation,
    unit: usize,
    found: &Openings,
    ahead: &Ahead,
) -> String {
    let words = ahead.objective.in_words(false);
    let turns = player_turns(ahead.turns);
    let name = situation.unit_called(unit);
    let headings =
        ["first", words.as_str(), "margin", "survives", "squad-equivalents"].map(str::to_string);
    let row = |(number, Opening { first, value }): (usize, &Opening)| {
        let [value, survives, squads] = value.map(|value| format!("{value:.4}"));
        let margin =
            found.margin(number).map_or(String::new(), |margin| match margin.abs() <= EQUAL {
                true => "0".to_string(),
                false => format!("{margin:+.4}"),
            });
        vec![first_words(situation, *first), value, margin, survives, squads]
    };
    let rows: Vec<Vec<String>> = found.list.iter().enumerate().map(row).collect();
    let heading = format!(
        "{name} over {turns} from this RtPh on, each first choice followed by the best play"
    );
    paragraph(&heading)
        + &fitted(&headings, &rows, &[false, true, true, true, true])
        + &indented(2, &advice(situation, found, ahead))
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
