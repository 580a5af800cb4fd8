//! The notation of firers: `9-2 + 2x german:4-6-7/hmg + lmg`, of several Locations with `@3 | ...`.
//!
//! ```text
//! firers   = location { "|" location }
//! location = item { "+" item } [ "@" fact { "," fact } ]
//! fact     = range | "level" N | "hindrance" N | "hexside" WORD | "smoke-los" N | "smoke-out" N
//! item     = counter ["/" word {"," word}]        a unit, in the notation of stacks
//!          | [N "x"] [nation ":"] weapon          a SW that the program gives to somebody
//! word     = condition | [nation ":"] weapon ["!"] | sw-only | again | assist | no-direct | ...
//! ```

use std::ops::Range;

use super::circumstances::{CrossedHexside, Sight};
use super::weapons::{SupportWeapon, WeaponKind};
use crate::catalogue::{Counter, CounterKind};
use crate::nation::Nation;
use crate::notation::StackNotation;
use crate::stack::{MAX_UNITS, Member};
use crate::vocabulary::Condition;
use engine::text::{Fault, canonical, nearest};
use schema::field::single_spaced;
use schema::{FieldValue as _, RawValue};

/// A SW that a unit fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MannedWeapon {
    pub weapon: &'static SupportWeapon,
    pub captured: bool,
    /// True if it is marked First Fire: it fires halved, as Sustained Fire (9.3).
    pub marked: bool,
}

/// A unit that fires, directs or helps, with its SW.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firer {
    pub member: Member,
    pub weapons: Vec<MannedWeapon>,
    /// True if the inherent FP holds its fire.
    pub sw_only: bool,
    /// True if the inherent FP is marked First Fire.
    pub marked: bool,
    /// True if the unit does not direct.
    pub no_direct: bool,
    /// True for the second of two SMC at one SW (9.12).
    pub assists: bool,
    /// True under Ammunition Shortage (19.131).
    pub ammo_shortage: bool,
    /// True for a squad with Assault Fire though none is printed (25.11, 25.53).
    pub assault_fire: bool,
}

impl Firer {
    /// Returns whether the unit has a condition.
    pub fn is(&self, condition: Condition) -> bool {
        self.member.is(condition)
    }

    /// Returns the kind of the unit.
    pub fn kind(&self) -> CounterKind {
        self.member.printed().kind
    }

    /// Returns whether the unit is a hero or a heroic leader (15.2).
    pub fn is_hero(&self) -> bool {
        self.kind() == CounterKind::Hero || self.is(Condition::Heroic)
    }
}

/// The firers of one Location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiringLocation {
    pub firers: Vec<Firer>,
    /// What it sees otherwise than the other Locations.
    pub sight: OwnSight,
}

/// What a Location of firers sees, as far as it says so; see [`Sight`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnSight {
    range: Option<u8>,
    level: Option<i8>,
    hindrance: Option<u8>,
    hexside: Option<CrossedHexside>,
    smoke_los: Option<u8>,
    smoke_out: Option<u8>,
}

impl OwnSight {
    const FACTS: [&str; 6] = ["range", "level", "hindrance", "hexside", "smoke-los", "smoke-out"];

    /// Returns the sight; `shared` has what the Location does not say.
    pub fn within(&self, shared: Sight) -> Sight {
        Sight {
            range: self.range.unwrap_or(shared.range),
            level: self.level.unwrap_or(shared.level),
            hindrance: self.hindrance.unwrap_or(shared.hindrance),
            hexside: self.hexside.unwrap_or(shared.hexside),
            smoke_los: self.smoke_los.unwrap_or(shared.smoke_los),
            smoke_out: self.smoke_out.unwrap_or(shared.smoke_out),
        }
    }

    /// Reads a fact: a range, or a name and a value.
    fn read(&mut self, text: &str) -> Result<(), Fault> {
        let (name, value) = text.trim().split_once(' ').unwrap_or(("range", text.trim()));
        let (name, value) = (canonical(name), value.trim());
        let number = |low, high| {
            let number = value.parse::<i64>().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| {
                let message = format!("`{name}` must be a whole number from {low} to {high}");
                Fault::new(message, 0..text.len()).help("for example `@ 3, hindrance 1`")
            })
        };
        match name.as_str() {
            "range" => self.range = Some(number(0, 40)? as u8),
            "level" => self.level = Some(number(-10, 10)? as i8),
            "hindrance" => self.hindrance = Some(number(0, 9)? as u8),
            "hexside" => self.hexside = Some(CrossedHexside::read(&name, RawValue::Text(value))?),
            "smoke-los" => self.smoke_los = Some(number(0, 9)? as u8),
            "smoke-out" => self.smoke_out = Some(number(0, 9)? as u8),
            _ => {
                let fault = Fault::new(format!("no fact is called `{name}`"), 0..text.len());
                return Err(fault.expecting(&name, OwnSight::FACTS));
            }
        }
        Ok(())
    }
}

/// All firers of an attack, by Location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FireGroup {
    pub locations: Vec<FiringLocation>,
    /// The text, with single spaces.
    text: String,
    /// True if a SW is given to no unit, so that the program has given it to one (I-71).
    pub has_loose: bool,
    /// The assumptions made in reading them.
    pub notes: Vec<String>,
}

/// The largest number of SW in an attack. The odds of their breakdown grow with the sets of them.
const MOST_WEAPONS: usize = 8;

/// The words for what a firer is or does, beside conditions and SW.
const WORDS: [&str; 6] =
    ["sw-only", "again", "no-direct", "assist", "ammo-shortage", "assault-fire"];

/// One item of the notation, with its place in the text.
struct Item<'t> {
    /// The counter with its conditions, in the notation of stacks; empty for a loose SW.
    unit: String,
    /// The words that concern the firer.
    words: Vec<(&'t str, Range<usize>)>,
    /// The name of a loose SW with its nation, and how often it is there.
    loose: Option<(Option<Nation>, &'t str, usize)>,
    span: Range<usize>,
}

impl FireGroup {
    /// Parses the firers of an attack.
    ///
    /// # Errors
    ///
    /// Fails if the text is no group of firers, or if somebody cannot fire as it says. Spans are
    /// bytes of `text`.
    pub fn parse(text: &str) -> Result<FireGroup, Fault> {
        let mut locations = Vec::new();
        let mut from = 0;
        for part in text.split('|') {
            locations.push(parts(part, from)?);
            from += part.len() + 1;
        }
        let read = |item: &Item| {
            let blamed = |fault: Fault| Fault { span: item.span.clone(), ..fault };
            StackNotation::parse(&item.unit).map_err(blamed)
        };
        let units =
            locations.iter().flat_map(|(items, _)| items).filter(|item| !item.unit.is_empty());
        let written: Vec<StackNotation> = units.map(read).collect::<Result<_, _>>()?;
        let mut nations = StackNotation::nations(&written);
        if nations.is_empty() {
            // A hero without a nation is of the nation of his SW.
            let words = locations.iter().flat_map(|(items, _)| items).flat_map(|item| &item.words);
            nations.extend(words.filter_map(|(word, _)| nation_of(word).0).next());
        }
        let text = single_spaced(text);
        let mut group =
            FireGroup { locations: Vec::new(), text, has_loose: false, notes: Vec::new() };
        let mut written = written.iter();
        for (items, sight) in locations {
            let mut location = FiringLocation { firers: Vec::new(), sight };
            let mut loose = Vec::new();
            for item in items {
                if let Some((nation, name, number)) = item.loose {
                    loose.extend(std::iter::repeat_n((nation, name, item.span.clone()), number));
                    continue;
                }
                let Some(unit) = written.next() else { continue };
                let blamed = |fault: Fault| Fault { span: item.span.clone(), ..fault };
                let stack = unit.resolve_among(&nations, Counter::fires_as).map_err(blamed)?;
                group.notes.extend(stack.assumed.clone());
                for member in stack.members {
                    location.firers.push(firer(member, &item)?);
                }
            }
            for (nation, name, span) in loose {
                group.has_loose = true;
                let note = location.man(nation, name).map_err(|fault| Fault { span, ..fault })?;
                group.notes.push(note);
            }
            group.locations.push(location);
        }
        let firers = || group.locations.iter().flat_map(|location| &location.firers);
        let weapons = firers().map(|firer| firer.weapons.len()).sum();
        for (number, what, most) in
            [(firers().count(), "firers", MAX_UNITS), (weapons, "SW", MOST_WEAPONS)]
        {
            if number > most {
                let message = format!("{number} {what}: an attack has at most {most}");
                let fault = Fault::new(message, 0..group.text.len());
                return Err(fault.help("ask for two attacks"));
            }
        }
        Ok(group)
    }

    /// Builds a group from units that are in play.
    pub(crate) fn from_locations(locations: Vec<FiringLocation>) -> FireGroup {
        FireGroup { locations, text: String::new(), has_loose: false, notes: Vec::new() }
    }

    /// Returns the group with the LMG of the older counter art in the hands of Finns (I-101).
    pub(crate) fn with_heavy_finnish_lmg(&self) -> FireGroup {
        let mut group = self.clone();
        let firers = group.locations.iter_mut().flat_map(|location| &mut location.firers);
        for manned in firers.flat_map(|firer| &mut firer.weapons) {
            let heavy = SupportWeapon::named(Nation::Finnish, "lmg(3-8)");
            let is_light = manned.weapon.id == "fin_lmg";
            manned.weapon = heavy.filter(|_| is_light).unwrap_or(manned.weapon);
        }
        group
    }

    /// Returns the text of the group, with single spaces.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Splits the text of one Location into its items and what it sees.
fn parts(text: &str, from: usize) -> Result<(Vec<Item<'_>>, OwnSight), Fault> {
    let mut sight = OwnSight::default();
    let units = match text.rsplit_once('@') {
        None => text,
        Some((units, facts)) => {
            let mut at = from + units.len() + 1;
            for fact in facts.split(',') {
                let span = at..at + fact.len();
                sight.read(fact).map_err(|fault| Fault { span, ..fault })?;
                at += fact.len() + 1;
            }
            units
        }
    };
    let mut items = Vec::new();
    let mut at = from;
    for part in units.split('+').collect::<Vec<_>>() {
        // The sign of a leadership such as that of a 6+1 is no separator.
        let blanks = part.len() - part.trim_start().len();
        let span = at + blanks..at + blanks + part.trim().len();
        at += part.len() + 1;
        items.push((part, span));
    }
    let items = joined_signs(units, from, items);
    let items = items.into_iter().map(|(text, span)| item(text, span)).collect::<Result<_, _>>()?;
    Ok((items, sight))
}

/// Joins the two halves of a leader such as `6+1`, which has digits on both sides of its sign.
fn joined_signs<'t>(
    text: &'t str,
    from: usize,
    parts: Vec<(&'t str, Range<usize>)>,
) -> Vec<(&'t str, Range<usize>)> {
    let mut joined: Vec<(&str, Range<usize>)> = Vec::new();
    for (part, span) in parts {
        let begins = part.starts_with(|letter: char| letter.is_ascii_digit());
        match joined.last_mut() {
            Some((before, of_before))
                if begins && before.ends_with(|letter: char| letter.is_ascii_digit()) =>
            {
                *of_before = of_before.start..span.end;
                *before = &text[of_before.start - from..span.end - from];
            }
            _ => joined.push((part, span)),
        }
    }
    joined
}

fn item(text: &str, span: Range<usize>) -> Result<Item<'_>, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::new("expected a firer", span).help("for example `9-1 + 4-6-7/hmg`"));
    }
    let (head, words) = text.split_once('/').unwrap_or((text, ""));
    if words.is_empty()
        && let Some(loose) = loose_weapon(head)
    {
        return Ok(Item { unit: String::new(), words: Vec::new(), loose: Some(loose), span });
    }
    let mut unit = head.trim().to_string();
    let mut own = Vec::new();
    let mut at = span.start + head.len() + 1;
    let mut sign = '/';
    for word in words.split(',').filter(|_| !words.is_empty()) {
        let blanks = word.len() - word.trim_start().len();
        let of_word = at + blanks..at + blanks + word.trim().len();
        at += word.len() + 1;
        let word = word.trim();
        if WORDS.contains(&canonical(word).as_str()) || is_weapon(word) {
            own.push((word, of_word));
        } else if let Some(weapon) = misspelt_weapon(word) {
            let fault = Fault::new(format!("no SW or condition is called `{word}`"), of_word);
            return Err(fault.help(format!("did you mean `{weapon}`?")));
        } else {
            unit.push(sign);
            unit.push_str(word);
            sign = ',';
        }
    }
    Ok(Item { unit, words: own, loose: None, span })
}

/// Splits a nation from the name of a SW.
fn nation_of(word: &str) -> (Option<Nation>, &str) {
    match word.split_once(':') {
        Some((nation, name)) if Nation::from_word(nation).is_some() => {
            (Nation::from_word(nation), name)
        }
        _ => (None, word),
    }
}

fn is_weapon(word: &str) -> bool {
    let (_, name) = nation_of(word.trim_end_matches('!'));
    SupportWeapon::is_name(name)
}

/// Returns the name of the SW nearest to a word that is no condition and is near to none.
fn misspelt_weapon(word: &str) -> Option<&'static str> {
    let conditions = Condition::written().map(Condition::name);
    let is_condition = Condition::from_word(&canonical(word)).is_some();
    let (_, name) = nation_of(word.trim_end_matches('!'));
    nearest(name, SupportWeapon::all().iter().map(|weapon| weapon.name.as_str()))
        .filter(|_| !is_condition && nearest(word, conditions).is_none())
}

fn loose_weapon(head: &str) -> Option<(Option<Nation>, &str, usize)> {
    let (number, name) = match head.split_once(['x', ' ']) {
        Some((number, name)) if number.trim().parse::<usize>().is_ok() => {
            // One more than can be manned is refused as any number would be.
            (number.trim().parse::<usize>().ok()?.min(2 * MAX_UNITS + 1), name.trim())
        }
        _ => (1, head.trim()),
    };
    let (nation, name) = nation_of(name);
    SupportWeapon::is_name(name).then_some((nation, name, number))
}

/// Returns a SW in the hands of a unit.
fn manned(member: &Member, nation: Option<Nation>, name: &str) -> Result<MannedWeapon, Fault> {
    let own = member.nationality();
    let weapon = SupportWeapon::named(nation.unwrap_or(own), name)
        .ok_or_else(|| SupportWeapon::unknown(nation.unwrap_or(own), name))?;
    if weapon.kind == WeaponKind::Mortar {
        let fault = Fault::new("a mortar must hit first, by its own To Hit roll (C3)", 0..0);
        return Err(fault.help("give the FP of a hit as `fp`, and its DRM as `drm`"));
    }
    Ok(MannedWeapon { weapon, captured: !weapon.is_own_of(own), marked: false })
}

fn firer(member: Member, item: &Item) -> Result<Firer, Fault> {
    use Condition::{Broken, Captured, Disrupted, Unarmed};
    let unfit = [Broken, Disrupted, Captured, Unarmed];
    if let Some(condition) = unfit.into_iter().find(|&condition| member.is(condition)) {
        let rule = match condition {
            Broken | Disrupted => "A10.4",
            _ => "A20.5",
        };
        let message = format!("{} units do not fire ({rule})", condition.name());
        return Err(Fault::new(message, item.span.clone()).help("leave the unit out"));
    }
    let is = |word: &str| item.words.iter().any(|(known, _)| canonical(known) == word);
    let mut weapons = Vec::new();
    for (word, span) in item.words.iter().filter(|(word, _)| is_weapon(word)) {
        let (nation, name) = nation_of(word.trim_end_matches('!'));
        let weapon =
            manned(&member, nation, name).map_err(|fault| Fault { span: span.clone(), ..fault })?;
        weapons.push(MannedWeapon { marked: word.ends_with('!'), ..weapon });
    }
    let firer = Firer {
        weapons,
        sw_only: is("sw-only"),
        marked: is("again"),
        no_direct: is("no-direct"),
        assists: is("assist"),
        ammo_shortage: is("ammo-shortage"),
        assault_fire: is("assault-fire") || member.printed().assault_fire,
        member,
    };
    let (most, rule) = firer.most_weapons();
    if firer.weapons.len() > most {
        let message = match most {
            1 => format!("a {} fires one SW ({rule})", words_of_kind(firer.kind())),
            _ => format!("a squad fires at most two SW ({rule})"),
        };
        return Err(
            Fault::new(message, item.span.clone()).help("give the other SW to another unit")
        );
    }
    Ok(firer)
}

fn words_of_kind(kind: CounterKind) -> &'static str {
    match kind {
        CounterKind::HalfSquad => "HS",
        kind => kind.name(),
    }
}

impl Firer {
    /// Returns whether the unit is a leader who is no hero, so that he needs help at a MG (9.12).
    fn is_lone_leader(&self) -> bool {
        self.kind().is_leader() && !self.is_hero()
    }

    /// Returns how many SW the unit can fire in a phase, and the rule (7.351, 7.352, 15.23).
    fn most_weapons(&self) -> (usize, &'static str) {
        match self.kind() {
            CounterKind::Squad => (2, "A7.351"),
            CounterKind::HalfSquad | CounterKind::Crew => (1, "A7.352"),
            CounterKind::Hero => (1, "A15.23"),
            CounterKind::Leader | CounterKind::Commissar => (1, "A9.12"),
        }
    }
}

impl FiringLocation {
    /// Gives a loose SW to a unit (4.43, I-71): to the first squad without one, else a crew, HS,
    /// hero, a squad with one, or a leader. A second leader helps him at a MG (9.12). Returns a
    /// note that names the units.
    fn man(&mut self, nation: Option<Nation>, name: &str) -> Result<String, Fault> {
        use CounterKind::{Commissar, Crew, HalfSquad, Hero, Leader, Squad};
        let order: [(&[CounterKind], usize); 6] = [
            (&[Squad], 0),
            (&[Crew], 0),
            (&[HalfSquad], 0),
            (&[Hero], 0),
            (&[Squad], 1),
            (&[Leader, Commissar], 0),
        ];
        let place = order.iter().find_map(|(kinds, has)| {
            self.firers.iter().position(|firer| {
                kinds.contains(&firer.kind()) && firer.weapons.len() == *has && !firer.assists
            })
        });
        let Some(place) = place else {
            let fault =
                Fault::new(format!("nobody is left to fire the {}", name.to_uppercase()), 0..0);
            return Err(fault.help("a squad fires at most two SW, all others one (A7.35)"));
        };
        let weapon = manned(&self.firers[place].member, nation, name)?;
        self.firers[place].weapons.push(weapon);
        let of = self.firers[place].member.printed().printed();
        let name = weapon.weapon.name.to_uppercase();
        let first = self.firers.iter().filter(|firer| firer.member.printed().printed() == of);
        let which = if first.count() > 1 { "the first" } else { "the" };
        let by = format!("the {name} is fired by {which} {of}");
        let is_free =
            |firer: &Firer| firer.is_lone_leader() && firer.weapons.is_empty() && !firer.assists;
        let needs_help = weapon.weapon.is_mg() && self.firers[place].is_lone_leader();
        match self.firers.iter().position(is_free).filter(|_| needs_help) {
            None => Ok(format!("{by} (I-71)")),
            Some(helper) => {
                self.firers[helper].assists = true;
                let helper = self.firers[helper].member.printed().printed();
                Ok(format!("{by}, helped by the {helper} (I-71)"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(text: &str) -> FireGroup {
        FireGroup::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn told(text: &str) -> String {
        let group = group(text);
        let firer = |firer: &Firer| {
            let weapons: Vec<String> = firer
                .weapons
                .iter()
                .map(|manned| {
                    let captured = if manned.captured { " captured" } else { "" };
                    let marked = if manned.marked { "!" } else { "" };
                    format!("{}{captured}{marked}", manned.weapon.id)
                })
                .collect();
            let sw = if firer.sw_only { " sw-only" } else { "" };
            format!("{}[{}]{sw}", firer.member, weapons.join(","))
        };
        let location = |location: &FiringLocation| {
            let firers: Vec<String> = location.firers.iter().map(firer).collect();
            let range = location.sight.range.map_or(String::new(), |range| format!(" @{range}"));
            firers.join(" ") + &range
        };
        group.locations.iter().map(location).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn firers_are_read_with_their_weapons() {
        for (text, expected) in [
            (
                "9-2 + 2x german:4-6-7/hmg",
                "german:9-2[] german:4-6-7[ger_hmg] german:4-6-7[ger_hmg]",
            ),
            (
                "german:4-6-7 + german:2-4-7 + hmg + lmg",
                "german:4-6-7[ger_hmg] german:2-4-7[ger_lmg]",
            ),
            ("german:6+1 + german:4-6-7", "german:6+1[] german:4-6-7[]"),
            ("german:4-6-7/mmg,sw-only", "german:4-6-7[ger_mmg] sw-only"),
            ("german:4-6-7/lmg!,pinned", "german:4-6-7/pinned[ger_lmg!]"),
            ("russian:4-4-7/german:lmg,cx", "russian:4-4-7/cx[ger_lmg captured]"),
            ("american:6-6-6 @1 | american:7-4-7 @2", "american:6-6-6[] @1 | american:7-4-7[] @2"),
            ("german:4-6-7/dm_hmg", "german:4-6-7[ger_hmg_dm]"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_fire_is_refused_with_its_rule() {
        for (text, expected) in [
            ("german:2-4-7/lmg,mmg", "a HS fires one SW (A7.352)"),
            ("german:4-6-7/broken", "broken units do not fire (A10.4)"),
            ("german:4-6-7/mtr50", "a mortar must hit first, by its own To Hit roll (C3)"),
            ("german:4-6-7 @x", "`range` must be a whole number from 0 to 40"),
            ("german:4-6-7 @3, fog 2", "no fact is called `fog`"),
            ("german:4-6-7 + ", "expected a firer"),
            ("german:2-4-7/lmg + mmg", "nobody is left to fire the MMG"),
            ("german:4-6-7/lmg(r)", "no german SW is called `lmg(r)`"),
            ("german:4-6-7 + 9999999999x lmg", "nobody is left to fire the LMG"),
            ("12x german:4-6-7/lmg", "12 SW: an attack has at most 8"),
            ("7x german:4-6-7 | 6x german:4-6-7", "13 firers: an attack has at most 12"),
        ] {
            assert_eq!(FireGroup::parse(text).unwrap_err().message, expected, "{text}");
        }
    }
}
