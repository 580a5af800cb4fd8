//! One step being filled in: what it does, and its fields.

use super::catalogue::Kind as CounterKind;
use super::draft::check_scope;
use super::nation::Nation;
use super::notation::Written;
use super::rulebook::{Rulebook, Switch};
use super::sequence::{Action, Interdict, OwnRph, Rally, Step};
use super::stack::{Member, Slots, Stack};
use super::unit::Condition;
use super::vocabulary::attack::Attack;
use super::vocabulary::gauntlet::{ROUT_MF, WOUNDED_MF};
use super::vocabulary::when::Test;
use crate::board::terrain::Terrain;
use crate::system::form::{FieldFault, Value};
use crate::text::{Fault, canonical};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Fire,
    Check,
    Eliminate,
    Break,
    Dm,
    Interdict,
    Rally,
}

impl Deed {
    pub const ALL: [Deed; 7] = [Deed::Fire, Deed::Check, Deed::Eliminate, Deed::Break, Deed::Dm, Deed::Interdict, Deed::Rally];

    /// The word of a sequence file.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Fire => "fire",
            Deed::Check => "check",
            Deed::Eliminate => "eliminate",
            Deed::Break => "break",
            Deed::Dm => "dm",
            Deed::Interdict => "interdict",
            Deed::Rally => "rally",
        }
    }

    /// The deed of that name.
    pub fn named(text: &str) -> Result<Deed, Fault> {
        let name = canonical(text);
        Deed::ALL.into_iter().find(|deed| deed.name() == name).ok_or_else(|| {
            let fault = Fault::new(format!("no step does `{text}`"), 0..text.len());
            fault.expecting(text, Deed::ALL.iter().map(|deed| deed.name()))
        })
    }

    /// Its fields.
    pub fn fields(self) -> impl Iterator<Item = &'static str> {
        let fields: &[&str] = match self {
            Deed::Fire => &["fp", "drm", "cowering", "no-cowering", "inexperienced"],
            Deed::Check => &["mc", "ptc"],
            Deed::Eliminate | Deed::Break => &["slots"],
            Deed::Dm => &[],
            Deed::Interdict => &["hexes", "leader", "voluntary-rout"],
            Deed::Rally => &["leader", "dm", "phases", "terrain", "own-rph", "keep-dm"],
        };
        fields.iter().copied()
    }
}

/// Largest +n of a MC.
const MAX_MC: i64 = 6;
/// Most Rally Phases asked for at once.
const MAX_PHASES: i64 = 60;
/// Most FP of an attack.
pub(super) const MAX_FP: i64 = 1000;
/// Largest DRM of an attack, either way.
pub(super) const MAX_DRM: i64 = 20;

pub(super) const NO_BREAK: &str = "the Starter Kit has no Voluntary Break (A10.41)";
pub(super) const DM_UNDER_COVER: &str = "DM cannot be kept in woods, a building, a pillbox or a trench (A10.62)";

/// A step being filled in.
#[derive(Clone, Debug)]
pub struct StepDraft {
    deed: Deed,
    test: Option<String>,
    fp: Option<u16>,
    drm: i8,
    cowering: bool,
    inexperienced: bool,
    mc: Option<i8>,
    ptc: bool,
    slots: Option<Vec<usize>>,
    hexes: Option<u8>,
    leader: Option<Written>,
    voluntary: bool,
    dm: bool,
    phases: u16,
    terrain: &'static Terrain,
    own_rph: OwnRph,
    keep_dm: bool,
}

impl StepDraft {
    /// A step with every field at its default; so many Rally Phases.
    pub fn new(deed: Deed, phases: u16) -> StepDraft {
        StepDraft {
            deed,
            test: None,
            fp: None,
            drm: 0,
            cowering: true,
            inexperienced: false,
            mc: None,
            ptc: false,
            slots: None,
            hexes: None,
            leader: None,
            voluntary: false,
            dm: false,
            phases,
            terrain: &Terrain::all()[0],
            own_rph: OwnRph::Odd,
            keep_dm: false,
        }
    }

    pub fn deed(&self) -> Deed {
        self.deed
    }

    /// 10.711: whether a leader of the stack goes along.
    pub fn is_voluntary(&self) -> bool {
        self.voluntary
    }

    /// The nations its leader names.
    pub fn nations(&self) -> Vec<Nation> {
        self.leader.as_ref().map(Written::nations).unwrap_or_default()
    }

    /// Fills in one of its fields.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), Fault> {
        match name {
            "if" => self.test = Some(value.text(name)?.to_string()),
            "fp" => self.fp = Some(value.integer(name, 1, MAX_FP)? as u16),
            "drm" => self.drm = value.integer(name, -MAX_DRM, MAX_DRM)? as i8,
            "cowering" => self.cowering = value.boolean(name)?,
            "no-cowering" => self.cowering = !value.boolean(name)?,
            "inexperienced" => self.inexperienced = value.boolean(name)?,
            "mc" => self.mc = Some(value.integer(name, 0, MAX_MC)? as i8),
            "ptc" => self.ptc = value.boolean(name)?,
            "slots" => self.slots = Some(slots(value)?),
            "hexes" => {
                let hexes = value.integer(name, 1, ROUT_MF.into());
                self.hexes = Some(hexes.map_err(|fault| fault.help("a routing unit has 6 MF (A10.5)"))? as u8);
            }
            "voluntary-rout" => self.voluntary = value.boolean(name)?,
            "leader" => {
                let text = value.text(name)?;
                self.leader = if canonical(text) == "none" { None } else { Some(Written::parse(text)?) };
            }
            "dm" => self.dm = value.boolean(name)?,
            "phases" => self.phases = value.integer(name, 1, MAX_PHASES)? as u16,
            "terrain" => self.terrain = Terrain::named(value.text(name)?)?,
            "own-rph" => self.own_rph = own_rph(value)?,
            "keep-dm" => self.keep_dm = value.boolean(name)?,
            other => return Err(Fault::new(format!("no step has a field `{other}`"), 0..0)),
        }
        Ok(())
    }

    /// Checks its fields against each other and the stack.
    pub fn finish(
        &self,
        stack: &Stack,
        nations: &[Nation],
        rulebook: Rulebook,
        in_sequence: bool,
        notes: &mut Vec<String>,
    ) -> Result<Step, FieldFault> {
        let units = stack.members.len();
        let test = self.test.as_ref().map(|text| Test::parse(text, units)).transpose().map_err(FieldFault::of("if"))?;
        let action = match self.deed {
            Deed::Fire => self.attack()?,
            Deed::Check => self.check()?,
            Deed::Eliminate if self.slots.is_none() => {
                return Err(
                    FieldFault::new("slots", "say who is eliminated").help("for example `slots = 1`, or `slots = \"1,3\"`")
                );
            }
            Deed::Eliminate => Action::Eliminate(self.places(units)?),
            Deed::Break if rulebook.chooses(Switch::NoVoluntaryBreak) => {
                return Err(FieldFault::new("do", NO_BREAK));
            }
            Deed::Break => Action::Break(self.places(units)?),
            Deed::Dm => Action::Dm,
            Deed::Rally => self.rally(self.lent(nations, rulebook, notes)?, rulebook)?,
            Deed::Interdict => self.interdict(self.lent(nations, rulebook, notes)?, stack, in_sequence)?,
        };
        Ok(Step { action, test })
    }

    fn attack(&self) -> Result<Action, FieldFault> {
        let help = "for example `--fp 8`, in a file `fp = 8`";
        let firepower = self.fp.ok_or_else(|| FieldFault::new("fp", "say how much firepower attacks").help(help))?;
        if self.inexperienced && !self.cowering {
            return Err(FieldFault::new("inexperienced", "Inexperienced firers Cower more, not never (A19.3)"));
        }
        let cowering = u8::from(self.cowering) + u8::from(self.inexperienced);
        Ok(Action::Fire(Attack { firepower, drm: self.drm, cowering }))
    }

    fn check(&self) -> Result<Action, FieldFault> {
        let help = "`--mc 0` (in a file `mc = 0`) is a NMC, `--mc 1` a 1MC, `--ptc` a Pin Task Check";
        match (self.mc, self.ptc) {
            (Some(drm), false) => Ok(Action::MoraleCheck(drm)),
            (None, true) => Ok(Action::PinTaskCheck),
            (None, false) => Err(FieldFault::new("mc", "say which check: a MC or a PTC").help(help)),
            (Some(_), true) => Err(FieldFault::new("ptc", "either a MC or a PTC, not both")),
        }
    }

    /// The slots named, all of them where none is.
    fn places(&self, units: usize) -> Result<Slots, FieldFault> {
        let Some(slots) = &self.slots else { return Ok(Slots::ALL) };
        match slots.iter().find(|&&slot| slot == 0 || slot > units) {
            Some(slot) => Err(FieldFault::new("slots", format!("there is no slot {slot}: the stack has {units} units"))),
            None => Ok(slots.iter().map(|slot| slot - 1).collect()),
        }
    }

    /// 10.6, 10.21: the one leader who lends his leadership.
    fn lent(&self, nations: &[Nation], rulebook: Rulebook, notes: &mut Vec<String>) -> Result<Option<Member>, FieldFault> {
        let Some(written) = &self.leader else { return Ok(None) };
        let leader = written.resolve(nations).map_err(FieldFault::of("leader"))?;
        notes.extend(leader.assumed.clone());
        lent_leader(leader, rulebook).map(Some).map_err(FieldFault::of("leader"))
    }

    fn rally(&self, leader: Option<Member>, rulebook: Rulebook) -> Result<Action, FieldFault> {
        let bonus = rulebook.gives_rally_bonus(self.terrain);
        if self.keep_dm && bonus {
            return Err(FieldFault::new("keep-dm", DM_UNDER_COVER));
        }
        Ok(Action::Rally(Rally {
            leader,
            phases: self.phases,
            own_rph: self.own_rph,
            terrain: self.terrain,
            bonus,
            keeps_dm: self.keep_dm,
            dm: self.dm,
        }))
    }

    fn interdict(&self, leader: Option<Member>, stack: &Stack, in_sequence: bool) -> Result<Action, FieldFault> {
        let help = "for example `--hexes 2`, in a file `hexes = 2`";
        let hexes =
            self.hexes.ok_or_else(|| FieldFault::new("hexes", "say how many Interdicted hexes are crossed").help(help))?;
        let escort = match (self.voluntary, in_sequence) {
            (false, _) => None,
            (true, false) => Some(escort(stack, hexes)?),
            (true, true) => Some(escort_in_sequence(stack)?),
        };
        Ok(Action::Interdict(Interdict { leader, hexes, escort, disrupted: !in_sequence }))
    }
}

/// 10.711: the one leader who can go along, and the one unit he goes with.
fn escort(stack: &Stack, hexes: u8) -> Result<usize, FieldFault> {
    let fault = |message: String| FieldFault::new("voluntary-rout", message);
    let unfit = [Condition::Broken, Condition::Pinned, Condition::Berserk];
    let leads = |member: &Member| member.printed().kind.is_leader() && !unfit.into_iter().any(|unfit| member.is(unfit));
    let leaders: Vec<usize> = (0..stack.members.len()).filter(|&place| leads(&stack.members[place])).collect();
    let [leader] = leaders[..] else {
        let message = format!("{} leaders of the stack could go along: one must, unbroken, unpinned, not berserk", leaders.len());
        return Err(fault(message).help("for example `\"german:8-1 + german:4-6-7/broken\"` (A10.711)"));
    };
    if stack.members.iter().filter(|member| member.is(Condition::Broken)).count() > 1 {
        return Err(fault("he goes along with one broken unit: leave the others out (A10.711)".to_string()));
    }
    if stack.members[leader].is(Condition::Wounded) && hexes > WOUNDED_MF {
        return Err(fault(format!("a wounded leader has {WOUNDED_MF} MF and must stay with the unit (A17.2, A10.711)")));
    }
    Ok(leader)
}

/// The same in a sequence, where his state and that of the unit are not known before.
fn escort_in_sequence(stack: &Stack) -> Result<usize, FieldFault> {
    let leads: Vec<bool> = stack.members.iter().map(|member| member.printed().kind.is_leader()).collect();
    match leads[..] {
        [true, false] => Ok(0),
        [false, true] => Ok(1),
        _ => Err(FieldFault::new("voluntary-rout", "in a sequence the stack must be one leader and one unit (A10.711)")),
    }
}

/// 10.6, 10.21: the one leader who lends his leadership.
pub(super) fn lent_leader(stack: Stack, rulebook: Rulebook) -> Result<Member, Fault> {
    let [leader] = &stack.members[..] else {
        return Err(Fault::new("expected one leader", 0..0).help("put further leaders into the stack"));
    };
    if leader.printed().kind == CounterKind::Hero || !leader.printed().kind.is_leader() {
        return Err(Fault::new(format!("a {} is no leader", leader.printed().printed()), 0..0));
    }
    let unfit = [Condition::Broken, Condition::Pinned, Condition::Berserk, Condition::Captured, Condition::Unarmed];
    if let Some(condition) = unfit.into_iter().find(|&condition| leader.is(condition)) {
        let message = format!("a leader who is {} lends no leadership: he must be in Good Order", condition.name());
        return Err(Fault::new(message, 0..0).help("put him into the stack"));
    }
    check_scope(leader, rulebook)?;
    Ok(leader.clone())
}

/// Slots in words: `1`, `1,3`.
fn slots(value: Value) -> Result<Vec<usize>, Fault> {
    let fault = || Fault::new(format!("`slots` must be slots such as 1 or `1,3`, not {value}"), value.span());
    match value {
        Value::Integer(slot) => usize::try_from(slot).map(|slot| vec![slot]).map_err(|_| fault()),
        Value::Text(text) => text.split(',').map(|slot| slot.trim().parse().map_err(|_| fault())).collect(),
        Value::Boolean(_) => Err(fault()),
    }
}

pub(super) fn own_rph(value: Value) -> Result<OwnRph, Fault> {
    let text = value.text("own-rph")?;
    let words = [("odd", OwnRph::Odd), ("even", OwnRph::Even), ("never", OwnRph::Never)];
    let found = words.into_iter().find(|(word, _)| *word == canonical(text));
    found.map(|(_, own)| own).ok_or_else(|| {
        let fault = Fault::new(format!("`own-rph` cannot be `{text}`"), value.span());
        fault.expecting(text, words.map(|(word, _)| word))
    })
}

/// The enemy's nation, as far as any rule asks for it: whether he is Russian.
pub(super) fn enemy(value: Value) -> Result<bool, Fault> {
    let text = value.text("enemy")?;
    let named = Nation::named(text).filter(|&nation| nation != Nation::Any);
    named.map(|nation| nation == Nation::Russian).ok_or_else(|| {
        let fault = Fault::new(format!("no nation is called `{text}`"), 0..text.len());
        fault.expecting(text, Nation::ALL.iter().filter(|&&nation| nation != Nation::Any).map(|nation| nation.name()))
    })
}
