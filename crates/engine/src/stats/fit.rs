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
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::stats::chi_squared;
///
/// let test = chi_squared(&[60, 40], &[0.5, 0.5]).unwrap();
/// assert_eq!((test.statistic, test.degrees_of_freedom), (4.0, 1));
/// assert!(test.p_value < 0.05);
/// ```
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

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;
    use proptest::prelude::*;

    /// Mendel's peas (1866): 315, 108, 101 and 32 against 9 : 3 : 3 : 1. Published: 0.470 with 3
    /// degrees of freedom, p = 0.925. By hand: 2.25^2/312.75 + 3.75^2/104.25 + 3.25^2/104.25 +
    /// 2.75^2/34.75 = 0.470024.
    #[test]
    fn mendels_peas_match_published_chi_squared() {
        let test =
            chi_squared(&[315, 108, 101, 32], &[9.0 / 16.0, 3.0 / 16.0, 3.0 / 16.0, 1.0 / 16.0])
                .unwrap();
        close(test.statistic, 0.470_024, 1e-6);
        assert_eq!(test.degrees_of_freedom, 3);
        close(test.p_value, 0.925_426, 1e-5);
    }

    /// A statistic of (10^2 + 10^2) / 50 = 4 is 2 standard deviations: 4.55 % of samples exceed it.
    #[test]
    fn sixty_heads_of_a_hundred_give_chi_squared_4() {
        let test = chi_squared(&[60, 40], &[0.5, 0.5]).unwrap();
        close(test.statistic, 4.0, 1e-12);
        close(test.p_value, 0.045_500_264, 1e-8);
        assert_eq!(chi_squared(&[50, 50], &[0.5, 0.5]).unwrap().p_value, 1.0);
    }

    /// Cochran's rule. For 100 trials the expected counts are 90, 6, 2, 2. The last two sum to 4,
    /// still under 5, and join the 6. The cells 90 and 10, observed 80 and 20, give 100/90 + 100/10
    /// = 11.11. For 200 trials the last two sum to 8 and stay a cell of their own: 180, 12, 8.
    #[test]
    fn small_cells_are_pooled() {
        let probabilities = [0.9, 0.06, 0.02, 0.02];
        let test = chi_squared(&[80, 10, 4, 6], &probabilities).unwrap();
        close(test.statistic, 100.0 / 9.0, 1e-9);
        assert_eq!(test.degrees_of_freedom, 1);
        let test = chi_squared(&[180, 10, 4, 6], &probabilities).unwrap();
        close(test.statistic, 4.0 / 12.0 + 4.0 / 8.0, 1e-9);
        assert_eq!(test.degrees_of_freedom, 2);
    }

    #[test]
    fn single_cell_has_p_value_1() {
        let certain = ChiSquared { statistic: 0.0, degrees_of_freedom: 0, p_value: 1.0 };
        assert_eq!(chi_squared(&[7, 0], &[1.0, 0.0]), Ok(certain));
        assert_eq!(chi_squared(&[2, 1], &[0.5, 0.5]), Ok(certain));
    }

    #[test]
    fn untestable_counts_are_refused() {
        let text = |observed: &[u64], expected: &[f64]| {
            chi_squared(observed, expected).unwrap_err().to_string()
        };
        assert_eq!(text(&[1, 2], &[1.0]), "2 counts cannot be tested against 1 probabilities");
        assert_eq!(
            text(&[10, 1], &[1.0, 0.0]),
            "cell 1 was observed 1 time(s), but its probability is 0"
        );
        assert_eq!(text(&[0, 0], &[0.5, 0.5]), "there are no observations to test");
        assert_eq!(
            text(&[1, 1], &[0.5, 0.25]),
            "the expected probabilities must sum to 1, not 0.75"
        );
        assert_eq!(text(&[1, 1], &[1.5, -0.5]), "the expected probabilities must sum to 1, not 1");
        assert_eq!(text(&[1], &[f64::NAN]), "the expected probabilities must sum to 1, not NaN");
        assert_eq!(text(&[], &[]), "the expected probabilities must sum to 1, not 0");
    }

    fn seeded() -> ProptestConfig {
        let rng_seed = proptest::test_runner::RngSeed::Fixed(12);
        ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(seeded())]

        #[test]
        fn p_value_is_a_probability(counts in prop::collection::vec((0..1000u64, 1..100u32), 1..20)) {
            let (observed, weights): (Vec<u64>, Vec<u32>) = counts.into_iter().unzip();
            prop_assume!(observed.iter().any(|&count| count > 0));
            let total: u32 = weights.iter().sum();
            let probabilities: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / f64::from(total)).collect();
            let test = chi_squared(&observed, &probabilities).unwrap();
            prop_assert!(test.statistic >= 0.0 && (0.0..=1.0).contains(&test.p_value));
            prop_assert!(test.degrees_of_freedom < observed.len() as u64);
        }
    }
}
