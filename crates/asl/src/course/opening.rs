//! The first options of a broken unit whose campaign begins with its rout, under best play.

use super::campaign::gain;
use crate::campaign::{Campaign, CampaignState, ChoiceSubject};
use crate::rout::{Rout, RoutProgress};
use engine::EngineError;
use engine::monitor::Monitor;
use engine::process::{Due, Process as _, Silent};
use play::{Best, Objective, Valued};

/// The first options of a unit, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    /// The options with their values under best play afterwards. A unit that surrenders has that
    /// as its only one (20.21).
    pub list: Vec<Valued>,
    /// The number of states that were solved.
    pub states: usize,
}

impl Openings {
    /// Returns by how much the objective of an option exceeds that of the best other option. It is
    /// negative for all but the best, and `None` if there is no other option.
    pub fn margin(&self, option: usize) -> Option<f64> {
        let other = self.list.get(usize::from(option == 0))?;
        Some(self.list.get(option)?.value[0] - other.value[0])
    }
}

/// Solves a campaign that begins with the rout of a broken unit, and returns its first options.
///
/// # Errors
///
/// Fails with [`EngineError::TooManyStates`] if the campaign is too large, or if `watch` cancels
/// it.
pub fn openings(
    campaign: &Campaign,
    objective: &Objective,
    watch: Monitor,
) -> Result<Openings, EngineError> {
    let mut best = Best::watched(campaign, gain(campaign, objective), watch)?;
    let opening = match begins_with_choice(campaign, &campaign.start(&mut Silent)) {
        true => best.opening()?,
        false => None,
    };
    let only = || vec![only_option(campaign, &best)];
    let list = opening.map_or_else(only, |opening| opening.choices);
    Ok(Openings { list, states: best.states() })
}

/// Returns whether the rout begins with a choice of the owner.
fn begins_with_choice(campaign: &Campaign, start: &CampaignState) -> bool {
    let Due::Choice { options: 2.., .. } = campaign.due(start) else { return false };
    let ChoiceSubject::Rout(_, rout, state) = campaign.choice_subject(start) else { return false };
    rout.phase(state) == RoutProgress::Start
}

fn only_option(campaign: &Campaign, best: &Best<Campaign>) -> Valued {
    let rout = Rout::new(campaign.situation(), &campaign.situation().routers[0]);
    let mut options = campaign.rout_options(&rout, &rout.start(&mut Silent)).into_iter();
    let (kind, option) = options.next().unwrap_or(("surrender", "surrenders".to_string()));
    Valued { option, kind, value: best.value() }
}
