//! Measures of counts: they agree when read, reported, compared and solved. Faults in their
//! notation have a place.

use super::{class, counted, fields, of_stack};
use crate::table;
use lowcrawl::answer::{Engine, Options};
use lowcrawl::games;
use lowcrawl::play::{Depth, DynQuestion, MeasureExpr, Measurement, Objective};
use lowcrawl::schema::Kind;

fn kinds() -> &'static [&'static Kind] {
    games().first().kinds()
}

fn objective(text: &str) -> Objective {
    Objective::read(text, games().first().measures(), kinds())
        .unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

const EXACTLY: Options = Options {
    engine: Engine::Exact,
    trials: lowcrawl::Trials::Number(0),
    seed: 0,
    threads: None,
    stratify: 0,
    counts: None,
    watch: lowcrawl::engine::monitor::Monitor::NONE,
};

fn number(measurement: Option<Measurement>) -> f64 {
    match measurement.unwrap() {
        Measurement::Odds(figure) => figure.probability(),
        Measurement::Mean(mean) => mean.value,
    }
}

/// Returns the probability of `least` or more units in a class, computed from rows. It is the mean
/// number if `least` is `None`.
fn from_rows(
    question: &dyn DynQuestion,
    group: &str,
    name: &str,
    least: Option<f64>,
    at: Option<u16>,
) -> f64 {
    let counts = counted(question, group, false);
    let (at, class) = (at.unwrap_or(counts.last_point()), class(counts.kind, name));
    let rows = counts.rows().into_iter().filter(|row| (row.point, row.class) == (at, class));
    let share = |number: f64| least.map_or(number, |least| f64::from(u8::from(number >= least)));
    rows.fold(0.0, |sum, row| sum + share(row.number) * row.figure.probability())
}

/// A question (kind, stack and further fields), the notation of a measure, and its group, class,
/// minimum number and point.
const MEASURES: &str = "
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | mmc holds                      | mmc holds
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | mmc holds >= 2                 | mmc holds 2
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | holds                          | mmc holds
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | Holds>=3                       | mmc holds 3
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | units breaks ≥ 1               | units breaks 1
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | leaders lost >= 1              | leaders lost 1
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | squad-equivalents lost >= 0.5  | squad-equivalents lost 0.5
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | squad-equivalents holds >= 1.5 | squad-equivalents holds 1.5
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | squad-equivalents holds        | squad-equivalents holds
    check | 9-1 + 2x german:4-6-7 + german:2-4-7 | mc=1 no-hob | mmc berserk                    | mmc berserk
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | squad-equivalents breaks    | squad-equivalents breaks
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | squad-equivalents lost >= 1 | squad-equivalents lost 1
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | mmc lost                    | mmc lost
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | units holds >= 0            | units holds 0
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | mmc breaks > 0              | mmc breaks 1
    fire  | 2x american:7-4-7 + american:9-1 | fp=12 | squad-equivalents lost>0.5  | squad-equivalents lost 1
    rally | german:4-6-7/dm | leader=8-1 phases=4 | holds @ 2                     | mmc holds @2
    rally | german:4-6-7/dm | leader=8-1 phases=4 | mmc holds >= 1 @ 1            | mmc holds 1 @1
    rally | german:4-6-7/dm | leader=8-1 phases=4 | mmc breaks>=1@3               | mmc breaks 1 @3
    rally | german:4-6-7/dm | leader=8-1 phases=4 | squad-equivalents lost >= 0.5 | squad-equivalents lost 0.5
    interdict | german:4-6-7 | hexes=2 | through                          | mmc through
    interdict | german:4-6-7 | hexes=2 | units stopped >= 1               | units stopped 1
    interdict | german:4-6-7 | hexes=2 | squad-equivalents through >= 0.5 | squad-equivalents through 0.5
    sequence | german:8-1 + 2x german:4-6-7 | STEPS | holds @ 2          | mmc holds @2
    sequence | german:8-1 + 2x german:4-6-7 | STEPS | mmc holds >= 2 @ 1 | mmc holds 2 @1
    sequence | german:8-1 + 2x german:4-6-7 | STEPS | mmc holds >= 2     | mmc holds 2
";
const STEPS: &str = "1.do=fire 1.fp=6 2.do=check 2.mc=0 3.do=fire 3.fp=2 no-hob";

#[test]
fn measures_agree_in_every_answer() {
    for [kind, stack, words, text, meaning] in table::rows(MEASURES) {
        let words = if words == "STEPS" { STEPS } else { words };
        let question = of_stack(kind, stack, words);
        let (meaning, at) = meaning.split_once('@').unwrap_or((meaning, ""));
        let mut meaning = meaning.split_whitespace();
        let [group, class] = [(); 2].map(|()| meaning.next().unwrap());
        let least = meaning.next().map(|least| least.parse().unwrap());
        let question = question.as_ref();
        let what = format!("{text} of {}", question.words().texts().in_words);
        let expected = from_rows(question, group, class, least, at.parse().ok());
        let close = |value: f64, by: &str| {
            assert!((value - expected).abs() < 1e-12, "{what}: {by} {value}, not {expected}");
        };
        let expr = MeasureExpr::read(text, kinds()).unwrap();
        expr.check(&question.words().facts()).unwrap();
        close(number(expr.evaluate(&counted(question, group, false))), "counts");
        let objective = objective(text);
        objective.check(question.words()).unwrap();
        let measured =
            question.measure(&objective, &EXACTLY, question.meta(String::new())).unwrap();
        close(number(measured.0), "measured");
        // Lost and breaking units count against their owner.
        assert_eq!(objective.is_minimized(), !["holds", "through"].contains(&class), "{what}");
        let solved = question.solve(&objective, Depth::Opening, EXACTLY.watch).unwrap();
        // No unit has to try to rally; a unit that does not is safe from Fate (A10.64).
        if (kind, class) != ("rally", "lost") {
            close(objective.number(solved.value[0]), "solved");
        }
        let again = [(); 2].map(|()| of_stack(kind, stack, words));
        let meta = question.meta_of_course(String::new());
        let compared = question.compared(&again, &objective, &EXACTLY, meta).unwrap();
        for course in &compared.courses {
            close(course.objective.value, "compared");
        }
        // Its notation reads back as the same objective.
        let shown = objective.to_string();
        assert_eq!(objective, self::objective(&shown), "{what}: {shown}");
    }
}

/// A18.11: the order of tries. The best play of a counting objective has equal values in a
/// comparison and when solved, and no policy is better.
#[test]
fn best_play_of_counts_equals_the_solved_value() {
    let stack = "german:6+1/broken + german:4-6-7/broken + german:2-4-7/broken";
    for phases in [2, 3] {
        let course = |policy: &str| {
            let words = format!("phases={phases} terrain=woods no-hob policy={policy}");
            super::build_question("asl", "rally", &fields(stack, &words))
        };
        for text in ["mmc holds", "mmc holds >= 2", "units holds", "squad-equivalents lost >= 0.5"]
        {
            let objective = objective(text);
            let courses = ["leaders-first", "mmc-first", "best"].map(course);
            let meta = courses[0].meta_of_course(String::new());
            let compared = courses[0].compared(&courses, &objective, &EXACTLY, meta).unwrap();
            let numbers = compared.courses.iter().map(|course| course.objective.value);
            let worth: Vec<f64> = numbers.map(|number| objective.number(number)).collect();
            let words = format!("phases={phases} terrain=woods no-hob");
            let open = super::build_question("asl", "rally", &fields(stack, &words));
            let solved = open.solve(&objective, Depth::Opening, EXACTLY.watch).unwrap().value[0];
            assert!((worth[2] - solved).abs() < 1e-12, "{text}: {worth:?}, solved {solved}");
            assert!(worth.iter().all(|worth| *worth < solved + 1e-12), "{text}: {worth:?}");
        }
    }
}

/// Faults in the notation of a measure: place, message and suggestion.
#[test]
fn faults_in_a_measure_have_a_place() {
    let in_full = |message| match message {
        "WHOLE" => "expected a whole number of units from 0 to 100 after `>=`",
        "HALVES" => "expected a number of units from 0 to 100, in steps of 0.5 after `>=`",
        "MORE" => "expected a whole number of units from 0 to 100 after `>`",
        "POINT" => "expected the number of a phase or step after `@`",
        message => message,
    };
    for [text, wrong, message, near] in table::rows(
        "
            mmc hold                       | hold             | no class is called `hold`             | holds
            mcm holds                      | mcm              | no group is called `mcm`              | mmc
            leader lost                    | leader           | no group is called `leader`           | leaders
            squad-equivalent lost          | squad-equivalent | no group is called `squad-equivalent` | squad-equivalents
            mmc vanished                   | vanished         | no class is called `vanished`         |
            pined                          | pined            | no class is called `pined`            | pinned
            broken 4-4-9                   | 4-4-9            | unexpected `4-4-9`                    |
            mmc                            |                  | expected the name of a class          |
            mmc >= 2                       | >=               | expected the name of a class          |
            @ 2                            | @                | expected the name of a class          |
            mmc holds >= two               | two              | WHOLE                                 |
            mmc holds >= 2.5               | 2.5              | WHOLE                                 |
            holds >= -1                    | -1               | WHOLE                                 |
            mmc holds >= 101               | 101              | WHOLE                                 |
            mmc holds >=                   |                  | WHOLE                                 |
            mmc holds >= NaN               | NaN              | WHOLE                                 |
            squad-equivalents lost >= 0.25 | 0.25             | HALVES                                |
            mmc holds @ 0                  | 0                | POINT                                 |
            mmc holds @ last               | last             | POINT                                 |
            mmc holds @                    |                  | POINT                                 |
            mmc holds > two                | two              | MORE                                  |
            mmc holds > 2 > 3              | >                | unexpected `>`                        |
            mmc holds at 2                 | at               | unexpected `at`                       |
            mmc holds >= 2 >= 3            | >=               | unexpected `>=`                       |
            holds @ 1 >= 2                 | >=               | unexpected `>=`                       |
            mmc holds @ 1 @ 2              | @                | unexpected `@`                        |
        ",
    ) {
        let fault = MeasureExpr::read(text, kinds()).unwrap_err();
        assert_eq!(fault.message, in_full(message), "{text}");
        assert_eq!(&text[fault.span.clone()], wrong, "{text}");
        let last = text.rfind(wrong).unwrap();
        assert_eq!(fault.span.start, last, "{text}");
        assert_eq!(fault.near.first().map_or("", String::as_str), near, "{text}");
    }
    // A single word may be meant as a measure, unless it is a group.
    for [text, message, near] in table::rows(
        "
            hold      | no objective is called `hold`      | holds
            good-oder | no objective is called `good-oder` | good-order
                      | no objective is called ``          |
            mmc       | expected the name of a class       |
            holds>=x  | WHOLE                              |
            holds@x   | POINT                              |
        ",
    ) {
        let fault = Objective::read(text, games().first().measures(), kinds()).unwrap_err();
        assert_eq!(fault.message, in_full(message), "{text}");
        assert_eq!(fault.near.first().map_or("", String::as_str), near, "{text}");
    }
}

/// A measure is rejected if its kind does not report the class, the point or the group.
#[test]
fn measures_that_a_kind_does_not_report_are_rejected() {
    let check = of_stack("check", "german:4-6-7", "mc=1");
    let rally = of_stack("rally", "german:4-6-7", "phases=3");
    let rout = of_stack("interdict", "german:4-6-7", "hexes=1");
    let steps = of_stack("sequence", "german:4-6-7", "1.do=check 1.mc=1");
    let recover = super::build_question("fortitude", "recover", "units=unit/base=10,shaken");
    for (question, text, message) in [
        (&check, "mmc through", "the class `through` does not exist in `check`"),
        (&rout, "mmc breaks", "the class `breaks` does not exist in `interdict`"),
        (&check, "mmc holds @ 1", "`check` has results only at its end: remove `@`"),
        (&rally, "mmc holds @ 4", "the last phase is 3"),
        (&steps, "mmc holds >= 1 @ 2", "the last step is 1"),
        (&recover, "mmc holds", "`recover` has no group `mmc`"),
    ] {
        let objective = objective(text);
        let fault = objective.check(question.words()).unwrap_err();
        assert_eq!(fault.message, message, "{text}");
    }
}

/// The difference of two courses by dice agrees with the exact engine within five standard errors.
#[test]
fn courses_compared_by_dice_fit_the_exact_odds() {
    let courses = ["8-1 + 3x german:4-6-7", "9-2 + 3x german:4-6-7"]
        .map(|stack| of_stack("check", stack, "mc=2 no-hob"));
    for text in ["mmc holds >= 2", "squad-equivalents lost", "units breaks >= 1"] {
        let objective = objective(text);
        let compared = |options: &Options| {
            let meta = courses[0].meta_of_course(String::new());
            courses[0].compared(&courses, &objective, options, meta).unwrap().courses
        };
        let trials = lowcrawl::Trials::Number(20_000);
        let drawn = Options { engine: Engine::MonteCarlo, trials, seed: 11, ..EXACTLY };
        for (exact, drawn) in compared(&EXACTLY).iter().zip(compared(&drawn)) {
            let off = (exact.objective.value - drawn.objective.value).abs();
            assert!(off <= 5.0 * drawn.objective.std_error.unwrap(), "{text}: {drawn:?}");
            let differences = exact.objective.difference.zip(drawn.objective.difference);
            let Some((exact, drawn)) = differences else { continue };
            let error = drawn.error.unwrap().std_error;
            assert!((exact.value - drawn.value).abs() <= 5.0 * error, "{text}: {drawn:?}");
        }
    }
}
