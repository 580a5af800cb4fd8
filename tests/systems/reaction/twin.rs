//! A second, slow implementation of the rules, which enumerates all faces of all dice. It shares
//! only the questions with the crate. Choices follow the default policy.

use std::collections::BTreeMap;

/// Values of parameters by name; missing ones have their default.
pub type Parameters = BTreeMap<&'static str, String>;

/// Probabilities of worlds, which are the states of all units and armies.
pub type Dist = BTreeMap<World, f64>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Unit {
    pub enemy_side: bool,
    pub reaction: i64,
    pub at: i64,
    pub cohesion: i64,
    pub fast: bool,
    pub dp: i64,
    pub suppressed: bool,
    pub fired: bool,
    pub gone: bool,
    pub forced: bool,
    pub rallied: i64,
    pub moved: i64,
    pub edge: Option<i64>,
    pub cover: Option<i64>,
    pub enemy: Option<i64>,
    pub friend: Option<(i64, i64)>,
    pub goal: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Army {
    pub morale: i64,
    pub dice: i64,
    pub left: Option<i64>,
    pub shown: Vec<i64>,
    pub staff: i64,
    pub restocked: i64,
    pub wild: i64,
    pub standing: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct World {
    pub units: Vec<Unit>,
    pub armies: [Army; 2],
    pub turn_over: bool,
    /// The side that has the next pulse.
    pub next: usize,
    pub over: bool,
    /// The effect of the volley of this step: a word, points, unmatched sixes.
    pub effect: Option<(&'static str, i64, i64)>,
}

/// A step of a sequence.
#[derive(Clone, Debug)]
pub enum Step {
    Volley {
        firer: Option<usize>,
        dice: i64,
        target: usize,
        range: &'static str,
        flank: bool,
        uphill: bool,
        moved: &'static str,
        cover: &'static str,
        artillery: bool,
    },
    Orders {
        side: usize,
        dice: Option<i64>,
        staff: i64,
        fresh: bool,
    },
    Roll {
        for_pulses: bool,
    },
    Pulse {
        staff: i64,
    },
    Restock {
        side: usize,
        chain: i64,
        sixes: bool,
    },
    Turn,
    Disperse(usize),
    Loss,
    Check {
        dice: i64,
    },
    Move {
        place: usize,
        chain: i64,
    },
}

pub struct Twin {
    pub parameters: Parameters,
    /// True if Army Morale is in play.
    pub armies: bool,
    pub two_armies: bool,
    /// True if any step or an Army Morale Check uses Staff Orders.
    pub staff_used: bool,
    /// True if the question is which side goes first.
    pub first: bool,
    /// True if a die can order a move.
    pub moves: bool,
    /// The Rally Dice of each side, if they differ from the parameter.
    pub rally_dice: [Option<i64>; 2],
}

/// Returns all results of `dice` dice.
pub fn falls(dice: i64) -> Vec<Vec<i64>> {
    (0..dice.max(0)).fold(vec![Vec::new()], |falls, _| {
        falls
            .iter()
            .flat_map(|fall| (1..=6).map(move |pips| [fall.as_slice(), &[pips]].concat()))
            .collect()
    })
}

/// Returns the successes and sixes of a pool of dice, with their probabilities.
pub fn pool(mut dice: i64, mut tn: i64) -> BTreeMap<(i64, i64), f64> {
    while tn > 6 {
        (tn, dice) = (tn - 1, dice - 1);
    }
    while tn < 2 {
        (tn, dice) = (tn + 1, dice + 1);
    }
    let mut odds = BTreeMap::from([((0, 0), 1.0)]);
    for _ in 0..dice.max(0) {
        let mut more = BTreeMap::new();
        for ((successes, sixes), chance) in odds {
            for pips in 1..=6 {
                let fallen = (successes + i64::from(pips >= tn), sixes + i64::from(pips == 6));
                *more.entry(fallen).or_default() += chance / 6.0;
            }
        }
        odds = more;
    }
    odds
}

/// Returns the sums of `dice` D6, with their probabilities.
pub fn sums(dice: i64) -> BTreeMap<i64, f64> {
    (0..dice).fold(BTreeMap::from([(0, 1.0)]), |sums, _| {
        let mut more = BTreeMap::new();
        for (sum, chance) in sums {
            (1..=6).for_each(|pips| *more.entry(sum + pips).or_default() += chance / 6.0);
        }
        more
    })
}

pub fn add(dist: &mut Dist, world: World, odds: f64) {
    *dist.entry(world).or_default() += odds;
}

impl Twin {
    pub fn word(&self, name: &str) -> &str {
        let default = <lowcrawl::reaction::rules::Rules as lowcrawl::schema::Rules>::PARAMETERS
            .iter()
            .find(|parameter| parameter.name == name)
            .unwrap()
            .default;
        self.parameters.get(name).map_or(default, String::as_str)
    }

    pub fn number(&self, name: &str) -> i64 {
        self.word(name).parse().unwrap()
    }

    pub fn holds(&self, name: &str) -> bool {
        self.word(name) == "true"
    }

    fn cover_dice(&self, cover: &str) -> i64 {
        if cover == "none" { 0 } else { self.number(&format!("cover-dice-{cover}")) }
    }

    pub fn play(&self, world: &World, step: &Step) -> Dist {
        let mut dist = Dist::new();
        let mut world = world.clone();
        world.units.iter_mut().for_each(|unit| unit.forced = false);
        world.effect = matches!(step, Step::Volley { .. }).then_some(("not-fired", 0, 0));
        if world.over || (world.turn_over && !matches!(step, Step::Turn)) {
            return Dist::from([(world, 1.0)]);
        }
        // A gap between two volleys of the enemy.
        if let (Step::Volley { target, .. }, "gap") = (step, self.word("activation-limit")) {
            let side = world.units[*target].enemy_side;
            world
                .units
                .iter_mut()
                .filter(|unit| unit.enemy_side == side)
                .for_each(|unit| unit.rallied = 0);
        }
        match step {
            Step::Volley { .. } => self.volley(world, step, &mut dist),
            Step::Orders { side, dice, staff, fresh } => {
                let left = world.armies[*side].left;
                let dice = left.map_or(dice.unwrap_or(0), |left| dice.unwrap_or(left).min(left));
                let staff = (*staff).min(world.armies[*side].staff);
                let mut ordered = Dist::new();
                self.orders(world, *side, dice, staff, 1.0, &mut ordered);
                for (mut world, odds) in ordered {
                    if *fresh {
                        world.units.iter_mut().for_each(|unit| unit.rallied = 0);
                    }
                    add(&mut dist, world, odds);
                }
            }
            Step::Roll { for_pulses: false } => self.roll(&world, &mut dist),
            Step::Roll { for_pulses: true } => self.roll_for_pulses(&world, 0, 1.0, &mut dist),
            Step::Pulse { staff } => {
                let mut played = Dist::new();
                self.pulse(world, *staff, &mut played);
                for (mut world, odds) in played {
                    if self.word("activation-limit") == "pulse" {
                        world.units.iter_mut().for_each(|unit| unit.rallied = 0);
                    }
                    add(&mut dist, world, odds);
                }
            }
            Step::Restock { side, chain, sixes } => {
                let army = &mut world.armies[*side];
                if army.left.is_none_or(|left| left >= *chain) {
                    army.left = army.left.map(|left| left - chain);
                    let gained = (chain - 1).min((army.dice - army.staff - army.restocked).max(0));
                    *(if *sixes { &mut army.staff } else { &mut army.restocked }) += gained;
                }
                add(&mut dist, world, 1.0);
            }
            Step::Turn => {
                world.turn_over = false;
                for unit in &mut world.units {
                    (unit.fired, unit.rallied) = (false, 0);
                }
                for army in &mut world.armies {
                    army.staff += army.restocked;
                    (army.restocked, army.left, army.wild) = (0, None, 0);
                    army.shown.clear();
                }
                let zero: Vec<bool> = world.armies.iter().map(|army| army.morale == 0).collect();
                let both = zero == [true, true];
                if self.armies
                    && zero.contains(&true)
                    && !(both && self.word("both-at-zero") == "play-on")
                {
                    world.over = true;
                    for (army, zero) in world.armies.iter_mut().zip(zero) {
                        army.standing = if both {
                            "draw"
                        } else if zero {
                            "collapsed"
                        } else {
                            "holds"
                        };
                    }
                }
                add(&mut dist, world, 1.0);
            }
            Step::Disperse(place) => {
                if world.units[*place].gone {
                    add(&mut dist, world, 1.0);
                } else {
                    self.disperse(world, *place, 1.0, &mut dist);
                }
            }
            Step::Loss => self.lose(world, 0, 1.0, &mut dist),
            Step::Check { dice } => self.check(world, 0, *dice, 1.0, &mut dist),
            Step::Move { place, chain } => {
                let unit = &world.units[*place];
                if unit.gone || unit.rallied > 0 || unit.goal == Some(0) {
                    add(&mut dist, world, 1.0);
                } else {
                    self.move_on(world, *place, *chain, 1.0, &mut dist);
                }
            }
        }
        dist
    }

    fn volley(&self, mut world: World, step: &Step, dist: &mut Dist) {
        let Step::Volley { firer, dice, target, range, flank, uphill, moved, cover, artillery } =
            step
        else {
            unreachable!()
        };
        let (target, unit) = (*target, world.units[*target].clone());
        let silent = |place: usize| {
            world.units[place].gone || world.units[place].suppressed || world.units[place].fired
        };
        if unit.gone || firer.is_some_and(silent) {
            return add(dist, world, 1.0);
        }
        let (firing_side, target_side) =
            (usize::from(!unit.enemy_side), usize::from(unit.enemy_side));
        let mut dice = *dice + std::mem::take(&mut world.armies[firing_side].wild);
        let mut tn = self.number("fire-tn") + self.number(&format!("range-tn-{range}"));
        tn += if *flank { self.number("flank-tn") } else { 0 };
        dice += if *uphill { self.number("uphill-dice") } else { 0 };
        dice += if *moved == "single" { 0 } else { self.number(&format!("move-dice-{moved}")) };
        if let Some(firer) = firer {
            world.units[*firer].fired = true;
        }
        for ((hits, sixes), odds) in pool(dice, tn) {
            let mut world = world.clone();
            if hits == 0 {
                world.effect = Some(("missed", 0, 0));
                add(dist, world, odds);
                continue;
            }
            let halted =
                if unit.cover == Some(0) { self.cover_dice(self.word("halted-cover")) } else { 0 };
            let wild = std::mem::take(&mut world.armies[target_side].wild);
            let reaction = unit.reaction + self.cover_dice(cover).max(halted) + wild;
            let tn =
                self.number(if unit.suppressed { "reaction-tn-suppressed" } else { "reaction-tn" });
            for ((successes, matched), further) in pool(reaction, tn) {
                let odds = odds * further;
                let points = match self.word("dp-rule") {
                    "net" => (hits - successes).max(0),
                    _ if hits > successes => hits,
                    _ => 0,
                };
                let high = match self.word("high-suppression") {
                    "artillery" => *artillery,
                    word => word == "true",
                };
                let failed = sixes > 0 && (sixes > matched || (high && sixes == matched));
                let mut world = world.clone();
                let now = &mut world.units[target];
                now.dp += points;
                if now.dp >= now.cohesion {
                    world.effect = Some(("dispersed", 0, 0));
                    self.disperse(world, target, odds, dist);
                    continue;
                }
                now.suppressed |= failed;
                let word = match (failed, points) {
                    (true, _) => "suppressed",
                    (false, 0) => "held",
                    (false, _) => "disrupted",
                };
                let unmatched = (sixes - matched).max(0);
                world.effect = Some((word, points, unmatched));
                let now = &mut world.units[target];
                if failed
                    && points > 0
                    && (!unit.suppressed || self.holds("forced-back-when-already-suppressed"))
                {
                    now.forced = true;
                    world.effect = Some(("forced-back", points, unmatched));
                    let dice = unmatched * self.number("forced-back-per-six");
                    for (sum, further) in sums(dice) {
                        let inches = self.number("forced-back-base") + sum;
                        self.move_back(world.clone(), target, inches, odds * further, dist);
                    }
                } else {
                    add(dist, world, odds);
                }
            }
        }
    }

    /// Moves a unit back, one inch at a time.
    fn move_back(&self, mut world: World, place: usize, inches: i64, odds: f64, dist: &mut Dist) {
        let unit = world.units[place].clone();
        let mut wanted = inches;
        let mut at = 0;
        loop {
            // An enemy is met before anything else at this distance.
            if unit.enemy == Some(at) {
                world.effect = Some(("dispersed", 0, 0));
                return self.disperse(world, place, odds, dist);
            }
            if (at > 0 && unit.cover == Some(at)) || unit.edge == Some(at) {
                wanted = at;
            }
            if at >= wanted {
                match unit.friend {
                    Some((from, to)) if (from..to).contains(&at) => wanted = to,
                    _ => break,
                }
            }
            at += 1;
        }
        let behind = |thing: Option<i64>| thing.map(|thing| thing - at).filter(|&thing| thing >= 0);
        let now = &mut world.units[place];
        now.moved += at;
        now.goal = unit.goal.map(|goal| goal + at);
        now.edge = behind(unit.edge);
        now.enemy = behind(unit.enemy);
        now.cover = behind(unit.cover.filter(|&cover| at == 0 || cover > 0));
        now.friend =
            unit.friend.filter(|&(from, _)| from >= at).map(|(from, to)| (from - at, to - at));
        add(dist, world, odds);
    }
}
