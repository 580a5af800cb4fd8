//! All that a situation file can say, declared: its tables, and beside them the fields of a Rout
//! Phase; interpretations are points of the rules, and stand there too.

use super::campaign::CampaignTable;
use super::rout::RoutFields;
use super::rout::asked::{BoardTable, EnemyTable, FriendTable, Lines, MapTable, RoutTable};
use system::field::{Field, Fields as _, fields};
use system::nested::{self, Table};
use system::node::Spanned;

fields! {
    /// The tables of a situation, and what it is about.
    pub table SituationTables {
        "about" about: Option<String>, "what it is about";
        "board" boards: Vec<Spanned<BoardTable>>, "boards from tables of their own; several lie side by side";
        "map" map: Option<Spanned<MapTable>>, "a map written out, or what lies on the boards";
        "los" lines: Lines, "lines of sight given by hand: \"H5-J1\" = 0 is one through no Hindrance, \"K5-K7\" = \"blocked\" is none";
        "rout" routs: Vec<Spanned<RoutTable>>, "the units that rout, in that order";
        "friend" friends: Vec<Spanned<FriendTable>>, "their friends who do not";
        "enemy" enemies: Vec<Spanned<EnemyTable>>, "their enemies";
        "campaign" campaign: Option<Spanned<CampaignTable>>, "how it goes on over Player Turns";
    }
}

/// Every table of a situation file, the file itself first; its path is empty.
pub fn tables() -> Vec<Table> {
    let rules = Table { path: String::new(), fields: RoutFields::ALL, keyed: None };
    std::iter::once(rules).chain(nested::tables("", SituationTables::ALL)).collect()
}

/// The declaration of the field at that path: `elr`, `rout.1.at`, `map.building.hexes`.
pub fn declared(path: &str) -> Option<&'static Field> {
    nested::declared(SituationTables::ALL, path).or_else(|| nested::declared(RoutFields::ALL, path))
}
