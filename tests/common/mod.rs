//! Helpers for several test files: questions from fields, odds as maps, chi-squared tests and
//! traces of scripted dice.
#![allow(dead_code)]

use std::collections::BTreeMap;

use crate::fit::{ChiSquared, chi_squared};
use crate::table;
use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::{Draft, FieldFault, Question, QuestionKind};
use lowcrawl::asl::rulebook::{Rulebook, Switch};
use lowcrawl::asl::stack_process::StackProcess;
use lowcrawl::engine::automaton::{Automaton, MAX_ROWS};
use lowcrawl::engine::exact::{self, Bound, Chance, Fraction};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::engine::monte_carlo::{Plan, Simulator};
use lowcrawl::engine::trace::{self, Trace, TraceDice, TraceError, TraceLine};
use lowcrawl::process::{Label, Process, Question as _, ReportIndex};
use lowcrawl::schema::{Settable as _, Word as _};

/// Slot (from 1), phase (0 without phases), status, counter ("" when eliminated), wounded.
pub type Row = (usize, usize, String, String, Option<bool>);

/// Builds a draft from fields such as `stack=german:4-6-7; mc=1; hob`.
pub fn draft(kind: QuestionKind, fields: &str) -> Draft {
    let mut draft = Draft::new(kind);
    for (field, value) in table::fields(fields) {
        draft.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    draft
}

/// Returns the kind of question with this name.
pub fn kind(name: &str) -> QuestionKind {
    *QuestionKind::ALL.iter().find(|kind| kind.declared().name == name).expect(name)
}

/// Builds a question from fields, without Heat of Battle unless a field says `hob`.
pub fn ask(kind: QuestionKind, fields: &str) -> Question {
    let question = draft(kind, &format!("hob=false; {fields}")).question();
    question.unwrap_or_else(|blame| panic!("{}: {}", blame.field, blame.fault))
}

/// Builds the questions of a table of kinds and fields.
pub fn questions(table: &str) -> Vec<Question> {
    table::rows(table).map(|[name, fields]| ask(kind(name), fields)).collect()
}

pub fn blame(kind: QuestionKind, fields: &str) -> FieldFault {
    draft(kind, fields).question().unwrap_err()
}

/// Builds a question about an `mc`MC of a stack.
pub fn check(stack: &str, mc: i64, elr: i64) -> Question {
    ask(QuestionKind::Check, &format!("stack={stack}; mc={mc}; elr={elr}"))
}

/// Builds a question about one Rally Phase in the Player Turn of the other side.
pub fn rally(stack: &str, leader: &str) -> Question {
    ask(QuestionKind::Rally, &format!("stack={stack}; leader={leader}; phases=1; own-rph=never"))
}

/// Builds a question about a sequence; the fields of its steps come without step numbers.
pub fn sequence(fields: &str, steps: &[&str]) -> Question {
    let mut fields = fields.to_string();
    for (number, step) in (1..).zip(steps) {
        step.split(';').for_each(|field| fields += &format!("; {number}.{}", field.trim()));
    }
    ask(QuestionKind::Sequence, &fields)
}

/// Returns the probability that the unit in `slot` ends as `status counter`, such as
/// `broken 4-6-7`, after the last phase or step. It is a fraction, or "0".
pub fn ends(question: &Question, slot: u8, end: &str) -> String {
    let chances: Vec<_> = question
        .parts()
        .all()
        .flat_map(|part| exact::odds(&part, Bound::STANDARD).unwrap().chances)
        .collect();
    let last = chances.iter().map(|chance| chance.point).max().unwrap();
    let fits = |chance: &&Chance<_>| {
        let label = question.label(chance.point, &chance.outcome);
        let wounded = if label.wounded == Some(true) { " wounded" } else { "" };
        let words =
            format!("{} {}{wounded}", label.status.unwrap(), label.counter.unwrap_or_default());
        chance.point == last && label.slot == Some(slot) && words.trim() == end
    };
    let zero = Fraction { numerator: 0, denominator: 1 };
    let sum = chances
        .iter()
        .filter(fits)
        .fold(zero, |sum, chance| sum.checked_add(chance.fraction.unwrap()).unwrap());
    if sum == zero { "0".to_string() } else { sum.to_string() }
}

/// Panics unless the unit in `slot` has these ends with these odds: `broken 8-0: 1/6, eliminated:
/// 1/9`.
pub fn assert_ends(question: &Question, slot: u8, expected: &str) {
    for (end, odds) in expected.split(", ").map(|end| end.rsplit_once(": ").expect(end)) {
        let name = format!("[{slot}] {end} in {}", question.texts().in_words);
        assert_eq!(ends(question, slot, end), odds, "{name}");
    }
}

/// Returns a copy of the question with a switch at its other value.
pub fn flipped(question: &Question, switch: Switch) -> Question {
    let mut other = question.clone();
    other.rulebook = question.rulebook.flipped(switch);
    other
}

/// Panics unless the unit in `slot` ends as `end` with `default` odds, and with `alternative` odds
/// once `switch` is flipped.
pub fn assert_switch(
    question: &Question,
    switch: &str,
    slot: u8,
    end: &str,
    default: &str,
    alternative: &str,
) {
    let flipped = flipped(question, Rulebook::find(switch).unwrap().switch);
    let both = (ends(question, slot, end), ends(&flipped, slot, end));
    assert_eq!(
        both,
        (default.to_string(), alternative.to_string()),
        "{switch}: [{slot}] {end} in {}",
        question.texts().in_words
    );
}

/// Converts a label to a row of odds.
pub fn row(label: &Label) -> Row {
    (
        label.slot.map_or(0, usize::from),
        label.phase.map_or(0, usize::from),
        label.status.unwrap_or_default().to_string(),
        label.counter.clone().unwrap_or_default(),
        label.wounded,
    )
}

/// Returns the exact odds of some processes of a question, added up.
pub fn odds_of(question: &Question, processes: &[StackProcess]) -> BTreeMap<Row, f64> {
    let mut odds = BTreeMap::new();
    for process in processes {
        for chance in
            exact::odds(process, Bound { alive: 1 << 20, worked: 1 << 24, ..Bound::STANDARD })
                .unwrap()
                .chances
        {
            *odds.entry(row(&question.label(chance.point, &chance.outcome))).or_default() +=
                chance.probability;
        }
    }
    odds
}

/// Returns the exact odds of a question, computed factor by factor.
pub fn odds(question: &Question) -> BTreeMap<Row, f64> {
    odds_of(question, &question.parts().all().collect::<Vec<_>>())
}

/// Panics unless both maps agree to `tolerance`. A missing row counts as probability 0.
pub fn assert_close(
    actual: &BTreeMap<Row, f64>,
    expected: &BTreeMap<Row, f64>,
    tolerance: f64,
    what: &str,
) {
    for key in actual.keys().chain(expected.keys()) {
        let (a, e) =
            (actual.get(key).copied().unwrap_or(0.0), expected.get(key).copied().unwrap_or(0.0));
        assert!((a - e).abs() <= tolerance, "{what}: {key:?}: {a} instead of {e}");
    }
}

pub fn exact_odds(process: &impl Process<Outcome = Outcome>) -> exact::Odds<Outcome> {
    exact::odds(process, Bound::STANDARD).unwrap()
}

/// Returns the transition table of a process, which must be small enough for one.
pub fn table<P: Process>(process: &P) -> Automaton<P::Outcome> {
    Automaton::explore(process, MAX_ROWS, Monitor::NONE).unwrap().expect("a small process")
}

/// Returns the 1-based slot of an outcome; 0 for an outcome of the whole stack.
pub fn slot(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Unit(outcome) => outcome.slot,
        Outcome::Stack { .. } | Outcome::Calls(_) => 0,
    }
}

/// Returns chi-squared tests of simulated counts against exact odds, one for each slot at each
/// report point. A slot for created units may stay empty; what is sure needs no test.
pub fn goodness_of_fit(question: &Question, trials: u64, seed: u64) -> Vec<ChiSquared> {
    let process = question.whole();
    let run =
        Simulator::new(&process, Monitor::NONE).unwrap().run(&Plan::new(trials, seed)).unwrap();
    let mut counts: BTreeMap<(ReportIndex, Outcome), u64> =
        run.counts.into_iter().map(|(point, outcome, count)| ((point, outcome), count)).collect();
    let mut partitions: BTreeMap<(ReportIndex, u8), (Vec<u64>, Vec<f64>)> = BTreeMap::new();
    for chance in exact_odds(&process).chances {
        let (observed, expected) =
            partitions.entry((chance.point, slot(&chance.outcome))).or_default();
        expected.push(chance.probability);
        observed.push(counts.remove(&(chance.point, chance.outcome)).unwrap_or(0));
    }
    assert!(counts.is_empty(), "{}: impossible outcomes: {counts:?}", question.texts().in_words);
    let created = |slot: u8| usize::from(slot) > question.stack.members.len();
    for ((_, slot), (observed, expected)) in &mut partitions {
        let (seen, chance) = (observed.iter().sum::<u64>(), expected.iter().sum::<f64>());
        if created(*slot) && chance < 1.0 - 1e-9 {
            observed.push(trials - seen);
            expected.push(1.0 - chance);
        } else {
            assert_eq!(seen, trials, "{}: slot {slot}", question.texts().in_words);
        }
    }
    partitions
        .values()
        .filter(|(_, expected)| expected.len() > 1)
        .map(|(observed, expected)| chi_squared(observed, expected).unwrap())
        .collect()
}

/// Returns the outcomes reported in a trace, each with its report point.
pub fn noted(trace: Trace<Outcome>) -> Vec<(ReportIndex, Outcome)> {
    let of_line = |line| match line {
        TraceLine::Noted { point, outcomes } => {
            outcomes.into_iter().map(|outcome| (point, outcome)).collect()
        }
        _ => Vec::new(),
    };
    trace.lines.into_iter().flat_map(of_line).collect()
}

/// Traces a sequence with scripted dice.
pub fn trace_script(question: &Question, script: &str) -> Result<Trace<Outcome>, TraceError> {
    trace::trace(&question.whole(), &TraceDice::Script(script.to_string()), Monitor::NONE)
}

/// Returns status and counter of each unit at the end of a trace, and the trace's probability.
pub fn trace_of(question: &Question, script: &str) -> (Vec<(String, String)>, Fraction) {
    let trace = trace_script(question, script)
        .unwrap_or_else(|error| panic!("{}: {script}: {error}", question.texts().in_words));
    let probability = trace.probability.unwrap();
    assert!((trace.approximately - probability.to_f64()).abs() < 1e-15);
    let outcomes = noted(trace);
    let last = outcomes.last().expect("an outcome").0;
    let rows = outcomes.into_iter().filter(|&(point, _)| point == last);
    let words = |(point, outcome)| {
        let (_, _, status, counter, wounded) = row_of(question, point, &outcome);
        (status, if wounded == Some(true) { format!("{counter}/wounded") } else { counter })
    };
    (rows.map(words).collect(), probability)
}

pub fn row_of(question: &Question, point: ReportIndex, outcome: &Outcome) -> Row {
    row(&question.label(point, outcome))
}

/// Panics unless each script of a table takes these rolls and the units end in this way:
/// `6,6 1 3,4 | 10.1 1/36, 17.11 4/6, 10.1 6/36 = 1/324 | broken 8-1/wounded, pinned 4-6-7`. A roll
/// is its rule and the share of the faces with the same effect. The shares are multiplied to the
/// probability of the trace, which may be added.
pub fn assert_traces(question: &Question, table: &str) {
    for [script, rolled, ends] in table::rows(table) {
        let name = format!("{}: {script}", question.texts().in_words);
        let (rolled, total) = rolled.split_once(" = ").unwrap_or((rolled, ""));
        let (found, probability) = trace_of(question, script);
        let found = found.iter().map(|(status, unit)| format!("{status} {unit}"));
        let found: Vec<_> = found.map(|end| end.trim().to_string()).collect();
        assert_eq!(found.join(", "), ends, "{name}");
        let (mut numerator, mut denominator) = (1, 1);
        for (roll, (rule, faces)) in rolled.split(", ").zip(rolls(question, script)) {
            let all = if roll.ends_with("/6") { 6 } else { 36 };
            assert_eq!(roll, format!("{rule} {faces}/{all}"), "{name}");
            (numerator, denominator) = (numerator * u128::from(faces), denominator * all);
        }
        assert_eq!(rolled.split(", ").count(), rolls(question, script).len(), "{name}");
        assert_eq!(probability, Fraction::new(numerator, denominator), "{name}");
        assert!(total.is_empty() || probability.to_string() == total, "{name}: {probability}");
    }
}

/// Returns the rule of every roll of a trace, and the number of faces with the same effect.
fn rolls(question: &Question, script: &str) -> Vec<(&'static str, u8)> {
    let of_line = |line| match line {
        TraceLine::Roll { event, faces_read, .. } => Some((event.rule, faces_read)),
        _ => None,
    };
    trace_script(question, script).unwrap().lines.into_iter().filter_map(of_line).collect()
}

/// Returns the greatest common divisor by Euclid's algorithm, to check that of the engines.
pub fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
