//! Tests of exact odds against `twin`, a second, slow implementation of the rules. It is written
//! from the text alone, without states or tables.

use crate::random::case_factor;
use std::collections::BTreeMap;

use crate::common::{Row, ask, assert_close, odds, odds_of};
use crate::twin::{self, Kind, Mix, Scene, TwinUnit, Unit};
use lowcrawl::answer::odds::answer;
use lowcrawl::answer::{Counting, Engine, Meta, Options, QuestionInfo as _};
use lowcrawl::asl::question::QuestionKind;
use lowcrawl::process::Question as _;
use lowcrawl::schema::Word as _;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

fn rows(odds: twin::Odds) -> BTreeMap<Row, f64> {
    odds.into_iter()
        .map(|((slot, phase, status, counter, wounded), p)| {
            ((slot, phase, status.to_string(), counter, wounded), p)
        })
        .collect()
}

/// Writes the units of the twin in the notation.
fn notation(units: &[TwinUnit]) -> String {
    let one = |unit: &TwinUnit| {
        let conditions = [
            (unit.broken && !unit.dm && !unit.disrupted, "broken"),
            (unit.dm, "dm"),
            (unit.pinned, "pinned"),
            (unit.wounded && unit.id != "any_hero_138", "wounded"),
            (unit.fanatic, "fanatic"),
            (unit.heroic, "heroic"),
            (unit.disrupted, "disrupted"),
            (unit.encircled, "encircled"),
            (unit.berserk, "berserk"),
            (unit.unarmed, "unarmed"),
        ];
        let mut words: Vec<String> = conditions
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| word.to_string())
            .collect();
        words.extend(unit.elr.map(|elr| format!("elr={elr}")));
        let slash = if words.is_empty() { "" } else { "/" };
        format!("id:{}{slash}{}", unit.id, words.join(","))
    };
    units.iter().map(one).collect::<Vec<_>>().join(" + ")
}

const MMC: &str = "
    ger_1_467 ger_E_468 ger_2_447 ger_C_436 ger_E_838 ger_E_338 ger_1_247 ger_C_236
    ger_crew_228 ss_E_658 ss_E_468 ss_E_838 ss_E_348 ss_E_248 ss_E_338 rus_1_447 rus_C_426
    rus_2_628 rus_E_458 usa_E_747 usa_E_337 usa_1_666 usa_G_536 bri_E_648 bri_E_338
    bri_1_457 fin_1_648 fin_E_838 fin_E_338 fin_C_437 ita_1_346 axm_C_336 par_337 par_137
    rus_2_328 fre_1_457
";
const LEADERS: &str = "
    ger_ldr_10-2 ger_ldr_9-2 ger_ldr_9-1 ger_ldr_8-1 ger_ldr_8-0 ger_ldr_6+1 ss_ldr_9-1
    rus_ldr_8-0 rus_ldr_7-0 usa_ldr_9-1 fin_ldr_9-0 fin_ldr_8+1 par_ldr_6+1 ita_ldr_8-1
    rus_com_9-0 rus_com_10-0 rus_com_8+1
";

fn ids(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

fn unit(broken: bool) -> impl Strategy<Value = TwinUnit> {
    let smc = prop_oneof![3 => Just(false), 2 => Just(true)];
    (
        smc,
        select(ids(MMC)),
        select(ids(LEADERS)),
        subsequence((0..9).collect::<Vec<u8>>(), 0..3),
        0..12u8,
        prop::option::weighted(0.25, 0..6),
    )
        .prop_map(move |(smc, mmc, leader, conditions, hero, elr)| {
            if hero == 0 && !broken {
                return TwinUnit {
                    wounded: conditions.contains(&3),
                    id: if conditions.contains(&3) { "any_hero_138" } else { "any_hero_149" }
                        .into(),
                    fanatic: conditions.contains(&4),
                    ..TwinUnit::default()
                };
            }
            let has = |condition: u8| conditions.contains(&condition);
            let commissar = smc && leader.contains("com");
            let broken = broken || has(0);
            let heroic = smc && !commissar && has(5) && !broken;
            let berserk = !broken && !heroic && has(7);
            let fanatic = has(4);
            let disrupted = broken && !fanatic && !commissar && has(6);
            TwinUnit {
                id: if smc { leader } else { mmc }.into(),
                broken,
                dm: broken && has(1),
                pinned: !broken && !heroic && !berserk && has(2),
                wounded: smc && has(3),
                fanatic,
                heroic,
                disrupted,
                encircled: has(6) && !disrupted,
                berserk,
                unarmed: has(8) && !smc && !broken && !berserk,
                elr,
            }
        })
}

fn scene() -> impl Strategy<Value = Scene> {
    let rarely = || prop::bool::weighted(0.25);
    (prop::bool::weighted(0.8), prop::bool::weighted(0.75), rarely(), rarely(), rarely()).prop_map(
        |(hob, keu, captor, no_quarter, against_russians)| Scene {
            hob,
            keu,
            captor,
            no_quarter,
            against_russians,
        },
    )
}

fn fields_of(Scene { hob, keu, captor, no_quarter, against_russians }: Scene) -> String {
    let enemy = if against_russians { "; enemy=russian" } else { "" };
    format!("hob={hob}; keu={keu}; captor={captor}; no-quarter={no_quarter}{enemy}")
}

/// Compares the engine, by factors and as one process, with the twin.
fn assert_agrees(kind: QuestionKind, fields: &str, scene: Scene, expected: twin::Odds) {
    let question = ask(kind, &format!("{}; {fields}", fields_of(scene)));
    let name =
        format!("{} {} {scene:?} {fields:?}", kind.declared().name, question.texts().in_words);
    let expected = rows(expected);
    assert_close(&odds_of(&question, &[question.whole()]), &expected, 1e-12, &name);
    assert_close(&odds(&question), &expected, 1e-12, &format!("{name}, part by part"));
}

/// Section 21: returns whether a unit belongs to a group. That depends on its kind alone.
fn is_in_group(group: &str, kind: Kind) -> bool {
    match group {
        "mmc" => matches!(kind, Kind::Squad | Kind::HalfSquad | Kind::Crew),
        "leaders" => matches!(kind, Kind::Leader | Kind::Commissar),
        _ => true,
    }
}

/// Compares the counts of a group, including created units, with a list of all outcomes.
fn assert_counts_agree(
    kind: QuestionKind,
    fields: &str,
    scene: Scene,
    ends: &Mix,
    status: impl Fn(usize, &Unit) -> &'static str,
) {
    let question = ask(kind, &format!("{}; {fields}", fields_of(scene)));
    for name in ["mmc", "units", "leaders"] {
        let group = kind.declared().group(name).unwrap();
        let group = Some(group);
        let counting = Counting { group, with_created: true, ..Counting::IMPLICIT };
        let counts = Some(Counting { is_requested: true, ..counting });
        let options = Options { engine: Engine::Exact, counts, ..Options::default() };
        let table = answer(&question, &options, Meta::default()).unwrap();
        let counts = table.counts.unwrap();
        // By class and number: the share of the ends minus the reported share.
        let mut differences = BTreeMap::<(usize, usize), f64>::new();
        for (stack, weight) in ends.iter() {
            let mut numbers = vec![0; counts.kind.classes.len()];
            for (slot, unit) in stack.units.iter().enumerate() {
                if is_in_group(name, unit.counter().kind) {
                    numbers[kind.declared().class_of(status(slot, unit)).unwrap()] += 1;
                }
            }
            for entry in numbers.into_iter().enumerate() {
                *differences.entry(entry).or_default() += weight;
            }
        }
        for row in counts.rows() {
            let entry = (row.class, row.number as usize);
            *differences.entry(entry).or_default() -= row.figure.probability();
        }
        for ((class, number), difference) in differences {
            let class = counts.kind.classes[class].name;
            let what = format!("{number} of {name} {class}: {}", question.texts().in_words);
            assert!(difference.abs() < 1e-12, "{what}: {difference}");
        }
    }
}

/// Returns a configuration for random cases of one kind that are equal on every run.
fn cases(cases: u32, seed: u64) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(seed);
    ProptestConfig {
        cases: cases * case_factor() as u32,
        failure_persistence: None,
        rng_seed,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(240, 36))]

    /// 10.1 - 10.4, 10.2, 10.31, 15.1, 19.1, 17, 25.22: a MC of random stacks.
    #[test]
    fn random_checks_agree_with_the_twin(units in prop::collection::vec(unit(false), 1..=3), mc in 0..5i64, elr in 0..6i64, scene in scene()) {
        let stack = notation(&units);
        let fields = &format!("stack={stack}; mc={mc}; elr={elr}");
        assert_agrees(QuestionKind::Check, fields, scene, twin::check(&units, mc as i32, elr as i32, scene));
        let ends = twin::checked(&units, mc as i32, elr as i32, scene);
        assert_counts_agree(QuestionKind::Check, fields, scene, &ends, |_, unit| unit.status());
    }

    /// 7.3 - 7.305, 7.9, A.9: attacks on random stacks.
    #[test]
    fn random_attacks_agree_with_the_twin(
        units in prop::collection::vec(unit(false), 1..=3),
        fp in select(vec![1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36, 50]),
        drm in -3..=15i64,
        cowering in 0..3i32,
        elr in 0..6i64,
        scene in scene(),
    ) {
        let stack = notation(&units);
        let fields = &format!("stack={stack}; fp={fp}; drm={drm}; cowering={}; inexperienced={}; elr={elr}", cowering > 0, cowering == 2);
        let expected = twin::fire(&units, fp, drm as i32, cowering, elr as i32, scene);
        assert_agrees(QuestionKind::Fire, fields, scene, expected);
        let ends = twin::attacked(&units, fp, drm as i32, cowering, elr as i32, scene);
        assert_counts_agree(QuestionKind::Fire, fields, scene, &ends, |_, unit| unit.status());
    }

    /// 7.305: a PTC of random stacks.
    #[test]
    fn random_pin_task_checks_agree_with_the_twin(units in prop::collection::vec(unit(false), 1..=4), scene in scene()) {
        let stack = notation(&units);
        let fields = &format!("stack={stack}; ptc");
        assert_agrees(QuestionKind::Check, fields, scene, twin::pin_task_check(&units, 3, scene));
    }

    /// 10.53: Interdicted hexes for random broken units.
    #[test]
    fn random_gauntlets_agree_with_the_twin(
        unit in unit(true),
        hexes in 1..=6i64,
        leader in prop::option::of(select(ids(LEADERS))),
        elr in 0..6i64,
        scene in scene(),
    ) {
        let stack = notation(std::slice::from_ref(&unit));
        let lent = leader.map_or("none".to_string(), |leader| format!("id:{leader}"));
        let fields = &format!("stack={stack}; hexes={hexes}; leader={lent}; elr={elr}");
        assert_agrees(QuestionKind::Interdict, fields, scene, twin::interdict(&unit, hexes as usize, leader, elr as i32, scene));
        let ends = twin::crossed(&unit, hexes as usize, leader, elr as i32, scene);
        let status = |slot: usize, unit: &Unit| if slot == 0 { twin::rout_status(unit) } else { unit.status() };
        assert_counts_agree(QuestionKind::Interdict, fields, scene, &ends, status);
    }

    /// 10.711: a leader that goes along.
    #[test]
    fn random_voluntary_routs_agree_with_the_twin(
        unit in unit(true),
        leader in select(ids(LEADERS)),
        conditions in subsequence(vec![0, 1, 2], 0..2),
        hexes in 1..=6i64,
        elr in 0..6i64,
        scene in scene(),
    ) {
        let has = |condition| conditions.contains(&condition);
        let leader = TwinUnit {
            wounded: has(0) && hexes <= 3,
            fanatic: has(1),
            heroic: has(2) && !leader.contains("com"),
            ..TwinUnit::good_order(leader)
        };
        let stack = notation(&[unit.clone(), leader.clone()]);
        let fields = &format!("stack={stack}; hexes={hexes}; voluntary-rout; elr={elr}");
        assert_agrees(QuestionKind::Interdict, fields, scene, twin::voluntary_rout(&unit, &leader, hexes as usize, elr as i32, scene));
    }
}

proptest! {
    #![proptest_config(cases(100, 6))]

    /// 10.6 - 10.64, 18.11, 18.2, 15.1, 25.22: Rally Phases of random stacks.
    #[test]
    fn random_rallies_agree_with_the_twin(
        units in prop::collection::vec((unit(true), unit(false), prop::bool::weighted(0.7)), 1..=3),
        leader in prop::option::weighted(0.3, select(ids(LEADERS))),
        own in select(vec![Some(true), Some(false), None]),
        terrain in any::<bool>(),
        elr in 0..6i64,
        scene in scene(),
    ) {
        let mut units: Vec<TwinUnit> = units.into_iter().map(|(broken, other, pick)| if pick { broken } else { other }).collect();
        if !units.iter().any(|unit| unit.broken) {
            units[0] = TwinUnit::broken("ger_1_467");
        }
        let phases = 4 - units.len().min(3);
        let stack = notation(&units);
        let lent = leader.map_or("none".to_string(), |leader| format!("id:{leader}"));
        let own_rph = match own { Some(true) => "odd", Some(false) => "even", None => "never" };
        let terrain_word = if terrain { "woods" } else { "open" };
        let fields = format!("stack={stack}; leader={lent}; phases={phases}; own-rph={own_rph}; terrain={terrain_word}; elr={elr}");
        assert_agrees(QuestionKind::Rally, &fields, scene, twin::rally(&units, phases, leader, terrain, own, elr as i32, scene));
        let one_phase = format!("{fields}; phases=1");
        let ends = twin::rallied(&units, 1, leader, terrain, own, elr as i32, scene);
        assert_counts_agree(QuestionKind::Rally, &one_phase, scene, &ends[0], |_, unit| twin::rally_status(unit));
    }
}
