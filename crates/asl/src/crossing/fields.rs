//! The fields of a question about a stack that moves under fire, checked against each other.

use std::ops::Range;

use super::build::CrossingParts;
use super::defenders::CrossingDefenders;
use super::model::Crossing;
use super::movement::MoverMf;
use super::orders::{AfterStop, CrossingMove, FireOrders, FirePolicy};
use super::path::{CrossingPath, PathLocation};
use super::position::{ExploredPath, FiringPosition};
use crate::attack::circumstances::Movement;
use crate::board::terrain::{Mf, OpenGround};
use crate::draft::{Switches, check_scope, one_side};
use crate::kinds::StackFields;
use crate::nation::Nation;
use crate::notation::StackNotation;
use crate::rulebook::{Rulebook, Switch};
use crate::stack::{Member, Stack};
use crate::vocabulary::{Condition, Scene};
use engine::text::notation::{shown, text_field};
use engine::text::{Fault, counted};
use schema::FieldFault;
use schema::field::fields;

fields! {
    /// The fields of a stack that moves under fire, beside those of every stack.
    pub struct CrossingFields, CrossingSetters {
        "path" path: Option<CrossingPath>, "Locations entered, in order, each as `TERRAIN [MF] \
            [WORD VALUE]`, such as `open, grain 2, stone 2 hexside wall`", ["A4.1"];
        "defender" defenders: Option<CrossingDefenders>, "an enemy Location, as `NAME: FIRERS @ \
            RANGES`, such as `A: 8-1 + german:4-6-7/mmg @ 4, 3, 2`", ["A8.1"];
        "fire" orders: FireOrders = "auto", "who fires at each Location, in order: `A, A B, none`; \
            or auto, as `policy` says", ["A8.1"];
        "policy" policy: FirePolicy = "all",
            "who fires by auto: all, first (each once in a Location), hold-fire (until ADJACENT)";
        "move" movement: CrossingMove = "non-assault",
            "how the stack moves: non-assault, assault, dash, charge", ["A4.6"];
        "concealed" concealed: bool, "the stack is concealed", ["A12.14"];
        "stopped" stopped: AfterStop = "cease",
            "what defenders do at a stack of which nobody goes on: cease, continue";
    }
}

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
}

/// The head of the form: the fields of every stack, and those of a crossing.
pub type CrossingHead = (StackFields, CrossingFields);

const PATH_EXAMPLE: &str = "open, open, stone 2";

/// Checks the fields against each other and builds the crossing.
///
/// # Errors
///
/// Fails if a field is missing, or if the rules forbid what they say.
pub fn checked(
    (head, own): &CrossingHead,
    switches: &Switches,
    mut notes: Vec<String>,
) -> Result<CheckedCrossing, FieldFault> {
    let rulebook = switches.rulebook(head.profile)?;
    let written = head.stack.as_ref().ok_or_else(|| {
        StackFields::stack.fault("the stack is missing").help("for example `russian:4-4-7`")
    })?;
    let nations = StackNotation::nations(std::iter::once(written));
    let stack = written.resolve(&nations).map_err(FieldFault::in_field("stack"))?;
    notes.extend(stack.assumed.clone());
    notes.extend(one_side(&nations, head.enemy));
    let path = own.path.clone().ok_or_else(|| {
        let fault = CrossingFields::path.fault("the path is missing");
        fault.help(shown("for example `{}`", [text_field("path", PATH_EXAMPLE)]))
    })?;
    let defenders = own.defenders.clone().unwrap_or_default();
    check_stack(&stack, own.movement, rulebook).map_err(FieldFault::in_field("stack"))?;
    check_path(&stack, &path.locations, own.movement)?;
    if rulebook.chooses(Switch::PlainFireOnly) && own.movement == CrossingMove::Dash {
        return Err(CrossingFields::movement.fault("the Starter Kit has no Dash"));
    }
    let of_defender = FieldFault::in_field(CrossingFields::defenders.name);
    let positions = defenders.defenders.iter();
    let positions = positions.map(|of| FiringPosition::new(of, &path.locations, rulebook));
    let positions: Vec<FiringPosition> =
        positions.collect::<Result<_, _>>().map_err(of_defender)?;
    for member in positions.iter().flat_map(FiringPosition::members) {
        let known = Member { concealed: false, ..member.clone() };
        check_scope(&known, rulebook).map_err(FieldFault::in_field("defender"))?;
    }
    let setting =
        Setting { own, path: &path, defenders: &defenders, positions: &positions, rulebook };
    setting.check_use()?;
    let plan = setting.plan(&mut notes)?;
    if plan.is_err() {
        notes.extend(setting.who_does_not_fire());
    }
    let scene = scene_of(head);
    notes.extend(positions.iter().flat_map(|position| position.group.notes.iter().cloned()));
    let is_auto = plan.is_err();
    let parts = CrossingParts {
        stack: &stack,
        path: &path.locations,
        positions: positions.clone(),
        plan,
        movement: attack_movement(own.movement),
        is_charge: own.movement == CrossingMove::Charge,
        is_concealed: own.concealed,
        goes_on_firing: own.stopped == AfterStop::Continue,
        scene,
        elr: head.elr.u8(),
        rulebook,
        joint: head.joint,
    };
    let crossing = parts.crossing().map_err(FieldFault::in_field("defender"))?;
    let (elr, movement) = (head.elr.u8(), own.movement);
    Ok(CheckedCrossing { crossing, stack, defenders, path, movement, notes, scene, elr, is_auto })
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

/// Refuses paths that cost too many MF (4.1), Assault Movement over more than one Location or with
/// all MF (4.61), and a Dash that does not go over one Location (4.63).
fn check_path(
    stack: &Stack,
    path: &[PathLocation],
    movement: CrossingMove,
) -> Result<(), FieldFault> {
    let total = path.iter().fold(Mf::default(), |sum, location| sum + location.mf);
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
    let slowest = stack.members.iter().min_by_key(|member| mf(member));
    let of_path = CrossingFields::path;
    if let Some(member) = slowest.filter(|member| mf(member) < total) {
        let (has, name) = (mf(member), member.printed().printed());
        let fault =
            of_path.fault(format!("the path costs {total} MF, the {name} has {has} (A4.1)"));
        return Err(fault.help("end the path earlier, or send a leader along (A4.12)"));
    }
    let of_move = CrossingFields::movement;
    if movement == CrossingMove::Assault {
        let all = slowest.is_some_and(|member| mf(member) == total);
        let refused = [
            (path.len() > 1, "Assault Movement enters one Location only (A4.61)"),
            (all, "Assault Movement leaves at least part of the MF (A4.61)"),
        ];
        if let Some((_, message)) = refused.into_iter().find(|(holds, _)| *holds) {
            let help = "shorten the path, or use Non-Assault Movement";
            return Err(of_move.fault(message).help(help));
        }
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
struct Setting<'a> {
    own: &'a CrossingFields,
    path: &'a CrossingPath,
    defenders: &'a CrossingDefenders,
    positions: &'a [FiringPosition],
    rulebook: Rulebook,
}

impl Setting<'_> {
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
        self.note_limits(&plan, notes);
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
        ExploredPath {
            path: &self.path.locations,
            movement: attack_movement(self.own.movement),
            rulebook: self.rulebook,
            most: &[],
        }
    }

    /// Returns a note on each defender and Location that he does not fire at, with the reason.
    fn who_does_not_fire(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for position in self.positions {
            let name = &position.name;
            for (place, location) in self.path.locations.iter().enumerate() {
                let reason = match position.sight(place) {
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

    /// Notes shots beyond what the MF allow, which are skipped (9.2, I-103).
    fn note_limits(&self, plan: &[Vec<u8>], notes: &mut Vec<String>) {
        for (row, location) in plan.iter().zip(&self.path.locations) {
            let most = usize::from(location.most_shots());
            let is_over =
                |position: &&u8| row.iter().filter(|other| other == position).count() > most;
            if let Some(&position) = row.iter().find(is_over) {
                let (name, place) = (&self.positions[usize::from(position)].name, &location.name);
                let shots = counted(most as u64, "shot");
                notes.push(format!(
                    "{name}: a unit or SW has at most {shots} in Location {place}; more are \
                        skipped (A9.2, I-103)"
                ));
            }
        }
    }
}
