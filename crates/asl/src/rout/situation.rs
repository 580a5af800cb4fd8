//! A situation on the map: who stands where, in what state.

use std::sync::Arc;

use crate::board::hex::{Hex, Side};
use crate::board::map::{Map, Site};
use crate::board::sight::LineOfSight;
use crate::catalogue::CounterKind;
use crate::nation::Nation;
use crate::rulebook::{Rulebook, Switch};
use crate::scene::Scene;
use crate::stack::Member;
use crate::unit::Condition;
use engine::text::Fault;

/// Most enemies of a situation.
pub const MAX_ENEMIES: usize = 64;

/// 10.532: no unit Interdicts farther than this, in hexes.
pub const INTERDICTION_RANGE: u16 = 16;

/// A Rout Phase about to begin.
#[derive(Clone)]
pub struct Situation {
    pub map: Map,
    pub sight: Arc<dyn LineOfSight>,
    /// The units that rout, in that order.
    pub routers: Vec<Router>,
    /// Their friends who do not: leaders who may help (I-8), and whoever takes up room.
    pub friends: Vec<Friend>,
    pub enemies: Vec<Enemy>,
    /// 5.1: room taken up by units that have routed before, in half squad-equivalents.
    pub crowd: Vec<(Site, u32)>,
    /// 20.3.
    pub no_quarter: bool,
    /// E1.54: Low Crawl is the only rout.
    pub night: bool,
    /// 10.533: whether the enemy reveals concealed units whenever that is worst for a routing unit.
    pub enemy_reveals: bool,
    /// Whether an Original 2 brings Heat of Battle (15.1).
    pub heat_of_battle: bool,
    /// ELR of the routing side.
    pub elr: u8,
    pub rulebook: Rulebook,
}

/// A broken unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Router {
    pub name: String,
    pub member: Member,
    pub at: Site,
    /// In the works or shellholes of its hex, if there are any.
    pub sheltered: bool,
    /// In Melee.
    pub in_melee: bool,
    /// Crew of an Emplaced Gun.
    pub mans_emplaced_gun: bool,
    /// 10.711: the leader who goes along.
    pub escort: Option<Member>,
}

/// A unit of the routing side that stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friend {
    pub name: String,
    pub member: Member,
    pub at: Site,
}

/// A SW or Gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weapon {
    pub firepower: u8,
    /// Normal Range in hexes.
    pub range: u16,
    /// C3.2: the two neighbouring hexsides a Gun points between; anywhere for a weapon without
    /// Covered Arc.
    pub covered_arc: Option<(Side, Side)>,
    pub malfunctioned: bool,
}

/// How an enemy is placed, beside the conditions of his counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Concealed or hidden.
    pub concealed: bool,
    /// Held in Melee.
    pub in_melee: bool,
    /// Temporarily Immobilized.
    pub ti: bool,
    /// C1.4.
    pub spotted_fire: bool,
    /// In Motion, or mounted: its FP is halved.
    pub moving: bool,
    /// D5.34: stunned or shocked.
    pub stunned: bool,
    /// No Infantry or Cavalry: takes no prisoners.
    pub vehicle: bool,
    /// Makes no attack in a campaign; he Interdicts all the same.
    pub holds_fire: bool,
}

/// An enemy of the routing units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enemy {
    pub name: String,
    /// His counter; none for a vehicle or a Gun alone.
    pub member: Option<Member>,
    pub at: Site,
    /// FP instead of the printed one.
    pub firepower: Option<u8>,
    /// Normal Range instead of the printed one.
    pub range: Option<u16>,
    pub weapon: Option<Weapon>,
    pub circumstances: Circumstances,
}

/// What a unit is called on the map, by its place among its like.
pub fn mark(letter: char, place: usize) -> String {
    format!("{letter}{}", place + 1)
}

impl Situation {
    /// I-8: leaders in Good Order who may help a unit in their Location.
    pub fn leaders(&self) -> impl Iterator<Item = &Friend> {
        self.friends.iter().filter(|friend| friend.member.can_lead())
    }

    /// A routing unit as map, picture and words call it: `U1 4-4-7 in I5`.
    pub fn unit_called(&self, unit: usize) -> String {
        format!("{} {}", mark('U', unit), self.routers[unit].name)
    }

    /// An enemy, likewise: `E1 4-6-8 in G4`.
    pub fn enemy_called(&self, enemy: usize) -> String {
        format!("{} {}", mark('E', enemy), self.enemies[enemy].name)
    }

    /// The routing units that are meant, by their places: the one of that name or mark, those in
    /// that hex.
    pub fn units_named(&self, name: &str) -> Result<Vec<usize>, Fault> {
        let hex = |unit: usize| self.map.site_name(self.routers[unit].at);
        let all = |is_meant: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..self.routers.len()).filter(|&unit| is_meant(unit)).collect()
        };
        let named = all(&|unit| self.routers[unit].name == name);
        if !named.is_empty() {
            return Ok(named);
        }
        let marked = all(&|unit| mark('U', unit).eq_ignore_ascii_case(name));
        let there = all(&|unit| hex(unit).eq_ignore_ascii_case(name));
        match (&marked[..], &there[..]) {
            ([unit], [_, ..]) if there != marked => {
                let fault = Fault::new(
                    format!("`{name}` is a hex, and the mark of {}", self.routers[*unit].name),
                    0..name.len(),
                );
                let names: Vec<&str> =
                    there.iter().chain(&marked).map(|&unit| &*self.routers[unit].name).collect();
                Err(fault.help(format!("say which: {}", names.join(", "))))
            }
            ([], []) => {
                let fault =
                    Fault::new(format!("no routing unit is called `{name}`"), 0..name.len());
                Err(fault.expecting(name, self.routers.iter().map(|router| &*router.name)))
            }
            ([], _) => Ok(there),
            _ => Ok(marked),
        }
    }

    /// What holds everywhere on the map; nobody is Known or ADJACENT yet.
    pub(crate) fn scene(&self) -> Scene {
        let Situation { heat_of_battle, no_quarter, .. } = *self;
        Scene {
            heat_of_battle,
            no_quarter,
            against_russians: self.faces_russians(),
            ..Scene::default()
        }
    }

    /// 15.5, 19.12: whether the enemy is Russian.
    fn faces_russians(&self) -> bool {
        self.enemies
            .iter()
            .filter_map(|enemy| enemy.member.as_ref())
            .any(|member| member.nation.unwrap_or(member.printed().nation) == Nation::Russian)
    }
}

impl Enemy {
    /// Whether a condition of his counter holds.
    pub fn is(&self, condition: Condition) -> bool {
        self.member.as_ref().is_some_and(|member| member.is(condition))
    }

    pub fn is_broken(&self) -> bool {
        self.is(Condition::Broken)
    }

    fn is_smc(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.printed().kind.is_smc())
    }

    /// Neither broken, berserk, captured, stunned, nor in Melee.
    pub fn is_in_good_order(&self) -> bool {
        let unfit = [Condition::Broken, Condition::Berserk, Condition::Captured];
        !unfit.into_iter().any(|unfit| self.is(unfit))
            && !self.circumstances.in_melee
            && !self.circumstances.stunned
    }

    /// 10.5, 20.5: able to attack by its equipment; broken and pinned units stay armed, leaders
    /// are. I-31: with a malfunctioned weapon by its own FP.
    pub fn is_armed(&self, rulebook: Rulebook) -> bool {
        let malfunctioned = self.weapon.is_some_and(|weapon| weapon.malfunctioned);
        let disarmed = malfunctioned && rulebook.chooses(Switch::MalfunctionDisarms);
        !self.is(Condition::Unarmed) && !self.is(Condition::Captured) && !disarmed
    }

    /// 20.21: whether a unit could surrender to him; 19.12: to be armed he needs not, in the second
    /// edition, for a Disrupted one.
    pub fn takes_prisoners(&self, of_disrupted: bool, rulebook: Rulebook) -> bool {
        let is_fit =
            self.is_armed(rulebook) || (of_disrupted && rulebook.chooses(Switch::UnarmedCaptor));
        self.is_in_good_order() && is_fit && !self.circumstances.vehicle
    }

    /// Normal Range of the unit itself, none without FP of its own. 10.4: a broken unit has none,
    /// but see [`Enemy::is_in_range`].
    fn own_range(&self) -> Option<u16> {
        let printed = |member: &Member| member.printed().range.map_or(0, u16::from);
        let range = self.range.or_else(|| self.member.as_ref().map(printed)).unwrap_or(0);
        (!self.is(Condition::Unarmed) && self.own_firepower() > 0).then_some(range)
    }

    fn own_firepower(&self) -> u8 {
        let printed = |member: &Member| member.printed().firepower.unwrap_or(0);
        self.firepower
            .or_else(|| self.member.as_ref().map(printed))
            .unwrap_or(u8::from(self.range.is_some()))
    }

    /// What he fires with, his own FP first, each with its Normal Range: FP of his counter and of
    /// his SW or Gun.
    pub(crate) fn armament(&self) -> [(u8, u16); 2] {
        let own = self.own_range().map_or((0, 0), |range| (self.own_firepower(), range));
        // 10.532: a single SMC fires a machine gun at half its FP.
        let halved = |firepower: u8| if self.is_smc() { firepower / 2 } else { firepower };
        [
            own,
            self.working_weapon().map_or((0, 0), |weapon| (halved(weapon.firepower), weapon.range)),
        ]
    }

    fn working_weapon(&self) -> Option<Weapon> {
        self.weapon.filter(|weapon| {
            !weapon.malfunctioned && weapon.firepower > 0 && !self.is(Condition::Unarmed)
        })
    }

    /// 10.5: whether a hex at `range` is in his Normal Range, or in that of his SW or Gun; of a
    /// broken unit, were it not (I-61).
    pub fn is_in_range(&self, range: u16) -> bool {
        let by_weapon = self.working_weapon().is_some_and(|weapon| range <= weapon.range);
        by_weapon || self.own_range().is_some_and(|own| range <= own)
    }

    /// 10.532: whether he could fire at least 1 FP at a hex, whatever he has done before: not if he
    /// is broken, pinned, CX, in Melee, Encircled or marked by Spotted Fire, if his FP is halved,
    /// or a Gun would have to turn. A single SMC fires no machine gun at full FP. I-22: TI units
    /// can. A concealed enemy could once he is revealed.
    pub fn can_interdict(&self, target: Hex, rulebook: Rulebook) -> bool {
        use Condition::*;
        let Circumstances { in_melee, ti, spotted_fire, moving, stunned, .. } = self.circumstances;
        let unfit = [Broken, Pinned, Cx, Captured, Unarmed].into_iter().any(|unfit| self.is(unfit));
        let hampered = self.is(Encircled) || spotted_fire || moving;
        if unfit
            || in_melee
            || stunned
            || (hampered && !rulebook.chooses(Switch::HamperedInterdict))
        {
            return false;
        }
        if ti && rulebook.chooses(Switch::TiCannotInterdict) {
            return false;
        }
        let range = self.at.hex.range(target);
        let by_weapon = self.working_weapon().filter(|_| !self.is_smc()).is_some_and(|weapon| {
            let in_arc = weapon.covered_arc.is_none_or(|arc| is_in_arc(self.at.hex, target, arc));
            range <= weapon.range && in_arc
        });
        range <= INTERDICTION_RANGE
            && (by_weapon || self.own_range().is_some_and(|own| range <= own))
    }
}

/// C3.2: whether a hex lies in the wedge between the two rows of hexes through neighbouring
/// hexsides, those rows included.
fn is_in_arc(from: Hex, target: Hex, (first, second): (Side, Side)) -> bool {
    let direction = |side: Side| {
        let (x, y) = from.centre();
        let (to_x, to_y) = from.neighbour(side).centre();
        (to_x - x, to_y - y)
    };
    let (x, y) = (target.centre().0 - from.centre().0, target.centre().1 - from.centre().1);
    let turn = |(a, b): (i32, i32), (c, d): (i32, i32)| a * d - b * c;
    let (left, right) = if first.clockwise() == second { (first, second) } else { (second, first) };
    let inside = turn(direction(left), (x, y)) >= 0 && turn((x, y), direction(right)) >= 0;
    let ahead = turn(direction(left), direction(right)) > 0;
    from == target || (inside && ahead)
}

impl Router {
    /// Whether a condition of its counter holds.
    pub fn is(&self, condition: Condition) -> bool {
        self.member.is(condition)
    }

    /// 15.5, 20.21, 10.8, A25.22: whether the unit never surrenders in the RtPh to an enemy of that
    /// nation.
    pub fn defies(&self, enemy: Option<Nation>) -> bool {
        let counter = self.member.printed();
        let nation = self.member.nation.unwrap_or(counter.nation);
        self.is(Condition::Fanatic)
            || counter.kind == CounterKind::Commissar
            || nation == Nation::Partisan
            || (nation == Nation::GermanSs && enemy == Some(Nation::Russian))
    }
}

/// 5.1: half squad-equivalents of a unit: a squad is 2, a half-squad or crew 1.
pub fn room_of(kind: CounterKind) -> u32 {
    match kind {
        CounterKind::Squad => 2,
        CounterKind::HalfSquad | CounterKind::Crew => 1,
        _ => 0,
    }
}

/// 5.1: half squad-equivalents a Location holds.
pub const ROOM: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    /// C3.2: a Gun that points between north and northeast covers the rows through both sides and
    /// what lies between.
    #[test]
    fn covered_arc() {
        let hex = |name: &str| Hex::parse(name).unwrap();
        let covers =
            |target: &str| is_in_arc(hex("K5"), hex(target), (Side::North, Side::Northeast));
        for inside in ["K4", "K1", "L4", "M4", "L3", "M2"] {
            assert!(covers(inside), "{inside}");
        }
        for outside in ["L5", "M5", "J4", "K6", "J1"] {
            assert!(!covers(outside), "{outside}");
        }
    }
}
