//! Descriptions of units, rolls and states.

use super::army::OPPOSING_DICE;
use super::command::next_side;
use super::exchange::{Exchange, Stage, Volley};
use super::field::{Army, Battlefield, GameStatus, Task, UnitSet};
use super::outcome::End;
use super::process::Terms;
use super::unit::{Member, Side};
use engine::dice::Face;
use engine::process::Event;
use engine::text::counted;

impl Exchange {
    /// Returns the name of a unit, with its slot if there are several units.
    pub(super) fn name(&self, place: usize) -> String {
        format!("{}{}", self.roster[place].preset.name, self.slot_in_words(place))
    }

    fn slot_in_words(&self, place: usize) -> String {
        if self.roster.len() == 1 { String::new() } else { format!(" [{}]", place + 1) }
    }

    pub(super) fn names(&self, group: UnitSet) -> String {
        group.places().map(|place| self.name(place)).collect::<Vec<_>>().join(", ")
    }

    /// Describes the state: all units left, the last effect, and values that have changed.
    pub(super) fn field_in_words(&self, field: &Battlefield) -> String {
        let unit = |(place, unit): (usize, &_)| {
            let written = Member { start: *unit, ..self.roster[place] };
            let activated = if unit.activated > 0 { " (activated)" } else { "" };
            format!("{written}{}{activated}", self.slot_in_words(place))
        };
        let there = field.units.iter().enumerate().filter(|(_, unit)| !unit.dispersed);
        let mut words: Vec<String> = there.map(unit).collect();
        words.extend(field.effect.and_then(|effect| self.counter(&End::Volley(effect))));
        let [own, enemy] = &field.armies;
        if self.telling.armies {
            words.push(format!("Army Morale {} to {}", own.morale, enemy.morale));
        }
        let change = |what: &str, of: fn(&Army) -> u8| {
            let changes = field.armies.each_ref().map(of) != self.armies.each_ref().map(of);
            changes.then(|| format!("{what} {} to {}", of(own), of(enemy)))
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

    pub(super) fn roll_in_words(&self, field: &Battlefield, terms: &Terms, face: Face) -> Event {
        let pips = face.number();
        let target = || self.volley(field).map_or(String::new(), |volley| self.name(volley.target));
        let command = |left| {
            let side = next_side(left).map_or("", Side::name);
            ("Command", format!("Command Dice of the {side} side"))
        };
        let (rule, mut head) = match field.agenda.last() {
            Some(Task::Fire { .. }) => ("Fire", format!("fire at {}", target())),
            Some(Task::React { .. }) => ("Reaction", format!("Reaction Check of {}", target())),
            Some(Task::Opposed { group: Some(group), pool, .. }) if pool.left > 0 => {
                ("Rally", format!("Rally Dice for {}", self.names(*group)))
            }
            Some(Task::Opposed { group: Some(_), .. }) => {
                ("Rally", "against the rally".to_string())
            }
            Some(Task::Opposed { pool, .. }) => {
                let side = if pool.left > 0 { pool.side } else { pool.side.other() };
                let text = format!("Army Morale Check, dice of the {} side", side.name());
                ("Army Morale", text)
            }
            Some(Task::Move { place, back: true, .. }) => {
                ("Forced back", format!("further inches of {}", self.name((*place).into())))
            }
            Some(Task::Move { place, .. }) => {
                ("Movement", format!("move of {}", self.name((*place).into())))
            }
            Some(Task::MoraleLoss { side }) => {
                let (side, loss) = (side.name(), self.points_lost(pips));
                let text = format!("Army Morale Points lost by the {side} side: {pips}, so {loss}");
                return Event { rule: "Army Morale", text };
            }
            Some(Task::Command(roll)) => command(roll.left),
            Some(Task::Chains(roll)) => command(roll.left),
            Some(Task::Lot) => {
                let first = Exchange::side_by_lot(pips).name();
                let text = format!("lots are drawn: {pips}, the {first} side goes first");
                return Event { rule: "Command", text };
            }
            _ => ("", String::new()),
        };
        if let Terms::Pool { tn, .. } = terms {
            head += &format!(", {tn}+");
        }
        Event { rule, text: format!("{head}: {pips}") }
    }

    /// Describes a stage of a question about one side; `None` for all other stages.
    pub(super) fn stage_in_words(&self, stage: &Stage) -> Option<String> {
        Some(match stage {
            Stage::Volley(Volley { dice, tn, cover, .. }) => {
                let cover = match cover {
                    0 => String::new(),
                    _ => format!(", cover of {}", counted(*cover, "die")),
                };
                format!("{} at {tn}+{cover}", counted((*dice).max(0) as u8, "die"))
            }
            Stage::Orders { dice, .. } => counted(dice.unwrap_or(0), "order"),
            Stage::MoraleCheck { dice } => {
                format!("Army Morale Check of {} against {OPPOSING_DICE}", counted(*dice, "die"))
            }
            Stage::Move { place, chain, .. } => {
                let place = usize::from(*place);
                let (fixed, dice) = self.length_of_move(&self.roster[place].start, place, *chain);
                format!("{fixed} + {dice}D6 inches")
            }
            _ => return None,
        })
    }
}
