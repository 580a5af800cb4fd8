//! The law of total probability. Odds are the sum, over all results of the next roll, of its chance
//! times the odds after it. This must hold at the start and after given dice. The Monte Carlo
//! engine must agree with the exact one after given dice.

use std::collections::BTreeMap;

use lowcrawl::answer::{Engine, Options, Trials};
use lowcrawl::engine::exact::Fraction;
use lowcrawl::play::Form;
use lowcrawl::process::Label;

use super::{answer_table, form, odds, parse_question};

struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % bound as u64) as usize
    }
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Returns the given dice with one more roll, for every result of the next roll; empty if the
/// sequence is over.
fn next_rolls(form: &dyn Form, given: &str) -> Vec<String> {
    let with = |word: &str| format!("{given} {word}").trim().to_string();
    let fits = |word: &str| {
        let mut form = form.boxed();
        form.set("given", with(word).as_str().into()).unwrap();
        form.finish().is_ok()
    };
    let words: Vec<String> = match () {
        _ if fits("1,1") => (1..=6)
            .flat_map(|coloured| (1..=6).map(move |white| format!("{coloured},{white}")))
            .collect(),
        _ if fits("20") => (1..=20).map(|number| number.to_string()).collect(),
        _ if fits("1") => (1..=6).map(|pips| pips.to_string()).collect(),
        _ => Vec::new(),
    };
    words.iter().map(|word| with(word)).collect()
}

type Odds = BTreeMap<Label, (f64, Option<Fraction>)>;

fn given_odds(form: &dyn Form, given: &str) -> Odds {
    let mut form = form.boxed();
    form.set("given", given.into()).unwrap();
    odds(form.finish().unwrap_or_else(|error| panic!("{given}: {}", error.fault)).as_ref())
}

/// Checks that the odds after the given dice are the mean of the odds after one more roll. Returns
/// the number of results of that roll, and of rows compared as exact fractions.
fn assert_law(text: &str, given: &str) -> (usize, usize) {
    let form = form(text);
    let rolls = next_rolls(form.as_ref(), given);
    if rolls.is_empty() {
        return (0, 0);
    }
    let mut sums: BTreeMap<Label, (f64, Option<Fraction>)> = BTreeMap::new();
    let zero = || (0.0, Some(Fraction::new(0, 1)));
    for roll in &rolls {
        for (label, (probability, fraction)) in given_odds(form.as_ref(), roll) {
            let sum = sums.entry(label).or_insert_with(zero);
            let share = |of: Fraction| {
                Some(Fraction::new(of.numerator, of.denominator.checked_mul(rolls.len() as u128)?))
            };
            sum.0 += probability / rolls.len() as f64;
            sum.1 =
                sum.1.zip(fraction.and_then(share)).and_then(|(sum, share)| sum.checked_add(share));
        }
    }
    let whole = given_odds(form.as_ref(), given);
    assert_eq!(
        whole.keys().collect::<Vec<_>>(),
        sums.keys().collect::<Vec<_>>(),
        "{text}; given={given}"
    );
    let mut exact = 0;
    for (label, (probability, fraction)) in whole {
        let (sum, of_sum) = sums[&label];
        assert!(
            (probability - sum).abs() < 1e-12,
            "{text}; given={given}: {label:?}: {probability}, {sum}"
        );
        if let (Some(fraction), Some(sum)) = (fraction, of_sum) {
            assert_eq!(fraction, sum, "{text}; given={given}: {label:?}");
            exact += 1;
        }
    }
    (rolls.len(), exact)
}

/// Checks the law at the start of each question, and after some of its dice.
fn assert_laws(rng: &mut Rng, questions: &[String]) {
    let (mut began, mut exact) = (0, 0);
    for text in questions {
        let form = form(text);
        let mut given = String::new();
        exact += assert_law(text, &given).1;
        // Give some dice, but leave at least one roll to make.
        for _ in 0..1 + rng.below(3) {
            let rolls = next_rolls(form.as_ref(), &given);
            let goes_on = |roll: &&String| !next_rolls(form.as_ref(), roll).is_empty();
            let first = rng.below(rolls.len().max(1));
            match rolls[first..].iter().chain(&rolls[..first]).find(goes_on) {
                Some(roll) => given.clone_from(roll),
                None => break,
            }
        }
        let (rolls, rows) = assert_law(text, &given);
        began += usize::from(rolls > 0 && !given.is_empty());
        exact += rows;
    }
    assert!(
        2 * began >= questions.len() && exact > questions.len(),
        "{began} of {}, {exact} exact",
        questions.len()
    );
}

fn questions(rng: &mut Rng, number: usize, question: impl Fn(&mut Rng) -> String) -> Vec<String> {
    (0..number).map(|_| question(rng)).collect()
}

const GOOD: [&str; 8] = [
    "german:4-6-7",
    "9-1 + german:4-6-7",
    "russian:4-4-7 + russian:4-2-6",
    "american:8-0 + american:6-6-6",
    "british:4-5-8/wounded",
    "finnish:6-4-8",
    "german:2-4-7 + german:8-1 + german:hero",
    "russian:commissar:9-0 + russian:4-4-7",
];
const BROKEN: [&str; 6] = [
    "german:4-6-7/dm",
    "german:8-1/broken + german:4-6-7/dm",
    "russian:4-4-7/broken + russian:4-2-6/dm",
    "american:6-6-6/dm,wounded",
    "finnish:6-4-8/broken",
    "british:4-5-7/disrupted",
];

fn scene(rng: &mut Rng) -> String {
    let mut text = format!("; hob={}; elr={}", rng.pick(&["true", "false"]), rng.below(6));
    for flag in ["captor", "joint"] {
        if rng.below(5) == 0 {
            text += &format!("; {flag}=true");
        }
    }
    text
}

#[test]
fn law_holds_for_checks_and_attacks() {
    let rng = &mut Rng(1);
    let check = |rng: &mut Rng| {
        let kind_of_check =
            if rng.below(4) == 0 { "ptc=true".to_string() } else { format!("mc={}", rng.below(4)) };
        format!("check; stack={}; {kind_of_check}{}", rng.pick(&GOOD[..6]), scene(rng))
    };
    let fire = |rng: &mut Rng| {
        let fp = rng.pick(&["2", "4", "8", "12", "20"]);
        format!(
            "fire; stack={}; fp={fp}; drm={}; cowering={}{}",
            rng.pick(&GOOD[..6]),
            rng.below(5) as i64 - 2,
            rng.pick(&["true", "false"]),
            scene(rng)
        )
    };
    let mut all = questions(rng, 14, check);
    all.extend(questions(rng, 14, fire));
    assert_laws(rng, &all);
}

#[test]
fn law_holds_for_rallies_and_interdictions() {
    let rng = &mut Rng(2);
    let rally = |rng: &mut Rng| {
        let leader = rng.pick(&["", "; leader=8-1"]);
        let leader = if leader.is_empty() { "" } else { "; leader=german:8-1" };
        let policy = rng.pick(&[
            "",
            "; policy=reference",
            "; policy=mmc-first",
            "; policy=keep-dm",
            "; policy=hopeful",
        ]);
        let terrain = rng.pick(&["open", "woods", "building"]);
        format!(
            "rally; stack={}; phases={}; terrain={terrain}{leader}{policy}{}",
            rng.pick(&BROKEN),
            1 + rng.below(2),
            scene(rng)
        )
    };
    let interdict = |rng: &mut Rng| {
        format!("interdict; stack={}; hexes={}{}", rng.pick(&BROKEN), 1 + rng.below(3), scene(rng))
    };
    let mut all = questions(rng, 14, rally);
    all.extend(questions(rng, 10, interdict));
    assert_laws(rng, &all);
}

#[test]
fn law_holds_for_sequences_and_campaigns() {
    let rng = &mut Rng(3);
    let sequence = |rng: &mut Rng| {
        let mut text = format!("sequence; stack={}{}", rng.pick(&GOOD[..5]), scene(rng));
        for step in 1..=1 + rng.below(3) {
            let step_text = rng.pick(&[
                "check; S.mc=1",
                "fire; S.fp=6",
                "rally; S.phases=1",
                "dm",
                "break; S.slots=1",
                "interdict; S.hexes=1; S.if=broken",
            ]);
            text += &format!("; {step}.do={}", step_text.replace("S.", &format!("{step}.")));
        }
        text + rng.pick(&["", "; policy=leaders-first", "; policy=hopeful"])
    };
    let campaign = |rng: &mut Rng| {
        let fp = rng.pick(&["2", "6"]);
        let policy = rng.pick(&["run", "low-crawl"]);
        format!(
            "campaign; unit=german:4-6-7/broken,dm; open=2; interdicted=1; cover=woods; fp={fp}; turns=2; policy={policy}"
        )
    };
    let mut all = questions(rng, 14, sequence);
    all.extend(questions(rng, 4, campaign));
    assert_laws(rng, &all);
}

#[test]
fn law_holds_for_fortitude() {
    let rng = &mut Rng(4);
    let question = |rng: &mut Rng| {
        let unit = rng.pick(&[
            "unit",
            "unit/shaken",
            "unit/hesitant,casualties=1",
            "unit/panicked,edge=6",
            "unit + unit/shaken",
            "ashigaru-archers/staff=2",
        ]);
        let one = rng.pick(&["unit", "unit/shaken", "unit/hesitant,casualties=1"]);
        match rng.below(5) {
            0 => format!(
                "fortitude test; units={unit}; cause={}",
                rng.pick(&["morale", "flank", "rear", "casualties"])
            ),
            1 => format!(
                "fortitude recover; units={unit}; turns={}; just-routed={}",
                1 + rng.below(3),
                rng.pick(&["true", "false"])
            ),
            2 => format!(
                "fortitude fire; units={unit}; dice=1; value={}; turns={}",
                4 + rng.below(8),
                1 + rng.below(2)
            ),
            3 => format!("fortitude assault; units={one}; dice=1; value={}", 4 + rng.below(8)),
            _ => format!(
                "fortitude sequence; units={unit}; 1.do=turn; 2.do=fire; 2.at=1; 2.dice=1; 2.value={}; 3.do=turn",
                4 + rng.below(8)
            ),
        }
    };
    let all = questions(rng, 40, question);
    assert_laws(rng, &all);
}

#[test]
fn law_holds_for_reaction() {
    let rng = &mut Rng(5);
    let question = |rng: &mut Rng| {
        let unit = rng.pick(&[
            "unit/reaction=1,at=2",
            "unit/reaction=0,at=1,cohesion=2",
            "unit/reaction=2,at=2,dp=1",
            "unit/reaction=1,at=1,suppressed",
        ]);
        let dice = 1 + rng.below(3);
        match rng.below(8) {
            0 => format!(
                "reaction volley; target={unit}; dice={dice}; joint={}",
                rng.pick(&["true", "false"])
            ),
            1 => format!("reaction volleys; target={unit}; dice={dice}; volleys=2"),
            2 => format!(
                "reaction rally; units={}; orders={dice}; turns={}",
                rng.pick(&["unit/reaction=1,at=2,suppressed", "unit/reaction=1,at=1,dp=2"]),
                1 + rng.below(2)
            ),
            3 => format!("reaction command; dice={dice}; enemy-dice={}", 1 + rng.below(2)),
            4 => format!(
                "reaction morale; points={}; dispersals={}; army-morale-dice=2",
                3 + rng.below(6),
                1 + rng.below(2)
            ),
            5 => format!("reaction check; dice={}", dice + 1),
            6 => "reaction move; mover=unit/reaction=1,at=1,goal=8; dice=2".to_string(),
            _ => format!(
                "reaction sequence; own={unit}; enemy=unit/reaction=1,at=1; 1.do=volley; 1.firer=1; 1.target=2; 2.do=turn; 3.do=volley; 3.firer=2; 3.target=1"
            ),
        }
    };
    let all = questions(rng, 40, question);
    assert_laws(rng, &all);
}

/// Every sampled row is within five standard errors of its exact odds. No impossible row occurs,
/// and no likely row is missing.
#[test]
fn monte_carlo_agrees_after_given_dice() {
    const TRIALS: u64 = 200_000;
    for text in [
        "check; stack=9-1 + 2x german:4-6-7; mc=1; given=6,3",
        "fire; stack=8-0 + german:4-6-7; fp=8; given=2,3",
        "rally; stack=german:8-1/broken + german:4-6-7/dm; phases=3; given=6,1 2,3",
        "interdict; stack=2x german:4-6-7/dm; hexes=2; given=4,4",
        "sequence; stack=german:4-6-7; 1.do=check; 1.mc=0; 2.do=rally; 2.leader=8-0; 2.phases=3; given=5,4 3,4",
        "fortitude recover; units=unit/shaken + unit/panicked; turns=3; given=15 3 9",
        "reaction volley; target=unit/reaction=2,cohesion=3; dice=4; given=5 2",
    ] {
        let question = parse_question(text);
        let exact = odds(question.as_ref());
        for stratify in [0, 1] {
            let options = Options {
                engine: Engine::MonteCarlo,
                trials: Trials::Number(TRIALS),
                stratify,
                ..Options::default()
            };
            let sampled = answer_table(question.as_ref(), &options).rows;
            for row in &sampled {
                let (chance, _) = exact
                    .get(&row.label)
                    .unwrap_or_else(|| panic!("{text}: {:?} cannot be", row.label));
                let error = (chance * (1.0 - chance) / TRIALS as f64).sqrt();
                assert!(
                    (row.figure.probability() - chance).abs() <= 5.0 * error + 1e-12,
                    "{text}: {:?}",
                    row.label
                );
            }
            let missing =
                exact.iter().filter(|(label, _)| sampled.iter().all(|row| row.label != **label));
            assert!(missing.map(|(_, (chance, _))| chance).all(|chance| *chance < 1e-4), "{text}");
        }
    }
}
