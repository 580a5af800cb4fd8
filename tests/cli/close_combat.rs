//! Questions of players about Close Combat: each is answered by one command, on one screen.

use crate::shell::{assert_fails, in_a_line, json, ok};
use crate::table::rows;
use tempfile::tempdir;

/// The width of a screen, and the number of lines of a first screen.
const SCREEN: (usize, usize) = (80, 16);

/// What a player asks: the command behind `cc`, and what the screen must say.
const ASKED: &str = r#"
    german:4-6-7 --against russian:4-4-7                                            | both 69.44 %
    german:4-6-7 --against russian:4-4-7                                            | nobody 2.35 %
    german:4-6-7 --against russian:4-4-7                                            | 4 to 4 = 1-1, Kill Number 5
    german:4-6-7 --against russian:4-4-7                                            | dead on 4 or less, half on 5
    'german:4-6-7 vs russian:4-4-7'                                                 | both 69.44 %
    german:4-6-7 --against russian:4-4-7 --terrain building                         | we ambush 16.67 %, they 16.67 %
    german:4-6-7 --against russian:4-4-7 --terrain building                         | both 68.63 %
    german:4-6-7 --against russian:4-4-7 --turns 4                                  | ours-alone 14.12 % 26.41 % 34.70 % 39.75 %
    '2x german:4-6-7' --against '2x russian:4-4-7' --no-creation --plan pairs       | 4 to 4 = 1-1
    '2x german:4-6-7' --against 'russian:4-4-7 + russian:2-3-7' --plan '1>1; 2>2'   | CVP taken less CVP given
    '9-2 + german:4-6-7' --against russian:4-4-7                                    | theirs 4-4-7 41.86 % 16.47 % 0.00 % 41.67 %
    '9-2 + german:4-6-7' --against russian:4-4-7                                    | -2 (leadership, A11.141)
    german:4-6-7 --against russian:4-4-7/broken --turns 2                           | -2 (broken, A11.16)
    '2x russian:4-4-7' --against german:4-6-7 --capture                             | 8 to 4 = 2-1, Kill Number 7, to capture
    'german:4-6-8 + 8-0' --against russian:4-2-6 --terrain building --capture       | -1 (capture, A19.35)
    german:4-6-7 --against russian:4-4-7/concealed --terrain woods --reply none     | theirs -2 (concealed, A11.4)
    german:4-6-7 --against russian:4-4-7 --melee --reply withdraw                   | theirs 4-4-7 0.00 % 41.67 % 16.67 % 41.67 %
    'german:4-6-7 + german:8-1' --against 'russian:4-4-7 + russian:5-2-7' --melee --plan '1>1; withdraw 2' --reply all | -1 (withdrawing, A11.2)
    german:4-6-7 --against russian:4-4-7 --hand-to-hand                             | Kill Number 7
    german:4-6-7 --against russian:4-4-7 --hand-to-hand                             | both 34.03 %
    german:4-6-7/cx --against russian:4-4-7                                         | +1 (CX, A4.51)
    '9-1 + 2x german:4-6-7' --against 'russian:4-4-7 + russian:4-4-7/broken' --terrain building | Best plan 2,3>1,2, best reply 1>3: CVP +1.90
    '9-1 + 2x german:4-6-7' --against 'russian:4-4-7 + russian:4-4-7/broken' --terrain building | ours-alone 33.16 %, both 66.84 %
    '2x german:4-6-7' --against 'russian:4-4-7 + russian:2-3-7' --no-creation       | CVP +0.33
    'german:4-6-8 + 8-0' --against russian:4-2-6 --terrain building                 | to capture
    '9-1 + german:4-6-7 + german:2-4-7 + german:8-0' --against 'russian:4-4-7 + russian:2-2-6 + russian:9-1 + commissar:9-0' --no-creation --plan all --reply all | and 5 further kinds of units
    '9-1 + german:4-6-7 + german:2-4-7 + german:8-0' --against 'russian:4-4-7 + russian:2-2-6 + russian:9-1 + commissar:9-0' --no-creation --plan all --reply all | ours [1,2,3,4] > theirs [1,2,3,4]
"#;

#[test]
fn questions_of_players_are_answered_on_one_screen() {
    let folder = tempdir().unwrap();
    let (letters, lines) = SCREEN;
    for [line, fact] in rows(ASKED) {
        let screen = ok(folder.path(), &format!("cc {line}"));
        let text = in_a_line(&screen);
        assert!(text.contains(fact), "lowcrawl cc {line}: no `{fact}` in\n{screen}");
        assert!(screen.lines().count() <= lines, "lowcrawl cc {line}:\n{screen}");
        let longest = screen.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(letters), "lowcrawl cc {line}:\n{screen}");
    }
}

/// What cannot be asked: the command behind `cc`, and the error.
const REFUSED: &str = r#"
    german:4-6-7                                                               | `against` is missing
    german:4-6-7 --against russian:4-4-7 --withdraw 1                          | nobody can withdraw in the first round (A11.2)
    german:4-6-7 --against russian:4-4-7 --plan 'withdraw 1'                   | nobody can withdraw in the first round (A11.2)
    german:4-6-7 --against russian:4-4-7 --melee --ambush ours                 | there is no Ambush in a Melee (A11.4)
    german:4-6-7/broken --against russian:4-4-7 --plan '1>1'                   | is broken and cannot attack (A11.16)
    '8-1 + german:4-6-7' --against russian:4-4-7 --plan '1>1'                  | unit 1 stands with german:4-6-7 (2)
    '2x german:4-6-7' --against russian:4-4-7 --plan '1>1; 2>1'                | unit 1 is attacked only once
    german:4-6-7 --against russian:4-4-7 --plan '2>1'                          | there is no unit 2
    german:4-6-7 --against russian:4-4-7 --plan 'best of all'                  | no plan is called
    '7x german:4-6-7' --against russian:4-4-7                                  | a side has at most 6 in Close Combat
    german:4-6-7/berserk --against russian:4-4-7 --plan none                   | must attack (A15.43)
    german:4-6-7/alone --against russian:4-4-7                                 | only an SMC stands with an MMC
    german:4-6-7/pinned --against russian:4-4-7 --melee --withdraw 1           | cannot withdraw: it is pinned (A11.2)
    'german:4-6-7 + tank' --against russian:4-4-7                              | vehicles and Guns are not supported
    german:4-6-7 --against russian:4-4-7 --melee --hand-to-hand                | declared with the first round
    '5x german:4-6-7' --against russian:4-4-7 --plan best                      | more than 4 blocks on a side
    german:4-6-7 --against russian:4-4-7 --objective glory                     | no objective is called
    german:4-6-7 --against russian:4-4-7 --exits maybe                         | expected two of yes and no
    'german:4-6-7 vs russian:4-4-7' --against russian:4-4-7                    | `vs` has named their units already
    german:4-6-7 --against russian:4-4-7 --melee --withdraw 1 --exits no,yes   | there is no Location to go to (A11.2)
    german:4-6-7 --against russian:4-4-7 --melee --withdraw 2                  | there is no unit 2: the stack has 1 unit
    german:4-6-7 --against russian:4-4-7 --melee --plan 'withdraw all'         | say which units withdraw
    german:4-6-7 --against russian:4-4-7 --melee --plan 'withdraw 1; 1>1'      | unit 1 attacks or withdraws only once (A11.12, A11.2)
    german:4-6-7 --against '2x russian:4-4-7' --plan '1>1; 1>2'                | unit 1 attacks or withdraws only once (A11.12, A11.2)
    german:4-6-7 --against russian:4-4-7 --plan ';'                            | the plan has no attack
    german:4-6-7 --against russian:4-4-7 --ambush no --ambush-withdraw after   | nobody uses Ambush Withdrawal (A11.4)
    german:4-6-7 --against russian:4-4-7 --then all                            | there is one Player Turn
    german:4-6-7 --against russian:4-4-7 --then-reply all                      | there is one Player Turn
    '8-1/with=1 + german:4-6-7' --against russian:4-4-7                        | unit 1 is no MMC of this stack (A11.14)
    german:4-6-7/berserk,ti --against russian:4-4-7                            | a berserk unit is not TI (A15.42)
    'german:4-6-7 + german:4-6-7/berserk' --against russian:4-4-7 --plan '1>1' | unit 2 (german:4-6-7/berserk) must attack (A15.43)
    dummy --against russian:4-4-7                                              | Dummies alone are no units
"#;

/// What cannot be asked beside `cc`: the command, and the error.
const REFUSED_BESIDE: &str = r#"
    sniper --rolls 60                                                      | `san` or a stack is missing
    sniper --dr 1                                                          | the dr is that of an attack on a stack
    sniper german:4-6-7 --san 4                                            | beside a stack the Sniper is called already
    sniper --san 8                                                         | `san` must be
    sniper dummy                                                           | Dummies alone are no units
    fire german:4-6-7 --fp 4 --san 3,9                                     | must be one or two numbers from 2 to 7
    fire german:4-6-7 --fp 4 --sniper-hits here                            | no Sniper is asked for
    rally german:4-6-7/dm --san 4                                          | no DR of the Rally, Rout, Advance and Close Combat Phases calls a Sniper
    fire german:4-6-7 --fp 4 --then cc                                     | say against whom the stack fights
    fire german:4-6-7 --fp 4 --then 'cc against=russian:4-4-7' --then 'cc melee=true' | goes on with the Melee by itself
"#;

#[test]
fn impossible_snipers_and_steps_are_refused() {
    let folder = tempdir().unwrap();
    for [line, error] in rows(REFUSED_BESIDE) {
        assert_fails(folder.path(), line, 2, &[error]);
    }
}

#[test]
fn impossible_questions_are_refused_with_their_place() {
    let folder = tempdir().unwrap();
    for [line, error] in rows(REFUSED) {
        assert_fails(folder.path(), &format!("cc {line}"), 2, &[error]);
    }
}

/// The arithmetic stands in JSON beside rows that tell the side and the place of each unit.
#[test]
fn json_has_the_arithmetic_and_the_sides() {
    let folder = tempdir().unwrap();
    let line = "cc '9-1 + german:4-6-7' --against russian:4-4-7 --terrain building";
    let json = json(folder.path(), line);
    let attack = &json["attacks"][0];
    let found = [&attack["fp"], &attack["odds"], &attack["targets"][0]["dead_on"]];
    assert_eq!(found.map(ToString::to_string), ["\"5\"", "\"1-1\"", "5"]);
    assert_eq!(json["ambush"]["ours"], "5/18");
    let rows = json["rows"].as_array().unwrap();
    let slots = |side: &str| -> Vec<u64> {
        let of = rows.iter().filter(|row| row["side"] == side);
        let mut slots: Vec<u64> = of.filter_map(|row| row["slot"].as_u64()).collect();
        slots.dedup();
        slots
    };
    assert_eq!((slots("ours"), slots("theirs")), (vec![1, 2, 3], vec![1, 2]));
    assert!(rows.iter().any(|row| row["place"] == "Location" && row["status"] == "both"));
    let summary = &json["summary"];
    assert!(["ours_alone", "both", "net"].iter().all(|key| !summary[key].is_null()), "{summary}");
    assert_eq!(json["plans"][0]["plan"], "2>1");
}

/// `clear` is the chance that we alone are left, and a mean above 1 is not called a chance.
#[test]
fn lists_tell_who_is_left_and_call_no_mean_a_chance() {
    let folder = tempdir().unwrap();
    let question = "german:4-6-7 --against russian:4-4-7/broken";
    let list = json(folder.path(), &format!("cc {question} --tell clear"));
    let clear = list["rows"][0]["mean"].as_f64();
    assert!(clear.is_some_and(|clear| (clear - 15.0 / 36.0).abs() < 1e-12), "{list}");
    let text = ok(folder.path(), "check german:4-6-7 --mc 0 --tell survives");
    assert!(text.contains("expected number of units that survive"), "{text}");
    assert!(!text.contains("P(survives)"), "{text}");
}

/// 19.12: a Disrupted unit surrenders before any attack, and the screen says so.
#[test]
fn surrender_of_disrupted_units_is_told() {
    let folder = tempdir().unwrap();
    let text = ok(folder.path(), "cc german:4-6-7 --against russian:4-4-7/disrupted");
    assert!(text.contains("surrenders before any attack (A19.12)"), "{text}");
    let text = ok(folder.path(), "cc german:4-6-7 --against russian:4-4-7/disrupted --no-quarter");
    assert!(!text.contains("surrenders"), "{text}");
}

/// An engagement for each further reading of Close Combat, in which it moves the figures.
const READINGS: &str = r#"
    i110=whole       | '2x german:8-3-8 + german:5-4-8' --against russian:2-2-8:crew/fanatic --plan capture --reply all
    i111=alternative | finnish:4-4-7 --against 'partisan:1-3-7/concealed + partisan:1-3-7/broken' --plan capture --reply none --their-infiltrate always --no-creation
    i112=better      | russian:2-2-6/ti --against german-ss:8-3-8 --terrain building --turns 2 --plan all --reply all
    i112=sum         | american:5-4-6/cx --against 'finnish:8-3-8 + finnish:8-0' --terrain woods --turns 2 --plan all --reply all
    i113=alternative | russian:2-2-6/ti --against german-ss:8-3-8 --terrain building --turns 2 --plan all --reply all
    i114=alternative | commissar:9-0/alone --against axis-minor:1-2-6/unarmed --terrain woods --melee --turns 2 --plan withdraw --reply all
    i115=alternative | 'french:4-3-7/cx,unarmed + french:9-2' --against italian:3-3-6/broken,ti --phasing theirs --melee --turns 2 --reply withdraw --plan all
    i116=alternative | german:4-6-7 --against '2x russian:4-4-7' --ambush ours --plan all --reply all
    i117=alternative | russian:4-4-7/berserk --against german:4-6-7/ti --terrain building --phasing theirs --turns 2 --plan all --reply all
    i118=alternative | '2x partisan:3-3-7' --against 'finnish:2-2-8 + finnish:8+1' --terrain building --plan none --reply capture
    i119=alternative | 'axis-minor:4-4-7 + axis-minor:3-4-7' --against 'french:2-4-8 + french:10-2/broken' --plan 1,2>1 --reply 1>1
    i120=alternative | russian:2-2-6/ti --against german-ss:8-3-8 --terrain building --turns 2 --plan all --reply all
    i121=alternative | finnish:3-3-8 --against 'british:10-3 + british:9-1 + british:3-3-8/ti' --melee --plan '1>3!capture' --reply '3>1'
    i122=alternative | '2x german:4-6-7' --against russian:4-4-7 --plan '1>1 !capture' --reply '1>1'
    i123=alternative | french:7-0/berserk,cx,alone --against 'italian:1-3-7 + italian:3-3-6/disrupted' --no-quarter --plan all --reply all
    i129=alternative | 'partisan:9-2 + russian:4-4-7' --against german:4-6-7 --plan all --reply all
"#;

/// Each reading of Close Combat that is open changes some answer.
#[test]
fn open_readings_change_the_figures() {
    let folder = tempdir().unwrap();
    for [reading, line] in rows(READINGS) {
        let answer = |set: &str| ok(folder.path(), &format!("cc {line} --format csv{set}"));
        let other = answer(&format!(" --set {reading}"));
        assert_ne!(answer(""), other, "{reading}: cc {line}");
    }
}

/// J2.31: the ATTACKER declares Hand-to-Hand with the first round, but not when he is ambushed.
#[test]
fn ambushed_attacker_declares_no_hand_to_hand() {
    let folder = tempdir().unwrap();
    let answer = |options: &str| {
        let question = "cc german:4-6-7 --against russian:4-4-7 --terrain building";
        ok(folder.path(), &format!("{question} {options} --format csv"))
    };
    for (phasing, ambush, is_declared) in [
        ("ours", "no", true),
        ("ours", "ours", true),
        ("ours", "theirs", false),
        ("theirs", "theirs", true),
        ("theirs", "ours", false),
    ] {
        let options = format!("--phasing {phasing} --ambush {ambush}");
        let other = answer(&format!("{options} --hand-to-hand"));
        assert_eq!(answer(&options) != other, is_declared, "{options}");
    }
}
