//! The tree of every legal play of a rout with all its dice: the owner's best values, the possible
//! final hexes, and whether the unit surrenders.

use super::destination;
use super::legality::{Ground, is_broken};
use super::plays::{After, Plays, Stand};
use super::ratio::Ratio;
use super::{FirstAction, HexAt, SafePart, TwinSituation, Verdict};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

type Value = (Ratio, Ratio);
const NOTHING: Value = (Ratio::ZERO, Ratio::ZERO);

struct Tree<'a> {
    plays: Plays<'a>,
    values: HashMap<Stand, Value>,
}

pub fn outcomes(
    ground: &Ground,
    verdict: Verdict,
    surrenders: bool,
) -> (BTreeSet<HexAt>, BTreeMap<FirstAction, (f64, f64)>) {
    if surrenders {
        return (BTreeSet::new(), BTreeMap::from([(FirstAction::Stay, (0.0, 0.0))]));
    }
    let mut tree = Tree::new(ground);
    let mut best: BTreeMap<FirstAction, Value> = BTreeMap::new();
    let mut ends = BTreeSet::new();
    if verdict != Verdict::Must {
        let in_cover = if ground.is_cover(ground.start()) { Ratio::ONE } else { Ratio::ZERO };
        best.insert(FirstAction::Stay, (Ratio::ONE, in_cover));
        ends.insert(ground.start());
    }
    if verdict != Verdict::Cannot {
        let mut visited = HashSet::new();
        for stand in tree.plays.beginnings() {
            for step in tree.plays.steps_toward_plan(&stand) {
                let after = tree.plays.take(&stand, &step);
                let value = tree.expectation(&after);
                let slot = best.entry(FirstAction::Step(step.to)).or_insert(value);
                *slot = value.max(*slot);
                for (_, branch) in &after {
                    tree.collect_ends(branch, &mut visited, &mut ends);
                }
            }
        }
        for to in destination::low_crawls(ground, &destination::at_start(ground)) {
            let after = tree.plays.crawl(to);
            best.insert(FirstAction::LowCrawl(to), tree.worth(&after));
            tree.collect_ends(&after, &mut visited, &mut ends);
        }
        // 17.10: the unit is forced to rout and has no legal step.
        if best.is_empty() {
            best.insert(FirstAction::Stay, NOTHING);
        }
    }
    let plain =
        best.into_iter().map(|(action, (alive, sound))| (action, (alive.value(), sound.value())));
    (ends, plain.collect())
}

/// Returns whether the unit surrenders: A20.21 (17.8), A19.12.
pub fn surrenders(ground: &Ground) -> bool {
    let (situation, switches) = (ground.situation, ground.switches());
    let unit = &situation.unit;
    if switches.sk_no_surrender || situation.no_quarter || unit.fanatic {
        return false;
    }
    let known = ground.seen_from(unit.at);
    if unit.disrupted && ground.members(known).any(|enemy| ground.is_captor(enemy)) {
        return true;
    }
    if !ground.members(known).any(|enemy| ground.is_captor(enemy)) {
        return false;
    }
    if unit.encircled {
        return true;
    }
    if switches.v2_surrender_without_rout_only {
        return outcomes(ground, Verdict::Must, false).0.is_empty();
    }
    if switches.i57_surrender_by_known_only {
        let kept =
            situation.enemies.iter().enumerate().filter(|(index, _)| known & (1 << index) != 0);
        let enemies = kept.map(|(_, enemy)| enemy.clone()).collect();
        let believed = TwinSituation { enemies, ..situation.clone() };
        return !Tree::new(&Ground::new(&believed)).has_safe_rout();
    }
    !Tree::new(ground).has_safe_rout()
}

impl<'a> Tree<'a> {
    fn new(ground: &'a Ground<'a>) -> Self {
        Self { plays: Plays::new(ground), values: HashMap::new() }
    }

    fn end_value(&self, stand: &Stand) -> Value {
        if !self.plays.lives(stand) {
            return NOTHING;
        }
        let sound = self.plays.ground.is_cover(stand.at) && !stand.hurt;
        (Ratio::ONE, if sound { Ratio::ONE } else { Ratio::ZERO })
    }

    fn worth(&mut self, after: &After) -> Value {
        match after {
            After::Lost => NOTHING,
            After::Over(stand) => self.end_value(stand),
            After::Goes(plans) => {
                plans.iter().map(|stand| self.value(stand)).max().expect("there is always a plan")
            }
        }
    }

    fn expectation(&mut self, branches: &[(Ratio, After)]) -> Value {
        let mut total = NOTHING;
        for (chance, after) in branches {
            let (alive, sound) = self.worth(after);
            total = (total.0.plus(chance.times(alive)), total.1.plus(chance.times(sound)));
        }
        total
    }

    /// Returns the owner's best value from a stand: first survival, then cover without a wound.
    fn value(&mut self, stand: &Stand) -> Value {
        if let Some(&value) = self.values.get(stand) {
            return value;
        }
        let mut best = if self.plays.may_stop(stand) { self.end_value(stand) } else { NOTHING };
        for step in self.plays.steps_toward_plan(stand) {
            let after = self.plays.take(stand, &step);
            best = best.max(self.expectation(&after));
        }
        self.values.insert(*stand, best);
        best
    }

    /// Collects all hexes in which the rout can end with the unit alive, by any choices and dice.
    fn collect_ends(
        &mut self,
        after: &After,
        visited: &mut HashSet<Stand>,
        ends: &mut BTreeSet<HexAt>,
    ) {
        match after {
            After::Lost => {}
            After::Over(stand) => {
                if self.plays.lives(stand) {
                    ends.insert(stand.at);
                }
            }
            After::Goes(plans) => {
                for stand in plans {
                    if !visited.insert(*stand) {
                        continue;
                    }
                    if self.plays.may_stop(stand) && self.plays.lives(stand) {
                        ends.insert(stand.at);
                    }
                    for step in self.plays.steps_toward_plan(stand) {
                        for (_, next) in self.plays.take(stand, &step) {
                            self.collect_ends(&next, visited, ends);
                        }
                    }
                }
            }
        }
    }

    /// Returns whether a complete rout without Low Crawl avoids Interdiction, as far as I-15
    /// requires.
    fn has_safe_rout(&mut self) -> bool {
        let mut visited = HashSet::new();
        self.plays.beginnings().iter().any(|stand| self.safe_from(stand, &mut visited))
    }

    fn safe_from(&mut self, stand: &Stand, visited: &mut HashSet<Stand>) -> bool {
        if !visited.insert(*stand) {
            return false;
        }
        if !Plays::is_start(stand) && self.plays.may_stop(stand) && self.plays.lives(stand) {
            return true;
        }
        for step in self.plays.steps_toward_plan(stand) {
            if let Some(back) = self.plays.repulsed(stand, step.to) {
                if self.plays.lives(&back) {
                    return true;
                }
                continue;
            }
            let there = self.plays.walk(stand, &step);
            let under_fire = self.plays.ground.interdictors(there.at, there.entry) != 0;
            let counts = match self.plays.ground.switches().i15 {
                SafePart::Whole => true,
                SafePart::FirstHex => Plays::is_start(stand),
                SafePart::EndingAdjacent => self.beside_good_order_enemy(&there),
            };
            if under_fire && counts {
                continue;
            }
            let plans = self.plays.settle(stand, Stand { excused: under_fire, ..there });
            if plans.iter().any(|next| self.safe_from(next, visited)) {
                return true;
            }
        }
        false
    }

    fn beside_good_order_enemy(&self, stand: &Stand) -> bool {
        let ground = self.plays.ground;
        ground.members(stand.known).any(|enemy| {
            let good_order = enemy.armed && !is_broken(enemy) && !enemy.melee && !enemy.berserk;
            good_order && (enemy.at == stand.at || ground.adjacent(enemy.at, stand.at))
        })
    }
}
