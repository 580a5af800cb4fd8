//! The list of requests made anew: what is slow, long, there twice, or turned away too often is
//! left out.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::dice::Dice;
use super::{
    campaigns, compared, fields, fortitude, reaction, refused, sequences, shipped, situations,
    stacks, studies, traces,
};
use crate::run::answer;
use crate::store::{Answer, Request};

/// Requests in all.
const REQUESTS: usize = 3600;
const SEED: u64 = 15;
/// Longest CPU time of a run of what is shipped, and of all runs of a random request.
const LONGEST: Duration = Duration::from_secs(1);
const LONGEST_RANDOM: Duration = Duration::from_millis(300);
/// Most bytes of an answer.
const MOST_BYTES: usize = 16_000;

type Generator = fn(&mut Dice) -> Request;

/// Random requests: how many of each; of routs as many as are missing.
const RANDOM: [(usize, Generator); 15] = [
    (165, stacks::fire),
    (165, stacks::check),
    (165, stacks::rally),
    (115, stacks::interdict),
    (40, stacks::big),
    (130, sequences::sequence),
    (140, campaigns::solve),
    (140, compared::compare),
    (200, fortitude::fortitude),
    (200, reaction::reaction),
    (130, traces::trace),
    (150, studies::study),
    (10, traces::board),
    (150, refused::refused),
    (REQUESTS, situations::rout),
];

/// Every request with its answer. What is too heavy of what is shipped is told on standard error,
/// and how often each generator was asked.
pub fn chosen() -> Vec<(Request, Answer)> {
    let mut known = HashSet::new();
    let mut chosen = Vec::new();
    for request in shipped::shipped()
        .into_iter()
        .chain(traces::lists())
        .chain(refused::by_hand())
        .chain(fields::fields())
    {
        let (answer, took) = timed(&request);
        if took > LONGEST * request.runs.count() {
            eprintln!("left out, {took:?}: lowcrawl {}", request.arguments.join(" "));
        } else if known.insert(request.clone()) {
            chosen.push((request, answer));
        }
    }
    let mut dice = Dice::new(SEED);
    for (quota, generator) in RANDOM {
        let (begin, end) = (chosen.len(), (chosen.len() + quota).min(REQUESTS));
        let (mut asked, mut turned_away) = (0, 0);
        while chosen.len() < end {
            let request = generator(&mut dice);
            asked += 1;
            if !known.insert(request.clone()) {
                continue;
            }
            let (answer, took) = timed(&request);
            let is_refused = answer["exit"] != "0";
            let is_wanted = match request.area.as_str() {
                "refused" => is_refused,
                _ => !is_refused || turned_away * 16 < chosen.len() - begin,
            };
            if is_wanted
                && answer.values().map(String::len).sum::<usize>() <= MOST_BYTES
                && took <= LONGEST_RANDOM
            {
                turned_away += usize::from(is_refused);
                chosen.push((request, answer));
            }
        }
        eprintln!("{} {} of {asked}", end - begin, chosen[begin].0.area);
    }
    chosen
}

/// The answer, and the CPU time of its runs; where the system does not tell that, the time that
/// passed.
fn timed(request: &Request) -> (Answer, Duration) {
    let (begin, before) = (Instant::now(), of_children());
    let answer = answer(request);
    let cpu = before.zip(of_children()).map(|(before, after)| after - before);
    (answer, cpu.unwrap_or(begin.elapsed()))
}

/// CPU time of all processes run so far: fields 16 and 17 of `stat`, in hundredths of a second.
fn of_children() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(13)? + ticks(14)?)))
}
