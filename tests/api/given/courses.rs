//! Comparison of courses and best play after given dice. A unit of the toy game becomes steady with
//! 5 or 6 in one of its turns.

use lowcrawl::answer::{Engine, Options, Trials};
use lowcrawl::play::{Depth, DynQuestion, Game as _, Objective};

use super::{form, parse_question};
use crate::toy::Toy;

const STEADY: &str = "toy steady; unit=conscripts; turns=3; may-run=true";

fn steady() -> Objective {
    Objective::named("steady", Toy.measures(), &[]).unwrap()
}

fn close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-12, "{actual} instead of {expected}");
}

/// Returns the value of each course, computed by an engine.
fn course_values(courses: &[&str], engine: Engine) -> Vec<f64> {
    let courses: Vec<Box<dyn DynQuestion>> =
        courses.iter().map(|course| parse_question(course)).collect();
    let options = Options { engine, trials: Trials::Number(400_000), ..Options::default() };
    let compared = courses[0]
        .compared(&courses, &steady(), &options, courses[0].meta_of_course(String::new()))
        .unwrap();
    compared.courses.iter().map(|course| course.objective.value).collect()
}

/// After a 3 two turns are left: 1 - 4/9. Without it there are three: 1 - 8/27. After a 3 and a 4
/// there is one. A course that runs at once has the value 0.
#[test]
fn course_continues_from_its_own_dice() {
    let courses = [
        format!("{STEADY}; policy=stay; given=3"),
        format!("{STEADY}; policy=stay"),
        format!("{STEADY}; given=3 4"),
        format!("{STEADY}; policy=run"),
        format!("{STEADY}; policy=best"),
    ];
    let courses: Vec<&str> = courses.iter().map(String::as_str).collect();
    let expected = [5.0 / 9.0, 19.0 / 27.0, 1.0 / 3.0, 0.0, 19.0 / 27.0];
    for (exact, expected) in course_values(&courses, Engine::Exact).into_iter().zip(expected) {
        close(exact, expected);
    }
    for (sampled, expected) in course_values(&courses, Engine::MonteCarlo).into_iter().zip(expected)
    {
        assert!(
            (sampled - expected).abs()
                < 5.0 * (expected * (1.0 - expected) / 400_000.0).sqrt() + 1e-12,
            "{sampled}"
        );
    }
    let words = |course: &str| parse_question(course).meta_of_course(String::new()).question;
    assert_eq!(words(courses[0]), "conscripts over 3 turns; given 3; policy: stay");
}

/// Best play has not made its first choice yet, so dice that follow this choice cannot be given.
#[test]
fn roll_after_an_open_choice_is_refused() {
    let message = "a choice must be made before this roll: turn 1: shaken";
    let error = form(&format!("{STEADY}; policy=best; given=3")).finish().err().unwrap();
    assert_eq!(
        (error.field.as_str(), error.fault.message.as_str(), error.fault.span),
        ("given", message, 0..1)
    );
    let error = parse_question(&format!("{STEADY}; given=3")).solvable().unwrap_err();
    assert_eq!((error.field.as_str(), error.fault.message.as_str()), ("given", message));
    assert!(parse_question(STEADY).solvable().is_ok());
    let policy = parse_question(&format!("{STEADY}; policy=stay; given=3")).solvable().unwrap_err();
    assert_eq!(policy.field, "policy");
}

/// A leader takes its MC before the first choice of who rallies. The value of best play is the mean
/// of the values after each of its rolls.
#[test]
fn best_play_continues_from_the_given_dice() {
    let objective =
        Objective::named("good-order-squads", lowcrawl::course::game::Asl.measures(), &[]).unwrap();
    let solved = |given: &str| {
        let question = parse_question(&format!(
            "sequence; stack=german:8-0 + german:4-6-7/dm + german:4-3-6/dm; hob=false; 1.do=check; 1.mc=1; 2.do=rally; 2.phases=1; 3.do=rally{given}"
        ));
        assert!(question.solvable().is_ok());
        question
            .solve(&objective, Depth::Opening, lowcrawl::engine::monitor::Monitor::NONE)
            .unwrap()
            .value[0]
    };
    let rolls = (1..=6).flat_map(|coloured| {
        (1..=6).map(move |white| solved(&format!("; given={coloured},{white}")))
    });
    let values: Vec<f64> = rolls.collect();
    close(values.iter().sum::<f64>() / 36.0, solved(""));
    assert!(values[0] > values[35], "a leader who is lost helps nobody: {values:?}");
}

/// A policy that runs at once rolls no dice, so dice cannot be given.
#[test]
fn policy_that_rolls_no_dice_refuses_given_dice() {
    let error = form(&format!("{STEADY}; policy=run; given=3")).finish().err().unwrap();
    assert_eq!(
        (error.field.as_str(), error.fault.message.as_str()),
        ("given", "the sequence ends after 0 roll(s), but `given` has 1 more")
    );
}

/// Courses with dice of their own: a stack after its check, against the same stack before it.
#[test]
fn stacks_are_compared_from_their_given_dice() {
    let courses = [
        "check; stack=german:4-6-7; mc=0; hob=false; given=2,2",
        "check; stack=german:4-6-7; mc=0; hob=false",
    ];
    let courses: Vec<Box<dyn DynQuestion>> =
        courses.iter().map(|course| parse_question(course)).collect();
    let objective =
        Objective::named("good-order", lowcrawl::course::game::Asl.measures(), &[]).unwrap();
    let compared = courses[0]
        .compared(
            &courses,
            &objective,
            &Options::default(),
            courses[0].meta_of_course(String::new()),
        )
        .unwrap();
    close(compared.courses[0].objective.value, 1.0);
    assert!((0.4..1.0).contains(&compared.courses[1].objective.value));
}
