//! The game and the kind of question that a file names.

use super::tables::HeadTable;
use crate::registry::{Game, Registry};
use engine::text::notation::text_field;
use engine::text::{Fault, canonical};
use schema::from_toml;
use schema::{Kind, QuestionTable, Spanned};

/// The name of the question about a rout on a map, which has no form of fields.
pub const ROUT: &str = "rout";

/// Returns the game that `system` names, by default the first game of `registry`.
///
/// # Errors
///
/// Fails at the position of the name if there is no such game.
pub fn game_of(
    registry: &Registry,
    system: Option<&Spanned<String>>,
) -> Result<&'static dyn Game, Fault> {
    let Some(Spanned { value: name, place }) = system else { return Ok(registry.first()) };
    registry.game(name).map_err(|fault| Fault { span: place.span.clone(), ..fault })
}

/// Returns the kind of question that `question` names.
///
/// # Errors
///
/// Fails if there is no `question`, or if the game has no such kind.
pub fn kind_of(
    game: &dyn Game,
    question: Option<&Spanned<String>>,
) -> Result<&'static Kind, Fault> {
    named_kind(game, "question", question, &[])
}

/// Returns the kind that the value of `key` names. Messages list `others` as valid too.
///
/// # Errors
///
/// Fails if the key is missing, or if the game has no such kind.
pub fn named_kind(
    game: &dyn Game,
    key: &'static str,
    question: Option<&Spanned<String>>,
    others: &[&'static str],
) -> Result<&'static Kind, Fault> {
    let names = || game.kinds().iter().map(|kind| kind.name).chain(others.iter().copied());
    let Spanned { value: text, place } = question.ok_or_else(|| {
        let message = format!(
            "`{key}` is missing: expected one of {}",
            names().collect::<Vec<_>>().join(", ")
        );
        Fault::new(message, 0..0).help(text_field(key, game.kinds()[0].name))
    })?;
    let fault = || place.fault(format!("`{key}` cannot be `{text}`")).expecting(text, names());
    Kind::named(text, game.kinds()).ok_or_else(fault)
}

/// Reads the game and the kind of question of a file, and ignores the rest of the file.
///
/// # Errors
///
/// Fails if the file is not TOML, or if its game or kind is missing or unknown.
pub fn head(text: &str, registry: &Registry) -> Result<(&'static dyn Game, &'static Kind), Fault> {
    let HeadTable { system, question } = head_table(text)?;
    let game = game_of(registry, system.as_ref())?;
    Ok((game, kind_of(game, question.as_ref())?))
}

/// Returns true if a file asks about a rout on a map. Only files of the first game can do so.
pub fn is_about_a_map(text: &str, registry: &Registry) -> bool {
    let Ok(HeadTable { system, question }) = head_table(text) else { return false };
    let game = game_of(registry, system.as_ref());
    game.is_ok_and(|game| game.name() == registry.first().name())
        && question.is_some_and(|question| canonical(&question.value) == ROUT)
}

fn head_table(text: &str) -> Result<HeadTable, Fault> {
    from_toml::read(text, "a file").map(|file: QuestionTable<HeadTable>| file.fields)
}
