//! A stack of a save that moves under fire: the map with both sides, and the enemies' SW.

use asl::board::map::Location;
use asl::crossing::defenders::MOST_DEFENDERS;
use asl::crossing::fields::CrossingFields;
use asl::rout::{RoutFields, Situation};
use engine::text::{Fault, plain};
use serde_json::{Value, json};

use super::SaveFault;
use super::force::{SavedQuestion, side_name};
use super::save::Save;
use super::sides::{Mover, Nations, elr, is_axis};
use super::situation::named_side;

/// A save in which a side moves.
pub struct SavedCrossing {
    /// The request of the situation, without its kind.
    pub request: Value,
    side: Nations,
    notes: Vec<String>,
}

impl Save<'_> {
    /// Returns the situation in which the side of the options moves, else the one to move.
    ///
    /// # Errors
    ///
    /// Fails if the save does not say who moves, or if the catalogue lacks a counter.
    pub fn crossing(&self) -> Result<SavedCrossing, SaveFault> {
        let mut notes = Vec::new();
        let side = match &self.options.side {
            Some(text) => {
                let units = self.all.units.iter().map(|unit| unit.nation);
                named_side(text, &units.collect(), self.name)?
            }
            None => self.moving_side(&mut notes)?,
        };
        let mut request = self.position_of(&side)?;
        let (rating, remark) = elr(&self.position.scenario, is_axis(&side));
        notes.extend(remark);
        if let Some(elr) = rating {
            request[RoutFields::elr.name] = json!(elr);
        }
        Ok(SavedCrossing { request, side, notes })
    }

    fn moving_side(&self, notes: &mut Vec<String>) -> Result<Nations, SaveFault> {
        let mover = Mover::from_position(self.position);
        let sides = self.all_sides();
        let moving = match &sides[..] {
            [one, other] => mover.is_moving(one, other).map(|is_first| match is_first {
                true => one,
                false => other,
            }),
            _ => None,
        };
        let Some(moving) = moving else {
            let first = sides.first().map_or("german".to_string(), side_name);
            let fault = Fault::new("the file does not give the Player Turn", 0..0);
            return Err(fault.help(format!("`--side {first}` says who moves")).into());
        };
        notes.extend(mover.note);
        Ok(moving.clone())
    }

    /// Returns the fields of the crossing but its map: the defenders with SW. `situation` is that
    /// of the request.
    ///
    /// # Errors
    ///
    /// Fails if more Locations have enemies with SW than a question has defenders.
    pub fn crossing_fields(
        &self,
        situation: &Situation,
        crossing: SavedCrossing,
    ) -> Result<SavedQuestion, SaveFault> {
        let SavedCrossing { side, mut notes, .. } = crossing;
        let mut places: Vec<Location> = Vec::new();
        for weapon in self.all.weapons.iter() {
            let carrier = weapon.carrier.and_then(|carrier| self.all.units.get(carrier));
            let Some(carrier) = carrier.filter(|unit| !side.contains(unit.nation)) else {
                continue;
            };
            let at = self.location(&carrier.place, carrier.level);
            let at = situation.map.parse_location(&at);
            let at = at.map_err(|fault| Fault { span: 0..0, ..fault })?;
            if !places.contains(&at) {
                places.push(at);
            }
        }
        let mut defenders = Vec::new();
        for at in places {
            let here = self.force(situation, at)?;
            let firers = self.firers(&here, at, situation);
            let name = situation.map.location_name(at);
            let reasons = firers.left_out.iter().map(|what| format!("{name}: {what}"));
            notes.extend(reasons.map(|reason| plain(&reason)));
            if !firers.items.is_empty() {
                let word = name.replace(" level ", "/");
                defenders.push(format!("{word}: {} @ {name}", firers.text()));
            }
        }
        if defenders.len() > MOST_DEFENDERS {
            let message = format!("SW are in {} enemy Locations", defenders.len());
            let help = "name those that fire: `--defender \"A: german:4-6-7/mmg @ yG4\"`";
            return Err(Fault::new(message, 0..0).help(help).into());
        }
        let mut fields = Vec::new();
        if !defenders.is_empty() {
            fields.push((CrossingFields::defenders.name, json!(defenders.join("; "))));
        }
        if !self.all.concealed.is_empty() {
            notes.push("concealed enemies are left out".to_string());
        }
        let (doubts, changes) = (self.doubts(), self.changes());
        notes.extend(self.remarks(&doubts, &changes));
        let moment = self.position.phase_wheel();
        let moment = moment.map_or(String::new(), |moment| format!(", {moment}"));
        let (boards, side) = (self.boards.render(), side_name(&side));
        let about = format!("{} on {boards}{moment}: the {side} stack moves.", self.name);
        Ok(SavedQuestion { fields, own: Vec::new(), about: plain(&about), notes })
    }
}
