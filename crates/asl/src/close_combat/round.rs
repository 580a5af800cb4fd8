//! One round of Close Combat (11.12, 11.3): who withdraws, the attacks, and leaders they create.

use super::combat::{AmbushMode, CombatPlay, CombatView};
use super::creation::created_counter;
use super::plan::{AttackPlan, NamedPlan, PlannedUnits, WrittenPlan};
use super::state::{
    AttackOrder, ChoiceKind, CombatAttack, CombatAttacks, CombatSide, CombatStep, CombatUnits,
    Fate, Infiltration, Standing,
};
use super::terms::AmbushRoll;
use crate::rulebook::Switch;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::Log;
use smallvec::SmallVec;

/// The conditions of units that end with the Player Turn, or bar a unit from leaving by choice.
const CANNOT_LEAVE: [Condition; 3] = [Condition::Pinned, Condition::Berserk, Condition::Disrupted];

impl CombatView<'_> {
    /// Returns whether a unit may leave by its owner's choice (11.2, 11.22, 11.41): in the
    /// Location, not pinned, berserk or Disrupted.
    pub fn may_leave(self, side: CombatSide, unit: UnitIndex) -> bool {
        self.state.force(side).is_here(unit)
            && !CANNOT_LEAVE.into_iter().any(|barred| self.is(side, unit, barred))
    }

    /// Returns the units that withdraw from the Melee in this round (11.2): those that the plan
    /// names, and all broken ones but Guards (11.16, 38.3).
    fn withdrawing(self, side: CombatSide) -> CombatUnits {
        let orders = &self.combat.orders[side as usize];
        if !self.state.is_melee || !orders.has_exit {
            return CombatUnits::default();
        }
        let plan = orders.plan.in_turn(self.state.turn);
        let named = orders.withdraw.with_all(plan.withdraws());
        let withdraws = |unit: &UnitIndex| {
            let must = self.is(side, *unit, Condition::Broken)
                && !self.state.force(side).standing_of(*unit).is_guard;
            let chosen = self.decides(side) && self.state.force(side).standing_of(*unit).withdraws;
            let is_all = *plan == AttackPlan::Named(NamedPlan::Withdraw);
            let wants = must || named.has(*unit) || is_all || chosen;
            // A concealed unit is not in the Melee.
            let is_held = !self.state.force(side).standing_of(*unit).is_concealed;
            wants && is_held && self.may_leave(side, *unit)
        };
        self.state.force(side).all().filter(withdraws).collect()
    }

    /// Returns the MMC with which an SMC stands (11.14): that of its choice, else the first
    /// unbroken one, which withdraws if it does. A broken SMC stands with the first of any kind, or
    /// by the alternative of interpretation I-119 alone.
    fn stands_with(self, side: CombatSide, unit: UnitIndex) -> UnitIndex {
        let force = self.state.force(side);
        let role = self.combat.role(side, unit);
        let is_broken = self.is(side, unit, Condition::Broken);
        let is_apart = role.is_some_and(|role| role.alone)
            || is_broken && self.chooses(Switch::BrokenSmcApart);
        if !self.counter(side, unit).kind.is_smc() || is_apart || !force.is_here(unit) {
            return unit;
        }
        let fits = |other: &UnitIndex| {
            force.is_here(*other)
                && !self.counter(side, *other).kind.is_smc()
                && force.standing_of(*other).withdraws == force.standing_of(unit).withdraws
        };
        let is_unbroken = |other: &UnitIndex| !self.is(side, *other, Condition::Broken);
        let chosen = role.and_then(|role| role.with).map(|with| with - 1);
        let chosen = chosen.filter(|with| {
            force.all().any(|unit| unit == *with) && fits(with) && is_unbroken(with)
        });
        let first = || force.all().filter(fits).find(is_unbroken);
        let any = || if is_broken { force.all().find(fits) } else { None };
        chosen.or_else(first).or_else(any).unwrap_or(unit)
    }

    /// Returns the attacks that a side declares now.
    fn declared(self, side: CombatSide) -> CombatAttacks {
        let (own, enemy) = (self.state.force(side), self.state.force(side.other()));
        let able: CombatUnits = own.all().filter(|&unit| own.can_attack(unit)).collect();
        let here = enemy.here();
        let plan = self.combat.orders[side as usize].plan.in_turn(self.state.turn);
        let attack =
            |attackers, targets, is_capture| self.attack(side, attackers, targets, is_capture);
        let one = |targets, is_capture| SmallVec::from_iter([attack(able, targets, is_capture)]);
        let all: CombatAttacks = match plan {
            AttackPlan::Named(NamedPlan::All) => one(here, false),
            AttackPlan::Named(NamedPlan::Capture) => one(here, true),
            AttackPlan::Named(NamedPlan::Best) => {
                let chosen = self.state.chosen[side as usize].iter();
                chosen
                    .map(|of| {
                        let by = own.blocks_of(of.attackers).and(able);
                        attack(by, enemy.blocks_of(of.targets).and(here), of.is_capture)
                    })
                    .collect()
            }
            AttackPlan::Named(NamedPlan::None | NamedPlan::Withdraw) => {
                // Berserk units must attack (15.43).
                let is_berserk = |unit: &UnitIndex| self.is(side, *unit, Condition::Berserk);
                let berserk = able.units().filter(is_berserk).collect();
                SmallVec::from_iter([attack(berserk, here, false)])
            }
            AttackPlan::Named(NamedPlan::First) => {
                one(enemy.blocks(here).first().copied().unwrap_or_default(), false)
            }
            AttackPlan::Named(NamedPlan::Pairs) => {
                let (blocks, targets) = (own.blocks(able), enemy.blocks(here));
                let by = |place: usize| -> CombatUnits {
                    let own = blocks.iter().skip(place).step_by(targets.len());
                    own.fold(CombatUnits::default(), |all, block| all.with_all(*block))
                };
                let pairs = targets.iter().enumerate();
                pairs.map(|(place, target)| attack(by(place), *target, false)).collect()
            }
            AttackPlan::Written(plan) => {
                let WrittenPlan { attacks, .. } = &**plan;
                let units = |choice: PlannedUnits, force: &super::state::Force, of: CombatUnits| {
                    match choice {
                        PlannedUnits::All => of,
                        PlannedUnits::These(units) => force.blocks_of(units).and(of),
                    }
                };
                attacks
                    .iter()
                    .map(|planned| {
                        let by = units(planned.by, own, able);
                        attack(by, units(planned.at, enemy, here), planned.is_capture)
                    })
                    .collect()
            }
        };
        let is_one =
            |attack: &CombatAttack| !attack.attackers.is_empty() && !attack.targets.is_empty();
        all.into_iter().filter(is_one).collect()
    }

    /// Returns an attack of units of a side, before its DR.
    pub fn attack(
        self,
        side: CombatSide,
        attackers: CombatUnits,
        targets: CombatUnits,
        is_capture: bool,
    ) -> CombatAttack {
        let captures = is_capture || self.combat.orders[side as usize].captures;
        CombatAttack {
            by: side,
            attackers,
            targets,
            is_capture: captures && self.may_capture(side, attackers, targets),
            original: 0,
            leader: None,
            presence: None,
            is_settled: false,
        }
    }

    /// Returns whether an attack can be one to capture: no berserk unit on either side (20.22).
    fn may_capture(self, side: CombatSide, attackers: CombatUnits, targets: CombatUnits) -> bool {
        let berserk = |side: CombatSide, units: CombatUnits| {
            units.units().any(|unit| self.is(side, unit, Condition::Berserk))
        };
        !berserk(side, attackers) && !berserk(side.other(), targets)
    }

    /// Returns the side that may Infiltrate after the results of an attack (11.22), and its units
    /// that may: no unit that is out, and no leader created by the attack.
    pub fn may_infiltrate(self, attack: &CombatAttack) -> (CombatSide, CombatUnits) {
        let (side, units) = match attack.original {
            2 => (attack.by, attack.attackers),
            12 => (attack.by.other(), attack.targets),
            _ => (attack.by, CombatUnits::NOBODY),
        };
        if !self.infiltrates(side) {
            return (side, CombatUnits::NOBODY);
        }
        let may = |unit: &UnitIndex| {
            let is_leader = Some(*unit) == attack.leader && side == attack.by;
            !is_leader && self.may_leave(side, *unit)
        };
        (side, units.without(self.out(side)).units().filter(may).collect())
    }

    /// Returns the terms of the severity dr of an SMC (17.11), if one is rolled.
    pub fn severity(self, side: CombatSide, unit: UnitIndex) -> Option<Terms> {
        self.combat.engagement(side).severity(&self.state.force(side).location, unit)
    }

    /// Returns the candidates of a Partial Kill that were drawn before a leader appeared, by the
    /// alternative of interpretation I-120: the old draw is kept.
    fn draw_kept(self, attack: &CombatAttack, candidates: CombatUnits) -> CombatUnits {
        if !attack.is_settled || !self.chooses(Switch::DrawKeptBeforeLeader) {
            return CombatUnits::default();
        }
        let force = self.state.force(attack.by.other());
        candidates.units().filter(|&unit| force.standing_of(unit).fate != Fate::Spared).collect()
    }

    /// Returns the terms of the Ambush dr of both sides.
    pub fn ambush_roll(self) -> AmbushRoll {
        let drms = CombatSide::ALL
            .map(|side| self.ambush_drms(side).iter().map(|modifier| modifier.drm).sum());
        AmbushRoll { drms, margins: self.margins() }
    }
}

impl<L: Log> CombatPlay<'_, L> {
    pub fn now(&self) -> CombatView<'_> {
        CombatView { combat: self.combat, state: self.state }
    }

    pub fn note(&mut self, rule: &'static str, text: impl FnOnce(CombatView) -> String) {
        let now = CombatView { combat: self.combat, state: self.state };
        self.log.note(rule, || text(now));
    }

    /// Begins the CCPh of a Player Turn: CX ends in the owner's turn (4.51), Disrupted units
    /// surrender (19.12), and an Ambush is rolled for (11.4).
    pub fn begin_turn(&mut self) {
        let phasing = self.combat.phasing(self.state.turn);
        if self.state.turn > 1 {
            let force = self.state.force_mut(phasing);
            for unit in force.all() {
                force.location.unit_mut(unit).conditions.clear(Condition::Cx);
            }
        } else if !self.state.is_melee && !self.combat.no_quarter {
            CombatSide::ALL.into_iter().for_each(|side| self.surrender_disrupted(side));
        }
        if CombatSide::ALL.into_iter().any(|side| self.state.force(side).here().is_empty()) {
            return self.conclude();
        }
        self.declare(self.first_to_declare(), ChoiceKind::Withdrawal);
    }

    /// Returns the side that declares first: the ATTACKER (11.12), or who has ambushed the other.
    fn first_to_declare(&self) -> CombatSide {
        match self.combat.ambush {
            AmbushMode::By(side) if self.state.turn == 1 => side,
            _ => self.combat.phasing(self.state.turn),
        }
    }

    /// Lets a side announce or declare, up to a choice.
    fn declare(&mut self, side: CombatSide, kind: ChoiceKind) {
        if !self.ask(side, kind) {
            self.declare_from(side, kind);
        }
    }

    /// Goes on after what a side has announced or declared.
    pub fn declare_from(&mut self, side: CombatSide, kind: ChoiceKind) {
        let first = self.first_to_declare();
        match kind {
            _ if side == first => self.declare(side.other(), kind),
            ChoiceKind::Withdrawal => {
                self.stack();
                self.declare(first, ChoiceKind::Plan);
            }
            ChoiceKind::Plan => self.begin_round(),
            ChoiceKind::Infiltration { .. } => {}
        }
    }

    fn begin_round(&mut self) {
        match self.combat.ambush {
            AmbushMode::By(side) if self.state.turn == 1 => self.ambush(side),
            AmbushMode::Rolled if self.now().may_be_ambush() => {
                self.state.step = CombatStep::Ambush
            }
            _ => self.begin_simultaneous(),
        }
    }

    /// Captures the Disrupted units of a side before any Close Combat (19.12), if there is a Good
    /// AttackOrder, armed, Known enemy.
    fn surrender_disrupted(&mut self, side: CombatSide) {
        let now = self.now();
        let enemy = now.state.force(side.other());
        let takes = |unit: UnitIndex| {
            let of = enemy.unit(unit);
            of.is_steady() && !of.is(Condition::Unarmed) && !enemy.standing_of(unit).is_concealed
        };
        let takers: CombatUnits = enemy.here().units().filter(|&unit| takes(unit)).collect();
        if takers.is_empty() {
            return;
        }
        let mut size = 0;
        for unit in self.state.force(side).here().units() {
            if self.now().is(side, unit, Condition::Disrupted) {
                self.note("19.12", |now| format!("{} surrenders", now.name(side, unit)));
                size += self.now().size(side, unit);
                self.state.force_mut(side).location.capture(unit);
            }
        }
        self.appoint_guards(side.other(), takers, size);
    }

    /// Applies the result of the Ambush dr of both sides.
    pub fn resolve_ambush(&mut self, side: Option<CombatSide>) {
        match side {
            Some(side) => self.ambush(side),
            None => self.begin_simultaneous(),
        }
    }

    /// Begins the sequential Close Combat of an Ambush (11.4, 11.32). The ambushed side loses its
    /// concealment, and the ambushers may leave at once (11.41).
    fn ambush(&mut self, side: CombatSide) {
        self.note("11.4", |_| format!("{} have ambushed the enemy", side.name()));
        self.reveal(side.other(), |_, _| true);
        self.state.order = AttackOrder::Ambushers(side);
        self.restack();
        if self.combat.orders[side as usize].leaves_before {
            self.ambush_withdrawal(side);
        }
        self.record_forces();
        self.state.attacks = self.now().declared(side);
        self.state.chosen[side as usize].clear();
        self.state.step = CombatStep::Attacks;
    }

    /// Lets the ambushers leave that can (11.41).
    pub fn ambush_withdrawal(&mut self, side: CombatSide) {
        if !self.combat.orders[side as usize].has_exit {
            return;
        }
        for unit in self.state.force(side).all() {
            if self.now().may_leave(side, unit) {
                self.leave(side, unit, "11.41");
            }
        }
    }

    pub fn leave(&mut self, side: CombatSide, unit: UnitIndex, rule: &'static str) {
        self.note(rule, |now| format!("{} leaves the Location", now.name(side, unit)));
        let standing = self.state.force_mut(side).standing_of_mut(unit);
        (standing.is_away, standing.has_left) = (true, true);
    }

    /// Takes `?` from the units of a side that `picked` picks.
    pub fn reveal(&mut self, side: CombatSide, picked: impl Fn(CombatView, UnitIndex) -> bool) {
        for unit in self.state.force(side).all() {
            if self.state.force(side).standing_of(unit).is_concealed && picked(self.now(), unit) {
                self.note("11.19", |now| format!("{} loses its concealment", now.name(side, unit)));
                self.state.force_mut(side).standing_of_mut(unit).is_concealed = false;
            }
        }
    }

    /// Announces Withdrawals (11.2), and stacks SMC with MMC anew (11.14).
    fn stack(&mut self) {
        for side in CombatSide::ALL {
            let withdrawing = self.now().withdrawing(side);
            for unit in self.state.force(side).all() {
                self.state.force_mut(side).standing_of_mut(unit).withdraws = withdrawing.has(unit);
            }
            for unit in self.state.force(side).all() {
                let with = self.now().stands_with(side, unit);
                self.state.force_mut(side).standing_of_mut(unit).with = with;
            }
        }
    }

    /// Stacks SMC with MMC anew. A concealed unit that stands with a Known one gives up its `?`
    /// (11.14).
    fn restack(&mut self) {
        self.stack();
        for side in CombatSide::ALL {
            for unit in self.now().withdrawing(side).units() {
                self.note("11.2", |now| format!("{} tries to withdraw", now.name(side, unit)));
            }
            self.reveal(side, |now, unit| {
                let force = now.state.force(side);
                let block = force.blocks_of(CombatUnits::one(unit));
                block.units().any(|other| !force.standing_of(other).is_concealed)
            });
        }
    }

    /// Begins a round in which all results are applied together (11.12): both sides declare, and
    /// concealed units that will attack lose their `?` (11.19).
    fn begin_simultaneous(&mut self) {
        self.state.order = AttackOrder::Simultaneous;
        self.restack();
        let phasing = self.combat.phasing(self.state.turn);
        let mut attacks = self.now().declared(phasing);
        attacks.extend(self.now().declared(phasing.other()));
        for side in CombatSide::ALL {
            let own = attacks.iter().filter(|attack| attack.by == side);
            let attackers =
                own.fold(CombatUnits::default(), |all, attack| all.with_all(attack.attackers));
            self.reveal(side, |_, unit| attackers.has(unit));
        }
        self.state.chosen = Default::default();
        self.state.attacks = attacks;
        self.state.step = CombatStep::Attacks;
    }

    /// Carries out all that needs no dice, up to the next roll or the report.
    pub fn advance(&mut self) {
        loop {
            let goes_on = match self.state.step {
                CombatStep::Choice { .. } => self.follow_policy(),
                CombatStep::Attacks => !self.next_attack(),
                _ => false,
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Goes on to the next roll or early report of the round, which is due if this returns true, or
    /// to the results.
    /// Units that have left or are lost drop out of attacks; one without attackers or targets is
    /// not rolled.
    fn next_attack(&mut self) -> bool {
        self.forget_certain();
        let settled = self.settle();
        if !settled.iter().all(|units| units.is_empty()) {
            self.state.step = CombatStep::EarlyReport(settled);
            return true;
        }
        while let Some(place) = self.state.attacks.iter().position(|attack| attack.original == 0) {
            let CombatAttack { by, attackers, targets, .. } = self.state.attacks[place];
            let attack = CombatAttack {
                attackers: attackers.and(self.state.force(by).here()),
                targets: targets.and(self.state.force(by.other()).here()),
                ..self.state.attacks[place].clone()
            };
            if !attack.attackers.is_empty() && !attack.targets.is_empty() {
                self.state.attacks[place] = attack;
                return true;
            }
            self.state.attacks.remove(place);
        }
        match self.state.order {
            AttackOrder::Simultaneous => {
                self.apply_fates();
                self.conclude();
            }
            AttackOrder::Ambushers(side) if !self.state.force(side).here().is_empty() => {
                self.state.order = AttackOrder::Ambushed(side.other());
                self.record_ambushers(side);
                self.restack();
                let declared = self.now().declared(side.other());
                self.state.attacks.extend(declared);
                self.state.chosen = Default::default();
            }
            AttackOrder::Ambushers(_) | AttackOrder::Ambushed(_) => self.conclude(),
        }
        false
    }

    /// Forgets the attacks whose results no leader to come can change, so that equal states merge.
    fn forget_certain(&mut self) {
        let now = self.now();
        let kept = now
            .state
            .attacks
            .iter()
            .filter(|attack| !attack.is_settled || now.leaders_to_come(attack) > 0);
        let kept: CombatAttacks = kept.cloned().collect();
        self.state.attacks = kept;
        let is_open = matches!(self.state.order, AttackOrder::Ambushers(_));
        let is_over = |attack: &CombatAttack| !attack.is_settled;
        if !is_open && self.state.attacks.iter().all(is_over) {
            self.state.earlier = None;
        }
    }

    /// Applies the DR of the next attack (11.11, 18.12, 11.22).
    pub fn resolve_attack(&mut self, original: u8) {
        let place = self.state.attacks.iter().position(|attack| attack.original == 0);
        let Some(place) = place else { return };
        self.state.attacks[place].original = original;
        let presence = self.now().presence(&self.state.attacks[place]);
        self.state.attacks[place].presence = Some(presence);
        let attack = self.state.attacks[place].clone();
        let at = attack.by.other();
        for unit in attack.targets.units() {
            self.state.force_mut(at).standing_of_mut(unit).is_attacked = true;
        }
        let creates = original == 2 && self.now().creation_base(&attack).is_some();
        if creates {
            self.state.step = CombatStep::Creation { attack: place as u8 };
            return;
        }
        self.work_out(place);
    }

    /// Lets units of a set leave after the results of an attack (11.22).
    pub fn infiltrate(&mut self, place: usize, units: CombatUnits) {
        let attack = self.state.attacks[place].clone();
        let (side, _) = self.now().may_infiltrate(&attack);
        for unit in units.units() {
            self.leave(side, unit, "11.22");
        }
        // A created leader goes with the MMC on which he stands.
        let leader = attack.leader.filter(|_| side == attack.by);
        let goes = |leader: &UnitIndex| {
            let force = self.state.force(side);
            force.standing_of(force.standing_of(*leader).with).is_away
        };
        if let Some(leader) = leader.filter(goes) {
            self.leave(side, leader, "11.22");
        }
    }

    /// Applies a Leader Creation dr (18.2).
    pub fn resolve_creation(&mut self, place: u8, grade: Option<&'static str>) {
        let attack = self.state.attacks[usize::from(place)].clone();
        let Some(grade) = grade else {
            self.log.note("18.2", || "no leader appears");
            return self.work_out(place.into());
        };
        // MMC that enemy attacks treat differently share the chance that he stands with them.
        let treated = |unit: UnitIndex| {
            let on = |other: &&CombatAttack| other.by != attack.by && other.targets.has(unit);
            self.state.attacks.iter().position(|other| on(&other))
        };
        let able = attack.attackers.units().filter(|&unit| self.now().may_create(attack.by, unit));
        let among: CombatUnits = able.collect();
        let mut ways = among.units().map(treated);
        let first = ways.next();
        let base = self.now().creation_base(&attack);
        match base {
            Some(base) if ways.all(|way| Some(way) == first) => {
                self.create_leader(place, grade, base)
            }
            _ => self.state.step = CombatStep::Placement { attack: place, grade, among },
        }
    }

    /// Adds the created leader to his side and to his attack (18.12), with an MMC: not always that
    /// on which his creation is based.
    pub fn create_leader(&mut self, place: u8, grade: &str, base: UnitIndex) {
        let side = self.state.attacks[usize::from(place)].by;
        let attack = &self.state.attacks[usize::from(place)];
        let creator = self.now().creation_base(attack).unwrap_or(base);
        let creator = self.now().counter(side, creator);
        let (combat, counter) = (self.combat, created_counter(creator, grade));
        let Some(counter) = counter else { return self.work_out(place.into()) };
        let force = self.state.force_mut(side);
        let Some(leader) = combat.engagement(side).add_leader(&mut force.location, base, counter)
        else {
            return self.work_out(place.into());
        };
        // He appears under the `?` of his creator.
        let is_concealed = force.standing_of(base).is_concealed;
        let standing =
            Standing { with: base, is_new: true, is_concealed, ..Standing::alone(leader) };
        force.standing.push(standing);
        self.record_leader(side, leader);
        self.note("18.12", |now| format!("a leader appears: {}", now.name(side, leader)));
        let attack = &mut self.state.attacks[usize::from(place)];
        attack.attackers = attack.attackers.with(leader);
        attack.leader = Some(leader);
        self.work_out(place.into());
    }

    /// Makes a created leader who has not left one more target of the enemy attack on his MMC
    /// (18.12). Returns that attack if it is rolled already: it is worked out again.
    fn add_target(&mut self, side: CombatSide, leader: UnitIndex) -> Option<usize> {
        let force = self.state.force(side);
        let base = force.standing_of(leader).with;
        let is_on = |attack: &CombatAttack| attack.by != side && attack.targets.has(base);
        let place = self.state.attacks.iter().position(is_on).filter(|_| force.is_here(leader))?;
        let attack = &mut self.state.attacks[place];
        attack.targets = attack.targets.with(leader);
        let is_rolled = attack.original > 0;
        self.state.force_mut(side).standing_of_mut(leader).is_attacked |= is_rolled;
        is_rolled.then_some(place)
    }

    /// Works out the results of a rolled attack (11.11), up to a Random Selection or severity dr.
    /// Units that have left keep theirs if it is done again.
    fn work_out(&mut self, place: usize) {
        let attack = self.state.attacks[place].clone();
        let at = attack.by.other();
        let here = attack.targets.and(self.state.force(at).here());
        let effects = self.now().effects(&attack);
        let candidates = effects.candidates.and(here);
        let kept = self.now().draw_kept(&attack, candidates);
        for unit in here.without(kept).units() {
            self.state.force_mut(at).standing_of_mut(unit).fate = Fate::Spared;
        }
        let fate = if attack.is_capture { Fate::Captured } else { Fate::Eliminated };
        self.doom(&attack, effects.killed.and(here), fate);
        if !kept.is_empty() {
            return self.end_results(place);
        }
        match candidates.count() {
            0 | 1 => self.strike(place, candidates),
            _ if attack.is_capture => {
                let given = self.now().given_up(at, candidates);
                self.strike(place, given);
            }
            _ => {
                self.state.step = CombatStep::Selection {
                    attack: place as u8,
                    candidates,
                    rolled: 0,
                    best: 0,
                    picked: CombatUnits::default(),
                };
            }
        }
    }

    /// Applies a dr of Random Selection (A.9): the highest is picked, with all ties.
    pub fn resolve_selection(&mut self, dr: u8) {
        let CombatStep::Selection { attack, candidates, rolled, best, picked } = self.state.step
        else {
            return;
        };
        let Some(unit) = candidates.units().nth(rolled.into()) else { return };
        let (best, picked) = match dr {
            dr if dr > best => (dr, CombatUnits::one(unit)),
            dr if dr == best => (best, picked.with(unit)),
            _ => (best, picked),
        };
        let rolled = rolled + 1;
        self.state.step = CombatStep::Selection { attack, candidates, rolled, best, picked };
        if usize::from(rolled) == candidates.count() {
            self.strike(attack.into(), picked);
        }
    }

    /// Gives targets of an attack a fate.
    fn doom(&mut self, attack: &CombatAttack, units: CombatUnits, fate: Fate) {
        let is_capture = matches!(fate, Fate::Captured | Fate::HalfCaptured);
        let captors = if is_capture { attack.attackers } else { CombatUnits::default() };
        for unit in units.units() {
            let standing = self.state.force_mut(attack.by.other()).standing_of_mut(unit);
            (standing.fate, standing.captors) = (fate, captors);
        }
    }

    /// Reduces the picked units (7.302), or captures the one that its owner gives up (20.22). The
    /// severity dr of SMC are due next.
    fn strike(&mut self, place: usize, picked: CombatUnits) {
        let attack = self.state.attacks[place].clone();
        let side = attack.by.other();
        let mut waiting = CombatUnits::default();
        for unit in picked.units() {
            let counter = self.now().counter(side, unit);
            let (is_squad, is_smc) = (counter.half_squad.is_some(), counter.kind.is_smc());
            let fate = match (attack.is_capture, is_squad) {
                (true, true) => Fate::HalfCaptured,
                (true, false) => Fate::Captured,
                (false, true) => Fate::Reduced,
                (false, false) if is_smc && self.now().severity(side, unit).is_some() => {
                    waiting = waiting.with(unit);
                    continue;
                }
                (false, false) => Fate::Eliminated,
            };
            self.doom(&attack, CombatUnits::one(unit), fate);
        }
        match waiting.is_empty() {
            true => self.end_results(place),
            false => self.state.step = CombatStep::Severity { attack: place as u8, waiting },
        }
    }

    /// Applies the severity dr of the first SMC that waits for one (17.11).
    pub fn resolve_severity(&mut self, reading: Reading) {
        let CombatStep::Severity { attack: place, waiting } = self.state.step else { return };
        let Some(unit) = waiting.units().next() else { return };
        let attack = self.state.attacks[usize::from(place)].clone();
        let is_mortal = reading.verdict == Verdict::MortalWound;
        let fate = if is_mortal { Fate::Eliminated } else { Fate::Wounded };
        self.doom(&attack, CombatUnits::one(unit), fate);
        let waiting = waiting.without(CombatUnits::one(unit));
        match waiting.is_empty() {
            true => self.end_results(place.into()),
            false => self.state.step = CombatStep::Severity { attack: place, waiting },
        }
    }

    /// Ends the results of an attack: units Infiltrate, a created leader joins the targets of an
    /// enemy attack, which is worked out again (18.12), and a sequential attack is applied (11.32).
    fn end_results(&mut self, place: usize) {
        self.state.step = CombatStep::Attacks;
        let is_again = std::mem::replace(&mut self.state.attacks[place].is_settled, true);
        if is_again {
            if self.state.order != AttackOrder::Simultaneous {
                self.apply_fates();
                self.end_attack(place);
            }
            return;
        }
        let (side, units) = self.now().may_infiltrate(&self.state.attacks[place]);
        let orders = &self.combat.orders[side as usize];
        if orders.infiltration == Infiltration::Best && !units.is_empty() {
            let kind = ChoiceKind::Infiltration { attack: place as u8 };
            self.state.step = CombatStep::Choice { side, kind };
            return;
        }
        self.infiltrate(place, units);
        self.end_attack_results(place);
    }

    /// Goes on from the results of an attack once units have Infiltrated.
    pub fn end_attack_results(&mut self, place: usize) {
        let is_sequential = self.state.order != AttackOrder::Simultaneous;
        let CombatAttack { by, leader, .. } = self.state.attacks[place];
        if is_sequential {
            self.apply_fates();
            self.end_attack(place);
        }
        if let Some(again) = leader.and_then(|leader| self.add_target(by, leader)) {
            self.log.note("18.12", || "the attack on his group is worked out again");
            if is_sequential {
                self.take_back(again);
            }
            self.work_out(again);
        }
    }
}
