//! A situation on the map: the position and condition of every unit.

use std::sync::Arc;

use crate::board::geometry::SMOKE;
use crate::board::hex::{Hex, Hexside};
use crate::board::map::{Location, Map};
use crate::board::sight::LineOfSight;
use crate::catalogue::CounterKind;
use crate::nation::Nation;
use crate::rulebook::{Rulebook, Switch};
use crate::scene::Scene;
use crate::stack::Member;
use crate::unit::Condition;
use engine::text::Fault;

/// The largest number of enemies in a situation.
pub const MAX_ENEMIES: usize = 64;

/// The greatest range at which a unit can Interdict, in hexes (10.532).
pub const INTERDICTION_RANGE: u16 = 16;

/// A situation at the start of a Rout Phase.
#[derive(Clone)]
pub struct Situation {
    pub map: Map,
    pub sight: Arc<dyn LineOfSight>,
    /// The units that rout, in this order.
    pub routers: Vec<Router>,
    /// The units of the routing side that do not rout. They take up room; leaders can help (I-8).
    pub friends: Vec<Friend>,
    pub enemies: Vec<Enemy>,
    /// The room taken by units that have already routed, in half squad-equivalents (5.1).
    pub crowd: Vec<(Location, u32)>,
    /// Whether No Quarter is in force, so that no unit surrenders (20.3).
    pub no_quarter: bool,
    /// Whether the phase is at night, when Low Crawl is the only rout (E1.54).
    pub night: bool,
    /// Whether the enemy reveals concealed units when that is worst for a routing unit (10.533).
    pub enemy_reveals: bool,
    /// Whether an Original 2 causes Heat of Battle (15.1).
    pub heat_of_battle: bool,
    /// The ELR of the routing side.
    pub elr: u8,
    pub rulebook: Rulebook,
}

/// A broken unit that routs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Router {
    pub name: String,
    pub member: Member,
    pub at: Location,
    /// Whether the unit is inside the works or shellholes of its hex, if there are any.
    pub sheltered: bool,
    pub in_melee: bool,
    pub mans_emplaced_gun: bool,
    /// The leader that routs with the unit (10.711).
    pub escort: Option<Member>,
}

/// A unit of the routing side that stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Friend {
    pub name: String,
    pub member: Member,
    pub at: Location,
}

/// A Support Weapon or Gun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weapon {
    pub firepower: u8,
    /// The Normal Range in hexes.
    pub range: u16,
    /// The neighbouring hexsides between which a Gun points (C3.2); `None` without Covered Arc.
    pub covered_arc: Option<(Hexside, Hexside)>,
    pub malfunctioned: bool,
}

/// The circumstances of an enemy that are not among the conditions of its counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Whether the enemy is concealed or hidden.
    pub concealed: bool,
    pub in_melee: bool,
    /// Whether the enemy is Temporarily Immobilized.
    pub ti: bool,
    /// Whether the enemy is marked by Spotted Fire (C1.4).
    pub spotted_fire: bool,
    /// Whether the enemy is in Motion or mounted, so that its FP is halved.
    pub moving: bool,
    /// Whether the enemy is stunned or shocked (D5.34).
    pub stunned: bool,
    /// Whether the enemy is neither Infantry nor Cavalry, so that it takes no prisoners.
    pub vehicle: bool,
    /// Whether the FP and range of the enemy are not known, so that its fire is left out.
    pub unknown_fire: bool,
    /// Whether the enemy makes no attack in a campaign, although it still Interdicts.
    pub holds_fire: bool,
}

/// An enemy of the routing units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enemy {
    pub name: String,
    /// The unit's counter and conditions, or `None` for a vehicle or a Gun alone.
    pub member: Option<Member>,
    pub at: Location,
    /// The FP that replaces the printed value.
    pub firepower: Option<u8>,
    /// The Normal Range in hexes that replaces the printed value.
    pub range: Option<u16>,
    pub weapon: Option<Weapon>,
    pub circumstances: Circumstances,
}

/// A set of enemies. Bit `n` stands for the enemy with index `n` in the situation.
pub(super) type Enemies = u64;

pub(super) fn each(enemies: Enemies) -> impl Iterator<Item = usize> {
    let rest = |left: Enemies| (left != 0).then_some(left);
    std::iter::successors(rest(enemies), move |left| rest(left & (left - 1)))
        .map(|left| left.trailing_zeros() as usize)
}

pub(super) fn numbers(enemies: Enemies) -> Vec<usize> {
    each(enemies).collect()
}

/// Returns the set of the enemies for which the iterator, which has one item for each, yields true.
pub(super) fn set_of(holds: impl Iterator<Item = bool>) -> Enemies {
    holds.enumerate().fold(0, |set, (place, holds)| set | Enemies::from(holds) << place)
}

/// Returns the label of a unit on the map: a letter and the index plus 1, such as `U1`.
pub fn mark(letter: char, place: usize) -> String {
    format!("{letter}{}", place + 1)
}

impl Situation {
    /// Creates a situation without units, by day, with the rules of the third edition and ELR 3.
    pub fn new(map: Map, sight: Arc<dyn LineOfSight>) -> Situation {
        Situation {
            map,
            sight,
            routers: Vec::new(),
            friends: Vec::new(),
            enemies: Vec::new(),
            crowd: Vec::new(),
            no_quarter: false,
            night: false,
            enemy_reveals: false,
            heat_of_battle: true,
            elr: 3,
            rulebook: Rulebook::default(),
        }
    }

    pub(super) fn enemies_that(&self, holds: impl Fn(&Enemy) -> bool) -> Enemies {
        self.those(Enemies::MAX, holds)
    }

    pub(super) fn those(&self, of: Enemies, holds: impl Fn(&Enemy) -> bool) -> Enemies {
        let enemies = self.enemies.iter().enumerate();
        set_of(enemies.map(|(place, enemy)| of & 1 << place != 0 && holds(enemy)))
    }

    /// Returns the Hindrances between an enemy and a Location, or `None` without a LOS.
    pub(crate) fn hindrance(&self, enemy: &Enemy, location: Location) -> Option<u8> {
        self.hindrance_between(enemy.at, location)
    }

    fn hindrance_between(&self, from: Location, to: Location) -> Option<u8> {
        if from == to {
            return Some(0);
        }
        self.sight.hindrance(&self.map, from, to)
    }

    /// Returns the Hindrance DRM of a LOS, at least that of SMOKE at an end (A24.2), which listed
    /// lines omit; `None` without a LOS.
    pub(crate) fn hindrance_drm(&self, from: Location, to: Location) -> Option<u8> {
        let is_smoky = |location: Location| {
            self.map.get(location.hex).is_some_and(|ground| ground.smoke || ground.blaze)
        };
        let hindrance = self.hindrance_between(from, to)?;
        let in_smoke = is_smoky(from) || is_smoky(to);
        Some(if in_smoke { hindrance.max(SMOKE) } else { hindrance })
    }

    /// Returns everything but the map and its lines of sight, for comparison.
    pub(crate) fn but_for_map(&self) -> impl PartialEq + '_ {
        let Situation { routers, friends, enemies, crowd, rulebook, elr, .. } = self;
        let rules = (self.no_quarter, self.night, self.enemy_reveals, self.heat_of_battle);
        (routers, friends, enemies, crowd, rulebook, elr, rules)
    }

    /// Ends the concealment of the enemies of a set (10.533).
    pub(crate) fn reveal(&mut self, met: Enemies) {
        each(met).for_each(|enemy| self.enemies[enemy].circumstances.concealed = false);
    }

    /// Returns the Good Order leaders that stay and can help (interpretation I-8).
    pub fn leaders(&self) -> impl Iterator<Item = &Friend> {
        self.friends.iter().filter(|friend| friend.member.can_lead())
    }

    /// Returns the label and name of a routing unit, such as `U1 4-4-7 in I5`.
    pub fn unit_called(&self, unit: usize) -> String {
        format!("{} {}", mark('U', unit), self.routers[unit].name)
    }

    /// Returns the label and name of an enemy, such as `E1 4-6-8 in G4`.
    pub fn enemy_called(&self, enemy: usize) -> String {
        format!("{} {}", mark('E', enemy), self.enemies[enemy].name)
    }

    /// Returns the indices of the routing units that a word means: by name, else by label or hex.
    ///
    /// # Errors
    ///
    /// Fails if the word means no unit, or if it is the label of one unit and the hex of others.
    pub fn units_named(&self, name: &str) -> Result<Vec<usize>, Fault> {
        let hex = |unit: usize| self.map.location_name(self.routers[unit].at);
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
                Err(fault.help(format!("choose one of {}", names.join(", "))))
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

    /// Returns the facts of the whole map, Russian enemies among them (15.5, 19.12).
    pub(crate) fn scene(&self) -> Scene {
        let Situation { heat_of_battle, no_quarter, .. } = *self;
        let mut nations = self.enemies.iter().filter_map(Enemy::nation);
        let against_russians = nations.any(|nation| nation == Nation::Russian);
        Scene { heat_of_battle, no_quarter, against_russians, ..Scene::default() }
    }
}

impl Enemy {
    /// Creates an enemy without a counter and a weapon.
    pub fn new(name: &str, at: Location) -> Enemy {
        let (name, circumstances) = (name.to_string(), Circumstances::default());
        Enemy { name, member: None, at, firepower: None, range: None, weapon: None, circumstances }
    }

    /// Returns whether the counter of the enemy has a condition.
    pub fn is(&self, condition: Condition) -> bool {
        self.member.as_ref().is_some_and(|member| member.is(condition))
    }

    pub(super) fn nation(&self) -> Option<Nation> {
        self.member.as_ref().map(Member::nationality)
    }

    /// Returns whether the enemy is broken.
    pub fn is_broken(&self) -> bool {
        self.is(Condition::Broken)
    }

    fn is_smc(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.printed().kind.is_smc())
    }

    /// Returns whether the enemy is neither broken, berserk, captured, stunned nor in Melee.
    pub fn is_in_good_order(&self) -> bool {
        let unfit = [Condition::Broken, Condition::Berserk, Condition::Captured];
        !unfit.into_iter().any(|unfit| self.is(unfit))
            && !self.circumstances.in_melee
            && !self.circumstances.stunned
    }

    /// Returns whether the enemy is armed (10.5, 20.5). Leaders, broken units and pinned units
    /// count as armed. Interpretation I-31 decides whether a malfunctioned weapon disarms.
    pub fn is_armed(&self, rulebook: Rulebook) -> bool {
        let malfunctioned = self.weapon.is_some_and(|weapon| weapon.malfunctioned);
        let disarmed = malfunctioned && rulebook.chooses(Switch::MalfunctionDisarms);
        !self.is(Condition::Unarmed) && !self.is(Condition::Captured) && !disarmed
    }

    /// Returns whether a unit could surrender to this enemy (20.21). In the second edition a captor
    /// of Disrupted units need not be armed (19.12).
    pub fn takes_prisoners(&self, of_disrupted: bool, rulebook: Rulebook) -> bool {
        let is_fit =
            self.is_armed(rulebook) || (of_disrupted && rulebook.chooses(Switch::UnarmedCaptor));
        self.is_in_good_order() && is_fit && !self.circumstances.vehicle
    }

    /// Returns the Normal Range in hexes, or `None` without FP. Broken units have it too (10.4).
    fn own_range(&self) -> Option<u16> {
        let printed = |member: &Member| member.printed().range.map_or(0, u16::from);
        let range = self.range.or_else(|| self.member.as_ref().map(printed)).unwrap_or(0);
        let has_fire = !self.circumstances.unknown_fire && self.own_firepower() > 0;
        (has_fire && !self.is(Condition::Unarmed)).then_some(range)
    }

    fn own_firepower(&self) -> u8 {
        let printed = |member: &Member| member.printed().firepower.unwrap_or(0);
        self.firepower
            .or_else(|| self.member.as_ref().map(printed))
            .unwrap_or(u8::from(self.range.is_some()))
    }

    /// Returns the FP and Normal Range of the counter, then of its SW or Gun; 0 for a missing one.
    pub(crate) fn armament(&self) -> [(u8, u16); 2] {
        let own = self.own_range().map_or((0, 0), |range| (self.own_firepower(), range));
        // A single SMC fires a machine gun at half its FP (10.532).
        let halved = |firepower: u8| if self.is_smc() { firepower / 2 } else { firepower };
        [
            own,
            self.working_weapon().map_or((0, 0), |weapon| (halved(weapon.firepower), weapon.range)),
        ]
    }

    fn working_weapon(&self) -> Option<Weapon> {
        self.weapon.filter(|weapon| {
            let works = !weapon.malfunctioned && weapon.firepower > 0;
            works && !self.circumstances.unknown_fire && !self.is(Condition::Unarmed)
        })
    }

    /// Returns whether `range`, in hexes, is within the Normal Range of the enemy or of its SW or
    /// Gun (10.5). A broken enemy has its unbroken range (interpretation I-61).
    pub fn is_in_range(&self, range: u16) -> bool {
        let by_weapon = self.working_weapon().is_some_and(|weapon| range <= weapon.range);
        by_weapon || self.own_range().is_some_and(|own| range <= own)
    }

    /// Returns whether the enemy could fire at least 1 FP at a hex, whatever it has done before
    /// (10.532). LOS and concealment are left to the caller.
    ///
    /// Broken, pinned, CX, captured, unarmed and stunned units cannot, nor units in Melee.
    /// Encircled units cannot, nor those marked by Spotted Fire or halved in FP, except in the
    /// second edition. A Gun may not turn, and a single SMC may not use a weapon. Interpretation
    /// I-22 decides for TI units.
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

/// Returns whether `target` is in the Covered Arc of a Gun at `from` (C3.2). The arc is the wedge
/// between the two hex rows through neighbouring hexsides, including these rows.
fn is_in_arc(from: Hex, target: Hex, (first, second): (Hexside, Hexside)) -> bool {
    let direction = |side: Hexside| {
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
    /// Creates a unit outside Melee and without a leader, inside any works of its hex.
    pub fn new(name: &str, member: Member, at: Location) -> Router {
        let name = name.to_string();
        let (sheltered, in_melee, mans_emplaced_gun, escort) = (true, false, false, None);
        Router { name, member, at, sheltered, in_melee, mans_emplaced_gun, escort }
    }

    /// Returns whether the counter of the unit has a condition.
    pub fn is(&self, condition: Condition) -> bool {
        self.member.is(condition)
    }

    /// Returns whether the unit never surrenders in the RtPh to an enemy of this nation (15.5,
    /// 20.21, 10.8, A25.22). The nation is `None` if the enemy has no counter.
    pub fn defies(&self, enemy: Option<Nation>) -> bool {
        let nation = self.member.nationality();
        self.is(Condition::Fanatic)
            || self.member.printed().kind == CounterKind::Commissar
            || nation == Nation::Partisan
            || (nation == Nation::GermanSs && enemy == Some(Nation::Russian))
    }
}

/// Returns the room of a unit in half squad-equivalents (5.1): squad 2, other MMC 1, SMC 0.
pub fn room_of(kind: CounterKind) -> u32 {
    match kind {
        CounterKind::Squad => 2,
        CounterKind::HalfSquad | CounterKind::Crew => 1,
        _ => 0,
    }
}

/// The stacking limit of a Location in half squad-equivalents (5.1).
pub const ROOM: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    /// The Covered Arc includes the rows through both sides, and all hexes between them (C3.2).
    #[test]
    fn covered_arc_contains_the_hexes_between_its_sides() {
        let hex = |name: &str| Hex::parse(name).unwrap();
        let covers =
            |target: &str| is_in_arc(hex("K5"), hex(target), (Hexside::North, Hexside::Northeast));
        for inside in ["K4", "K1", "L4", "M4", "L3", "M2"] {
            assert!(covers(inside), "{inside}");
        }
        for outside in ["L5", "M5", "J4", "K6", "J1"] {
            assert!(!covers(outside), "{outside}");
        }
    }
}
