//! What a player is after: how the units of a side stand at the end, in numbers that can be added up and compared.

use std::fmt;

use super::standing::Standing;
use crate::text::{Fault, canonical};

/// One thing that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A.7: units in Good Order.
    GoodOrder,
    /// 5.1: squads in Good Order, half-squads and crews by half: what can still fight, whatever number of leaders is with it.
    GoodOrderSquads,
    /// Units neither eliminated nor captured.
    Survives,
    /// 10.51: units in cover, where their places are known.
    InCover,
    /// 5.1: what is left of them, in squads.
    SquadEquivalents,
    /// 26.2: Casualty Victory Points the enemy has made of them.
    Cvp,
}

impl Measure {
    pub const ALL: [Measure; 6] = [
        Measure::GoodOrder,
        Measure::GoodOrderSquads,
        Measure::Survives,
        Measure::InCover,
        Measure::SquadEquivalents,
        Measure::Cvp,
    ];

    /// The word of a file.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::GoodOrder => "good-order",
            Measure::GoodOrderSquads => "good-order-squads",
            Measure::Survives => "survives",
            Measure::InCover => "in-cover",
            Measure::SquadEquivalents => "squad-equivalents",
            Measure::Cvp => "cvp",
        }
    }

    /// The measure of that name.
    pub fn named(text: &str) -> Result<Measure, Fault> {
        let name = canonical(text);
        Measure::ALL.into_iter().find(|measure| measure.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no objective is called `{text}`"), 0..text.len());
            fault.expecting(text, Measure::ALL.map(Measure::name))
        })
    }

    /// What one of it is worth where nothing else is said: of what is lost, fewer is better.
    const fn weight(self) -> f64 {
        match self {
            Measure::Cvp => -1.0,
            _ => 1.0,
        }
    }

    /// How much of it there is in one unit.
    fn of(self, standing: &Standing) -> f64 {
        match self {
            Measure::GoodOrder => f64::from(u8::from(standing.good_order)),
            Measure::GoodOrderSquads => standing.good_order_squads,
            Measure::Survives => f64::from(u8::from(standing.survives)),
            Measure::InCover => f64::from(u8::from(standing.in_cover == Some(true))),
            Measure::SquadEquivalents => standing.squad_equivalents,
            Measure::Cvp => standing.cvp,
        }
    }

    const fn in_words(self, several: bool) -> &'static str {
        match (self, several) {
            (Measure::GoodOrder, false) => "P(Good Order at the end)",
            (Measure::GoodOrder, true) => "expected number of units in Good Order",
            (Measure::GoodOrderSquads, _) => "expected squad-equivalents in Good Order",
            (Measure::Survives, false) => "P(survives)",
            (Measure::Survives, true) => "expected number of units that survive",
            (Measure::InCover, false) => "P(in cover at the end)",
            (Measure::InCover, true) => "expected number of units in cover",
            (Measure::SquadEquivalents, _) => "expected squad-equivalents left",
            (Measure::Cvp, _) => "expected CVP lost",
        }
    }
}

/// Largest weight of a measure, either way.
pub const MAX_WEIGHT: f64 = 1_000_000.0;

/// What a player is after: measures, each with what one of it is worth. More is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    weights: Vec<(Measure, f64)>,
}

impl Objective {
    /// One measure by name; of `cvp`, fewer is better.
    pub fn named(text: &str) -> Result<Objective, Fault> {
        Measure::named(text).map(|measure| Objective { weights: vec![(measure, measure.weight())] })
    }

    /// Measures with their weights; none where there is nothing in them to be after, or a weight is out of range.
    pub fn weighted(weights: Vec<(Measure, f64)>) -> Option<Objective> {
        let in_range = weights.iter().all(|(_, weight)| weight.abs() <= MAX_WEIGHT);
        let something = weights.iter().any(|(_, weight)| *weight != 0.0);
        (in_range && something).then_some(Objective { weights })
    }

    /// What a unit that stands so is worth; the units of a side add up.
    pub fn worth(&self, standing: &Standing) -> f64 {
        self.weights.iter().fold(0.0, |sum, (measure, weight)| sum + weight * measure.of(standing))
    }

    /// Whether it asks where units are.
    pub fn needs_places(&self) -> bool {
        self.weights.iter().any(|(measure, _)| *measure == Measure::InCover)
    }

    /// The objective as a reader knows it: for one unit, or for `several` that add up.
    pub fn in_words(&self, several: bool) -> String {
        match self.weights[..] {
            [(measure, 1.0)] => measure.in_words(several).to_string(),
            [(measure, -1.0)] => format!("minus the {}", measure.in_words(several)),
            _ => self.sum_of(|measure| measure.in_words(several)),
        }
    }

    /// What one more of it is called.
    pub fn gain_in_words(&self, several: bool) -> &'static str {
        match self.weights[..] {
            [(Measure::Cvp, -1.0)] => "expected CVP saved",
            [(Measure::GoodOrder, 1.0)] if several => "expected units in Good Order",
            [(Measure::Survives, 1.0)] if several => "expected survivors",
            [(Measure::InCover, 1.0)] if several => "expected units in cover",
            [(Measure::SquadEquivalents, 1.0)] => "expected squad-equivalents",
            [(measure, 1.0)] => measure.in_words(several),
            _ => "of the objective",
        }
    }

    fn sum_of(&self, word: impl Fn(Measure) -> &'static str) -> String {
        let mut text = String::new();
        for (measure, weight) in &self.weights {
            let sign = match (*weight < 0.0, text.is_empty()) {
                (false, true) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (true, false) => " - ",
            };
            let times = if weight.abs() == 1.0 { String::new() } else { format!("{} x ", weight.abs()) };
            text += &format!("{sign}{times}{}", word(*measure));
        }
        text
    }
}

impl fmt::Display for Objective {
    /// `good-order - 0.25 x cvp`; one measure at its own weight by its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.weights[..] {
            [(measure, weight)] if weight == measure.weight() => f.write_str(measure.name()),
            _ => f.write_str(&self.sum_of(Measure::name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINNED: Standing =
        Standing { good_order: true, survives: true, in_cover: None, squad_equivalents: 0.5, good_order_squads: 0.5, cvp: 1.0 };

    #[test]
    fn measures_are_known_by_name() {
        for measure in Measure::ALL {
            assert_eq!(Measure::named(measure.name()), Ok(measure));
        }
        assert_eq!(Measure::named("Good_Order"), Ok(Measure::GoodOrder));
        let fault = Measure::named("god-order").unwrap_err();
        assert_eq!(fault.to_string(), "no objective is called `god-order` (did you mean `good-order`?)");
        let fault = Measure::named("victory").unwrap_err();
        assert!(
            fault.to_string().ends_with("(valid: good-order, good-order-squads, survives, in-cover, squad-equivalents, cvp)"),
            "{fault}"
        );
    }

    #[test]
    fn a_unit_is_worth_the_sum_of_its_measures() {
        let worth = |text: &str| Objective::named(text).unwrap().worth(&PINNED);
        assert_eq!(["good-order", "survives", "in-cover", "squad-equivalents", "cvp"].map(worth), [1.0, 1.0, 0.0, 0.5, -1.0]);
        let objective = Objective::weighted(vec![(Measure::GoodOrder, 1.0), (Measure::Cvp, -0.25)]).unwrap();
        assert_eq!(objective.worth(&PINNED), 0.75);
        assert_eq!(Objective::named("good-order-squads").unwrap().worth(&PINNED), 0.5);
        assert_eq!(objective.worth(&Standing { cvp: 0.0, ..PINNED }), 1.0);
        let untouched = Standing { cvp: 0.0, ..PINNED };
        assert_eq!(Objective::named("cvp").unwrap().worth(&untouched).to_string(), "0", "not -0");
    }

    #[test]
    fn objectives_in_words() {
        let named = |text: &str| Objective::named(text).unwrap();
        let weighted = |weights: &[(Measure, f64)]| Objective::weighted(weights.to_vec()).unwrap();
        let both = weighted(&[(Measure::GoodOrder, 1.0), (Measure::Cvp, -0.25)]);
        for (objective, several, name, words, gain) in [
            (named("good-order"), false, "good-order", "P(Good Order at the end)", "P(Good Order at the end)"),
            (named("good-order"), true, "good-order", "expected number of units in Good Order", "expected units in Good Order"),
            (
                named("good-order-squads"),
                true,
                "good-order-squads",
                "expected squad-equivalents in Good Order",
                "expected squad-equivalents in Good Order",
            ),
            (named("survives"), true, "survives", "expected number of units that survive", "expected survivors"),
            (named("cvp"), true, "cvp", "minus the expected CVP lost", "expected CVP saved"),
            (both, false, "good-order - 0.25 x cvp", "P(Good Order at the end) - 0.25 x expected CVP lost", "of the objective"),
            (weighted(&[(Measure::Cvp, 1.0)]), false, "cvp", "expected CVP lost", "expected CVP lost"),
            (weighted(&[(Measure::Survives, -2.0)]), false, "-2 x survives", "-2 x P(survives)", "of the objective"),
        ] {
            if objective != weighted(&[(Measure::Cvp, 1.0)]) {
                assert_eq!(objective.to_string(), name);
            }
            assert_eq!((objective.in_words(several).as_str(), objective.gain_in_words(several)), (words, gain));
        }
    }

    #[test]
    fn nothing_is_no_objective() {
        assert_eq!(Objective::weighted(Vec::new()), None);
        assert_eq!(Objective::weighted(vec![(Measure::Cvp, 0.0)]), None);
        assert_eq!(Objective::weighted(vec![(Measure::Cvp, f64::NAN)]), None);
        assert_eq!(Objective::weighted(vec![(Measure::Cvp, -1e7)]), None);
    }
}
