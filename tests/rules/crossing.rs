//! A stack that moves under fire: exact figures from an independent program, and the rules one by
//! one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::catalogue::CATALOGUE;
use lowcrawl::asl::crossing::model::Crossing;
use lowcrawl::asl::crossing::question::{CrossingKind, CrossingQuestion, Crossings};
use lowcrawl::asl::crossing::state::{CrossingOutcome, CrossingState};
use lowcrawl::asl::question::{Draft as FireDraft, QuestionKind};
use lowcrawl::engine::exact::{Bound, Fraction, odds};
use lowcrawl::play::{Draft, Playable as _};
use lowcrawl::process::{Decisions as _, Due, Process as _, Question as _, Silent};
use lowcrawl::schema::{RawValue, Settable as _};
use serde_json::{Value, json};

/// The worked cases: input, and the figures of the answer.
const CASES: &str = include_str!("../fixtures/crossing.json");

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// Builds the question of a case. X-16 tests shots alone.
fn question(case: &Value) -> Option<CrossingQuestion> {
    let input = &case["input"];
    let mut draft = Draft::<Crossings>::new(CrossingKind::Cross);
    let mut set = |name: &str, value: RawValue| {
        draft.set(name, value).unwrap_or_else(|fault| panic!("{}: {name}: {fault}", case["id"]));
    };
    set("hob", RawValue::Boolean(false));
    set("stack", RawValue::Text(input["stack"].as_str()?));
    set("path", RawValue::Text(&input["path"].to_string()));
    set("defender", RawValue::Text(&input["defenders"].to_string()));
    set("fire", RawValue::Text(&input["fire"].to_string()));
    for name in ["move", "elr", "concealed"] {
        match &input[name] {
            Value::String(word) => set(name, RawValue::Text(word)),
            Value::Number(number) => set(name, RawValue::Integer(number.as_i64().unwrap())),
            Value::Bool(value) => set(name, RawValue::Boolean(*value)),
            _ => {}
        }
    }
    Some(draft.question().unwrap_or_else(|fault| panic!("{}: {fault:?}", case["id"])))
}

pub(super) type Ends = BTreeMap<(String, String, String), Fraction>;

fn add(ends: &mut Ends, key: (String, String, String), more: Fraction) {
    let sum = ends.entry(key).or_insert(Fraction::new(0, 1));
    *sum = sum.checked_add(more).unwrap();
}

fn fraction(text: &str) -> Fraction {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    Fraction::new(above.parse().unwrap(), below.parse().unwrap())
}

/// Returns the ends of the units: Location, status, counter.
pub(super) fn ends(question: &CrossingQuestion) -> Ends {
    let mut ends = Ends::new();
    for process in question.parts().all() {
        for chance in odds(&process, Bound::STANDARD).unwrap().chances {
            let CrossingOutcome::Unit(end) = chance.outcome else { continue };
            let location = question.path.locations[usize::from(end.location)].name.clone();
            // The cases call both broken, and an arrived unit `through`.
            let status = match end.unit.status.name() {
                "arrived" => "through",
                "disrupted" => "broken",
                status => status,
            };
            let counter = end.unit.counter_text().unwrap_or_default();
            add(&mut ends, (location, status.to_string(), counter), chance.fraction.unwrap());
        }
    }
    ends
}

fn expected_ends(case: &Value) -> Ends {
    let mut ends = Ends::new();
    for end in case["answer"]["ends"].as_array().unwrap() {
        let id = end["counter"].as_str().unwrap();
        let counter = match CATALOGUE.find(id) {
            Some(counter) => CATALOGUE.get(counter).printed().to_string(),
            None => String::new(),
        };
        let key = (text(&end["location"]), text(&end["status"]), counter);
        add(&mut ends, key, fraction(end["p"].as_str().unwrap()));
    }
    ends
}

/// Returns the JSON value beside the rows.
pub(super) fn reckoned(question: &CrossingQuestion, name: &str) -> Value {
    let reckoned = question.details().reckoned.unwrap();
    reckoned.json.into_iter().find(|(known, _)| *known == name).unwrap().1
}

/// One attack row: Location, firer, how often, kinds with FP, column, DRM, results.
type ShotRow =
    (String, String, Fraction, Vec<(String, String, u64, i64)>, BTreeMap<String, Fraction>);

fn shot_rows(rows: &Value, results: &str) -> Vec<ShotRow> {
    let row = |row: &Value| {
        let attack = |attack: &Value| {
            let column = attack["column"].as_u64().unwrap();
            (text(&attack["kind"]), text(&attack["fp"]), column, attack["drm"].as_i64().unwrap())
        };
        let mut attacks: Vec<_> = row["attacks"].as_array().unwrap().iter().map(attack).collect();
        attacks.sort();
        let results = row[results].as_object().unwrap().iter();
        let result = |(name, odds): (&String, &Value)| {
            (name.replace("NE", "-"), fraction(odds.as_str().unwrap()))
        };
        let (location, by) = (text(&row["location"]), text(&row["by"]));
        let made = fraction(row["made"].as_str().unwrap());
        (location, by, made, attacks, results.map(result).collect())
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// 8.1 - 8.31, 8.22, 9.22: ends, attacks and firers of the worked cases, to the last fraction.
#[test]
fn worked_cases_have_their_exact_figures() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let Some(question) = question(case) else { continue };
        let id = text(&case["id"]);
        let (found, expected) = (ends(&question), expected_ends(case));
        if found != expected {
            wrong.push(format!("{id} ends\n  {found:?}\n  {expected:?}"));
        }
        let found = shot_rows(&reckoned(&question, "shots"), "results");
        let expected = shot_rows(&case["answer"]["rows"], "dist");
        if found != expected {
            wrong.push(format!("{id} shots\n  {found:?}\n  {expected:?}"));
        }
        let firers = firers(&reckoned(&question, "firers"));
        let expected = case["answer"]["firers"].as_object().unwrap().iter();
        let expected: BTreeMap<String, Fraction> =
            expected.map(|(name, odds)| (name.clone(), fraction(odds.as_str().unwrap()))).collect();
        if firers != expected {
            wrong.push(format!("{id} firers\n  {firers:?}\n  {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns what becomes of the firers, in the words of the cases.
fn firers(json: &Value) -> BTreeMap<String, Fraction> {
    let mut firers = BTreeMap::new();
    let mut add = |name: String, odds: &Value| {
        let sum = firers.entry(name).or_insert(Fraction::new(0, 1));
        *sum = sum.checked_add(fraction(odds.as_str().unwrap())).unwrap();
    };
    for (name, of) in json.as_object().unwrap() {
        for (key, word) in [
            ("malfunctions", "SW malfunctions"),
            ("pinned", "firer pinned"),
            ("broken", "firer broken"),
            ("disrupted", "firer broken"),
            ("eliminated", "firer broken"),
        ] {
            if let Some(odds) = of.get(key) {
                add(format!("{name}: {word}"), odds);
            }
        }
    }
    firers
}

/// Builds a question from fields, without Heat of Battle.
pub(super) fn ask(fields: &[(&str, &str)]) -> Result<CrossingQuestion, String> {
    let mut draft = Draft::<Crossings>::new(CrossingKind::Cross);
    draft.set("hob", RawValue::Boolean(false)).unwrap();
    for (name, value) in fields {
        let value = match (*value, value.parse()) {
            ("true", _) => RawValue::Boolean(true),
            (_, Ok(number)) => RawValue::Integer(number),
            (text, _) => RawValue::Text(text),
        };
        draft.set(name, value).map_err(|fault| fault.message)?;
    }
    draft.question().map_err(|fault| format!("{}: {}", fault.field, fault.fault.message))
}

fn crossing(stack: &str, path: &str, defenders: &str, fire: &str) -> CrossingQuestion {
    let fields = [("stack", stack), ("path", path), ("defender", defenders), ("fire", fire)];
    ask(&fields).unwrap_or_else(|fault| panic!("{fields:?}: {fault}"))
}

/// Returns how often each attack is made: `B G` is the first of G in Location B.
fn made(question: &CrossingQuestion) -> Vec<(String, Fraction)> {
    let rows = shot_rows(&reckoned(question, "shots"), "results").into_iter();
    rows.map(|(location, by, made, ..)| (format!("{location} {by}"), made)).collect()
}

fn sum(ends: &Ends, fits: impl Fn(&str, &str) -> bool) -> Fraction {
    let fitting = ends.iter().filter(|((location, status, _), _)| fits(location, status));
    fitting.fold(Fraction::new(0, 1), |sum, (_, odds)| sum.checked_add(*odds).unwrap())
}

/// Three Locations by hand: 1 FP of Residual FP at +1 TEM and -1 FFNAM is a 1MC on 2 or 3, a NMC on
/// 4, a PTC on 5. A 4-4-7 goes on unpinned from them on 5, 6 and 7 or less: (936 + 30 + 45 + 84) of
/// 1296 = 365/432 in each Location.
#[test]
fn three_locations_by_hand() {
    let woods = "woods 1 residual 1";
    let path = [woods, woods, woods].join(", ");
    let question = ask(&[("stack", "russian:4-4-7"), ("path", &path)]).unwrap();
    let arrived = sum(&ends(&question), |_, status| status == "through");
    assert_eq!(arrived, Fraction::new(365 * 365 * 365, 432 * 432 * 432));
    let expected = [(1, 1), (365, 432), (365 * 365, 432 * 432)];
    let expected = expected.map(|(above, below)| Fraction::new(above, below));
    let made: Vec<Fraction> = made(&question).into_iter().map(|(_, made)| made).collect();
    assert_eq!(made, expected);
}

/// One Location and one shot are the attack of `fire --by`.
#[test]
fn one_shot_equals_the_attack_by_named_firers() {
    let (stack, by) = ("8-0 + 2x russian:4-4-7", "9-1 + german:4-6-7/mmg");
    let question = crossing(stack, "open", &format!("G: {by} @ 4"), "G");
    let mut draft = FireDraft::new(QuestionKind::Fire);
    draft.set("hob", RawValue::Boolean(false)).unwrap();
    for (name, text) in [("stack", stack), ("by", by), ("move", "non-assault")] {
        draft.set(name, RawValue::Text(text)).unwrap();
    }
    draft.set("range", RawValue::Integer(4)).unwrap();
    let fire = draft.question().unwrap();
    let mut expected = Ends::new();
    for process in fire.parts().all() {
        for chance in odds(&process, Bound::STANDARD).unwrap().chances {
            let label = fire.label(chance.point, &chance.outcome);
            let status = label.status.unwrap().replace("good-order", "through");
            let status = status.replace("disrupted", "broken");
            let key = ("1".to_string(), status, label.counter.unwrap_or_default());
            add(&mut expected, key, chance.fraction.unwrap());
        }
    }
    assert_eq!(ends(&question), expected);
}

/// All units together come to the same as unit by unit.
#[test]
fn reports_agree() {
    for movement in ["non-assault", "assault"] {
        let question = ask(&[
            ("stack", "8-0 + russian:4-4-7"),
            ("path", "open, woods 2"),
            ("defender", "G: german:4-6-7/lmg @ 2, 1"),
            ("fire", "G, G G"),
            ("move", movement),
        ]);
        let question = question.unwrap();
        let mut whole = Ends::new();
        for chance in odds(&question.whole(), Bound::STANDARD).unwrap().chances {
            let CrossingOutcome::Unit(end) = chance.outcome else { continue };
            let location = question.path.locations[usize::from(end.location)].name.clone();
            let status = end.unit.status.name().replace("arrived", "through");
            let counter = end.unit.counter_text().unwrap_or_default();
            add(&mut whole, (location, status, counter), chance.fraction.unwrap());
        }
        assert_eq!(ends(&question), whole);
    }
}

/// 7.9, 8.3: a double marks a German squad Final Fire, so that it has no Subsequent First Fire. A
/// British one does not Cower: it fires whenever the target goes on.
#[test]
fn cowering_costs_subsequent_first_fire() {
    let second = |by: &str| {
        let question = crossing("russian:4-4-7", "open, open", &format!("G: {by} @ 3, 2"), "G, G");
        let stopped = sum(&ends(&question), |location, _| location == "1");
        let goes_on = Fraction::new(stopped.denominator - stopped.numerator, stopped.denominator);
        (made(&question)[1].1, goes_on)
    };
    let (made, goes_on) = second("british:4-5-7");
    assert_eq!(made, goes_on);
    let (made, goes_on) = second("german:4-6-7");
    assert!(made.to_f64() < goes_on.to_f64() - 0.05, "{made} {goes_on}");
}

/// 9.7, 8.31: a directed MMG malfunctions on a 12. The FPF of a 4-6-7 breaks it on 8 or more and
/// pins it on 7.
#[test]
fn breakdown_and_fpf_cost_the_firers() {
    let question = crossing("russian:4-4-7", "open", "G: 8-1 + german:4-6-7/mmg @ 4", "G");
    assert_eq!(reckoned(&question, "firers")["G"]["malfunctions"], "1/36");
    let question =
        crossing("russian:4-4-7", "open, open, open", "G: german:4-6-7 @ 3, 2, 1", "G, G, G");
    let fpf = made(&question)[2].1;
    let firers = firers(&reckoned(&question, "firers"));
    let share = |ways: u128| {
        let one = Fraction::new(fpf.numerator * ways, fpf.denominator * 36);
        Fraction::new(one.numerator, one.denominator)
    };
    assert_eq!(firers["G: firer broken"], share(15));
    assert_eq!(firers["G: firer pinned"], share(6));
}

/// 8.1, 9.2, I-103: a unit fires at most as often as MF are spent; more shots are skipped.
#[test]
fn shots_beyond_the_mf_are_skipped() {
    let question = crossing("russian:4-4-7", "open", "G: german:4-6-7 @ 3", "G G");
    assert_eq!(made(&question).len(), 1);
    assert!(question.texts().notes.iter().any(|note| note.contains("I-103")));
}

/// 9.2: a MMG of ROF 2 that keeps its ROF on a coloured 1 or 2 fires alone as First Fire.
#[test]
fn mg_that_keeps_its_rof_fires_alone() {
    let question =
        crossing("russian:4-4-7", "open, open", "G: 8-1 + german:4-6-7/mmg @ 4, 3", "G, G");
    let shots = shot_rows(&reckoned(&question, "shots"), "results");
    let kinds: Vec<String> =
        shots[1].3.iter().map(|(kind, fp, ..)| format!("{kind} {fp}")).collect();
    assert_eq!(kinds, ["first 5", "subsequent 2", "subsequent 9/2"]);
}

/// 4.1, 4.61, 4.63, 8.31, 10.4: what the rules forbid is refused in their words.
#[test]
fn what_the_rules_forbid_is_refused() {
    let (stack, path) = (("stack", "russian:4-4-7"), ("path", "open, open"));
    let defender = ("defender", "G: german:4-6-7 @ 3, none");
    for (fields, words) in [
        (vec![stack], "path: the path is missing"),
        (vec![path], "stack: the stack is missing"),
        (vec![stack, ("path", "woods, woods, open")], "path: the path costs 5 MF, the 4-4-7 has 4"),
        (
            vec![("stack", "german:4-3-6"), ("path", "woods, woods")],
            "path: the path costs 4 MF, the 4-3-6 has 3",
        ),
        (vec![stack, path, ("move", "assault"), APART], "then: units go on apart within one MPh"),
        (
            vec![stack, ("path", "woods 4"), ("move", "assault")],
            "move: Assault Movement leaves at least part",
        ),
        (vec![stack, path, ("move", "dash")], "move: a Dash does not end in Open Ground"),
        (vec![stack, ("path", "open"), ("move", "dash")], "move: a Dash is from, over and to"),
        (vec![stack, path, defender, ("fire", "H")], "fire: no defender is called `H`"),
        (vec![stack, path, defender, ("fire", "G, G")], "fire: G has no LOS to Location 2"),
        (vec![stack, path, defender, ("fire", "G, -, G")], "fire: there are shots for 3 Locations"),
        (
            vec![stack, path, ("defender", "G: german:4-6-7 @ 20"), ("fire", "G")],
            "fire: G at Location 1: nobody reaches",
        ),
        (
            vec![stack, path, ("defender", "G: german:4-6-7 @ 3, 2, 1")],
            "defender: G sees 3 Locations",
        ),
        (vec![("stack", "russian:4-4-7/broken"), path], "stack: broken units do not move"),
        (
            vec![("stack", "7x russian:4-4-7"), path, ("then", "apart")],
            "then: at most 6 units go on one by one",
        ),
        (vec![("stack", "russian:4-4-7/berserk"), path], "stack: berserk units charge"),
    ] {
        let refused = ask(&fields).map(|_| ()).unwrap_err();
        assert!(refused.starts_with(words), "{fields:?}: {refused}");
    }
}

/// 4.61, 7.8: Assault Movement enters one Location a Player Turn, with new MF, against firers
/// without markers. Who is pinned goes on in the next one; who is broken stays.
#[test]
fn assault_movement_takes_a_player_turn_for_each_location() {
    let question = |firers: &str, path: &str, ranges: &str| {
        let defender = format!("G: {firers} @ {ranges}");
        let fire = if path.contains(',') { "G, G" } else { "G" };
        let fields =
            [("path", path), ("defender", &*defender), ("fire", fire), ("move", "assault")];
        ask(&[&[("stack", "russian:2-2-7")], &fields[..]].concat()).unwrap()
    };
    let of = |path: &str, ranges: &str| ends(&question("british:4-5-7", path, ranges));
    let (first, second) = (of("A=open", "3"), of("B=woods 2", "2"));
    let both = of("A=open, B=woods 2", "3, 2");
    let at = |ends: &Ends, place: &str, status: &str| {
        sum(ends, |known, is| (known, is) == (place, status)).to_f64()
    };
    let goes_on = at(&first, "A", "through") + at(&first, "A", "pinned");
    assert!(at(&first, "A", "pinned") > 0.05);
    for status in ["through", "pinned", "broken", "eliminated"] {
        let expected = goes_on * at(&second, "B", status);
        assert!((at(&both, "B", status) - expected).abs() < 1e-12, "{status}: {both:?}");
    }
    assert_eq!(at(&both, "A", "broken"), at(&first, "A", "broken"));
    assert_eq!(at(&both, "A", "pinned"), 0.0);
    // A MG that malfunctions is lost, and all other markers are gone: First Fire at all who go on.
    let armed = question("british:4-5-7/lmg", "A=woods, B=open", "1, 2");
    let shots = shot_rows(&reckoned(&armed, "shots"), "results");
    let again = shots.iter().find(|(place, ..)| place == "B").unwrap();
    assert_eq!(again.2, sum(&ends(&armed), |place, _| place == "B"));
    let kinds: Vec<(&str, &str)> = again.3.iter().map(|(kind, fp, ..)| (&**kind, &**fp)).collect();
    assert_eq!(kinds, [("first", "4"), ("first", "6")]);
    // 6 MF, but 2 of 4 in each Player Turn.
    assert!(
        ask(&[("stack", "russian:4-4-7"), ("path", "woods, woods, woods"), ("move", "assault")])
            .is_ok()
    );
}

/// 12.14: Non-Assault Movement in LOS costs concealment, which halves the fire at Assault Movement.
#[test]
fn concealment_halves_fire_at_assault_movement() {
    let fp = |movement: &str| {
        let question = ask(&[
            ("stack", "russian:4-4-7"),
            ("path", "woods"),
            ("defender", "G: german:4-6-7 @ 3"),
            ("fire", "G"),
            ("move", movement),
            ("concealed", "true"),
        ]);
        let shots = reckoned(&question.unwrap(), "shots");
        text(&shots[0]["attacks"][0]["fp"])
    };
    assert_eq!((fp("assault"), fp("non-assault")), ("2".to_string(), "4".to_string()));
}

/// 15.43: berserk units go on whatever does not kill them: nobody is pinned or broken.
#[test]
fn a_charge_goes_on_until_it_is_dead() {
    let fields = [
        ("stack", "russian:4-4-7"),
        ("path", "open, open, open"),
        ("defender", "G: german:4-6-7 @ 3, 2, 1"),
        ("move", "charge"),
    ];
    let ends = ends(&ask(&fields).unwrap());
    let fates: Vec<&str> = ends.keys().map(|(_, status, _)| status.as_str()).collect();
    assert!(fates.iter().all(|fate| ["berserk", "eliminated"].contains(fate)), "{fates:?}");
}

/// 1.5, 4.11, 4.12, 4.5, 15.431, 17.2, 19.31: the MF of a stack, in halves. It has them, and half a
/// MF more is too much.
#[test]
fn stacks_have_the_mf_of_their_slowest_unit() {
    for (stack, mf) in [
        ("german:4-6-7", 4),
        ("german:2-2-8", 4),
        ("german:8-1", 6),
        ("hero", 6),
        ("german:4-6-7/cx", 6),
        ("german:8-1 + german:4-6-7", 6),
        ("german:8-1/wounded + german:4-6-7", 3),
        ("german:4-3-6", 3),
        ("german:8-1 + german:4-3-6", 5),
        ("german:4-6-7/berserk", 8),
    ] {
        let movement = if stack.contains("berserk") { "charge" } else { "non-assault" };
        let of = |path: String| {
            ask(&[("stack", stack), ("path", &path), ("move", movement)]).map(|_| ())
        };
        assert_eq!(of(format!("open {mf}")), Ok(()), "{stack}");
        let words = format!("path: the path costs {mf}.5 MF");
        for more in [format!("open {mf}.5"), format!("open 1/2, open {mf}")] {
            assert!(of(more).unwrap_err().starts_with(&words), "{stack}");
        }
    }
}

/// 4.2, 7.8: who is pinned or broken stays behind, and the other squad goes on.
#[test]
fn who_is_pinned_or_broken_stays_behind() {
    let question =
        crossing("2x russian:4-4-7", "A=open, B=woods", "G: german:4-6-7 @ 2, none", "G");
    let ends = ends(&question);
    let of = |location: &str, status: &str| sum(&ends, |at, of| (at, of) == (location, status));
    let none = Fraction::new(0, 1);
    assert_eq!([of("A", "through"), of("B", "pinned"), of("B", "broken")], [none, none, none]);
    assert!([of("A", "pinned"), of("A", "broken"), of("B", "through")].iter().all(|p| *p != none));
}

/// 7.353: two MG cost a squad its inherent FP, in First Fire and as Subsequent First Fire. After a
/// 12 it is there again: one MG of two malfunctions on 5/12 each, so that the other fires with it,
/// and both on 1/6.
#[test]
fn inherent_fp_is_there_again_in_subsequent_first_fire() {
    let firers = "G: german:8-0 + german:4-6-7/lmg,mmg @ 2";
    let question = crossing("russian:4-4-7", "woods 2", firers, "G G");
    let shots = reckoned(&question, "shots");
    let made = |fp: &str| {
        let attacks = shots[1]["attacks"].as_array().unwrap();
        let of = attacks.iter().filter(|one| one["kind"] == "subsequent" && one["fp"] == fp);
        of.map(|one| text(&one["made"])).collect::<Vec<_>>()
    };
    assert_eq!([made("9/2"), made("7/2"), made("2")], [["5/432"], ["5/432"], ["1/216"]]);
}

/// 9.4: beyond 16 hexes a MG fires only at the direction of a leader, so nothing is fired there and
/// no marker placed: the first shot is First Fire.
#[test]
fn mg_beyond_16_hexes_keeps_its_first_fire() {
    let of = |fire: &str| {
        let fields = [
            ("stack", "russian:4-4-7"),
            ("path", "open, open"),
            ("defender", "G: german:4-6-7/hmg @ 20, 16"),
            ("fire", fire),
        ];
        let question = ask(&fields).unwrap();
        (ends(&question), made(&question))
    };
    assert_eq!(of("auto"), of("none, G"));
    assert_eq!(of("auto").1, [("2 G".to_string(), Fraction::new(1, 1))]);
}

/// 9.4, 12.14: at a concealed stack an undirected MG fires beyond 16 hexes, from where movement does
/// not cost concealment; at a known one it does not.
#[test]
fn mg_beyond_16_hexes_fires_at_a_concealed_stack() {
    let of = |concealed: &str, fire: &str| {
        let mut fields = vec![
            ("stack", "russian:4-4-7"),
            ("path", "open, open"),
            ("defender", "G: german:4-6-7/hmg @ 20, 20"),
            ("fire", fire),
        ];
        fields.extend([("concealed", concealed)].into_iter().filter(|(_, word)| *word == "true"));
        ask(&fields).map(|question| (ends(&question), made(&question)))
    };
    let (auto, planned) = (of("true", "auto").unwrap(), of("true", "G, G").unwrap());
    assert_eq!(auto, planned);
    assert_eq!(auto.1[0], ("1 G".to_string(), Fraction::new(1, 1)));
    assert!(of("", "G, G").unwrap_err().contains("(A9.4)"));
    assert!(of("", "auto").unwrap().1.is_empty());
}

const THREE_SQUADS: (&str, &str) = ("stack", "3x russian:4-4-7");
const APART: (&str, &str) = ("then", "apart");

/// 4.2: where nobody but Residual FP fires, each unit fares alike whether those who go on stay
/// together or part.
#[test]
fn units_apart_meet_the_same_residual_fp() {
    let woods = "woods 1 residual 1";
    let path = [woods, woods, woods].join(", ");
    let fields = [THREE_SQUADS, ("path", path.as_str())];
    let together = ends(&ask(&fields).unwrap());
    assert_eq!(together, ends(&ask(&[&fields[..], &[APART]].concat()).unwrap()));
}

/// 4.2, 8.22: of squads that go on apart, the first draws the First Fire and the second meets the
/// 2 Residual FP of its 4 FP, and the Subsequent First Fire. British never Cower.
#[test]
fn units_apart_meet_the_residual_fp_of_earlier_shots() {
    let defenders = "G: british:4-5-7 @ 3, none; H: british:4-5-7 @ none, 3";
    let path = ("path", "open, open");
    let fields = [THREE_SQUADS, path, ("defender", defenders), ("fire", "G, H"), APART];
    let shots = reckoned(&ask(&fields).unwrap(), "shots");
    let apart = shots.as_array().unwrap().iter().filter(|shot| !shot["slot"].is_null());
    let (mut residual, mut first) = (Fraction::new(0, 1), Fraction::new(0, 1));
    for shot in apart {
        for attack in shot["attacks"].as_array().unwrap() {
            let made = fraction(attack["made"].as_str().unwrap());
            match attack["kind"].as_str().unwrap() {
                "residual" => {
                    assert_eq!((&attack["fp"], &attack["drm"]), (&"2".into(), &(-2).into()));
                    residual = residual.checked_add(made).unwrap();
                }
                "first" => first = first.checked_add(made).unwrap(),
                kind => assert_eq!((kind, &attack["fp"]), ("subsequent", &"2".into())),
            }
        }
    }
    assert_ne!(residual, Fraction::new(0, 1));
    assert_eq!(residual, first, "one of two is the first: {shots}");
}

/// 4.12, 4.2: a squad that goes on without its leader lacks his 2 MF, so it stays.
#[test]
fn units_apart_lack_the_mf_of_their_leader() {
    let defender = ("defender", "G: german:4-6-7 @ 3, none, none");
    let of = |fields: &[(&str, &str)]| {
        let stack = ("stack", "8-0 + 2x russian:4-4-7");
        let path = ("path", "open 2, open 2, open 2");
        ends(&ask(&[&[stack, path, defender, ("fire", "G")], fields].concat()).unwrap())
    };
    let arrived = |ends: &Ends| sum(ends, |_, status| status == "through").to_f64();
    let (together, apart) = (of(&[]), of(&[APART]));
    assert!(arrived(&apart) < arrived(&together));
    let in_good_order = sum(&apart, |place, status| (place, status) == ("2", "good-order"));
    assert!(in_good_order.to_f64() > 0.1, "{apart:?}");
}

/// All units at the end come to the same as unit by unit, if they part.
#[test]
fn reports_of_units_apart_agree() {
    let fields = [
        ("stack", "3x russian:2-2-7"),
        ("path", "open, open, woods 2"),
        ("defender", "G: german:4-6-7 @ 3, 2, 1; H: german:2-4-7 @ none, 2, 2"),
        ("fire", "G, G H, G G"),
        APART,
    ];
    let question = ask(&fields).unwrap();
    let bound = Bound { alive: 1 << 18, worked: 1 << 22, ..Bound::STANDARD };
    let ends = |processes: Vec<Crossing>| {
        let mut ends = BTreeMap::<(u8, u8, String), f64>::new();
        for chance in processes.iter().flat_map(|one| odds(one, bound).unwrap().chances) {
            let CrossingOutcome::Unit(end) = chance.outcome else { continue };
            let key = (end.unit.slot, end.location, end.unit.status.name().to_string());
            *ends.entry(key).or_default() += chance.probability;
        }
        ends
    };
    let (whole, parts) = (ends(vec![question.whole()]), ends(question.parts().all().collect()));
    assert_eq!(whole.len(), parts.len());
    for (key, chance) in &whole {
        assert!((chance - parts[key]).abs() < 1e-9, "{key:?}: {chance}, {}", parts[key]);
    }
}

/// Returns the chance of each Residual FP at the end: `A 2` is 2 FP in Location A.
fn residual(question: &CrossingQuestion) -> BTreeMap<String, Fraction> {
    let rows = reckoned(question, "residual");
    let row = |row: &Value| {
        let odds = fraction(row["probability"].as_str().unwrap());
        (format!("{} {}", text(&row["location"]), row["fp"]), odds)
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// 8.2, 8.26: half the column is left, after Cowering (1/6) and less the DRM from outside the hex;
/// 8.22: the larger counter stays.
#[test]
fn attacks_leave_residual_fp() {
    let british = "G: british:4-5-7 @ 3";
    for (path, defender, expected) in [
        ("open", "G: german:4-6-7 @ 3", vec![("1 1", 1, 6), ("1 2", 5, 6)]),
        ("open hindrance 1", "G: german:4-6-7 @ 3", vec![("1 1", 5, 6)]),
        ("woods", british, vec![("1 2", 1, 1)]),
        ("open residual 4", british, vec![("1 4", 1, 1)]),
        ("open residual 1", "G: german:2-4-7 @ 3", vec![("1 1", 1, 1)]),
    ] {
        let found = residual(&crossing("russian:4-4-7", path, defender, "G"));
        let expected = expected.into_iter();
        let expected =
            expected.map(|(name, of, in_all)| (name.to_string(), Fraction::new(of, in_all)));
        assert_eq!(found, expected.collect(), "{path}, {defender}");
    }
    // 12.13: half the FP at a concealed stack, whether the attack reveals it or not.
    let concealed = ask(&[
        ("stack", "russian:4-4-7"),
        ("path", "woods"),
        ("defender", british),
        ("fire", "G"),
        ("move", "assault"),
        ("concealed", "true"),
    ]);
    let found = residual(&concealed.unwrap());
    assert_eq!(found, BTreeMap::from([("1 1".to_string(), Fraction::new(1, 1))]));
}

/// 8.2: the larger of two counters is that of the second firer, if he fires at all and does not
/// Cower (5/6); units that go on apart leave the Location of each shot behind.
#[test]
fn residual_fp_lies_where_shots_were_fired() {
    let defenders = "G: german:4-6-7 @ 3, none; H: 2x german:4-6-7 @ 3, 3";
    let question = crossing("russian:2-2-7", "open, open", defenders, "G H, H");
    let found = residual(&question);
    let shots = made(&question);
    assert_eq!((shots[1].0.as_str(), shots[2].0.as_str()), ("1 H", "2 H"));
    let fired = shots[1].1;
    assert_eq!(found["1 4"], Fraction::new(5 * fired.numerator, 6 * fired.denominator));
    let fields = [
        ("stack", "3x russian:2-2-7"),
        ("path", "open, open"),
        ("defender", "G: british:4-5-7 @ 3, none; H no-sff no-fpf: british:4-5-7 @ none, 3"),
        ("fire", "G, H"),
        APART,
    ];
    let question = ask(&fields).unwrap();
    let fired = made(&question).into_iter().filter(|(name, _)| name == "2 H");
    let fired = fired.fold(Fraction::new(0, 1), |sum, (_, odds)| sum.checked_add(odds).unwrap());
    assert_eq!(residual(&question)["2 2"], fired);
}

/// A trace tells the Residual FP that each attack leaves.
#[test]
fn traces_tell_residual_fp() {
    let request = json!({ "request": "trace", "kind": "cross", "stack": "russian:4-4-7",
        "path": "open", "defender": "G: british:4-5-7 @ 3", "hob": false });
    let answer = lowcrawl::answer_json(&request.to_string()).to_string();
    assert!(answer.contains("2 Residual FP is left in 1"), "{answer}");
}

/// Plays a crossing in which each choice is that of a plan, and returns the number of units in Good
/// Order at the end, pinned or not. A plan has an option for each description of a choice.
fn planned(
    process: &Crossing,
    state: &CrossingState,
    plan: &mut dyn FnMut(String) -> usize,
    known: &mut HashMap<CrossingState, f64>,
) -> f64 {
    if let Some(value) = known.get(state) {
        return *value;
    }
    let mut next = state.clone();
    let value = match process.due(state) {
        Due::Over => 0.0,
        Due::Roll(dice, terms) => {
            let each = dice.all().map(|face| {
                let mut next = state.clone();
                process.apply(&mut next, process.read(&terms, face), &mut Silent);
                planned(process, &next, plan, known)
            });
            each.sum::<f64>() / f64::from(dice.faces())
        }
        Due::Choice { .. } => {
            process.choose(&mut next, plan(process.decision(state)), &mut Silent);
            planned(process, &next, plan, known)
        }
        Due::Report(_) => {
            let mut holds = 0.0;
            process.report(state, &mut |outcome| {
                if let CrossingOutcome::Unit(end) = outcome
                    && ["arrived", "good-order", "pinned"].contains(&end.unit.status.name())
                {
                    holds += 1.0;
                }
            });
            process.pass(&mut next, &mut Silent);
            holds + planned(process, &next, plan, known)
        }
    };
    known.insert(state.clone(), value);
    value
}

/// Whether to shoot at once or to hold fire: the best play is the best of all plans, which say for
/// each description of a choice whether the only defender fires.
#[test]
fn best_play_is_the_best_of_all_plans() {
    for (path, defender) in [
        ("woods 2, open", "G no-fpf: german:4-6-7 @ 3, 1"),
        ("open, stone 2", "G no-fpf: german:4-6-7 @ 3, 1"),
        ("woods 2, open 2", "G no-sff no-fpf: german:2-4-7/lmg @ 4, 2"),
    ] {
        let fields = [("stack", "russian:2-2-7"), ("path", path), ("defender", defender)];
        let question = Arc::new(ask(&fields).unwrap()).open();
        let process = question.parts().all().next().unwrap();
        let start = process.start(&mut Silent);
        let mut met: Vec<String> = Vec::new();
        let mut values = Vec::new();
        for plan in 0_u32.. {
            let mut option = |decision: String| {
                let known = met.iter().position(|known| *known == decision);
                let place = known.unwrap_or_else(|| {
                    met.push(decision);
                    met.len() - 1
                });
                (plan >> place & 1) as usize
            };
            values.push(planned(&process, &start, &mut option, &mut HashMap::new()));
            if values.len() >> met.len() > 0 {
                break;
            }
        }
        let request = json!({ "request": "solve", "kind": "cross", "objective": "good-order",
            "stack": "russian:2-2-7", "path": path, "defender": defender, "hob": false });
        let [mover, enemy] = ["mover", "defender"].map(|side| {
            let mut request = request.clone();
            request["for"] = side.into();
            lowcrawl::answer_json(&request.to_string())["headline"].clone()
        });
        let best = mover["value"].as_f64().unwrap();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((best - least).abs() < 1e-12, "{path}: {best}, {least} of {}", values.len());
        assert!(values.len() >= 8 && least < values[0] - 0.01, "{path}: {values:?}");
        for key in ["value", "choice", "margin"] {
            assert_eq!(mover[key], enemy[key], "{path}");
        }
        assert_eq!([&mover["for"], &enemy["for"]], ["owner", "enemy"]);
    }
}
