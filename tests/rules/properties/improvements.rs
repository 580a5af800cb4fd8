//! Improvements raise the odds, unless a rule says otherwise.

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::asl::catalogue::{CATALOGUE, Counter, Replacement};
use proptest::prelude::*;

use super::cases;
use super::measures::{Fit, Measure, Survives, Unbroken, Whole, odds_by_measure};
use super::random::{
    Case, Event, Piece, attacks, better_leader, case, checks, gauntlets, lone, rallies, stacks,
};

/// A change of a case that should help a unit. Indices are those of units in the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// A leader of the stack, better by a grade.
    Grade(usize),
    /// A morale that is higher by 1.
    Morale(usize),
    /// A broken morale that is higher by 1.
    BrokenMorale(usize),
    /// No DM for the unit.
    NoDm(usize),
    /// A better grade of the leader that lends its leadership.
    Lent,
    /// A MC with a DRM lower by 1.
    Mc,
    /// Fire one column to the left.
    Fp,
    /// Fire with a DRM higher by 1.
    Drm,
    /// An ELR higher by 1.
    Elr,
    /// Rally in woods.
    Terrain,
    /// One Interdicted hex fewer.
    Hexes,
}

impl Change {
    fn all(units: usize) -> Vec<Change> {
        let mut all = vec![
            Change::Lent,
            Change::Mc,
            Change::Fp,
            Change::Drm,
            Change::Elr,
            Change::Terrain,
            Change::Hexes,
        ];
        for place in 0..units {
            all.extend([
                Change::Grade(place),
                Change::Morale(place),
                Change::BrokenMorale(place),
                Change::NoDm(place),
            ]);
        }
        all
    }

    /// Returns the index of the unit that the change affects; `None` for changes to all units.
    fn place(self) -> Option<usize> {
        match self {
            Change::Grade(place)
            | Change::Morale(place)
            | Change::BrokenMorale(place)
            | Change::NoDm(place) => Some(place),
            _ => None,
        }
    }

    /// Returns the better case, if there is one.
    fn apply(self, case: &Case) -> Option<Case> {
        let mut better = case.clone();
        match self {
            Change::Lent => better.lent = Some(better_leader(case.lent.as_ref()?)?),
            Change::Elr => better.elr += 1,
            Change::Grade(place) => better.stack[place] = case.stack[place].promoted()?,
            Change::Morale(place) => {
                better.stack[place].morale = Some(case.stack[place].morale() + 1)
            }
            Change::BrokenMorale(place) => {
                better.stack[place].broken_morale = Some(case.stack[place].broken_morale() + 1)
            }
            Change::NoDm(place) => better.stack[place].conditions.retain(|&word| word != "dm"),
            _ => better.event = self.ease(&case.event)?,
        }
        let highest = |piece: &Piece| piece.morale().max(piece.broken_morale());
        (better.elr <= 5 && better.stack.iter().all(|piece| highest(piece) <= 10)).then_some(better)
    }

    /// Returns the easier event, if there is one.
    fn ease(self, event: &Event) -> Option<Event> {
        match (self, event.clone()) {
            (Change::Mc, Event::Check(mc)) if mc > 0 => Some(Event::Check(mc - 1)),
            (Change::Fp, Event::Fire { column, drm, cowering }) if column > 0 => {
                Some(Event::Fire { column: column - 1, drm, cowering })
            }
            (Change::Drm, Event::Fire { column, drm, cowering }) => {
                Some(Event::Fire { column, drm: drm + 1, cowering })
            }
            (Change::Terrain, Event::Rally { phases, own, adjacent, woods: false }) => {
                Some(Event::Rally { phases, own, woods: true, adjacent })
            }
            (Change::Hexes, Event::Interdict { hexes }) if hexes > 1 => {
                Some(Event::Interdict { hexes: hexes - 1 })
            }
            _ => None,
        }
    }
}

/// A case, an improvement of it, and the unit and measure examined.
#[derive(Clone, Copy)]
struct Trial<'a> {
    worse: &'a Case,
    better: &'a Case,
    change: Change,
    place: usize,
    measure: Measure,
}

impl Trial<'_> {
    fn piece(&self) -> &Piece {
        &self.worse.stack[self.place]
    }

    fn is_up(&self) -> bool {
        matches!(self.measure, Unbroken | Fit)
    }

    fn is_fire(&self) -> bool {
        matches!(self.worse.event, Event::Fire { .. })
    }

    /// Returns whether the exception of 20.5 applies: `lower_mc_pins_unarmed_units_more_often`.
    fn unarmed(&self) -> bool {
        self.piece().is("unarmed") && self.is_up()
    }

    /// Returns whether the exception of 7.302 or 7.301 applies:
    /// `heavier_fire_wounds_the_leader_it_would_have_broken` or
    /// `heavier_fire_kills_one_where_lighter_fire_checks_all`.
    fn casualties(&self) -> bool {
        let lighter = matches!(self.change, Change::Fp | Change::Drm);
        let company = self.worse.stack.len() > 1 && self.change == Change::Fp && !self.is_up();
        lighter && ((self.piece().counter().kind.is_smc() && self.is_up()) || company)
    }

    /// Returns whether the exception of 15.1 applies: `heavier_fire_may_make_heroes`,
    /// `more_interdicted_hexes_may_make_heroes` or `pin_ends_the_chance_of_a_hero`.
    fn more_chances_of_heat(&self) -> bool {
        let fewer_rolls = match self.worse.event {
            Event::Fire { .. } => matches!(self.change, Change::Fp | Change::Drm),
            Event::Interdict { .. } => !matches!(self.change, Change::Morale(_) | Change::Elr),
            _ => false,
        };
        self.worse.hob && self.is_up() && fewer_rolls
    }

    /// Returns whether the exception of 15.1 applies to a unit that may check with a P below 2:
    /// `failing_original_2_restores_units_more_often` or `lower_elr_may_help_to_harden`.
    fn fails_on_a_2(&self) -> bool {
        let highest_mc = match self.worse.event {
            Event::Check(mc) => mc as i8,
            Event::Fire { .. } => 4,
            _ => return false,
        };
        self.worse.hob && self.is_up() && self.piece().level(false) - highest_mc < 2
    }

    /// Returns whether the exception of 10.22 applies to a leader that becomes the equal of its
    /// helper: `leader_gets_no_help_from_its_equal` or
    /// `routing_leader_gets_no_help_from_its_equal`.
    fn outgrows_help(&self) -> bool {
        let rallies = matches!(self.worse.event, Event::Rally { .. });
        if rallies || self.change.place() != Some(self.place) || !self.piece().leads() {
            return false;
        }
        let (before, after) = (self.piece(), &self.better.stack[self.place]);
        let lent = self
            .worse
            .lent
            .as_ref()
            .map(|leader| CATALOGUE.get(CATALOGUE.find(leader).unwrap()).morale);
        let in_stack = self
            .worse
            .stack
            .iter()
            .enumerate()
            .filter(|&(place, piece)| place != self.place && piece.leads());
        let mut helpers = lent.into_iter().chain(in_stack.map(|(_, piece)| piece.present_level()));
        // A wounded leader, which need not have broken, has one less.
        let outgrown =
            |helper: i8, broken| before.level(broken) < helper && after.level(broken) >= helper - 1;
        helpers.any(|helper| outgrown(helper, false) || outgrown(helper, true))
    }
}

impl Trial<'_> {
    /// Returns whether the exception of 10.2 applies to the loss of the improved leader:
    /// `loss_of_a_better_leader_hurts_more` or `breaking_of_a_higher_leader_pins_more_units`.
    fn felt_below(&self) -> bool {
        let Some(leader) = self.change.place().filter(|&place| place != self.place) else {
            return false;
        };
        let leader = &self.better.stack[leader];
        leader.leads() && leader.level(false).max(leader.level(true)) > self.lowest_level()
    }

    /// Returns whether the exception of 15.3 applies: `finnish_9_1_leads_better_than_a_10_0`.
    fn leads_worse(&self) -> bool {
        let leadership = |id: &str| CATALOGUE.get(CATALOGUE.find(id).unwrap()).leadership;
        let id = |case: &Case| match self.change {
            Change::Grade(place) if place != self.place => Some(case.stack[place].id.clone()),
            Change::Lent => case.lent.clone(),
            _ => None,
        };
        id(self.worse)
            .zip(id(self.better))
            .is_some_and(|(before, after)| leadership(&after) > leadership(&before))
    }

    /// Returns the lowest ML of the unit while the measure holds: before it breaks, or at all.
    fn lowest_level(&self) -> i8 {
        let piece = self.piece();
        let may_be_wounded =
            piece.counter().kind.is_smc() && (self.is_fire() || piece.is("heroic"));
        if self.is_up() && !piece.is("broken") && !may_be_wounded {
            piece.level(false)
        } else {
            lowest_after(piece)
        }
    }

    /// Returns whether the exception of 10.72 applies to a leader at +1 that stays usable:
    /// `unpinned_leader_with_plus_1_hurts_others`.
    fn bad_leader_stays(&self) -> bool {
        let bad = |piece: &Piece| piece.leads() && piece.leadership() > 0;
        let company = self.worse.stack.len() > 1;
        match self.change {
            Change::Mc | Change::Fp | Change::Drm => company && self.worse.stack.iter().any(bad),
            Change::Grade(place) | Change::Morale(place) => {
                place != self.place && bad(&self.worse.stack[place])
            }
            _ => false,
        }
    }

    /// Returns whether the exception of 10.2 applies to a broken morale above the morale:
    /// `broken_unit_is_spared_the_leader_loss_check`.
    fn better_broken(&self) -> bool {
        let company = self.worse.stack.len() > 1 && self.worse.stack.iter().any(Piece::leads);
        company && !self.is_up() && self.piece().broken_morale() > self.piece().morale()
    }

    /// Returns whether the exception of 19.1 applies to the loss of a Replaced leader:
    /// `loss_of_a_replaced_leader_hurts_less`.
    fn replaced_is_missed_less(&self) -> bool {
        let fewer_replaced = match self.change {
            Change::Elr => true,
            Change::Mc | Change::Fp | Change::Drm => !self.is_up(),
            _ => false,
        };
        fewer_replaced && self.worse.stack.iter().filter(|piece| piece.leads()).count() > 1
    }

    /// Returns whether a rule keeps the change from helping.
    fn is_excepted(&self) -> bool {
        let alone = self.unarmed()
            || self.casualties()
            || self.more_chances_of_heat()
            || self.fails_on_a_2();
        let in_stack = self.outgrows_help()
            || self.felt_below()
            || self.bad_leader_stays()
            || self.better_broken();
        alone || in_stack || self.leads_worse() || self.replaced_is_missed_less()
    }
}

/// Returns whether the change helps even if Heat of Battle may strike any unit of the stack.
fn helps_in_any_heat(trial: &Trial) -> bool {
    let mmc = !trial.piece().counter().kind.is_smc() && trial.change.place() == Some(trial.place);
    match (trial.change, trial.measure) {
        (Change::Drm, Survives | Whole) => true,
        (Change::Morale(_), Unbroken) | (Change::BrokenMorale(_), Whole) => mmc,
        _ => false,
    }
}

/// Returns the lowest ML that a unit can have after breaking, Reduction and Replacement.
fn lowest_after(piece: &Piece) -> i8 {
    let mut reached: Vec<&Counter> = vec![piece.counter()];
    let mut at = 0;
    while let Some(&counter) = reached.get(at) {
        let replaced = match counter.replacement {
            Replacement::By(lower) | Replacement::TwoHalfSquads(lower) => Some(lower),
            _ => None,
        };
        for next in [counter.half_squad, counter.lesser_half_squad, replaced].into_iter().flatten()
        {
            reached.push(CATALOGUE.get(next));
        }
        at += 1;
    }
    let lowest = reached
        .iter()
        .map(|counter| counter.morale.min(counter.broken_morale))
        .min()
        .unwrap_or_default();
    let by_hand = piece.morale().min(piece.broken_morale());
    let smc = i8::from(piece.counter().kind.is_smc());
    lowest.min(by_hand) - smc - i8::from(piece.is("encircled"))
}

/// Panics unless every improvement helps every unit by every measure, rules excepted.
fn assert_improvements_help(case: &Case) {
    assert_improvements_help_where(case, |_| true);
}

fn assert_improvements_help_where(case: &Case, applies: impl Fn(&Trial) -> bool) {
    let odds_before = odds_by_measure(&case.question().unwrap());
    for change in Change::all(case.stack.len()) {
        let Some(better) = change.apply(case) else { continue };
        let Some(question) = better.question() else { continue };
        let odds_after = odds_by_measure(&question);
        for (&(slot, point, measure), before) in &odds_before {
            let trial = Trial { worse: case, better: &better, change, place: slot - 1, measure };
            if trial.is_excepted() || !applies(&trial) {
                continue;
            }
            let after = &odds_after[&(slot, point, measure)];
            let what = || {
                format!(
                    "{}, {change:?}, slot {slot} {measure:?} at {point}",
                    case.question().unwrap().texts().in_words
                )
            };
            assert!(
                after.double >= before.double - 1e-12,
                "{}: {} -> {}; {case:?}",
                what(),
                before.double,
                after.double
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(120, 4))]

    /// 10.1, 7.3, 19.1: a single unit gains by every improvement in a check or under fire.
    #[test]
    fn improvements_help_a_unit_under_attack(case in case(attacks(), lone(false, false), any::<bool>(), 0.0)) {
        assert_improvements_help(&case);
    }

    /// 10.1, 10.31: a single unit of any given morale gains by every improvement in a check.
    #[test]
    fn improvements_help_a_unit_of_any_morale(case in case(checks(), lone(false, true), any::<bool>(), 0.0)) {
        assert_improvements_help(&case);
    }

    /// 10.6 - 10.64: a single broken unit, led or not, gains by every improvement to its Rally,
    /// except a Finnish 10-0.
    #[test]
    fn improvements_help_a_unit_to_rally(case in case(rallies(), lone(true, true), any::<bool>(), 0.5)) {
        assert_improvements_help(&case);
    }

    /// 10.53, 10.22: a routing unit gains by higher broken morale, a better leader in the hex and
    /// fewer hexes.
    #[test]
    fn improvements_help_a_unit_to_rout(case in case(gauntlets(), lone(true, false), any::<bool>(), 0.5)) {
        assert_improvements_help(&case);
    }

    /// 10.2 - 10.22, 10.72, 19.1: improvements help whole stacks in a check, without Heat of
    /// Battle.
    #[test]
    fn improvements_help_a_stack_that_checks(case in case(checks(), stacks(2..=3, 0.4, false), Just(false), 0.0)) {
        assert_improvements_help(&case);
    }

    /// 7.3 - 7.305: improvements help whole stacks under fire, without Heat of Battle.
    #[test]
    fn improvements_help_a_stack_under_fire(case in case(attacks(), stacks(2..=3, 0.3, false), Just(false), 0.0)) {
        assert_improvements_help(&case);
    }

    /// 7.3, 10.1, 15.1: whole stacks with Heat of Battle. A higher DRM of the fire saves lives,
    /// morale keeps MMC unbroken, and broken morale keeps squads whole.
    #[test]
    fn improvements_help_a_stack_with_heat_of_battle(case in case(attacks(), stacks(2..=3, 0.3, false), Just(true), 0.0)) {
        assert_improvements_help_where(&case, helps_in_any_heat);
    }

    /// 10.6: improvements help MMC under a leader that does not roll.
    #[test]
    fn improvements_help_a_stack_to_rally(case in case(rallies(), stacks(2..=3, 0.0, true), any::<bool>(), 1.0)) {
        assert_improvements_help(&case);
    }
}
