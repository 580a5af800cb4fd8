//! Certified odds: every true probability lies in its interval, however much is dropped.

use std::collections::BTreeMap;

use super::stacks::{Dice, question as random_question};
use super::{counting, draft};
use crate::common::sequence;
use lowcrawl::answer::Answerable as _;
use lowcrawl::answer::estimate::MOST_DROPPED;
use lowcrawl::answer::factored::{COURSES, dropping};
use lowcrawl::answer::odds::answer;
use lowcrawl::answer::{Engine, Estimate, FactoredRequest, Meta, Options, QuestionInfo, Trials};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::asl::question::Question;
use lowcrawl::engine::exact::{Bound, Odds, certified_odds, odds};
use lowcrawl::process::{Question as _, ReportIndex};

const THRESHOLDS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-6, 1e-8];

fn is_long() -> bool {
    std::env::var_os("LOWCRAWL_LONG").is_some()
}

/// How wide the intervals are: their half-width by the error of their middle, and their number.
#[derive(Default)]
struct Widths {
    ratios: f64,
    figures: u32,
    dropped: u32,
}

impl Widths {
    fn check(&mut self, exact: f64, low: f64, missing: f64, what: &str) {
        // The exact number itself is rounded to the nearest double.
        assert!(
            low <= exact.next_up() && exact.next_down() <= low + missing,
            "{what}: {exact} is not in {low} + {missing}"
        );
        let figure = Estimate::Certified { low, missing };
        let bound = figure.error_bound().unwrap();
        assert!((figure.probability() - exact).abs() <= bound, "{what}");
        self.ratios += bound / (figure.probability() - exact).abs().max(1e-12);
        self.figures += 1;
        self.dropped += u32::from(missing > 1e-9);
    }
}

/// Checks the odds of a pass against the exact ones. What has no row may have what is missing.
fn check_pass<O: Ord + Clone>(
    exact: &Odds<O>,
    certified: &Odds<O>,
    widths: &mut Widths,
    what: &str,
) {
    let known: BTreeMap<(ReportIndex, &O), (f64, f64)> = certified
        .chances
        .iter()
        .map(|chance| ((chance.point, &chance.outcome), (chance.probability, chance.missing)))
        .collect();
    let missing: BTreeMap<ReportIndex, f64> =
        certified.chances.iter().map(|chance| (chance.point, chance.missing)).collect();
    for chance in &exact.chances {
        let missing = missing.get(&chance.point).copied().unwrap_or(1.0);
        let (low, missing) =
            known.get(&(chance.point, &chance.outcome)).copied().unwrap_or((0.0, missing));
        widths.check(chance.probability, low, missing, what);
    }
}

/// Checks random questions that `check` accepts, and prints how wide the intervals are.
fn check_questions(
    seed: u64,
    mut check: impl FnMut(&Question, &mut [Widths; 5], &str) -> bool,
) -> [Widths; 5] {
    let wanted = if is_long() { 2_000 } else { 200 };
    let (mut dice, mut compared) = (Dice(seed), 0);
    let mut widths: [Widths; 5] = Default::default();
    while compared < wanted {
        let (ask, fields) = random_question(&mut dice);
        let Some(draft) = draft(ask, &fields, false) else { continue };
        let what = format!("{ask:?} {fields}");
        compared += usize::from(check(&draft.question().unwrap(), &mut widths, &what));
    }
    for (allowed, Widths { ratios, figures, dropped }) in THRESHOLDS.iter().zip(&widths) {
        let ratio = ratios / f64::from(*figures);
        println!(
            "{allowed}: {dropped} of {figures} figures lack something, bound by error {ratio}"
        );
    }
    widths
}

#[test]
fn exact_odds_lie_in_certified_intervals() {
    let small = Bound { worked: 3_000, ..Bound::STANDARD };
    let widths = check_questions(41, |question, widths, what| {
        let whole = question.whole();
        let Ok(exact) = odds(&whole, small) else { return false };
        for (allowed, widths) in THRESHOLDS.into_iter().zip(widths) {
            let certified = certified_odds(&whole, Bound::STANDARD, allowed).unwrap();
            let most = certified.chances.iter().map(|chance| chance.missing).fold(0.0, f64::max);
            assert!(most <= allowed + 1e-9, "{what}: {most} of {allowed}");
            check_pass(&exact, &certified, widths, &format!("{what} {allowed}"));
        }
        true
    });
    assert!(widths[0].dropped > widths[0].figures / 2);
}

/// Returns the figures of a factored answer by what they are about.
fn factored(question: &Question, at_most: Option<f64>) -> Option<Vec<BTreeMap<String, Estimate>>> {
    let factors = question.factors()?;
    let counter = lowcrawl::answer::OutcomeCounter::new(question, counting(None, true)?);
    let mut wanted = vec![FactoredRequest::Rows, FactoredRequest::Created];
    wanted.extend(counter.as_ref().map(FactoredRequest::Counts));
    let bound = Bound { worked: COURSES.worked / 4, ..COURSES };
    let answers = factors.answers(question, &wanted, bound, at_most.map(dropping));
    let answers: Vec<_> = answers.unwrap()?.into_iter().collect::<Option<_>>()?;
    let figures = answers.into_iter().map(|answer| {
        let noted = answer.noted.into_iter().map(|(noted, figure)| (format!("{noted:?}"), figure));
        let tallies = answer.tallies.into_iter();
        let tallies = tallies.map(|(point, tally, figure)| (format!("{point} {tally:?}"), figure));
        noted.chain(tallies).collect()
    });
    Some(figures.collect())
}

#[test]
fn exact_factored_odds_lie_in_certified_intervals() {
    let widths = check_questions(42, |question, widths, what| {
        let Some(exact) = factored(question, None) else { return false };
        for (allowed, widths) in THRESHOLDS.into_iter().zip(widths) {
            // The dropped courses may be too many.
            let Some(certified) = factored(question, Some(allowed)) else { continue };
            for (exact, certified) in exact.iter().zip(&certified) {
                for (about, figure) in exact {
                    let (low, missing) = certified
                        .get(about)
                        .map_or((0.0, allowed), |figure| (figure.low(), figure.missing()));
                    let what = format!("{what} {about} {allowed}");
                    widths.check(figure.probability(), low, missing, &what);
                }
            }
        }
        true
    });
    assert!(widths[0].dropped > 100);
}

/// Draws a question about a broken leader and squads, whose counts are too big to be exact.
fn leader_and_squads(dice: &mut Dice) -> Question {
    let leader = dice.pick(&["10-2", "9-2", "9-1", "8-1", "8-0", "7-0"]);
    let squad = dice.pick(&["5-4-8", "4-6-8", "4-6-7", "4-4-7", "4-3-6"]);
    let (squads, phases) = (dice.between(4, 6), dice.between(3, 4));
    let (terrain, own) = (dice.pick(&["open", "woods"]), dice.pick(&["odd", "even", "never"]));
    let stack = format!("stack=german:{leader}/dm + {squads}x german:{squad}/dm");
    let fields = format!("{stack}; phases={phases}; terrain={terrain}; own-rph={own}");
    draft(QuestionKind::Rally, &fields, false).unwrap().question().unwrap()
}

/// A count more than five and a half standard errors away has a chance of one in 25 million.
#[test]
fn estimates_of_big_stacks_agree_with_certified_counts() {
    const TRIALS: u64 = 100_000;
    let wanted = if is_long() { 100 } else { 3 };
    let (mut dice, mut compared) = (Dice(43), 0);
    while compared < wanted {
        let question = leader_and_squads(&mut dice);
        let options = Options { counts: counting(None, true), ..Options::default() };
        let quick = Options { trials: Trials::Number(1), ..options };
        let certain = answer(&question, &quick, Meta::default()).unwrap().counts.unwrap();
        let Some(bound) = certain.footing.error_bound else { continue };
        assert!(bound <= MOST_DROPPED / 2.0 * 1.01, "{bound}");
        let (trials, seed) = (Trials::Number(TRIALS), compared);
        let by_dice = Options { engine: Engine::MonteCarlo, trials, seed, ..options };
        let drawn = answer(&question, &by_dice, Meta::default()).unwrap().counts.unwrap();
        for row in certain.rows() {
            let (figure, at) = (row.figure.probability(), (row.point, row.class));
            let counted = drawn
                .rows()
                .into_iter()
                .find(|other| (other.point, other.class) == at && other.number == row.number);
            let share = counted.map_or(0.0, |row| row.figure.probability());
            let error = (figure * (1.0 - figure) / TRIALS as f64).sqrt();
            let what = question.texts().in_words;
            assert!((share - figure).abs() < 5.5 * error + 3e-5, "{what} {at:?}: {share} {figure}");
        }
        compared += 1;
    }
}

/// The states of a single pass for smaller and smaller bounds. With `LOWCRAWL_LONG` the test prints
/// them down to a millionth.
#[test]
fn smaller_bounds_take_more_states() {
    let rally = |stack| {
        let fields = format!("stack={stack}; phases=3");
        draft(QuestionKind::Rally, &fields, false).unwrap().question().unwrap()
    };
    let rally_step = |own| format!("do=rally; if=broken; terrain=woods; own-rph={own}");
    let [own, enemy] = ["odd", "never"].map(rally_step);
    let fire = "do=fire; fp=8; drm=1";
    let questions = [
        rally("german:9-1/dm + 2x german:4-6-7/dm"),
        rally("german:9-1/dm + 5x german:4-6-7/dm"),
        sequence(
            "stack=2x german:8-0 + 2x german:4-6-7; hob=false",
            &["do=fire; fp=8; drm=-1", "do=rally; if=broken; terrain=woods; phases=2"],
        ),
        rally("german:9-1/dm + german:8-0/dm + 5x german:4-6-7/dm"),
        sequence("stack=german:8-1 + 2x german:4-6-7; elr=3", &[fire, &own, fire, &enemy]),
    ];
    let bound = Bound { alive: 1 << 21, worked: 1 << 23, ..Bound::STANDARD };
    for question in questions {
        let (process, mut before) = (question.whole(), 0);
        for allowed in &[0.3, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6][..if is_long() { 7 } else { 2 }] {
            let Ok(odds) = certified_odds(&process, bound, *allowed) else {
                assert!(*allowed < 0.1);
                println!("{allowed:.0e}: more than {} states", bound.worked);
                break;
            };
            let missing = odds.chances.iter().map(|chance| chance.missing).fold(0.0, f64::max);
            println!("{allowed:.0e}: {} states, bound {:.1e}", odds.states, missing / 2.0);
            assert!(odds.states > before && missing <= *allowed + 1e-9);
            before = odds.states;
        }
    }
}
