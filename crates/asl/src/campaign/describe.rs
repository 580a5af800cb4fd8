//! The states and choices of a campaign in words.

use super::process::{CampaignStage, CampaignState, ChoiceSubject};
use super::world::Campaign;
use crate::board::map::Location;
use crate::board::terrain::Mf;
use crate::rout::{self, Rout, RoutMove, RoutProgress};
use crate::vocabulary::attack::Attack;
use engine::process::{Decisions, Due, Player, Process as _};

impl Campaign {
    /// Returns the name of a Location, as the campaign or else the map gives it.
    pub fn place(&self, location: Location) -> String {
        let named = self.orders.names.iter().find(|(at, _)| *at == location);
        named.map_or_else(|| self.situation().map.location_name(location), |(_, name)| name.clone())
    }

    /// Describes the unit, its Location, and the units with it.
    pub fn state(&self, state: &CampaignState) -> String {
        let engagement = &self.spot_of(state).engagement;
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

    /// Describes the progress of a rout, as an addition to a sentence.
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

    fn rout_options(&self, rout: &Rout, state: &rout::RoutState) -> Vec<String> {
        if let Some(hidden) = rout.may_be_revealed(state) {
            let none = std::iter::once("no further unit is revealed".to_string());
            return none.chain(hidden.iter().map(|name| format!("{name} is revealed"))).collect();
        }
        let words = |&chosen: &RoutMove| {
            let target =
                rout.target(state, chosen).map_or(String::new(), |location| self.place(location));
            match chosen {
                RoutMove::Stay => "stays".to_string(),
                RoutMove::Stop => "stops".to_string(),
                RoutMove::GoFree => "routs freely".to_string(),
                RoutMove::Declare(_) => format!("runs for {target}"),
                RoutMove::Crawl(_) => format!("Low Crawls to {target}"),
                RoutMove::Step(_) => format!("goes to {target}"),
            }
        };
        rout.moves(state).iter().map(words).collect()
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
                let words = |attack: &Attack| format!("{} FP {:+}", attack.firepower, attack.drm);
                let attack = self.spot_of(state).attack(*number).map(words).unwrap_or_default();
                format!("fire, the enemy: {attack} on {location}")
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
        match &state.stand {
            CampaignStage::Rout(number, rout) => self.rout_options(&self.rout(*number), rout),
            CampaignStage::Aimed(_) => vec!["fires".to_string(), "holds fire".to_string()],
            CampaignStage::Threatened => {
                vec!["holds its place".to_string(), "breaks of its own accord".to_string()]
            }
            _ if state.location.units.len() == 1 => {
                self.kinds(state).into_iter().map(alone).collect()
            }
            _ => self.spot_of(state).engagement.options(&state.location),
        }
    }

    fn kinds(&self, state: &CampaignState) -> Vec<&'static str> {
        match &state.stand {
            CampaignStage::Rout(number, rout) => {
                let running = self.rout(*number);
                if let Some(hidden) = running.may_be_revealed(rout) {
                    return [vec!["stay-hidden"], vec!["reveal"; hidden.len()]].concat();
                }
                running.moves(rout).into_iter().map(kind).collect()
            }
            CampaignStage::Aimed(_) => vec!["fire", "hold-fire"],
            CampaignStage::Threatened => vec!["hold", "break"],
            _ => self.spot_of(state).engagement.kinds(&state.location),
        }
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

const fn kind(chosen: RoutMove) -> &'static str {
    match chosen {
        RoutMove::Stay => "stay",
        RoutMove::Stop => "stop",
        RoutMove::GoFree => "rout-freely",
        RoutMove::Declare(_) => "run",
        RoutMove::Crawl(_) => "low-crawl",
        RoutMove::Step(_) => "go-on",
    }
}
