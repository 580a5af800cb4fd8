//! A node of a campaign: a Location with its leader, its enemies, and the events there.

use super::fire::Fire;
use crate::board::map::{Location, Works};
use crate::board::terrain::Terrain;
use crate::catalogue::CounterKind;
use crate::engagement::{Engagement, EngagementSetup};
use crate::rout::{Enemy, Party, Situation};
use crate::stack::Slots;
use crate::vocabulary::{
    Attack, Choices, Condition, LocationState, OutcomeDetail, RallyPhase, Scene, Stage, Unit,
};
use engine::process::Log;

/// A Location. `sheltered` is true if the unit is in its works or shellholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Whereabouts {
    pub location: Location,
    pub sheltered: bool,
}

/// The index of the event of a Voluntary Break (10.41). Before it come the Rally Phases (10.6) of the
/// enemy's Player Turn and of the side's own, after it the attacks (7.3).
pub(super) const BREAK: usize = 2;

/// A Location in a campaign, with all that can happen to a unit in it.
pub(super) struct CampaignNode {
    pub engagement: Engagement,
    /// The attacks in each phase of fire, in order (7.3).
    pub attacks: Vec<Attack>,
    /// True if the Location is woods, building or pillbox (10.51).
    pub in_cover: bool,
    /// True if an unbroken unit can break voluntarily in the Location (10.41).
    pub may_break: bool,
}

impl CampaignNode {
    pub(super) fn new(
        situation: &Situation,
        fire: &Fire,
        cast: &Party,
        post: Whereabouts,
    ) -> CampaignNode {
        let Whereabouts { location, sheltered } = post;
        let rulebook = situation.rulebook;
        let is_known = |enemy: &&Enemy| {
            !enemy.circumstances.concealed
                && !enemy.is(Condition::Captured)
                && situation.hindrance(enemy, location).is_some()
        };
        let known: Vec<&Enemy> = situation.enemies.iter().filter(is_known).collect();
        let is_adjacent =
            |enemy: &&&Enemy| enemy.at == location || situation.are_adjacent(enemy.at, location);
        let near = || known.iter().filter(is_adjacent);
        let ground = situation.map.get(location.hex);
        let works = ground.and_then(|ground| ground.works).filter(|_| sheltered);
        let terrain = ground.map_or(Terrain::open(), |ground| ground.terrain);
        let dug_in = works.and_then(|works| Terrain::named(works.name()).ok());
        let bonus = rulebook.gives_rally_bonus(terrain)
            || dug_in.is_some_and(|works| rulebook.gives_rally_bonus(works));
        // One leader leads (10.6, 10.21): a Commissar if there is one (A25.22), otherwise the
        // leader with the best DRM.
        let leaders = situation.leaders().zip(&cast.lent);
        let leaders = leaders.filter(|(friend, _)| friend.at == location);
        let rank = |leader: &Unit| {
            let counter = &cast.roster[leader.counter];
            let unit = &cast.roster[cast.units[0].counter];
            let foreign = unit.nation.is_foreign_to(counter.nation);
            let worse = i8::from(leader.is(Condition::Wounded)) + i8::from(foreign);
            (counter.kind != CounterKind::Commissar, counter.leadership + worse)
        };
        let leader = leaders.map(|(_, leader)| *leader).min_by_key(rank);
        let rally = |own| {
            let phase = RallyPhase { own, lent_leader: leader, terrain: bonus, keeps_dm: false };
            Stage::RallyPhase(phase)
        };
        let breaking = Stage::VoluntaryBreak(Slots::from_iter([0]));
        let attacks = fire.attacks(situation, location, sheltered);
        let events = [rally(false), rally(true), breaking].into_iter();
        let events = events.chain(attacks.iter().copied().map(Stage::Fire));
        let mut router = situation.routers[0].clone();
        (router.at, router.sheltered) = (location, sheltered);
        let engagement = Engagement::new(EngagementSetup {
            choices: Choices::ALL,
            bystanders: 0,
            roster: cast.roster.clone(),
            rulebook,
            scene: Scene {
                known_enemy: !known.is_empty(),
                captor: near().any(|enemy| enemy.takes_prisoners(true, rulebook)),
                enemy_adjacent: near().any(|enemy| enemy.is_armed(rulebook)),
                ..situation.scene()
            },
            units: cast.units.clone(),
            resident: leader,
            stages: events.flat_map(|stage| [stage, Stage::Report(0)]).collect(),
            telling: OutcomeDetail::of_the_first(1),
        });
        let in_cover =
            ground.is_some_and(|ground| ground.is_cover()) || works == Some(Works::Pillbox);
        let may_break = situation.may_break_voluntarily(&router);
        CampaignNode { engagement, attacks, in_cover, may_break }
    }

    /// Plays one event on units from another engagement, up to its first roll or its end.
    pub(super) fn play<L: Log>(&self, event: usize, location: &mut LocationState, log: &mut L) {
        self.engagement.play(2 * event, location, log);
    }
}

/// Returns whether the campaign still follows a unit: it is present and not berserk (15.42).
pub(super) fn is_followed(unit: &Unit) -> bool {
    unit.is_present() && !unit.is(Condition::Berserk)
}
