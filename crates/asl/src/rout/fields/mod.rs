//! The fields of a Rout Phase: in a situation file, on the command line, and in a study's grid.

mod ground;
mod units;

use super::situation::Situation;
use crate::draft::Switches;
use crate::kinds::Elr;
use crate::rulebook::Profile;
use engine::text::{Fault, canonical};
pub use ground::{
    BoardTable, BuildingKind, BuildingTable, Columns, Crop, HexLevel, HexList, HexName, HexTerrain,
    Lines, MapTable, Offset, Others, Prefix, Roads, SightLine, TableName, VASL, VASL_HEXES,
    VASL_LINES,
};
use schema::field::fields;
use schema::{FieldFault, FieldSet as _, Fields as _, RawValue, Rules as _, Settable};
pub use units::{
    CoveredArc, EnemyTable, Escort, FriendTable, HexNameList, RoutTable, Single, UnitName,
    WeaponTable,
};

fields! {
    /// The fields of a Rout Phase.
    pub struct RoutFields, RoutSetters {
        "elr" elr: Elr = "3", "ELR of the routing side", ["A19.1"];
        "hob" / "no-hob" heat_of_battle: bool = "true", "no Heat of Battle", ["A15.1"];
        "no-quarter" no_quarter: bool, "No Quarter is in force, so no unit surrenders", ["A20.3"];
        "night" night: bool, "it is night", ["E1.54"];
        "enemy-reveals" enemy_reveals: bool,
            "the enemy reveals concealed units wherever this is worst for a routing unit",
            ["A10.533"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
    }
}

/// The fields of a Rout Phase, and the chosen interpretations of the rules.
#[derive(Clone, Debug, Default)]
pub struct RoutRules {
    pub fields: RoutFields,
    pub switches: Switches,
}

impl RoutRules {
    /// Applies the fields and interpretations to a situation.
    ///
    /// # Errors
    ///
    /// Fails if an interpretation does not have the chosen value.
    pub fn govern(&self, situation: &mut Situation) -> Result<(), FieldFault> {
        let RoutFields { elr, heat_of_battle, no_quarter, night, enemy_reveals, profile } =
            self.fields;
        situation.elr = elr.u8();
        situation.heat_of_battle = heat_of_battle;
        situation.no_quarter = no_quarter;
        situation.night = night;
        situation.enemy_reveals = enemy_reveals;
        situation.rulebook = self.switches.rulebook(profile)?;
        Ok(())
    }
}

impl Settable for RoutRules {
    fn set(&mut self, field: &str, value: RawValue) -> Result<(), Fault> {
        let name = canonical(field);
        match self.setting(&name) {
            Some(id) => self.switches.set(id, value),
            None => self.fields.set(&name, value),
        }
    }

    fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        RoutFields::knows(&name) || self.setting(&name).is_some()
    }

    fn setting(&self, field: &str) -> Option<&'static str> {
        Switches::find(field)
    }

    fn settings(&self) -> Vec<&'static str> {
        Switches::names()
    }

    fn unknown_setting(&self, name: &str) -> Fault {
        Switches::unknown(name)
    }

    fn example(&self) -> &'static str {
        Switches::EXAMPLE
    }
}
