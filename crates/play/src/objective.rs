//! The objective of a player, as a number computed from the final state of the units of a side.

use std::fmt;
use std::ops::Range;

use indexmap::IndexSet;

use super::measure::MeasureExpr;
use answer::QuestionInfo;
use engine::process::{Player, side_in_words};
use engine::text::notation::{CodePiece, Remedy, shown, text_field};
use engine::text::{Fault, canonical};
use schema::{
    FieldValue, Group, Json, Kind, Measure, Node, Raw, RawValue, ReckonedNumber, Spanned, Takes,
    side_named,
};

/// Largest absolute weight of a term in an objective.
const MAX_WEIGHT: f64 = 1_000_000.0;

/// A player's objective: a weighted sum of measures of units, or of counts. More is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    measures: &'static [Measure],
    /// The terms with their weights, measures first. All counts are for one group.
    terms: Vec<(Term, f64)>,
    /// The side for which courses are called better.
    side: Player,
    /// The end of the number that is good for the side; `None` is the usual one.
    wanted: Option<Extreme>,
}

schema::named! {
    /// An end of the range of a number.
    enum Extreme {
        Most = "most",
        Fewest = "fewest",
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    /// A measure of units, with its 0-based position in the game's list.
    Measure(usize, &'static Measure),
    /// An expression about counts, which has one value for the whole final state.
    Count(MeasureExpr),
    /// A number reckoned before the first roll, the same in all outcomes. It stands alone.
    Reckoned(&'static ReckonedNumber),
}

impl Term {
    /// Returns the weight of the term in an objective that gives none.
    fn weight(&self) -> f64 {
        match self {
            Term::Measure(_, measure) => measure.weight,
            Term::Count(expr) => expr.end.weight,
            Term::Reckoned(number) => number.weight,
        }
    }

    fn name(&self) -> String {
        match self {
            Term::Measure(_, measure) => measure.name.to_string(),
            Term::Count(expr) => expr.to_string(),
            Term::Reckoned(number) => number.name.to_string(),
        }
    }

    fn in_words(&self, several: bool) -> String {
        match self {
            Term::Measure(_, measure) => measure.in_words(several).to_string(),
            Term::Count(expr) => expr.in_words(),
            Term::Reckoned(number) => number.words.to_string(),
        }
    }

    fn count(&self) -> Option<&MeasureExpr> {
        if let Term::Count(expr) = self { Some(expr) } else { None }
    }
}

impl Objective {
    /// Returns the objective of a single measure, with the measure's default weight.
    ///
    /// # Errors
    ///
    /// Fails if no measure has that name. The fault suggests those that one of the kinds reports.
    pub fn named(
        text: &str,
        measures: &'static [Measure],
        kinds: &[&'static Kind],
    ) -> Result<Objective, Fault> {
        let place = measures.iter().position(|measure| measure.name == canonical(text));
        let place = place.ok_or_else(|| known_words(text, measures, kinds))?;
        Ok(Objective::of_term(Term::Measure(place, &measures[place]), measures))
    }

    fn of_term(term: Term, measures: &'static [Measure]) -> Objective {
        Objective {
            measures,
            terms: vec![(term, term.weight())],
            side: Player::Owner,
            wanted: None,
        }
    }

    /// Parses the name of a measure, of a number that a kind reckons or, if a kind has classes, an
    /// expression about counts.
    ///
    /// # Errors
    ///
    /// Fails if the text is neither a measure nor a valid expression.
    pub fn read(
        text: &str,
        measures: &'static [Measure],
        kinds: &[&'static Kind],
    ) -> Result<Objective, Fault> {
        let mut reckoned = kinds.iter().flat_map(|kind| kind.reckoned);
        if let Some(number) = reckoned.find(|number| number.name == canonical(text)) {
            return Ok(Objective::of_term(Term::Reckoned(number), measures));
        }
        Objective::named(text, measures, kinds).or_else(|unknown| {
            if kinds.iter().all(|kind| kind.classes.is_empty()) {
                return Err(unknown);
            }
            let mut groups = kinds.iter().flat_map(|kind| kind.groups);
            // A single word may be a misspelt measure.
            let is_word = text.split_whitespace().count() < 2
                && !text.contains(['>', '≥', '@'])
                && !groups.any(|group| group.name == canonical(text));
            let expr = MeasureExpr::read(text, kinds).map_err(|fault| match is_word {
                true => known_words(text, measures, kinds),
                false => fault,
            });
            Ok(Objective::of_term(Term::Count(expr?), measures))
        })
    }

    /// Returns the side for which courses are called better.
    pub fn side(&self) -> Player {
        self.side
    }

    /// Returns the objective for a side; a wanted extreme stays.
    pub fn for_side(self, side: Player) -> Objective {
        Objective { side, ..self }
    }

    /// Converts the owner's value to that of the side, or back.
    pub fn of_side(&self, worth: f64) -> f64 {
        if self.side == Player::Owner { worth } else { 0.0 - worth }
    }

    /// Returns the expressions about counts, with their weights for the owner.
    pub fn counts(&self) -> impl Iterator<Item = (&MeasureExpr, f64)> {
        let sign = self.sign();
        self.terms.iter().filter_map(move |(term, weight)| Some((term.count()?, sign * weight)))
    }

    /// Returns the sign of the weights: -1 if the opposite of the usual end is wanted.
    fn sign(&self) -> f64 {
        if self.is_shown_negated() == self.is_loss() { 1.0 } else { -1.0 }
    }

    /// Returns true if the number shown is minus the owner's value: less of it is better for him.
    fn is_shown_negated(&self) -> bool {
        match self.wanted {
            None => self.is_loss(),
            Some(wanted) => (wanted == Extreme::Fewest) == (self.side == Player::Owner),
        }
    }

    /// Returns true if the only term is a loss with its default weight.
    fn is_loss(&self) -> bool {
        self.alone().is_some_and(|term| term.weight() < 0.0)
    }

    /// Returns a copy of the objective whose count expressions are all for this group.
    pub fn counting_in(&self, group: Option<&'static Group>) -> Objective {
        let mut objective = self.clone();
        for (term, _) in &mut objective.terms {
            if let Term::Count(expr) = term {
                expr.group = group;
            }
        }
        objective
    }

    /// Returns the count expression, if it is the only term and has its default weight.
    pub fn measure(&self) -> Option<&MeasureExpr> {
        self.alone()?.count()
    }

    /// Returns the number reckoned before the first roll, if the objective is one.
    pub fn reckoned(&self) -> Option<&'static ReckonedNumber> {
        match self.terms[..] {
            [(Term::Reckoned(number), _)] => Some(number),
            _ => None,
        }
    }

    /// Returns the value for the owner of a number reckoned before the first roll.
    pub fn worth_of_reckoned(&self, number: f64) -> f64 {
        self.sign() * self.terms[0].1 * number
    }

    /// Checks that a question can evaluate all count expressions and reckons the number.
    ///
    /// # Errors
    ///
    /// Fails if a class, a group, a report or a number does not belong to the question, or if a
    /// number differs between its units.
    pub fn check(&self, question: &dyn QuestionInfo) -> Result<(), Fault> {
        let facts = question.facts();
        if let Some(number) = self.reckoned() {
            let fault = |message| Err(Fault::new(message, 0..0));
            if !facts.kind.reckoned.contains(number) {
                return fault(format!("a `{}` reckons no `{}`", facts.kind.name, number.name));
            }
            let reckoned = question.details().reckoned.unwrap_or_default();
            if reckoned.number(number.name).is_none() {
                let message = format!("`{}` is not the same for all units", number.name);
                return fault(message).map_err(|fault| fault.help("`--reckon` shows it for each"));
            }
        }
        self.counts().try_for_each(|(expr, _)| expr.check(&facts))
    }

    /// Returns true if less of the number shown is better for the side: for the owner, of a loss.
    pub fn is_minimized(&self) -> bool {
        self.is_minimized_for(self.side)
    }

    /// Returns true if less of the number shown is better for `side`, whichever is judged.
    pub fn is_minimized_for(&self, side: Player) -> bool {
        self.is_shown_negated() == (side == Player::Owner)
    }

    /// Converts the owner's value to the number shown, which is the same for both sides.
    pub fn number(&self, worth: f64) -> f64 {
        if self.is_shown_negated() { 0.0 - worth } else { worth }
    }

    /// Returns a unit's value for the owner from its amounts of the measures. Values add up.
    pub fn worth(&self, amounts: &[f64]) -> f64 {
        let sign = self.sign();
        self.terms.iter().fold(0.0, |sum, (term, weight)| match term {
            Term::Measure(place, _) => sum + sign * weight * amounts[*place],
            Term::Count(_) | Term::Reckoned(_) => sum,
        })
    }

    /// Returns the least and the largest value of a unit; 0 counts as possible.
    pub fn range_of_unit(&self) -> (f64, f64) {
        let sign = self.sign();
        self.terms.iter().fold((0.0, 0.0), |range, (term, weight)| match term {
            Term::Measure(_, measure) => widened(range, sign * weight, measure.range),
            Term::Count(_) | Term::Reckoned(_) => range,
        })
    }

    /// Returns the least and the largest value of the counts of at most `most` units.
    pub fn range_of_counts(&self, most: f64) -> (f64, f64) {
        self.counts().fold((0.0, 0.0), |range, (expr, weight)| {
            widened(range, weight, (0.0, if expr.at_least.is_some() { 1.0 } else { most }))
        })
    }

    /// Returns a unit's value by one measure (0-based) with its default weight; 0 if there is none.
    pub fn worth_by_itself(&self, amounts: &[f64], measure: usize) -> f64 {
        self.measures.get(measure).map_or(0.0, |known| known.weight * amounts[measure])
    }

    /// Returns the canonical keys and values of a file: the weights, and what is not the default.
    pub fn entries(&self) -> impl Iterator<Item = (String, Json)> {
        let usual = Objective { wanted: None, ..self.clone() };
        let is_usual = usual.is_minimized() == self.is_minimized();
        let wanted = self.wanted.filter(|_| !is_usual);
        let key = wanted.map_or(OBJECTIVE, Extreme::name).to_string();
        let said = (wanted.is_some() || self.side != Player::Owner)
            .then(|| (FOR.to_string(), self.side.name().into()));
        [(key, self.to_json())].into_iter().chain(said)
    }

    /// Returns canonical JSON: a term of default weight is its name, others weights by name.
    pub fn to_json(&self) -> Json {
        if let Some(term) = self.alone() {
            return term.name().into();
        }
        let mut terms = self.terms.clone();
        terms.sort_by_key(|(term, _)| match term {
            Term::Measure(place, _) => *place,
            Term::Count(_) | Term::Reckoned(_) => usize::MAX,
        });
        terms.iter().map(|(term, weight)| (term.name(), Json::from(*weight))).collect()
    }

    /// Returns the only term, or `None` if there are more terms or its weight is not the default.
    fn alone(&self) -> Option<&Term> {
        match &self.terms[..] {
            [(term, weight)] if *weight == term.weight() => Some(term),
            _ => None,
        }
    }

    /// Checks that answers of a kind of question have all measures; `span` is its place.
    ///
    /// # Errors
    ///
    /// Fails at `span` if they do not have one of them.
    pub fn check_kind(&self, kind: &Kind, span: Range<usize>) -> Result<(), Fault> {
        let weighs = |name: &&&str| {
            self.terms.iter().any(
                |(term, _)| matches!(term, Term::Measure(_, measure) if measure.name == **name),
            )
        };
        let Some(measure) = kind.unreported.iter().find(weighs) else { return Ok(()) };
        let kinds = [kind];
        let names: Vec<&str> = reported(self.measures, &kinds).collect();
        let fault = Fault::new(format!("a `{}` has no measure `{measure}`", kind.name), span);
        Err(fault.help(format!("valid: {}", names.join(", "))))
    }

    /// Returns the objective in words: `P(Good Order)`, or `units in Good Order` for several units.
    pub fn in_words(&self, several: bool) -> String {
        match &self.terms[..] {
            [(term, weight)] if *weight == 1.0 || self.is_loss() => term.in_words(several),
            [(term, -1.0)] => format!("minus the {}", term.in_words(several)),
            _ => self.sum_of(|term| term.in_words(several)),
        }
    }

    /// Returns the name of the objective as a file writes it: `good-order - 0.25 x cvp`. A single
    /// term has its weight only if not the default.
    pub fn name(&self) -> String {
        if let Some(term) = self.alone() {
            return term.name();
        }
        let is_one = matches!(self.terms[..], [(_, 1.0)]);
        format!("{}{}", if is_one { "1 x " } else { "" }, self.sum_of(Term::name))
    }

    /// Returns a description of the goal: that of the number, after `the least` if less is better.
    pub fn aim_in_words(&self, several: bool) -> String {
        let least = if self.is_minimized() { "the least " } else { "" };
        format!("{least}{}", self.in_words(several))
    }

    /// Returns the sentence that says what is wanted, and by `side` if that is not the owner.
    pub fn sentence(&self, several: bool, side: &str) -> String {
        let of = if self.side == Player::Owner {
            String::new()
        } else {
            format!(" of {}", side_in_words(side))
        };
        format!("Objective{of}: {}.", self.aim_in_words(several))
    }

    /// Returns true if the number is a probability: of one unit, or of a threshold.
    pub fn is_odds(&self, several: bool) -> bool {
        self.terms.len() == 1 && self.in_words(several).starts_with("P(")
    }

    /// Returns a description of an increase of the number: `more survivors`.
    pub fn gain_in_words(&self, several: bool) -> String {
        match &self.terms[..] {
            [(Term::Measure(_, measure), weight)] if *weight == measure.weight => {
                measure.gain_in_words(several).to_string()
            }
            [(term, weight)] if *weight == 1.0 || self.is_loss() => match term {
                Term::Count(expr) => expr.gain_in_words(),
                Term::Measure(..) | Term::Reckoned(_) => term.in_words(several),
            },
            _ => "of the objective".to_string(),
        }
    }

    fn sum_of(&self, word: impl Fn(&Term) -> String) -> String {
        let mut text = String::new();
        for (term, weight) in &self.terms {
            text += match (*weight < 0.0, text.is_empty()) {
                (false, true) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (true, false) => " - ",
            };
            if weight.abs() != 1.0 {
                text += &format!("{} x ", weight.abs());
            }
            text += &word(term);
        }
        text
    }
}

impl fmt::Display for Objective {
    /// Writes the name, and what is not the default: `most holds for the enemy`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = self.wanted.map_or(String::new(), |wanted| format!("{} ", wanted.name()));
        write!(f, "{wanted}{}", self.name())?;
        if self.side == Player::Enemy { write!(f, " for the {}", self.side.name()) } else { Ok(()) }
    }
}

/// Adds the least and the largest value of a weighted amount to those of a sum.
fn widened((low, high): (f64, f64), weight: f64, (least, most): (f64, f64)) -> (f64, f64) {
    let ends = [weight * least.min(0.0), weight * most];
    (low + ends[0].min(ends[1]), high + ends[0].max(ends[1]))
}

/// Returns the names of the measures that one of the kinds reports, or all without kinds.
fn reported<'a>(measures: &'a [Measure], kinds: &'a [&'a Kind]) -> impl Iterator<Item = &'a str> {
    let is_reported = move |name: &&str| {
        kinds.is_empty() || kinds.iter().any(|kind| !kind.unreported.contains(name))
    };
    measures.iter().map(|measure| measure.name).filter(is_reported)
}

/// Returns the fault of a word that is neither a measure nor a class. The fault suggests names.
fn known_words(text: &str, measures: &[Measure], kinds: &[&'static Kind]) -> Fault {
    let classes = kinds.iter().flat_map(|kind| kind.classes).map(|class| class.name);
    let reckoned = kinds.iter().flat_map(|kind| kind.reckoned).map(|number| number.name);
    let names: IndexSet<&str> = reported(measures, kinds).chain(classes).chain(reckoned).collect();
    Fault::new(format!("no objective is called `{text}`"), 0..text.len()).expecting(text, names)
}

/// An objective as written in a file: a name, or a table of weights, not yet checked.
#[derive(Clone, Debug)]
pub struct Weights(pub Node);

impl FieldValue for Weights {
    const TAKES: Takes = Takes::Text("OBJECTIVE");

    fn read(field: &str, value: RawValue) -> Result<Weights, Fault> {
        Node::read(field, value).map(Weights)
    }

    fn read_node(field: &str, node: &Node) -> Result<Weights, Fault> {
        Node::read_node(field, node).map(Weights)
    }

    fn to_json(&self) -> Json {
        self.0.to_json()
    }
}

/// The key of a file that names the objective.
const OBJECTIVE: &str = "objective";
/// The key and the option that name the side for which something is better.
pub const FOR: &str = "for";

/// The keys of a file with what is good, and the side for which it is good.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    pub objective: Option<&'a Weights>,
    pub most: Option<&'a Weights>,
    pub fewest: Option<&'a Weights>,
    pub side: Option<&'a Spanned<String>>,
}

impl Goal<'_> {
    fn given(&self) -> impl Iterator<Item = (&Weights, Option<Extreme>)> {
        let keys = [
            (self.objective, None),
            (self.most, Some(Extreme::Most)),
            (self.fewest, Some(Extreme::Fewest)),
        ];
        keys.into_iter().filter_map(|(weights, wanted)| Some((weights?, wanted)))
    }

    /// Returns the byte range of the objective in the file, empty without one.
    pub fn span(&self) -> Range<usize> {
        self.given().next().map_or(0..0, |(weights, _)| weights.0.place.span.clone())
    }

    /// Resolves the objective, which is required. Without `for`, the side is the owner, or the one
    /// for which the wanted end is the usual one.
    ///
    /// # Errors
    ///
    /// Fails if there is not exactly one objective, or if it or the side is not valid for these
    /// measures and kinds.
    pub fn required(
        &self,
        measures: &'static [Measure],
        kinds: &[&'static Kind],
    ) -> Result<Objective, Fault> {
        self.or_usual(None, measures, kinds)
    }

    /// Resolves the objective as [`Goal::required`] does. Without one it is the usual one, if any.
    ///
    /// # Errors
    ///
    /// Fails as [`Goal::required`] does.
    pub fn or_usual(
        &self,
        usual: Option<&str>,
        measures: &'static [Measure],
        kinds: &[&'static Kind],
    ) -> Result<Objective, Fault> {
        let missing = || {
            let names = reported(measures, kinds).collect::<Vec<_>>().join(", ");
            let message =
                format!("`objective` is missing: expected one of {names}, or weights of them");
            Fault::new(message, 0..0).help(examples(measures))
        };
        let mut given = self.given();
        let (objective, wanted) = match (given.next(), usual) {
            (Some((weights, wanted)), _) => (weights.objective(measures, kinds)?, wanted),
            (None, Some(usual)) => (Objective::read(usual, measures, kinds)?, None),
            (None, None) => return Err(missing()),
        };
        if let Some((second, _)) = given.next() {
            let message = "use one of `objective`, `most` and `fewest`";
            return Err(second.0.place.fault(message).help("remove the others"));
        }
        let objective = Objective { wanted, ..objective };
        let side = match self.side {
            Some(Spanned { value, place }) => {
                side_named(value, kinds).map_err(|fault| place.blamed(fault))?
            }
            None => {
                let is_named = objective.alone().is_some();
                let is_usual =
                    wanted.is_none_or(|one| (one == Extreme::Fewest) == objective.is_loss());
                if is_named && !is_usual { Player::Enemy } else { Player::Owner }
            }
        };
        Ok(objective.for_side(side))
    }
}

impl Weights {
    /// Resolves the objective against the measures of a game and the classes of its kinds.
    ///
    /// # Errors
    ///
    /// Fails if a term is unknown or repeated, a weight is out of range, groups differ, or all
    /// weights are 0. The fault has its position in the file.
    pub fn objective(
        &self,
        measures: &'static [Measure],
        kinds: &[&'static Kind],
    ) -> Result<Objective, Fault> {
        let Weights(node) = self;
        let weights = match &node.raw {
            Raw::Text(text) => {
                return Objective::read(text, measures, kinds)
                    .map_err(|fault| node.place.blamed(fault));
            }
            Raw::Table(weights) => weights,
            _ => {
                let fault = node
                    .place
                    .fault(format!("`objective` must be a name or weights, not {}", node.kind()));
                return Err(fault.help(examples(measures)));
            }
        };
        let mut terms: Vec<(Term, f64)> = Vec::new();
        for (key, value) in weights {
            let one = Objective::read(&key.value, measures, kinds)
                .map_err(|fault| Fault { span: key.place.span.clone(), ..fault })?;
            let (term, _) = one.terms[0];
            let weight = weight(value, &term)?;
            if terms.iter().any(|(known, _)| *known == term) {
                return Err(key.place.fault(format!("`{}` has two weights", term.name())));
            }
            terms.push((term, weight));
            let mut counts = terms.iter().filter_map(|(term, _)| term.count());
            if let Some(first) = counts.next()
                && let Some(other) = counts.find(|expr| expr.group != first.group)
            {
                let fault =
                    key.place.fault(format!("`{other}` and `{first}` belong to different groups"));
                return Err(fault.help("an objective can count one group only"));
            }
            let further =
                |expr: &&MeasureExpr| kinds.iter().find_map(|kind| expr.further_end(kind));
            let counts = terms.iter().filter_map(|(term, _)| term.count());
            let mut ends = counts.filter_map(|expr| further(&expr));
            if let Some(first) = ends.next()
                && ends.any(|end| end != first)
            {
                let message =
                    format!("`{}` and another end cannot be weighed together", first.name);
                return Err(key
                    .place
                    .fault(message)
                    .help("weigh classes, and one end beside them"));
            }
        }
        if terms.iter().all(|(_, weight)| *weight == 0.0) {
            return Err(node.place.fault("the objective has no weights").help(examples(measures)));
        }
        terms.sort_by_key(|(term, _)| term.count().is_some());
        Ok(Objective { measures, terms, side: Player::Owner, wanted: None })
    }
}

/// Reads the weight of a term, which must not be a number reckoned before the first roll.
fn weight(node: &Node, term: &Term) -> Result<f64, Fault> {
    let name = term.name();
    if let Term::Reckoned(_) = term {
        let message = format!("`{name}` cannot be weighed against others");
        return Err(node.place.fault(message).help("name it alone"));
    }
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

/// Returns examples: the first measure alone, and a table that also weighs the last one.
fn examples(measures: &[Measure]) -> Remedy {
    let (first, last) = (measures[0], measures[measures.len() - 1]);
    let weights = vec![
        (first.name, format!("{:?}", first.weight)),
        (last.name, format!("{:?}", last.weight / 4.0)),
    ];
    shown(
        "{}, or {}",
        [text_field("objective", first.name), CodePiece::Table("objective", weights)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::from_toml;

    schema::kind::measures! {
        const MEASURES;
        struct Amounts;
        good_order = "good-order", 1.0, "P(Good Order)", "units in Good Order", "more of them";
        survives = "survives", 1.0, "P(survives)", "survivors", "more survivors";
        cvp = "cvp", -1.0, "CVP lost", "CVP lost", "CVP lost";
    }

    fn named(text: &str) -> Objective {
        Objective::named(text, MEASURES, &[]).unwrap()
    }

    fn read(text: &str) -> Result<Objective, Fault> {
        from_toml::read::<Weights>(text, "an objective").unwrap().objective(MEASURES, &[])
    }

    fn weighted(weights: &[(&str, f64)]) -> Objective {
        let lines = weights.iter().map(|(name, weight)| format!("{name} = {weight:?}\n"));
        read(&lines.collect::<String>()).unwrap()
    }

    #[test]
    fn measures_are_found_by_name() {
        for (place, measure) in MEASURES.iter().enumerate() {
            let objective = Objective::of_term(Term::Measure(place, measure), MEASURES);
            assert_eq!(Objective::named(measure.name, MEASURES, &[]), Ok(objective));
        }
        assert_eq!(named("Good_Order"), named("good-order"));
        let fault = Objective::named("god-order", MEASURES, &[]).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "no objective is called `god-order` (did you mean `good-order`?)"
        );
        let fault = Objective::named("victory", MEASURES, &[]).unwrap_err();
        assert!(fault.to_string().ends_with("(valid: good-order, survives, cvp)"), "{fault}");
    }

    #[test]
    fn value_is_the_weighted_sum_of_measures() {
        let unit = Amounts { good_order: 1.0, survives: 1.0, cvp: 1.0 }.in_order();
        assert_eq!(
            ["good-order", "survives", "cvp"].map(|text| named(text).worth(&unit)),
            [1.0, 1.0, -1.0]
        );
        let objective = weighted(&[("good-order", 1.0), ("cvp", -0.25)]);
        assert_eq!(objective.worth(&unit), 0.75);
        assert_eq!(objective.worth(&[1.0, 1.0, 0.0]), 1.0);
        assert_eq!(named("cvp").worth(&[1.0, 1.0, 0.0]).to_string(), "0", "not -0");
        assert_eq!(objective.worth_by_itself(&unit, 2), -1.0);
    }

    #[test]
    fn objectives_are_described_in_words() {
        let both = weighted(&[("good-order", 1.0), ("cvp", -0.25)]);
        for (objective, several, name, words, gain) in [
            (named("good-order"), false, "good-order", "P(Good Order)", "P(Good Order)"),
            (named("good-order"), true, "good-order", "units in Good Order", "more of them"),
            (named("survives"), true, "survives", "survivors", "more survivors"),
            (named("cvp"), true, "cvp", "CVP lost", "CVP lost"),
            (
                both,
                false,
                "good-order - 0.25 x cvp",
                "P(Good Order) - 0.25 x CVP lost",
                "of the objective",
            ),
            (weighted(&[("cvp", 1.0)]), false, "1 x cvp", "CVP lost", "CVP lost"),
            (
                weighted(&[("survives", -1.0)]),
                false,
                "-survives",
                "minus the P(survives)",
                "of the objective",
            ),
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
                (objective.in_words(several), objective.gain_in_words(several)),
                (words.to_string(), gain.to_string())
            );
        }
    }

    /// An objective that is a single loss is shown as an amount to be minimised. Any other
    /// objective is shown as its value.
    #[test]
    fn bad_measures_are_shown_unnegated() {
        for (objective, aim, number) in [
            (named("cvp"), "the least CVP lost", 0.5),
            (weighted(&[("cvp", -1.0)]), "the least CVP lost", 0.5),
            (weighted(&[("cvp", 1.0)]), "CVP lost", -0.5),
            (weighted(&[("cvp", -2.0)]), "-2 x CVP lost", -0.5),
            (named("survives"), "survivors", -0.5),
            (weighted(&[("survives", -1.0)]), "minus the survivors", -0.5),
            (weighted(&[("survives", 1.0), ("cvp", -1.0)]), "survivors - CVP lost", -0.5),
        ] {
            assert_eq!(objective.aim_in_words(true), aim);
            assert_eq!(objective.number(-0.5), number, "{objective}");
            assert_eq!(objective.number(0.0).to_string(), "0", "not -0");
        }
    }

    #[test]
    fn zero_and_invalid_weights_are_refused() {
        for text in ["", "cvp = 0.0", "cvp = nan", "cvp = -1e7"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
