//! The rolls of a crossing in words.

use super::model::{AttackSource, Crossing};
use super::state::{CrossingState, CrossingStep, CrossingTerms};
use engine::dice::Face;
use engine::process::{Event, Process as _};

impl Crossing {
    /// Returns the name of what makes an attack: `G, First Fire`, `Residual FP`.
    pub(crate) fn source_in_words(&self, source: AttackSource) -> String {
        match source {
            AttackSource::Residual(_) => "Residual FP".to_string(),
            AttackSource::Lane => "Fire Lane".to_string(),
            AttackSource::Position(position, tier) => {
                let name = &self.positions[usize::from(position)].name;
                format!("{name}, {}", tier.phase().in_words())
            }
        }
    }

    /// Describes a roll for a trace.
    pub(crate) fn roll_in_words(
        &self,
        state: &CrossingState,
        terms: &CrossingTerms,
        face: Face,
    ) -> Event {
        let of_position = |position: usize| &self.positions[position].name;
        match (state.step, terms) {
            (CrossingStep::Attack { entry, .. }, CrossingTerms::Mover(terms)) => {
                let Event { rule, text } = self.engagement.describe(&state.mover, terms, face);
                let is_attack = terms.is_shot();
                let of = self.entries[usize::from(entry)];
                let source = self.source_in_words(of.source);
                let into = &self.location(of.location).name;
                let text = match is_attack {
                    true => format!("into {into}: {source}: {text}"),
                    false => text,
                };
                Event { rule, text }
            }
            (CrossingStep::Check { .. }, CrossingTerms::Firer(position, terms)) => {
                let position = usize::from(*position);
                let Some(check) = &state.check else {
                    return Event { rule: "", text: String::new() };
                };
                let Event { rule, text } = self.checks[position].describe(check, terms, face);
                Event { rule, text: format!("{}: {text}", of_position(position)) }
            }
            (CrossingStep::Draw { .. }, _) => Event {
                rule: "8.31",
                text: format!("Random Selection among the firers: dr {}", face.number()),
            },
            _ => Event { rule: "", text: String::new() },
        }
    }
}
