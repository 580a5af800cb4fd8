//! Advanced Squad Leader as a game: its kinds of questions, its interpretations, and its measures.

use std::sync::LazyLock;

use super::{campaign, policy, stack};
use crate::attack::weapons::SupportWeapon;
use crate::catalogue::{CATALOGUE, Counter};
use crate::close_combat::question::{CloseCombats, CombatKind};
use crate::counting::MEASURES;
use crate::crossing::question::{CrossingKind, Crossings};
use crate::form_hints::FORM_HINTS;
use crate::kinds::{QuestionKind, Stacks};
use crate::notation::conditions;
use crate::platoon::question::{PlatoonKind, Platoons};
use crate::rulebook::INTERPRETATIONS;
use crate::sniper::question::{SniperKind, Snipers};
use play::{Draft, Form, Game, Policy};
use schema::{ChoiceMaker, FormHints, Kind, Measure, Parameter, Source, StockUnit, Word as _};

/// The game Advanced Squad Leader.
#[derive(Clone, Copy, Debug)]
pub struct Asl;

impl Game for Asl {
    fn name(&self) -> &'static str {
        "asl"
    }

    fn about(&self) -> &'static str {
        "Advanced Squad Leader: fire, Morale Checks, Close Combat, rout and rally"
    }

    fn kinds(&self) -> &'static [&'static Kind] {
        static KINDS: LazyLock<Vec<&'static Kind>> = LazyLock::new(|| {
            let stacks = [QuestionKind::DECLARED, CrossingKind::DECLARED, CombatKind::DECLARED];
            let others = [SniperKind::DECLARED, PlatoonKind::DECLARED];
            [&stacks.concat()[..], &others.concat(), campaign::CampaignKind::DECLARED].concat()
        });
        &KINDS
    }

    fn form(&self, kind: &'static Kind) -> Box<dyn Form> {
        match kind.name {
            name if name == campaign::CampaignKind::Campaign.declared().name => {
                Draft::<campaign::Lanes>::blank(kind)
            }
            name if name == CombatKind::Cc.declared().name => Draft::<CloseCombats>::blank(kind),
            name if name == CrossingKind::Cross.declared().name => Draft::<Crossings>::blank(kind),
            name if PlatoonKind::DECLARED.iter().any(|known| known.name == name) => {
                Draft::<Platoons>::blank(kind)
            }
            name if SniperKind::DECLARED.iter().any(|known| known.name == name) => {
                Draft::<Snipers>::blank(kind)
            }
            _ => Draft::<Stacks>::blank(kind),
        }
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |interpretation: &crate::rulebook::Interpretation| Parameter {
            name: interpretation.id,
            default: interpretation.values[0],
            values: interpretation.values[1],
            source: Source::Open,
            about: interpretation.question,
        };
        INTERPRETATIONS.iter().map(parameter).collect()
    }

    fn measures(&self) -> &'static [Measure] {
        MEASURES
    }

    fn policies(&self, kind: &Kind) -> Vec<Policy> {
        match kind.play {
            ChoiceMaker::Unasked | ChoiceMaker::Plan => Vec::new(),
            ChoiceMaker::Policy => stack::policies().collect(),
            ChoiceMaker::Best => {
                policy::RoutPolicy::all().map(policy::RoutPolicy::described).collect()
            }
        }
    }

    fn units(&self) -> Vec<StockUnit> {
        let counters = CATALOGUE.counters();
        let unit = |counter: &Counter| {
            let (unit, name) = (format!("id:{}", counter.id), counter.printed().to_string());
            let side = counter.nation.to_string();
            let is_same =
                |other: &&Counter| other.nation == counter.nation && other.printed() == name;
            let written = match counters.iter().filter(is_same).count() {
                1 => format!("{side}:{name}"),
                _ => unit.clone(),
            };
            let about = format!("{side} {name}");
            StockUnit { unit, written, side, name, about }
        };
        counters.iter().map(unit).collect()
    }

    fn conditions(&self) -> Vec<String> {
        conditions()
    }

    fn weapons(&self) -> Vec<(String, &'static str)> {
        let weapons = SupportWeapon::all().iter();
        weapons.map(|weapon| (weapon.nation.to_string(), weapon.name.as_str())).collect()
    }

    fn form_hints(&self) -> FormHints {
        FORM_HINTS
    }
}
