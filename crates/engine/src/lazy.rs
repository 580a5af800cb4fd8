//! A transition table that is filled only as far as sequences reach: a lazy DFA.
//!
//! A full table may be too big, but most sequences pass through few states, again and again. A row
//! is a state that waits for a roll. A step is the transition of one roll: the outcomes noted on
//! the way to the next roll, and the row of that roll. The rules compute a step when a sequence
//! first takes it. Once the table is full, a sequence continues by the rules until it is back on
//! the table. Dice come in the same order, so counts of steps give the counts of a simulation by
//! the rules. Rows and steps remember the dice that found them, for [`DrawnOutcome`].

use std::ops::Range;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::histogram::{Histogram, OUTCOMES};
use super::monitor::DrawnOutcome;
use super::{EngineError, settle};
use crate::dice::stream::DiceLane;
use crate::process::{Due, Process, ReportIndex, Silent};

/// The marker of a step that no sequence has taken yet.
const UNKNOWN: u32 = u32::MAX;
/// The marker instead of a row for a sequence that is over.
const OVER: u32 = u32::MAX;

/// A step, and the row in which the sequence continues, or [`OVER`]. Both stand together because
/// most of the time goes into waiting for the next row.
#[derive(Clone, Copy, Debug)]
struct Next {
    step: u32,
    row: u32,
}

impl Next {
    const UNKNOWN: Next = Next { step: UNKNOWN, row: OVER };
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The index in `notes` of the step's first outcome; the last is before those of the next step.
    notes: u32,
    /// The row and the code (roll numbered from 0) by which the step was found first.
    from: u32,
    code: u8,
}

/// The dice of a lane, the number of sequences that it has not begun, and the row of the one that
/// it plays, or [`OVER`].
pub(super) struct Lane {
    dice: DiceLane,
    sequences: u64,
    row: u32,
}

impl Lane {
    /// Creates a lane for this number of sequences.
    pub fn new(dice: DiceLane, sequences: u64) -> Lane {
        Lane { dice, sequences, row: OVER }
    }
}

pub(super) struct LazyTable<'a, P: Process> {
    process: &'a P,
    most: usize,
    /// True to record the dice that lead to each outcome.
    kept: bool,
    rows: IndexSet<P::State, FxBuildHasher>,
    first_step: Vec<u32>,
    /// What follows each code of the base, row by row.
    by_code: Vec<Next>,
    /// Step 0, which leads from the start to the first roll.
    start: Next,
    steps: Vec<Step>,
    /// The number of times that sequences took each step.
    counts: Vec<u64>,
    notes: Vec<u32>,
    noted: IndexSet<(ReportIndex, P::Outcome), FxBuildHasher>,
}

impl<'a, P: Process> LazyTable<'a, P> {
    /// Creates a table with the way to the first roll only, for at most `most` rows (at least one).
    pub fn new(process: &'a P, most: usize, kept: bool) -> Result<LazyTable<'a, P>, EngineError> {
        let mut table = LazyTable {
            process,
            most,
            kept,
            rows: IndexSet::default(),
            first_step: Vec::new(),
            by_code: Vec::new(),
            start: Next::UNKNOWN,
            steps: Vec::new(),
            counts: Vec::new(),
            notes: Vec::new(),
            noted: IndexSet::default(),
        };
        table.start = table.step_to(process.start(&mut Silent), 0, 0)?;
        Ok(table)
    }

    /// Plays the sequences of some lanes side by side, so that one does not wait for the row of
    /// another. `tally` counts the outcomes noted off the table. `ended` is called after each
    /// sequence.
    pub fn play<const N: usize>(
        &mut self,
        mut lanes: [Lane; N],
        tally: &mut Histogram<P::Outcome, DrawnOutcome>,
        mut ended: impl FnMut(&Histogram<P::Outcome, DrawnOutcome>) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut unplayed: u64 = lanes.iter().map(|lane| lane.sequences).sum();
        while unplayed > 0 {
            for Lane { dice, sequences, row } in &mut lanes {
                let next = if *row != OVER {
                    let code = dice.next_code();
                    let place = *row as usize * P::BASE.codes() as usize + usize::from(code);
                    match self.by_code[place] {
                        Next { step: UNKNOWN, .. } if self.is_full() => {
                            let row = self.leave(*row, code, dice, tally)?;
                            Next { step: UNKNOWN, row }
                        }
                        Next { step: UNKNOWN, .. } => self.explore(*row, code)?,
                        known => known,
                    }
                } else if *sequences > 0 {
                    *sequences -= 1;
                    self.start
                } else {
                    continue;
                };
                if next.step != UNKNOWN {
                    self.counts[next.step as usize] += 1;
                }
                *row = next.row;
                if *row == OVER {
                    unplayed -= 1;
                    ended(tally)?;
                }
            }
        }
        Ok(())
    }

    /// Continues by the rules, from `code` on `row` to a row after a noted outcome, or [`OVER`].
    fn leave(
        &self,
        row: u32,
        code: u8,
        dice: &mut DiceLane,
        tally: &mut Histogram<P::Outcome, DrawnOutcome>,
    ) -> Result<u32, EngineError> {
        let (mut state, _) = self.after(row, code);
        let (mut codes, mut place) = (Vec::new(), 0);
        codes.extend(self.kept.then_some(code));
        loop {
            let noted = place;
            let due = settle(self.process, &mut state, |point, outcome| {
                let drawn = tally.entry(point, outcome);
                if drawn.count == 0 && self.kept {
                    let (before, way) = self.way(self.first_step[row as usize]);
                    (drawn.place, drawn.codes) = (before + place, [&*way, &*codes].concat());
                }
                drawn.count += 1;
                place += 1;
            })?;
            let Some((due, terms)) = due else { return Ok(OVER) };
            if place > noted
                && self.most > 0
                && let Some(row) = self.rows.get_index_of(&state)
            {
                return Ok(row as u32);
            }
            let code = dice.next_code();
            codes.extend(self.kept.then_some(code));
            let reading = self.process.read(&terms, due.face_of_code(code));
            self.process.apply(&mut state, reading, &mut Silent);
        }
    }

    /// Returns the number of outcomes noted from the start through a step, and the codes rolled.
    fn way(&self, mut step: u32) -> (u32, Vec<u8>) {
        let (mut noted, mut codes) = (self.notes_of(0).len(), Vec::new());
        while step > 0 {
            let Step { from, code, .. } = self.steps[step as usize];
            noted += self.notes_of(step).len();
            codes.push(code);
            step = self.first_step[from as usize];
        }
        codes.reverse();
        (noted as u32, codes)
    }

    fn notes_of(&self, step: u32) -> Range<usize> {
        let step = step as usize;
        let end = self.steps.get(step + 1).map_or(self.notes.len(), |next| next.notes as usize);
        self.steps[step].notes as usize..end
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= self.most || self.noted.len() > OUTCOMES
    }

    /// Returns the state after a row and a code, and all codes with the same reading.
    fn after(&self, row: u32, code: u8) -> (P::State, impl Iterator<Item = usize>) {
        let mut state = self.rows[row as usize].clone();
        let Due::Roll(dice, terms) = self.process.due(&state) else {
            unreachable!("only states that wait for a roll are rows")
        };
        let process = self.process;
        let read = move |code| process.read(&terms, dice.face_of_code(code));
        let reading = read(code);
        process.apply(&mut state, reading, &mut Silent);
        (state, (0..P::BASE.codes()).filter(move |&code| read(code) == reading).map(usize::from))
    }

    fn explore(&mut self, row: u32, code: u8) -> Result<Next, EngineError> {
        let (state, alike) = self.after(row, code);
        let alike: SmallVec<[usize; 36]> = alike.collect();
        let next = self.step_to(state, row, code)?;
        for code in alike {
            self.by_code[row as usize * P::BASE.codes() as usize + code] = next;
        }
        Ok(next)
    }

    fn step_to(&mut self, mut state: P::State, from: u32, code: u8) -> Result<Next, EngineError> {
        let (step, notes) = (self.steps.len() as u32, self.notes.len() as u32);
        let due = settle(self.process, &mut state, |point, outcome| {
            self.notes.push(self.noted.insert_full((point, outcome)).0 as u32);
        })?;
        let row = due.map_or(OVER, |_| self.rows.insert_full(state).0 as u32);
        if self.rows.len() > self.first_step.len() {
            self.first_step.push(step);
            self.by_code.resize(self.rows.len() * P::BASE.codes() as usize, Next::UNKNOWN);
        }
        self.steps.push(Step { notes, from, code });
        self.counts.push(0);
        Ok(Next { step, row })
    }

    pub fn count(
        &mut self,
        tally: &mut Histogram<P::Outcome, DrawnOutcome>,
    ) -> Result<(), EngineError> {
        // For each outcome: the count, the first step that notes it, and its index in that step.
        let mut counts = vec![(0, 0, 0); self.noted.len()];
        for step in (0..self.steps.len() as u32).rev() {
            let count = std::mem::take(&mut self.counts[step as usize]);
            for (place, &noted) in (0..).zip(&self.notes[self.notes_of(step)]) {
                let (sum, ..) = counts[noted as usize];
                counts[noted as usize] = (sum + count, step, place);
            }
        }
        for ((point, outcome), &(count, step, place)) in self.noted.iter().zip(&counts) {
            if count == 0 {
                continue;
            }
            let drawn = tally.entry(*point, outcome.clone());
            if drawn.count == 0 && self.kept {
                let (noted, codes) = self.way(step);
                let here = self.notes_of(step).len() as u32;
                (drawn.place, drawn.codes) = (noted - here + place, codes);
            }
            drawn.count += count;
            tally.check()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Face};
    use crate::monitor::Monitor;
    use crate::monte_carlo::play;
    use crate::process::{Event, Log};
    use crate::samples::{counted, counted_before};

    /// A marker moves eight times on 11 boxes. Every other roll reports its box and the move.
    struct Track;

    impl Process for Track {
        type State = (u8, u8, bool);
        type Terms = ();
        type Reading = u8;
        type Outcome = (&'static str, u8);

        fn start<L: Log>(&self, _: &mut L) -> (u8, u8, bool) {
            (0, 0, true)
        }
        fn due(&self, &(rolls, _, unreported): &(u8, u8, bool)) -> Due<()> {
            match rolls {
                _ if rolls % 2 == 0 && unreported => Due::Report(rolls.into()),
                8 => Due::Over,
                _ => Due::Roll(Dice::One, ()),
            }
        }
        fn read(&self, (): &(), face: Face) -> u8 {
            face.number() / 2
        }
        fn apply<L: Log>(&self, (rolls, at, unreported): &mut (u8, u8, bool), by: u8, _: &mut L) {
            (*rolls, *at, *unreported) = (*rolls + 1, (*at + by) % 11, true);
        }
        fn choose<L: Log>(&self, _: &mut (u8, u8, bool), _: usize, _: &mut L) {}
        fn report(
            &self,
            &(_, at, _): &(u8, u8, bool),
            observe: &mut dyn FnMut((&'static str, u8)),
        ) {
            observe(("at", at));
            observe(("moved", 0));
        }
        fn pass<L: Log>(&self, (_, _, unreported): &mut (u8, u8, bool), _: &mut L) {
            *unreported = false;
        }
        fn describe(&self, _: &(u8, u8, bool), (): &(), _: Face) -> Event {
            Event { rule: "", text: String::new() }
        }
    }

    #[test]
    fn lazy_table_counts_equal_those_of_the_rules() {
        const LANES: [(usize, u64); 3] = [(0, 1_200), (1, 799), (2, 1)];
        let dice = |lane| DiceLane::new(Track::BASE, 7, 0, lane);
        let mut by_rules = Histogram::watched(Monitor::NONE);
        for (lane, sequences) in LANES {
            let mut dice = dice(lane);
            for _ in 0..sequences {
                let start = Track.start(&mut Silent);
                let note = |point, outcome| by_rules.add(point, outcome, 1u64);
                play(&Track, start, |_, due| dice.roll(due), note).unwrap();
            }
        }
        let by_rules = by_rules.sorted().unwrap();
        for most in [0, 1, 5, 30, 1_000] {
            let mut tally = Histogram::watched(Monitor::NONE);
            let mut table = LazyTable::new(&Track, most, true).unwrap();
            let lanes = LANES.map(|(lane, sequences)| Lane::new(dice(lane), sequences));
            table.play(lanes, &mut tally, |_| Ok(())).unwrap();
            assert!(table.rows.len() <= most.max(1), "{most}");
            table.count(&mut tally).unwrap();
            table.count(&mut tally).unwrap();
            let tally = tally.merged(Histogram::watched(Monitor::NONE)).unwrap();
            let kept = counted(2_000, &tally);
            let (sequences, again) = counted_before(&Track, Some(kept), Monitor::NONE).unwrap();
            assert_eq!(sequences, 2_000);
            let counts = |tally: Histogram<_, DrawnOutcome>| {
                let all = tally.sorted().unwrap().into_iter();
                all.map(|(noted, drawn)| (noted, drawn.count)).collect::<Vec<_>>()
            };
            assert_eq!(counts(tally), by_rules, "{most}");
            assert_eq!(counts(again), by_rules, "{most}");
        }
    }
}
