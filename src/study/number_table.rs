//! The table that a study file requests, with one number per cell. The values of some varied fields
//! label its rows, and those of one its columns. Each combination of the others has a table of its
//! own. Means are taken only on request.

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use answer::{Cell, Column};
use asl::board::map::Map;
use charts::chart::{ChartKind, Unit};
use engine::process::side_in_words;
use engine::solve::EQUAL;
use engine::text::{Fault, canonical, counted};
use play::TableLayout;
use render::escape;
use render::layout::{Digits, WIDTH, aligned, paragraph};
use schema::Spanned;
use schema::field::NONE;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellValue {
    pub value: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
}

/// The format of the numbers in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Odds,
    /// Differences of probabilities, in percentage points.
    Points,
    Number,
    /// Numbers reckoned before the first roll, shown with all their digits.
    Reckoned,
    /// The name of the best choice. With `of_odds`, its margin is in percentage points.
    Choice {
        of_odds: bool,
    },
}

impl Style {
    pub fn heading(self) -> &'static str {
        match self {
            Style::Odds => "probability",
            Style::Points => "margin",
            Style::Number | Style::Reckoned => "value",
            Style::Choice { .. } => "choice",
        }
    }

    /// Returns the unit of the numbers, or of the margin of a choice.
    pub fn unit(self) -> Unit {
        match self {
            Style::Odds => Unit::Odds,
            Style::Points | Style::Choice { of_odds: true } => Unit::Points,
            Style::Number | Style::Reckoned | Style::Choice { of_odds: false } => Unit::Number,
        }
    }

    fn text(self, number: &CellValue, digits: Digits) -> String {
        match (self, number) {
            (Style::Choice { .. }, CellValue { word, .. }) => word.clone().unwrap_or_default(),
            (Style::Points, CellValue { value, .. }) => digits.points(*value),
            (Style::Number, CellValue { value, .. }) => plain(*value),
            (Style::Reckoned, CellValue { value, .. }) => value.to_string(),
            // If no sequence had the outcome, the upper limit of the interval is printed.
            (Style::Odds, CellValue { value: 0.0, interval: Some((_, high)), .. }) => {
                digits.below(*high)
            }
            (Style::Odds, CellValue { value, .. }) => digits.percent(*value),
        }
    }
}

/// Formats a number with four decimals. A positive number below 0.00005 prints as `< 0.0001`.
fn plain(value: f64) -> String {
    // Avoids -0.0000.
    let value = if value == 0.0 { 0.0 } else { value };
    if value > 0.0 && value < 0.000_05 { "< 0.0001".to_string() } else { format!("{value:.4}") }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestedChart {
    /// The name of the chart kind; `None` accepts any kind that fits.
    pub(super) kind: Option<&'static str>,
}

/// The positions of the varied fields in a table, each by its 0-based index.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layout {
    down: Vec<usize>,
    across: Option<usize>,
    average: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<RequestedChart>,
}

impl Layout {
    /// Returns a layout whose last field, unless it is the only one, labels the columns.
    pub fn plain(fields: usize) -> Layout {
        let across = fields.checked_sub(1).filter(|last| *last > 0);
        Layout { down: (0..across.unwrap_or(fields)).collect(), across, ..Layout::default() }
    }

    fn long(&self) -> Layout {
        let down = self.down.iter().copied().chain(self.across).collect();
        Layout { down, across: None, ..self.clone() }
    }

    /// Swaps the row field with the column field; `None` unless there is exactly one of each.
    fn turned(&self) -> Option<Layout> {
        let ([down], Some(across)) = (&self.down[..], self.across) else { return None };
        Some(Layout { down: vec![across], across: Some(*down), ..self.clone() })
    }

    /// Reads the layout of a table, if any. Fails at a name that is not varied, or is given twice.
    pub fn read(wanted: TableLayout, swept: &[(String, Column)]) -> Result<Option<Layout>, Fault> {
        let TableLayout { tells, rows, columns, average, chart } = wanted;
        if !tells && rows.is_empty() && columns.is_none() && average.is_empty() && chart.is_none() {
            return Ok(None);
        }
        let kind = |Spanned { value, place }: &Spanned<String>| {
            let names = ChartKind::ALL.map(ChartKind::name);
            let known = names.into_iter().find(|name| *name == canonical(value));
            let unknown = || place.fault(format!("unknown chart kind `{value}`"));
            known.ok_or_else(|| unknown().expecting(value, names))
        };
        let kind = chart.and_then(|chart| chart.value.kind.as_ref()).map(kind).transpose()?;
        let chart = chart.map(|_| RequestedChart { kind });
        let mut named: Vec<usize> = Vec::new();
        let mut place = |key: &str, name: &Spanned<String>| {
            let text = canonical(&name.value);
            let known = swept.iter().position(|(field, _)| canonical(field) == text);
            let Spanned { value, place: at } = name;
            let unknown = || {
                at.fault(format!("`{key}` has the field `{value}`, which is not swept"))
                    .expecting(value, swept.iter().map(|(field, _)| field.as_str()))
            };
            let place = known.ok_or_else(unknown)?;
            if named.contains(&place) {
                let fault = at.fault(format!("`{}` is in the table twice", swept[place].0));
                return Err(fault.help("keep one of them"));
            }
            named.push(place);
            Ok(place)
        };
        let down = rows.iter().map(|name| place("rows", name)).collect::<Result<Vec<_>, _>>()?;
        let across = columns.map(|name| place("columns", name)).transpose()?;
        let average = average.iter().map(|name| place("average", name));
        let average = average.collect::<Result<Vec<_>, _>>()?;
        let others = (0..swept.len()).filter(|place| !named.contains(place)).collect();
        let mut layout = Layout { down, across, average, chart };
        if layout.down.is_empty() {
            layout.down = others;
            if across.is_none() && layout.down.len() > 1 {
                layout.across = layout.down.pop();
            }
        }
        Ok(Some(layout))
    }

    /// Returns the layout of a chart, with the same averaged fields.
    pub fn of_chart(&self, along: usize, across: Option<usize>) -> Layout {
        Layout { down: across.into_iter().collect(), across: Some(along), ..self.clone() }
    }

    /// Returns a chart's fields: along it the column or last row field, across it the first other.
    pub fn axes(&self) -> Option<(usize, Option<usize>)> {
        match (self.across, &self.down[..]) {
            (Some(across), down) => Some((across, down.first().copied())),
            (None, [down @ .., last]) => Some((*last, down.first().copied())),
            (None, []) => None,
        }
    }

    pub fn is_averaged(&self, field: usize) -> bool {
        self.average.contains(&field)
    }
}

/// Fails if a table of best choices requests a mean, since names cannot be averaged.
pub fn without_mean(average: &[Spanned<String>]) -> Result<(), Fault> {
    let Some(field) = average.first() else { return Ok(()) };
    let fault = field.place.fault("choices cannot be averaged");
    Err(fault.help("use tell = \"margin\", or remove `average`"))
}

/// The description of a table of numbers, one for each cell of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDescription {
    pub question: String,
    /// The meaning of a number: `How often the unit is rallied after the last phase`.
    pub words: String,
    pub style: Style,
    pub is_minimized: bool,
    /// The word for the side whose best cells are named; `None` names none.
    pub best_for: Option<&'static str>,
    pub layout: Layout,
}

/// The part of a table for one combination of the fields without a position in it.
#[derive(Default)]
pub struct TablePart<'a> {
    pub first: &'a [Cell],
    pub rows: IndexSet<Vec<String>>,
    pub columns: IndexSet<String>,
    numbers: IndexMap<(Vec<String>, String), Vec<&'a CellValue>>,
}

impl TablePart<'_> {
    /// Returns the number of a row and a column, or the mean of several; `None` if there is none.
    pub fn number(&self, row: &[String], column: &str) -> Option<CellValue> {
        mean(self.numbers.get(&(row.to_vec(), column.to_string()))?)
    }
}

struct Block {
    caption: String,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

/// The map of a study with its units, for charts on a map.
#[derive(Clone, Debug)]
pub struct StudyBoard {
    pub map: Map,
    /// The label of each unit, its hex, and the name of the field that varies its hex, if any.
    pub units: Vec<(String, String, Option<String>)>,
}

/// The varied fields of a study, and for each cell its varied values and its number.
pub struct Numbers {
    pub fields: Vec<String>,
    pub cells: Vec<(Vec<Cell>, Option<CellValue>)>,
    pub digits: Digits,
}

/// Formats the value of a varied field for a table; null is printed as `none`.
pub fn value(cell: &Cell) -> String {
    if let Cell::Null = cell { NONE.to_string() } else { cell.text() }
}

impl Numbers {
    /// Returns the parts of a table, by the values in words of the fields that `layout` leaves out.
    pub fn parts(&self, layout: &Layout) -> IndexMap<String, TablePart<'_>> {
        let is_placed = |field: &usize| {
            layout.down.contains(field)
                || layout.average.contains(field)
                || layout.across == Some(*field)
        };
        let rest: Vec<usize> = (0..self.fields.len()).filter(|field| !is_placed(field)).collect();
        let mut parts: IndexMap<String, TablePart> = IndexMap::new();
        for (values, number) in &self.cells {
            let texts = |fields: &[usize]| -> Vec<String> {
                fields.iter().map(|field| value(&values[*field])).collect()
            };
            let named = rest.iter().zip(texts(&rest));
            let named = named.map(|(field, value)| format!("{} {value}", self.fields[*field]));
            let name = named.collect::<Vec<String>>().join(", ");
            let part = parts.entry(name);
            let part = part.or_insert_with(|| TablePart { first: values, ..TablePart::default() });
            let (row, column) = (texts(&layout.down), texts(layout.across.as_slice()).concat());
            part.rows.insert(row.clone());
            part.columns.insert(column.clone());
            part.numbers.entry((row, column)).or_default().extend(number);
        }
        parts
    }

    /// Returns the parts of a table as text. With `short`, only the first heading names the field.
    fn blocks(&self, style: Style, layout: &Layout, short: bool) -> Vec<Block> {
        let heading = |(number, column): (usize, &String)| match layout.across {
            None => style.heading().to_string(),
            Some(_) if short && number > 0 => column.clone(),
            Some(field) => format!("{} {column}", self.fields[field]),
        };
        let text = |number: CellValue| style.text(&number, self.digits);
        let block = |(caption, part): (String, TablePart)| {
            let keys = layout.down.iter().map(|field| self.fields[*field].clone());
            let headings = keys.chain(part.columns.iter().enumerate().map(heading)).collect();
            let row = |row: &Vec<String>| -> Vec<String> {
                let number = |column: &String| part.number(row, column).map_or(String::new(), text);
                row.iter().cloned().chain(part.columns.iter().map(number)).collect()
            };
            let rows: Vec<Vec<String>> = part.rows.iter().map(row).collect();
            let is_number =
                |column: usize| rows.iter().all(|row| row[column].parse::<f64>().is_ok());
            let keys = (0..layout.down.len()).map(is_number);
            let numbers = part.columns.iter().map(|_| !matches!(style, Style::Choice { .. }));
            let right = keys.chain(numbers).collect();
            Block { caption, headings, rows, right }
        };
        self.parts(layout).into_iter().map(block).collect()
    }

    /// Returns at most `most` rows of the table for the terminal, and the number of others. Unless
    /// `is_requested`, a table that is too wide gets another layout.
    pub fn on_screen(
        &self,
        meant: &TableDescription,
        is_requested: bool,
        most: usize,
    ) -> (String, usize) {
        let laid = |layout: &Layout, short: bool| {
            let blocks = self.blocks(meant.style, layout, short);
            let width =
                |block: &Block| block.text(false).lines().map(|line| line.chars().count()).max();
            let fits = blocks.iter().filter_map(width).all(|width| width <= WIDTH);
            (blocks, fits)
        };
        let layout = &meant.layout;
        let mut others = vec![layout.clone()];
        if !is_requested {
            others.extend(layout.turned().into_iter().chain([layout.long()]));
        }
        let (mut blocks, mut fits) = laid(layout, false);
        for layout in others {
            if !fits {
                (blocks, fits) = laid(&layout, true);
            }
        }
        let mut text = paragraph(&format!("{}:", meant.words)) + "\n";
        let (mut lines, mut left) = (0, 0);
        for mut block in blocks {
            let room = most.saturating_sub(lines);
            left += block.rows.len().saturating_sub(room);
            block.rows.truncate(room);
            lines += block.rows.len() + 3;
            if !block.rows.is_empty() {
                text += &(block.captioned(false) + "\n");
            }
        }
        let best = self.best(meant).map_or(String::new(), |best| paragraph(&format!("\n{best}")));
        (text.trim_end().to_string() + "\n" + &best, left)
    }

    /// Returns a sentence that names the best cells for a side, if that is asked for.
    fn best(&self, meant: &TableDescription) -> Option<String> {
        let side = meant.best_for.filter(|_| !self.fields.is_empty())?;
        let sign = if meant.is_minimized { -1.0 } else { 1.0 };
        let worth = |number: &CellValue| sign * number.value;
        let known =
            || self.cells.iter().filter_map(|(cells, number)| Some((cells, number.as_ref()?)));
        let best = known().map(|(_, number)| worth(number)).reduce(f64::max)?;
        let mut alike = known().filter(|(_, number)| best - worth(number) <= EQUAL);
        let (cells, number) = alike.next()?;
        let named = self.fields.iter().zip(cells);
        let named: Vec<String> =
            named.map(|(field, cell)| format!("{field} {}", value(cell))).collect();
        let number = meant.style.text(number, self.digits);
        let others = match alike.count() {
            0 => String::new(),
            others => format!(", as with {}", counted(others as u64, "other")),
        };
        let side = side_in_words(side);
        Some(format!("Best for {side}: {} ({number}){others}.", named.join(", ")))
    }

    pub fn markdown(&self, meant: &TableDescription) -> String {
        let blocks = self.blocks(meant.style, &meant.layout, false);
        let blocks = blocks.iter().map(|block| block.captioned(true));
        let best = self.best(meant).map_or(String::new(), |best| format!("\n{best}\n"));
        format!("{}:\n\n{}{best}", meant.words, blocks.collect::<Vec<_>>().join("\n"))
    }

    /// Describes the greatest half-width of the 95 % intervals; `None` if nothing is estimated.
    pub fn widest(&self, style: Style) -> Option<String> {
        let half = |value: &CellValue| value.interval.map(|(low, high)| (high - low) / 2.0);
        let widest = self.cells.iter().filter_map(|(_, value)| half(value.as_ref()?));
        let widest = widest.reduce(f64::max)?;
        let width = if style == Style::Odds { self.digits.percent(widest) } else { plain(widest) };
        Some(format!("95 % intervals are at most +- {width} wide."))
    }
}

/// Returns the mean of the numbers and of their limits; a single number stays unchanged.
fn mean(values: &[&CellValue]) -> Option<CellValue> {
    let [first, ..] = values else { return None };
    if values.len() == 1 {
        return Some((*first).clone());
    }
    let of = |number: &dyn Fn(&CellValue) -> Option<f64>| {
        let sum: Option<f64> = values.iter().map(|value| number(value)).sum();
        sum.map(|sum| sum / values.len() as f64)
    };
    let low = of(&|value| value.interval.map(|(low, _)| low));
    let high = of(&|value| value.interval.map(|(_, high)| high));
    let value = of(&|value| Some(value.value))?;
    Some(CellValue { value, interval: low.zip(high), word: None })
}

impl Block {
    fn text(&self, markdown: bool) -> String {
        aligned(&self.headings, &self.rows, &self.right, markdown)
    }

    fn captioned(&self, markdown: bool) -> String {
        match (self.caption.is_empty(), markdown) {
            (true, _) => self.text(markdown),
            (false, true) => {
                format!("**{}**\n\n{}", escape::text(&self.caption), self.text(markdown))
            }
            (false, false) => format!("{}:\n{}", self.caption, self.text(markdown)),
        }
    }
}
