//! The description of a question of ASL for the general crates, which know no game.

use super::ask::{Ask, Fields, StepFields};
use super::certainty;
use super::count::change;
use super::question::{Question, starting_counter};
use super::rulebook::Rulebook;
use super::sequence::{Action, Rally, Step};
use super::unit::{Condition, Status};
use engine::process::{Label, Point, Question as _};
use std::hash::{Hash as _, Hasher};
use system::draft::Word as _;
use system::field::Json;
use system::{Beginning, Fact, Footing, Held, Hope, Kind, Words};

/// Returns the rules and settings on which an answer rests.
pub fn footing(rulebook: Rulebook, heat_of_battle: bool, elr: u8) -> Footing {
    let profile = rulebook.profile().name();
    let switches = rulebook
        .changed()
        .map(|changed| (changed.id.to_string(), rulebook.value(changed.switch).to_string()))
        .collect();
    Footing {
        words: format!(
            "profile {profile}, {} Heat of Battle",
            if heat_of_battle { "with" } else { "without" }
        ),
        facts: vec![
            ("profile", Fact::Text(profile.to_string())),
            ("switches", Fact::Settings(switches)),
            ("heat_of_battle", Fact::Boolean(heat_of_battle)),
            ("elr", Fact::Integer(elr.into())),
        ],
        setting: "Interpretation",
        uncertain: "Catalogue",
    }
}

/// Returns the settings that all cells of a study share. A setting is dropped if the study varies
/// one of its fields.
pub fn held(rulebook: Rulebook, heat_of_battle: bool) -> Vec<Held> {
    let on = if heat_of_battle { "on" } else { "off" };
    vec![
        Held {
            name: "profile",
            words: "profile",
            value: rulebook.profile().name().to_string(),
            fields: &["profile"],
        },
        Held {
            name: "heat_of_battle",
            words: "Heat of Battle",
            value: on.to_string(),
            fields: &["hob", "no-hob", "profile", "sk-15.1"],
        },
    ]
}

impl Words for Question {
    fn understood(&self, field: &str) -> Option<Json> {
        let (number, name) = match field.split_once('.') {
            Some((number, name)) => (number.parse().ok()?, name),
            None => (1usize, field),
        };
        match name {
            _ if name == Fields::stack.name => Some(self.stack.to_string().into()),
            _ if name == StepFields::leader.name => self
                .steps
                .get(number.checked_sub(1)?)?
                .action
                .leader()
                .map(|leader| leader.to_string().into()),
            _ => None,
        }
    }

    fn in_words(&self) -> String {
        let stack = self.stack.in_words();
        let mut words = match (self.ask, self.steps.first().map(|step| &step.action)) {
            (Ask::Sequence, _) | (_, None) => {
                let steps = self.steps.len();
                format!(
                    "{} in a sequence of {steps} step{}",
                    stack,
                    if steps == 1 { "" } else { "s" }
                )
            }
            (Ask::Interdict, Some(action)) => format!("{stack} through {action}"),
            (Ask::Fire, Some(action)) => format!("{stack} under {action}"),
            (Ask::Rally, Some(action)) => format!("{stack} over {action}"),
            (_, Some(action)) => format!("{action} of {stack}"),
        };
        words += &format!(", ELR {}", self.elr);
        self.scene.facts().for_each(|fact| words += &format!(", {fact}"));
        words
    }

    fn in_full(&self) -> String {
        if !self.is_sequence() {
            return self.in_words();
        }
        format!("{}: {}", self.in_words(), Words::steps(self).join("; "))
    }

    fn units(&self) -> u8 {
        self.stack.members.len() as u8
    }

    fn beginning(&self, slot: u8) -> Option<Beginning> {
        let member = self.stack.members.get(usize::from(slot).checked_sub(1)?)?;
        let counter = starting_counter(member);
        Some(Beginning {
            notation: member.to_string(),
            name: counter.clone(),
            counter: Some(counter),
            wounded: member.is(Condition::Wounded),
        })
    }

    fn points(&self) -> Option<&'static str> {
        match self.ask {
            Ask::Rally => Some("phase"),
            Ask::Sequence => Some("step"),
            Ask::Fire | Ask::Check | Ask::Interdict => None,
        }
    }

    /// Returns the last phase of a Rally, the last step of a sequence, or 0 for a single step.
    fn last_point(&self) -> Point {
        match (self.ask, self.steps.first().map(|step| &step.action)) {
            (Ask::Sequence, _) => self.steps.len() as Point,
            (_, Some(Action::Rally(rally))) => rally.phases,
            _ => 0,
        }
    }

    fn point_in_words(&self, point: Point) -> String {
        let step = usize::from(point).checked_sub(1).and_then(|place| self.steps.get(place));
        match (self.ask, step) {
            (Ask::Rally, _) => format!("end of phase {point}"),
            (Ask::Sequence, Some(step)) => format!("end of step {point}, {}", step.action),
            _ => "end".to_string(),
        }
    }

    fn kind(&self) -> &'static Kind {
        self.ask.declared()
    }

    fn rank(&self, status: &str) -> usize {
        Status::rank(status)
    }

    fn hoped(&self) -> Hope {
        match self.ask {
            Ask::Check | Ask::Fire => {
                Hope::of_unit(&["good-order", "pinned", "berserk"], "unbroken")
            }
            Ask::Sequence => {
                Hope::of_unit(&["good-order", "pinned", "berserk"], "unbroken after the last step")
            }
            Ask::Rally => {
                Hope::of_unit(&["rallied"], "rallied after the last phase").told_as("rallies")
            }
            Ask::Interdict => Hope::of_unit(&["through"], "through"),
        }
    }

    fn is_joint(&self) -> bool {
        self.joint
    }

    /// Hashes all of a Rally question but its number of phases, which it returns. Terrain counts
    /// only by its DRM (10.61), a lent leader only by what it lends. Its own ML matters only beside
    /// other leaders (10.22). No leader is created where one leads (18.11).
    fn rest_on(&self, mut what: &mut dyn Hasher) -> Option<Point> {
        let Question { ask, stack, steps, scene, elr, joint, rulebook, choices, notes: _ } = self;
        let [Step { action: Action::Rally(rally), condition: None }] = &steps[..] else {
            return None;
        };
        let &Rally { ref leader, phases, own_rph, terrain: _, bonus, keeps_dm, dm } = rally;
        let lent = leader.as_ref().map(|leader| {
            let counter = leader.printed();
            let is_ranked = stack.members.iter().any(|member| member.printed().kind.is_leader());
            let own = is_ranked.then_some(leader.counter);
            let lends = (counter.kind, counter.nation, counter.leadership, leader.conditions);
            (lends, leader.nation, leader.elr, leader.morale, leader.broken_morale, own)
        });
        ask.declared().name.hash(&mut what);
        (&stack.members, scene, elr, joint, rulebook, choices).hash(&mut what);
        (lent, own_rph, bonus, keeps_dm, dm).hash(&mut what);
        Some(phases)
    }

    fn footing(&self) -> Footing {
        footing(self.rulebook, self.heat_of_battle(), self.elr)
    }

    fn held(&self) -> Vec<Held> {
        held(self.rulebook, self.heat_of_battle())
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn uncertain(&self) -> Vec<String> {
        certainty::uncertain(self)
    }

    fn rule(&self, rule: &str) -> String {
        format!("A{rule}")
    }

    fn steps(&self) -> Vec<String> {
        let step = |step: &Step| match &step.condition {
            None => step.action.to_string(),
            Some(condition) => format!("{}, {condition}", step.action),
        };
        self.steps.iter().filter(|_| self.is_sequence()).map(step).collect()
    }

    /// Returns what each unit needs to roll. A sequence has none, because its steps are many.
    fn needs(&self) -> Vec<String> {
        let step = self.steps.first().filter(|_| !self.is_sequence());
        step.map_or_else(Vec::new, |step| self.whole().needs(&step.action))
    }

    fn change(&self, end: &Label) -> Option<&'static str> {
        let member = self.stack.members.get(usize::from(end.slot?).checked_sub(1)?)?;
        change(member, end)
    }

    fn aside(&self) -> Option<&'static str> {
        (!self.heat_of_battle()).then_some("Without Heat of Battle.")
    }
}
