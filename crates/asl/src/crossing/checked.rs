//! The fields of a crossing checked against each other, and the crossing that they make.

use std::ops::Range;

use super::build::CrossingParts;
use super::defenders::CrossingDefenders;
use super::fields::{CrossingFields, CrossingHead};
use super::map::CrossingMap;
use super::model::{Crossing, CrossingReport};
use super::movement::MoverMf;
use super::on_map::{CrossingBoard, MapNode, MapStep, location};
use super::orders::{AfterStop, CrossingMove, FireOrders, FirePolicy, GoingOn};
use super::path::{CrossingPath, PathHex, PathLocation, WrittenPath, most_shots};
use super::position::{ExploredPath, FiringPosition, PathSetting};
use super::report::BOUND;
use super::safest::{PathSearch, RankedPath, SearchError};
use super::state::CrossingOutcome;
use crate::attack::circumstances::Movement;
use crate::board::map::Location;
use crate::board::terrain::{Mf, OpenGround};
use crate::draft::{Switches, check_scope, one_side};
use crate::kinds::StackFields;
use crate::nation::Nation;
use crate::notation::StackNotation;
use crate::rout::Situation;
use crate::rout::fields::HexName;
use crate::rulebook::{Rulebook, Switch};
use crate::stack::{Member, Stack};
use crate::vocabulary::{Condition, Scene, Status};
use answer::estimate::MOST_DROPPED;
use answer::odds::certain_figures;
use answer::{CountedReport, Meta};
use engine::text::notation::{shown, text_field};
use engine::text::{Fault, counted};
use play::uncounted;
use schema::FieldFault;

/// The checked fields of a question.
#[derive(Clone, Debug)]
pub struct CheckedCrossing {
    pub crossing: Crossing,
    pub stack: Stack,
    pub defenders: CrossingDefenders,
    pub path: CrossingPath,
    pub movement: CrossingMove,
    /// Notes on what was assumed.
    pub notes: Vec<String>,
    pub scene: Scene,
    pub elr: u8,
    /// True if the plan is that of a policy.
    pub is_auto: bool,
    /// The safest paths to a hex of a map, the best first; empty if none was asked for.
    pub safest: Vec<RankedPath>,
    /// The situation that the stack crosses, and the name of the Location where it begins.
    pub on_map: Option<(CrossingMap, String)>,
}

impl CheckedCrossing {
    /// Returns the chance of a unit of the stack to arrive: unpinned, or berserk if it charges.
    ///
    /// # Errors
    ///
    /// Fails if the crossing has too many states.
    fn arrival(&self) -> Result<f64, FieldFault> {
        if self.defenders.defenders.is_empty() {
            return Ok(1.0);
        }
        let process = uncounted(self.crossing.reporting(CrossingReport::UnitByUnit));
        let figures = certain_figures(&process, BOUND, Some(MOST_DROPPED), &mut Meta::default());
        let figures = figures.map_err(|error| CrossingFields::to.fault(error.to_string()))?;
        let arrived = match self.movement {
            CrossingMove::Charge => Status::Berserk,
            _ => Status::Arrived,
        };
        let chances = figures.iter().filter_map(|((_, outcome), figure)| match outcome {
            CountedReport::Own(CrossingOutcome::Unit(end)) if end.unit.status == arrived => {
                Some(figure.probability())
            }
            _ => None,
        });
        Ok(chances.sum::<f64>() / self.stack.members.len() as f64)
    }
}

/// What the Player Turns of Assault Movement leave out.
const BETWEEN_TURNS: &str = "each Location is entered in a Player Turn of its own (A4.61); fire \
    between them, in the DFPh and the enemy's Player Turn, is left out";
const PATH_EXAMPLE: &str = "open, open, stone 2";
/// The largest number of units that go on one by one.
const MOST_APART: usize = 6;

/// Checks the fields against each other and builds the crossing.
///
/// # Errors
///
/// Fails if a field is missing, or if the rules forbid what they say.
pub fn checked(
    (head, own): &CrossingHead,
    switches: &Switches,
    notes: Vec<String>,
) -> Result<CheckedCrossing, FieldFault> {
    let (head, switches) = in_force(head, own, switches);
    let asked = AskedCrossing::new(head, own, &switches, notes)?;
    match &own.map {
        None => asked.as_written(),
        Some(map) => asked.on_map(map),
    }
}

/// Returns the fields of the stack and the interpretations that hold, those of a map among them.
pub fn in_force(
    head: &StackFields,
    own: &CrossingFields,
    switches: &Switches,
) -> (StackFields, Switches) {
    match &own.map {
        None => (head.clone(), switches.clone()),
        Some(map) => (map.under(head), map.switches_under(switches)),
    }
}

/// Returns the start of a path on a map: its first hex, else that of the only friends.
fn start_of(situation: &Situation, own: &CrossingFields) -> Result<PathHex, FieldFault> {
    let of_path = CrossingFields::path;
    let help = || shown("for example {}", [text_field("path", "Q5 Q4 P4")]);
    match &own.path {
        Some(WrittenPath::Hexes(hexes)) => {
            hexes.first().cloned().ok_or_else(|| of_path.fault("the path is empty").help(help()))
        }
        Some(WrittenPath::Locations(_)) => {
            Err(of_path.fault("a path on a map names its hexes").help(help()))
        }
        None => {
            let mut at: Vec<_> = situation.friends.iter().map(|friend| friend.at).collect();
            at.dedup();
            let [at] = at[..] else {
                let fault = of_path.fault("the path is missing: its first hex is the start");
                return Err(fault.help(help()));
            };
            let name = situation.map.location_name(at);
            Ok(PathHex { name, sheltered: false, span: 0..0 })
        }
    }
}

/// Returns the stack of the friends of a situation where a path begins.
fn friends(situation: &Situation, own: &CrossingFields) -> Result<StackNotation, FieldFault> {
    let start = start_of(situation, own)?;
    let at = location(situation, &start).map_err(FieldFault::in_field("path"))?;
    let there = situation.friends.iter().filter(|friend| friend.at == at);
    let units: Vec<String> = there.map(|friend| friend.member.to_string()).collect();
    if units.is_empty() {
        let message =
            format!("the stack is missing: the situation has no friend in {}", start.name);
        let fault = StackFields::stack.fault(message);
        return Err(fault.help("name it, for example `russian:4-4-7`, or add a `friend` there"));
    }
    StackNotation::parse(&units.join(" + ")).map_err(FieldFault::in_field("stack"))
}

/// A question whose path and defenders are still open.
struct AskedCrossing<'a> {
    head: StackFields,
    own: &'a CrossingFields,
    stack: Stack,
    rulebook: Rulebook,
    notes: Vec<String>,
}

impl<'a> AskedCrossing<'a> {
    fn new(
        head: StackFields,
        own: &'a CrossingFields,
        switches: &Switches,
        mut notes: Vec<String>,
    ) -> Result<AskedCrossing<'a>, FieldFault> {
        let rulebook = switches.rulebook(head.profile)?;
        let written = match (&head.stack, &own.map) {
            (Some(written), _) => written.clone(),
            (None, Some(map)) => friends(map.situation(), own)?,
            (None, None) => {
                let fault = StackFields::stack.fault("the stack is missing");
                return Err(fault.help("for example `russian:4-4-7`"));
            }
        };
        let nations = StackNotation::nations(std::iter::once(&written));
        let stack = written.resolve(&nations).map_err(FieldFault::in_field("stack"))?;
        notes.extend(stack.assumed.clone());
        notes.extend(one_side(&nations, head.enemy));
        notes.extend(own.map.iter().flat_map(|map| map.notes().iter().cloned()));
        check_stack(&stack, own.movement, rulebook).map_err(FieldFault::in_field("stack"))?;
        if rulebook.chooses(Switch::PlainFireOnly) && own.movement == CrossingMove::Dash {
            return Err(CrossingFields::movement.fault("the Starter Kit has no Dash"));
        }
        Ok(AskedCrossing { head, own, stack, rulebook, notes })
    }

    /// Builds the crossing of a written path.
    fn as_written(&self) -> Result<CheckedCrossing, FieldFault> {
        let needs_map = "a hex stands on a map: give the situation as `map`";
        let of_visibility = CrossingFields::visibility;
        let is_by_hand = "without a map each defender has his range, or none";
        of_visibility.refuse_if(self.own.visibility.is_some(), is_by_hand)?;
        CrossingFields::to.refuse_if(self.own.to.is_some(), needs_map)?;
        let path = match self.own.path.clone() {
            Some(WrittenPath::Locations(path)) => path,
            Some(WrittenPath::Hexes(_)) => return Err(CrossingFields::path.fault(needs_map)),
            None => {
                let fault = CrossingFields::path.fault("the path is missing");
                let example = [text_field("path", PATH_EXAMPLE)];
                return Err(fault.help(shown("for example `{}`", example)));
            }
        };
        let defenders = self.own.defenders.clone().unwrap_or_default();
        let has_hex = defenders.defenders.iter().any(|defender| defender.hex.is_some());
        CrossingFields::defenders.refuse_if(has_hex, needs_map)?;
        self.crossing(path, defenders)
    }

    /// Builds the crossing on a map: along the path, or along the safest path to a hex.
    fn on_map(&self, map: &CrossingMap) -> Result<CheckedCrossing, FieldFault> {
        let situation = map.situation();
        let start = start_of(situation, self.own)?;
        let at = location(situation, &start).map_err(FieldFault::in_field("path"))?;
        let mf = slowest(&self.stack, self.own.movement).map_or(Mf::default(), |(mf, _)| mf);
        let is_charge = self.own.movement == CrossingMove::Charge;
        let night = self.is_night().then_some(self.own.visibility.map(|range| range.u8()));
        let board = CrossingBoard::new(situation, self.own, (mf, is_charge, night), at)?;
        let hexes = match &self.own.path {
            Some(WrittenPath::Hexes(hexes)) => hexes.clone(),
            _ => vec![start],
        };
        let (start, steps) = board.steps(&hexes)?;
        let on_map = Some((map.clone(), board.name(start.at)));
        let of_path = CrossingFields::path;
        if let Some(HexName(to)) = &self.own.to {
            let to = situation.map.parse_location(to);
            let target = to.map_err(FieldFault::in_field(CrossingFields::to.name))?;
            let crossing = self.safest(&board, (start, steps), (target, mf))?;
            return Ok(CheckedCrossing { on_map, ..crossing });
        }
        if steps.is_empty() {
            let fault = of_path.fault("the path enters no hex");
            return Err(fault.help("its first hex is where the stack begins: `Q5 Q4 P4`"));
        }
        let crossing = self.along(&board, &steps)?;
        let is_unseen = crossing.defenders.defenders.is_empty();
        of_path.refuse_if(is_unseen, "no enemy sees any hex of the path: nobody shoots")?;
        Ok(CheckedCrossing { on_map, ..crossing })
    }

    /// Builds the crossing of some steps on a map.
    fn along(
        &self,
        board: &CrossingBoard,
        steps: &[MapStep],
    ) -> Result<CheckedCrossing, FieldFault> {
        self.crossing(board.path(steps), board.defenders(steps)?)
    }

    /// Builds the crossing along the safest path to a Location, after the steps already named.
    fn safest(
        &self,
        board: &CrossingBoard,
        (start, named): (MapNode, Vec<MapStep>),
        (target, mf): (Location, Mf),
    ) -> Result<CheckedCrossing, FieldFault> {
        let of_to = CrossingFields::to;
        let is_plain = matches!(self.own.movement, CrossingMove::NonAssault | CrossingMove::Charge);
        of_to.refuse_if(!is_plain, "the safest path is found for Non-Assault Movement only")?;
        of_to.refuse_if(start.at == target, "the stack is already there")?;
        let is_auto = self.own.orders == FireOrders::Auto;
        of_to.refuse_if(!is_auto, "the plan of `fire` is for one path: use `policy`")?;
        let chance = |steps: &[MapStep]| self.along(board, steps)?.arrival();
        let search = PathSearch::new(board, &chance, (target, mf));
        let found = search.best(start, named).map_err(|error| {
            let name = board.name(target);
            match error {
                SearchError::NoPath => {
                    let message = format!("no path leads to {name} within {mf} MF (A4.1)");
                    of_to.fault(message).help("name a nearer hex, or send a leader along (A4.12)")
                }
                SearchError::TooMany => {
                    let message = format!("too many paths lead to {name}");
                    of_to.fault(message).help("name its first hexes in `path`, or a nearer hex")
                }
                SearchError::Fault(fault) => fault,
            }
        })?;
        let mut crossing = self.along(board, &found.best)?;
        let left_out = found.left_out.map(|FieldFault { fault, .. }| fault.message);
        crossing.notes.extend(left_out.map(|why| format!("paths were left out: {why}")));
        Ok(CheckedCrossing { safest: found.ranked, ..crossing })
    }

    /// Returns what all attacks on the stack share.
    fn setting(&self) -> PathSetting {
        PathSetting {
            movement: attack_movement(self.own.movement),
            rulebook: self.rulebook,
            goes_on_apart: self.own.going_on == GoingOn::Apart,
            night: self.is_night(),
            low_visibility: self.own.low_visibility.u8(),
        }
    }

    /// Returns whether the stack moves at night (E1).
    fn is_night(&self) -> bool {
        self.own.night || self.own.map.as_ref().is_some_and(|map| map.situation().night)
    }

    /// Builds the position of each defender.
    fn positions(
        &self,
        path: &CrossingPath,
        defenders: &CrossingDefenders,
    ) -> Result<Vec<FiringPosition>, FieldFault> {
        let of_defender = || FieldFault::in_field(CrossingFields::defenders.name);
        let position = |of| FiringPosition::new(of, &path.locations, self.rulebook);
        let positions = defenders.defenders.iter().map(position);
        let positions: Vec<_> = positions.collect::<Result<_, _>>().map_err(of_defender())?;
        for member in positions.iter().flat_map(FiringPosition::members) {
            let known = Member { concealed: false, ..member.clone() };
            check_scope(&known, self.rulebook).map_err(of_defender())?;
        }
        Ok(positions)
    }

    /// Builds the crossing of a path among defenders.
    fn crossing(
        &self,
        path: CrossingPath,
        defenders: CrossingDefenders,
    ) -> Result<CheckedCrossing, FieldFault> {
        let AskedCrossing { head, own, stack, .. } = self;
        let mut notes = self.notes.clone();
        let has_turns = own.movement == CrossingMove::Assault && path.locations.len() > 1;
        notes.extend(has_turns.then(|| BETWEEN_TURNS.to_string()));
        check_path(stack, &path.locations, own.movement)?;
        check_going_on(stack, own.going_on)?;
        let apart = own.going_on == GoingOn::Apart && has_turns;
        let message = "units go on apart within one MPh, not over the Player Turns of `assault`";
        CrossingFields::going_on.refuse_if(apart, message)?;
        let positions = self.positions(&path, &defenders)?;
        let setting = PlanSetting {
            own,
            path: &path,
            defenders: &defenders,
            positions: &positions,
            setting: self.setting(),
        };
        setting.check_use()?;
        let plan = setting.plan(&mut notes)?;
        if plan.is_err() {
            notes.extend(setting.who_does_not_fire());
        }
        let scene = scene_of(head);
        notes.extend(positions.iter().flat_map(|position| position.group.notes.iter().cloned()));
        let is_auto = plan.is_err();
        let parts = CrossingParts {
            stack,
            path: &path.locations,
            positions: positions.clone(),
            plan,
            setting: self.setting(),
            is_charge: own.movement == CrossingMove::Charge,
            is_concealed: own.concealed,
            goes_on_firing: own.stopped == AfterStop::Continue,
            scene,
            elr: head.elr.u8(),
            joint: head.joint,
        };
        let crossing = parts.crossing().map_err(FieldFault::in_field("defender"))?;
        let (elr, movement, stack) = (head.elr.u8(), own.movement, stack.clone());
        Ok(CheckedCrossing {
            crossing,
            stack,
            defenders,
            path,
            movement,
            notes,
            scene,
            elr,
            is_auto,
            safest: Vec::new(),
            on_map: None,
        })
    }
}

/// Returns the situation around the stack.
fn scene_of(head: &StackFields) -> Scene {
    Scene {
        heat_of_battle: head.heat_of_battle,
        known_enemy: head.known_enemy,
        captor: head.captor,
        no_quarter: head.no_quarter,
        against_russians: head.enemy == Some(Nation::Russian),
        enemy_adjacent: head.enemy_adjacent,
    }
}

/// Returns how an attack sees the movement. Berserk units do not use Assault Movement (15.431).
fn attack_movement(movement: CrossingMove) -> Movement {
    match movement {
        CrossingMove::NonAssault | CrossingMove::Charge => Movement::NonAssault,
        CrossingMove::Assault => Movement::Assault,
        CrossingMove::Dash => Movement::Dash,
    }
}

/// Refuses units that do not move.
fn check_stack(stack: &Stack, movement: CrossingMove, rulebook: Rulebook) -> Result<(), Fault> {
    for (member, span) in stack.members.iter().zip(&stack.spans) {
        let at = |fault: Fault| Fault { span: span.clone(), ..fault };
        check_scope(&Member { concealed: false, ..member.clone() }, rulebook).map_err(at)?;
        let refuse = |message: String, help: &str| {
            Err(Fault::new(message, span.clone()).help(help.to_string()))
        };
        for (condition, rule) in [(Condition::Broken, "A10.4"), (Condition::Pinned, "A7.8")] {
            if member.is(condition) {
                let name = condition.name();
                return refuse(
                    format!("{name} units do not move in the MPh ({rule})"),
                    "leave the unit out",
                );
            }
        }
        let charges = movement == CrossingMove::Charge;
        if member.is(Condition::Berserk) && !charges {
            return refuse("berserk units charge (A15.43)".to_string(), "the move is `charge`");
        }
        if charges
            && (member.printed().kind == crate::catalogue::CounterKind::Hero
                || member.is(Condition::Heroic))
        {
            return refuse("a hero is never berserk (A15.2)".to_string(), "leave him out");
        }
    }
    Ok(())
}

/// Refuses more units that go on one by one than there are reports for.
fn check_going_on(stack: &Stack, going_on: GoingOn) -> Result<(), FieldFault> {
    let is_long = going_on == GoingOn::Apart && stack.members.len() > MOST_APART;
    let message = format!("at most {MOST_APART} units go on one by one");
    CrossingFields::going_on.refuse_if(is_long, &message)
}

/// Returns the slowest unit of a stack with its MF (4.11, 4.12).
fn slowest(stack: &Stack, movement: CrossingMove) -> Option<(Mf, &Member)> {
    let has_leader = stack.members.iter().any(Member::is_leader);
    let mf = |member: &Member| {
        MoverMf {
            counter: member.printed(),
            is_wounded: member.is(Condition::Wounded),
            is_cx: member.is(Condition::Cx),
            is_berserk: movement == CrossingMove::Charge,
            has_leader,
        }
        .mf()
    };
    stack.members.iter().map(|member| (mf(member), member)).min_by_key(|(mf, _)| *mf)
}

/// Refuses paths that cost too many MF (4.1), Assault Movement with all MF (4.61), and a Dash that
/// does not go over one Location (4.63).
fn check_path(
    stack: &Stack,
    path: &[PathLocation],
    movement: CrossingMove,
) -> Result<(), FieldFault> {
    let mf = path.iter().map(|location| location.mf);
    let total = match movement {
        CrossingMove::Assault => mf.max().unwrap_or_default(),
        _ => mf.fold(Mf::default(), |sum, mf| sum + mf),
    };
    let slowest = slowest(stack, movement);
    let of_path = CrossingFields::path;
    if let Some((has, member)) = slowest.filter(|(mf, _)| *mf < total) {
        let name = member.printed().printed();
        let fault =
            of_path.fault(format!("the path costs {total} MF, the {name} has {has} (A4.1)"));
        return Err(fault.help("end the path earlier, or send a leader along (A4.12)"));
    }
    let of_move = CrossingFields::movement;
    if movement == CrossingMove::Assault {
        let all = slowest.is_some_and(|(mf, _)| mf == total);
        of_move.refuse_if(all, "Assault Movement leaves at least part of the MF (A4.61)")?;
    }
    if movement == CrossingMove::Dash {
        let is_open = |location: &PathLocation| location.terrain.open_ground == OpenGround::Yes;
        let [road, cover] = path else {
            let message = "a Dash is from, over and to: a path of two Locations (A4.63)";
            return Err(of_move.fault(message).help("for example a path `open, wooden 2`"));
        };
        of_move.refuse_if(!is_open(road), "a Dash crosses a road in the open (A4.63)")?;
        of_move.refuse_if(
            is_open(cover) && cover.works == Default::default(),
            "a Dash does not end in Open Ground (A4.63)",
        )?;
    }
    Ok(())
}

/// What the plan of the defenders refers to.
struct PlanSetting<'a> {
    own: &'a CrossingFields,
    path: &'a CrossingPath,
    defenders: &'a CrossingDefenders,
    positions: &'a [FiringPosition],
    setting: PathSetting,
}

impl PlanSetting<'_> {
    /// Refuses defenders who see more Locations than there are.
    fn check_use(&self) -> Result<(), FieldFault> {
        let locations = self.path.locations.len();
        for defender in &self.defenders.defenders {
            if defender.at.len() > locations {
                let message = format!(
                    "{} sees {}, but the path has {locations}",
                    defender.name,
                    counted(defender.at.len() as u64, "Location")
                );
                let of = CrossingFields::defenders;
                let fault = Fault::new(message, defender.span.clone());
                return Err(FieldFault { field: of.name.to_string(), fault });
            }
        }
        Ok(())
    }

    /// Returns the written plan by the indices of the positions, or the policy.
    fn plan(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<Result<Vec<Vec<u8>>, FirePolicy>, FieldFault> {
        let of_fire = CrossingFields::orders;
        let FireOrders::Written(rows) = &self.own.orders else {
            return Ok(Err(self.own.policy));
        };
        let locations = self.path.locations.len();
        if rows.len() > locations && rows[locations..].iter().any(|row| !row.is_empty()) {
            let message = format!(
                "there are shots for {} Locations, but the path has {locations}",
                rows.len()
            );
            return Err(of_fire.fault(message).help("write `none` for a Location without shots"));
        }
        let in_field = FieldFault::in_field(of_fire.name);
        let plan = rows.iter().take(locations).enumerate().map(|(place, row)| {
            row.iter().map(|(name, span)| self.named(place, name, span)).collect()
        });
        let plan: Vec<Vec<u8>> = plan.collect::<Result<_, _>>().map_err(in_field)?;
        let limits = self.limits(&plan);
        if self.setting.rulebook.chooses(Switch::ShotsBeyondMfRefused)
            && let Some(limit) = limits.first()
        {
            return Err(of_fire.fault(format!("{limit} (A9.2, I-103)")));
        }
        notes.extend(limits.iter().map(|limit| format!("{limit}; more are skipped (A9.2, I-103)")));
        Ok(Ok(plan))
    }

    /// Returns the index of the position called `name`, which has LOS to the Location.
    fn named(&self, place: usize, name: &str, span: &Range<usize>) -> Result<u8, Fault> {
        let location = &self.path.locations[place].name;
        let names = || self.positions.iter().map(|position| position.name.as_str());
        let Some(number) = names().position(|known| known == name) else {
            let fault = Fault::new(format!("no defender is called `{name}`"), span.clone());
            return Err(fault.expecting(name, names()));
        };
        let position = &self.positions[number];
        if position.sight(place).is_none() {
            let message = format!("{name} has no LOS to Location {location} (A6.1)");
            let fault = Fault::new(message, span.clone());
            return Err(fault.help("give its range there in `defender`, or leave it out"));
        }
        position.check(&self.explored(), (place, self.own.concealed)).map_err(|fault| Fault {
            message: format!("{name} at Location {location}: {}", fault.message),
            span: span.clone(),
            ..fault
        })?;
        Ok(number as u8)
    }

    fn explored(&self) -> ExploredPath<'_> {
        ExploredPath { path: &self.path.locations, setting: self.setting, most: &[] }
    }

    /// Returns a note on each defender and Location that he does not fire at, with the reason.
    fn who_does_not_fire(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for position in self.positions {
            let name = &position.name;
            for (place, location) in self.path.locations.iter().enumerate() {
                let reason = match position.sight(place) {
                    None if self.own.map.is_some() => continue,
                    None => "no LOS is given".to_string(),
                    Some(_) => {
                        match position.check(&self.explored(), (place, self.own.concealed)) {
                            Ok(()) => continue,
                            Err(fault) => fault.message,
                        }
                    }
                };
                notes.push(format!("{name} does not fire at Location {}: {reason}", location.name));
            }
        }
        notes
    }

    /// Returns the Locations with shots beyond what the MF allow (9.2), in words.
    fn limits(&self, plan: &[Vec<u8>]) -> Vec<String> {
        let limit = |(place, row): (usize, &Vec<u8>)| {
            let locations = &self.path.locations;
            let most = usize::from(most_shots(locations, place, self.setting.rulebook));
            let is_over =
                |position: &&u8| row.iter().filter(|other| other == position).count() > most;
            let name = &self.positions[usize::from(*row.iter().find(is_over)?)].name;
            let (shots, place) = (counted(most as u64, "shot"), &locations[place].name);
            Some(format!("{name}: a unit or SW has at most {shots} in Location {place}"))
        };
        plan.iter().enumerate().filter_map(limit).collect()
    }
}
