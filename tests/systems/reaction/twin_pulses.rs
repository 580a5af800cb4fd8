//! The part of `twin` for numbers on Command Dice, the side that goes first, and Command Pulses.

use super::twin::{Dist, Twin, Unit, World, add, falls};

fn count(shown: &[i64], number: i64) -> i64 {
    shown.iter().filter(|&&other| other == number).count() as i64
}

impl Twin {
    /// Rolls all dice of both sides at once, and again after a tie; after the last tie both results
    /// are halved.
    pub fn roll_for_pulses(&self, world: &World, ties: i64, odds: f64, dist: &mut Dist) {
        let (own, enemy) = (falls(world.armies[0].dice), falls(world.armies[1].dice));
        let odds = odds / (own.len() * enemy.len()) as f64;
        let mut again = 0.0;
        for a in &own {
            for b in &enemy {
                let fails = [a, b].map(|fall| count(fall, 1) > count(fall, 6));
                if fails == [true, true] {
                    add(dist, World { turn_over: true, ..world.clone() }, odds);
                    continue;
                }
                let mut world = world.clone();
                for (side, fall) in [a, b].into_iter().enumerate() {
                    world.armies[side].shown =
                        fall.iter().copied().filter(|&number| number > 1).collect();
                    world.armies[side].shown.sort();
                    world.armies[1 - side].wild += if fails[side] { count(fall, 1) } else { 0 };
                }
                // More 6s, then more 5s: the dice in descending order, 1s aside.
                let order = |side: usize| {
                    let shown = &world.armies[side].shown;
                    [6, 5, 4, 3, 2].map(|number| count(shown, number))
                };
                let tied = fails == [false, false] && order(0) == order(1);
                if !tied {
                    world.next = usize::from(fails[0] || (!fails[1] && order(1) > order(0)));
                    add(dist, world, odds);
                } else if ties < self.number("command-re-rolls")
                    && !world.armies[0].shown.is_empty()
                {
                    again += odds;
                } else {
                    for side in 0..2 {
                        add(dist, World { next: side, ..world.clone() }, odds / 2.0);
                    }
                }
            }
        }
        // A tie without a failure: all the dice are rolled again.
        if again > 0.0 {
            self.roll_for_pulses(world, ties + 1, again, dist);
        }
    }

    /// Plays a pulse. The side uses the chain that suffices for its suppressed units and a rally,
    /// with the fewest sixes, then the fewest dice. Without a useful order it restocks, if Staff
    /// Orders are used at all.
    pub fn pulse(&self, mut world: World, staff: i64, dist: &mut Dist) {
        let Some(side) = [world.next, 1 - world.next]
            .into_iter()
            .find(|&side| !world.armies[side].shown.is_empty())
        else {
            return add(dist, world, 1.0);
        };
        let own =
            || world.units.iter().filter(|unit| usize::from(unit.enemy_side) == side && !unit.gone);
        let limit = self.number("rallies-per-gap");
        let rallies = |unit: &&Unit| unit.dp > 0 && unit.rallied < limit;
        let on_the_way = |unit: &&Unit| unit.rallied == 0 && unit.goal.is_some_and(|goal| goal > 0);
        let moves = own().any(|unit| on_the_way(&unit) && !rallies(&unit));
        let wanted = own().filter(|unit| unit.suppressed).count() as i64
            + i64::from(own().any(|unit| rallies(&unit)))
            + i64::from(moves);
        let shown = world.armies[side].shown.clone();
        let sixes = count(&shown, 6);
        let mut options = Vec::new();
        for number in [2, 3, 4, 5] {
            let dice = count(&shown, number);
            (0..=sixes).filter(|_| dice > 0).for_each(|sixes| options.push((number, dice, sixes)));
        }
        options.extend((sixes > 0).then_some((6, 0, sixes)));
        let rank =
            |&&(_, dice, sixes): &&(i64, i64, i64)| ((wanted - dice - sixes).max(0), sixes, dice);
        let &(number, dice, joined) = options.iter().min_by_key(rank).unwrap();
        let army = &mut world.armies[side];
        army.shown.retain(|&other| other != 6 && other != number);
        army.shown.extend(std::iter::repeat_n(6, (sixes - joined) as usize));
        let mut orders = dice + joined;
        let room = army.dice - army.staff - army.restocked;
        if wanted == 0 && self.staff_used && orders > 1 && room > 0 {
            let gained = room.min(orders.min(4) - 1);
            *(if dice == 0 { &mut army.staff } else { &mut army.restocked }) += gained;
            orders = 0;
        }
        world.next = 1 - side;
        let staff = staff.min(world.armies[side].staff);
        self.orders(world, side, orders, staff, 1.0, dist);
    }
}
