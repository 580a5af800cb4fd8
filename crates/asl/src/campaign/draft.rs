//! Campaigns on abstract terrain: an enemy, a unit, some Open Ground hexes and cover in a row. The
//! row becomes a map, so the rules of the rout apply as on any map.

use std::sync::Arc;

use super::orders::{CampaignOrders, Fire, Phase};
use super::world::Campaign;
use crate::board::geometry::Geometry;
use crate::board::hex::Hex;
use crate::board::map::{HexContents, Location, Map, PlacedBoard, hex_terrain};
use crate::board::sight::ListedSight;
use crate::board::terrain::Terrain;
use crate::catalogue::{CATALOGUE, Counter, CounterId, CounterKind};
use crate::draft::{Switches, check_scope, cowering, lent, one_side};
use crate::kinds::{Drm, Elr, Lent, PlayerTurns, text_value};
use crate::nation::Nation;
use crate::notation::StackNotation;
use crate::rout::fields::HexTerrain;
use crate::rout::{Enemy, Friend, INTERDICTION_RANGE, Router, Situation};
use crate::rulebook::{Profile, Rulebook};
use crate::sequence::OwnRph;
use crate::stack::{Member, Stack};
use crate::vocabulary::{Attack, Condition};
use engine::text::{Fault, counted};
use play::Weights;
use schema::field::{fields, words_of};
use schema::{FieldFault, Spanned, Takes, Whole};

const COLUMN: i16 = 1;
const ENEMY_ROW: i16 = 1;
/// The Normal Range of the enemy in hexes, which reaches every hex of the map.
const NORMAL_RANGE: u16 = 99;

impl LaneFields {
    /// Returns the hex at this many steps from the start. The cover comes after the Open Ground.
    pub fn location(&self, steps: u8) -> Location {
        Location::ground(Hex::new(COLUMN, ENEMY_ROW + self.range.u16() as i16 + i16::from(steps)))
    }

    /// Returns all Locations from the start to the cover, each with its name.
    pub fn names(&self) -> Vec<(Location, String)> {
        let (open, interdicted) = (self.open.u8(), self.interdicted_hexes());
        let name = |steps| match steps {
            0 => format!("{} where it began", self.here.0.name.to_lowercase()),
            _ if steps > open => format!("the {}", self.cover.0.name.to_lowercase()),
            _ => {
                let swept = if steps <= interdicted { "Interdicted" } else { "sheltered" };
                format!("{swept} Open Ground hex {steps} of {open}")
            }
        };
        self.steps().map(|steps| (self.location(steps), name(steps))).collect()
    }

    /// Returns the number of Interdicted hexes, by default all within 16 of the enemy (10.532).
    pub fn interdicted_hexes(&self) -> u8 {
        let in_range = INTERDICTION_RANGE.saturating_sub(self.range.u16());
        self.interdicted.map_or(in_range.min(self.open.u8().into()) as u8, Open::u8)
    }

    fn steps(&self) -> impl DoubleEndedIterator<Item = u8> {
        0..=self.open.u8() + 1
    }

    fn is_seen(&self, steps: u8) -> bool {
        match steps {
            0 => self.exposed,
            _ if steps <= self.open.u8() => steps <= self.interdicted_hexes(),
            _ => self.cover_firepower.u16() > 0,
        }
    }

    fn terrain(&self, steps: u8) -> &'static Terrain {
        match steps {
            0 => self.here.0,
            _ if steps <= self.open.u8() => Terrain::open(),
            _ => self.cover.0,
        }
    }

    /// Returns the enemy's attacks on each Location in its sight.
    pub fn fire(&self) -> Fire {
        let attack = |steps: u8| {
            let is_cover = steps > self.open.u8();
            let firepower = if is_cover { self.cover_firepower } else { self.firepower }.u16();
            let drm = self.drm.i8() + self.terrain(steps).tem;
            let cowering = u8::from(self.cowering) + u8::from(self.inexperienced);
            let attack = Attack::new(firepower, drm, cowering);
            (self.is_seen(steps) && firepower > 0).then_some((self.location(steps), attack))
        };
        Fire::Listed(self.steps().filter_map(attack).collect())
    }

    /// Returns the map with all units. `enemy` is a counter of the enemy's nation, if one is given.
    pub(super) fn situation(
        &self,
        unit: Member,
        [here, in_cover]: [Option<Member>; 2],
        enemy: Option<Member>,
    ) -> Situation {
        let enemy_hex = Hex::new(COLUMN, ENEMY_ROW);
        let hex = |steps| (self.location(steps).hex, self.terrain(steps));
        let hexes = self.steps().map(hex).chain([(enemy_hex, Terrain::open())]);
        let hexes = hexes.map(|(hex, terrain)| (hex, HexContents::from_terrain(terrain)));
        let map = Map::new(vec![PlacedBoard::alone()], hexes);
        let seen = self.steps().filter(|&steps| self.is_seen(steps));
        let lines = seen.map(|steps| (enemy_hex, self.location(steps).hex, 0));
        let friend = |name: &str, leader: Option<Member>, steps| {
            let (name, at) = (name.to_string(), self.location(steps));
            leader.map(|member| Friend { name, member, at })
        };
        let friends =
            [friend("leader here", here, 0), friend("leader", in_cover, self.open.u8() + 1)];
        let unit = Router::new("unit", unit, self.location(0));
        let place = Enemy::new("the enemy", Location::ground(enemy_hex));
        let (firepower, range) = (Some(1), Some(NORMAL_RANGE));
        Situation {
            routers: vec![Router { sheltered: false, ..unit }],
            friends: friends.into_iter().flatten().collect(),
            enemies: vec![Enemy { member: enemy, firepower, range, ..place }],
            ..Situation::new(map, Arc::new(ListedSight::new(lines, Some(Geometry))))
        }
    }
}

type Open = Whole<0, 12>;

type Fp = Whole<0, 1000>;

/// Declares the fields of a campaign, with those that all campaigns have in the middle.
macro_rules! campaign_fields {
    ($(#[$about:meta])* $what:ident $($name:ident),+ { $($before:tt)+ } { $($after:tt)* }) => {
        fields! {
            $(#[$about])*
            pub $what $($name),+ {
                $($before)+
                "begin" begin: Phase = "rout",
                    "phase in which the first Player Turn begins: rally, fire, rout";
                "own-rph" own_rph: Option<OwnRph>,
                    "Player Turns whose RPh is the side's own; default: if the campaign begins \
                        with a RPh, that RPh is the side's own", ["A18.11"];
                "enemy-holds-fire" enemy_holds_fire: bool,
                    "the enemy may hold his fire at each attack";
                "created-stay" created_stay: bool, "units created on the way stay with the unit";
                $($after)*
            }
        }
    };
}

campaign_fields! {
    /// The fields of a campaign on abstract terrain. By default there are two Interdicted Open
    /// Ground hexes before woods, and an enemy six hexes away who does not fire.
    struct LaneFields, LaneSetters {
        "unit" unit: Option<StackNotation>, "the unit";
        "here" here: HexTerrain = "open-ground", "terrain of the unit's hex";
        "exposed" exposed: bool = "true", "the unit's hex is in the enemy's LOS and Normal Range";
        "open" open: Open = "2", "number of Open Ground hexes between the unit and cover";
        "interdicted" interdicted: Option<Open>,
            "number of the Open Ground hexes that the enemy Interdicts, nearest first; default: \
                all within 16 hexes of the enemy";
        "cover" cover: CoverTerrain = "woods", "terrain of the cover";
        "range" range: Whole<1, 40> = "6",
            "distance from the enemy to the unit in hexes; 1 is ADJACENT";
        "fp" firepower: Fp = "0",
            "FP of the enemy's attack on exposed hexes; with 0 the enemy sees them but does not \
                fire";
        "cover-fp" cover_firepower: Fp = "0",
            "FP of the enemy's attack on the cover; with 0 the enemy cannot see the cover";
        "drm" drm: Drm = "0", "DRM of the enemy's attacks, without the TEM of the hex";
        "cowering" / "no-cowering" cowering: bool = "true", "the enemy does not Cower", ["A7.9"];
        "inexperienced" inexperienced: bool,
            "the enemy is Inexperienced and Cowers by two columns", ["A19.3"];
        "leader" leader: Lent, "a leader in the cover";
        "leader-here" leader_here: Lent, "a leader in the unit's hex";
        "leader-turn" leader_turn: Option<PlayerTurns>,
            "first Player Turn in which the leader is in the cover";
        "enemy" enemy: Option<Nation>, "nation of the enemy";
        "turns" turns: PlayerTurns = "6", "Player Turns";
    } {
        "elr" elr: Elr = "3", "ELR of the side", ["A19.1"];
        "hob" / "no-hob" heat_of_battle: bool = "true", "no Heat of Battle", ["A15.1"];
        "no-quarter" no_quarter: bool, "No Quarter is in force, so no unit surrenders", ["A20.3"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
        "broken-morale" broken_morale: Option<Whole<1, 10>>,
            "broken Morale Level, replaces the printed value; a half-squad has one less",
            ["A1.122"];
    }
}

campaign_fields! {
    /// The table `[campaign]`: a situation over Player Turns, for one of its routing units.
    table CampaignTable {
        "turns" turns: Option<PlayerTurns>, "Player Turns";
    } {
        "objective" objective: Option<Weights>, "objective: a measure, or weights of measures";
        "unit" unit: Option<Spanned<String>>,
            "name of the routing unit to follow; default: the first";
    }
}

words_of!(Phase, "PHASE", "");

/// Terrain that counts as cover (10.51).
#[derive(Clone, Copy, Debug)]
pub struct CoverTerrain(pub &'static Terrain);

text_value!(
    CoverTerrain,
    Takes::Word("TERRAIN", Terrain::names),
    |text| {
        let terrain = hex_terrain(text)?;
        if terrain.is_cover {
            return Ok(CoverTerrain(terrain));
        }
        let why = "is not cover: a rout must go to woods or a building (A10.51)";
        let message = format!("{} {why}", terrain.name.to_lowercase());
        Err(Fault::new(message, 0..text.len()))
    },
    |CoverTerrain(terrain)| terrain.id.clone()
);

impl LaneFields {
    /// Checks the fields against each other and builds the campaign.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing, or if fields contradict each other.
    pub fn campaign(&self, switches: &Switches) -> Result<LaneCampaign, FieldFault> {
        let rulebook = switches.rulebook(self.profile)?;
        let missing = || {
            let fault = LaneFields::unit.fault("`unit` is missing: the broken unit");
            fault.help("for example `german:4-6-7/broken,dm`")
        };
        let written = self.unit.as_ref().ok_or_else(missing)?;
        let leaders = [&self.leader.0, &self.leader_here.0].into_iter().flatten();
        let nations = StackNotation::nations(std::iter::once(written).chain(leaders));
        let mut notes = Vec::from_iter(one_side(&nations, self.enemy));
        let stack = written.resolve(&nations).map_err(FieldFault::in_field(LaneFields::unit.name));
        let unit = self.only_unit(stack?, rulebook, &mut notes)?;
        let mut lent = |leader, of| lent(leader, of, &nations, rulebook, &mut notes);
        let leader = lent(&self.leader, LaneFields::leader)?;
        let leader_here = lent(&self.leader_here, LaneFields::leader_here)?;
        let is_alone = self.leader_turn.is_some() && leader.is_none();
        LaneFields::leader_turn.refuse_if(is_alone, "`leader-turn` needs a `leader`")?;
        self.check_lane()?;
        if self.range.u16() == 1 && !self.exposed {
            notes.push("an enemy out of sight is not ADJACENT at any distance (A.8)".to_string());
        }
        let late = usize::from(leader_here.is_some());
        let enemy = self.enemy.and_then(of_nation);
        let situation = Situation {
            no_quarter: self.no_quarter,
            heat_of_battle: self.heat_of_battle,
            elr: self.elr.u8(),
            rulebook,
            ..self.situation(unit, [leader_here, leader], enemy)
        };
        let orders = CampaignOrders {
            turns: self.turns.u16(),
            begin: self.begin,
            own_rph: self.own_rph.unwrap_or(self.begin.first_own_rph()),
            fire: self.fire(),
            enemy_holds_fire: self.enemy_holds_fire,
            created_stay: self.created_stay,
            arrivals: self.leader_turn.map(|turn| (late, turn.u16())).into_iter().collect(),
            names: self.names(),
        };
        Ok(LaneCampaign { lane: self.clone(), situation, orders, notes })
    }

    fn only_unit(
        &self,
        stack: Stack,
        rulebook: Rulebook,
        notes: &mut Vec<String>,
    ) -> Result<Member, FieldFault> {
        let Stack { mut members, assumed, .. } = stack;
        notes.extend(assumed);
        let (Some(mut member), true) = (members.pop(), members.is_empty()) else {
            return Err(LaneFields::unit.fault("a campaign can follow one unit only"));
        };
        check_scope(&member, rulebook).map_err(FieldFault::in_field(LaneFields::unit.name))?;
        member.broken_morale = self.broken_morale.map(Whole::i8).or(member.broken_morale);
        let never = [Condition::Heroic, Condition::Berserk, Condition::Unarmed];
        if let Some(never) = never.into_iter().find(|&never| member.is(never)) {
            let why = "never breaks: there is nothing to choose";
            return Err(LaneFields::unit.fault(format!("a unit that is {} {why}", never.name())));
        }
        let is_hero = member.printed().kind == CounterKind::Hero;
        let why = "a hero never breaks (A15.2): there is nothing to choose";
        LaneFields::unit.refuse_if(is_hero, why)?;
        if !member.is(Condition::Broken) {
            notes.push(format!("{member} is not marked as broken, so it begins in Good Order"));
        }
        member.conditions.clear(Condition::BeganBroken);
        Ok(member)
    }

    fn check_lane(&self) -> Result<(), FieldFault> {
        let (open, interdicted) = (self.open.u8(), self.interdicted_hexes());
        if interdicted > open {
            let message = format!(
                "{interdicted} Interdicted hexes are more than the {open} Open Ground hexes"
            );
            let help = "`open` is the number of Open Ground hexes on the way to cover";
            return Err(LaneFields::interdicted.fault(message).help(help));
        }
        let farthest = self.range.u16() + u16::from(interdicted);
        if interdicted > 0 && farthest > INTERDICTION_RANGE {
            let message = format!(
                "the last Interdicted hex is {farthest} hexes from the enemy, but Interdiction \
                    reaches 16 hexes at most (A10.532)"
            );
            return Err(LaneFields::range.fault(message));
        }
        cowering(self.cowering, self.inexperienced, LaneFields::inexperienced.name).map(|_| ())
    }
}

/// The checked fields of a campaign on abstract terrain.
#[derive(Clone)]
pub struct LaneCampaign {
    pub lane: LaneFields,
    pub situation: Situation,
    pub orders: CampaignOrders,
    pub notes: Vec<String>,
}

impl LaneCampaign {
    /// Returns the unit, and the leaders in its hex and in the cover, if any.
    pub fn units(&self) -> (&Member, [Option<&Member>; 2]) {
        let leader = |steps| {
            let at = self.lane.location(steps);
            let leader = self.situation.friends.iter().find(|friend| friend.at == at)?;
            Some(&leader.member)
        };
        (&self.situation.routers[0].member, [leader(0), leader(self.lane.open.u8() + 1)])
    }

    /// Returns the process of the campaign.
    pub fn campaign(&self) -> Campaign {
        Campaign::new(self.situation.clone(), self.orders.clone())
    }

    /// Returns a campaign that shares the routs of `met`, that of `other`, or `None` if more
    /// differs than the strength of attacks. DM must be possible in both or in neither (10.62).
    pub fn sharing_states_of(&self, other: &LaneCampaign, met: &Campaign) -> Option<Campaign> {
        let is_alike = self.but_for_fire() == other.but_for_fire()
            && self.situation.but_for_map() == other.situation.but_for_map()
            && self.orders.fire.brings_dm() == other.orders.fire.brings_dm();
        is_alike.then(|| self.campaign().meeting_those_of(met))
    }

    fn but_for_fire(&self) -> impl PartialEq + use<> {
        let LaneFields { here, open, exposed, range, cover, .. } = self.lane;
        let lane = (here.0, open, self.lane.interdicted_hexes(), exposed, range, cover.0);
        (lane, CampaignOrders { fire: Fire::Everyone, ..self.orders.clone() })
    }

    /// Returns the description of the campaign in one line.
    pub fn in_words(&self) -> String {
        let lane = &self.lane;
        let (open, interdicted) = (lane.open.u8(), lane.interdicted_hexes());
        let exposed = if lane.exposed { "exposed" } else { "out of sight" };
        let (unit, [beside, in_cover]) = self.units();
        let mut words = format!("{unit} in {} ({exposed}), ", lane.here.0.name.to_lowercase());
        words += &match open {
            0 => "beside ".to_string(),
            1 => format!("1 Open Ground hex ({interdicted} Interdicted) from "),
            _ => format!("{open} Open Ground hexes ({interdicted} Interdicted) from "),
        };
        words += &lane.cover.0.name.to_lowercase();
        for (leader, place) in [(beside, "beside it"), (in_cover, "in the cover")] {
            words += &leader.map_or(String::new(), |leader| format!(", {leader} {place}"));
        }
        if let Some((_, turn)) = self.orders.arrivals.first() {
            words += &format!(" from Player Turn {turn} on");
        }
        let drm = lane.drm.i8();
        let against = |fp: u16, place: &str| {
            if fp > 0 { format!(", {fp} FP {drm:+} against {place}") } else { String::new() }
        };
        words += &against(lane.firepower.u16(), "exposed hexes");
        words += &against(lane.cover_firepower.u16(), "the cover");
        let turns = counted(self.orders.turns, "Player Turn");
        words + &format!(", {turns} from the {} on", self.orders.begin.in_words())
    }
}

/// Returns a squad of a nation, which stands for the enemy. `None` if the nation has no squads.
fn of_nation(nation: Nation) -> Option<Member> {
    let is_meant =
        |counter: &Counter| counter.nation == nation && counter.kind == CounterKind::Squad;
    let place = CATALOGUE.counters().iter().position(is_meant)?;
    Some(Member {
        counter: CounterId(place as u8),
        nation: None,
        conditions: Default::default(),
        concealed: false,
        role: Default::default(),
        elr: None,
        morale: None,
        broken_morale: None,
    })
}
