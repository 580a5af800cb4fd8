//! Objectives that count something bad, such as losses, where less is better. Numbers are never
//! negated, a difference is the later course minus the first, and the verdict says which is better.
//! With the weight -2 instead of the name, the verdicts are the same and the numbers are multiplied
//! by -2.

use std::fs;
use std::path::Path;

use crate::shell::{Cell, Sheet, fails, in_a_line, json, lowcrawl, ok};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// Courses under fire of 4, 8 and 12 FP; the first is neither the best nor the worst.
const FIRE: &str = "question = \"fire\"\nobjective = OBJECTIVE\n[base]\nstack = \"german:8-1 + german:4-6-7\"\n\
    [[course]]\nname = \"some\"\nfp = 8\n[[course]]\nname = \"much\"\nfp = 12\n[[course]]\nname = \"little\"\nfp = 4\n";
const LANE: &str = "question = \"campaign\"\nobjective = OBJECTIVE\n[base]\nunit = \"german:4-6-7/broken,dm\"\nopen = 2\n\
    cover = \"woods\"\nturns = 2\nfp = 6\n";
const LANES: &str = "question = \"campaign\"\nobjective = OBJECTIVE\ntell = \"value\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\n\
    open = 2\ncover = \"woods\"\nturns = 2\n[grid]\nfp = [2, 8]\ninterdicted = [1, 2]\n";
const FIELD: &str = "[map]\narea = \"A1-F4\"\nterrain = \"open-ground\"\nhexes = { woods = [\"A4\"] }\n[[rout]]\n\
    unit = \"german:4-6-7/broken\"\nat = \"C3\"\n[[enemy]]\nunit = \"russian:4-4-7\"\nat = \"F2\"\n[campaign]\nturns = 2\n\
    objective = OBJECTIVE\n";
const VOLLEYS: &str = "system = \"reaction\"\nquestion = \"volleys\"\nobjective = OBJECTIVE\n[base]\n\
    target = \"unit/reaction=2,dp=1\"\ndice = 3\nvolleys = 2\norders = 2\nwild = 1\n";

/// Returns a folder with a file that names a bad objective, and another that weighs it with -2.
fn folder(text: &str, bad: &str) -> TempDir {
    let folder = tempdir().unwrap();
    let weighed = format!("{{ \"{bad}\" = -2.0 }}");
    for (name, objective) in [("named.toml", format!("\"{bad}\"")), ("weighed.toml", weighed)] {
        fs::write(folder.path().join(name), text.replace("OBJECTIVE", &objective)).unwrap();
    }
    folder
}

/// Returns the outputs of a command for both files; `FILE` stands for their names.
fn both(folder: &Path, line: &str) -> [String; 2] {
    ["named", "weighed"].map(|name| ok(folder, &line.replace("FILE", &format!("{name}.toml"))))
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-12
}

/// Checks that the tables of both files are equal except for some columns. There the numbers of the
/// weighed file are those of the named one times a factor; `of` selects the rows that have them.
fn assert_scaled(
    [named, weighed]: [String; 2],
    columns: &[(&str, f64)],
    of: impl Fn(&[Cell]) -> bool,
) {
    let [named, weighed] = [named, weighed].map(|text| Sheet::of_csv(text.as_bytes()));
    assert_eq!(named.rows.len(), weighed.rows.len());
    let mut found = 0;
    for (one, other) in named.rows.iter().zip(&weighed.rows) {
        for (place, name) in named.columns.iter().enumerate() {
            let factor = columns.iter().find(|(column, _)| column == name).map(|(_, by)| by);
            match (factor.filter(|_| of(one)), &one[place], &other[place]) {
                (Some(factor), Cell::Number(one), Cell::Number(other)) => {
                    assert!(is_near(factor * one, *other), "{name}: {one} and {other}");
                    found += usize::from(*factor < 0.0);
                }
                (_, one, other) => assert_eq!(one, other, "{name}"),
            }
        }
    }
    assert!(found > 1, "{named:?}");
}

/// A comparison by an objective that counts something bad has the numbers of single questions.
#[test]
fn bad_objectives_are_compared_without_negation() {
    for bad in ["cvp", "mmc breaks", "mmc lost >= 1", "squad-equivalents lost"] {
        let folder = folder(FIRE, bad);
        let path = folder.path();
        let is_objective = |row: &[Cell]| row[1] == Cell::of("objective");
        let rows = |engine: &str| both(path, &format!("compare FILE --format csv{engine}"));
        let numbers = [("probability", -2.0), ("difference", -2.0)];
        assert_scaled(rows(""), &numbers, is_objective);
        let drawn = [("probability", -2.0), ("difference", -2.0), ("std_error", 2.0)];
        let [named, weighed] = rows(" --engine monte-carlo --trials 5000").map(|text| {
            // The ends of an interval change places under a negative weight.
            let mut sheet = Sheet::of_csv(text.as_bytes());
            sheet.rows.retain(|row| is_objective(row));
            sheet
        });
        for (one, other) in named.rows.iter().zip(&weighed.rows) {
            for (place, (name, factor)) in (2..).zip(drawn) {
                if let (Cell::Number(one), Cell::Number(other)) = (&one[place], &other[place]) {
                    assert!((factor * one - other).abs() < 1e-9, "{bad}: {name}");
                }
            }
            if let [Cell::Number(low), Cell::Number(high)] = one[5..] {
                let (difference, swapped) = (one[3].number(), other[5..].iter().map(Cell::number));
                assert!(low <= difference && difference <= high, "{bad}: {one:?}");
                assert!(swapped.zip([high, low]).all(|(a, b)| (a + 2.0 * b).abs() < 1e-9));
            }
        }

        // The values equal those of single questions.
        let line =
            format!("fire 'german:8-1 + german:4-6-7' --fp 8,12,4 --tell '{bad}' --format csv");
        let single = Sheet::of_csv(ok(path, &line).as_bytes());
        let column = single.columns.iter().position(|name| name == "mean" || name == "probability");
        let named = Sheet::of_csv(rows("")[0].as_bytes());
        let compared = named.rows.iter().filter(|row| is_objective(row));
        let mut first = None;
        for (row, single) in compared.zip(&single.rows) {
            let (value, single) = (row[2].number(), single[column.unwrap()].number());
            assert!(
                is_near(value, single) && value > 0.0,
                "{bad}: {row:?}, single question {single}"
            );
            let first = *first.get_or_insert(value);
            if let Cell::Number(difference) = row[3] {
                assert!(is_near(difference, value - first), "{bad}: {row:?}");
            }
        }

        for (number, text) in both(path, "compare FILE --format json").iter().enumerate() {
            let json: Value = serde_json::from_str(text).unwrap();
            let verdict = json["verdict"].as_str().unwrap();
            let sign = if number == 0 { "-" } else { "+" };
            assert!(
                verdict.starts_with(&format!("little is best for the target: {sign}")),
                "{bad}: {verdict}"
            );
            assert!(verdict.ends_with("; the next is some."), "{bad}: {verdict}");
        }
        let [screen, _] = both(path, "compare FILE").map(|text| in_a_line(&text));
        assert!(screen.contains("Objective: the least ") && !screen.contains("minus"), "{screen}");
        let request = format!(
            "{{\"request\":\"compare\",\"kind\":\"fire\",\"objective\":\"{bad}\",\"base\":{{\"stack\":\"german:8-1 + german:4-6-7\"}},\
             \"course\":[{{\"name\":\"much\",\"fp\":12}},{{\"name\":\"little\",\"fp\":4}}]}}\n"
        );
        fs::write(path.join("request.jsonl"), request).unwrap();
        let answer: Value = serde_json::from_str(&ok(path, "ask request.jsonl")).unwrap();
        let headline = &answer["headline"];
        // The headline has the best course and its positive lead.
        assert!(headline["best"] == "little" && headline["lead"].as_f64().unwrap() > 0.0);
    }
}

/// The best play for an objective that counts something bad has a value that is not negated, and a
/// positive margin.
#[test]
fn bad_objectives_are_solved_without_negation() {
    let columns = [("value", -2.0), ("margin", 2.0)];
    let enemy = LANE.to_string() + "begin = \"fire\"\nenemy-holds-fire = true\n";
    for (text, bad) in [(LANE, "cvp"), (enemy.as_str(), "cvp"), (VOLLEYS, "disruption-points")] {
        let folder = folder(text, bad);
        assert_scaled(both(folder.path(), "solve FILE --format csv"), &columns, |_| true);
        let [named, weighed] = both(folder.path(), "solve FILE").map(|text| in_a_line(&text));
        assert!(named.contains("Objective: the least "), "{named}");
        let now = |output: &str| {
            let (_, now) = output.split_once("Now: ")?;
            let (taken, _) = now.split_once(" than if ")?;
            Some(taken.rsplit_once(", ")?.0.to_string())
        };
        assert_eq!(now(&named), now(&weighed));
        if now(&named).is_some() {
            let (by, other) = if text == enemy { ("more", "less") } else { ("less", "more") };
            assert!(named.contains(&format!(" {by} than if ")), "{named}");
            assert!(weighed.contains(&format!(" {other} than if ")), "{weighed}");
            let plot = ok(folder.path(), "solve named.toml --plot");
            assert!(!plot.contains("-0.") && !plot.contains("-1."), "{plot}");
        }
        let tree = ok(folder.path(), "solve named.toml --tree 1");
        assert!(tree.contains(" best play") && !tree.contains("-0.") && !tree.contains("-1."));
    }

    let folder = folder(FIELD, "cvp");
    let [named, weighed] = both(folder.path(), "rout FILE --turns 2 --format json").map(|text| {
        let json: Value = serde_json::from_str(&text).unwrap();
        json["campaign"][0]["options"].as_array().unwrap().clone()
    });
    let number = |option: &Value, key: &str| option[key].as_f64().unwrap();
    for (one, other) in named.iter().zip(&weighed) {
        assert_eq!(one["option"], other["option"]);
        assert!(is_near(-2.0 * number(one, "value"), number(other, "value")), "{one}");
        assert!(is_near(2.0 * number(one, "margin"), number(other, "margin")), "{one}");
    }
    assert!(number(&named[0], "value") > 0.0 && number(&named[0], "margin") > 0.0);
    let output = in_a_line(&ok(folder.path(), "rout named.toml --turns 2 --all"));
    let (_, best) =
        output.split_once("Best over 2 Player Turns for the least expected CVP lost: ").unwrap();
    let value = number(&named[0], "value");
    let by = number(&named[0], "margin");
    let (_, best) = best.split_once(", ").unwrap();
    assert!(best.starts_with(&format!("{value:.4} ({by:.4} less than ")), "{best}");
}

/// Checks all files of a study of campaigns, and of a study that tells a measure.
#[test]
fn bad_objectives_are_swept_without_negation() {
    let folder = folder(LANES, "cvp");
    let path = folder.path();
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    both(path, "study run FILE --out FILE.out");
    let columns = [("value", -2.0), ("margin", 2.0)];
    let tables = ["named", "weighed"].map(|name| read(&format!("{name}.toml.out/{name}.csv")));
    let csv = Sheet::of_csv(tables[0].as_bytes());
    assert_scaled(tables, &columns, |_| true);
    assert!(Sheet::of_parquet(&path.join("named.toml.out/named.parquet")) == csv);
    let text = read("named.toml.out/named.md");
    assert!(text.contains("Value of best play, expected CVP lost:"), "{text}");
    assert!(text.contains(" 0.") && !text.contains(" -0."), "{text}");

    // The weakest fire costs the fewest CVP.
    let swept = "question = \"fire\"\ntell = \"cvp\"\n[base]\nstack = \"german:4-6-7\"\n[grid]\nfp = [4, 12]\n";
    fs::write(path.join("swept.toml"), swept).unwrap();
    ok(path, "study run swept.toml --out swept");
    let text = read("swept/swept.md");
    assert!(text.contains("expected CVP lost:") && !text.contains(" -0."), "{text}");
    let lists = "fire german:4-6-7 --fp 4,12 --tell cvp";
    let json: Value = json(path, lists);
    let mean = |row: usize| json["rows"][row]["mean"].as_f64().unwrap();
    assert!(0.0 < mean(0) && mean(0) < mean(1), "{json:#}");
    assert!(lowcrawl(path, &format!("{lists} --chart cvp.svg")).output().unwrap().status.success());
    assert!(!read("cvp.svg").contains("minus"), "{}", read("cvp.svg"));
}

/// In the claims of articles, a smaller number is better if the objective counts something bad.
#[test]
fn articles_rank_the_least_of_a_bad_objective_first() {
    let folder = folder(FIRE, "cvp");
    let path = folder.path();
    for (named, claims) in [
        (
            "compare named.toml",
            "little is best\nlittle better than much by 0.1\nsome better than much\nlittle < 1",
        ),
        (
            "fire 'german:8-1 + german:4-6-7' --fp 4,12 --tell cvp",
            "fp 4 is best\nfp 4 better than fp 12 by 0.1\nfp 12 > 0.1",
        ),
        ("fire german:4-6-7 --fp 4,12 --tell 'mmc breaks'", "fp 4 better by 5 points"),
        ("fire german:4-6-7 --fp 4,12 --tell 'holds'", "fp 4 better by 5 points"),
    ] {
        let article = |claims: &str| {
            format!("```lowcrawl nothing\n{named}\n```\n```lowcrawl assert\n{claims}\n```\n")
        };
        fs::write(path.join("so.md"), article(claims)).unwrap();
        ok(path, "article so.md --out built");
        fs::write(
            path.join("so.md"),
            article(&claims.replace("little", "much").replace("fp 4", "fp 12")),
        )
        .unwrap();
        assert_eq!(
            lowcrawl(path, "article so.md --out built").output().unwrap().status.code(),
            Some(1),
            "{named}"
        );
    }
}

/// `solve` takes a question as a command line in quotes, with the answer of its file. Without an
/// objective it is the question's usual measure.
#[test]
fn question_in_quotes_is_solved_like_its_file() {
    let folder = tempdir().unwrap();
    let file = "question = \"cross\"\nobjective = \"arrived\"\n[base]\nstack = \"russian:4-4-7\"\n\
        path = \"woods 2, open\"\ndefender = \"G: german:4-6-7 @ 4, 1\"\nhob = false\n";
    fs::write(folder.path().join("cross.toml"), file).unwrap();
    let line = "cross russian:4-4-7 --path 'woods 2, open' --defender 'G: german:4-6-7 @ 4, 1'";
    for more in ["", " --for defender", " --objective lost --for mover", " --tree 2"] {
        let in_quotes = ok(folder.path(), &format!("solve \"{line} --no-hob\"{more}"));
        assert_eq!(in_quotes, ok(folder.path(), &format!("solve cross.toml{more}")), "{more}");
    }
    let text = ok(folder.path(), &format!("solve \"{line} --no-hob\" --for defender"));
    let text = in_a_line(&text);
    assert!(
        text.contains("Now: the defender ") && text.contains("better for the defender"),
        "{text}"
    );
    let line = "cross 4-6-7 --path open --defender 'G: 6-6-6 @ 3'";
    for (line, words) in [
        (format!("\"{line}\" --turns 2"), "`--turns` is for files"),
        (format!("\"{line} --counts\""), "`--counts` is not an option of a course"),
        ("\"fire german:4-6-7 --fp 8\"".to_string(), "a `fire` has no choices"),
        ("\"describe --format markdown\"".to_string(), "expected a question"),
    ] {
        let message = fails(folder.path(), &format!("solve {line}"), 2);
        assert!(message.contains(words), "{line}: {message}");
    }
}
