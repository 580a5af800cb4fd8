//! Declarations of all that a situation file can hold: tables, and fields with interpretations.

use super::campaign::CampaignTable;
use super::rout::RoutFields;
use super::rout::fields::{BoardTable, EnemyTable, FriendTable, Lines, MapTable, RoutTable};
use schema::field::fields;
use schema::file_tables;
use schema::{Field, Fields as _, FileTable, Spanned};

fields! {
    /// The tables of a situation file, and its description.
    pub table SituationTables {
        "about" about: Option<String>, "description";
        "board" boards: Vec<Spanned<BoardTable>>,
            "boards, each with its own tables; several are placed side by side";
        "map" map: Option<Spanned<MapTable>>, "a map in text, or features added to the boards";
        "los" lines: Lines,
            "lines of sight that you set: \"H5-J1\" = 0 is clear, with 0 Hindrances; \"K5-K7\" = \
                \"blocked\" is not clear";
        "rout" routs: Vec<Spanned<RoutTable>>, "units that rout, in this order";
        "friend" friends: Vec<Spanned<FriendTable>>, "friendly units that do not rout";
        "enemy" enemies: Vec<Spanned<EnemyTable>>, "enemies of the routing units";
        "campaign" campaign: Option<Spanned<CampaignTable>>,
            "Player Turns after this Rout Phase, for one of the routing units";
    }
}

/// Returns every table of a situation file. The file itself comes first, with an empty path.
pub fn tables() -> Vec<FileTable> {
    let rules = FileTable { path: String::new(), fields: RoutFields::ALL, keyed: None };
    std::iter::once(rules).chain(file_tables::tables("", SituationTables::ALL)).collect()
}

/// Returns the declaration of the field at a path such as `elr` or `rout.1.at`, if there is one.
pub fn declared(path: &str) -> Option<&'static Field> {
    file_tables::declared(SituationTables::ALL, path)
        .or_else(|| file_tables::declared(RoutFields::ALL, path))
}
