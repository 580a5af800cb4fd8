//! Descriptions of units, rolls and states.

use super::army::OPPOSING_DICE;
use super::exchange::Exchange;
use super::field::{Army, Battlefield, GameStatus, Task, UnitSet};
use super::outcome::End;
use super::stage::{Move, Stage, Volley};
use super::unit::{Member, Side};
use engine::dice::Face;
use engine::process::Event;
use engine::text::counted;

impl Exchange {
    /// Returns the name of a unit, with its slot if there are several units.
    pub(super) fn name(&self, place: usize) -> String {
        let name = self.roster[place].preset.name;
        if self.roster.len() == 1 { name.to_string() } else { format!("{name} [{}]", place + 1) }
    }

    pub(super) fn names(&self, group: UnitSet) -> String {
        group.places().map(|place| self.name(place)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the reason why a unit does not take part.
    pub(super) fn state_in_words(&self, field: &Battlefield, place: usize) -> &'static str {
        let unit = &field.units[place];
        if unit.dispersed {
            "is dispersed"
        } else if unit.suppressed {
            "is suppressed"
        } else {
            "has fired"
        }
    }

    /// Describes the state: all units left, the effect of the last volley, and values that have
    /// changed. Army Morale is included where it is reported.
    pub(super) fn field_in_words(&self, field: &Battlefield) -> String {
        let there = (0..self.roster.len()).filter(|&place| !field.units[place].dispersed);
        let mut words: Vec<String> = there.map(|place| self.unit_in_words(field, place)).collect();
        words.extend(field.effect.and_then(|effect| self.counter(&End::Volley(effect))));
        if self.telling.armies {
            let [own, enemy] = &field.armies;
            words.push(format!("Army Morale {} to {}", own.morale, enemy.morale));
        }
        let change = |what: &str, of: fn(&Army) -> u8| {
            let changes =
                field.armies.iter().zip(&self.armies).any(|(army, start)| of(army) != of(start));
            changes.then(|| format!("{what} {} to {}", of(&field.armies[0]), of(&field.armies[1])))
        };
        words.extend(change("Wild Dice", |army| army.wild));
        words.extend(change("Command Dice left", |army| army.command.unwrap_or(0)));
        if let GameStatus::Pulses { next } = field.game {
            let [own, enemy] = field.armies.map(|army| army.chains.in_words());
            words.push(format!("chains {own} to {enemy}, next pulse: {} side", next.name()));
        }
        words.extend(change("Command Dice", |army| army.command_dice));
        words.extend(change("Staff Orders", |army| army.staff));
        words.extend(change("Staff Orders to come", |army| army.restocked));
        words.join(", ")
    }

    fn unit_in_words(&self, field: &Battlefield, place: usize) -> String {
        let unit = &field.units[place];
        let written = Member { start: *unit, ..self.roster[place] };
        let activated = if unit.activated > 0 { " (activated)" } else { "" };
        let slot = if self.roster.len() == 1 { String::new() } else { format!(" [{}]", place + 1) };
        format!("{written}{slot}{activated}")
    }

    pub(super) fn roll_in_words(&self, field: &Battlefield, face: Face) -> Event {
        let pips = face.dr();
        let tn = || self.tn_in_words(field);
        let target =
            || self.volley(field).map_or(String::new(), |volley| self.name(volley.target.into()));
        let (rule, head) = match field.agenda.last() {
            Some(Task::Fire { .. }) => ("Fire", format!("fire at {}{}", target(), tn())),
            Some(Task::React { .. }) => {
                ("Reaction", format!("Reaction Check of {}{}", target(), tn()))
            }
            Some(Task::Rally { group, pool, .. }) if pool.left > 0 => {
                ("Rally", format!("Rally Dice for {}{}", self.names(*group), tn()))
            }
            Some(Task::Rally { .. }) => ("Rally", format!("against the rally{}", tn())),
            Some(Task::MoraleCheck { side, own, .. }) => {
                let side = if *own > 0 { *side } else { side.other() };
                (
                    "Army Morale",
                    format!("Army Morale Check, dice of the {} side{}", side.name(), tn()),
                )
            }
            Some(Task::Distance { .. }) => {
                ("Forced back", format!("further inches of {}", target()))
            }
            Some(Task::Move { place, .. }) => {
                ("Movement", format!("move of {}", self.name((*place).into())))
            }
            Some(Task::MoraleLoss { side }) => {
                let loss = self.points_lost(pips);
                let text = format!(
                    "Army Morale Points lost by the {} side: {pips}, so {loss}",
                    side.name()
                );
                return Event { rule: "Army Morale", text };
            }
            Some(Task::Command(roll)) => {
                let side = roll.side().map_or("", |side| side.name());
                ("Command", format!("Command Dice of the {side} side"))
            }
            Some(Task::Chains(roll)) => {
                let side = roll.side().map_or("", |side| side.name());
                ("Command", format!("Command Dice of the {side} side"))
            }
            Some(Task::Lot) => {
                let first = if pips <= 3 { Side::Own } else { Side::Enemy };
                let text = format!("lots are drawn: {pips}, the {} side goes first", first.name());
                return Event { rule: "Command", text };
            }
            _ => ("", String::new()),
        };
        Event { rule, text: format!("{head}: {pips}") }
    }

    /// Returns the TN of the due roll, such as `, 4+`; empty without a TN.
    fn tn_in_words(&self, field: &Battlefield) -> String {
        self.tn_of_roll(field).map_or(String::new(), |tn| format!(", {tn}+"))
    }

    /// Describes a stage of a question about one side in a few words. `None` for all other stages.
    pub(super) fn stage_in_words(&self, stage: &Stage) -> Option<String> {
        Some(match stage {
            Stage::Volley(Volley { roll, cover, .. }) => {
                let cover = if *cover > 0 {
                    format!(", cover of {}", counted(*cover, "die"))
                } else {
                    String::new()
                };
                format!("{} at {}+{cover}", counted(roll.dice.max(0) as u8, "die"), roll.tn)
            }
            Stage::Orders(orders) => counted(orders.dice.unwrap_or(0), "order"),
            Stage::MoraleCheck { dice } => {
                format!("Army Morale Check of {} against {OPPOSING_DICE}", counted(*dice, "die"))
            }
            Stage::Move(Move { place, chain, .. }) => {
                let place = usize::from(*place);
                let (fixed, dice) = self.length_of_move(&self.roster[place].start, place, *chain);
                format!("{fixed} + {dice}D6 inches")
            }
            _ => return None,
        })
    }
}
