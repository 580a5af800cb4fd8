//! Tests of `rout --turns`, and of `[campaign]` in a situation file.
//! Both give the value of each first choice of a routing unit over Player Turns.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{fails, in_a_line, ok};
use crate::table;
use lowcrawl::asl::campaign::{Campaign, Fire, Phase};
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::rout::{Friend, Situation};
use lowcrawl::asl::sequence::OwnRph;
use lowcrawl::asl::vocabulary::attack::Attack;
use lowcrawl::course::campaign::gain;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::{Best, Objective, PlayValue};
use lowcrawl::scenario::{Scenario, SituationError, as_written, read};
use serde_json::{Value as Json, json};
use tempfile::{TempDir, tempdir};

/// The street of `studies/rout/two-turns-to-cover.toml`, without `[campaign]`.
const STREET: &str = r#"
[map]
rows = """
   A  B  C  D  E  F  G  H  I
1  .  .  .  .  .  .  .  w  w
2  .  .  .  .  .  .  b  .  w
3  .  .  .  .  .  .  .  .  .
4  B  .  .  .  .  .  .  .  .
5  .  .  .  .  .  .  .  .  .
"""

[[rout]]
name = "Kolb"
unit = "german:4-6-7/broken,dm"
at = "E3"

[[friend]]
name = "Lt. Vogt"
unit = "german:8-1"
at = "G2"

[[enemy]]
unit = "russian:2-2-7"
at = "A4"
weapon = { fp = 4, range = 10 }
"#;

fn studies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("studies/rout")
}

fn scenario(text: &str) -> Scenario {
    let open = |name: &str| fs::read_to_string(studies().join(name));
    read(text, &as_written, &open).unwrap_or_else(|error| panic!("{error:?}"))
}

fn shipped(name: &str) -> String {
    fs::read_to_string(studies().join(name)).unwrap()
}

fn campaign(scenario: &Scenario, unit: usize, turns: u16) -> Campaign {
    let (situation, mut orders) = scenario.campaign_of(unit, turns);
    orders.begin = Phase::Rout;
    Campaign::new(situation, orders)
}

fn worth(campaign: &Campaign, objective: &str) -> PlayValue {
    let objective = Objective::named(objective, MEASURES, &[]).unwrap();
    Best::solve(campaign, gain(campaign, &objective), Monitor::NONE).unwrap().value
}

fn folder(text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("street.toml"), text).unwrap();
    folder
}

/// Returns the JSON answer of `rout` with these arguments.
fn answer_json(folder: &Path, line: &str) -> Json {
    serde_json::from_str(&ok(folder, &format!("rout {line} --format json"))).unwrap()
}

fn is_near(found: &Json, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 1e-12
}

/// The values equal those of the best play of the campaign, option by option.
#[test]
fn option_values_equal_those_of_the_best_play() {
    let folder = folder(STREET);
    let scenario = scenario(STREET);
    for (turns, name) in
        [(1, "good-order"), (3, "good-order"), (4, "survives"), (4, "cvp"), (2, "in-cover")]
    {
        let campaign = campaign(&scenario, 0, turns);
        let objective = Objective::named(name, MEASURES, &[]).unwrap();
        let mut best = Best::solve(&campaign, gain(&campaign, &objective), Monitor::NONE).unwrap();
        let decision = best.opening().unwrap().unwrap();
        let found =
            &answer_json(folder.path(), &format!("street.toml --turns {turns} --objective {name}"))
                ["campaign"][0];
        assert_eq!((&found["turns"], &found["objective"]), (&json!(turns), &json!(name)));
        let options = found["options"].as_array().unwrap();
        assert!(
            is_near(&options[0]["value"], objective.number(best.value[0]))
                && is_near(&options[0]["margin"], decision.margin())
        );
        assert_eq!(options.len(), decision.choices.len());
        for (option, choice) in options.iter().zip(&decision.choices) {
            let words =
                choice.option.replace("runs for", "run for").replace("Low Crawls", "Low Crawl");
            assert_eq!(option["option"], json!(words));
            let [worth, survives, squads] = choice.value;
            assert!(
                is_near(&option["value"], objective.number(worth))
                    && is_near(&option["survives"], survives),
                "{option}"
            );
            assert!(is_near(&option["squad_equivalents"], squads), "{option}");
        }
    }
}

/// Over three Player Turns the unit runs, over six it crawls; the words say so and name the
/// objective.
#[test]
fn advice_names_the_best_choice_and_the_objective() {
    let folder = folder(STREET);
    let output = |line: &str| ok(folder.path(), &format!("rout street.toml --all {line}"));
    let [three, six] =
        [3, 6].map(|turns| worth(&campaign(&scenario(STREET), 0, turns), "good-order")[0]);
    assert_eq!([format!("{three:.4}"), format!("{six:.4}")], ["0.3282", "0.7602"]);
    let short = output("--turns 3");
    assert!(
        in_a_line(&short).contains("Kolb over 3 Player Turns from this RtPh on, each first choice followed by the best play first "),
        "{short}"
    );
    let advice = "Best over 3 Player Turns for P(Good Order at the end): run for G2, 32.82 % (7.15 points more than a Low Crawl to F2)";
    assert!(in_a_line(&short).contains(advice), "{short}");
    let advice = "Best over 6 Player Turns for P(Good Order at the end): Low Crawl to F2, 76.02 % (4.21 points more than running for G2)";
    assert!(in_a_line(&output("--turns 6")).contains(advice));
    assert!(
        in_a_line(&output("--turns 1 --objective survives"))
            .contains("Best over 1 Player Turn for P(survives): Low Crawl to F2, 100.00 % (")
    );
    // The other output of `rout` is unchanged.
    let plain = output("");
    let (units, rules) = plain.split_at(plain.find("exact; rules").unwrap());
    assert!(short.starts_with(units) && short.ends_with(rules) && !plain.contains("Player Turn"));
}

/// In one Player Turn, which is a Rout Phase only, survival is that of each first action in `rout`.
#[test]
fn one_turn_of_survival_equals_the_rout() {
    for (file, units) in [
        ("full-board.toml", 9),
        ("sk08.toml", 1),
        ("sk03.toml", 1),
        ("two-turns-to-cover.toml", 1),
        ("a10-531.toml", 4),
    ] {
        let found = answer_json(&studies(), &format!("{file} --turns 1 --objective survives"));
        let campaigns = found["campaign"].as_array().unwrap();
        assert_eq!(campaigns.len(), units, "{file}");
        for campaign in campaigns {
            let unit = found["units"]
                .as_array()
                .unwrap()
                .iter()
                .find(|unit| unit["unit"] == campaign["unit"])
                .unwrap();
            if unit["surrenders"] == json!(true) {
                assert_eq!(
                    (&campaign["options"][0]["option"], &campaign["options"][0]["value"]),
                    (&json!("surrender"), &json!(0.0))
                );
                continue;
            }
            let best = unit["best"].as_object().unwrap();
            let steps = best
                .iter()
                .filter(|(action, _)| *action != "stay" && !action.starts_with("low-crawl"));
            let run = steps.map(|(_, chances)| chances[0].as_f64().unwrap()).reduce(f64::max);
            let mut running: Option<f64> = None;
            for option in campaign["options"].as_array().unwrap() {
                let (words, value) =
                    (option["option"].as_str().unwrap(), option["value"].as_f64().unwrap());
                match words.strip_prefix("Low Crawl to ") {
                    Some(site) => assert!(
                        is_near(&best[&format!("low-crawl {site}")][0], value),
                        "{file}: {option}"
                    ),
                    None if words == "stay" => {
                        assert!(
                            best.get("stay").is_none_or(|stay| is_near(&stay[0], value)),
                            "{file}: {option}"
                        )
                    }
                    None => running = Some(running.map_or(value, |best| best.max(value))),
                }
            }
            assert!(
                running.is_none() || (running.unwrap() - run.unwrap()).abs() < 1e-12,
                "{file}: {campaign}"
            );
            let values: Vec<f64> = campaign["options"]
                .as_array()
                .unwrap()
                .iter()
                .map(|option| option["value"].as_f64().unwrap())
                .collect();
            assert!(values.windows(2).all(|pair| pair[0] >= pair[1] - 1e-12), "{file}: {campaign}");
        }
    }
}

/// Attacks worked out by hand: the map, a line of sight, an enemy, its hexes and more about it, and
/// the FP and DRM of each attack.
const ATTACKS: &str = r#"
    # The enemy has 4 FP at Normal Range in the open; at 5 to 8 hexes 4 / 2; at 9 none.
    | | russian:4-4-7 | A5  | | 4+0
    | | russian:4-4-7 | A6  | | 2+0
    | | russian:4-4-7 | A9  | | 2+0
    | | russian:4-4-7 | A10 | |
    # In the next hex the FP is 4 x 2.
    | | russian:4-4-7 | A2  | | 8+0
    # Woods give +1, a stone building +3, foxholes +2, SMOKE at either end +2, two Hindrances +2.
    # Woods with a field of grain and SMOKE give +4.
    hexes = { woods = ["A1"] }      |           | russian:4-4-7 | A5 | | 4+1
    hexes = { bldg-stone = ["A1"] } |           | russian:4-4-7 | A5 | | 4+3
    foxholes = ["A1"]               |           | russian:4-4-7 | A5 | | 4+2
    smoke = ["A1"]                  |           | russian:4-4-7 | A5 | | 4+2
    smoke = ["A5"]                  |           | russian:4-4-7 | A5 | | 4+2
    smoke = ["A1"]                  | 0         | russian:4-4-7 | A5 | | 4+2
                                    | 2         | russian:4-4-7 | A5 | | 4+2
    hexes = { woods = ["A1"], grain = ["A3"] }; smoke = ["A1"] | | russian:4-4-7 | A5 | | 4+4
                                    | "blocked" | russian:4-4-7 | A5 | |
    # A machine gun of 4 FP and Normal Range 8 gives 4 + 4; at 5 hexes 4 / 2 + 4.
    # At 9 hexes only its own half remains, and in the next hex all is doubled.
    | | russian:4-4-7 | A5  | weapon = { fp = 4, range = 8 } | 8+0
    | | russian:4-4-7 | A6  | weapon = { fp = 4, range = 8 } | 6+0
    | | russian:4-4-7 | A10 | weapon = { fp = 4, range = 8 } | 2+0
    | | russian:4-4-7 | A2  | weapon = { fp = 4, range = 8 } | 16+0
    # The sum at three hexes is 5 / 2 + 3 / 2 = 4; without the weapon 5 / 2 = 2.
    | | russian:5-2-7 | A4  | weapon = { fp = 3, range = 2 } | 4+0
    | | russian:5-2-7 | A4  |                                | 2+0
    # A pinned or moving enemy has 4 / 2, at long range 4 / 4.
    # The last enemy has other FP and range than those printed.
    | | russian:4-4-7/pinned | A5 |                    | 2+0
    | | russian:4-4-7/pinned | A6 |                    | 1+0
    | | russian:4-4-7        | A5 | moving = true      | 2+0
    | | russian:4-4-7        | A6 | fp = 6; range = 5  | 6+0
    # These enemies do not fire.
    | | russian:4-4-7/broken | A5 |                    |
    | | russian:4-4-7        | A5 | concealed = true   |
    | | russian:4-4-7        | A5 | melee = true       |
    | | russian:4-4-7        | A5 | ti = true          |
    | | russian:4-4-7        | A5 | holds-fire = true  |
    # Several enemies fire one by one, in their order.
    | | russian:4-4-7 | A5", "A6", "A2 |               | 4+0 2+0 8+0
"#;

/// The target is in A1. Unless stated otherwise the enemy is a 4-4-7 (4 FP, Normal Range 4) down
/// the row of hexes. FP (7.2) is doubled in the next hex, and halved beyond Normal Range up to
/// twice that. It is also halved for a pinned firer. The fractions of counter and weapon are added
/// up before they are dropped. DRM are the TEM of the target's hex, SMOKE there, and Hindrances.
#[test]
fn attacks_of_all_enemies_match_those_worked_by_hand() {
    for [map, sight, unit, at, more, attacks] in table::rows(ATTACKS) {
        let sight = if sight.is_empty() { "".into() } else { format!("A1-A5 = {sight}") };
        let [map, more] = [map, more].map(|lines| lines.replace("; ", "\n"));
        let text = format!(
            r#"
            los = {{ {sight} }}
            rout = [{{ unit = "german:4-6-7/broken,dm", at = "A1" }}]
            [map]
            area = "A1-C12"
            {map}
            [[enemy]]
            unit = "{unit}"
            at = ["{at}"]
            {more}
            "#
        );
        let attacks = attacks.split_whitespace().map(|attack| attack.split_once('+').unwrap());
        let (situation, mut orders) = scenario(&text).campaign_of(0, 1);
        assert_eq!(orders.fire, Fire::Everyone);
        orders.begin = Phase::Fire;
        let by_rule = worth(&Campaign::new(situation.clone(), orders.clone()), "squad-equivalents");
        let target = situation.routers[0].at;
        let attack =
            |(fp, drm): (&str, &str)| Attack::new(fp.parse().unwrap(), drm.parse().unwrap(), 1);
        orders.fire = Fire::Listed(attacks.map(|words| (target, attack(words))).collect());
        let by_hand = worth(&Campaign::new(situation.clone(), orders.clone()), "squad-equivalents");
        assert_eq!(by_rule, by_hand, "{text}");
        // The test would notice one FP or one DRM, as this attack shows.
        if let Fire::Listed(attacks) = &mut orders.fire {
            attacks.push((target, Attack::new(1, 0, 1)));
        }
        assert_ne!(
            worth(&Campaign::new(situation, orders), "squad-equivalents"),
            by_hand,
            "{text}"
        );
    }
}

#[test]
fn enemy_that_holds_fire_still_interdicts() {
    let quiet = STREET.replace("weapon =", "holds-fire = true\nweapon =");
    let folder = folder(&quiet);
    fs::write(folder.path().join("loud.toml"), STREET).unwrap();
    let rows = |file: &str| answer_json(folder.path(), file)["rows"].clone();
    assert_eq!(rows("street.toml"), rows("loud.toml"));
    let [quiet, loud] = [&quiet, STREET].map(|text| campaign(&scenario(text), 0, 4));
    assert!(worth(&quiet, "survives")[0] > worth(&loud, "survives")[0] + 0.01);
}

/// A leader that comes later helps only from then on, and is absent in this RtPh.
#[test]
fn leader_that_arrives_later_helps_from_then_on() {
    let coming = |turn: u16| STREET.replace("at = \"G2\"", &format!("at = \"G2\"\nturn = {turn}"));
    let never =
        STREET.replace("[[friend]]\nname = \"Lt. Vogt\"\nunit = \"german:8-1\"\nat = \"G2\"\n", "");
    let worth = |text: &str, turns| worth(&campaign(&scenario(text), 0, turns), "good-order")[0];
    assert_eq!(worth(&coming(1), 6), worth(STREET, 6));
    let by_turn = [1, 3, 5, 7].map(|turn| worth(&coming(turn), 6));
    // The unit comes to the leader in Player Turn 2 at the earliest.
    // So the value is equal for a leader of the first and of the third Player Turn.
    assert_eq!(by_turn[0], by_turn[1]);
    assert!(by_turn[1..].windows(2).all(|pair| pair[0] > pair[1] + 1e-6), "{by_turn:?}");
    assert_eq!(by_turn[3], worth(&never, 6));
    assert_eq!(worth(&coming(4), 3), worth(&never, 3));

    let folder = folder(&coming(3));
    let output = ok(folder.path(), "rout street.toml --all");
    assert!(
        output.ends_with("note: Lt. Vogt comes in Player Turn 3\n")
            && !output.contains("F1 Lt. Vogt"),
        "{output}"
    );
    fs::write(folder.path().join("never.toml"), &never).unwrap();
    assert_eq!(
        answer_json(folder.path(), "street.toml")["rows"],
        answer_json(folder.path(), "never.toml")["rows"]
    );
}

/// Two leaders come later, listed before and after one that is present.
/// Each arrives in its own turn.
#[test]
fn each_leader_arrives_in_its_own_turn() {
    let late = "[[friend]]\nname = \"Hptm. Roth\"\nunit = \"german:9-2\"\nat = \"G2\"\nturn = 3\n";
    let later = "[[friend]]\nname = \"Lt. Hahn\"\nunit = \"german:9-1\"\nat = \"G2\"\nturn = 5\n";
    let worth = |text: &str, turns| worth(&campaign(&scenario(text), 0, turns), "good-order")[0];
    let both = format!("{late}{STREET}{later}");
    let (_, orders) = scenario(&both).campaign_of(0, 6);
    assert_eq!(orders.arrivals, [(1, 3), (2, 5)], "the 8-1 is the first");
    assert_eq!(worth(&both, 2), worth(STREET, 2));
    assert!(worth(&both, 6) > worth(STREET, 6));
    // Beside a 9-2 that came before, a 9-1 adds nothing.
    assert_eq!(worth(&both, 6), worth(&format!("{late}{STREET}"), 6));
}

const CROWD: &str = r#"
hob = false
profile = "aslsk"
map = { area = "A1-G9", hexes = { woods = ["C4", "F4"] } }
rout = [
  { name = "Kolb", unit = "german:4-6-7/broken,dm", at = "B4" },
  { name = "Meyer", unit = "german:4-6-7/broken,dm", at = "C4" },
]
friend = [{ unit = "german:4-6-7", at = ["C4", "C4"] }]
enemy = [{ unit = "russian:4-4-7", at = ["C8", "E7"] }]
"#;

/// Each routing unit has its own campaign; the others stay and take up room (5.1).
/// In the Starter Kit the full woods are closed to Kolb.
#[test]
fn other_routing_units_stay_and_take_up_room() {
    let folder = folder(CROWD);
    let found = answer_json(folder.path(), "street.toml --turns 2 --objective in-cover");
    let units: Vec<_> = found["campaign"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| (&unit["unit"], &unit["hex"]))
        .collect();
    assert_eq!(units, [(&json!("Kolb"), &json!("B4")), (&json!("Meyer"), &json!("C4"))]);
    let one = answer_json(folder.path(), "street.toml --turns 2 --objective in-cover --unit Meyer");
    assert_eq!(one["campaign"], json!([found["campaign"][1]]));

    let (situation, orders) = scenario(CROWD).campaign_of(0, 2);
    let meyer = situation.friends.last().unwrap();
    assert_eq!((situation.routers.len(), meyer.name.as_str()), (1, "Meyer"));
    let kolb = |friends: Vec<Friend>| {
        let situation = Situation { friends, ..situation.clone() };
        worth(&Campaign::new(situation, orders.clone()), "in-cover")[0]
    };
    let all = situation.friends.clone();
    assert!(is_near(&found["campaign"][0]["options"][0]["value"], kolb(all.clone())));
    let without_meyer = kolb(all[..2].to_vec());
    assert!(without_meyer > kolb(all) + 0.1, "{without_meyer}");
}

#[test]
fn file_values_apply_where_options_give_none() {
    let weights = "[campaign]\nturns = 2\nobjective = { survives = 1, cvp = -0.25 }\nenemy-holds-fire = true\nown-rph = \"never\"\n";
    let text = format!("{STREET}{weights}");
    let folder = folder(&text);
    let of_file = answer_json(folder.path(), "street.toml --turns 3");
    assert_eq!(of_file["campaign"][0]["objective"], json!("survives - 0.25 x cvp"));
    let named = answer_json(folder.path(), "street.toml --objective survives");
    assert_eq!(
        (&named["campaign"][0]["turns"], &named["campaign"][0]["objective"]),
        (&json!(2), &json!("survives"))
    );
    assert_eq!(named["meta"]["command"], json!("lowcrawl rout street.toml --objective survives"));
    assert!(
        in_a_line(&ok(folder.path(), "rout street.toml --turns 3"))
            .contains("for P(survives) - 0.25 x expected CVP lost: ")
    );

    let scenario = scenario(&text);
    let outlook = scenario.campaign.as_ref().unwrap();
    assert_eq!((scenario.turns(), outlook.table.begin, outlook.unit), (Some(2), Phase::Rout, 0));
    let (_, orders) = scenario.campaign_of(0, 2);
    assert!(orders.enemy_holds_fire && !orders.created_stay && orders.own_rph == OwnRph::Never);
}

/// 18.11: by default the first Rally Phase is the side's own.
/// `rout --turns` begins a campaign of another first phase with the RtPh, and says so.
#[test]
fn other_first_phase_begins_with_rtph_and_a_note() {
    for (begin, own) in [("rally", OwnRph::Odd), ("fire", OwnRph::Even), ("rout", OwnRph::Even)] {
        let text = format!("{STREET}[campaign]\nbegin = \"{begin}\"\n");
        let (_, orders) = scenario(&text).campaign_of(0, 2);
        assert_eq!((orders.begin.name(), orders.own_rph), (begin, own));
        let output = ok(folder(&text).path(), "rout street.toml --turns 2 --all");
        assert_eq!(
            output.contains("note: the campaign of the file begins with its "),
            begin != "rout",
            "{output}"
        );
    }
    let (_, orders) = scenario(STREET).campaign_of(0, 2);
    assert_eq!((orders.begin, orders.own_rph, orders.turns), (Phase::Rout, OwnRph::Even, 2));
}

#[test]
fn campaign_follows_the_unit_that_it_names() {
    let scenario = scenario(&format!("{CROWD}[campaign]\nunit = \"Meyer\"\nturns = 2\n"));
    let unit = scenario.campaign.as_ref().unwrap().unit;
    let campaign = campaign(&scenario, unit, 2);
    assert_eq!((unit, campaign.situation().routers[0].name.as_str()), (1, "Meyer"));
}

/// A unit whose leader goes along has no campaign (10.711), nor has one in Melee.
#[test]
fn escorted_units_and_those_in_melee_have_no_campaign() {
    let escorted = STREET.replace("at = \"E3\"", "at = \"E3\"\nwith = \"german:8-0\"");
    let in_melee = STREET.replace("at = \"E3\"", "at = \"E3\"\nmelee = true");
    for (text, reason) in
        [(escorted, "a leader routs with it (A10.711)"), (in_melee, "it is in Melee")]
    {
        let folder = folder(&text);
        let report = fails(folder.path(), "rout street.toml --turns 2", 2);
        assert!(report.contains(&format!("a campaign cannot follow Kolb: {reason}")), "{report}");
        ok(folder.path(), "rout street.toml");
        let another =
            "[[rout]]\nname = \"Meyer\"\nunit = \"german:4-6-7/broken,dm\"\nat = \"F3\"\n";
        fs::write(folder.path().join("two.toml"), text + another).unwrap();
        let found = answer_json(folder.path(), "two.toml --turns 2");
        assert_eq!(
            (found["campaign"].as_array().unwrap().len(), &found["campaign"][0]["unit"]),
            (1, &json!("Meyer"))
        );
        assert!(
            found["meta"]["notes"][0]
                .as_str()
                .unwrap()
                .starts_with(&format!("a campaign cannot follow Kolb: {reason}")),
            "{found}"
        );
    }
}

#[test]
fn single_option_is_shown_as_no_choice() {
    let folder = tempdir().unwrap();
    let surrounded = "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/disrupted\"\nat = \"B1\"\n\
                      [[enemy]]\nunit = \"russian:4-4-7\"\nat = \"B2\"\n";
    fs::write(folder.path().join("one.toml"), surrounded).unwrap();
    let options =
        answer_json(folder.path(), "one.toml --turns 3")["campaign"][0]["options"].clone();
    let only = json!([{"option": "surrender", "value": 0.0, "margin": null, "survives": 0.0, "squad_equivalents": 0.0}]);
    assert_eq!(options, only);
    let output = ok(folder.path(), "rout one.toml --turns 3");
    assert!(
        in_a_line(&output).contains(" Over 3 Player Turns for P(Good Order at the end) there is no choice: surrender, 0.00 %. "),
        "{output}"
    );
}

/// Other formats keep their columns.
#[test]
fn turns_change_no_rows_of_other_formats() {
    let folder = folder(STREET);
    for format in ["csv", "markdown", "table"] {
        let line = format!("rout street.toml --format {format}");
        assert_eq!(
            ok(folder.path(), &format!("{line} --turns 2")).lines().last(),
            ok(folder.path(), &line).lines().last()
        );
    }
    let rows = |line: &str| answer_json(folder.path(), line)["rows"].clone();
    assert_eq!(rows("street.toml --turns 2"), rows("street.toml"));
    let found = answer_json(folder.path(), "street.toml --turns 2");
    let keys = |value: &Json| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&found["campaign"][0]), ["unit", "hex", "turns", "objective", "options"]);
    assert_eq!(
        keys(&found["campaign"][0]["options"][0]),
        ["option", "value", "margin", "survives", "squad_equivalents"]
    );
    assert!(answer_json(folder.path(), "street.toml").get("campaign").is_none());
    assert_eq!(found["meta"]["command"], json!("lowcrawl rout street.toml --turns 2"));
}

#[test]
fn invalid_options_are_reported() {
    let folder = folder(STREET);
    for (line, expected) in [
        ("--turns 0", "`--turns` must be a whole number from 1 to 20, not `0`"),
        ("--turns 21", "from 1 to 20, not `21`"),
        ("--turns -1", "from 1 to 20, not `-1`"),
        ("--turns two", "from 1 to 20, not `two`"),
        ("--turns 2 --objective god-order", "did you mean `good-order`?"),
        (
            "--turns 2 --objective victory",
            "valid: good-order, good-order-squads, survives, in-cover, squad-equivalents, cvp",
        ),
        ("--objective survives", "the number of Player Turns is missing"),
        ("--turns 2 --impact", "not both"),
        ("--turns 2 --explain G2", "not both"),
        ("--objective survives --impact", "not both"),
    ] {
        let report = fails(folder.path(), &format!("rout street.toml {line}"), 2);
        assert!(report.contains(expected), "{line}: {report}");
    }
}

/// Faults of `[campaign]`, of Lt. Vogt and of the enemy: the lines added, the message with its line,
/// and the begin of the text that it points at.
const FAULTS: &str = r#"
    campaign | turn = 3               | 27: [campaign] has no key `turn` (did you mean `turns`?) | turn
    campaign | turns = 0              | 27: `turns` must be a whole number from 1 to 20, not 0 | 0
    campaign | turns = "4"            | 27: `turns` must be a whole number from 1 to 20, not `4` (remove the quotes) | "4"
    campaign | begin = "ralley"       | 27: `begin` cannot be `ralley` (did you mean `rally`?) | "ralley"
    campaign | begin = "movement"     | 27: `begin` cannot be `movement` (valid: rally, fire, rout) | "movement"
    campaign | own-rph = "evn"        | 27: `own-rph` cannot be `evn` (did you mean `even`?) | "evn"
    campaign | enemy-holds-fire = 1   | 27: `enemy-holds-fire` must be true or false, not 1 | 1
    campaign | created-stay = "no"    | 27: `created-stay` must be true or false, not `no` | "no"
    campaign | objective = "surives"  | 27: no objective is called `surives` (did you mean `survives`?) | surives
    campaign | objective = 3          | 27: `objective` must be a name or weights, not a whole number (objective = "good-order", or objective = { |
    campaign | objective = {}         | 27: the objective has no weights (objective = |
    campaign | objective = { cpv = 1 }   | 27: no objective is called `cpv` (did you mean `cvp`?) | cpv
    campaign | objective = { cvp = "1" } | 27: the weight of `cvp` must be a number from -1000000 to 1000000 | "1"
    campaign | objective = { cvp = nan } | 27: the weight of `cvp` must be a number |
    campaign | objective = { in-cover = 1, in_cover = 2 } | 27: `in-cover` has two weights | in_cover
    campaign | unit = "Kalb"          | 27: no routing unit is called `Kalb` (did you mean `Kolb`?) | "Kalb"
    campaign | unit = 1               | 27: `unit` must be a text in quotes, not 1 | 1
    escorted | unit = "Kolb"          | 28: Kolb: a leader routs with it (A10.711), but a campaign follows one unit only (choose another routing unit with `unit`) | "Kolb"
    in-melee | turns = 2              | 27: Kolb: it is in Melee, but a campaign has no Close Combat (choose another routing unit with `unit`) | [campaign]
    top      | campaign = 4           | 1: `campaign` must be a table, `[campaign]`, not a whole number | 4
    leader   | turn = 0               | 21: `turn` must be a whole number from 1 to 20, not 0 | 0
    leader   | turn = 21              | 21: `turn` must be a whole number from 1 to 20, not 21 | 21
    leader   | turn = "3"             | 21: `turn` must be a whole number from 1 to 20, not `3` (remove the quotes) | "3"
    leader   | turns = 3              | 21: [[friend]] has no key `turns` (did you mean `turn`?) | turns
    squad    | turn = 3               | 21: german:4-6-7 is not a leader in Good Order: only such a leader can come later (without `turn`, it is there from the start) | 3
    broken   | turn = 3               | 21: german:8-1/broken is not a leader in Good Order |
    enemy    | holds-fire = 1         | 25: `holds-fire` must be true or false, not 1 | 1
    enemy    | hold-fire = true       | 25: [[enemy]] has no key `hold-fire` (did you mean `holds-fire`?) |
"#;

#[test]
fn invalid_files_are_reported_with_line_and_hint() {
    for [place, added, message, at] in table::rows(FAULTS) {
        let campaign = format!("{STREET}[campaign]\n{added}");
        let routing = |more: &str| campaign.replace("at = \"E3\"", &format!("at = \"E3\"\n{more}"));
        let leader = STREET.replace("at = \"G2\"", &format!("at = \"G2\"\n{added}"));
        let text = match place {
            "top" => format!("{added}\n{STREET}"),
            "escorted" => routing("with = \"german:8-0\""),
            "in-melee" => routing("melee = true"),
            "leader" => leader,
            "squad" => leader.replace("german:8-1", "german:4-6-7"),
            "broken" => leader.replace("german:8-1", "german:8-1/broken"),
            "enemy" => STREET.replace("weapon =", &format!("{added}\nweapon =")),
            _ => campaign,
        };
        let Err(SituationError::Fault(fault)) =
            read(&text, &as_written, &|_| unreachable!()).map(|_| ())
        else {
            panic!("no fault in\n{text}");
        };
        let line = text[..fault.span.start].matches('\n').count() + 1;
        let found = format!("{line}: {fault}");
        let (span, all) = (&text[fault.span.clone()], !at.is_empty());
        assert!(if all { found == message } else { found.starts_with(message) }, "{found}");
        assert!(span.starts_with(at), "{message}: {span}");
    }
    let folder = folder(&format!("{STREET}[campaign]\nobjective = \"surives\""));
    let report = fails(folder.path(), "rout street.toml", 2);
    assert!(
        report.contains("street.toml:27:14") && report.contains("did you mean `survives`?"),
        "{report}"
    );
}

/// The shipped file agrees with its comments and with the manual.
#[test]
fn shipped_situation_agrees_with_the_manual() {
    let text = shipped("two-turns-to-cover.toml");
    let scenario = scenario(&text);
    let outlook = scenario.campaign.clone().unwrap();
    assert_eq!(
        (scenario.turns(), outlook.objective.unwrap().to_string().as_str()),
        (Some(6), "good-order")
    );
    for (turns, first) in [(3, "run for G2"), (6, "Low Crawl to F2")] {
        let found = answer_json(&studies(), &format!("two-turns-to-cover.toml --turns {turns}"));
        assert_eq!(found["campaign"][0]["options"][0]["option"], json!(first));
    }
    assert_eq!(
        worth(&campaign(&scenario, 0, 6), "good-order"),
        worth(&campaign(&self::scenario(STREET), 0, 6), "good-order")
    );
}
