//! The units of a situation.

use toml::de::{DeTable, DeValue};

use super::super::keys::{entry, in_words, known_keys, placed_text, whole_number};
use super::{Value, each, flag, tables, within};
use crate::asl::campaign::MAX_TURNS;
use crate::asl::catalogue::Kind;
use crate::asl::rout::{Circumstances, Enemy, Friend, MAX_ENEMIES, Router, Weapon};
use crate::asl::stack::{Member, Stack};
use crate::asl::unit::Condition;
use crate::board::hex::Side;
use crate::board::map::{Map, Site};
use crate::text::Fault;

const ROUT: [&str; 8] = ["name", "unit", "at", "melee", "outside", "emplaced-gun", "with", "voluntary-break"];
const FRIEND: [&str; 4] = ["name", "unit", "at", "turn"];
const ENEMY: [&str; 14] = [
    "name",
    "unit",
    "at",
    "fp",
    "range",
    "weapon",
    "concealed",
    "melee",
    "ti",
    "spotted-fire",
    "moving",
    "stunned",
    "vehicle",
    "holds-fire",
];
const WEAPON: [&str; 4] = ["fp", "range", "ca", "malfunctioned"];

/// Everyone on the map.
#[derive(Default)]
pub(super) struct Units {
    pub routers: Vec<Router>,
    pub friends: Vec<Friend>,
    /// Leaders who are not there yet, each with the Player Turn from which on he is.
    pub arrivals: Vec<(Friend, u16)>,
    pub enemies: Vec<Enemy>,
    /// 10.41: units of `routers` that break of their own accord, and where the file says so.
    pub breaking: Vec<(usize, std::ops::Range<usize>)>,
    names: Vec<String>,
}

/// Reads `[[rout]]`, `[[friend]]` and `[[enemy]]`.
pub(super) fn read(root: &DeTable, map: &Map, notes: &mut Vec<String>) -> Result<Units, Fault> {
    let mut units = Units::default();
    for (table, span) in tables(root, "rout", "rout")? {
        known_keys(table, &ROUT, "[[rout]]")?;
        let mut member = needed_member(table, span.clone(), notes)?;
        let breaks = flag(table, "voluntary-break", false)?;
        if breaks && member.is(Condition::Broken) {
            return Err(Fault::new(format!("{member} is broken already: it cannot break of its own accord"), span));
        }
        if !member.is(Condition::Broken) {
            can_break(&member, span.clone())?;
            if breaks {
                member.conditions.set(Condition::Dm);
                member.conditions.clear(Condition::Pinned);
            } else {
                notes.push(format!("{member} is taken as broken"));
            }
            member.conditions.set(Condition::Broken);
        }
        for at in sites(table, span.clone(), map)? {
            let router = Router {
                name: units.name(table, &member, at, map)?,
                member: member.clone(),
                at,
                sheltered: !flag(table, "outside", false)?,
                in_melee: flag(table, "melee", false)?,
                mans_emplaced_gun: flag(table, "emplaced-gun", false)?,
                escort: entry(table, "with").map(escort).transpose()?,
            };
            if breaks {
                units.breaking.push((units.routers.len(), span.clone()));
            }
            units.routers.push(router);
        }
    }
    for (table, span) in tables(root, "friend", "friend")? {
        known_keys(table, &FRIEND, "[[friend]]")?;
        let member = needed_member(table, span.clone(), notes)?;
        let turn = entry(table, "turn").map(|turn| arrival(turn, &member)).transpose()?.unwrap_or(1);
        for at in sites(table, span.clone(), map)? {
            let friend = Friend { name: units.name(table, &member, at, map)?, member: member.clone(), at };
            match turn {
                1 => units.friends.push(friend),
                _ => units.arrivals.push((friend, turn)),
            }
        }
    }
    for (table, span) in tables(root, "enemy", "enemy")? {
        units.add_enemies(table, span, map, notes)?;
    }
    if units.routers.is_empty() {
        let fault = Fault::new("nobody routs: there is no `[[rout]]`", 0..0);
        return Err(fault.help("[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"K5\""));
    }
    Ok(units)
}

impl Units {
    fn add_enemies(
        &mut self,
        table: &DeTable,
        span: std::ops::Range<usize>,
        map: &Map,
        notes: &mut Vec<String>,
    ) -> Result<(), Fault> {
        known_keys(table, &ENEMY, "[[enemy]]")?;
        let member = entry(table, "unit").map(|value| member(value, "unit", notes)).transpose()?;
        let number = |name: &str, high: i64| entry(table, name).map(|value| whole_number(value, name, 0, high)).transpose();
        let (firepower, range) = (number("fp", 40)?, number("range", 99)?);
        let vehicle = flag(table, "vehicle", false)?;
        let weapon = entry(table, "weapon").map(weapon).transpose()?;
        if member.is_none() && weapon.is_none() && range.is_none() {
            let fault = Fault::new("`unit` is missing: what the enemy is", span);
            return Err(fault.help("unit = \"american:6-6-6\"; for a vehicle or a Gun alone its `range` or `weapon`"));
        }
        let circumstances = Circumstances {
            concealed: flag(table, "concealed", false)?,
            in_melee: flag(table, "melee", false)?,
            ti: flag(table, "ti", false)?,
            spotted_fire: flag(table, "spotted-fire", false)?,
            moving: flag(table, "moving", false)?,
            stunned: flag(table, "stunned", false)?,
            vehicle: vehicle || member.is_none(),
            holds_fire: flag(table, "holds-fire", false)?,
        };
        for at in sites(table, span.clone(), map)? {
            if self.enemies.len() == MAX_ENEMIES {
                return Err(Fault::new(format!("more than {MAX_ENEMIES} enemies"), span));
            }
            let name = match &member {
                Some(member) => self.name(table, member, at, map)?,
                None => self.name_of(table, "vehicle", at, map)?,
            };
            self.enemies.push(Enemy {
                name,
                member: member.clone(),
                at,
                firepower: firepower.map(|fp| fp as u8),
                range: range.map(|range| range as u16),
                weapon,
                circumstances,
            });
        }
        Ok(())
    }

    fn name(&mut self, table: &DeTable, member: &Member, at: Site, map: &Map) -> Result<String, Fault> {
        self.name_of(table, member.printed().printed(), at, map)
    }

    /// The name given, or the counter with its place; no two units have the same.
    fn name_of(&mut self, table: &DeTable, what: &str, at: Site, map: &Map) -> Result<String, Fault> {
        let several = entry(table, "at").is_some_and(|at| each(at).len() > 1);
        let given = entry(table, "name").map(|value| Ok((unit_name(value)?, value.span()))).transpose()?;
        let name = match given {
            Some((name, span)) if !several => {
                if self.names.contains(&name) {
                    return Err(Fault::new(format!("two units are called `{name}`"), span).help("give each its own name"));
                }
                name
            }
            given => {
                let plain = format!("{} in {}", given.as_ref().map_or(what, |(name, _)| name), map.site_name(at));
                let numbered = (2..).map(|number| format!("{plain} ({number})"));
                std::iter::once(plain.clone()).chain(numbered).find(|name| !self.names.contains(name)).unwrap_or(plain)
            }
        };
        self.names.push(name.clone());
        Ok(name)
    }
}

/// A name that `--unit` and `--order` can tell.
fn unit_name(value: &Value) -> Result<String, Fault> {
    let name = placed_text(value, "name")?;
    let plain =
        !name.trim().is_empty() && name.trim() == name && !name.contains(|letter: char| letter == ',' || letter.is_control());
    match plain {
        true => Ok(name),
        false => Err(Fault::new(format!("`{}` is no name", name.escape_debug()), value.span())
            .help("one line without commas, and no blanks around it")),
    }
}

/// 15.2, 15.42: heroes and berserk units never break.
pub(in crate::study) fn can_break(member: &Member, span: std::ops::Range<usize>) -> Result<(), Fault> {
    let steady = [Condition::Berserk, Condition::Heroic].into_iter().any(|steady| member.is(steady));
    if steady || member.printed().kind == Kind::Hero {
        return Err(Fault::new(format!("{member} is never broken, and does not rout"), span));
    }
    Ok(())
}

fn needed_member(table: &DeTable, span: std::ops::Range<usize>, notes: &mut Vec<String>) -> Result<Member, Fault> {
    let value = entry(table, "unit");
    let value = value.ok_or_else(|| Fault::new("`unit` is missing", span).help("unit = \"german:4-6-7\""))?;
    member(value, "unit", notes)
}

/// One counter in the stack notation.
pub(in crate::study) fn member(value: &Value, key: &str, notes: &mut Vec<String>) -> Result<Member, Fault> {
    let text = placed_text(value, key)?;
    let mut stack = Stack::parse(&text).map_err(within(value))?;
    for assumed in stack.assumed {
        if !notes.contains(&assumed) {
            notes.push(assumed);
        }
    }
    match stack.members.len() {
        1 => Ok(stack.members.remove(0)),
        _ => Err(Fault::new("expected one unit", value.span())
            .help("several equal ones: at = [\"K5\", \"K5\"]; others in tables of their own")),
    }
}

/// `turn`: the Player Turn from which on a leader is there.
fn arrival(value: &Value, member: &Member) -> Result<u16, Fault> {
    let turn = whole_number(value, "turn", 1, MAX_TURNS)? as u16;
    if !member.can_lead() {
        let fault = Fault::new(format!("{member} is no leader in Good Order: only such come later"), value.span());
        return Err(fault.help("leave `turn` out, and it is there from the beginning on"));
    }
    Ok(turn)
}

/// 10.711: the leader who goes along.
fn escort(value: &Value) -> Result<Member, Fault> {
    let leader = member(value, "with", &mut Vec::new())?;
    if !leader.can_lead() {
        let fault = Fault::new(format!("{leader} cannot go along with a rout"), value.span());
        return Err(fault.help("an unbroken leader can, not pinned and not berserk (A10.711)"));
    }
    Ok(leader)
}

/// `at`: one Location or several.
fn sites(table: &DeTable, span: std::ops::Range<usize>, map: &Map) -> Result<Vec<Site>, Fault> {
    let at = entry(table, "at").ok_or_else(|| Fault::new("`at` is missing: where the unit is", span).help("at = \"K5\""))?;
    if each(at).is_empty() {
        return Err(Fault::new("`at` is an empty list: the unit is nowhere", at.span()).help("at = \"K5\""));
    }
    let site = |value: &Value| map.parse_site(&placed_text(value, "at")?).map_err(within(value));
    each(at).into_iter().map(site).collect()
}

fn weapon(value: &Value) -> Result<Weapon, Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        let fault = Fault::new(format!("`weapon` must be a table, not {}", in_words(value.get_ref())), value.span());
        return Err(fault.help("weapon = { fp = 4, range = 8 }"));
    };
    known_keys(table, &WEAPON, "a weapon")?;
    let number = |name: &str, high: i64| match entry(table, name) {
        Some(number) => whole_number(number, name, 1, high),
        None => Err(Fault::new(format!("`{name}` is missing"), value.span()).help("weapon = { fp = 4, range = 8 }")),
    };
    Ok(Weapon {
        firepower: number("fp", 40)? as u8,
        range: number("range", 99)? as u16,
        covered_arc: entry(table, "ca").map(covered_arc).transpose()?,
        malfunctioned: flag(table, "malfunctioned", false)?,
    })
}

/// `n/ne`: the two neighbouring hexsides a Gun points between.
fn covered_arc(value: &Value) -> Result<(Side, Side), Fault> {
    let text = placed_text(value, "ca")?;
    let fault = || Fault::new(format!("`{text}` is no Covered Arc"), value.span());
    let sides = text.split_once('/').and_then(|(a, b)| Some((Side::named(a).ok()?, Side::named(b).ok()?)));
    let (a, b) = sides.filter(|(a, b)| a.clockwise() == *b || b.clockwise() == *a).ok_or_else(|| {
        fault().help("the two neighbouring hexsides the Gun points between: n/ne, ne/se, se/s, s/sw, sw/nw or nw/n")
    })?;
    Ok((a, b))
}
