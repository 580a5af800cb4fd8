//! Interdiction of a rout through Open Ground (10.53 - 10.532), and Voluntary Rout (10.711).

use super::engagement::{Play, PlayView};
use crate::board::terrain::Mf;
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::vocabulary::{
    AfterWound, Condition, Fall, Gauntlet, LeaderLoss, Reading, Stage, Task, UnitIndex, Verdict,
    WOUNDED_MF,
};
use engine::process::Log;

impl<'a> PlayView<'a> {
    fn gauntlet(self) -> Option<&'a Gauntlet> {
        match self.stage() {
            Some(Stage::Gauntlet(gauntlet)) => Some(gauntlet),
            _ => None,
        }
    }

    /// Returns whether two units are in one Location. In this model each routing unit is in a hex
    /// of its own, with the leader on a Voluntary Rout.
    pub(super) fn are_together(self, a: UnitIndex, b: UnitIndex) -> bool {
        let with = |escort: UnitIndex, unit: UnitIndex| self.escort(unit) == Some(escort);
        a == b || self.gauntlet().is_none() || with(a, b) || with(b, a)
    }

    /// Returns the fit leader on a Voluntary Rout with the unit (10.711), if its MF suffice (17.2).
    fn escort(self, place: UnitIndex) -> Option<UnitIndex> {
        let gauntlet = self.gauntlet()?;
        let able = |&escort: &UnitIndex| {
            let leader = self.unit(escort);
            let is_long = gauntlet.hexes.is_some_and(|hexes| hexes > WOUNDED_MF);
            let is_slow = leader.is(Condition::Wounded) && is_long;
            leader.is_steady() && !leader.is(Condition::Pinned) && !is_slow
        };
        gauntlet
            .escort
            .filter(able)
            .filter(|&escort| escort != place && self.telling.is_of_stack(place))
    }

    /// Returns the leader that helps the routing unit, and its DRM (10.711, I-8): the better of one
    /// that stays (`None`) and one on a Voluntary Rout, a Commissar before others (A25.22). A
    /// routing leader is helped only by one of higher ML (10.22), a Commissar by none.
    pub(super) fn leadership_in_hex(self, place: UnitIndex) -> Option<(Option<UnitIndex>, i8)> {
        let unit = self.unit(place);
        if self.is_commissar(unit) {
            return None;
        }
        let lent = self.lent_leader();
        let escort = self.escort(place).map(|escort| (Some(escort), self.unit(escort)));
        let leaders = lent.map(|leader| (None, leader)).into_iter().chain(escort);
        let under_commissar = leaders.clone().any(|(_, leader)| self.is_commissar(leader));
        let eligible = leaders
            .filter(|(at, _)| at.is_some() || !self.chooses(Switch::OnlyEscortHelps))
            .filter(|(at, leader)| {
                let level = || match *at {
                    Some(at) => self.morale_level(at),
                    None => self.morale_level_of(leader, false, false),
                };
                (!under_commissar || self.is_commissar(leader)) && self.outranks(place, level)
            });
        self.best_leader(unit, eligible)
    }
}

impl<L: Log> Play<'_, L> {
    /// Starts the routs of broken units (10.5), Disrupted ones if `gauntlet` says so (19.12).
    pub(super) fn begin_gauntlet(&mut self, gauntlet: &Gauntlet) {
        for place in self.location.places().rev() {
            let unit = self.location.unit_mut(place);
            unit.conditions.clear(Condition::BeganBroken);
            unit.conditions.clear(Condition::Stopped);
            if unit.is(Condition::Broken) && (gauntlet.disrupted || !unit.is(Condition::Disrupted))
            {
                unit.conditions.set(Condition::BeganBroken);
                self.location.push(Task::Interdiction { unit: place, hex: Some(1) });
            }
        }
    }

    /// Applies the result of the NMC (10.53): elimination on an Original 12, Reduction on a
    /// failure, a pin on the highest passing DR. A failure gives DM (10.3, 10.62), and eliminates a
    /// leader on a Voluntary Rout (10.711). A unit restored by Heat of Battle checks too (I-9).
    pub(super) fn resolve_interdiction(
        &mut self,
        place: UnitIndex,
        hex: Option<u8>,
        reading: Reading,
    ) {
        let smc = self.now().kind(place).is_smc();
        if !self.location.unit(place).is(Condition::Broken) {
            if reading.verdict == Verdict::Passed {
                self.location.push(Task::AfterInterdiction { unit: place, hex, wounded: false });
            }
            return self.resolve_morale_check(place, reading);
        }
        let failed = matches!(reading.verdict, Verdict::Failed { .. });
        if failed || reading.verdict == Verdict::Passed {
            self.location.push(Task::AfterInterdiction {
                unit: place,
                hex,
                wounded: failed && smc,
            });
        }
        if (failed || matches!(reading.verdict, Verdict::Casualty { .. }))
            && self.now().escort(place).is_some()
        {
            self.location.push(Task::EscortLost { unit: place });
        }
        self.note_heat(place, reading);
        match reading.verdict {
            Verdict::Pinned => {
                self.location.unit_mut(place).conditions.set(Condition::Pinned);
                self.note_unit("10.53", place, "is pinned: its rout is over");
            }
            Verdict::Casualty { .. } => self.lose(place, None, "10.53"),
            Verdict::Failed { elr_failure } => self.fail(place, elr_failure),
            _ => {}
        }
    }

    /// Eliminates the leader on a Voluntary Rout (10.711). Its unit, if present, takes LLMC (I-7).
    pub(super) fn lose_escort(&mut self, place: UnitIndex) {
        let Some(leader) = self.now().escort(place) else { return };
        let loss = LeaderLoss { leader, fall: Fall::Died, rank: self.now().rank(leader) };
        self.note_unit("10.711", leader, "is eliminated with it");
        self.location.eliminate(leader, CounterKind::Leader);
        if !self.chooses(Switch::NoLlmcForEscort) && self.now().takes_loss_check(place, loss) {
            self.location.push(Task::LossCheck { unit: place, loss });
        }
    }

    /// Ends the rout of a unit that Heat of Battle restored, or made berserk or surrender (I-9).
    pub(super) fn end_rout(&mut self, place: UnitIndex) {
        if self.now().gauntlet().is_some() {
            self.location.unit_mut(place).conditions.clear(Condition::BeganBroken);
        }
    }

    /// Continues after a unit has survived the check of a hex (10.53). On a map
    /// [`Condition::Stopped`] records a wound, and the map decides what follows.
    pub(super) fn after_interdiction(&mut self, place: UnitIndex, hex: Option<u8>, wounded: bool) {
        let unit = self.location.unit_mut(place);
        if !unit.is_present() {
            return;
        }
        // Each hex has a check of its own (interpretation I-27).
        unit.conditions.clear(Condition::Heated);
        match (hex, self.now().gauntlet().and_then(|gauntlet| gauntlet.hexes)) {
            (Some(hex), Some(hexes)) => self.leave_hex(place, (hex, hexes), wounded),
            _ if wounded => self.location.unit_mut(place).conditions.set(Condition::Stopped),
            _ => {}
        }
    }

    /// Moves the unit on from a hex, given as its number and the length of the row (10.53).
    /// Interpretation I-9 says whether a unit restored by Heat of Battle goes on.
    fn leave_hex(&mut self, place: UnitIndex, (hex, hexes): (u8, u8), wounded: bool) {
        let next = Task::Interdiction { unit: place, hex: Some(hex + 1) };
        let unit = self.location.unit_mut(place);
        let out_of_mf = unit.is(Condition::Wounded) && hex >= WOUNDED_MF;
        if !unit.is(Condition::BeganBroken) {
            let surrendered = unit.is(Condition::Disrupted);
            if self.chooses(Switch::RoutGoesOnAfterHeat)
                && !surrendered
                && !out_of_mf
                && hex < hexes
            {
                self.location.push(next);
            }
            return;
        }
        let conditions = &mut unit.conditions;
        match wounded.then(|| AfterWound::after(Mf::whole(hex), self.engagement.rulebook)) {
            Some(AfterWound::Pinned) => {
                conditions.set(Condition::Pinned);
                self.note("17.2", |now| {
                    format!("wounded after {hex} MF: {} is pinned", now.name(place))
                });
            }
            Some(AfterWound::Stopped) => {
                conditions.set(Condition::Stopped);
                self.note("17.2", |now| {
                    format!("wounded: the rout of {} is over", now.name(place))
                });
            }
            _ if hex == hexes => self.note_unit("10.53", place, "is through"),
            _ if out_of_mf => {
                conditions.set(Condition::Stopped);
                self.note_unit("17.2", place, "has no MF left");
            }
            _ => self.location.push(next),
        }
    }
}
