//! A morale system of one die, made up for tests: what knows no game must work with it.
//!
//! A unit begins shaken. Each turn it rolls a dr, and on NEED or more it is steady and stays so; it may also run, which ends everything.

use lowcrawl::dice::{Dice, Face};
use lowcrawl::process::{self, Decisions, Due, Event, Label, Log, Player, Point, Process};
use lowcrawl::system::form::{FieldFault, Form, Value};
use lowcrawl::system::{Asked, Field, Footing, Held, Hope, Kind, Measure, Parameter, Played, Source, System, Takes};
use lowcrawl::text::{Fault, canonical};

/// The system.
#[derive(Debug)]
pub struct Toy;

const FIELDS: [Field; 3] = [
    Field { name: "need", takes: Takes::Number("N"), about: "Least dr that steadies [default: 5]" },
    Field { name: "turns", takes: Takes::Number("N"), about: "Turns [default: 1]" },
    Field { name: "may-run", takes: Takes::Flag, about: "The unit may run" },
];

static KINDS: [Kind; 1] = [Kind {
    name: "steady",
    about: "Odds of becoming steady",
    subject: Some(Field { name: "unit", takes: Takes::Text("UNIT"), about: "Its name" }),
    fields: &FIELDS,
    help: "A unit is any word.",
}];

static PARAMETERS: [Parameter; 1] = [Parameter {
    name: "bonus",
    default: "0",
    values: "a whole number from 0 to 3",
    source: Source::Assumed,
    about: "Added to every dr",
}];

impl System for Toy {
    const NAME: &'static str = "toy";
    const ABOUT: &'static str = "A system of one die";
    type Form = Draft;
    type Question = Question;

    fn kinds() -> &'static [Kind] {
        &KINDS
    }
    fn blank(_: &'static Kind) -> Draft {
        Draft { unit: None, need: 5, turns: 1, may_run: false, bonus: 0 }
    }
    fn parameters() -> &'static [Parameter] {
        &PARAMETERS
    }
    fn measures() -> &'static [Measure] {
        &[Measure { name: "steady", weight: 1.0, of_one: "P(steady)", of_several: "steady units", gain: "steady units" }]
    }
    fn units() -> Vec<(String, String)> {
        vec![("conscripts".to_string(), "shaken".to_string())]
    }
}

#[derive(Clone, Debug)]
pub struct Draft {
    unit: Option<String>,
    need: u8,
    turns: u16,
    may_run: bool,
    bonus: u8,
}

impl Form for Draft {
    type Filled = Question;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        match canonical(field).as_str() {
            "unit" => self.unit = Some(value.text(field)?.to_string()),
            "need" => self.need = value.integer(field, 1, 9)? as u8,
            "turns" => self.turns = value.integer(field, 1, 20)? as u16,
            "may-run" => self.may_run = value.boolean(field)?,
            "bonus" => self.bonus = value.integer(field, 0, 3)? as u8,
            _ => {
                return Err(
                    Fault::new(format!("no field `{field}`"), 0..0).expecting(field, ["unit", "need", "turns", "may-run"])
                );
            }
        }
        Ok(())
    }
    fn knows(&self, field: &str) -> bool {
        ["unit", "need", "turns", "may-run", "bonus"].contains(&canonical(field).as_str())
    }
    fn canonical_field(field: &str) -> String {
        canonical(field)
    }
    fn finish(&self) -> Result<Question, FieldFault> {
        let unit = self.unit.clone().ok_or_else(|| FieldFault::new("unit", "a unit is missing"))?;
        let process = Steadying { need: self.need.saturating_sub(self.bonus), turns: self.turns, may_run: self.may_run };
        Ok(Question { unit, bonus: self.bonus, process })
    }
    fn setting(field: &str) -> Option<&'static str> {
        PARAMETERS.iter().map(|parameter| parameter.name).find(|name| *name == canonical(field))
    }
}

#[derive(Clone, Debug)]
pub struct Question {
    unit: String,
    bonus: u8,
    process: Steadying,
}

/// What the rules do: one turn after the other.
#[derive(Clone, Copy, Debug)]
pub struct Steadying {
    need: u8,
    turns: u16,
    may_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nerve {
    Steady,
    Shaken,
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u16,
    nerve: Nerve,
    /// Whether the turn is over, and whether the choice in it is made.
    told: bool,
    stays: bool,
}

impl Process for Steadying {
    type State = State;
    type Terms = u8;
    type Reading = bool;
    type Outcome = Nerve;

    fn start<L: Log>(&self, _: &mut L) -> State {
        State { turn: 1, nerve: Nerve::Shaken, told: false, stays: !self.may_run }
    }
    fn due(&self, state: &State) -> Due<u8> {
        match state {
            State { turn, .. } if *turn > self.turns => Due::Over,
            State { told: true, turn, .. } => Due::Report(*turn),
            State { nerve: Nerve::Shaken, stays: false, .. } => Due::Choice { player: Player::Owner, options: 2 },
            State { nerve: Nerve::Shaken, .. } => Due::Roll(Dice::One, self.need),
            _ => Due::Report(state.turn),
        }
    }
    fn epoch(&self, state: &State) -> u32 {
        state.turn.into()
    }
    fn read(&self, need: &u8, face: Face) -> bool {
        face.dr() >= *need
    }
    fn apply<L: Log>(&self, state: &mut State, steady: bool, _: &mut L) {
        state.nerve = if steady { Nerve::Steady } else { Nerve::Shaken };
        state.told = true;
    }
    fn choose<L: Log>(&self, state: &mut State, option: usize, _: &mut L) {
        match option {
            0 => state.stays = true,
            _ => state.nerve = Nerve::Gone,
        }
    }
    fn report(&self, state: &State, tell: &mut impl FnMut(Nerve)) {
        tell(state.nerve);
    }
    fn pass<L: Log>(&self, state: &mut State, _: &mut L) {
        *state = State { turn: state.turn + 1, told: false, stays: !self.may_run, ..*state };
    }
    fn describe(&self, _: &State, need: &u8, face: Face) -> Event {
        Event { rule: "1", text: format!("dr to be {need} or more: {}", face.dr()) }
    }
}

impl Decisions for Steadying {
    fn decision(&self, state: &State) -> String {
        format!("turn {}: shaken", state.turn)
    }
    fn options(&self, _: &State) -> Vec<String> {
        ["stay", "run"].map(str::to_string).to_vec()
    }
    fn kinds(&self, _: &State) -> Vec<&'static str> {
        vec!["stay", "run"]
    }
}

impl process::Question for Question {
    type Process = Steadying;

    fn whole(&self) -> Steadying {
        self.process
    }
    fn label(&self, point: Point, outcome: &Nerve) -> Label {
        let status = match outcome {
            Nerve::Steady => "steady",
            Nerve::Shaken => "shaken",
            Nerve::Gone => "gone",
        };
        Label { slot: Some(1), unit: Some(self.unit.clone()), phase: Some(point), status: Some(status), ..Label::default() }
    }
}

impl Asked for Question {
    fn in_words(&self) -> String {
        format!("{} over {} turns", self.unit, self.process.turns)
    }
    fn units(&self) -> u8 {
        1
    }
    fn points(&self) -> Option<&'static str> {
        Some("turn")
    }
    fn statuses(&self) -> &'static [&'static str] {
        &["steady", "shaken", "gone"]
    }
    fn hoped(&self) -> Hope {
        Hope::of_unit(&["steady"], "steady after the last turn")
    }
    fn is_joint(&self) -> bool {
        false
    }
    fn footing(&self) -> Footing {
        let settings = [("bonus", self.bonus.to_string())].into_iter().filter(|_| self.bonus > 0);
        Footing::of_system(Toy::NAME, settings.collect())
    }
    fn held(&self) -> Vec<Held> {
        vec![Held::system(Toy::NAME)]
    }
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    fn uncertain(&self) -> Vec<String> {
        vec![format!("bonus = {}", self.bonus)]
    }
    fn quantities(&self) -> Vec<String> {
        vec!["units gone".to_string()]
    }
    fn amounts(&self, point: Point, outcome: &Nerve, tell: &mut dyn FnMut(usize, i64)) {
        if point == self.process.turns {
            tell(0, i64::from(*outcome == Nerve::Gone));
        }
    }
}

impl Played for Question {
    fn policies(&self) -> Vec<(&'static str, &'static str)> {
        if self.process.may_run { vec![("stay", "never runs"), ("run", "runs at once")] } else { Vec::new() }
    }
    fn option(&self, policy: usize, _: &Steadying, _: &State, _: Player, _: usize) -> usize {
        policy
    }
    fn ending(&self, point: Point, outcome: &Nerve) -> Option<(u8, Vec<f64>)> {
        (point == self.process.turns).then(|| (1, vec![f64::from(u8::from(*outcome == Nerve::Steady))]))
    }
}
