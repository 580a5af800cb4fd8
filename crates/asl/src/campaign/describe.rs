//! The states and choices of a campaign in words.

use super::process::{CampaignStage, CampaignState, ChoiceSubject};
use super::world::Campaign;
use crate::board::map::Location;
use crate::board::terrain::Mf;
use crate::rout::{self, Rout, RoutMove, RoutProgress};
use crate::vocabulary::Attack;
use engine::process::{Decisions, Due, Player, Process as _};

impl Campaign {
    /// Returns the name of a Location, as the campaign or else the map gives it.
    pub fn place(&self, location: Location) -> String {
        let named = self.orders.names.iter().find(|(at, _)| *at == location);
        named.map_or_else(|| self.situation().map.location_name(location), |(_, name)| name.clone())
    }

    /// Describes the unit, its Location, and the units with it.
    pub fn state(&self, state: &CampaignState) -> String {
        let engagement = &self.node_of(state).engagement;
        let has_left = matches!(&state.stand, CampaignStage::Rout(number, rout)
            if self.rout(*number).has_moved(rout));
        let mut company = Vec::new();
        if !has_left {
            let leader = engagement.resident.iter();
            company.extend(leader.map(|leader| engagement.counter(leader).printed().to_string()));
            let others = state.location.units.iter().skip(1).filter(|unit| unit.is_present());
            company.extend(others.map(|unit| engagement.written(unit)));
        }
        let with = if company.is_empty() { "" } else { " with " };
        let (unit, place) = (engagement.written(self.unit_in(state)), self.location(state));
        format!("{unit} in {}{with}{}", self.place(place), company.join(", "))
    }

    fn progress(&self, rout: &Rout, state: &rout::RoutState) -> String {
        let doing = match rout.phase(state) {
            RoutProgress::Start | RoutProgress::Over(_) => return String::new(),
            RoutProgress::Refiguring => "to choose anew".to_string(),
            RoutProgress::Bound(goal) => format!("bound for {}", self.place(goal)),
            RoutProgress::Free => "routing freely".to_string(),
            RoutProgress::Arrived => "arrived".to_string(),
        };
        format!(", {doing} with {} MF", Mf::halves(rout.left(state)))
    }

    /// Returns the kind and the text of each option.
    fn choices(&self, state: &CampaignState) -> Vec<(&'static str, String)> {
        let two = |choices: [(&'static str, &str); 2]| {
            choices.map(|(kind, text)| (kind, text.to_string())).to_vec()
        };
        match &state.stand {
            CampaignStage::Rout(number, rout) => self.rout_options(&self.rout(*number), rout),
            CampaignStage::Aimed(_) => two([("fire", "fires"), ("hold-fire", "holds fire")]),
            CampaignStage::Threatened => {
                two([("hold", "holds its place"), ("break", "breaks of its own accord")])
            }
            _ => {
                let engagement = &self.node_of(state).engagement;
                let kinds = engagement.kinds(&state.location).into_iter();
                match state.location.units.len() {
                    1 => kinds.map(|kind| (kind, alone(kind))).collect(),
                    _ => kinds.zip(engagement.options(&state.location)).collect(),
                }
            }
        }
    }

    /// Returns the kind and the text of each option in a rout.
    pub(crate) fn rout_options(
        &self,
        rout: &Rout,
        state: &rout::RoutState,
    ) -> Vec<(&'static str, String)> {
        if let Some(hidden) = rout.may_be_revealed(state) {
            let none = ("stay-hidden", "no further unit is revealed".to_string());
            let reveal = |name: &String| ("reveal", format!("{name} is revealed"));
            return std::iter::once(none).chain(hidden.iter().map(reveal)).collect();
        }
        let choice = |&chosen: &RoutMove| {
            let target = rout.target(state, chosen);
            let target = target.map(|location| self.place(location)).unwrap_or_default();
            match chosen {
                RoutMove::Stay => ("stay", "stays".to_string()),
                RoutMove::Stop => ("stop", "stops".to_string()),
                RoutMove::GoFree => ("rout-freely", "routs freely".to_string()),
                RoutMove::Declare(_) => ("run", format!("runs for {target}")),
                RoutMove::Crawl(_) => ("low-crawl", format!("Low Crawls to {target}")),
                RoutMove::Step(_) => ("go-on", format!("goes to {target}")),
            }
        };
        rout.moves(state).iter().map(choice).collect()
    }
}

impl Decisions for Campaign {
    fn decision(&self, state: &CampaignState) -> String {
        let location = self.state(state);
        let what = match &state.stand {
            CampaignStage::Rout(number, rout) => {
                let running = self.rout(*number);
                let enemy = matches!(running.due(rout), Due::Choice { player: Player::Enemy, .. });
                let side = if enemy { ", the enemy" } else { "" };
                format!("RtPh{side}: {location}{}", self.progress(&running, rout))
            }
            CampaignStage::Aimed(number) => {
                let Attack { firepower, drm, .. } =
                    self.node_of(state).attacks[usize::from(*number)];
                format!("fire, the enemy: {firepower} FP {drm:+} on {location}")
            }
            CampaignStage::Threatened => format!("RtPh: {location}"),
            _ if matches!(self.choice_subject(state), ChoiceSubject::Dm) => {
                format!("end of RPh: {location}")
            }
            _ => format!("RPh: {location}"),
        };
        format!("Player Turn {}, {what}", state.turn)
    }

    fn options(&self, state: &CampaignState) -> Vec<String> {
        self.choices(state).into_iter().map(|(_, text)| text).collect()
    }

    fn kinds(&self, state: &CampaignState) -> Vec<&'static str> {
        self.choices(state).into_iter().map(|(kind, _)| kind).collect()
    }
}

fn alone(kind: &str) -> String {
    match kind {
        "try" => "tries to rally",
        "let-be" => "does not try to rally",
        "keep-dm" => "keeps DM",
        _ => "loses DM",
    }
    .to_string()
}
