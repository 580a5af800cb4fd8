"""Advanced Squad Leader: fire, Morale Checks, Close Combat, rout and rally. Written by `generate.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._answer import Answer, answer_of

__all__ = [
    "campaign",
    "cc",
    "check",
    "conceal",
    "cross",
    "fire",
    "firefight",
    "interdict",
    "platoon",
    "rally",
    "sequence",
    "sniper",
    "turn",
]


def fire(
    stack: str,
    *,
    fp: int | None = None,
    drm: int = 0,
    cowering: bool = True,
    inexperienced: bool = False,
    by: str | None = None,
    range: int | None = None,
    phase: str | None = None,
    terrain: str = "open",
    tem: int | None = None,
    works: str | None = None,
    pillbox: int | None = None,
    hexside: str | None = None,
    wall_advantage: str | None = None,
    level: int | None = None,
    crest: bool = False,
    hindrance: int | None = None,
    smoke: int | None = None,
    smoke_los: int | None = None,
    smoke_out: int | None = None,
    lv: int | None = None,
    night: bool = False,
    move: str | None = None,
    mf: int | None = None,
    spraying: bool = False,
    snap_shot: bool = False,
    area: int | None = None,
    direct: str | None = None,
    overstack_by: int | None = None,
    overstack_target: int | None = None,
    target_ft: int | None = None,
    dc: str | None = None,
    mol: bool = False,
    rof: int | None = None,
    stop: str | None = None,
    san: Any = None,
    sniper_hits: str = "elsewhere",
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of an attack on the Infantry Fire Table: K, KIA and Random Selection, MC, PTC, Cowering (A7.3).

    Args:
        stack: units, in the notation below
        fp: firepower of the attack; 1 to 1000
        drm: sum of all DRM of the attack: TEM, leadership of the firers, Hindrance, ...; -20 to
            20
        cowering: the opposite of `no-cowering` (the firers do not Cower, because a leader
            directs them or because of their type) (A7.9)
        inexperienced: the firers are Inexperienced and Cower by two columns (A19.3)
        by: firers of the attack, such as `9-2 + 2x german:4-6-7/hmg`; FP, DRM and Cowering are
            reckoned
        range: range in hexes, 0 for the same hex (1) (A7.2); 0 to 40
        phase: fire phase: prep (default), first (default of a mover), subsequent, ... (A3); one
            of prep, first, subsequent, fpf, final, final-again, advancing, opportunity
        terrain: terrain: open, building, woods, pillbox, trench, ...
        tem: TEM in place of that of the terrain (A7.6); -2 to 10
        works: works in the target hex: foxhole, trench, ... (B27); one of none, foxhole,
            trench, shellhole, wreck
        pillbox: CA or NCA number of the target's pillbox (B30.3); -2 to 10
        hexside: hexside of the target that the LOS crosses (B9); one of none, wall, hedge,
            bocage, roadblock
        wall_advantage: who has Wall Advantage over that hexside (B9.3); one of none, target,
            firer
        level: firer's level less that of the target (0) (B10.31); -10 to 10
        crest: the mover has just crossed the crest hexside of the LOS (B10.31)
        hindrance: DRM of Hindrances, without SMOKE (A6.7); 0 to 9
        smoke: DRM of SMOKE in the target's Location (A24.2); 0 to 9
        smoke_los: DRM of SMOKE between firer and target (A24.2); 0 to 9
        smoke_out: DRM of SMOKE in the firers' Location (A24.8); 0 to 9
        lv: DRM of Low Visibility (E3.1); 0 to 9
        night: the attack is at night (E1.7)
        move: how the target moves: assault, non-assault, dash, hazardous (A4.6); one of none,
            assault, non-assault, dash, hazardous
        mf: MF that the mover spends in the Location (1) (A9.2); 1 to 8
        spraying: the firers use Spraying Fire (A7.34)
        snap_shot: the attack is a Snap Shot (A8.15)
        area: how often terrain of the firers halves their FP (A7.23); 0 to 9
        direct: which leaders direct: auto (0 or better), force, none (A10.72); one of auto,
            force, none
        overstack_by: squad-equivalents by which the firers' Location is overstacked (A5.12); 0
            to 9
        overstack_target: squad-equivalents by which the target's Location is overstacked
            (A5.131); 0 to 9
        target_ft: Flamethrowers of the target (A22.4); 0 to 9
        dc: use of a DC: placed or thrown (A23); one of placed, thrown
        mol: the MOL Check of the attack was passed (A22.6)
        rof: largest number of shots in the phase: the MG go on while they keep their ROF (1)
            (A9.2); 1 to 3
        stop: condition after which firing ends, such as `none holds` or `mmc holds <= 1`
        san: SAN of the enemy, called by MC and TC of the stack; or `A,B`: of the stack's side,
            called by the DR of attacks, and of the enemy (A14.1)
        sniper_hits: where attacks of the enemy's Sniper strike: here, elsewhere, or the share
            of them that strikes this stack (A14.2)
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "fp": fp,
        "drm": None if drm == 0 else drm,
        "cowering": None if cowering is True else cowering,
        "inexperienced": None if inexperienced is False else inexperienced,
        "by": by,
        "range": range,
        "phase": phase,
        "terrain": None if terrain == "open" else terrain,
        "tem": tem,
        "works": works,
        "pillbox": pillbox,
        "hexside": hexside,
        "wall-advantage": wall_advantage,
        "level": level,
        "crest": None if crest is False else crest,
        "hindrance": hindrance,
        "smoke": smoke,
        "smoke-los": smoke_los,
        "smoke-out": smoke_out,
        "lv": lv,
        "night": None if night is False else night,
        "move": move,
        "mf": mf,
        "spraying": None if spraying is False else spraying,
        "snap-shot": None if snap_shot is False else snap_shot,
        "area": area,
        "direct": direct,
        "overstack-by": overstack_by,
        "overstack-target": overstack_target,
        "target-ft": target_ft,
        "dc": dc,
        "mol": None if mol is False else mol,
        "rof": rof,
        "stop": stop,
        "san": san,
        "sniper-hits": None if sniper_hits == "elsewhere" else sniper_hits,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "fire", fields, options, "question")


def check(
    stack: str,
    *,
    mc: int | None = None,
    ptc: bool = False,
    night: bool = False,
    san: Any = None,
    sniper_hits: str = "elsewhere",
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of a Morale Check or Pin Task Check of a whole stack: leaders, LLMC and LLTC, ELR (A10.1 - A10.4).

    Args:
        stack: units, in the notation below
        mc: modifier of the Morale Check: 0 for a NMC, 1 for a 1MC; 0 to 6
        ptc: a Pin Task Check instead of a Morale Check
        night: it is night, so that a SAN is 2 higher, at most 7 (E1.76)
        san: SAN of the enemy, called by MC and TC of the stack; or `A,B`: of the stack's side,
            called by the DR of attacks, and of the enemy (A14.1)
        sniper_hits: where attacks of the enemy's Sniper strike: here, elsewhere, or the share
            of them that strikes this stack (A14.2)
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "mc": mc,
        "ptc": None if ptc is False else ptc,
        "night": None if night is False else night,
        "san": san,
        "sniper-hits": None if sniper_hits == "elsewhere" else sniper_hits,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "check", fields, options, "question")


def rally(
    stack: str,
    *,
    leader: str | None = None,
    terrain: str = "open",
    dm: bool = False,
    own_rph: str = "odd",
    keep_dm: bool = False,
    phases: int = 6,
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
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
    """Odds of rallying, phase by phase (A10.6).

    Args:
        stack: units, in the notation below
        leader: a Good Order leader in the Location who lends his leadership and is never at
            risk
        terrain: terrain: open, building, woods, pillbox, trench, ...
        dm: every broken unit starts with DM
        own_rph: which Rally Phases are the side's own, in which its first MMC may Self-Rally:
            odd, even, never (A18.11); one of odd, even, never
        keep_dm: keep DM at the end of each phase, if the rules allow it
        phases: number of Rally Phases, with one attempt each; 1 to 60
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "leader": leader,
        "terrain": None if terrain == "open" else terrain,
        "dm": None if dm is False else dm,
        "own-rph": None if own_rph == "odd" else own_rph,
        "keep-dm": None if keep_dm is False else keep_dm,
        "phases": None if phases == 6 else phases,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "rally", fields, options, "question")


def interdict(
    stack: str,
    *,
    hexes: int | None = None,
    leader: str | None = None,
    voluntary_rout: bool = False,
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of a rout through Interdicted Open Ground hexes, 1 MF each (A10.53).

    Args:
        stack: units, in the notation below
        hexes: number of Interdicted Open Ground hexes to cross; 1 to 6
        leader: a Good Order leader in every hex who lends his leadership and is never at risk
        voluntary_rout: the unbroken leader of the stack routs with the broken unit (A10.711)
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "hexes": hexes,
        "leader": leader,
        "voluntary-rout": None if voluntary_rout is False else voluntary_rout,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "interdict", fields, options, "question")


def sequence(
    step: Sequence[Mapping[str, Any]],
    *,
    stack: str | None = None,
    terrain: str = "open",
    works: str | None = None,
    hexside: str | None = None,
    san: Any = None,
    sniper_hits: str = "elsewhere",
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
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
    """Odds of a sequence of steps over several Player Turns, from a sequence file.

    Each step has `do` (fire, check, eliminate, break, dm, conceal, reveal, interdict, cc,
    rally) and its fields.

    Args:
        stack: units, in the notation below
        terrain: terrain: open, building, woods, pillbox, trench, ...
        works: works in the target hex: foxhole, trench, ... (B27); one of none, foxhole,
            trench, shellhole, wreck
        hexside: hexside of the target that the LOS crosses (B9); one of none, wall, hedge,
            bocage, roadblock
        san: SAN of the enemy, called by MC and TC of the stack; or `A,B`: of the stack's side,
            called by the DR of attacks, and of the enemy (A14.1)
        sniper_hits: where attacks of the enemy's Sniper strike: here, elsewhere, or the share
            of them that strikes this stack (A14.2)
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "terrain": None if terrain == "open" else terrain,
        "works": works,
        "hexside": hexside,
        "san": san,
        "sniper-hits": None if sniper_hits == "elsewhere" else sniper_hits,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "sequence", fields, options, "question")


def turn(
    stack: str,
    *,
    attack: str | Sequence[str] | None = None,
    terrain: str = "open",
    works: str | None = None,
    hexside: str | None = None,
    san: Any = None,
    sniper_hits: str = "elsewhere",
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of several attacks by named firers in one Player Turn, after each of them (A7).

    Args:
        stack: units, in the notation below
        attack: attacks in order, each as `PHASE RANGE: FIRERS`, such as `prep 3, hindrance 1:
            9-2 + german:4-6-7/hmg`
        terrain: terrain: open, building, woods, pillbox, trench, ...
        works: works in the target hex: foxhole, trench, ... (B27); one of none, foxhole,
            trench, shellhole, wreck
        hexside: hexside of the target that the LOS crosses (B9); one of none, wall, hedge,
            bocage, roadblock
        san: SAN of the enemy, called by MC and TC of the stack; or `A,B`: of the stack's side,
            called by the DR of attacks, and of the enemy (A14.1)
        sniper_hits: where attacks of the enemy's Sniper strike: here, elsewhere, or the share
            of them that strikes this stack (A14.2)
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "attack": attack,
        "terrain": None if terrain == "open" else terrain,
        "works": works,
        "hexside": hexside,
        "san": san,
        "sniper-hits": None if sniper_hits == "elsewhere" else sniper_hits,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "turn", fields, options, "question")


def cross(
    stack: str,
    *,
    path: str | Sequence[str] | None = None,
    map: str | Sequence[str] | None = None,
    to: str | None = None,
    defender: str | Sequence[str] | None = None,
    fire: str | Sequence[str] = "auto",
    policy: str = "all",
    move: str = "non-assault",
    concealed: bool = False,
    night: bool = False,
    nvr: int | None = None,
    lv: int = 0,
    then: str = "stop",
    stopped: str = "cease",
    elr: int = 3,
    hob: bool = True,
    keu: bool = True,
    captor: bool = False,
    no_quarter: bool = False,
    enemy: str | None = None,
    enemy_adjacent: bool = False,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of a stack that moves under Defensive First Fire, Location by Location (A8).

    Args:
        stack: units, in the notation below
        path: Locations entered, in order, each as `TERRAIN [MF] [WORD VALUE]`, such as `open,
            grain 2, stone 2 hexside wall`; on a map its hexes, from where the stack begins: `Q5
            Q4 P4` (A4.1)
        map: situation whose map the stack crosses, among its enemies
        to: on a map: the hex to reach by the safest path
        defender: an enemy Location, as `NAME: FIRERS @ RANGES`, such as `A: 8-1 +
            german:4-6-7/mmg @ 4, 3, 2`; on a map `@ HEX` (A8.1)
        fire: who fires at each Location, in order: `A, A B, none`; or auto, as `policy` says
            (A8.1)
        policy: who fires by auto: all, first (each once in a Location), hold-fire (until
            ADJACENT); one of all, first, hold-fire
        move: how the stack moves: non-assault, assault (one Location a Player Turn), dash,
            charge (A4.6); one of non-assault, assault, dash, charge
        concealed: the stack is concealed (A12.14)
        night: it is night (E1.7)
        nvr: on a map at night: the Night Visibility Range in hexes (E1.1); 0 to 40
        lv: DRM of Low Visibility (E3.1); 0 to 9
        then: how units go on where others stop: stop (together, the others stop), apart (one by
            one) (A4.2); one of stop, apart
        stopped: what defenders do at a stack of which nobody goes on: cease, continue; one of
            cease, continue
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        keu: the opposite of `no-keu` (no Known enemy in LOS, so no unit goes berserk) (A15.44)
        captor: a Known, Good Order, armed enemy is ADJACENT, so a unit that surrenders is
            captured (A15.5)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        enemy: nation of the enemy: against Russians the SS neither surrender nor become
            Disrupted (A19.12); one of german, german-ss, russian, american, british, french,
            italian, finnish, axis-minor, partisan
        enemy_adjacent: a Known armed enemy is always ADJACENT, so DM returns at once (A10.62)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of the whole stack instead of each unit
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
        "stack": stack,
        "path": path,
        "map": map,
        "to": to,
        "defender": defender,
        "fire": None if fire == "auto" else fire,
        "policy": None if policy == "all" else policy,
        "move": None if move == "non-assault" else move,
        "concealed": None if concealed is False else concealed,
        "night": None if night is False else night,
        "nvr": nvr,
        "lv": None if lv == 0 else lv,
        "then": None if then == "stop" else then,
        "stopped": None if stopped == "cease" else stopped,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "keu": None if keu is True else keu,
        "captor": None if captor is False else captor,
        "no-quarter": None if no_quarter is False else no_quarter,
        "enemy": enemy,
        "enemy-adjacent": None if enemy_adjacent is False else enemy_adjacent,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "cross", fields, options, "question")


def cc(
    stack: str,
    *,
    against: str | None = None,
    plan: str | None = None,
    reply: str | None = None,
    then: str | None = None,
    then_reply: str | None = None,
    objective: str = "net",
    terrain: str = "open",
    ambush: str = "roll",
    ambush_withdraw: str = "never",
    phasing: str = "ours",
    melee: bool = False,
    turns: int = 1,
    withdraw: Any = None,
    their_withdraw: Any = None,
    infiltrate: str = "never",
    their_infiltrate: str = "never",
    exits: str = "yes,yes",
    capture: bool = False,
    hand_to_hand: bool = False,
    no_quarter: bool = False,
    night: bool = False,
    creation: bool = True,
    profile: str = "asl-v3",
    joint: bool = False,
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of Close Combat: Ambush, Kill Numbers, capture, Withdrawal, Melee (A11).

    Args:
        stack: our units; `A vs B` names both sides
        against: their units, in the same notation
        plan: our attacks: `2>1; 3>2` (our unit 2 their unit 1, unit 3 their unit 2), or best,
            all, first, pairs, capture, none, withdraw; default: best (A11.12)
        reply: their attacks on our units; default: best (A11.12)
        then: our plan from the second Player Turn on; default: `plan`
        then_reply: their plan from the second Player Turn on; default: `reply`
        objective: what the best plans are best for: net (CVP taken less CVP given), net-final
            (captured twice), kills, losses, clear, kept, survive, or a number such as `leaders
            lost = 0` (A26.21)
        terrain: terrain of the Location: woods and buildings allow an Ambush (A11.4)
        ambush: roll (where the rules allow it), no, ours, theirs: who has ambushed (A11.4); one
            of roll, no, ours, theirs
        ambush_withdraw: never, before, after: when ambushers leave the Location (A11.41); one
            of never, before, after
        phasing: ours or theirs: whose Player Turn is the first; one of ours, theirs
        melee: the Location already is in Melee (A11.15)
        turns: Player Turns, each with one CCPh; 1 to 20
        withdraw: numbers of our units that withdraw from the Melee (A11.2)
        their_withdraw: numbers of their units that withdraw from the Melee (A11.2)
        infiltrate: never, always or best (by the objective): our units leave on an Original 2
            or 12 (A11.22); one of never, always, best
        their_infiltrate: never, always or best: their units leave on an Original 2 or 12
            (A11.22); one of never, always, best
        exits: is there an Accessible Location without a Known enemy to leave for: ours, theirs
        capture: every attack of ours is an attempt to capture (A20.22)
        hand_to_hand: the red Kill Numbers count in the first round, unless the ATTACKER is
            ambushed (J2.31)
        no_quarter: No Quarter is in force: Disrupted units are fought (A20.3)
        night: it is night: the ATTACKER ambushes with a dr lower by 2 (E1.77)
        creation: the opposite of `no-creation` (no Leader Creation) (A18.12)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        joint: outcomes of both sides together instead of each unit
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
        "stack": stack,
        "against": against,
        "plan": plan,
        "reply": reply,
        "then": then,
        "then-reply": then_reply,
        "objective": None if objective == "net" else objective,
        "terrain": None if terrain == "open" else terrain,
        "ambush": None if ambush == "roll" else ambush,
        "ambush-withdraw": None if ambush_withdraw == "never" else ambush_withdraw,
        "phasing": None if phasing == "ours" else phasing,
        "melee": None if melee is False else melee,
        "turns": None if turns == 1 else turns,
        "withdraw": withdraw,
        "their-withdraw": their_withdraw,
        "infiltrate": None if infiltrate == "never" else infiltrate,
        "their-infiltrate": None if their_infiltrate == "never" else their_infiltrate,
        "exits": None if exits == "yes,yes" else exits,
        "capture": None if capture is False else capture,
        "hand-to-hand": None if hand_to_hand is False else hand_to_hand,
        "no-quarter": None if no_quarter is False else no_quarter,
        "night": None if night is False else night,
        "creation": None if creation is True else creation,
        "profile": None if profile == "asl-v3" else profile,
        "joint": None if joint is False else joint,
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
    return answer_of("asl", "cc", fields, options, "question")


def sniper(
    stack: str,
    *,
    san: int | None = None,
    rolls: int | None = None,
    night: bool = False,
    dr: int | None = None,
    profile: str = "asl-v3",
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds of Snipers: calls of a SAN, and what an attack does to a stack (A14).

    Args:
        stack: the units that gain concealment, or that an activated Sniper strikes
        san: Sniper Activation Number, without a stack (A14.1); 2 to 7
        rolls: Original DR of the enemy of the Sniper, without a stack; default: 1 (A14.1); 1 to
            200
        night: it is night: the SAN is 2 higher, at most 7 (E1.76)
        dr: the Sniper dr, if it is known (A14.2); 1 to 6
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
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
        "stack": stack,
        "san": san,
        "rolls": rolls,
        "night": None if night is False else night,
        "dr": dr,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "sniper", fields, options, "question")


def conceal(
    stack: str,
    *,
    terrain: str = "open",
    enemy: str = "within-16",
    los: str = "yes",
    profile: str = "asl-v3",
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """Odds to gain concealment at the end of the own Player Turn (A12.12).

    Args:
        stack: the units that gain concealment, or that an activated Sniper strikes
        terrain: terrain of the Location (A12.12)
        enemy: the nearest unbroken enemy: within-16 hexes, beyond-16, none (A12.12); one of
            within-16, beyond-16, none
        los: yes or no: an unbroken enemy has LOS (A12.12); one of yes, no
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
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
        "stack": stack,
        "terrain": None if terrain == "open" else terrain,
        "enemy": None if enemy == "within-16" else enemy,
        "los": None if los == "yes" else los,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "conceal", fields, options, "question")


def platoon(
    stack: str,
    *,
    against: str | None = None,
    side: Any = None,
    attack: Any = None,
    turns: int = 6,
    begins: str | None = None,
    range: int | None = None,
    ranges: Any = None,
    hindrance: Any = None,
    terrain: str = "open",
    their_terrain: str = "open",
    rear: str | None = None,
    their_rear: str | None = None,
    interdicted: int = 0,
    fp: int | None = None,
    drm: int = 0,
    cowering: bool = True,
    policy: str | None = None,
    their_policy: str | None = None,
    group: str | None = None,
    elr: int | None = None,
    their_elr: int | None = None,
    objective: str | None = None,
    hob: bool = True,
    no_quarter: bool = False,
    profile: str = "asl-v3",
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """A platoon under fire over several Player Turns: who holds, by which policy (A3).

    Args:
        stack: units of one side, or a file with its sides
        against: units of the other side
        side: the sides, with Locations and links
        attack: attacks by a schedule
        turns: Player Turns, two to a game turn; 1 to 20
        begins: whose Player Turn is first: own, enemy, or the name of a side (default: enemy,
            in a firefight own)
        range: range between all fronts of both sides; 1 to 40
        ranges: ranges line by line: `OWN-ENEMY = 6`; others have no LOS
        hindrance: Hindrance line by line: `OWN-ENEMY = 1`
        terrain: terrain of the units
        their_terrain: terrain of the other side
        rear: terrain of a Location behind
        their_rear: terrain of a Location behind the other side
        interdicted: Interdicted Open Ground hexes on the way behind; 0 to 6
        fp: FP of an attack in every Player Turn; 1 to 1000
        drm: its DRM, without the TEM of the target; -20 to 20
        cowering: the opposite of `no-cowering` (its firers do not Cower) (A7.9)
        policy: policy of the side (the first one): hold, fall-back, shuttle (default), rear-
            leader, ...; one of hold, hold-safe, fall-back, rear-leader, shuttle, to-leader,
            nurse, spearhead, patient, escort, withdraw
        their_policy: policy of the second side; one of hold, hold-safe, fall-back, rear-leader,
            shuttle, to-leader, nurse, spearhead, patient, escort, withdraw
        group: Fire Groups of both sides: by-location, one, separate; one of by-location, one,
            separate
        elr: ELR of the side (the first one) (A19.1); 0 to 6
        their_elr: ELR of the second side (A19.1); 0 to 6
        objective: the number that matters, such as `front holds >= 2`
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
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
        "stack": stack,
        "against": against,
        "side": side,
        "attack": attack,
        "turns": None if turns == 6 else turns,
        "begins": begins,
        "range": range,
        "ranges": ranges,
        "hindrance": hindrance,
        "terrain": None if terrain == "open" else terrain,
        "their-terrain": None if their_terrain == "open" else their_terrain,
        "rear": rear,
        "their-rear": their_rear,
        "interdicted": None if interdicted == 0 else interdicted,
        "fp": fp,
        "drm": None if drm == 0 else drm,
        "cowering": None if cowering is True else cowering,
        "policy": policy,
        "their-policy": their_policy,
        "group": group,
        "elr": elr,
        "their-elr": their_elr,
        "objective": objective,
        "hob": None if hob is True else hob,
        "no-quarter": None if no_quarter is False else no_quarter,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "platoon", fields, options, "question")


def firefight(
    stack: str,
    *,
    against: str | None = None,
    side: Any = None,
    attack: Any = None,
    turns: int = 6,
    begins: str | None = None,
    range: int | None = None,
    ranges: Any = None,
    hindrance: Any = None,
    terrain: str = "open",
    their_terrain: str = "open",
    rear: str | None = None,
    their_rear: str | None = None,
    interdicted: int = 0,
    fp: int | None = None,
    drm: int = 0,
    cowering: bool = True,
    policy: str | None = None,
    their_policy: str | None = None,
    group: str | None = None,
    elr: int | None = None,
    their_elr: int | None = None,
    objective: str | None = None,
    hob: bool = True,
    no_quarter: bool = False,
    profile: str = "asl-v3",
    given: str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    precision: str | None = None,
    seed: int | None = None,
    stratify: int | None = None,
    counts: str | None = None,
    with_created: bool = False,
) -> Answer:
    """A firefight of two sides over several Player Turns: who holds the field (A3).

    Args:
        stack: units of one side, or a file with its sides
        against: units of the other side
        side: the sides, with Locations and links
        attack: attacks by a schedule
        turns: Player Turns, two to a game turn; 1 to 20
        begins: whose Player Turn is first: own, enemy, or the name of a side (default: enemy,
            in a firefight own)
        range: range between all fronts of both sides; 1 to 40
        ranges: ranges line by line: `OWN-ENEMY = 6`; others have no LOS
        hindrance: Hindrance line by line: `OWN-ENEMY = 1`
        terrain: terrain of the units
        their_terrain: terrain of the other side
        rear: terrain of a Location behind
        their_rear: terrain of a Location behind the other side
        interdicted: Interdicted Open Ground hexes on the way behind; 0 to 6
        fp: FP of an attack in every Player Turn; 1 to 1000
        drm: its DRM, without the TEM of the target; -20 to 20
        cowering: the opposite of `no-cowering` (its firers do not Cower) (A7.9)
        policy: policy of the side (the first one): hold, fall-back, shuttle (default), rear-
            leader, ...; one of hold, hold-safe, fall-back, rear-leader, shuttle, to-leader,
            nurse, spearhead, patient, escort, withdraw
        their_policy: policy of the second side; one of hold, hold-safe, fall-back, rear-leader,
            shuttle, to-leader, nurse, spearhead, patient, escort, withdraw
        group: Fire Groups of both sides: by-location, one, separate; one of by-location, one,
            separate
        elr: ELR of the side (the first one) (A19.1); 0 to 6
        their_elr: ELR of the second side (A19.1); 0 to 6
        objective: the number that matters, such as `front holds >= 2`
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
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
        "stack": stack,
        "against": against,
        "side": side,
        "attack": attack,
        "turns": None if turns == 6 else turns,
        "begins": begins,
        "range": range,
        "ranges": ranges,
        "hindrance": hindrance,
        "terrain": None if terrain == "open" else terrain,
        "their-terrain": None if their_terrain == "open" else their_terrain,
        "rear": rear,
        "their-rear": their_rear,
        "interdicted": None if interdicted == 0 else interdicted,
        "fp": fp,
        "drm": None if drm == 0 else drm,
        "cowering": None if cowering is True else cowering,
        "policy": policy,
        "their-policy": their_policy,
        "group": group,
        "elr": elr,
        "their-elr": their_elr,
        "objective": objective,
        "hob": None if hob is True else hob,
        "no-quarter": None if no_quarter is False else no_quarter,
        "profile": None if profile == "asl-v3" else profile,
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
    return answer_of("asl", "firefight", fields, options, "question")


def campaign(
    unit: str,
    *,
    here: str = "open-ground",
    exposed: bool = True,
    open: int = 2,
    interdicted: int | None = None,
    cover: str = "woods",
    range: int = 6,
    fp: int = 0,
    cover_fp: int = 0,
    drm: int = 0,
    cowering: bool = True,
    inexperienced: bool = False,
    leader: str | None = None,
    leader_here: str | None = None,
    leader_turn: int | None = None,
    enemy: str | None = None,
    turns: int = 6,
    begin: str = "rout",
    own_rph: str | None = None,
    enemy_holds_fire: bool = False,
    created_stay: bool = False,
    elr: int = 3,
    hob: bool = True,
    no_quarter: bool = False,
    profile: str = "asl-v3",
    broken_morale: int | None = None,
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
    """Best play of a broken unit over several Player Turns.

    Args:
        unit: the unit
        here: terrain of the unit's hex
        exposed: the unit's hex is in the enemy's LOS and Normal Range
        open: number of Open Ground hexes between the unit and cover; 0 to 12
        interdicted: number of the Open Ground hexes that the enemy Interdicts, nearest first;
            default: all within 16 hexes of the enemy; 0 to 12
        cover: terrain of the cover
        range: distance from the enemy to the unit in hexes; 1 is ADJACENT; 1 to 40
        fp: FP of the enemy's attack on exposed hexes; with 0 the enemy sees them but does not
            fire; 0 to 1000
        cover_fp: FP of the enemy's attack on the cover; with 0 the enemy cannot see the cover;
            0 to 1000
        drm: DRM of the enemy's attacks, without the TEM of the hex; -20 to 20
        cowering: the opposite of `no-cowering` (the enemy does not Cower) (A7.9)
        inexperienced: the enemy is Inexperienced and Cowers by two columns (A19.3)
        leader: a leader in the cover
        leader_here: a leader in the unit's hex
        leader_turn: first Player Turn in which the leader is in the cover; 1 to 20
        enemy: nation of the enemy; one of german, german-ss, russian, american, british,
            french, italian, finnish, axis-minor, partisan
        turns: Player Turns; 1 to 20
        begin: phase in which the first Player Turn begins: rally, fire, rout; one of rally,
            fire, rout
        own_rph: Player Turns whose RPh is the side's own; default: if the campaign begins with
            a RPh, that RPh is the side's own (A18.11); one of odd, even, never
        enemy_holds_fire: the enemy may hold his fire at each attack
        created_stay: units created on the way stay with the unit
        elr: ELR of the side (A19.1); 0 to 6
        hob: the opposite of `no-hob` (no Heat of Battle) (A15.1)
        no_quarter: No Quarter is in force, so no unit surrenders (A20.3)
        profile: edition of the rules: asl-v3, asl-v2 or aslsk; one of asl-v3, asl-v2, aslsk
        broken_morale: broken Morale Level, replaces the printed value; a half-squad has one
            less (A1.122); 1 to 10
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
        "unit": unit,
        "here": None if here == "open-ground" else here,
        "exposed": None if exposed is True else exposed,
        "open": None if open == 2 else open,
        "interdicted": interdicted,
        "cover": None if cover == "woods" else cover,
        "range": None if range == 6 else range,
        "fp": None if fp == 0 else fp,
        "cover-fp": None if cover_fp == 0 else cover_fp,
        "drm": None if drm == 0 else drm,
        "cowering": None if cowering is True else cowering,
        "inexperienced": None if inexperienced is False else inexperienced,
        "leader": leader,
        "leader-here": leader_here,
        "leader-turn": leader_turn,
        "enemy": enemy,
        "turns": None if turns == 6 else turns,
        "begin": None if begin == "rout" else begin,
        "own-rph": own_rph,
        "enemy-holds-fire": None if enemy_holds_fire is False else enemy_holds_fire,
        "created-stay": None if created_stay is False else created_stay,
        "elr": None if elr == 3 else elr,
        "hob": None if hob is True else hob,
        "no-quarter": None if no_quarter is False else no_quarter,
        "profile": None if profile == "asl-v3" else profile,
        "broken-morale": broken_morale,
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
    return answer_of("asl", "campaign", fields, options, "question")
