//! What a campaign is played on: its Locations and routs, each worked out when it is first asked
//! for.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::orders::Orders;
use super::spot::{Cast, Spot, Whereabouts};
use crate::board::map::Site;
use crate::catalogue::CATALOGUE;
use crate::roster::Roster;
use crate::rout::{self, Bearing, Rout, RoutMap, Router, Situation};
use crate::stack::Member;
use crate::unit::Unit;

/// One unit over Player Turns.
pub struct Campaign {
    /// The situation from a Player Turn on, one more for each arrival.
    eras: Vec<(u16, Situation)>,
    pub(super) orders: Orders,
    pub(super) cast: Cast,
    began: Member,
    /// Every Location of the map, in order.
    sites: Vec<Site>,
    /// By era, Location, and whether in its works.
    spots: Vec<OnceLock<Spot>>,
    met: Arc<Met>,
}

/// What was met so far.
#[derive(Default)]
struct Met {
    routs: RwLock<RoutsMet>,
    fields: Mutex<FxHashMap<FieldKey, Arc<RoutMap>>>,
}

/// Routs met so far.
#[derive(Default)]
struct RoutsMet {
    numbers: FxHashMap<(SpotId, Unit, u64), u32>,
    routs: Vec<Arc<Rout>>,
}

/// Number of a Location in an era, in its works or outside.
pub(super) type SpotId = u32;

/// What makes a field: where the unit stands, which concealed enemies were revealed, and what of
/// the unit it asks.
type FieldKey = (SpotId, u64, Bearing);

impl Campaign {
    /// The campaign of the first routing unit of a situation.
    pub fn new(situation: Situation, orders: Orders) -> Campaign {
        let began = situation.routers[0].member.clone();
        let leaders = situation.leaders().map(|leader| leader.member.clone());
        let members: Vec<Member> = std::iter::once(began.clone()).chain(leaders).collect();
        let (roster, counters) = Roster::of(&members);
        let mut units = members
            .iter()
            .zip(&counters)
            .map(|(member, &counter)| Unit::of(member, counter, situation.elr));
        let unit = units.next().unwrap_or_else(|| Unit::of(&began, began.counter, situation.elr));
        let cast = Cast { roster, unit, leaders: units.collect() };
        let levels = |hex| 0..=situation.map.get(hex).map_or(0, |ground| ground.upper_levels);
        let mut sites: Vec<Site> = situation
            .map
            .hexes()
            .flat_map(|hex| levels(hex).map(move |level| Site { hex, level }))
            .collect();
        sites.sort_unstable();
        let eras = eras(situation, &orders.arrivals);
        let spots = (0..eras.len() * sites.len() * 2).map(|_| OnceLock::new()).collect();
        Campaign { eras, orders, cast, began, sites, spots, met: Arc::default() }
    }

    /// The same with the routs of another, of the same situation.
    pub(super) fn meeting_those_of(self, other: &Campaign) -> Campaign {
        Campaign { met: other.met.clone(), ..self }
    }

    /// Its unit as it begins.
    pub fn unit(&self) -> &Member {
        &self.began
    }

    /// The situation as it begins.
    pub fn situation(&self) -> &Situation {
        &self.eras[0].1
    }

    /// Whether the enemy has anything to choose: to hold his fire, or to reveal units (10.533).
    pub fn enemy_chooses(&self) -> bool {
        self.orders.enemy_holds_fire || self.situation().enemy_reveals
    }

    /// Player Turns.
    pub fn turns(&self) -> u16 {
        self.orders.turns
    }

    fn era(&self, turn: u16) -> usize {
        self.eras.iter().rposition(|(from, _)| *from <= turn).unwrap_or(0)
    }

    pub(super) fn spot_id(&self, turn: u16, post: Whereabouts) -> SpotId {
        let place = self.sites.binary_search(&post.site).unwrap_or(0);
        ((self.era(turn) * self.sites.len() + place) * 2 + usize::from(post.sheltered)) as SpotId
    }

    pub(super) fn post(&self, id: SpotId) -> Whereabouts {
        Whereabouts { site: self.sites[id as usize / 2 % self.sites.len()], sheltered: id % 2 == 1 }
    }

    pub(super) fn spot(&self, id: SpotId) -> &Spot {
        let made = || {
            Spot::new(self.situation_of(id), &self.orders.fire, &self.cast_of(id), self.post(id))
        };
        self.spots[id as usize].get_or_init(made)
    }

    /// The era of a spot: from which Player Turn on, and the situation then.
    fn era_of(&self, id: SpotId) -> &(u16, Situation) {
        &self.eras[id as usize / 2 / self.sites.len()]
    }

    fn situation_of(&self, id: SpotId) -> &Situation {
        &self.era_of(id).1
    }

    /// Unit and leaders, as many as there are in the era of a spot.
    fn cast_of(&self, id: SpotId) -> Cast {
        let from = self.era_of(id).0;
        let late = |place: usize| {
            self.orders.arrivals.iter().any(|(leader, turn)| *leader == place && *turn > from)
        };
        // A leader who has not arrived is no leader of the situation of that era.
        let leaders = self
            .cast
            .leaders
            .iter()
            .enumerate()
            .filter(|(place, _)| !late(*place))
            .map(|(_, leader)| *leader);
        Cast { roster: self.cast.roster.clone(), unit: self.cast.unit, leaders: leaders.collect() }
    }

    pub(super) fn roster(&self) -> &Roster {
        &self.cast.roster
    }

    /// The rout of that number.
    pub fn rout(&self, number: u32) -> Arc<Rout> {
        self.met.routs.read().unwrap_or_else(PoisonError::into_inner).routs[number as usize].clone()
    }

    /// Number of the rout of a unit from there, made when it is first asked for.
    pub(super) fn rout_number(&self, spot: SpotId, unit: Unit, met: u64) -> u32 {
        let key = (spot, unit, met);
        if let Some(&number) =
            self.met.routs.read().unwrap_or_else(PoisonError::into_inner).numbers.get(&key)
        {
            return number;
        }
        let rout = Arc::new(self.new_rout(spot, unit, met));
        let mut routs = self.met.routs.write().unwrap_or_else(PoisonError::into_inner);
        let number = routs.routs.len() as u32;
        let number = *routs.numbers.entry(key).or_insert(number);
        if number as usize == routs.routs.len() {
            routs.routs.push(rout);
        }
        number
    }

    fn new_rout(&self, spot: SpotId, unit: Unit, met: u64) -> Rout {
        let situation = self.situation_of(spot);
        let Whereabouts { site, sheltered } = self.post(spot);
        let counter = &self.cast.roster[unit.counter];
        let member = Member {
            // A counter of the roster has the id of the one in the catalogue that it is made after.
            counter: CATALOGUE
                .places()
                .find(|&place| CATALOGUE.get(place).id == counter.id)
                .unwrap_or(self.began.counter),
            nation: Some(counter.nation),
            conditions: unit.conditions,
            ..self.began.clone()
        };
        let began = &situation.routers[0];
        // Melee and Gun are where it began.
        let there = began.at == site;
        let router = Router {
            member,
            at: site,
            sheltered,
            in_melee: began.in_melee && there,
            mans_emplaced_gun: began.mans_emplaced_gun && there,
            ..began.clone()
        };
        let company = rout::Party {
            roster: self.cast.roster.clone(),
            units: SmallVec::from_slice(&[unit]),
            lent: self.cast_of(spot).leaders,
        };
        let mut revealed;
        let situation = if met == 0 {
            situation
        } else {
            revealed = situation.clone();
            let seen =
                revealed.enemies.iter_mut().enumerate().filter(|(place, _)| met & 1 << place != 0);
            seen.for_each(|(_, enemy)| enemy.circumstances.concealed = false);
            &revealed
        };
        let field = self.field((spot, met, Bearing::of(situation, &router)), situation, &router);
        Rout::of(situation, &router, field, company)
    }

    /// The field of a unit, made when it is first asked for.
    fn field(&self, key: FieldKey, situation: &Situation, router: &Router) -> Arc<RoutMap> {
        let mut fields = self.met.fields.lock().unwrap_or_else(PoisonError::into_inner);
        fields.entry(key).or_insert_with(|| Arc::new(RoutMap::new(situation, router))).clone()
    }
}

/// The situation from the first Player Turn on, and from every arrival on.
fn eras(situation: Situation, arrivals: &[(usize, u16)]) -> Vec<(u16, Situation)> {
    let mut turns: Vec<u16> = arrivals.iter().map(|(_, turn)| *turn).chain([1]).collect();
    turns.sort_unstable();
    turns.dedup();
    let names: Vec<String> = situation.leaders().map(|leader| leader.name.clone()).collect();
    let era = |from: u16| {
        let mut situation = situation.clone();
        let late: Vec<&String> = arrivals
            .iter()
            .filter(|(_, turn)| *turn > from)
            .map(|(leader, _)| &names[*leader])
            .collect();
        situation.friends.retain(|friend| !late.contains(&&friend.name));
        (from, situation)
    };
    turns.into_iter().map(era).collect()
}
