//! A study of single cases without a grid: questions of any game. See `cli/new/cases.toml`.
//!
//! Rows of all cases have the same columns. Each case has its own success statuses, such as rallied
//! in one game and Normal in another. Cases are compared by the number of the phase or turn.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::file::Study;
use super::grid::{CellAnswer, CellFacts, Grid, StudyInfo};
use answer::{Cell, Column, Meta, Options, Provenance};
use engine::text::Fault;
use play::files::kinds::{game_of, kind_of};
use play::{CaseTable, CasesTable, PartialQuestion, Registry};
use render::layout::{Digits, aligned_to_width};
use schema::from_toml;
use schema::{FieldValue as _, Node, QuestionTable, Raw};

const MOST_CASES: usize = 200;

/// A study of single cases, read and checked.
pub struct Cases {
    info: StudyInfo,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    system: &'static str,
    study: Study,
}

const SHOWN_PHASES: usize = 5;

impl Case {
    fn row(&self, facts: &CellFacts, most: usize) -> Vec<String> {
        let odds: BTreeMap<i64, f64> = facts.by_phase.iter().copied().collect();
        let success = self.study.success(0);
        let success = success.map_or(String::new(), |success| success.statuses.join(", "));
        let percent = |odds: &f64| Digits::default().percent(*odds);
        let shown = (1..=most as i64).map(|phase| odds.get(&phase).map_or(String::new(), percent));
        let even = odds.iter().find(|(_, odds)| **odds >= 0.5);
        let even = even.map_or(format!("not in {}", odds.len()), |(phase, _)| phase.to_string());
        [self.name.clone(), success].into_iter().chain(shown).chain([even]).collect()
    }
}

/// Returns whether a study file lists its cases as `[[case]]`.
pub fn are_listed(text: &str) -> bool {
    from_toml::key(text, "case").is_some()
}

impl Cases {
    /// Reads a study file and checks every case.
    ///
    /// # Errors
    ///
    /// Fails with the place of the first key or case that is not valid, and if the columns of cases
    /// differ.
    pub fn parse(text: &str, registry: &Registry) -> Result<Cases, Fault> {
        let CasesTable { about, cases, run } = from_toml::read(text, "a study of cases")?;
        let (text, engine_request) = (text.to_string(), run.engine_request()?);
        let info = StudyInfo { text, about, engine_request, ..StudyInfo::default() };
        let mut study = Cases { info, cases: Vec::new() };
        let Some(Node { raw: Raw::List(list), place, .. }) = &cases else {
            return Err(Fault::new("write a case as `[[case]]`, with double brackets", 0..0));
        };
        if !(1..=MOST_CASES).contains(&list.len()) {
            let message = format!("expected 1 to {MOST_CASES} cases, not {}", list.len());
            return Err(place.fault(message));
        }
        list.iter().try_for_each(|case| study.add(case, registry))?;
        Ok(study.described())
    }

    fn add(&mut self, case: &Node, registry: &Registry) -> Result<(), Fault> {
        let Raw::Table(_) = case.raw else {
            return Err(case.place.fault("write a case as `[[case]]`, with double brackets"));
        };
        let QuestionTable { fields: CaseTable { system, question, name, steps }, entries } =
            QuestionTable::read_node("case", case)?;
        let name = name.ok_or_else(|| {
            case.place.fault("the case has no `name`").help("name = \"alone in the open\"")
        })?;
        let (text, span) = (name.value.trim().to_string(), name.place.span);
        if text.is_empty() || text.contains(char::is_control) {
            return Err(Fault::new("the name of a case must be one line of text", span));
        }
        if self.cases.iter().any(|case| case.name == text) {
            return Err(Fault::new(format!("two cases have the name `{text}`"), span)
                .help("give each a different name"));
        }
        let game = game_of(registry, system.as_ref())?;
        let placed =
            |fault: Fault| if fault.span.is_empty() { case.place.blamed(fault) } else { fault };
        let kind = kind_of(game, question.as_ref()).map_err(placed)?;
        let base = PartialQuestion::of_steps(game.form(kind), steps.as_ref())?.with(&entries)?;
        let study = Study::one_cell(StudyInfo::default(), base);
        study.question(0)?;
        let study = Study { has_phases: true, ..study }.described(None);
        let differs = |first: &&Case| first.study.info.answer_columns != study.info.answer_columns;
        if let Some(Case { name: first, .. }) = self.cases.first().filter(differs) {
            let message = format!("the tables of `{text}` and `{first}` have different columns");
            let help = "study `joint` questions and sequences separately";
            return Err(Fault::new(message, span).help(help));
        }
        self.cases.push(Case { name: text, system: game.name(), study });
        Ok(())
    }

    /// Fills in what all cases share: no headline, since each has its own success statuses.
    fn described(mut self) -> Cases {
        let of_case =
            |case: &Case| format!("{} {}: {}", case.system, case.name, case.study.info().identity);
        let rules: Vec<&Provenance> =
            self.cases.iter().map(|case| &case.study.info().rules).collect();
        let words: IndexSet<&str> = rules.iter().map(|rules| rules.words.as_str()).collect();
        let words = words.into_iter().collect::<Vec<_>>().join("; ");
        let rules = Provenance { words, ..Provenance::shared(&rules, "by case") };
        self.info = StudyInfo {
            identity: self.cases.iter().map(of_case).collect::<Vec<_>>().join("\n"),
            cells: self.cases.len(),
            swept_columns: ["name", "system"].map(|name| (name.to_string(), Column::Text)).to_vec(),
            answer_columns: self.cases[0].study.info().answer_columns.clone(),
            rules,
            // The summary lists the probability of success of each case by phase.
            needs_facts: true,
            ..self.info.clone()
        };
        self
    }
}

impl Grid for Cases {
    fn info(&self) -> &StudyInfo {
        &self.info
    }

    fn swept_cells(&self, case: usize) -> Vec<Cell> {
        let Case { name, system, .. } = &self.cases[case];
        vec![Cell::Text(name.clone()), Cell::Text(system.to_string())]
    }

    fn canonical(&self, case: usize) -> Result<String, String> {
        let Case { system, study, .. } = &self.cases[case];
        Ok(format!("{system} {}", study.info().identity))
    }

    fn answer(&self, case: usize, options: &Options, meta: &Meta) -> CellAnswer {
        self.cases[case].study.answer(0, options, meta)
    }

    /// Returns the table with the cumulative probability of success of each case, by phase or turn.
    fn preface(&self, facts: &[CellFacts]) -> String {
        let phases = facts.iter().map(|facts| facts.by_phase.len()).max().unwrap_or(0);
        let most = phases.min(SHOWN_PHASES);
        let mut headings = vec!["case".to_string(), "success".to_string()];
        headings.extend((1..=most).map(|phase| phase.to_string()));
        headings.push("even odds by".to_string());
        let rows: Vec<Vec<String>> =
            self.cases.iter().zip(facts).map(|(case, facts)| case.row(facts, most)).collect();
        let mut right = vec![true; headings.len()];
        right[..2].fill(false);
        let table = aligned_to_width(&headings, &rows, &right);
        format!("Chance of success, by phase or turn:\n\n{table}\n")
    }
}
