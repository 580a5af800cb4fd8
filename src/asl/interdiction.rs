//! Interdiction: the gauntlet of Open Ground hexes a routing unit runs through (10.53 - 10.532), 1 MF each.

use super::engagement::{Engagement, Reading};
use super::location::{Location, Place, Task};
use super::rulebook::Switch;
use super::unit::Condition;
use crate::process::{Event, Log};

/// 10.5: MF of a routing unit.
pub const ROUT_MF: u8 = 6;
/// 17.2: MF of a wounded SMC.
pub const WOUNDED_MF: u8 = 3;

impl Engagement {
    /// 10.5: every unit that began broken routs, one after the other.
    pub(super) fn begin_gauntlet(&self, location: &mut Location) {
        for unit in location.places().rev() {
            if location.unit(unit).is(Condition::BeganBroken) {
                location.push(Task::Interdiction { unit, hex: 1 });
            }
        }
    }

    /// I-8: DRM of the leader who stays in the hex; 10.22: for a routing leader only one of higher ML.
    pub(super) fn leadership_in_hex(&self, location: &Location, place: Place) -> Option<i8> {
        let leader = self.lent_leader.as_ref().filter(|_| self.rulebook.is_default(Switch::I08))?;
        let unit = location.unit(place);
        self.may_lend_to(location, place, leader).then(|| self.leadership_for(unit, leader))
    }

    /// Carries out the NMC (10.53): eliminated on an Original 12, reduced on a failure, pinned on the highest passing DR.
    pub(super) fn resolve_interdiction<L: Log>(
        &self,
        location: &mut Location,
        place: Place,
        hex: u8,
        reading: Reading,
        log: &mut L,
    ) {
        let smc = self.counter(location.unit(place)).kind.is_smc();
        match reading {
            Reading::Pinned => {
                location.unit_mut(place).conditions.set(Condition::Pinned);
                log.tell(|| Event { rule: "10.53", text: format!("{} is pinned: its rout is over", self.name(location, place)) });
            }
            Reading::Casualty { .. } => self.lose(location, place, "10.53", log),
            Reading::Failed { .. } => {
                location.push(Task::AfterInterdiction { unit: place, hex, wounded: smc });
                self.casualty_reduction(location, place, log);
            }
            _ => location.push(Task::AfterInterdiction { unit: place, hex, wounded: false }),
        }
    }

    /// 10.53, 17.2: a unit that has survived the hex goes on; a wounded SMC has 3 MF in all.
    ///
    /// A wound that falls after more than 3 MF pins; at exactly 3 the rout is over. I-10 says whether he goes on before that.
    pub(super) fn after_interdiction<L: Log>(&self, location: &mut Location, place: Place, hex: u8, wounded: bool, log: &mut L) {
        let spent = hex;
        let unit = location.unit_mut(place);
        if !unit.is_present() {
            return;
        }
        let out_of_mf = unit.is(Condition::Wounded) && spent >= WOUNDED_MF;
        if wounded && spent > WOUNDED_MF {
            unit.conditions.set(Condition::Pinned);
            log.tell(|| Event {
                rule: "17.2",
                text: format!("wounded after {spent} MF: {} is pinned", self.name(location, place)),
            });
        } else if wounded && (out_of_mf || !self.rulebook.is_default(Switch::I10)) {
            unit.conditions.set(Condition::Stopped);
            log.tell(|| Event { rule: "17.2", text: format!("wounded: the rout of {} is over", self.name(location, place)) });
        } else if hex == self.hexes {
            log.tell(|| Event { rule: "10.53", text: format!("{} is through", self.name(location, place)) });
        } else if out_of_mf {
            unit.conditions.set(Condition::Stopped);
            log.tell(|| Event { rule: "17.2", text: format!("{} has no MF left", self.name(location, place)) });
        } else {
            location.push(Task::Interdiction { unit: place, hex: hex + 1 });
        }
    }
}
