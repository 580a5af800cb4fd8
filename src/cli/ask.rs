//! `fire`, `check`, `rally`, `interdict` and `sequence`: a question from arguments or a file, its answer in any format.

use std::path::PathBuf;

use clap::Args;

use super::fault::Failure;
use super::output::{OutputArguments, table_of, write};
use super::run::{RunArguments, number};
use super::typed::{blame, quoted, set_all, typed, whole};
use super::{impact, screen};
use crate::asl::question::{Draft, Kind, Question, Value};
use crate::asl::rulebook::Profile;
use crate::asl::sequence::Step;
use crate::study::file::Study as StudyFile;
use crate::study::situation;
use crate::system::form::Form;
use crate::table::{Meta, Sheet};
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

/// What the meta of a question says, with the steps of a sequence.
pub fn described(question: &Question, command: String) -> Meta {
    let mut meta = Meta::of(question, command);
    if question.is_sequence() {
        let step = |step: &Step| format!("{}{}", step.action, step.test.map_or(String::new(), |test| format!(", {test}")));
        meta.question += &format!(": {}", question.steps().iter().map(step).collect::<Vec<_>>().join("; "));
    }
    meta
}
