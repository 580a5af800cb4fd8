//! The table that a study file requests, with one number per cell (one combination of varied
//! values). The values of some varied fields label its rows, and those of one field its columns.
//! Each combination of the remaining fields has a table of its own. Means are taken only on
//! request.

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use answer::{Cell, Column};
use asl::board::map::Map;
use charts::chart::ChartKind;
use engine::text::{Fault, canonical};
use play::{ChartTable, TableLayout};
use render::escape;
use render::layout::{Digits, WIDTH, aligned, paragraph};
use schema::Spanned;
use schema::field::NONE;

/// The number that a table shows for one cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellValue {
    pub value: f64,
    /// The limits of the 95 % interval of an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// A word that is printed instead of the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
}

/// The format of the numbers in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Probabilities, printed in percent.
    Odds,
    /// Differences of probabilities, in percentage points.
    Points,
    Number,
    /// The name of the best choice. With `of_odds`, its margin is in percentage points.
    Choice {
        of_odds: bool,
    },
}

impl Style {
    /// Returns the heading of a column of numbers in this style.
    pub fn heading(self) -> &'static str {
        match self {
            Style::Odds => "probability",
            Style::Points => "margin",
            Style::Number => "value",
            Style::Choice { .. } => "choice",
        }
    }

    fn text(self, number: &CellValue, digits: Digits) -> String {
        match (self, number) {
            (Style::Choice { .. }, CellValue { word, .. }) => word.clone().unwrap_or_default(),
            (Style::Points, CellValue { value, .. }) => digits.points(*value),
            (Style::Number, CellValue { value, .. }) => plain(*value),
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

/// The chart that a study file requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestedChart {
    /// The name of the chart kind; `None` accepts any kind that fits.
    pub(super) kind: Option<&'static str>,
}

impl RequestedChart {
    fn read(table: &ChartTable) -> Result<RequestedChart, Fault> {
        let Some(Spanned { value, place }) = &table.kind else {
            return Ok(RequestedChart { kind: None });
        };
        let names = ChartKind::ALL.map(ChartKind::name);
        let known = names.into_iter().find(|name| *name == canonical(value));
        let unknown =
            || place.fault(format!("unknown chart kind `{value}`")).expecting(value, names);
        Ok(RequestedChart { kind: Some(known.ok_or_else(unknown)?) })
    }
}

/// The positions of the varied fields in a table, each by its 0-based index.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layout {
    down: Vec<usize>,
    across: Option<usize>,
    /// The fields over which a mean is taken.
    average: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<RequestedChart>,
}

impl Layout {
    /// Returns a layout of `fields` fields: the last labels the columns, all others the rows. A
    /// single field labels the rows.
    pub fn plain(fields: usize) -> Layout {
        let across = fields.checked_sub(1).filter(|last| *last > 0);
        Layout { down: (0..across.unwrap_or(fields)).collect(), across, ..Layout::default() }
    }

    /// Returns the layout with all fields as row labels.
    fn long(&self) -> Layout {
        let down = self.down.iter().copied().chain(self.across).collect();
        Layout { down, across: None, ..self.clone() }
    }

    /// Swaps the row field with the column field; `None` unless there is exactly one of each.
    fn turned(&self) -> Option<Layout> {
        let ([down], Some(across)) = (&self.down[..], self.across) else { return None };
        Some(Layout { down: vec![across], across: Some(*down), ..self.clone() })
    }

    /// Reads the layout from the table request of a study file, which names varied fields. `None`
    /// if no table is requested.
    ///
    /// # Errors
    ///
    /// Fails with the place of a name that is not a varied field, or has two positions in the
    /// table.
    pub fn read(wanted: TableLayout, swept: &[(&str, Column)]) -> Result<Option<Layout>, Fault> {
        let TableLayout { tells, rows, columns, average, chart } = wanted;
        if !tells && rows.is_empty() && columns.is_none() && average.is_empty() && chart.is_none() {
            return Ok(None);
        }
        let chart = chart.map(|Spanned { value, .. }| RequestedChart::read(value)).transpose()?;
        let mut named: Vec<usize> = Vec::new();
        let mut place = |key: &str, name: &Spanned<String>| {
            let text = canonical(&name.value);
            let known = swept.iter().position(|(field, _)| canonical(field) == text);
            let unknown = || {
                let fault = name
                    .place
                    .fault(format!("`{key}` has the field `{}`, which is not swept", name.value));
                fault.expecting(&name.value, swept.iter().map(|(field, _)| *field))
            };
            let place = known.ok_or_else(unknown)?;
            if named.contains(&place) {
                return Err(name
                    .place
                    .fault(format!("`{}` is in the table twice", swept[place].0))
                    .help("keep one of them"));
            }
            named.push(place);
            Ok(place)
        };
        let down = rows.iter().map(|name| place("rows", name)).collect::<Result<Vec<_>, _>>()?;
        let across = columns.map(|name| place("columns", name)).transpose()?;
        let average = average.iter().map(|name| place("average", name));
        let average = average.collect::<Result<Vec<_>, _>>()?;
        let others: Vec<usize> = (0..swept.len()).filter(|place| !named.contains(place)).collect();
        Ok(Some(match (down.is_empty(), across) {
            (false, _) => Layout { down, across, average, chart },
            (true, Some(_)) => Layout { down: others, across, average, chart },
            (true, None) => {
                let Layout { down, across, .. } = Layout::plain(others.len());
                let down = down.into_iter().map(|place| others[place]).collect();
                Layout { down, across: across.map(|place| others[place]), average, chart }
            }
        }))
    }

    /// Returns the index of the field along a chart, and of the field across it. The field along is
    /// the column field, or without one the last row field. The field across is the first other row
    /// field. `None` without fields.
    pub fn axes(&self) -> Option<(usize, Option<usize>)> {
        match (self.across, &self.down[..]) {
            (Some(across), down) => Some((across, down.first().copied())),
            (None, [down @ .., last]) => Some((*last, down.first().copied())),
            (None, []) => None,
        }
    }

    /// Returns whether the mean is taken over a field.
    pub fn is_averaged(&self, field: usize) -> bool {
        self.average.contains(&field)
    }
}

/// Fails if a table of best choices requests a mean, since names cannot be averaged.
///
/// # Errors
///
/// Fails with the place of the first averaged field.
pub fn without_mean(average: &[Spanned<String>]) -> Result<(), Fault> {
    let Some(field) = average.first() else { return Ok(()) };
    let fault = field.place.fault("choices cannot be averaged");
    Err(fault.help("use tell = \"margin\", or remove `average`"))
}

/// The description of a table of numbers, one for each cell of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDescription {
    /// The question in one line.
    pub question: String,
    /// The meaning of a number in words, such as
    /// `How often the unit is rallied after the last phase`.
    pub words: String,
    pub style: Style,
    /// True if a lower number is better.
    pub is_minimized: bool,
    pub layout: Layout,
}

/// The part of a table for one combination of the fields that are neither in rows, in columns nor
/// averaged.
struct Block {
    /// The combination in words, such as `elr 3, phases 2`.
    caption: String,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

/// The map of a study with its units, for charts on a map.
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
    /// Returns the parts of a table. With `short`, only the first column heading names the field.
    fn blocks(&self, style: Style, layout: &Layout, short: bool) -> Vec<Block> {
        let texts = |values: &[Cell], places: &[usize]| {
            places.iter().map(|place| value(&values[*place])).collect::<Vec<String>>()
        };
        let is_placed = |place: &usize| {
            layout.down.contains(place)
                || layout.average.contains(place)
                || layout.across == Some(*place)
        };
        let rest: Vec<usize> = (0..self.fields.len()).filter(|place| !is_placed(place)).collect();
        let across: Vec<usize> = layout.across.into_iter().collect();
        type Cells<'a> = IndexMap<(Vec<String>, Vec<String>), Vec<&'a CellValue>>;
        let mut parts: IndexMap<Vec<String>, Cells> = IndexMap::new();
        for (values, number) in &self.cells {
            let part = parts.entry(texts(values, &rest)).or_default();
            let cell = part.entry((texts(values, &layout.down), texts(values, &across)));
            cell.or_default().extend(number);
        }
        let part = |(others, cells): (Vec<String>, Cells)| {
            let columns: IndexSet<&Vec<String>> = cells.keys().map(|(_, column)| column).collect();
            let rows: IndexSet<&Vec<String>> = cells.keys().map(|(row, _)| row).collect();
            let of = |place: &usize| self.fields[*place].clone();
            let heading = |(number, column): (usize, &&Vec<String>)| match &across[..] {
                [] => style.heading().to_string(),
                _ if short && number > 0 => column.concat(),
                [field, ..] => format!("{} {}", self.fields[*field], column.concat()),
            };
            let named = rest.iter().zip(others);
            let named = named.map(|(field, value)| format!("{} {value}", self.fields[*field]));
            let row = |row: &Vec<String>| {
                let number = |column: &&Vec<String>| {
                    let numbers = cells.get(&(row.clone(), column.to_vec()));
                    numbers
                        .and_then(|numbers| mean(numbers))
                        .map_or(String::new(), |number| style.text(&number, self.digits))
                };
                row.iter().cloned().chain(columns.iter().map(number)).collect()
            };
            let keys = layout.down.iter().map(of);
            let headings: Vec<String> =
                keys.chain(columns.iter().enumerate().map(heading)).collect();
            let rows: Vec<Vec<String>> = rows.iter().map(|key| row(key)).collect();
            let is_number = |row: &Vec<String>, column: usize| row[column].parse::<f64>().is_ok();
            let right = (0..headings.len()).map(|column| match column < layout.down.len() {
                true => rows.iter().all(|row| is_number(row, column)),
                false => !matches!(style, Style::Choice { .. }),
            });
            let right = right.collect();
            Block { caption: named.collect::<Vec<_>>().join(", "), headings, rows, right }
        };
        parts.into_iter().map(part).collect()
    }

    /// Returns the table for the terminal, with at most `most` rows, and the number of omitted
    /// rows. A table that is too wide gets another layout, unless the file requests this one
    /// (`is_requested`).
    pub fn on_screen(
        &self,
        meant: &TableDescription,
        is_requested: bool,
        most: usize,
    ) -> (String, usize) {
        let laid = |layout: &Layout, short: bool| {
            let blocks = self.blocks(meant.style, layout, short);
            let width = blocks.iter().flat_map(|block| {
                block.text(false).lines().map(|line| line.chars().count()).collect::<Vec<_>>()
            });
            let fits = width.max().unwrap_or(0) <= WIDTH;
            (blocks, fits)
        };
        let layout = &meant.layout;
        let mut others = vec![(layout.clone(), false), (layout.clone(), true)];
        if !is_requested {
            others.extend(layout.turned().map(|turned| (turned, true)));
            others.push((layout.long(), true));
        }
        let mut blocks_shown = None;
        for (layout, short) in others {
            let (blocks, fits) = laid(&layout, short);
            blocks_shown = Some(blocks);
            if fits {
                break;
            }
        }
        let mut text = paragraph(&format!("{}:", meant.words)) + "\n";
        let (mut lines, mut left) = (0, 0);
        for mut block in blocks_shown.unwrap_or_default() {
            let room = most.saturating_sub(lines);
            left += block.rows.len().saturating_sub(room);
            block.rows.truncate(room);
            lines += block.rows.len() + 3;
            if !block.rows.is_empty() {
                text += &(block.captioned(false) + "\n");
            }
        }
        (text.trim_end().to_string() + "\n", left)
    }

    /// Returns the whole table as Markdown.
    pub fn markdown(&self, meant: &TableDescription) -> String {
        let blocks = self.blocks(meant.style, &meant.layout, false);
        let blocks = blocks.iter().map(|block| block.captioned(true));
        format!("{}:\n\n{}", meant.words, blocks.collect::<Vec<_>>().join("\n"))
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

/// Returns the mean of the numbers, and the mean of their interval limits. A single number is
/// returned unchanged; `None` without numbers.
pub fn mean(values: &[&CellValue]) -> Option<CellValue> {
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
