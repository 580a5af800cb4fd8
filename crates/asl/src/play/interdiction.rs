//! Interdiction of a rout through Open Ground (10.53 - 10.532), and Voluntary Rout (10.711).

use super::engagement::Engagement;
use crate::board::terrain::Mf;
use crate::catalogue::CounterKind;
use crate::rulebook::Switch;
use crate::vocabulary::gauntlet::{AfterWound, Gauntlet, HexOpenness, WOUNDED_MF};
use crate::vocabulary::location::{Entered, Fall, LocationState, Task};
use crate::vocabulary::stage::Stage;
use crate::vocabulary::unit::{Condition, Unit, UnitIndex};
use crate::vocabulary::verdict::{Reading, Verdict};
use engine::process::{Event, Log};

impl Engagement {
    fn gauntlet(&self, location: &LocationState) -> Option<&Gauntlet> {
        match self.stage(location) {
            Some(Stage::Gauntlet(gauntlet)) => Some(gauntlet),
            _ => None,
        }
    }

    /// Starts the rout of every broken unit, one after the other (10.5). `gauntlet` says whether
    /// Disrupted units rout (19.12).
    pub(super) fn begin_gauntlet(&self, location: &mut LocationState, gauntlet: &Gauntlet) {
        for place in location.places().rev() {
            let unit = location.unit_mut(place);
            unit.conditions.clear(Condition::BeganBroken);
            unit.conditions.clear(Condition::Stopped);
            if unit.is(Condition::Broken) && (gauntlet.disrupted || !unit.is(Condition::Disrupted))
            {
                unit.conditions.set(Condition::BeganBroken);
                location.push(Task::Interdiction { unit: place, hex: Entered::Hex(1) });
            }
        }
    }

    /// Returns whether two units are in one Location. In this model each routing unit is in a hex
    /// of its own, with the leader on a Voluntary Rout.
    pub(super) fn are_together(
        &self,
        location: &LocationState,
        a: UnitIndex,
        b: UnitIndex,
    ) -> bool {
        let with = |escort: UnitIndex, unit: UnitIndex| self.escort(location, unit) == Some(escort);
        a == b || self.gauntlet(location).is_none() || with(a, b) || with(b, a)
    }

    /// Returns the leader on a Voluntary Rout with the unit, if there is one (10.711). The leader
    /// must be unbroken, unpinned, not berserk, and have enough MF (17.2).
    fn escort(&self, location: &LocationState, place: UnitIndex) -> Option<UnitIndex> {
        let gauntlet = self.gauntlet(location)?;
        let able = |&escort: &UnitIndex| {
            let leader = location.unit(escort);
            let slow = leader.is(Condition::Wounded) && gauntlet.outruns_the_wounded();
            leader.is_steady() && !leader.is(Condition::Pinned) && !slow
        };
        gauntlet
            .escort
            .filter(able)
            .filter(|&escort| escort != place && self.telling.is_of_stack(place))
    }

    /// Returns the leader that helps the routing unit, and its DRM (10.711, interpretation I-8).
    /// The index is `None` for a leader that stays in the hex. Of that leader and one on a
    /// Voluntary Rout the better one helps. A Commissar comes before any other (A25.22). A routing
    /// leader is helped only by one of higher ML (10.22), a Commissar by none.
    pub(super) fn leadership_in_hex(
        &self,
        location: &LocationState,
        place: UnitIndex,
    ) -> Option<(Option<UnitIndex>, i8)> {
        let unit = location.unit(place);
        let is_commissar = |unit: &Unit| self.counter(unit).kind == CounterKind::Commissar;
        if is_commissar(unit) {
            return None;
        }
        let lent = self.lent_leader(location);
        let escort =
            self.escort(location, place).map(|escort| (Some(escort), location.unit(escort)));
        let leaders = lent.map(|leader| (None, leader)).into_iter().chain(escort);
        let under_commissar = leaders.clone().any(|(_, leader)| is_commissar(leader));
        let eligible = leaders
            .filter(|(at, _)| at.is_some() || !self.rulebook.chooses(Switch::OnlyEscortHelps))
            .filter(|(at, leader)| {
                let level = || {
                    at.map_or_else(
                        || self.morale_level_of(leader, false, false),
                        |at| self.morale_level(location, at),
                    )
                };
                (!under_commissar || is_commissar(leader)) && self.outranks(location, place, level)
            });
        eligible
            .map(|(at, leader)| (at, self.leadership_for(unit, leader)))
            .min_by_key(|&(_, drm)| drm)
    }

    /// Applies the result of the NMC (10.53). The unit is eliminated on an Original 12, Reduced on
    /// a failure, and pinned on the highest passing DR. A failure gives DM like any failed MC
    /// (10.3, 10.62), and eliminates a leader on a Voluntary Rout (10.711). A unit restored by Heat
    /// of Battle checks like any other (interpretation I-9).
    pub(super) fn resolve_interdiction<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        hex: Entered,
        reading: Reading,
        log: &mut L,
    ) {
        let smc = self.counter(location.unit(place)).kind.is_smc();
        if !location.unit(place).is(Condition::Broken) {
            if reading.verdict == Verdict::Passed {
                location.push(Task::AfterInterdiction { unit: place, hex, wounded: false });
            }
            return self.resolve_morale_check(location, place, reading, log);
        }
        let failed = matches!(reading.verdict, Verdict::Failed { .. });
        if failed || reading.verdict == Verdict::Passed {
            location.push(Task::AfterInterdiction { unit: place, hex, wounded: failed && smc });
        }
        if (failed || matches!(reading.verdict, Verdict::Casualty { .. }))
            && self.escort(location, place).is_some()
        {
            location.push(Task::EscortLost { unit: place });
        }
        self.note_heat(location, place, reading);
        match reading.verdict {
            Verdict::Pinned => {
                location.unit_mut(place).conditions.set(Condition::Pinned);
                log.record(|| Event {
                    rule: "10.53",
                    text: format!("{} is pinned: its rout is over", self.name(location, place)),
                });
            }
            Verdict::Casualty { .. } => self.lose(location, place, "10.53", log),
            Verdict::Failed { elr_failure } => self.fail(location, place, elr_failure, log),
            _ => {}
        }
    }

    /// Eliminates the leader on a Voluntary Rout (10.711). Its unit, if still present, takes the
    /// LLMC, unless interpretation I-7 says otherwise.
    pub(super) fn lose_escort<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        log: &mut L,
    ) {
        let Some(leader) = self.escort(location, place) else { return };
        let rank = self.rank(location, leader);
        log.record(|| Event {
            rule: "10.711",
            text: format!("{} is eliminated with it", self.name(location, leader)),
        });
        location.eliminate(leader, CounterKind::Leader);
        let (level, leadership) = (rank.level, rank.leadership);
        if !self.rulebook.chooses(Switch::NoLlmcForEscort)
            && self.takes_loss_check(location, place, leader, level, Fall::Died)
        {
            location.push(Task::LossMoraleCheck { unit: place, leader, level, leadership });
        }
    }

    /// Ends the rout of a unit that Heat of Battle restores, makes berserk or makes surrender
    /// (interpretation I-9).
    pub(super) fn end_rout(&self, location: &mut LocationState, place: UnitIndex) {
        if self.gauntlet(location).is_some() {
            location.unit_mut(place).conditions.clear(Condition::BeganBroken);
        }
    }

    /// Continues after a unit has survived the check of a hex (10.53). On a map
    /// [`Condition::Stopped`] records a wound, and the map decides what follows.
    pub(super) fn after_interdiction<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        hex: Entered,
        wounded: bool,
        log: &mut L,
    ) {
        let unit = location.unit_mut(place);
        if !unit.is_present() {
            return;
        }
        // Each hex has a check of its own (interpretation I-27).
        unit.conditions.clear(Condition::Heated);
        match (hex, self.gauntlet(location).map(|gauntlet| gauntlet.way)) {
            (Entered::Hex(hex), Some(HexOpenness::Hexes(hexes))) => {
                self.leave_hex(location, place, (hex, hexes), wounded, log)
            }
            _ if wounded => location.unit_mut(place).conditions.set(Condition::Stopped),
            _ => {}
        }
    }

    /// Moves the unit on from a hex, given as its number and the length of the row (10.53).
    /// Interpretation I-9 says whether a unit restored by Heat of Battle goes on.
    fn leave_hex<L: Log>(
        &self,
        location: &mut LocationState,
        place: UnitIndex,
        (hex, hexes): (u8, u8),
        wounded: bool,
        log: &mut L,
    ) {
        let next = Task::Interdiction { unit: place, hex: Entered::Hex(hex + 1) };
        let unit = location.unit_mut(place);
        let out_of_mf = unit.is(Condition::Wounded) && hex >= WOUNDED_MF;
        if !unit.is(Condition::BeganBroken) {
            let surrendered = unit.is(Condition::Disrupted);
            if self.rulebook.chooses(Switch::RoutGoesOnAfterHeat)
                && !surrendered
                && !out_of_mf
                && hex < hexes
            {
                location.push(next);
            }
            return;
        }
        match wounded.then(|| AfterWound::after(Mf::whole(hex), self.rulebook)) {
            Some(AfterWound::Pinned) => {
                unit.conditions.set(Condition::Pinned);
                log.record(|| Event {
                    rule: "17.2",
                    text: format!(
                        "wounded after {hex} MF: {} is pinned",
                        self.name(location, place)
                    ),
                });
            }
            Some(AfterWound::Stopped) => {
                unit.conditions.set(Condition::Stopped);
                log.record(|| Event {
                    rule: "17.2",
                    text: format!("wounded: the rout of {} is over", self.name(location, place)),
                });
            }
            _ if hex == hexes => {
                log.record(|| Event {
                    rule: "10.53",
                    text: format!("{} is through", self.name(location, place)),
                });
            }
            _ if out_of_mf => {
                unit.conditions.set(Condition::Stopped);
                log.record(|| Event {
                    rule: "17.2",
                    text: format!("{} has no MF left", self.name(location, place)),
                });
            }
            _ => location.push(next),
        }
    }
}
