//! The fields of a question about a platoon or a firefight, and the tables of its file.

use std::sync::Arc;

use super::ground::{LineOfFire, Link, LinkMove, PlatoonLocation, SightTable};
use super::model::{AttackTurns, FixedAttack, Platoon, PlatoonSetup, PlatoonSide};
use super::orders::{
    Aim, FireGrouping, FirstOrder, LeaderWord, PolicyWord, RallyWord, ReturnWord, RoutWord,
    SideOrders,
};
use super::variations::best_leader;
use crate::attack::weapons::SupportWeapon;
use crate::board::terrain::Terrain;
use crate::catalogue::CounterKind;
use crate::draft::{Switches, check_scope};
use crate::kinds::{Drm, Elr, Fp, PlayerTurns, text_value};
use crate::nation::Nation;
use crate::notation::StackNotation;
use crate::rulebook::{Profile, Rulebook, Switch};
use crate::stack::{MAX_UNITS, Member};
use crate::vocabulary::attack::Attack;
use engine::text::notation::{each, field, shown, text_field};
use engine::text::{Fault, canonical, listed};
use schema::field::fields;
use schema::{
    Field, FieldFault, FieldValue, Json, Keyed, Nested, Node, Raw, RawValue, SourcePosition,
    Spanned, Takes, Whole,
};

type Tem = Whole<-2, 10>;
type Range = Whole<1, 40>;
type Hindrance = Whole<0, 5>;
type Interdicted = Whole<0, 6>;

fields! {
    /// A Location of a side in a file.
    pub table LocationTable {
        "name" name: Option<Spanned<String>>, "name";
        "terrain" terrain: &'static Terrain = "open", "terrain: TEM, Rally bonus, Open Ground or \
            not", swept;
        "tem" tem: Option<Tem>, "TEM in place of that of the terrain", swept;
        "front" front: Option<bool>, "it is part of the position, in LOS of the enemy's fronts; \
            default: the first Location", swept;
        "seen" seen: Option<bool>, "in LOS and Normal Range of an unbroken enemy (one side only); \
            default: as `front`", swept;
        "adjacent" adjacent: bool, "a Known Good Order armed enemy is ADJACENT all the time (one \
            side only)", swept;
        "units" units: Option<Spanned<StackNotation>>, "the units that begin there", swept;
        "weapons" weapons: Vec<Spanned<String>>, "MG, each by its name or as FP-range, for the \
            first able MMC";
    }
}

fields! {
    /// A link between two Locations of a side in a file.
    pub table LinkTable {
        "from" from: Option<Spanned<String>>, "Location where a rout by it begins";
        "to" to: Option<Spanned<String>>, "Location where it ends";
        "interdicted" interdicted: Interdicted = "0",
            "number of Open Ground hexes on the way that an able enemy Interdicts", swept;
        "move" moves: LinkMove = "move", "phase in which leaders and rallied units go by it: move \
            (MPh) or advance (APh)", swept;
        "fire" fire: Whole<0, 100> = "0", "FP of the attack on who goes by it to a front in the \
            MPh", swept;
        "fire-drm" fire_drm: Drm = "0", "DRM of that attack, given whole", swept;
    }
}

fields! {
    /// A side in a file.
    pub table SideTable {
        "name" name: Option<Spanned<String>>, "name";
        "elr" elr: Elr = "3", "ELR of the side", swept;
        "policy" policy: PolicyWord = "shuttle", "policy: the words for leaders, routs and returns",
            swept;
        "leader" leader: Option<Spanned<LeaderWords>>, "where leaders go: stay, rear, front, help; \
            or a table by counter, `best` and `others`", swept;
        "rout" rout: Option<RoutWord>, "when broken units rout: stay, rout, safe, to-leader", swept;
        "return" returns: Option<ReturnWord>,
            "when rallied MMC return: return, wait, with-leader, together", swept;
        "rally" rally: RallyWord = "unled-first",
            "order of Rally attempts: unled-first, reference, mmc-first", swept;
        "first" first: Keyed<String, Spanned<String>>,
            "where units go at their first decision, by slot: `{ 1 = \"woods\", 3 = \"stay\" }`";
        "group" group: FireGrouping = "by-location",
            "Fire Groups: by-location, one, separate", swept;
        "aim" aim: Option<Spanned<String>>,
            "target of its fire: nearest (default), most, easiest, fixed:NAME", swept;
        "location" locations: Vec<Spanned<LocationTable>>, "the Locations, 1 to 4";
        "link" links: Vec<Spanned<LinkTable>>, "the links between them";
    }
}

fields! {
    /// An attack by a schedule in a file.
    pub table AttackTable {
        "on" on: Option<Spanned<String>>, "side that it falls on; default: the first";
        "at" at: Option<Spanned<String>>, "Location, or nearest, most, easiest";
        "fp" firepower: Option<Fp>, "FP", swept;
        "drm" drm: Drm = "0", "DRM without the TEM of the target", swept;
        "cowering" / "no-cowering" cowering: bool = "true", "the firers do not Cower", swept;
        "inexperienced" inexperienced: bool, "the firers Cower by two columns", swept;
        "when" when: AttackWhen = "every",
            "Player Turns: every, own, enemy (those of the side hit), or a list of numbers", swept;
    }
}

fields! {
    /// The fields of a question about a platoon or a firefight.
    pub struct PlatoonFields, PlatoonSetters {
        "stack" stack: Option<PlatoonSubject>, "units of one side, or a file with its sides";
        "against" against: Option<StackNotation>, "units of the other side";
        "side" sides: Nested<Vec<Spanned<SideTable>>>, "the sides, with Locations and links";
        "attack" attacks: Nested<Vec<Spanned<AttackTable>>>, "attacks by a schedule";
        "turns" turns: PlayerTurns = "6", "Player Turns, two to a game turn";
        "begins" begins: Option<String>,
            "whose Player Turn is first: own, enemy, or the name of a side (default: enemy, in a \
                firefight own)";
        "range" range: Option<Range>, "range between all fronts of both sides";
        "ranges" ranges: Nested<Keyed<String, Range>>,
            "ranges line by line: `OWN-ENEMY = 6`; others have no LOS";
        "hindrance" hindrances: Nested<Keyed<String, Hindrance>>,
            "Hindrance line by line: `OWN-ENEMY = 1`";
        "terrain" terrain: &'static Terrain = "open", "terrain of the units";
        "their-terrain" their_terrain: &'static Terrain = "open", "terrain of the other side";
        "rear" rear: Option<RearTerrain>, "terrain of a Location behind";
        "their-rear" their_rear: Option<RearTerrain>, "terrain of a Location behind the other side";
        "interdicted" interdicted: Interdicted = "0",
            "Interdicted Open Ground hexes on the way behind";
        "fp" firepower: Option<Fp>, "FP of an attack in every Player Turn";
        "drm" drm: Drm = "0", "its DRM, without the TEM of the target";
        "cowering" / "no-cowering" cowering: bool = "true", "its firers do not Cower", ["A7.9"];
        "policy" policy: Option<PolicyWord>,
            "policy of the side (the first one): hold, fall-back, shuttle (default), rear-leader, \
                ...";
        "their-policy" their_policy: Option<PolicyWord>, "policy of the second side";
        "group" group: Option<FireGrouping>,
            "Fire Groups of both sides: by-location, one, separate";
        "elr" elr: Option<Elr>, "ELR of the side (the first one)", ["A19.1"];
        "their-elr" their_elr: Option<Elr>, "ELR of the second side", ["A19.1"];
        "objective" objective: Option<String>,
            "the number that matters, such as `front holds >= 2`";
        "hob" / "no-hob" heat_of_battle: bool = "true", "no Heat of Battle", ["A15.1"];
        "no-quarter" no_quarter: bool, "No Quarter is in force, so no unit surrenders", ["A20.3"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
    }
}

/// The units named on the command line: of one side, or of two with ` vs ` between them.
#[derive(Clone, Debug)]
pub struct PlatoonSubject {
    ours: StackNotation,
    theirs: Option<StackNotation>,
}

const VERSUS: &str = " vs ";

text_value!(
    PlatoonSubject,
    Takes::Text("STACK"),
    |text| {
        let Some(sign) = text.find(VERSUS) else {
            return Ok(PlatoonSubject { ours: StackNotation::parse(text)?, theirs: None });
        };
        let after = sign + VERSUS.len();
        let theirs = StackNotation::parse(&text[after..]).map_err(|fault| fault.shifted(after))?;
        Ok(PlatoonSubject { ours: StackNotation::parse(&text[..sign])?, theirs: Some(theirs) })
    },
    |subject| match &subject.theirs {
        Some(theirs) => format!("{}{VERSUS}{}", subject.ours.text(), theirs.text()),
        None => subject.ours.text().to_string(),
    }
);

/// The terrain of a place behind.
#[derive(Clone, Copy, Debug)]
pub struct RearTerrain(pub &'static Terrain);

text_value!(
    RearTerrain,
    Takes::Word("TERRAIN", Terrain::names),
    |text| Terrain::named(text).map(RearTerrain),
    |RearTerrain(terrain)| terrain.id.clone()
);

/// The words of the leaders of a side: of all, or of some by counter, `best` and `others`.
#[derive(Clone, Debug)]
pub struct LeaderWords(Vec<(Spanned<String>, LeaderWord)>);

/// The name for all leaders that no other name means.
const OTHERS: &str = "others";
/// The name of the best leader.
const BEST: &str = "best";

impl FieldValue for LeaderWords {
    const TAKES: Takes = LeaderWord::TAKES;

    fn read(name: &str, value: RawValue) -> Result<LeaderWords, Fault> {
        let word = LeaderWord::read(name, value)?;
        let others =
            Spanned { value: OTHERS.to_string(), place: SourcePosition::whole(value.span()) };
        Ok(LeaderWords(vec![(others, word)]))
    }

    fn read_node(name: &str, node: &Node) -> Result<LeaderWords, Fault> {
        let Raw::Table(entries) = &node.raw else {
            let value = node.value().ok_or_else(|| {
                node.place.fault(format!("`{name}` must be a word or a table, not {}", node.kind()))
            })?;
            return LeaderWords::read(name, value).map_err(|fault| node.place.blamed(fault));
        };
        let entry = |(key, node): &(Spanned<String>, Node)| {
            Ok((key.clone(), LeaderWord::read_node(&key.value, node)?))
        };
        entries.iter().map(entry).collect::<Result<_, _>>().map(LeaderWords)
    }

    fn to_json(&self) -> Json {
        match &self.0[..] {
            [(name, word)] if name.value == OTHERS => word.to_json(),
            entries => {
                let entry = |(name, word): &(Spanned<String>, LeaderWord)| {
                    (name.value.clone(), word.to_json())
                };
                Json::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

/// The Player Turns in which an attack falls.
#[derive(Clone, Debug)]
pub struct AttackWhen(AttackTurns);

impl FieldValue for AttackWhen {
    const TAKES: Takes = Takes::Text("WHEN");

    fn read(name: &str, value: RawValue) -> Result<AttackWhen, Fault> {
        if let RawValue::Integer(_) = value {
            let turn = PlayerTurns::read(name, value)?;
            return Ok(AttackWhen(AttackTurns::Listed(vec![turn.u16()])));
        }
        let text = value.text(name)?;
        Ok(AttackWhen(match canonical(text).as_str() {
            "every" => AttackTurns::Every,
            "own" => AttackTurns::Own,
            "enemy" => AttackTurns::Enemy,
            words => {
                let number =
                    |word: &str| word.trim().parse().ok().filter(|turn| (1..=20).contains(turn));
                let turns: Option<Vec<u16>> = words.split(',').map(number).collect();
                let fault = || {
                    let message = format!("`{name}` cannot be `{text}`");
                    Fault::new(message, value.span()).help("every, own, enemy, or `[1, 3]`")
                };
                AttackTurns::Listed(turns.ok_or_else(fault)?)
            }
        }))
    }

    fn read_node(name: &str, node: &Node) -> Result<AttackWhen, Fault> {
        let Raw::List(list) = &node.raw else {
            let value = node.value().ok_or_else(|| {
                node.place.fault(format!("`{name}` must be a word or a list of Player Turns"))
            })?;
            return AttackWhen::read(name, value).map_err(|fault| node.place.blamed(fault));
        };
        let turn = |node: &Node| PlayerTurns::read_node(name, node).map(|turn| turn.u16());
        let turns: Vec<u16> = list.iter().map(turn).collect::<Result<_, _>>()?;
        Ok(AttackWhen(AttackTurns::Listed(turns)))
    }

    fn to_json(&self) -> Json {
        match &self.0 {
            AttackTurns::Every => "every".into(),
            AttackTurns::Own => "own".into(),
            AttackTurns::Enemy => "enemy".into(),
            AttackTurns::Listed(turns) => turns.clone().into(),
        }
    }
}

/// The checked fields of a question.
#[derive(Clone)]
pub struct CheckedPlatoon {
    pub platoon: Arc<Platoon>,
    pub objective: Option<String>,
    /// Notes on what was assumed.
    pub notes: Vec<String>,
}

/// The most Locations of a side.
const MOST_LOCATIONS: usize = 4;
/// The most links of a side.
const MOST_LINKS: usize = 15;
/// The squads of one front that is written in words.
const SQUADS_OF_A_FRONT: usize = 3;
/// The squad-equivalents that fill a Location, in halves (5.1).
const FULL: u8 = 6;

const OWN: &str = "own";
const ENEMY: &str = "enemy";

/// Returns the fault of a part of a field of tables.
fn in_field(of: Field) -> impl Fn(Fault) -> FieldFault + Copy {
    move |fault| FieldFault { field: of.name.to_string(), fault }
}

const IN_SIDE: fn(Fault) -> FieldFault =
    |fault| FieldFault { field: PlatoonFields::sides.name.to_string(), fault };
const IN_ATTACK: fn(Fault) -> FieldFault =
    |fault| FieldFault { field: PlatoonFields::attacks.name.to_string(), fault };

impl PlatoonFields {
    /// Checks the fields against each other and builds the process.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing, or if fields contradict each other.
    pub fn checked(
        &self,
        is_firefight: bool,
        switches: &Switches,
        mut notes: Vec<String>,
    ) -> Result<CheckedPlatoon, FieldFault> {
        let rulebook = switches.rulebook(self.profile)?;
        self.check_use(is_firefight)?;
        let tables = self.tables(is_firefight, &mut notes)?;
        let mut sides = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let reader = SideReader { number, table, rulebook, fields: self, is_firefight };
            sides.push(reader.side(&tables, &mut notes)?);
        }
        let sights = self.sights(&sides, is_firefight)?;
        check_open_ground(&sides, &sights, &tables)?;
        let setup = PlatoonSetup {
            rulebook,
            heat_of_battle: self.heat_of_battle,
            no_quarter: self.no_quarter,
            turns: self.turns.u16(),
            begins: self.first_attacker(&sides)?,
            attacks: self.fixed_attacks(&sides)?,
            sights,
            sides,
        };
        notes.extend(overstacked(&setup.sides));
        if setup.attacks.is_empty() && !is_firefight {
            notes.push("no `fp` and no `attack` is given".to_string());
        }
        let platoon = Arc::new(Platoon::new(setup));
        Ok(CheckedPlatoon { platoon, objective: self.objective.clone(), notes })
    }

    /// Checks that every field is of use beside the others.
    fn check_use(&self, is_firefight: bool) -> Result<(), FieldFault> {
        let is_open = |terrain: &Terrain| terrain.name == Terrain::open().name;
        let has_tables = !self.sides.value.is_empty();
        let is_their = [
            (PlatoonFields::their_terrain, !is_open(self.their_terrain)),
            (PlatoonFields::their_rear, self.their_rear.is_some()),
            (PlatoonFields::their_policy, self.their_policy.is_some()),
            (PlatoonFields::their_elr, self.their_elr.is_some()),
        ];
        for (field, is_given) in is_their {
            let is_useless = is_given && !is_firefight;
            field.refuse_if(is_useless, "a platoon has one side: leave this out")?;
        }
        let is_terrain = [
            (PlatoonFields::terrain, !is_open(self.terrain)),
            (PlatoonFields::rear, self.rear.is_some()),
            is_their[0],
            is_their[1],
        ];
        for (field, is_given) in is_terrain {
            let is_useless = is_given && has_tables;
            field.refuse_if(is_useless, "each Location of a `side` has its own terrain")?;
        }
        let has_rear = self.rear.is_some() || self.their_rear.is_some();
        PlatoonFields::interdicted.refuse_if(
            self.interdicted.u8() > 0 && !has_rear,
            "there is no way behind that is Interdicted: give `rear`, its terrain",
        )?;
        let fires = self.firepower.is_some();
        PlatoonFields::firepower.refuse_if(
            fires && !self.attacks.value.is_empty(),
            "each `attack` has its own FP: leave this out, or the attacks",
        )?;
        PlatoonFields::range.refuse_if(
            self.range.is_some() && !self.ranges.value.entries.is_empty(),
            "`ranges` names the range of each line: leave this out",
        )?;
        for (field, is_given) in
            [(PlatoonFields::drm, self.drm.i8() != 0), (PlatoonFields::cowering, !self.cowering)]
        {
            field.refuse_if(is_given && !fires, "it belongs to the attack of `fp`: give its FP")?;
        }
        Ok(())
    }

    /// Returns the tables of the sides: those of the file, or those that the words stand for.
    fn tables(
        &self,
        is_firefight: bool,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Spanned<SideTable>>, FieldFault> {
        let written = &self.sides.value;
        let wanted = if is_firefight { 2 } else { 1 };
        if let (Some(_), true) = (&self.stack, !written.is_empty()) {
            let message = "give the units either in words or as `side`, not both";
            return Err(PlatoonFields::stack.fault(message));
        }
        if !written.is_empty() {
            return match written.len() {
                number if number == wanted => Ok(written.clone()),
                number => {
                    let fault = PlatoonFields::sides.fault(format!(
                        "a {} has {wanted} `side`, not {number}",
                        if is_firefight { "firefight" } else { "platoon" }
                    ));
                    let other = if is_firefight { "platoon" } else { "firefight" };
                    Err(fault.help(format!("ask a `{other}`, or change the number of sides")))
                }
            };
        }
        let missing = || {
            let fault = PlatoonFields::sides.fault("the sides are missing");
            let example = each("side", &[("name", "german")]);
            fault.help(shown(
                "for example {}, or units in words: `german:8-0 + 3x german:4-6-7`",
                [example],
            ))
        };
        let subject = self.stack.as_ref().ok_or_else(missing)?;
        let theirs = subject.theirs.as_ref().or(self.against.as_ref());
        let twice = subject.theirs.is_some() && self.against.is_some();
        PlatoonFields::against
            .refuse_if(twice, "`vs` has named their units already: leave this out")?;
        let first = self.side_in_words(&subject.ours, 0, notes);
        match (is_firefight, theirs) {
            (false, None) => Ok(vec![first]),
            (true, Some(theirs)) => Ok(vec![first, self.side_in_words(theirs, 1, notes)]),
            (false, Some(_)) => Err(PlatoonFields::against
                .fault("a platoon has one side")
                .help("ask a `firefight`, or leave the other side out")),
            (true, None) => {
                let fault = PlatoonFields::against.fault("a firefight needs units of both sides");
                let example = text_field(PlatoonFields::against.name, "4x russian:4-2-6");
                Err(fault.help(shown("for example `{}`", [example])))
            }
        }
    }

    /// Returns the table of a side whose units are written in words: fronts, and a place behind.
    fn side_in_words(
        &self,
        units: &StackNotation,
        number: usize,
        notes: &mut Vec<String>,
    ) -> Spanned<SideTable> {
        let (terrain, rear) = match number {
            0 => (self.terrain, self.rear),
            _ => (self.their_terrain, self.their_rear),
        };
        let whole = || SourcePosition::whole(0..0);
        let spanned = |text: String| Spanned { value: text, place: whole() };
        let nations = StackNotation::nations([units]);
        let name = nations.first().map_or(OWN, |nation| nation.name());
        let squads = units.resolve(&nations).map_or(0, |stack| {
            let is_squad = |member: &&Member| member.printed().kind == CounterKind::Squad;
            stack.members.iter().filter(is_squad).count()
        });
        let fronts = squads.div_ceil(SQUADS_OF_A_FRONT).clamp(1, MOST_LOCATIONS - 1);
        if fronts > 1 {
            notes.push(format!("{squads} squads stand in {fronts} fronts of at most 3"));
        }
        let mut table = SideTable { name: Some(spanned(name.to_string())), ..SideTable::default() };
        for front in 1..=fronts {
            let name = if fronts == 1 { "front".to_string() } else { format!("front-{front}") };
            let location = LocationTable {
                name: Some(spanned(name.clone())),
                terrain,
                front: Some(true),
                units: Some(Spanned { value: units.clone(), place: whole() }),
                ..LocationTable::default()
            };
            table.locations.push(Spanned { value: location, place: whole() });
            if rear.is_some() {
                let link = LinkTable {
                    from: Some(spanned(name)),
                    to: Some(spanned("rear".to_string())),
                    interdicted: self.interdicted,
                    ..LinkTable::default()
                };
                table.links.push(Spanned { value: link, place: whole() });
            }
        }
        if let Some(RearTerrain(terrain)) = rear {
            let location = LocationTable {
                name: Some(spanned("rear".to_string())),
                terrain,
                front: Some(false),
                ..LocationTable::default()
            };
            table.locations.push(Spanned { value: location, place: whole() });
        }
        Spanned { value: table, place: whole() }
    }

    fn first_attacker(&self, sides: &[PlatoonSide]) -> Result<u8, FieldFault> {
        let Some(begins) = &self.begins else { return Ok(u8::from(sides.len() == 1)) };
        let word = canonical(begins);
        let named = sides.iter().position(|side| canonical(&side.name) == word);
        match (named, word.as_str()) {
            (Some(side), _) => Ok(side as u8),
            (None, OWN) => Ok(0),
            (None, ENEMY) => Ok(1),
            _ => {
                let fault = Fault::new(format!("no side is called `{begins}`"), 0..begins.len());
                let names = sides.iter().map(|side| &*side.name).chain([OWN, ENEMY]);
                Err(FieldFault {
                    field: PlatoonFields::begins.name.to_string(),
                    fault: fault.expecting(begins, names),
                })
            }
        }
    }

    fn fixed_attacks(&self, sides: &[PlatoonSide]) -> Result<Vec<FixedAttack>, FieldFault> {
        let mut attacks = Vec::new();
        for Spanned { value: table, place } in &self.attacks.value {
            let on = match &table.on {
                None => 0,
                Some(name) => side_named(name, sides).map_err(IN_ATTACK)?,
            };
            let missing =
                |what: &str| IN_ATTACK(place.fault(format!("the attack has no `{what}`")));
            let at = table.at.as_ref().ok_or_else(|| missing("at"))?;
            let fp = table.firepower.ok_or_else(|| missing("fp"))?;
            let cowering = match (table.cowering, table.inexperienced) {
                (false, true) => {
                    let message = "`inexperienced` and `no-cowering` contradict each other (A19.3)";
                    return Err(IN_ATTACK(place.fault(message)));
                }
                (cowers, two) => u8::from(cowers) + u8::from(two),
            };
            attacks.push(FixedAttack {
                on: on as u8,
                at: aim(at, &sides[on].locations, false).map_err(IN_ATTACK)?,
                attack: Attack::new(fp.whole(), table.drm.i8(), cowering),
                turns: table.when.0.clone(),
            });
        }
        if let Some(fp) = self.firepower {
            let several = sides[0].locations.iter().filter(|at| at.is_front).count() > 1;
            attacks.push(FixedAttack {
                on: 0,
                at: if several { Aim::Most } else { Aim::Fixed(0) },
                attack: Attack::new(fp.whole(), self.drm.i8(), self.cowering.into()),
                turns: AttackTurns::Every,
            });
        }
        Ok(attacks)
    }

    /// Returns the lines of sight between both sides.
    fn sights(&self, sides: &[PlatoonSide], is_firefight: bool) -> Result<SightTable, FieldFault> {
        let given = self.range.is_some() || !self.ranges.value.entries.is_empty();
        if !is_firefight {
            let alone =
                "a platoon has no enemy in a Location: leave this out, or ask a `firefight`";
            PlatoonFields::range.refuse_if(given, alone)?;
            return Ok(SightTable::default());
        }
        if !given {
            let fault = PlatoonFields::range.fault("say how far apart both sides are");
            let example = field(PlatoonFields::range.name, 4);
            return Err(fault.help(shown("for example `{}`", [example])));
        }
        let [own, enemy] = sides else { return Ok(SightTable::default()) };
        let mut table = vec![vec![None; enemy.locations.len()]; own.locations.len()];
        let listed = !self.ranges.value.entries.is_empty();
        for (first, at) in own.locations.iter().enumerate().filter(|_| !listed) {
            for (second, there) in enemy.locations.iter().enumerate() {
                if at.is_front && there.is_front {
                    let range = self.range.map_or(1, |range| range.u8());
                    table[first][second] = Some(LineOfFire { range, hindrance: 0 });
                }
            }
        }
        for (pair, range) in &self.ranges.value.entries {
            let (first, second) = pair_of(pair, own, enemy, PlatoonFields::ranges)?;
            table[first][second] = Some(LineOfFire { range: range.u8(), hindrance: 0 });
        }
        for (pair, hindrance) in &self.hindrances.value.entries {
            let (first, second) = pair_of(pair, own, enemy, PlatoonFields::hindrances)?;
            match &mut table[first][second] {
                Some(line) => line.hindrance = hindrance.u8(),
                None => {
                    let message = format!("`{}` has no line of sight", pair.value);
                    return Err(in_field(PlatoonFields::hindrances)(pair.place.fault(message)));
                }
            }
        }
        Ok(SightTable(table))
    }
}

/// Returns the side with a name.
fn side_named(name: &Spanned<String>, sides: &[PlatoonSide]) -> Result<usize, Fault> {
    let is_meant = |side: &PlatoonSide| canonical(&side.name) == canonical(&name.value);
    sides.iter().position(is_meant).ok_or_else(|| {
        let fault = name.place.fault(format!("no side is called `{}`", name.value));
        fault.expecting(&name.value, sides.iter().map(|side| &*side.name))
    })
}

/// Returns the Location with a name.
fn location_named(name: &Spanned<String>, locations: &[PlatoonLocation]) -> Result<u8, Fault> {
    let is_meant = |at: &PlatoonLocation| canonical(&at.name) == canonical(&name.value);
    let place = locations.iter().position(is_meant).ok_or_else(|| {
        let fault = name.place.fault(format!("no Location is called `{}`", name.value));
        fault.expecting(&name.value, locations.iter().map(|at| &*at.name))
    })?;
    Ok(place as u8)
}

/// Returns the aim that a text names: a word, a Location (of fixed attacks), or `fixed:NAME`.
fn aim(
    text: &Spanned<String>,
    target: &[PlatoonLocation],
    needs_fixed: bool,
) -> Result<Aim, Fault> {
    let word = canonical(&text.value);
    let fixed = word.strip_prefix("fixed:");
    let known = Aim::WORDS.iter().find(|(name, _)| *name == word);
    let is_location = target.iter().any(|at| canonical(&at.name) == word) && !needs_fixed;
    match (fixed, known) {
        (None, Some((_, aim))) if !is_location => Ok(*aim),
        (None, _) if needs_fixed => {
            let fault = text.place.fault(format!("no aim is called `{}`", text.value));
            Err(fault.help("nearest, most, easiest, or fixed:NAME with a Location of the enemy"))
        }
        _ => {
            let name = fixed.unwrap_or(&word).to_string();
            let name = Spanned { value: name, place: text.place.clone() };
            location_named(&name, target).map(Aim::Fixed)
        }
    }
}

/// Returns the Locations of both sides that a text such as `house-wood` names.
fn pair_of(
    pair: &Spanned<String>,
    own: &PlatoonSide,
    enemy: &PlatoonSide,
    of: Field,
) -> Result<(usize, usize), FieldFault> {
    let text = canonical(&pair.value);
    let place = |side: &PlatoonSide, name: &str| {
        side.locations.iter().position(|at| canonical(&at.name) == name)
    };
    let split = |(sign, _): (usize, &str)| {
        Some((place(own, &text[..sign])?, place(enemy, &text[sign + 1..])?))
    };
    text.match_indices('-').find_map(split).ok_or_else(|| {
        let fault = pair.place.fault(format!("`{}` names no two Locations", pair.value));
        let example = format!("{}-{}", own.locations[0].name, enemy.locations[0].name);
        in_field(of)(fault.help(format!("the first side's, then the enemy's: `{example}`")))
    })
}

/// Refuses a front in Open Ground in sight of the enemy that no link leaves (10.5).
fn check_open_ground(
    sides: &[PlatoonSide],
    sights: &SightTable,
    tables: &[Spanned<SideTable>],
) -> Result<(), FieldFault> {
    for (number, side) in sides.iter().enumerate() {
        for (place, at) in side.locations.iter().enumerate() {
            let is_seen = match sides.get(1 - number) {
                None => at.is_seen,
                Some(enemy) => (0..enemy.locations.len())
                    .any(|there| sights.get(number, place, there).is_some()),
            };
            let has_link = side.links.iter().any(|link| usize::from(link.from) == place);
            if at.is_open_ground() && is_seen && !has_link {
                let message = format!(
                    "`{}` is Open Ground in sight of the enemy without a link: broken units must \
                        rout from there (A10.5)",
                    at.name
                );
                let table = tables[number].value.locations.get(place);
                let span = table.map_or(0..0, |table| table.place.span.clone());
                let is_in_words = span.is_empty();
                let fault = Fault::new(message, span);
                let of = match (is_in_words, number) {
                    (false, _) => PlatoonFields::sides,
                    (true, 0) => PlatoonFields::terrain,
                    (true, _) => PlatoonFields::their_terrain,
                };
                let rear =
                    if number == 0 { PlatoonFields::rear } else { PlatoonFields::their_rear };
                let help = match is_in_words {
                    true => shown(
                        "give it a terrain such as `woods`, or a place behind: {}",
                        [text_field(rear.name, "woods")],
                    ),
                    false => {
                        "give it a terrain such as `woods`, or a link to a place behind".into()
                    }
                };
                return Err(in_field(of)(fault.help(help)));
            }
        }
    }
    Ok(())
}

/// Returns a note on each Location with more than it can hold (5.1, S-6).
fn overstacked(sides: &[PlatoonSide]) -> Vec<String> {
    let halves = |member: &Member| match member.printed().kind {
        CounterKind::Squad => 2,
        CounterKind::HalfSquad | CounterKind::Crew => 1,
        CounterKind::Leader | CounterKind::Commissar | CounterKind::Hero => 0,
    };
    let mut notes = Vec::new();
    for side in sides {
        for (place, at) in side.locations.iter().enumerate() {
            let here = side.members.iter().zip(&side.begins_in);
            let here = here.filter(|(_, begins)| usize::from(**begins) == place);
            let sum: u8 = here.map(|(member, _)| halves(member)).sum();
            if sum > FULL {
                let name = &at.name;
                notes.push(format!("{name} is overstacked, which changes nothing here (S-6)"));
            }
        }
    }
    notes
}

/// A side of a file that is being read.
struct SideReader<'f> {
    number: usize,
    table: &'f Spanned<SideTable>,
    rulebook: Rulebook,
    fields: &'f PlatoonFields,
    is_firefight: bool,
}

impl SideReader<'_> {
    fn side(
        &self,
        tables: &[Spanned<SideTable>],
        notes: &mut Vec<String>,
    ) -> Result<PlatoonSide, FieldFault> {
        let table = &self.table.value;
        let default = if self.number == 0 { OWN } else { ENEMY };
        let name = table.name.as_ref().map_or(default, |name| name.value.trim());
        let is_same = |other: &Spanned<SideTable>| {
            other
                .value
                .name
                .as_ref()
                .is_some_and(|other| canonical(&other.value) == canonical(name))
        };
        // In words both sides may be of one nation.
        let name = match tables[..self.number].iter().any(is_same) {
            true if self.fields.stack.is_some() => default,
            true => {
                let place = table.name.as_ref().map_or(&self.table.place, |name| &name.place);
                return Err(IN_SIDE(place.fault(format!("two sides are called `{name}`"))));
            }
            false => name,
        };
        let locations = self.locations()?;
        let (members, begins_in) = self.units(notes)?;
        let links = self.links(&locations)?;
        let mut orders = self.orders(&members, tables)?;
        orders.first = self.first_orders(members.len(), &locations)?;
        let elr = match self.number {
            0 => self.fields.elr,
            _ => self.fields.their_elr,
        };
        let elr = elr.unwrap_or(table.elr).u8();
        let (name, policy) = (name.into(), self.policy());
        Ok(PlatoonSide { name, elr, members, begins_in, locations, links, policy, orders })
    }

    fn locations(&self) -> Result<Vec<PlatoonLocation>, FieldFault> {
        let tables = &self.table.value.locations;
        if tables.is_empty() || tables.len() > MOST_LOCATIONS {
            let message =
                format!("a side has 1 to {MOST_LOCATIONS} `location`, not {}", tables.len());
            return Err(IN_SIDE(self.table.place.fault(message)));
        }
        let mut locations: Vec<PlatoonLocation> = Vec::new();
        for (place, Spanned { value: table, place: at }) in tables.iter().enumerate() {
            let name = match &table.name {
                Some(name) => name.value.trim().to_string(),
                None => (place + 1).to_string(),
            };
            if locations.iter().any(|other| canonical(&other.name) == canonical(&name)) {
                let message = format!("two Locations are called `{name}`");
                let at = table.name.as_ref().map_or(at, |name| &name.place);
                return Err(IN_SIDE(at.fault(message)));
            }
            let of_enemy = [(table.seen.is_some(), "seen"), (table.adjacent, "adjacent")];
            if let Some((_, word)) = of_enemy.iter().find(|(holds, _)| *holds && self.is_firefight)
            {
                let message = format!("in a firefight `{word}` follows from the ranges");
                return Err(IN_SIDE(at.fault(message).help("leave it out")));
            }
            let is_front = table.front.unwrap_or(place == 0);
            locations.push(PlatoonLocation {
                name: name.into(),
                terrain: table.terrain,
                tem: table.tem.map_or(table.terrain.tem, |tem| tem.i8()),
                is_front,
                is_seen: table.seen.unwrap_or(is_front),
                is_adjacent: table.adjacent,
                weapons: self.weapons(table)?,
            });
        }
        Ok(locations)
    }

    /// Returns the MG of a Location, each by its name or as `FP-range` (S-7).
    fn weapons(&self, table: &LocationTable) -> Result<Vec<&'static SupportWeapon>, FieldFault> {
        let nation = self.nations().first().copied().unwrap_or(Nation::German);
        let find = |text: &Spanned<String>| {
            let (own, name) = match text.value.split_once(':') {
                Some((of, name)) => (Nation::from_word(of).unwrap_or(nation), name),
                None => (nation, text.value.as_str()),
            };
            let named = SupportWeapon::named(own, name).filter(|weapon| weapon.is_mg());
            let by_values = || {
                let (fp, range) = name.split_once('-')?;
                let values = (fp.trim().parse().ok()?, range.trim().parse().ok()?);
                let mg = SupportWeapon::all().iter().filter(|weapon| weapon.is_mg());
                let alike = mg.filter(|of| (of.firepower, of.normal_range()) == values);
                alike.max_by_key(|weapon| weapon.nation == own)
            };
            named.or_else(by_values).ok_or_else(|| {
                let message = format!("no MG is called `{}`", text.value);
                let fault = text.place.fault(message);
                IN_SIDE(fault.help("lmg, mmg, hmg, or FP and Normal Range: `7-16`"))
            })
        };
        table.weapons.iter().map(find).collect()
    }

    fn nations(&self) -> Vec<Nation> {
        let units = self.table.value.locations.iter().filter_map(|at| at.value.units.as_ref());
        StackNotation::nations(units.map(|units| &units.value))
    }

    /// Returns the units with the Locations where they begin. Those written in words stand in
    /// fronts of three squads, leaders one in each from the first on.
    fn units(&self, notes: &mut Vec<String>) -> Result<(Vec<Member>, Vec<u8>), FieldFault> {
        let nations = self.nations();
        let tables = &self.table.value.locations;
        let is_in_words = self.fields.stack.is_some();
        let of = if !is_in_words {
            PlatoonFields::sides
        } else if self.number == 0 {
            PlatoonFields::stack
        } else {
            PlatoonFields::against
        };
        let in_units = in_field(of);
        let (mut members, mut begins_in) = (Vec::new(), Vec::new());
        let fronts = tables.iter().filter(|at| at.value.units.is_some()).count();
        for (place, table) in tables.iter().enumerate() {
            let Some(Spanned { value: units, place: at }) = &table.value.units else { continue };
            let blamed = |fault: Fault| in_units(at.blamed(fault));
            let stack = units.resolve(&nations).map_err(blamed)?;
            for (member, span) in stack.members.iter().zip(&stack.spans) {
                let fault =
                    |fault: Fault| in_units(at.blamed(Fault { span: span.clone(), ..fault }));
                check_scope(member, self.rulebook).map_err(fault)?;
            }
            notes.extend(stack.assumed.clone());
            let (mut leaders, mut others) = (0, 0);
            for member in stack.members {
                let of_front = match member.printed().kind.is_smc() {
                    true => {
                        leaders += 1;
                        (leaders - 1) % fronts
                    }
                    false => {
                        others += 1;
                        ((others - 1) / SQUADS_OF_A_FRONT).min(fronts - 1)
                    }
                };
                if !is_in_words || of_front == place {
                    members.push(member);
                    begins_in.push(place as u8);
                }
            }
        }
        match members.len() {
            0 => Err(in_units(self.table.place.fault("the side has no units"))),
            number if number > MAX_UNITS => {
                let message = format!("{number} units: a side has at most {MAX_UNITS}");
                Err(in_units(self.table.place.fault(message)))
            }
            _ => Ok((members, begins_in)),
        }
    }

    fn links(&self, locations: &[PlatoonLocation]) -> Result<Vec<Link>, FieldFault> {
        let tables = &self.table.value.links;
        if tables.len() > MOST_LINKS {
            let message = format!("a side has at most {MOST_LINKS} links");
            return Err(IN_SIDE(self.table.place.fault(message)));
        }
        let mut links = Vec::new();
        for Spanned { value: table, place } in tables {
            let end = |name: &Option<Spanned<String>>, what: &str| {
                let missing = || place.fault(format!("the link has no `{what}`"));
                location_named(name.as_ref().ok_or_else(missing)?, locations)
            };
            let from = end(&table.from, "from").map_err(IN_SIDE)?;
            let to = end(&table.to, "to").map_err(IN_SIDE)?;
            if from == to {
                return Err(IN_SIDE(place.fault("the link leads back to where it begins")));
            }
            links.push(Link {
                from,
                to,
                interdicted: table.interdicted.u8(),
                moves: table.moves,
                fire: table.fire.u16(),
                fire_drm: table.fire_drm.i8(),
            });
        }
        Ok(links)
    }

    fn policy(&self) -> PolicyWord {
        let policy = if self.number == 0 { self.fields.policy } else { self.fields.their_policy };
        policy.unwrap_or(self.table.value.policy)
    }

    fn orders(
        &self,
        members: &[Member],
        tables: &[Spanned<SideTable>],
    ) -> Result<SideOrders, FieldFault> {
        let table = &self.table.value;
        let words = self.policy().words();
        let best = best_leader(members);
        let mut leaders: Vec<LeaderWord> = (0..members.len())
            .map(|unit| if Some(unit) == best { words.best } else { words.others })
            .collect();
        let mut created = words.others;
        if let Some(Spanned { value: LeaderWords(own), .. }) = &table.leader {
            for (_, word) in own.iter().filter(|(name, _)| canonical(&name.value) == OTHERS) {
                leaders.fill(*word);
                created = *word;
            }
            for (name, word) in own {
                let key = canonical(&name.value);
                let is_meant = |unit: usize| match key.as_str() {
                    OTHERS => true,
                    BEST => Some(unit) == best,
                    counter => {
                        members[unit].is_leader() && members[unit].printed().printed() == counter
                    }
                };
                let meant: Vec<usize> = (0..members.len()).filter(|unit| is_meant(*unit)).collect();
                if meant.is_empty() {
                    let fault = name.place.fault(format!("no leader is called `{}`", name.value));
                    let leaders = members.iter().filter(|member| member.is_leader());
                    let known: Vec<&str> =
                        leaders.map(|member| member.printed().printed()).collect();
                    let known = [&known[..], &[BEST, OTHERS]].concat();
                    return Err(IN_SIDE(fault.help(format!("valid: {}", listed(&known)))));
                }
                if key != OTHERS {
                    meant.into_iter().for_each(|unit| leaders[unit] = *word);
                }
            }
        }
        Ok(SideOrders {
            leaders,
            created,
            first: Vec::new(),
            rout: table.rout.unwrap_or(words.rout),
            returns: table.returns.unwrap_or(words.returns),
            rally: table.rally,
            group: self.grouping()?,
            aim: self.aim(tables)?,
        })
    }

    /// Returns the order of each unit for its first decision.
    fn first_orders(
        &self,
        units: usize,
        locations: &[PlatoonLocation],
    ) -> Result<Vec<Option<FirstOrder>>, FieldFault> {
        let entries = &self.table.value.first.entries;
        let mut orders = vec![None; if entries.is_empty() { 0 } else { units }];
        for (slot, place) in entries {
            let unit = slot.value.parse::<usize>().ok().and_then(|slot| slot.checked_sub(1));
            let Some(order) = unit.and_then(|unit| orders.get_mut(unit)) else {
                let fault = slot.place.fault(format!("no unit has the slot `{}`", slot.value));
                return Err(IN_SIDE(fault.help(format!("slots go from 1 to {units}"))));
            };
            *order = Some(match canonical(&place.value).as_str() {
                FirstOrder::STAY => FirstOrder::Stay,
                _ => FirstOrder::Go(location_named(place, locations).map_err(IN_SIDE)?),
            });
        }
        Ok(orders)
    }

    /// Returns the Fire Groups of the side.
    fn grouping(&self) -> Result<FireGrouping, FieldFault> {
        let group = self.fields.group.unwrap_or(self.table.value.group);
        if group == FireGrouping::Separate && !self.rulebook.chooses(Switch::SeparateFireAllowed) {
            let message = "units of one Location fire at one target as one group (A7.55)";
            let fault = self.table.place.fault(message);
            let fault = fault
                .help(shown("`{}` allows it as a what-if", [text_field("i155", "alternative")]));
            return Err(match self.fields.group {
                Some(_) => in_field(PlatoonFields::group)(Fault { span: 0..0, ..fault }),
                None => IN_SIDE(fault),
            });
        }
        Ok(group)
    }

    fn aim(&self, tables: &[Spanned<SideTable>]) -> Result<Aim, FieldFault> {
        let Some(text) = &self.table.value.aim else { return Ok(Aim::Nearest) };
        let Some(enemy) = tables.get(1 - self.number).filter(|_| self.is_firefight) else {
            let message = "a platoon has no enemy to aim at: leave this out, or ask a `firefight`";
            return Err(IN_SIDE(text.place.fault(message)));
        };
        let fields = self.fields;
        let other = SideReader { number: 1 - self.number, table: enemy, fields, ..*self };
        aim(text, &other.locations()?, true).map_err(IN_SIDE)
    }
}
