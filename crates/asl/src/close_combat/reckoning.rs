//! One attack (11.11 - 11.19): its FP, odds and DRM, and what each Original DR does.

use smallvec::SmallVec;

use super::combat::{CombatModifier, CombatModifiers, CombatView};
use super::state::{CombatAttack, CombatSide, CombatUnits, Infiltration, Presence};
use super::tables::{ColumnIndex, FP_PARTS};
use crate::catalogue::{Class, CounterKind};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};

/// What an Original DR does to the targets of an attack (11.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttackEffects {
    /// The targets whose Final DR is below the Kill Number.
    pub killed: CombatUnits,
    /// The targets whose Final DR equals the Kill Number.
    pub candidates: CombatUnits,
}

/// The bit that stands for a leader who may still be created among the targets (18.12).
const LEADER_TO_COME: UnitIndex = 31;

/// Overstacking of the FRU: what a Location holds in half squad-equivalents (5.1).
const HALF_SQUADS: u8 = 6;

impl CombatView<'_> {
    /// Returns the strength of a unit in eighths of a FP (11.11): the printed FP of an MMC, 1 for
    /// an SMC (11.14) and an unarmed unit (20.5). A broken unit has that of its unbroken side.
    pub fn strength(self, side: CombatSide, unit: UnitIndex) -> u16 {
        let counter = self.counter(side, unit);
        let is_one = counter.kind.is_smc() || self.is(side, unit, Condition::Unarmed);
        let firepower = if is_one { 1 } else { counter.firepower.unwrap_or(1) };
        FP_PARTS * u16::from(firepower)
    }

    /// Returns the FP of an attack in eighths. Pinned units (7.8) and Guards (20.52) attack with
    /// half of theirs.
    fn attack_strength(self, attack: &CombatAttack) -> u16 {
        let of_unit = |unit| {
            let halvings = u32::from(self.is(attack.by, unit, Condition::Pinned))
                + u32::from(self.state.force(attack.by).standing_of(unit).is_guard);
            self.strength(attack.by, unit) >> halvings
        };
        attack.attackers.units().map(of_unit).sum()
    }

    /// Returns the FP of attacker and target in eighths. `to_come` leaders who may still be created
    /// count 1 FP each among the targets. An attack on a concealed unit has half FP (11.19), on
    /// `target` alone by the alternative of interpretation I-111.
    pub fn strengths(
        self,
        attack: &CombatAttack,
        to_come: u16,
        target: Option<UnitIndex>,
    ) -> (u16, u16) {
        let at = attack.by.other();
        let concealed = |unit: UnitIndex| self.state.force(at).standing_of(unit).is_concealed;
        let is_halved = match target.filter(|_| self.chooses(Switch::ConcealedColumnApart)) {
            Some(LEADER_TO_COME) => false,
            Some(target) => concealed(target),
            None => attack.targets.units().any(concealed),
        };
        let defence: u16 = attack.targets.units().map(|unit| self.strength(at, unit)).sum();
        let own = self.attack_strength(attack) >> u32::from(is_halved);
        (own, defence + FP_PARTS * to_come)
    }

    pub fn column(
        self,
        attack: &CombatAttack,
        to_come: u16,
        target: Option<UnitIndex>,
    ) -> ColumnIndex {
        let (own, defence) = self.strengths(attack, to_come, target);
        ColumnIndex::of_odds(own, defence, self.combat.rulebook)
    }

    fn kill_number(self, attack: &CombatAttack, to_come: u16, target: UnitIndex) -> i8 {
        self.column(attack, to_come, Some(target)).kill_number(self.is_hand_to_hand())
    }

    /// Returns the Kill Number of the attack, that against Known targets if they differ.
    pub fn kill_number_of_all(self, attack: &CombatAttack) -> i8 {
        self.column(attack, 0, None).kill_number(self.is_hand_to_hand())
    }

    /// Returns whether the red Kill Numbers count: the ATTACKER declares Hand-to-Hand with the
    /// first round, unless he has been ambushed (J2.31).
    fn is_hand_to_hand(self) -> bool {
        let attacker = self.combat.phasing(self.state.turn);
        let is_ambushed = self.state.ambusher() == Some(attacker.other());
        self.combat.hand_to_hand && self.state.turn == 1 && !is_ambushed
    }

    /// Returns the squad-equivalents, rounded up, by which a side is overstacked (5.1), FRU.
    pub fn overstacked(self, side: CombatSide) -> i8 {
        let size = |unit: UnitIndex| match self.counter(side, unit).kind {
            CounterKind::Squad => 2,
            CounterKind::HalfSquad | CounterKind::Crew => 1,
            _ => 0,
        };
        let halves: u8 = self.state.force(side).here().units().map(size).sum();
        halves.saturating_sub(HALF_SQUADS).div_ceil(2) as i8
    }

    /// Returns whether a leader can direct an attack: Good Order and unpinned (11.141, 7.831). No
    /// Partisan directs others, nor others Partisans (25.24), but by interpretation I-129.
    fn may_direct(self, attack: &CombatAttack, leader: UnitIndex) -> bool {
        let is_partisan = |unit| self.counter(attack.by, unit).nation == Nation::Partisan;
        let is_mixed =
            attack.attackers.units().any(|unit| is_partisan(unit) != is_partisan(leader));
        self.unit(attack.by, leader).can_lead()
            && (!is_mixed || self.chooses(Switch::PartisanLeadersDirect))
    }

    /// Returns the leadership DRM of a leader for an attack: one worse for any unit of another
    /// nation (10.7).
    fn leadership(self, attack: &CombatAttack, leader: UnitIndex) -> i8 {
        let engagement = self.combat.engagement(attack.by);
        let of = self.unit(attack.by, leader);
        let others = attack.attackers.units().filter(|&unit| unit != leader);
        let drm = |unit| engagement.leadership_for(self.unit(attack.by, unit), of);
        others.map(drm).max().unwrap_or_else(|| engagement.leadership(of))
    }

    /// Returns the DRM of the leader who directs the attack and of its heroes (11.141, 15.24). A
    /// leader who makes it worse is left out (10.72), unless he has just been created (18.12).
    fn directed(self, attack: &CombatAttack) -> [i8; 2] {
        let side = attack.by;
        let is_hero =
            |unit: &UnitIndex| self.combat.engagement(side).is_hero(self.unit(side, *unit));
        let heroes = attack.attackers.units().filter(is_hero).count() as i8;
        let is_berserk =
            attack.attackers.units().any(|unit| self.is(side, unit, Condition::Berserk));
        if is_berserk || attack.attackers.count() < 2 {
            return [0, -heroes];
        }
        let leaders = attack
            .attackers
            .units()
            .filter(|&unit| self.may_direct(attack, unit) && Some(unit) != attack.leader);
        // A heroic leader who directs does not give his heroic DRM as well.
        let directs = |leader: UnitIndex| {
            let heroic = i8::from(is_hero(&leader));
            [self.leadership(attack, leader), heroic - heroes]
        };
        let best = leaders.map(directs).min_by_key(|[leader, heroes]| leader + heroes);
        let best = best.filter(|[leader, others]| leader + others < -heroes);
        let [own, others] = best.unwrap_or([0, -heroes]);
        let Some(created) = attack.leader else { return [own, others] };
        let created = self.leadership(attack, created);
        if self.chooses(Switch::CreatedLeadershipAdds) {
            [own + created, others]
        } else if self.chooses(Switch::CreatedLeadershipIfBetter) {
            [own.min(created), others]
        } else {
            [created, -heroes]
        }
    }

    /// Passes the DRM of all targets to `add`: Ambush, direction, CX, TI, overstacking.
    fn common(self, attack: &CombatAttack, mut add: impl FnMut(&'static str, i8, &'static str)) {
        let any = |holds: &dyn Fn(UnitIndex) -> bool| i8::from(attack.attackers.units().any(holds));
        match self.state.ambusher() {
            Some(side) if side == attack.by => add("Ambush", -1, "A11.4"),
            Some(_) => add("ambushed", 1, "A11.4"),
            None => {}
        }
        let [leadership, heroes] = self.directed(attack);
        add("leadership", leadership, "A11.141");
        add("heroes", heroes, "A15.24");
        add("CX", any(&|unit| self.is(attack.by, unit, Condition::Cx)), "A4.51");
        add("TI", any(&|unit| self.state.force(attack.by).standing_of(unit).is_ti), "A4.8");
        let overstacked = self.presence(attack).overstacked[attack.by as usize];
        add("overstacked", overstacked, "A5.12");
    }

    /// Returns who is in the Location, as far as it bears on an attack: when its DR was rolled, or
    /// now. Concealed units are not in the Melee; a leader who has appeared is (18.12).
    pub fn presence(self, attack: &CombatAttack) -> Presence {
        let now = || {
            let force = self.state.force(attack.by.other());
            let stays = |unit: &UnitIndex| {
                let standing = force.standing_of(*unit);
                !standing.withdraws && !standing.is_concealed
            };
            Presence {
                overstacked: CombatSide::ALL.map(|side| self.overstacked(side)),
                staying: force.here().units().filter(stays).count() as i8,
            }
        };
        attack.presence.unwrap_or_else(now)
    }

    /// Returns the DRM to capture a unit (20.22, 19.35, 25.63). `is_led`: a leader of its side has
    /// just been created.
    pub fn capture(self, side: CombatSide, unit: UnitIndex, is_led: bool) -> (i8, &'static str) {
        let counter = self.counter(side, unit);
        let is_mmc = !counter.kind.is_smc();
        let is_green_only =
            counter.class == Class::Green && !self.is(side, unit, Condition::Unarmed);
        if self.is_inexperienced(side, unit) && !(is_led && is_green_only) {
            (-1, "A19.35")
        } else if is_mmc && counter.nation == Nation::Italian && counter.class != Class::Elite {
            (0, "A25.63")
        } else {
            (1, "A20.22")
        }
    }

    /// Returns whether a unit is Inexperienced (19.3): a Conscript, Green without an unbroken
    /// leader in the Location, or unarmed (20.5).
    pub fn is_inexperienced(self, side: CombatSide, unit: UnitIndex) -> bool {
        let counter = self.counter(side, unit);
        let force = self.state.force(side);
        let leads = |other: UnitIndex| {
            let other = force.unit(other);
            other.leads && !other.is(Condition::Broken)
        };
        let is_green = || counter.class == Class::Green && !force.here().units().any(leads);
        let is_mmc = !counter.kind.is_smc();
        is_mmc && (counter.class == Class::Conscript || is_green())
            || self.is(side, unit, Condition::Unarmed)
    }

    /// Passes the DRM of one target to `add`: broken, CX, TI, withdrawing, overstacked, capture.
    /// `to_come` leaders may still be created among the targets.
    fn own(
        self,
        attack: &CombatAttack,
        unit: UnitIndex,
        to_come: u16,
        mut add: impl FnMut(&'static str, i8, &'static str),
    ) {
        let at = attack.by.other();
        let presence = self.presence(attack);
        add("overstacked", -presence.overstacked[at as usize], "A5.131");
        if unit == LEADER_TO_COME {
            return;
        }
        let is = |condition| self.is(at, unit, condition);
        let of_all = self.chooses(Switch::GroupSharesExhaustion);
        let any = |holds: &dyn Fn(UnitIndex) -> bool| {
            let shares = of_all && attack.targets.units().any(holds);
            -i8::from(shares || holds(unit))
        };
        add("broken", -2 * i8::from(is(Condition::Broken)), "A11.16");
        add("CX", any(&|unit| self.is(at, unit, Condition::Cx)), "A4.51");
        add("TI", any(&|unit| self.state.force(at).standing_of(unit).is_ti), "A4.8");
        if self.state.force(at).standing_of(unit).withdraws {
            // 11.2: -2, and 1 for each that stays.
            add("withdrawing", presence.staying - 2, "A11.2");
        }
        if attack.is_capture {
            let (drm, rule) = self.capture(at, unit, to_come > 0);
            add("capture", drm, rule);
        }
    }

    /// Returns the DRM of all targets of an attack, and those of one of them.
    pub fn modifiers(self, attack: &CombatAttack, target: Option<UnitIndex>) -> CombatModifiers {
        let mut found = CombatModifiers::new();
        let add = |name, drm, rule| {
            if drm != 0 {
                found.push(CombatModifier { name, drm, rule });
            }
        };
        match target {
            Some(target) => self.own(attack, target, 0, add),
            None => self.common(attack, add),
        }
        found
    }

    /// Returns the number that the Original DR must not exceed for the target to die.
    pub fn dead_on(self, attack: &CombatAttack, target: UnitIndex) -> i8 {
        let drms = [self.modifiers(attack, None), self.modifiers(attack, Some(target))];
        let sum: i8 = drms.iter().flatten().map(|modifier| modifier.drm).sum();
        self.kill_number(attack, 0, target) - sum - 1
    }

    /// Returns what each Original DR does from 2 to 12 (11.11), with `to_come` further leaders
    /// among the targets.
    pub(super) fn effects_of_all(self, attack: &CombatAttack, to_come: u16) -> [AttackEffects; 11] {
        let mut effects = [AttackEffects::default(); 11];
        if !self.is_followed(attack) {
            return effects;
        }
        let mut common = 0;
        self.common(attack, |_, drm, _| common += drm);
        let later =
            if to_come > 0 { CombatUnits::one(LEADER_TO_COME) } else { CombatUnits::default() };
        for unit in attack.targets.with_all(later).units() {
            let mut drm = common;
            self.own(attack, unit, to_come, |_, own, _| drm += own);
            let kill = self.kill_number(attack, to_come, unit);
            for (original, effect) in (2..).zip(&mut effects) {
                match (original + drm).cmp(&kill) {
                    std::cmp::Ordering::Less => effect.killed = effect.killed.with(unit),
                    std::cmp::Ordering::Equal => effect.candidates = effect.candidates.with(unit),
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        effects
    }

    /// Returns what the rolled DR of an attack does now.
    pub fn effects(self, attack: &CombatAttack) -> AttackEffects {
        if let Some(effects) = self.effects_again(attack) {
            return effects;
        }
        let all = self.effects_of_all(attack, 0);
        all.get(usize::from(attack.original).wrapping_sub(2)).copied().unwrap_or_default()
    }

    /// Returns for each Original DR from 2 to 12 the lowest that does the same, whatever leaders
    /// are still created among the targets. A 2 and a 12 that do more stand for themselves.
    pub fn classes(self, attack: &CombatAttack) -> [u8; 11] {
        let to_come = self.leaders_to_come(attack);
        let mut all: SmallVec<[[AttackEffects; 11]; 4]> = SmallVec::new();
        all.extend((0..=to_come).map(|to_come| self.effects_of_all(attack, to_come)));
        let does_more = |place: usize| match place {
            0 => self.infiltrates(attack.by) || self.creation_base(attack).is_some(),
            10 => self.infiltrates(attack.by.other()),
            _ => false,
        };
        let mut classes = [0; 11];
        for place in 0..11 {
            let alike = |&earlier: &usize| {
                !does_more(earlier)
                    && !does_more(place)
                    && all.iter().all(|effects| effects[earlier] == effects[place])
            };
            let first = (0..place).find(alike).unwrap_or(place);
            classes[place] = first as u8 + 2;
        }
        classes
    }

    /// Returns whether a unit can create a leader: an armed, unbroken MMC, and no Finn (25.71).
    pub fn may_create(self, side: CombatSide, unit: UnitIndex) -> bool {
        let counter = self.counter(side, unit);
        self.combat.creates_leaders
            && !counter.kind.is_smc()
            && counter.nation != Nation::Finnish
            && !self.unit(side, unit).conditions.has_any(Condition::Unarmed, Condition::Broken)
    }

    /// Returns the MMC on which a creation by the attack is based, if it can create a leader: that
    /// of the best class, then of most FP, then of the highest ML (interpretation I-125).
    pub fn creation_base(self, attack: &CombatAttack) -> Option<UnitIndex> {
        let able = attack.attackers.units().filter(|&unit| self.may_create(attack.by, unit));
        able.min_by_key(|&unit| {
            let counter = self.counter(attack.by, unit);
            (counter.class, -i16::from(counter.firepower.unwrap_or(0)), -counter.morale)
        })
    }

    /// Returns how many leaders attacks still to be rolled may create among the targets (18.12).
    pub fn leaders_to_come(self, attack: &CombatAttack) -> u16 {
        let creates = |other: &&CombatAttack| {
            other.by != attack.by
                && other.original == 0
                && other
                    .attackers
                    .and(attack.targets)
                    .units()
                    .any(|unit| self.may_create(other.by, unit))
        };
        if !self.is_followed(attack) {
            return 0;
        }
        let declared = self.state.attacks.iter().filter(creates).count() as u16;
        declared + self.leaders_of_ambushed(attack)
    }

    /// Returns whether a side lets its units Infiltrate (11.22), or may.
    pub fn infiltrates(self, side: CombatSide) -> bool {
        let orders = &self.combat.orders[side as usize];
        orders.infiltration != Infiltration::Never && orders.has_exit
    }
}
