//! Sessions: the rolls of some logs, each counted once, however many logs hold the roll.
//!
//! The dice bot counts the rolls of a player from the start of VASSAL on, DR and dr separately or
//! together. A roll is therefore identified by player, kind, dice, number, and place in a series.
//!
//! Two logs belong to one session of a player if they share enough rolls. The shared rolls must
//! outnumber the rolls with equal numbers that differ. They must also outnumber the gaps between
//! shared rolls in which each log has rolls the other lacks. A few rolls that two games share by
//! chance do not make them one session.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::chat::Roll;

/// The maximum number of rolls of other sessions with which a roll is compared.
const MOST_COMPARED: usize = 1000;

/// The rolls of a player from one restart of the dice bot's count to the next.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub player: String,
    /// The 0-based indices of the logs that hold parts of the session.
    pub logs: Vec<usize>,
    /// The indices of the session's rolls among all rolls, in order.
    rolls: Vec<usize>,
}

/// The overlap of two logs, or of two parts of one log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// The number of rolls that both hold.
    pub same: usize,
    /// The number of rolls with the same number that differ.
    pub different: usize,
}

/// The overlap of each pair of logs, by the indices of the logs, the lower first.
pub type Overlaps = BTreeMap<[usize; 2], Overlap>;

#[derive(Clone, Debug)]
struct Entry {
    log: usize,
    roll: Roll,
    /// The session that counts the roll, and the roll's place there; `None` if a copy is counted.
    place: Option<(usize, usize)>,
}

/// The rolls of some logs by session.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    entries: Vec<Entry>,
    sessions: Vec<Session>,
    /// Rolls in two logs that are counted once.
    pub repeated: Overlaps,
    /// Equal rolls in two logs that are counted twice, because the logs are of different sessions.
    pub alike: Overlaps,
}

/// The counted rolls, by player, number of dice, and number.
type Index = HashMap<(String, usize, u32), Vec<usize>>;

/// A comparison of a part of a log with a session.
#[derive(Default)]
struct Shared {
    /// The numbered rolls that both hold, by place in the session and place in the part.
    pairs: Vec<(usize, usize)>,
    different: usize,
}

/// The alignment of a part of a log with a session, found from the rolls that both contain.
#[derive(Default)]
struct Aligned {
    /// The number of rolls that both hold, including those without a number.
    same: usize,
    /// The number of stretches between pairs in which each side has rolls the other lacks.
    gaps: usize,
    /// The rolls that the session lacks, each with the place before which the roll belongs.
    lacking: Vec<(usize, usize)>,
}

impl Sessions {
    /// Groups the rolls of some logs, given in order, into sessions.
    pub fn new(logs: Vec<Vec<Roll>>) -> Sessions {
        let mut sessions = Sessions::default();
        let mut index = Index::new();
        for (log, rolls) in logs.into_iter().enumerate() {
            for part in sessions.split(log, rolls) {
                sessions.add(part, &mut index);
            }
        }
        sessions
    }

    /// Returns all sessions in the order of their first rolls.
    pub fn all(&self) -> impl Iterator<Item = &Session> {
        self.sessions.iter().filter(|session| !session.rolls.is_empty())
    }

    /// Returns the indices of a session's rolls among the rolls of all logs, in order.
    pub fn indices<'a>(&self, session: &'a Session) -> &'a [usize] {
        &session.rolls
    }

    /// Returns the rolls of a session in order.
    pub fn rolls<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = &'a Roll> {
        session.rolls.iter().map(|number| self.roll(*number))
    }

    fn roll(&self, number: usize) -> &Roll {
        &self.entries[number].roll
    }

    /// Counts rolls in doubt: those without a number whose player has such rolls in several logs.
    pub fn unnumbered(&self) -> usize {
        let mut by_player: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for Entry { log, roll, place } in &self.entries {
            if place.is_some() && roll.nth.is_none() {
                by_player.entry(&roll.player).or_default().push(*log);
            }
        }
        let several = by_player.values().filter(|logs| logs.first() != logs.last());
        several.map(Vec::len).sum()
    }

    /// Stores the rolls of a log, and returns them by player and by count of the dice bot.
    fn split(&mut self, log: usize, rolls: Vec<Roll>) -> Vec<Session> {
        let mut parts: Vec<Session> = Vec::new();
        // The part each player is in, and the last numbers of DR and of dr in that part.
        let mut current: HashMap<String, (usize, BTreeMap<usize, u32>)> = HashMap::new();
        for roll in rolls {
            let dice = roll.dice.number();
            let (part, last) = current.entry(roll.player.clone()).or_default();
            let begins_anew = last.get(&dice).zip(roll.nth).is_some_and(|(last, nth)| nth <= *last);
            if begins_anew || parts.get(*part).is_none_or(|part| part.player != roll.player) {
                let player = roll.player.clone();
                parts.push(Session { player, logs: vec![log], rolls: Vec::new() });
                *part = parts.len() - 1;
                last.clear();
            }
            last.extend(roll.nth.map(|nth| (dice, nth)));
            parts[*part].rolls.push(self.entries.len());
            self.entries.push(Entry { log, roll, place: None });
        }
        parts
    }

    /// Adds a part of a log to the sessions it belongs to, which are merged, or as a new session.
    fn add(&mut self, part: Session, index: &mut Index) {
        let mut own = Vec::new();
        for (place, compared) in self.compare(&part.rolls, index) {
            let session = &self.sessions[place];
            let aligned = self.align(&session.rolls, &part.rolls, &compared.pairs);
            let is_one = aligned.same > compared.different.max(aligned.gaps);
            own.extend(is_one.then_some(place));
            let overlaps = if is_one { &mut self.repeated } else { &mut self.alike };
            let mut logs = [0; 2];
            for (known, at) in &compared.pairs {
                let both = [session.rolls[*known], part.rolls[*at]];
                logs = both.map(|number| self.entries[number].log);
                overlaps.entry(logs).or_default().same += 1;
            }
            if let Some(last) = overlaps.get_mut(&logs) {
                // Rolls without a number are in no pair.
                last.same += aligned.same - compared.pairs.len();
                last.different += compared.different;
            }
        }
        let home = own.first().copied().unwrap_or_else(|| {
            self.sessions.push(Session { player: part.player.clone(), ..Session::default() });
            self.sessions.len() - 1
        });
        self.merge(home, part, index);
        for other in own.into_iter().skip(1) {
            let other = std::mem::take(&mut self.sessions[other]);
            other.rolls.iter().for_each(|number| self.entries[*number].place = None);
            self.merge(home, other, index);
        }
    }

    /// Compares rolls with the sessions that hold some of them.
    fn compare(&self, rolls: &[usize], index: &Index) -> BTreeMap<usize, Shared> {
        let mut all: BTreeMap<usize, Shared> = BTreeMap::new();
        for (at, roll) in rolls.iter().map(|number| self.roll(*number)).enumerate() {
            let mut sessions = BTreeSet::new();
            // The rolls with the same number, each with its session and its place in that session.
            for number in count(roll).and_then(|count| index.get(&count)).into_iter().flatten() {
                let Some((session, place)) = self.entries[*number].place else { continue };
                sessions.insert(session);
                if self.roll(*number) == roll {
                    all.entry(session).or_default().pairs.push((place, at));
                }
            }
            for session in sessions {
                let compared = all.entry(session).or_default();
                let is_paired = compared.pairs.last().is_some_and(|pair| pair.1 == at);
                compared.different += usize::from(!is_paired);
            }
        }
        all.retain(|_, compared| !compared.pairs.is_empty());
        all
    }

    fn align(&self, known: &[usize], part: &[usize], pairs: &[(usize, usize)]) -> Aligned {
        let mut aligned = Aligned::default();
        let mut is_paired = vec![false; part.len()];
        pairs.iter().for_each(|(_, at)| is_paired[*at] = true);
        // The places after the last pair, in the session and in the part.
        let (mut from, mut at) = (0, 0);
        for (to, end) in pairs.iter().copied().chain([(known.len(), part.len())]) {
            // If logs lack rolls, the order of a session is uncertain.
            if to < from {
                continue;
            }
            let gap = || known[from..to].iter().map(|number| self.roll(*number));
            let mut left: HashMap<&Roll, usize> = HashMap::new();
            for roll in gap().filter(|roll| roll.nth.is_none()) {
                *left.entry(roll).or_default() += 1;
            }
            let mut matching = usize::from(end < part.len());
            let before = if at == 0 { to } else { from };
            let lacking = aligned.lacking.len();
            for (number, is_paired) in part[at..end].iter().zip(&is_paired[at..end]) {
                match left.get_mut(self.roll(*number)).filter(|left| **left > 0) {
                    Some(left) => *left -= 1,
                    None if *is_paired => {}
                    None => {
                        aligned.lacking.push((before, *number));
                        continue;
                    }
                }
                matching += 1;
            }
            aligned.same += matching;
            let is_left = gap().any(|roll| left.get(roll).is_none_or(|left| *left > 0));
            aligned.gaps += usize::from(is_left && aligned.lacking.len() > lacking);
            (from, at) = (to + 1, end + 1);
        }
        aligned
    }

    fn merge(&mut self, home: usize, part: Session, index: &mut Index) {
        let compared = self.compare(&part.rolls, index).remove(&home).unwrap_or_default();
        let session = &self.sessions[home];
        let Aligned { lacking, .. } = self.align(&session.rolls, &part.rolls, &compared.pairs);
        let mut rolls = Vec::with_capacity(session.rolls.len() + lacking.len());
        let mut new = lacking.iter().peekable();
        for place in 0..=session.rolls.len() {
            while let Some((_, number)) = new.next_if(|(before, _)| *before == place) {
                rolls.push(*number);
            }
            rolls.extend(session.rolls.get(place));
        }
        for (place, number) in rolls.iter().enumerate() {
            self.entries[*number].place = Some((home, place));
        }
        for (_, number) in lacking {
            if let Some(count) = count(self.roll(number)) {
                let alike = index.entry(count).or_default();
                let is_new = alike.len() < MOST_COMPARED && !alike.contains(&number);
                alike.extend(is_new.then_some(number));
            }
        }
        let session = &mut self.sessions[home];
        session.rolls = rolls;
        session.logs.extend(part.logs);
        session.logs.sort_unstable();
        session.logs.dedup();
    }
}

/// Returns the key of a roll in the index, or `None` for a roll without a number.
fn count(roll: &Roll) -> Option<(String, usize, u32)> {
    Some((roll.player.clone(), roll.dice.number(), roll.nth?))
}

#[cfg(test)]
mod tests {
    use super::super::chat::rolls;
    use super::*;

    /// Returns a log of Alice's rolls: dice, numbers, and places in the series.
    fn log(entries: &[(&str, u32, u32)]) -> Vec<Roll> {
        let line = |(dice, nth, serial): &(&str, u32, u32)| {
            format!("*** (IFT DR) {dice} *** <Alice> [1 / {nth} avg 7 (7)] (01.{serial:02})")
        };
        entries.iter().flat_map(|roll| rolls(&line(roll))).collect()
    }

    fn numbers(sessions: &Sessions) -> Vec<Vec<u32>> {
        let of_session = |session| sessions.rolls(session).filter_map(|roll| roll.nth).collect();
        sessions.all().map(of_session).collect()
    }

    #[test]
    fn missing_rolls_are_inserted_from_another_log() {
        let one = log(&[("1,2", 2, 7), ("3,4", 4, 50), ("6,6", 5, 3)]);
        let other = log(&[("2,2", 1, 9), ("1,2", 2, 7), ("5,1", 3, 8), ("3,4", 4, 50)]);
        let sessions = Sessions::new(vec![one, other]);
        assert_eq!(numbers(&sessions), [[1, 2, 3, 4, 5]]);
        let overlap = Overlap { same: 2, different: 0 };
        assert_eq!(sessions.repeated, BTreeMap::from([([0, 1], overlap)]));
        assert_eq!(sessions.all().map(|session| &session.logs[..]).collect::<Vec<_>>(), [[0, 1]]);
    }

    #[test]
    fn log_that_overlaps_two_others_joins_their_sessions() {
        let early = log(&[("1,2", 1, 7), ("3,4", 2, 50)]);
        let late = log(&[("6,5", 4, 1), ("2,1", 5, 2)]);
        let between = log(&[("3,4", 2, 50), ("1,1", 3, 90), ("6,5", 4, 1)]);
        assert_eq!(numbers(&Sessions::new(vec![early.clone(), late.clone()])), [[1, 2], [4, 5]]);
        let sessions = Sessions::new(vec![early, late, between]);
        assert_eq!(numbers(&sessions), [[1, 2, 3, 4, 5]]);
        assert_eq!(sessions.repeated.keys().collect::<Vec<_>>(), [&[0, 2], &[1, 2]]);
    }

    #[test]
    fn restarted_count_starts_another_session() {
        let one = log(&[("1,2", 1, 7), ("3,4", 2, 50), ("1,2", 1, 8), ("3,4", 2, 51)]);
        assert_eq!(numbers(&Sessions::new(vec![one.clone()])), [[1, 2], [1, 2]]);
        assert_eq!(numbers(&Sessions::new(vec![one.clone(), one])), [[1, 2], [1, 2]]);
    }

    #[test]
    fn logs_with_different_gaps_form_one_session() {
        let all = log(&[1, 2, 3, 4, 5, 6, 7, 8, 9].map(|nth| ("1,2", nth, 10 * nth)));
        let [one, other] = [2..5, 4..7].map(|gap: std::ops::Range<usize>| {
            let kept = all.iter().enumerate().filter(|(place, _)| !gap.contains(place));
            kept.map(|(_, roll)| roll.clone()).collect::<Vec<_>>()
        });
        let sessions = Sessions::new(vec![one, other]);
        assert_eq!(sessions.all().count(), 1);
        let mut numbers = numbers(&sessions).remove(0);
        // Where both logs lack rolls, their order is unknown.
        numbers.sort_unstable();
        assert_eq!(numbers, [1, 2, 3, 4, 6, 7, 8, 9]);
    }

    #[test]
    fn unnumbered_roll_is_matched_by_its_neighbours() {
        let mut one = log(&[("1,2", 1, 7), ("3,4", 2, 50), ("6,6", 3, 3)]);
        let extra = rolls("*** 3d6 = 1,2,3 *** <Alice>");
        one.splice(2..2, extra.clone());
        let sessions = Sessions::new(vec![one[1..].to_vec(), one[..4].to_vec()]);
        assert_eq!(sessions.all().map(|session| session.rolls.len()).collect::<Vec<_>>(), [5]);
        assert_eq!(sessions.unnumbered(), 0);
        // Alone they could be any rolls.
        let sessions = Sessions::new(vec![extra.clone(), extra]);
        assert_eq!((sessions.all().count(), sessions.unnumbered()), (2, 4));
    }

    #[test]
    fn roll_equal_by_chance_is_counted_twice() {
        let one = log(&[("1,2", 1, 7), ("3,4", 2, 50)]);
        let other = log(&[("1,2", 1, 7), ("3,4", 2, 51)]);
        let sessions = Sessions::new(vec![one, other]);
        assert_eq!(numbers(&sessions), [[1, 2], [1, 2]]);
        assert!(sessions.repeated.is_empty());
        let overlap = Overlap { same: 1, different: 1 };
        assert_eq!(sessions.alike, BTreeMap::from([([0, 1], overlap)]));
    }
}
