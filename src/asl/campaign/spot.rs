//! A Location in a campaign: who is there to help, what the enemy can do to a unit in it, and what is played there.

use smallvec::SmallVec;
use std::sync::Arc;

use super::fire::Fire;
use crate::asl::catalogue::Kind;
use crate::asl::choice::Choices;
use crate::asl::engagement::{Engagement, Setting};
use crate::asl::roster::Roster;
use crate::asl::rout::{Enemy, Situation};
use crate::asl::scene::Scene;
use crate::asl::stack::Slots;
use crate::asl::unit::{Condition, Unit};
use crate::asl::vocabulary::attack::Attack;
use crate::asl::vocabulary::rally::RallyPhase;
use crate::asl::vocabulary::stage::Stage;
use crate::asl::vocabulary::telling::Telling;
use crate::board::map::{Site, Works};
use crate::board::terrain::Terrain;

/// A Location, and whether the unit is in its works or shellholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Post {
    pub site: Site,
    pub sheltered: bool,
}

/// What is played in a Location; each is a stage of its engagement, with a report behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scenes {
    /// 10.6: the Rally Phase of the side's own Player Turn, or of the enemy's.
    Rally { own: bool },
    /// 10.41.
    Break,
    /// 7.3: one of the attacks.
    Attack(u8),
}

impl Scenes {
    /// The stage of the engagement.
    pub(super) fn stage(self) -> usize {
        2 * match self {
            Scenes::Rally { own } => usize::from(own),
            Scenes::Break => 2,
            Scenes::Attack(number) => 3 + usize::from(number),
        }
    }
}

/// A Location in a campaign.
pub(super) struct Spot {
    pub engagement: Engagement,
    /// 7.3: attacks it takes in each phase of fire.
    pub attacks: Vec<Attack>,
    /// 10.51: woods, building or pillbox.
    pub in_cover: bool,
    /// 10.41: whether an unbroken unit may break there of its own accord.
    pub may_break: bool,
}

/// Whose campaign it is, as in play.
pub(super) struct Cast {
    pub roster: Arc<Roster>,
    pub unit: Unit,
    /// The leaders of the situation, in order.
    pub leaders: Vec<Unit>,
}

impl Spot {
    pub(super) fn new(situation: &Situation, fire: &Fire, cast: &Cast, post: Post) -> Spot {
        let Post { site, sheltered } = post;
        let rulebook = situation.rulebook;
        let sees = |enemy: &&Enemy| enemy.at == site || situation.sight.hindrance(&situation.map, enemy.at, site).is_some();
        let known: Vec<&Enemy> = situation
            .enemies
            .iter()
            .filter(|enemy| !enemy.circumstances.concealed && !enemy.is(Condition::Captured))
            .filter(sees)
            .collect();
        let beside = |enemy: &&&Enemy| enemy.at == site || situation.are_adjacent(enemy.at, site);
        let ground = situation.map.get(site.hex);
        let works = ground.and_then(|ground| ground.works).filter(|_| sheltered);
        let terrain = ground.map_or(Terrain::open(), |ground| ground.terrain);
        let dug_in = works.and_then(|works| Terrain::named(works.name()).ok());
        let bonus = rulebook.gives_rally_bonus(terrain) || dug_in.is_some_and(|works| rulebook.gives_rally_bonus(works));
        // 10.6, 10.21: one of them leads, a Commissar before all (A25.22), else the one with the best DRM for the unit.
        let leaders = situation.leaders().zip(&cast.leaders).filter(|(friend, _)| friend.at == site).map(|(_, leader)| *leader);
        let rank = |leader: &Unit| {
            let counter = &cast.roster[leader.counter];
            let foreign = cast.roster[cast.unit.counter].nation.is_foreign_to(counter.nation);
            let worse = i8::from(leader.is(Condition::Wounded)) + i8::from(foreign);
            (counter.kind != Kind::Commissar, counter.leadership + worse)
        };
        let leader = leaders.min_by_key(rank);
        let attacks = fire.attacks(situation, site, sheltered);
        let rally = |own| Stage::RallyPhase(RallyPhase { own, lent_leader: leader, terrain: bonus, keeps_dm: false });
        let stages = [rally(false), rally(true), Stage::VoluntaryBreak(Slots::from_iter([0]))];
        let stages = stages.into_iter().chain(attacks.iter().map(|attack| Stage::Fire(*attack)));
        let mut router = situation.routers[0].clone();
        (router.at, router.sheltered) = (site, sheltered);
        let setting = Setting {
            roster: cast.roster.clone(),
            rulebook,
            scene: Scene {
                heat_of_battle: situation.heat_of_battle,
                known_enemy: !known.is_empty(),
                captor: known.iter().filter(beside).any(|enemy| enemy.takes_prisoners(true, rulebook)),
                no_quarter: situation.no_quarter,
                against_russians: situation.faces_russians(),
                enemy_adjacent: known.iter().filter(beside).any(|enemy| enemy.is_armed(rulebook)),
            },
            units: SmallVec::from_slice(&[cast.unit]),
            resident: leader,
            stages: stages.flat_map(|stage| [stage, Stage::Report(0)]).collect(),
            telling: Telling::of_the_first(1),
        };
        let engagement = Engagement::of(setting).leaving(Choices::ALL);
        let in_cover = ground.is_some_and(|ground| ground.is_cover()) || works == Some(Works::Pillbox);
        let may_break = situation.may_break_voluntarily(&router);
        Spot { engagement, attacks, in_cover, may_break }
    }
}

/// Whether a unit is followed on: it is there, and not berserk (15.42).
pub(super) fn is_followed(unit: &Unit) -> bool {
    unit.is_present() && !unit.is(Condition::Berserk)
}
