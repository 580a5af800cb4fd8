//! Rendering of the answer about a Rout Phase on a map.

pub(crate) mod impact;
mod turns;

use crate::document::{Block, Document, aligned, indented, paragraph, paragraphs};
use crate::layout::Digits;
use crate::{Looks, units};
use answer::Estimate;
use api::rout::explain::Explained;
use api::rout::picture::route_map;
use api::rout::{Routed, circumstances};
use asl::board::map::Location;
use asl::board::terrain::Mf;
use asl::course::phase::InOrder;
use asl::course::rout::{BEST, CourseSummary, Prospect, RoutCourse};
use asl::rout::{Cover, FirstAction, RoutOutcome, Situation, mark};
use asl::scenario::answer::{RouterAnswer, action_words, course_words, names_of};
use charts::{svg, terminal};
use turns::render_campaign;

/// Renders the answer about a Rout Phase.
pub fn render(
    Routed { scenario, answers, phase, counts, orders, campaigns, meta }: &Routed,
    looks: &Looks,
) -> Document {
    let situation = &scenario.situation;
    let mut text = Document::default();
    if let Some(about) = &scenario.about {
        text += paragraphs(about) + Block::Gap;
    }
    if looks.map {
        let map = terminal::draw(&route_map(situation, &pictured(answers), 2), looks.colours);
        text += Document::from(Block::Drawn(map)) + Block::Gap;
    }
    let only = counts.as_ref().filter(|_| looks.counts);
    for answered in answers.iter().filter(|_| only.is_none()) {
        text += render_unit(situation, answered, looks) + Block::Gap;
    }
    if let Some(phase) = phase.as_ref().filter(|_| only.is_none()) {
        text += render_order(situation, phase, looks.digits) + Block::Gap;
    }
    if let Some(counts) = counts {
        text += units::counted(counts, looks.digits) + Block::Gap;
    }
    if let Some(orders) = orders.as_deref().filter(|orders| !orders.is_empty()) {
        text += render_orders(situation, orders, looks.most) + Block::Gap;
    }
    for (ahead, (unit, openings)) in
        campaigns.iter().flat_map(|(ahead, units)| units.iter().map(move |unit| (ahead, unit)))
    {
        text += render_campaign(situation, *unit, openings, ahead) + Block::Gap;
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
    text += paragraph(&footing);
    text.extend(meta.notes.iter().map(|note| paragraph(&format!("note: {note}"))));
    text
}

/// Renders the reasons why a hex is a destination or not.
pub fn explained(explained: &Explained) -> Document {
    let mut text = Document::default();
    for unit in &explained.units {
        let name = explained.scenario.situation.unit_called(unit.unit);
        text += paragraph(&format!("{name}: {}", explained.hex()));
        let reasons = unit.reasons.iter();
        text.extend(reasons.map(|(rule, reason)| indented(2, &format!("{reason} (A{rule})"))));
    }
    text
}

/// Draws a rout as SVG, below a title.
pub fn picture(Routed { scenario, answers, .. }: &Routed, title: &str) -> String {
    let options =
        svg::PictureOptions { title: title.to_string(), ..svg::PictureOptions::default() };
    svg::draw(&route_map(&scenario.situation, &pictured(answers), 6), &options).svg
}

/// Draws the whole map as SVG with all routs, together with the positions of its hexes.
pub fn map(situation: &Situation, answers: &[RouterAnswer]) -> svg::Picture {
    let options =
        svg::PictureOptions { within: None, legend: false, ..svg::PictureOptions::default() };
    svg::draw(&route_map(situation, &pictured(answers), 6), &options)
}

fn pictured(answers: &[RouterAnswer]) -> Vec<(usize, &Prospect)> {
    answers.iter().map(|answered| (answered.unit, &answered.prospect)).collect()
}

/// Renders a unit: its obligation to rout, its options, and its plans. At most `looks.most` plans
/// are shown.
fn render_unit(situation: &Situation, answered: &RouterAnswer, looks: &Looks) -> Document {
    let Looks { most, digits, .. } = *looks;
    let RouterAnswer { unit, prospect, odds } = answered;
    let mut text = facts(situation, *unit, prospect, digits);
    let shown = if most == 0 { prospect.courses.len() } else { most.min(prospect.courses.len()) };
    let courses = &prospect.courses[..shown];
    let row = |(course, odds): (&RoutCourse, &Vec<_>)| course_row(situation, course, odds, digits);
    let rows: Vec<Vec<String>> = courses.iter().zip(odds).map(row).collect();
    text += chance_table(&["plan", "route", "MF"], &[], &rows, digits);
    if courses.iter().any(|course| !course.interdicted.is_empty()) {
        text += format!("  {INTERDICTED} Interdicted there (A10.53)\n");
    }
    if shown < prospect.courses.len() {
        text += format!("  {} more plans: --plans 0 shows all\n", prospect.courses.len() - shown);
    }
    if prospect.dominated > 0 {
        let plans = if prospect.dominated == 1 { "plan" } else { "plans" };
        text += format!(
            "  {} {plans} left out: another declaration leads to the same end as well\n",
            prospect.dominated
        );
    }
    text
}

const INTERDICTED: char = '!';
/// Columns that are omitted if no row has a value other than 0 in them.
const ONLY_WHERE_SO: [&str; 5] = ["hurt", "pinned", "eliminated", "captured", "fails to rout"];

/// Columns of text, which are left-aligned.
const TEXTS: [&str; 3] = ["plan", "route", "in this order"];

/// Creates a table of the probabilities that [`CourseSummary::named`] has, between the columns
/// `front` and `back`. The columns of [`ONLY_WHERE_SO`] that have no values are omitted.
fn chance_table(front: &[&str], back: &[&str], rows: &[Vec<String>], digits: Digits) -> Document {
    let chances = CourseSummary::default().named().map(|(name, _)| name.replace('_', " "));
    let chances = chances.each_ref().map(String::as_str);
    let headings = [front, &chances, back].concat();
    let never = digits.percent(0.0);
    let is_shown = |column: &usize| {
        let is_so = |row: &Vec<String>| !row[*column].is_empty() && row[*column] != never;
        !ONLY_WHERE_SO.contains(&headings[*column]) || rows.iter().any(is_so)
    };
    let shown: Vec<usize> = (0..headings.len()).filter(is_shown).collect();
    let row = |row: &Vec<String>| shown.iter().map(|column| row[*column].clone()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
    let headings: Vec<String> = shown.iter().map(|column| headings[*column].to_string()).collect();
    let right: Vec<bool> =
        headings.iter().map(|heading| !TEXTS.contains(&heading.as_str())).collect();
    aligned(&headings, rows, &right).fitted()
}

fn facts(situation: &Situation, unit: usize, prospect: &Prospect, digits: Digits) -> Document {
    let Prospect { ruling, outlook, .. } = prospect;
    let (called, member) = (situation.unit_called(unit), &situation.routers[unit].member);
    let mut text = paragraph(&format!("{called} ({member}) {}", ruling.words()));
    for reason in &ruling.reasons {
        // Known enemies are listed by name below, so a mark is enough.
        let enemy = |&place: &usize| match outlook.known.contains(&place) {
            true => mark('E', place),
            false => situation.enemy_called(place),
        };
        let enemies: Vec<String> = reason.enemies.iter().map(enemy).collect();
        let by =
            if enemies.is_empty() { String::new() } else { format!(" {}", enemies.join(", ")) };
        text += indented(2, &format!("{}{by} (A{})", reason.text, reason.rule));
    }
    let cover_in_words = |cover: &Cover| {
        let name = situation.map.location_name(cover.location);
        let mark = if cover.is_ignorable { ", may be ignored" } else { "" };
        format!("{name} {} MF{mark}", Mf::halves(cover.cost))
    };
    let (near, far): (Vec<&Cover>, Vec<&Cover>) =
        outlook.choice.cover.iter().partition(|cover| cover.is_destination);
    let mut cover: Vec<String> = near.into_iter().map(cover_in_words).collect();
    match far.len() {
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
    for (what, description) in [
        ("Known enemies", or_none(known.join(", "))),
        ("legal first steps (A10.51)", names(&outlook.first_steps)),
        ("cover in reach (A10.51)", or_none(cover.join("; "))),
        ("destinations", names_of(situation, destinations)),
        ("free rout", if outlook.choice.is_free { "yes" } else { "no" }.to_string()),
        ("Low Crawl (A10.52)", names(&outlook.low_crawl)),
    ] {
        text += indented(2, &format!("{what}: {description}"));
    }
    let action = |(action, [survives, _]): &(FirstAction, [f64; 2])| {
        format!("{} {}", action_words(situation, *action, "Low Crawl"), digits.percent(*survives))
    };
    let actions: Vec<String> = prospect.first_actions.iter().map(action).collect();
    let actions = actions.join("; ");
    text + indented(2, &format!("survives by the best play ({BEST}) after: {actions}"))
}

fn course_row(
    situation: &Situation,
    course: &RoutCourse,
    odds: &[(RoutOutcome, Estimate)],
    digits: Digits,
) -> Vec<String> {
    let name = |(location, is_interdicted): (Location, bool)| {
        let mut name = situation.map.location_name(location);
        name.extend(is_interdicted.then_some(INTERDICTED));
        name
    };
    let route: Vec<String> = course.entries().map(name).collect();
    let mut figures = [None::<Estimate>; 6];
    for (outcome, figure) in odds {
        let counts = CourseSummary::from_odds([(outcome, 1.0)]).named();
        for (sum, _) in figures.iter_mut().zip(counts).filter(|(_, (_, counts))| *counts > 0.0) {
            *sum = Some(sum.map_or(*figure, |sum| sum.or(*figure)));
        }
    }
    let chance = |figure: Option<Estimate>| {
        figure.map_or(digits.percent(0.0), |figure| figure_words(figure, digits))
    };
    let front = [course_words(situation, course), route.join(" "), course.mf.to_string()];
    front.into_iter().chain(figures.map(chance)).collect()
}

/// Formats a probability, with half of an estimate's 95 % interval below.
fn figure_words(figure: Estimate, digits: Digits) -> String {
    let percent = |share| digits.percent(share);
    let (chance, interval) = (figure.probability(), figure.interval());
    match (interval, figure.counted()) {
        (None, _) => percent(chance),
        (Some((_, high)), Some((0, _))) => format!("< {}", percent(high)),
        (Some((low, high)), _) => {
            format!("{}\n+- {}", percent(chance), percent((chance - low).max(high - chance)))
        }
    }
}

/// Renders the outcomes of all units in their order of routing, each with its best play.
fn render_order(situation: &Situation, phase: &InOrder, digits: Digits) -> Document {
    let row = |(unit, sum): (usize, CourseSummary)| {
        let chances = sum.named().into_iter().map(|(_, chance)| chance).chain([sum.failed]);
        let chances = chances.map(|chance| digits.percent(chance));
        std::iter::once(situation.unit_called(unit)).chain(chances).collect()
    };
    let rows: Vec<Vec<String>> = phase.summaries().map(row).collect();
    let sum = format!(
        "  {:.4} of {} units survive on average, {:.4} in cover unreduced\n",
        phase.survivors(),
        rows.len(),
        phase.in_cover()
    );
    let heading = format!("One after another, each by its best play: {BEST} (A10.5)");
    let table = chance_table(&["in this order"], &["fails to rout"], &rows, digits);
    Document::from(heading) + table + sum
}

/// Renders at most `most` orders of the units (0 for all), the best first. If all have the same
/// value, one line says so.
fn render_orders(situation: &Situation, orders: &[InOrder], most: usize) -> Document {
    let names = |order: &InOrder| {
        order
            .order
            .iter()
            .map(|&unit| situation.unit_called(unit))
            .collect::<Vec<_>>()
            .join(", then ")
    };
    let Some(best) = orders.first().filter(|_| orders.len() > 1) else {
        return Document::default();
    };
    if orders.iter().all(|order| order.compare(best).is_eq()) {
        return format!("All {} orders are worth the same.", orders.len()).into();
    }
    let shown = if most == 0 { orders.len() } else { most.min(orders.len()) };
    let row = |order: &InOrder| {
        vec![names(order), format!("{:.4}", order.survivors()), format!("{:.4}", order.in_cover())]
    };
    let rows: Vec<Vec<String>> = orders[..shown].iter().map(row).collect();
    let headings = ["order", "survive", "in cover"].map(str::to_string);
    let more = if shown < orders.len() {
        format!("  {} more orders: --plans 0 shows all\n", orders.len() - shown)
    } else {
        String::new()
    };
    Document::from("Units that survive on average, by order")
        + aligned(&headings, rows, &[false, true, true]).fitted()
        + more
}
