//! The tables of units: `[[rout]]`, `[[friend]]`, `[[enemy]]` and the `weapon` of an enemy.

use super::ground::HexName;
use crate::board::hex::Hexside;
use crate::kinds::PlayerTurns;
use crate::kinds::text_value;
use crate::rout::Weapon;
use crate::stack::{Member, Stack};
use engine::text::Fault;
use engine::text::notation::{self, CodePiece, shown};
use schema::field::fields;
use schema::{RawValue, Spanned, Takes, Whole};

/// The names of one or several Locations.
pub type HexNameList = Spanned<Vec<Spanned<HexName>>>;

fields! {
    /// The table `[[rout]]`: a broken unit, or several equal ones.
    pub table RoutTable {
        "name" name: Option<Spanned<UnitName>>, "name; default: its counter and hex";
        "unit" unit: Option<Single>,
            "its counter, as in a stack; a unit that is not broken is assumed broken", swept;
        "at" at: Option<HexNameList>, "its hex or Location; a list for several equal units", swept;
        "melee" in_melee: bool, "it is in Melee", ["A10.5"];
        "outside" outside: bool, "the unit is not in the fortification or shellholes of its hex";
        "emplaced-gun" mans_emplaced_gun: bool, "the unit is the crew of an Emplaced Gun",
            ["A10.51"];
        "with" escort: Option<Escort>, "the unbroken leader who routs with it", ["A10.711"];
        "voluntary-break" breaks: bool, "the unit breaks voluntarily", ["A10.41"];
    }
}

fields! {
    /// The table `[[friend]]`: a unit of the routing side that stays where it is.
    pub table FriendTable {
        "name" name: Option<Spanned<UnitName>>, "name; default: its counter and hex";
        "unit" unit: Option<Single>, "its counter, as in a stack";
        "at" at: Option<HexNameList>, "its hex or Location; a list for several equal units";
        "turn" turn: Option<Spanned<PlayerTurns>>,
            "first Player Turn in which this leader is present";
    }
}

fields! {
    /// The table `[[enemy]]`: an enemy, or several equal ones.
    pub table EnemyTable {
        "name" name: Option<Spanned<UnitName>>, "name; default: his counter and hex";
        "unit" unit: Option<Single>,
            "his counter, as in a stack; leave it out for a vehicle or a Gun alone", swept;
        "at" at: Option<HexNameList>, "his hex or Location; a list for several equal units", swept;
        "fp" firepower: Option<Whole<0, 40>>, "FP, replaces the printed value";
        "range" range: Option<Whole<0, 99>>, "Normal Range, replaces the printed value";
        "weapon" weapon: Option<Spanned<WeaponTable>>, "his SW or Gun";
        "concealed" concealed: bool, "he is concealed or hidden", ["A10.533"];
        "melee" in_melee: bool, "he is held in Melee";
        "ti" ti: bool, "he is Temporarily Immobilized";
        "spotted-fire" spotted_fire: bool, "he is marked by Spotted Fire", ["C1.4"];
        "moving" moving: bool, "he is in Motion, or mounted: his FP is halved";
        "stunned" stunned: bool, "he is stunned or shocked", ["D5.34"];
        "vehicle" vehicle: bool, "he is neither Infantry nor Cavalry, so he takes no prisoners";
        "unknown-fire" unknown_fire: bool,
            "his FP and range are not known: his fire is left out, so the answer is at best";
        "holds-fire" holds_fire: bool, "he does not attack in a campaign, but still Interdicts";
    }
}

fields! {
    /// The table `weapon` of an enemy.
    pub table WeaponTable {
        "fp" firepower: Option<Whole<1, 40>>, "its FP";
        "range" range: Option<Whole<1, 99>>, "its Normal Range";
        "ca" covered_arc: Option<CoveredArc>,
            "Covered Arc of a Gun, as two neighbouring hexsides: n/ne", ["C3.2"];
        "malfunctioned" malfunctioned: bool, "it has malfunctioned";
    }
}

impl WeaponTable {
    /// Returns the SW or Gun of a table.
    ///
    /// # Errors
    ///
    /// Fails if its FP or its range is missing.
    pub fn weapon(table: &Spanned<WeaponTable>) -> Result<Weapon, Fault> {
        let WeaponTable { firepower, range, covered_arc, malfunctioned } = table.value;
        let missing = |name: &str| {
            let example = vec![("fp", "4".to_string()), ("range", "8".to_string())];
            let fault = table.place.fault(format!("`{name}` is missing"));
            fault.help(CodePiece::Table("weapon", example))
        };
        Ok(Weapon {
            firepower: firepower.ok_or_else(|| missing(WeaponTable::firepower.name))?.u8(),
            range: range.ok_or_else(|| missing(WeaponTable::range.name))?.u16(),
            covered_arc: covered_arc.map(|CoveredArc(arc)| arc),
            malfunctioned,
        })
    }
}

/// One counter in the stack notation.
#[derive(Clone, Debug)]
pub struct Single {
    pub member: Member,
    /// Notes on the assumptions of the parser.
    pub assumed: Vec<String>,
}

text_value!(
    Single,
    Takes::Text("UNIT"),
    |text| {
        let Stack { mut members, assumed, .. } = Stack::parse(text)?;
        match (members.pop(), members.is_empty()) {
            (Some(member), true) => Ok(Single { member, assumed }),
            _ => Err(Fault::new("expected one unit", 0..0).help(shown(
                "for equal units write {}; give different units separate tables",
                [notation::field("at", "[\"K5\", \"K5\"]")],
            ))),
        }
    },
    |single| single.member.to_string()
);

/// The leader that goes along with a routing unit (10.711).
#[derive(Clone, Debug)]
pub struct Escort(pub Member);

text_value!(
    Escort,
    Takes::Text("LEADER"),
    |text| {
        let Single { member, .. } = Single::read("with", RawValue::Text(text))?;
        if !member.can_lead() {
            let fault = Fault::new(format!("{member} cannot rout with a unit"), 0..0);
            return Err(fault
                .help("only an unbroken leader who is neither pinned nor berserk can (A10.711)"));
        }
        Ok(Escort(member))
    },
    |Escort(leader)| leader.to_string()
);

/// The name of a unit, to which `--unit` and `--order` can refer.
#[derive(Clone, Debug)]
pub struct UnitName(pub String);

text_value!(
    UnitName,
    Takes::Text("NAME"),
    |name| {
        let has_comma = name.contains(|letter: char| letter == ',' || letter.is_control());
        if name.is_empty() || name.trim() != name || has_comma {
            let fault = Fault::new(format!("`{}` is not a valid name", name.escape_debug()), 0..0);
            return Err(fault.help("write one line without commas or outer spaces"));
        }
        Ok(UnitName(name.to_string()))
    },
    |UnitName(name)| name.clone()
);

/// The Covered Arc of a Gun, such as `n/ne`: the two neighbouring hexsides between which it points.
#[derive(Clone, Copy, Debug)]
pub struct CoveredArc(pub (Hexside, Hexside));

text_value!(
    CoveredArc,
    Takes::Text("ARC"),
    |text| {
        let side = |name| Hexside::named(name).ok();
        let sides = text.split_once('/').and_then(|(a, b)| Some((side(a)?, side(b)?)));
        let sides = sides.filter(|(a, b)| a.clockwise() == *b || b.clockwise() == *a);
        let fault = || Fault::new(format!("`{text}` is not a Covered Arc"), 0..0);
        let expected = "expected two neighbouring hexsides: n/ne, ne/se, se/s, s/sw, sw/nw or nw/n";
        sides.map(CoveredArc).ok_or_else(|| fault().help(expected))
    },
    |CoveredArc((a, b))| {
        let (first, next) = if a.clockwise() == *b { (a, b) } else { (b, a) };
        format!("{}/{}", first.name(), next.name())
    }
);
