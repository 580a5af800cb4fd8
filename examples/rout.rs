//! The rout of a broken squad on a small map: the odds of each plan, the best plan first.

use lowcrawl::scenario::answer::course_words;
use lowcrawl::{Answer, Options, ask, games, no_files, read};

const SITUATION: &str = r#"{
    "kind": "rout",
    "map": {"rows": "   P  Q  R  S\n3  .  .  w  .\n4  g  .  .  b"},
    "rout": [{"unit": "german:4-6-7/broken,dm", "at": "R4"}],
    "enemy": [{"unit": "american:6-6-6", "at": "P3"}]
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked = read(SITUATION, &games(), &no_files)?;
    let command = asked.command();
    if let Answer::Rout(routed) = ask(asked.request, command, &Options::default())? {
        for course in &routed.answers[0].prospect.courses {
            let sum = course.summary();
            let plan = course_words(&routed.scenario.situation, course);
            println!(
                "{plan}, {} MF: survives {:.2} %, in cover {:.2} %",
                course.mf,
                100.0 * sum.survives,
                100.0 * sum.in_cover
            );
        }
    }
    Ok(())
}
