//! The decisions the rules leave to the players.

use smallvec::{SmallVec, smallvec};

use super::exchange::{Exchange, Playthrough};
use super::field::{Battlefield, Task, UnitSet};
use super::orders::orders_in_words;
use super::pool::Pool;
use super::rules::WildDieTiming;
use super::stage::{Move, Stage};
use super::unit::Side;
use engine::process::{Decisions, Log};
use engine::text::counted;

/// An option of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The volley is fired.
    Fires,
    /// The volley is not fired.
    HoldsFire,
    /// A Wild Die joins the roll.
    AddsWildDie,
    /// No Wild Die joins the roll.
    KeepsWildDie,
    /// Remove Unit Suppression for the unit with a 0-based index.
    Unsuppress(u8),
    /// Rally Group for a group of units.
    Rally(UnitSet),
    /// The use of a Dice Chain of `dice` dice with `sixes` added; with 0 dice of sixes only.
    Chain { dice: u8, sixes: u8 },
    /// The move of a group, with a chain of `chain` dice.
    Move { group: UnitSet, chain: u8 },
    /// The unit moves.
    Goes,
    /// The unit stays.
    Stays,
    /// The use of a chain for orders.
    GivesOrders,
    /// The use of a chain to restock Staff Orders.
    Restocks,
    /// No further orders to this Command Group. Remaining dice go to other groups or are kept.
    Elsewhere,
    /// Removal of a Disruption Point from the unit with a 0-based index.
    Remove(u8),
    /// The unit halts in cover.
    Halts,
    /// The unit passes the cover.
    GoesOn,
    /// A Staff Order adds a die to the Army Morale Check.
    AddsStaffOrder,
    /// No Staff Order is used.
    KeepsStaffOrder,
}

impl Choice {
    /// Returns the kind of the option, which policies list, its rule, and its words. Options about
    /// units or dice have no words of their own.
    const fn declared(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Choice::Fires => ("fire", "Fire", "fire"),
            Choice::HoldsFire => ("hold-fire", "Fire", "hold fire"),
            Choice::AddsWildDie => ("add-wild-die", "Wild Die", "add a Wild Die"),
            Choice::KeepsWildDie => ("keep-wild-die", "Wild Die", "add no Wild Die"),
            Choice::Unsuppress(_) => ("unsuppress", "Orders", ""),
            Choice::Rally(_) => ("rally", "Orders", ""),
            Choice::Elsewhere => ("elsewhere", "Orders", "nothing more here"),
            Choice::Chain { dice: 0, .. } => ("sixes", "Pulse", ""),
            Choice::Chain { sixes: 0, .. } => ("chain", "Pulse", ""),
            Choice::Chain { .. } => ("chain-with-sixes", "Pulse", ""),
            Choice::GivesOrders => ("orders", "Pulse", "give orders"),
            Choice::Restocks => ("restock", "Pulse", "restock Staff Orders"),
            Choice::Move { chain: 1, .. } => ("move", "Movement", ""),
            Choice::Move { chain: 2, .. } => ("double-move", "Movement", ""),
            Choice::Move { .. } => ("triple-move", "Movement", ""),
            Choice::Goes => ("go", "Movement", "move"),
            Choice::Stays => ("stay", "Movement", "stay"),
            Choice::Remove(_) => ("remove", "Rally", ""),
            Choice::Halts => ("halt", "Forced back", "halt in cover"),
            Choice::GoesOn => ("go-on", "Forced back", "pass the cover"),
            Choice::AddsStaffOrder => {
                ("add-staff-order", "Army Morale", "add a die by a Staff Order")
            }
            Choice::KeepsStaffOrder => ("keep-staff-order", "Army Morale", "add no die"),
        }
    }

    /// Returns the kind of the option, which policies list.
    pub const fn kind(self) -> &'static str {
        self.declared().0
    }
}

pub(super) type Choices = SmallVec<[Choice; 4]>;

impl Exchange {
    /// Returns the options of the current task, in order.
    pub(super) fn open_choices(&self, field: &Battlefield) -> Choices {
        field.agenda.last().map_or(Choices::new(), |&task| self.choices(field, task))
    }

    /// Returns the options of a task, in order. A choice is due only if there are at least two.
    pub(super) fn choices(&self, field: &Battlefield, task: Task) -> Choices {
        match task {
            Task::MayHold => smallvec![Choice::Fires, Choice::HoldsFire],
            Task::MayMove => smallvec![Choice::Goes, Choice::Stays],
            Task::Halt { .. } => smallvec![Choice::Halts, Choice::GoesOn],
            Task::StaffOrder { .. } => smallvec![Choice::AddsStaffOrder, Choice::KeepsStaffOrder],
            Task::Pulse { side } => self.chains_to_use(field, side),
            Task::Chain { side, dice, .. } => self.uses_of_chain(field, side, dice),
            Task::Orders { side, dice, staff } if dice + staff > 0 => {
                self.possible_orders(field, side)
            }
            Task::Remove { group, points, .. } if points > 0 => {
                self.units_to_relieve(field, group, points)
            }
            _ => match self.pool_of(field, task) {
                Some((side, pool)) if self.needs_wild_die_choice(field, side, pool) => {
                    smallvec![Choice::AddsWildDie, Choice::KeepsWildDie]
                }
                _ => Choices::new(),
            },
        }
    }

    /// Returns the possible orders: Remove Unit Suppression, rallies, moves, and none.
    fn possible_orders(&self, field: &Battlefield, side: Side) -> Choices {
        let unsuppress =
            self.suppressed(field, side).places().map(|place| Choice::Unsuppress(place as u8));
        let rally = self.can_rally(field, side).parts().map(Choice::Rally);
        unsuppress
            .chain(rally)
            .chain(self.possible_moves(field, side, 1))
            .chain([Choice::Elsewhere])
            .collect()
    }

    /// Returns the units to choose from; empty if the points suffice for all of them.
    fn units_to_relieve(&self, field: &Battlefield, group: UnitSet, points: u8) -> Choices {
        let all: u8 = group.places().map(|place| field.units[place].dp).sum();
        if points >= all {
            return Choices::new();
        }
        self.disrupted(field, group).places().map(|place| Choice::Remove(place as u8)).collect()
    }

    pub(super) fn chooses(&self, field: &Battlefield, task: Task) -> Side {
        let firing = self.volley(field).map_or(Side::Own, |volley| volley.side);
        match task {
            Task::MayHold => firing,
            Task::MayMove => match self.stage(field) {
                Some(Stage::Move(Move { place, .. })) => self.side_of(usize::from(*place)),
                _ => Side::Own,
            },
            Task::Halt { .. } => firing.other(),
            Task::Pulse { side }
            | Task::Chain { side, .. }
            | Task::StaffOrder { side }
            | Task::Orders { side, .. }
            | Task::Remove { side, .. } => side,
            _ => self.pool_of(field, task).map_or(Side::Own, |(side, _)| side),
        }
    }

    /// Returns the number of Wild Dice a side can still add to a roll.
    pub(super) fn wild_dice(&self, field: &Battlefield, side: Side, pool: Pool) -> u8 {
        if pool.closed { 0 } else { field.army(side).wild }
    }

    /// Returns whether a decision on a Wild Die is due. `wild-die-timing` puts it before the first
    /// die of a roll or after the last.
    pub(super) fn needs_wild_die_choice(
        &self,
        field: &Battlefield,
        side: Side,
        pool: Pool,
    ) -> bool {
        self.wild_dice(field, side, pool) > 0
            && (self.rules.wild_die_timing == WildDieTiming::Before || pool.left <= 0)
    }

    fn choice_in_words(&self, choice: Choice) -> String {
        match choice {
            Choice::Unsuppress(place) => {
                format!("remove the suppression of {}", self.name(place.into()))
            }
            Choice::Rally(group) => format!("rally {}", self.names(group)),
            Choice::Chain { dice: 0, sixes } => format!("use {} alone", counted(sixes, "six")),
            Choice::Chain { dice, sixes: 0 } => format!("use a chain of {dice}"),
            Choice::Chain { dice, sixes } => {
                format!("use a chain of {dice} with {}", counted(sixes, "six"))
            }
            Choice::Move { group, chain } => {
                let length = ["", "double ", "triple "][usize::from(chain) - 1];
                format!("{length}move of {}", self.names(group))
            }
            Choice::Remove(place) => {
                format!("remove a Disruption Point of {}", self.name(place.into()))
            }
            _ => choice.declared().2.to_string(),
        }
    }
}

impl<L: Log> Playthrough<'_, L> {
    /// Adds a Wild Die to the current roll, or closes the roll.
    pub(super) fn answer_wild_die(&mut self, side: Side, adds: bool) {
        if adds {
            self.field.army_mut(side).wild -= 1;
        }
        if let Some(Task::Fire { pool, .. } | Task::React { pool, .. } | Task::Rally { pool, .. }) =
            self.field.agenda.last_mut()
        {
            if adds {
                pool.left += 1;
            } else {
                pool.closed = true;
            }
        }
    }

    pub(super) fn make(&mut self, task: Task, choice: Choice) {
        self.log.note(choice.declared().1, || self.exchange.choice_in_words(choice));
        let side = self.exchange.chooses(self.field, task);
        match (choice, self.exchange.volley(self.field).copied()) {
            (Choice::Chain { dice, sixes }, _) => self.use_chain(side, dice, sixes),
            (Choice::Move { group, chain }, _) if !matches!(task, Task::Chain { .. }) => {
                self.order_move(group, chain)
            }
            (Choice::GivesOrders | Choice::Restocks | Choice::Move { .. }, _) => {
                self.make_of_chain(task, choice)
            }
            (Choice::Fires, Some(volley)) => {
                self.field.agenda.pop();
                self.field.agenda.push(self.exchange.firing(&volley));
            }
            (Choice::Halts | Choice::GoesOn, Some(volley)) => {
                self.answer_halt(volley.target.into(), choice == Choice::Halts);
            }
            (Choice::AddsWildDie | Choice::KeepsWildDie, _) => {
                self.answer_wild_die(side, choice == Choice::AddsWildDie);
            }
            (Choice::Goes | Choice::Stays, _) => self.answer_may_move(choice == Choice::Goes),
            (Choice::Unsuppress(place), _) => self.remove_suppression(place.into()),
            (Choice::Rally(group), _) => self.rally(side, group),
            (Choice::Elsewhere, _) => self.end_orders(),
            (Choice::Remove(place), _) => self.remove_point(place.into()),
            (Choice::AddsStaffOrder | Choice::KeepsStaffOrder, _) => {
                self.answer_staff_order(side, choice == Choice::AddsStaffOrder);
            }
            _ => drop(self.field.agenda.pop()),
        }
    }
}

/// Describes the dice of a pool, including dice lost by sliding.
fn dice(pool: Pool) -> String {
    let lost = if pool.left < 0 {
        format!(" ({} lost by sliding)", counted(pool.left.unsigned_abs(), "die"))
    } else {
        String::new()
    };
    format!("{}{lost}", counted(pool.dice(), "die"))
}

/// Describes counts, such as `, 2 hits, 1 six`. Counts of 0 are omitted.
fn so_far<const N: usize>(counts: [(u8, &str); N]) -> String {
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, what)| format!(", {}", counted(count, what))).collect()
}

impl Decisions for Exchange {
    /// Describes the decision, such as `own side, 2 dice: panzer-iv/dp=1,suppressed`.
    fn decision(&self, field: &Battlefield) -> String {
        let Some(&task) = field.agenda.last() else { return String::new() };
        let what = match task {
            Task::MayHold => "fire or not".to_string(),
            Task::MayMove => "move or not".to_string(),
            Task::Fire { pool, hits, sixes } => {
                format!("{} to fire{}", dice(pool), so_far([(hits, "hit"), (sixes, "six")]))
            }
            Task::React { pool, hits, net, unmatched } => {
                let of = if hits > 0 { format!(" of {hits}") } else { String::new() };
                let sixes = if self.volley(field).is_some_and(|volley| unmatched > volley.matched())
                {
                    format!(", {}", counted(unmatched.max(0) as u8, "unmatched six"))
                } else {
                    String::new()
                };
                format!("{} to react, {}{of}{sixes}", dice(pool), counted(net, "hit"))
            }
            Task::Rally { group, pool, opposing, successes, .. } => {
                let so_far = so_far([(successes, "success"), (opposing, "opposing die")]);
                format!("{} to rally {}{so_far}", dice(pool), self.names(group))
            }
            Task::Halt { inches } => {
                format!("{}{} back", counted(inches, "inch"), self.or_more(field, inches))
            }
            Task::StaffOrder { .. } => "Army Morale Check".to_string(),
            Task::Orders { dice, staff, .. } => orders_in_words(dice, staff),
            Task::Pulse { side } => format!("chains {}", field.army(side).chains.in_words()),
            Task::Chain { dice, sixes, .. } => {
                format!(
                    "a chain of {}",
                    if sixes { counted(dice, "six") } else { counted(dice, "die") }
                )
            }
            Task::Remove { points, group, .. } => {
                format!(
                    "{} to remove from {}",
                    counted(points, "Disruption Point"),
                    self.names(group)
                )
            }
            _ => String::new(),
        };
        let then = match field.agenda.split_last() {
            Some((_, [Task::Orders { dice, staff, .. }])) if dice + staff > 0 => {
                format!(", then {}", orders_in_words(*dice, *staff))
            }
            _ => String::new(),
        };
        format!(
            "{} side, {what}{then}: {}",
            self.chooses(field, task).name(),
            self.field_in_words(field)
        )
    }

    fn options(&self, field: &Battlefield) -> Vec<String> {
        let choices = self.open_choices(field).into_iter();
        choices.map(|choice| self.choice_in_words(choice)).collect()
    }

    fn kinds(&self, field: &Battlefield) -> Vec<&'static str> {
        self.open_choices(field).into_iter().map(Choice::kind).collect()
    }
}
