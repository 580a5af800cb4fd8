//! The decisions the rules leave to the players.

use smallvec::SmallVec;

use super::exchange::{Exchange, Playthrough};
use super::field::{Battlefield, Pool, Task, UnitSet};
use super::rules::WildDieTiming;
use super::unit::Side;
use engine::process::{Decisions, Log};
use engine::text::counted;
use schema::Word as _;
use schema::declared::declared_words;

/// The kind of an option, which policies list, its rule, and its words or the first of them.
type Declared = (&'static str, &'static str, &'static str);

declared_words! {
    /// An option without units or dice.
    pub enum Plain: Declared {
        Fires = ("fire", "Fire", "fire"),
        HoldsFire = ("hold-fire", "Fire", "hold fire"),
        AddsWildDie = ("add-wild-die", "Wild Die", "add a Wild Die"),
        KeepsWildDie = ("keep-wild-die", "Wild Die", "add no Wild Die"),
        /// No further orders to this Command Group. Remaining dice go to other groups or are kept.
        Elsewhere = ("elsewhere", "Orders", "nothing more here"),
        GivesOrders = ("orders", "Pulse", "give orders"),
        Restocks = ("restock", "Pulse", "restock Staff Orders"),
        /// A move without an order.
        Goes = ("go", "Movement", "move"),
        Stays = ("stay", "Movement", "stay"),
        Halts = ("halt", "Forced back", "halt in cover"),
        GoesOn = ("go-on", "Forced back", "pass the cover"),
        AddsStaffOrder = ("add-staff-order", "Army Morale", "add a die by a Staff Order"),
        KeepsStaffOrder = ("keep-staff-order", "Army Morale", "add no die"),
    }
}

/// An option of a decision. Units have 0-based indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An option without units or dice.
    Plain(Plain),
    /// Remove Unit Suppression for a unit.
    Unsuppress(u8),
    /// Rally Group for a group of units.
    Rally(UnitSet),
    /// The use of a Dice Chain of `dice` dice with `sixes` added; with 0 dice of sixes only.
    Chain { dice: u8, sixes: u8 },
    /// The move of a group, with a chain of `chain` dice.
    Move { group: UnitSet, chain: u8 },
    /// Removal of a Disruption Point from a unit.
    Remove(u8),
}

impl Choice {
    fn declared(self) -> Declared {
        match self {
            Choice::Plain(plain) => *plain.declared(),
            Choice::Unsuppress(_) => ("unsuppress", "Orders", "remove the suppression of"),
            Choice::Rally(_) => ("rally", "Orders", "rally"),
            Choice::Chain { dice: 0, .. } => ("sixes", "Pulse", "use"),
            Choice::Chain { sixes: 0, .. } => ("chain", "Pulse", "use a chain of"),
            Choice::Chain { .. } => ("chain-with-sixes", "Pulse", "use a chain of"),
            Choice::Move { chain: 1, .. } => ("move", "Movement", "move of"),
            Choice::Move { chain: 2, .. } => ("double-move", "Movement", "double move of"),
            Choice::Move { .. } => ("triple-move", "Movement", "triple move of"),
            Choice::Remove(_) => ("remove", "Rally", "remove a Disruption Point of"),
        }
    }

    pub(super) fn kind(self) -> &'static str {
        self.declared().0
    }
}

pub(super) type Choices = SmallVec<[Choice; 4]>;

fn plain(choices: [Plain; 2]) -> Choices {
    choices.map(Choice::Plain).into_iter().collect()
}

impl Exchange {
    pub(super) fn open_choices(&self, field: &Battlefield) -> Choices {
        field.agenda.last().map_or(Choices::new(), |&task| self.choices(field, task))
    }

    /// Returns the options of a task, in order. A choice is due only if there are at least two.
    pub(super) fn choices(&self, field: &Battlefield, task: Task) -> Choices {
        match task {
            Task::MayHold { .. } => plain([Plain::Fires, Plain::HoldsFire]),
            Task::MayMove { .. } => plain([Plain::Goes, Plain::Stays]),
            Task::Halt { .. } => plain([Plain::Halts, Plain::GoesOn]),
            Task::StaffOrder { .. } => plain([Plain::AddsStaffOrder, Plain::KeepsStaffOrder]),
            Task::Pulse { side } => self.chains_to_use(field, side),
            Task::Chain { side, dice, .. } => self.uses_of_chain(field, side, dice),
            Task::Orders { side, dice, staff } if dice + staff > 0 => {
                self.possible_orders(field, side)
            }
            // If the points suffice for all units, there is nothing to choose.
            Task::Remove { group, points, .. } if (1..field.points_of(group)).contains(&points) => {
                let disrupted = field.disrupted(group).places();
                disrupted.map(|place| Choice::Remove(place as u8)).collect()
            }
            _ if self.may_join(field, task) => plain([Plain::AddsWildDie, Plain::KeepsWildDie]),
            _ => Choices::new(),
        }
    }

    fn possible_orders(&self, field: &Battlefield, side: Side) -> Choices {
        let suppressed = self.units_that(field, side, |unit| unit.suppressed).places();
        suppressed
            .map(|place| Choice::Unsuppress(place as u8))
            .chain(self.can_rally(field, side).parts().map(Choice::Rally))
            .chain(self.possible_moves(field, side, 1))
            .chain([Choice::Plain(Plain::Elsewhere)])
            .collect()
    }

    pub(super) fn chooses(&self, mut task: Task) -> Side {
        match task {
            Task::MayMove { place, .. } | Task::Halt { place, .. } => self.side_of(place.into()),
            Task::MayHold { side }
            | Task::Pulse { side }
            | Task::Chain { side, .. }
            | Task::StaffOrder { side }
            | Task::Orders { side, .. }
            | Task::Remove { side, .. } => side,
            _ => task.pool_mut().map_or(Side::Own, |pool| pool.side),
        }
    }

    /// Returns whether a decision on a Wild Die is due, by `wild-die-timing`.
    pub(super) fn may_join(&self, field: &Battlefield, mut task: Task) -> bool {
        // Wild Dice are rare, so this is checked first.
        field.armies.iter().any(|army| army.wild > 0)
            && task.pool_mut().is_some_and(|pool| {
                field.wild_dice(*pool) > 0
                    && (self.rules.wild_die_timing == WildDieTiming::Before || pool.left <= 0)
            })
    }

    fn choice_in_words(&self, choice: Choice) -> String {
        let what = match choice {
            Choice::Plain(_) => return choice.declared().2.to_string(),
            Choice::Unsuppress(place) | Choice::Remove(place) => self.name(place.into()),
            Choice::Rally(group) | Choice::Move { group, .. } => self.names(group),
            Choice::Chain { dice: 0, sixes } => format!("{} alone", counted(sixes, "six")),
            Choice::Chain { dice, sixes: 0 } => dice.to_string(),
            Choice::Chain { dice, sixes } => format!("{dice} with {}", counted(sixes, "six")),
        };
        format!("{} {what}", choice.declared().2)
    }
}

impl<L: Log> Playthrough<'_, L> {
    pub(super) fn make(&mut self, task: Task, choice: Choice) {
        self.log.note(choice.declared().1, || self.exchange.choice_in_words(choice));
        let side = self.exchange.chooses(task);
        match choice {
            Choice::Chain { dice, sixes } => self.use_chain(side, dice, sixes),
            _ if matches!(task, Task::Chain { .. }) => self.make_of_chain(task, choice),
            Choice::Move { group, chain } => {
                self.pay();
                self.move_group(group, chain);
            }
            Choice::Unsuppress(place) => {
                self.pay();
                self.field.units[usize::from(place)].suppressed = false;
            }
            Choice::Rally(group) => self.rally(side, group),
            Choice::Remove(place) => self.remove_point(place.into()),
            Choice::Plain(plain) => self.make_plain(task, side, plain),
        }
    }

    fn make_plain(&mut self, task: Task, side: Side, choice: Plain) {
        match (choice, task) {
            (Plain::HoldsFire, _) => self.field.agenda.clear(),
            (Plain::Halts | Plain::GoesOn, Task::Halt { place, inches }) => {
                self.field.agenda.pop();
                self.move_back(place.into(), inches, choice == Plain::Halts);
            }
            (Plain::AddsWildDie | Plain::KeepsWildDie, _) => {
                let adds = choice == Plain::AddsWildDie;
                if let Some(pool) = self.field.agenda.last_mut().and_then(Task::pool_mut) {
                    self.field.armies[side as usize].wild -= u8::from(adds);
                    pool.left += i8::from(adds);
                    pool.closed |= !adds;
                }
            }
            (Plain::Goes, Task::MayMove { place, chain }) => {
                self.field.agenda.pop();
                self.move_group(UnitSet(1 << place), chain);
            }
            (Plain::Elsewhere, _) => self.end_orders(),
            (Plain::AddsStaffOrder, _) => {
                self.field.agenda.pop();
                if let Some(pool) = self.field.agenda.last_mut().and_then(Task::pool_mut) {
                    pool.left += 1;
                    self.field.army_mut(side).staff -= 1;
                }
            }
            _ => drop(self.field.agenda.pop()),
        }
    }
}

/// Describes orders: `2 Command Dice and 1 Staff Order`, or without `staff` of either kind.
pub(super) fn orders_in_words(dice: u8, staff: u8) -> String {
    match (dice, staff) {
        (1, 0) => "1 Command Die or Staff Order".to_string(),
        (_, 0) => format!("{dice} Command Dice or Staff Orders"),
        _ => format!("{} and {}", counted(dice, "Command Die"), counted(staff, "Staff Order")),
    }
}

fn dice(pool: Pool) -> String {
    let dice = counted(pool.dice(), "die");
    match pool.left {
        0.. => dice,
        lost => format!("{dice} ({} lost by sliding)", counted(lost.unsigned_abs(), "die")),
    }
}

/// Describes counts above 0, such as `, 2 hits, 1 six`.
fn so_far<const N: usize>(counts: [(u8, &str); N]) -> String {
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, what)| format!(", {}", counted(count, what))).collect()
}

impl Decisions for Exchange {
    /// Describes the decision, such as `own side, 2 dice: panzer-iv/dp=1,suppressed`.
    fn decision(&self, field: &Battlefield) -> String {
        let Some(&task) = field.agenda.last() else { return String::new() };
        let what = match task {
            Task::MayHold { .. } => "fire or not".to_string(),
            Task::MayMove { .. } => "move or not".to_string(),
            Task::Fire { pool, hits, sixes } => {
                format!("{} to fire{}", dice(pool), so_far([(hits, "hit"), (sixes, "six")]))
            }
            Task::React { pool, hits, net, unmatched } => {
                let of = if hits > 0 { format!(" of {hits}") } else { String::new() };
                let fails = self.volley(field).is_some_and(|volley| unmatched > volley.matched);
                let sixes = || format!(", {}", counted(unmatched.max(0) as u8, "unmatched six"));
                let sixes = fails.then(sixes).unwrap_or_default();
                format!("{} to react, {}{of}{sixes}", dice(pool), counted(net, "hit"))
            }
            Task::Opposed { group: Some(group), pool, opposing, lead } => {
                let so_far = so_far([(lead as u8, "success"), (opposing, "opposing die")]);
                format!("{} to rally {}{so_far}", dice(pool), self.names(group))
            }
            Task::Halt { place, inches } => {
                let most = self.most_inches(&field.units[usize::from(place)]);
                let or_more = if inches >= most { " or more" } else { "" };
                format!("{}{or_more} back", counted(inches, "inch"))
            }
            Task::StaffOrder { .. } => "Army Morale Check".to_string(),
            Task::Orders { dice, staff, .. } => orders_in_words(dice, staff),
            Task::Pulse { side } => format!("chains {}", field.army(side).chains.in_words()),
            Task::Chain { dice, sixes, .. } => {
                format!("a chain of {}", counted(dice, if sixes { "six" } else { "die" }))
            }
            Task::Remove { points, group, .. } => {
                let points = counted(points, "Disruption Point");
                format!("{points} to remove from {}", self.names(group))
            }
            _ => String::new(),
        };
        let then = match field.agenda.split_last() {
            Some((_, [Task::Orders { dice, staff, .. }])) if dice + staff > 0 => {
                format!(", then {}", orders_in_words(*dice, *staff))
            }
            _ => String::new(),
        };
        let side = self.chooses(task).name();
        format!("{side} side, {what}{then}: {}", self.field_in_words(field))
    }

    fn options(&self, field: &Battlefield) -> Vec<String> {
        let choices = self.open_choices(field).into_iter();
        choices.map(|choice| self.choice_in_words(choice)).collect()
    }

    fn kinds(&self, field: &Battlefield) -> Vec<&'static str> {
        self.open_choices(field).into_iter().map(Choice::kind).collect()
    }
}
