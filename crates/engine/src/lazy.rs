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

#[derive(Clone, Copy, Debug)]
struct Step {
    /// The row in which the sequence continues, or [`OVER`].
    row: u32,
    /// The index in `notes` of the step's first outcome; the last is before those of the next step.
    notes: u32,
    count: u64,
    /// The row and the code (roll numbered from 0) by which the step was found first.
    from: u32,
    code: u8,
}

pub(super) struct LazyTable<'a, P: Process> {
    process: &'a P,
    most: usize,
    /// True to record the dice that lead to each outcome.
    kept: bool,
    rows: IndexSet<P::State, FxBuildHasher>,
    first_step: Vec<u32>,
    /// The step of each code of the base, row by row, or [`UNKNOWN`].
    by_code: Vec<u32>,
    /// All steps. Step 0 leads from the start to the first roll.
    steps: Vec<Step>,
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
            steps: Vec::new(),
            notes: Vec::new(),
            noted: IndexSet::default(),
        };
        table.step_to(process.start(&mut Silent), 0, 0)?;
        Ok(table)
    }

    /// Plays one sequence. `tally` counts the outcomes noted while the sequence is off the table.
    pub fn play(
        &mut self,
        dice: &mut DiceLane,
        tally: &mut Histogram<P::Outcome, DrawnOutcome>,
    ) -> Result<(), EngineError> {
        let mut step = 0;
        loop {
            let Step { row, count, .. } = &mut self.steps[step as usize];
            *count += 1;
            let mut row = *row;
            step = loop {
                if row == OVER {
                    return Ok(());
                }
                let code = dice.next_code();
                match self.by_code[row as usize * P::BASE.codes() as usize + usize::from(code)] {
                    UNKNOWN if self.is_full() => row = self.leave(row, code, dice, tally)?,
                    UNKNOWN => break self.explore(row, code)?,
                    known => break known,
                }
            };
        }
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
            let due = settle(self.process, &mut state, &mut Silent, |point, outcome| {
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

    fn explore(&mut self, row: u32, code: u8) -> Result<u32, EngineError> {
        let (state, alike) = self.after(row, code);
        let alike: SmallVec<[usize; 36]> = alike.collect();
        let step = self.step_to(state, row, code)?;
        for code in alike {
            self.by_code[row as usize * P::BASE.codes() as usize + code] = step;
        }
        Ok(step)
    }

    fn step_to(&mut self, mut state: P::State, from: u32, code: u8) -> Result<u32, EngineError> {
        let (step, notes) = (self.steps.len() as u32, self.notes.len() as u32);
        let due = settle(self.process, &mut state, &mut Silent, |point, outcome| {
            self.notes.push(self.noted.insert_full((point, outcome)).0 as u32);
        })?;
        let row = due.map_or(OVER, |_| self.rows.insert_full(state).0 as u32);
        if self.rows.len() > self.first_step.len() {
            self.first_step.push(step);
            self.by_code.resize(self.rows.len() * P::BASE.codes() as usize, UNKNOWN);
        }
        self.steps.push(Step { row, notes, count: 0, from, code });
        Ok(step)
    }

    pub fn count(
        &mut self,
        tally: &mut Histogram<P::Outcome, DrawnOutcome>,
    ) -> Result<(), EngineError> {
        // For each outcome: the count, the first step that notes it, and its index in that step.
        let mut counts = vec![(0, 0, 0); self.noted.len()];
        for step in (0..self.steps.len() as u32).rev() {
            let count = std::mem::take(&mut self.steps[step as usize].count);
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
            observe: &mut impl FnMut((&'static str, u8)),
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
        let dice = || DiceLane::new(Track::BASE, 7, 0, 0);
        let (mut by_rules, mut lane) = (Histogram::watched(Monitor::NONE), dice());
        for _ in 0..2_000 {
            let start = Track.start(&mut Silent);
            let note = |point, outcome| by_rules.add(point, outcome, 1u64);
            play(&Track, start, |_, due| lane.roll(due), note).unwrap();
        }
        let by_rules = by_rules.sorted().unwrap();
        for most in [0, 1, 5, 30, 1_000] {
            let (mut tally, mut lane) = (Histogram::watched(Monitor::NONE), dice());
            let mut table = LazyTable::new(&Track, most, true).unwrap();
            for _ in 0..2_000 {
                table.play(&mut lane, &mut tally).unwrap();
            }
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
