//! A platoon or a firefight as a question: its kinds, its words, and the labels of its outcomes.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use super::fields::{CheckedPlatoon, PlatoonFields};
use super::model::{Platoon, PlatoonSide};
use super::outcome::{CurveNumber, FieldHolder, PlaceKind, PlatoonEnd, PlatoonOutcome};
use super::state::PlatoonState;
use crate::counting::{
    self, FURTHER_ENDS, FinalState, GROUPS, MEASURES, TIES, UNREPORTED, counted, printed_counter,
};
use crate::draft::Switches;
use crate::kinds::ENDS;
use crate::question::starting_counter;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::rulebook::Switch;
use crate::stack::{Member, Stack};
use crate::unit::{Condition, Status};
use answer::{
    Answerable, CountedUnit, Curve, CurveGoal, CurvePart, InitialUnit, Provenance, QuestionDetails,
    QuestionFacts, QuestionInfo, QuestionTexts, Success, UnitInClass, Variation,
};
use engine::process::{Label, Player, Question, ReportIndex, UnitEnding};
use engine::text::{Fault, canonical, counted as counted_words};
use play::{
    Draft, DynQuestion, MeasureExpr, Objective, Playable, Policy, QuestionBuilder, QuestionForm,
};
use schema::classes::{HOLDS, LOST};
use schema::declared::declared_words;
use schema::{
    ChartClass, ChoiceMaker, Field, FieldFault, Fields, Group, Kind, Measure, NoFields, NoStep,
    Other, StatusClass, StatusInCharts, UnitEnd, VariationOption, Word as _,
};

/// The form (the fields to fill in) of questions about platoons and firefights.
#[derive(Clone, Copy, Debug)]
pub struct Platoons;

const FIELDS: &[&[Field]] = &[<PlatoonFields as Fields>::ALL.split_at(1).1];

const HELP: &str = "\
A file has one `[[side]]` for a platoon, two for a firefight; `lowcrawl new platoon` writes one.
  location    name, terrain, front, units, weapons; the first is a front, which the enemy sees
  link        from, to, interdicted (Open Ground hexes that he Interdicts), move or advance
  policy      hold, hold-safe, fall-back, rear-leader, shuttle, to-leader, nurse, spearhead,
              patient, escort, withdraw; or its words: leader (stay, rear, front, help), rout
              (stay, rout, safe, to-leader), return (return, wait, with-leader, together), rally
  attack      at (a Location, or most, nearest), fp, drm without TEM,
              when (every, own, enemy, [1, 3])
In words: the units of one front, `--terrain`, `--rear` and `--interdicted` for the place behind,
`--fp` and `--drm` for an attack in every Player Turn.";

/// The MMC of the first side, of which those count as `holds` that are in a front.
const FRONT: Group = Group {
    written: "MMC in front",
    ..Group::whole_units("front", "MMC in Good Order in a front; others are `elsewhere`")
};
/// The position of the first side, which is one thing.
const POSITION: Group =
    Group::whole_units("position", "the position: it is `held` by a Good Order MMC in a front");

/// Groups of the second side, as those of the first.
const ENEMY_MMC: Group =
    Group { written: "enemy MMC", ..Group::whole_units("enemy-mmc", "MMC of the second side") };
const ENEMY_FRONT: Group = Group {
    written: "enemy MMC in front",
    ..Group::whole_units("enemy-front", "MMC of the second side in a front")
};
const ENEMY_POSITION: Group =
    Group::whole_units("enemy-position", "the position of the second side");

/// What can be counted of one side.
const OF_ONE_SIDE: &[Group] = &[GROUPS[0], GROUPS[1], GROUPS[2], GROUPS[3], FRONT, POSITION];
/// What can be counted of two sides.
const OF_TWO_SIDES: &[Group] = &[
    GROUPS[0],
    GROUPS[1],
    GROUPS[2],
    GROUPS[3],
    FRONT,
    POSITION,
    ENEMY_MMC,
    ENEMY_FRONT,
    ENEMY_POSITION,
];

/// The status of a unit that is not in a front, among those of the front.
const ELSEWHERE: &str = "elsewhere";
/// The measure of both positions.
const FIELD: &str = "field";
/// The way to end of a position.
const HELD: &str = "held";

const CLASSES: &[StatusClass] = &[
    StatusClass::good(HOLDS, &["good-order", "pinned"]),
    StatusClass::bad("breaks", &["broken", "disrupted"]),
    StatusClass::bad(LOST, &["eliminated", "captured"]),
    StatusClass::bad("berserk", &["berserk"]),
    StatusClass::good(ELSEWHERE, &[ELSEWHERE]),
];

/// Returns what charts show of a status: a unit behind is of no use to a front.
fn in_charts(name: &str) -> Option<StatusInCharts> {
    if name == ELSEWHERE {
        return Some((ChartClass::Pinned, ELSEWHERE));
    }
    Status::in_charts(name)
}

/// The ways to end of units, and of a position.
const POSSIBLE_ENDS: &[UnitEnd] = &[
    FURTHER_ENDS[0],
    FURTHER_ENDS[1],
    FURTHER_ENDS[2],
    FURTHER_ENDS[3],
    FURTHER_ENDS[4],
    UnitEnd::good(HELD),
];

/// A group of one side: which side, and which of its groups.
fn of_side(group: &Group) -> (u8, Group) {
    match *group {
        ENEMY_MMC => (1, GROUPS[0]),
        ENEMY_FRONT => (1, FRONT),
        ENEMY_POSITION => (1, POSITION),
        group => (0, group),
    }
}

/// The variations that find the best plan.
const BEST: &str = "best";
/// The variations that find the best order for a unit that has to decide now.
const BEST_MOVE: &str = "best-move";
/// The variations that show what everything is worth.
const WORTH: &str = "worth";

const VARIATIONS: &[VariationOption] = &[
    VariationOption {
        name: BEST,
        about: "Compare all plans for leaders, routs and returns, and show the best",
        is_race: true,
    },
    VariationOption {
        name: BEST_MOVE,
        about: "Compare what each unit can do at its first decision; then the policy goes on",
        is_race: true,
    },
    VariationOption {
        name: WORTH,
        about: "Show what ELR, a leader, a squad, TEM, a column more or less are worth",
        is_race: false,
    },
];

/// Declares one of the kinds.
const fn of_platoon(name: &'static str, about: &'static str, groups: &'static [Group]) -> Kind {
    let kind = Kind::new(name, about, Some(PlatoonFields::stack), FIELDS);
    let kind = kind
        .help(HELP)
        .played(ChoiceMaker::Unasked)
        .ends(ENDS, in_charts)
        .counted(CLASSES, groups)
        .ends_as(POSSIBLE_ENDS, printed_counter)
        .with_columns(&["side", "place"]);
    let unreported = if groups.len() > OF_ONE_SIDE.len() {
        &["in-cover", "net", "sniper-attacks", "concealed", "clear"]
    } else {
        UNREPORTED
    };
    Kind { unreported, variations: VARIATIONS, ..kind }
}

declared_words! {
    /// The kinds of questions about platoons.
    pub enum PlatoonKind: Kind {
        Platoon = of_platoon(
            "platoon",
            "a platoon under fire over several Player Turns: who holds, by which policy (A3)",
            OF_ONE_SIDE,
        ).examples(&[
            "\"german:8-0 + 3x german:4-6-7\" --fp 8 --drm -1 --terrain stone-building \
                --rear woods --interdicted 1",
            "\"german:9-1 + 2x german:4-6-7\" --fp 6 --terrain woods --policy hold --turns 4",
            "\"8-0 + american:6-6-6\" --fp 6 --terrain woods --rear woods --policy hold,shuttle \
                --turns 3 --no-hob",
        ]),
        Firefight = of_platoon(
            "firefight",
            "a firefight of two sides over several Player Turns: who holds the field (A3)",
            OF_TWO_SIDES,
        ).between(["own", "enemy"]).examples(&[
            "\"german:9-2 + 2x german:4-6-7\" \"4x russian:4-2-6\" --range 4 \
                --terrain wooden-building --their-terrain woods --turns 4",
            "\"german:4-6-7 vs russian:4-4-7\" --range 2 --terrain woods --their-terrain woods",
            "\"8-0 + 2x german:4-6-7\" \"3x russian:4-4-7\" --range 3 --terrain stone \
                --their-terrain woods --rear woods --their-rear woods --turns 3",
        ]),
    }
}

/// Starts a question about a platoon, with a method for each field.
pub fn platoon(stack: &str) -> QuestionBuilder<Platoons> {
    QuestionBuilder::new(PlatoonKind::Platoon, stack)
}

/// Starts a question about a firefight between two stacks, with a method for each field.
pub fn firefight(stack: &str, against: &str) -> QuestionBuilder<Platoons> {
    use super::fields::PlatoonSetters as _;
    QuestionBuilder::new(PlatoonKind::Firefight, stack).against(against)
}

impl QuestionForm for Platoons {
    type QuestionKind = PlatoonKind;
    type Head = PlatoonFields;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Switches;
    type Question = PlatoonQuestion;

    const MEASURES: &'static [Measure] = MEASURES;

    fn finish(draft: &Draft<Platoons>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Platoons>) -> Result<PlatoonQuestion, FieldFault> {
        let is_firefight = draft.ask == PlatoonKind::Firefight;
        let checked = draft.head.checked(is_firefight, &draft.rules, draft.notes.clone())?;
        let question = PlatoonQuestion { ask: draft.ask, checked };
        question.check_objective()?;
        Ok(question)
    }

    fn others(draft: &Draft<Platoons>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        let (first, last) = (Switch::DmOnlyByResult, Switch::OnlyInterdictorBarsOpenGround);
        draft.rules.others_among(draft.head.profile, which, |switch| {
            switch < Switch::WholeOddsBeyondTen || (first..last).contains(&switch)
        })
    }
}

/// A platoon or a firefight that is ready to be answered.
#[derive(Clone)]
pub struct PlatoonQuestion {
    pub ask: PlatoonKind,
    checked: CheckedPlatoon,
}

impl Deref for PlatoonQuestion {
    type Target = CheckedPlatoon;

    fn deref(&self) -> &CheckedPlatoon {
        &self.checked
    }
}

impl PlatoonQuestion {
    fn sides(&self) -> &[PlatoonSide] {
        &self.platoon.sides
    }

    /// Returns the slot of a unit among those of all sides: the first, the second, then created
    /// ones of both in turn.
    fn slot_of(&self, side: u8, slot: u8) -> u8 {
        let units = |side: usize| self.sides().get(side).map_or(0, |side| side.members.len() as u8);
        let (first, second) = (units(0), units(1));
        let own = units(side.into());
        match side {
            0 if slot <= own => slot,
            1 if slot <= own => first + slot,
            _ => {
                let sides = self.sides().len() as u8;
                (first + second + 1 + side).saturating_add(sides * (slot - own - 1))
            }
        }
    }

    /// Returns the member at a slot of all sides, and its side.
    fn member_at(&self, slot: u8) -> Option<(&PlatoonSide, &Member)> {
        let mut place = usize::from(slot.checked_sub(1)?);
        for side in self.sides() {
            if let Some(member) = side.members.get(place) {
                return Some((side, member));
            }
            place -= side.members.len();
        }
        None
    }

    fn member(&self, end: &PlatoonEnd) -> Option<&Member> {
        let side = &self.sides()[usize::from(end.side)];
        side.members.get(usize::from(end.unit.slot) - 1)
    }

    fn ending(&self, end: &PlatoonEnd) -> UnitEnding {
        UnitEnding {
            slot: self.slot_of(end.side, end.unit.slot),
            status: end.unit.status.name(),
            counter: end.unit.counter_text(),
            wounded: end.unit.wounded,
        }
    }

    fn side_name(&self, side: u8) -> Option<Cow<'static, str>> {
        Some(Cow::Owned(self.sides()[usize::from(side)].name.to_string()))
    }

    /// Returns the curves of the first screen: of each side those in Good Order, in front, and
    /// whether it holds the position.
    fn curves(&self) -> Vec<Curve> {
        let several = self.sides().len() > 1;
        let curve = |side: u8, what: CurveNumber| {
            let own = &self.sides()[usize::from(side)];
            let mmc = own.members.iter().filter(|member| !member.printed().kind.is_smc());
            let words = match what {
                CurveNumber::Holds if several => format!("{}: {}", own.name, what.name()),
                CurveNumber::FrontHolds => "  of them in front".to_string(),
                _ => what.name().to_string(),
            };
            let is_position = what == CurveNumber::Position;
            let turns = 1..=self.platoon.turns;
            Curve {
                words,
                side: own.name.to_string(),
                status: what.name(),
                quantities: turns.map(|turn| self.quantity(turn, side, what)).collect(),
                most: if is_position { 1 } else { mmc.count() as u8 },
                is_main: what == CurveNumber::Holds,
            }
        };
        let of_side = |side: u8| {
            let numbers = [CurveNumber::Holds, CurveNumber::FrontHolds, CurveNumber::Position];
            numbers
                .into_iter()
                .filter(move |what| !several || *what != CurveNumber::Position)
                .map(move |what| curve(side, what))
        };
        (0..self.sides().len() as u8).flat_map(of_side).collect()
    }

    /// Returns what becomes of the MMC of each side.
    fn curve_parts(&self) -> Vec<CurvePart> {
        use CurveNumber::{Berserk, BrokenFront, BrokenRear, FrontHolds, Holds, Lost, OnWay};
        const PARTS: [(&str, ChartClass, CurveNumber, Option<CurveNumber>); 7] = [
            ("Good Order in front", ChartClass::Good, FrontHolds, None),
            ("Good Order behind", ChartClass::Good, Holds, Some(FrontHolds)),
            ("broken in front", ChartClass::Broken, BrokenFront, None),
            ("broken behind", ChartClass::Broken, BrokenRear, None),
            ("broken on the way", ChartClass::Stopped, OnWay, None),
            ("berserk", ChartClass::Berserk, Berserk, None),
            ("lost", ChartClass::Lost, Lost, None),
        ];
        let of_side = |side: u8| {
            PARTS.map(|(words, class, what, less)| CurvePart {
                side: self.sides()[usize::from(side)].name.to_string(),
                words,
                class,
                quantities: (1..=self.platoon.turns)
                    .map(|turn| {
                        let less = less.map(|less| self.quantity(turn, side, less));
                        (self.quantity(turn, side, what), less)
                    })
                    .collect(),
            })
        };
        (0..self.sides().len() as u8).flat_map(of_side).collect()
    }

    /// Returns the objective of the file, by default the MMC in front, in a firefight the field.
    fn objective(&self) -> &str {
        let usual = if self.platoon.is_firefight() { FIELD } else { "front holds" };
        self.objective.as_deref().unwrap_or(usual)
    }

    /// Returns the number that the objective names, if it is one of the curves.
    fn curve_goal(&self) -> Option<CurveGoal> {
        let text = self.objective();
        let (side, words) = self.side_and_words(text);
        let measure = MeasureExpr::read(&words, PlatoonKind::DECLARED).ok()?;
        let (_, group) = of_side(measure.group.unwrap_or(&GROUPS[0]));
        let what = match (group, measure.end.name) {
            (FRONT, HOLDS) => CurveNumber::FrontHolds,
            (POSITION, HELD | HOLDS) => CurveNumber::Position,
            (group, HOLDS) if group == GROUPS[0] => CurveNumber::Holds,
            (group, LOST) if group == GROUPS[0] => CurveNumber::Lost,
            _ => return None,
        };
        let least = measure.at_least.map(|least| least as u8);
        Some(CurveGoal {
            words: text.to_string(),
            side: self.sides()[side].name.to_string(),
            status: what.name(),
            at_least: least.or((what == CurveNumber::Position).then_some(1)),
            point: measure.at.unwrap_or(self.platoon.turns),
        })
    }

    /// Splits the name of a side from a measure such as `german position held`.
    fn side_and_words(&self, text: &str) -> (usize, String) {
        let (first, rest) = text.trim().split_once(' ').unwrap_or((text, ""));
        let named = |side: &PlatoonSide| canonical(&side.name) == canonical(first);
        match self.sides().iter().position(named) {
            Some(side) => (side, rest.to_string()),
            None if canonical(text).starts_with("enemy-") => (1, text.to_string()),
            None => (0, text.to_string()),
        }
    }

    /// Checks the objective of the file.
    fn check_objective(&self) -> Result<(), FieldFault> {
        let Some(text) = &self.objective else { return Ok(()) };
        let (side, words) = self.side_and_words(text);
        let shift = text.len() - words.len();
        let kind = self.ask.declared();
        let check = Objective::read(&words, MEASURES, &[kind]).and_then(|objective| {
            objective.check_kind(kind, 0..words.len())?;
            if side == 1 && objective.measure().is_none() {
                let message = format!("`{objective}` is a measure of the first side");
                return Err(Fault::new(message, 0..words.len()).help("name the side in `for`"));
            }
            objective.check(self)
        });
        let check = check.map_err(|fault| fault.shifted(shift));
        check.map_err(FieldFault::in_field(PlatoonFields::objective.name))
    }

    /// Returns the index of a quantity: by Player Turn, then by side, then by number.
    fn quantity(&self, turn: ReportIndex, side: u8, what: CurveNumber) -> usize {
        let sides = self.sides().len();
        let (turn, side) = (usize::from(turn) - 1, usize::from(side));
        (turn * sides + side) * CurveNumber::ALL.len() + what as usize
    }
}

impl Question for PlatoonQuestion {
    type Process = Arc<Platoon>;

    fn whole(&self) -> Arc<Platoon> {
        self.platoon.clone()
    }

    fn label(&self, point: ReportIndex, outcome: &PlatoonOutcome) -> Label {
        let label = match outcome {
            PlatoonOutcome::Unit(end) => {
                let member = self.member(end);
                let label = Label::of_unit(member.map(starting_counter), self.ending(end));
                Label {
                    unit_id: member.map(|member| member.printed().id.clone()),
                    side: self.side_name(end.side),
                    side_slot: Some(end.unit.slot),
                    place: end.place.map(|place| place.name()),
                    ..label
                }
            }
            PlatoonOutcome::Number { side, what, number } => Label {
                side: self.side_name(*side),
                place: Some("all"),
                status: Some(what.name()),
                counter: Some(number.to_string()),
                ..Label::default()
            },
            PlatoonOutcome::Field(holder) => {
                Label { status: Some(holder.name()), place: Some("field"), ..Label::default() }
            }
        };
        Label { phase: Some(point), ..label }
    }
}

impl QuestionInfo for PlatoonQuestion {
    fn facts(&self) -> QuestionFacts {
        let success = Success::of_unit(&["good-order"], "in Good Order at the end");
        QuestionFacts {
            units: self.sides().iter().map(|side| side.members.len() as u8).sum(),
            // A roll changes little, but the whole platoon is looked at for what comes next.
            work: 15,
            points: Some("Player Turn"),
            last_point: self.platoon.turns,
            ranks: &Status::NAMES,
            rules: RULES,
            ..QuestionFacts::new(self.ask.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let side = |side: &PlatoonSide| {
            let here = |(at, name): (u8, &Arc<str>)| {
                let members = side.members.iter().zip(&side.begins_in);
                let members = members.filter(|(_, begins)| **begins == at);
                let members: Vec<Member> = members.map(|(member, _)| member.clone()).collect();
                let stack = Stack { members, ..Stack::default() };
                let terrain = side.locations[usize::from(at)].terrain.name.to_lowercase();
                match stack.members.is_empty() {
                    true => format!("{name} ({terrain})"),
                    false => format!("{} in {name} ({terrain})", stack.in_words()),
                }
            };
            let places = (0..).zip(side.locations.iter().map(|at| &at.name));
            places.map(here).collect::<Vec<_>>().join(", ")
        };
        let sides: Vec<String> = self.sides().iter().map(side).collect();
        let turns = counted_words(self.platoon.turns, "Player Turn");
        let mut words = format!("{}, {turns}", sides.join(" against "));
        let of_sides = |word: fn(&PlatoonSide) -> Option<String>| {
            let all: Vec<Option<String>> = self.sides().iter().map(word).collect();
            match &all[..] {
                [Some(word), rest @ ..] if rest.iter().all(|other| *other == all[0]) => {
                    format!(", {word}")
                }
                _ => {
                    let named = self.sides().iter().zip(&all);
                    let named = named.filter_map(|(side, word)| Some((side, word.as_ref()?)));
                    named.map(|(side, word)| format!(", {} {word}", side.name)).collect()
                }
            }
        };
        words += &of_sides(|side| Some(format!("ELR {}", side.elr)));
        words += &of_sides(|side| {
            let moves = !side.links.is_empty();
            moves.then(|| format!("policy {}", side.policy.name()))
        });
        for fixed in &self.platoon.attacks {
            let attack = fixed.attack;
            words += &format!(", {} FP {:+} and TEM", attack.firepower, attack.drm);
        }
        if self.platoon.attacks.is_empty() && self.sides().len() == 1 {
            words += ", nobody fires";
        }
        QuestionTexts { in_words: words, notes: self.notes.clone(), uncertain: Vec::new() }
    }

    fn details(&self) -> QuestionDetails {
        let heat = self.platoon.plays_heat_of_battle();
        let shared_settings = shared_settings(self.platoon.rulebook(), heat);
        QuestionDetails {
            shared_settings,
            curves: self.curves(),
            parts: self.curve_parts(),
            curve_goal: self.curve_goal(),
            ..QuestionDetails::default()
        }
    }

    fn provenance(&self) -> Provenance {
        let heat = self.platoon.plays_heat_of_battle();
        provenance(self.platoon.rulebook(), heat, self.sides()[0].elr)
    }

    fn quantities(&self) -> Vec<String> {
        let sides = self.sides();
        let name = |turn: u16, side: &PlatoonSide, what: CurveNumber| {
            let of = if sides.len() > 1 { format!("{}: ", side.name) } else { String::new() };
            format!("{of}{} after Player Turn {turn}", what.name())
        };
        let turns = 1..=self.platoon.turns;
        turns
            .flat_map(|turn| sides.iter().map(move |side| (turn, side)))
            .flat_map(|(turn, side)| CurveNumber::ALL.map(|what| name(turn, side, what)))
            .collect()
    }

    fn amounts_between(&self) -> Option<(f64, f64)> {
        let most = self.sides().iter().map(|side| side.members.len()).max();
        Some((0.0, most.unwrap_or_default() as f64))
    }

    fn usual_measure(&self) -> Option<String> {
        Some(self.canonical_measure(self.objective()))
    }

    fn canonical_measure(&self, text: &str) -> String {
        let (side, words) = self.side_and_words(text);
        let measure = MeasureExpr::read(&words, PlatoonKind::DECLARED).ok();
        let is_of_enemy = |group: &Group| of_side(group).0 == 1;
        let of_enemy = match measure.map(|measure| measure.group) {
            Some(None) if side == 1 => "enemy-mmc ",
            Some(Some(group)) if side == 1 && !is_of_enemy(group) => "enemy-",
            _ => "",
        };
        format!("{of_enemy}{words}")
    }

    fn variations(&self, what: &str) -> Vec<Variation> {
        match what {
            BEST => self.platoon.plans(),
            BEST_MOVE => self.platoon.first_moves(),
            WORTH => self.platoon.worth(),
            _ => Vec::new(),
        }
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let (side, member) = self.member_at(slot)?;
        let counter = starting_counter(member);
        Some(InitialUnit {
            notation: format!("{} {member}", side.name),
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let (_, member) = self.member_at(end.slot?)?;
        counting::change(member, end)
    }
}

impl Answerable for PlatoonQuestion {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn amounts(
        &self,
        point: ReportIndex,
        outcome: &PlatoonOutcome,
        observe: &mut dyn FnMut(usize, i64),
    ) {
        if let PlatoonOutcome::Number { side, what, number } = outcome {
            observe(self.quantity(point, *side, *what), (*number).into());
        }
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        let (side, group) = of_side(group);
        let Some(own) = self.sides().get(usize::from(side)) else { return Vec::new() };
        if group == POSITION {
            return vec![CountedUnit { slot: 1, parts: 1, holds: true }];
        }
        let group = if group == FRONT { GROUPS[0] } else { group };
        let units = counting::counted_units(&group, own.members.iter());
        let moved = |unit: CountedUnit| {
            // Rallied units come back and break again, so nobody waits for them.
            CountedUnit { slot: self.slot_of(side, unit.slot), holds: true, ..unit }
        };
        units.into_iter().map(moved).collect()
    }

    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &PlatoonOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let (of, group) = of_side(group);
        match outcome {
            PlatoonOutcome::Number { side, what: CurveNumber::Position, number }
                if *side == of && group == POSITION =>
            {
                let is_held = *number > 0;
                let ends_so = is_held && end.is_some_and(|end| end.name == HELD);
                let status = if is_held { Status::GoodOrder.name() } else { ELSEWHERE };
                observe(UnitInClass { slot: 1, status, parts: 1, created: false, ends_so });
            }
            PlatoonOutcome::Unit(one) if one.side == of && group != POSITION => {
                let is_front = group == FRONT;
                let group = if is_front { GROUPS[0] } else { group };
                let Some(unit) = counted(&group, end, &one.unit, self.member(one)) else { return };
                let is_elsewhere =
                    is_front && matches!(one.place, Some(place) if place != PlaceKind::Front);
                let status = if is_elsewhere { ELSEWHERE } else { unit.status };
                let slot = self.slot_of(one.side, one.unit.slot);
                observe(UnitInClass { slot, status, ..unit });
            }
            _ => {}
        }
    }

    fn slot(&self, outcome: &PlatoonOutcome) -> Option<u8> {
        match outcome {
            PlatoonOutcome::Unit(end) => Some(self.slot_of(end.side, end.unit.slot)),
            PlatoonOutcome::Number { .. } | PlatoonOutcome::Field(_) => None,
        }
    }
}

impl Playable for PlatoonQuestion {
    const TIES: [usize; 2] = TIES;

    fn policies(&self) -> Vec<Policy> {
        Vec::new()
    }

    fn option(&self, _: usize, _: &Arc<Platoon>, _: &PlatoonState, _: Player, _: usize) -> usize {
        0
    }

    fn ending(&self, point: ReportIndex, outcome: &PlatoonOutcome) -> Option<(u8, Vec<f64>)> {
        if point != self.platoon.turns {
            return None;
        }
        let end = match outcome {
            PlatoonOutcome::Unit(end) if end.side == 0 => end,
            PlatoonOutcome::Field(holder) => {
                let field = match holder {
                    FieldHolder::Own => 1.0,
                    FieldHolder::Enemy => -1.0,
                    FieldHolder::Both | FieldHolder::Neither => 0.0,
                };
                return Some((0, FinalState { field, ..FinalState::default() }.in_order()));
            }
            _ => return None,
        };
        let began = self.member(end).map(Member::printed);
        let state = FinalState::from_outcome(&end.unit, began);
        Some((end.unit.slot, state.in_order()))
    }
}
