"""Samurai Battles: Morale Levels and Fortitude Tests. Written by `generate.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._answer import Answer, answer_of

__all__ = [
    "assault",
    "fire",
    "recover",
    "sequence",
    "test",
]


def test(
    units: str,
    *,
    cause: str | None = None,
    casualties: int | None = None,
    order: str = "none",
    staff_lost: bool = False,
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
    """One Fortitude Test of each unit, with its effects.

    Args:
        units: the units
        cause: cause of the test: morale, flank, rear, casualties, staff-lost; one of morale,
            flank, rear, casualties, staff-lost
        casualties: casualties that cause the test; with the cause `casualties` the default is
            1; 0 to 12
        order: the order of the units: none, defend, all-around-defense, fire-ranged-weapons,
            fire-and-retreat, move-and-fire, assault, march, rest, retreat, run; one of none,
            defend, all-around-defense, fire-ranged-weapons, fire-and-retreat, move-and-fire,
            assault, march, rest, retreat, run
        staff_lost: the General Staff has been lost
        joint: outcomes of all units together, instead of each alone
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
        "cause": cause,
        "casualties": casualties,
        "order": None if order == "none" else order,
        "staff-lost": None if staff_lost is False else staff_lost,
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
    return answer_of("fortitude", "test", fields, options, "question")


def recover(
    units: str,
    *,
    turns: int = 6,
    just_routed: bool = False,
    until: str = "none",
    staff_lost: bool = False,
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
    """Morale Phases and Retreat Steps, turn by turn.

    Args:
        units: the units
        turns: turns to play; 1 to 60
        just_routed: Shaken and Panicked units became so this turn, so a Retreat Step comes
            first
        until: show each unit as it first reaches this level, whatever happens to it later:
            none, normal (again, if the unit begins Normal), hesitant, shaken, routed (Shaken or
            worse), panicked; one of none, normal, hesitant, shaken, routed, panicked
        staff_lost: the General Staff has been lost
        joint: outcomes of all units together, instead of each alone
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
        "turns": None if turns == 6 else turns,
        "just-routed": None if just_routed is False else just_routed,
        "until": None if until == "none" else until,
        "staff-lost": None if staff_lost is False else staff_lost,
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
    return answer_of("fortitude", "recover", fields, options, "question")


def fire(
    units: str,
    *,
    casualties: int | None = None,
    dice: int | None = None,
    value: int | None = None,
    by: str | None = None,
    by_order: str | None = None,
    attacks: int = 1,
    turns: int = 1,
    order: str = "none",
    orders: str | None = None,
    until: str = "none",
    staff_lost: bool = False,
    enemy_staff_lost: bool = False,
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
    """Ranged attacks on each unit, turn by turn; the first turn begins after its Morale Phase.

    Args:
        units: the units
        casualties: casualties of each attack, instead of dice; 0 to 12
        dice: attack dice of each attack; 1 to 72
        value: Attack Value of the dice with all modifiers, such as Firepower -2 of Move and
            Fire; 0 to 40
        by: firing units, with their own values, instead of dice
        by_order: order of the firing units, which must allow fire (default fire-ranged-
            weapons): none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat,
            move-and-fire, assault, march, rest, retreat, run; one of none, defend, all-around-
            defense, fire-ranged-weapons, fire-and-retreat, move-and-fire, assault, march, rest,
            retreat, run
        attacks: attacks on each unit in a turn, by each firing unit; 1 to 12
        turns: turns to play; 1 to 60
        order: the order of the units in every turn: none, defend, all-around-defense, fire-
            ranged-weapons, fire-and-retreat, move-and-fire, assault, march, rest, retreat, run;
            one of none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat,
            move-and-fire, assault, march, rest, retreat, run
        orders: orders to choose from in every turn, separated by commas: none, defend, all-
            around-defense, fire-ranged-weapons, fire-and-retreat, move-and-fire, assault,
            march, rest, retreat, run
        until: show each unit as it first reaches this level, whatever happens to it later:
            none, normal (again, if the unit begins Normal), hesitant, shaken, routed (Shaken or
            worse), panicked; one of none, normal, hesitant, shaken, routed, panicked
        staff_lost: the General Staff has been lost
        enemy_staff_lost: the enemy's General Staff has been lost
        joint: outcomes of all units together, instead of each alone
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
        "casualties": casualties,
        "dice": dice,
        "value": value,
        "by": by,
        "by-order": by_order,
        "attacks": None if attacks == 1 else attacks,
        "turns": None if turns == 1 else turns,
        "order": None if order == "none" else order,
        "orders": orders,
        "until": None if until == "none" else until,
        "staff-lost": None if staff_lost is False else staff_lost,
        "enemy-staff-lost": None if enemy_staff_lost is False else enemy_staff_lost,
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
    return answer_of("fortitude", "fire", fields, options, "question")


def assault(
    units: str,
    *,
    sides: str | None = None,
    casualties: int | None = None,
    dice: int | None = None,
    value: int | None = None,
    by: str | None = None,
    turns: int = 1,
    order: str = "none",
    orders: str | None = None,
    enemy_orders: str | None = None,
    until: str = "none",
    staff_lost: bool = False,
    enemy_staff_lost: bool = False,
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
    """An assault on one unit: tests before the melee, melee, Retreat Step, turn by turn while it lasts; the first turn begins after its Morale Phase.

    Args:
        units: the units
        sides: sides that the attackers assault, one for each, separated by commas: front,
            flank, rear (default front); with ` or ` between lists of one or two sides the enemy
            chooses
        casualties: casualties of each attack, instead of dice; 0 to 12
        dice: attack dice of each attack; 1 to 72
        value: Attack Value of the dice with all modifiers, such as Firepower -2 of Move and
            Fire; 0 to 40
        by: assaulting units, one for each side, with their own values; the target attacks them
            too
        turns: turns to play; 1 to 60
        order: the order of the units in every turn: none, defend, all-around-defense, fire-
            ranged-weapons, fire-and-retreat, move-and-fire, assault, march, rest, retreat, run;
            one of none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat,
            move-and-fire, assault, march, rest, retreat, run
        orders: orders to choose from in every turn, separated by commas: none, defend, all-
            around-defense, fire-ranged-weapons, fire-and-retreat, move-and-fire, assault,
            march, rest, retreat, run
        enemy_orders: orders that the enemy chooses from in every turn, separated by commas:
            none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat, move-and-
            fire, assault, march, rest, retreat, run
        until: show each unit as it first reaches this level, whatever happens to it later:
            none, normal (again, if the unit begins Normal), hesitant, shaken, routed (Shaken or
            worse), panicked; one of none, normal, hesitant, shaken, routed, panicked
        staff_lost: the General Staff has been lost
        enemy_staff_lost: the enemy's General Staff has been lost
        joint: outcomes of all units together, instead of each alone
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
        "sides": sides,
        "casualties": casualties,
        "dice": dice,
        "value": value,
        "by": by,
        "turns": None if turns == 1 else turns,
        "order": None if order == "none" else order,
        "orders": orders,
        "enemy-orders": enemy_orders,
        "until": None if until == "none" else until,
        "staff-lost": None if staff_lost is False else staff_lost,
        "enemy-staff-lost": None if enemy_staff_lost is False else enemy_staff_lost,
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
    return answer_of("fortitude", "assault", fields, options, "question")


def sequence(
    step: Sequence[Mapping[str, Any]],
    *,
    units: str | None = None,
    enemies: str | None = None,
    orders: str | None = None,
    enemy_orders: str | None = None,
    until: str = "none",
    staff_lost: bool = False,
    enemy_staff_lost: bool = False,
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
    """Turns of several units on two sides, given as steps.

    Each step has `do` (turn, fire, assault, staff-destroyed, place) and its fields.

    Args:
        units: the units
        enemies: the units of the enemy; their numbers (slots) follow those of the units
        orders: orders to choose from in every turn, separated by commas: none, defend, all-
            around-defense, fire-ranged-weapons, fire-and-retreat, move-and-fire, assault,
            march, rest, retreat, run
        enemy_orders: orders that the enemy chooses from in every turn, separated by commas:
            none, defend, all-around-defense, fire-ranged-weapons, fire-and-retreat, move-and-
            fire, assault, march, rest, retreat, run
        until: show each unit as it first reaches this level, whatever happens to it later:
            none, normal (again, if the unit begins Normal), hesitant, shaken, routed (Shaken or
            worse), panicked; one of none, normal, hesitant, shaken, routed, panicked
        staff_lost: the General Staff has been lost
        enemy_staff_lost: the enemy's General Staff has been lost
        joint: outcomes of all units together, instead of each alone
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
        "units": units,
        "enemies": enemies,
        "orders": orders,
        "enemy-orders": enemy_orders,
        "until": None if until == "none" else until,
        "staff-lost": None if staff_lost is False else staff_lost,
        "enemy-staff-lost": None if enemy_staff_lost is False else enemy_staff_lost,
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
    return answer_of("fortitude", "sequence", fields, options, "question")
