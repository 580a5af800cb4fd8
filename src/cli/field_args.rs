//! The fields of a question as command-line options: help, values or lists, and the one at fault.

use std::collections::BTreeMap;
use std::ops::Range;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::fault::{Failure, Result};
use super::shell_words::{quoted, typed};
use crate::study::list_study::MOST_CELLS;
use answer::Cell;
use asl::kinds::COMMON;
use asl::rout::RoutFields;
use engine::text::notation::Notation;
use engine::text::{Fault, canonical};
use play::{Form, Owned};
use render::sentence;
use schema::common_fields::{GIVEN_FIELD, POLICY};
use schema::form::setting;
use schema::value_list::values;
use schema::{Field, Fields as _, RawValue, Settable, Takes};

/// The field options and `--set` options of a command line.
#[derive(Clone, Debug, Default)]
pub struct FieldArgs {
    /// Each occurrence of a field with its text (`true` or `false` for a flag), in order.
    options: Vec<(&'static Field, String)>,
    sets: Vec<String>,
}

/// A field with several values on the command line.
pub struct Typed {
    /// The name of its option and of its result column.
    pub field: &'static str,
    /// The option to name in messages, such as `--leader`.
    pub place: String,
    /// Each value, with the text that contains it and the span in that text.
    pub values: TypedValues,
    /// The declared field; `None` for a rule setting given by `--set`.
    pub declared: Option<&'static Field>,
    /// The advice for faults that have none.
    pub advice: Option<String>,
}

impl Typed {
    /// Creates a list for a field that is a positional argument; `place` is its name in messages.
    pub fn new(field: &'static Field, place: &str, values: TypedValues) -> Typed {
        let (place, declared) = (place.to_string(), Some(field));
        Typed { field: field.name, place, values, declared, advice: None }
    }

    /// Returns whether this list belongs to the field `name`.
    pub fn is_called(&self, name: &str) -> bool {
        self.field == name || self.declared.is_some_and(|field| field.is_called(name))
    }

    /// Returns the failure for a fault in the value with index `value` (0-based).
    pub fn blame(&self, value: usize, fault: Fault) -> Failure {
        let fault = match (&self.advice, &fault.help) {
            (Some(advice), None) => fault.help(advice.as_str()),
            (Some(advice), Some(help)) => {
                let help = format!("{}; {advice}", help.render(Notation::Words));
                fault.help(help)
            }
            (None, _) => fault,
        };
        let Some((_, text, place)) = self.values.get(value) else {
            return Failure::argument(&self.place, "", fault);
        };
        let fault = match fault.span.is_empty() {
            true => Fault { span: place.clone(), ..fault },
            false => fault.shifted(place.start),
        };
        Failure::argument(&self.place, text, fault)
    }

    /// Returns each value with its cell of the table.
    pub fn swept_values(&self) -> Vec<(Cell, Owned)> {
        let takes = self.declared.map(|field| field.takes);
        self.values.iter().map(|(owned, ..)| (owned.cell_of(takes), owned.clone())).collect()
    }
}

/// Returns whether a field accepts several values. Policies do not, since `compare` compares them.
fn takes_list(field: &Field) -> bool {
    field.sweeps && field.name != POLICY
}

const SET: &str = "set";

/// Returns the option name of a field: its negation, such as `no-hob`, or its name.
fn option(field: &Field) -> &'static str {
    field.negation.unwrap_or(field.name)
}

/// Returns the help of a field. An option that overrides a file has no default.
fn help(field: &Field, over_file: bool) -> String {
    let range = match field.takes {
        Takes::Number(low, high) => format!(", {low} to {high}"),
        _ => String::new(),
    };
    let has_default = !over_file && !matches!(field.takes, Takes::Flag);
    let default = field.default.filter(|_| has_default);
    let default = default.map_or(String::new(), |default| format!(" [default: {default}]"));
    let rule = field.rule.map_or(String::new(), |rule| format!(" ({rule})"));
    format!("{}{range}{rule}{default}", sentence(field.about))
}

/// A parser that accepts any text, which its field checks, and offers words for completion.
#[derive(Clone)]
struct Words(fn() -> Vec<&'static str>);

impl clap::builder::TypedValueParser for Words {
    type Value = String;

    fn parse_ref(
        &self,
        _: &Command,
        _: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        let text = value.to_str().map(str::to_string);
        text.ok_or_else(|| {
            clap::Error::raw(clap::error::ErrorKind::InvalidUtf8, "the value is not UTF-8\n")
        })
    }

    fn possible_values(
        &self,
    ) -> Option<Box<dyn Iterator<Item = clap::builder::PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(clap::builder::PossibleValue::new)))
    }
}

/// Builds the option of a field. A flag also accepts `=false`, to override a file.
fn argument(field: &'static Field, over_file: bool, lists: bool) -> Arg {
    let argument = Arg::new(field.name).long(option(field)).help(help(field, over_file));
    let argument = match lists && takes_list(field) {
        true => argument.action(ArgAction::Append),
        false => argument,
    };
    match field.takes {
        Takes::Flag => argument
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("false"),
        Takes::Number(..) | Takes::Numbers(_) => {
            argument.value_name(field.takes.placeholder()).allow_hyphen_values(true)
        }
        Takes::Text(name) | Takes::Parts(name) => argument.value_name(name),
        Takes::Lines(name) | Takes::Tables(name) => {
            argument.value_name(name).action(ArgAction::Append)
        }
        // Fields of these types can be set in files only.
        Takes::List(_) | Takes::Table(_) | Takes::Keyed(..) => argument.hide(true),
        Takes::Word(name, words) => {
            argument.value_name(name).value_parser(Words(words)).hide_possible_values(true)
        }
    }
}

/// Adds `--set`, with the command line `settings` in its help, and an option (or list) per field.
pub fn with_options(
    command: Command,
    fields: impl Iterator<Item = &'static Field>,
    over_file: bool,
    lists: bool,
    settings: &str,
) -> Command {
    let set = Arg::new(SET).long(SET).value_name("NAME=VALUE").action(ArgAction::Append);
    let set = set.help_heading("Rules");
    let set = set.help(format!(
        "Set one interpretation or parameter, as listed by `{settings}`; may be repeated"
    ));
    command.args(fields.map(|field| argument(field, over_file, lists))).arg(set)
}

/// Joins the words of stacks without quotes: `9-1 + 3x german:4-6-7` is one stack.
pub fn joined<'a>(words: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut stacks: Vec<String> = Vec::new();
    for word in words {
        match stacks.last_mut() {
            Some(stack) if goes_on(stack) || word.starts_with('+') => *stack += &format!(" {word}"),
            _ => stacks.push(word.clone()),
        }
    }
    stacks
}

/// Returns whether a stack ends in the middle: `9-1 +`, or `9-1 + 3x`.
fn goes_on(stack: &str) -> bool {
    let is_number = |word: &str| word.strip_suffix('x').is_some_and(|n| n.parse::<u8>().is_ok());
    stack.ends_with('+') || stack.rsplit(' ').next().is_some_and(is_number)
}

impl FieldArgs {
    /// Collects the options of `fields` that were given, and `--set`.
    pub fn from_matches(
        matches: &ArgMatches,
        fields: impl Iterator<Item = &'static Field>,
    ) -> FieldArgs {
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned();
        let mut options = BTreeMap::new();
        for field in fields {
            let places = matches.indices_of(field.name).into_iter().flatten();
            options.extend(places.zip(texts(field.name).map(|text| (field, text))));
        }
        FieldArgs { options: options.into_values().collect(), sets: texts(SET).collect() }
    }

    /// Separates fields with several values from others; what `form` accepts as one is no list.
    pub fn lists(&self, form: &dyn Form) -> Result<(Vec<Typed>, FieldArgs)> {
        let (mut lists, mut rest): (Vec<Typed>, FieldArgs) = Default::default();
        for (field, text) in &self.options {
            let name = option(field);
            if lists.iter().any(|list: &Typed| list.field == name) {
                continue;
            }
            let place = format!("--{name}");
            let same = self.options.iter().filter(|(other, _)| other.name == field.name);
            let texts: Vec<String> = same.map(|(_, text)| text.clone()).collect();
            if let (Takes::Lines(_) | Takes::Tables(_), [_, _, ..]) = (field.takes, &texts[..]) {
                if rest.options.iter().all(|(known, _)| known.name != field.name) {
                    rest.options.push((field, texts.join("; ")));
                }
                continue;
            }
            let values = match &texts[..] {
                [_] if !takes_list(field) || !(text.contains(',') || text.contains("..")) => None,
                [_] => list_for(form, name, (&place, text, 0), &|text| field.takes.value(text))?,
                texts => Some(whole_values(field, texts)),
            };
            match values {
                Some(values) => {
                    let advice = together(form, field, &texts);
                    let list = Typed::new(field, &place, values);
                    lists.push(Typed { field: name, advice, ..list });
                }
                None => rest.options.push((field, text.clone())),
            }
        }
        for set in &self.sets {
            let known = set.split_once('=');
            let known = known.and_then(|(name, _)| Some((set_name(form, name)?, name.len() + 1)));
            let values = match &known {
                Some((id, shift)) => list_for(form, id, ("--set", set, *shift), &setting)?,
                None => None,
            };
            match known.zip(values) {
                Some(((field, _), values)) => {
                    let (place, declared) = ("--set".to_string(), form.field(field));
                    lists.push(Typed { field, place, values, declared, advice: None });
                }
                None => rest.sets.push(set.clone()),
            }
        }
        Ok((lists, rest))
    }

    /// Returns the failure for an option of several words without quotes, of which the others were
    /// taken for arguments, as in `--by 3x german:4-6-7`. `None` if none ends in the middle.
    pub fn unquoted(&self, arguments: &[String]) -> Option<Failure> {
        let rest = arguments.get(1..).filter(|rest| !rest.is_empty())?.join(" ");
        let (field, text) = self.options.iter().find(|(_, text)| goes_on(text))?;
        let whole = typed(option(field), &format!("{text} {rest}"));
        let message = format!("unexpected `{rest}` after it");
        let failure = Failure::refused(&format!("--{}", option(field)), text, message);
        Some(failure.help(format!("write words with spaces in quotes:{whole}")))
    }

    /// Returns the first given option whose field `known` lacks; `None` if there is none.
    pub fn unknown_to(&self, known: &dyn Settable) -> Option<String> {
        let unknown = self.options.iter().find(|(field, _)| !known.knows(field.name));
        unknown.map(|(field, _)| format!("--{}", option(field)))
    }

    /// Replaces the text of a field, if it is given, by what `read` makes of it.
    pub fn with_text(
        mut self,
        name: &str,
        read: impl Fn(&str) -> Result<String>,
    ) -> Result<FieldArgs> {
        for (_, text) in self.options.iter_mut().filter(|(field, _)| field.name == name) {
            *text = read(text)?;
        }
        Ok(self)
    }

    /// Takes the second of two subjects as the value of a field, if it is not given otherwise.
    pub fn take_second(&mut self, field: &'static Field, subjects: &mut Vec<String>) {
        if let ([_, _], false) = (&subjects[..], self.has(field.name)) {
            self.options.extend(subjects.pop().map(|second| (field, second)));
        }
    }

    /// Takes the names of several policies, if given, such as `keep-dm,leaders-first`.
    pub fn take_policies(&mut self) -> Vec<String> {
        let several =
            |(field, text): &(&'static Field, String)| field.name == POLICY && text.contains(',');
        let Some(place) = self.options.iter().position(several) else { return Vec::new() };
        let (_, text) = self.options.remove(place);
        text.split(',').map(|name| name.trim().to_string()).collect()
    }

    /// Sets all fields and rule settings in `form`. Fails if a value is refused or given twice.
    pub fn fill(&self, form: &mut dyn Settable) -> Result<()> {
        for (field, text) in &self.options {
            form.set(option(field), field.takes.value(text))
                .map_err(|fault| self.blame(field.name, fault))?;
        }
        for (place, set) in self.sets.iter().enumerate() {
            let id = |set: &String| form.setting(set.split('=').next().unwrap_or_default());
            let is_earlier =
                |known: &&str| self.sets[..place].iter().any(|set| id(set) == Some(known));
            if let Some(id) = id(set).filter(is_earlier) {
                let message = format!("`{id}` is set twice");
                return Err(Failure::refused("--set", set, message).help("remove one of them"));
            }
            fill_setting(form, set)?;
        }
        Ok(())
    }

    /// Sets all fields in `form`. Call [`FieldArgs::fill`] first, which blames arguments.
    pub fn put(&self, form: &mut dyn Settable) -> Result<(), Fault> {
        for (field, text) in &self.options {
            form.set(option(field), field.takes.value(text))?;
        }
        let mut parts = self.sets.iter().filter_map(|set| set.split_once('='));
        parts.try_for_each(|(name, value)| form.set(name, setting(value)))
    }

    /// Returns whether an option or `--set` sets the field or rule setting `name`.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(field, _)| field.is_called(name)) || self.set_of(name).is_some()
    }

    /// Returns all values of a field's option and `--set`, with blanks between.
    pub fn texts(&self, name: &str) -> String {
        let options = self.options.iter().filter(|(field, _)| field.is_called(name));
        let texts = options.map(|(_, text)| text.as_str());
        let set = self.set_of(name).and_then(|set| set.split_once('='));
        texts.chain(set.map(|(_, text)| text)).collect::<Vec<_>>().join(" ")
    }

    fn set_of(&self, name: &str) -> Option<&String> {
        self.sets.iter().rfind(|set| canonical(set.split('=').next().unwrap_or_default()) == name)
    }

    /// Returns the failure for a fault of the field `name`, at the argument that set the field.
    pub fn blame(&self, name: &str, fault: Fault) -> Failure {
        if let Some(set) = self.set_of(name) {
            return Failure::argument("--set", set, Fault { span: 0..set.len(), ..fault });
        }
        let option = self.options.iter().find(|(field, _)| field.is_called(name));
        let (place, text) = match option {
            Some((field, text)) if matches!(field.takes, Takes::Flag) && text == "true" => {
                (self::option(field), "")
            }
            Some((field, text)) => (self::option(field), text.as_str()),
            None => (name, ""),
        };
        Failure::argument(&format!("--{place}"), text, fault)
    }

    /// Returns the options as text for a command line.
    pub fn words(&self) -> String {
        let options = self.options.iter().map(|(field, text)| match (field.takes, text.as_str()) {
            (Takes::Flag, "true") => format!(" --{}", option(field)),
            (Takes::Flag, text) => format!(" --{}={text}", option(field)),
            (_, text) => typed(option(field), text),
        });
        options.chain(self.sets.iter().map(|set| format!(" --set {}", quoted(set)))).collect()
    }
}

/// Returns advice to join the values of a field by `+`, as units that act together, if the field
/// takes that.
fn together(form: &dyn Form, field: &Field, texts: &[String]) -> Option<String> {
    let joined = texts.join(" + ");
    let is_meant = texts.len() > 1
        && !texts.iter().any(|text| text.contains('+'))
        && form.boxed().set(field.name, field.takes.value(&joined)).is_ok();
    let option = option(field);
    is_meant.then(|| format!("write units that act together as one: `--{option} \"{joined}\"`"))
}

/// Parses the list at byte `shift` of `text`; `None` if `form` accepts it as one value, or no part.
fn list_for(
    form: &dyn Form,
    field: &str,
    (place, text, shift): (&str, &str, usize),
    read: &dyn Fn(&str) -> RawValue,
) -> Result<Option<TypedValues>> {
    let accepts = |value: &RawValue| form.boxed().set(field, *value).is_ok();
    // A comma within parts is a sign of their own notation.
    let is_notation = |field: &Field| matches!(field.takes, Takes::Parts(_) | Takes::Tables(_));
    let has_parts = form.field(field).is_some_and(is_notation);
    if has_parts || accepts(&read(&text[shift..])) {
        return Ok(None);
    }
    let values = split(place, text, shift, read)?;
    Ok(values.filter(|values| values.iter().any(|(value, ..)| accepts(&value.value()))))
}

/// Values from the command line, each with the text that contains it and its span in that text.
pub type TypedValues = Vec<(Owned, String, Range<usize>)>;

pub fn whole_values(field: &Field, texts: &[String]) -> TypedValues {
    let whole = |text: &String| (field.takes.value(text).into(), text.clone(), 0..text.len());
    texts.iter().map(whole).collect()
}

/// Parses the list at byte `shift` of `text`; `None` for a single value.
pub fn split(
    place: &str,
    text: &str,
    shift: usize,
    read: &dyn Fn(&str) -> RawValue,
) -> Result<Option<TypedValues>> {
    let listed = values(&text[shift..], MOST_CELLS)
        .map_err(|fault| Failure::argument(place, text, fault.shifted(shift)))?;
    let value = |(value, Range { start, end }): (String, _)| {
        (Owned::from(read(&value)), text.to_string(), start + shift..end + shift)
    };
    Ok(listed.map(|values| values.into_iter().map(value).collect()))
}

/// Returns the canonical name of what `--set` sets: a rule setting, or a part of a field of tables.
fn set_name(form: &dyn Form, name: &str) -> Option<&'static str> {
    let is_part = || name.contains('.') && form.knows(name);
    // Columns have static names. A command line is read once, so this leaks a few bytes.
    let part = || is_part().then(|| &*canonical(name).leak());
    form.setting(name).or_else(part)
}

fn fill_setting(form: &mut dyn Settable, set: &str) -> Result<()> {
    let at_fault = |fault| Failure::argument("--set", set, fault);
    let Some((name, value)) = set.split_once('=') else {
        let help = format!("for example {}", form.example());
        return Err(Failure::refused("--set", set, "expected `NAME=VALUE`").help(help));
    };
    let is_part = name.contains('.') && form.knows(name);
    if form.setting(name).is_none() && !is_part {
        return Err(at_fault(form.unknown_setting(name)));
    }
    let at_value = |fault: Fault| at_fault(fault.shifted(name.len() + 1));
    form.set(name, setting(value)).map_err(at_value)
}

/// The options that override one of the sets of fields in [`SETS`] of a file.
#[derive(Clone, Debug)]
pub struct FileOverrides<const SET: usize> {
    pub given: FieldArgs,
}

/// The options that override a file of questions.
pub type OverrideArgs = FileOverrides<0>;
/// The options that override a file for `solve`, including dice already rolled (`--given`).
pub type SolveOverrides = FileOverrides<1>;
/// The options that override a situation file.
pub type SituationOverrides = FileOverrides<2>;

// Common fields that a study cannot vary would change the columns.
const SETS: [fn() -> Vec<&'static Field>; 3] = [
    || COMMON.iter().filter(|field| field.sweeps).collect(),
    || COMMON.iter().filter(|field| field.sweeps).chain([&GIVEN_FIELD]).collect(),
    || RoutFields::ALL.iter().collect(),
];

impl<const SET: usize> Args for FileOverrides<SET> {
    fn augment_args(command: Command) -> Command {
        with_options(command, SETS[SET]().into_iter(), true, false, "lowcrawl rules")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SET: usize> FromArgMatches for FileOverrides<SET> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(FileOverrides { given: FieldArgs::from_matches(matches, SETS[SET]().into_iter()) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
