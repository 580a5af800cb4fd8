//! Several shots of named firers (9.2, 9.7, 7.9) against a plain listing of all their dice, whose
//! effects on the target are those of the twin.

use std::collections::BTreeMap;

use crate::common::{Row, assert_close, goodness_of_fit, kind, sequence};
use crate::table;
use crate::twin::ift::{after, effect};
use crate::twin::tree::{Place, Tally};
use crate::twin::{Mix, Scene, Stack, TwinUnit};
use lowcrawl::asl::question::Draft;
use lowcrawl::schema::{RawValue, Settable as _};
use serde_json::{Value, json};

/// What some SW of a group fire, if the others are silent: FP, and the columns that Cowering costs.
type Reckoned = (i32, i32);

/// The firers of one step, reckoned by hand.
struct Firers {
    most: usize,
    drm: i32,
    /// The DRM against pinned targets.
    pinned_drm: i32,
    /// All fire, with these columns lost by Cowering.
    all: Reckoned,
    /// Each MG: its ROF, B#, and true if Cowering can mark its unit.
    mgs: Vec<(i32, i32, bool)>,
    /// The number of further units that Cowering can mark.
    others: usize,
    /// By the set of MG that fire on.
    later: BTreeMap<usize, Reckoned>,
    /// The largest number of units in Good Order at which firing ends, and true if SMC count.
    stops_at: Option<(usize, bool)>,
    /// The least number of MMC in Good Order for the step to happen.
    needs: usize,
}

type Branch = BTreeMap<(Stack, usize), f64>;

fn add<K: Ord>(sum: &mut BTreeMap<K, f64>, key: K, more: f64) {
    *sum.entry(key).or_default() += more;
}

fn holding(stack: &Stack, with_smc: bool) -> usize {
    let holds = stack.units.iter().filter(|unit| {
        unit.in_location() && !unit.broken && !unit.berserk && (with_smc || !unit.is_smc())
    });
    holds.count()
}

/// A.9: returns the odds of each set of `number` candidates that the highest of their dr selects.
fn highest(number: usize) -> Vec<(usize, f64)> {
    let mut odds = BTreeMap::new();
    let all = 6usize.pow(number as u32);
    for rolls in 0..all {
        let dr = |of: usize| rolls / 6usize.pow(of as u32) % 6;
        let most = (0..number).map(dr).max().unwrap_or(0);
        let set = (0..number).filter(|&of| dr(of) == most).map(|of| 1 << of).sum();
        add(&mut odds, set, 1.0 / all as f64);
    }
    odds.into_iter().collect()
}

impl Firers {
    /// Returns the sets of MG that fire on after a DR, with their odds.
    fn kept(
        &self,
        firing: usize,
        first: bool,
        columns: i32,
        (c, w): (i32, i32),
    ) -> Vec<(usize, f64)> {
        let mgs: Vec<usize> = (0..self.mgs.len()).filter(|of| firing >> of & 1 == 1).collect();
        let markable: Vec<usize> = mgs.iter().copied().filter(|&of| self.mgs[of].2).collect();
        let at_risk: Vec<usize> =
            mgs.iter().copied().filter(|&of| c + w >= self.mgs[of].1).collect();
        let others = if first { self.others } else { 0 };
        let marks = match c == w && columns > 0 {
            true => highest(markable.len() + others),
            false => vec![(0, 1.0)],
        };
        let mut odds = BTreeMap::new();
        for (marked, of_marked) in marks {
            for (broken, of_broken) in highest(at_risk.len()) {
                let is_out = |of: &usize| {
                    let has = |all: &[usize], set: usize| {
                        all.iter()
                            .position(|other| other == of)
                            .is_some_and(|at| set >> at & 1 == 1)
                    };
                    has(&markable, marked) || has(&at_risk, broken)
                };
                let keeps = |of: &&usize| self.mgs[**of].0 >= c && !is_out(of);
                let kept = mgs.iter().filter(keeps).map(|of| 1 << of).sum();
                add(&mut odds, kept, of_marked * of_broken);
            }
        }
        odds.into_iter().collect()
    }

    /// Returns all stacks after the step, and the odds that each shot is made.
    fn shoot(&self, before: BTreeMap<Stack, f64>) -> (BTreeMap<Stack, f64>, Vec<f64>) {
        let whole = (1 << self.mgs.len()) - 1;
        let mut open: Branch =
            before.into_iter().map(|(stack, chance)| ((stack, whole), chance)).collect();
        let mut done = BTreeMap::new();
        let mut made = Vec::new();
        for shot in 1..=self.most {
            let mut next = Branch::new();
            let mut fired = 0.0;
            for ((stack, firing), chance) in open {
                let stops = self.stops_at.is_some_and(|(most, smc)| holding(&stack, smc) <= most);
                let is_over = match shot {
                    1 => holding(&stack, false) < self.needs,
                    _ => firing == 0 || stops,
                };
                if is_over {
                    add(&mut done, stack, chance);
                    continue;
                }
                fired += chance;
                let (fp, columns) = if shot == 1 { self.all } else { self.later[&firing] };
                let drm = if stack.units[0].pinned { self.pinned_drm } else { self.drm };
                for (c, w) in (1..=6).flat_map(|c| (1..=6).map(move |w| (c, w))) {
                    let ends = after(&stack, effect(fp, drm, columns, c, w));
                    for (kept, of_kept) in self.kept(firing, shot == 1, columns, (c, w)) {
                        for (end, odds) in ends.iter() {
                            let end = (end.clone(), if shot == self.most { 0 } else { kept });
                            add(&mut next, end, chance / 36.0 * of_kept * odds);
                        }
                    }
                }
            }
            made.push(fired);
            open = next;
        }
        open.into_iter().for_each(|((stack, _), chance)| add(&mut done, stack, chance));
        (done, made)
    }
}

/// Returns the rows of a step of an answer.
fn rows_of(answer: &Value, step: u64) -> BTreeMap<Row, f64> {
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_string();
    rows.filter(|row| row["step"].as_u64() == Some(step))
        .map(|row| {
            let slot = row["slot"].as_u64().unwrap() as usize;
            let key =
                (slot, 0, text(row, "status"), text(row, "counter"), row["wounded"].as_bool());
            (key, row["probability"].as_f64().unwrap())
        })
        .collect()
}

/// Returns the rows of all stacks.
fn rows_of_all(stacks: &BTreeMap<Stack, f64>) -> BTreeMap<Row, f64> {
    let mut mix = Mix::default();
    stacks.iter().for_each(|(stack, chance)| mix.add(stack.clone(), *chance));
    let odds = Tally::of_mix(&mix).into_odds().into_iter();
    odds.map(|((slot, phase, status, counter, wounded), chance)| {
        ((slot, phase, status.to_string(), counter, wounded), chance)
    })
    .collect()
}

/// Parses `11/1; hmg ROF3 B12 marked; others 0; 1=7/1`, the firers reckoned by hand.
fn firers(text: &str) -> Firers {
    let number = |text: &str| text.trim().parse::<i32>().expect(text);
    let reckoned = |text: &str| {
        let (fp, columns) = text.split_once('/').expect(text);
        (number(fp), number(columns))
    };
    let mut parts = text.split(';').map(str::trim);
    let mut firers = Firers {
        most: 1,
        drm: 0,
        pinned_drm: 0,
        all: reckoned(parts.next().expect(text)),
        mgs: Vec::new(),
        others: 0,
        later: BTreeMap::new(),
        stops_at: None,
        needs: 0,
    };
    for part in parts {
        let words: Vec<&str> = part.split([' ', '=']).collect();
        match words[..] {
            ["most", most] => firers.most = number(most) as usize,
            ["drm", drm] => (firers.drm, firers.pinned_drm) = (number(drm), number(drm)),
            ["pinned", drm] => firers.pinned_drm = number(drm),
            ["others", others] => firers.others = number(others) as usize,
            ["stops", most] => firers.stops_at = Some((number(most) as usize, false)),
            ["stops", most, "all"] => firers.stops_at = Some((number(most) as usize, true)),
            ["needs", least] => firers.needs = number(least) as usize,
            ["mg", rof, breakdown, marked] => {
                firers.mgs.push((number(rof), number(breakdown), marked == "marked"));
            }
            [set, of] => drop(firers.later.insert(number(set) as usize, reckoned(of))),
            _ => panic!("{part}"),
        }
    }
    firers
}

const SQUAD: &str = "rus_1_447";
const LEADER: &str = "rus_ldr_8-0";

/// The steps, as questions and reckoned by hand. In stone (+3) an 8-0 or a 9-2 directs; without a
/// leader Cowering costs a column and marks one of the squads. FP: 4-6-7 4, 5-4-8 5, HMG 7, MMG 5,
/// LMG 3; German B12; a captured MG has B10 and ROF one lower.
const CASES: &str = "
    # stack | step | reckoned by hand
    1 | by=german:4-6-7/hmg; range=4; rof=3 \
        | 11/1; most 3; mg 3 12 marked; 1=7/1
    2 | by=german:4-6-7/hmg; range=4; rof=3; stop=none holds \
        | 11/1; most 3; mg 3 12 marked; 1=7/1; stops 0 all
    2 | by=german:4-6-7/hmg; range=4; rof=2; stop=mmc holds <= 1 \
        | 11/1; most 2; mg 3 12 marked; 1=7/1; stops 1
    2 | by=8-0 + german:4-6-7/hmg + german:4-6-7/mmg; range=4; rof=3; terrain=stone \
        | 20/0; most 3; drm 3; mg 3 12 no; mg 2 12 no; 1=7/0; 2=5/0; 3=12/0
    2 | by=german:4-6-7/mmg + german:4-6-7/lmg; range=4; rof=3; terrain=stone \
        | 16/1; most 3; drm 3; mg 2 12 marked; mg 1 12 marked; 1=5/1; 2=3/1; 3=8/1
    1 | by=german:4-6-7/lmg + german:4-6-7; range=4; rof=2 \
        | 11/1; most 2; others 1; mg 1 12 marked; 1=3/1
    1 | by=russian:4-4-7/german:hmg + russian:4-4-7/german:hmg; range=4; rof=3; terrain=stone \
        | 22/1; most 3; drm 3; mg 2 10 marked; mg 2 10 marked; 1=7/1; 2=7/1; 3=14/1
    # One MF allows one shot, two allow two (9.2); a pinned unit has neither FFNAM nor FFMO.
    one | by=8-0 + german:4-6-7/hmg; range=4; phase=first; move=non-assault; rof=3; mf=2 \
        | 11/0; most 2; drm -2; pinned 0; mg 3 12 no; 1=7/0
    one | by=8-0 + german:4-6-7/hmg; range=4; phase=first; move=non-assault; rof=3 \
        | 11/0; most 1; drm -2; pinned 0; mg 3 12 no
";

fn stack(name: &str) -> (&'static str, Vec<TwinUnit>) {
    let [leader, squad] = [LEADER, SQUAD].map(TwinUnit::good_order);
    match name {
        "one" => ("russian:4-4-7", vec![squad]),
        "1" => ("russian:8-0 + russian:4-4-7", vec![leader, squad]),
        _ => ("russian:8-0 + 2x russian:4-4-7", vec![leader, squad.clone(), squad]),
    }
}

/// Returns the answer to a sequence of steps whose fields are `name=value`.
fn answer(stack: &str, steps: &[&str]) -> Value {
    let step = |step: &&str| {
        let mut json = json!({ "do": "fire" });
        for (name, value) in table::fields(step) {
            json[name] = match value {
                RawValue::Text(text) => text.into(),
                RawValue::Integer(number) => number.into(),
                RawValue::Boolean(flag) => flag.into(),
            };
        }
        json
    };
    let steps: Vec<Value> = steps.iter().map(step).collect();
    let request = json!({ "kind": "sequence", "stack": stack, "hob": false, "elr": 3, "step": steps,
        "options": { "engine": "exact" } });
    lowcrawl::answer_json(&request.to_string())
}

/// Checks the answer to some steps, and how often each shot is made, against the listing.
fn assert_listed(name: &str, steps: &[&str], reckoned: &[&str]) {
    let (text, units) = stack(name);
    let answer = answer(text, steps);
    let start = Stack::new(&units, Place::under_attack(3, Scene::quiet()));
    let mut stacks = BTreeMap::from([(start, 1.0)]);
    for (number, reckoned) in (1..).zip(reckoned) {
        let (after, made) = firers(reckoned).shoot(stacks);
        let what = format!("{text}: step {number} of {steps:?}");
        assert_close(&rows_of(&answer, number), &rows_of_all(&after), 1e-12, &what);
        let told = answer["attacks"][number as usize - 1]["made"].as_array().expect(&what).iter();
        // Shots that depend on the target are certified; others are exact.
        let told: Vec<(f64, f64)> =
            told.map(|odds| (number_of(odds), if odds.is_f64() { 2e-6 } else { 1e-12 })).collect();
        assert_eq!(told.len(), made.len(), "{what}");
        for ((told, error), made) in told.iter().zip(&made) {
            assert!((told - made).abs() < *error, "{what}: made {told} instead of {made}");
        }
        stacks = after;
    }
}

/// Reads a probability, which may be a fraction.
fn number_of(odds: &Value) -> f64 {
    match odds.as_str() {
        None => odds.as_f64().unwrap(),
        Some(text) => match text.split_once('/') {
            None => text.parse().unwrap(),
            Some((n, d)) => n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap(),
        },
    }
}

#[test]
fn shots_have_the_odds_of_all_their_dice() {
    for [name, step, reckoned] in table::rows(CASES) {
        assert_listed(name, &[step], &[reckoned]);
    }
}

/// 7.31: later attacks are at what the first ones have left.
#[test]
fn several_attacks_have_the_odds_of_all_their_dice() {
    assert_listed(
        "2",
        &[
            "by=9-2 + german:4-6-7/mmg; range=4; rof=2; terrain=stone",
            "by=german:5-4-8; range=2; phase=advancing; terrain=stone; if=mmc holds >= 1",
        ],
        &["9/0; most 2; drm 1; mg 2 12 no; 1=5/0", "4/1; drm 3; needs 1"],
    );
}

/// A.5: without concealed targets all that stand still are attacked alike, so that their rolls are
/// independent given those of the firers and the leaders.
#[test]
fn rolls_of_targets_are_independent_unless_one_is_concealed_or_moves() {
    let is_factored = |stack: &str, step: &str| {
        let steps = [step, "do=fire; by=german:5-4-8; range=2; phase=advancing"];
        sequence(&format!("stack={stack}"), &steps).factorization().is_some()
    };
    let prep = "do=fire; by=9-2 + german:4-6-7/hmg; range=3; rof=3";
    assert!(is_factored("8-0 + 3x russian:4-4-7", prep));
    assert!(!is_factored("8-0 + 2x russian:4-4-7 + russian:4-4-7/concealed", prep));
    // FFNAM and FFMO are not for pinned units (A4.6).
    assert!(!is_factored(
        "8-0 + 3x russian:4-4-7",
        &format!("{prep}; phase=first; move=non-assault")
    ));
}

/// The same questions with Monte Carlo, with Heat of Battle too: every outcome at every step.
#[test]
fn simulated_shots_agree_with_exact_ones() {
    for (stack, step) in [
        ("russian:8-0 + russian:4-4-7", "do=fire; by=german:4-6-7/hmg; range=4; rof=3"),
        (
            "russian:4-4-7/concealed + russian:4-4-7; hob",
            "do=fire; by=german:4-6-7/mmg + german:4-6-7/lmg; range=4; rof=2; stop=none holds",
        ),
    ] {
        let question = sequence(&format!("hob=false; stack={stack}"), &[step]);
        for fit in goodness_of_fit(&question, 1 << 16, 36) {
            assert!(fit.p_value > 1e-4, "{stack}: {step}: {fit:?}");
        }
    }
}

/// 7.1, 7.25, 8.3, 8.31, 8.4, 9.2: who has fired fires again only as the rules allow it.
#[test]
fn who_has_fired_fires_again_only_by_the_rules() {
    let fault = |attacks: &str| {
        let mut draft = Draft::new(kind("turn"));
        draft.set("stack", RawValue::Text("2x russian:4-4-7")).unwrap();
        draft.set("attack", RawValue::Text(attacks)).unwrap();
        draft.question().err().map(|fault| fault.fault.message)
    };
    for (first, second, rule) in [
        ("prep 3", "prep 3", Some("only by ROF (A9.2)")),
        ("prep 3", "advancing 3", Some("(A7.1)")),
        ("prep 3", "opportunity 3", Some("(A7.25)")),
        ("first 3", "subsequent 2", None),
        ("first 3", "final-again 1", None),
        ("first 3", "final 1", Some("(A8.4)")),
        ("first 3", "fpf 1", Some("(A8.31)")),
        ("subsequent 2", "fpf 1", None),
        ("subsequent 2", "final-again 1", Some("(A7.1)")),
        ("fpf 1", "fpf 1", Some("(A8.31)")),
        ("advancing 3", "advancing 3", Some("(A9.2)")),
    ] {
        let attack = |head: &str, name: &str| format!("{name}={head}: german:4-6-7/mmg");
        let found = fault(&format!("{}; {}", attack(first, "A"), attack(second, "A")));
        let is_as_expected = match (&found, rule) {
            (None, None) => true,
            (Some(found), Some(rule)) => found.ends_with(rule) || found.contains(rule),
            _ => false,
        };
        assert!(is_as_expected, "{first}, {second}: {found:?} instead of {rule:?}");
        let others = fault(&format!("{}; {}", attack(first, "A"), attack(second, "B")));
        assert_eq!(others, None, "{first}, {second} by others");
    }
    let other = fault("A=first 3: german:4-6-7/mmg; A=subsequent 2: german:4-6-8/mmg");
    assert_eq!(other.unwrap(), "`a` has fired as other firers before");
}

/// 9.7, 7.9: a MG that has malfunctioned in First Fire (12) does not fire in Subsequent First Fire,
/// and neither does a unit that Cowering has marked. The Original 12 is a double, too, so that the
/// squad is marked as well: then nobody fires.
#[test]
fn parts_lost_in_first_fire_do_not_fire_again() {
    let steps = |by: &str| {
        let fields = "move=non-assault; terrain=stone";
        let first = format!("by={by}; range=2; phase=first; {fields}; name=A");
        (first.clone(), first.replace("phase=first", "phase=subsequent"))
    };
    let made = |by: &str| {
        let (first, second) = steps(by);
        let answer = answer("russian:4-4-7", &[&first, &second]);
        number_of(&answer["attacks"][1]["made"][0])
    };
    // No leader: Cowering on doubles (1/6) marks the only unit.
    assert!((made("german:4-6-7/mmg") - 5.0 / 6.0).abs() < 1e-12);
    // A leader directs: the squad still fires after a breakdown.
    assert!((made("8-0 + german:4-6-7/mmg") - 1.0).abs() < 1e-12);
    // The MG alone: it malfunctions on a 12.
    assert!((made("8-0 + german:4-6-7/mmg,sw-only") - 35.0 / 36.0).abs() < 1e-12);
}
