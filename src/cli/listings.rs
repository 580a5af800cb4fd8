//! The commands that list counters, interpretations, kinds, and units and parameters of each game.

use clap::{Args, Command};

use super::fault::{Failure, Result};
use super::question;
use super::reference::{self, filled};
use super::shell_words::{quoted, with_examples};
use super::writer::print;
use api::describe;
use api::reference::reference;
use asl::attack::weapons::SupportWeapon;
use asl::catalogue::{CATALOGUE, Class, Counter, CounterId, CounterKind, Hardening, Replacement};
use asl::nation::Nation;
use asl::rulebook::{INTERPRETATIONS, Interpretation, Rulebook};
use engine::text::{Fault, canonical, nearest};
use play::{Game, Registry};
use render::layout::{aligned_to_width, paragraph, wrapped_line};
use schema::{Parameter, Source, StockUnit};

pub const PARAMETERS: &str = "parameters";
pub const UNITS: &str = "units";

pub const COUNTERS: [&str; 3] =
    ["lowcrawl units german squad", "lowcrawl units 9-2", "lowcrawl units finnish leader"];
pub const WEAPONS: [&str; 3] =
    ["lowcrawl weapons german", "lowcrawl weapons hmg", "lowcrawl weapons russian mg"];
pub const POINTS: [&str; 3] = [
    "lowcrawl rules",
    "lowcrawl rules i01",
    "lowcrawl check german:4-6-7 --mc 1 --set i01=alternative",
];
pub const DESCRIBED: [&str; 3] = [
    "lowcrawl describe",
    "lowcrawl describe asl rally",
    "lowcrawl describe --format markdown > reference.md",
];

/// Arguments of `units`.
#[derive(Debug, Args)]
pub struct UnitsCommand {
    /// Words that must all fit: a nation, a kind, a printed value, part of an id
    words: Vec<String>,
}

impl UnitsCommand {
    pub fn run(&self) -> Result<()> {
        let fits = |counter: &&Counter| self.words.iter().all(|word| matches(counter, word));
        let counters: Vec<&Counter> = CATALOGUE.counters().iter().filter(fits).collect();
        if counters.is_empty() {
            return Err(self.no_match());
        }
        let rows: Vec<Vec<String>> = counters.into_iter().map(row).collect();
        let right = HEADINGS.map(|heading| [ML, BROKEN].contains(&heading));
        let text = aligned_to_width(&HEADINGS.map(str::to_string), &rows, &right);
        let notes = "u: the ML is underscored. bML: broken ML. SR: Self-Rally. ELR: replaced by \
            this counter. HoB: hardens to it. Override values without high confidence like this: \
            `4-6-7/morale=8,broken-morale=8`.";
        print(format!("{text}\n{}", paragraph(notes)))
    }

    fn no_match(&self) -> Failure {
        let words = self.words.join(" ");
        let nations: Vec<&str> = Nation::ALL.iter().map(|nation| nation.name()).collect();
        let kinds = ["squad", "hs", "crew", "leader", "hero", "commissar"];
        let nations_in_words = nations.join(", ");
        let help = format!(
            "search for nations ({nations_in_words}), kinds ({}), printed values or parts of ids",
            kinds.join(", ")
        );
        let counters = CATALOGUE.counters();
        let is_strange = |word: &&String| !counters.iter().any(|counter| matches(counter, word));
        let Some(word) = self.words.iter().find(is_strange) else {
            let message = "no counter matches all of these words";
            return Failure::refused("WORDS", &words, message).help(help);
        };
        let start = words.find(word.as_str()).unwrap_or(0);
        let span = start..start + word.len();
        let printed = counters.iter().map(Counter::printed);
        let names = nations.iter().copied().chain(kinds).chain(printed);
        let fault = Fault::new(format!("no counter matches `{word}`"), span.clone());
        let fault = match nearest(word, names.clone()) {
            Some(_) => fault.expecting(word, names),
            None if Nation::is_known(word) => {
                Nation::unknown(word, nations.iter().copied()).with_span(span)
            }
            None => fault.help(help),
        };
        Failure::argument("WORDS", &words, fault)
    }
}

fn matches(counter: &Counter, word: &str) -> bool {
    let kind = CounterKind::from_word(word);
    if let Some(class) = Class::from_word(word) {
        return counter.class == class;
    }
    if let Some(nation) = Nation::from_word(word) {
        return counter.nation == nation;
    }
    let word = engine::text::canonical(word);
    kind == Some(counter.kind)
        || counter.printed() == word
        || CATALOGUE.printed_as(&word, None) == Some(counter.printed())
        || counter.confidence.name() == word
        || engine::text::canonical(&counter.id).contains(&word)
}

const ML: &str = "ML";
const BROKEN: &str = "bML";
const HEADINGS: [&str; 9] = ["counter", "kind", ML, BROKEN, "SR", "HS", "ELR", "HoB", "confidence"];

/// Returns a notation that means this counter alone.
fn notation(counter: &Counter) -> String {
    let key = |counter: &Counter| (counter.nation, counter.printed().to_string());
    let namesakes = CATALOGUE.counters().iter().filter(|other| key(other) == key(counter));
    match namesakes.count() {
        1 => counter.to_string(),
        _ => format!("id:{}", counter.id),
    }
}

fn row(counter: &Counter) -> Vec<String> {
    let printed = |id: CounterId| CATALOGUE.get(id).printed().to_string();
    let underscored = if counter.underlined { "u" } else { "" };
    let replacement = match counter.replacement {
        Replacement::By(id) => printed(id),
        Replacement::TwoHalfSquads(id) => format!("2 x {}", printed(id)),
        Replacement::Disrupted => "Disrupted".to_string(),
        Replacement::BrokenOnly => "broken".to_string(),
        Replacement::Immune => "immune".to_string(),
    };
    let hardening = match counter.hardening {
        Hardening::To(id) => printed(id),
        Hardening::Fanatic => "Fanatic".to_string(),
        Hardening::Exempt => String::new(),
    };
    vec![
        notation(counter),
        format!("{} {}", counter.kind.name(), counter.class.name()),
        format!("{}{underscored}", counter.morale),
        counter.broken_morale.to_string(),
        if counter.self_rally { "yes" } else { "" }.to_string(),
        counter.half_squad.map_or(String::new(), printed),
        replacement,
        hardening,
        counter.confidence.name().to_string(),
    ]
}

/// Arguments of `weapons`.
#[derive(Debug, Args)]
pub struct WeaponsCommand {
    /// Words that must all fit: a nation, a kind, a name, part of an id
    words: Vec<String>,
}

impl WeaponsCommand {
    pub fn run(&self) -> Result<()> {
        let is = |weapon: &SupportWeapon, word: &String| {
            let (name, id) = (canonical(&weapon.name), canonical(&weapon.id));
            let of = Nation::from_word(word).map(|nation| nation == weapon.nation);
            let word = canonical(word);
            of.unwrap_or_else(|| {
                name.contains(&word) || id.contains(&word) || weapon.kind.name() == word
            })
        };
        let fits = |weapon: &&SupportWeapon| self.words.iter().all(|word| is(weapon, word));
        let weapons: Vec<&SupportWeapon> = SupportWeapon::all().iter().filter(fits).collect();
        if weapons.is_empty() {
            let words = self.words.join(" ");
            let message = "no SW matches all of these words";
            let help = "search for nations, names such as hmg, or kinds: mg, atr, ft, dc, mtr";
            return Err(Failure::refused("WORDS", &words, message).help(help));
        }
        let row = |weapon: &SupportWeapon| {
            let number = |number: Option<u8>| number.map_or(String::new(), |n| n.to_string());
            vec![
                weapon.id.clone(),
                weapon.nation.to_string(),
                weapon.name.clone(),
                weapon.kind.name().to_string(),
                format!("{}-{}", weapon.firepower, weapon.range),
                number(Some(weapon.rof).filter(|rof| *rof > 0)),
                weapon.breakdown.to_string(),
                number(weapon.x_number),
                weapon.portage.to_string(),
                weapon.confidence.name().to_string(),
            ]
        };
        let headings =
            ["id", "nation", "name", "kind", "FP-range", "ROF", "B#", "X#", "PP", "confidence"];
        let right = headings.map(|heading| ["ROF", "B#", "X#", "PP"].contains(&heading));
        let rows: Vec<Vec<String>> = weapons.into_iter().map(row).collect();
        let text = aligned_to_width(&headings.map(str::to_string), &rows, &right);
        print(
            text + "\nA unit fires one like this: `4-6-7/hmg`; a captured one `4-4-7/german:hmg`.\n",
        )
    }
}

/// Arguments of `describe`.
#[derive(Debug, Args)]
pub struct Describe {
    /// Only this system
    system: Option<String>,
    /// Only this kind of question of the system
    kind: Option<String>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_parser = [JSON, MARKDOWN], default_value = JSON)]
    format: String,
}

const JSON: &str = "json";
const MARKDOWN: &str = "markdown";

impl Describe {
    pub fn run(&self, registry: &Registry) -> Result<()> {
        let (system, kind) = (self.system.as_deref(), self.kind.as_deref());
        if let Some(system) = system {
            registry.game(system).map_err(|fault| Failure::argument("SYSTEM", system, fault))?;
        }
        let of_kind = |fault| Failure::argument("KIND", kind.unwrap_or_default(), fault);
        print(match self.format.as_str() {
            MARKDOWN => reference::markdown(&reference(registry, system, kind).map_err(of_kind)?),
            _ => format!("{:#}\n", describe(registry, system, kind).map_err(of_kind)?),
        })
    }
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesCommand {
    /// Only the interpretation with this name, such as `i01`, or those that mention this word
    id: Option<String>,
}

impl RulesCommand {
    pub fn run(&self) -> Result<()> {
        let id = self.id.as_deref();
        let word = id.unwrap_or_default();
        let shown = Rulebook::readings(id).or_else(|fault| match mentions(word) {
            of_word if !of_word.is_empty() => Ok(of_word),
            _ => Err(Failure::argument("ID", word, fault)),
        })?;
        let mut text = String::new();
        for (place, interpretation) in shown.iter().enumerate() {
            let [default, alternative] = interpretation.values;
            if place == 0 || shown[place - 1].id != interpretation.id {
                let rules = interpretation.rules.split(", ");
                let rules = rules.map(|rule| format!("A{}", rule.trim_start_matches('A')));
                let rules = rules.collect::<Vec<_>>().join(", ");
                text += &format!("{}  {} ({rules})\n", interpretation.id, interpretation.question);
                text += &format!("     {default:<11}  {}\n", interpretation.default);
            }
            let profiles = interpretation.profiles.iter().map(|profile| profile.name());
            let profiles = profiles.collect::<Vec<_>>().join(", ");
            let profiles = filled(&profiles, |profiles| format!(" [profile {profiles}]"));
            text += &format!("     {alternative:<11}  {}{profiles}\n", interpretation.alternative);
        }
        let (id, [_, alternative]) = (shown[0].id, shown[0].values);
        text += &format!(
            "\nSet one with `--set {id}={alternative}`, or as a field of a study: {id} = \
                \"{alternative}\".\n"
        );
        print(text.lines().map(wrapped_line).collect::<String>())
    }
}

/// Returns the interpretations whose question or answers contain a word, in any case.
fn mentions(word: &str) -> Vec<&'static Interpretation> {
    let word = word.to_lowercase();
    let has_it = |one: &Interpretation| {
        let texts = [one.question, one.default, one.alternative];
        texts.iter().any(|text| text.to_lowercase().contains(&word))
    };
    INTERPRETATIONS.iter().filter(|one| has_it(one)).collect()
}

/// The argument of a list command of a game.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only those with this word in their name or description
    word: Option<String>,
}

impl Filter {
    fn command(name: &'static str, about: &'static str, examples: &[String]) -> Command {
        let command = Filter::augment_args(Command::new(name));
        command.about(about).long_about(None).after_help(with_examples("", examples))
    }

    pub fn commands(game: &'static dyn Game) -> [Command; 2] {
        let after = format!("lowcrawl {}", game.name());
        let question = question::examples(game, &after).into_iter().next().unwrap_or_default();
        let point = game.parameters().into_iter().next();
        let points = point.map_or(Vec::new(), |Parameter { name, default, .. }| {
            let list = format!("{after} {PARAMETERS}");
            let set = format!("{question} --set {name}={default}");
            vec![list.clone(), format!("{list} {name}"), set]
        });
        let unit = game.units().into_iter().next_back();
        let units = unit.map_or(Vec::new(), |StockUnit { unit, .. }| {
            let list = format!("{after} {UNITS}");
            vec![list.clone(), format!("{list} {}", quoted(&unit)), question]
        });
        let about = "List the parameters of the rules, with their defaults and sources";
        [
            Filter::command(PARAMETERS, about, &points),
            Filter::command(UNITS, "List the predefined units", &units),
        ]
    }

    /// Returns the rows with the word in a column of `searched`. A row's first cell is its name.
    fn select<'a>(
        &self,
        rows: &'a [Vec<String>],
        searched: &[usize],
    ) -> Result<Vec<&'a Vec<String>>> {
        let word = self.word.as_deref().unwrap_or_default();
        let contains = |text: &str| text.to_lowercase().contains(&word.to_lowercase());
        let fits = |row: &&Vec<String>| searched.iter().any(|column| contains(&row[*column]));
        let shown: Vec<&Vec<String>> = rows.iter().filter(fits).collect();
        if self.word.is_some() && shown.is_empty() {
            let help = match nearest(word, rows.iter().map(|row| row[0].as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "remove the word to see all".to_string(),
            };
            let message = format!("nothing here contains `{word}`");
            return Err(Failure::refused("WORD", word, message).help(help));
        }
        Ok(shown)
    }

    pub fn parameters(&self, game: &dyn Game) -> Result<()> {
        let parameters = game.parameters();
        let open = match parameters.iter().any(|parameter| parameter.source == Source::Open) {
            true => "; open if the text is ambiguous",
            false => "",
        };
        let sources = format!(
            "Sources: stated in the first description of the system; found in a public excerpt of \
                the rules; inferred from these; assumed if nothing was found{open}. `--set \
                NAME=VALUE` sets one."
        );
        let row = |Parameter { name, default, values, source, about }| {
            [name, default, values, source.name(), about].map(str::to_string).to_vec()
        };
        let rows: Vec<_> = parameters.into_iter().map(row).collect();
        let mut text = String::new();
        for row in self.select(&rows, &[0, 3, 4])? {
            let [name, default, values, source, about] = &row[..] else { continue };
            text += &wrapped_line(&format!("{name}  {about} ({source})"));
            text += &wrapped_line(&format!("     default  {default}"));
            text += &wrapped_line(&format!("     values   {values}"));
        }
        print(format!("{}\n{text}\n{}", paragraph(game.about()), paragraph(&sources)))
    }

    pub fn units(&self, game: &dyn Game) -> Result<()> {
        let row = |StockUnit { unit, about, .. }| vec![unit, about];
        let rows: Vec<_> = game.units().into_iter().map(row).collect();
        let shown: Vec<_> = self.select(&rows, &[0, 1])?.into_iter().cloned().collect();
        let table =
            aligned_to_width(&["unit", "what it is"].map(str::to_string), &shown, &[false; 2]);
        print(format!("{}\n{table}", paragraph(game.about())))
    }
}
