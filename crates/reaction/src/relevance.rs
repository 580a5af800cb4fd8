//! What matters to a question: its possible orders, policies, assumptions and notes.

use super::choice::{Choice, Plain};
use super::exchange::{Exchange, Stage, Volley};
use super::field::Battlefield;
use super::rules::{ActivationLimit, Rules};
use super::unit::{Member, Side, Unit};
use schema::declared::declared_words;
use schema::{Rules as _, Word as _};

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

    fn gives(self, kind: &str) -> bool {
        self.order().take_while(|kind| *kind != "elsewhere").any(|listed| listed == kind)
    }

    pub(super) fn shown(self) -> play::Policy {
        let (name, _, about) = *self.declared();
        play::Policy::new(self as usize, name, about)
    }
}

impl Exchange {
    /// Returns the index of the option a policy takes. Points go from the unit nearest to
    /// dispersal. A chain covers all useful orders with few sixes, then few dice, or else restocks.
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
pub(super) fn policies(exchange: &Exchange) -> Vec<Policy> {
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

/// The most that a side can do by its orders in a stage.
struct PossibleOrders {
    rallies: u8,
    /// The Disruption Points of all units of the side.
    points: u8,
    suppressed: bool,
    moves: bool,
}

impl PossibleOrders {
    /// Returns the orders that a side may give in a stage, or `None` if it can give none.
    fn in_stage(exchange: &Exchange, place: usize, side: Side) -> Option<Self> {
        let (before, stage) = (&exchange.stages[..place], &exchange.stages[place]);
        let most_orders = Some(exchange.most_orders(stage, side)).filter(|orders| *orders > 0)?;
        let units = &exchange.roster[exchange.places(side)];
        let shot_at = volleys(before).any(|volley| volley.side != side);
        let freed = before.iter().any(|stage| exchange.most_orders(stage, side) > 0);
        // If all units with points start suppressed, one order must free a unit first.
        let free = units
            .iter()
            .any(|unit| (freed || !unit.start.suppressed) && (unit.start.dp > 0 || shot_at));
        let points = |unit: &Member| {
            if shot_at { unit.cohesion(&exchange.rules) - 1 } else { unit.start.dp }
        };
        Some(PossibleOrders {
            rallies: most_orders - u8::from(!free),
            points: units.iter().map(points).sum(),
            suppressed: shot_at || units.iter().any(|unit| unit.start.suppressed),
            moves: exchange.telling.goals && units.iter().any(|unit| unit.start.goal.is_some()),
        })
    }

    fn rally(&self) -> bool {
        self.rallies > 0 && self.points > 0
    }
}

fn volleys(stages: &[Stage]) -> impl Iterator<Item = &Volley> {
    stages.iter().filter_map(|stage| match stage {
        Stage::Volley(volley) => Some(volley),
        _ => None,
    })
}

pub(super) fn assumptions(exchange: &Exchange) -> Vec<String> {
    let has = |holds: fn(&Stage) -> bool| exchange.stages.iter().any(holds);
    let wild = exchange.armies.iter().any(|army| army.wild > 0) || has(|s| *s == Stage::Command);
    let pulses = has(|stage| matches!(stage, Stage::Pulse { .. }));
    let [rallies, several_points, repeated] = rallies(exchange);
    let used = [
        (rallies, Rules::rally_tn),
        (several_points, Rules::rally_effect),
        (rallies, Rules::rally_opposed),
        (repeated, Rules::rallies_per_gap),
        (pulses && may_tie(exchange), Rules::command_re_rolls),
        (wild && exchange.keeps_wild_dice, Rules::wild_die_timing),
        (exchange.checks_army_morale && has(Stage::loses_units), Rules::army_morale_dice),
        (exchange.telling.armies && has(|s| *s == Stage::TurnEnds), Rules::both_at_zero),
        (halts_matter(exchange), Rules::halted_cover),
    ];
    let used = used.into_iter().filter(|(is_used, _)| *is_used);
    used.filter_map(|(_, rule)| exchange.rules.default_words(rule.name)).collect()
}

/// Returns whether both sides can show equal numbers without a failure.
fn may_tie(exchange: &Exchange) -> bool {
    let [own, enemy] = exchange.armies.map(|army| army.command_dice);
    own.min(enemy) > 0 && (own.max(enemy) <= 2 * own.min(enemy) || exchange.checks_army_morale)
}

/// Returns whether the target of a volley may have halted in cover, at the start or forced back.
fn halts_matter(exchange: &Exchange) -> bool {
    volleys(&exchange.stages).enumerate().any(|(number, &Volley { target, .. })| {
        let mut before = volleys(&exchange.stages).take(number);
        let cover = exchange.roster[target].start.behind.cover;
        cover.is_some_and(|cover| cover == 0 || before.any(|volley| volley.target == target))
    })
}

/// Returns whether units may rally, from several points, and with several orders in a period.
fn rallies(exchange: &Exchange) -> [bool; 3] {
    let mut matter = [false; 3];
    // Rally Group orders of each side since activations last ended.
    let mut rallied = [0u8; 2];
    for (place, stage) in exchange.stages.iter().enumerate() {
        for (side, rallied) in Side::ALL.into_iter().zip(&mut rallied) {
            if *stage == Stage::TurnEnds || exchange.ends_gap(stage, side) {
                *rallied = 0;
            }
            let Some(orders) = PossibleOrders::in_stage(exchange, place, side) else { continue };
            *rallied = rallied.saturating_add(orders.rallies);
            if orders.rally() && exchange.rally_dice[side as usize] > 0 {
                matter[0] = true;
                matter[1] |= orders.points > 1;
                matter[2] |= *rallied > 1;
            }
            if exchange.ends_activations(stage) {
                *rallied = 0;
            }
        }
    }
    matter
}

pub(super) fn notes(exchange: &Exchange, in_steps: bool) -> Vec<String> {
    let has = |holds: fn(&Stage) -> bool| exchange.stages.iter().any(holds);
    let orders = has(|stage| matches!(stage, Stage::Pulse { .. } | Stage::Orders { .. }));
    let several = Side::ALL.into_iter().any(|side| exchange.places(side).len() > 1);
    let (period, other) = match exchange.rules.activation_limit {
        ActivationLimit::Turn => ("over a turn", "pulse: over each `command` step"),
        ActivationLimit::Pulse => ("over each `command` step", "turn: over a turn"),
        ActivationLimit::Gap => ("between two volleys of the enemy", "turn: over a turn"),
    };
    let counted = format!("rallies of a unit are counted {period}; activation-limit = {other}");
    let notes = [
        (
            volleys(&exchange.stages).any(|volley| volley.dice <= 0),
            "the modifiers of a volley leave it no dice",
        ),
        (in_steps && orders, counted.as_str()),
        (
            several && orders,
            "the units of a side are near enough to each other to be one Command Group",
        ),
        (
            has(|stage| matches!(stage, Stage::Restock { .. })),
            "a `restock` has its Dice Chain whatever the Command Dice show; a `pulse` uses those \
                that are shown",
        ),
        (
            volleys(&exchange.stages).any(|volley| volley.matched < 0),
            "high suppression needs at least one firing six, which is assumed",
        ),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note.to_string()).collect()
}
