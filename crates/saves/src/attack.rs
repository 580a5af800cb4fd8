//! An attack in a save: its firers with their SW, its target, and their view of it.

use asl::attack::circumstances::{CrossedHexside, FirePhase, Sight, TargetWorks, WallAdvantage};
use asl::attack::weapons::{SupportWeapon, WeaponKind};
use asl::board::hex::Hex;
use asl::board::map::{Location, Works};
use asl::catalogue::CounterKind;
use asl::kinds::{StackFields, StepFields};
use asl::nation::Nation;
use asl::rout::Situation;
use engine::text::{Fault, canonical, plain};
use serde_json::{Value, json};
use vasl::map_units::{CarriedWeapon, Mark};

use super::SaveFault;
use super::force::{ForceUnit, SavedQuestion, few, side_name, stacked, with_word};
use super::save::Save;
use super::sides::{Mover, Nations, elr, is_axis};

/// The options that name the Locations of the firers and of the target.
const FROM: &str = "from";
const AT: &str = "at";
/// The starts of the markers of fire.
const FIRE_MARKERS: [&str; 7] =
    ["Prep Fire", "First Fire", "Final Fire", "Adv. Fire", "Adv Fire", "Opp Fire", "Intensive"];
const WALL_ADVANTAGE: [&str; 1] = ["Wall Advan"];

/// The firers of a Location, as text, and what of them does not fire.
#[derive(Default)]
pub(super) struct Firers {
    pub items: Vec<String>,
    loose: Vec<String>,
    pub left_out: Vec<String>,
    /// True if somebody has FP: leaders have none without a SW.
    is_firing: bool,
}

impl Firers {
    pub fn text(&self) -> String {
        stacked(&[self.items.as_slice(), self.loose.as_slice()].concat())
    }
}

/// A Location of firers.
struct Source<'a> {
    /// The Location as the player names it.
    text: &'a str,
    at: Location,
    force: Vec<ForceUnit<'a>>,
}

impl<'a> Save<'a> {
    /// Returns the attack of the units in some Locations, together, on those in another.
    /// `situation` is the map of the save.
    ///
    /// # Errors
    ///
    /// Fails if nobody that the player knows is in one of the Locations or can fire, if there is
    /// no LOS from one of them, if they cannot form a Fire Group, or if something in one of them is
    /// not understood.
    pub fn attack(
        &self,
        situation: &Situation,
        from: &[String],
        at: &str,
    ) -> Result<SavedQuestion, SaveFault> {
        let sources = self.sources(situation, from)?;
        let target = self.place_of(situation, (AT, at))?;
        let there = self.force(situation, target)?;
        let Some(first) = sources.iter().flat_map(|source| &source.force).next() else {
            return Err(Fault::new("expected a Location of firers", 0..0).into());
        };
        let side = self.side_of(first.nation);
        let foes = self.held(situation, |nation| !side.contains(nation));
        for source in &sources {
            self.check_sides(&side, (&source.force, source.text), (&there, at), &foes)?;
        }
        check_chain(situation, &sources)?;
        let hexes: Vec<Hex> = sources.iter().map(|source| source.at.hex).collect();
        let mut notes = self.check_ends(situation, &[&hexes[..], &[target.hex]].concat())?;
        let is_enemy = |nation: &str| !side.contains(nation);
        let is_masked = self.is_masked(situation, target.hex, &side);
        if there.is_empty() && !is_masked {
            return Err(self.nobody(situation, (AT, at), (target.hex, &is_enemy)));
        }
        let seen = |source: &Source| {
            let sight = situation.fire_sight(source.at, target);
            sight.ok_or_else(|| self.unseen(situation, source.at, (at, &is_enemy)))
        };
        let sights: Vec<Sight> = sources.iter().map(seen).collect::<Result<_, _>>()?;
        let firing = sources.iter().map(|source| self.firing(source, &sources, situation));
        let firing: Vec<Firers> = firing.collect::<Result<_, _>>()?;
        let (by, seen, own) = group_fields(&firing, &sights);
        let mut fields = vec![(StepFields::by.name, json!(by))];
        fields.extend(seen);
        fields.extend(self.protection(situation, (&hexes, target), &sights));
        if there.is_empty() {
            return Err(only_masked(&fields, at));
        }
        let targets: Vec<String> = there.iter().map(ForceUnit::as_target).collect();
        fields.insert(0, (StackFields::stack.name, json!(stacked(&targets))));
        let enemy = self.side_of(there[0].nation);
        let (rating, remark) = elr(&self.position.scenario, is_axis(&enemy));
        fields.extend(rating.map(|elr| (StackFields::elr.name, json!(elr))));
        let near = sources.iter().any(|source| situation.are_adjacent(source.at, target));
        fields.extend(near.then(|| (StackFields::captor.name, json!(true))));
        let (phase, moment) = self.phase(&side, &enemy);
        fields.extend(phase.map(|phase| (StepFields::fire_phase.name, json!(phase.name()))));
        let mut remarks = self.attack_notes(situation, (&hexes, target.hex), is_masked);
        remarks.extend(remark);
        notes.splice(0..0, remarks);
        let names: Vec<String> =
            sources.iter().map(|source| situation.map.location_name(source.at)).collect();
        let names = [named(&names), situation.map.location_name(target)];
        let here = sources.iter().flat_map(|source| &source.force);
        let nations = [here.map(|unit| unit.nation).collect(), nations_of(&there)];
        let left_out: Vec<String> = firing.into_iter().flat_map(|firers| firers.left_out).collect();
        let about = self.attack_about(&names, nations, &left_out, moment);
        Ok(SavedQuestion { fields, own, about, notes })
    }

    /// Returns the Locations of the firers with all units there.
    fn sources<'t>(
        &'t self,
        situation: &Situation,
        from: &'t [String],
    ) -> Result<Vec<Source<'t>>, SaveFault> {
        let mut sources: Vec<Source> = Vec::new();
        for text in from {
            let at = self.place_of(situation, (FROM, text))?;
            if sources.iter().any(|source| source.at == at) {
                return Err(SaveFault::refused(FROM, text, "this Location is named twice"));
            }
            let force = self.force(situation, at)?;
            if force.is_empty() {
                return Err(self.nobody(situation, (FROM, text), (at.hex, &|_| true)));
            }
            sources.push(Source { text, at, force });
        }
        Ok(sources)
    }

    /// Returns who fires in one of the Locations.
    fn firing(
        &self,
        source: &Source,
        all: &[Source],
        situation: &Situation,
    ) -> Result<Firers, SaveFault> {
        let mut firers = self.firers(&source.force, source.at, situation);
        let refused = |message: String| SaveFault::refused(FROM, source.text, message);
        if firers.items.is_empty() {
            let left_out = firers.left_out.join(", ");
            return Err(refused(format!("nobody there can fire: {left_out}")));
        }
        if all.len() > 1 {
            if !firers.is_firing {
                let message = "a leader who fires nothing is no part of a Fire Group (A7.5)";
                return Err(refused(message.to_string()));
            }
            let name = situation.map.location_name(source.at);
            firers.left_out.iter_mut().for_each(|what| *what = format!("{name}: {what}"));
        }
        Ok(firers)
    }

    /// Fails if units of both sides are in one of the Locations, of the other side in the firers',
    /// or friends in the target's.
    fn check_sides(
        &self,
        side: &Nations,
        (here, from): (&[ForceUnit], &str),
        (there, at): (&[ForceUnit], &str),
        foes: &[String],
    ) -> Result<(), SaveFault> {
        let is_own = |unit: &ForceUnit| side.contains(unit.nation);
        let melee = |place: &str| format!("`lowcrawl cc {} --from-vasl --at {place}`", self.name);
        let refused = |option, text: &str, message: &str, help: String| {
            let fault = Fault::new(message, 0..text.len()).help(help);
            Err(SaveFault::option(option, text, fault))
        };
        if !here.iter().any(is_own) {
            let message = "the units there are on the other side than those of the first `--from`";
            let help = format!("name Locations of {} units", side_name(side));
            return refused(FROM, from, message, help);
        }
        if !here.iter().all(is_own) {
            let message = "units of both sides are there: no fire leaves a Melee (A11.15)";
            return refused(FROM, from, message, melee(from));
        }
        if !there.iter().any(is_own) {
            return Ok(());
        }
        if there.iter().all(is_own) {
            let help = match foes {
                [] => "no enemy that you may know is on the map".to_string(),
                foes => format!("enemies are in {}", few(foes)),
            };
            return refused(AT, at, "the units there are on the side of the firers", help);
        }
        let message = "units of both sides are there: fire at a Melee hits both (A11.15)";
        refused(AT, at, message, melee(at))
    }

    /// Returns the fault of a target that the firers do not see.
    fn unseen(
        &self,
        situation: &Situation,
        source: Location,
        (at, is_enemy): (&str, &dyn Fn(&str) -> bool),
    ) -> SaveFault {
        let is_seen = |name: &String| {
            let located = situation.map.parse_location(name).ok();
            located.is_some_and(|target| situation.fire_sight(source, target).is_some())
        };
        let seen: Vec<String> =
            self.held(situation, is_enemy).into_iter().filter(is_seen).collect();
        let from = situation.map.location_name(source);
        let message = format!("no LOS leads there from {from}");
        let help = match &seen[..] {
            [] => format!("from {from} no enemy that you may know is seen"),
            seen => format!("from {from} enemies are seen in {}", few(seen)),
        };
        SaveFault::option(AT, at, Fault::new(message, 0..at.len()).help(help))
    }

    /// Returns the firers of a Location with their SW.
    pub(super) fn firers(
        &self,
        here: &[ForceUnit],
        source: Location,
        situation: &Situation,
    ) -> Firers {
        let mut firers = Firers::default();
        let has_mmc = here.iter().any(|unit| unfit(unit).is_none() && !unit.kind.is_smc());
        let mut lone: Vec<&CarriedWeapon> = self.all.weapons.iter().collect();
        lone.retain(|weapon| {
            weapon.carrier.is_none() && self.hex_of(situation, &weapon.place) == Some(source.hex)
        });
        for unit in here {
            let own = self.all.weapons.iter();
            let own = own.filter(|weapon| unit.index.is_some() && weapon.carrier == unit.index);
            let mut carried: Vec<&CarriedWeapon> = own.collect();
            if unit.kind == CounterKind::Hero {
                carried.append(&mut lone);
            }
            let reason = unfit(unit);
            if let Some(reason) = reason {
                firers.left_out.push(format!("{reason} {}", unit.printed));
            }
            let mut item = unit.notation.clone();
            let (mut fired, most) = (0, if unit.kind == CounterKind::Squad { 2 } else { 1 });
            for weapon in carried {
                let word = match reason {
                    None => weapon_word(weapon, unit.nation),
                    Some(_) => Err(format!("{} of the {}", plain(&weapon.name), unit.printed)),
                };
                match word {
                    Err(left_out) => firers.left_out.push(left_out),
                    // SW lie on the topmost unit of a stack, which a leader often is.
                    Ok(word) if has_mmc && unit.kind.is_leader() => firers.loose.push(word),
                    Ok(_) if fired == most => {
                        let name = plain(&weapon.name);
                        firers
                            .left_out
                            .push(format!("{name}: one too many for the {}", unit.printed));
                    }
                    Ok(word) => {
                        item = with_word(&item, &word);
                        fired += 1;
                    }
                }
            }
            if reason.is_none() {
                firers.is_firing |= fired > 0 || !unit.kind.is_leader();
                firers.items.push(item);
            }
        }
        let unheld = lone.iter().map(|weapon| format!("{}: nobody has it", plain(&weapon.name)));
        firers.left_out.extend(unheld);
        firers
    }

    /// Returns the fields of what protects the target.
    fn protection(
        &self,
        situation: &Situation,
        (sources, target): (&[Hex], Location),
        sights: &[Sight],
    ) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::new();
        let ground = situation.map.get(target.hex);
        fields.extend(ground.map(|ground| (StepFields::terrain.name, json!(ground.terrain.id))));
        let works = ground.and_then(|ground| ground.works).filter(|_| target.level == 0);
        let works = works.and_then(|works| match works {
            Works::Foxhole => Some(TargetWorks::Foxhole),
            Works::Trench => Some(TargetWorks::Trench),
            Works::Pillbox => None,
        });
        fields.extend(works.map(|works| (StepFields::works.name, json!(works.name()))));
        let has = |hex: Hex| !self.markers(situation, hex, &WALL_ADVANTAGE).is_empty();
        let behind = sources.iter().zip(sights).filter(|(_, sight)| sight.hexside.tem() > 0);
        let behind: Vec<bool> = behind.map(|(hex, _)| has(*hex)).collect();
        // A hexside that helps the target against one firer helps it against all (A7.52).
        let is_firers = !behind.is_empty() && behind.iter().all(|has| *has);
        let who = match (is_firers, has(target.hex)) {
            _ if behind.is_empty() => None,
            (true, false) => Some(WallAdvantage::Firer),
            (false, true) => Some(WallAdvantage::Target),
            _ => None,
        };
        fields.extend(who.map(|who| (StepFields::wall_advantage.name, json!(who.name()))));
        fields
    }

    /// Returns the phase of the fire by the phase wheel, and the name on the wheel.
    fn phase(&self, side: &Nations, enemy: &Nations) -> (Option<FirePhase>, Option<String>) {
        let wheel = self.position.phase_wheel();
        let is_moving = Mover::from_position(self.position).is_moving(side, enemy);
        let name = wheel.as_deref().and_then(|wheel| wheel.rsplit(' ').next());
        let phase = match (name, is_moving) {
            (Some("AFPh"), Some(true)) => Some(FirePhase::Advancing),
            (Some("DFPh"), Some(false)) => Some(FirePhase::Final),
            _ => None,
        };
        (phase, wheel)
    }

    fn attack_notes(
        &self,
        situation: &Situation,
        (sources, target): (&[Hex], Hex),
        is_masked: bool,
    ) -> Vec<String> {
        let name = |hex: Hex| situation.map.name(hex);
        let mut notes = Vec::new();
        if is_masked {
            notes.push(format!(
                "concealed units are in {} too: the attack on them, halved (A12.13), is left out",
                name(target)
            ));
        }
        for &source in sources {
            let marks = self.markers(situation, source, &FIRE_MARKERS);
            if !marks.is_empty() {
                notes.push(format!(
                    "{} in {}: markers of fire are not read; `--by` says who fires",
                    marks.join(", "),
                    name(source)
                ));
            }
        }
        let is_between = |hex: &Hex| {
            let is_on_way = |source: &Hex| {
                let range = hex.range(*source) + hex.range(target);
                hex != source && range == source.range(target)
            };
            sources.iter().any(is_on_way)
        };
        let vehicles = self.all.unrated.iter().filter(|unit| unit.is_vehicle);
        let mut between: Vec<String> = vehicles
            .filter_map(|unit| self.hex_of(situation, &unit.place))
            .filter(is_between)
            .map(name)
            .collect();
        between.sort();
        between.dedup();
        if !between.is_empty() {
            notes.push(format!(
                "vehicles in {}: their Hindrance and TEM (D9.3, D9.4) are not counted",
                few(&between)
            ));
        }
        for &source in sources {
            let silent = self.vehicles(situation, source);
            if !silent.is_empty() {
                let silent = silent.join(", ");
                notes.push(format!("{silent} in {}: its fire is left out", name(source)));
            }
        }
        notes
    }

    /// Describes the attack as it was understood.
    fn attack_about(
        &self,
        [from, at]: &[String; 2],
        [side, enemy]: [Nations; 2],
        left_out: &[String],
        moment: Option<String>,
    ) -> String {
        let moment = moment.map_or(String::new(), |moment| format!(", {moment}"));
        let about = format!(
            "{} on {}{moment}: the {} units in {from} fire at the {} units in {at}.",
            self.name,
            self.boards.render(),
            side_name(&side),
            side_name(&enemy)
        );
        let left_out = match left_out {
            [] => String::new(),
            left_out => format!(" Left out: {}.", left_out.join("; ")),
        };
        plain(&(about + &left_out))
    }
}

/// Fails if the Locations are not joined by others of them that are ADJACENT.
fn check_chain(situation: &Situation, sources: &[Source]) -> Result<(), SaveFault> {
    let (mut joined, mut apart): (Vec<&Source>, Vec<&Source>) =
        sources.iter().partition(|source| source.at == sources[0].at);
    let is_near = |one: &Source, other: &Source| situation.are_adjacent(one.at, other.at);
    while let Some(next) =
        apart.iter().position(|source| joined.iter().any(|other| is_near(source, other)))
    {
        joined.push(apart.remove(next));
    }
    let Some(source) = apart.first() else { return Ok(()) };
    let names: Vec<String> =
        joined.iter().map(|source| situation.map.location_name(source.at)).collect();
    let message = format!("it is not ADJACENT to {}: no Fire Group (A7.5)", few(&names));
    let help = "ask for two attacks, or add a Location between that fires too".to_string();
    let fault = Fault::new(message, 0..source.text.len()).help(help);
    Err(SaveFault::option(FROM, source.text, fault))
}

/// Returns the firers as text, what all Locations see alike as fields, and the names of the fields
/// that stand behind each Location as they differ.
fn group_fields(
    firing: &[Firers],
    sights: &[Sight],
) -> (String, Vec<(&'static str, Value)>, Vec<&'static str>) {
    let own: Vec<[(&'static str, Value); 4]> = sights.iter().map(facts).collect();
    let is_alike = |number: &usize| own.iter().all(|facts| facts[*number] == own[0][*number]);
    let (alike, apart): (Vec<usize>, Vec<usize>) = (0..4).partition(is_alike);
    let text = |(firers, facts): (&Firers, &[(&'static str, Value); 4])| {
        let fact = |number: &usize| match &facts[*number] {
            (name, value) if *name == StepFields::range.name => value.to_string(),
            (name, Value::String(word)) => format!("{name} {word}"),
            (name, value) => format!("{name} {value}"),
        };
        let facts: Vec<String> = apart.iter().map(fact).collect();
        match &facts[..] {
            [] => firers.text(),
            facts => format!("{} @ {}", firers.text(), facts.join(", ")),
        }
    };
    let by: Vec<String> = firing.iter().zip(&own).map(text).collect();
    let plain = facts(&Sight::default());
    let is_told = |number: &usize| *number == 0 || own[0][*number] != plain[*number];
    let seen = alike.into_iter().filter(is_told).map(|number| own[0][number].clone());
    (by.join(" | "), seen.collect(), apart.iter().map(|number| plain[*number].0).collect())
}

/// Returns what firers see, by the names of fields: the range first.
fn facts(sight: &Sight) -> [(&'static str, Value); 4] {
    let hexside = if sight.hexside.tem() > 0 { sight.hexside } else { CrossedHexside::None };
    [
        (StepFields::range.name, json!(sight.range)),
        (StepFields::level.name, json!(sight.level)),
        (StepFields::hindrance.name, json!(sight.hindrance)),
        (StepFields::hexside.name, json!(hexside.name())),
    ]
}

/// Joins names as in a sentence.
fn named(names: &[String]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        names => names.concat(),
    }
}

fn nations_of(force: &[ForceUnit]) -> Nations {
    force.iter().map(|unit| unit.nation).collect()
}

/// Returns why a unit does not fire; `None` if it does.
fn unfit(unit: &ForceUnit) -> Option<&'static str> {
    let reasons =
        [(Mark::Broken, "broken"), (Mark::Immobilized, "TI"), (Mark::Melee, "locked in Melee:")];
    reasons.into_iter().find(|(mark, _)| unit.has(*mark)).map(|(_, reason)| reason)
}

/// Returns the word for a SW in the notation of firers.
///
/// # Errors
///
/// Fails with the reason why the SW does not fire with the others.
fn weapon_word(weapon: &CarriedWeapon, nation: &str) -> Result<String, String> {
    let name = plain(&weapon.name);
    if weapon.is_malfunctioned {
        return Err(format!("malfunctioned {}", name.trim_start_matches("Malf").trim_start()));
    }
    let own = Nation::from_word(nation).unwrap_or(Nation::Any);
    let of = weapon.nation.and_then(Nation::from_word).unwrap_or(own);
    let known = known_weapon(of, &name).ok_or_else(|| format!("unknown SW {name}"))?;
    match known.kind {
        WeaponKind::MachineGun | WeaponKind::AntiTankRifle => {}
        WeaponKind::Flamethrower => return Err(format!("{name}: attacks alone (A22.31)")),
        WeaponKind::DemolitionCharge => return Err(format!("{name}: attacks alone (A23)")),
        WeaponKind::Mortar => return Err(format!("{name}: must hit first (C3)")),
    }
    let word = known.name.replace(' ', "_");
    let is_own = SupportWeapon::named(own, &known.name).is_some_and(|it| it.id == known.id);
    Ok(if is_own { word } else { format!("{of}:{word}") })
}

/// Returns the SW that a counter of VASL is, by its whole name, else by one of its words.
fn known_weapon(nation: Nation, name: &str) -> Option<&'static SupportWeapon> {
    let name = canonical(name);
    let has_calibre = name.contains("50") && name.contains("cal");
    let heavy = has_calibre.then(|| SupportWeapon::named(nation, ".50-cal")).flatten();
    let words = || name.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '.'));
    let dismantled = words().next() == Some("dm");
    let of_word = |word: &str| match dismantled {
        true => SupportWeapon::named(nation, &format!("dm {word}")),
        false => SupportWeapon::named(nation, word),
    };
    heavy
        .or_else(|| SupportWeapon::named(nation, &name))
        .or_else(|| words().filter(|word| !word.is_empty()).find_map(of_word))
}

/// Returns the fault of a target of which only concealment counters are known, with the question
/// that a player can complete.
fn only_masked(fields: &[(&'static str, Value)], at: &str) -> SaveFault {
    let option = |(name, value): &(&str, Value)| match value {
        Value::String(text) if text.contains(' ') => format!(" --{name} \"{text}\""),
        Value::String(text) => format!(" --{name} {text}"),
        value => format!(" --{name} {value}"),
    };
    let options: String = fields.iter().map(option).collect();
    let message = "only concealed units are there, of which a save tells nothing";
    let help = format!(
        "name what you expect: `lowcrawl fire \"german:4-6-7/concealed\"{options}`; `--mine` reads \
            your own side's"
    );
    SaveFault::option(AT, at, Fault::new(message, 0..at.len()).help(help))
}
