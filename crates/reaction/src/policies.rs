//! Named policies, and the selection of those that make a difference to a question.

use super::choice::{Choice, Plain};
use super::exchange::{Exchange, Stage, Volley};
use super::field::Battlefield;
use super::provenance::{PossibleOrders, volleys};
use super::unit::{Side, Unit};
use schema::Word as _;
use schema::declared::declared_words;

/// A policy: its name, the kinds of options that it prefers to those of [`USUAL`], and its words.
type Preferences = (&'static str, &'static [&'static str], &'static str);

/// The kinds of options in the order in which policies prefer them. The first offered is taken.
const USUAL: [&str; 8] =
    ["unsuppress", "rally", "move", "add-wild-die", "remove", "halt", "fire", "keep-staff-order"];

declared_words! {
    /// The policies. The first is the default.
    pub(super) enum Policy: Preferences {
        UnsuppressThenRally = ("unsuppress-then-rally", &[],
            "suppression is removed first, then all are rallied, then moved; Wild Dice at once; \
            halt in cover; fire"),
        RallyThenUnsuppress = ("rally-then-unsuppress", &["rally"],
            "units rally first, then suppression is removed; otherwise as \
            `unsuppress-then-rally`"),
        Unsuppress = ("unsuppress", &["unsuppress", "elsewhere"],
            "suppression is removed, no unit rallies or moves; otherwise as \
            `unsuppress-then-rally`"),
        Elsewhere = ("elsewhere", &["elsewhere"],
            "all Command Dice are used elsewhere; otherwise as `unsuppress-then-rally`"),
        KeepWildDice = ("keep-wild-dice", &["keep-wild-die"],
            "as `unsuppress-then-rally`, but no Wild Die is ever added"),
        HoldFire = ("hold-fire", &["go-on", "hold-fire"],
            "as `unsuppress-then-rally`, but fire is held where it may be, and cover passed"),
        MoveFirst = ("move-first", &["triple-move", "double-move", "move"],
            "units with a goal are moved first, by a longer chain at once; otherwise as \
            `unsuppress-then-rally`"),
        AddStaffOrders = ("add-staff-orders", &["add-staff-order"],
            "as `unsuppress-then-rally`, but a Staff Order adds a die to each Army Morale Check"),
    }
}

impl Policy {
    fn order(self) -> impl Iterator<Item = &'static str> {
        self.declared().1.iter().copied().chain(USUAL)
    }

    /// Returns whether the policy gives orders of a kind, rather than none.
    fn gives(self, kind: &str) -> bool {
        self.order().take_while(|kind| *kind != "elsewhere").any(|listed| listed == kind)
    }

    pub(super) fn shown(self) -> play::Policy {
        let (name, _, about) = *self.declared();
        play::Policy::new(self as usize, name, about)
    }
}

impl Exchange {
    /// Returns the index of the option a policy takes. Points are removed from the unit nearest to
    /// dispersal. A chain is chosen to cover all useful orders, with as few sixes and then dice as
    /// possible; without a useful order it restocks Staff Orders.
    pub(super) fn option_of(&self, policy: usize, field: &Battlefield) -> usize {
        let policy = Policy::ALL[policy];
        let choices = self.open_choices(field);
        let wanted = || {
            let task = field.agenda.last();
            task.map_or(0, |&task| self.orders_wanted(field, self.chooses(task), policy))
        };
        let rank = |choice: &Choice| {
            let place = policy.order().position(|kind| kind == choice.kind());
            let margins = match *choice {
                Choice::Remove(unit) => [self.points_to_dispersal(field, unit.into()), 0, 0],
                Choice::Chain { dice, sixes } => {
                    [wanted().saturating_sub(dice + sixes), sixes, dice]
                }
                Choice::Plain(Plain::GivesOrders) => [u8::from(wanted() == 0), 0, 0],
                Choice::Move { .. } => [2, 0, 0],
                _ => [0; 3],
            };
            (place.unwrap_or(usize::MAX), margins)
        };
        (0..choices.len()).min_by_key(|&option| rank(&choices[option])).unwrap_or(0)
    }

    /// Returns the number of useful orders: each suppression to remove, one rally and one move.
    fn orders_wanted(&self, field: &Battlefield, side: Side, policy: Policy) -> u8 {
        let removes = policy.gives("unsuppress");
        let limit = self.rules.rallies_per_gap.count();
        let units = || field.units[self.places(side)].iter().filter(|unit| !unit.dispersed);
        let rallies =
            |unit: &Unit| unit.dp > 0 && unit.activated < limit && (removes || !unit.suppressed);
        let moves = |unit: &Unit| unit.is_on_the_way() && unit.activated == 0 && !rallies(unit);
        let suppressed = units().filter(|unit| removes && unit.suppressed).count() as u8;
        let rallies_any = policy.gives("rally") && units().any(rallies);
        let moves_any = policy.gives("move") && self.telling.goals && units().any(moves);
        suppressed + u8::from(rallies_any) + u8::from(moves_any)
    }
}

/// Returns the policies that make a difference, the first whenever any decision arises.
pub(super) fn that_matter(exchange: &Exchange) -> Vec<Policy> {
    let Exchange { stages, armies, .. } = exchange;
    let has = |holds: fn(&Stage) -> bool| stages.iter().any(holds);
    let [mut either, mut rally, mut moves, mut orders, mut first] = [false; 5];
    let mut wild = false;
    for (place, side) in (0..stages.len()).flat_map(|place| Side::ALL.map(|side| (place, side))) {
        let may_add = may_have_wild_dice(exchange, place, side);
        wild |= may_add && matches!(stages[place], Stage::Volley(_));
        let Some(may) = PossibleOrders::in_stage(exchange, place, side) else { continue };
        wild |= may_add && may.rally();
        either |= may.rally() && may.suppressed && exchange.places(side).len() > 1;
        rally |= may.rally();
        moves |= may.moves;
        orders |= may.rally() || may.suppressed || may.moves;
        first |= may.moves && (may.rally() || may.suppressed);
    }
    let holding = volleys(stages).any(|volley| volley.may_hold) || passing_matters(exchange);
    let staff = has(|stage| matches!(stage, Stage::MoraleCheck { .. })) && armies[0].staff > 0
        || has(Stage::loses_units)
            && exchange.checks_army_morale
            && armies.iter().any(|army| army.staff > 0);
    let differ = [
        (Policy::RallyThenUnsuppress, either),
        (Policy::Unsuppress, rally || moves),
        (Policy::Elsewhere, orders),
        (Policy::KeepWildDice, wild),
        (Policy::HoldFire, holding),
        (Policy::MoveFirst, first),
        (Policy::AddStaffOrders, staff),
    ];
    let any = differ.iter().any(|(_, differs)| *differs)
        || has(|stage| matches!(stage, Stage::Pulse { .. } | Stage::Move { may_hold: true, .. }));
    let all = [(Policy::UnsuppressThenRally, any)].into_iter().chain(differ);
    all.filter(|(_, differs)| *differs).map(|(policy, _)| policy).collect()
}

/// Returns whether a side may have Wild Dice in a stage, from the start or a Command Failure.
fn may_have_wild_dice(exchange: &Exchange, place: usize, side: Side) -> bool {
    let mut turns = exchange.stages[..place].split(|stage| *stage == Stage::TurnEnds).rev();
    let this_turn = turns.next().unwrap_or_default();
    turns.next().is_none() && exchange.armies[side as usize].wild > 0
        || this_turn.contains(&Stage::Command)
            && exchange.armies[side.other() as usize].command_dice > 0
}

/// Returns whether it can matter that the target of a volley passes the cover behind it.
fn passing_matters(exchange: &Exchange) -> bool {
    volleys(&exchange.stages).enumerate().any(|(number, &Volley { target, .. })| {
        let behind = exchange.roster[target].start.behind;
        let reachable = behind
            .cover
            .is_some_and(|cover| cover > 0 && behind.enemy.is_none_or(|enemy| enemy > cover));
        let mut later = volleys(&exchange.stages).skip(number + 1);
        reachable
            && (exchange.telling.counts_inches()
                || behind.enemy.is_some()
                || later.any(|volley| volley.target == target))
    })
}
