//! Close Combat in a Location of a save: the units of both sides there.

use asl::close_combat::fields::CombatFields;
use asl::close_combat::state::CombatSide;
use asl::rout::Situation;
use engine::text::{Fault, plain};
use serde_json::json;
use vasl::map_units::Mark;

use super::SaveFault;
use super::force::{ForceUnit, SavedQuestion, few, side_name, stacked, with_word};
use super::save::Save;
use super::sides::{Mover, Nations};

/// The option that names the Location.
const AT: &str = "at";
/// The word for a Temporarily Immobilized unit in Close Combat.
const TI: &str = "ti";

impl Save<'_> {
    /// Returns the Close Combat in a Location. Ours is the side of the player's nation, else the
    /// one that moves. `situation` is the map of the save.
    ///
    /// # Errors
    ///
    /// Fails if the player knows of one side only there, or if something there is not understood.
    pub fn combat(&self, situation: &Situation, at: &str) -> Result<SavedQuestion, SaveFault> {
        let place = self.place_of(situation, (AT, at))?;
        let here = self.force(situation, place)?;
        let Some(first) = here.first() else {
            return Err(self.nobody(situation, (AT, at), (place.hex, &|_| true)));
        };
        let sides = self.all_sides();
        let is_there = |side: &&Nations| here.iter().any(|unit| side.contains(unit.nation));
        let [one, other] = sides.iter().filter(is_there).collect::<Vec<_>>()[..] else {
            return Err(self.one_sided(situation, at, &side_name(&self.side_of(first.nation))));
        };
        let mut notes = self.check_ends(situation, &[place.hex])?;
        let (ours, theirs, is_phasing) = self.ours([one, other], &mut notes);
        if self.is_masked(situation, place.hex, &Nations::new()) {
            let name = situation.map.name(place.hex);
            notes.push(format!("concealed units are in {name} too, and left out"));
        }
        let vehicles = self.vehicles(situation, place.hex);
        if !vehicles.is_empty() {
            notes.push(format!("{}: left out", vehicles.join(", ")));
        }
        let units = |side: &Nations| {
            let own = here.iter().filter(|unit| side.contains(unit.nation));
            json!(stacked(&own.map(fighter).collect::<Vec<_>>()))
        };
        let mut fields = vec![
            (CombatFields::stack.name, units(ours)),
            (CombatFields::against.name, units(theirs)),
        ];
        let ground = situation.map.get(place.hex);
        let terrain = ground.map(|ground| json!(ground.terrain.id));
        fields.extend(terrain.map(|terrain| (CombatFields::terrain.name, terrain)));
        if here.iter().any(|unit| unit.has(Mark::Melee)) {
            fields.push((CombatFields::melee.name, json!(true)));
        }
        if is_phasing == Some(false) {
            let theirs = CombatSide::NAMES[CombatSide::Theirs as usize];
            fields.push((CombatFields::phasing.name, json!(theirs)));
        }
        let there = |side: &Nations| {
            let own = here.iter().map(|unit| unit.nation).filter(|nation| side.contains(nation));
            side_name(&own.collect())
        };
        let moment = self.position.phase_wheel();
        let moment = moment.map_or(String::new(), |moment| format!(", {moment}"));
        let about = format!(
            "{} on {}{moment}: ours are the {}, theirs the {} units in {}.",
            self.name,
            self.boards.render(),
            there(ours),
            there(theirs),
            situation.map.location_name(place)
        );
        Ok(SavedQuestion { fields, own: Vec::new(), about: plain(&about), notes })
    }

    /// Returns our side, the other one, and whether ours moves, if the save says so.
    fn ours<'s>(
        &self,
        [one, other]: [&'s Nations; 2],
        notes: &mut Vec<String>,
    ) -> (&'s Nations, &'s Nations, Option<bool>) {
        let mover = Mover::from_position(self.position);
        let is_moving = mover.is_moving(one, other);
        let own = self.options.mine.map(|mine| one.contains(mine) || !other.contains(mine));
        let (ours, theirs) = match own.or(is_moving) {
            Some(false) => (other, one),
            _ => (one, other),
        };
        let is_phasing = mover.is_moving(ours, theirs);
        notes.extend(mover.note);
        if own.is_none() && is_moving.is_none() {
            notes.push(format!("ours are the {}: `--mine` says otherwise", side_name(ours)));
        }
        if is_phasing.is_none() {
            notes.push("the save does not say whose Player Turn it is: ours".to_string());
        }
        (ours, theirs, is_phasing)
    }

    /// Returns the fault of a Location with units of one side.
    fn one_sided(&self, situation: &Situation, at: &str, side: &str) -> SaveFault {
        let own = |nation: &str| self.side_of_name(nation).is_some_and(|it| side_name(&it) == side);
        let both = self.held(situation, |nation| !own(nation));
        let of_side = self.held(situation, own);
        let both: Vec<String> = both.into_iter().filter(|name| of_side.contains(name)).collect();
        let message = format!("only {side} units that you may know are there");
        let fault = Fault::new(message, 0..at.len());
        let help = match &both[..] {
            [] => "no Location has Known units of both sides".to_string(),
            both => format!("both sides are in {}", few(both)),
        };
        SaveFault::option(AT, at, fault.help(help))
    }
}

/// Returns a unit in the notation of Close Combat.
fn fighter(unit: &ForceUnit) -> String {
    let target = unit.as_target();
    if unit.has(Mark::Immobilized) { with_word(&target, TI) } else { target }
}
