//! `fire`, `check`, `rally`, `interdict` and `sequence`: a question from arguments or a file, its answer in any format.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};

use super::fault::Failure;
use super::{impact, screen};
use crate::asl::question::{Draft, Kind, Question, Value};
use crate::asl::rulebook::Profile;
use crate::asl::sequence::Step;
use crate::engine::EngineError;
use crate::engine::stratified::MAX_ROLLS;
use crate::study::answer::{Answer, DEFAULT_SEED, DEFAULT_TRIALS, Engine, MAX_TRIALS, Options, Trials, answer};
use crate::study::file::{MIN_PRECISION, Study as StudyFile};
use crate::study::files;
use crate::study::situation;
use crate::system::Asked;
use crate::system::form::Form;
use crate::table::{Meta, Shape, Sheet, Table, frame, json, layout};
use crate::text::Fault;

pub const STACK_HELP: &str = "\
A stack is written as counters with ` + ` between them:
  \"9-1 + 2x german:4-6-7 + german:4-6-8/broken,dm\"
  counter     [N x] [nation:] name [:class] [/condition,...], such as 4-6-7, 8-1, hero, id:ger_2_237
  nations     german, german-ss, russian, american, british, french, italian, finnish, axis-minor, partisan
  classes     e, 1, 2, g, c, crew
  conditions  broken, dm, pinned, wounded, fanatic, heroic, disrupted, berserk, cx, encircled, unarmed,
              elr=N, morale=N, broken-morale=N
`lowcrawl units` lists all counters, `lowcrawl rules` all interpretations.";

pub const SEQUENCE_HELP: &str = "\
A sequence file says who is there and what happens to them, step by step:
  stack = \"german:8-1 + 2x german:4-6-7\"
  elr = 3
  [[step]]
  do = \"fire\"            # fp, drm, no-cowering, inexperienced
  fp = 8
  [[step]]
  do = \"rally\"           # leader, phases (1), own-rph, terrain, dm, keep-dm
  if = \"broken\"          # only then: [any|all|none|SLOT] broken, dm, unbroken, pinned, gone, ...
Further steps: check (mc, ptc), eliminate (slots), break (slots), dm, interdict (hexes, leader, voluntary-rout).
The fields at the top are the options of `lowcrawl check`: elr, no-hob, no-keu, captor, profile, i01, ...";

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Every column, aligned
    Table,
    Csv,
    Json,
    Markdown,
    Parquet,
}

impl Format {
    /// The format that a file name ends in.
    fn of_file(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            "md" => Some(Format::Markdown),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EngineName {
    Auto,
    Exact,
    MonteCarlo,
}

/// How to run, for every command that does.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[command(flatten)]
    plain: PlainRunArguments,
    /// Play the first K rolls (1 to 3) over all their combinations: less error for the same trials
    #[arg(long, allow_hyphen_values = true, value_name = "K")]
    stratify: Option<String>,
}

impl RunArguments {
    pub fn options(&self) -> Result<Options<'static>, Failure> {
        Ok(Options { stratify: self.stratify()?, ..self.plain.options()? })
    }

    /// The same, with what a file says where nothing is said here.
    pub fn over(&self, file: (Engine, Trials, u64)) -> Result<Options<'static>, Failure> {
        Ok(Options { stratify: self.stratify()?, ..self.plain.over(file)? })
    }

    fn stratify(&self) -> Result<u32, Failure> {
        let rolls = self.stratify.as_deref().map_or(Ok(0), |text| number("--stratify", text, 1, MAX_ROLLS.into()));
        rolls.map(|rolls| rolls as u32)
    }

    /// The options given, as they would be typed to get the same again: with the seed that was drawn.
    pub fn words(&self, seed: u64) -> String {
        let stratify = self.stratify.as_ref().map_or(String::new(), |rolls| format!(" --stratify {rolls}"));
        stratify + &self.plain.words(seed)
    }

    /// The first option given that only dice understand.
    pub fn of_dice(&self) -> Option<&'static str> {
        self.stratify.as_ref().map(|_| "--stratify").or_else(|| self.plain.of_dice())
    }
}

/// The same without what only a single question can do.
#[derive(Debug, Args)]
pub struct PlainRunArguments {
    /// Exact unless the process is too big, or one engine by name
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineName,
    /// Monte Carlo sequences to play
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    trials: Option<String>,
    /// Play as many sequences as make every 95 % interval at most +- P wide
    #[arg(long, allow_hyphen_values = true, value_name = "P", conflicts_with = "trials")]
    precision: Option<String>,
    /// Seed of the dice; `random` draws one and prints it
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    seed: Option<String>,
    /// Threads to use; never changes a result
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    threads: Option<String>,
}

impl PlainRunArguments {
    /// The options given, with what a file says where nothing is said here.
    pub fn over(&self, (engine, trials, seed): (Engine, Trials, u64)) -> Result<Options<'static>, Failure> {
        Ok(Options {
            engine: self.engine().unwrap_or(engine),
            trials: self.trials()?.unwrap_or(trials),
            seed: self.seed()?.unwrap_or(seed),
            stratify: 0,
            threads: self.threads.as_deref().map(|text| number("--threads", text, 1, 1024)).transpose()?.map(|n| n as usize),
            stop: Some(&super::STOP),
        })
    }

    /// The options given.
    fn options(&self) -> Result<Options<'static>, Failure> {
        self.over((Engine::Auto, Trials::Number(DEFAULT_TRIALS), DEFAULT_SEED))
    }

    /// The options given, as they would be typed to get the same again: with the seed that was drawn.
    pub fn words(&self, seed: u64) -> String {
        let given = [
            ("--engine", self.engine().map(|engine| engine.name().to_string())),
            ("--trials", self.trials.clone()),
            ("--precision", self.precision.clone()),
            ("--seed", self.seed.as_ref().map(|_| seed.to_string())),
        ];
        given.into_iter().filter_map(|(option, value)| Some(format!(" {option} {}", value?))).collect()
    }

    /// The trials asked for, if any are.
    fn trials(&self) -> Result<Option<Trials>, Failure> {
        if let Some(text) = &self.trials {
            return number("--trials", text, 1, MAX_TRIALS).map(|trials| Some(Trials::Number(trials)));
        }
        let Some(text) = &self.precision else { return Ok(None) };
        let half_width = text.parse().ok().filter(|half_width: &f64| (MIN_PRECISION..0.5).contains(half_width));
        let fault = || {
            let message = format!("`--precision` must be a half-width from {MIN_PRECISION} to below 0.5, not `{text}`");
            Failure::argument("--precision", text, Fault::new(message, 0..text.len()).help("for example 0.001"))
        };
        half_width.map(|half_width| Some(Trials::HalfWidth(half_width))).ok_or_else(fault)
    }

    /// The seed asked for, if any is.
    fn seed(&self) -> Result<Option<u64>, Failure> {
        seed(self.seed.as_deref())
    }

    /// The first option given that only dice understand.
    fn of_dice(&self) -> Option<&'static str> {
        let given = [
            ("--engine", matches!(self.engine, EngineName::MonteCarlo)),
            ("--trials", self.trials.is_some()),
            ("--precision", self.precision.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The engine asked for, if it is not left open.
    fn engine(&self) -> Option<Engine> {
        match self.engine {
            EngineName::Auto => None,
            EngineName::Exact => Some(Engine::Exact),
            EngineName::MonteCarlo => Some(Engine::MonteCarlo),
        }
    }
}

/// A seed in words.
pub fn seed(text: Option<&str>) -> Result<Option<u64>, Failure> {
    match text {
        None => Ok(None),
        Some("random") => Ok(Some(rand::random::<u64>() >> 1)),
        Some(text) => text.replace('_', "").parse().map(Some).map_err(|_| {
            let fault = Fault::new(format!("`--seed` must be a whole number or `random`, not `{text}`"), 0..text.len());
            Failure::argument("--seed", text, fault)
        }),
    }
}

/// A whole number in an argument; `_` may part its digits.
pub fn number(place: &str, text: &str, low: u64, high: u64) -> Result<u64, Failure> {
    let number = text.replace('_', "").parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| {
        let message = format!("`{place}` must be a whole number from {low} to {high}, not `{text}`");
        Failure::argument(place, text, Fault::new(message, 0..text.len()))
    })
}

/// The value of a field that wants a whole number: a text that is none stays one, to be complained of.
pub fn whole(text: &str) -> Value<'_> {
    text.trim().parse().map_or(Value::Text(text), Value::Integer)
}

/// The rules, for every question.
#[derive(Debug, Args)]
pub struct RuleArguments {
    /// Without Heat of Battle (A15.1)
    #[arg(long)]
    no_hob: bool,
    /// No Known enemy in LOS: nobody goes berserk (A15.44)
    #[arg(long)]
    no_keu: bool,
    /// A Known, Good Order, armed enemy is ADJACENT: who surrenders is captured (A15.5)
    #[arg(long)]
    captor: bool,
    /// No Quarter is in force: nobody surrenders (A20.3)
    #[arg(long)]
    no_quarter: bool,
    /// Nation of the enemy: the SS neither surrender to Russians nor become Disrupted
    #[arg(long, value_name = "NATION")]
    enemy: Option<String>,
    /// A Known armed enemy is ADJACENT all the time: DM comes back at once (A10.62)
    #[arg(long)]
    enemy_adjacent: bool,
    /// Edition of the rules: asl-v3, asl-v2 or aslsk
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// One interpretation, such as `i01=alternative`; may be repeated
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
}

type Fields<'a> = Vec<(&'static str, Value<'a>)>;

impl RuleArguments {
    fn fields(&self) -> Fields<'_> {
        let flags = [
            ("no-hob", self.no_hob),
            ("no-keu", self.no_keu),
            ("captor", self.captor),
            ("no-quarter", self.no_quarter),
            ("enemy-adjacent", self.enemy_adjacent),
        ];
        let texts = [("enemy", &self.enemy), ("profile", &self.profile)];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(field, _)| (field, Value::Boolean(true)));
        let texts = texts.into_iter().filter_map(|(field, text)| Some((field, Value::Text(text.as_deref()?))));
        flags.chain(texts).collect()
    }

    /// Fills them in, and the interpretations.
    pub fn fill<F: Form>(&self, draft: &mut F) -> Result<(), Failure> {
        let fields = self.fields();
        for (field, value) in &fields {
            draft.set(field, *value).map_err(|fault| blame(field, &fields, fault))?;
        }
        set_all(draft, &self.set)
    }

    /// The same for a situation, whose map shows what else could be given here.
    pub fn of_situation(&self, elr: Option<&str>) -> Result<situation::Options, Failure> {
        let shown = [("--no-keu", self.no_keu), ("--captor", self.captor), ("--enemy-adjacent", self.enemy_adjacent)];
        let shown = shown.into_iter().chain([("--enemy", self.enemy.is_some())]).find(|(_, given)| *given);
        if let Some((option, _)) = shown {
            let fault = Fault::new("the map of a situation shows who and where the enemy is", 0..0);
            return Err(Failure::argument(option, "", fault.help("leave it out")));
        }
        let (profile, switches) = rout_options(self.profile.as_deref(), &self.set)?;
        let elr = elr.map(|text| number("--elr", text, 0, 6)).transpose()?.map(|elr| elr as u8);
        let heat_of_battle = self.no_hob.then_some(false);
        Ok(situation::Options { profile, switches, heat_of_battle, elr, no_quarter: self.no_quarter, enemy_reveals: false })
    }

    /// The options as they would be typed again.
    pub fn words(&self) -> String {
        let mut words: String = self.fields().iter().map(|(field, value)| typed(field, value)).collect();
        words += &self.set.iter().map(|set| format!(" --set {set}")).collect::<String>();
        words
    }
}

/// The units, for every question about one thing that happens to them.
#[derive(Debug, Args)]
pub struct StackArguments {
    /// Units in the notation below
    stack: String,
    /// ELR of the side
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value = "3")]
    elr: String,
    #[command(flatten)]
    rules: RuleArguments,
    /// Outcomes of the whole stack in place of one unit at a time
    #[arg(long)]
    joint: bool,
}

/// What to do with the answer.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Every row and column, in this format; without it that of the file's name, or the answer is told in words
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to a file; it appears when it is complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutputArguments {
    /// The file the answer goes to, unless it is printed.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|path| *path != Path::new("-"))
    }
}

/// A question with how to answer it.
#[derive(Debug, Args)]
pub struct Answered<A: Args> {
    #[command(flatten)]
    ask: A,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// How far the odds move with each interpretation, or with the one named
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "all")]
    impact: Option<String>,
}

/// Odds of an attack on the IFT.
#[derive(Debug, Args)]
pub struct Fire {
    #[command(flatten)]
    stack: StackArguments,
    /// Firepower of the attack
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    fp: Option<String>,
    /// Sum of all DRM of the attack: TEM, leadership of the firers, Hindrance, ...
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value = "0")]
    drm: String,
    /// The firers do not Cower: a leader directs them, or they are of a sort that never does (A7.9)
    #[arg(long)]
    no_cowering: bool,
    /// The firers are Inexperienced and Cower by two columns (A19.3)
    #[arg(long)]
    inexperienced: bool,
}

/// Odds of a MC or PTC.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    stack: StackArguments,
    /// +n of the Morale Check: 0 is a NMC, 1 a 1MC
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    mc: Option<String>,
    /// A Pin Task Check in place of a Morale Check
    #[arg(long)]
    ptc: bool,
}

/// Odds of rallying.
#[derive(Debug, Args)]
pub struct Rally {
    #[command(flatten)]
    stack: StackArguments,
    /// A Good Order leader who is there, lends his leadership and is never at risk
    #[arg(long, value_name = "LEADER")]
    leader: Option<String>,
    /// Terrain: open, building, woods, pillbox, trench, ...
    #[arg(long, default_value = "open")]
    terrain: String,
    /// Every broken unit starts with DM
    #[arg(long)]
    dm: bool,
    /// Rally Phases, one attempt each
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value = "6")]
    phases: String,
    /// Which phases are the side's own RPh, where its first MMC may Self-Rally (A18.11): odd, even, never
    #[arg(long, value_name = "WHICH", default_value = "odd")]
    own_rph: String,
    /// Keep DM at the end of each phase, where the rules leave the choice
    #[arg(long)]
    keep_dm: bool,
}

/// Odds of a rout under Interdiction.
#[derive(Debug, Args)]
pub struct Interdict {
    #[command(flatten)]
    stack: StackArguments,
    /// Interdicted Open Ground hexes to cross, 1 to 6
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    hexes: Option<String>,
    /// A Good Order leader in every hex, who lends his leadership and is never at risk
    #[arg(long, value_name = "LEADER")]
    leader: Option<String>,
    /// The unbroken leader of the stack goes along with the broken unit (A10.711)
    #[arg(long)]
    voluntary_rout: bool,
}

/// Odds of a chain of steps.
#[derive(Debug, Args)]
pub struct Sequence {
    /// Sequence file (TOML)
    file: PathBuf,
    #[command(flatten)]
    rules: RuleArguments,
    /// Outcomes of the whole stack in place of one unit at a time
    #[arg(long)]
    joint: bool,
}

/// A question on the command line.
pub trait Ask {
    /// The question, or what is wrong with which argument.
    fn question(&self) -> Result<Question, Failure>;
    /// The command as it would be typed again.
    fn command(&self) -> String;
}

/// A question about one thing that happens to a stack.
pub trait AskOfStack {
    const KIND: Kind;
    fn stack(&self) -> &StackArguments;
    /// Fields of its own: name and value.
    fn fields(&self) -> Fields<'_>;
}

impl<A: AskOfStack> Ask for A {
    fn question(&self) -> Result<Question, Failure> {
        let StackArguments { stack, elr, rules, joint } = self.stack();
        let mut draft = Draft::new(Self::KIND);
        let mut fields = vec![("stack", Value::Text(stack)), ("elr", whole(elr)), ("joint", Value::Boolean(*joint))];
        fields.extend(self.fields());
        for (field, value) in &fields {
            draft.set(field, *value).map_err(|fault| blame(field, &fields, fault))?;
        }
        rules.fill(&mut draft)?;
        fields.extend(rules.fields());
        draft.finish().map_err(|error| blame(&error.field, &fields, error.fault))
    }

    fn command(&self) -> String {
        let StackArguments { stack, elr, rules, joint } = self.stack();
        let fields: String = self.fields().iter().map(|(field, value)| typed(field, value)).collect();
        let joint = typed("joint", &Value::Boolean(*joint));
        format!("lowcrawl {} \"{stack}\" --elr {elr}{fields}{}{joint}", Self::KIND.name(), rules.words())
    }
}

impl Ask for Sequence {
    fn question(&self) -> Result<Question, Failure> {
        let path = self.file.display().to_string();
        let text = super::read_text(&self.file)?;
        let in_file = |fault| Failure::argument(&path, &text, fault);
        let file = StudyFile::parse_sequence(&text).map_err(in_file)?;
        let mut draft = file.draft(0).map_err(in_file)?;
        self.rules.fill(&mut draft)?;
        if self.joint {
            draft.set("joint", Value::Boolean(true)).map_err(in_file)?;
        }
        draft.finish().map_err(|error| in_file(file.place_fault(0, error)))
    }

    fn command(&self) -> String {
        let file = quoted(&self.file.display().to_string());
        format!("lowcrawl sequence {file}{}{}", self.rules.words(), typed("joint", &Value::Boolean(self.joint)))
    }
}

/// An option as it would be typed.
pub fn typed(field: &str, value: &Value) -> String {
    match value {
        Value::Boolean(true) => format!(" --{field}"),
        Value::Boolean(false) => String::new(),
        Value::Text(text) if text.contains(' ') => format!(" --{field} \"{text}\""),
        Value::Text(text) => format!(" --{field} {text}"),
        Value::Integer(number) => format!(" --{field} {number}"),
    }
}

impl<A: Args + Ask> Answered<A> {
    pub fn run(&self) -> Result<(), Failure> {
        let question = self.ask.question()?;
        let options = self.run.options()?;
        let command = self.ask.command() + &self.run.words(options.seed);
        if let Some(switches) = &self.impact {
            let command = format!("{command} --impact {switches}");
            let readings = impact::of_interpretations(&question, switches)?;
            let meta = Meta::of(&question, command);
            return impact::run(&question, &readings, impact::INTERPRETATION, &options, meta, &self.output);
        }
        let table = table_of(&question, &options, Meta::of(&question, command))?;
        write(&self.output, &Sheet::from(&table), || screen::of(&question, &table))
    }
}

/// The question's answer as a table.
pub fn table_of<Q: Asked>(question: &Q, options: &Options, meta: Meta) -> Result<Table, Failure> {
    let Answer { rows, expected, meta } = answer(question, options, meta).map_err(|error| {
        let help = match question.is_joint() && question.points() != Some("step") {
            true => "`--engine monte-carlo` has no such bound; without `--joint` the process is smaller",
            false => "`--engine monte-carlo` has no such bound",
        };
        Failure::Engine { error, help: Some(help) }
    })?;
    // The exact engine is over in a second and does not look; its answer is not wanted any more.
    if super::STOP.load(Ordering::Relaxed) {
        return Err(Failure::from(EngineError::Interrupted));
    }
    Ok(Table { shape: Shape::of(question), meta, rows, expected })
}

/// A fault of a field, at the argument that gave it.
pub fn blame(field: &str, fields: &[(&str, Value)], fault: Fault) -> Failure {
    let place = if field == "stack" { "STACK".to_string() } else { format!("--{field}") };
    let text = fields.iter().find(|(name, _)| *name == field).map_or(String::new(), |(_, value)| match value {
        Value::Text(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(_) => String::new(),
    });
    Failure::argument(&place, &text, fault)
}

/// A word as it would be typed.
pub fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_string() }
}

/// Interpretations with their values.
pub type Switches = Vec<(String, String)>;

/// Profile and switches of a command whose question stands in a file.
pub fn rout_options(profile: Option<&str>, sets: &[String]) -> Result<(Option<Profile>, Switches), Failure> {
    let named = |name: &str| Profile::named(name).map_err(|fault| Failure::argument("--profile", name, fault));
    set_all(&mut Draft::new(Kind::Check), sets)?;
    let switches = sets.iter().filter_map(|set| set.split_once('=')).map(|(id, value)| (id.to_string(), value.to_string()));
    let switches = switches.collect();
    Ok((profile.map(named).transpose()?, switches))
}

/// Sets points of the rules, each once.
pub fn set_all<F: Form>(form: &mut F, sets: &[String]) -> Result<(), Failure> {
    let name = |set: &String| F::setting(set.split('=').next().unwrap_or_default());
    for (place, set) in sets.iter().enumerate() {
        if let Some(id) = name(set).filter(|id| sets[..place].iter().any(|earlier| name(earlier) == Some(id))) {
            let fault = Fault::new(format!("`{id}` is set twice"), 0..set.len());
            return Err(Failure::argument("--set", set, fault.help("leave one of them out")));
        }
        set_switch(form, set)?;
    }
    Ok(())
}

/// Sets one point of the rules: `ID=VALUE`.
fn set_switch<F: Form>(form: &mut F, set: &str) -> Result<(), Failure> {
    let at_fault = |fault| Failure::argument("--set", set, fault);
    let Some((id, value)) = set.split_once('=') else {
        let fault = Fault::new("expected `ID=VALUE`", 0..set.len());
        return Err(at_fault(fault.help(format!("for example {}", F::EXAMPLE))));
    };
    let shift = if F::setting(id).is_some() { id.len() + 1 } else { 0 };
    let shifted = |fault: Fault| at_fault(Fault { span: fault.span.start + shift..fault.span.end + shift, ..fault });
    F::check_setting(id, value).map_err(shifted)?;
    form.set(id, setting(value)).map_err(shifted)
}

/// The value of a setting: a number, true or false, or a word.
pub fn setting(text: &str) -> Value<'_> {
    match text.parse() {
        Ok(flag) => Value::Boolean(flag),
        Err(_) => whole(text),
    }
}

/// Writes the table in the format asked for, or told in words.
pub fn write(output: &OutputArguments, sheet: &Sheet, told: impl FnOnce() -> String) -> Result<(), Failure> {
    let out = output.out.as_deref();
    let place = out.map_or("standard output".to_string(), |path| path.display().to_string());
    let other = |error: String| Failure::io(&place, io::Error::other(error));
    let framed = || frame::of_sheet(sheet).map_err(|error| other(error.to_string()));
    let content = match output.format.or(out.and_then(Format::of_file)) {
        None => told().into_bytes(),
        Some(Format::Table) => layout::tidy(sheet, false).into_bytes(),
        Some(Format::Markdown) => layout::tidy(sheet, true).into_bytes(),
        Some(Format::Json) => json::text(sheet).map_err(|error| other(error.to_string()))?.into_bytes(),
        Some(Format::Csv) => {
            let mut csv = Vec::new();
            frame::write_csv(&mut framed()?, &mut csv).map_err(|error| other(error.to_string()))?;
            csv
        }
        Some(Format::Parquet) if out.is_none() => {
            let fault = Fault::new("Parquet is no text: say where it goes", 0..0).help("--out odds.parquet");
            return Err(Failure::argument("--format", "", fault));
        }
        Some(Format::Parquet) => {
            let pairs = frame::meta_pairs(&sheet.meta).map_err(|error| other(error.to_string()))?;
            let mut parquet = Vec::new();
            frame::write_parquet(&mut framed()?, pairs, &mut parquet).map_err(|error| other(error.to_string()))?;
            parquet
        }
    };
    match output.file() {
        Some(path) => files::write_out(path, |file| file.write_all(&content)).map_err(Failure::from),
        None => super::print(&content),
    }
}

impl AskOfStack for Fire {
    const KIND: Kind = Kind::Fire;
    fn stack(&self) -> &StackArguments {
        &self.stack
    }
    fn fields(&self) -> Fields<'_> {
        let mut fields = vec![
            ("drm", whole(&self.drm)),
            ("no-cowering", Value::Boolean(self.no_cowering)),
            ("inexperienced", Value::Boolean(self.inexperienced)),
        ];
        fields.extend(self.fp.as_deref().map(|fp| ("fp", whole(fp))));
        fields
    }
}

impl AskOfStack for Check {
    const KIND: Kind = Kind::Check;
    fn stack(&self) -> &StackArguments {
        &self.stack
    }
    fn fields(&self) -> Fields<'_> {
        let mut fields = vec![("ptc", Value::Boolean(self.ptc))];
        fields.extend(self.mc.as_deref().map(|mc| ("mc", whole(mc))));
        fields
    }
}

impl AskOfStack for Rally {
    const KIND: Kind = Kind::Rally;
    fn stack(&self) -> &StackArguments {
        &self.stack
    }
    fn fields(&self) -> Fields<'_> {
        let mut fields = vec![
            ("terrain", Value::Text(&self.terrain)),
            ("dm", Value::Boolean(self.dm)),
            ("phases", whole(&self.phases)),
            ("own-rph", Value::Text(&self.own_rph)),
            ("keep-dm", Value::Boolean(self.keep_dm)),
        ];
        fields.extend(self.leader.as_deref().map(|leader| ("leader", Value::Text(leader))));
        fields
    }
}

impl AskOfStack for Interdict {
    const KIND: Kind = Kind::Interdict;
    fn stack(&self) -> &StackArguments {
        &self.stack
    }
    fn fields(&self) -> Fields<'_> {
        let mut fields = vec![("voluntary-rout", Value::Boolean(self.voluntary_rout))];
        fields.extend(self.hexes.as_deref().map(|hexes| ("hexes", whole(hexes))));
        fields.extend(self.leader.as_deref().map(|leader| ("leader", Value::Text(leader))));
        fields
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine { error, help: None }
    }
}

/// What the meta of a question says, with the steps of a sequence.
pub fn described(question: &Question, command: String) -> Meta {
    let mut meta = Meta::of(question, command);
    if question.is_sequence() {
        let step = |step: &Step| format!("{}{}", step.action, step.test.map_or(String::new(), |test| format!(", {test}")));
        meta.question += &format!(": {}", question.steps().iter().map(step).collect::<Vec<_>>().join("; "));
    }
    meta
}
