//! Help of the program: starter files, the reference of files, examples and manual pages. Each is
//! run, or compared with its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::first_screen::SCREEN;
use crate::shell::{assert_fails, fails, in_a_line, names, ok, run_in_shell};
use crate::vasl_files::made;
use lowcrawl::api::games;
use lowcrawl::api::reference::{files, of_file, reference};
use lowcrawl::asl::tables::tables;
use lowcrawl::schema::Takes;
use tempfile::tempdir;

const PAGE: &str = "docs/reference.md";

fn runs(folder: &Path, line: &str) -> String {
    let output = run_in_shell(folder, line);
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns how each command of a question begins.
fn questions() -> Vec<String> {
    let (registry, mut all) = (lowcrawl::games(), Vec::new());
    for game in registry.games() {
        let system = if game.name() == registry.first().name() { "" } else { game.name() };
        for kind in game.kinds().iter().filter(|kind| kind.subject.is_some()) {
            all.push(in_a_line(&format!("lowcrawl {system} {}", kind.name)) + " ");
        }
    }
    all
}

/// Returns all commands with their help. They are found in the lists of commands of that help; the
/// program itself has the empty name.
fn commands() -> BTreeMap<String, String> {
    let folder = tempdir().unwrap();
    let (mut all, mut waiting) = (BTreeMap::new(), vec![String::new()]);
    while let Some(command) = waiting.pop() {
        let help = ok(folder.path(), &format!("{command} --help"));
        let (listed, _) = help.split_once("\nOptions:\n").unwrap();
        let is_command = |line: &&str| {
            line.strip_prefix("  ").is_some_and(|name| name.starts_with(char::is_lowercase))
        };
        let listed = listed.lines().filter(is_command);
        waiting.extend(listed.map(|line| {
            format!("{command} {}", line.split_whitespace().next().unwrap()).trim().to_string()
        }));
        all.insert(command, help);
    }
    all
}

/// Returns the examples at the end of a help text.
fn examples(help: &str) -> Vec<String> {
    let (_, end) = help.split_once("\nExamples:\n").unwrap_or_default();
    assert!(end.lines().all(|line| line.len() <= 80), "{end}");
    let end = end.replace(" \\\n      ", " ");
    let line = |line: &str| line.strip_prefix("  ").map(str::to_string);
    end.lines().map(|text| line(text).unwrap_or_else(|| panic!("no example: {text}"))).collect()
}

#[test]
fn every_help_ends_with_three_examples_that_run() {
    let commands = commands();
    assert!(commands.len() > 70, "{:?}", commands.keys());
    let (questions, mut checked) = (questions(), 0);
    let mut run: BTreeSet<Vec<String>> = BTreeSet::new();
    for (command, help) in &commands {
        let examples = examples(help);
        assert_eq!(examples.len(), 3, "lowcrawl {command}\n{help}");
        assert_eq!(
            examples.iter().collect::<BTreeSet<_>>().len(),
            3,
            "lowcrawl {command}: {examples:?}"
        );
        assert!(
            examples.iter().any(|line| line.contains(&format!("lowcrawl {command}"))),
            "lowcrawl {command}: {examples:?}"
        );
        // The commands of the first system have two names.
        let plain = |line: &String| line.replace("lowcrawl asl ", "lowcrawl ");
        if run.insert(examples.iter().map(plain).collect()) {
            let folder = tempdir().unwrap();
            // The folder has the files that only VASL writes.
            made(folder.path());
            if examples.iter().any(|line| line.contains("--map studies/")) {
                ok(folder.path(), "new studies --out studies");
            }
            for line in &examples {
                let output = runs(folder.path(), line);
                let is_question = questions.iter().any(|start| line.starts_with(start));
                if is_question && !line.contains("--joint") {
                    let width = output.lines().map(|line| line.chars().count()).max();
                    assert!(width <= Some(SCREEN.0), "{line}\n{output}");
                    checked += 1;
                }
            }
        }
    }
    assert!(run.len() > 60, "{}", run.len());
    assert!(checked > 30, "{checked}");
}

#[test]
fn every_starter_file_runs() {
    let folder = tempdir().unwrap();
    let list = ok(folder.path(), "new --list");
    let starters: Vec<&str> = list
        .lines()
        .skip_while(|line| !line.is_empty())
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(str::trim_end)
        .collect();
    let names: Vec<&str> = starters
        .iter()
        .filter_map(|line| line.split("  ").next())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(files().iter().all(|file| names.contains(file)), "{names:?}");
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        let folder = tempdir().unwrap();
        let text = ok(folder.path(), &format!("new {name}"));
        let command = text.lines().next().unwrap().strip_prefix("# ").unwrap();
        assert!(command.contains(&format!("{name}.toml")), "{command}");

        // Written under another name, the file names itself so.
        assert_eq!(ok(folder.path(), &format!("new {name} --out 'my own.toml'")), "");
        let own = fs::read_to_string(folder.path().join("my own.toml")).unwrap();
        let command = own.lines().next().unwrap().strip_prefix("# ").unwrap();
        assert!(
            command.contains("\"my own.toml\"") && !own.contains(&format!("{name}.toml")),
            "{own}"
        );
        runs(folder.path(), command);
    }
}

#[test]
fn new_does_not_overwrite_existing_files() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), "mine").unwrap();
    for kind in ["rally", "studies/leader-loss.toml", "studies"] {
        let report = fails(folder.path(), &format!("new {kind} --out mine.toml"), 2);
        assert!(
            report.starts_with("error: this file exists and is not overwritten\n --> --out:1:1\n"),
            "{report}"
        );
    }
    assert_eq!(fs::read_to_string(folder.path().join("mine.toml")).unwrap(), "mine");
    assert_eq!(names(folder.path()), ["mine.toml"]);
}

/// Returns the text of every file below a folder, by its relative path.
fn below(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, name) =
            entry.map(|entry| (entry.path(), PathBuf::from(entry.file_name()))).unwrap();
        match path.is_dir() {
            true => {
                found.extend(below(&path).into_iter().map(|(below, text)| (name.join(below), text)))
            }
            false => drop(found.insert(name, fs::read_to_string(path).unwrap())),
        }
    }
    found
}

#[test]
fn program_contains_the_shipped_studies() {
    let folder = tempdir().unwrap();
    ok(folder.path(), "new studies --out studies");
    let shipped = below(Path::new("studies"));
    let written = below(&folder.path().join("studies"));
    assert_eq!(
        written.keys().collect::<Vec<_>>(),
        shipped.keys().collect::<Vec<_>>(),
        "src/cli/new/mod.rs lists others"
    );
    assert!(written == shipped, "what is written is not what is shipped");
    let list = ok(folder.path(), "new --list");
    for (name, text) in shipped {
        let path = Path::new("studies").join(&name).display().to_string();
        assert_eq!(ok(folder.path(), &format!("new {path}")), text);
        assert_eq!(list.contains(&path), path.ends_with(".toml"), "{path}");
    }
    // A written situation finds its tables.
    runs(folder.path(), "lowcrawl rout studies/rout/sk08.toml");
}

/// Returns the first words of the indented lines of a text.
fn keys(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(|line| line.strip_prefix("  ")?.split("  ").next()).collect()
}

#[test]
fn reference_lists_every_key_of_a_file() {
    let folder = tempdir().unwrap();
    let situation = ok(folder.path(), "help situation");
    for table in tables() {
        for field in table.fields {
            assert!(
                keys(&situation).contains(field.name),
                "`{}` of [{}] is not in\n{situation}",
                field.name,
                table.path
            );
            assert!(
                field.rule.is_none_or(|rule| situation.contains(&format!("({rule})"))),
                "{:?}",
                field.rule
            );
        }
    }
    let registry = games();
    for file in ["study", "compare"] {
        let text = ok(folder.path(), &format!("help {file}"));
        for kind in registry
            .first()
            .kinds()
            .iter()
            .filter(|kind| file == "compare" || kind.name != "campaign")
        {
            assert!(text.contains(&format!("\n{}: ", kind.name)), "no `{}` in\n{text}", kind.name);
            let steps = registry.form(kind).steps();
            let fields = kind.fields().chain(steps.iter().flat_map(|step_kind| step_kind.fields()));
            for field in fields {
                assert!(keys(&text).contains(field.name), "no `{}` in\n{text}", field.name);
            }
        }
    }
}

#[test]
fn help_prints_the_named_part() {
    let folder = tempdir().unwrap();
    for (line, fact) in [
        ("--help", "interdict"),
        ("fire --help", "--inexperienced"),
        ("check --help", "--no-quarter"),
        ("rally --help", "--own-rph"),
        ("interdict --help", "--voluntary-rout"),
        ("sequence --help", "do = \"fire\""),
        ("compare --help", "[[course]]"),
        ("study --help", "run"),
        ("study run --help", "--replace"),
        ("trace --help", "interdict"),
        ("trace check --help", "--script"),
        ("trace fire --help", "--drm"),
        ("trace sequence --help", "<FILE>"),
        ("trace rally --help", "--sequence"),
        ("trace interdict --help", "--script"),
        ("units --help", "WORDS"),
        ("rules --help", "i01"),
        ("completions --help", "zsh"),
        ("--version", concat!("lowcrawl ", env!("CARGO_PKG_VERSION"))),
        ("help situation", "[enemy.weapon]: "),
        ("help situation", "[[map.building]]: "),
        ("help situation", "  elr            0 to 6 "),
        ("help situation", "ELR of the routing side (A19.1) [default: 3]"),
        ("help sequence", "\n  step      [[step]]"),
        ("help sequence", "A step of sequence with do = \"fire\"\n"),
        ("help sequence", "  fp                1 to 1000 "),
        ("help campaign", "for lowcrawl solve"),
        ("help campaign", "\ncampaign: "),
        ("help campaign", "  cover-fp "),
        ("help campaign", "break-even"),
        ("help campaign", "Policies of campaign: "),
        ("help study", "[[case]]"),
        ("help study", "situation"),
        ("help study", "[run]: engine, trials and seed"),
        ("help study", "  trials     1 to 100000000000 "),
        ("help fortitude sequence", "lowcrawl fortitude sequence FILE"),
        ("help fortitude sequence", "  enemies "),
        ("help fortitude sequence", "lowcrawl fortitude parameters"),
        ("help reaction study", "\nvolley: "),
        ("help reaction study", "\nmove: "),
        ("describe asl rally --format markdown", "| `phases` | 1 to 60 | `6` | number of Rally"),
        ("describe asl rout --format markdown", "`[[map.building]]`"),
        ("describe fortitude --format markdown", "## Samurai Battles"),
    ] {
        let text = ok(folder.path(), line);
        assert!(
            text.contains(fact) || in_a_line(&text).contains(fact),
            "lowcrawl {line}: no `{fact}` in\n{text}"
        );
    }
}

/// Help and pages say which steps require `slots`. `eliminate` is refused without it; a Voluntary
/// Break without it is made by all units.
#[test]
fn help_says_which_steps_require_slots() {
    let folder = tempdir().unwrap();
    let page = fs::read_to_string("docs/files.md").unwrap();
    let help = ok(folder.path(), "sequence --help");
    let registry = games();
    let mut sequences = registry.first().kinds().iter().filter(|kind| kind.name == "sequence");
    let steps = registry.form(sequences.next().unwrap()).steps();
    let mut needs = Vec::new();
    for kind in steps {
        let Some(slots) = kind.fields().find(|field| field.name == "slots") else { continue };
        let step_kind = kind.name;
        let text = format!("stack = \"2x german:4-6-7\"\n[[step]]\ndo = \"{step_kind}\"\n");
        fs::write(folder.path().join("step.toml"), text).unwrap();
        let is_refused =
            !run_in_shell(folder.path(), "lowcrawl sequence step.toml").status.success();
        let row =
            page.lines().find(|line| line.starts_with(&format!("| `{step_kind}` |"))).unwrap();
        let about =
            help.split(&format!("{step_kind} (")).nth(1).unwrap().split(')').next().unwrap();
        for text in [slots.about, row, about] {
            assert_eq!(text.contains("required"), is_refused, "{step_kind}: {text}");
            assert_eq!(text.contains("default: "), !is_refused, "{step_kind}: {text}");
        }
        needs.push((step_kind, is_refused));
    }
    assert_eq!(needs, [("eliminate", true), ("break", false), ("reveal", false)]);
}

/// Lines of the reference have at most 110 letters, and each name of a list of words has one list.
#[test]
fn reference_has_short_lines_and_unique_word_lists() {
    let folder = tempdir().unwrap();
    let registry = games();
    for game in registry.games() {
        let games = [game.name()]
            .into_iter()
            .filter(|name| *name != registry.first().name())
            .collect::<String>();
        for file in files().into_iter().filter(|file| !of_file(&registry, *game, file).is_empty()) {
            let text = ok(folder.path(), &format!("help {games} {file}"));
            let long = text.lines().find(|line| line.chars().count() > 110);
            assert_eq!(long, None, "help {games} {file}");
        }
    }
    let mut words: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let fields =
        registry.games().iter().flat_map(|game| game.kinds().iter().flat_map(|kind| kind.fields()));
    for field in fields.chain(tables().iter().flat_map(|table| table.fields)) {
        if let Takes::Word(name, all) = field.takes
            && all().len() > 8
        {
            assert_eq!(
                *words.entry(name).or_insert_with(all),
                all(),
                "`{name}` of `{}`",
                field.name
            );
        }
    }
    let parts = reference(&registry, None, None).unwrap();
    let word_lists = parts.iter().find(|part| part.title == "Words").unwrap();
    assert!(
        words.keys().all(|word| word_lists.keys.iter().any(|key| key.name == *word)),
        "{word_lists:?}"
    );
}

#[test]
fn help_command_equals_help_option() {
    let folder = tempdir().unwrap();
    for (help, own) in [
        ("help", "--help"),
        ("help rally", "rally --help"),
        ("help study run", "study run --help"),
        ("help trace rally", "trace rally --help"),
        ("help trace fortitude recover", "trace fortitude recover --help"),
        ("help reaction volley", "reaction volley --help"),
        ("help help", "help --help"),
    ] {
        assert_eq!(ok(folder.path(), help), ok(folder.path(), own), "lowcrawl {help}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempdir().unwrap();
    ok(folder.path(), "man --out man1");
    let pages: BTreeSet<String> = names(&folder.path().join("man1")).into_iter().collect();
    let commands = commands();
    let page = |command: &String| format!("lowcrawl {command}").trim_end().replace(' ', "-") + ".1";
    assert_eq!(pages, commands.keys().map(page).collect());
    for (command, help) in &commands {
        let text = fs::read_to_string(folder.path().join("man1").join(page(command))).unwrap();
        assert!(
            text.contains(".SH NAME\n")
                && text.contains(&format!("\"lowcrawl {}\"", env!("CARGO_PKG_VERSION"))),
            "{command}\n{text}"
        );
        // Manual pages have the examples too.
        let plain = in_a_line(&text.replace('\\', "").replace("*(Aq", "'"));
        assert!(examples(help).iter().all(|line| plain.contains(line)), "{command}\n{text}");
        assert_eq!(ok(folder.path(), &format!("man {command}")), text);
    }
    // Pages may be written again, but over changed files only with `--replace`.
    ok(folder.path(), "man --out man1");
    fs::write(folder.path().join("man1/lowcrawl-rally.1"), "precious").unwrap();
    let words = "man1/lowcrawl-rally.1: lowcrawl did not write this file";
    assert_fails(folder.path(), "man --out man1", 2, &[words]);
    ok(folder.path(), "man --out man1 --replace");
}

/// The page is made from the declarations. `LOWCRAWL_WRITE=1 cargo test --release --test cli help`
/// writes it again.
#[test]
fn reference_page_is_up_to_date() {
    let folder = tempdir().unwrap();
    let page = ok(folder.path(), "describe --format markdown");
    if std::env::var_os("LOWCRAWL_WRITE").is_some() {
        fs::create_dir_all(Path::new(PAGE).parent().unwrap()).unwrap();
        fs::write(PAGE, &page).unwrap();
    }
    let written = fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written == page,
        "{PAGE} is out of date: LOWCRAWL_WRITE=1 cargo test --release --test cli help"
    );
}
