//! A comparison as a player reads it: the courses, a small table, and which is better.

use crate::cli::screen::footing;
use crate::system::compare::{Compared, Course, Difference, SamplingError, Weighed};
use crate::system::objective::Objective;
use crate::table::Meta;
use crate::table::layout::{aligned, percent};

/// All there is to tell.
pub struct Told<'a> {
    pub about: Option<&'a str>,
    pub names: &'a [String],
    /// Of each course.
    pub metas: &'a [Meta],
    pub objective: &'a Objective,
    pub compared: &'a Compared,
}

impl Told<'_> {
    /// The whole screen.
    pub fn text(&self) -> String {
        let mut text = self.about.map_or(String::new(), |about| format!("{}\n\n", about.trim()));
        for (name, meta) in self.names.iter().zip(self.metas) {
            text += &format!("{name}: {}\n", meta.question);
        }
        text += &format!("Objective: {}.\n\n", self.objective.in_words(self.compared.several()));
        text += &self.table();
        text += &self.errors();
        text + &format!("\n{}\n\n{}", self.verdict(), footing(&self.compared.meta))
    }

    /// Courses down, how units end across: odds of a single unit, numbers of several; then what that is worth.
    fn table(&self) -> String {
        let is_estimate = self.compared.meta.trials.is_some();
        let mut headings = vec!["course".to_string()];
        headings.extend(self.compared.statuses.iter().cloned());
        headings.extend(["objective", "difference"].map(str::to_string));
        headings.extend(is_estimate.then(|| "95 %".to_string()));
        let row = |(name, course): (&String, &Course)| {
            let mut row = vec![name.clone()];
            row.extend(self.compared.statuses.iter().map(|status| self.number(course, status)));
            let difference = course.objective.difference;
            row.push(plain(course.objective.value));
            row.push(difference.map_or(String::new(), |difference| signed(difference.value)));
            row.extend(is_estimate.then(|| difference.and_then(|difference| difference.error).map_or(String::new(), interval)));
            row
        };
        let rows: Vec<Vec<String>> = self.names.iter().zip(&self.compared.courses).map(row).collect();
        let mut right = vec![true; headings.len()];
        right[0] = false;
        aligned(&headings, &rows, &right, false)
    }

    fn number(&self, course: &Course, status: &str) -> String {
        let ends = course.ends.iter().filter(|end| end.status == status);
        let sum = ends.fold(0.0, |sum, end| sum + end.weighed.value);
        match self.compared.several() {
            true if sum > 0.0 && sum < 0.0001 => "< 0.0001".to_string(),
            true => plain(sum),
            false => percent(sum),
        }
    }

    /// How far estimates can be trusted by themselves.
    fn errors(&self) -> String {
        let widest = |errors: &mut dyn Iterator<Item = &Weighed>| {
            errors.filter_map(|weighed| weighed.std_error).filter(|error| error.is_finite()).reduce(f64::max)
        };
        let courses = &self.compared.courses;
        let odds = widest(&mut courses.iter().flat_map(|course| &course.ends).map(|end| &end.weighed));
        let worths = widest(&mut courses.iter().map(|course| &course.objective));
        let Some((odds, worths)) = odds.zip(worths) else { return String::new() };
        format!(
            "All courses met the same dice. Standard errors: odds of a unit at most {}, objectives at most {}.\n",
            plain(odds),
            plain(worths)
        )
    }

    /// Which course is better, where that is clear.
    pub fn verdict(&self) -> String {
        let verdict = &self.compared.verdict;
        let (best, next) = (&self.names[verdict.best], &self.names[verdict.next]);
        let lead = lead(&verdict.lead, self.objective.gain_in_words(self.compared.several()));
        let estimated = verdict.lead.error.is_some();
        match (verdict.lead.is_clear(), self.names.len() > 2) {
            (true, false) => format!("{best} is better: {lead}."),
            (true, true) => format!("{best} is best: {lead}; the next is {next}."),
            (false, false) if estimated => format!("No difference is clear of its error: {best} has {lead}."),
            (false, true) if estimated => {
                format!("Which is best is not clear of the error: {best} has {lead}; the next is {next}.")
            }
            (false, false) => "There is no difference.".to_string(),
            (false, true) => format!("There is no difference between {best} and {next}, the best."),
        }
    }
}

/// A difference in what is gained, with its error.
fn lead(difference: &Difference, gain: &str) -> String {
    let error = difference.error.map_or(String::new(), |error| format!(" (95 %: {})", interval(error)));
    format!("{} {gain}{error}", signed(difference.value))
}

fn interval(error: SamplingError) -> String {
    let (low, high) = error.interval;
    if low.is_finite() { format!("{} to {}", signed(low), signed(high)) } else { "unknown".to_string() }
}

/// A number to four digits, what is smaller to three of its own.
fn plain(number: f64) -> String {
    if number == 0.0 || number.abs() >= 0.001 { format!("{number:.4}") } else { format!("{number:.2e}") }
}

fn signed(number: f64) -> String {
    if number < 0.0 { plain(number) } else { format!("+{}", plain(number)) }
}
