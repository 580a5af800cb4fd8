//! A Location in a campaign: who is there to help, what the enemy can do to a unit in it, and what
//! is played there.

use smallvec::SmallVec;
use std::sync::Arc;

use super::fire::Fire;
use crate::board::map::{Site, Works};
use crate::board::terrain::Terrain;
use crate::catalogue::CounterKind;
use crate::choice::Choices;
use crate::engagement::{Engagement, Setting};
use crate::location::Location;
use crate::roster::Roster;
use crate::rout::{Enemy, Situation};
use crate::scene::Scene;
use crate::stack::Slots;
use crate::unit::{Condition, Unit};
use crate::vocabulary::attack::Attack;
use crate::vocabulary::rally::RallyPhase;
use crate::vocabulary::stage::Stage;
use crate::vocabulary::telling::Telling;
use engine::process::Log;

/// A Location, and whether the unit is in its works or shellholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Whereabouts {
    pub site: Site,
    pub sheltered: bool,
}

/// What can be played in a Location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// 10.6: the Rally Phase of the side's own Player Turn, or of the enemy's.
    Rally { own: bool },
    /// 10.41.
    Break,
    /// 7.3: one of the attacks.
    Attack(u8),
}

/// A Location in a campaign.
pub(super) struct Spot {
    pub engagement: Engagement,
    /// What is played in it: each part is a stage of its engagement, in this order, with a report
    /// behind it.
    parts: Vec<(Part, Stage)>,
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
    pub(super) fn new(situation: &Situation, fire: &Fire, cast: &Cast, post: Whereabouts) -> Spot {
        let Whereabouts { site, sheltered } = post;
        let rulebook = situation.rulebook;
        let sees = |enemy: &&Enemy| {
            enemy.at == site || situation.sight.hindrance(&situation.map, enemy.at, site).is_some()
        };
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
        let bonus = rulebook.gives_rally_bonus(terrain)
            || dug_in.is_some_and(|works| rulebook.gives_rally_bonus(works));
        // 10.6, 10.21: one of them leads, a Commissar before all (A25.22), else the one with the
        // best DRM for the unit.
        let leaders = situation
            .leaders()
            .zip(&cast.leaders)
            .filter(|(friend, _)| friend.at == site)
            .map(|(_, leader)| *leader);
        let rank = |leader: &Unit| {
            let counter = &cast.roster[leader.counter];
            let foreign = cast.roster[cast.unit.counter].nation.is_foreign_to(counter.nation);
            let worse = i8::from(leader.is(Condition::Wounded)) + i8::from(foreign);
            (counter.kind != CounterKind::Commissar, counter.leadership + worse)
        };
        let leader = leaders.min_by_key(rank);
        let rally = |own| {
            let phase = RallyPhase { own, lent_leader: leader, terrain: bonus, keeps_dm: false };
            (Part::Rally { own }, Stage::RallyPhase(phase))
        };
        let breaking = (Part::Break, Stage::VoluntaryBreak(Slots::from_iter([0])));
        let attacks = (0..).zip(fire.attacks(situation, site, sheltered));
        let attacks = attacks.map(|(number, attack)| (Part::Attack(number), Stage::Fire(attack)));
        let parts: Vec<(Part, Stage)> =
            [rally(false), rally(true), breaking].into_iter().chain(attacks).collect();
        let mut router = situation.routers[0].clone();
        (router.at, router.sheltered) = (site, sheltered);
        let setting = Setting {
            roster: cast.roster.clone(),
            rulebook,
            scene: Scene {
                known_enemy: !known.is_empty(),
                captor: known
                    .iter()
                    .filter(beside)
                    .any(|enemy| enemy.takes_prisoners(true, rulebook)),
                enemy_adjacent: known.iter().filter(beside).any(|enemy| enemy.is_armed(rulebook)),
                ..situation.scene()
            },
            units: SmallVec::from_slice(&[cast.unit]),
            resident: leader,
            stages: parts.iter().flat_map(|(_, stage)| [stage.clone(), Stage::Report(0)]).collect(),
            telling: Telling::of_the_first(1),
        };
        let engagement = Engagement::of(setting).leaving(Choices::ALL);
        let in_cover =
            ground.is_some_and(|ground| ground.is_cover()) || works == Some(Works::Pillbox);
        let may_break = situation.may_break_voluntarily(&router);
        Spot { engagement, parts, in_cover, may_break }
    }

    /// 7.3: the attack of that number that it takes in each phase of fire, if there are so many.
    pub(super) fn attack(&self, number: u8) -> Option<&Attack> {
        self.parts.iter().find_map(|(part, stage)| match stage {
            Stage::Fire(attack) if *part == Part::Attack(number) => Some(attack),
            _ => None,
        })
    }

    /// Plays one part on units that come from elsewhere, up to the first roll or its end.
    pub(super) fn play<L: Log>(&self, part: Part, location: &mut Location, log: &mut L) {
        if let Some(place) = self.parts.iter().position(|(other, _)| *other == part) {
            self.engagement.play(2 * place, location, log);
        }
    }
}

/// Whether a unit is followed on: it is there, and not berserk (15.42).
pub(super) fn is_followed(unit: &Unit) -> bool {
    unit.is_present() && !unit.is(Condition::Berserk)
}
