"""Reaction Dice: Disruption, Suppression and Army Morale of a miniatures game (Armour Battles). Written by `generate.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._answer import Answer, answer_of

__all__ = [
    "check",
    "command",
    "morale",
    "move",
    "rally",
    "sequence",
    "volley",
    "volleys",
]


def volley(
    target: str,
    *,
    at_least: int | None = None,
    dice: int | None = None,
    by: str | None = None,
    range: str = "effective",
    flank: bool = False,
    uphill: bool = False,
    move: str = "single",
    cover: str = "none",
    artillery: bool = False,
    wild: int = 0,
    enemy_wild: int = 0,
    inches: bool = False,
    army: bool = False,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """One volley: Disruption, Suppression, forced back, dispersed.

    Args:
        target: the unit that is fired at
        at_least: inches; a move back of at least this distance counts as `forced-back-far`; 1
            to 99
        dice: firing dice, before modifiers; 1 to 30
        by: the firing unit, instead of its dice
        range: close, effective or long; one of close, effective, long
        flank: the volley is fired at the flank or rear of the target
        uphill: the target is uphill
        move: single, double or triple: the firer's move; one of single, double, triple
        cover: none, light, medium or heavy: the cover of the target; one of none, light,
            medium, heavy
        artillery: the volley is from artillery, so the Reaction Dice against artillery count
        wild: Wild Dice of the own side; 0 to 10
        enemy_wild: Wild Dice of the enemy; 0 to 10
        inches: include how far units move
        army: show the remaining Army Morale Points too
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "target": target,
        "at-least": at_least,
        "dice": dice,
        "by": by,
        "range": None if range == "effective" else range,
        "flank": None if flank is False else flank,
        "uphill": None if uphill is False else uphill,
        "move": None if move == "single" else move,
        "cover": None if cover == "none" else cover,
        "artillery": None if artillery is False else artillery,
        "wild": None if wild == 0 else wild,
        "enemy-wild": None if enemy_wild == 0 else enemy_wild,
        "inches": None if inches is False else inches,
        "army": None if army is False else army,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "volley", fields, options, "question")


def volleys(
    target: str,
    *,
    volleys: int = 3,
    orders: int = 0,
    effects: bool = False,
    dice: int | None = None,
    by: str | None = None,
    range: str = "effective",
    flank: bool = False,
    uphill: bool = False,
    move: str = "single",
    cover: str = "none",
    artillery: bool = False,
    wild: int = 0,
    enemy_wild: int = 0,
    inches: bool = False,
    army: bool = False,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Several volleys with orders between them, with odds after each volley.

    Args:
        target: the unit that is fired at
        volleys: number of volleys; 1 to 50
        orders: Command Dice or Staff Orders between two volleys; 0 to 10
        effects: include the effect of each volley on its target: points taken, unmatched sixes
        dice: firing dice, before modifiers; 1 to 30
        by: the firing unit, instead of its dice
        range: close, effective or long; one of close, effective, long
        flank: the volley is fired at the flank or rear of the target
        uphill: the target is uphill
        move: single, double or triple: the firer's move; one of single, double, triple
        cover: none, light, medium or heavy: the cover of the target; one of none, light,
            medium, heavy
        artillery: the volley is from artillery, so the Reaction Dice against artillery count
        wild: Wild Dice of the own side; 0 to 10
        enemy_wild: Wild Dice of the enemy; 0 to 10
        inches: include how far units move
        army: show the remaining Army Morale Points too
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "target": target,
        "volleys": None if volleys == 3 else volleys,
        "orders": None if orders == 0 else orders,
        "effects": None if effects is False else effects,
        "dice": dice,
        "by": by,
        "range": None if range == "effective" else range,
        "flank": None if flank is False else flank,
        "uphill": None if uphill is False else uphill,
        "move": None if move == "single" else move,
        "cover": None if cover == "none" else cover,
        "artillery": None if artillery is False else artillery,
        "wild": None if wild == 0 else wild,
        "enemy-wild": None if enemy_wild == 0 else enemy_wild,
        "inches": None if inches is False else inches,
        "army": None if army is False else army,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "volleys", fields, options, "question")


def rally(
    units: str,
    *,
    orders: int = 1,
    turns: int = 3,
    wild: int = 0,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Removal of suppression and Disruption Points, with odds after each turn.

    Args:
        units: the units of a Command Group
        orders: Command Dice or Staff Orders in each turn; 0 to 10
        turns: number of turns; 1 to 50
        wild: Wild Dice of the own side; 0 to 10
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "units": units,
        "orders": None if orders == 1 else orders,
        "turns": None if turns == 3 else turns,
        "wild": None if wild == 0 else wild,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "rally", fields, options, "question")


def command(
    dice: str,
    *,
    enemy_dice: int | None = None,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """The roll of Command Dice: Command Failure, dice left, who goes first.

    Args:
        dice: Command Dice; 1 to 10
        enemy_dice: Command Dice of the enemy; adds who goes first; 1 to 10
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "dice": dice,
        "enemy-dice": enemy_dice,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "command", fields, options, "question")


def morale(
    points: str,
    *,
    dispersals: int = 5,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Army Morale Points after each unit that is dispersed.

    Args:
        points: Army Morale Points; 0 to 60
        dispersals: units that are dispersed; 1 to 60
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "points": points,
        "dispersals": None if dispersals == 5 else dispersals,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "morale", fields, options, "question")


def check(
    dice: str,
    *,
    staff_order: bool = False,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """An Army Morale Check.

    Args:
        dice: own dice; 1 to 12
        staff_order: a Staff Order may add a die: policy `add-staff-orders` adds it
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "dice": dice,
        "staff-order": None if staff_order is False else staff_order,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "check", fields, options, "question")


def move(
    mover: str,
    *,
    dice: int = 1,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Inches of a move.

    Args:
        mover: the unit that moves
        dice: a single, double or triple move; 1 to 3
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "mover": mover,
        "dice": None if dice == 1 else dice,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "move", fields, options, "question")


def sequence(
    step: Sequence[Mapping[str, Any]],
    *,
    own: str | None = None,
    enemy: str | None = None,
    own_morale: int | None = None,
    enemy_morale: int | None = None,
    own_command_dice: int | None = None,
    enemy_command_dice: int | None = None,
    own_rally_dice: int | None = None,
    enemy_rally_dice: int | None = None,
    wild: int = 0,
    enemy_wild: int = 0,
    inches: bool = False,
    effects: bool = False,
    army: bool = True,
    joint: bool = False,
    policy: str | None = None,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Units of two sides: volleys, orders, Command Dice, turns.

    Each step has `do` (volley, command, roll, pulse, restock, move, turn, disperse) and its
    fields.

    Args:
        own: own units; their numbers (slots) begin with 1
        enemy: units of the enemy; their slots follow those of the own units
        own_morale: own Army Morale Points (default: `army-morale`); 0 to 60
        enemy_morale: Army Morale Points of the enemy; 0 to 60
        own_command_dice: own Command Dice (default: `command-dice`); 0 to 10
        enemy_command_dice: Command Dice of the enemy; 0 to 10
        own_rally_dice: own Rally Dice (default: `rally-dice`); 0 to 12
        enemy_rally_dice: Rally Dice of the enemy; 0 to 12
        wild: Wild Dice of the own side; 0 to 10
        enemy_wild: Wild Dice of the enemy; 0 to 10
        inches: include how far units move
        effects: include the effect of each volley on its target: points taken, unmatched sixes
        army: include Army Morale; false leaves it out
        joint: outcomes of all units and armies together, instead of each alone
        policy: fixed rule (policy) for the choices, if there are any; an unknown name lists all
            policies
        given: dice already rolled, as in `trace --script`, such as "6,3 4,1 2": the odds start
            after them
        engine: auto, exact or monte-carlo; one of auto, exact, monte-carlo
        trials: number of random sequences; 1 to 100000000000
        precision: largest half-width of a 95 % interval, instead of a number of trials
        seed: seed of the dice; 0 to 9223372036854775807
        stratify: number of first rolls whose combinations all get the same number of sequences,
            which lowers the error; not allowed in a comparison; 1 to 3
        counts: group of units to count; allowed for a question only (default: the first group
            that has units)
        with_created: also count units created on the way; allowed for a question only
    """
    fields: dict[str, Any] = {
        "step": [dict(each) for each in step],
        "own": own,
        "enemy": enemy,
        "own-morale": own_morale,
        "enemy-morale": enemy_morale,
        "own-command-dice": own_command_dice,
        "enemy-command-dice": enemy_command_dice,
        "own-rally-dice": own_rally_dice,
        "enemy-rally-dice": enemy_rally_dice,
        "wild": None if wild == 0 else wild,
        "enemy-wild": None if enemy_wild == 0 else enemy_wild,
        "inches": None if inches is False else inches,
        "effects": None if effects is False else effects,
        "army": None if army is True else army,
        "joint": None if joint is False else joint,
        "policy": policy,
        "given": given,
    }
    options: dict[str, Any] = {
        "engine": None if engine == "auto" else engine,
        "trials": trials,
        "precision": precision,
        "seed": seed,
        "stratify": stratify,
        "counts": counts,
        "with-created": None if with_created is False else with_created,
    }
    return answer_of("reaction", "sequence", fields, options, "question")
