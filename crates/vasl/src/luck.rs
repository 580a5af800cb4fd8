//! The luck of players: their sums of dice compared with the distribution of fair dice.

use std::collections::BTreeMap;

use super::chat::{Roll, RollKind, RolledDice};
use super::session::Sessions;

/// The rolls from which on statistics make sense: 95 % of means of so many DR are within 0.9 of 7.
pub const ENOUGH: usize = 30;
/// The length of a complete series of the dice bot, in numbers.
const SERIES: usize = 99;
/// The fewest rising numbers of a series that is not shuffled. One in 120 rises so by chance.
const RISING: usize = 5;
/// The maximum number of rolls for an exact interval. Above it the normal approximation is used.
const EXACT_BAND: usize = 200;
/// The maximum number of rolls for an exact range of a count; above it the normal one is used.
const EXACT_COUNT: usize = 3000;
/// The variance of the sum of two dice.
const VARIANCE: f64 = 35.0 / 6.0;
/// The half-width of the central 95 % of a normal distribution, in standard deviations.
const NINETEEN_IN_TWENTY: f64 = 1.959_964;
/// The smallest probability that is not dropped.
const LEAST: f64 = 1e-40;

/// A group of rolls of a player that are evaluated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollGroup {
    Kind(RollKind),
    /// All DR of kinds where low is good.
    LowDr,
    AllDr,
    AllDie,
}

impl RollGroup {
    /// Returns the name of the group.
    pub const fn name(self) -> &'static str {
        match self {
            RollGroup::Kind(kind) => kind.name(),
            RollGroup::LowDr => "low DR",
            RollGroup::AllDr => "all DR",
            RollGroup::AllDie => "all dr",
        }
    }

    /// Returns whether a low total is good for the player in all rolls of the group.
    pub const fn is_low_good(self) -> bool {
        match self {
            RollGroup::Kind(kind) => kind.is_low_good(),
            other => matches!(other, RollGroup::LowDr),
        }
    }

    /// Returns whether a roll belongs to the group.
    pub fn has(self, roll: &Roll) -> bool {
        let is_dr = roll.dice.number() == 2;
        match self {
            RollGroup::Kind(kind) => roll.kind == kind,
            RollGroup::LowDr => is_dr && roll.kind.is_low_good(),
            RollGroup::AllDr => is_dr,
            RollGroup::AllDie => !is_dr,
        }
    }
}

/// The statistics of one player's rolls of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct RollStatistics {
    pub player: String,
    pub group: RollGroup,
    pub rolls: usize,
    /// The number of dice in a roll.
    pub dice: usize,
    pub total: usize,
    /// The probability of this total or a lower one.
    pub at_most: f64,
    /// The probability of this total or a higher one.
    pub at_least: f64,
    /// The statistics of the single dice; `None` for groups of dr.
    pub pairs: Option<Pairs>,
}

/// Statistics of rolls of two dice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairs {
    pub twos: usize,
    pub twelves: usize,
    /// The sum of the coloured dice.
    pub coloured: usize,
    /// The sum of the white dice.
    pub white: usize,
    /// The probability that fair dice differ at least as much in the sums of both colours.
    pub difference_odds: f64,
}

impl RollStatistics {
    /// Returns the mean total of a roll.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.rolls as f64
    }

    fn from_rolls(
        player: &str,
        group: RollGroup,
        rolls: &[&Roll],
        known: &mut BTreeMap<usize, Sums>,
    ) -> Option<RollStatistics> {
        let own: Vec<&&Roll> = rolls.iter().filter(|roll| group.has(roll)).collect();
        let dice = own.first()?.dice.number();
        let total: usize = own.iter().map(|roll| roll.dice.total() as usize).sum();
        let dice_in_all = dice * own.len();
        let sums = &*known.entry(dice_in_all).or_insert_with(|| Sums::new(dice_in_all));
        let pairs = (dice == 2).then(|| {
            let coloured_die = |roll: &&&Roll| match roll.dice {
                RolledDice::One(die) | RolledDice::Two(die, _) => usize::from(die),
            };
            let coloured: usize = own.iter().map(coloured_die).sum();
            let white = total - coloured;
            let so_many = |total: u32| own.iter().filter(|roll| roll.dice.total() == total).count();
            // 7 minus a white die is distributed as a die, so the difference follows from the sums.
            let away = coloured.abs_diff(white);
            let difference_odds =
                if away == 0 { 1.0 } else { 2.0 * sums.at_least(7 * own.len() + away) };
            Pairs { twos: so_many(2), twelves: so_many(12), coloured, white, difference_odds }
        });
        Some(RollStatistics {
            player: player.to_string(),
            group,
            rolls: own.len(),
            dice,
            total,
            at_most: sums.at_most(total),
            at_least: sums.at_least(total),
            pairs,
        })
    }
}

/// The numbers of the dice bot that are missing in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub player: String,
    /// The 0-based indices of the logs that hold the session.
    pub logs: Vec<usize>,
    pub numbers: usize,
}

impl Sessions {
    /// Returns all players in the order of their first rolls.
    pub fn players(&self) -> Vec<&str> {
        let mut players: Vec<&str> = Vec::new();
        for session in self.all() {
            if !players.contains(&session.player.as_str()) {
                players.push(&session.player);
            }
        }
        players
    }

    fn rolls_of<'a>(&'a self, player: &'a str) -> impl Iterator<Item = &'a Roll> {
        let own = self.all().filter(move |session| session.player == player);
        own.flat_map(|session| self.rolls(session))
    }

    /// Returns the statistics of every player: by kind of roll, then for groups of kinds.
    pub fn tallies(&self) -> Vec<RollStatistics> {
        let (mut tallies, mut known) = (Vec::new(), BTreeMap::new());
        for player in self.players() {
            let rolls: Vec<&Roll> = self.rolls_of(player).collect();
            let kinds = RollKind::ALL.map(|(kind, _)| RollGroup::Kind(kind)).into_iter();
            let groups = kinds.chain([RollGroup::LowDr, RollGroup::AllDr, RollGroup::AllDie]);
            tallies.extend(
                groups.filter_map(|group| {
                    RollStatistics::from_rolls(player, group, &rolls, &mut known)
                }),
            );
        }
        tallies
    }

    /// Returns the running sums of a player's DR, for kinds of rolls where low is good.
    pub fn run(&self, player: &str) -> Vec<usize> {
        let rolls = self.rolls_of(player).filter(|roll| RollGroup::LowDr.has(roll));
        let sum = |sum: &mut usize, roll: &Roll| {
            *sum += roll.dice.total() as usize;
            Some(*sum)
        };
        rolls.scan(0, sum).collect()
    }

    /// Returns how many numbers that the dice bot gives to rolls are missing, by session.
    pub fn missing(&self) -> Vec<Missing> {
        let mut missing: Vec<Missing> = Vec::new();
        for session in self.all() {
            let rolls: Vec<&Roll> = self.rolls(session).collect();
            let numbers = uncounted(&rolls).max(unnumbered(&rolls));
            let (player, logs) = (session.player.clone(), session.logs.clone());
            let same = |known: &&mut Missing| known.player == player && known.logs == logs;
            match missing.iter_mut().find(same) {
                _ if numbers == 0 => {}
                Some(known) => known.numbers += numbers,
                None => missing.push(Missing { player, logs, numbers }),
            }
        }
        missing
    }
}

/// Counts gaps in the numbers of a player's rolls, DR and dr apart or not, whichever are fewer.
fn uncounted(rolls: &[&Roll]) -> usize {
    // The number of missing rolls, and the number of restarts of the counter.
    let gaps = |has: &dyn Fn(usize) -> bool| {
        let counted = rolls.iter().filter(|roll| has(roll.dice.number()));
        let counts: Vec<u32> = counted.filter_map(|roll| roll.nth).collect();
        counts.windows(2).fold((0, 0), |(gaps, anew), pair| match pair[1].checked_sub(pair[0]) {
            None | Some(0) => (gaps, anew + 1),
            Some(step) => (gaps + step as usize - 1, anew),
        })
    };
    let (together, two, one) = (gaps(&|_| true), gaps(&|dice| dice == 2), gaps(&|dice| dice == 1));
    let separate = (two.0 + one.0, two.1 + one.1);
    if together.0 + together.1 < separate.0 + separate.1 { together.0 } else { separate.0 }
}

/// Counts the numbers missing from series that began and ended in the log, and from rising ones.
fn unnumbered(rolls: &[&Roll]) -> usize {
    let mut series: Vec<(u32, Vec<u32>)> = Vec::new();
    for (number, place) in rolls.iter().filter_map(|roll| roll.serial) {
        match series.last_mut().filter(|(known, _)| *known == number) {
            Some((_, places)) => places.push(place),
            None => series.push((number, vec![place])),
        }
    }
    let begins_here = rolls.iter().find_map(|roll| roll.nth) == Some(1);
    let follows = series.windows(2).map(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
    let follows: Vec<bool> = follows.chain([false]).collect();
    let missing = series.iter().enumerate().map(|(place, (number, places))| {
        let is_rising = places.len() >= RISING && places.windows(2).all(|pair| pair[0] < pair[1]);
        let began = if place == 0 { begins_here && *number <= 1 } else { follows[place - 1] };
        if began && follows[place] {
            SERIES.saturating_sub(places.len())
        } else if is_rising {
            let width = places[places.len() - 1] - places[0];
            (width as usize + 1).saturating_sub(places.len())
        } else {
            0
        }
    });
    missing.sum()
}

/// Returns the interval in which the mean of `rolls` fair DR lies with probability 95 %.
pub fn band(rolls: usize) -> (f64, f64) {
    let rolls_as = rolls.max(1) as f64;
    if rolls <= EXACT_BAND {
        let (low, high) = Sums::new(2 * rolls).middle(0.95);
        return (low as f64 / rolls_as, high as f64 / rolls_as);
    }
    let half = NINETEEN_IN_TWENTY * (VARIANCE / rolls_as).sqrt();
    (7.0 - half, 7.0 + half)
}

/// Returns the numbers between which the count of an event with probability `chance` lies in
/// nineteen of twenty series of `rolls` fair rolls.
pub fn fair_count(rolls: usize, chance: f64) -> (usize, usize) {
    let (mean, rest) = (rolls as f64 * chance, 1.0 - chance);
    if rolls > EXACT_COUNT {
        let half = NINETEEN_IN_TWENTY * (mean * rest).sqrt();
        return ((mean - half).max(0.0).ceil() as usize, (mean + half).floor() as usize);
    }
    let (mut part, mut sum) = (rest.powi(rolls as i32), 0.0);
    let (mut low, mut high) = (None, rolls);
    for count in 0..=rolls {
        sum += part;
        if sum > 0.025 && low.is_none() {
            low = Some(count);
        }
        if sum >= 0.975 {
            high = count;
            break;
        }
        part *= (rolls - count) as f64 / (count + 1) as f64 * chance / rest;
    }
    (low.unwrap_or(0), high)
}

/// Returns the probability that `rolls` rolls have a run of at least `length` successes, each of
/// which has the probability `chance`.
///
/// # Examples
///
/// ```
/// use lowcrawl_vasl::luck::longest_run_odds;
///
/// // Of eight series of three rolls, three have two successes in a row: 110, 011, 111.
/// assert!((longest_run_odds(3, 2, 0.5) - 3.0 / 8.0).abs() < 1e-12);
/// ```
pub fn longest_run_odds(rolls: usize, length: usize, chance: f64) -> f64 {
    if length == 0 || length > rolls {
        return if length == 0 { 1.0 } else { 0.0 };
    }
    // The probability of a current run of each length, with no longer one so far.
    let mut running = vec![0.0; length];
    running[0] = 1.0;
    let mut found = 0.0;
    for _ in 0..rolls {
        found += running[length - 1] * chance;
        let ended = running.iter().sum::<f64>() * (1.0 - chance);
        for at in (1..length).rev() {
            running[at] = running[at - 1] * chance;
        }
        running[0] = ended;
    }
    found
}

/// The distribution of the sum of some six-sided dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// The smallest sum whose probability is kept.
    from: usize,
    chances: Vec<f64>,
}

impl Sums {
    /// Returns the distribution for a number of dice, by convolution.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_vasl::luck::Sums;
    ///
    /// assert!((Sums::new(2).at_most(3) - 3.0 / 36.0).abs() < 1e-12);
    /// ```
    pub fn new(dice: usize) -> Sums {
        let mut all = Sums { from: 0, chances: vec![1.0] };
        for bit in (0..usize::BITS - dice.leading_zeros()).rev() {
            all = all.with(&all);
            if dice >> bit & 1 == 1 {
                all = all.with(&Sums { from: 1, chances: vec![1.0 / 6.0; 6] });
            }
        }
        all
    }

    fn with(&self, other: &Sums) -> Sums {
        let mut chances = vec![0.0; self.chances.len() + other.chances.len() - 1];
        for (place, one) in self.chances.iter().enumerate() {
            for (sum, other) in chances[place..].iter_mut().zip(&other.chances) {
                *sum += one * other;
            }
        }
        let counts = |chance: &f64| *chance >= LEAST;
        let first = chances.iter().position(counts).unwrap_or(0);
        let last = chances.iter().rposition(counts).unwrap_or(0);
        Sums { from: self.from + other.from + first, chances: chances[first..=last].to_vec() }
    }

    /// Returns the probability of a sum or a lower one.
    pub fn at_most(&self, sum: usize) -> f64 {
        let places = (sum + 1).saturating_sub(self.from).min(self.chances.len());
        self.part(places, true)
    }

    /// Returns the probability of a sum or a higher one.
    pub fn at_least(&self, sum: usize) -> f64 {
        let place = sum.saturating_sub(self.from).min(self.chances.len());
        self.part(place, false)
    }

    /// Returns the probability of the sums before an index, or of those from it on. The smaller of
    /// both is added up, so that what is certain has the probability 1.
    fn part(&self, index: usize, is_before: bool) -> f64 {
        let (before, rest) = self.chances.split_at(index);
        let (before, rest): (f64, f64) = (before.iter().sum(), rest.iter().rev().sum());
        let (own, other) = if is_before { (before, rest) } else { (rest, before) };
        if own > other { 1.0 - other } else { own }
    }

    /// Returns the bounds of the central interval with probability `chance` (0 to 1).
    fn middle(&self, chance: f64) -> (usize, usize) {
        let tail = (1.0 - chance) / 2.0;
        let end = |mut places: Box<dyn Iterator<Item = (usize, &f64)> + '_>| {
            let mut sum = 0.0;
            let is_in = |(_, share): &(usize, &f64)| {
                sum += *share;
                sum > tail
            };
            places.find(is_in).map_or(0, |(place, _)| self.from + place)
        };
        let all = || self.chances.iter().enumerate();
        (end(Box::new(all())), end(Box::new(all().rev())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_normal_band_agree_for_many_rolls() {
        let (low, high) = band(EXACT_BAND);
        let half = NINETEEN_IN_TWENTY * (VARIANCE / EXACT_BAND as f64).sqrt();
        assert!((low - 7.0 + half).abs() < 0.02 && (high - 7.0 - half).abs() < 0.02);
    }

    #[test]
    fn counts_and_runs_equal_an_enumeration() {
        // Ten fair coins: 1 or fewer heads in 11 of 1024 cases, 2 or fewer in 56.
        assert_eq!(fair_count(10, 0.5), (2, 8));
        assert_eq!((fair_count(0, 0.5), fair_count(1, 1.0 / 36.0)), ((0, 0), (0, 1)));
        let (low, high) = fair_count(EXACT_COUNT, 1.0 / 6.0);
        let (beyond_low, beyond_high) = fair_count(EXACT_COUNT + 1, 1.0 / 6.0);
        assert!(low.abs_diff(beyond_low) <= 1 && high.abs_diff(beyond_high) <= 1);
        for rolls in 0..=10usize {
            for length in 0..=rolls + 1 {
                let has_run = |case: &usize| {
                    let bits = format!("{case:0rolls$b}");
                    bits.split('0').any(|run| run.len() >= length && (rolls > 0 || length == 0))
                };
                let runs = (0..1usize << rolls).filter(has_run).count();
                let odds = runs as f64 / (1u64 << rolls) as f64;
                let found = longest_run_odds(rolls, length, 0.5);
                assert!((found - odds).abs() < 1e-12, "{rolls} {length}: {found} {odds}");
            }
        }
    }

    fn roll(player: &str, kind: RollKind, dice: RolledDice, nth: u32, serial: (u32, u32)) -> Roll {
        Roll { player: player.to_string(), kind, dice, nth: Some(nth), serial: Some(serial) }
    }

    #[test]
    fn coloured_and_white_dice_are_compared() {
        let pairs = [(1, 6), (1, 5), (2, 6)];
        let rolls = (1..).zip(pairs).map(|(nth, (coloured, white))| {
            roll("A", RollKind::Ift, RolledDice::Two(coloured, white), nth, (1, nth))
        });
        let tallies = Sessions::new(vec![rolls.collect()]).tallies();
        let names: Vec<&str> = tallies.iter().map(|tally| tally.group.name()).collect();
        assert_eq!(names, ["IFT", "low DR", "all DR"]);
        let pairs = tallies[0].pairs.unwrap();
        assert_eq!((pairs.coloured, pairs.white), (4, 17));
        let far = |away: usize| {
            let dice: Vec<[usize; 6]> = (0..46_656usize)
                .map(|case| std::array::from_fn(|die| case / 6usize.pow(die as u32) % 6))
                .collect();
            let sum = |dice: &[usize]| dice.iter().sum::<usize>();
            dice.iter().filter(|dice| sum(&dice[..3]).abs_diff(sum(&dice[3..])) >= away).count()
        };
        assert!((pairs.difference_odds - far(13) as f64 / 46_656.0).abs() < 1e-12);
    }

    #[test]
    fn gaps_of_the_counters_are_reported_missing() {
        let dr = move |nth, serial| roll("A", RollKind::Ift, RolledDice::Two(3, 4), nth, serial);
        let one = |nth, serial| roll("A", RollKind::Sniper, RolledDice::One(3), nth, serial);
        let missing = |rolls: Vec<Roll>| {
            let missing_rolls = Sessions::new(vec![rolls]).missing();
            missing_rolls.first().map_or(0, |missing| missing.numbers)
        };
        assert_eq!(missing(vec![dr(1, (1, 50)), dr(2, (1, 3)), one(1, (1, 9)), dr(3, (1, 77))]), 0);
        assert_eq!(missing(vec![dr(1, (1, 50)), dr(2, (1, 3)), dr(5, (1, 77))]), 2);
        // One counter for both sorts; a restarted session; a log that begins late.
        assert_eq!(missing(vec![dr(1, (1, 50)), one(2, (1, 3)), dr(3, (1, 77))]), 0);
        assert_eq!(missing(vec![dr(7, (1, 50)), dr(8, (1, 3)), dr(1, (1, 77)), dr(2, (1, 8))]), 0);
        let rising = |gap: u32| (1..=6).map(move |n| dr(n, (1, n + if n > 3 { gap } else { 0 })));
        assert_eq!((missing(rising(0).collect()), missing(rising(2).collect())), (0, 2));
        // A series that began and ended in the log has 99 numbers.
        let shuffled = |left_out: u32| {
            let numbers = (0..99).map(move |place| (1, place * 40 % 99 + 1));
            let numbers = numbers.filter(move |(_, number)| *number != left_out);
            let all = numbers.chain([(2, 17), (2, 4)]).collect::<Vec<_>>();
            (1..).zip(all).map(|(nth, serial)| dr(nth, serial)).collect::<Vec<_>>()
        };
        assert_eq!((missing(shuffled(0)), missing(shuffled(33))), (0, 1));
    }

    /// Counts results of several DR by total: each multiset once, weighted by its orders.
    fn listed(rolls: u32) -> Vec<u128> {
        let mut ways = vec![0u128; 12 * rolls as usize + 1];
        fn list(total: usize, left: u32, sum: usize, weight: u128, ways: &mut [u128]) {
            if total == 13 {
                if left == 0 {
                    ways[sum] += weight;
                }
                return;
            }
            let faces = 6 - (total as i128 - 7).unsigned_abs();
            let mut chosen = 1u128;
            for count in 0..=left {
                list(total + 1, left - count, sum + total * count as usize, weight * chosen, ways);
                // One more of this total, placed anywhere among the rolls left.
                chosen = chosen * faces * u128::from(left - count) / u128::from(count + 1);
            }
        }
        list(2, rolls, 0, 1, &mut ways);
        ways
    }

    #[test]
    fn tail_odds_equal_an_enumeration() {
        for rolls in [1, 2, 3, 5, 8, 12] {
            let (ways, all) = (listed(rolls), 36f64.powi(rolls as i32));
            assert_eq!(ways.iter().sum::<u128>(), 36u128.pow(rolls));
            let sums = Sums::new(2 * rolls as usize);
            for total in 2 * rolls as usize..=12 * rolls as usize {
                let low = ways[..=total].iter().sum::<u128>() as f64 / all;
                let high = ways[total..].iter().sum::<u128>() as f64 / all;
                let odds = (sums.at_most(total), sums.at_least(total));
                assert!((odds.0 / low - 1.0).abs() < 1e-12, "{rolls} {total}: {odds:?} {low}");
                assert!((odds.1 / high - 1.0).abs() < 1e-12, "{rolls} {total}: {odds:?} {high}");
            }
        }
        assert_eq!((Sums::new(0).at_most(0), Sums::new(1).at_least(7)), (1.0, 0.0));
        assert!((Sums::new(1).at_most(2) - 1.0 / 3.0).abs() < 1e-15);
    }
}
