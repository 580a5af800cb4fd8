//! The best play of a broken squad over four Player Turns, with the value of each first choice.

use lowcrawl::{LaneSetters as _, campaign};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solved = campaign("german:4-6-7/dm").leader("8-1").turns(4).best("good-order")?;
    for choice in solved.opening.iter().flat_map(|decision| &decision.choices) {
        println!("{:6.2} %  {}", 100.0 * choice.value[0], choice.option);
    }
    Ok(())
}
