//! Rendering of the values of a unit's first options over several Player Turns.

use crate::document::{Document, aligned, indented, paragraph};
use asl::course::opening::{FirstOption, Openings};
use asl::rout::Situation;
use asl::scenario::later_turns::{LaterTurns, first_words};
use engine::solve::EQUAL;

/// Renders the value of each first option of a unit, and advice on the best.
pub(super) fn render_campaign(
    situation: &Situation,
    unit: usize,
    openings: &Openings,
    ahead: &LaterTurns,
) -> Document {
    let words = ahead.objective.in_words(false);
    let turns = player_turns(ahead.turns);
    let name = situation.unit_called(unit);
    let headings = ["first", words.as_str(), "margin", "survives", "squad-equivalents"];
    let row = |(number, FirstOption { first, value }): (usize, &FirstOption)| {
        let [worth, survives, squads] = *value;
        let [value, survives, squads] =
            [ahead.objective.number(worth), survives, squads].map(|value| format!("{value:.4}"));
        let margin =
            openings.margin(number).map_or(String::new(), |margin| match margin.abs() <= EQUAL {
                true => "0".to_string(),
                false => format!("{margin:+.4}"),
            });
        let [first, _] = first_words(situation, *first);
        vec![first, value, margin, survives, squads]
    };
    let rows = openings.list.iter().enumerate().map(row);
    let heading = format!(
        "{name} over {turns} from this RtPh on, each first choice followed by the best play"
    );
    paragraph(&heading)
        + aligned(headings, rows, &[false, true]).fitted()
        + indented(2, &advice(situation, openings, ahead))
}

/// Returns the best option and its lead over the next, in words.
fn advice(situation: &Situation, openings: &Openings, ahead: &LaterTurns) -> String {
    let (turns, words) = (player_turns(ahead.turns), ahead.objective.aim_in_words(false));
    let best = &openings.list[0];
    let [first, _] = first_words(situation, best.first);
    let value = ahead.objective.number(best.value[0]);
    let more = if ahead.objective.is_minimized() { "less" } else { "more" };
    let Some((next, margin)) = openings.list.get(1).zip(openings.margin(0)) else {
        return format!("Over {turns} for {words} there is no choice: {first}, {value:.4}");
    };
    let [_, next] = first_words(situation, next.first);
    let than = match margin {
        margin if margin <= EQUAL => format!("as much as {next}"),
        margin if margin < 0.00005 => format!("less than 0.0001 {more} than {next}"),
        margin => format!("{margin:.4} {more} than {next}"),
    };
    format!("Best over {turns} for {words}: {first}, {value:.4} ({than})")
}

fn player_turns(turns: u16) -> String {
    format!("{turns} Player Turn{}", if turns == 1 { "" } else { "s" })
}
