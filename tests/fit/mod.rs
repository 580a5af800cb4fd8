//! The goodness of fit of counts to exact probabilities, by a chi-squared test.

use statrs::distribution::{ChiSquared as ChiSquaredDistribution, ContinuousCDF};

/// The result of a chi-squared test of goodness of fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// The statistic `sum((observed - expected)^2 / expected)` over the pooled cells (categories).
    pub statistic: f64,
    /// The number of cells after pooling, less one.
    pub degrees_of_freedom: u64,
    /// The probability, 0 to 1, of a statistic at least this large.
    pub p_value: f64,
}

/// The reason why counts cannot be tested against probabilities.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChiSquaredError {
    #[error("{observed} counts cannot be tested against {expected} probabilities")]
    LengthsDiffer { observed: usize, expected: usize },
    /// A probability is negative or NaN, or the probabilities do not sum to 1 within 1e-9.
    #[error("the expected probabilities must sum to 1, not {sum}")]
    NoDistribution { sum: f64 },
    #[error("there are no observations to test")]
    NoObservations,
    /// A cell (category) of probability 0 was observed. `cell` is its 0-based index.
    #[error("cell {cell} was observed {count} time(s), but its probability is 0")]
    Impossible { cell: usize, count: u64 },
}

const LEAST_EXPECTED: f64 = 5.0;
const SUM_TOLERANCE: f64 = 1e-9;

/// Tests whether counts come from exact probabilities, by Pearson's chi-squared test.
///
/// Both slices have one entry per cell (category). Cells whose expected count is under 5 are pooled
/// into one. If the pooled cell is still under 5, it joins the smallest of the others: W. G.
/// Cochran, *Some Methods for Strengthening the Common Chi-squared Tests*, Biometrics 10 (1954),
/// 417-451. Cells of probability 0 are left out. A single cell gives a statistic of 0, with 0
/// degrees of freedom and a p-value of 1.
///
/// # Errors
///
/// Fails if the lengths differ, the probabilities are not a distribution, there are no
/// observations, or a cell of probability 0 was observed.
pub fn chi_squared(
    observed: &[u64],
    expected_probabilities: &[f64],
) -> Result<ChiSquared, ChiSquaredError> {
    let (cells, expected) = (observed.len(), expected_probabilities.len());
    if cells != expected {
        return Err(ChiSquaredError::LengthsDiffer { observed: cells, expected });
    }
    let sum = expected_probabilities.iter().fold(0.0, |sum, probability| sum + probability);
    let possible = |&probability: &f64| probability >= 0.0;
    if !expected_probabilities.iter().all(possible) || (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(ChiSquaredError::NoDistribution { sum });
    }
    let trials: f64 = observed.iter().map(|&count| count as f64).sum();
    if trials == 0.0 {
        return Err(ChiSquaredError::NoObservations);
    }
    let cells = observed.iter().zip(expected_probabilities);
    if let Some((cell, (&count, _))) = cells
        .clone()
        .enumerate()
        .find(|(_, (count, probability))| **count > 0 && **probability == 0.0)
    {
        return Err(ChiSquaredError::Impossible { cell, count });
    }
    let cells = cells.filter(|(_, probability)| **probability > 0.0);
    let pooled = pool(
        cells
            .map(|(&count, probability)| Cell {
                observed: count as f64,
                expected: trials * probability,
            })
            .collect(),
    );
    let degrees_of_freedom = pooled.len() as u64 - 1;
    if degrees_of_freedom == 0 {
        return Ok(ChiSquared { statistic: 0.0, degrees_of_freedom, p_value: 1.0 });
    }
    let statistic = pooled.iter().map(Cell::deviation).sum();
    let distribution = ChiSquaredDistribution::new(degrees_of_freedom as f64);
    // The distribution exists for every number of degrees of freedom above 0.
    let p_value = distribution.map_or(1.0, |distribution| distribution.sf(statistic));
    Ok(ChiSquared { statistic, degrees_of_freedom, p_value })
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    observed: f64,
    expected: f64,
}

impl Cell {
    fn deviation(&self) -> f64 {
        (self.observed - self.expected).powi(2) / self.expected
    }

    fn join(self, other: &Cell) -> Cell {
        Cell { observed: self.observed + other.observed, expected: self.expected + other.expected }
    }
}

fn pool(cells: Vec<Cell>) -> Vec<Cell> {
    let (mut large, small): (Vec<Cell>, Vec<Cell>) =
        cells.into_iter().partition(|cell| cell.expected >= LEAST_EXPECTED);
    let Some(pool) = small.iter().copied().reduce(|pool, cell| pool.join(&cell)) else {
        return large;
    };
    let smallest = large.iter_mut().min_by(|a, b| a.expected.total_cmp(&b.expected));
    match smallest {
        Some(smallest) if pool.expected < LEAST_EXPECTED => *smallest = smallest.join(&pool),
        _ => large.push(pool),
    }
    large
}
