//! Rendering of a comparison: the courses, a table of their results, and the best course.

use super::document::{Block, Document, aligned, emphasized, paragraph, paragraphs};
use super::layout::{self, Digits};
use super::provenance;
use answer::estimate::CONFIDENCE;
use api::compare::ComparedQuestions;
use api::number_format::{NumberFormat, plain};
use engine::stats::Proportion;
use play::{Compared, ComparedCourse, MeasureExpr, Weighed};

/// A column of final states: its heading, and the cell of a course.
type Ends<'a> = (&'a str, Box<dyn Fn(&ComparedCourse) -> String + 'a>);

/// Returns the heading of the column of courses, which names the units that are counted.
pub(super) fn first_heading(compared: &Compared) -> String {
    compared.counted().map_or("course".to_string(), |counted| format!("of {counted}"))
}

fn number_of_units(number: f64) -> String {
    match number > 0.0 && number < 0.0001 {
        true => "< 0.0001".to_string(),
        false => plain(number),
    }
}

/// Returns the 0-based indices of the classes in which any counted unit ends.
pub(super) fn classes_counted(compared: &Compared) -> impl Iterator<Item = usize> {
    let is_met = |class: &usize| compared.courses.iter().any(|course| course.counted[*class] > 0.0);
    (0..compared.kind.classes.len()).filter(is_met)
}

/// Largest number of lines with the description of a file.
const LINES: usize = 24;
/// The largest number of courses of which all is shown. Of more, which are variations of the first,
/// there is a line each, the largest difference first.
pub(super) const SEVERAL: usize = 8;
/// Smallest number of characters that is worth a line of its own in front of all courses.
const SHARED: usize = 40;

/// Returns what all questions begin with, up to a comma or semicolon; empty if that is short.
fn shared_start<'a>(questions: &[&'a str]) -> &'a str {
    let Some((first, others)) = questions.split_first() else { return "" };
    let is_shared = |end: &usize| others.iter().all(|other| other.starts_with(&first[..*end]));
    let ends = first.match_indices([',', ';']).map(|(end, _)| end);
    let mut ends = ends.filter(|end| first[end + 1..].starts_with(' '));
    let end = ends.rfind(is_shared).filter(|end| *end >= SHARED);
    &first[..end.unwrap_or(0)]
}

/// A comparison to be rendered, with the decimals of percentages.
pub struct ComparisonText<'a>(pub &'a ComparedQuestions, pub Digits);

impl ComparisonText<'_> {
    pub fn render(&self) -> Document {
        let ComparisonText(side, _) = self;
        let mut text = self.courses();
        text += side.objective.sentence(side.compared.several(), side.compared.side);
        text += Block::Gap;
        text += emphasized(&side.verdict());
        text += Block::Gap;
        let (headings, rows) = self.table();
        text += aligned(headings, rows, &[false, true]);
        text += self.errors();
        text = (text + Block::Gap + provenance(&side.compared.meta)).fitted();
        let about = side.about.as_deref().map(|about| paragraphs(about) + Block::Gap);
        about.filter(|about| about.lines() + text.lines() <= LINES).unwrap_or_default() + text
    }

    /// Returns each course with its question. What all questions begin with is said once.
    fn courses(&self) -> Document {
        let ComparisonText(side, _) = self;
        let questions: Vec<&str> = side.metas.iter().map(|meta| meta.question.as_str()).collect();
        if self.is_brief() {
            return paragraph(&format!("{}: {}", side.names[0], questions[0]));
        }
        let shared = shared_start(&questions);
        let course = |(name, question): (&String, &&str)| {
            let own = question[shared.len()..].trim_start_matches([',', ';', ' ']);
            paragraph(&format!("{name}: {own}"))
        };
        paragraph(shared) + side.names.iter().zip(&questions).map(course).collect::<Document>()
    }

    fn is_brief(&self) -> bool {
        self.0.names.len() > SEVERAL
    }

    fn format(&self) -> NumberFormat {
        let ComparisonText(side, Digits(digits)) = self;
        NumberFormat::new(&side.objective, side.compared.several(), *digits)
    }

    pub fn markdown(&self) -> String {
        let (headings, rows) = self.table();
        let right: Vec<bool> = (0..headings.len()).map(|column| column > 0).collect();
        layout::aligned(&headings, &rows, &right, true)
    }

    /// Returns headings and a row per course: final states (means of several units), and objective.
    fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let is_estimate = self.0.compared.meta.trials.is_some();
        let mut headings = vec![first_heading(&self.0.compared)];
        let ends = if self.is_brief() { Vec::new() } else { self.ends() };
        headings.extend(ends.iter().map(|(name, _)| name.to_string()));
        headings.extend([self.objective_heading(), "difference".to_string()]);
        headings.extend(is_estimate.then(|| "95 %".to_string()));
        let format = self.format();
        let row = |(name, course): (&String, &ComparedCourse)| {
            let mut row = vec![name.clone()];
            row.extend(ends.iter().map(|(_, cell)| cell(course)));
            let difference = course.objective.difference;
            row.push(format.value(course.objective.value));
            row.push(difference.map_or(String::new(), |one| format.difference(one.value)));
            row.extend(is_estimate.then(|| {
                let error = difference.and_then(|difference| difference.error);
                error.map_or(String::new(), |error| format.interval(error))
            }));
            row
        };
        let mut courses: Vec<_> = self.0.names.iter().zip(&self.0.compared.courses).collect();
        if self.is_brief() {
            let size = |course: &ComparedCourse| {
                course.objective.difference.map_or(0.0, |difference| difference.value.abs())
            };
            courses[1..].sort_by(|(_, one), (_, other)| size(other).total_cmp(&size(one)));
        }
        (headings, courses.into_iter().map(row).collect())
    }

    /// Returns the heading of the objective: what is counted, if no other column counts it.
    fn objective_heading(&self) -> String {
        let ComparisonText(side, _) = self;
        let counted = side.objective.measure().filter(|expr| {
            expr.at_least.is_some() || expr.further_end(side.compared.kind).is_some()
        });
        let named = counted.map(|expr| MeasureExpr { group: None, ..*expr }.to_string());
        named.unwrap_or("objective".to_string())
    }

    /// Returns the columns of final states: the counted group's classes, or classes and statuses.
    fn ends<'b>(&'b self) -> Vec<Ends<'b>> {
        let compared = &self.0.compared;
        let classes = compared.kind.classes;
        if compared.group.is_some() {
            let column = |class: usize| -> Ends<'b> {
                let cell = move |course: &ComparedCourse| number_of_units(course.counted[class]);
                (classes[class].name, Box::new(cell))
            };
            return classes_counted(compared).map(column).collect();
        }
        let statuses = || compared.statuses.iter().map(String::as_str);
        let of_classes = classes.iter().map(|class| {
            let met = statuses().filter(|status| class.statuses.contains(status)).collect();
            (class.name, met)
        });
        let is_shown = |status: &&str| {
            compared.kind.class_of(status).is_some()
                || classes.first().is_some_and(|class| class.name == *status)
        };
        let others = statuses().filter(|status| !is_shown(status)).map(|name| (name, vec![name]));
        let column = |(name, statuses): (&'b str, Vec<&'b str>)| -> Ends<'b> {
            (name, Box::new(move |course| self.number(course, &statuses)))
        };
        of_classes.chain(others).filter(|(_, met)| !met.is_empty()).map(column).collect()
    }

    fn number(&self, course: &ComparedCourse, statuses: &[&str]) -> String {
        let ends = || course.ends.iter().filter(|end| statuses.contains(&end.status.as_str()));
        let sum = ends().fold(0.0, |sum, end| sum + end.weighed.value);
        let several = self.0.compared.several();
        match self.0.compared.meta.trials {
            Some(trials) if sum == 0.0 && ends().any(|end| end.is_possible) => {
                let (_, high) = Proportion { count: 0, trials }.interval(CONFIDENCE);
                let high = high.max(0.0001);
                format!("< {}", if several { plain(high) } else { self.1.percent(high) })
            }
            _ if several => number_of_units(sum),
            _ => self.1.percent(sum),
        }
    }

    /// Returns a sentence about the largest standard errors; empty for exact results.
    fn errors(&self) -> String {
        let widest = |all: &mut dyn Iterator<Item = &Weighed>| {
            let errors = all.filter_map(|weighed| weighed.std_error);
            errors.filter(|error| error.is_finite()).reduce(f64::max)
        };
        let courses = &self.0.compared.courses;
        let ends = courses.iter().flat_map(|course| &course.ends);
        let odds = widest(&mut ends.map(|end| &end.weighed));
        let worths = widest(&mut courses.iter().map(|course| &course.objective));
        let Some((odds, worths)) = odds.zip(worths) else { return String::new() };
        format!(
            "All courses met the same dice. Standard errors: odds of a unit at most {}, objectives \
                at most {}.\n",
            self.1.percent(odds),
            self.format().value(worths)
        )
    }
}
