//! Everything about a question but its probabilities: descriptions, notes, quantities, counts,
//! policies and measures.

use super::Fortitude;
use super::battle::{Battle, Force, Outcome};
use super::choice::Policy;
use super::field::{Battlefield, Facing, UnitReport};
use super::kinds::{QuestionKind, UNITS};
use super::level::{Level, Status, Until};
use super::order::Order;
use super::question::{Question, What};
use super::step::Step;
use super::unit::{Member, UnitValue};
use super::values::Cause;
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, SharedSetting, Success, UnitInClass,
};
use engine::process::{Player, ReportIndex};
use engine::text::counted;
use play::{Game as _, Playable};
use schema::kind::measures;
use schema::roster::joined;
use schema::{Group, Rules as _, Word as _};

measures! {
    /// The objectives a player can have.
    pub(super) const MEASURES;
    /// The value of each measure for one unit.
    struct Amounts;
    survives = "survives", 1.0, "P(survives)", "expected number of units that survive",
        "expected survivors";
    ready = "ready", 1.0, "P(Normal or Hesitant)",
        "expected number of units that are Normal or Hesitant",
        "expected units that are Normal or Hesitant";
    normal = "normal", 1.0, "P(Normal)", "expected number of units that are Normal",
        "expected Normal units";
    models = "models", 1.0, "expected models left", "expected models left", "expected models";
    destroys = "destroys", 1.0, "P(the enemy is destroyed)",
        "expected number of enemies destroyed", "expected enemies destroyed";
}

/// The prefix for units of the enemy.
const OTHERS: &str = "enemy ";

impl Question {
    fn in_words(&self) -> String {
        let mut words = format!("{} {}", joined(&self.units), self.event_words());
        if self.order != Order::None {
            words += &format!(", order {}", self.order.name());
        }
        for (orders, prefix) in self.orders.iter().zip(["orders", "enemy orders"]) {
            let names: Vec<&str> = orders.iter().map(|order| order.name()).collect();
            words += &if names.is_empty() {
                String::new()
            } else {
                format!(", {prefix} {}", names.join(" or "))
            };
        }
        for (lost, prefix) in self.staff_lost.into_iter().zip(["", "the enemy's "]) {
            words += &if lost { format!(", {prefix}General Staff lost") } else { String::new() };
        }
        if self.until != Until::Never {
            words += &format!(", until {}", self.until.name());
        }
        words
    }

    fn turns_in_words(&self) -> String {
        let turns = self.last_point();
        counted(turns, "turn")
    }

    fn event_words(&self) -> String {
        let turns = self.turns_in_words();
        match &self.what {
            What::Test { cause, casualties } => match cause {
                Cause::Morale => "in the Morale Phase".to_string(),
                Cause::Flank => "assaulted on a flank".to_string(),
                Cause::Rear => "assaulted in the rear".to_string(),
                Cause::Casualties if *casualties == 1 => "after 1 casualty".to_string(),
                Cause::Casualties => format!("after {casualties} casualties"),
                Cause::StaffLost => "when the General Staff is lost".to_string(),
            },
            What::Recover { just_routed: true, .. } => format!("just routed, over {turns}"),
            What::Recover { .. } => format!("over {turns}"),
            What::Fire { force, by, by_order, attacks, .. } => {
                let who = force.map_or_else(
                    || format!("{} ({})", joined(by), by_order.name()),
                    force_in_words,
                );
                let times =
                    if *attacks == 1 { String::new() } else { format!(" {attacks} times a turn") };
                format!("under fire of {who}{times}, {turns}")
            }
            What::Assault { ways, force, .. } => {
                let who = match force {
                    _ if !self.enemies.is_empty() => joined(&self.enemies),
                    Some(force @ Force::Dice { .. }) => {
                        format!("{} from each side", force_in_words(*force))
                    }
                    Some(force) => force_in_words(*force),
                    None => "nobody in particular".to_string(),
                };
                let sides = |way: &Vec<Facing>| {
                    way.iter().map(|side| side.name()).collect::<Vec<_>>().join(", ")
                };
                let ways: Vec<String> = ways.iter().map(sides).collect();
                format!("assaulted ({}) by {who}, {turns}", ways.join(" or "))
            }
            What::Sequence(_) if self.enemies.is_empty() => format!("in a sequence of {turns}"),
            What::Sequence(_) => {
                format!("against {} in a sequence of {turns}", joined(&self.enemies))
            }
        }
    }

    /// Returns whether the unit in a 1-based slot belongs to a group.
    fn counts(&self, group: &Group, slot: u8) -> bool {
        (usize::from(slot) <= self.units.len()) == (group.name == UNITS.name)
    }

    /// Returns all units of an outcome with their 1-based slots.
    fn unit_reports<'a>(&self, outcome: &'a Outcome) -> impl Iterator<Item = (u8, &'a UnitReport)> {
        let (one, all) = match outcome {
            Outcome::Unit(slot, report) => (Some((*slot, report)), None),
            Outcome::All(reports) => (None, Some((1..).zip(reports))),
        };
        one.into_iter().chain(all.into_iter().flatten())
    }

    /// Returns whether the hexes a unit runs are counted: a distance is given, now or by a step.
    pub(super) fn runs(&self, slot: u8, member: &Member) -> bool {
        let placed = |step: &Step| matches!(step, Step::Place { unit, .. } if unit + 1 == slot);
        let on_the_way = matches!(&self.what, What::Sequence(steps) if steps.iter().any(placed));
        self.ask != QuestionKind::Test
            && (member.staff.is_some() || member.edge.is_some() || on_the_way)
    }

    /// Returns the notes on all units, each text once with its slots. `at_start` adds the average
    /// number of Morale Phases until a unit is Normal.
    fn all_notes(&self, at_start: bool) -> Vec<String> {
        let several = self.members().count() > 1;
        let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
        for (slot, member) in (1..).zip(&self.units) {
            for text in self.notes_of(slot, member, at_start) {
                match grouped.iter_mut().find(|(other, _)| *other == text) {
                    Some((_, slots)) => slots.push(slot.to_string()),
                    None => grouped.push((text, vec![slot.to_string()])),
                }
            }
        }
        let in_words = |(text, slots): (String, Vec<String>)| match &slots[..] {
            _ if !several => format!("the unit {text}"),
            [slot] => format!("unit {slot} {text}"),
            [first @ .., last] => format!("each of units {} and {last} {text}", first.join(", ")),
            [] => text,
        };
        let mut notes: Vec<String> = grouped.into_iter().map(in_words).collect();
        if matches!(self.what, What::Assault { force: None, .. }) && self.enemies.is_empty() {
            notes.push("no unit fights: only the tests before the melee are made".to_string());
        }
        if matches!(self.what, What::Assault { .. }) && self.enemies.len() > 1 {
            notes.push("the unit attacks its first remaining enemy".to_string());
        }
        notes
    }

    fn notes_of(&self, slot: u8, member: &Member, at_start: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let tested = !member.engaged || !self.rules.morale_phase_requires_unengaged;
        let recovers = self.ask == QuestionKind::Recover && member.level != Level::Normal && tested;
        if at_start && recovers && member.staff.is_none() && member.edge.is_none() {
            notes.push(match self.expected_morale_phases(slot) {
                Some((n, d)) => format!(
                    "is Normal after {n}/{d} = {:.3} Morale Phases on average",
                    n as f64 / d as f64
                ),
                None => "can never become Normal: a test cannot be passed".to_string(),
            });
        }
        let ordered = self.order != Order::None && !member.level.is_routed();
        if self.order != Order::None && !ordered {
            notes.push(format!("is {}: it gets no order", member.level));
        }
        match &self.what {
            What::Test { cause: Cause::Morale, .. } if member.level == Level::Normal => {
                notes.push("is Normal: it makes no test in the Morale Phase".to_string());
            }
            What::Test { cause: Cause::Morale, .. } | What::Recover { .. } if !tested => {
                notes.push("is engaged: it makes no test in the Morale Phase".to_string());
            }
            What::Test { cause: Cause::Flank | Cause::Rear, .. }
                if ordered && self.order.has_no_flanks() =>
            {
                notes.push(
                    "has neither flank nor rear in All-Around Defense: it makes no test"
                        .to_string(),
                );
            }
            _ => {}
        }
        notes
    }

    /// Returns the 1-based slots of the units whose hexes are counted.
    fn runners(&self) -> Vec<u8> {
        (1..)
            .zip(self.members())
            .filter(|(slot, member)| self.runs(*slot, member))
            .map(|(slot, _)| slot)
            .collect()
    }
}

fn force_in_words(force: Force) -> String {
    match force {
        Force::Fixed(1) => "1 casualty an attack".to_string(),
        Force::Fixed(casualties) => format!("{casualties} casualties an attack"),
        Force::Dice { dice, value } => format!("{} at {value}", counted(dice, "die")),
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        let is_test = self.ask == QuestionKind::Test;
        let words = if is_test { "Normal" } else { "Normal after the last turn" };
        QuestionFacts {
            units: self.units.len() as u8,
            others: OTHERS,
            points: (!is_test).then_some("turn"),
            last_point: self.last_point(),
            is_joint: self.joint,
            ..QuestionFacts::new(self.ask.declared(), Success::of_unit(&["normal"], words))
        }
    }

    fn texts(&self) -> QuestionTexts {
        QuestionTexts {
            in_words: self.in_words(),
            notes: self.all_notes(true),
            uncertain: self.assumptions(),
        }
    }

    fn details(&self) -> QuestionDetails {
        QuestionDetails {
            notes_on_the_way: Some(self.all_notes(false)),
            shared_settings: vec![SharedSetting::system(Fortitude.name())],
            ..QuestionDetails::default()
        }
    }

    fn provenance(&self) -> Provenance {
        Provenance::of_system(Fortitude.name(), self.rules.changed())
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let member = self.member(slot)?;
        let side = if usize::from(slot) <= self.units.len() { "" } else { OTHERS };
        Some(InitialUnit {
            notation: format!("{side}{member}"),
            name: format!("{side}{}", member.lasting(0, false)),
            counter: Some(member.lasting(member.casualties, member.honor)),
            wounded: false,
        })
    }

    fn quantities(&self) -> Vec<String> {
        let one = self.members().count() == 1;
        let lost = (1..).zip(self.members()).map(|(slot, _)| match one {
            true => "models lost".to_string(),
            false => format!("models lost of unit {slot}"),
        });
        let runs = self.runners().into_iter().map(|slot| match one {
            true => "hexes run in Retreat Steps".to_string(),
            false => format!("hexes unit {slot} runs in Retreat Steps"),
        });
        lost.chain(runs).collect()
    }
}

impl Answerable for Question {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        let unit = |(slot, member): (u8, &Member)| CountedUnit {
            slot,
            parts: self.counts(group, slot).into(),
            holds: !member.level.is_routed(),
        };
        (1..).zip(self.members()).map(unit).collect()
    }

    fn counted(&self, group: &Group, outcome: &Outcome, observe: &mut dyn FnMut(UnitInClass)) {
        let reports = self.unit_reports(outcome).filter(|(slot, _)| self.counts(group, *slot));
        for (slot, report) in reports {
            observe(UnitInClass { slot, status: report.status.name(), parts: 1, created: false });
        }
    }

    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        match outcome {
            Outcome::Unit(slot, _) => Some(*slot),
            Outcome::All(_) => None,
        }
    }

    fn amounts(&self, point: ReportIndex, outcome: &Outcome, observe: &mut dyn FnMut(usize, i64)) {
        if point != self.last_point() {
            return;
        }
        let units = self.members().count();
        let runners = self.runners();
        for (slot, report) in self.unit_reports(outcome) {
            observe(usize::from(slot) - 1, report.casualties.into());
            if let Some(place) = runners.iter().position(|&runner| runner == slot) {
                observe(units + place, report.hexes.into());
            }
        }
    }
}

impl Playable for Question {
    fn policies(&self) -> Vec<play::playable::Policy> {
        Policy::described(self.policies.iter().copied())
    }

    fn option(
        &self,
        policy: usize,
        process: &Battle,
        state: &Battlefield,
        _: Player,
        _: usize,
    ) -> usize {
        self.policies.get(policy).copied().unwrap_or(Policy::Stand).option(process, state)
    }

    fn ending(&self, point: ReportIndex, outcome: &Outcome) -> Option<(u8, Vec<f64>)> {
        let Outcome::Unit(slot, report) = outcome else { return None };
        if point != self.last_point() {
            return None;
        }
        let removed = matches!(report.status, Status::Removed(_));
        let amounts = if usize::from(*slot) > self.units.len() {
            Amounts { destroys: removed.into(), ..Amounts::default() }
        } else {
            let models = self.member(*slot).map_or(0, |member| member.value(UnitValue::Models));
            let ready = matches!(report.status, Status::At(level) if !level.is_routed());
            Amounts {
                survives: (!removed).into(),
                ready: ready.into(),
                normal: (report.status == Status::At(Level::Normal)).into(),
                models: (models - report.casualties).into(),
                destroys: 0.0,
            }
        };
        Some((*slot, amounts.in_order()))
    }
}
