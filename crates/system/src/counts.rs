//! How many of a group stand how, at each point: rows, means and waiting times, all from the joint
//! distribution over the classes.

use engine::exact::Fraction;
use engine::process::Point;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::count::{Beginner, Counter, Group, Scheme, Tally};
use super::table::{Cell, Column, Figure, Mean, Meta, Sheet, figure_cells, figure_columns};

/// The tallies of an answer.
#[derive(Clone, Debug)]
pub struct Counts {
    pub kind: Scheme,
    pub group: &'static Group,
    /// Units of the group, as they begin.
    pub begun: Vec<Beginner>,
    /// What its points are: `phase`, `step`; nothing where all is told at the end.
    pub points: Option<&'static str>,
    /// Parts the group begins with.
    pub whole: u8,
    /// Units that are waited for.
    pub awaited: u8,
    /// Every tally that can be, or was met, at each point, in order, with its odds.
    pub tallies: Vec<(Point, Tally, Figure)>,
    /// How they were come by.
    pub footing: CountFooting,
}

/// What was counted, and how: it may be otherwise than the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CountFooting {
    pub group: &'static str,
    /// Whether units created on the way count too.
    pub with_created: bool,
    /// `exact` or `monte-carlo`.
    pub engine: &'static str,
    /// `integer`, `float`, or nothing for Monte Carlo.
    pub arithmetic: Option<&'static str>,
    pub states: Option<u64>,
    pub trials: Option<u64>,
    /// Why they are not exact, where that was allowed.
    pub reason: Option<String>,
}

impl CountFooting {
    pub(super) fn of<O>(counter: &Counter<O>, meta: &Meta) -> CountFooting {
        let Meta { engine, arithmetic, states, trials, reason, .. } = meta;
        // Rows beside counts that are drawn may be exact.
        let is_exact = trials.is_none();
        CountFooting {
            group: counter.group().name,
            with_created: counter.with_created(),
            engine,
            arithmetic: arithmetic.filter(|_| is_exact),
            states: states.filter(|_| is_exact),
            trials: *trials,
            reason: reason.clone(),
        }
    }
}

/// The odds that exactly so many of a group are in a class.
#[derive(Clone, Debug)]
pub struct CountRow {
    pub point: Point,
    /// The place of the class.
    pub class: usize,
    pub number: f64,
    pub figure: Figure,
    /// The odds of so many or more.
    pub at_least: f64,
}

/// How long it takes until so many of those that began otherwise hold together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    pub number: u8,
    /// The first point by which it is as likely as not; none within the horizon.
    pub median: Option<Point>,
    /// Points on average, of those that come to it; none where nobody does.
    pub mean: Option<f64>,
    /// The odds that it is not so within the horizon.
    pub not_within: f64,
    /// Of the mean, of an estimate.
    pub std_error: Option<f64>,
}

impl Counts {
    /// The points at which it is told, in order.
    pub fn all_points(&self) -> Vec<Point> {
        let mut points: Vec<Point> = self.tallies.iter().map(|(point, ..)| *point).collect();
        points.dedup();
        points
    }

    pub fn last_point(&self) -> Point {
        self.tallies.last().map_or(0, |(point, ..)| *point)
    }

    /// Most parts that can be in a class.
    fn most(&self) -> u8 {
        let classes = 0..self.kind.classes.len();
        let met = |class| self.tallies.iter().map(move |(_, tally, _)| tally.parts(class));
        classes.flat_map(met).max().unwrap_or_default().max(self.whole)
    }

    /// The odds at a point of all tallies that fit; of none, what that is worth in this answer.
    pub fn odds(&self, point: Point, fits: impl Fn(&Tally) -> bool) -> Figure {
        let here = self.tallies.iter().filter(|(at, ..)| *at == point);
        let nothing = || {
            self.tallies
                .first()
                .map_or(Figure::Exact { probability: 0.0, fraction: None }, |(_, _, figure)| {
                    figure.of_none()
                })
        };
        let fit = here.filter(|(_, tally, _)| fits(tally)).map(|(.., figure)| *figure);
        fit.reduce(Figure::or).unwrap_or_else(nothing)
    }

    /// Every number of every class at every point.
    pub fn rows(&self) -> Vec<CountRow> {
        let mut rows = Vec::new();
        let most = self.most();
        for point in self.all_points() {
            for class in 0..self.kind.classes.len() {
                let first = rows.len();
                for parts in 0..=most {
                    let number = self.group.number(parts.into());
                    let figure = self.odds(point, |tally| tally.parts(class) == parts);
                    rows.push(CountRow { point, class, number, figure, at_least: 1.0 });
                }
                // From the rare end, so that nothing is lost to rounding; 0 or more are certain.
                let mut at_least = 0.0;
                for row in rows[first + 1..].iter_mut().rev() {
                    at_least += row.figure.probability();
                    row.at_least = at_least;
                }
            }
        }
        rows
    }

    /// How many are in a class on average; none of stratified sampling, whose error is not known.
    pub fn mean(&self, point: Point, class: usize) -> Option<Mean> {
        let mut sum = super::answer::Sum::default();
        for (_, tally, figure) in self.tallies.iter().filter(|(at, ..)| *at == point) {
            sum.add(figure, tally.parts(class).into());
        }
        let whole = sum.mean()?;
        let parts = f64::from(self.group.parts);
        let share = |fraction: Fraction| {
            let denominator = fraction.denominator.checked_mul(self.group.parts.into())?;
            Some(Fraction::new(fraction.numerator, denominator))
        };
        Some(Mean {
            value: whole.value / parts,
            fraction: whole.fraction.and_then(share),
            std_error: whole.std_error.map(|error| error / parts),
        })
    }

    /// How long it takes until 1, 2, .. of those waited for hold together.
    pub fn waiting(&self) -> Vec<Wait> {
        (1..=self.awaited).filter_map(|number| self.wait(number)).collect()
    }

    fn wait(&self, number: u8) -> Option<Wait> {
        let points = self.all_points();
        let by = |point: &Point| self.odds(*point, |tally| tally.held >= number);
        let by: Vec<Figure> = points.iter().map(by).collect();
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
            // Of those sequences that came to it.
            (Some((count, _)), Some(mean)) if matches!(last, Figure::Estimate(_)) => {
                let variance = (squares / reached - mean * mean).max(0.0);
                Some((variance / count as f64).sqrt())
            }
            _ => None,
        };
        Some(Wait { number, median, mean, not_within, std_error })
    }

    /// The step, where there are steps, and the phase, where it is told by phase.
    fn point_cells(&self, point: Point) -> Vec<Cell> {
        let number = Cell::Integer(point.into());
        match self.points {
            Some("step") => vec![number, Cell::Null],
            Some(_) => vec![number],
            None => vec![Cell::Null],
        }
    }

    /// The rows of that table.
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

    /// A table of counts in place of rows.
    pub fn sheet(&self, meta: &Meta) -> Sheet {
        Sheet {
            columns: columns(self.points),
            rows: self.cells(1),
            json_only: Vec::new(),
            lists: Vec::new(),
            meta: meta.clone(),
        }
    }

    /// The rows as JSON has them.
    pub fn in_json(&self) -> Value {
        let columns = columns(self.points);
        let object = |cells: Vec<Cell>| -> Value {
            let named = columns.iter().map(|(name, _)| name.to_string());
            named.zip(cells.iter().map(|cell| json!(cell))).collect::<Map<_, _>>().into()
        };
        self.cells(1).into_iter().map(object).collect()
    }

    /// The point of something told in JSON.
    fn point_in_json(&self, point: Point) -> Map<String, Value> {
        match self.points {
            Some("step") => Map::from_iter([("step".to_string(), json!(point))]),
            Some(_) => Map::from_iter([("phase".to_string(), json!(point))]),
            None => Map::new(),
        }
    }

    /// The means as JSON has them.
    pub fn means_in_json(&self) -> Vec<Value> {
        let mut means = Vec::new();
        for point in self.all_points() {
            for (place, class) in self.kind.classes.iter().enumerate() {
                let Some(mean) = self.mean(point, place) else { continue };
                let mut object = Map::from_iter([("case".to_string(), json!(1))]);
                object.extend(self.point_in_json(point));
                object.insert("group".to_string(), json!(self.group.name));
                object.insert("class".to_string(), json!(class.name));
                object.insert("mean".to_string(), json!(mean.value));
                object.insert("std_error".to_string(), json!(mean.std_error));
                object.insert(
                    "fraction".to_string(),
                    json!(mean.fraction.map(|fraction| fraction.to_string())),
                );
                means.push(object.into());
            }
        }
        means
    }

    /// The waiting times as JSON has them.
    pub fn waiting_in_json(&self) -> Value {
        let object = |wait: Wait| {
            json!({ "case": 1, "group": self.group.name, "number": wait.number, "median": wait.median,
                "mean": wait.mean, "not_within": wait.not_within, "std_error": wait.std_error })
        };
        self.waiting().into_iter().map(object).collect()
    }
}

/// The columns of a table of counts, by what the points of its question are.
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
