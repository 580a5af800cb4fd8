//! What knows no game works with any: a system made up for this test is asked, swept, compared and solved like the others.
#![cfg(feature = "cli")]

mod toy;

use lowcrawl::course::best::Best;
use lowcrawl::course::line::{Line, gain};
use lowcrawl::course::objective::Objective;
use lowcrawl::engine::exact::Fraction;
use lowcrawl::process::Question as _;
use lowcrawl::study::answer::{Answer, Engine, Options, Trials, answer};
use lowcrawl::study::compare::compare;
use lowcrawl::study::systems::{courses, study};
use lowcrawl::system::form::{Form, Value};
use lowcrawl::system::{Asked, Hope, System};
use lowcrawl::table::{Cell, Meta};
use toy::Toy;

/// The question with these fields, its choices made by a policy.
fn line(fields: &[(&str, Value)], policy: Option<&str>) -> Line<toy::Question> {
    let mut form = Toy::blank(&Toy::kinds()[0]);
    form.set("unit", Value::Text("conscripts")).unwrap();
    fields.iter().for_each(|(field, value)| form.set(field, *value).unwrap());
    Line::named(form.finish().unwrap(), policy).unwrap()
}

fn answered(line: &Line<toy::Question>, engine: Engine) -> Answer {
    let options = Options { engine, trials: Trials::Number(100_000), ..Options::default() };
    answer(line, &options, Meta::of(line, "asked".to_string())).unwrap()
}

/// 5 or more on a dr is 1/3 each turn: 1/3, 5/9, 19/27 by turn.
#[test]
fn a_question_is_answered() {
    let line = line(&[("turns", Value::Integer(3))], None);
    let Answer { rows, meta, .. } = answered(&line, Engine::Auto);
    let steady: Vec<String> = rows
        .iter()
        .filter(|row| row.label.status == Some("steady"))
        .map(|row| match row.figure {
            lowcrawl::table::Figure::Exact { fraction: Some(fraction), .. } => fraction.to_string(),
            _ => panic!("not exact"),
        })
        .collect();
    assert_eq!(steady, ["1/3", "5/9", "19/27"]);
    let json = serde_json::to_value(&meta).unwrap();
    assert_eq!((&json["system"], &json["question"]), (&"toy".into(), &"conscripts over 3 turns".into()));
    assert!(json.get("profile").is_none() && json.get("elr").is_none(), "{json}");
}

/// Who runs is gone, exactly and by Monte Carlo.
#[test]
fn quantities_have_expected_values() {
    let may_run = [("may-run", Value::Boolean(true)), ("turns", Value::Integer(2))];
    for (policy, expected) in [("run", 1), ("stay", 0)] {
        let exact = answered(&line(&may_run, Some(policy)), Engine::Exact).expected;
        assert_eq!(exact[0].fraction, Some(Fraction::new(expected, 1)));
        let sampled = answered(&line(&may_run, Some(policy)), Engine::MonteCarlo).expected;
        assert_eq!((sampled[0].value, sampled[0].fraction, sampled[0].std_error), (expected as f64, None, Some(0.0)));
    }
}

#[test]
fn an_unknown_policy_is_at_fault() {
    let mut form = Toy::blank(&Toy::kinds()[0]);
    form.set("unit", Value::Text("conscripts")).unwrap();
    let fault = |form: &toy::Draft, policy| Line::named(form.finish().unwrap(), Some(policy)).err().unwrap().fault.to_string();
    assert_eq!(fault(&form, "run"), "no policy is called `run` (here nobody has anything to choose)");
    form.set("may-run", Value::Boolean(true)).unwrap();
    assert_eq!(fault(&form, "rum"), "no policy is called `rum` (did you mean `run`?)");
}

const STUDY: &str = "system = \"toy\"\nquestion = \"steady\"\n[base]\nunit = \"conscripts\"\nmay-run = true\n[grid]\n\
                     policy = [\"stay\", \"run\"]\nbonus = [0, 1]\n";

/// Least dr 5, with a bonus 4: 1/3 and 1/2 for those who stay, nothing for those who run.
#[test]
fn a_study_sweeps_fields_policies_and_parameters() {
    let (grid, _) = study::<Toy>(STUDY).unwrap();
    assert_eq!(grid.cells(), 4);
    let steady = |case| {
        let rows = grid.answer_rows(case, &Options::default(), &Meta::default()).unwrap();
        let columns = grid.answer_columns();
        let of = |name: &str| columns.iter().position(|(known, _)| *known == name).unwrap();
        let steady = rows.iter().find(|row| row[of("status")] == Cell::Text("steady".to_string()));
        steady.map_or(String::new(), |row| row[of("fraction")].text())
    };
    assert_eq!((0..4).map(steady).collect::<Vec<_>>(), ["1/3", "1/2", "", ""]);
    let rules = grid.rules();
    assert_eq!(rules.words, "system toy");
    let swept = [("bonus".to_string(), vec!["0".to_string(), "1".to_string()])].into_iter().collect();
    assert_eq!(rules.fact("switches"), Some(&lowcrawl::system::Fact::Swept(swept)));
    assert_eq!(grid.headline(), Some(Hope::of_unit(&["steady"], "steady after the last turn")));
}

#[test]
fn faults_of_a_study_have_their_place() {
    for (text, place, message) in [
        ("unit = \"conscripts\"", "unit = 3", "`unit` must be a text in quotes, not 3"),
        ("policy = [\"stay\"", "policy = [\"stai\"", "no policy is called `stai` (did you mean `stay`?)"),
        ("bonus = [0, 1]", "bonus = [0, 9]", "`bonus` must be a whole number from 0 to 3, not 9"),
        ("bonus = [0, 1]", "bnus = [0, 1]", "no field `bnus`"),
        ("\"steady\"", "\"steddy\"", "`question` cannot be `steddy` (did you mean `steady`?)"),
        ("may-run = true", "may-run = 1", "`may-run` must be true or false, not 1"),
    ] {
        let fault = study::<Toy>(&STUDY.replace(text, place)).err().unwrap();
        assert!(fault.to_string().starts_with(message), "{fault}");
    }
}

/// Least dr 5: the best play of three turns is to stay, 19/27; to run is worth nothing.
#[test]
fn the_best_play_is_found_and_compared() {
    let objective = Objective::named("steady", Toy::measures()).unwrap();
    let question = |policy| {
        let mut form = Toy::blank(&Toy::kinds()[0]);
        for (field, value) in [("unit", Value::Text("x")), ("turns", Value::Integer(3)), ("may-run", Value::Boolean(true))] {
            form.set(field, value).unwrap();
        }
        let question = form.finish().unwrap();
        match policy {
            None => Line::best(question, &objective).unwrap(),
            policy => Line::named(question, policy).unwrap(),
        }
    };
    let best = question(None);
    assert_eq!(best.in_words(), "x over 3 turns; policy: best");
    let solved = Best::solve(&best.question().whole(), gain(best.question(), &objective)).unwrap().value();
    assert!((solved[0] - 19.0 / 27.0).abs() < 1e-12);
    for (engine, within) in [(Engine::Exact, 1e-12), (Engine::MonteCarlo, 0.01)] {
        let courses = [question(None), question(Some("run"))];
        let options = Options { engine, trials: Trials::Number(100_000), ..Options::default() };
        let compared = compare(&courses, &objective, &options, Meta::default()).unwrap();
        assert_eq!((compared.verdict.best, compared.statuses.join(" ")), (0, "steady shaken gone".to_string()));
        assert!((compared.verdict.lead.value - 19.0 / 27.0).abs() < within);
    }
}

#[test]
fn a_comparison_is_read() {
    let text = "system = \"toy\"\nquestion = \"steady\"\nobjective = \"steady\"\n[base]\nunit = \"x\"\nmay-run = true\n\
                [[course]]\nname = \"a\"\n[[course]]\nname = \"b\"\npolicy = \"best\"\n";
    let file = courses::<Toy>(text, true).unwrap();
    assert_eq!(file.names(), ["a", "b"]);
    assert_eq!(file.draft(1).unwrap().finish().unwrap().policy.as_deref(), Some("best"));
    let fault = courses::<Toy>(&text.replace("\"steady\"\n[base]", "\"steadi\"\n[base]"), true).err().unwrap();
    assert_eq!(fault.to_string(), "no objective is called `steadi` (did you mean `steady`?)");
}
