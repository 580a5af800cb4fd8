//! The luck of players as one page: charts and tables in HTML that needs no other file.

use super::reply::FileReport;
use crate::article::exhibit::Exhibit;
use crate::article::html::{Made, page};
use crate::study::chart::WIDTH;
use charts::chart::{Chart, draw, label};
use render::escape::text;
use render::layout::{Digits, aligned};
use saves::luck::Luck;
use saves::luck_report::{PlayerReport, RollSum, deviations_chart, of_36, totals_chart};

/// A page in Markdown, with the HTML of its charts and tables.
#[derive(Default)]
struct Draft {
    markdown: String,
    made: Vec<Made>,
}

impl Draft {
    fn heading(&mut self, words: &str) {
        self.markdown += &format!("\n## {words}\n\n");
    }

    fn paragraph(&mut self, words: &str) {
        self.markdown += &format!("{}\n\n", text(words));
    }

    /// Adds the lines of a screen, whose continued lines are indented, as a list.
    fn list(&mut self, lines: &str) {
        let lines = lines.replace("\n  ", " ");
        let items = lines.lines().filter(|line| !line.is_empty());
        items.for_each(|line| self.markdown += &format!("* {}\n", text(line)));
        self.markdown += "\n";
    }

    fn add(&mut self, exhibit: &Exhibit) {
        let start = self.markdown.len();
        // The HTML takes the place of this paragraph.
        self.markdown += "exhibit\n";
        self.made.push(Made { range: start..self.markdown.len(), html: exhibit.html() });
        self.markdown += "\n";
    }

    fn chart(&mut self, chart: &Chart) {
        self.add(&Exhibit::Figure { svg: draw(chart, WIDTH), label_text: label(chart) });
    }

    /// Adds a table whose first `texts` columns are texts; none without rows.
    fn table(&mut self, headings: &[&str], rows: &[Vec<String>], texts: usize) {
        if !rows.is_empty() {
            let headings: Vec<String> = headings.iter().map(|name| name.to_string()).collect();
            let right: Vec<bool> = (0..headings.len()).map(|column| column >= texts).collect();
            self.add(&Exhibit::Table(aligned(&headings, rows, &right, true)));
        }
    }
}

/// Returns the page of a report on the dice of logs.
pub fn luck_page(luck: &Luck, facts: &FileReport, digits: Digits) -> String {
    let reports = luck.reports();
    let question = &facts.sheet.meta.question;
    let mut draft = Draft::default();
    let players = luck.players().iter().map(|player| text(player)).collect::<Vec<_>>().join(", ");
    draft.markdown = format!("# The luck of {players}\n\n");
    draft.paragraph(&format!("Of {question}; made by lowcrawl."));
    draft.list(&facts.before);
    draft.heading("Totals");
    totals_chart(&reports, question).iter().for_each(|chart| draft.chart(chart));
    totals_table(&mut draft, &reports);
    draft.heading("Sums so far");
    deviations_chart(&reports, question).iter().for_each(|chart| draft.chart(chart));
    facts.charts.iter().for_each(|chart| draft.chart(chart));
    draft.heading("By kind");
    let headings: Vec<&str> = facts.headings.iter().map(String::as_str).collect();
    draft.table(&headings, &facts.lines, 2);
    moments_tables(&mut draft, &reports, digits);
    streaks_table(&mut draft, &reports, digits);
    rof_table(&mut draft, &reports, digits);
    draft.heading("Notes");
    draft.list(&facts.after);
    page(&draft.markdown, &draft.made, "The luck of players")
}

/// Adds the tables of DR by Game Turn and by phase.
fn moments_tables(draft: &mut Draft, reports: &[PlayerReport], digits: Digits) {
    draft.heading("By turn and phase");
    let has_moments = reports.iter().any(|report| !report.turns.is_empty());
    draft.paragraph(match has_moments {
        true => "DR where low is good, as far as the phase wheel was turned before them.",
        false => "The logs do not tell turns and phases: the phase wheel was not turned.",
    });
    let sums = |sums: fn(&PlayerReport) -> &[RollSum]| -> Vec<Vec<String>> {
        let row = |report: &PlayerReport, sum: &RollSum| {
            vec![
                report.player.clone(),
                sum.name.clone(),
                sum.rolls.to_string(),
                format!("{:.2}", sum.mean),
                digits.percent(sum.at_most),
                digits.percent(sum.at_least),
            ]
        };
        let of_report = |report| sums(report).iter().map(move |sum| row(report, sum));
        reports.iter().flat_map(of_report).collect()
    };
    for (name, rows) in
        [("turn", sums(|report| &report.turns)), ("phase", sums(|report| &report.phases))]
    {
        draft.table(&["player", name, "rolls", "mean", "so low", "so high"], &rows, 2);
    }
}

/// Adds a table of the longest runs.
fn streaks_table(draft: &mut Draft, reports: &[PlayerReport], digits: Digits) {
    draft.heading("Streaks");
    draft.paragraph(
        "The longest runs of DR where low is good, and how often fair dice have one as long.",
    );
    let streaks = reports.iter().flat_map(|report| {
        report.streaks.iter().map(|streak| {
            let length = streak.length.to_string();
            let odds = digits.percent(streak.odds);
            vec![report.player.clone(), streak.name.to_string(), length, odds]
        })
    });
    draft.table(
        &["player", "DR of", "longest run", "as long by chance"],
        &streaks.collect::<Vec<_>>(),
        2,
    );
}

/// Adds a table of the totals of DR with their number by chance.
fn totals_table(draft: &mut Draft, reports: &[PlayerReport]) {
    let rolls = |report: &PlayerReport| report.totals.iter().sum::<usize>();
    let rows = (2..=12).map(|total| {
        let counts = reports.iter().flat_map(|report| {
            let expected = rolls(report) as f64 * of_36(total) as f64 / 36.0;
            [report.totals[total - 2].to_string(), format!("{expected:.1}")]
        });
        [total.to_string(), of_36(total).to_string()].into_iter().chain(counts).collect()
    });
    let names = reports.iter().flat_map(|report| [report.player.as_str(), "by chance"]);
    let headings: Vec<&str> = ["DR", "of 36"].into_iter().chain(names).collect();
    draft.table(&headings, &rows.collect::<Vec<_>>(), 0);
}

/// Adds a table of the dice for the Rate of Fire, if there were any.
fn rof_table(draft: &mut Draft, reports: &[PlayerReport], digits: Digits) {
    let row = |report: &PlayerReport| {
        let (faces, sum) = report.rof_dice.as_ref()?;
        let mut row =
            vec![report.player.clone(), sum.rolls.to_string(), format!("{:.2}", sum.mean)];
        row.extend([digits.percent(sum.at_most), digits.percent(sum.at_least)]);
        row.extend(faces.iter().map(usize::to_string));
        Some(row)
    };
    let rows: Vec<Vec<String>> = reports.iter().filter_map(row).collect();
    if !rows.is_empty() {
        draft.heading("Dice for the Rate of Fire");
        let headings =
            ["player", "dice", "mean", "so low", "so high", "1", "2", "3", "4", "5", "6"];
        draft.table(&headings, &rows, 1);
    }
}
