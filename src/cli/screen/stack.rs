//! The answer to a question about a stack of ASL.

use std::collections::BTreeSet;

use super::{
    Counters, are_several, at, by_point, every_end, joint, odds, slots, sum, unit_name, with_status,
};
use crate::table::{Row, Table};
use asl::question::{Ask, Question};
use asl::unit::Condition;
use system::Words as _;

/// What is told of it, above how it was come by.
pub fn told(question: &Question, table: &Table) -> String {
    match (question.is_joint(), question.ask()) {
        (true, _) => joint(table, question.points().unwrap_or_default()),
        (false, Ask::Rally) => rally(question, table),
        (false, Ask::Sequence) => steps(question, table),
        (false, _) => ends(question, table),
    }
}

/// Rally: when each unit rallies, and what else becomes of it.
fn rally(question: &Question, table: &Table) -> String {
    let phases: Vec<u16> = table
        .rows
        .iter()
        .filter_map(|row| row.label.phase)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let (Some(&first), Some(&last)) = (phases.first(), phases.last()) else { return String::new() };
    let slots = slots(table);
    let several = are_several(&slots);
    let mut text = String::new();
    for (&slot, unit) in &slots {
        let name = unit_name(slot, unit, several);
        let share =
            |status, phase| odds(table, sum(&with_status(&at(table, slot, Some(phase)), status)));
        text += &match question.stack().members.get(usize::from(slot) - 1) {
            None => format!(
                "A unit is created as [{slot}]: {}.\n",
                odds(table, sum(&at(table, slot, Some(last))))
            ),
            Some(member) if !member.is(Condition::BeganBroken) => {
                format!(
                    "{name} is not broken at the start; in Good Order after {last} phases: {}.\n",
                    share("good-order", last)
                )
            }
            Some(_) if first == last => format!("{name} rallies: {}.\n", share("rallied", last)),
            Some(_) => {
                let (at_once, by_last) = (share("rallied", first), share("rallied", last));
                format!(
                    "{name} rallies in the first phase: {at_once}; within {last} phases: {by_last}.\n"
                )
            }
        };
    }
    text + "\n" + &by_point(table, "phase", question.statuses(), Counters::All)
}

/// Check and Interdiction: how each unit ends.
fn ends(question: &Question, table: &Table) -> String {
    let slots = slots(table);
    let several = are_several(&slots);
    let mut text = String::new();
    for (&slot, unit) in &slots {
        let Some(member) = question.stack().members.get(usize::from(slot) - 1) else { continue };
        let rows = at(table, slot, None);
        let name = unit_name(slot, unit, several);
        let routs = member.is(Condition::BeganBroken);
        let verb = match question.ask() {
            Ask::Interdict if !routs => {
                let gone = with_status(&rows, "eliminated");
                text += &match gone.is_empty() {
                    true => format!("{name} is not broken and does not rout.\n"),
                    false => format!(
                        "{name} goes along (A10.711); is eliminated: {}.\n",
                        odds(table, sum(&gone))
                    ),
                };
                continue;
            }
            Ask::Interdict => "gets through",
            _ if member.conditions.written().next().is_some() => "stays as it is",
            _ => "is unharmed",
        };
        let unchanged = |row: &&&Row| {
            row.label.status == Some(member.start_status().name())
                && row.label.counter == row.label.unit
                && row.label.wounded != Some(!member.is(Condition::Wounded))
        };
        let good = match question.ask() {
            Ask::Interdict => with_status(&rows, "through"),
            _ => rows.iter().filter(unchanged).copied().collect(),
        };
        let gone = with_status(&rows, "eliminated");
        let gone = if gone.is_empty() {
            String::new()
        } else {
            format!("; is eliminated: {}", odds(table, sum(&gone)))
        };
        text += &format!("{name} {verb}: {}{gone}.\n", odds(table, sum(&good)));
    }
    text + "\n" + &every_end(table)
}

/// A sequence: what each step does, and the odds of every outcome after each.
fn steps(question: &Question, table: &Table) -> String {
    let mut text = String::new();
    for (number, step) in (1..).zip(question.steps()) {
        let test = step.test.map_or(String::new(), |test| format!(", {test}"));
        text += &format!("step {number}  {}{test}\n", step.action);
    }
    text + "\n" + &by_point(table, "step", question.statuses(), Counters::All)
}
