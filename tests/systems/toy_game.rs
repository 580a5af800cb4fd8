//! Tests of the code that all games share, with a made-up game: answers, studies, comparisons, best
//! play, and the command line.
#![cfg(feature = "cli")]

use crate::toy::Toy;
use lowcrawl::answer::{Cell, Engine, Meta, Options, Table, Trials};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::{Courses, Depth, DynQuestion, Form, Game as _, Objective, Registry};
use lowcrawl::schema::RawValue;
use lowcrawl::study::file::{Extent, Study};
use lowcrawl::study::grid::Grid as _;

fn games() -> Registry {
    Registry::new(vec![&Toy])
}

fn form(fields: &[(&str, RawValue)]) -> Box<dyn Form> {
    let mut form = Toy.form(Toy.kinds()[0]);
    form.set("unit", RawValue::Text("conscripts")).unwrap();
    fields.iter().for_each(|(field, value)| form.set(field, *value).unwrap());
    form
}

/// Builds the question with these fields under a policy.
fn build_question(fields: &[(&str, RawValue)], policy: Option<&str>) -> Box<dyn DynQuestion> {
    let mut form = form(fields);
    policy.iter().for_each(|policy| form.set("policy", RawValue::Text(policy)).unwrap());
    form.finish().unwrap()
}

fn answered(question: &dyn DynQuestion, engine: Engine) -> Table {
    let options = Options { engine, trials: Trials::Number(100_000), ..Options::default() };
    question.answer(&options, question.meta("asked".to_string())).unwrap()
}

/// The unit passes on 5 or more, 1/3 in each turn: 1/3, 5/9, 19/27 by the end of each turn.
#[test]
fn question_has_exact_odds_by_turn() {
    let question = build_question(&[("turns", RawValue::Integer(3))], None);
    let Table { rows, meta, .. } = answered(question.as_ref(), Engine::Auto);
    let steady: Vec<String> = rows
        .iter()
        .filter(|row| row.label.status == Some("steady"))
        .map(|row| match row.figure {
            lowcrawl::answer::estimate::Estimate::Exact { fraction: Some(fraction), .. } => {
                fraction.to_string()
            }
            _ => panic!("not exact"),
        })
        .collect();
    assert_eq!(steady, ["1/3", "5/9", "19/27"]);
    let json = serde_json::to_value(&meta).unwrap();
    assert_eq!(
        (&json["system"], &json["question"]),
        (&"toy".into(), &"conscripts over 3 turns".into())
    );
    // One state waits for the dr of each turn.
    assert_eq!((&json["arithmetic"], &json["states"]), (&"integer".into(), &3.into()));
    assert_eq!(answered(question.as_ref(), Engine::MonteCarlo).meta.states, None);
    assert!(json.get("profile").is_none() && json.get("elr").is_none(), "{json}");
}

/// A unit that runs is gone, exactly and by Monte Carlo.
#[test]
fn quantities_have_expected_values() {
    let may_run = [("may-run", RawValue::Boolean(true)), ("turns", RawValue::Integer(2))];
    for (policy, expected) in [("run", 1), ("stay", 0)] {
        let question = build_question(&may_run, Some(policy));
        let exact = answered(question.as_ref(), Engine::Exact).expected;
        assert_eq!(exact[0].mean.fraction, Some(Fraction::new(expected, 1)));
        let sampled = answered(question.as_ref(), Engine::MonteCarlo).expected;
        assert_eq!(
            (sampled[0].mean.value, sampled[0].mean.fraction, sampled[0].mean.std_error),
            (expected as f64, None, Some(0.0))
        );
    }
}

#[test]
fn unknown_policy_is_rejected_with_a_suggestion() {
    let fault = |fields: &[(&str, RawValue)], policy| {
        let mut form = form(fields);
        form.set("policy", RawValue::Text(policy)).unwrap();
        let finished = form.finish().and_then(|question| question.answerable());
        finished.unwrap_err().fault.to_string()
    };
    let may_run = [("may-run", RawValue::Boolean(true))];
    assert_eq!(
        fault(&[], "run"),
        "no policy is called `run` (remove the option: this question leaves no choices)"
    );
    assert_eq!(
        fault(&[], "best"),
        "no policy is called `best` (remove the option: this question leaves no choices)"
    );
    assert_eq!(fault(&may_run, "rum"), "no policy is called `rum` (did you mean `run`?)");
    assert!(fault(&may_run, "best").contains("`lowcrawl solve`"));
}

const STUDY: &str = "system = \"toy\"\nquestion = \"steady\"\n[base]\nunit = \"conscripts\"\nmay-run = true\n[grid]\n\
                     policy = [\"stay\", \"run\"]\nbonus = [0, 1]\n";

/// The unit passes on 5 or more, or on 4 with the bonus: 1/3 and 1/2. A unit that runs has 0.
#[test]
fn study_sweeps_fields_policies_and_parameters() {
    let grid = Study::parse(STUDY, &games(), Extent::WHOLE, Monitor::NONE).unwrap();
    assert_eq!(grid.info().cells, 4);
    let steady = |case| {
        let rows = grid.answer(case, &Options::default(), &Meta::default()).unwrap().rows;
        let columns = &grid.info().answer_columns;
        let column = |name: &str| columns.iter().position(|(known, _)| *known == name).unwrap();
        let steady =
            rows.iter().find(|row| row[column("status")] == Cell::Text("steady".to_string()));
        steady.map_or(String::new(), |row| row[column("fraction")].text())
    };
    assert_eq!((0..4).map(steady).collect::<Vec<_>>(), ["1/3", "1/2", "", ""]);
    let rules = &grid.info().rules;
    assert_eq!(rules.words, "system toy");
    let swept =
        [("bonus".to_string(), vec!["0".to_string(), "1".to_string()])].into_iter().collect();
    assert_eq!(
        rules.fact("switches"),
        Some(&lowcrawl::answer::provenance::MetaValue::Swept(swept))
    );
    assert_eq!(grid.info().headline, Some(("the unit", "steady after the last turn")));
}

#[test]
fn faults_in_a_study_name_field_and_value() {
    for (text, place, message) in [
        ("unit = \"conscripts\"", "unit = 3", "`unit` must be a text in quotes, not 3"),
        (
            "policy = [\"stay\"",
            "policy = [\"stai\"",
            "no policy is called `stai` (did you mean `stay`?)",
        ),
        ("bonus = [0, 1]", "bonus = [0, 9]", "`bonus` must be a whole number from 0 to 3, not 9"),
        ("bonus = [0, 1]", "bnus = [0, 1]", "`steady` has no field `bnus` (did you mean `bonus`?)"),
        ("\"steady\"", "\"steddy\"", "`question` cannot be `steddy` (did you mean `steady`?)"),
        ("may-run = true", "may-run = 1", "`may-run` must be true or false, not 1"),
    ] {
        let fault =
            Study::parse(&STUDY.replace(text, place), &games(), Extent::WHOLE, Monitor::NONE)
                .unwrap_err();
        assert!(fault.to_string().starts_with(message), "{fault}");
    }
}

/// The unit passes on 5 or more: to stay for three turns is best, 19/27; to run has value 0.
#[test]
fn best_play_is_solved_and_compared() {
    let objective = Objective::named("steady", Toy.measures(), &[]).unwrap();
    let fields = [("turns", RawValue::Integer(3)), ("may-run", RawValue::Boolean(true))];
    let best = build_question(&fields, Some("best"));
    assert_eq!(best.meta(String::new()).question, "conscripts over 3 turns; policy: best");
    let solved = best.solve(&objective, Depth::Policy, Monitor::NONE).unwrap();
    assert!(
        (solved.value[0] - 19.0 / 27.0).abs() < 1e-12 && solved.decisions.len() == 3,
        "{solved:?}"
    );
    let worths = best.policies_worth(&objective, Monitor::NONE).unwrap();
    assert_eq!(worths.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["stay", "run"]);
    for (engine, within) in [(Engine::Exact, 1e-12), (Engine::MonteCarlo, 0.01)] {
        let courses = [build_question(&fields, Some("best")), build_question(&fields, Some("run"))];
        let options = Options { engine, trials: Trials::Number(100_000), ..Options::default() };
        let compared =
            courses[0].compared(&courses, &objective, &options, Meta::default()).unwrap();
        assert_eq!(
            (compared.verdict.best, compared.statuses.join(" ")),
            (0, "holds steady shaken gone".to_string())
        );
        assert!((compared.verdict.lead.value - 19.0 / 27.0).abs() < within);
    }
}

#[test]
fn comparison_file_is_read_and_its_fault_reported() {
    let text = "system = \"toy\"\nquestion = \"steady\"\nobjective = \"steady\"\n[base]\nunit = \"x\"\nmay-run = true\n\
                [[course]]\nname = \"a\"\n[[course]]\nname = \"b\"\npolicy = \"best\"\n";
    let file = Courses::parse(text, true, &games()).unwrap();
    assert_eq!(file.courses.iter().map(|course| &course.name).collect::<Vec<_>>(), ["a", "b"]);
    let is_solvable =
        |course: usize| file.courses[course].question.form().finish().unwrap().solvable().is_ok();
    assert!(is_solvable(0) && !is_solvable(1), "the second names a policy");
    let fault =
        Courses::parse(&text.replace("\"steady\"\n[base]", "\"steadi\"\n[base]"), true, &games())
            .err()
            .unwrap();
    assert_eq!(fault.to_string(), "no objective is called `steadi` (did you mean `steady`?)");
}

/// A game that is registered has commands, files and lists without any change elsewhere.
#[test]
fn registered_game_gets_commands_files_and_lists() {
    let registry = Registry::new([lowcrawl::api::games().games(), &[&Toy]].concat());
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let course = "\n[[course]]\nname = \"a\"\n[[course]]\nname = \"b\"\npolicy = \"run\"\n";
    let shared = "system = \"toy\"\nquestion = \"steady\"\nobjective = \"steady\"\n[base]\nunit = \"x\"\nmay-run = true\n";
    let (shared, compared) =
        (file("shared.toml", shared), file("compared.toml", &format!("{shared}{course}")));
    let study = file("toy.toml", STUDY);
    let out = folder.path().join("out").display().to_string();
    for (words, code) in [
        ("toy steady conscripts --turns 3 --set bonus=1", 0),
        ("toy steady conscripts --may-run --policy run --impact", 0),
        ("toy steady conscripts --need 12", 2),
        ("toy parameters", 0),
        ("toy units", 0),
        ("trace toy steady conscripts --script 5", 0),
        (&format!("solve {shared} --out {out}-solve.csv"), 0),
        (&format!("compare {compared} --out {out}-compare.csv"), 0),
        (&format!("study run {study} --out {out}"), 0),
        ("rally german:4-6-7 --phases 1", 0),
    ] {
        let arguments =
            std::iter::once("lowcrawl").chain(words.split(' ')).map(std::ffi::OsString::from);
        let exit_code = lowcrawl::cli::run(&registry, arguments);
        assert_eq!(
            format!("{exit_code:?}"),
            format!("{:?}", std::process::ExitCode::from(code)),
            "{words}"
        );
    }
}
