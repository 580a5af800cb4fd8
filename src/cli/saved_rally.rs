//! `rally --from-vasl`: the Rally attempts of every Location with broken units in a VASL save.

use std::path::Path;

use super::fault::{Failure, Result};
use super::field_args::FieldArgs;
use super::file_root::FileRoot;
use super::progress::ask;
use super::reply::{FileReport, Reply};
use super::rout::{SavedArguments, saved_scenarios};
use super::saved_question::{RALLY, fill};
use answer::{Cell, Column, Meta, Options, ReportPoint, Sheet, Table};
use api::{Answer, Request};
use asl::scenario::{RallyPlace, Scenario, rally_places};
use asl::unit::Status;
use engine::process::ReportIndex;
use engine::text::plain;
use play::Game;
use render::layout::{Digits, paragraph};
use saves::{ROUTS_BEFORE, rally_fields};
use schema::Kind;

/// The command line of a question about a save.
pub struct SavedRally<'a> {
    pub game: &'static dyn Game,
    pub kind: &'static Kind,
    pub file: &'a Path,
    pub saved: &'a SavedArguments,
    /// The fields that the player sets for all Locations.
    pub given: &'a FieldArgs,
    pub command: String,
    pub digits: Digits,
}

const COLUMNS: [(&str, Column); 9] = [
    ("location", Column::Text),
    ("unit", Column::Text),
    ("leader", Column::Text),
    ("terrain", Column::Text),
    ("dm", Column::Boolean),
    ("enemy_adjacent", Column::Boolean),
    ("phases", Column::Integer),
    ("first_phase", Column::Float),
    ("within", Column::Float),
];

impl SavedRally<'_> {
    /// Answers for each Location of both sides, or of those that `--side` names.
    pub fn reply(self, files: &FileRoot, options: &Options) -> Result<Reply> {
        let scenarios = saved_scenarios(self.saved, self.file, files)?;
        let name = plain(&self.file.display().to_string());
        let (mut rows, mut lines, mut last) = (Vec::new(), Vec::new(), 0);
        let mut meta = Meta::new(self.command.clone(), format!("the Rally attempts of {name}"));
        for scenario in &scenarios {
            for place in rally_places(&scenario.situation) {
                let table = self.answer(scenario, &place, options)?;
                last = table.rows.iter().filter_map(|row| row.label.phase).max().unwrap_or(1);
                for slot in 0..place.units.len() {
                    let row = row(&place, slot, last, &table);
                    lines.push(line(&row, self.digits));
                    rows.push(row);
                }
                note(&mut meta, &table.meta);
            }
            let is_new = |note: &&String| *note != ROUTS_BEFORE && !meta.notes.contains(note);
            let notes = scenario.notes.iter().filter(is_new);
            let notes: Vec<String> = notes.cloned().collect();
            meta.notes.extend(notes);
        }
        let abouts = scenarios.iter().filter_map(|scenario| scenario.about.as_deref());
        let abouts = abouts.map(|about| paragraph(about.lines().next().unwrap_or_default()));
        let notes = meta.notes.iter().map(|note| paragraph(&format!("note: {note}")));
        let within = format!("in {last}");
        let headings = ["location", "unit", "led by", "terrain", "phase 1", &within];
        Ok(Reply::Facts(FileReport {
            before: abouts.collect(),
            after: notes.collect(),
            headings: headings.map(str::to_string).to_vec(),
            lines,
            right: (0..headings.len()).map(|column| column > 3).collect(),
            charts: Vec::new(),
            sheet: Sheet::new(COLUMNS.to_vec(), rows, meta),
        }))
    }

    fn answer(&self, scenario: &Scenario, place: &RallyPlace, options: &Options) -> Result<Table> {
        let mut form = self.game.form(self.kind);
        let in_place = |fault| {
            let place = format!("{}, {}", self.file.display(), place.name);
            Failure::argument(&place, "", fault)
        };
        fill(form.as_mut(), &rally_fields(scenario, place)).map_err(in_place)?;
        self.given.fill(form.as_mut())?;
        let question = form.finish().map_err(|fault| match self.given.has(&fault.field) {
            true => self.given.blame(&fault.field, fault.fault),
            false => in_place(fault.fault),
        })?;
        let answer = ask(Request::Question(question), self.command.clone(), options);
        match answer.map_err(Failure::from)? {
            Answer::Question(answer) => Ok(answer.table),
            _ => Err(Failure::refused(RALLY, "", "expected the odds of a question")),
        }
    }
}

fn row(place: &RallyPlace, slot: usize, last: ReportIndex, table: &Table) -> Vec<Cell> {
    let rallies = |phase: ReportIndex| {
        let number = u8::try_from(slot + 1).unwrap_or(u8::MAX);
        table.estimate(number, Status::Rallied, ReportPoint::Phase(phase)).probability()
    };
    vec![
        Cell::Text(place.name.clone()),
        Cell::Text(place.units[slot].clone()),
        place.leader.clone().map_or(Cell::Null, Cell::Text),
        Cell::Text(place.terrain.clone()),
        Cell::Boolean(place.dm[slot]),
        Cell::Boolean(place.enemy_adjacent),
        Cell::Integer(last.into()),
        Cell::Float(rallies(1)),
        Cell::Float(rallies(last)),
    ]
}

fn line(row: &[Cell], digits: Digits) -> Vec<String> {
    let percent = |cell: &Cell| match cell {
        Cell::Float(chance) => digits.percent(*chance),
        other => other.text(),
    };
    let shown = row[..4].iter().map(Cell::text);
    shown.chain(row[7..].iter().map(percent)).collect()
}

/// Takes over what an answer says of its engine and its rules.
fn note(meta: &mut Meta, answer: &Meta) {
    let notes = answer.notes.iter().filter(|note| !meta.notes.contains(note));
    let notes: Vec<String> = notes.cloned().collect();
    meta.notes.extend(notes);
    let is_worse = meta.engine.is_empty() || answer.engine != "exact";
    if is_worse {
        meta.engine = answer.engine;
        meta.footing = answer.footing.clone();
    }
}
