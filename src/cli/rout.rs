//! `rout`: who must rout, where to, and at what odds, from a situation file.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map as Object, Value, json};

use super::ask::{OutputArguments, rout_options, write};
use super::fault::Failure;
use crate::asl::rout::{FirstAction, Plan, Router, Situation};
use crate::asl::rulebook::Rulebook;
use crate::board::map::Site;
use crate::board::terrain::Mf;
use crate::course::rout::{Course, Prospect, prospect};
use crate::report::{svg, terminal};
use crate::study::files;
use crate::study::situation::{Options, Scenario, SituationError, read};
use crate::table::layout::{aligned, percent};
use crate::table::{Cell, Figure, Kind, Meta, Sheet, figure_cells, figure_columns};
use crate::text::Fault;

/// Options of `rout`.
#[derive(Debug, Args)]
pub struct Rout {
    /// Situation file (TOML)
    file: PathBuf,
    /// Only this unit, by its name or hex
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Why a hex is a destination, or is not
    #[arg(long, value_name = "HEX")]
    explain: Option<String>,
    /// Plans shown for each unit; 0 for all
    #[arg(long, value_name = "N", default_value_t = 12)]
    plans: usize,
    /// Edition of the rules: asl-v3, asl-v2, aslsk; without it that of the file
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Set a point of interpretation, such as i11=alternative; see `lowcrawl rules`
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// No Heat of Battle (A15.1)
    #[arg(long)]
    no_hob: bool,
    /// No Quarter is in force: nobody surrenders (A20.3)
    #[arg(long)]
    no_quarter: bool,
    /// Draw the map, units, Interdiction and best routes into a file; it appears when it is complete
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    svg: Option<PathBuf>,
    /// No map above the answer in words
    #[arg(long)]
    no_map: bool,
    #[command(flatten)]
    output: OutputArguments,
}

/// What the command reads of a situation file.
pub const HELP: &str = "\
The file names a map, the units that rout in their order, and their enemies:

  [map]                                 # or [board] hexes = \"board.csv\", los = \"los.csv\"
  rows = \"\"\"
     P  Q  R  S
  3  .  .  w  .
  4  g  .  .  b
  \"\"\"
  [[rout]]
  unit = \"german:4-6-7/broken,dm\"
  at = \"R4\"
  [[enemy]]
  unit = \"american:6-6-6\"
  at = \"P3\"

Every key is in the README; examples are in studies/rout.";

/// One routing unit with its answer.
type Answered<'a> = (&'a Router, Prospect);

impl Rout {
    pub fn run(&self) -> Result<(), Failure> {
        let scenario = self.scenario()?;
        let situation = &scenario.situation;
        let mut answers: Vec<Answered> = Vec::new();
        for router in self.routers(situation)? {
            let found = prospect(situation, router).map_err(|error| Failure::Engine { error, help: None })?;
            answers.push((router, found));
        }
        if let Some(hex) = &self.explain {
            return self.explain(situation, hex, &answers);
        }
        if let Some(path) = &self.svg {
            self.draw(path, &scenario, &answers)?;
        }
        let sheet = sheet(situation, &answers, self.meta(&scenario));
        write(&self.output, &sheet, || self.told(&scenario, &answers))
    }

    /// The file, with the options given here before its own.
    fn scenario(&self) -> Result<Scenario, Failure> {
        let place = self.file.display().to_string();
        let text = super::read_text(&self.file)?;
        let options = self.options()?;
        let beside = self.file.parent().unwrap_or(Path::new(""));
        let open = |name: &str| -> io::Result<String> {
            let bytes = std::fs::read(beside.join(name))?;
            String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not a text file"))
        };
        let table = |name: &str| beside.join(name).display().to_string();
        read(&text, &options, &open).map_err(|error| match error {
            SituationError::Fault(fault) => Failure::argument(&place, &text, fault),
            SituationError::Table { name, text, fault } => Failure::argument(&table(&name), &text, fault),
            SituationError::Io { name, error } => Failure::io(&table(&name), error),
        })
    }

    fn options(&self) -> Result<Options, Failure> {
        let (profile, switches) = rout_options(self.profile.as_deref(), &self.set)?;
        Ok(Options { profile, switches, heat_of_battle: self.no_hob.then_some(false), elr: None, no_quarter: self.no_quarter })
    }

    /// The units asked for.
    fn routers<'a>(&self, situation: &'a Situation) -> Result<Vec<&'a Router>, Failure> {
        let Some(name) = &self.unit else { return Ok(situation.routers.iter().collect()) };
        let is_meant = |router: &&Router| router.name == *name || situation.map.site_name(router.at) == *name;
        let found: Vec<&Router> = situation.routers.iter().filter(is_meant).collect();
        if found.is_empty() {
            let fault = Fault::new(format!("no routing unit is called `{name}`"), 0..name.len());
            let fault = fault.expecting(name, situation.routers.iter().map(|router| router.name.as_str()));
            return Err(Failure::argument("--unit", name, fault));
        }
        Ok(found)
    }

    fn meta(&self, scenario: &Scenario) -> Meta {
        let Situation { rulebook, heat_of_battle, elr, routers, enemies, .. } = &scenario.situation;
        let units = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut command = format!("lowcrawl rout {}", super::ask::quoted(&self.file.display().to_string()));
        let named = [("profile", self.profile.as_ref()), ("unit", self.unit.as_ref())];
        for (option, value) in named.into_iter().filter_map(|(option, value)| Some((option, value?))) {
            command += &format!(" --{option} {}", super::ask::quoted(value));
        }
        for set in &self.set {
            command += &format!(" --set {set}");
        }
        for (flag, given) in [("no-hob", self.no_hob), ("no-quarter", self.no_quarter)] {
            command += &if given { format!(" --{flag}") } else { String::new() };
        }
        Meta {
            version: env!("CARGO_PKG_VERSION"),
            command,
            question: format!("the rout of {} before {}", units(routers.len(), "unit"), units(enemies.len(), "enemy unit")),
            profile: rulebook.profile().name(),
            switches: switches(*rulebook),
            heat_of_battle: *heat_of_battle,
            elr: *elr,
            engine: "exact",
            arithmetic: Some("integer"),
            notes: scenario.notes.clone(),
            ..Meta::default()
        }
    }

    fn explain(&self, situation: &Situation, hex: &str, answers: &[Answered]) -> Result<(), Failure> {
        let site = situation.map.parse_site(hex).map_err(|fault| Failure::argument("--explain", hex, fault))?;
        let mut text = String::new();
        for (router, _) in answers {
            text += &format!("{}: {}\n", router.name, situation.map.site_name(site));
            for reason in crate::asl::rout::Rout::new(situation, router).explain(site) {
                text += &format!("  {} (A{})\n", with_enemies(situation, &reason.text, &reason.enemies), reason.rule);
            }
        }
        super::print(text)
    }

    /// Writes the picture.
    fn draw(&self, path: &Path, scenario: &Scenario, answers: &[Answered]) -> Result<(), Failure> {
        let place = path.display().to_string();
        let in_use = path == self.file || Some(path) == self.output.file();
        for (is_bad, what) in [(place == "-", "a picture goes into a file"), (in_use, "another file of this command is there")] {
            if is_bad {
                return Err(Failure::argument("--svg", &place, Fault::new(what, 0..place.len()).help("--svg rout.svg")));
            }
        }
        let name = || self.file.file_name().map_or_else(|| self.file.display().to_string(), |name| name.display().to_string());
        let title = scenario.about.clone().unwrap_or_else(name);
        let options = svg::Options { title, ..svg::Options::default() };
        let picture = svg::rout_map(&scenario.situation, &pictured(&scenario.situation, answers), &options);
        files::write_out(path, |file| file.write_all(picture.as_bytes()))?;
        // A closed standard error is no reason to fail.
        let _ = writeln!(io::stderr(), "picture: {place}");
        Ok(())
    }

    /// Whether colours can be seen, and are wanted.
    fn has_colours(&self) -> bool {
        let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        is_wanted && self.output.file().is_none() && io::stdout().is_terminal()
    }

    /// The answer in words.
    fn told(&self, scenario: &Scenario, answers: &[Answered]) -> String {
        let situation = &scenario.situation;
        let mut text = String::new();
        if let Some(about) = &scenario.about {
            text += &format!("{about}\n\n");
        }
        if !self.no_map {
            text += &terminal::rout_map(situation, &pictured(situation, answers), self.has_colours());
            text.push('\n');
        }
        for (router, found) in answers {
            text += &told_of(situation, router, found, self.plans);
            text.push('\n');
        }
        let Meta { switches, notes, .. } = self.meta(scenario);
        text += &format!("exact; rules: {}", situation.rulebook.profile().name());
        text += if situation.heat_of_battle { "" } else { ", no Heat of Battle" };
        for (id, value) in switches {
            text += &format!(", {id}={value}");
        }
        text.push('\n');
        for note in notes {
            text += &format!("note: {note}\n");
        }
        text
    }
}

/// The units of a picture, by their number in the situation.
fn pictured<'a>(situation: &Situation, answers: &'a [Answered]) -> Vec<(usize, &'a Prospect)> {
    let number = |router: &Router| situation.routers.iter().position(|other| std::ptr::eq(other, router));
    answers.iter().filter_map(|(router, found)| Some((number(router)?, found))).collect()
}

fn switches(rulebook: Rulebook) -> std::collections::BTreeMap<&'static str, &'static str> {
    rulebook.changed().map(|interpretation| (interpretation.id, rulebook.value(interpretation.switch))).collect()
}

fn with_enemies(situation: &Situation, text: &str, enemies: &[usize]) -> String {
    let names: Vec<&str> = enemies.iter().map(|&place| situation.enemies[place].name.as_str()).collect();
    if names.is_empty() { text.to_string() } else { format!("{text} {}", names.join(", ")) }
}

/// Names of Locations in a line; a word where there is none.
fn list(situation: &Situation, sites: impl IntoIterator<Item = Site>) -> String {
    let names: Vec<String> = sites.into_iter().map(|site| situation.map.site_name(site)).collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

fn told_of(situation: &Situation, router: &Router, found: &Prospect, most: usize) -> String {
    let Prospect { ruling, outlook, .. } = found;
    let verdict = if ruling.surrenders { "surrenders" } else { ruling.verdict.words() };
    let mut text = format!("{} ({}) {verdict}\n", router.name, router.member);
    for reason in &ruling.reasons {
        text += &format!("  {} (A{})\n", with_enemies(situation, reason.text, &reason.enemies), reason.rule);
    }
    let cover = outlook.choice.cover.iter().map(|cover| {
        let mark = match (cover.is_destination, cover.is_ignorable) {
            (true, true) => ", may be ignored",
            (true, false) => "",
            (false, _) => ", not the nearest",
        };
        format!("{} {} MF{mark}", situation.map.site_name(cover.site), Mf::halves(cover.cost))
    });
    let cover: Vec<String> = cover.collect();
    let known = outlook.known.iter().map(|&place| situation.enemies[place].name.clone()).collect::<Vec<_>>().join(", ");
    for (what, told) in [
        ("Known enemies", if known.is_empty() { "none".to_string() } else { known }),
        ("legal first steps (A10.51)", list(situation, outlook.first_steps.iter().copied())),
        ("cover in reach (A10.51)", if cover.is_empty() { "none".to_string() } else { cover.join("; ") }),
        ("destinations", list(situation, outlook.choice.destinations().map(|cover| cover.site))),
        ("free rout", if outlook.choice.is_free { "yes" } else { "no" }.to_string()),
        ("Low Crawl (A10.52)", list(situation, outlook.low_crawl.iter().copied())),
    ] {
        text += &format!("  {what}: {told}\n");
    }
    let actions: Vec<String> = found
        .first_actions
        .iter()
        .map(|(action, [survives, _])| {
            let action = match action {
                FirstAction::Stay => "stay".to_string(),
                FirstAction::Crawl(site) => format!("Low Crawl {}", situation.map.site_name(*site)),
                FirstAction::Step(site) => situation.map.site_name(*site),
            };
            format!("{action} {}", percent(*survives))
        })
        .collect();
    text += &format!("  survives by the best play after: {}\n", actions.join("; "));
    let shown = if most == 0 { found.courses.len() } else { most.min(found.courses.len()) };
    let headings = ["plan", "route", "MF", "Interdicted in", "survives", "in cover", "hurt", "pinned", "eliminated", "captured"];
    let rows: Vec<Vec<String>> = found.courses[..shown].iter().map(|course| told_course(situation, course)).collect();
    let right = [false, false, true, false, true, true, true, true, true, true];
    text += &aligned(&headings.map(str::to_string), &rows, &right, false);
    if shown < found.courses.len() {
        text += &format!("  {} more plans: --plans 0 shows all\n", found.courses.len() - shown);
    }
    if found.dominated > 0 {
        let plans = if found.dominated == 1 { "plan" } else { "plans" };
        text += &format!("  {} {plans} left out: another to the same end is as good\n", found.dominated);
    }
    text
}

fn told_course(situation: &Situation, course: &Course) -> Vec<String> {
    let sum = course.summary();
    let mut row = vec![
        plan_words(situation, course.plan),
        course.route.iter().map(|&site| situation.map.site_name(site)).collect::<Vec<_>>().join(" "),
        course.mf.to_string(),
        course.interdicted.iter().map(|&site| situation.map.site_name(site)).collect::<Vec<_>>().join(" "),
    ];
    row.extend([sum.survives, sum.in_cover, sum.hurt, sum.pinned, sum.eliminated, sum.captured].map(percent));
    row
}

/// A plan in words: `run to K5`, `run to K5, on to K4`, `free to L3`, `Low Crawl to K6`, `stay`.
fn plan_words(situation: &Situation, plan: Plan) -> String {
    let name = |site: Site| situation.map.site_name(site);
    match plan {
        Plan::Stay => "stay".to_string(),
        Plan::Crawl(end) => format!("Low Crawl to {}", name(end)),
        Plan::Destination { declared, end } if declared == end => format!("run to {}", name(end)),
        Plan::Destination { declared, end } => format!("run to {}, on to {}", name(declared), name(end)),
        Plan::Free { end } => format!("free to {}", name(end)),
    }
}

/// The table of every outcome of every plan, and for JSON the facts of every unit.
fn sheet(situation: &Situation, answers: &[Answered], meta: Meta) -> Sheet {
    let mut columns = vec![
        ("case", Kind::Integer),
        ("unit", Kind::Text),
        ("hex", Kind::Text),
        ("plan", Kind::Text),
        ("route", Kind::Text),
        ("mf", Kind::Float),
        ("interdicted", Kind::Integer),
        ("status", Kind::Text),
        ("at", Kind::Text),
        ("in_cover", Kind::Boolean),
        ("counter", Kind::Text),
        ("wounded", Kind::Boolean),
    ];
    columns.extend(figure_columns());
    let name = |site: Site| situation.map.site_name(site);
    let mut rows = Vec::new();
    for (router, found) in answers {
        for course in &found.courses {
            let route: Vec<String> = course.route.iter().map(|&site| name(site)).collect();
            for chance in &course.odds.chances {
                let outcome = &chance.outcome;
                let text = |text: Option<String>| text.map_or(Cell::Null, Cell::Text);
                let mut row = vec![
                    Cell::Integer(1),
                    Cell::Text(router.name.clone()),
                    Cell::Text(name(router.at)),
                    Cell::Text(plan_words(situation, course.plan)),
                    Cell::Text(route.join(" ")),
                    Cell::Float(course.mf.number()),
                    Cell::Integer(course.interdicted.len() as i64),
                    Cell::Text(outcome.unit.status.name().to_string()),
                    Cell::Text(name(outcome.at)),
                    Cell::Boolean(outcome.in_cover),
                    text(outcome.counter_text()),
                    outcome.unit.wounded.map_or(Cell::Null, Cell::Boolean),
                ];
                row.extend(figure_cells(&Figure::Exact { probability: chance.probability, fraction: chance.fraction }));
                rows.push(row);
            }
        }
    }
    let units = Value::Array(answers.iter().map(|(router, found)| unit_json(situation, router, found)).collect());
    Sheet { columns, rows, json_only: None, meta, lists: vec![("units", units)] }
}

/// What JSON says of a unit.
fn unit_json(situation: &Situation, router: &Router, found: &Prospect) -> Value {
    let Prospect { ruling, outlook, first_actions, .. } = found;
    let name = |site: Site| situation.map.site_name(site);
    let names = |sites: &mut dyn Iterator<Item = Site>| sites.map(name).collect::<Vec<_>>();
    let hexes = |enemies: &[usize]| {
        let mut hexes: Vec<Site> = enemies.iter().map(|&place| situation.enemies[place].at).collect();
        hexes.sort();
        hexes.dedup();
        hexes.into_iter().map(name).collect::<Vec<_>>()
    };
    let cover: Object<String, Value> =
        outlook.choice.cover.iter().map(|cover| (name(cover.site), json!(Mf::halves(cover.cost).number()))).collect();
    let interdicted: Object<String, Value> =
        outlook.interdicted.iter().map(|(site, by)| (name(*site), json!(hexes(by)))).collect();
    let best: Object<String, Value> = first_actions
        .iter()
        .map(|(action, chances)| {
            let action = match action {
                FirstAction::Stay => "stay".to_string(),
                FirstAction::Crawl(site) => format!("low-crawl {}", name(*site)),
                FirstAction::Step(site) => name(*site),
            };
            (action, json!(chances))
        })
        .collect();
    let ignorable = outlook.choice.cover.iter().filter(|cover| cover.is_ignorable).map(|cover| cover.site);
    json!({
        "unit": router.name,
        "hex": name(router.at),
        "verdict": ruling.verdict.name(),
        "surrenders": ruling.surrenders,
        "known": hexes(&outlook.known),
        "first_steps": names(&mut outlook.first_steps.iter().copied()),
        "cover": cover,
        "ignorable": names(&mut ignorable.into_iter()),
        "destinations": names(&mut outlook.choice.destinations().map(|cover| cover.site)),
        "free_rout": outlook.choice.is_free,
        "low_crawl": names(&mut outlook.low_crawl.iter().copied()),
        "interdicted": interdicted,
        "best": best,
    })
}
