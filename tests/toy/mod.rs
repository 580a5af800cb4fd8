//! A made-up morale game of one die, to test the code that all games share.
//!
//! A unit begins shaken. Each turn it rolls a dr, and on `need` or more it is steady for good. It
//! may also run, which ends the question.

use lowcrawl::answer::{
    Answerable, CountedUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, SharedSetting, Success, UnitInClass,
};
use lowcrawl::dice::{Dice, Face};
use lowcrawl::play::{Draft, DynQuestion, Form, Game, Playable, Policy, QuestionForm};
use lowcrawl::process::{self, Decisions, Due, Event, Label, Log, Player, Process, ReportIndex};
use lowcrawl::schema::classes::{HOLDS, LOST};
use lowcrawl::schema::{
    ChartClass, FieldFault, Group, Kind, Measure, NoFields, NoStep, Parameter, StatusClass,
    StatusInCharts, StockUnit, UnitEnd, Whole, Word,
};

#[derive(Clone, Copy, Debug)]
pub struct Toy;

lowcrawl::schema::fields! {
    /// The fields of its questions.
    pub struct Fields, FieldSetters {
        "unit" unit: Option<String>, "its name";
        "need" need: Whole<1, 9> = "5", "least dr that steadies";
        "turns" turns: Whole<1, 20> = "1", "turns";
        "may-run" may_run: bool, "the unit may run";
    }
}

lowcrawl::schema::numbers! {
    /// A bonus added to every dr.
    Bonus = 0 to 3
}

lowcrawl::schema::parameters! {
    /// Its one parameter.
    Rules, "bonus=1" {
        "bonus" bonus: Bonus = "0", Assumed, "added to every dr";
    }
}

const MEASURES: &[Measure] = &[Measure {
    name: "steady",
    weight: 1.0,
    of_one: "P(steady)",
    of_several: "steady units",
    gain: "steady units",
    range: (0.0, 1.0),
}];
const CLASSES: &[StatusClass] = &[
    StatusClass::good(HOLDS, &["steady"]),
    StatusClass::bad("shakes", &["shaken"]),
    StatusClass::bad(LOST, &["gone"]),
];
fn nerve_in_charts(name: &str) -> Option<StatusInCharts> {
    let classes = [ChartClass::Good, ChartClass::Broken, ChartClass::Lost];
    let mut statuses = ["steady", "shaken", "gone"].into_iter().zip(classes);
    statuses.find(|(status, _)| *status == name).map(|(status, class)| (class, status))
}

const GROUPS: &[Group] = &[Group::whole_units("units", "the unit")];

lowcrawl::schema::declared_words! {
    /// Its one kind of question.
    pub enum Ask: Kind {
        Steady = Kind::new(
            "steady",
            "odds of becoming steady",
            Some(Fields::unit),
            &[&[Fields::need, Fields::turns, Fields::may_run]],
        ).help("A unit is any word.").ends(&["steady", "shaken", "gone"], nerve_in_charts).counted(CLASSES, GROUPS),
    }
}

impl QuestionForm for Toy {
    type QuestionKind = Ask;
    type Head = Fields;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Rules;
    type Question = Question;

    const MEASURES: &'static [Measure] = MEASURES;

    fn finish(draft: &Draft<Toy>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Toy>) -> Result<Question, FieldFault> {
        let Fields { unit, need, turns, may_run } = draft.head.clone();
        let unit = unit.ok_or_else(|| FieldFault::new(Fields::unit.name, "a unit is missing"))?;
        let bonus = draft.rules.bonus.count();
        let process =
            Steadying { need: need.u8().saturating_sub(bonus), turns: turns.u16(), may_run };
        Ok(Question { unit, bonus, process })
    }
}

impl Game for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }
    fn about(&self) -> &'static str {
        "A system of one die"
    }
    fn kinds(&self) -> &'static [&'static Kind] {
        Ask::DECLARED
    }
    fn form(&self, kind: &'static Kind) -> Box<dyn Form> {
        Draft::<Toy>::blank(kind)
    }
    fn parameters(&self) -> Vec<Parameter> {
        <Rules as lowcrawl::schema::Rules>::PARAMETERS.to_vec()
    }
    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }
    fn units(&self) -> Vec<StockUnit> {
        vec![StockUnit::plain("conscripts", "shaken".to_string())]
    }
    fn conditions(&self) -> Vec<String> {
        Vec::new()
    }
}

#[derive(Clone, Debug)]
pub struct Question {
    unit: String,
    bonus: u8,
    process: Steadying,
}

/// The process: one turn after another.
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
            State { nerve: Nerve::Shaken, stays: false, .. } => {
                Due::Choice { player: Player::Owner, options: 2 }
            }
            State { nerve: Nerve::Shaken, .. } => Due::Roll(Dice::One, self.need),
            _ => Due::Report(state.turn),
        }
    }
    fn epoch(&self, state: &State) -> u32 {
        state.turn.into()
    }
    fn read(&self, need: &u8, face: Face) -> bool {
        face.number() >= *need
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
    fn report(&self, state: &State, observe: &mut dyn FnMut(Nerve)) {
        observe(state.nerve);
    }
    fn pass<L: Log>(&self, state: &mut State, _: &mut L) {
        *state = State { turn: state.turn + 1, told: false, stays: !self.may_run, ..*state };
    }
    fn describe(&self, _: &State, need: &u8, face: Face) -> Event {
        Event { rule: "1", text: format!("dr to be {need} or more: {}", face.number()) }
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
    fn label(&self, point: ReportIndex, outcome: &Nerve) -> Label {
        Label {
            slot: Some(1),
            unit: Some(self.unit.clone()),
            phase: Some(point),
            status: Some(status(*outcome)),
            ..Label::default()
        }
    }
}

fn status(nerve: Nerve) -> &'static str {
    match nerve {
        Nerve::Steady => "steady",
        Nerve::Shaken => "shaken",
        Nerve::Gone => "gone",
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        QuestionFacts {
            points: Some("turn"),
            last_point: self.process.turns,
            ..QuestionFacts::new(
                Ask::Steady.declared(),
                Success::of_unit(&["steady"], "steady after the last turn"),
            )
        }
    }
    fn texts(&self) -> QuestionTexts {
        QuestionTexts {
            in_words: format!("{} over {} turns", self.unit, self.process.turns),
            notes: Vec::new(),
            uncertain: vec![format!("bonus = {}", self.bonus)],
        }
    }
    fn details(&self) -> QuestionDetails {
        let shared_settings = vec![SharedSetting::system(Toy.name())];
        QuestionDetails { shared_settings, ..QuestionDetails::default() }
    }
    fn provenance(&self) -> Provenance {
        let settings = [("bonus", self.bonus.to_string())].into_iter().filter(|_| self.bonus > 0);
        Provenance::of_system(Toy.name(), settings.collect())
    }
    fn quantities(&self) -> Vec<String> {
        vec!["units gone".to_string()]
    }
}

impl Answerable for Question {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }
    fn counted_units(&self, _: &Group) -> Vec<CountedUnit> {
        vec![CountedUnit { slot: 1, parts: 1, holds: false }]
    }
    fn counted(
        &self,
        _: &Group,
        _: Option<&UnitEnd>,
        outcome: &Nerve,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        observe(UnitInClass {
            slot: 1,
            status: status(*outcome),
            parts: 1,
            created: false,
            ends_so: false,
        });
    }
    fn slot(&self, _: &Nerve) -> Option<u8> {
        Some(1)
    }
    fn amounts(&self, point: ReportIndex, outcome: &Nerve, observe: &mut dyn FnMut(usize, i64)) {
        if point == self.process.turns {
            observe(0, i64::from(*outcome == Nerve::Gone));
        }
    }
}

impl Playable for Question {
    fn policies(&self) -> Vec<Policy> {
        let policies =
            [Policy::new(0, "stay", "never runs"), Policy::new(1, "run", "runs at once")];
        policies.into_iter().filter(|_| self.process.may_run).collect()
    }
    fn option(&self, policy: usize, _: &Steadying, _: &State, _: Player, _: usize) -> usize {
        policy
    }
    fn ending(&self, point: ReportIndex, outcome: &Nerve) -> Option<(u8, Vec<f64>)> {
        (point == self.process.turns)
            .then(|| (1, vec![f64::from(u8::from(*outcome == Nerve::Steady))]))
    }
}
