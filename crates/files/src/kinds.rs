//! The game that a file names, and the kind of question it asks.

use super::from_toml::{self, Asked};
use super::tables::HeadTable;
use engine::text::notation::text_field;
use engine::text::{Fault, canonical};
use system::node::Spanned;
use system::{Game, House, Kind};

/// The question about a map, which is read elsewhere: it is no form of fields.
pub const ROUT: &str = "rout";

/// The game that `system` names; the first of the house where it names none.
pub fn game_of(
    house: &House,
    system: Option<&Spanned<String>>,
) -> Result<&'static dyn Game, Fault> {
    let Some(Spanned { value: name, place }) = system else { return Ok(house.first()) };
    house.game(name).map_err(|fault| Fault { span: place.span.clone(), ..fault })
}

/// The kind of question that `question` names.
pub fn kind_of(
    game: &dyn Game,
    question: Option<&Spanned<String>>,
) -> Result<&'static Kind, Fault> {
    named_kind(game, "question", question, &[])
}

/// The same that another key names, and that could be one of these too.
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

/// The game and the kind of question of a file, whatever else is in it.
pub fn head(text: &str, house: &House) -> Result<(&'static dyn Game, &'static Kind), Fault> {
    let Asked { fields: HeadTable { system, question }, .. } = from_toml::read(text, "a file")?;
    let game = game_of(house, system.as_ref())?;
    Ok((game, kind_of(game, question.as_ref())?))
}

/// Whether a file asks about a map, as files of the first game can.
pub fn asks_about_a_map(text: &str, house: &House) -> bool {
    let Ok(Asked { fields: HeadTable { system, question }, .. }) = from_toml::read(text, "a file")
    else {
        return false;
    };
    let first =
        game_of(house, system.as_ref()).is_ok_and(|game| game.name() == house.first().name());
    first && question.is_some_and(|question| canonical(&question.value) == ROUT)
}
