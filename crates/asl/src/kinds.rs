//! The questions about a stack: their kinds, their fields, and the actions of a step in a sequence.

use super::attack::circumstances::{
    CrossedHexside, DemolitionUse, Direction, FirePhase, Movement, TargetWorks, WallAdvantage,
};
use super::attack::firers::FireGroup;
use super::attack::lines::AttackLines;
use super::close_combat::fields::CombatFields;
use super::counting::{
    CLASSES, FURTHER_ENDS, GROUPS, OF_GAUNTLET, OF_RALLY, UNREPORTED, printed_counter,
};
pub(crate) use super::field_values::text_value;
pub use super::field_values::{MAX_TURNS, PlayerTurns, SlotList};
use super::nation::Nation;
use super::notation::StackNotation;
use super::rulebook::Profile;
use super::sequence::OwnRph;
use super::sniper::fields::{San, SniperHits};
use super::sniper::gain::{EnemyLos, EnemyRange};
use crate::board::terrain::Terrain;
use crate::vocabulary::{ROUT_MF, Status, Wording, ift_column};
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use answer::Success;
use engine::text::notation::{field, shown};
use engine::text::{Fault, canonical};
use play::QuestionBuilder;
use schema::declared::declared_words;
use schema::field::{StoredValue, fields, words_of};
use schema::{
    Alias, ChoiceMaker, Field, FieldSet, FieldValue, Fields as _, Json, Kind, Node, Raw, RawValue,
    ReckonedNumber, StepKind as Declared, Takes, Whole,
};

/// The form (the fields to fill in) of questions about a stack of units in one Location.
#[derive(Clone, Copy, Debug)]
pub struct Stacks;

/// The ELR of a side (A19.1, A20.4).
pub(super) type Elr = Whole<0, 6>;
type Range = Whole<0, 40>;
type Tem = Whole<-2, 10>;
type Levels = Whole<-10, 10>;
type Few = Whole<0, 9>;
pub(super) type Drm = Whole<-20, 20>;

fields! {
    /// The fields of every question about a stack.
    pub struct StackFields, FieldSetters {
        "stack" stack: Option<StackNotation>, "units, in the notation below";
        "attack" attacks: Option<AttackLines>, "attacks in order, each as `PHASE RANGE: FIRERS`, \
            such as `prep 3, hindrance 1: 9-2 + german:4-6-7/hmg`";
        "san" san: Option<San>,
            "SAN of the enemy, called by MC and TC of the stack; or `A,B`: of the stack's side, \
            called by the DR of attacks, and of the enemy", ["A14.1"];
        "sniper-hits" sniper_hits: SniperHits = "elsewhere",
            "where attacks of the enemy's Sniper strike: here, elsewhere, or the share of them \
            that strikes this stack", ["A14.2"];
        "elr" elr: Elr = "3", "ELR of the side", ["A19.1"];
        "hob" / "no-hob" heat_of_battle: bool = "true", "no Heat of Battle", ["A15.1"];
        "keu" / "no-keu" known_enemy: bool = "true",
            "no Known enemy in LOS, so no unit goes berserk", ["A15.44"];
        "captor" captor: bool, "a Known, Good Order, armed enemy is ADJACENT, so a unit that \
            surrenders is captured", ["A15.5"];
        "no-quarter" no_quarter: bool, "No Quarter is in force, so no unit surrenders", ["A20.3"];
        "enemy" enemy: Option<Nation>,
            "nation of the enemy: against Russians the SS neither surrender nor become Disrupted",
            ["A19.12"];
        "enemy-adjacent" enemy_adjacent: bool,
            "a Known armed enemy is always ADJACENT, so DM returns at once", ["A10.62"];
        "profile" profile: Profile = "asl-v3", "edition of the rules: asl-v3, asl-v2 or aslsk";
        "joint" joint: bool, "outcomes of the whole stack instead of each unit", once;
    }
}

fields! {
    /// The fields of a step: what happens to the stack.
    pub struct StepFields, StepSetters {
        "if" test: Option<String>,
            "condition of the step: [not] [any|all|none|SLOT] broken, dm, unbroken, pinned, gone, \
            ..., joined by and, or";
        "fp" firepower: Option<Fp>, "firepower of the attack";
        "drm" drm: Drm = "0", "sum of all DRM of the attack: TEM, leadership of the firers, \
            Hindrance, ...";
        "cowering" / "no-cowering" cowering: bool = "true",
            "the firers do not Cower, because a leader directs them or because of their type",
                ["A7.9"];
        "inexperienced" inexperienced: bool,
            "the firers are Inexperienced and Cower by two columns", ["A19.3"];
        "by" by: Option<FireGroup>, "firers of the attack, such as `9-2 + 2x german:4-6-7/hmg`; FP, DRM \
            and Cowering are reckoned";
        "range" range: Option<Range>, "range in hexes, 0 for the same hex (1)", ["A7.2"];
        "phase" fire_phase: Option<FirePhase>,
            "fire phase: prep (default), first (default of a mover), subsequent, ...", ["A3"];
        "tem" tem: Option<Tem>, "TEM in place of that of the terrain", ["A7.6"];
        "works" works: Option<TargetWorks>, "works in the target hex: foxhole, trench, ...", ["B27"];
        "pillbox" pillbox: Option<Tem>, "CA or NCA number of the target's pillbox", ["B30.3"];
        "hexside" hexside: Option<CrossedHexside>, "hexside of the target that the LOS crosses", ["B9"];
        "wall-advantage" wall_advantage: Option<WallAdvantage>,
            "who has Wall Advantage over that hexside", ["B9.3"];
        "level" level: Option<Levels>, "firer's level less that of the target (0)", ["B10.31"];
        "crest" crest: bool, "the mover has just crossed the crest hexside of the LOS", ["B10.31"];
        "hindrance" hindrance: Option<Few>, "DRM of Hindrances, without SMOKE", ["A6.7"];
        "smoke" smoke: Option<Few>, "DRM of SMOKE in the target's Location", ["A24.2"];
        "smoke-los" smoke_los: Option<Few>, "DRM of SMOKE between firer and target", ["A24.2"];
        "smoke-out" smoke_out: Option<Few>, "DRM of SMOKE in the firers' Location", ["A24.8"];
        "lv" low_visibility: Option<Few>, "DRM of Low Visibility", ["E3.1"];
        "night" night: bool, "the attack is at night", ["E1.7"];
        "move" movement: Option<Movement>,
            "how the target moves: assault, non-assault, dash, hazardous", ["A4.6"];
        "mf" mf: Option<Whole<1, 8>>, "MF that the mover spends in the Location (1)", ["A9.2"];
        "spraying" spraying: bool, "the firers use Spraying Fire", ["A7.34"];
        "snap-shot" snap_shot: bool, "the attack is a Snap Shot", ["A8.15"];
        "area" area: Option<Few>, "how often terrain of the firers halves their FP", ["A7.23"];
        "direct" direction: Option<Direction>,
            "which leaders direct: auto (0 or better), force, none", ["A10.72"];
        "overstack-by" overstacked_firers: Option<Few>,
            "squad-equivalents by which the firers' Location is overstacked", ["A5.12"];
        "overstack-target" overstacked_target: Option<Few>,
            "squad-equivalents by which the target's Location is overstacked", ["A5.131"];
        "target-ft" target_flamethrowers: Option<Few>, "Flamethrowers of the target", ["A22.4"];
        "dc" demolition: Option<DemolitionUse>, "use of a DC: placed or thrown", ["A23"];
        "mol" molotov: bool, "the MOL Check of the attack was passed", ["A22.6"];
        "name" name: Option<String>, "name of the firers; who has one and fires again must be \
            allowed to", ["A7.1"];
        "rof" rof: Option<Whole<1, 3>>,
            "largest number of shots in the phase: the MG go on while they keep their ROF (1)",
                ["A9.2"];
        "stop" stop: Option<String>, "condition after which firing ends, such as `none holds` or \
            `mmc holds <= 1`";
        "mc" mc: Option<Mc>, "modifier of the Morale Check: 0 for a NMC, 1 for a 1MC";
        "ptc" ptc: bool, "a Pin Task Check instead of a Morale Check";
        "enemy" enemy_range: EnemyRange = "within-16",
            "the nearest unbroken enemy: within-16 hexes, beyond-16, none", ["A12.12"];
        "los" los: EnemyLos = "yes", "yes or no: an unbroken enemy has LOS", ["A12.12"];
        "slots" slots: Option<SlotList>,
            "places of the units in the stack (slots), such as 1 or `1,3`; default: all units";
        "hexes" hexes: Option<HexesToCross>, "number of Interdicted Open Ground hexes to cross";
        "leader" leader: Lent, "a Good Order leader in the Location who lends his leadership and \
            is never at risk";
        "voluntary-rout" voluntary_rout: bool,
            "the unbroken leader of the stack routs with the broken unit", ["A10.711"];
        "terrain" terrain: &'static Terrain = "open",
            "terrain: open, building, woods, pillbox, trench, ...";
        "dm" dm: bool, "every broken unit starts with DM";
        "phases" phases: Whole<1, 60> = "1", "number of Rally Phases, with one attempt each";
        "own-rph" own_rph: OwnRph = "odd",
            "which Rally Phases are the side's own, in which its first MMC may Self-Rally: odd, \
                even, never", ["A18.11"];
        "keep-dm" keep_dm: bool, "keep DM at the end of each phase, if the rules allow it";
    }
}

/// The fields of a step of any kind: those of the stack, and those of Close Combat.
#[derive(Clone, Debug, Default)]
pub struct ActionFields {
    of_stack: StepFields,
    /// `None` as long as no field of Close Combat is set.
    of_combat: Option<Box<CombatFields>>,
}

impl ActionFields {
    /// Returns the fields of Close Combat, with those that further actions have as well.
    pub(super) fn of_combat(&self) -> CombatFields {
        let (terrain, night) = (self.terrain, self.night);
        CombatFields { terrain, night, ..self.of_combat.as_deref().cloned().unwrap_or_default() }
    }
}

impl Deref for ActionFields {
    type Target = StepFields;

    fn deref(&self) -> &StepFields {
        &self.of_stack
    }
}

impl DerefMut for ActionFields {
    fn deref_mut(&mut self) -> &mut StepFields {
        &mut self.of_stack
    }
}

/// The fields of Close Combat before any is set.
static BLANK_COMBAT: LazyLock<CombatFields> = LazyLock::new(CombatFields::default);

impl FieldSet for ActionFields {
    fn stored(&self, name: &str) -> Option<&dyn StoredValue> {
        let of_combat = || self.of_combat.as_deref().unwrap_or(&BLANK_COMBAT).stored(name);
        self.of_stack.stored(name).or_else(of_combat)
    }

    fn stored_mut(&mut self, name: &str) -> Option<(&mut dyn StoredValue, bool)> {
        if self.of_stack.has(name) {
            return self.of_stack.stored_mut(name);
        }
        BLANK_COMBAT.stored(name)?;
        self.of_combat.get_or_insert_default().stored_mut(name)
    }
}

/// The fields of every question about a stack, apart from the stack itself.
pub const COMMON: &[Field] = StackFields::ALL.split_at(4).1;
/// The fields of Snipers, beside questions in whose phases they are called (14.1).
const SNIPERS: &[Field] = &[StackFields::san, StackFields::sniper_hits];

const FIRE: &[Field] =
    &[StepFields::firepower, StepFields::drm, StepFields::cowering, StepFields::inexperienced];
/// The fields of an attack by named firers.
pub(super) const BY: &[Field] = &[
    StepFields::by,
    StepFields::range,
    StepFields::fire_phase,
    StepFields::terrain,
    StepFields::tem,
    StepFields::works,
    StepFields::pillbox,
    StepFields::hexside,
    StepFields::wall_advantage,
    StepFields::level,
    StepFields::crest,
    StepFields::hindrance,
    StepFields::smoke,
    StepFields::smoke_los,
    StepFields::smoke_out,
    StepFields::low_visibility,
    StepFields::night,
    StepFields::movement,
    StepFields::mf,
    StepFields::spraying,
    StepFields::snap_shot,
    StepFields::area,
    StepFields::direction,
    StepFields::overstacked_firers,
    StepFields::overstacked_target,
    StepFields::target_flamethrowers,
    StepFields::demolition,
    StepFields::molotov,
];
/// The fields of the shots that may follow such an attack.
pub(super) const SHOTS: &[Field] = &[StepFields::rof, StepFields::stop];
/// The fields that a question with steps gives for all of its attacks by named firers.
const OF_ALL_ATTACKS: &[Field] = &[StepFields::terrain, StepFields::works, StepFields::hexside];
const CHECK: &[Field] = &[
    StepFields::mc,
    StepFields::ptc,
    Field { rule: Some("E1.76"), ..StepFields::night }
        .meaning("it is night, so that a SAN is 2 higher, at most 7"),
];
const INTERDICT: &[Field] = &[
    StepFields::hexes,
    StepFields::leader
        .meaning("a Good Order leader in every hex who lends his leadership and is never at risk"),
    StepFields::voluntary_rout,
];
const RALLY: &[Field] = &[
    StepFields::leader,
    StepFields::terrain,
    StepFields::dm,
    StepFields::own_rph,
    StepFields::keep_dm,
];
/// What a step of Close Combat says.
const CLOSE_COMBAT: &[Field] = &[
    CombatFields::against.meaning(
        "their units, such as `2x russian:4-4-7`; left out, the Melee of an earlier step goes on",
    ),
    CombatFields::plan.meaning(
        "our attacks: `2>1; 3>2` (our unit 2 their unit 1, unit 3 their unit 2), or all, first, \
            pairs, capture, none, withdraw, best (for those who then fight); default: all",
    ),
    CombatFields::reply.meaning("their attacks on our units; default: all"),
    CombatFields::objective,
    StepFields::terrain,
    CombatFields::ambush,
    CombatFields::ambush_withdraw,
    CombatFields::phasing,
    CombatFields::melee,
    CombatFields::turns,
    CombatFields::infiltrate,
    CombatFields::their_infiltrate,
    CombatFields::exits,
    CombatFields::capture,
    CombatFields::hand_to_hand,
    CombatFields::no_quarter,
    StepFields::night,
    CombatFields::creation,
];
/// The number of Rally Phases of a Rally question, by default 6. In a sequence it is 1.
const PHASES: &[Field] =
    &[StepFields::phases.by_default("6", "number of Rally Phases, with one attempt each")];
/// Each Player Turn has one RPh, in which both sides rally.
const TURNS: &[Alias] = &[Alias {
    field: Field { name: "turns", ..StepFields::phases },
    of: StepFields::phases.name,
    note: "each Player Turn has one Rally Phase, so `turns` is read as `phases`",
}];

const STACK_HELP: &str = "\
A stack is written as counters with ` + ` between them:
  \"9-1 + 2x german:4-6-7 + german:4-6-8/broken,dm\"
  counter     [N x] [nation:] name [:class] [/condition,...], such as 4-6-7, 8-1, hero, id:ger_2_237
  nations     german, german-ss, russian, american, british, french, italian, finnish, axis-minor, \
  partisan
  classes     e, 1, 2, g, c, crew
  conditions  broken, dm, pinned, wounded, fanatic, heroic, disrupted, berserk, cx, encircled, \
  unarmed,
              elr=N, morale=N, broken-morale=N
Other unambiguous forms are accepted too: 2 4-6-7, 2*4-6-7, `,` or `and` between counters, GERMAN \
4-6-7, 4-6-7 broken.
`lowcrawl units` lists all counters, `lowcrawl rules` all interpretations.";

const SEQUENCE_HELP: &str = "\
A sequence file lists the units and what happens to them, step by step:
  stack = \"german:8-1 + 2x german:4-6-7\"
  elr = 3
  [[step]]
  do = \"fire\"            # fp, drm, no-cowering, inexperienced; or by, range, phase, rof, stop, ...
  fp = 8
  [[step]]
  do = \"rally\"           # leader, phases (1), own-rph, terrain, dm, keep-dm
  if = \"broken\"          # condition: [not] [any|all|none|SLOT] broken, dm, pinned, ..., and, or;
                         # or a number: [mmc|leaders|units] holds <= 1
Further steps: check (mc, ptc), eliminate (slots: required), break (slots; default: all units), dm,
  conceal (terrain, enemy, los), reveal (slots; default: all units),
  interdict (hexes, leader, voluntary-rout), cc (Close Combat: against, plan, reply, terrain, ...).
The fields at the top are the options of `lowcrawl check`: elr, no-hob, no-keu, captor, profile, \
i01, ...; terrain, works and hexside hold for all attacks by named firers.";

/// The statuses in which a unit of ASL can end.
pub const ENDS: &[&str] = RALLY_ENDS.split_at(1).1;
const RALLY_ENDS: &[&str] = &[
    "rallied",
    "good-order",
    "pinned",
    "berserk",
    "broken",
    "disrupted",
    "captured",
    "eliminated",
];
const GAUNTLET_ENDS: &[&str] = &[
    "good-order",
    "pinned",
    "berserk",
    "through",
    "stopped",
    "broken",
    "disrupted",
    "captured",
    "eliminated",
];

/// The words for the owner and the enemy where there is fire.
const SIDES_OF_FIRE: [&str; 2] = ["target", "firer"];

/// The numbers that an attack reckons: more FP and a higher column are worse for the target.
const RECKONED: &[ReckonedNumber] = &[
    ReckonedNumber { name: "fp", words: "FP of the attack", weight: -1.0 },
    ReckonedNumber { name: "drm", words: "DRM of the attack", weight: 1.0 },
    ReckonedNumber { name: "column", words: "column of the attack on the IFT", weight: -1.0 },
];

/// Declares a kind of question with one step. Its outcomes do not have the measure `in-cover`.
const fn of_stack(
    name: &'static str,
    about: &'static str,
    fields: &'static [&'static [Field]],
) -> Kind {
    let kind = Kind::new(name, about, Some(StackFields::stack), fields);
    let kind = kind
        .help(STACK_HELP)
        .ends(ENDS, Status::in_charts)
        .counted(CLASSES, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter);
    Kind { unreported: UNREPORTED, ..kind }
}

declared_words! {
    /// The kinds of questions about a stack.
    pub enum QuestionKind: Kind {
        /// An attack on the IFT.
        Fire = of_stack(
            "fire",
            "odds of an attack on the Infantry Fire Table: K, KIA and Random Selection, MC, PTC, \
                Cowering (A7.3)",
            &[FIRE, BY, SHOTS, SNIPERS, COMMON],
        ).played(ChoiceMaker::Unasked).between(SIDES_OF_FIRE).reckons(RECKONED).examples(&[
            "\"8-1 + 2x german:4-6-7\" --fp 8 --drm 1",
            "russian:4-4-7 --fp 12 --no-cowering --elr 2",
            "russian:4-4-7 --by \"9-2 + german:4-6-7/hmg\" --range 3 --terrain stone",
        ]),
        /// A MC or PTC of the whole stack.
        Check = of_stack(
            "check",
            "odds of a Morale Check or Pin Task Check of a whole stack: leaders, LLMC and LLTC, \
                ELR (A10.1 - A10.4)",
            &[CHECK, SNIPERS, COMMON],
        ).played(ChoiceMaker::Unasked).examples(&[
            "\"9-1 + 2x german:4-6-7\" --mc 1",
            "german:4-6-7 --ptc --no-hob",
            "\"9-1 + 2x german:4-6-7\" --mc 1 --given \"6,3\"",
        ]),
        /// Rally attempts over several phases.
        Rally = of_stack("rally", "odds of rallying, phase by phase (A10.6)",
            &[RALLY, PHASES, COMMON])
            .ends(RALLY_ENDS, Status::in_charts)
            .counted(OF_RALLY, GROUPS)
            .also(TURNS)
            .examples(&[
                "4-6-7/dm --leader 8-1 --terrain woods",
                "\"2x russian:4-4-7/dm\" --leader commissar:9-0 --phases 2",
                "\"german:8-0 + 2x german:4-6-7/dm\" --policy leaders-first --profile aslsk",
            ]),
        /// A rout through Interdicted hexes.
        Interdict = of_stack(
            "interdict",
            "odds of a rout through Interdicted Open Ground hexes, 1 MF each (A10.53)",
            &[INTERDICT, COMMON],
        ).played(ChoiceMaker::Unasked).ends(GAUNTLET_ENDS, Status::in_charts).counted(OF_GAUNTLET, GROUPS).examples(&[
            "german:4-6-7 --hexes 2",
            "german:4-6-7 --hexes 3 --leader 9-1",
            "\"german:8-1 + german:4-6-7/broken\" --hexes 2 --voluntary-rout",
        ]),
        /// A sequence of steps.
        Sequence = Kind {
            subject: None,
            ..of_stack(
                "sequence",
                "odds of a sequence of steps over several Player Turns, from a sequence file",
                &[&[StackFields::stack], OF_ALL_ATTACKS, SNIPERS, COMMON],
            )
        }.help(SEQUENCE_HELP).between(SIDES_OF_FIRE),
        /// Several attacks by named firers in one Player Turn.
        Turn = of_stack(
            "turn",
            "odds of several attacks by named firers in one Player Turn, after each of them (A7)",
            &[&[StackFields::attacks], OF_ALL_ATTACKS, SNIPERS, COMMON],
        ).played(ChoiceMaker::Unasked).with_steps().between(SIDES_OF_FIRE).examples(&[
            "\"8-0 + 2x russian:4-4-7\" --terrain stone --attack \"prep 3, rof 3: 9-2 + \
                2x german:4-6-7/hmg\" --attack \"advancing 2: 2x german:5-4-8\"",
            "\"2x russian:4-4-7\" --attack \"prep 5, rof 3, stop none holds: german:4-6-7/mmg\"",
            "\"2x russian:4-4-7\" --attack \"A=first 3, move non-assault: german:4-6-7\" \
                --attack \"A=subsequent 2, move non-assault: german:4-6-7\"",
        ]),
    }
}

const UNBROKEN: &[&str] =
    &[Status::GoodOrder.name(), Status::Pinned.name(), Status::Berserk.name()];
const RALLIED: &[&str] = &[Status::Rallied.name()];
const THROUGH: &[&str] = &[Status::Through.name()];

impl QuestionKind {
    /// Returns the name of a report point; `None` if outcomes are reported once.
    pub(super) const fn points(self) -> Option<&'static str> {
        match self {
            QuestionKind::Rally => Some("phase"),
            QuestionKind::Sequence | QuestionKind::Turn => Some("step"),
            _ => None,
        }
    }

    pub(super) const fn wording(self) -> Wording {
        match self {
            QuestionKind::Rally => Wording::Rally,
            QuestionKind::Interdict => Wording::Rout,
            _ => Wording::Check,
        }
    }

    pub(super) const fn success(self) -> Success {
        match self {
            QuestionKind::Rally => {
                let success = Success::of_unit(RALLIED, "rallied after the last phase");
                Success { verb: Some("rallies"), ..success }
            }
            QuestionKind::Interdict => Success::of_unit(THROUGH, "through"),
            QuestionKind::Sequence | QuestionKind::Turn => {
                Success::of_unit(UNBROKEN, "unbroken after the last step")
            }
            _ => Success::of_unit(UNBROKEN, "unbroken"),
        }
    }
}

/// The fields of the gain of concealment.
const CONCEAL: &[Field] = &[StepFields::terrain, StepFields::enemy_range, StepFields::los];
const IF: &[Field] = &[StepFields::test];
const SLOTS: &[Field] = &[StepFields::slots];
const LOST_SLOTS: &[Field] = &[StepFields::slots
    .meaning("places of the lost units in the stack (slots), such as 1 or `1,3`; required")];

declared_words! {
    /// The actions of a step.
    pub enum StepKind: Declared {
        Fire = Declared::new("fire", &[FIRE, BY, SHOTS, &[StepFields::name], IF]),
        Check = Declared::new("check", &[CHECK, IF]),
        Eliminate = Declared::new("eliminate", &[LOST_SLOTS, IF]),
        Break = Declared::new("break", &[SLOTS, IF]),
        Dm = Declared::new("dm", &[IF]),
        Conceal = Declared::new("conceal", &[CONCEAL, IF]),
        Reveal = Declared::new("reveal", &[SLOTS, IF]),
        Interdict = Declared::new("interdict", &[INTERDICT, IF]),
        Cc = Declared::new("cc", &[CLOSE_COMBAT, IF]),
        Rally = Declared::new("rally", &[RALLY, &[StepFields::phases], IF]),
    }
}

/// Starts a question about an attack on the IFT, with a method for each field.
pub fn fire(stack: &str) -> QuestionBuilder<Stacks> {
    QuestionBuilder::new(QuestionKind::Fire, stack)
}

/// Starts a question about a MC or PTC of a whole stack, with a method for each field.
pub fn check(stack: &str) -> QuestionBuilder<Stacks> {
    QuestionBuilder::new(QuestionKind::Check, stack)
}

/// Starts a question about Rally attempts: `rally("german:4-6-7/dm").leader("8-1")`.
pub fn rally(stack: &str) -> QuestionBuilder<Stacks> {
    QuestionBuilder::new(QuestionKind::Rally, stack)
}

/// Starts a question about a rout through Interdicted hexes, with a method for each field.
pub fn interdict(stack: &str) -> QuestionBuilder<Stacks> {
    QuestionBuilder::new(QuestionKind::Interdict, stack)
}

words_of!(OwnRph, "WHICH", "");

text_value!(StackNotation, Takes::Text("STACK"), StackNotation::parse, |stack| stack.text().into());

text_value!(FireGroup, Takes::Parts("FIRERS"), FireGroup::parse, |group| group.text().into());

text_value!(AttackLines, Takes::Lines("ATTACK"), AttackLines::parse, |lines| lines.text().into());

/// The FP of an attack, as a number, `8FP`, or a sum such as `4+4+7`. A column of the IFT needs
/// whole FP (7.3), so a fraction is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Fp {
    whole: Whole<1, 1000>,
    written: f64,
}

impl Fp {
    pub(super) const fn whole(self) -> u16 {
        self.whole.u16()
    }

    /// Returns a note on the column, if there is a fraction.
    pub(super) fn note(self) -> Option<String> {
        let column = || ift_column(self.whole());
        let is_whole = self.written == f64::from(self.whole());
        (!is_whole).then(|| format!("{} FP use the {} column of the IFT", self.written, column()))
    }
}

impl FieldValue for Fp {
    const TAKES: Takes = Whole::<1, 1000>::TAKES;
    const WHOLE: bool = true;

    fn read(name: &str, value: RawValue) -> Result<Fp, Fault> {
        let RawValue::Text(text) = value else {
            let whole = Whole::<1, 1000>::read(name, value)?;
            return Ok(Fp { whole, written: whole.number() as f64 });
        };
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let part = |part: &str| -> Option<f64> {
            let part = canonical(part);
            let number = part.strip_suffix("fp").unwrap_or(&part).trim();
            number.parse().ok().filter(|_| is_number(number))
        };
        let sum = text.split('+').map(part).sum::<Option<f64>>();
        let sum = sum.filter(|_| text.parse::<i64>().is_err());
        let whole = sum.map_or(value, |sum| RawValue::Integer(sum as i64));
        let whole = Whole::read(name, whole).or_else(|_| Whole::read(name, value));
        whole.map(|whole| Fp { whole, written: sum.unwrap_or_default() }).map_err(|fault| {
            match fault.help {
                Some(_) => fault,
                None => fault.help("write the FP as a number or a sum: 8, 8FP, 4+4+7"),
            }
        })
    }

    fn read_node(name: &str, node: &Node) -> Result<Fp, Fault> {
        match (&node.raw, node.value()) {
            (Raw::Decimal(number), _) => Fp::read(name, RawValue::Text(&number.to_string())),
            (_, Some(value)) => Fp::read(name, value),
            _ => Whole::<1, 1000>::read_node(name, node)
                .map(|whole| Fp { whole, written: whole.number() as f64 }),
        }
        .map_err(|fault| Fault { span: node.place.span.clone(), ..fault })
    }

    fn to_json(&self) -> Json {
        self.whole.to_json()
    }
}

/// The DRM of a Morale Check: 0 for a NMC, 1 for a 1MC. It is parsed from a number or `NMC`, `1MC`.
#[derive(Clone, Copy, Debug)]
pub struct Mc(pub(super) Whole<0, 6>);

impl FieldValue for Mc {
    const TAKES: Takes = Whole::<0, 6>::TAKES;
    const WHOLE: bool = true;

    fn read(name: &str, value: RawValue) -> Result<Mc, Fault> {
        let text = if let RawValue::Text(text) = value { canonical(text) } else { String::new() };
        let number = match text.strip_suffix("mc").map(str::trim) {
            Some("n") => Some(0),
            Some(number) => number.parse().ok(),
            None => None,
        };
        let fault = |fault: Fault| match text.as_str() {
            "" => fault.help("0 is a NMC; a leader in the stack lends his leadership by himself"),
            "ptc" => {
                fault.help(shown("a Pin Task Check is `{}`", [field(StepFields::ptc.name, true)]))
            }
            _ => fault.help("or use NMC, 1MC, 2MC, ..."),
        };
        Whole::read(name, number.map_or(value, RawValue::Integer)).map(Mc).map_err(fault)
    }

    fn to_json(&self) -> Json {
        self.0.to_json()
    }
}

/// A leader outside the stack that gives its leadership DRM (10.6, 10.21). `none` reads as `None`.
#[derive(Clone, Debug, Default)]
pub struct Lent(pub Option<StackNotation>);

impl FieldValue for Lent {
    const TAKES: Takes = Takes::Text("LEADER");

    fn read(field: &str, value: RawValue) -> Result<Lent, Fault> {
        match canonical(value.text(field)?).as_str() {
            "none" => Ok(Lent(None)),
            _ => match StackNotation::read(field, value)? {
                written if written.units() == 1 => Ok(Lent(Some(written))),
                _ => Err(not_one_leader()),
            },
        }
    }

    fn to_json(&self) -> Json {
        self.0.as_ref().map_or(Json::Null, StackNotation::to_json)
    }
}

pub(super) fn not_one_leader() -> Fault {
    Fault::new("expected one leader", 0..0).help("put further leaders into the stack")
}

text_value!(Profile, Takes::Word("NAME", || Profile::NAMES.to_vec()), Profile::named, |profile| {
    profile.name().to_string()
});

text_value!(&'static Terrain, Takes::Word("TERRAIN", Terrain::names), Terrain::named, |terrain| {
    terrain.id.clone()
});

// A nation that can be named, which `Nation::Any` is not.
text_value!(
    Nation,
    Takes::Word("NATION", || Nation::names().collect()),
    |text| {
        let nation = Nation::from_word(text).filter(|nation| *nation != Nation::Any);
        nation.ok_or_else(|| Nation::unknown(text, Nation::names()))
    },
    |nation| nation.name().to_string()
);

/// The number of Interdicted hexes to cross. A routing unit has 6 MF (10.5).
#[derive(Clone, Copy, Debug)]
pub struct HexesToCross(pub u8);

impl FieldValue for HexesToCross {
    const TAKES: Takes = Takes::Number(1, ROUT_MF as i64);

    fn read(field: &str, value: RawValue) -> Result<HexesToCross, Fault> {
        let hexes = value.integer(field, 1, ROUT_MF.into());
        hexes
            .map(|hexes| HexesToCross(hexes as u8))
            .map_err(|fault| fault.help("a routing unit has 6 MF (A10.5)"))
    }

    fn to_json(&self) -> Json {
        self.0.into()
    }
}
