//! The `rout` command: units that must rout, their destinations and odds, from a situation file.

mod saved;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::chart::write_picture;
use super::fault::{Failure, Result};
use super::field_args::{FieldArgs, SituationOverrides};
use super::file_root::FileRoot;
use super::output::{CountArguments, OutputArguments, is_same};
use super::progress::ask;
use super::reply::{Reply, ReplyCommand};
use super::run::{RunArguments, number};
use super::seams::join_boards;
use super::shell_words::{quoted, repeated};
use super::situation_file::unreadable;
use super::writer::{colours_are_seen, print};
use answer::{Counting, Options as RunOptions};
use api::Request;
use api::read::units;
use api::request::{RoutWanted, Routing};
use asl::campaign::MAX_TURNS;
use asl::course::campaign::named_objective;
use asl::course::phase::SCHEME;
use asl::rout::{RoutRules, Situation};
use asl::rulebook::Rulebook;
use asl::scenario::campaign::LaterTurns;
use asl::scenario::{Scenario, no_dice, read};
use engine::text::Fault;
use play::Registry;
use render::Looks;
use saved::Taken;
pub use saved::{FROM_VASL, SavedArguments, SavedFileArguments, is_save, without_option};
use saves::SavedSituation;
use schema::common_fields::GIVEN;
use schema::{SourcePosition, Spanned};

const MOST_PLANS: u64 = 1_000_000;

/// Arguments of `rout`.
#[derive(Debug, Args)]
pub struct RoutCommand {
    #[command(flatten)]
    situation: SituationArguments,
    /// Explain why a hex is a destination or not
    #[arg(long, value_name = "HEX")]
    explain: Option<String>,
    /// Show every fact and plan of each unit, not the best plans alone
    #[arg(long)]
    all: bool,
    /// Show every fact of each unit, and this many plans; 0 for all [default with --all: 12]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    plans: Option<String>,
    /// Compare every order of the units, for at most 6 of them
    #[arg(long, conflicts_with_all = ["unit", "order", "explain"])]
    orders: bool,
    #[command(flatten)]
    counts: CountArguments,
    /// Show the value of each first choice over this many Player Turns (1 to 20) from this RtPh on;
    /// the best play follows each choice
    #[arg(long, allow_hyphen_values = true, value_name = "N",
        conflicts_with_all = ["explain", "impact"])]
    turns: Option<String>,
    /// Objective: good-order, good-order-squads, survives, in-cover, squad-equivalents, cvp
    /// [default: from the file, or good-order]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["explain", "impact"])]
    objective: Option<String>,
    /// Show how verdicts, plans and odds change with each interpretation, or with the one named
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "all",
        conflicts_with_all = ["explain", "svg", "orders"])]
    impact: Option<String>,
    /// Write the map, with units, Interdiction and best routes, to an SVG file; same as --chart
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "chart"])]
    svg: Option<PathBuf>,
    /// Show the map above the answer
    #[arg(long)]
    map: bool,
    /// Leave out the map, as without an option
    #[arg(long, hide = true)]
    no_map: bool,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// The help text on situation files.
pub const HELP: &str = "\
The file has a map, the units that rout, in order, and their enemies:

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

`lowcrawl help situation` has every key; examples are in studies/rout.";

pub const EXAMPLES: [&str; 3] = [
    "lowcrawl new situation --out street.toml",
    "lowcrawl rout street.toml",
    "lowcrawl rout street.toml --turns 3 --svg street.svg",
];

impl ReplyCommand for RoutCommand {
    fn reply(&self, _: &Registry, files: &FileRoot) -> Result<Reply> {
        self.reply_of(self.situation.scenario(files)?)
    }

    fn output(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    fn run(&self, _: &Registry) -> Result<()> {
        let files = &FileRoot::anywhere();
        if self.situation.as_situation {
            return match &self.situation.texts(files)?[..] {
                [one] => print(one.with_notes()),
                _ => Err(self.situation.two_sides()),
            };
        }
        let mut scenarios = self.situation.scenarios(files)?;
        let is_plain = self.output.file().is_none() && self.output.format()?.is_none();
        if scenarios.len() > 1 && (self.picture().is_some() || !is_plain) {
            return Err(self.situation.two_sides());
        }
        let Some(last) = scenarios.pop() else { return Ok(()) };
        for scenario in scenarios {
            self.reply_of(scenario)?.put(Some(&self.output))?;
            print("\n")?;
        }
        let reply = self.reply_of(last)?;
        if let (Some(file), Some((picture, _))) = (self.picture(), reply.picture(None)) {
            self.draw(file, &picture)?;
        }
        reply.put(Some(&self.output))
    }
}

impl RoutCommand {
    fn reply_of(&self, scenario: Scenario) -> Result<Reply> {
        let situation = &scenario.situation;
        let units = self.situation.units(situation)?;
        let options = self.run.options()?;
        let plans = self.plans.as_deref();
        let most = number("--plans", plans.unwrap_or("12"), 0, MOST_PLANS)? as usize;
        if let Some(out) = self.output.file().filter(|out| is_same(out, &self.situation.file)) {
            let place = out.display().to_string();
            let fault = Fault::new("this would overwrite the situation file", 0..place.len());
            return Err(Failure::argument("--out", &place, fault.help("--out rout.csv")));
        }
        self.output.format()?;
        let options = RunOptions { counts: self.counting()?, ..options };
        let ahead = self.ahead(&scenario)?;
        let looks = Looks {
            map: self.map && !self.no_map,
            most,
            all: self.all || plans.is_some(),
            colours: self.output.file().is_none() && colours_are_seen(&io::stdout()),
            counts: self.counts.counts.is_some(),
            digits: self.output.digits(),
        };
        let wanted = match (&self.explain, &self.impact) {
            (Some(hex), _) => {
                let location = situation.map.parse_location(hex);
                let in_option = |fault| Failure::argument("--explain", hex, fault);
                RoutWanted::Explanation(location.map_err(in_option)?)
            }
            (None, Some(switches)) => {
                let which = Some(switches.as_str()).filter(|which| *which != "all");
                let in_option = |fault| Failure::argument("--impact", switches, fault);
                RoutWanted::Impact(Rulebook::readings(which).map_err(in_option)?)
            }
            (None, None) => RoutWanted::Odds { every_order: self.orders, ahead },
        };
        let request = Request::Rout(Box::new(Routing { scenario, units, wanted }));
        let answer = ask(request, self.command(&options), &options)
            .map_err(|refused| Failure::from(refused).in_file(&self.situation.file))?;
        let title = self.situation.file.file_name().unwrap_or(self.situation.file.as_os_str());
        let (title, before) = (title.display().to_string(), String::new());
        Ok(Reply::Answer { answer, looks, options, title, before })
    }

    /// Returns the units to count. Counts need a Rout Phase that is played to its end.
    fn counting(&self) -> Result<Option<Counting>> {
        let others = [
            (self.explain.is_some(), "--explain"),
            (self.impact.is_some(), "--impact"),
            (self.orders, "--orders"),
            (self.turns.is_some(), "--turns"),
            (self.objective.is_some(), "--objective"),
        ];
        let other = others.into_iter().find(|(is_given, _)| *is_given);
        if let (Some((_, other)), Some(option)) = (other, self.counts.option()) {
            let fault =
                Fault::new("units can be counted only in one Rout Phase with one order", 0..0);
            let fault = fault.help(format!("remove it, or remove `{other}`"));
            return Err(Failure::argument(option, "", fault));
        }
        self.counts.counting(&SCHEME, &self.output)
    }

    /// Returns the Player Turns and the objective, if one is an option; the file gives the other.
    fn ahead(&self, scenario: &Scenario) -> Result<Option<LaterTurns>> {
        let objective = self.objective.as_deref();
        let turns = match (self.turns.as_deref(), objective) {
            (None, None) => return Ok(None),
            (Some(text), _) => number("--turns", text, 1, MAX_TURNS as u64)? as u16,
            (None, Some(text)) => scenario.turns().ok_or_else(|| {
                let message = "the number of Player Turns is missing: use `--turns`, or `turns` in \
                    [campaign] of the file";
                let fault = Fault::new(message, 0..text.len()).help("--turns 4");
                Failure::argument("--objective", text, fault)
            })?,
        };
        let named = objective.map(named_objective).transpose();
        let ahead = named.and_then(|objective| scenario.later_turns(turns, objective));
        let in_option =
            |fault| Failure::argument("--objective", objective.unwrap_or_default(), fault);
        ahead.map(Some).map_err(in_option)
    }

    fn command(&self, options: &RunOptions) -> String {
        let mut command =
            format!("lowcrawl rout {}{}", self.situation.words(), self.run.words(options.seed));
        if self.orders {
            command += " --orders";
        }
        command += &self.counts.words();
        let explain = self.explain.as_deref().map(quoted);
        let options = [
            ("turns", &self.turns),
            ("objective", &self.objective),
            ("explain", &explain),
            ("impact", &self.impact),
        ];
        for (option, value) in options {
            command.extend(value.iter().map(|value| format!(" --{option} {value}")));
        }
        command
    }

    /// Returns the file of the map, and the option that names it, if any.
    fn picture(&self) -> Option<(&'static str, &Path)> {
        let chart = self.output.chart.file().filter(|_| self.output.chart.chart_kind.is_none());
        let chart = chart.map(|path| ("--chart", path));
        self.svg.as_deref().map(|path| ("--svg", path)).or(chart)
    }

    fn draw(&self, (option, path): (&str, &Path), picture: &str) -> Result<()> {
        let place = path.display().to_string();
        let refused = |what: &str| {
            let fault = Fault::new(what, 0..place.len()).help(format!("{option} rout.svg"));
            Err(Failure::argument(option, &place, fault))
        };
        let mut used = self.output.file().into_iter().chain([self.situation.file.as_path()]);
        if place == "-" {
            return refused("a picture cannot go to standard output");
        }
        if used.any(|file| is_same(path, file)) {
            return refused("this command already uses this file");
        }
        write_picture(path, picture)?;
        let _ = writeln!(io::stderr(), "picture: {place}");
        Ok(())
    }
}

/// The arguments of a situation.
#[derive(Debug, Args)]
pub struct SituationArguments {
    /// Situation file (TOML); with --from-vasl a save or log of VASL
    pub file: PathBuf,
    /// Only this unit, given by name, mark on the map (`U1`) or hex
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Units in the order in which they rout, by name, mark or hex, separated by commas [default:
    /// as in the file]
    #[arg(long, value_name = "NAMES", conflicts_with = "unit")]
    order: Option<String>,
    /// Not supported; the error names the alternative
    #[arg(long, hide = true, allow_hyphen_values = true, value_name = "DICE")]
    given: Option<String>,
    #[command(flatten)]
    over: SituationOverrides,
    #[command(flatten)]
    saved: SavedArguments,
    /// Only print the situation file made from the save
    #[arg(long, help_heading = FROM_VASL, requires = "from_vasl")]
    as_situation: bool,
}

impl SituationArguments {
    /// Reads the situation. Fails if both sides of a save have broken units.
    pub fn scenario(&self, files: &FileRoot) -> Result<Scenario> {
        let mut all = self.scenarios(files)?;
        if all.len() > 1 { Err(self.two_sides()) } else { Ok(all.remove(0)) }
    }

    /// Reads the situations: two for a save in which both sides have broken units.
    pub fn scenarios(&self, files: &FileRoot) -> Result<Vec<Scenario>> {
        if let Some(dice) = &self.given {
            return Err(Failure::argument(&format!("--{GIVEN}"), dice, no_dice(0..dice.len())));
        }
        let beside = (files, &*self.saved.file.folders);
        let way = SavedSituation::check_way;
        let one = |taken: Taken| taken.scenario(&self.file, &self.over.given, beside, way);
        self.texts(files)?.into_iter().map(one).collect()
    }

    /// Returns the text of the situation file, or the texts to which a save is converted.
    fn texts(&self, files: &FileRoot) -> Result<Vec<Taken>> {
        match self.saved.taken(files, &self.file)? {
            Some(all) => Ok(all),
            None => {
                let text = match is_save(&self.file) {
                    true => return Err(without_option(&self.file, "rout")),
                    false => files.text_like(&self.file, "situation")?,
                };
                Ok(vec![Taken { text, saved: None }])
            }
        }
    }

    /// Returns the failure for a command that cannot answer for both sides of a save.
    fn two_sides(&self) -> Failure {
        let fault =
            Fault::new("both sides have broken units, but only one can be shown here", 0..0);
        Failure::argument(&self.file.display().to_string(), "", fault.help("`--side german`"))
    }

    /// Returns the indices (0-based) of the requested units, in the order of their rout.
    pub fn units(&self, situation: &Situation) -> Result<Vec<usize>> {
        let spanned = |text: &String| Spanned {
            value: text.clone(),
            place: SourcePosition::of_argument(text),
        };
        let (unit, order) = (self.unit.as_ref().map(spanned), self.order.as_ref().map(spanned));
        let option = if unit.is_some() { "--unit" } else { "--order" };
        let text = self.unit.as_ref().or(self.order.as_ref()).map_or("", |text| text);
        units(situation, unit.as_ref(), order.as_ref())
            .map_err(|fault| Failure::argument(option, text, fault))
    }

    fn words(&self) -> String {
        quoted(&self.file.display().to_string())
            + &repeated("unit", &self.unit)
            + &repeated("order", &self.order)
            + &self.over.given.words()
            + &self.saved.words()
    }
}

/// A check that the changes of a save's boards do not touch what is asked.
type SaveCheck = fn(&SavedSituation, &Situation) -> Result<(), Fault>;

impl Taken {
    /// Reads the situation, and checks it if it is that of a save.
    fn scenario(
        self,
        file: &Path,
        over: &FieldArgs,
        beside: (&FileRoot, &[PathBuf]),
        check: SaveCheck,
    ) -> Result<Scenario> {
        let mut scenario = scenario(file, &self.text, over, beside)?;
        if let Some(saved) = self.saved {
            let checked = check(&saved, &scenario.situation);
            checked.map_err(|fault| Failure::binary(file, fault))?;
            scenario.notes.extend(saved.notes);
        }
        Ok(scenario)
    }
}

/// Returns the situations of a save for questions about single Locations, in the order of play.
pub fn saved_scenarios(
    saved: &SavedArguments,
    file: &Path,
    files: &FileRoot,
) -> Result<Vec<Scenario>> {
    let over = FieldArgs::default();
    let beside = (files, &*saved.file.folders);
    let taken = saved.taken(files, file)?.unwrap_or_default().into_iter();
    let scenario = |taken: Taken| taken.scenario(file, &over, beside, SavedSituation::check_places);
    taken.map(scenario).collect()
}

/// Reads a situation. Options override its rules; its tables are beside it or in `folders`.
pub fn scenario(
    file: &Path,
    text: &str,
    over: &FieldArgs,
    (files, folders): (&FileRoot, &[PathBuf]),
) -> Result<Scenario> {
    over.fill(&mut RoutRules::default())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let table = |name: &str| folder.join(name).display().to_string();
    let open = |name: &str| files.text_among(folder, name, folders);
    let read = read(text, &|rules: &mut RoutRules| over.put(rules), &open);
    let failed = |error| unreadable(error, &file.display().to_string(), text, table);
    let mut scenario = read.map_err(failed)?;
    join_boards(&mut scenario, folder, (files, folders));
    Ok(scenario)
}
