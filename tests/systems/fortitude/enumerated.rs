//! Exact odds against a plain enumeration of all results of the dice, in random cases of every
//! kind.

use std::collections::BTreeMap;

use crate::random::case_factor;
use lowcrawl::engine::exact;
use lowcrawl::fortitude::battle::Outcome;
use lowcrawl::process::Question as _;

use super::questions::{BOUND, ask};
use super::random::{KINDS, Rng, random_case};
use super::twin::{Row, enumerate};

/// Largest number of sequences of results in a case.
const MAX_WAYS: usize = 40_000;

#[test]
fn every_kind_agrees_with_its_twin() {
    let cases = 150 * case_factor();
    for (seed, kind) in (1..).zip(KINDS) {
        let mut rng = Rng(seed);
        let (mut compared, mut rows) = (0, 0);
        for _ in 0..cases {
            let (fields, case) = random_case(&mut rng, kind);
            let Some(expected) = enumerate(&case, MAX_WAYS) else { continue };
            let fields: Vec<String> =
                fields.iter().map(|(field, value)| format!("{field}={value}")).collect();
            let question = ask(kind, &fields.join("; "));
            for processes in [question.parts().all().collect(), vec![question.whole()]] {
                let mut odds: BTreeMap<Row, f64> = BTreeMap::new();
                for chance in processes
                    .iter()
                    .flat_map(|process| exact::odds(process, BOUND).unwrap().chances)
                {
                    let Outcome::Unit(slot, standing) = chance.outcome else { panic!("not joint") };
                    let status = standing.status.name().to_string();
                    let row = (
                        chance.point,
                        slot.into(),
                        status,
                        standing.casualties.into(),
                        standing.honor,
                        standing.hexes.into(),
                    );
                    *odds.entry(row).or_default() += chance.probability;
                }
                for row in odds.keys().chain(expected.keys()) {
                    let (a, b) = (
                        odds.get(row).copied().unwrap_or(0.0),
                        expected.get(row).copied().unwrap_or(0.0),
                    );
                    assert!(
                        (a - b).abs() < 1e-11,
                        "{kind} {fields:?}: {row:?}: {a} instead of {b}"
                    );
                }
                rows += expected.len() as u64;
            }
            compared += 1;
        }
        assert!(compared * 2 > cases, "{kind}: only {compared} cases are small enough");
        assert!(rows > 4 * compared, "{kind}: {rows} rows of {compared} cases");
    }
}
