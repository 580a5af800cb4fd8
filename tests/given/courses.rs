//! Courses side by side and the best play, from given dice on. The unit of the toy is steady with 5 or 6 in one of its turns.

use lowcrawl::system::Game as _;
use lowcrawl::system::answer::{Engine, Options, Trials};
use lowcrawl::system::asking::{Asking, Depth};
use lowcrawl::system::objective::Objective;

use crate::toy::Toy;
use crate::{asking, form};

const STEADY: &str = "toy steady; unit=conscripts; turns=3; may-run=true";

fn steady() -> Objective {
    Objective::named("steady", Toy.measures()).unwrap()
}

fn close(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-12, "{actual} instead of {expected}");
}

/// What each course is worth, by an engine.
fn worths(courses: &[&str], engine: Engine) -> Vec<f64> {
    let courses: Vec<Box<dyn Asking>> = courses.iter().map(|course| asking(course)).collect();
    let options = Options { engine, trials: Trials::Number(400_000), ..Options::default() };
    let compared = courses[0].compared(&courses, &steady(), &options, courses[0].meta_of_course(String::new())).unwrap();
    compared.courses.iter().map(|course| course.objective.value).collect()
}

/// After a 3 two turns are left, 1 - 4/9; without it three, 1 - 8/27; after a 3 and a 4 one. Whoever plays best stays, as the first policy
/// did before. A course that runs at once is worth nothing.
#[test]
fn a_course_goes_on_from_its_own_dice() {
    let courses = [
        format!("{STEADY}; policy=stay; given=3"),
        format!("{STEADY}; policy=stay"),
        format!("{STEADY}; given=3 4"),
        format!("{STEADY}; policy=best; given=3"),
        format!("{STEADY}; policy=run"),
        format!("{STEADY}; policy=best"),
    ];
    let courses: Vec<&str> = courses.iter().map(String::as_str).collect();
    let expected = [5.0 / 9.0, 19.0 / 27.0, 1.0 / 3.0, 5.0 / 9.0, 0.0, 19.0 / 27.0];
    for (exact, expected) in worths(&courses, Engine::Exact).into_iter().zip(expected) {
        close(exact, expected);
    }
    for (sampled, expected) in worths(&courses, Engine::MonteCarlo).into_iter().zip(expected) {
        assert!((sampled - expected).abs() < 5.0 * (expected * (1.0 - expected) / 400_000.0).sqrt() + 1e-12, "{sampled}");
    }
    let words = |course: &str| asking(course).meta_of_course(String::new()).question;
    assert_eq!(words(courses[0]), "conscripts over 3 turns; given 3; policy: stay");
    assert_eq!(words(courses[3]), "conscripts over 3 turns; given 3; policy: best");
}

/// The best play after a 3 has two decisions left, of turns 2 and 3; both policies are weighed from there on.
#[test]
fn the_best_play_goes_on_from_the_dice() {
    let question = asking(&format!("{STEADY}; given=3"));
    assert_eq!(question.in_full(), "conscripts over 3 turns; given 3");
    let solved = question.solve(&steady(), Depth::Policy, lowcrawl::engine::watch::Watch::NONE).unwrap();
    close(solved.value[0], 5.0 / 9.0);
    let states: Vec<&str> = solved.decisions.iter().map(|decision| decision.state.as_str()).collect();
    assert_eq!(states, ["turn 2: shaken", "turn 3: shaken"]);
    let worths = question.policies_worth(&steady(), lowcrawl::engine::watch::Watch::NONE).unwrap();
    assert_eq!(worths.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["stay", "run"]);
    close(worths[0].1, 5.0 / 9.0);
    close(worths[1].1, 0.0);
    let over = asking(&format!("{STEADY}; given=3 4 2"))
        .solve(&steady(), Depth::Tree(2, 0.0), lowcrawl::engine::watch::Watch::NONE)
        .unwrap();
    close(over.value[0], 0.0);
    assert!(over.opening.is_none() && over.decisions.is_empty());
}

/// Who runs at once rolls nothing; whose dice lie has stayed.
#[test]
fn choices_before_the_dice_are_those_of_the_policy() {
    let error = form(&format!("{STEADY}; policy=run; given=3")).finish().err().unwrap();
    assert_eq!(
        (error.field.as_str(), error.fault.message.as_str()),
        ("given", "the sequence is over after 0 roll(s), but `given` has 1 more")
    );
}

/// Courses of two topics with dice of their own: the leader's check of a stack, against the same stack before it.
#[test]
fn stacks_are_compared_from_their_dice() {
    let courses = ["check; stack=german:4-6-7; mc=0; hob=false; given=2,2", "check; stack=german:4-6-7; mc=0; hob=false"];
    let courses: Vec<Box<dyn Asking>> = courses.iter().map(|course| asking(course)).collect();
    let objective = Objective::named("good-order", lowcrawl::course::game::Asl.measures()).unwrap();
    let compared =
        courses[0].compared(&courses, &objective, &Options::default(), courses[0].meta_of_course(String::new())).unwrap();
    close(compared.courses[0].objective.value, 1.0);
    assert!((0.4..1.0).contains(&compared.courses[1].objective.value));
}
