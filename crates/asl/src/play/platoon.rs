//! Events of a platoon in one of its Locations: a Rally attempt (10.6), and its chance.

use super::engagement::Engagement;
use crate::location::{LocationState, Task};
use crate::unit::UnitIndex;
use crate::vocabulary::rally::{Means, RallyAttempt};
use engine::process::Log;

impl Engagement {
    /// Lets a unit try to rally in the Rally Phase that is the stage with this index, from 0.
    pub(crate) fn begin_rally<L: Log>(
        &self,
        stage: usize,
        location: &mut LocationState,
        unit: UnitIndex,
        log: &mut L,
    ) {
        location.stage = stage as u16 + 1;
        location.push(Task::RallyAttempt { unit });
        self.play_on(location, log).settle();
    }

    /// Returns how a broken unit could try to rally in the Rally Phase that is the stage with this
    /// index, with its attempt; `None` if it cannot (10.6, 18.11).
    pub(crate) fn rally_of(
        &self,
        stage: usize,
        location: &mut LocationState,
        unit: UnitIndex,
    ) -> Option<(Means, RallyAttempt)> {
        location.stage = stage as u16 + 1;
        let now = self.view(location);
        let means = now.means(unit).filter(|_| now.can_try_to_rally(unit))?;
        Some((means, now.rally_attempt(unit)))
    }

    /// Returns the unit that tries first by the reference order of a Rally Phase (10.6).
    pub(crate) fn first_to_rally(
        &self,
        stage: usize,
        location: &mut LocationState,
    ) -> Option<UnitIndex> {
        location.stage = stage as u16 + 1;
        self.view(location).next_to_rally()
    }
}
