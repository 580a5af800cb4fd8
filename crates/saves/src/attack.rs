//! An attack in a save: its firers with their SW, its target, and their view of it.

use asl::attack::circumstances::{FirePhase, Sight, TargetWorks, WallAdvantage};
use asl::attack::weapons::{SupportWeapon, WeaponKind};
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
}

impl Firers {
    pub fn text(&self) -> String {
        stacked(&[self.items.as_slice(), self.loose.as_slice()].concat())
    }
}

impl Save<'_> {
    /// Returns the attack of the units in one Location on those in another. `situation` is the
    /// map of the save.
    ///
    /// # Errors
    ///
    /// Fails if nobody that the player knows is in one of the Locations or can fire, if there is
    /// no LOS, or if something in one of them is not understood.
    pub fn attack(
        &self,
        situation: &Situation,
        from: &str,
        at: &str,
    ) -> Result<SavedQuestion, SaveFault> {
        let source = self.place_of(situation, (FROM, from))?;
        let target = self.place_of(situation, (AT, at))?;
        let (here, there) = (self.force(situation, source)?, self.force(situation, target)?);
        let anybody = |_: &str| true;
        let Some(first) = here.first() else {
            return Err(self.nobody(situation, (FROM, from), (source.hex, &anybody)));
        };
        let side = self.side_of(first.nation);
        let foes = self.held(situation, |nation| !side.contains(nation));
        self.check_sides(&side, (&here, from), (&there, at), &foes)?;
        let mut notes = self.check_ends(situation, &[source.hex, target.hex])?;
        let is_enemy = |nation: &str| !side.contains(nation);
        let is_masked = self.is_masked(situation, target.hex, &side);
        if there.is_empty() && !is_masked {
            return Err(self.nobody(situation, (AT, at), (target.hex, &is_enemy)));
        }
        let Some(sight) = situation.fire_sight(source, target) else {
            return Err(self.unseen(situation, source, (at, &is_enemy)));
        };
        let firers = self.firers(&here, source, situation);
        if firers.items.is_empty() {
            let message = format!("nobody there can fire: {}", firers.left_out.join(", "));
            return Err(SaveFault::refused(FROM, from, message));
        }
        let mut fields = vec![(StepFields::by.name, json!(firers.text()))];
        fields.extend(self.circumstances(situation, (source, target), &sight));
        if there.is_empty() {
            return Err(only_masked(&fields, at));
        }
        let targets: Vec<String> = there.iter().map(ForceUnit::as_target).collect();
        fields.insert(0, (StackFields::stack.name, json!(stacked(&targets))));
        let enemy = self.side_of(there[0].nation);
        let (rating, remark) = elr(&self.position.scenario, is_axis(&enemy));
        fields.extend(rating.map(|elr| (StackFields::elr.name, json!(elr))));
        let near = situation.are_adjacent(source, target);
        fields.extend(near.then(|| (StackFields::captor.name, json!(true))));
        let (phase, moment) = self.phase(&side, &enemy);
        fields.extend(phase.map(|phase| (StepFields::fire_phase.name, json!(phase.name()))));
        let mut remarks = self.attack_notes(situation, (source, target), is_masked);
        remarks.extend(remark);
        notes.splice(0..0, remarks);
        let names = [source, target].map(|at| situation.map.location_name(at));
        let nations = [&here, &there].map(|force| force.iter().map(|unit| unit.nation).collect());
        let about = self.attack_about(&names, nations, &firers.left_out, moment);
        Ok(SavedQuestion { fields, about, notes })
    }

    /// Fails if units of both sides are in one of the Locations, or friends in the target's.
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
                firers.items.push(item);
            }
        }
        let unheld = lone.iter().map(|weapon| format!("{}: nobody has it", plain(&weapon.name)));
        firers.left_out.extend(unheld);
        firers
    }

    /// Returns the fields of what the firers see, and of what protects the target.
    fn circumstances(
        &self,
        situation: &Situation,
        (source, target): (Location, Location),
        sight: &Sight,
    ) -> Vec<(&'static str, Value)> {
        let mut fields = vec![(StepFields::range.name, json!(sight.range))];
        let ground = situation.map.get(target.hex);
        fields.extend(ground.map(|ground| (StepFields::terrain.name, json!(ground.terrain.id))));
        let works = ground.and_then(|ground| ground.works).filter(|_| target.level == 0);
        let works = works.and_then(|works| match works {
            Works::Foxhole => Some(TargetWorks::Foxhole),
            Works::Trench => Some(TargetWorks::Trench),
            Works::Pillbox => None,
        });
        fields.extend(works.map(|works| (StepFields::works.name, json!(works.name()))));
        if sight.level != 0 {
            fields.push((StepFields::level.name, json!(sight.level)));
        }
        if sight.hindrance > 0 {
            fields.push((StepFields::hindrance.name, json!(sight.hindrance)));
        }
        if sight.hexside.tem() > 0 {
            fields.push((StepFields::hexside.name, json!(sight.hexside.name())));
            let has = |at: Location| !self.markers(situation, at.hex, &WALL_ADVANTAGE).is_empty();
            let who = match (has(source), has(target)) {
                (true, false) => Some(WallAdvantage::Firer),
                (false, true) => Some(WallAdvantage::Target),
                _ => None,
            };
            fields.extend(who.map(|who| (StepFields::wall_advantage.name, json!(who.name()))));
        }
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
        (source, target): (Location, Location),
        is_masked: bool,
    ) -> Vec<String> {
        let name = |at: Location| situation.map.name(at.hex);
        let mut notes = Vec::new();
        if is_masked {
            notes.push(format!(
                "concealed units are in {} too: the attack on them, halved (A12.13), is left out",
                name(target)
            ));
        }
        let marks = self.markers(situation, source.hex, &FIRE_MARKERS);
        if !marks.is_empty() {
            notes.push(format!(
                "{} in {}: markers of fire are not read; `--by` says who fires",
                marks.join(", "),
                name(source)
            ));
        }
        let range = source.hex.range(target.hex);
        let vehicles = self.all.unrated.iter().filter(|unit| unit.is_vehicle);
        let mut between: Vec<String> = vehicles
            .filter_map(|unit| self.hex_of(situation, &unit.place))
            .filter(|hex| {
                *hex != source.hex && hex.range(source.hex) + hex.range(target.hex) == range
            })
            .map(|hex| situation.map.name(hex))
            .collect();
        between.sort();
        between.dedup();
        if !between.is_empty() {
            notes.push(format!(
                "vehicles in {}: their Hindrance and TEM (D9.3, D9.4) are not counted",
                few(&between)
            ));
        }
        let silent = self.vehicles(situation, source.hex);
        if !silent.is_empty() {
            notes.push(format!("{} in {}: its fire is left out", silent.join(", "), name(source)));
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
