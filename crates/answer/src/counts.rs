//! Joint distribution of a group's units over its classes at each report; all counts use it.

use serde_json::{Value, json};

use super::countable::CountedUnit;
use super::counting::{ClassCounts, OutcomeCounter};
use super::estimate::{Estimate, ROUNDING, largest_error_bound};
use super::json::rows;
use super::mean::Mean;
use super::meta::{CountProvenance, Meta};
use super::sheet::{Cell, Column, Sheet, figure_cells, figure_columns};
use engine::exact::Fraction;
use engine::order::sort_by;
use engine::process::ReportIndex;
use schema::{Group, Kind};

/// The counted units of an answer.
#[derive(Clone, Debug)]
pub struct UnitCounts {
    pub kind: &'static Kind,
    pub group: &'static Group,
    pub initial: Vec<CountedUnit>,
    /// Name of a report point: `phase`, `step`. `None` if everything is reported once, at the end.
    pub points: Option<&'static str>,
    /// Number of parts of the group at the start; see [`Group::parts`].
    pub whole: u8,
    /// Number of awaited units: those that do not hold at the start.
    pub awaited: u8,
    /// Each possible (or sampled) combination of counts at each report, in order, and its odds.
    pub tallies: Vec<(ReportIndex, ClassCounts, Estimate)>,
    /// The engine and options behind the counts.
    pub footing: CountProvenance,
}

/// The probability that exactly `number` units of a group are in a class.
#[derive(Clone, Debug)]
pub struct CountRow {
    pub point: ReportIndex,
    /// 0-based position of the class.
    pub class: usize,
    pub number: f64,
    pub figure: Estimate,
    /// Probability of at least `number` units.
    pub at_least: f64,
}

/// The waiting time until a number of awaited units hold at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    pub number: u8,
    /// The first report by which the probability reaches one half; `None` if no report does.
    pub median: Option<ReportIndex>,
    /// Mean report at which the number is reached, given that it is; `None` if it never is.
    pub mean: Option<f64>,
    /// Probability that the number of units is not reached by the last report.
    pub not_within: f64,
    /// Standard error of the mean; `None` if the mean is exact or certified.
    pub std_error: Option<f64>,
    /// Largest error of the mean if the odds are certified; `None` otherwise.
    pub error_bound: Option<f64>,
}

impl UnitCounts {
    pub(super) fn new<O>(
        counter: &OutcomeCounter<O>,
        mut tallies: Vec<(ReportIndex, ClassCounts, Estimate)>,
        meta: &Meta,
    ) -> UnitCounts {
        sort_by(&mut tallies, |(a, one, _), (b, other, _)| (a, one).cmp(&(b, other)));
        let OutcomeCounter { kind, group, with_created, whole, awaited, .. } = *counter;
        let Meta { engine, arithmetic, states, trials, ref reason, .. } = *meta;
        let is_exact = trials.is_none();
        let footing = CountProvenance {
            group: group.name,
            with_created,
            engine,
            arithmetic: arithmetic.filter(|_| is_exact),
            error_bound: largest_error_bound(tallies.iter().map(|(.., figure)| figure)),
            states: states.filter(|_| is_exact),
            trials,
            reason: reason.clone(),
        };
        UnitCounts {
            kind,
            group,
            initial: counter.initial.clone(),
            points: counter.question.facts().points,
            whole,
            awaited: awaited.count_ones() as u8,
            tallies,
            footing,
        }
    }

    /// Returns the indices of all reports, in order.
    pub fn all_points(&self) -> Vec<ReportIndex> {
        // Reports without a name, such as those of attacks on the way, are parts of the last one.
        if self.points.is_none() {
            return vec![self.last_point()];
        }
        let mut points: Vec<ReportIndex> = self.tallies.iter().map(|(point, ..)| *point).collect();
        points.dedup();
        points
    }

    /// Returns the index of the last report, or 0 if there is none.
    pub fn last_point(&self) -> ReportIndex {
        self.tallies.last().map_or(0, |(point, ..)| *point)
    }

    /// Returns the largest number of parts that any class can have.
    pub fn most(&self) -> u8 {
        let classes = 0..self.kind.classes.len();
        let met = |class| self.tallies.iter().map(move |(_, tally, _)| tally.classes[class]);
        classes.flat_map(met).max().unwrap_or_default().max(self.whole)
    }

    /// Returns the probability that the counts at a report satisfy `fits`.
    pub fn odds(&self, point: ReportIndex, fits: impl Fn(&ClassCounts) -> bool) -> Estimate {
        let here = self.tallies.iter().filter(|(at, ..)| *at == point);
        let first = self.tallies.first();
        let nothing = || first.map_or(Estimate::plain(0.0), |(.., figure)| figure.of_none());
        let fit = here.filter(|(_, tally, _)| fits(tally)).map(|(.., figure)| *figure);
        fit.reduce(Estimate::or).unwrap_or_else(nothing)
    }

    /// Returns a row for every report, class and number of units.
    pub fn rows(&self) -> Vec<CountRow> {
        let mut rows = Vec::new();
        let most = self.most();
        for point in self.all_points() {
            for class in 0..self.kind.classes.len() {
                let first = rows.len();
                for parts in 0..=most {
                    let number = self.group.number(parts.into());
                    let figure = self.odds(point, |tally| tally.classes[class] == parts);
                    rows.push(CountRow { point, class, number, figure, at_least: 1.0 });
                }
                // Sums from the rare end to avoid cancellation. At least 0 units are certain.
                let mut at_least = 0.0;
                for row in rows[first + 1..].iter_mut().rev() {
                    at_least += row.figure.low();
                    row.at_least = at_least + row.figure.missing() / 2.0;
                }
            }
        }
        rows
    }

    /// Returns the mean number of units in a class (0-based); `None` if stratified: error unknown.
    pub fn mean(&self, point: ReportIndex, class: usize) -> Option<Mean> {
        self.mean_of(point, |tally| tally.classes[class])
    }

    /// Returns the mean number of units whose `parts` are counted; `None` if stratified.
    pub fn mean_of(
        &self,
        point: ReportIndex,
        parts_of: impl Fn(&ClassCounts) -> u8,
    ) -> Option<Mean> {
        let mut sum = super::mean::Sum::default();
        for (_, tally, figure) in self.tallies.iter().filter(|(at, ..)| *at == point) {
            sum.add(figure, parts_of(tally).into());
        }
        let most = if self.footing.with_created { u8::MAX } else { self.whole };
        let whole = sum.mean((0.0, most.into()))?;
        let parts = f64::from(self.group.parts);
        let share = |fraction: Fraction| {
            let denominator = fraction.denominator.checked_mul(self.group.parts.into())?;
            Some(Fraction::new(fraction.numerator, denominator))
        };
        Some(Mean {
            value: whole.value / parts,
            fraction: whole.fraction.and_then(share),
            std_error: whole.std_error.map(|error| error / parts),
            error_bound: whole.error_bound.map(|bound| bound / parts),
        })
    }

    /// Returns the waiting times until 1, 2, ... awaited units hold at once.
    pub fn waiting(&self) -> Vec<Wait> {
        (1..=self.awaited).filter_map(|number| self.wait(number)).collect()
    }

    fn wait(&self, number: u8) -> Option<Wait> {
        let points = self.all_points();
        let by = |point: &ReportIndex| self.odds(*point, |tally| tally.held >= number);
        let by: Vec<Estimate> = points.iter().map(by).collect();
        let last = by.last()?;
        let reached = last.probability();
        let not_within = self.odds(self.last_point(), |tally| tally.held < number).probability();
        let median = points
            .iter()
            .zip(&by)
            .find(|(_, figure)| figure.probability() >= 0.5 - 1e-12)
            .map(|(point, _)| *point);
        let (mut before, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (point, figure) in points.iter().zip(&by) {
            let (share, at) = (figure.probability() - before, f64::from(*point));
            before = figure.probability();
            sum += share * at;
            squares += share * at * at;
        }
        let mean = (reached > 0.0).then(|| sum / reached);
        let std_error = match (last.counted(), mean) {
            // Only the sequences that reached the number contribute to the mean and its error.
            (Some((count, _)), Some(mean)) if matches!(last, Estimate::Estimate(_)) => {
                let variance = (squares / reached - mean * mean).max(0.0);
                Some((variance / count as f64).sqrt())
            }
            _ => None,
        };
        let (mean, error_bound) = match certified_wait(&points, &by) {
            Some((low, high)) => (Some((low + high) / 2.0), Some((high - low) / 2.0)),
            None => (mean, None),
        };
        Some(Wait { number, median, mean, not_within, std_error, error_bound })
    }

    /// Returns the cells that identify a report: for steps, the step and an empty phase.
    fn point_cells(&self, point: ReportIndex) -> Vec<Cell> {
        let number = Cell::Integer(point.into());
        match self.points {
            Some("step") => vec![number, Cell::Null],
            Some(_) => vec![number],
            None => vec![Cell::Null],
        }
    }

    /// Returns the rows of the table of counts as cells; `case` is the value of the first column.
    pub fn cells(&self, case: u64) -> Vec<Vec<Cell>> {
        let cells = |row: CountRow| {
            let mut cells = vec![Cell::Integer(case as i64)];
            cells.extend(self.point_cells(row.point));
            cells.extend([
                Cell::Text(self.group.name.to_string()),
                Cell::Text(self.kind.classes[row.class].name.to_string()),
                Cell::Float(row.number),
            ]);
            let [probability, others @ ..] = figure_cells(&row.figure);
            cells.extend([probability, Cell::Float(row.at_least)]);
            cells.extend(others);
            cells
        };
        self.rows().into_iter().map(cells).collect()
    }

    /// Returns the counts as a separate table.
    pub fn sheet(&self, meta: &Meta) -> Sheet {
        Sheet::new(columns(self.points), self.cells(1), meta.clone())
    }

    /// Returns the rows as a JSON array of objects.
    pub fn in_json(&self) -> Value {
        rows(&self.sheet(&Meta::default())).collect()
    }

    /// Returns the mean of each class at each report, as JSON objects.
    pub fn means_in_json(&self) -> Vec<Value> {
        let name = match self.points {
            Some("step") => Some("step"),
            points => points.map(|_| "phase"),
        };
        let mut means = Vec::new();
        for point in self.all_points() {
            for (place, class) in self.kind.classes.iter().enumerate() {
                let Some(Mean { value, fraction, std_error, error_bound }) =
                    self.mean(point, place)
                else {
                    continue;
                };
                let at = name.map(|name| (name, json!(point)));
                let fraction = fraction.map(|fraction| fraction.to_string());
                let object = [("case", json!(1))].into_iter().chain(at).chain([
                    ("group", json!(self.group.name)),
                    ("class", json!(class.name)),
                    ("mean", json!(value)),
                    ("std_error", json!(std_error)),
                    ("fraction", json!(fraction)),
                    ("error_bound", json!(error_bound)),
                ]);
                means.push(object.map(|(name, value)| (name.to_string(), value)).collect());
            }
        }
        means
    }

    /// Returns the waiting times as a JSON array of objects.
    pub fn waiting_in_json(&self) -> Value {
        let object = |wait: Wait| {
            json!({ "case": 1, "group": self.group.name, "number": wait.number,
                "median": wait.median,
                "mean": wait.mean, "not_within": wait.not_within, "std_error": wait.std_error,
                "error_bound": wait.error_bound })
        };
        self.waiting().into_iter().map(object).collect()
    }
}

/// Returns the bounds of a mean waiting time from certified probabilities of each report; `None` if
/// they are not certified, or if the number may never be reached.
///
/// The mean is the last report less the reports saved, those after which the number was reached
/// already. Every probability may be too small by what is missing.
fn certified_wait(points: &[ReportIndex], by: &[Estimate]) -> Option<(f64, f64)> {
    let (last, (least, most)) = (*points.last()?, by.last()?.range()?);
    let saved = |reached: f64, probability: fn(&Estimate) -> f64| {
        let gaps = points.windows(2).map(|pair| f64::from(pair[1] - pair[0]));
        let sum: f64 =
            by.iter().zip(gaps).map(|(figure, gap)| probability(figure).min(reached) * gap).sum();
        sum / reached
    };
    let high = f64::from(last) - saved(most, Estimate::low);
    let low = f64::from(last) - saved(least, |figure| figure.low() + figure.missing());
    (least > 0.0).then_some((low - ROUNDING, high + ROUNDING))
}

/// Returns the columns of a table of counts; for `points` see [`UnitCounts::points`].
pub fn columns(points: Option<&str>) -> Vec<(&'static str, Column)> {
    let mut columns = vec![("case", Column::Integer)];
    columns.extend((points == Some("step")).then_some(("step", Column::Integer)));
    columns.extend([
        ("phase", Column::Integer),
        ("group", Column::Text),
        ("class", Column::Text),
        ("number", Column::Float),
    ]);
    let [probability, others @ ..] = figure_columns();
    columns.extend([probability, ("at_least", Column::Float)]);
    columns.extend(others);
    columns
}
