//! The orders that may be given in an exchange, and the assumptions behind an answer.

use super::exchange::{Exchange, Stage, Volley};
use super::rules::{ActivationLimit, Rules};
use super::unit::{Member, Side};

/// The most that a side can do by its orders in a stage.
pub(super) struct PossibleOrders {
    /// Rally Group orders.
    rallies: u8,
    /// The Disruption Points of all units of the side.
    points: u8,
    pub suppressed: bool,
    pub moves: bool,
}

impl PossibleOrders {
    /// Returns the orders that a side may give in a stage, or `None` if it can give none.
    pub(super) fn in_stage(exchange: &Exchange, place: usize, side: Side) -> Option<Self> {
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

    pub(super) fn rally(&self) -> bool {
        self.rallies > 0 && self.points > 0
    }
}

pub(super) fn volleys(stages: &[Stage]) -> impl Iterator<Item = &Volley> {
    stages.iter().filter_map(|stage| match stage {
        Stage::Volley(volley) => Some(volley),
        _ => None,
    })
}

/// Returns the assumed parameters that the answer depends on, with their values.
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

/// Returns the notes on readings of the rules that apply to the question.
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
