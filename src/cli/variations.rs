//! Variations of a question, compared with it: what more or less of something is worth, and the
//! best of all plans by a race in which the worse half gives up.

use super::compare;
use super::fault::{Failure, Result};
use super::reply::Reply;
use super::run::SideArgument;
use answer::{Options, Trials, Variation};
use engine::text::Fault;
use play::files::courses::COURSES;
use play::variations::{NamedQuestion, race, varied};
use play::{DynQuestion, Form, Game, Objective};
use schema::{Kind, VariationOption};

/// The sequences of each variation whose figure is shown, unless their number is given. All meet
/// the same dice, so that differences are known better than the figures.
const SEQUENCES: u64 = 100_000;

/// The course without a change.
const AS_IT_IS: &str = "as it is";

/// A question with its variations, and how they are compared.
pub struct VariedQuestion<'a> {
    pub game: &'static dyn Game,
    pub kind: &'static Kind,
    pub form: &'a dyn Form,
    pub option: &'static VariationOption,
    /// The measure that is asked for, if one is.
    pub measure: Option<&'a str>,
    pub side: &'a SideArgument,
}

impl VariedQuestion<'_> {
    /// Compares a question with its variations.
    ///
    /// # Errors
    ///
    /// Fails if there are none, if the measure is none of the kind, or if an engine gives up.
    pub fn reply(
        &self,
        question: Box<dyn DynQuestion>,
        command: String,
        options: Options<'static>,
    ) -> Result<Reply> {
        let words = question.words();
        let measure = self.measure.map(|text| words.canonical_measure(text));
        let measure = measure.or_else(|| words.usual_measure());
        let text = measure.unwrap_or_else(|| self.game.measures()[0].name.to_string());
        let objective = Objective::read(&text, self.game.measures(), &[self.kind])
            .map_err(|fault| Failure::argument("--tell", &text, fault))?;
        let objective = self.side.over(objective, &[self.kind])?;
        let variations = question.words().variations(self.option.name);
        if variations.is_empty() {
            let fault = Fault::new("there is nothing to choose", 0..0);
            return Err(Failure::argument(self.option.name, "", fault));
        }
        let mut courses = variations
            .iter()
            .map(|one| self.course(one))
            .collect::<Result<Vec<NamedQuestion>>>()?;
        if self.option.is_race {
            courses = race(courses, &objective, &options)?;
        }
        courses.insert(0, (AS_IT_IS.to_string(), question));
        courses.truncate(*COURSES.end());
        // The winner of a race gets a figure from new dice, since those of the race favour it.
        let seed = if self.option.is_race { options.seed.wrapping_add(1) } else { options.seed };
        let trials = match options.trials {
            Trials::Usual => Trials::Number(SEQUENCES),
            given => given,
        };
        let options = Options { seed, trials, ..options };
        let wanted = ("--tell", Some(text.as_str()), self.side);
        compare::reply((self.game, self.kind), courses, wanted, command, options)
    }

    fn course(&self, variation: &Variation) -> Result<NamedQuestion> {
        varied(self.form, variation)
            .map_err(|fault| Failure::argument(self.option.name, &variation.name, fault))
    }
}
