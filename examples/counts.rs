//! The probability that 0, 1, 2 or 3 of three squads hold after a 1MC, summed from joint outcomes.

use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::unit::Status;
use lowcrawl::check;
use lowcrawl::engine::exact::{Bound, odds};
use lowcrawl::prelude::*;
use lowcrawl::process::Question as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = check("9-1 + 3x german:4-6-7").mc(1).joint(true).question()?;
    let mut holding = [0.0; 4];
    for chance in odds(&question.whole(), Bound::STANDARD)?.chances {
        if let Outcome::Stack { units, .. } = &chance.outcome {
            let squads = units.iter().filter(|unit| (2..=4).contains(&unit.slot));
            holding[squads
                .filter(|unit| matches!(unit.status, Status::GoodOrder | Status::Pinned))
                .count()] += chance.probability;
        }
    }
    for (squads, probability) in holding.iter().enumerate() {
        println!("{squads} of 3 squads hold: {:6.2} %", 100.0 * probability);
    }
    Ok(())
}
