//! Fast Monte Carlo over a transition table: three rolls a step, and four sequences interleaved.
//!
//! Three techniques, each measured in `benches/reference_job.rs`, change no count:
//!
//! * **No branch at the end of a sequence.** The last transition leads to the first row. Its
//!   landing (the outcomes it notes) tells the end, so counting landings is enough.
//! * **Lanes.** Each step of a sequence waits for the memory load of the step before. Several
//!   sequences run side by side, each in a lane with its own dice, to hide this latency.
//! * **Composed rolls.** Three DR are one digit of base 36^3, three d20 one of base 20^3, for one
//!   step in a table of all triples of roll classes. Its landings are lists of three landings.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::EngineError;
use super::automaton::{Cell, Table};
use super::monitor::{Checkpoint, Monitor};
use crate::dice::Base;
use crate::dice::stream::{
    CHUNK, CODES_PER_WORD, ChunkStream, LANES, lane_quota, next_code, next_digit,
};

/// The largest number of cells of a composed table (three rolls a step), to fit the CPU caches.
const MAX_COMPOSED_CELLS: usize = 1 << 14;

pub(super) struct Walk<'a> {
    table: &'a Table,
    rolls_per_step: u32,
    /// The roll class of each digit, padded to a power of two: a masked digit needs no check.
    class_of: Vec<u8>,
    /// The transitions. Rows are premultiplied by the row width, landings by [`LANES`].
    cells: Vec<Cell>,
    /// The landings (lists of outcomes) of the single rolls within each composed landing.
    passed: Vec<Vec<u32>>,
    /// The number of sequences that end within each composed landing.
    ends: Vec<u8>,
}

impl<'a> Walk<'a> {
    /// Prepares a table, with three rolls a step if the table of triples stays small.
    pub fn new(table: &'a Table, watch: Monitor) -> Result<Self, EngineError> {
        let rows = table.rows();
        let triples = table.classes.pow(3);
        let is_small = triples <= 255 && rows * triples <= MAX_COMPOSED_CELLS;
        let rolls_per_step = if is_small { 3 } else { 1 };
        let classes = table.classes.pow(rolls_per_step);
        let mut landings: IndexSet<Vec<u32>, FxBuildHasher> = IndexSet::default();
        let mut cells = Vec::with_capacity(rows * classes);
        for first in 0..rows {
            watch.check_cancelled()?;
            for class in 0..classes {
                let mut row = first;
                let mut passed = Vec::with_capacity(rolls_per_step as usize);
                for place in (0..rolls_per_step).rev() {
                    let cell = table.cells
                        [row * table.classes + class / table.classes.pow(place) % table.classes];
                    passed.push(cell.landing);
                    row = cell.row as usize;
                }
                let landing = landings.insert_full(passed).0;
                cells.push(Cell { row: (row * classes) as u32, landing: (landing * LANES) as u32 });
            }
        }
        let end = |&landing: &u32| u8::from(landing as usize >= table.first_end);
        let passed: Vec<Vec<u32>> = landings.into_iter().collect();
        let mut class_of = vec![0u8];
        for _ in 0..rolls_per_step {
            let next = |&class: &u8| {
                table.class_of.iter().map(move |last| class * table.classes as u8 + last)
            };
            class_of = class_of.iter().flat_map(next).collect();
        }
        class_of.resize(class_of.len().next_power_of_two(), 0);
        Ok(Walk {
            table,
            rolls_per_step,
            class_of,
            cells,
            ends: passed.iter().map(|passed| passed.iter().map(end).sum()).collect(),
            passed,
        })
    }

    /// Plays the sequences of one chunk and adds their counts to `tally`. All lanes advance
    /// together. Each round of dice words is so short that no lane exceeds its quota, since a roll
    /// ends at most one sequence. The rest is played lane by lane; rolls beyond a quota are lost.
    pub fn play_chunk(
        &self,
        seed: u64,
        chunk: u64,
        sequences: u64,
        tally: &mut Checkpoint,
        watch: Monitor,
    ) -> Result<(), EngineError> {
        assert!(sequences <= CHUNK, "a chunk has at most {CHUNK} sequences");
        tally.sequences += sequences;
        if self.cells.is_empty() {
            return Ok(());
        }
        let mut stream = ChunkStream::new(self.table.base, seed, chunk);
        let mut counts = vec![0u32; self.passed.len() * LANES];
        let mut rows = [0u32; LANES];
        let quota: [u64; LANES] = std::array::from_fn(|lane| lane_quota(sequences, lane));
        let mut left = quota;
        loop {
            let words = left.iter().min().map_or(0, |least| least / u64::from(CODES_PER_WORD));
            if words == 0 {
                break;
            }
            watch.check_cancelled()?;
            match (self.table.base, self.rolls_per_step) {
                (Base::Dr, 3) => {
                    self.walk_words::<46656, 65536>(words, &mut stream, &mut rows, &mut counts)
                }
                (Base::Dr, _) => {
                    self.walk_words::<36, 64>(words, &mut stream, &mut rows, &mut counts)
                }
                (Base::D20, 3) => {
                    self.walk_words::<8000, 8192>(words, &mut stream, &mut rows, &mut counts)
                }
                (Base::D20, _) => {
                    self.walk_words::<20, 32>(words, &mut stream, &mut rows, &mut counts)
                }
            }
            for lane in 0..LANES {
                left[lane] = quota[lane] - self.ended(&counts, lane);
            }
        }
        for (passed, lanes) in self.passed.iter().zip(counts.chunks_exact(LANES)) {
            let count = lanes.iter().map(|&count| u64::from(count)).sum::<u64>();
            for &landing in passed {
                tally.by_landing[landing as usize] += count;
            }
        }
        let width = self.table.classes.pow(self.rolls_per_step) as u32;
        self.finish_lanes(&mut stream, rows.map(|row| row / width), left, tally);
        Ok(())
    }

    /// Plays `words` words of dice in every lane (series of sequences), one base-`BASE` digit a
    /// step. `PADDED` is the next power of two from `BASE`.
    fn walk_words<const BASE: u64, const PADDED: usize>(
        &self,
        words: u64,
        stream: &mut ChunkStream,
        rows: &mut [u32; LANES],
        counts: &mut [u32],
    ) {
        let Some(class_of) = self.class_of.first_chunk::<PADDED>() else { return };
        let mut at = *rows;
        for _ in 0..words {
            let mut lanes: [u64; LANES] = std::array::from_fn(|_| stream.next_word());
            for _ in 0..CODES_PER_WORD / self.rolls_per_step {
                for lane in 0..LANES {
                    let class = class_of[next_digit(BASE, &mut lanes[lane]) & (PADDED - 1)];
                    let cell = self.cells[at[lane] as usize + usize::from(class)];
                    counts[cell.landing as usize + lane] += 1;
                    at[lane] = cell.row;
                }
            }
        }
        *rows = at;
    }

    fn ended(&self, counts: &[u32], lane: usize) -> u64 {
        let of_lane = counts.iter().skip(lane).step_by(LANES);
        of_lane.zip(&self.ends).map(|(&count, &ends)| u64::from(count) * u64::from(ends)).sum()
    }

    fn finish_lanes(
        &self,
        stream: &mut ChunkStream,
        mut rows: [u32; LANES],
        mut left: [u64; LANES],
        tally: &mut Checkpoint,
    ) {
        let table = self.table;
        while left.iter().any(|&left| left > 0) {
            for lane in 0..LANES {
                let mut word = stream.next_word();
                for _ in 0..CODES_PER_WORD {
                    if left[lane] == 0 {
                        break;
                    }
                    let class = usize::from(table.class_of[next_code(table.base, &mut word)]);
                    let cell = table.cells[rows[lane] as usize * table.classes + class];
                    tally.by_landing[cell.landing as usize] += 1;
                    rows[lane] = cell.row;
                    left[lane] -= u64::from(cell.landing as usize >= table.first_end);
                }
            }
        }
    }
}
