//! Answers one question with both engines, the exact one and Monte Carlo, to compare their odds.

use lowcrawl::prelude::*;
use lowcrawl::{Engine, Options, Trials, rally};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rally = rally("german:4-6-7/dm").leader("8-1").terrain("woods");
    let simulated = Options {
        engine: Engine::MonteCarlo,
        trials: Trials::Number(1_000_000),
        seed: 1,
        ..Options::default()
    };
    let asking = rally.build()?;
    for options in [Options::default(), simulated] {
        let table = asking.answer(&options, asking.meta(String::new()))?;
        for row in table.rows.iter().filter(|row| row.label.phase == Some(1)) {
            let (status, counter) = (
                row.label.status.unwrap_or_default(),
                row.label.counter.as_deref().unwrap_or_default(),
            );
            println!("{:12} {status:11} {counter:6} {}", table.meta.engine, row.figure);
        }
    }
    Ok(())
}
