//! `trace`: a sequence of a seed, or of dice that are named; and the lists of the commands.

use super::dice::{Dice, Words};
use super::situations::{Situation, options, situation};
use super::stacks::{check, fire, interdict, mmc, nation, rally};
use super::{Request, boards, fortitude, reaction, request, sequences};
use crate::store::Runs;

/// Options that `trace` has not.
const OF_ANSWERS: [&str; 5] = ["--engine", "--trials", "--precision", "--stratify", "--seed"];

/// The dice: of a seed, or by name.
fn with_dice(dice: &mut Dice, words: &mut Words) {
    if dice.percent(60) {
        words.option("seed", dice.below(500));
        if dice.percent(40) {
            words.option("sequence", dice.below(50));
        }
        return;
    }
    let count = dice.from(1, 4);
    let mut script: Vec<String> =
        (0..count).map(|_| format!("{},{}", dice.from(1, 6), dice.from(1, 6))).collect();
    if dice.percent(25) {
        script.push(dice.from(1, 6).to_string());
    }
    words.option("script", script.join(" "));
}

/// The request of an answer as one of a tale.
fn told(dice: &mut Dice, request: Request) -> Request {
    let mut words = Words::of("trace");
    let mut arguments =
        request.arguments.iter().filter(|word| !["--impact", "--joint"].contains(&word.as_str()));
    while let Some(word) = arguments.next() {
        match OF_ANSWERS.contains(&word.as_str()) {
            true => drop(arguments.next()),
            false => words.word(word),
        }
    }
    with_dice(dice, &mut words);
    Request { area: "traces".to_string(), arguments: words.0, runs: Runs::Plain, ..request }
}

pub fn trace(dice: &mut Dice) -> Request {
    match dice.below(13) {
        12 => {
            let mut words = Words::of("trace check");
            let nation = nation(dice);
            words.word(mmc(dice, nation));
            words.option("mc", dice.from(0, 2));
            words.word("--no-hob");
            words.option("script", format!("{},{}", dice.from(1, 6), dice.from(1, 6)));
            request("traces", words, [], Runs::Plain)
        }
        0..=4 => {
            let of = dice.pick(&[fire, check, rally, interdict]);
            let request = of(dice);
            told(dice, request)
        }
        5 => {
            let request = sequences::sequence(dice);
            told(dice, request)
        }
        6 | 7 => {
            let Situation { file, tables, .. } = situation(dice);
            let mut words = Words::of("trace rout map.toml");
            options(dice, &mut words);
            words.0.retain(|word| word != "--no-map");
            if dice.percent(20) {
                words.option("plan", 1);
            }
            with_dice(dice, &mut words);
            let mut request = request("traces", words, [("map.toml", file.0)], Runs::Plain);
            request.files.extend(tables);
            request
        }
        8 | 9 => {
            let mut words = Words::of("trace fortitude");
            fortitude::question(dice, &mut words);
            words.0.retain(|word| word != "--joint");
            with_dice(dice, &mut words);
            request("traces", words, [], Runs::Plain)
        }
        _ => {
            let mut words = Words::of("trace reaction");
            reaction::question(dice, &mut words);
            with_dice(dice, &mut words);
            request("traces", words, [], Runs::Plain)
        }
    }
}

/// Words of `units`, `rules` and the lists of the other systems.
const LISTS: &str = "\
    units;units german;units german squad;units squad;units 4-6-7;units commissar;units hero;units crew partisan;units finnish leader;\
    units italian hs;units british;units low;rules;rules i01;rules commissar;rules i14;rules dm;rules sk;rules v2;rules 10.51;\
    fortitude parameters;fortitude parameters staff;fortitude parameters assumed;fortitude units;fortitude units archers;\
    reaction parameters;reaction parameters morale;reaction parameters stated;reaction units;reaction units panzer;\
    completions bash;completions fish;--help;fire --help;check -h;rally -h;interdict -h;sequence --help;rout --help;solve --help;\
    compare --help;study run --help;board check --help;units --help;rules -h;trace --help;trace fire -h;trace check -h;trace rally -h;\
    trace interdict -h;trace sequence -h;trace rout -h;trace fortitude fire -h;trace reaction sequence -h;fortitude --help;\
    fortitude test -h;fortitude recover -h;fortitude fire -h;fortitude assault --help;fortitude sequence -h;reaction --help;\
    reaction volley -h;reaction volleys -h;reaction rally -h;reaction command -h;reaction morale -h;reaction check -h;reaction move -h;\
    reaction sequence --help";

pub fn lists() -> Vec<Request> {
    LISTS.split(';').map(|line| request("lists", Words::of(line), [], Runs::Plain)).collect()
}

/// A check of a board.
pub fn board(dice: &mut Dice) -> Request {
    let mut request = boards::check(dice);
    if dice.percent(40) {
        request.arguments.push("--edges".to_string());
    }
    request
}
