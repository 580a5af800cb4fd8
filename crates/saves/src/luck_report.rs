//! The luck of each player in detail: totals against chance, sums so far, turns, phases, streaks
//! and the dice for the Rate of Fire.

use charts::chart::{Chart, ChartKind, Panel, Unit, Value};
use vasl::chat::{Moment, Roll, RollContext};
use vasl::luck::{RollGroup, Sums, fair_count, longest_run_odds};

use super::luck::{Luck, curves_over_rolls};

/// The phases of a Player Turn in order.
const PHASES: [&str; 8] = ["RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh"];
/// The number of the 36 DR with a total below 7, and above it.
const OF_36: f64 = 15.0;

/// The sum of some rolls against that of fair dice.
#[derive(Clone, Debug, PartialEq)]
pub struct RollSum {
    /// What the rolls have in common, such as `turn 3` or `PFPh`.
    pub name: String,
    pub rolls: usize,
    pub mean: f64,
    /// The probability of this sum or a lower one.
    pub at_most: f64,
    /// The probability of this sum or a higher one.
    pub at_least: f64,
}

/// The longest run of low or of high DR.
#[derive(Clone, Debug, PartialEq)]
pub struct Streak {
    pub name: &'static str,
    pub length: usize,
    /// The probability that as many fair DR have a run as long.
    pub odds: f64,
}

/// The luck of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerReport {
    pub player: String,
    /// How often each total of a DR was rolled, from 2 to 12.
    pub totals: [usize; 11],
    /// The sum of the DR where low is good, less 7 each, after every one of them.
    pub deviations: Vec<f64>,
    /// The DR where low is good by Game Turn and by phase, as far as the logs tell them.
    pub turns: Vec<RollSum>,
    pub phases: Vec<RollSum>,
    pub streaks: [Streak; 2],
    /// The dice for the Rate of Fire: how often each face was rolled, and their sum.
    pub rof_dice: Option<([usize; 6], RollSum)>,
}

/// Sums up rolls of `dice` dice with these totals; `None` without rolls.
fn sum_of(name: &str, dice: usize, totals: &[u32]) -> Option<RollSum> {
    let total = totals.iter().sum::<u32>() as usize;
    let sums = Sums::new(dice * totals.len());
    (!totals.is_empty()).then(|| RollSum {
        name: name.to_string(),
        rolls: totals.len(),
        mean: total as f64 / totals.len() as f64,
        at_most: sums.at_most(total),
        at_least: sums.at_least(total),
    })
}

/// Returns the longest run of totals that fit.
fn longest(totals: &[u32], fits: impl Fn(u32) -> bool) -> usize {
    let runs = totals.split(|total| !fits(*total)).map(<[u32]>::len);
    runs.max().unwrap_or(0)
}

impl Luck {
    /// Returns the report of every player, in the order of their first rolls.
    pub fn reports(&self) -> Vec<PlayerReport> {
        self.players().into_iter().map(|player| self.report(player)).collect()
    }

    fn report(&self, player: String) -> PlayerReport {
        let rolls = self.rolls_of(&player);
        let mut totals = [0; 11];
        for (roll, _) in rolls.iter().filter(|(roll, _)| RollGroup::AllDr.has(roll)) {
            totals[roll.dice.total() as usize - 2] += 1;
        }
        let low: Vec<(u32, Option<&Moment>)> = rolls
            .iter()
            .filter(|(roll, _)| RollGroup::LowDr.has(roll))
            .map(|(roll, context)| (roll.dice.total(), context.moment.as_ref()))
            .collect();
        let sums: Vec<u32> = low.iter().map(|(total, _)| *total).collect();
        let mut sum = 0.0;
        let deviation = |total: &u32| {
            sum += f64::from(*total) - 7.0;
            sum
        };
        let deviations = sums.iter().map(deviation).collect();
        let streak = |name: &'static str, fits: fn(u32) -> bool| {
            let length = longest(&sums, fits);
            Streak { name, length, odds: longest_run_odds(sums.len(), length, OF_36 / 36.0) }
        };
        PlayerReport {
            totals,
            deviations,
            turns: by(&low, |moment| (moment.turn, format!("turn {}", moment.turn))),
            phases: by(&low, |moment| {
                let place = PHASES.iter().position(|phase| *phase == moment.phase);
                let place = place.unwrap_or(PHASES.len()) as u32;
                (place, moment.phase.clone())
            }),
            streaks: [
                streak("6 or less", |total| total < 7),
                streak("8 or more", |total| total > 7),
            ],
            rof_dice: rof_dice(&rolls),
            player,
        }
    }
}

/// Groups the DR whose phase is known by a key, in its order.
fn by(low: &[(u32, Option<&Moment>)], key: impl Fn(&Moment) -> (u32, String)) -> Vec<RollSum> {
    let mut groups: Vec<((u32, String), Vec<u32>)> = Vec::new();
    for (total, moment) in low {
        let Some(key) = moment.map(&key) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, totals)) => totals.push(*total),
            None => groups.push((key, vec![*total])),
        }
    }
    groups.sort_by(|(one, _), (other, _)| one.cmp(other));
    groups.iter().filter_map(|((_, name), totals)| sum_of(name, 2, totals)).collect()
}

fn rof_dice(rolls: &[(&Roll, &RollContext)]) -> Option<([usize; 6], RollSum)> {
    let mut faces = [0; 6];
    let dice: Vec<u32> =
        rolls.iter().filter_map(|(_, context)| context.rof_die.map(u32::from)).collect();
    dice.iter().for_each(|die| faces[*die as usize - 1] += 1);
    Some((faces, sum_of("ROF die", 1, &dice)?))
}

/// Returns the number of the 36 DR that have a total.
pub fn of_36(total: usize) -> usize {
    6 - total.abs_diff(7)
}

/// Charts how often each total was rolled, with the range of nineteen of twenty fair players.
pub fn totals_chart(reports: &[PlayerReport], question: &str) -> Option<Chart> {
    let panel = |report: &PlayerReport| {
        let rolls: usize = report.totals.iter().sum();
        let bar = |place: usize| {
            let range = fair_count(rolls, of_36(place + 2) as f64 / 36.0);
            let interval = Some((range.0 as f64, range.1 as f64));
            Some(Value { interval, ..Value::from(report.totals[place] as f64) })
        };
        let bars = (0..11).map(|place| ((place + 2).to_string(), bar(place)));
        (rolls > 0).then(|| Panel { name: report.player.clone(), ..Panel::single(bars) })
    };
    let panels: Vec<Panel> = reports.iter().filter_map(panel).collect();
    (!panels.is_empty()).then(|| Chart {
        title: "How often each total of a DR was rolled".to_string(),
        note: format!(
            "{question}. The line at a bar spans what 95 % of players with fair dice have."
        ),
        kind: ChartKind::Bars,
        unit: Unit::Number,
        along: "DR".to_string(),
        across: "player".to_string(),
        panels,
        board: None,
    })
}

/// Charts the sums of DR so far against 7 each, with the band of fair dice.
pub fn deviations_chart(reports: &[PlayerReport], question: &str) -> Option<Chart> {
    let runs = reports.iter().map(|report| (report.player.clone(), report.deviations.clone()));
    let chart = curves_over_rolls(
        runs.collect(),
        |run, rolls| run.get(rolls - 1).copied(),
        |rolls, mean| (mean - 7.0) * rolls as f64,
    )?;
    Some(Chart {
        title: "DR where low is good: sum so far, less 7 each".to_string(),
        note: format!(
            "{question}. Below 0 is luck. The band contains 95 % of players with fair dice."
        ),
        ..chart
    })
}
