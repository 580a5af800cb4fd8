//! Fields as a file gives them: each value with its source position, so that every fault has one.

use crate::form::Form;
use answer::Cell;
use engine::text::{Fault, canonical};
use schema::common_fields::{GIVEN_FIELD, POLICY_FIELD};
use schema::field::NONE;
use schema::nested::is_nested;
use schema::{
    Entry, FieldFault, FieldValue as _, Json, Node, Raw, RawValue, SourcePosition, Spanned, Takes,
    Whole,
};

/// A value of a field, with its position.
pub type Located = Spanned<Owned>;

/// A value as a file has it: a text, a whole number, or true or false.
#[derive(Clone, Debug, PartialEq)]
pub enum Owned {
    Text(String),
    Integer(i64),
    Boolean(bool),
}

impl From<RawValue<'_>> for Owned {
    fn from(value: RawValue) -> Owned {
        match value {
            RawValue::Text(text) => Owned::Text(text.to_string()),
            RawValue::Integer(number) => Owned::Integer(number),
            RawValue::Boolean(value) => Owned::Boolean(value),
        }
    }
}

impl Owned {
    /// Borrows the value for a form.
    pub fn value(&self) -> RawValue<'_> {
        match self {
            Owned::Text(text) => RawValue::Text(text),
            Owned::Integer(number) => RawValue::Integer(*number),
            Owned::Boolean(value) => RawValue::Boolean(*value),
        }
    }

    /// Converts the value to a cell of a table.
    pub fn cell(&self) -> Cell {
        match self {
            Owned::Text(text) => Cell::Text(text.clone()),
            Owned::Integer(number) => Cell::Integer(*number),
            Owned::Boolean(value) => Cell::Boolean(*value),
        }
    }

    /// Converts the value to a cell of a field. In a column of numbers, `none` becomes null.
    pub fn cell_of(&self, takes: Option<Takes>) -> Cell {
        match (self, takes) {
            (Owned::Text(text), Some(Takes::Number(..))) if canonical(text) == NONE => Cell::Null,
            _ => self.cell(),
        }
    }
}

/// Reads the value of a field that is not a list.
///
/// # Errors
///
/// Fails at the position of the value if it is a list, a table, a decimal number or null.
pub fn placed(field: &str, node: &Node) -> Result<Located, Fault> {
    let value = node.value().ok_or_else(|| {
        node.place.fault(format!(
            "`{field}` must be a text, a whole number or true/false, not {}",
            node.kind()
        ))
    })?;
    Ok(Spanned { value: value.into(), place: node.place.clone() })
}

fn type_of(field: &str, form: &dyn Form) -> Option<Takes> {
    let of_every_kind = || {
        [&POLICY_FIELD, &GIVEN_FIELD].into_iter().find(|known| known.is_called(&canonical(field)))
    };
    form.field(field).or_else(of_every_kind).map(|field| field.takes)
}

/// Reads the value of a field. `whole` is the list that contains the value, or the value itself.
fn read(field: &str, whole: &Node, node: &Node, form: &dyn Form) -> Result<Located, Fault> {
    let takes = type_of(field, form);
    match &node.raw {
        Raw::List(numbers) if matches!(takes, Some(Takes::Numbers(_))) => {
            let name = field.rsplit('.').next().unwrap_or(field);
            let number = |node| {
                Whole::<1, 255>::read_node(name, node).map(|number| number.number().to_string())
            };
            let numbers: Result<Vec<String>, Fault> = numbers.iter().map(number).collect();
            Ok(Spanned {
                value: Owned::Text(numbers?.join(",")),
                place: SourcePosition::whole(node.place.span.clone()),
            })
        }
        Raw::List(tables) if matches!(takes, Some(Takes::Parts(_))) => {
            let parts: Result<Vec<String>, Fault> = tables.iter().map(part).collect();
            Ok(Spanned {
                value: Owned::Text(parts?.join(" | ")),
                place: SourcePosition::whole(node.place.span.clone()),
            })
        }
        Raw::List(_) | Raw::Table(_) if takes.is_some_and(is_nested) => {
            let (text, place) = node.to_json_text();
            Ok(Spanned { value: Owned::Text(text), place })
        }
        Raw::List(lines) if matches!(takes, Some(Takes::Lines(_))) => {
            let line = |node| Ok(placed(field, node)?.value.cell().text());
            let lines: Result<Vec<String>, Fault> = lines.iter().map(line).collect();
            Ok(Spanned {
                value: Owned::Text(lines?.join("; ")),
                place: SourcePosition::whole(node.place.span.clone()),
            })
        }
        Raw::List(_) | Raw::Table(_) if matches!(takes, Some(Takes::Tables(_))) => Ok(Spanned {
            value: Owned::Text(json_of(node).to_string()),
            place: SourcePosition::whole(node.place.span.clone()),
        }),
        _ => placed(field, node).map_err(|fault| {
            let message = takes.map(|takes| {
                format!("`{field}` must be {}, not {}", takes.in_words(), node.kind())
            });
            let fault = Fault {
                span: whole.place.span.clone(),
                message: message.unwrap_or(fault.message),
                ..fault
            };
            match is_part_of_a_name(field, node, form) {
                true => fault.help(format!("write a name with a dot in quotes: \"{field}. ...\"")),
                false => fault,
            }
        }),
    }
}

/// Returns the JSON of a list or table, for a field that reads it from there.
fn json_of(node: &Node) -> Json {
    match &node.raw {
        Raw::Text(text) => text.as_str().into(),
        Raw::Integer(number) => (*number).into(),
        Raw::Boolean(value) => (*value).into(),
        Raw::Decimal(number) => (*number).into(),
        Raw::Other(_) => Json::Null,
        Raw::List(list) => list.iter().map(json_of).collect(),
        Raw::Table(entries) => {
            entries.iter().map(|(key, node)| (key.value.clone(), json_of(node))).collect()
        }
    }
}

/// Writes a table with `stack` and further keys as a part of a text: `STACK @ KEY VALUE, ...`.
fn part(table: &Node) -> Result<String, Fault> {
    const STACK: &str = "stack";
    let Raw::Table(entries) = &table.raw else {
        return Err(table.place.fault(format!("expected a table with `{STACK}`")));
    };
    let (mut stack, mut facts) = (None, Vec::new());
    for (key, node) in entries {
        let text = placed(&key.value, node)?.value.cell().text();
        match key.value == STACK {
            true => stack = Some(text),
            false => facts.push(format!("{} {text}", key.value)),
        }
    }
    let missing = || table.place.fault(format!("`{STACK}` is missing"));
    let (stack, facts) = (stack.ok_or_else(missing)?, facts.join(", "));
    Ok(if facts.is_empty() { stack } else { format!("{stack} @ {facts}") })
}

/// Returns true if TOML has split the name of a rule setting at its dot into a table.
fn is_part_of_a_name(field: &str, node: &Node, form: &dyn Form) -> bool {
    let dotted = format!("{field}.");
    matches!(node.raw, Raw::Table(_))
        && form.settings().iter().any(|name| name.starts_with(&dotted))
}

/// Reads the value of a field and tries it on a copy of `probe`, the form as filled in so far.
///
/// # Errors
///
/// Fails at the position of the key if the field is unknown, and at that of the value if the form
/// does not accept it.
pub fn tried(
    key: &Spanned<String>,
    whole: &Node,
    node: &Node,
    probe: &dyn Form,
) -> Result<Located, Fault> {
    let field = &key.value;
    if !probe.knows(field) && !is_part_of_a_name(field, node, probe) {
        let unknown = probe.boxed().set(field, RawValue::Boolean(true));
        unknown.map_err(|fault| Fault { span: key.place.span.clone(), ..fault })?;
    }
    let placed = read(field, whole, node, probe)?;
    probe.boxed().set(field, placed.value.value()).map_err(|fault| placed.place.blamed(fault))?;
    Ok(placed)
}

/// Fills further fields into a form, in order.
///
/// # Errors
///
/// Fails at the position of the first value that the form does not accept.
pub fn with<'a>(
    mut form: Box<dyn Form>,
    fields: impl Iterator<Item = (&'a str, &'a Located)>,
) -> Result<Box<dyn Form>, Fault> {
    for (field, placed) in fields {
        form.set(field, placed.value.value()).map_err(|fault| placed.place.blamed(fault))?;
    }
    Ok(form)
}

/// Moves the fault of a finished form to the position of its field in the file.
pub fn blamed(fields: &[(&str, &Located)], error: FieldFault) -> Fault {
    let named = |name: &str| fields.iter().find(|(field, _)| *field == name);
    // The fault of a field that is missing from a step refers to that step.
    let step = || step_of(&error.field).and_then(|number| named(&format!("{number}.do")));
    match named(&error.field).or_else(step) {
        Some((_, placed)) => placed.place.blamed(error.fault),
        None => Fault { span: 0..0, ..error.fault },
    }
}

/// Returns a table's fields in order; with `steps`, a nested table `2 = { fp = 4 }` gives `2.fp`.
pub fn field_entries(table: &[Entry], steps: bool) -> Vec<(Spanned<String>, &Node)> {
    let mut entries = Vec::new();
    for (key, node) in table {
        match (key.value.parse::<usize>(), &node.raw) {
            (Ok(number), Raw::Table(fields)) if steps => {
                entries.extend(fields.iter().map(|(field, node)| (in_step(number, field), node)))
            }
            _ => entries.push((key.clone(), node)),
        }
    }
    entries
}

/// Returns the entries of a table whose dotted keys lead into tables of a field, each under its
/// whole path: `side.german.elr`. Other entries stay as they are.
pub fn nested_entries(key: &Spanned<String>, node: &Node, form: &dyn Form) -> Option<Vec<Entry>> {
    let field = form.field(&key.value)?;
    let Raw::Table(entries) = &node.raw else { return None };
    if !matches!(field.takes, Takes::List(Takes::Table(_))) {
        return None;
    }
    let mut all = Vec::new();
    let mut open: Vec<(String, &[Entry])> = vec![(key.value.clone(), entries)];
    while let Some((path, entries)) = open.pop() {
        for (own, node) in entries {
            let path = format!("{path}.{}", own.value);
            match &node.raw {
                Raw::Table(below) => open.push((path, below)),
                _ => all.push((Spanned { value: path, place: own.place.clone() }, node.clone())),
            }
        }
    }
    Some(all)
}

/// Returns the 1-based step to which a field such as `2.fp` belongs, or `None` for other fields.
pub fn step_of(field: &str) -> Option<usize> {
    field.split_once('.')?.0.parse().ok()
}

/// Puts the number of the step before the key of a field: `2.fp`.
pub fn in_step(number: usize, field: &Spanned<String>) -> Spanned<String> {
    Spanned { value: format!("{number}.{}", field.value), place: field.place.clone() }
}
