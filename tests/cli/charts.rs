//! Charts of answers as files, compared with the numbers they show.

use std::fs;
use std::path::Path;

use crate::shell::{assert_fails, fails, lowcrawl, names, of_markdown, ok, texts};
use tempfile::tempdir;

const SQUAD: &str = "check german:4-6-7 --mc 1 --no-hob";
const STUDY: &str = "question = \"rally\"\ntell = \"holds\"\n[base]\nstack = \"german:4-6-7/dm\"\nhob = false\n[grid]\nphases = \"1..3\"\nleader = [\"german:8-1\", \"german:9-2\"]\n";
const CAMPAIGNS: &str = "question = \"campaign\"\nobjective = \"good-order\"\ntell = \"choice\"\n[base]\nunit = \"german:4-6-7/broken,dm\"\nopen = 3\nleader = \"8-1\"\nturns = 2\n[grid]\nfp = [2, 6, 16]\ninterdicted = \"1..3\"\n";

fn drawn(folder: &Path, line: &str) -> String {
    let output = lowcrawl(folder, &format!("{line} --chart x.svg")).output().unwrap();
    let (_, message) = texts(&output);
    assert!(output.status.success(), "{line}: {message}");
    let svg = fs::read_to_string(folder.join("x.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{line}");
    svg
}

/// Returns the titles of the marks of a chart.
fn marks(svg: &str) -> Vec<String> {
    let marks = svg.split("<title>").skip(2).map(|rest| rest.split("</title>").next().unwrap());
    marks.map(str::to_string).collect()
}

#[test]
fn chart_is_written_along_with_the_answer() {
    let folder = tempdir().unwrap();
    let plain = ok(folder.path(), SQUAD);
    let output = lowcrawl(folder.path(), &format!("{SQUAD} --chart x.svg")).output().unwrap();
    assert_eq!(texts(&output), (plain, "chart: x.svg\n".to_string()));
    assert_eq!(names(folder.path()), ["x.svg"]);
    let svg = fs::read_to_string(folder.path().join("x.svg")).unwrap();
    assert_eq!(
        marks(&svg),
        ["4-6-7, broken: 58.3 %", "4-6-7, Good Order: 27.8 %", "4-6-7, pinned: 13.9 %",]
    );
    assert!(svg.contains("aria-label='1MC of german:4-6-7, ELR 3. broken 58.3 %; "), "{svg}");
    assert!(svg.contains("<title>1MC of german:4-6-7, ELR 3: broken 58.3 %</title>"), "{svg}");
    // The counters of a class are its tints.
    assert_eq!(
        marks(&drawn(folder.path(), &format!("{SQUAD} --chart-kind details"))),
        [
            "4-6-7, broken: 41.7 %",
            "4-6-7, broken 4-4-7: 13.9 %",
            "4-6-7, broken 2-3-7: 2.8 %",
            "4-6-7, Good Order: 27.8 %",
            "4-6-7, pinned: 13.9 %",
        ]
    );
    // The chart is the same for any format of the answer, and an existing chart is replaced.
    assert_eq!(drawn(folder.path(), &format!("{SQUAD} --format json")), svg);
}

#[cfg(not(feature = "png"))]
#[test]
fn png_chart_is_refused_by_a_build_without_png() {
    let words = "this build of lowcrawl has no PNG support";
    assert_fails(tempdir().unwrap().path(), &format!("{SQUAD} --chart odds.png"), 2, &[words]);
}

/// Checks for each sort of answer the kind of chart and one mark with its figure.
#[test]
fn every_answer_gets_a_fitting_chart() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("courses.toml"), ok(folder.path(), "new compare")).unwrap();
    fs::write(folder.path().join("campaign.toml"), ok(folder.path(), "new campaign")).unwrap();
    fs::write(folder.path().join("street.toml"), ok(folder.path(), "new situation")).unwrap();
    for (line, class, mark) in [
        (
            "rally german:4-6-7/dm --leader german:9-1 --terrain woods --phases 2 --no-hob",
            "curve good-line",
            "1, rallied: 27.8 %",
        ),
        (
            "rally german:4-6-7/dm --leader german:9-1 --terrain woods --phases 2 --no-hob --chart-kind bars",
            "mark reduced",
            "2, rallied: 85.6 %",
        ),
        ("check '3x german:4-6-7' --mc 1 --no-hob --counts", "curve", "2, holds: 37.6 %"),
        (
            "check '2x german:4-6-7' --mc 1 --no-hob --joint",
            "mark good",
            "1:broken 4-6-7; 2:broken 4-6-7",
        ),
        ("check german:4-6-7 --mc 0..3 --no-hob", "curve", "1: 41.7 %"),
        (
            "check german:4-6-7 --mc 0..3 --no-hob --chart-kind bars",
            "mark good",
            "1, Good Order: 27.8 %",
        ),
        (
            "rally german:4-6-7/dm --leader german:9-1,german:10-2 --terrain open,woods --phases 2 --no-hob",
            "mark ramp",
            "woods, german:9-1: 87.7 %",
        ),
        (
            "check german:4-6-7 --mc 0,1 --engine monte-carlo --trials 1000 --seed 1 --no-hob --tell 'holds >= 1'",
            "whisker",
            "(95 %: ",
        ),
        (
            "check german:4-6-7 --mc 1 --impact",
            "dot",
            "sk-15.1=alternative: good-order: +2.3 points",
        ),
        ("compare courses.toml", "mark good", "Good Order: "),
        ("compare courses.toml --chart-kind difference", "dot", ": "),
        ("solve campaign.toml", "mark good", " %"),
        ("rout street.toml --chart-kind bars", "mark good", "%"),
    ] {
        let svg = drawn(folder.path(), line);
        let has_class = |class: &str| {
            svg.contains(&format!("class='{class} ")) || svg.contains(&format!("class='{class}'"))
        };
        assert!(has_class(class), "{line}: no {class}");
        assert!(marks(&svg).iter().any(|found| found.contains(mark)), "{line}: {:?}", marks(&svg));
    }
}

#[test]
fn chart_of_a_rout_is_its_map() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("street.toml"), ok(folder.path(), "new situation")).unwrap();
    let by_chart = drawn(folder.path(), "rout street.toml");
    lowcrawl(folder.path(), "rout street.toml --svg x.svg").output().unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("x.svg")).unwrap(), by_chart);
    fails(folder.path(), "rout street.toml --svg a.svg --chart b.svg", 2);
}

/// The map of a crossing has the chance to be unpinned and unbroken in each hex of the path, for each
/// kind of units.
#[test]
fn chart_of_a_crossing_on_a_map_has_a_number_in_each_hex() {
    let folder = tempdir().unwrap();
    let street = include_str!("../../studies/rout/street-crossing.toml");
    fs::write(folder.path().join("street.toml"), street).unwrap();
    let line = "cross --map street.toml --no-hob --path";
    let of_squad = format!("{} \"B5 B4 B3 C3 C2\"", line.replace("--map", "russian:4-4-7 --map"));
    let svg = drawn(folder.path(), &of_squad);
    let expected = [
        "B4 (open ground): 100.0 %",
        "B3 (orchard): 100.0 %",
        "C3 (open ground): 21.8 %",
        "C2 (open ground): 8.6 %",
    ];
    assert_eq!(marks(&svg), expected);
    for mark in [">go</text>", ">E1 E2</text>"] {
        assert!(svg.contains(mark), "{mark}: {svg}");
    }
    let plot = ok(folder.path(), &format!("{of_squad} --plot"));
    assert!(plot.contains("grain") && plot.contains(" 22"), "{plot}");
    let svg = drawn(folder.path(), &format!("{line} \"B5 C5 D4\""));
    assert!(svg.contains(">8-1</text>") && svg.contains(">4-4-7</text>"), "{svg}");
    assert_eq!(marks(&svg).len(), 4);
}

#[test]
fn chart_of_a_study_follows_its_table() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("study.toml"), STUDY).unwrap();
    let svg = drawn(folder.path(), "study run study.toml");
    assert!(marks(&svg).contains(&"german:9-2, 2: 87.7 %".to_string()), "{:?}", marks(&svg));
    let message = fails(folder.path(), "study run study.toml --chart x.svg", 2);
    assert!(message.contains("`--replace` runs it again"), "{message}");
    // Terrain is down and the leader across, so phases make the panels. An averaged field makes
    // none.
    let more = STUDY.replace("[grid]", "[grid]\nterrain = [\"open\", \"woods\"]");
    fs::write(folder.path().join("more.toml"), &more).unwrap();
    let svg = drawn(folder.path(), "study run more.toml");
    assert!(svg.contains(">phases 1</text>") && marks(&svg).len() == 12, "{:?}", marks(&svg));
    let mean = more.replace("[base]", "average = [\"phases\"]\n[base]");
    fs::write(folder.path().join("mean.toml"), mean).unwrap();
    assert_eq!(marks(&drawn(folder.path(), "study run mean.toml")).len(), 4);
    let many = STUDY.replace("1..3", "1..30").replace("[grid]", "[grid]\nterrain = [\"open\"]");
    let many = many.replace("\"open\"]", "\"open\", \"woods\"]");
    fs::write(folder.path().join("many.toml"), many).unwrap();
    let message = fails(folder.path(), "study run many.toml --chart x.svg", 2);
    assert!(message.contains("too many numbers for one chart"), "{message}");
    fs::write(folder.path().join("plain.toml"), STUDY.replace("tell = \"holds\"\n", "")).unwrap();
    let message = fails(folder.path(), "study run plain.toml --chart x.svg", 2);
    assert!(message.contains("add `tell` to the file"), "{message}");
    assert!(!folder.path().join("output/plain").exists(), "it was not begun");
}

/// The firepower of one column of the IFT is drawn once.
#[test]
fn equal_columns_are_drawn_once() {
    let folder = tempdir().unwrap();
    let svg = drawn(folder.path(), "fire german:4-6-7 --fp 1..7 --chart-kind bars");
    for place in ["1", "2\u{2013}3", "4\u{2013}5", "6\u{2013}7"] {
        assert!(svg.contains(&format!(">{place}</text>")), "{place}: {svg}");
    }
    let svg = drawn(folder.path(), "fire german:4-6-7 --fp 1..7 --drm 0,1");
    assert!(svg.contains(">4\u{2013}5</text>") && !svg.contains(">5</text>"), "{svg}");
}

/// With `[chart]` in a study file, the chart is written next to the table and equals that of
/// `--chart`.
#[test]
fn study_file_can_request_its_chart() {
    let folder = tempdir().unwrap();
    let output = |name: &str, ending: &str| {
        fs::read_to_string(folder.path().join(format!("output/{name}/{name}.{ending}")))
    };
    let write = |name: &str, study: &str| {
        fs::write(folder.path().join(format!("{name}.toml")), study).unwrap();
    };
    for (name, chart, by_hand) in [
        ("fitting", "[chart]\n", ""),
        ("curve", "[chart]\nkind = \"curve\"\n", " --chart-kind curve"),
    ] {
        write(name, &STUDY.replace("[grid]", &format!("{chart}[grid]")));
        let svg = drawn(folder.path(), &format!("study run {name}.toml{by_hand}"));
        assert_eq!(output(name, "svg").unwrap(), svg, "{name}");
        assert!(output(name, "md").unwrap().starts_with("**"), "{name}");
        let manifest =
            fs::read_to_string(folder.path().join(format!("output/{name}/manifest.json")));
        assert!(manifest.unwrap().contains(&format!("\"{name}.svg\"")));
    }
    // Without `tell` the chart shows the chance of success; a campaign has its map of choices.
    let hoped = STUDY.replace("tell = \"holds\"\n", "").replace("[grid]", "[chart]\n[grid]");
    write("hoped", &hoped);
    ok(folder.path(), "study run hoped.toml");
    assert!(output("hoped", "svg").unwrap().contains("How often"));
    write("choices", &CAMPAIGNS.replace("[base]", "[chart]\nkind = \"choices\"\n[base]"));
    ok(folder.path(), "study run choices.toml");
    assert!(marks(&output("choices", "svg").unwrap()).len() == 9);
    for (wrong, message) in [
        ("kind = \"heet\"", "did you mean `heat`?"),
        ("kind = \"choices\"", "allowed: "),
        ("kin = \"heat\"", "did you mean `kind`?"),
        ("kind = 3", "`kind`"),
    ] {
        write("wrong", &STUDY.replace("[grid]", &format!("[chart]\n{wrong}\n[grid]")));
        assert_fails(folder.path(), "study run wrong.toml", 2, &[message, "wrong.toml"]);
        assert!(!folder.path().join("output/wrong").exists(), "{wrong}: it was not begun");
    }
}

/// Every hex of a board has the number of the table, in the colour of that number.
#[test]
fn study_of_every_hex_colours_the_board() {
    let folder = tempdir().unwrap();
    ok(folder.path(), "new studies --out studies");
    let text = fs::read_to_string(folder.path().join("studies/anywhere.toml")).unwrap();
    let text = text.replacen("question", "columns = \"enemy.1.at\"\nquestion", 1);
    fs::write(folder.path().join("studies/study.toml"), text).unwrap();
    let svg = drawn(folder.path(), "study run studies/study.toml");
    let page = fs::read_to_string(folder.path().join("output/study/study.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .map(|line| line.split('|').map(str::trim).collect::<Vec<&str>>())
        .filter(|cells| cells.len() == 9 && cells[2].ends_with(" %"))
        .collect();
    let table: Vec<(&str, &str)> = (2..8)
        .flat_map(|enemy| rows.iter().map(move |row| (row[1], row[enemy])))
        .map(|(hex, number)| (hex, number.trim_end_matches(" %")))
        .collect();
    let cells: Vec<(&str, &str)> = svg
        .split("<polygon class='cell'")
        .skip(1)
        .map(|cell| {
            let colour = cell.split("stroke='").nth(1).unwrap().split('\'').next().unwrap();
            let title = cell.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
            (colour, title)
        })
        .collect();
    assert_eq!((cells.len(), table.len()), (2076, 2076));
    let mut colours = std::collections::BTreeMap::new();
    for ((hex, number), (colour, title)) in table.iter().zip(&cells) {
        let shown = title.strip_prefix(&format!("{hex} (")).unwrap_or_else(|| panic!("{title}"));
        let shown: f64 = shown.rsplit(": ").next().unwrap().trim_end_matches(" %").parse().unwrap();
        assert!((shown - number.parse::<f64>().unwrap()).abs() <= 0.05, "{hex} {number}: {title}");
        assert_eq!(*colours.entry(number).or_insert(colour), colour, "{title}");
    }
    assert!(colours.len() > 1, "{colours:?}");
    assert_eq!(svg.matches("<use href='#chart-").count(), 6);
    assert!(
        svg.contains("enemy.1.at S6: lowest 0.0 % at R0, S7; highest 100.0 % at A1, "),
        "{}",
        &svg[..1500]
    );
    assert_eq!(svg.matches("<text class='white' ").count(), 6);
    // The chart in characters has no line too wide.
    let output = ok(folder.path(), "study run studies/study.toml --replace --plot");
    let plot = output.split("manifest.json\n").nth(1).unwrap();
    assert_eq!(plot.matches("enemy.1.at ").count(), 6);
    assert!(plot.lines().all(|line| line.chars().count() <= 80), "{plot}");
    let row = plot.split("enemy.1.at S6:").nth(1).unwrap();
    assert!(row.contains("#  0") && row.contains("# E1"), "{row}");
    // A few hexes are drawn as bars unless a map is requested.
    let few = "question = \"rout\"\n[base]\nsituation = \"rout/anywhere.toml\"\n[grid]\nrout.1.at = [\"P7\", \"A1\"]\n";
    fs::write(folder.path().join("studies/few.toml"), few).unwrap();
    let svg = drawn(folder.path(), "study run studies/few.toml");
    assert!(!svg.contains("class='cell'"));
    let svg = drawn(folder.path(), "study run studies/few.toml --replace --chart-kind map");
    assert_eq!(svg.matches("class='cell'").count(), 2);
}

/// The map of choices shows the best choices of the table and their margins.
#[test]
fn study_of_choices_is_drawn_as_a_map_of_choices() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("choices.toml"), CAMPAIGNS).unwrap();
    let svg = drawn(folder.path(), "study run choices.toml");
    let cells = fs::read_to_string(folder.path().join("output/choices/choices.csv")).unwrap();
    let mut best: Vec<(String, f64)> = Vec::new();
    for line in cells.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let [choice, margin] = [row[row.len() - 3], row[row.len() - 1]];
        if let Ok(margin) = margin.parse::<f64>()
            && margin >= 0.0
        {
            best.push((choice.to_string(), margin));
        }
    }
    let marks = marks(&svg);
    assert!(best.len() >= 9 && marks.len() == 9, "{best:?} {marks:?}");
    for ((choice, margin), mark) in best.iter().zip(&marks) {
        assert!(mark.contains(&format!(": {choice} +")), "{choice} {margin}: {mark}");
        let points = mark.rsplit('+').next().unwrap().strip_suffix(" points").unwrap();
        let points: f64 = points.parse().unwrap();
        assert!((points / 100.0 - margin).abs() <= 0.0005, "{choice} {margin}: {mark}");
    }
    assert!(svg.contains(" points at most") && svg.contains(" points</text>"), "{svg}");
    // A value that is no probability is shown as a number.
    let squads = CAMPAIGNS.replace("good-order", "squad-equivalents");
    fs::write(folder.path().join("squads.toml"), squads).unwrap();
    let svg = drawn(folder.path(), "study run squads.toml");
    assert!(!svg.contains(" points") && svg.contains(" cells, by +0."), "{svg}");
}

/// Every hex of a board has the colour of its best kind of plan, and the margin of that plan.
#[test]
fn study_of_choices_over_hexes_colours_the_board() {
    let folder = tempdir().unwrap();
    ok(folder.path(), "new studies --out studies");
    let run = |tell: &str, rest: &str| {
        let text = format!(
            "question = \"rout\"\ntell = \"{tell}\"\n[base]\nsituation = \"rout/anywhere.toml\"\n[grid]\nrout.1.at = \"every hex\"\n"
        );
        fs::write(folder.path().join("studies/study.toml"), text).unwrap();
        let output = ok(folder.path(), &format!("study run studies/study.toml --replace{rest}"));
        let (_, rows) =
            of_markdown(&fs::read_to_string(folder.path().join("output/study/study.md")).unwrap());
        (output, rows)
    };
    let (_, margins) = run("margin", "");
    let svg = drawn(folder.path(), "study run studies/study.toml --replace");
    assert!(svg.contains("lowest +0.0 points at ") && !svg.contains("is best in"), "{svg}");
    let (output, choices) = run("choice", " --plot");
    let svg = drawn(folder.path(), "study run studies/study.toml --replace");
    let cells: Vec<(&str, &str)> = svg
        .split("<polygon class='cell'")
        .skip(1)
        .map(|cell| {
            let colour = cell.split("stroke='").nth(1).unwrap().split('\'').next().unwrap();
            let title = cell.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
            (colour, title)
        })
        .collect();
    assert_eq!((cells.len(), choices.len(), margins.len()), (346, 346, 346));
    let mut colours = std::collections::BTreeMap::new();
    for ((choice, margin), (colour, title)) in choices.iter().zip(&margins).zip(&cells) {
        let points: f64 = margin[1].trim_end_matches(" points").parse().unwrap();
        let shown = title.split_once("): ").unwrap().1;
        assert!(title.starts_with(&format!("{} (", choice[0])), "{title}");
        assert_eq!(shown, format!("{} {points:+.1} points", choice[1]), "{title}");
        assert_eq!(*colours.entry(choice[1].as_str()).or_insert(*colour), *colour, "{title}");
    }
    assert_eq!(
        colours.keys().copied().collect::<Vec<_>>(),
        ["Low Crawl", "run", "stay", "surrender"]
    );
    assert_eq!(colours.values().collect::<std::collections::BTreeSet<_>>().len(), 4);
    let best = |word: &str| choices.iter().filter(|row| row[1] == word).count();
    for word in colours.keys() {
        assert!(svg.contains(&format!(">{word}</text>")), "{word} in the legend");
        let expected = format!("{word} is best in {} of 346 hexes, by +", best(word));
        assert!(svg.contains(&expected), "{expected}");
    }
    // The chart in characters has letters for the choices.
    let plot = output.split("manifest.json\n").nth(1).unwrap();
    assert!(plot.lines().all(|line| line.chars().count() <= 80), "{plot}");
    assert!(plot.contains("\nA run  B stay  C Low Crawl  "), "{plot}");
    let stone = cells.iter().filter(|(_, title)| title.contains("(stone building): stay"));
    assert_eq!(plot.matches("#B").count(), stone.count(), "{plot}");
}
