//! The answers about a Rout Phase as paragraphs and tables.

use serde_json::Value;

use super::{Routed, circumstances};
use crate::number_format::NumberFormat;
use ReportPart::{Gap, Line, Paragraph, Table};
use answer::estimate::percent_to;
use answer::{Estimate, Sheet};
use asl::board::map::Location;
use asl::board::terrain::Mf;
use asl::course::phase::InOrder;
use asl::course::rout::{BEST, CourseSummary, Prospect, RoutCourse};
use asl::rout::{Cover, FirstAction, Reason, RoutOutcome, Situation, mark};
use asl::scenario::answer::{RouterAnswer, action_words, chance_of, course_words, names_of};
use asl::scenario::campaign::{LaterTurns, Openings, first_words};
use engine::solve::EQUAL;
use engine::text::counted;
use play::Valued;

/// A part of a report, from top to bottom.
#[derive(Clone)]
pub enum ReportPart {
    /// A paragraph, indented by a number of columns.
    Paragraph(usize, String),
    /// A line that is never wrapped.
    Line(String),
    Table {
        headings: Vec<String>,
        rows: Vec<Vec<String>>,
        /// The number of columns of text, which come first; the others are numbers.
        texts: usize,
    },
    Gap,
}

/// Findings about a situation: the impact of rule settings, or an explanation.
pub struct RoutFindings {
    /// The findings as a table.
    pub sheet: Sheet,
    /// The main findings in JSON.
    pub headline: Value,
    pub report: Vec<ReportPart>,
}

/// What a unit does in its rout, in few lines.
pub struct UnitAdvice {
    /// What the unit must or may do, and why.
    pub duty: String,
    /// Its best plan and how that ends; `None` without a plan.
    pub best: Option<String>,
    /// Its best plans as a table, and what marks in it mean.
    pub plans: Vec<ReportPart>,
}

/// Number of plans, or of first choices, beside the best.
const BESIDE: usize = 2;

/// Plans of a unit in words, each with its probability of survival.
pub type PlanOdds = Vec<(String, Option<Estimate>)>;

impl Routed {
    /// Returns the plans of each unit, with the unit's label and name.
    pub fn plans(&self) -> impl Iterator<Item = (String, PlanOdds)> {
        let situation = &self.scenario.situation;
        self.answers.iter().map(|answered| {
            let plans = answered.plans(situation).zip(&answered.odds);
            let plan =
                |((plan, _), odds): (_, &Vec<_>)| (plan, chance_of(odds, RoutOutcome::survives));
            (situation.unit_called(answered.unit), plans.map(plan).collect())
        })
    }

    /// Returns what each unit does by its best plan, beside a few others.
    pub fn advice(&self, digits: usize) -> impl Iterator<Item = UnitAdvice> {
        self.answers.iter().map(move |one| unit_advice(&self.scenario.situation, one, digits))
    }

    /// Returns a table with the best plan of each unit, and how many of them survive.
    pub fn advice_on_all(&self, most: usize, digits: usize) -> (Vec<ReportPart>, Option<String>) {
        let situation = &self.scenario.situation;
        let row = |answered: &RouterAnswer| {
            let name = situation.unit_called(answered.unit);
            let best = answered.plans(situation).next();
            let [plan, survives, in_cover] = match best {
                Some((plan, sum)) => {
                    let [survives, cover, ..] =
                        sum.named().map(|(_, chance)| percent_to(chance, digits));
                    [plan, survives, cover]
                }
                None => {
                    [answered.prospect.ruling.words().to_string(), String::new(), String::new()]
                }
            };
            vec![name, plan, survives, in_cover]
        };
        let shown = if self.answers.len() > most { most - 1 } else { self.answers.len() };
        let headings = ["unit", "best plan", "survives", "in cover"].map(str::to_string).to_vec();
        let rows = self.answers[..shown].iter().map(row).collect();
        let mut parts = vec![Table { headings, rows, texts: 2 }];
        let further = (self.answers.len() - shown) as u64;
        parts.extend(
            (further > 0).then(|| Line(format!("and {}", counted(further, "further unit")))),
        );
        (
            parts,
            self.phase.as_ref().map(|phase| format!("One after another: {}.", on_average(phase))),
        )
    }

    /// Returns the best first choice of each unit over later Player Turns, and a few choices.
    pub fn later_advice(&self, digits: usize) -> Vec<(String, ReportPart)> {
        let situation = &self.scenario.situation;
        let advice = |(ahead, units): &(LaterTurns, Vec<(usize, Openings)>)| {
            let advice = |(unit, openings): &(usize, Openings)| {
                let name = situation.unit_called(*unit);
                let [_, table, Paragraph(_, advice), _] =
                    campaign(&name, openings, ahead, 1 + BESIDE, digits)
                else {
                    return None;
                };
                Some((format!("{name}: {advice}."), table))
            };
            units.iter().filter_map(advice).collect()
        };
        self.campaigns.as_ref().map_or(Vec::new(), advice)
    }

    /// Returns at most `most` orders of the units, best first.
    pub fn order_report(&self, most: usize) -> Vec<ReportPart> {
        let orders = self.orders.as_deref().filter(|orders| !orders.is_empty());
        orders.map_or(Vec::new(), |all| orders_by_worth(&self.scenario.situation, all, most))
    }

    /// Returns what each unit must and can do, at most `most` of its plans (0: all), and the phase.
    pub fn unit_report(&self, most: usize, digits: usize) -> Vec<ReportPart> {
        let situation = &self.scenario.situation;
        let units = self.answers.iter().flat_map(|one| unit(situation, one, most, digits));
        let order = self.phase.iter().flat_map(|phase| in_order(situation, phase, digits));
        units.chain(order).collect()
    }

    /// Returns at most `most` orders of the units (0 for all), first options, and the provenance.
    pub fn further_report(&self, most: usize, digits: usize) -> Vec<ReportPart> {
        let (situation, meta) = (&self.scenario.situation, &self.meta);
        let mut parts = self.order_report(most);
        if let Some((ahead, units)) = &self.campaigns {
            let units = units.iter();
            parts.extend(units.flat_map(|(unit, openings)| {
                campaign(&situation.unit_called(*unit), openings, ahead, usize::MAX, digits)
            }));
        }
        let mut footing = match (meta.trials, meta.seed) {
            (Some(trials), Some(seed)) => {
                format!("plans by Monte Carlo, {trials} sequences each, seed {seed}")
            }
            _ => "exact".to_string(),
        };
        footing += &format!("; rules: {}", situation.rulebook.profile().name());
        footing += if situation.heat_of_battle { "" } else { ", no Heat of Battle" };
        footing += &circumstances(situation);
        for (id, value) in meta.footing.settings() {
            footing += &format!(", {id}={value}");
        }
        parts.push(Paragraph(0, footing));
        parts.extend(meta.notes.iter().map(|note| Paragraph(0, format!("note: {note}"))));
        parts
    }
}

fn unit(
    situation: &Situation,
    answered: &RouterAnswer,
    most: usize,
    digits: usize,
) -> Vec<ReportPart> {
    let RouterAnswer { unit, prospect, .. } = answered;
    let Prospect { courses, dominated, .. } = prospect;
    let mut parts = facts(situation, *unit, prospect, digits);
    let shown = if most == 0 { courses.len() } else { most.min(courses.len()) };
    parts.extend(plans(situation, answered, shown, digits));
    if shown < courses.len() {
        parts.push(more(courses.len() - shown, "plans"));
    }
    if *dominated > 0 {
        parts.push(Line(format!(
            "  {} left out: another declaration leads to the same end as well",
            counted(*dominated as u64, "plan")
        )));
    }
    parts.push(Gap);
    parts
}

/// Returns the table of the first `shown` plans of a unit, and a legend if it needs one.
fn plans(
    situation: &Situation,
    answered: &RouterAnswer,
    shown: usize,
    digits: usize,
) -> Vec<ReportPart> {
    let courses = &answered.prospect.courses[..shown];
    let row = |(course, odds): (_, &Vec<_>)| course_row(situation, course, odds, digits);
    let rows: Vec<Vec<String>> = courses.iter().zip(&answered.odds).map(row).collect();
    let mut parts = vec![chance_table((&["plan", "route", "MF"], 2), &[], &rows, digits)];
    let is_interdicted = courses.iter().any(|course| !course.interdicted.is_empty());
    parts.extend(
        is_interdicted.then(|| Line(format!("  {INTERDICTED} Interdicted there (A10.53)"))),
    );
    parts
}

fn unit_advice(situation: &Situation, answered: &RouterAnswer, digits: usize) -> UnitAdvice {
    let Prospect { ruling, courses, .. } = &answered.prospect;
    let (called, member) =
        (situation.unit_called(answered.unit), &situation.routers[answered.unit].member);
    let reason = |reason: &Reason| {
        let by = reason.enemies.iter().map(|&place| format!(" {}", situation.enemy_called(place)));
        format!("{}{} (A{})", reason.text, by.collect::<Vec<_>>().join(","), reason.rule)
    };
    let why: Vec<String> = ruling.reasons.iter().map(reason).collect();
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
    let chance = |column: usize| {
        let odds = answered.odds.first()?;
        let counts = |outcome: &RoutOutcome| {
            CourseSummary::from_odds([(outcome, 1.0)]).named()[column].1 > 0.0
        };
        Some(percent_to(chance_of(odds, counts)?.probability(), digits))
    };
    let best = courses.first().zip(chance(0).zip(chance(1))).map(|(course, (survives, cover))| {
        let plan = course_words(situation, course);
        format!("Best: {plan}: survives {survives}, in cover {cover}.")
    });
    let shown = courses.len().min(1 + BESIDE);
    UnitAdvice {
        duty: format!("{called} ({member}) {}{why}.", ruling.words()),
        best,
        plans: plans(situation, answered, shown, digits),
    }
}

fn more(number: usize, what: &str) -> ReportPart {
    Line(format!("  {number} more {what}: --plans 0 shows all"))
}

const INTERDICTED: char = '!';
/// Columns that are omitted if no row has a value other than 0 in them.
const ONLY_WHERE_SO: [&str; 5] = ["hurt", "pinned", "eliminated", "captured", "fails to rout"];

/// Creates a table of [`CourseSummary::named`]; unused columns of [`ONLY_WHERE_SO`] are omitted.
fn chance_table(
    (front, texts): (&[&str], usize),
    back: &[&str],
    rows: &[Vec<String>],
    digits: usize,
) -> ReportPart {
    let chances = CourseSummary::default().named().map(|(name, _)| name.replace('_', " "));
    let chances = chances.each_ref().map(String::as_str);
    let headings = [front, &chances, back].concat();
    let never = percent_to(0.0, digits);
    let is_shown = |column: &usize| {
        let is_so = |row: &Vec<String>| !row[*column].is_empty() && row[*column] != never;
        !ONLY_WHERE_SO.contains(&headings[*column]) || rows.iter().any(is_so)
    };
    let shown: Vec<usize> = (0..headings.len()).filter(is_shown).collect();
    let row = |row: &Vec<String>| shown.iter().map(|column| row[*column].clone()).collect();
    Table {
        headings: shown.iter().map(|column| headings[*column].to_string()).collect(),
        rows: rows.iter().map(row).collect(),
        texts,
    }
}

fn facts(
    situation: &Situation,
    unit: usize,
    prospect: &Prospect,
    digits: usize,
) -> Vec<ReportPart> {
    let Prospect { ruling, outlook, .. } = prospect;
    let (called, member) = (situation.unit_called(unit), &situation.routers[unit].member);
    let mut parts = vec![Paragraph(0, format!("{called} ({member}) {}", ruling.words()))];
    for reason in &ruling.reasons {
        // Known enemies are listed by name below, so a mark is enough.
        let enemy = |&place: &usize| match outlook.known.contains(&place) {
            true => mark('E', place),
            false => situation.enemy_called(place),
        };
        let by = reason.enemies.iter().map(|place| format!(" {}", enemy(place)));
        let by = by.collect::<Vec<_>>().join(",");
        parts.push(Paragraph(2, format!("{}{by} (A{})", reason.text, reason.rule)));
    }
    let cover_in_words = |cover: &Cover| {
        let name = situation.map.location_name(cover.location);
        let mark = if cover.is_ignorable { ", may be ignored" } else { "" };
        format!("{name} {} MF{mark}", Mf::halves(cover.cost))
    };
    let mut cover: Vec<String> = outlook.choice.destinations().map(cover_in_words).collect();
    match outlook.choice.cover.len() - cover.len() {
        0 => {}
        farther if cover.is_empty() => {
            cover.push(format!("{farther}, none of them to be declared"))
        }
        farther => cover.push(format!("{farther} farther")),
    }
    let known = outlook.known.iter().map(|&place| situation.enemy_called(place));
    let known: Vec<String> = known.collect();
    let or_none = |words: String| if words.is_empty() { "none".to_string() } else { words };
    let names = |locations: &[Location]| names_of(situation, locations.iter().copied());
    let destinations = outlook.choice.destinations().map(|cover| cover.location);
    let action = |(action, [survives, _]): &(FirstAction, [f64; 2])| {
        let survives = percent_to(*survives, digits);
        format!("{} {survives}", action_words(situation, *action, "Low Crawl"))
    };
    let actions: Vec<String> = prospect.first_actions.iter().map(action).collect();
    let best = format!("survives by the best play ({BEST}) after");
    for (what, description) in [
        ("Known enemies", or_none(known.join(", "))),
        ("legal first steps (A10.51)", names(&outlook.first_steps)),
        ("cover in reach (A10.51)", or_none(cover.join("; "))),
        ("destinations", names_of(situation, destinations)),
        ("free rout", if outlook.choice.is_free { "yes" } else { "no" }.to_string()),
        ("Low Crawl (A10.52)", names(&outlook.low_crawl)),
        (&best, actions.join("; ")),
    ] {
        parts.push(Paragraph(2, format!("{what}: {description}")));
    }
    parts
}

fn course_row(
    situation: &Situation,
    course: &RoutCourse,
    odds: &[(RoutOutcome, Estimate)],
    digits: usize,
) -> Vec<String> {
    let name = |(location, is_interdicted): (Location, bool)| {
        let mut name = situation.map.location_name(location);
        name.extend(is_interdicted.then_some(INTERDICTED));
        name
    };
    let route: Vec<String> = course.entries().map(name).collect();
    let chance = |column: usize| {
        let counts = |outcome: &RoutOutcome| {
            CourseSummary::from_odds([(outcome, 1.0)]).named()[column].1 > 0.0
        };
        let counted = odds.iter().filter(|(outcome, _)| counts(outcome)).map(|(_, figure)| *figure);
        let counted = counted.reduce(Estimate::or);
        counted.map_or(percent_to(0.0, digits), |figure| figure_words(figure, digits))
    };
    let front = [course_words(situation, course), route.join(" "), course.mf.to_string()];
    front.into_iter().chain((0..6).map(chance)).collect()
}

/// Formats a probability, with half of an estimate's 95 % interval below.
fn figure_words(figure: Estimate, digits: usize) -> String {
    let percent = |share| percent_to(share, digits);
    let (chance, interval) = (figure.probability(), figure.interval());
    match (interval, figure.counted()) {
        (None, _) => percent(chance),
        (Some((_, high)), Some((0, _))) => format!("< {}", percent(high)),
        (Some((low, high)), _) => {
            format!("{}\n+- {}", percent(chance), percent((chance - low).max(high - chance)))
        }
    }
}

fn in_order(situation: &Situation, phase: &InOrder, digits: usize) -> [ReportPart; 4] {
    let row = |(unit, sum): (usize, CourseSummary)| {
        let chances = sum.named().into_iter().map(|(_, chance)| chance).chain([sum.failed]);
        let chances = chances.map(|chance| percent_to(chance, digits));
        std::iter::once(situation.unit_called(unit)).chain(chances).collect()
    };
    let rows: Vec<Vec<String>> = phase.summaries().map(row).collect();
    [
        Line(format!("One after another, each by its best play: {BEST} (A10.5)")),
        chance_table((&["in this order"], 1), &["fails to rout"], &rows, digits),
        Line(format!("  {}", on_average(phase))),
        Gap,
    ]
}

fn on_average(phase: &InOrder) -> String {
    format!(
        "{:.4} of {} units survive on average, {:.4} in cover unreduced",
        phase.survivors(),
        phase.summaries().count(),
        phase.in_cover()
    )
}

/// Returns at most `most` orders of the units (0 for all), best first, or a line if all are equal.
fn orders_by_worth(situation: &Situation, orders: &[InOrder], most: usize) -> Vec<ReportPart> {
    if orders.len() < 2 {
        return vec![Gap];
    }
    if orders.iter().all(|order| order.compare(&orders[0]).is_eq()) {
        return vec![Line(format!("All {} orders are worth the same.", orders.len())), Gap];
    }
    let shown = if most == 0 { orders.len() } else { most.min(orders.len()) };
    let row = |order: &InOrder| {
        let names = order.order.iter().map(|&unit| situation.unit_called(unit));
        let names = names.collect::<Vec<_>>().join(", then ");
        vec![names, format!("{:.4}", order.survivors()), format!("{:.4}", order.in_cover())]
    };
    let table = Table {
        headings: ["order", "survive", "in cover"].map(str::to_string).to_vec(),
        rows: orders[..shown].iter().map(row).collect(),
        texts: 1,
    };
    let mut parts = vec![Line("Units that survive on average, by order".to_string()), table];
    parts.extend((shown < orders.len()).then(|| more(orders.len() - shown, "orders")));
    parts.push(Gap);
    parts
}

/// Returns the value of each first option of the unit `name`, and advice on the best.
fn campaign(
    name: &str,
    openings: &Openings,
    ahead: &LaterTurns,
    most: usize,
    digits: usize,
) -> [ReportPart; 4] {
    let words = ahead.objective.in_words(false);
    let turns = counted(u64::from(ahead.turns), "Player Turn");
    let headings = ["first", words.as_str(), "margin", "survives", "squad-equivalents"];
    let format = NumberFormat::new(&ahead.objective, false, digits);
    let row = |(number, Valued { option, value, .. }): (usize, &Valued)| {
        let [worth, survives, squads] = *value;
        let margin = openings.margin(number).map_or(String::new(), |margin| {
            if margin.abs() <= EQUAL { "0".to_string() } else { format.difference(margin) }
        });
        let [first, _] = first_words(option);
        let value = format.value(ahead.objective.number(worth));
        vec![first, value, margin, percent_to(survives, digits), format!("{squads:.4}")]
    };
    let about = format!(
        "{name} over {turns} from this RtPh on, each first choice followed by the best play"
    );
    let rows = openings.list.iter().enumerate().take(most).map(row).collect();
    [
        Paragraph(0, about),
        Table { headings: headings.map(str::to_string).to_vec(), rows, texts: 1 },
        Paragraph(2, advice(openings, ahead, &turns, format)),
        Gap,
    ]
}

fn advice(openings: &Openings, ahead: &LaterTurns, turns: &str, format: NumberFormat) -> String {
    let words = ahead.objective.aim_in_words(false);
    let best = &openings.list[0];
    let [first, _] = first_words(&best.option);
    let value = format.value(ahead.objective.number(best.value[0]));
    let more = if ahead.objective.is_minimized() { "less" } else { "more" };
    let Some((next, margin)) = openings.list.get(1).zip(openings.margin(0)) else {
        return format!("Over {turns} for {words} there is no choice: {first}, {value}");
    };
    let [_, next] = first_words(&next.option);
    let than = match margin {
        margin if margin <= EQUAL => format!("as much as {next}"),
        margin => format!("{} {more} than {next}", format.margin(margin)),
    };
    format!("Best over {turns} for {words}: {first}, {value} ({than})")
}
