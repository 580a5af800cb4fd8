//! A second, slow implementation of the rules, which shares none with the crate. A plain program
//! plays a battle turn by turn, and an oracle repeats it until all results of the dice have
//! occurred.

use std::collections::BTreeMap;

use super::case::{Case, Event, Oracle, Unit, Who, allows};

/// A row of odds: report point, slot, status, models lost, Honor, hexes run.
pub type Row = (u16, usize, String, i32, bool, i32);

struct World<'a> {
    case: &'a Case,
    units: Vec<Unit>,
    lost: [bool; 2],
    bereft: Vec<bool>,
    oracle: &'a mut Oracle,
}

const LEVELS: [&str; 4] = ["normal", "hesitant", "shaken", "panicked"];

/// Returns the odds of every row; `None` if there are more than `most` sequences of results.
pub fn enumerate(case: &Case, most: usize) -> Option<BTreeMap<Row, f64>> {
    let mut oracle = Oracle::default();
    let mut odds = BTreeMap::new();
    for _ in 0..most {
        let mut rows = Vec::new();
        let mut world = World {
            case,
            units: case.units.clone(),
            lost: case.staff_lost,
            bereft: Vec::new(),
            oracle: &mut oracle,
        };
        world.play(&mut rows);
        let chance = oracle.chance();
        for row in rows {
            *odds.entry(row).or_default() += chance;
        }
        if !oracle.next() {
            return Some(odds);
        }
    }
    None
}

impl World<'_> {
    fn word(&self, name: &str) -> &str {
        &self.case.parameters[name]
    }
    fn number(&self, name: &str) -> i32 {
        self.word(name).parse().unwrap()
    }
    fn is(&self, name: &str) -> bool {
        self.word(name) == "true"
    }
    fn entry(&self, name: &str, place: usize) -> &str {
        self.word(name).split(',').nth(place).unwrap()
    }

    fn play(&mut self, rows: &mut Vec<Row>) {
        for unit in &mut self.units {
            if unit.engaged {
                unit.foes.push(Who::Somebody);
            }
        }
        (0..self.units.len())
            .filter(|&i| self.case.units[i].level > 0)
            .for_each(|i| self.arrive(i));
        let events = self.case.events.clone();
        for event in &events {
            match event {
                Event::MoralePhase => {
                    for i in 0..self.units.len() {
                        let free = self.units[i].foes.is_empty()
                            || !self.is("morale-phase-requires-unengaged");
                        if self.here(i)
                            && self.units[i].level > 0
                            && free
                            && self.passes(i, "morale", None, 0)
                        {
                            self.units[i].level -= 1;
                            self.arrive(i);
                        }
                    }
                }
                Event::Orders(orders) => {
                    for (unit, order) in self.units.iter_mut().zip(orders) {
                        unit.order = if unit.level < 2 { order.clone() } else { String::new() };
                    }
                }
                Event::Test(cause) => {
                    for i in 0..self.units.len() {
                        let all_around = self.units[i].order == "all-around-defense";
                        if !(all_around && (*cause == "flank" || *cause == "rear")) {
                            self.test(i, cause, None, 0);
                        }
                    }
                }
                Event::Casualties(casualties) => {
                    for i in 0..self.units.len() {
                        self.hurt(i, *casualties, !self.units[i].foes.is_empty());
                    }
                    self.settle_melee();
                }
                Event::Fire { by, at } => {
                    let fires = |unit: &Unit| allows(self.word("orders-that-fire"), &unit.order);
                    let able = !matches!(by, Who::Unit(by) if !self.here(*by) || self.units[*by].level > 1 || !fires(&self.units[*by]));
                    if self.here(*at) && able {
                        let casualties = self.volley(*by, *at, false);
                        self.hurt(*at, casualties, false);
                    }
                }
                Event::Assault { at, by, again } => self.assault(*at, by, *again),
                Event::Melee => self.melee(),
                Event::StaffLost(enemy) => {
                    let staff = (0..self.units.len()).find(|&i| {
                        self.here(i) && self.units[i].is_staff && self.units[i].enemy == *enemy
                    });
                    match staff {
                        Some(i) => self.go(i, "destroyed", false),
                        None => self.bereave(*enemy),
                    }
                }
                Event::Retreat => self.retreat(),
                Event::Report(point) => {
                    for (i, unit) in self.units.iter().enumerate() {
                        let (status, lost, honor, hexes) =
                            unit.first_arrival.clone().unwrap_or_else(|| standing(unit));
                        rows.push((*point, i + 1, status, lost, honor, hexes));
                    }
                }
            }
            self.mourn();
        }
    }

    fn here(&self, i: usize) -> bool {
        self.units[i].end.is_none()
    }

    /// Records when a unit first reaches the level in question.
    fn arrive(&mut self, i: usize) {
        let unit = &mut self.units[i];
        if unit.level > 1 {
            (unit.order, unit.side) = (String::new(), String::new());
        }
        let reached = self.case.until == LEVELS[unit.level as usize]
            || self.case.until == "routed" && unit.level > 1;
        if reached && unit.first_arrival.is_none() {
            unit.first_arrival = Some(standing(unit));
        }
    }

    fn near(&self, i: usize) -> bool {
        let unit = &self.units[i];
        !self.lost[usize::from(unit.enemy)]
            && unit.staff.is_some_and(|hexes| hexes <= self.number("staff-near-range"))
    }

    fn fortitude(&self, i: usize, cause: &str, before: Option<&Unit>, new: i32) -> i32 {
        let (unit, stance) = (&self.units[i], before.unwrap_or(&self.units[i]));
        let level = stance.level;
        let mut sum = unit.base;
        let of_level: i32 = self.entry("level-fortitude", level as usize).parse().unwrap();
        sum += of_level;
        if level > 1 && cause != "morale" && self.is("flee-order-stacks") {
            sum += of_level;
        }
        let counted = if self.is("casualty-fortitude-permanent") { unit.lost } else { new };
        sum += self.number("casualty-fortitude") * counted;
        if unit.commander || unit.is_staff {
            sum += self.number("commander-bonus");
        }
        if unit.honor {
            sum += self.number("honor-bonus");
        }
        if self.near(i) {
            sum += self.number("staff-near-fortitude");
        }
        if self.lost[usize::from(unit.enemy)] {
            let times = if cause == "staff" && self.is("staff-loss-test-stacks") { 2 } else { 1 };
            sum += times * self.number("staff-lost-penalty");
        }
        if cause != "morale" {
            sum += match stance.order.as_str() {
                "defend" => 1,
                "all-around-defense" | "fire-and-retreat" | "retreat" | "run" => -1,
                _ => 0,
            };
        }
        sum += self.entry("fatigue-fortitude", unit.fatigue).parse::<i32>().unwrap();
        if !stance.side.is_empty() && stance.side != "front" {
            sum += self.number(&format!("assault-{}-fortitude", stance.side));
        }
        if cause == "flank" || cause == "rear" {
            sum += self.number(&format!("{cause}-penalty"));
        }
        sum
    }

    fn passes(&mut self, i: usize, cause: &str, before: Option<&Unit>, new: i32) -> bool {
        let mut target = self.fortitude(i, cause, before, new);
        if self.word("test-rule") == "below" {
            target -= 1;
        }
        let natural = self.word("natural-roll-exceptions");
        let faces = target.clamp(0, 20);
        let faces = if natural == "1-passes" || natural == "both" { faces.max(1) } else { faces };
        let faces = if natural == "20-fails" || natural == "both" { faces.min(19) } else { faces };
        self.oracle.falls(faces)
    }

    fn test(&mut self, i: usize, cause: &str, before: Option<&Unit>, new: i32) {
        if !self.here(i) || self.passes(i, cause, before, new) {
            return;
        }
        if self.units[i].level < 3 {
            self.units[i].level = (self.units[i].level + self.number("fail-adds")).min(3);
            self.arrive(i);
        } else if cause == "flank" || cause == "rear" {
            self.go(i, "surrendered", true);
        } else if cause == "staff" && !self.units[i].foes.is_empty() {
            if self.word("panicked-melee-fail") == "surrender" {
                self.go(i, "surrendered", true);
            }
        } else if self.word("panicked-nonmelee-fail") == "surrender" {
            self.go(i, "surrendered", false);
        }
    }

    /// Removes a unit; the tests for the loss of a staff follow later.
    fn go(&mut self, i: usize, end: &'static str, melee: bool) {
        let foes = std::mem::take(&mut self.units[i].foes);
        for unit in &mut self.units {
            unit.foes.retain(|&foe| foe != Who::Unit(i));
        }
        for foe in foes {
            if let (Who::Unit(foe), true) = (foe, melee) {
                self.units[foe].honor = true;
            }
        }
        let unit = &mut self.units[i];
        (unit.end, unit.honor, unit.lost) = (Some(end), false, unit.models);
        unit.first_arrival =
            unit.first_arrival.clone().or(Some((end.to_string(), unit.models, false, unit.hexes)));
        if unit.is_staff {
            let enemy = unit.enemy;
            self.bereave(enemy);
        }
    }

    /// Applies the penalty for the loss of a staff. The tests follow after the current event.
    fn bereave(&mut self, enemy: bool) {
        if !std::mem::replace(&mut self.lost[usize::from(enemy)], true) {
            self.bereft.push(enemy);
        }
    }

    fn mourn(&mut self) {
        while let Some(enemy) = self.bereft.pop() {
            (0..self.units.len())
                .filter(|&i| self.case.units[i].enemy == enemy)
                .for_each(|i| self.test(i, "staff", None, 0));
        }
    }

    fn shifted(&self, name: &str, level: i32, value: i32) -> i32 {
        let times = if level > 1 && self.is("flee-order-stacks") { 2 } else { 1 };
        match self.entry(name, level as usize) {
            "zero" => 0,
            shift => value + times * shift.parse::<i32>().unwrap(),
        }
    }

    fn defense(&self, i: usize, by: Who) -> i32 {
        let unit = &self.units[i];
        let mut value = unit.defense;
        value += match unit.order.as_str() {
            "defend" | "all-around-defense" => 1,
            "fire-and-retreat" | "retreat" | "run" => -1,
            _ => 0,
        };
        if !unit.side.is_empty() && unit.side != "front" && by == Who::Unit(unit.target) {
            value += self.number(&format!("assault-{}-defense", unit.side));
        }
        if self.near(i) {
            value += self.number("staff-near-defense");
        }
        self.shifted("level-defense", unit.level, value).max(self.number("defense-floor"))
    }

    fn attack_value(&self, i: usize, at: usize, melee: bool) -> i32 {
        let unit = &self.units[i];
        let mut value = if self.units[at].cavalry { unit.attack_cavalry } else { unit.attack };
        value += match unit.order.as_str() {
            "all-around-defense" | "fire-and-retreat" => -2,
            "assault" => 2,
            "move-and-fire" => {
                if melee {
                    -1
                } else {
                    -2
                }
            }
            "retreat" | "run" => -1,
            _ => 0,
        };
        if !unit.side.is_empty() && unit.side != "front" && unit.target == at {
            value += self.number(&format!("assault-{}-attack", unit.side));
        }
        if unit.honor {
            value += self.number("honor-attack");
        }
        if self.near(i) {
            value += self.number("staff-near-attack");
        }
        self.shifted("level-attack", unit.level, value)
    }

    /// Returns the casualties of one attack.
    fn volley(&mut self, by: Who, at: usize, melee: bool) -> i32 {
        let (dice, value) = match by {
            Who::Unit(i) => (
                self.units[i].dice * (self.units[i].models - self.units[i].lost),
                self.attack_value(i, at, melee),
            ),
            Who::Dice(force) => self.case.forces[force],
            Who::Somebody => (0, 0),
        };
        if dice == 0 {
            return value.min(self.units[at].models - self.units[at].lost);
        }
        let hits = (0..dice).filter(|_| self.oracle.falls(value)).count() as i32;
        let defense = self.defense(at, by);
        let casualties = match self.word("damage-rule") {
            _ if hits == 0 => 0,
            "subtract" => (hits - defense).max(0),
            "divide" => hits / defense.max(1),
            _ => hits,
        };
        casualties.min(self.units[at].models - self.units[at].lost)
    }

    fn tests_for(&self, casualties: i32) -> i32 {
        if self.word("casualty-tests") == "per-attack" { casualties.min(1) } else { casualties }
    }

    fn hurt(&mut self, at: usize, casualties: i32, melee: bool) {
        let casualties = casualties.min(self.units[at].models - self.units[at].lost);
        let tests = self.tests_for(casualties);
        if melee {
            self.units[at].struck += casualties;
            self.units[at].blows.extend((0..tests).map(|_| casualties));
            return;
        }
        self.units[at].lost += casualties;
        if casualties > 0 && self.units[at].lost == self.units[at].models {
            self.go(at, "destroyed", false);
        } else {
            (0..tests).for_each(|_| self.test(at, "casualties", None, casualties));
        }
    }

    fn assault(&mut self, at: usize, by: &[(Who, &'static str)], again: bool) {
        if !self.here(at) {
            return;
        }
        let mut sides = Vec::new();
        for &(who, side) in by {
            let side = if self.units[at].order == "all-around-defense" { "front" } else { side };
            if let Who::Unit(i) = who
                && (!self.here(i) || self.units[i].level > 1)
            {
                continue;
            }
            if again && !self.units[at].foes.contains(&who) {
                continue;
            }
            if !self.units[at].foes.contains(&who) {
                self.units[at].foes.push(who);
            }
            if let Who::Unit(i) = who {
                (self.units[i].side, self.units[i].target) = (side.to_string(), at);
                if !self.units[i].foes.contains(&Who::Unit(at)) {
                    self.units[i].foes.push(Who::Unit(at));
                }
            }
            if side != "front" {
                sides.push(side);
            }
        }
        sides.sort();
        if self.word("combined-order") == "rear-first" {
            sides.reverse();
        }
        let before = (self.word("combined-mode") == "simultaneous" && sides.len() > 1)
            .then(|| self.units[at].clone());
        sides.iter().for_each(|side| self.test(at, side, before.as_ref(), 0));
    }

    fn leave(&mut self, i: usize) {
        self.units[i].foes.clear();
        for unit in &mut self.units {
            unit.foes.retain(|&foe| foe != Who::Unit(i));
        }
    }

    fn melee(&mut self) {
        for i in 0..self.units.len() {
            if self.word("retreat-leaves") == "before-melee"
                && self.units[i].order == "retreat"
                && !self.units[i].blocked
            {
                self.leave(i);
            }
        }
        // Units strike first, in order of place; then come dice that belong to no unit.
        let mut blows = Vec::new();
        let mut dice = Vec::new();
        for i in 0..self.units.len() {
            let first = self.units[i]
                .foes
                .iter()
                .filter_map(|foe| if let Who::Unit(foe) = foe { Some(*foe) } else { None })
                .min();
            let target = Some(self.units[i].target).filter(|&at| {
                !self.units[i].side.is_empty() && self.units[i].foes.contains(&Who::Unit(at))
            });
            blows.extend(target.or(first).map(|foe| (Who::Unit(i), foe)));
            let forces = self.units[i].foes.iter().filter(|foe| matches!(foe, Who::Dice(_)));
            dice.extend(forces.map(|&force| (force, i)));
        }
        blows.extend(dice);
        for (by, at) in blows {
            let casualties = if matches!(by, Who::Unit(by) if self.attack_value(by, at, true) <= 0)
            {
                0
            } else {
                self.volley(by, at, true)
            };
            self.hurt(at, casualties, true);
        }
        self.settle_melee();
    }

    fn settle_melee(&mut self) {
        let mut tests = Vec::new();
        let mut gone = Vec::new();
        for i in 0..self.units.len() {
            let unit = &mut self.units[i];
            let (struck, blows) = (
                std::mem::take(&mut unit.struck).min(unit.models - unit.lost),
                std::mem::take(&mut unit.blows),
            );
            if unit.end.is_some() || struck == 0 {
                continue;
            }
            unit.lost += struck;
            match unit.level {
                _ if unit.lost == unit.models => gone.push((0, i, "destroyed")),
                3 => gone.push((1, i, "surrendered")),
                _ => tests.extend(blows.into_iter().map(|new| (i, new))),
            }
        }
        gone.sort();
        gone.into_iter().for_each(|(_, i, end)| self.go(i, end, true));
        self.mourn();
        tests.into_iter().for_each(|(i, struck)| self.test(i, "casualties", None, struck));
    }

    fn retreat(&mut self) {
        for i in 0..self.units.len() {
            if !self.here(i) || self.units[i].blocked {
                continue;
            }
            let mounted = if self.units[i].cavalry { "-cavalry" } else { "" };
            let no_staff = self.lost[usize::from(self.units[i].enemy)] || self.units[i].is_staff;
            match self.units[i].level {
                2 => {
                    self.leave(i);
                    let rate = self.number(&format!("flee-hexes{mounted}"));
                    let counts =
                        self.case.units[i].staff.is_some() || self.case.units[i].edge.is_some();
                    let unit = &mut self.units[i];
                    let way = match no_staff {
                        true if unit.own_edge.is_some() => &mut unit.own_edge,
                        true => &mut unit.edge,
                        false => &mut unit.staff,
                    };
                    if let Some(hexes) = way {
                        let left = (*hexes - rate).max(1);
                        unit.hexes += *hexes - left;
                        *hexes = left;
                        if left == 1 && !no_staff {
                            unit.level = 1;
                            self.arrive(i);
                        }
                    } else if counts {
                        unit.hexes += rate;
                    }
                    // If its own edge is now nearer than the nearest was, it is the nearest.
                    let unit = &mut self.units[i];
                    if unit.own_edge.is_some() && unit.own_edge < unit.edge {
                        unit.edge = unit.own_edge;
                    }
                }
                3 => {
                    self.leave(i);
                    let rate = self.number(&format!("panic-hexes{mounted}"));
                    let counts =
                        self.case.units[i].staff.is_some() || self.case.units[i].edge.is_some();
                    let least = if self.is("panic-exit-destroys") { 0 } else { 1 };
                    let unit = &mut self.units[i];
                    if let Some(hexes) = &mut unit.edge {
                        let left = (*hexes - rate).max(least);
                        unit.hexes += *hexes - left;
                        *hexes = left;
                        if left == 0 {
                            self.go(i, "left-board", false);
                        }
                    } else if counts {
                        unit.hexes += rate;
                    }
                }
                _ if self.units[i].order == "retreat"
                    && self.word("retreat-leaves") == "after-melee" =>
                {
                    self.leave(i)
                }
                _ => {}
            }
        }
        for unit in &mut self.units {
            (unit.order, unit.side) = (String::new(), String::new());
        }
    }
}

fn standing(unit: &Unit) -> (String, i32, bool, i32) {
    (LEVELS[unit.level as usize].to_string(), unit.lost, unit.honor, unit.hexes)
}
