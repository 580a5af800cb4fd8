//! Comparisons of courses by the built binary: the table in every format, odds equal to those of
//! single questions, and estimates within their error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::shell::{
    Cell, Sheet, csv, fails, folder_with, in_a_line, json, names, of_markdown, ok, parquet_meta,
};
use lowcrawl::answer::estimate::percent;
use lowcrawl::api::number_format::plain;
use serde_json::Value;
use tempfile::tempdir;

const COLUMNS: [&str; 8] = [
    "course",
    "outcome",
    "probability",
    "difference",
    "std_error",
    "ci_low",
    "ci_high",
    "error_bound",
];

const LEADERS: &str = r#"
about = "Whose woods?"
question = "rally"
objective = { good-order = 1.0, cvp = -0.25 }

[base]
stack = "german:4-6-7/dm"
phases = 3

[[course]]
name = "a 9-2 in the open"
leader = "9-2"

[[course]]
name = "an 8-0 in woods"
leader = "8-0"
terrain = "woods"

[[course]]
name = "nobody in a trench"
terrain = "trench"
phases = 2
"#;

const STACKS: &str = r#"
question = "sequence"
objective = "good-order"

[base]
no-hob = true

[[step]]
do = "fire"
fp = 6

[[step]]
do = "rally"
if = "broken"

[[course]]
name = "a leader"
stack = "german:8-1 + german:4-6-7"

[[course]]
name = "two squads"
stack = "2x german:4-6-7 + german:8-0"
1.drm = 1
"2.terrain" = "woods"
"#;

/// Returns the rows of a comparison in CSV, by course and outcome.
fn compared(folder: &Path, line: &str) -> BTreeMap<(String, String), Vec<Cell>> {
    let sheet = csv(folder, &format!("compare {line}"));
    assert_eq!(sheet.columns, COLUMNS);
    let text = |cell: &Cell| {
        if let Cell::Text(text) = cell { text.clone() } else { panic!("{cell:?} is no text") }
    };
    sheet.rows.into_iter().map(|row| ((text(&row[0]), text(&row[1])), row[2..].to_vec())).collect()
}

fn row<'a>(
    rows: &'a BTreeMap<(String, String), Vec<Cell>>,
    course: &str,
    outcome: &str,
) -> &'a [Cell] {
    rows.get(&(course.to_string(), outcome.to_string()))
        .unwrap_or_else(|| panic!("no {outcome} of {course}: {rows:?}"))
}

/// Returns the odds after the last phase or step of a single question, by slot and status.
fn single_ends(folder: &Path, line: &str) -> BTreeMap<String, f64> {
    let sheet = csv(folder, line);
    let number = |cell: &Cell| if let Cell::Number(number) = cell { *number } else { 0.0 };
    let place = |name: &str| sheet.columns.iter().position(|column| column == name);
    let point =
        |row: &[Cell]| place("step").or(place("phase")).map_or(0.0, |place| number(&row[place]));
    let last = sheet.rows.iter().map(|row| point(row)).fold(0.0, f64::max);
    let mut ends = BTreeMap::new();
    for row in sheet.rows.iter().filter(|row| point(row) == last) {
        let Cell::Text(status) = &row[place("status").unwrap()] else {
            panic!("a row without status")
        };
        let end = format!("{}:{status}", number(&row[place("slot").unwrap()]));
        *ends.entry(end).or_insert(0.0) += number(&row[place("probability").unwrap()]);
    }
    ends
}

#[test]
fn all_formats_hold_the_same_table() {
    let folder = folder_with(&[("leaders.toml", LEADERS)]);
    for (line, exact) in [
        ("compare leaders.toml", true),
        ("compare leaders.toml --engine monte-carlo --trials 20000 --seed 9", false),
    ] {
        let format = |name: &str| ok(folder.path(), &format!("{line} --format {name}"));
        let csv = Sheet::of_csv(format("csv").as_bytes());
        assert_eq!(csv.columns, COLUMNS);
        let courses = csv.column("course");
        let is_first = |row: usize| courses[row] == courses[0];
        for (place, cell) in csv.column("difference").iter().enumerate() {
            assert_eq!(*cell == Cell::Null, is_first(place), "{line}: row {place}");
        }
        for (place, row) in csv.rows.iter().enumerate() {
            assert!(
                row[4..7].iter().all(|cell| (*cell == Cell::Null) == (exact || is_first(place))),
                "{line}: {row:?}"
            );
            assert_eq!(row[7], Cell::Null, "nothing is certified");
            assert_eq!(
                row[1] == Cell::of("objective"),
                courses.get(place + 1) != Some(&courses[place]),
                "the last row of a course"
            );
        }

        let json: Value = serde_json::from_str(&format("json")).unwrap();
        let rows = json["rows"].as_array().unwrap();
        assert_eq!(rows.len(), csv.rows.len());
        for (row, expected) in rows.iter().zip(&csv.rows) {
            for (name, cell) in COLUMNS.iter().zip(expected) {
                match cell {
                    Cell::Null => assert!(row[name].is_null()),
                    Cell::Text(text) => assert_eq!(row[name].as_str(), Some(text.as_str())),
                    Cell::Number(number) => {
                        assert!((row[name].as_f64().unwrap() - number).abs() < 1e-15)
                    }
                }
            }
            assert_eq!(
                row["probability_std_error"].is_null(),
                exact,
                "JSON has the error of the odds themselves"
            );
        }
        let meta = &json["meta"];
        assert_eq!(
            (meta["objective"].as_str(), meta["elr"].as_u64()),
            (Some("good-order - 0.25 x cvp"), Some(3))
        );
        assert_eq!(meta["engine"], if exact { "exact" } else { "monte-carlo" });
        assert_eq!(meta["sampler"].as_str(), (!exact).then_some("lowcrawl-paired-1"));
        assert_eq!(
            (meta["seed"].as_u64(), meta["trials"].as_u64()),
            if exact { (None, None) } else { (Some(9), Some(20000)) }
        );
        assert_eq!(json["courses"][1]["course"], "an 8-0 in woods");
        assert!(
            json["courses"][1]["question"]
                .as_str()
                .unwrap()
                .contains("in woods, led by german:8-0")
        );
        assert!(
            json["verdict"]
                .as_str()
                .unwrap()
                .starts_with("a 9-2 in the open is best for the owner: +0.04"),
            "{}",
            json["verdict"]
        );

        // Markdown has courses down and the ends of all units across, as on the screen.
        let (headings, rows) = of_markdown(&format("markdown"));
        assert!(rows.len() > 1 && headings.len() > 3, "{headings:?}");
        for printed in &rows {
            for (column, heading) in headings.iter().enumerate().skip(1) {
                let own = csv.rows.iter().filter(|row| row[0] == Cell::of(&printed[0]));
                let of = |row: &&Vec<Cell>| match &row[1] {
                    Cell::Text(outcome) => outcome.rsplit(':').next() == Some(heading),
                    other => panic!("{other:?}"),
                };
                let own: Vec<&Vec<Cell>> = own.filter(of).collect();
                let sum: f64 = own.iter().map(|row| row[2].number()).sum();
                let expected = match printed[column].as_str() {
                    words if own.is_empty() => words.to_string(),
                    words if words.starts_with('<') && sum < 0.0001 => words.to_string(),
                    words if words.ends_with('%') => percent(sum),
                    _ => plain(sum),
                };
                assert_eq!(printed[column], expected, "{} {heading}", printed[0]);
            }
        }
        assert_eq!(format("table").lines().count(), csv.rows.len() + 1);
        ok(folder.path(), &format!("{line} --out odds.parquet"));
        let parquet = folder.path().join("odds.parquet");
        assert_eq!(Sheet::of_parquet(&parquet), csv);
        assert_eq!(parquet_meta(&parquet)["objective"], "good-order - 0.25 x cvp");
    }
    let message = fails(folder.path(), "compare leaders.toml --format parquet", 2);
    assert!(message.contains("Parquet cannot be printed"), "{message}");
    assert_eq!(names(folder.path()), ["leaders.toml", "odds.parquet"]);
}

#[test]
fn comparison_has_the_odds_of_single_questions() {
    let rally = |fields: &str| format!("rally german:4-6-7/dm {fields}");
    let folder = folder_with(&[("leaders.toml", LEADERS)]);
    let single = [
        ("a 9-2 in the open", rally("--phases 3 --leader 9-2")),
        ("an 8-0 in woods", rally("--phases 3 --leader 8-0 --terrain woods")),
        ("nobody in a trench", rally("--phases 2 --terrain trench")),
    ];
    agree(folder.path(), "leaders.toml", &single, [1, 1, 1], |end| {
        end.strip_prefix("1:").unwrap_or(end).to_string()
    });

    let folder = folder_with(&[("stacks.toml", STACKS)]);
    let steps = |stack: &str, drm: i32, terrain: &str| {
        format!(
            "stack = \"{stack}\"\nno-hob = true\n[[step]]\ndo = \"fire\"\nfp = 6\ndrm = {drm}\n[[step]]\ndo = \"rally\"\nif = \"broken\"\nterrain = \"{terrain}\"\n"
        )
    };
    fs::write(folder.path().join("a.toml"), steps("german:8-1 + german:4-6-7", 0, "open")).unwrap();
    fs::write(folder.path().join("b.toml"), steps("2x german:4-6-7 + german:8-0", 1, "woods"))
        .unwrap();
    let single = [
        ("a leader", "sequence a.toml".to_string()),
        ("two squads", "sequence b.toml".to_string()),
    ];
    agree(folder.path(), "stacks.toml", &single, [2, 3], str::to_string);
}

/// Checks that every course has the odds of its own question to 1e-12, and its differences to the
/// first course. `units` is the number of units in the stack of each course; higher slots are
/// created units.
fn agree<const N: usize>(
    folder: &Path,
    file: &str,
    single: &[(&str, String); N],
    units: [usize; N],
    named: impl Fn(&str) -> String,
) {
    let rows = compared(folder, file);
    let single = single.each_ref().map(|(name, line)| (*name, single_ends(folder, line)));
    let mut compared_ends = 0;
    for (place, (course, ends)) in single.iter().enumerate() {
        for (end, probability) in ends {
            let row = row(&rows, course, &named(end));
            assert!((row[0].number() - probability).abs() < 1e-12, "{course}: {end}");
            let slot: usize = end.split(':').next().unwrap().parse().unwrap();
            if place == 0 || (slot > units[0]) != (slot > units[place]) {
                assert_eq!(row[1], Cell::Null, "{course}: {end}");
            } else {
                let first = single[0].1.get(end).copied().unwrap_or(0.0);
                assert!((row[1].number() - (probability - first)).abs() < 1e-12, "{course}: {end}");
            }
            compared_ends += 1;
        }
    }
    // A unit holds if it is neither broken nor berserk nor lost (A.7).
    for ((course, outcome), row) in &rows {
        let Some(unit) = outcome.strip_suffix("holds") else { continue };
        let of_unit = ["good-order", "pinned", "rallied"].map(|status| format!("{unit}{status}"));
        let sum = |place: usize| {
            let ends = of_unit.iter().filter_map(|end| rows.get(&(course.clone(), end.clone())));
            ends.filter(|row| row[place] != Cell::Null).map(|row| row[place].number()).sum::<f64>()
        };
        assert!((row[0].number() - sum(0)).abs() < 1e-12, "{course}: {outcome}");
        if row[1] != Cell::Null {
            assert!((row[1].number() - sum(1)).abs() < 1e-12, "{course}: {outcome}");
        }
    }
    let is_status = |outcome: &str| !outcome.ends_with("holds");
    let statuses = rows.keys().filter(|(_, outcome)| is_status(outcome)).count();
    let zeros = rows
        .iter()
        .filter(|((_, outcome), _)| is_status(outcome))
        .filter(|((_, outcome), row)| outcome != "objective" && row[0] == Cell::Number(0.0))
        .count();
    assert_eq!(
        statuses,
        compared_ends + zeros + N,
        "an objective in each course, and what never happens there"
    );
}

#[test]
fn objective_is_the_weighted_sum_of_the_rows() {
    for kind in ["fire", "check", "interdict"] {
        let field = match kind {
            "fire" => "fp = 12",
            "check" => "mc = 2",
            _ => "hexes = 2",
        };
        let text = |objective: &str| {
            format!(
                "question = \"{kind}\"\nobjective = \"{objective}\"\n[base]\nstack = \"german:4-6-7\"\nelr = 5\nno-hob = true\n{field}\n[[course]]\nname = \"a\"\n[[course]]\nname = \"b\"\nstack = \"german:4-6-8\"\n"
            )
        };
        let objective_value = |objective: &str, course: &str| {
            let folder = folder_with(&[("x.toml", &text(objective))]);
            let rows = compared(folder.path(), "x.toml");
            row(&rows, course, "objective")[0].number()
        };
        for (course, stack) in [("a", "german:4-6-7"), ("b", "german:4-6-8")] {
            let folder = tempdir().unwrap();
            let line = format!(
                "{kind} {stack} --elr 5 --no-hob --{} --format csv",
                field.replace(" = ", " ")
            );
            let sheet = Sheet::of_csv(ok(folder.path(), &line).as_bytes());
            let (mut good, mut squads, mut cvp) = (0.0, 0.0, 0.0);
            for row in &sheet.rows {
                let (status, counter, odds) = (&row[4], &row[5], row[7].number());
                let is_squad = *counter == Cell::of(&stack[7..])
                    || *counter == Cell::of("4-6-7")
                    || *counter == Cell::of("4-4-7");
                let (size, lost) = if *counter == Cell::Null {
                    (0.0, 2.0)
                } else if is_squad {
                    (1.0, 0.0)
                } else {
                    (0.5, 1.0)
                };
                let routs = kind == "interdict";
                good += if !routs && ["good-order", "pinned"].map(Cell::of).contains(status) {
                    odds
                } else {
                    0.0
                };
                squads += odds * size;
                cvp += odds * lost;
            }
            for (objective, expected) in
                [("good-order", good), ("squad-equivalents", squads), ("cvp", cvp)]
            {
                let found = objective_value(objective, course);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{kind} {stack}: {objective} {found} instead of {expected}"
                );
            }
        }
    }
}

#[test]
fn estimates_are_within_their_error() {
    for (file, text) in [("leaders.toml", LEADERS), ("stacks.toml", STACKS)] {
        let folder = folder_with(&[(file, text)]);
        let exact = compared(folder.path(), file);
        let run =
            |rest: &str| compared(folder.path(), &format!("{file} --engine monte-carlo {rest}"));
        let estimated = run("--trials 200000 --seed 5");
        for (key, row) in &estimated {
            let Cell::Number(difference) = row[1] else { continue };
            let (std_error, expected) = (row[2].number(), exact[key][1].number());
            assert!(
                (difference - expected).abs() <= 5.0 * std_error + 1e-4,
                "{key:?}: {difference} instead of {expected}"
            );
            assert!(row[3].number() <= difference && difference <= row[4].number(), "{key:?}");
            assert!((row[0].number() - exact[key][0].number()).abs() < 0.01, "{key:?}");
        }
        assert_eq!(
            run("--trials 200000 --seed 5 --threads 1"),
            estimated,
            "threads change nothing"
        );
        assert_ne!(run("--trials 200000 --seed 6"), estimated);
        for row in run("--precision 0.004").values().filter(|row| row[1] != Cell::Null) {
            assert!(row[4].number() - row[3].number() <= 2.0 * 0.0042, "{row:?}");
        }
    }
}

/// The lead of the best course over the next has an error of its own, even if neither is the first
/// course. The error equals that of a comparison of these two courses.
#[test]
fn lead_of_the_best_does_not_depend_on_course_order() {
    let folder = folder_with(&[("leaders.toml", LEADERS)]);
    let last_first = {
        let (head, courses) = LEADERS.split_once("[[course]]").unwrap();
        let (others, last) = courses.rsplit_once("[[course]]").unwrap();
        format!("{head}[[course]]{last}[[course]]{others}")
    };
    fs::write(folder.path().join("turned.toml"), last_first).unwrap();
    let verdict = |file: &str| {
        let text =
            ok(folder.path(), &format!("compare {file} --engine monte-carlo --trials 50000"));
        text.split("\n\n").find(|part| part.contains("is best")).map(in_a_line).unwrap()
    };
    let output = verdict("leaders.toml");
    assert!(
        output.starts_with("a 9-2 in the open is best for the owner: +0.04")
            && output.contains("of the objective (95 %: +0.04"),
        "{output}"
    );
    assert!(output.ends_with("; the next is an 8-0 in woods."), "{output}");
    assert_eq!(verdict("turned.toml"), output);
}

#[test]
fn steps_of_a_course_replace_the_shared_steps() {
    let text = STACKS.replace(
        "1.drm = 1\n\"2.terrain\" = \"woods\"\n",
        "[[course.step]]\ndo = \"check\"\nmc = 1\n",
    );
    let folder = folder_with(&[("steps.toml", &text)]);
    fs::write(
        folder.path().join("one.toml"),
        "stack = \"2x german:4-6-7 + german:8-0\"\nno-hob = true\n[[step]]\ndo = \"check\"\nmc = 1\n",
    )
    .unwrap();
    let rows = compared(folder.path(), "steps.toml");
    for (end, probability) in single_ends(folder.path(), "sequence one.toml") {
        assert!((row(&rows, "two squads", &end)[0].number() - probability).abs() < 1e-12, "{end}");
    }
    let shown = in_a_line(&ok(folder.path(), "compare steps.toml"));
    assert!(shown.contains("german:8-0 in a sequence of 1 step, ELR 3: 1MC"), "{shown}");
    assert!(
        shown.contains(
            "a sequence of 2 steps, ELR 3: fire of 6 FP +0; 1 Rally Phase in open ground, "
        ),
        "{shown}"
    );
}

#[test]
fn options_apply_to_every_course() {
    let folder = folder_with(&[("leaders.toml", LEADERS)]);
    let line = "leaders.toml --elr 1 --no-hob --no-keu --set i18=alternative --profile asl-v2";
    let in_file = LEADERS.replace(
        "phases = 3\n",
        "phases = 3\nelr = 1\nno-hob = true\nno-keu = true\ni18 = \"alternative\"\nprofile = \"asl-v2\"\n",
    );
    fs::write(folder.path().join("there.toml"), in_file).unwrap();
    assert_eq!(compared(folder.path(), line), compared(folder.path(), "there.toml"));
    let of_file =
        LEADERS.to_string() + "[run]\nengine = \"monte-carlo\"\ntrials = 3000\nseed = 4\n";
    fs::write(folder.path().join("run.toml"), of_file).unwrap();
    assert_eq!(
        compared(folder.path(), "run.toml"),
        compared(folder.path(), "leaders.toml --engine monte-carlo --trials 3000 --seed 4")
    );
    assert_eq!(
        compared(folder.path(), "run.toml --engine exact"),
        compared(folder.path(), "leaders.toml")
    );

    let json = |line: &str| -> Value { json(folder.path(), line) };
    let first = json(&format!("compare {line} --engine monte-carlo --trials 2000 --seed random"));
    let command = first["meta"]["command"].as_str().unwrap().strip_prefix("lowcrawl ").unwrap();
    assert_eq!(json(command), first, "the command in the meta asks the same again");
}

/// Returns the numbers of a course in the Markdown table, by their headings.
fn course_numbers(markdown: &str, course: &str) -> BTreeMap<String, String> {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    let mut lines = markdown.lines().filter(|line| line.starts_with('|'));
    let headings = cells(lines.next().expect("a table"));
    let line = lines.find(|line| cells(line)[0] == course).expect("the course");
    headings.into_iter().zip(cells(line)).collect()
}

#[test]
fn table_counts_the_units_of_its_objective() {
    let text = "question = \"check\"\nobjective = \"holds\"\n[base]\nmc = 1\n\
        [[course]]\nname = \"led\"\nstack = \"german:8-1 + 2x german:4-6-7\"\n\
        [[course]]\nname = \"alone\"\nstack = \"german:8-1\"\n";
    let folder = folder_with(&[("led.toml", text)]);
    let write = |objective: &str| {
        let text = text.replace("\"holds\"", objective);
        fs::write(folder.path().join("led.toml"), text).unwrap();
    };
    for engine in ["", " --engine monte-carlo --trials 20000 --seed 4"] {
        let run = || ok(folder.path(), &format!("compare led.toml{engine} --format markdown"));
        let is_near = |numbers: &BTreeMap<String, String>| {
            let [one, other] = ["holds", "objective"].map(|name| numbers[name].parse::<f64>());
            (one.unwrap() - other.unwrap()).abs() < 0.000_15
        };
        // The table counts the first group that any course has units of. The second course has no
        // MMC.
        for objective in ["\"holds\"", "\"mmc holds\"", "{ \"mmc holds\" = 1.0 }"] {
            write(objective);
            let text = run();
            let (led, alone) = (course_numbers(&text, "led"), course_numbers(&text, "alone"));
            assert!(led["of MMC"] == "led" && is_near(&led), "{text}");
            assert_eq!((&*alone["holds"], &*alone["objective"]), ("0.0000", "0.0000"), "{text}");
            // The two squads add up to 2 over all classes.
            let sum = ["holds", "breaks", "lost", "berserk"]
                .map(|class| led[class].parse::<f64>().unwrap())
                .iter()
                .sum::<f64>();
            assert!((sum - 2.0).abs() < 0.001, "{sum}");
        }
        write("\"leaders holds\"");
        let text = run();
        let (led, alone) = (course_numbers(&text, "led"), course_numbers(&text, "alone"));
        assert!(led["of leaders"] == "led" && is_near(&led) && is_near(&alone), "{text}");
        // A measure counts all units, also created ones.
        write("\"good-order\"");
        let text = run();
        let led = course_numbers(&text, "led");
        assert!(led["of units"] == "led" && is_near(&led), "{text}");
    }
    // With Heat of Battle there are created heroes, which a measure counts, and a group does not.
    let note = "Note: created units count too; a count such as `mmc holds` leaves them out.";
    let lines = "compare 'check 4-6-7 --mc 1' 'check 4-6-7 --mc 2'";
    let of = |rest: &str| in_a_line(&ok(folder.path(), &format!("{lines}{rest}")));
    assert!(of("").contains(note), "{}", of(""));
    assert!(!of(" --no-hob").contains(note) && !of(" --objective 'mmc holds'").contains(note));
    // What no other column counts has its own heading.
    for (objective, heading) in
        [("pinned", "pinned"), ("breaks >= 1", "breaks >= 1"), ("breaks", "objective")]
    {
        let text = of(&format!(" --objective '{objective}'"));
        assert!(text.contains(&format!(" {heading} difference ")), "{text}");
    }
    write("\"mmc holds\"");
    let counts = ok(folder.path(), "check 'german:8-1 + 2x german:4-6-7' --mc 1 --counts mmc");
    let text = ok(folder.path(), "compare led.toml --format markdown");
    let holds: f64 = course_numbers(&text, "led")["holds"].parse().unwrap();
    assert!(counts.contains(&format!("On average holds {holds:.2}, ")), "{counts}{text}");
    write("\"holds\"");
    let bars = ok(folder.path(), "compare led.toml --plot");
    assert!(bars.contains("Objective: average number of MMC counted as `holds`."), "{bars}");
    assert!(
        bars.contains("A breaks 0 (alone) to 1.03 (led)  B holds 0 (alone) to 0.948 (led)"),
        "{bars}"
    );
}

/// The variations of a platoon in words keep its terrain, the place behind and the attack.
#[test]
fn variations_of_a_platoon_in_words_are_compared() {
    let folder = tempdir().unwrap();
    let line = "platoon german:4-6-7 --fp 8 --drm 1 --no-cowering --turns 1 --terrain woods \
        --rear woods --interdicted 1 --trials 500";
    for option in ["worth", "best"] {
        let screen = ok(folder.path(), &format!("{line} --{option}"));
        assert!(screen.contains("as it is: german:4-6-7 in front (woods)"), "{screen}");
    }
    let worth = ok(folder.path(), &format!("{line} --worth"));
    assert!(worth.contains("\nTEM +1 "), "{worth}");
}
