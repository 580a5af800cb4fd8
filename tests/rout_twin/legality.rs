//! Known enemies, legal steps and their costs, Interdiction, and forbidden positions (A10.5 -
//! A10.532).

use super::geometry::{SIDES, neighbour, opposite, range, side_towards, sides_entered};
use super::{HexAt, Kind, SideTerrain, Switches, Terrain, TwinEnemy, TwinSituation, Verdict};
use std::collections::BTreeSet;

/// A set of enemies: bit `i` stands for the enemy with the 0-based index `i`.
pub type EnemySet = u32;

/// The way in which MF for a hex were paid, which decides if the hex is Open Ground (A10.531).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rate {
    Ordinary,
    /// The unit entered through a road hexside (B3).
    Road,
    /// The unit paid 2 MF for the TEM of shellholes (B2).
    Careful,
    /// The unit paid 1 MF more to return into the foxhole in which it started (B27).
    DugIn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub from: HexAt,
    pub rate: Rate,
}

/// A legal step, with costs in half-MF. `cost` is the full cost. `plain` omits the MF that do not
/// count for "nearest" (A10.51): the second MF for shellholes, and the MF to leave a foxhole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub to: HexAt,
    pub cost: i32,
    pub plain: i32,
    pub entry: Entry,
}

pub struct Ground<'a> {
    pub situation: &'a TwinSituation,
}

impl<'a> Ground<'a> {
    pub fn new(situation: &'a TwinSituation) -> Self {
        assert!(situation.enemies.len() <= 32, "at most 32 enemies");
        assert!(situation.map.contains_key(&situation.unit.at), "the unit stands on the map");
        Self { situation }
    }

    pub fn switches(&self) -> &Switches {
        &self.situation.switches
    }

    pub fn start(&self) -> HexAt {
        self.situation.unit.at
    }

    /// A10.5, A17.2: returns the allotment in half-MF: 6 MF, or 3 MF for a wounded leader.
    pub fn allotment(&self) -> i32 {
        if self.situation.unit.wounded && self.situation.unit.kind == Kind::Leader { 6 } else { 12 }
    }

    pub fn members(&self, set: EnemySet) -> impl Iterator<Item = &TwinEnemy> {
        self.situation
            .enemies
            .iter()
            .enumerate()
            .filter(move |(index, _)| set & (1 << index) != 0)
            .map(|(_, enemy)| enemy)
    }

    pub fn hexes_of(&self, set: EnemySet) -> BTreeSet<HexAt> {
        self.members(set).map(|enemy| enemy.at).collect()
    }

    fn select(&self, wanted: impl Fn(&TwinEnemy) -> bool) -> EnemySet {
        let enemies = self.situation.enemies.iter().enumerate();
        enemies.filter(|(_, enemy)| wanted(enemy)).map(|(index, _)| 1 << index).sum()
    }

    /// Returns the number of Hindrances on a line, or `None` if it is blocked.
    pub fn los(&self, a: HexAt, b: HexAt) -> Option<u32> {
        if a == b {
            return Some(0);
        }
        self.situation.los.get(&(a, b)).or_else(|| self.situation.los.get(&(b, a))).copied()
    }

    /// Returns the unconcealed enemies with a LOS to the hex, which are Known to a unit there.
    pub fn seen_from(&self, hex: HexAt) -> EnemySet {
        self.select(|enemy| !enemy.concealed && self.los(enemy.at, hex).is_some())
    }

    pub fn concealed_in(&self, hex: HexAt) -> EnemySet {
        self.select(|enemy| enemy.concealed && enemy.at == hex)
    }

    pub fn hexside(&self, hex: HexAt, side: usize) -> SideTerrain {
        let near = self.situation.map.get(&hex).map_or(SideTerrain::None, |data| data.walls[side]);
        let far = self
            .situation
            .map
            .get(&neighbour(hex, side))
            .map_or(SideTerrain::None, |data| data.walls[opposite(side)]);
        if near == SideTerrain::None { far } else { near }
    }

    /// A.8: returns whether two hexes are ADJACENT: neighbours with a LOS between which Infantry
    /// could advance, and neither is ablaze. In the Starter Kit all neighbours are.
    pub fn adjacent(&self, a: HexAt, b: HexAt) -> bool {
        match side_towards(a, b) {
            None => false,
            Some(_) if self.switches().sk_hex_adjacency => true,
            Some(side) => {
                let burns =
                    |hex: HexAt| self.situation.map.get(&hex).is_some_and(|data| data.blaze);
                self.los(a, b).is_some()
                    && self.hexside(a, side) != SideTerrain::Cliff
                    && !burns(a)
                    && !burns(b)
            }
        }
    }

    /// Returns whether the hex is a possible rout destination: woods, woods-road or building.
    pub fn is_cover(&self, hex: HexAt) -> bool {
        matches!(
            self.situation.map[&hex].terrain,
            Terrain::Woods | Terrain::WoodsRoad | Terrain::Building
        )
    }

    /// Returns whether a unit can move from `a` to its neighbour `b` at all. It cannot cross a
    /// Cliff (B11) or enter a Blaze (B25.4).
    fn is_passable(&self, a: HexAt, b: HexAt) -> bool {
        let cliff =
            side_towards(a, b).is_none_or(|side| self.hexside(a, side) == SideTerrain::Cliff);
        !cliff && self.situation.map.get(&b).is_some_and(|target| !target.blaze)
    }

    /// 17.3: returns whether a unit may step from `a` to `b` with these Known enemies, at any cost.
    pub fn step_is_legal(&self, a: HexAt, b: HexAt, known: EnemySet) -> bool {
        if !self.is_passable(a, b) {
            return false;
        }
        if self.switches().i56_never_back_to_start && b == self.start() {
            return false;
        }
        let unseen_bars = self.switches().i54_unseen_enemy_bars;
        if unseen_bars
            && self.situation.enemies.iter().any(|enemy| !enemy.concealed && enemy.at == b)
        {
            return false;
        }
        let any_enemy = self.switches().v2_any_enemy_direction;
        for enemy in self.members(known) {
            let nearer = range(b, enemy.at) < range(a, enemy.at) && (enemy.armed || any_enemy);
            let beside = self.adjacent(b, enemy.at) && a != enemy.at;
            if nearer || beside || b == enemy.at {
                return false;
            }
        }
        true
    }

    /// Returns the possible ways to pay for the step, in half-MF.
    fn ways(&self, a: HexAt, b: HexAt, leaves_foxhole: bool) -> Vec<Step> {
        let side_left = side_towards(a, b).expect("neighbours");
        let side_entered = opposite(side_left);
        let (from, to) = (&self.situation.map[&a], &self.situation.map[&b]);
        let ordinary = match to.terrain {
            Terrain::Open | Terrain::Orchard | Terrain::Shellholes => 2,
            Terrain::Grain => 3,
            Terrain::Woods | Terrain::WoodsRoad | Terrain::Building | Terrain::Gully => 4,
        };
        let climb = to.level - from.level;
        let mut added = 0;
        // B9; A24: walls, hedges and SMOKE are added after any doubling.
        if matches!(self.hexside(a, side_left), SideTerrain::Wall | SideTerrain::Hedge) {
            added += 2;
        }
        if to.smoke {
            added += 2;
        }
        // B10.4 doubles the terrain uphill.
        // B10.51 adds 2 MF (up) or 1 MF (down) for each level in between.
        let with_slope = |terrain: i32| match climb {
            1.. => 2 * terrain + 4 * (climb - 1) + added,
            0 => terrain + added,
            _ => terrain + 2 * (-climb - 1) + added,
        };
        let exit = if leaves_foxhole { 2 } else { 0 };
        let way = |paid: i32, counted: i32, rate: Rate| Step {
            to: b,
            cost: with_slope(paid) + exit,
            plain: with_slope(counted),
            entry: Entry { from: a, rate },
        };
        let mut ways = vec![way(ordinary, ordinary, Rate::Ordinary)];
        let road = to.road_sides & (1 << side_entered) != 0;
        if road && !matches!(to.terrain, Terrain::Woods | Terrain::Building | Terrain::Gully) {
            ways.push(way(2, 2, Rate::Road));
        }
        if to.terrain == Terrain::Shellholes {
            ways.push(way(4, 2, Rate::Careful));
        }
        if self.situation.unit.entrenched && b == self.start() {
            let outside = ways[0];
            ways.push(Step {
                cost: outside.cost + 2,
                entry: Entry { from: a, rate: Rate::DugIn },
                ..outside
            });
        }
        ways
    }

    /// B27: returns whether a unit with this entry is in the foxhole of the starting hex. An
    /// `entry` of `None` stands for a unit that has not moved.
    pub fn dug_in(&self, hex: HexAt, entry: Option<Entry>) -> bool {
        self.situation.unit.entrenched
            && hex == self.start()
            && entry.is_none_or(|entry| entry.rate == Rate::DugIn)
    }

    /// Returns all legal steps out of a hex that cost at most `mf` half-MF.
    pub fn steps(&self, at: HexAt, known: EnemySet, mf: i32, leaves_foxhole: bool) -> Vec<Step> {
        let targets = (0..SIDES)
            .map(|side| neighbour(at, side))
            .filter(|&to| self.step_is_legal(at, to, known));
        targets
            .flat_map(|to| self.ways(at, to, leaves_foxhole))
            .filter(|step| step.cost <= mf)
            .collect()
    }

    /// Returns all steps out of a hex that terrain permits, legal or not (I-13).
    pub fn all_steps(&self, at: HexAt) -> Vec<Step> {
        let targets =
            (0..SIDES).map(|side| neighbour(at, side)).filter(|&to| self.is_passable(at, to));
        targets.flat_map(|to| self.ways(at, to, false)).collect()
    }

    /// A10.531: returns whether fire of this enemy would find a unit in the open. An `entry` of
    /// `None` stands for a unit that has not moved.
    pub fn open_ground(&self, hex: HexAt, entry: Option<Entry>, enemy: &TwinEnemy) -> bool {
        let data = &self.situation.map[&hex];
        // SMOKE in the enemy's own hex is a Hindrance too (A24).
        let smoke = data.smoke || data.blaze || self.situation.map[&enemy.at].smoke;
        if self.los(enemy.at, hex) != Some(0) || smoke || self.dug_in(hex, entry) {
            return false;
        }
        let entered_through = entry.and_then(|entry| side_towards(hex, entry.from));
        let rate = entry.map(|entry| entry.rate);
        let line_sides = sides_entered(enemy.at, hex);
        // I-62: on a road through woods a unit can only be in the open to fire through the side
        // just crossed.
        let across_entry_side = entered_through.is_some_and(|side| line_sides.contains(&side));
        let open_terrain = match data.terrain {
            Terrain::Open | Terrain::Gully => true,
            Terrain::Shellholes => matches!(rate, Some(Rate::Ordinary | Rate::Road)),
            Terrain::Orchard | Terrain::Grain => rate == Some(Rate::Road),
            Terrain::WoodsRoad => {
                rate == Some(Rate::Road)
                    && across_entry_side
                    && !self.switches().i62_woods_road_never_open
            }
            Terrain::Woods | Terrain::Building => false,
        };
        // B9, I-59: a line through a vertex crosses both hexsides there.
        let at_vertex = line_sides.len() == 2;
        let behind_wall = line_sides
            .iter()
            .any(|&side| matches!(self.hexside(hex, side), SideTerrain::Wall | SideTerrain::Hedge))
            && !(at_vertex && self.switches().i59_vertex_crosses_nothing);
        // B10.31: the height advantage is lost if the line crosses the crest hexside just crossed.
        let level_of = |place: HexAt| self.situation.map.get(&place).map_or(0, |data| data.level);
        let crossed_crest =
            entry.is_some_and(|entry| level_of(entry.from) != data.level) && across_entry_side;
        let higher = data.level > level_of(enemy.at) && !crossed_crest;
        open_terrain && !behind_wall && !higher
    }

    /// A10.532: returns whether this enemy, Known or not, Interdicts a unit in the hex. The enemy
    /// must be able to fire 1 FP unhindered within Normal Range and 16 hexes.
    fn interdicts(&self, enemy: &TwinEnemy, hex: HexAt, entry: Option<Entry>) -> bool {
        let unable = enemy.broken
            || enemy.disrupted
            || enemy.pinned
            || enemy.cx
            || enemy.melee
            || enemy.concealed
            || (enemy.encircled && !self.switches().v2_encircled_interdicts)
            || enemy.leader_without_sw
            || !enemy.armed
            || enemy.fp < 1;
        !unable
            && range(enemy.at, hex) <= enemy.range.min(16)
            && self.open_ground(hex, entry, enemy)
    }

    pub fn interdictors(&self, hex: HexAt, entry: Option<Entry>) -> EnemySet {
        self.select(|enemy| self.interdicts(enemy, hex, entry))
    }

    /// A10.5: returns whether a Known unbroken armed enemy is in the hex or ADJACENT to it.
    pub fn pressed(&self, hex: HexAt, known: EnemySet) -> bool {
        self.members(known).any(|enemy| {
            !is_broken(enemy)
                && (enemy.armed || self.switches().sk_forcing_enemies)
                && (enemy.at == hex || self.adjacent(enemy.at, hex))
        })
    }

    /// A10.5: returns whether the hex is in the open, in LOS and Normal Range of a Known unbroken
    /// enemy not in Melee.
    fn covered_in_open(
        &self,
        hex: HexAt,
        known: EnemySet,
        entry: Option<Entry>,
        broken_too: bool,
    ) -> bool {
        self.members(known).any(|enemy| {
            (!is_broken(enemy) || broken_too)
                && (!enemy.melee || self.switches().v2_melee_enemies_force)
                && in_range(enemy, hex)
                && self.open_ground(hex, entry, enemy)
        })
    }

    /// 17.5: returns whether a rout that ends in the hex fails for Open Ground. A Low Crawl or a
    /// survived Interdiction excuses it (I-11). A unit at rest has all the TEM of its hex, by any
    /// road or crest it came. Only shellholes and foxholes must have been paid for.
    pub fn exposed(&self, hex: HexAt, known: EnemySet, entry: Option<Entry>) -> bool {
        let entry = entry.map(|Entry { rate, .. }| Entry {
            from: hex,
            rate: if rate == Rate::Road { Rate::Ordinary } else { rate },
        });
        if self.switches().i11_open_end_needs_interdictor {
            self.interdictors(hex, entry) != 0
        } else {
            self.covered_in_open(hex, known, entry, false)
        }
    }

    /// 17.2, second point: returns whether enemies force the unit out of the open.
    fn forced_from_open(&self, known: EnemySet) -> bool {
        if self.situation.unit.entrenched {
            return false;
        }
        if self.switches().sk_forcing_enemies {
            // A berserk enemy is not "Good Order".
            let forcing = self.interdictors(self.start(), None) & known;
            return self.members(forcing).any(|enemy| !enemy.berserk);
        }
        self.covered_in_open(self.start(), known, None, self.switches().i61_broken_enemy_forces)
    }

    pub fn verdict(&self) -> Verdict {
        let unit = &self.situation.unit;
        let known = self.seen_from(unit.at);
        let blaze = self.situation.map[&unit.at].blaze;
        let open = self.forced_from_open(known);
        if unit.disrupted && !unit.fanatic {
            let near = |enemy: &&TwinEnemy| {
                enemy.armed && (enemy.at == unit.at || self.adjacent(enemy.at, unit.at))
            };
            let only_busy = self.members(known).filter(near).count() > 0
                && self.members(known).filter(near).all(|enemy| enemy.melee || enemy.berserk);
            // I-36: No Quarter leaves the unit no captor, so it must rout like any other unit.
            let no_captor = self.situation.no_quarter
                && !self.switches().i36_disrupted_ignores_enemy
                && self.members(known).any(|enemy| self.is_captor(enemy));
            let pressed_by_busy = only_busy && self.pressed(unit.at, known);
            return if open || blaze || pressed_by_busy || no_captor {
                Verdict::Must
            } else {
                Verdict::Cannot
            };
        }
        if self.pressed(unit.at, known) || open || blaze {
            Verdict::Must
        } else if unit.dm || self.gains_dm(known) {
            Verdict::May
        } else {
            Verdict::Cannot
        }
    }

    /// 10.62: returns whether the unit gains DM: from a Known armed enemy ADJACENT, or in the open
    /// from a Known unbroken enemy in LOS and Normal Range.
    fn gains_dm(&self, known: EnemySet) -> bool {
        let start = self.start();
        self.members(known).any(|enemy| {
            let open =
                !is_broken(enemy) && in_range(enemy, start) && self.open_ground(start, None, enemy);
            let starter_kit = self.switches().sk_forcing_enemies;
            (enemy.armed && self.adjacent(enemy.at, start)) || (open && !starter_kit)
        })
    }

    /// A20.21, 19.12: returns whether the enemy is in Good Order, and with the unit at its start or
    /// ADJACENT.
    pub fn is_captor(&self, enemy: &TwinEnemy) -> bool {
        let good_order = !is_broken(enemy) && !enemy.berserk && !enemy.melee;
        let near = enemy.at == self.start() || self.adjacent(enemy.at, self.start());
        good_order && near && enemy.armed
    }
}

/// Returns whether the hex is in Normal Range of an enemy with FP.
fn in_range(enemy: &TwinEnemy, hex: HexAt) -> bool {
    enemy.fp >= 1 && range(enemy.at, hex) <= enemy.range
}

pub fn is_broken(enemy: &TwinEnemy) -> bool {
    enemy.broken || enemy.disrupted
}
