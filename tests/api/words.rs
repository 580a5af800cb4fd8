//! Words that players type, one case a row of `words.txt`: `KIND field=value; .. => what is read`,
//! or the message and the fix. `LOWCRAWL_WRITE=1` writes the right sides again, for review.

use std::path::Path;
use std::{env, fs};

use lowcrawl::schema::FieldFault;
use lowcrawl::text::notation::Notation;

use super::GAMES;

/// The sign between a case and its result.
const IS: &str = " => ";
/// The largest number of characters of a fix: one clear line, never a list of all valid words.
const LONGEST_FIX: usize = 220;

/// Words of a message that itself says what to write.
const NAMED: [&str; 4] = ["must be", "expected", "missing", "use either"];

/// Returns the question as understood with its notes, or the fault of a field.
fn read(case: &str) -> Result<String, FieldFault> {
    let (kind, fields) = case.split_once(' ').unwrap();
    let kind = GAMES.first().kinds().iter().find(|known| known.name == kind).unwrap();
    let mut form = GAMES.form(kind);
    for (name, value) in fields.split("; ").map(|field| field.split_once('=').unwrap()) {
        let takes = form.field(name).map(|field| field.takes);
        let raw = takes.map_or(value.into(), |takes| takes.value(value));
        form.set(name, raw).map_err(|fault| FieldFault { field: name.to_string(), fault })?;
    }
    let question = form.finish()?;
    let meta = question.meta(String::new());
    let notes: String = meta.notes.iter().map(|note| format!("; note: {note}")).collect();
    Ok(meta.question + &notes)
}

#[test]
fn words_of_players_are_read_or_refused_with_their_fix() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/words.txt");
    let stored = fs::read_to_string(&path).unwrap();
    let (mut refused, mut unclear, mut now) = (0, Vec::new(), String::new());
    for case in stored.lines().map(|line| line.split(IS).next().unwrap()) {
        let result = match read(case) {
            Ok(question) => question,
            Err(FieldFault { field, fault }) => {
                refused += 1;
                let fix = fault.help.map(|help| help.render(Notation::Words)).unwrap_or_default();
                let is_named =
                    !fix.is_empty() || NAMED.iter().any(|word| fault.message.contains(word));
                if !is_named || fix.len() > LONGEST_FIX || fix.contains('\n') {
                    unclear.push(case);
                }
                format!("{field}: {}; fix: {fix}", fault.message)
            }
        };
        now += &format!("{case}{IS}{result}\n");
    }
    if env::var_os("LOWCRAWL_WRITE").is_some() {
        fs::write(&path, &now).unwrap();
    }
    for (was, is) in stored.lines().zip(now.lines()) {
        assert_eq!(was, is);
    }
    assert!(unclear.is_empty(), "{unclear:#?}");
    assert!(refused >= 70, "{refused}");
}
