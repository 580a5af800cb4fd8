//! A process compiled to a flat transition table by exploring all of its states.
//!
//! A row is a state that waits for a roll, and a column is a roll class: codes (rolls numbered from
//! 0, 36 for a DR) whose columns are equal in every row. A cell names the next row and the landing:
//! the outcomes noted on the way to the next roll. After a sequence it leads back to the first row,
//! so the Monte Carlo loop (`engine::walk`) needs no branch.

use std::iter;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::histogram::OUTCOMES;
use super::monitor::{Checkpoint, Monitor};
use super::order::sorted_places;
use super::{EngineError, settle};
use crate::dice::Base;
use crate::process::{Due, Process, ReportIndex, Silent};

/// The largest number of rows of a table. A process with more is simulated from its rules.
pub const MAX_ROWS: usize = 1 << 15;

const MOST_CODES: usize = Base::Dr.codes() as usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub row: u32,
    /// The index of the landing: the outcomes noted before the next roll, and whether there is one.
    pub landing: u32,
}

/// A process compiled to a transition table, for Monte Carlo.
#[derive(Clone, Debug)]
pub struct Automaton<O> {
    pub(super) table: Table,
    /// Every outcome that some sequence notes, in order of report and outcome.
    pub noted: Vec<(ReportIndex, O)>,
}

/// The transition table. It stores outcomes as indices, so that its code is compiled only once.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub base: Base,
    pub class_of: Vec<u8>,
    pub classes: usize,
    /// The cells, row by row, with `classes` cells in each row.
    pub cells: Vec<Cell>,
    /// The indices of the outcomes of each landing. Landings that end the sequence come last.
    landings: Vec<Vec<u32>>,
    pub first_end: usize,
    /// The indices of the outcomes noted before the first roll.
    at_start: Vec<u32>,
    outcomes: usize,
}

impl Checkpoint {
    pub(super) fn merged(mut self, other: &Checkpoint) -> Checkpoint {
        for (sum, count) in self.by_landing.iter_mut().zip(&other.by_landing) {
            *sum += count;
        }
        self.sequences += other.sequences;
        self
    }
}

impl<O: Clone + Ord + std::hash::Hash> Automaton<O> {
    /// Compiles `process` by exploring all states. Returns `None` if more than `max_rows` states
    /// wait for a roll, or if there are too many outcomes. The progress of the monitor counts rows.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineError::OpenChoice`] if the process leaves a choice open, and with
    /// [`EngineError::Interrupted`] when it is cancelled.
    pub fn explore<P: Process<Outcome = O>>(
        process: &P,
        max_rows: usize,
        watch: Monitor,
    ) -> Result<Option<Self>, EngineError> {
        let mut rows: IndexSet<P::State, FxBuildHasher> = IndexSet::default();
        let mut noted: IndexSet<(ReportIndex, O), FxBuildHasher> = IndexSet::default();
        let mut landings: IndexSet<(Vec<u32>, Option<usize>), FxBuildHasher> = IndexSet::default();
        let mut by_code: Vec<[u32; MOST_CODES]> = Vec::new();

        let noted_so_far = std::cell::Cell::new(0);
        let mut arrive = |mut state: P::State, rows: &mut IndexSet<P::State, FxBuildHasher>| {
            let mut outcomes = Vec::new();
            let due = settle(process, &mut state, |point, outcome| {
                outcomes.push(noted.insert_full((point, outcome)).0 as u32);
            })?;
            noted_so_far.set(noted.len());
            Ok::<_, EngineError>((outcomes, due.map(|_| rows.insert_full(state).0)))
        };
        let (at_start, _) = arrive(process.start(&mut Silent), &mut rows)?;
        while by_code.len() < rows.len() {
            if rows.len() > max_rows || noted_so_far.get() > OUTCOMES {
                return Ok(None);
            }
            watch.state(by_code.len())?;
            let state = rows[by_code.len()].clone();
            let Due::Roll(dice, terms) = process.due(&state) else {
                unreachable!("only states that wait for a roll are rows")
            };
            let mut known: Vec<(P::Reading, u32)> = Vec::new();
            let mut row = [0; MOST_CODES];
            for code in 0..P::BASE.codes() {
                let reading = process.read(&terms, dice.face_of_code(code));
                row[usize::from(code)] = match known.iter().find(|(read, _)| *read == reading) {
                    Some(&(_, landing)) => landing,
                    None => {
                        let mut follower = state.clone();
                        process.apply(&mut follower, reading, &mut Silent);
                        let landing = landings.insert_full(arrive(follower, &mut rows)?).0 as u32;
                        known.push((reading, landing));
                        landing
                    }
                };
            }
            by_code.push(row);
        }
        let landings = landings.into_iter().collect();
        let rank = sorted_places(noted.len(), &|a, b| noted[a].cmp(&noted[b]));
        let table = Table::compile(P::BASE, &by_code, landings, &rank, &at_start, watch)?;
        let noted = rank.iter().map(|&place| noted[place].clone()).collect();
        Ok(Some(Automaton { table, noted }))
    }

    /// Returns the number of states that wait for a roll.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    pub(super) fn counts(&self, tally: &Checkpoint) -> Vec<(ReportIndex, O, u64)> {
        let counts = self.noted.iter().zip(self.table.counts(tally));
        counts.map(|((point, outcome), count)| (*point, outcome.clone(), count)).collect()
    }
}

impl Table {
    /// Merges equal columns, sorts outcomes by `rank`, and moves landings that end sequences last.
    fn compile(
        base: Base,
        by_code: &[[u32; MOST_CODES]],
        landings: Vec<(Vec<u32>, Option<usize>)>,
        rank: &[usize],
        at_start: &[u32],
        watch: Monitor,
    ) -> Result<Table, EngineError> {
        let mut columns: IndexSet<Vec<u32>, FxBuildHasher> = IndexSet::default();
        let codes = usize::from(base.codes());
        let class = |code: usize| {
            columns.insert_full(by_code.iter().map(|row| row[code]).collect()).0 as u8
        };
        let class_of = (0..codes).map(class).collect();
        let classes = columns.len();

        let mut order: Vec<usize> = (0..landings.len()).collect();
        order.sort_by_key(|&landing| landings[landing].1.is_none());
        let first_end = order.iter().take_while(|&&landing| landings[landing].1.is_some()).count();
        let mut place = vec![0; landings.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let cell = |landing: u32| Cell {
            row: landings[landing as usize].1.unwrap_or(0) as u32,
            landing: place[landing as usize] as u32,
        };
        let cells = (0..by_code.len())
            .flat_map(|row| columns.iter().map(move |column| column[row]))
            .map(cell)
            .collect();

        let mut sorted_place = vec![0; rank.len()];
        for (new, &old) in rank.iter().enumerate() {
            sorted_place[old] = new as u32;
        }
        let sorted = |outcomes: &[u32]| {
            watch.check_cancelled()?;
            Ok(outcomes.iter().map(|&o| sorted_place[o as usize]).collect::<Vec<u32>>())
        };
        Ok(Table {
            base,
            class_of,
            classes,
            cells,
            landings: order
                .iter()
                .map(|&old| sorted(&landings[old].0))
                .collect::<Result<_, EngineError>>()?,
            first_end,
            at_start: sorted(at_start)?,
            outcomes: rank.len(),
        })
    }

    pub fn rows(&self) -> usize {
        self.cells.len() / self.classes.max(1)
    }

    pub fn empty_tally(&self) -> Checkpoint {
        Checkpoint { by_landing: vec![0; self.landings.len()], ..Checkpoint::default() }
    }

    /// Restores the counts of a checkpoint of the same table; zero if it is absent or does not fit.
    pub fn counted_before(&self, counted: Option<Checkpoint>) -> Checkpoint {
        let counted = counted.filter(|counted| counted.by_landing.len() == self.landings.len());
        counted.unwrap_or_else(|| self.empty_tally())
    }

    fn counts(&self, tally: &Checkpoint) -> Vec<u64> {
        let mut sums = vec![0; self.outcomes];
        let start = iter::once((&self.at_start, &tally.sequences));
        for (outcomes, count) in start.chain(self.landings.iter().zip(&tally.by_landing)) {
            for &outcome in outcomes {
                sums[outcome as usize] += count;
            }
        }
        sums
    }
}
