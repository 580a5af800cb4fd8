//! The duty of a unit to rout (10.5), and its surrender instead (20.21).

use rustc_hash::FxHashMap;

use super::field::RoutMap;
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

impl Duty {
    /// Returns the duty as a predicate, such as `must rout`.
    pub const fn words(self) -> &'static str {
        match self {
            Duty::Must => "must rout",
            Duty::May => "may rout",
            Duty::Cannot => "cannot rout",
        }
    }
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
    pub fn words(&self) -> &'static str {
        if self.surrenders { "surrenders" } else { self.verdict.words() }
    }
}

#[derive(Default)]
struct Reasons(Vec<Reason>);

impl Reasons {
    /// Adds a reason unless `enemies` is empty. Returns whether the reason was added.
    fn note(&mut self, rule: &'static str, text: &'static str, enemies: Enemies) -> bool {
        if enemies != 0 {
            self.0.push(Reason::new(rule, text, enemies));
        }
        enemies != 0
    }

    fn add(&mut self, rule: &'static str, text: &'static str) {
        self.0.push(Reason::new(rule, text, 0));
    }
}

impl Situation {
    /// Returns whether a unit can break voluntarily at the start of the RtPh (10.41). It must be in
    /// LOS and Normal Range of an armed, unbroken Known enemy, or ADJACENT to an unbroken enemy.
    /// The Starter Kit has no Voluntary Break.
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
    pub(super) fn ruling(&self, situation: &Situation, router: &Router) -> Ruling {
        let mut reasons = Reasons::default();
        let beginning = self.beginning();
        let captors = self.surrender_to(situation, router, &beginning);
        let surrenders = captors != 0 && self.has_to_surrender(situation, router);
        let verdict = self.verdict(situation, router, &beginning, &mut reasons);
        if surrenders {
            reasons.note("20.21", "it surrenders to", captors);
        }
        Ruling { verdict, reasons: reasons.0, surrenders, captors: numbers(captors) }
    }

    fn verdict(
        &self,
        situation: &Situation,
        router: &Router,
        beginning: &March,
        reasons: &mut Reasons,
    ) -> Duty {
        if router.in_melee {
            reasons.add("10.5", "it is in Melee");
            return Duty::Cannot;
        }
        let ground = situation.map.get(router.at.hex);
        let works =
            ground.and_then(|ground| ground.works).filter(|_| self.post(self.start).sheltered);
        let adjacent = self.near(beginning.known) & self.deadly();
        let in_open = self.in_the_open(beginning.known);
        let in_pillbox = works == Some(Works::Pillbox);
        let dug_in = works.is_some() || router.mans_emplaced_gun;
        let mut must = self.burns;
        if must {
            reasons.add("25.4", "it is in a Blaze");
        }
        if !in_pillbox {
            must |= !dug_in
                && reasons.note("10.5", "in Open Ground, in Normal Range and LOS of", in_open);
        }
        if self.bearing.disrupted && !must {
            // A Disrupted unit routs only if the enemies beside it take no prisoners (19.12). Under
            // No Quarter interpretation I-36 decides.
            let (adjacent, near) = (adjacent & self.armed, self.near(beginning.known) & self.armed);
            let idle_only = near & !self.idle == 0;
            let captors = near & self.in_good_order & !self.idle;
            let under_no_quarter = situation.no_quarter
                && captors != 0
                && !self.rulebook.chooses(Switch::DisruptedIgnoresEnemy);
            if !(idle_only || under_no_quarter)
                || in_pillbox
                || !reasons.note("10.5", "ADJACENT to", adjacent)
            {
                reasons.add("19.12", "it is Disrupted");
                return Duty::Cannot;
            }
            return Duty::Must;
        }
        if !in_pillbox {
            must |= reasons.note("10.5", "ADJACENT to", adjacent);
        }
        if must {
            return Duty::Must;
        }
        if in_pillbox && adjacent != 0 {
            reasons.add("30.5", "in a pillbox nothing forces it to rout");
        }
        if router.is(Condition::Dm) {
            reasons.add("10.5", "it is under DM");
            return Duty::May;
        }
        let gains_dm = reasons.note("10.62", "it gains DM from", self.gives_dm(beginning.known));
        if !gains_dm {
            reasons.add("10.5", "it is not under DM");
        }
        if gains_dm { Duty::May } else { Duty::Cannot }
    }

    fn near(&self, known: Enemies) -> Enemies {
        let start = self.post(self.start);
        (start.adjacent_to | start.held_by) & known
    }

    /// Returns the Known enemies that have the unit in Open Ground, in LOS and Normal Range (10.5).
    /// They are unbroken unless interpretation I-61 says otherwise, and outside Melee except in the
    /// second edition. In the Starter Kit they are in Good Order and can Interdict.
    fn in_the_open(&self, known: Enemies) -> Enemies {
        let start = self.post(self.start);
        if self.rulebook.chooses(Switch::UnbrokenEnemiesForce) {
            return start.swept_by & known & self.in_good_order;
        }
        let unless = |switch, enemies| if self.rulebook.chooses(switch) { 0 } else { enemies };
        let broken = unless(Switch::BrokenEnemyForces, self.broken);
        start.open_to & known & !broken & !unless(Switch::MeleeForces, self.in_melee)
    }

    /// Returns the Known enemies that give the unit DM at the start of the RtPh (10.62). They are
    /// ADJACENT and armed, or unbroken and have the unit in Open Ground in their LOS and Normal
    /// Range. In the Starter Kit Open Ground counts as in `in_the_open`.
    pub(super) fn gives_dm(&self, known: Enemies) -> Enemies {
        let start = self.post(self.start);
        let in_open = match self.rulebook.chooses(Switch::UnbrokenEnemiesForce) {
            true => self.in_the_open(known),
            false => start.open_to & !self.broken,
        };
        (start.adjacent_to & self.armed | in_open) & known
    }

    /// Returns the enemies to which the unit could surrender (20.21): Known, armed Good Order
    /// Infantry or Cavalry beside it. There are none under No Quarter, at night, in Melee or in the
    /// Starter Kit.
    fn surrender_to(&self, situation: &Situation, router: &Router, beginning: &March) -> Enemies {
        let none = situation.no_quarter
            || self.night
            || router.in_melee
            || self.rulebook.chooses(Switch::NoSurrender);
        if none { 0 } else { self.near(beginning.known) & self.bearing.captors }
    }

    /// Returns whether the unit must surrender to its captors (20.21). It must if Disrupted or
    /// Encircled, or if it cannot escape without Interdiction and Low Crawl. By the alternative of
    /// interpretation I-57 only Known enemies count for the escape.
    fn has_to_surrender(&self, situation: &Situation, router: &Router) -> bool {
        if router.is(Condition::Disrupted) || router.is(Condition::Encircled) {
            return true;
        }
        let escapes = |field: &RoutMap| {
            Escape { field, seen: FxHashMap::default() }.exists(field.beginning(), true)
        };
        if !self.rulebook.chooses(Switch::SurrenderByKnown) {
            return !escapes(self);
        }
        let known = numbers(self.beginning().known).into_iter();
        let enemies = known.map(|enemy| situation.enemies[enemy].clone()).collect();
        let believed = Situation { enemies, ..situation.clone() };
        !escapes(&RoutMap::new(&believed, router))
    }
}

/// A search for an escape (20.21): a complete rout to a legal end. Interpretation I-15 decides
/// which part of it must be free of Interdiction.
struct Escape<'a> {
    field: &'a RoutMap,
    seen: FxHashMap<March, bool>,
}

impl Escape<'_> {
    /// Returns whether an escape exists. `first` is true until the unit has taken a step.
    fn exists(&mut self, march: March, first: bool) -> bool {
        if let RoutProgress::Over(end) = march.phase {
            return end != RoutEnd::Stayed && !self.field.is_failure(&march);
        }
        if let Some(&known) = self.seen.get(&march) {
            return known;
        }
        let left = self.field.bearing.allotment - march.spent;
        let moves = self.field.moves(&march, left, false);
        let works = moves.into_iter().any(|chosen| self.works(march, chosen, left, first));
        self.seen.insert(march, works);
        works
    }

    fn works(&mut self, mut march: March, chosen: RoutMove, left: u8, first: bool) -> bool {
        let rulebook = self.field.rulebook;
        let desperate = rulebook.chooses(Switch::SurrenderOnlyWithoutRout);
        if matches!(chosen, RoutMove::Stay) || (matches!(chosen, RoutMove::Crawl(_)) && !desperate)
        {
            return false;
        }
        let step = self.field.take(&mut march, chosen, left);
        let mut swept = false;
        if let Some(edge) = step {
            let mut by = self.field.interdictors(&edge, march.known);
            if rulebook.chooses(Switch::AdjacentHexesFree) {
                let there = self.field.post(edge.to);
                let near =
                    (there.adjacent_to | there.held_by) & march.known & self.field.bearing.captors;
                by = if near != 0 { by } else { 0 };
            }
            swept = by != 0 && (first || !rulebook.chooses(Switch::FirstHexFree)) && !desperate;
            march.may_lie_open = self.field.interdictors(&edge, march.known) != 0;
            if desperate && march.may_lie_open && !self.field.is_trapped(march.post, march.known) {
                // Interdiction may pin the unit, and then its rout ends without elimination.
                return true;
            }
            let left = self.field.bearing.allotment - march.spent;
            self.field.follow_up(&mut march, left);
        }
        !swept && self.exists(march, first && step.is_none())
    }
}
