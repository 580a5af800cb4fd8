//! Tests of the chi-squared test that other tests use.

use crate::fit::{ChiSquared, chi_squared};
use proptest::prelude::*;

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} instead of {expected}");
}

/// Mendel's peas (1866): 315, 108, 101 and 32 against 9 : 3 : 3 : 1. Published: 0.470 with 3
/// degrees of freedom, p = 0.925. By hand: 2.25^2/312.75 + 3.75^2/104.25 + 3.25^2/104.25 +
/// 2.75^2/34.75 = 0.470024.
#[test]
fn mendels_peas_match_published_chi_squared() {
    let test = chi_squared(&[315, 108, 101, 32], &[9.0 / 16.0, 3.0 / 16.0, 3.0 / 16.0, 1.0 / 16.0])
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
    assert_eq!(text(&[1, 1], &[0.5, 0.25]), "the expected probabilities must sum to 1, not 0.75");
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
