//! The rout of a broken squad on a small map: the odds of each plan, the best plan first.

use lowcrawl::scenario::answer::course_words;
use lowcrawl::{RoutSetters as _, Situation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let situation = Situation::builder()
        .map("   P  Q  R  S\n3  .  .  w  .\n4  g  .  .  b")
        .unit("german:4-6-7/broken,dm", "R4")
        .enemy("american:6-6-6", "P3")
        .elr(3)
        .build()?;
    for course in &situation.rout()?[0].courses {
        let sum = course.summary();
        println!(
            "{}, {} MF: survives {:.2} %, in cover {:.2} %",
            course_words(&situation, course),
            course.mf,
            100.0 * sum.survives,
            100.0 * sum.in_cover
        );
    }
    Ok(())
}
