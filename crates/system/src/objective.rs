//! What a player is after: how the units of a side stand at the end, in numbers that can be added
//! up and compared.

use std::fmt;

use super::field::{Given, Json, Takes};
use super::form::Value;
use super::kind::Measure;
use super::node::{Node, Raw};
use engine::text::notation::{Help, Shown, shown, text_field};
use engine::text::{Fault, canonical};

/// Largest weight of a measure, either way.
pub const MAX_WEIGHT: f64 = 1_000_000.0;

/// How a unit stands, in numbers.
pub trait Counted {
    /// How much there is of a measure, by its place in the list of its game.
    fn amount(&self, measure: usize) -> f64;
}

impl Counted for Vec<f64> {
    fn amount(&self, measure: usize) -> f64 {
        self[measure]
    }
}

/// What a player is after: measures of his game, each with what one of it is worth. More is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    measures: &'static [Measure],
    /// Measures by their place.
    weights: Vec<(usize, f64)>,
}

/// The place of the measure of that name.
pub fn measure_named(text: &str, measures: &[Measure]) -> Result<usize, Fault> {
    let name = canonical(text);
    measures.iter().position(|measure| measure.name == name).ok_or_else(|| {
        let fault = Fault::new(format!("no objective is called `{text}`"), 0..text.len());
        fault.expecting(text, measures.iter().map(|measure| measure.name))
    })
}

impl Objective {
    /// One measure by name; of what is lost, fewer is better.
    pub fn named(text: &str, measures: &'static [Measure]) -> Result<Objective, Fault> {
        let place = measure_named(text, measures)?;
        Ok(Objective { measures, weights: vec![(place, measures[place].weight)] })
    }

    /// Measures by their place, with their weights; none where there is nothing in them to be
    /// after, or a weight is out of range.
    pub fn weighted(weights: Vec<(usize, f64)>, measures: &'static [Measure]) -> Option<Objective> {
        let in_range = weights.iter().all(|(_, weight)| weight.abs() <= MAX_WEIGHT);
        let something = weights.iter().any(|(_, weight)| *weight != 0.0);
        (in_range && something).then_some(Objective { measures, weights })
    }

    /// What a unit that stands so is worth; the units of a side add up.
    pub fn worth(&self, standing: &impl Counted) -> f64 {
        self.weights
            .iter()
            .fold(0.0, |sum, (measure, weight)| sum + weight * standing.amount(*measure))
    }

    /// What a unit that stands so is worth by a single measure of the game, by its place, whatever
    /// the objective weighs.
    pub fn worth_by_itself(&self, standing: &impl Counted, measure: usize) -> f64 {
        self.measures.get(measure).map_or(0.0, |known| known.weight * standing.amount(measure))
    }

    /// As it is written: a measure at its own weight by its name, else each with its weight.
    pub fn told(&self) -> Json {
        match self.weights()[..] {
            [(measure, weight)] if weight == measure.weight => measure.name.into(),
            ref weights => weights
                .iter()
                .map(|(measure, weight)| (measure.name.to_string(), Json::from(*weight)))
                .collect(),
        }
    }

    /// Whether it weighs the measure of that name.
    pub fn weighs(&self, name: &str) -> bool {
        self.weights.iter().any(|(measure, _)| self.measures[*measure].name == name)
    }

    /// The measures it weighs with their weights, in the order of their game.
    pub fn weights(&self) -> Vec<(&'static Measure, f64)> {
        let mut weights = self.weights.clone();
        weights.sort_by_key(|(measure, _)| *measure);
        weights.into_iter().map(|(measure, weight)| (&self.measures[measure], weight)).collect()
    }

    /// The objective as a reader knows it: for one unit, or for `several` that add up.
    pub fn in_words(&self, several: bool) -> String {
        match self.weights[..] {
            [(measure, 1.0)] => self.measures[measure].in_words(several).to_string(),
            [(measure, -1.0)] => format!("minus the {}", self.measures[measure].in_words(several)),
            _ => self.sum_of(|measure| measure.in_words(several)),
        }
    }

    /// What one more of it is called.
    pub fn gain_in_words(&self, several: bool) -> &'static str {
        match self.weights[..] {
            [(measure, weight)] if weight == self.measures[measure].weight => {
                self.measures[measure].gain_in_words(several)
            }
            [(measure, 1.0)] => self.measures[measure].in_words(several),
            _ => "of the objective",
        }
    }

    fn sum_of(&self, word: impl Fn(&Measure) -> &'static str) -> String {
        let mut text = String::new();
        for (measure, weight) in &self.weights {
            let sign = match (*weight < 0.0, text.is_empty()) {
                (false, true) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (true, false) => " - ",
            };
            let times =
                if weight.abs() == 1.0 { String::new() } else { format!("{} x ", weight.abs()) };
            text += &format!("{sign}{times}{}", word(&self.measures[*measure]));
        }
        text
    }
}

impl fmt::Display for Objective {
    /// `good-order - 0.25 x cvp`; one measure at its own weight by its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.weights[..] {
            [(measure, weight)] if weight == self.measures[measure].weight => {
                f.write_str(self.measures[measure].name)
            }
            _ => f.write_str(&self.sum_of(|measure| measure.name)),
        }
    }
}

/// An objective as a file has it: a measure, or weights of measures, of whatever game.
#[derive(Clone, Debug)]
pub struct Weights(pub Node);

impl Given for Weights {
    const TAKES: Takes = Takes::Text("OBJECTIVE");

    fn read(field: &str, value: Value) -> Result<Weights, Fault> {
        Node::read(field, value).map(Weights)
    }

    fn read_node(field: &str, node: &Node) -> Result<Weights, Fault> {
        Node::read_node(field, node).map(Weights)
    }

    fn told(&self) -> Json {
        self.0.told()
    }
}

impl Weights {
    /// The objective among the measures of a game. A fault has its place in the file.
    pub fn objective(&self, measures: &'static [Measure]) -> Result<Objective, Fault> {
        let Weights(node) = self;
        let weights = match &node.raw {
            Raw::Text(text) => {
                return Objective::named(text, measures).map_err(|fault| node.place.blamed(fault));
            }
            Raw::Table(weights) => weights,
            _ => {
                let fault = node
                    .place
                    .fault(format!("`objective` must be a name or weights, not {}", node.kind()));
                return Err(fault.help(examples(measures)));
            }
        };
        let mut sum: Vec<(usize, f64)> = Vec::new();
        for (key, value) in weights {
            let measure = measure_named(&key.value, measures)
                .map_err(|fault| Fault { span: key.place.span.clone(), ..fault })?;
            let name = measures[measure].name;
            if sum.iter().any(|(known, _)| *known == measure) {
                return Err(key.place.fault(format!("`{name}` is weighed twice")));
            }
            sum.push((measure, weight(value, name)?));
        }
        let nothing = || node.place.fault("the objective weighs nothing").help(examples(measures));
        Objective::weighted(sum, measures).ok_or_else(nothing)
    }
}

fn weight(node: &Node, name: &str) -> Result<f64, Fault> {
    let number = match node.raw {
        Raw::Decimal(number) => Some(number),
        Raw::Integer(number) => Some(number as f64),
        _ => None,
    };
    number.filter(|number| number.abs() <= MAX_WEIGHT).ok_or_else(|| {
        node.place.fault(format!(
            "the weight of `{name}` must be a number from -{MAX_WEIGHT} to {MAX_WEIGHT}"
        ))
    })
}

/// How an objective is written: the first measure, and a weight of the last beside it.
pub fn examples(measures: &[Measure]) -> Help {
    let (first, last) = (measures[0], measures[measures.len() - 1]);
    let weights = vec![
        (first.name, format!("{:?}", first.weight)),
        (last.name, format!("{:?}", last.weight / 4.0)),
    ];
    shown("{}, or {}", [text_field("objective", first.name), Shown::Table("objective", weights)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURES: [Measure; 3] = [
        Measure {
            name: "good-order",
            weight: 1.0,
            of_one: "P(Good Order)",
            of_several: "units in Good Order",
            gain: "more of them",
        },
        Measure {
            name: "survives",
            weight: 1.0,
            of_one: "P(survives)",
            of_several: "survivors",
            gain: "more survivors",
        },
        Measure {
            name: "cvp",
            weight: -1.0,
            of_one: "CVP lost",
            of_several: "CVP lost",
            gain: "CVP saved",
        },
    ];

    fn named(text: &str) -> Objective {
        Objective::named(text, &MEASURES).unwrap()
    }

    fn weighted(weights: &[(&str, f64)]) -> Objective {
        let weights = weights
            .iter()
            .map(|(name, weight)| (measure_named(name, &MEASURES).unwrap(), *weight))
            .collect();
        Objective::weighted(weights, &MEASURES).unwrap()
    }

    #[test]
    fn measures_are_known_by_name() {
        for (place, measure) in MEASURES.iter().enumerate() {
            assert_eq!(measure_named(measure.name, &MEASURES), Ok(place));
        }
        assert_eq!(measure_named("Good_Order", &MEASURES), Ok(0));
        let fault = measure_named("god-order", &MEASURES).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "no objective is called `god-order` (did you mean `good-order`?)"
        );
        let fault = measure_named("victory", &MEASURES).unwrap_err();
        assert!(fault.to_string().ends_with("(valid: good-order, survives, cvp)"), "{fault}");
    }

    #[test]
    fn a_unit_is_worth_the_sum_of_its_measures() {
        let stands = vec![1.0, 1.0, 1.0];
        assert_eq!(
            ["good-order", "survives", "cvp"].map(|text| named(text).worth(&stands)),
            [1.0, 1.0, -1.0]
        );
        let objective = weighted(&[("good-order", 1.0), ("cvp", -0.25)]);
        assert_eq!(objective.worth(&stands), 0.75);
        assert_eq!(objective.worth(&vec![1.0, 1.0, 0.0]), 1.0);
        assert_eq!(named("cvp").worth(&vec![1.0, 1.0, 0.0]).to_string(), "0", "not -0");
        assert_eq!(objective.worth_by_itself(&stands, 2), -1.0);
    }

    #[test]
    fn objectives_in_words() {
        let both = weighted(&[("good-order", 1.0), ("cvp", -0.25)]);
        for (objective, several, name, words, gain) in [
            (named("good-order"), false, "good-order", "P(Good Order)", "P(Good Order)"),
            (named("good-order"), true, "good-order", "units in Good Order", "more of them"),
            (named("survives"), true, "survives", "survivors", "more survivors"),
            (named("cvp"), true, "cvp", "minus the CVP lost", "CVP saved"),
            (
                both,
                false,
                "good-order - 0.25 x cvp",
                "P(Good Order) - 0.25 x CVP lost",
                "of the objective",
            ),
            (weighted(&[("cvp", 1.0)]), false, "cvp", "CVP lost", "CVP lost"),
            (
                weighted(&[("survives", -2.0)]),
                false,
                "-2 x survives",
                "-2 x P(survives)",
                "of the objective",
            ),
        ] {
            assert_eq!(objective.to_string(), name);
            assert_eq!(
                (objective.in_words(several).as_str(), objective.gain_in_words(several)),
                (words, gain)
            );
        }
    }

    #[test]
    fn nothing_is_no_objective() {
        assert_eq!(Objective::weighted(Vec::new(), &MEASURES), None);
        for weight in [0.0, f64::NAN, -1e7] {
            assert_eq!(Objective::weighted(vec![(2, weight)], &MEASURES), None);
        }
    }
}
