//! The part of `twin` for dispersal, Army Morale, orders and Command Dice.

use super::twin::{Dist, Twin, Unit, World, add, falls, pool, sums};

impl Twin {
    pub fn disperse(&self, mut world: World, place: usize, odds: f64, dist: &mut Dist) {
        let Unit { enemy_side, reaction, at, cohesion, fast, .. } = world.units[place];
        world.units[place] =
            Unit { enemy_side, reaction, at, cohesion, fast, gone: true, ..Unit::default() };
        if self.armies {
            self.lose(world, enemy_side.into(), odds, dist)
        } else {
            add(dist, world, odds)
        }
    }

    pub fn lose(&self, world: World, side: usize, odds: f64, dist: &mut Dist) {
        for pips in 1..=6 {
            let points = if self.word("morale-loss") == "d3" { (pips + 1) / 2 } else { pips };
            let mut world = world.clone();
            for _ in 0..points {
                if world.armies[side].morale > 0 {
                    world.armies[side].morale -= 1;
                } else if self.two_armies {
                    world.armies[1 - side].morale += 1;
                }
            }
            if points == 3 && self.holds("army-morale-check") {
                self.check(world, side, self.number("army-morale-dice"), odds / 6.0, dist);
            } else {
                add(dist, world, odds / 6.0);
            }
        }
    }

    /// Resolves an Army Morale Check without a Staff Order.
    pub fn check(&self, world: World, side: usize, dice: i64, odds: f64, dist: &mut Dist) {
        for ((own, _), p) in pool(dice, 4) {
            for ((enemy, _), q) in pool(3, 4) {
                let mut world = world.clone();
                let army = &mut world.armies[side];
                army.dice -= i64::from(own <= enemy).min(army.dice);
                // A side keeps at most as many Staff Orders as it has Command Dice.
                while army.staff + army.restocked > army.dice {
                    *(if army.restocked > 0 { &mut army.restocked } else { &mut army.staff }) -= 1;
                }
                army.standing = if own > enemy { "passed" } else { "failed" };
                add(dist, world, odds * p * q);
            }
        }
    }

    /// Moves a unit by the Fixed Move, unless it is suppressed, and by the dice, at most to its
    /// goal. A unit that moves cannot rally later.
    pub fn move_on(&self, mut world: World, place: usize, chain: i64, odds: f64, dist: &mut Dist) {
        let unit = &mut world.units[place];
        unit.rallied = self.number("rallies-per-gap");
        let fixed = if unit.suppressed { 0 } else { 6 * chain };
        for (sum, further) in sums(chain * if unit.fast { 2 } else { 1 }) {
            let mut world = world.clone();
            let unit = &mut world.units[place];
            let inches = unit.goal.map_or(fixed + sum, |goal| goal.min(fixed + sum));
            unit.moved += inches;
            unit.goal = unit.goal.map(|goal| goal - inches);
            add(dist, world, odds * further);
        }
    }

    /// Removes suppression first, in order of slots; then rallies all units that can be; then moves
    /// all units with a goal that were not rallied.
    pub fn orders(
        &self,
        mut world: World,
        side: usize,
        dice: i64,
        staff: i64,
        odds: f64,
        dist: &mut Dist,
    ) {
        let of_side = |unit: &Unit| usize::from(unit.enemy_side) == side && !unit.gone;
        let suppressed = world.units.iter().position(|unit| of_side(unit) && unit.suppressed);
        let limit = self.number("rallies-per-gap");
        let can =
            |unit: &Unit| of_side(unit) && !unit.suppressed && unit.dp > 0 && unit.rallied < limit;
        let group: Vec<usize> =
            (0..world.units.len()).filter(|&place| can(&world.units[place])).collect();
        let waits = |unit: &Unit| {
            of_side(unit) && unit.rallied == 0 && unit.goal.is_some_and(|goal| goal > 0)
        };
        let waiting: Vec<usize> = (0..world.units.len())
            .filter(|&place| self.moves && waits(&world.units[place]))
            .collect();
        if dice + staff == 0 || (suppressed.is_none() && group.is_empty() && waiting.is_empty()) {
            return add(dist, world, odds);
        }
        let (dice, staff) = if dice > 0 {
            world.armies[side].left = world.armies[side].left.map(|left| left - 1);
            (dice - 1, staff)
        } else {
            world.armies[side].staff -= 1;
            (0, staff - 1)
        };
        if let Some(place) = suppressed {
            world.units[place].suppressed = false;
            return self.orders(world, side, dice, staff, odds, dist);
        }
        if group.is_empty() {
            let mut worlds = Dist::from([(world, odds)]);
            for place in waiting {
                let mut moved = Dist::new();
                worlds
                    .into_iter()
                    .for_each(|(world, odds)| self.move_on(world, place, 1, odds, &mut moved));
                worlds = moved;
            }
            worlds
                .into_iter()
                .for_each(|(world, odds)| self.orders(world, side, dice, staff, odds, dist));
            return;
        }
        group.iter().for_each(|&place| world.units[place].rallied += 1);
        let wild = std::mem::take(&mut world.armies[side].wild);
        let (rally, tn) =
            (self.rally_dice[side].unwrap_or(self.number("rally-dice")), self.number("rally-tn"));
        for ((successes, _), p) in pool(rally + wild, tn) {
            for ((against, _), q) in pool(if self.holds("rally-opposed") { rally } else { 0 }, tn) {
                let mut world = world.clone();
                let mut points = (successes - against).max(0);
                if self.word("rally-effect") == "one-per-roll" {
                    points = points.min(1);
                }
                for _ in 0..points {
                    let margin =
                        |&&place: &&usize| world.units[place].cohesion - world.units[place].dp;
                    let place = group
                        .iter()
                        .filter(|&&place| world.units[place].dp > 0)
                        .min_by_key(margin)
                        .copied();
                    place.into_iter().for_each(|place| world.units[place].dp -= 1);
                }
                self.orders(world, side, dice, staff, odds * p * q, dist);
            }
        }
    }

    pub fn roll(&self, world: &World, dist: &mut Dist) {
        let (own, enemy) = (falls(world.armies[0].dice), falls(world.armies[1].dice));
        for a in &own {
            for b in &enemy {
                let mut world = world.clone();
                let count =
                    |fall: &[i64], pips| fall.iter().filter(|&&shown| shown == pips).count() as i64;
                let fails = [a, b].map(|fall| count(fall, 1) > count(fall, 6));
                for (side, fall) in [a, b].into_iter().enumerate() {
                    let ones = count(fall, 1);
                    world.armies[side].left = Some(world.armies[side].dice - ones);
                    world.armies[1 - side].wild += if fails[side] { ones } else { 0 };
                }
                world.turn_over = fails == [true, true];
                let by_number = |fall: &[i64]| [6, 5, 4, 3, 2].map(|pips| count(fall, pips));
                let words = match (fails, by_number(a).cmp(&by_number(b))) {
                    _ if !self.first => {
                        fails.map(|fails| if fails { "failure" } else { "commands" })
                    }
                    ([true, true], _) => ["turn-over"; 2],
                    ([true, false], _) => ["failure", "first"],
                    ([false, true], _) => ["first", "failure"],
                    (_, std::cmp::Ordering::Greater) => ["first", "second"],
                    (_, std::cmp::Ordering::Less) => ["second", "first"],
                    (_, std::cmp::Ordering::Equal) => ["roll-again"; 2],
                };
                for (army, word) in world.armies.iter_mut().zip(words) {
                    army.standing = word;
                }
                add(dist, world, 1.0 / (own.len() * enemy.len()) as f64);
            }
        }
    }
}
