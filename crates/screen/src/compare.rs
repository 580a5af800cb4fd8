//! A comparison as a player reads it: the courses, a small table, and which is better.

use super::footing;
use super::layout::{self, percent};
use super::said::{Piece, Said, fitted, paragraph, paragraphs};
use door::compare::{Side, interval, plain, signed};
use engine::stats::Proportion;
use system::compare::{Course, Weighed};
use system::table::CONFIDENCE;

/// What is told of it.
pub struct Told<'a>(pub &'a Side);

impl Told<'_> {
    /// All that is said of it.
    pub fn said(&self) -> Said {
        let Told(side) = self;
        let mut text =
            side.about.as_deref().map_or(Said::default(), |about| paragraphs(about) + Piece::Gap);
        for (name, meta) in side.names.iter().zip(&side.metas) {
            text += paragraph(&format!("{name}: {}", meta.question));
        }
        text += format!("Objective: {}.", side.objective.in_words(side.compared.several()));
        text += Piece::Gap;
        let (headings, rows, right) = self.table();
        text += fitted(&headings, &rows, &right);
        text += self.errors();
        text + Piece::Gap + paragraph(&side.verdict()) + Piece::Gap + footing(&side.compared.meta)
    }

    pub fn markdown(&self) -> String {
        let (headings, rows, right) = self.table();
        layout::aligned(&headings, &rows, &right, true)
    }

    /// Headings, rows, and which columns are numbers: courses down, how units end across: odds of a
    /// single unit, numbers of several; then what that is worth.
    fn table(&self) -> (Vec<String>, Vec<Vec<String>>, Vec<bool>) {
        let is_estimate = self.0.compared.meta.trials.is_some();
        let mut headings = vec!["course".to_string()];
        let ends = self.ends();
        headings.extend(ends.iter().map(|(name, _)| name.clone()));
        headings.extend(["objective", "difference"].map(str::to_string));
        headings.extend(is_estimate.then(|| "95 %".to_string()));
        let row = |(name, course): (&String, &Course)| {
            let mut row = vec![name.clone()];
            row.extend(ends.iter().map(|(_, statuses)| self.number(course, statuses)));
            let difference = course.objective.difference;
            row.push(plain(course.objective.value));
            row.push(difference.map_or(String::new(), |difference| signed(difference.value)));
            row.extend(is_estimate.then(|| {
                difference.and_then(|difference| difference.error).map_or(String::new(), interval)
            }));
            row
        };
        let rows: Vec<Vec<String>> =
            self.0.names.iter().zip(&self.0.compared.courses).map(row).collect();
        let mut right = vec![true; headings.len()];
        right[0] = false;
        (headings, rows, right)
    }

    /// What stands in a column, by its name: what statuses come to, and those that come to nothing
    /// by themselves.
    fn ends(&self) -> Vec<(String, Vec<&str>)> {
        let compared = &self.0.compared;
        let classes = compared.kind.classes;
        let mut columns: Vec<(String, Vec<&str>)> = Vec::new();
        for class in classes {
            let met = compared.statuses.iter().map(String::as_str);
            let met: Vec<&str> = met.filter(|status| class.statuses.contains(status)).collect();
            if !met.is_empty() {
                columns.push((class.name.to_string(), met));
            }
        }
        for status in &compared.statuses {
            let is_told = compared.kind.class_of(status).is_some()
                || classes.first().is_some_and(|class| class.name == status);
            if !is_told {
                columns.push((status.clone(), vec![status]));
            }
        }
        columns
    }

    fn number(&self, course: &Course, statuses: &[&str]) -> String {
        let ends = || course.ends.iter().filter(|end| statuses.contains(&end.status.as_str()));
        let sum = ends().fold(0.0, |sum, end| sum + end.weighed.value);
        let several = self.0.compared.several();
        match self.0.compared.meta.trials {
            // No sequence drew what can be: what is told is the upper limit.
            Some(trials) if sum == 0.0 && ends().any(|end| end.is_possible) => {
                let (_, high) = Proportion { count: 0, trials }.interval(CONFIDENCE);
                let most =
                    if several { plain(high.max(0.0001)) } else { percent(high.max(0.0001)) };
                format!("< {most}")
            }
            _ if several && sum > 0.0 && sum < 0.0001 => "< 0.0001".to_string(),
            _ if several => plain(sum),
            _ => percent(sum),
        }
    }

    /// How far estimates can be trusted by themselves.
    fn errors(&self) -> String {
        let widest = |errors: &mut dyn Iterator<Item = &Weighed>| {
            errors
                .filter_map(|weighed| weighed.std_error)
                .filter(|error| error.is_finite())
                .reduce(f64::max)
        };
        let courses = &self.0.compared.courses;
        let odds =
            widest(&mut courses.iter().flat_map(|course| &course.ends).map(|end| &end.weighed));
        let worths = widest(&mut courses.iter().map(|course| &course.objective));
        let Some((odds, worths)) = odds.zip(worths) else { return String::new() };
        format!(
            "All courses met the same dice. Standard errors: odds of a unit at most {}, objectives at most {}.\n",
            plain(odds),
            plain(worths)
        )
    }
}
