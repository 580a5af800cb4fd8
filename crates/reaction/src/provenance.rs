//! The assumptions behind an answer.

use super::exchange::Exchange;
use super::rules::{ActivationLimit, Rules};
use super::stage::Stage;
use super::unit::{Member, Side};

/// Returns the assumed parameters that the answer depends on, with their values.
pub(super) fn assumptions(exchange: &Exchange) -> Vec<String> {
    let mut rules_used = rally_rules(exchange);
    let rolls_command = exchange.stages.contains(&Stage::Command);
    let pulses = exchange.stages.iter().any(|stage| matches!(stage, Stage::Pulse { .. }));
    rules_used.extend((pulses && may_tie(exchange)).then_some(Rules::command_re_rolls.name));
    let wild = exchange.armies.iter().any(|army| army.wild > 0) || rolls_command;
    if wild && exchange.keeps_wild_dice {
        rules_used.push(Rules::wild_die_timing.name);
    }
    let loses = |stage: &Stage| {
        matches!(stage, Stage::Volley(_) | Stage::Disperse(_) | Stage::MoraleLoss(_))
    };
    if exchange.checks_army_morale && exchange.stages.iter().any(loses) {
        rules_used.push(Rules::army_morale_dice.name);
    }
    if exchange.telling.armies && exchange.stages.contains(&Stage::TurnEnds) {
        rules_used.push(Rules::both_at_zero.name);
    }
    if targets(exchange).enumerate().any(|(number, target)| halts_matter(exchange, number, target))
    {
        rules_used.push(Rules::halted_cover.name);
    }
    rules_used.into_iter().filter_map(|rule| exchange.rules.default_words(rule)).collect()
}

/// Returns whether both sides can show equal numbers without a failure. The 1s of the side with
/// more dice must not outnumber its 6s.
fn may_tie(exchange: &Exchange) -> bool {
    let [own, enemy] = exchange.armies.map(|army| army.command_dice);
    own.min(enemy) > 0 && (own.max(enemy) <= 2 * own.min(enemy) || exchange.checks_army_morale)
}

/// Returns the 0-based indices of the targets of all volleys, in order.
pub(super) fn targets(exchange: &Exchange) -> impl Iterator<Item = usize> {
    exchange.stages.iter().filter_map(|stage| match stage {
        Stage::Volley(volley) => Some(usize::from(volley.target)),
        _ => None,
    })
}

/// Returns whether the target of a volley may have halted in cover. It may if it starts in cover,
/// or may have been forced back into cover before.
fn halts_matter(exchange: &Exchange, number: usize, target: usize) -> bool {
    let before = targets(exchange).take(number).any(|earlier| earlier == target);
    exchange.roster[target].start.behind.cover.is_some_and(|cover| cover == 0 || before)
}

/// Returns the parameters of Rally Group that matter, if a unit with points may be rallied.
fn rally_rules(exchange: &Exchange) -> Vec<&'static str> {
    let mut rules = Vec::new();
    // Rally Group orders of each side since activations last ended.
    let mut orders = [0u8; 2];
    for (place, stage) in exchange.stages.iter().enumerate() {
        for side in Side::ALL
            .into_iter()
            .filter(|&side| *stage == Stage::TurnEnds || exchange.ends_gap(stage, side))
        {
            orders[side as usize] = 0;
        }
        for side in Side::ALL.into_iter().filter(|side| exchange.most_orders(stage, *side) > 0) {
            let (rallies, points) =
                (most_rallies(exchange, place, side), most_points(exchange, place, side));
            let orders = &mut orders[side as usize];
            *orders = orders.saturating_add(rallies);
            if rallies > 0 && points > 0 && exchange.rally_dice[side as usize] > 0 {
                rules.extend([Rules::rally_tn.name, Rules::rally_opposed.name]);
                rules.extend((points > 1).then_some(Rules::rally_effect.name));
                rules.extend((*orders > 1).then_some(Rules::rallies_per_gap.name));
            }
            if exchange.ends_activations(stage) {
                *orders = 0;
            }
        }
    }
    rules
        .sort_by_key(|rule| Rules::PARAMETERS.iter().position(|parameter| parameter.name == *rule));
    rules.dedup();
    rules
}

/// Returns whether units of a side may have been fired at before a stage.
pub(super) fn shot_at(exchange: &Exchange, place: usize, side: Side) -> bool {
    exchange.stages[..place]
        .iter()
        .any(|stage| matches!(stage, Stage::Volley(volley) if volley.side != side))
}

/// Returns the maximum number of Rally Group orders in a stage. If all units with points start
/// suppressed, one order must free a unit first.
pub(super) fn most_rallies(exchange: &Exchange, place: usize, side: Side) -> u8 {
    let units = &exchange.roster[exchange.places(side)];
    let shot_at = shot_at(exchange, place, side);
    let ordered = |stage: &Stage| exchange.most_orders(stage, side) > 0;
    let freed = exchange.stages[..place].iter().any(ordered);
    let free = units
        .iter()
        .any(|unit| (freed || !unit.start.suppressed) && (unit.start.dp > 0 || shot_at));
    exchange.most_orders(&exchange.stages[place], side).saturating_sub(u8::from(!free))
}

/// Returns the maximum number of Disruption Points of all units of a side in a stage.
pub(super) fn most_points(exchange: &Exchange, place: usize, side: Side) -> u8 {
    let shot_at = shot_at(exchange, place, side);
    let most =
        |unit: &Member| if shot_at { unit.cohesion(&exchange.rules) - 1 } else { unit.start.dp };
    exchange.roster[exchange.places(side)].iter().map(most).sum()
}

/// Returns the notes on readings of the rules that apply to the question.
pub(super) fn notes(exchange: &Exchange, in_steps: bool) -> Vec<String> {
    let sides = Side::ALL.into_iter().filter(|&side| exchange.places(side).len() > 1).count();
    let pulses = exchange.stages.iter().any(|stage| matches!(stage, Stage::Pulse { .. }));
    let orders = pulses || exchange.stages.iter().any(|stage| matches!(stage, Stage::Orders(_)));
    let high = exchange
        .stages
        .iter()
        .any(|stage| matches!(stage, Stage::Volley(volley) if volley.high_suppression));
    let dry = |stage: &Stage| matches!(stage, Stage::Volley(volley) if volley.roll.dice <= 0);
    let dry = exchange.stages.iter().any(dry);
    let restocks = exchange.stages.iter().any(|stage| matches!(stage, Stage::Restock { .. }));
    let counted = exchange.rules.activation_limit;
    let in_steps = in_steps && orders;
    let notes = [
        (dry, "the modifiers of a volley leave it no dice"),
        (
            in_steps && counted == ActivationLimit::Turn,
            "rallies of a unit are counted over a turn; activation-limit = pulse: over each \
                `command` step",
        ),
        (
            in_steps && counted == ActivationLimit::Pulse,
            "rallies of a unit are counted over each `command` step; activation-limit = turn: over \
                a turn",
        ),
        (
            in_steps && counted == ActivationLimit::Gap,
            "rallies of a unit are counted between two volleys of the enemy; activation-limit = \
                turn: over a turn",
        ),
        (
            sides > 0 && orders,
            "the units of a side are near enough to each other to be one Command Group",
        ),
        (
            restocks,
            "a `restock` has its Dice Chain whatever the Command Dice show; a `pulse` uses those \
                that are shown",
        ),
        (high, "high suppression needs at least one firing six, which is assumed"),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note.to_string()).collect()
}
