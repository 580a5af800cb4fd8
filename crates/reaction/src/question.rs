//! A checked question, its process and the labels of its outcomes.

use super::exchange::{End, Exchange, Outcome, Stage};
use super::field::{Battlefield, Effect, Status};
use super::kinds::{QuestionKind, UNITS};
use super::unit::{Member, Side, Unit};
use super::{Reaction, relevance};
use answer::{
    Answerable, CountedUnit, InitialUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, SharedSetting, Success, UnitInClass,
};
use engine::process::{self, Label, Player, ReportIndex};
use engine::text::counted;
use play::{Game as _, Playable, Policy};
use schema::kind::measures;
use schema::roster::joined;
use schema::{Group, Rules as _, UnitEnd, Word as _};

measures! {
    /// The objectives a player can have.
    pub const MEASURES;
    /// The value of each measure for one unit or army.
    pub(super) struct Amounts;
    may_fire = "may-fire", 1.0, "P(may fire)", "expected number of units that may fire",
        "expected units that may fire";
    survives = "survives", 1.0, "P(survives)", "expected number of units that survive",
        "expected survivors";
    disruption_points = "disruption-points", -1.0,
        "expected Disruption Points", "expected Disruption Points", "expected Disruption Points",
        WITHOUT_END;
    army_morale = "army-morale", 1.0,
        "expected Army Morale Points", "expected Army Morale Points", "expected Army Morale Points",
        WITHOUT_END;
    enemy_dispersed = "enemy-dispersed", 1.0,
        "P(the enemy is dispersed)", "expected number of enemy units dispersed",
            "expected enemies dispersed";
    enemy_morale = "enemy-morale", -1.0,
        "expected Army Morale Points of the enemy", "expected Army Morale Points of the enemy",
        "expected Army Morale Points of the enemy", WITHOUT_END;
    reaches_goal = "reaches-goal", 1.0,
        "P(reaches its goal)", "expected number of units at their goal",
            "expected units at their goal";
}

const WITHOUT_END: (f64, f64) = (0.0, f64::INFINITY);

const OTHERS: &str = "enemy ";

/// A complete, checked question.
#[derive(Clone, Debug)]
pub struct Question {
    pub(super) ask: QuestionKind,
    pub(super) exchange: Exchange,
    pub(super) policies: Vec<relevance::Policy>,
    /// Assumed values of units that the answer depends on.
    pub(super) assumed_values: Vec<String>,
}

impl Question {
    /// Returns the units at the start, own units first.
    pub fn roster(&self) -> &[Member] {
        &self.exchange.roster
    }

    fn last_point(&self) -> ReportIndex {
        if let Some(&Stage::Report(point)) = self.exchange.stages.last() { point } else { 0 }
    }

    fn by_step(&self) -> bool {
        self.ask == QuestionKind::Sequence
    }

    /// Returns the Disruption Points of a unit at the end. A dispersed unit counts its cohesion.
    fn disruption_points(&self, place: u8, status: Status, dp: u8) -> u8 {
        let cohesion = || self.exchange.roster[usize::from(place)].cohesion(&self.exchange.rules);
        if status == Status::Dispersed { cohesion() } else { dp }
    }

    fn counts(&self, group: &Group, place: usize) -> bool {
        (place < self.exchange.own) == (group.name == UNITS.name)
    }

    /// Returns the status word. Ready units without points are fresh in questions about rallies.
    fn status_word(&self, end: &End) -> &'static str {
        let status = match *end {
            End::Unit { status: Status::Ready, dp: 0, .. } if self.ask == QuestionKind::Rally => {
                Status::Fresh
            }
            End::Unit { status, .. }
            | End::Army { status, .. }
            | End::Volley(Effect { status, .. }) => status,
        };
        status.name()
    }
}

impl process::Question for Question {
    type Process = Exchange;

    fn whole(&self) -> Exchange {
        self.exchange.clone()
    }

    fn label(&self, point: ReportIndex, outcome: &Outcome) -> Label {
        let end = |end: &End| process::UnitEnding {
            slot: self.exchange.slot(end),
            status: self.status_word(end),
            counter: self.exchange.counter(end),
            wounded: None,
        };
        let label = match outcome {
            Outcome::One(one) => {
                let end = end(one);
                Label::of_unit(Some(self.exchange.beginner(end.slot)), end)
            }
            Outcome::All(ends) => Label::of_all(ends.iter().map(end).collect()),
        };
        let point = self.points().map(|_| point);
        let (phase, step) = if self.by_step() { (None, point) } else { (point, None) };
        Label { phase, step, ..label }
    }
}

impl Question {
    fn in_words(&self) -> String {
        let [own_units, enemy_units] =
            Side::ALL.map(|side| joined(&self.exchange.roster[self.exchange.places(side)]));
        let in_words = |stage: &Stage| self.exchange.stage_in_words(stage);
        let stages: Vec<String> = self.exchange.stages.iter().filter_map(in_words).collect();
        let first = stages.first().cloned().unwrap_or_default();
        let [own, enemy] = &self.exchange.armies;
        let points = |what| counted(self.last_point(), what);
        let mut words = match self.ask {
            QuestionKind::Volley => format!("{own_units} under {first}"),
            QuestionKind::Volleys => {
                let gap = stages.get(1).map_or(String::new(), |gap| format!(", {gap} between two"));
                format!("{own_units} under {} of {first}{gap}", points("volley"))
            }
            QuestionKind::Rally => format!("{own_units} over {}, {first} in each", points("turn")),
            QuestionKind::Command if self.exchange.telling.first => {
                format!("Command Dice: {} against {}", own.command_dice, enemy.command_dice)
            }
            QuestionKind::Command => format!("Command Dice: {}", own.command_dice),
            QuestionKind::Morale => {
                format!("{} over {}", counted(own.morale, "Army Morale Point"), points("dispersal"))
            }
            QuestionKind::Check => first,
            QuestionKind::Move => format!("{own_units} moves {first}"),
            QuestionKind::Sequence if enemy_units.is_empty() => {
                format!("{own_units} in a sequence of {}", points("step"))
            }
            QuestionKind::Sequence => {
                format!("{own_units} against {enemy_units} in a sequence of {}", points("step"))
            }
        };
        for (side, wild) in
            [("own", own.wild), ("enemy", enemy.wild)].into_iter().filter(|(_, wild)| *wild > 0)
        {
            words += &format!(", {} of the {side} side", counted(wild, "Wild Die"));
        }
        if let Some(inches) = self.exchange.telling.at_least {
            words += &format!(", forced back far: {inches} inches or more");
        }
        words
    }

    fn points(&self) -> Option<&'static str> {
        match self.ask {
            QuestionKind::Volleys => Some("volley"),
            QuestionKind::Rally => Some("turn"),
            QuestionKind::Morale => Some("dispersal"),
            QuestionKind::Sequence => Some("step"),
            _ => None,
        }
    }

    fn success(&self) -> Success {
        match self.ask {
            QuestionKind::Command if self.exchange.telling.first => {
                Success::new("the own side", &["first"], "the first to give orders")
            }
            QuestionKind::Command => Success::new("the own side", &["commands"], "in command"),
            QuestionKind::Morale => {
                Success::new("the own army", &["holds"], "holding after the last dispersal")
            }
            QuestionKind::Check => {
                Success::new("the own army", &["passed"], "through its Army Morale Check")
            }
            QuestionKind::Rally => Success::of_unit(&["fresh"], "fresh after the last turn"),
            QuestionKind::Volleys => Success::of_unit(&["ready"], "ready after the last volley"),
            QuestionKind::Sequence => {
                Success::of_unit(&["ready", "arrived"], "ready after the last step")
            }
            QuestionKind::Volley => Success::of_unit(&["ready"], "ready"),
            QuestionKind::Move if self.exchange.telling.goals => {
                Success::of_unit(&["arrived"], "at its goal")
            }
            // A move without a goal cannot fail; only its length is of interest.
            QuestionKind::Move => Success::of_unit(&[], ""),
        }
    }
}

impl QuestionInfo for Question {
    fn facts(&self) -> QuestionFacts {
        QuestionFacts {
            units: self.exchange.own.max(1) as u8,
            others: OTHERS,
            points: self.points(),
            last_point: self.last_point(),
            is_joint: self.exchange.telling.joint,
            ..QuestionFacts::new(self.ask.declared(), self.success())
        }
    }

    fn texts(&self) -> QuestionTexts {
        let assumed = relevance::assumptions(&self.exchange).into_iter();
        QuestionTexts {
            in_words: self.in_words(),
            notes: relevance::notes(&self.exchange, self.by_step()),
            uncertain: assumed.chain(self.assumed_values.clone()).collect(),
        }
    }

    fn details(&self) -> QuestionDetails {
        let shared_settings = vec![SharedSetting::system(Reaction.name())];
        QuestionDetails { shared_settings, ..QuestionDetails::default() }
    }

    fn provenance(&self) -> Provenance {
        Provenance::of_system(Reaction.name(), self.exchange.rules.changed())
    }

    fn beginning(&self, slot: u8) -> Option<InitialUnit> {
        let place = usize::from(slot.checked_sub(1)?);
        let Some(member) = self.exchange.roster.get(place) else {
            let name = self.exchange.beyond_units(place - self.exchange.roster.len());
            let notation = name.clone();
            return Some(InitialUnit { notation, name, counter: None, wounded: false });
        };
        let side = if place < self.exchange.own { "" } else { OTHERS };
        let Unit { dp, suppressed, moved, goal, .. } = member.start;
        let counter = member.in_notation(dp, suppressed, moved, goal);
        Some(InitialUnit {
            notation: format!("{side}{member}"),
            name: format!("{side}{}", member.in_notation(0, false, 0, None)),
            counter: Some(counter),
            wounded: false,
        })
    }

    fn quantities(&self) -> Vec<String> {
        let units = self.exchange.roster.len();
        let of_units = |what: &'static str| {
            (1..=units).map(move |slot| match units {
                1 => what.to_string(),
                _ => format!("{what} of unit {slot}"),
            })
        };
        let telling = &self.exchange.telling;
        let points = of_units("Disruption Points (cohesion where dispersed)");
        let inches = telling.inches.then(|| of_units("inches"));
        let mut quantities: Vec<String> = points.chain(inches.into_iter().flatten()).collect();
        let what = match (telling.command, telling.check) {
            (true, _) => "Command Dice left",
            (_, true) => "Command Dice",
            _ => "Army Morale Points lost",
        };
        let lost = self.exchange.checks_army_morale.then_some("Command Dice lost");
        for what in [what].into_iter().chain(lost) {
            let of_side = |side: &Side| {
                if *side == Side::Own { what.to_string() } else { format!("{what}, enemy") }
            };
            quantities.extend(self.exchange.reported_armies().iter().map(of_side));
        }
        quantities
    }
}

impl Answerable for Question {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        let unit = |(place, member): (usize, &Member)| CountedUnit {
            slot: place as u8 + 1,
            parts: self.counts(group, place).into(),
            holds: member.start.may_be_grouped(),
        };
        self.exchange.roster.iter().enumerate().map(unit).collect()
    }

    /// Observes the units of the group. Armies and volleys belong to no group.
    fn counted(
        &self,
        group: &Group,
        _: Option<&UnitEnd>,
        outcome: &Outcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        for end in outcome.ends() {
            if let End::Unit { place, .. } = end
                && self.counts(group, usize::from(*place))
            {
                let status = self.status_word(end);
                observe(UnitInClass {
                    slot: place + 1,
                    status,
                    parts: 1,
                    created: false,
                    ends_so: false,
                });
            }
        }
    }

    fn slot(&self, outcome: &Outcome) -> Option<u8> {
        let Outcome::One(end) = outcome else { return None };
        Some(self.exchange.slot(end))
    }

    fn amounts(&self, point: ReportIndex, outcome: &Outcome, observe: &mut dyn FnMut(usize, i64)) {
        if point != self.last_point() {
            return;
        }
        let Exchange { roster, armies, telling, .. } = &self.exchange;
        let units = roster.len();
        let after_inches = if telling.inches { 2 * units } else { units };
        let after_armies = after_inches + self.exchange.reported_armies().len();
        for end in outcome.ends() {
            match *end {
                End::Unit { place, status, dp, moved, .. } => {
                    let dp = self.disruption_points(place, status, dp);
                    observe(place.into(), dp.into());
                    if telling.inches {
                        observe(units + usize::from(place), moved.into());
                    }
                }
                End::Army { side, left, dice_lost, .. } => {
                    let side = side as usize;
                    let lost = i64::from(armies[side].morale) - i64::from(left);
                    let counts_dice = telling.command || telling.check;
                    observe(after_inches + side, if counts_dice { left.into() } else { lost });
                    if self.exchange.checks_army_morale {
                        observe(after_armies + side, dice_lost.into());
                    }
                }
                End::Volley(_) => {}
            }
        }
    }
}

impl Playable for Question {
    fn policies(&self) -> Vec<Policy> {
        self.policies.iter().map(|policy| policy.shown()).collect()
    }

    fn option(
        &self,
        policy: usize,
        process: &Exchange,
        field: &Battlefield,
        _: Player,
        _: usize,
    ) -> usize {
        process.option_of(policy, field)
    }

    /// Returns the values of the measures for one unit or army. Of the enemy only dispersed units
    /// and Army Morale count. The result is `None` for joint outcomes and before the last report.
    fn ending(&self, point: ReportIndex, outcome: &Outcome) -> Option<(u8, Vec<f64>)> {
        let Outcome::One(end) = outcome else { return None };
        if point != self.last_point() {
            return None;
        }
        let mut amounts = Amounts::default();
        match *end {
            End::Unit { place, status, dp, goal, .. } if usize::from(place) < self.exchange.own => {
                amounts.may_fire = status.may_answer().into();
                amounts.survives = (status != Status::Dispersed).into();
                amounts.disruption_points = self.disruption_points(place, status, dp).into();
                amounts.reaches_goal = (goal == Some(0)).into();
            }
            End::Unit { status, .. } => {
                amounts.enemy_dispersed = (status == Status::Dispersed).into();
            }
            End::Army { side: Side::Own, left, .. } => amounts.army_morale = left.into(),
            End::Army { side: Side::Enemy, left, .. } => amounts.enemy_morale = left.into(),
            End::Volley(_) => return None,
        }
        Some((self.exchange.slot(end), amounts.in_order()))
    }
}
