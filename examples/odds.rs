//! The exact probability that a squad has rallied by the end of each phase.

use lowcrawl::Rally;
use lowcrawl::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rally = Rally::of("german:4-6-7/dm").leader("8-1").terrain("woods").phases(3);
    for row in rally.odds()?.rows.iter().filter(|row| row.label.status == Some("rallied")) {
        let counter = row.label.counter.as_deref().unwrap_or_default();
        println!("by phase {} as a {counter}: {}", row.label.phase.unwrap_or(1), row.figure);
    }
    Ok(())
}
