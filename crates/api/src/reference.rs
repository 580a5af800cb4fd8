//! Reference of files and questions, generated from the declarations that parse them.

use std::collections::BTreeMap;

use super::describe::{about, all_fields, kind_called};
use super::read::is_first;
use asl::rout::RoutFields;
use asl::tables::SituationTables;
use engine::text::{Fault, canonical};
use play::files::kinds::ROUT;
use play::policy::BEST;
use play::{
    CampaignFileTable, CaseTable, CasesTable, ComparisonTable, CourseTable, Game, Policy, Registry,
    RoutStudyTable, SequenceTable, StudyTable,
};
use schema::common_fields::DO;
use schema::file_tables::{ANYTHING, declared, tables};
use schema::{
    ChoiceMaker, Field, Fields as _, FileTable, Kind, Measure, Parameter, StepKind, Takes,
};

const SITUATION: &str = "situation";
const SEQUENCE: &str = "sequence";
/// Largest number of words that a field's description lists; longer lists get a section.
const FEW_WORDS: usize = 8;

/// A section of the reference with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGroup {
    /// Depth of nesting; 0 for a file or a game.
    pub depth: usize,
    pub title: String,
    pub about: String,
    pub keys: Vec<Key>,
    /// Preformatted text that follows the title, such as a notation.
    pub text: String,
}

/// A key of a file or question; or a word, such as a policy, with its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    pub name: String,
    pub takes: String,
    pub default: String,
    pub about: String,
    pub rule: String,
    /// Placeholder and list of the valid words, if there are more than [`FEW_WORDS`].
    words: Option<(&'static str, Vec<&'static str>)>,
}

struct File {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Subcommand of `lowcrawl`, with its argument, that reads the file.
    read_by: &'static str,
    tables: &'static [(&'static str, &'static [Field])],
    /// Returns whether the file can contain the fields of a kind of question.
    accepts: fn(&Kind) -> bool,
    /// Description of the place of those fields; empty if there are none.
    fields_at: &'static str,
}

static FILES: [File; 7] = [
    File {
        name: "study",
        title: "A study",
        about: "a question, and the fields to sweep",
        read_by: "study run FILE",
        tables: &[("", StudyTable::ALL)],
        accepts: |kind| kind.play != ChoiceMaker::Best,
        fields_at: "in `[base]`; in `[grid]` as lists of values or ranges, { from = 1, to = 6 }; a \
            field of a step begins with the number of the step, as in 1.fp",
    },
    File {
        name: "study",
        title: "A study of cases",
        about: "questions of any system, side by side",
        read_by: "study run FILE",
        tables: &[("", CasesTable::ALL), ("case.N", CaseTable::ALL)],
        accepts: |kind| kind.play != ChoiceMaker::Best,
        fields_at: "in each `[[case]]`",
    },
    File {
        name: "study",
        title: "A study of situations",
        about: "a situation, and the parts of it to sweep, with `question = \"rout\"`",
        read_by: "study run FILE",
        tables: &[("", RoutStudyTable::ALL)],
        accepts: |_| false,
        fields_at: "",
    },
    File {
        name: "compare",
        title: "A comparison",
        about: "fields that all courses of action share, and the changes of each course",
        read_by: "compare FILE",
        tables: &[("", ComparisonTable::ALL), ("course.N", CourseTable::ALL)],
        accepts: |_| true,
        fields_at: "in `[base]` if all courses share them, else in a `[[course]]`; there a \
            field of a step begins with the number of the step, as in 2.fp",
    },
    File {
        name: "campaign",
        title: "A campaign",
        about: "a unit over Player Turns; `compare` and `study run` also read it",
        read_by: "solve FILE",
        tables: &[("", CampaignFileTable::ALL), ("course.N", CourseTable::ALL)],
        accepts: |kind| kind.play == ChoiceMaker::Best,
        fields_at: "in `[base]`, and for a study as lists of values or ranges in `[grid]`",
    },
    File {
        name: SEQUENCE,
        title: "A sequence",
        about: "units, and what happens to them step by step",
        read_by: "sequence FILE",
        tables: &[("", SequenceTable::ALL)],
        accepts: |kind| kind.subject.is_none() && kind.play != ChoiceMaker::Best,
        fields_at: "at the top",
    },
    File {
        name: SITUATION,
        title: "A situation",
        about: "a map, the units that rout on it, their friends and enemies",
        read_by: "rout FILE",
        tables: &[("", RoutFields::ALL), ("", SituationTables::ALL)],
        accepts: |_| false,
        fields_at: "",
    },
];

/// Returns the names of file types, each once.
pub fn files() -> Vec<&'static str> {
    let mut names: Vec<&str> = FILES.iter().map(|file| file.name).collect();
    names.dedup();
    names
}

/// Returns the reference of a file type, with the kinds it can hold; empty if the game has none.
pub fn of_file(registry: &Registry, game: &dyn Game, name: &str) -> Vec<KeyGroup> {
    let is_first = is_first(registry, game);
    let (mut parts, mut kinds): (Vec<KeyGroup>, Vec<&'static Kind>) = Default::default();
    for file in FILES.iter().filter(|file| file.name == name) {
        let accepted = game.kinds().iter().copied().filter(|kind| (file.accepts)(kind));
        let accepted: Vec<&'static Kind> =
            accepted.filter(|kind| kinds.iter().all(|known| known.name != kind.name)).collect();
        let has_it = match file.fields_at {
            "" => is_first,
            _ => !accepted.is_empty() || !kinds.is_empty(),
        };
        if has_it {
            parts.extend(file.parts(game, is_first));
            kinds.extend(accepted);
        }
    }
    if parts.iter().any(|part| part.keys.iter().any(|key| key.name == OBJECTIVE)) {
        parts.push(measures(game, 0));
    }
    parts.extend(kinds.iter().flat_map(|kind| of_kind(game, kind, 0)));
    parts.extend(of_kinds(game, &kinds, 0));
    with_words(parts)
}

/// Returns the whole reference, that of one game, or that of one kind of its questions.
///
/// # Errors
///
/// Fails if a name is unknown. The span of the fault is within that name.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::{games, reference::reference};
///
/// let parts = reference(&games(), Some("asl"), Some("check")).unwrap();
/// assert!(!parts[0].keys.is_empty());
/// ```
pub fn reference(
    registry: &Registry,
    system: Option<&str>,
    kind: Option<&str>,
) -> Result<Vec<KeyGroup>, Fault> {
    let game = system.map(|name| registry.game(name)).transpose()?;
    let parts = match (game, kind) {
        (None, _) => {
            let whole = KeyGroup::new(0, "Files", "their keys, apart from the fields of questions");
            let files = FILES.iter().flat_map(|file| file.parts(registry.first(), true));
            let files = files.map(|part| KeyGroup { depth: part.depth + 1, ..part });
            let games = registry.games().iter().flat_map(|game| of_game(*game));
            std::iter::once(whole).chain(files).chain(games).collect()
        }
        (Some(game), None) => of_game(game),
        (Some(game), Some(name)) if is_first(registry, game) && canonical(name) == ROUT => {
            return Ok(of_file(registry, game, SITUATION));
        }
        (Some(game), Some(name)) => {
            let kind = kind_called(registry, game, name)?;
            [of_kind(game, kind, 0), of_kinds(game, &[kind], 1)].concat()
        }
    };
    Ok(with_words(parts))
}

const OBJECTIVE: &str = ComparisonTable::objective.name;

impl KeyGroup {
    fn new(depth: usize, title: impl Into<String>, about: impl Into<String>) -> KeyGroup {
        let (title, about) = (title.into(), about.into());
        KeyGroup { depth, title, about, keys: Vec::new(), text: String::new() }
    }

    fn with(self, keys: impl IntoIterator<Item = Key>) -> KeyGroup {
        KeyGroup { keys: keys.into_iter().collect(), ..self }
    }
}

impl File {
    fn parts(&self, game: &dyn Game, is_first: bool) -> Vec<KeyGroup> {
        let system = match is_first || self.name != SEQUENCE {
            true => String::new(),
            false => format!("{} ", game.name()),
        };
        let fields = match self.fields_at {
            "" => String::new(),
            place => format!("; the fields of its question stand {place}"),
        };
        let about = format!("{}, for `lowcrawl {system}{}`{fields}", self.about, self.read_by);
        let tables: Vec<(&str, FileTable)> =
            self.tables.iter().flat_map(|(path, fields)| self.below(path, fields)).collect();
        let paths: Vec<&str> = tables.iter().map(|(_, table)| table.path.as_str()).collect();
        let mut parts = vec![KeyGroup::new(0, self.title, about)];
        for (about, table) in &tables {
            let keys = table.fields.iter().map(|field| key(field, &table.path, &paths));
            let keys = keys.chain(table.keyed.map(|(key, value)| Key {
                about: "every other key".to_string(),
                ..Key::new(in_words(key), value)
            }));
            match table.path.as_str() {
                "" => parts[0].keys.extend(keys),
                path => parts.push(KeyGroup::new(1, heading(path), *about).with(keys)),
            }
        }
        parts
    }

    /// Returns the tables at and below `path` that have fields, each with its description.
    fn below(
        &self,
        path: &str,
        fields: &'static [Field],
    ) -> impl Iterator<Item = (&'static str, FileTable)> {
        let below = tables("", fields).into_iter().filter(|table| !table.fields.is_empty());
        below.map(move |table| {
            let way = match (path, table.path.as_str()) {
                ("", below) => below.to_string(),
                (path, "") => path.to_string(),
                (path, below) => format!("{path}.{below}"),
            };
            let place = way.replace(".N", "");
            let field = self.tables.iter().find_map(|(_, fields)| declared(fields, &place));
            (field.map_or("", |field| field.about), FileTable { path: way, ..table })
        })
    }
}

/// Returns the heading of a table, as in TOML: `[map]`, `[[map.building]]`.
fn heading(path: &str) -> String {
    let name = path.replace(".N", "");
    if path.ends_with(".N") { format!("`[[{name}]]`") } else { format!("`[{name}]`") }
}

fn of_game(game: &dyn Game) -> Vec<KeyGroup> {
    let about = format!(
        "questions of `system = \"{}\"`; their fields are the options of their commands too",
        game.name()
    );
    let mut parts = vec![KeyGroup::new(0, game.about(), about)];
    parts.extend(game.kinds().iter().flat_map(|kind| of_kind(game, kind, 1)));
    parts.extend(of_kinds(game, game.kinds(), 1));
    parts.extend([measures(game, 1), points(game)]);
    parts
}

fn of_kind(game: &dyn Game, kind: &'static Kind, depth: usize) -> Vec<KeyGroup> {
    let of_question = |field| match key(field, "", &[]) {
        key if field.sweeps => key,
        key => Key { about: key.about + "; not allowed in the `[grid]` of a study", ..key },
    };
    let fields = all_fields(kind).map(of_question);
    let whole = KeyGroup::new(depth, format!("`{}`", kind.name), kind.about).with(fields);
    let step = |step: &&StepKind| {
        let about = if step.fields().next().is_none() { "has no fields" } else { "" };
        let title = format!("A step of `{}` with `{DO} = \"{}\"`", kind.name, step.name);
        let keys = step.fields().map(|field| key(field, "", &[]));
        KeyGroup::new(depth + 1, title, about).with(keys)
    };
    std::iter::once(whole).chain(game.form(kind).steps().iter().map(step)).collect()
}

fn of_kinds(game: &dyn Game, kinds: &[&'static Kind], depth: usize) -> Vec<KeyGroup> {
    let notation = |(names, text): (String, &str)| KeyGroup {
        text: text.to_string(),
        ..KeyGroup::new(depth, format!("Notation of {names}"), "")
    };
    let policies = |(names, policies): (String, Vec<Policy>)| {
        let keys = policies.into_iter().map(|policy| Key::word(policy.name, policy.about));
        let best = format!("a comparison also has `{BEST}`: the best play for its objective");
        KeyGroup::new(depth, format!("Policies of {names}"), best).with(keys)
    };
    let texts = alike(kinds, |kind| kind.help).into_iter().filter(|(_, text)| !text.is_empty());
    let all = alike(kinds, |kind| game.policies(kind)).into_iter();
    let all = all.filter(|(_, all)| !all.is_empty());
    texts.map(notation).chain(all.map(policies)).collect()
}

/// Groups kinds by equal values of `what`. Each value comes with the names of its kinds.
fn alike<T: PartialEq>(
    kinds: &[&'static Kind],
    what: impl Fn(&'static Kind) -> T,
) -> Vec<(String, T)> {
    let mut all: Vec<(String, T)> = Vec::new();
    for kind in kinds {
        let (name, has) = (format!("`{}`", kind.name), what(kind));
        match all.iter_mut().find(|(_, known)| *known == has) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => all.push((name, has)),
        }
    }
    all
}

fn measures(game: &dyn Game, depth: usize) -> KeyGroup {
    let measure = |measure: &Measure| {
        let fewer = if measure.weight < 0.0 { "; fewer is better for the owner" } else { "" };
        Key::word(measure.name, format!("{}{fewer}", measure.of_several))
    };
    let first = game.measures().first().map_or("", |measure| measure.name);
    let about = format!("names for `{OBJECTIVE}`, alone or with weights: `{{ {first} = 1.0 }}`");
    KeyGroup::new(depth, "Objectives", about).with(game.measures().iter().map(measure))
}

fn points(game: &dyn Game) -> KeyGroup {
    let point = |Parameter { name, default, values, source, about }: &Parameter| Key {
        takes: values.to_string(),
        default: default.to_string(),
        rule: source.name().to_string(),
        ..Key::word(*name, *about)
    };
    let about = "also fields of every question; the last column says how certain each value is";
    KeyGroup::new(1, "Points of the rules", about).with(game.parameters().iter().map(point))
}

impl Key {
    fn word(name: impl Into<String>, about: impl Into<String>) -> Key {
        Key { name: name.into(), about: about.into(), ..Key::default() }
    }

    fn new(name: impl Into<String>, takes: Takes) -> Key {
        Key { takes: in_words(takes), words: many_words(takes), ..Key::word(name, "") }
    }
}

/// Creates the description of a field at `path`; `paths` are the paths of all tables in the file.
fn key(field: &Field, path: &str, paths: &[&str]) -> Key {
    let at = format!("{path}.{}", field.name);
    let at = at.trim_start_matches('.');
    let several = format!("{at}.N");
    let is_table = |path: &str| paths.contains(&path);
    let key = Key::new(field.name, field.takes);
    let takes = match field.takes {
        // Steps, courses and cases accept anything here, because their fields depend on other keys.
        Takes::Text(ANYTHING) => heading(&several),
        _ if is_table(&several) => heading(&several),
        _ if is_table(at) => heading(at),
        _ => key.takes,
    };
    let default = match (field.takes, field.default) {
        (Takes::Flag, None) => "false",
        (_, default) => default.unwrap_or_default(),
    };
    let rule = field.rule.unwrap_or_default().to_string();
    Key { takes, default: default.to_string(), about: about(field), rule, ..key }
}

fn in_words(takes: Takes) -> String {
    match takes {
        Takes::Number(low, i64::MAX) => format!("a whole number from {low}"),
        Takes::Number(low, high) => format!("{low} to {high}"),
        Takes::Word(name, words) => match words()[..] {
            [word] => format!("{name} or {word}"),
            ref words if words.len() <= FEW_WORDS => words.join(", "),
            _ => name.to_string(),
        },
        Takes::Text(name) => name.to_string(),
        Takes::Parts(name) | Takes::Lines(name) | Takes::Tables(name) => name.to_string(),
        Takes::Numbers(name) => format!("{name}: a whole number, or a list"),
        Takes::List(Takes::List(each)) => format!("lists of {}", in_words(**each)),
        Takes::List(each) => format!("{}, or a list", in_words(*each)),
        Takes::Keyed(_, Takes::Text(ANYTHING), _) => "fields".to_string(),
        Takes::Keyed(key, value, _) => format!("{{ {} = {} }}", in_words(*key), in_words(*value)),
        Takes::Flag | Takes::Table(_) => takes.in_words(),
    }
}

/// Returns the placeholder and the words, if there are more than [`FEW_WORDS`].
fn many_words(takes: Takes) -> Option<(&'static str, Vec<&'static str>)> {
    match takes {
        Takes::Word(name, words) => {
            Some((name, words())).filter(|(_, words)| words.len() > FEW_WORDS)
        }
        Takes::List(each) => many_words(*each),
        Takes::Keyed(key, value, _) => many_words(*key).or_else(|| many_words(*value)),
        _ => None,
    }
}

fn with_words(mut parts: Vec<KeyGroup>) -> Vec<KeyGroup> {
    let words: BTreeMap<_, _> =
        parts.iter().flat_map(|part| &part.keys).filter_map(|key| key.words.clone()).collect();
    if !words.is_empty() {
        let words = words.into_iter().map(|(name, words)| Key::word(name, words.join(", ")));
        let about = "the meaning of names in capitals, if there are many";
        parts.push(KeyGroup::new(0, "Words", about).with(words));
    }
    parts
}
