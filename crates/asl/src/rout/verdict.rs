//! The duty of a unit to rout (10.5), and its surrender instead (20.21).

use rustc_hash::FxHashMap;

use super::field::{RoutMap, START};
use super::march::{March, RoutEnd, RoutMove, RoutProgress};
use super::situation::{Enemies, Enemy, Router, Situation, numbers};
use crate::board::map::Works;
use crate::rulebook::Switch;
use crate::unit::Condition;
use schema::declared::named;

named! {
    /// The duty of a broken unit to rout.
    pub enum Duty { Must = "must", May = "may", Cannot = "cannot" }
}

/// A reason for the duty of a unit, or for or against a destination, with its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub rule: &'static str,
    pub text: String,
    /// The enemies concerned, by their indices in the situation.
    pub enemies: Vec<usize>,
}

impl Reason {
    pub(super) fn new(rule: &'static str, text: impl Into<String>, enemies: Enemies) -> Reason {
        Reason { rule, text: text.into(), enemies: numbers(enemies) }
    }
}

/// The decision of the rules on a unit at the start of its rout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    pub verdict: Duty,
    pub reasons: Vec<Reason>,
    /// Whether the unit surrenders instead of routing (20.21).
    pub surrenders: bool,
    /// The enemies to which the unit could surrender, by their indices in the situation.
    pub captors: Vec<usize>,
}

impl Ruling {
    /// Returns what the unit must or may do, in words.
    pub fn words(&self) -> String {
        match self.surrenders {
            true => "surrenders".to_string(),
            false => format!("{} rout", self.verdict.name()),
        }
    }
}

/// Adds a reason unless `enemies` is empty. Returns whether the reason was added.
fn note(reasons: &mut Vec<Reason>, rule: &'static str, text: &str, enemies: Enemies) -> bool {
    if enemies != 0 {
        reasons.push(Reason::new(rule, text, enemies));
    }
    enemies != 0
}

impl Situation {
    /// Returns whether a unit can break voluntarily in the RtPh (10.41), not in the Starter Kit: in
    /// LOS and Normal Range of an armed, unbroken Known enemy, or ADJACENT to an unbroken one.
    pub fn may_break_voluntarily(&self, router: &Router) -> bool {
        let threatens = |enemy: &Enemy| {
            let near = enemy.at == router.at || self.are_adjacent(enemy.at, router.at);
            let known = !enemy.circumstances.concealed && enemy.is_armed(self.rulebook);
            let shoots = || {
                self.hindrance(enemy, router.at).is_some()
                    && enemy.is_in_range(enemy.at.hex.range(router.at.hex))
            };
            !enemy.is_broken() && (near || known && shoots())
        };
        !self.rulebook.chooses(Switch::NoVoluntaryBreak) && self.enemies.iter().any(threatens)
    }
}

impl RoutMap {
    /// Returns the decision on the unit when its turn to rout comes (10.5).
    pub(super) fn ruling(&self, router: &Router) -> Ruling {
        let mut reasons = Vec::new();
        let beginning = self.beginning();
        let captors = self.surrender_to(router, &beginning);
        let surrenders = captors != 0 && self.has_to_surrender(router);
        let verdict = self.verdict(router, &beginning, &mut reasons);
        if surrenders {
            note(&mut reasons, "20.21", "it surrenders to", captors);
        }
        Ruling { verdict, reasons, surrenders, captors: numbers(captors) }
    }

    fn verdict(&self, router: &Router, beginning: &March, reasons: &mut Vec<Reason>) -> Duty {
        if router.in_melee {
            reasons.push(Reason::new("10.5", "it is in Melee", 0));
            return Duty::Cannot;
        }
        let ground = self.situation.map.get(router.at.hex);
        let works = ground.and_then(|ground| ground.works).filter(|_| self.post(START).sheltered);
        let adjacent = self.near(beginning.known) & self.deadly();
        let in_open = self.in_the_open(beginning.known);
        let in_pillbox = works == Some(Works::Pillbox);
        let dug_in = works.is_some() || router.mans_emplaced_gun;
        let mut must = self.burns();
        if must {
            reasons.push(Reason::new("25.4", "it is in a Blaze", 0));
        }
        if !in_pillbox {
            must |= !dug_in
                && note(reasons, "10.5", "in Open Ground, in Normal Range and LOS of", in_open);
        }
        if self.bearing.disrupted && !must {
            // A Disrupted unit routs only if enemies beside it take no prisoners (19.12, I-36).
            let (adjacent, near) = (adjacent & self.armed, self.near(beginning.known) & self.armed);
            let idle_only = near & !self.idle == 0;
            let captors = near & self.in_good_order & !self.idle;
            let under_no_quarter = self.situation.no_quarter
                && captors != 0
                && !self.chooses(Switch::DisruptedIgnoresEnemy);
            if !(idle_only || under_no_quarter)
                || in_pillbox
                || !note(reasons, "10.5", "ADJACENT to", adjacent)
            {
                reasons.push(Reason::new("19.12", "it is Disrupted", 0));
                return Duty::Cannot;
            }
            return Duty::Must;
        }
        if !in_pillbox {
            must |= note(reasons, "10.5", "ADJACENT to", adjacent);
        }
        if must {
            return Duty::Must;
        }
        if in_pillbox && adjacent != 0 {
            reasons.push(Reason::new("30.5", "in a pillbox nothing forces it to rout", 0));
        }
        if router.is(Condition::Dm) {
            reasons.push(Reason::new("10.5", "it is under DM", 0));
            return Duty::May;
        }
        let gains_dm = note(reasons, "10.62", "it gains DM from", self.gives_dm(beginning.known));
        if !gains_dm {
            reasons.push(Reason::new("10.5", "it is not under DM", 0));
        }
        if gains_dm { Duty::May } else { Duty::Cannot }
    }

    fn near(&self, known: Enemies) -> Enemies {
        let start = self.post(START);
        (start.adjacent_to | start.held_by) & known
    }

    /// Returns the Known enemies with the unit in Open Ground, LOS, Normal Range (10.5): unbroken
    /// (I-61), not in Melee (second edition aside), and for the Starter Kit able to Interdict.
    fn in_the_open(&self, known: Enemies) -> Enemies {
        let start = self.post(START);
        if self.chooses(Switch::UnbrokenEnemiesForce) {
            return start.swept_by & known & self.in_good_order;
        }
        let unless = |switch, enemies| if self.chooses(switch) { 0 } else { enemies };
        let broken = unless(Switch::BrokenEnemyForces, self.broken);
        start.open_to & known & !broken & !unless(Switch::MeleeForces, self.in_melee)
    }

    /// Returns the Known enemies that give the unit DM at the start of the RtPh (10.62): ADJACENT
    /// and armed, or unbroken with it in Open Ground, LOS and Normal Range (see `in_the_open`).
    pub(super) fn gives_dm(&self, known: Enemies) -> Enemies {
        let start = self.post(START);
        let in_open = match self.chooses(Switch::UnbrokenEnemiesForce) {
            true => self.in_the_open(known),
            false => start.open_to & !self.broken,
        };
        (start.adjacent_to & self.armed | in_open) & known
    }

    /// Returns the Known, armed Good Order Infantry or Cavalry to which the unit could surrender
    /// (20.21): none under No Quarter, at night, in Melee or in the Starter Kit.
    fn surrender_to(&self, router: &Router, beginning: &March) -> Enemies {
        let none = self.situation.no_quarter
            || self.situation.night
            || router.in_melee
            || self.chooses(Switch::NoSurrender);
        if none { 0 } else { self.near(beginning.known) & self.bearing.captors }
    }

    /// Returns whether the unit must surrender (20.21): if Disrupted, Encircled, or with no escape
    /// free of Interdiction and Low Crawl, by the alternative of I-57 from Known enemies only.
    fn has_to_surrender(&self, router: &Router) -> bool {
        if router.is(Condition::Disrupted) || router.is(Condition::Encircled) {
            return true;
        }
        let escapes =
            |field: &RoutMap| field.escapes(field.beginning(), true, &mut Escapes::default());
        if !self.chooses(Switch::SurrenderByKnown) {
            return !escapes(self);
        }
        let known = numbers(self.beginning().known).into_iter();
        let enemies = known.map(|enemy| self.situation.enemies[enemy].clone()).collect();
        let believed = Situation { enemies, ..self.situation.clone() };
        !escapes(&RoutMap::new(&believed, router))
    }
}

/// The results of a search for an escape (20.21), a complete rout to a legal end, by its states.
/// Interpretation I-15 decides which part of the rout must be free of Interdiction.
type Escapes = FxHashMap<March, bool>;

impl RoutMap {
    /// Returns whether an escape exists. `first` is true until the unit has taken a step.
    fn escapes(&self, march: March, first: bool, seen: &mut Escapes) -> bool {
        if let RoutProgress::Over(end) = march.phase {
            return end != RoutEnd::Stayed && !self.is_failure(&march);
        }
        if let Some(&known) = seen.get(&march) {
            return known;
        }
        let left = self.bearing.allotment - march.spent;
        let mut moves = self.moves(&march, left, false).into_iter();
        let works = moves.any(|chosen| self.escapes_by(chosen, march, first, seen));
        seen.insert(march, works);
        works
    }

    fn escapes_by(
        &self,
        chosen: RoutMove,
        mut march: March,
        first: bool,
        seen: &mut Escapes,
    ) -> bool {
        let desperate = self.chooses(Switch::SurrenderOnlyWithoutRout);
        if matches!(chosen, RoutMove::Stay) || (matches!(chosen, RoutMove::Crawl(_)) && !desperate)
        {
            return false;
        }
        let left = self.bearing.allotment - march.spent;
        let Some(edge) = self.take(&mut march, chosen, left) else {
            return self.escapes(march, first, seen);
        };
        let interdicted = self.interdictors(&edge, march.known) != 0;
        let there = self.post(edge.to);
        let near = (there.adjacent_to | there.held_by) & march.known & self.bearing.captors;
        let counts = near != 0 || !self.chooses(Switch::AdjacentHexesFree);
        let counts = counts && (first || !self.chooses(Switch::FirstHexFree));
        march.may_lie_open = interdicted;
        if desperate && interdicted && !self.is_trapped(march.post, march.known) {
            // Interdiction may pin the unit, and then its rout ends without elimination.
            return true;
        }
        let left = self.bearing.allotment - march.spent;
        self.follow_up(&mut march, left);
        !(interdicted && counts && !desperate) && self.escapes(march, false, seen)
    }
}
