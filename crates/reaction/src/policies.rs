//! Named policies, and the selection of those that make a difference to a question.

use super::choice::Choice;
use super::exchange::Exchange;
use super::field::Battlefield;
use super::provenance::{most_points, most_rallies, shot_at, targets};
use super::stage::Stage;
use super::unit::{Member, Side, Unit};

/// A policy, given by its preferences.
struct Policy {
    name: &'static str,
    about: &'static str,
    /// The kinds of options that the policy prefers to those of [`USUAL`], in order.
    first: &'static [&'static str],
}

/// The kinds of options in the order in which policies prefer them. The first kind offered is taken.
const USUAL: [&str; 8] =
    ["unsuppress", "rally", "move", "add-wild-die", "remove", "halt", "fire", "keep-staff-order"];

const POLICIES: [Policy; 8] = [
    Policy {
        name: "unsuppress-then-rally",
        about: "suppression is removed first, then all are rallied, then moved; Wild Dice at once; \
            halt in cover; fire",
        first: &[],
    },
    Policy {
        name: "rally-then-unsuppress",
        about: "units rally first, then suppression is removed; otherwise as \
            `unsuppress-then-rally`",
        first: &["rally"],
    },
    Policy {
        name: "unsuppress",
        about: "suppression is removed, no unit rallies or moves; otherwise as \
            `unsuppress-then-rally`",
        first: &["unsuppress", "elsewhere"],
    },
    Policy {
        name: "elsewhere",
        about: "all Command Dice are used elsewhere; otherwise as `unsuppress-then-rally`",
        first: &["elsewhere"],
    },
    Policy {
        name: "keep-wild-dice",
        about: "as `unsuppress-then-rally`, but no Wild Die is ever added",
        first: &["keep-wild-die"],
    },
    Policy {
        name: "hold-fire",
        about: "as `unsuppress-then-rally`, but fire is held where it may be, and cover passed",
        first: &["go-on", "hold-fire"],
    },
    Policy {
        name: "move-first",
        about: "units with a goal are moved first, by a longer chain at once; otherwise as \
            `unsuppress-then-rally`",
        first: &["triple-move", "double-move", "move"],
    },
    Policy {
        name: "add-staff-orders",
        about: "as `unsuppress-then-rally`, but a Staff Order adds a die to each Army Morale Check",
        first: &["add-staff-order"],
    },
];

impl Policy {
    /// Returns all kinds of options that the policy lists, in order of preference.
    fn order(&self) -> impl Iterator<Item = &'static str> {
        self.first.iter().copied().chain(USUAL)
    }

    /// Returns whether the policy gives orders of a kind, rather than none.
    fn gives(&self, kind: &str) -> bool {
        self.order().take_while(|kind| *kind != "elsewhere").any(|listed| listed == kind)
    }
}

pub(super) fn all() -> impl Iterator<Item = play::playable::Policy> {
    (0..POLICIES.len()).map(named)
}

/// Returns the policy with a 0-based index.
pub(super) fn named(place: usize) -> play::playable::Policy {
    let Policy { name, about, .. } = POLICIES[place];
    play::playable::Policy::new(place, name, about)
}

impl Exchange {
    /// Returns the index of the option a policy takes.
    ///
    /// Points are removed from the unit nearest to dispersal, the first among equals. A chain is
    /// chosen to cover all useful orders, with as few sixes and then as few dice as possible.
    /// Without a useful order the chain restocks Staff Orders. Kinds that the policy does not name
    /// come last; a longer move is the last of them.
    pub(super) fn option_of(&self, policy: usize, field: &Battlefield) -> usize {
        let policy = &POLICIES[policy];
        let choices = self.open_choices(field);
        let wanted = || {
            let task = field.agenda.last();
            task.map_or(0, |&task| self.orders_wanted(field, self.chooses(field, task), policy))
        };
        let rank = |choice: &Choice| {
            let place = policy.order().position(|kind| kind == choice.kind());
            let margins = match *choice {
                Choice::Remove(unit) => [self.points_to_dispersal(field, unit.into()), 0, 0],
                Choice::Chain { dice, sixes } => {
                    [wanted().saturating_sub(dice + sixes), sixes, dice]
                }
                Choice::GivesOrders => [u8::from(wanted() == 0), 0, 0],
                Choice::Move { .. } => [2, 0, 0],
                _ => [0; 3],
            };
            (place.unwrap_or(usize::MAX), margins)
        };
        (0..choices.len()).min_by_key(|&option| rank(&choices[option])).unwrap_or(0)
    }

    /// Returns the number of orders for which a policy has a use. It counts each suppression to
    /// remove, one rally and one move, if any unit is fit for them.
    fn orders_wanted(&self, field: &Battlefield, side: Side, policy: &Policy) -> u8 {
        let removes = policy.gives("unsuppress");
        let limit = self.rules.rallies_per_gap.count();
        let units = || field.units[self.places(side)].iter().filter(|unit| !unit.dispersed);
        let suppressed = units().filter(|unit| removes && unit.suppressed).count() as u8;
        let rallies =
            |unit: &Unit| unit.dp > 0 && unit.activated < limit && (removes || !unit.suppressed);
        let moves = |unit: &Unit| {
            unit.goal.is_some_and(|goal| goal > 0) && unit.activated == 0 && !rallies(unit)
        };
        let rallies_any = policy.gives("rally");
        let moves_any = policy.gives("move") && self.telling.goals;
        suppressed
            + u8::from(rallies_any && units().any(rallies))
            + u8::from(moves_any && units().any(moves))
    }
}

/// The kinds of decisions that can arise, where policies differ in them.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    orders: bool,
    rally: bool,
    /// A rally is possible while another unit of the side is suppressed.
    either: bool,
    moves: bool,
    /// A move is possible while another order can be given.
    first: bool,
    wild: bool,
    /// Fire may be held, or a move may pass cover without a halt.
    holding: bool,
    /// A Staff Order may be spent on an Army Morale Check.
    staff: bool,
    chains: bool,
    /// A unit may stay where it is, although all policies move it.
    stays: bool,
}

/// Returns the indices of the policies that make a difference. If any decision arises, the first
/// policy is among them.
pub(super) fn that_matter(exchange: &Exchange) -> Vec<usize> {
    let open = open(exchange);
    let differ = [
        false,
        open.either,
        open.rally || open.moves,
        open.orders,
        open.wild,
        open.holding,
        open.first,
        open.staff,
    ];
    let any = open.chains || open.stays || differ.contains(&true);
    differ
        .iter()
        .enumerate()
        .filter(|&(place, differs)| *differs || (place == 0 && any))
        .map(|(place, _)| place)
        .collect()
}

fn open(exchange: &Exchange) -> Open {
    let mut open = Open::default();
    let mut wild = exchange.armies.map(|army| army.wild > 0);
    let (mut volleys, mut losses) = (0, false);
    for (place, stage) in exchange.stages.iter().enumerate() {
        match stage {
            Stage::Volley(volley) => {
                open.wild |= wild.contains(&true);
                open.holding |=
                    volley.may_hold || passing_matters(exchange, volley.target.into(), volleys);
                volleys += 1;
                losses = true;
            }
            Stage::Orders(_) | Stage::Pulse { .. } => {
                open.chains |= matches!(stage, Stage::Pulse { .. });
                for side in
                    Side::ALL.into_iter().filter(|side| exchange.most_orders(stage, *side) > 0)
                {
                    let rallies = most_rallies(exchange, place, side) > 0
                        && most_points(exchange, place, side) > 0;
                    let suppressed = may_be_suppressed(exchange, place, side);
                    let on_the_way = |unit: &Member| unit.start.goal.is_some();
                    let moves = exchange.telling.goals
                        && exchange.roster[exchange.places(side)].iter().any(on_the_way);
                    open.orders |= rallies || suppressed || moves;
                    open.moves |= moves;
                    open.first |= moves && (rallies || suppressed);
                    open.rally |= rallies;
                    open.either |= rallies && suppressed && exchange.places(side).len() > 1;
                    open.wild |= rallies && wild[side as usize];
                }
            }
            Stage::Command => {
                for side in Side::ALL {
                    wild[side as usize] |= exchange.armies[side.other() as usize].command_dice > 0;
                }
            }
            Stage::Move(of) => open.stays |= of.may_hold,
            Stage::TurnEnds => wild = [false; 2],
            Stage::Disperse(_) | Stage::MoraleLoss(_) => losses = true,
            Stage::MoraleCheck { .. } => open.staff |= exchange.armies[0].staff > 0,
            _ => {}
        }
    }
    open.staff |=
        losses && exchange.checks_army_morale && exchange.armies.iter().any(|army| army.staff > 0);
    open
}

fn may_be_suppressed(exchange: &Exchange, place: usize, side: Side) -> bool {
    let units = &exchange.roster[exchange.places(side)];
    units.iter().any(|unit| unit.start.suppressed) || shot_at(exchange, place, side)
}

/// Returns whether it can matter that a target passes the cover behind it. It can if inches are
/// reported, an enemy stands behind the cover, or the target is fired at again.
fn passing_matters(exchange: &Exchange, target: usize, number: usize) -> bool {
    let behind = exchange.roster[target].start.behind;
    let reachable = behind
        .cover
        .is_some_and(|cover| cover > 0 && behind.enemy.is_none_or(|enemy| enemy > cover));
    let again = targets(exchange).skip(number + 1).any(|later| later == target);
    reachable && (exchange.telling.counts_inches() || behind.enemy.is_some() || again)
}
