//! The best play of a broken squad over four Player Turns, with the value of each first choice.

use lowcrawl::{Answer, Options, ask, games, no_files, read};

const CAMPAIGN: &str = r#"{
    "request": "solve", "kind": "campaign", "objective": "good-order",
    "unit": "german:4-6-7/dm", "leader": "8-1", "turns": 4
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = read(CAMPAIGN, &games(), &no_files)?;
    let command = asked.command();
    if let Answer::Solve(played) = ask(asked.request, command, &Options::default())? {
        for choice in played.solved.opening.iter().flat_map(|decision| &decision.choices) {
            println!("{:6.2} %  {}", 100.0 * choice.value[0], choice.option);
        }
    }
    Ok(())
}
