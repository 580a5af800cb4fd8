//! A campaign on abstract ground being filled in, field by field, and checked.

use super::lane::{Company, Lane};
use super::orders::{Orders, Phase};
use super::world::Campaign;
use crate::asl::catalogue::Kind;
use crate::asl::draft::{check_scope, switch};
use crate::asl::nation::Nation;
use crate::asl::notation::Written;
use crate::asl::rout::INTERDICTION_RANGE;
use crate::asl::rulebook::{Profile, Rulebook};
use crate::asl::sequence::OwnRph;
use crate::asl::stack::{Member, Stack};
use crate::asl::step::{self, MAX_DRM, MAX_FP, lent_leader};
use crate::asl::unit::Condition;
use crate::board::map::hex_terrain;
use crate::board::terrain::Terrain;
use crate::system::form::{FieldFault, Form, Value};
use crate::text::{Fault, canonical};

/// Fields of a campaign on abstract ground.
pub const FIELDS: [&str; 28] = [
    "unit",
    "here",
    "exposed",
    "open",
    "interdicted",
    "cover",
    "range",
    "fp",
    "cover-fp",
    "drm",
    "cowering",
    "no-cowering",
    "inexperienced",
    "leader",
    "leader-here",
    "leader-turn",
    "enemy",
    "turns",
    "begin",
    "own-rph",
    "enemy-holds-fire",
    "created-stay",
    "elr",
    "hob",
    "no-hob",
    "no-quarter",
    "profile",
    "broken-morale",
];

/// Most Open Ground hexes on the way.
const MAX_OPEN: i64 = 12;
/// Most Player Turns.
pub const MAX_TURNS: i64 = 20;
/// Farthest enemy, in hexes.
const MAX_RANGE: i64 = 40;

/// A campaign on abstract ground with every field at its default until it is set.
#[derive(Clone, Debug)]
pub struct LaneDraft {
    unit: Option<Written>,
    lane: Lane,
    /// Interdicted hexes; if not said, all that are open and in range.
    interdicted: Option<u8>,
    leader: Option<Written>,
    leader_here: Option<Written>,
    leader_turn: Option<u16>,
    enemy: Option<Nation>,
    broken_morale: Option<i8>,
    inexperienced: bool,
    turns: u16,
    begin: Phase,
    own_rph: Option<OwnRph>,
    enemy_holds_fire: bool,
    created_stay: bool,
    elr: u8,
    heat_of_battle: bool,
    no_quarter: bool,
    profile: Profile,
    switches: Vec<(String, String)>,
}

impl Default for LaneDraft {
    /// Two Interdicted Open Ground hexes before woods, six hexes from an enemy who does not fire; six Player Turns from a RtPh on.
    fn default() -> LaneDraft {
        let woods = Terrain::named("woods").unwrap_or(Terrain::open());
        LaneDraft {
            unit: None,
            lane: Lane {
                here: Terrain::open(),
                open: 2,
                interdicted: 2,
                exposed: true,
                range: 6,
                cover: woods,
                firepower: 0,
                cover_firepower: 0,
                drm: 0,
                cowering: 1,
            },
            interdicted: None,
            leader: None,
            leader_here: None,
            leader_turn: None,
            enemy: None,
            broken_morale: None,
            inexperienced: false,
            turns: 6,
            begin: Phase::Rout,
            own_rph: None,
            enemy_holds_fire: false,
            created_stay: false,
            elr: 3,
            heat_of_battle: true,
            no_quarter: false,
            profile: Profile::default(),
            switches: Vec::new(),
        }
    }
}

impl LaneDraft {
    /// Fills in one field, or an interpretation such as `i01`. A fault of a text value has its span.
    pub fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        let name = canonical(field);
        if let Some(switch) = switch(&name, value)? {
            self.switches.push(switch);
            return Ok(());
        }
        match name.as_str() {
            "unit" => self.unit = Some(Written::parse(value.text(&name)?)?),
            "leader" => self.leader = leader(value, &name)?,
            "leader-here" => self.leader_here = leader(value, &name)?,
            "leader-turn" => self.leader_turn = Some(value.integer(&name, 1, MAX_TURNS)? as u16),
            "enemy" => self.enemy = Some(nation(value)?),
            "broken-morale" => self.broken_morale = Some(value.integer(&name, 1, 10)? as i8),
            "turns" => self.turns = value.integer(&name, 1, MAX_TURNS)? as u16,
            "begin" => self.begin = phase(value)?,
            "own-rph" => self.own_rph = Some(step::own_rph(value)?),
            "enemy-holds-fire" => self.enemy_holds_fire = value.boolean(&name)?,
            "created-stay" => self.created_stay = value.boolean(&name)?,
            "elr" => self.elr = value.integer(&name, 0, 6)? as u8,
            "hob" => self.heat_of_battle = value.boolean(&name)?,
            "no-hob" => self.heat_of_battle = !value.boolean(&name)?,
            "no-quarter" => self.no_quarter = value.boolean(&name)?,
            "profile" => self.profile = Profile::named(value.text(&name)?)?,
            _ if FIELDS.contains(&name.as_str()) => return self.set_ground(&name, value),
            _ => return Err(Fault::new(format!("a campaign has no field `{field}`"), 0..0).expecting(field, FIELDS)),
        }
        Ok(())
    }

    /// A field of the ground or of the enemy's fire.
    fn set_ground(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "here" => self.lane.here = hex_terrain(value.text(name)?)?,
            "cover" => self.lane.cover = cover(value)?,
            "exposed" => self.lane.exposed = value.boolean(name)?,
            "open" => self.lane.open = value.integer(name, 0, MAX_OPEN)? as u8,
            "interdicted" => self.interdicted = Some(value.integer(name, 0, MAX_OPEN)? as u8),
            "range" => self.lane.range = value.integer(name, 1, MAX_RANGE)? as u16,
            "fp" => self.lane.firepower = value.integer(name, 0, MAX_FP)? as u16,
            "cover-fp" => self.lane.cover_firepower = value.integer(name, 0, MAX_FP)? as u16,
            "drm" => self.lane.drm = value.integer(name, -MAX_DRM, MAX_DRM)? as i8,
            "cowering" => self.lane.cowering = u8::from(value.boolean(name)?),
            "no-cowering" => self.lane.cowering = u8::from(!value.boolean(name)?),
            _ => self.inexperienced = value.boolean(name)?,
        }
        Ok(())
    }

    /// Whether a field is known, whatever its value.
    pub fn knows(&self, field: &str) -> bool {
        let name = canonical(field);
        FIELDS.contains(&name.as_str()) || Rulebook::find(&name).is_some()
    }

    /// Checks the fields against each other.
    pub fn finish(&self) -> Result<LaneCampaign, FieldFault> {
        let rulebook = self.rulebook()?;
        let missing = || FieldFault::new("unit", "`unit` is missing: who is broken").help("for example `german:4-6-7/broken,dm`");
        let written = self.unit.as_ref().ok_or_else(missing)?;
        let mut nations = written.nations();
        nations.extend([&self.leader, &self.leader_here].into_iter().flatten().flat_map(Written::nations));
        nations.sort();
        nations.dedup();
        let mut notes = Vec::new();
        let unit = self.only_unit(written.resolve(&nations).map_err(FieldFault::of("unit"))?, rulebook, &mut notes)?;
        let mut lent = |written: &Option<Written>, field: &str| -> Result<Option<Member>, FieldFault> {
            let Some(written) = written else { return Ok(None) };
            let leader = written.resolve(&nations).map_err(FieldFault::of(field))?;
            notes.extend(leader.assumed.clone());
            lent_leader(leader, rulebook).map(Some).map_err(FieldFault::of(field))
        };
        let (leader, leader_here) = (lent(&self.leader, "leader")?, lent(&self.leader_here, "leader-here")?);
        if self.leader_turn.is_some() && leader.is_none() {
            return Err(FieldFault::new("leader-turn", "`leader-turn` says when the `leader` comes, and there is none"));
        }
        let lane = self.lane()?;
        if lane.range == 1 && !lane.exposed {
            notes.push("out of his sight the enemy is not ADJACENT, however near (A.8)".to_string());
        }
        let company = Company {
            unit,
            leader_here,
            leader,
            enemy: self.enemy.and_then(of_nation),
            no_quarter: self.no_quarter,
            heat_of_battle: self.heat_of_battle,
            elr: self.elr,
            rulebook,
        };
        let late = usize::from(company.leader_here.is_some());
        let orders = Orders {
            turns: self.turns,
            begin: self.begin,
            own_rph: self.own_rph.unwrap_or(self.begin.first_own_rph()),
            fire: lane.fire(),
            enemy_holds_fire: self.enemy_holds_fire,
            created_stay: self.created_stay,
            arrivals: self.leader_turn.map(|turn| (late, turn)).into_iter().collect(),
            names: lane.names(),
        };
        Ok(LaneCampaign { lane, company, orders, notes })
    }

    /// The one unit of the campaign.
    fn only_unit(&self, stack: Stack, rulebook: Rulebook, notes: &mut Vec<String>) -> Result<Member, FieldFault> {
        let fault = |message: String| FieldFault::new("unit", message);
        notes.extend(stack.assumed.clone());
        let [member] = &stack.members[..] else { return Err(fault("a campaign follows one unit".to_string())) };
        check_scope(member, rulebook).map_err(FieldFault::of("unit"))?;
        let mut member = Member { broken_morale: self.broken_morale.or(member.broken_morale), ..member.clone() };
        if let Some(never) =
            [Condition::Heroic, Condition::Berserk, Condition::Unarmed].into_iter().find(|&never| member.is(never))
        {
            return Err(fault(format!("a unit that is {} never breaks: there is nothing to choose", never.name())));
        }
        if member.printed().kind == Kind::Hero {
            return Err(fault("a hero never breaks (A15.2): there is nothing to choose".to_string()));
        }
        if !member.is(Condition::Broken) {
            notes.push(format!("{member} is not called broken: it begins in Good Order"));
        }
        member.conditions.clear(Condition::BeganBroken);
        Ok(member)
    }

    fn lane(&self) -> Result<Lane, FieldFault> {
        // 10.532: all that lie within 16 hexes of the enemy, unless it is said.
        let in_range = INTERDICTION_RANGE.saturating_sub(self.lane.range).min(self.lane.open.into()) as u8;
        let interdicted = self.interdicted.unwrap_or(in_range);
        if interdicted > self.lane.open {
            let message = format!("{interdicted} Interdicted hexes of {} that are open", self.lane.open);
            return Err(
                FieldFault::new("interdicted", message).help("`open` is the number of Open Ground hexes on the way to cover")
            );
        }
        let farthest = self.lane.range + u16::from(interdicted);
        if interdicted > 0 && farthest > INTERDICTION_RANGE {
            let message =
                format!("the last Interdicted hex is {farthest} hexes from the enemy, and nobody Interdicts beyond 16 (A10.532)");
            return Err(FieldFault::new("range", message));
        }
        if self.inexperienced && self.lane.cowering == 0 {
            return Err(FieldFault::new("inexperienced", "Inexperienced firers Cower more, not never (A19.3)"));
        }
        let cowering = self.lane.cowering + u8::from(self.inexperienced);
        Ok(Lane { interdicted, cowering, ..self.lane.clone() })
    }

    fn rulebook(&self) -> Result<Rulebook, FieldFault> {
        let mut rulebook = Rulebook::of(self.profile);
        for (id, value) in &self.switches {
            rulebook.set(id, value).map_err(FieldFault::of(id))?;
        }
        Ok(rulebook)
    }
}

impl Form for LaneDraft {
    type Filled = LaneCampaign;

    fn set(&mut self, field: &str, value: Value) -> Result<(), Fault> {
        self.set(field, value)
    }

    fn knows(&self, field: &str) -> bool {
        self.knows(field)
    }

    fn canonical_field(field: &str) -> String {
        crate::asl::draft::Kind::canonical_field(field)
    }

    fn setting(field: &str) -> Option<&'static str> {
        Rulebook::find(field).map(|interpretation| interpretation.id)
    }

    fn check_setting(name: &str, value: &str) -> Result<(), Fault> {
        Rulebook::default().set(name, value)
    }

    const EXAMPLE: &'static str = "i01=alternative";

    fn finish(&self) -> Result<LaneCampaign, FieldFault> {
        self.finish()
    }
}

/// A campaign on abstract ground, checked.
#[derive(Clone, Debug)]
pub struct LaneCampaign {
    pub lane: Lane,
    pub company: Company,
    pub orders: Orders,
    /// What had to be assumed, in words.
    pub notes: Vec<String>,
}

impl LaneCampaign {
    /// Whether an Original 2 brings Heat of Battle (15.1): unless it is switched off, or the edition has none.
    pub fn plays_heat_of_battle(&self) -> bool {
        self.company.rulebook.plays_heat_of_battle(self.company.heat_of_battle)
    }

    /// Its process.
    pub fn campaign(&self) -> Campaign {
        Campaign::new(self.lane.situation(&self.company), self.orders.clone())
    }

    /// The question in one line.
    pub fn in_words(&self) -> String {
        let Lane { here, open, interdicted, exposed, cover, firepower, cover_firepower, .. } = &self.lane;
        let hexes = |count: u8| if count == 1 { "hex".to_string() } else { "hexes".to_string() };
        let exposed = if *exposed { "exposed" } else { "out of sight" };
        let mut words = format!("{} in {} ({exposed}), ", self.company.unit, here.name.to_lowercase());
        words += &match open {
            0 => format!("beside {}", cover.name.to_lowercase()),
            _ => format!("{open} Open Ground {} ({interdicted} Interdicted) from {}", hexes(*open), cover.name.to_lowercase()),
        };
        for (leader, place) in [(&self.company.leader_here, "beside it"), (&self.company.leader, "in the cover")] {
            words += &leader.as_ref().map_or(String::new(), |leader| format!(", {leader} {place}"));
        }
        if let Some((_, turn)) = self.orders.arrivals.first() {
            words += &format!(" from Player Turn {turn} on");
        }
        let drm = self.lane.drm;
        let against = |fp: &u16, place: &str| if *fp > 0 { format!(", {fp} FP {drm:+} against {place}") } else { String::new() };
        words += &against(firepower, "exposed hexes");
        words += &against(cover_firepower, "the cover");
        let turns = self.orders.turns;
        words + &format!(", {turns} Player Turn{} from the {} on", if turns == 1 { "" } else { "s" }, self.orders.begin.name())
    }
}

impl Phase {
    /// The words of files, in order of the Player Turn.
    pub const ALL: [Phase; 3] = [Phase::Rally, Phase::Fire, Phase::Rout];

    /// As players call it.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Rally => "RPh",
            Phase::Fire => "fire",
            Phase::Rout => "RtPh",
        }
    }

    /// The word of files.
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Rally => "rally",
            Phase::Fire => "fire",
            Phase::Rout => "rout",
        }
    }

    /// 18.11: unless it is said, the first Rally Phase is the side's own.
    pub fn first_own_rph(self) -> OwnRph {
        if self == Phase::Rally { OwnRph::Odd } else { OwnRph::Even }
    }
}

/// The phase of that name.
pub fn phase(value: Value) -> Result<Phase, Fault> {
    let text = value.text("begin")?;
    let word = canonical(text);
    Phase::ALL.into_iter().find(|phase| phase.word() == word).ok_or_else(|| {
        let fault = Fault::new(format!("`begin` cannot be `{text}`"), value.span());
        fault.expecting(text, Phase::ALL.map(Phase::word))
    })
}

fn leader(value: Value, name: &str) -> Result<Option<Written>, Fault> {
    let text = value.text(name)?;
    if canonical(text) == "none" { Ok(None) } else { Written::parse(text).map(Some) }
}

fn cover(value: Value) -> Result<&'static Terrain, Fault> {
    let text = value.text("cover")?;
    let terrain = hex_terrain(text)?;
    if terrain.is_cover {
        Ok(terrain)
    } else {
        let message = format!("{} is no cover: a rout is destined for woods or a building (A10.51)", terrain.name.to_lowercase());
        Err(Fault::new(message, value.span()))
    }
}

fn nation(value: Value) -> Result<Nation, Fault> {
    let text = value.text("enemy")?;
    Nation::named(text).filter(|&nation| nation != Nation::Any).ok_or_else(|| {
        let fault = Fault::new(format!("no nation is called `{text}`"), 0..text.len());
        fault.expecting(text, Nation::ALL.iter().filter(|&&nation| nation != Nation::Any).map(|nation| nation.name()))
    })
}

/// Any squad of a nation.
fn of_nation(nation: Nation) -> Option<Member> {
    use crate::asl::catalogue::{CATALOGUE, CounterId};
    let place = CATALOGUE.counters().iter().position(|counter| counter.nation == nation && counter.kind == Kind::Squad)?;
    let counter = CounterId(place as u8);
    Some(Member { counter, nation: None, conditions: Default::default(), elr: None, morale: None, broken_morale: None })
}
