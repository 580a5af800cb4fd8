//! The exact probability that a squad has rallied by the end of each phase.

use lowcrawl::prelude::*;
use lowcrawl::{Phase, Status, rally};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let odds = rally("german:4-6-7/dm").leader("8-1").terrain("woods").phases(3).odds()?;
    for phase in 1..=3 {
        println!("rallied by phase {phase}: {}", odds.estimate(1, Status::Rallied, Phase(phase)));
    }
    Ok(())
}
