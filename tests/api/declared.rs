//! Every key that a reader accepts is declared, and every other key is refused at its place. The
//! keys come from the shipped files, each with many misspellings. Only the check itself uses the
//! declarations.
#![cfg(feature = "cli")]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lowcrawl::api::games;
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::files::courses::Course;
use lowcrawl::play::{Courses, PartialQuestion, Registry};
use lowcrawl::schema::Kind;
use lowcrawl::schema::common_fields::{DO, POLICY};
use lowcrawl::study::campaign::{CampaignFile, is_campaign};
use lowcrawl::study::cases::{Cases, are_listed};
use lowcrawl::study::file::{Extent, Study};
use lowcrawl::text::{Fault, canonical};

/// Returns the shipped TOML files, without situations, which have a test of their own.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from("studies")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "toml") => {
                    files.push(path)
                }
                false => {}
            }
        }
    }
    let of_a_map = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.contains("[[rout]]") || text.contains("question = \"rout\"")
    };
    files.retain(|path| !of_a_map(path));
    files.sort();
    files
}

/// Reads a study, sequence or comparison file as its command does.
fn read(path: &Path, text: &str, registry: &Registry) -> Result<(), Fault> {
    let folder = path.parent().unwrap().to_string_lossy().to_string();
    let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
    match () {
        _ if are_listed(text) => Cases::parse(text, registry).map(drop),
        _ if has("[[course]]") => Courses::parse(text, true, registry)
            .and_then(|file| file.courses.iter().try_for_each(|course| finished(&file, course))),
        _ if has("[grid]") && is_campaign(text, registry) => {
            CampaignFile::parse(text, registry, Monitor::NONE).map(drop)
        }
        _ if has("question") && has("objective") => Courses::parse(text, false, registry).map(drop),
        _ if has("question") => {
            Study::parse(text, registry, Extent::WHOLE, Monitor::NONE).map(drop)
        }
        _ => {
            let game = registry
                .games()
                .iter()
                .find(|game| folder.ends_with(game.name()))
                .copied()
                .unwrap_or(registry.first());
            PartialQuestion::of_file(
                text,
                game.form(Kind::named("sequence", game.kinds()).unwrap()),
            )
            .and_then(|file| file.question().map(drop))
        }
    }
}

fn finished(file: &Courses, course: &Course) -> Result<(), Fault> {
    let finished = course.question.form().finish();
    finished.map(drop).map_err(|error| file.place_fault(course, error))
}

/// Returns the ranges of the keys of a file: the texts before ` = ` at the start of a line.
fn keys(text: &str) -> Vec<Range<usize>> {
    let mut keys = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((key, _)) = line
            .split_once(" = ")
            .filter(|(key, _)| !key.starts_with(['#', '[', '"']) && !key.contains(' '))
        {
            keys.push(start..start + key.trim_end().len());
        }
        start += line.len();
    }
    keys
}

/// Returns misspellings of a key: a letter left out, doubled or swapped with the next, a prefix
/// such as `no-`, a plural.
fn slips(key: &str) -> Vec<String> {
    let letters: Vec<char> = key.chars().collect();
    let mut slips: Vec<String> =
        vec![format!("no-{key}"), format!("{key}s"), key.replace('-', ""), format!("x-{key}")];
    for place in 0..letters.len() {
        let (before, after) = (&letters[..place], &letters[place..]);
        let joined = |middle: &[char], after: &[char]| {
            before.iter().chain(middle).chain(after).collect::<String>()
        };
        slips.push(joined(&[], &after[1..]));
        slips.push(joined(&[after[0]], after));
        if let [first, second, rest @ ..] = after {
            slips.push(joined(&[*second, *first], rest));
        }
    }
    slips.sort();
    slips.dedup();
    slips.retain(|slip| {
        slip != key
            && !slip.is_empty()
            && !slip.starts_with('.')
            && !slip.ends_with('.')
            && !slip.contains("..")
    });
    slips
}

/// Keys of files that are no fields of a question.
const OF_FILES: [&str; 11] = [
    "system",
    "question",
    "about",
    "objective",
    "name",
    "engine",
    "trials",
    "precision",
    "seed",
    "break-even",
    "unit",
];

/// Returns whether any kind of question of any game declares the word: as a field, a negation, a
/// field of a step, or a parameter of the rules.
fn is_declared(word: &str, registry: &Registry) -> bool {
    let name = canonical(word.trim_matches('"'));
    let name = name
        .split_once('.')
        .filter(|(number, _)| number.parse::<usize>().is_ok())
        .map_or(name.as_str(), |(_, name)| name);
    let kinds = || registry.games().iter().flat_map(|game| game.kinds().iter());
    let of_steps = || {
        kinds().filter(|kind| kind.subject.is_none()).any(|kind| {
            let mut form = registry.form(kind);
            (1..).zip(form.steps()).any(|(number, step_kind)| {
                form.set(&format!("{number}.{DO}"), step_kind.name.into()).unwrap();
                form.field(&format!("{number}.{name}")).is_some()
            })
        })
    };
    OF_FILES.contains(&name)
        || [DO, POLICY].contains(&name)
        || kinds()
            .any(|kind| kind.field(name).is_some() || registry.form(kind).setting(name).is_some())
        || of_steps()
}

#[test]
fn only_declared_keys_are_accepted() {
    let registry = games();
    let (mut refused, mut accepted) = (0, 0);
    for path in files() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(read(&path, &text, &registry).is_ok(), "{} is not read", path.display());
        for place in keys(&text) {
            let key = text[place.clone()].to_string();
            assert!(
                is_declared(&key, &registry),
                "{}: `{key}` is accepted and not declared",
                path.display()
            );
            for slip in slips(&key) {
                let slipped = format!("{}{slip}{}", &text[..place.start], &text[place.end..]);
                match read(&path, &slipped, &registry) {
                    Ok(()) => {
                        accepted += 1;
                        assert!(
                            is_declared(&slip, &registry),
                            "{}: `{slip}` for `{key}` is accepted and not declared",
                            path.display()
                        );
                    }
                    Err(fault) => {
                        refused += 1;
                        assert!(!fault.message.is_empty(), "{}: `{slip}`", path.display());
                    }
                }
            }
        }
    }
    assert!(refused > 2_000 && accepted > 5, "{refused} refused, {accepted} accepted");
}

/// The command line, files and the builder read the same declarations. Every field has a
/// description, and every word of a field is a value.
#[test]
fn every_declared_field_is_described_and_can_be_set() {
    for game in games().games() {
        for kind in game.kinds() {
            let form = game.form(kind);
            for field in kind.fields() {
                assert!(
                    !field.about.is_empty() && form.knows(field.name),
                    "{} {}: {}",
                    game.name(),
                    kind.name,
                    field.name
                );
                assert!(
                    field.negation.is_none_or(|negation| form.knows(negation)),
                    "{}",
                    field.name
                );
                assert!(
                    form.setting(field.name).is_none(),
                    "{} is a point of the rules too",
                    field.name
                );
                for word in field.takes.words() {
                    let set = game.form(kind).set(field.name, word.into());
                    assert!(
                        set.is_ok() || field.name == "cover" || field.name == "here",
                        "{}: {word}: {set:?}",
                        field.name
                    );
                }
                assert_eq!(form.field(field.name).map(|known| known.name), Some(field.name));
            }
        }
    }
}
