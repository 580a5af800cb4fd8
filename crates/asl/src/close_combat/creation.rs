//! Leader Creation by an Original 2 in Close Combat (18.12, 18.2, 25.25).

use super::combat::{CombatModifier, CombatModifiers, CombatView};
use super::state::CombatAttack;
use crate::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use crate::nation::Nation;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::rally::creation_drms;

impl CombatView<'_> {
    /// Returns the drm of the Leader Creation dr (18.2), for NKVD troops of their own table
    /// (25.25). The odds are those as declared, before any leader of this round counts.
    pub fn creation_drms(self, attack: &CombatAttack, base: UnitIndex) -> CombatModifiers {
        let counter = self.counter(attack.by, base);
        let enemy = self.state.force(attack.by.other());
        let declared =
            attack.targets.units().filter(|&unit| !enemy.standing_of(unit).is_new).collect();
        let column = self.column(&CombatAttack { targets: declared, ..attack.clone() }, 0, None);
        let low_odds =
            CombatModifier { name: "odds below 1-1", drm: -column.below_even(), rule: "A18.2" };
        let unit = self.unit(attack.by, base);
        let further = if counter.nkvd {
            let drm = -i8::from(unit.is(Condition::Fanatic));
            vec![CombatModifier { name: "Fanatic", drm, rule: "A25.25" }]
        } else {
            let level = self.combat.engagement(attack.by).morale_level_of(unit, false, false);
            let drms = creation_drms(creator_nation(counter), level);
            drms.map(|(drm, name)| CombatModifier { name, drm, rule: "A18.2" }).to_vec()
        };
        further.into_iter().chain([low_odds]).filter(|modifier| modifier.drm != 0).collect()
    }
}

/// Returns the nation of a leader created by a unit: German if the unit has none.
fn creator_nation(counter: &Counter) -> Nation {
    if counter.nation == Nation::Any { Nation::German } else { counter.nation }
}

/// Returns the Commissar that a modified dr of NKVD troops creates (25.25), as he is printed.
pub(super) fn created_commissar(modified: i8) -> Option<&'static str> {
    match modified {
        ..=1 => Some("10-0"),
        2..=3 => Some("9-0"),
        4..=5 => Some("8+1"),
        6.. => None,
    }
}

/// Returns the counter of a created leader: a Commissar if NKVD troops create him (25.25).
pub(super) fn created_counter(creator: &Counter, grade: &str) -> Option<CounterId> {
    if !creator.nkvd {
        return CATALOGUE.leader(creator_nation(creator), grade);
    }
    CATALOGUE.places().find(|&place| {
        let counter = CATALOGUE.get(place);
        counter.kind == CounterKind::Commissar && counter.printed() == grade
    })
}
