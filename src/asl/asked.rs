//! A question of ASL in words, for those that know no game.

use super::draft::Kind;
use super::question::Question;
use super::rulebook::Rulebook;
use crate::process::Point;
use crate::system::{Asked, Fact, Footing, Held, Hope};

/// What an answer rests on.
pub fn footing(rulebook: Rulebook, heat_of_battle: bool, elr: u8) -> Footing {
    let profile = rulebook.profile().name();
    let switches =
        rulebook.changed().map(|changed| (changed.id.to_string(), rulebook.value(changed.switch).to_string())).collect();
    Footing {
        words: format!("profile {profile}, {} Heat of Battle", if heat_of_battle { "with" } else { "without" }),
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

/// What holds of all cells of a study, unless a field is swept that it hangs on.
pub fn held(rulebook: Rulebook, heat_of_battle: bool) -> Vec<Held> {
    let on = if heat_of_battle { "on" } else { "off" };
    vec![
        Held { name: "profile", words: "profile", value: rulebook.profile().name().to_string(), fields: &["profile"] },
        Held {
            name: "heat_of_battle",
            words: "Heat of Battle",
            value: on.to_string(),
            fields: &["hob", "no-hob", "profile", "sk-15.1"],
        },
    ]
}

impl Asked for Question {
    fn in_words(&self) -> String {
        self.in_words()
    }

    fn units(&self) -> u8 {
        self.stack().members.len() as u8
    }

    fn points(&self) -> Option<&'static str> {
        match self.kind() {
            Kind::Rally => Some("phase"),
            Kind::Sequence => Some("step"),
            Kind::Fire | Kind::Check | Kind::Interdict => None,
        }
    }

    fn point_in_words(&self, point: Point) -> String {
        let step = usize::from(point).checked_sub(1).and_then(|place| self.steps().get(place));
        match (self.kind(), step) {
            (Kind::Rally, _) => format!("end of phase {point}"),
            (Kind::Sequence, Some(step)) => format!("end of step {point}, {}", step.action),
            _ => "end".to_string(),
        }
    }

    fn statuses(&self) -> &'static [&'static str] {
        &["rallied", "good-order", "pinned", "berserk", "through", "stopped", "broken", "disrupted", "captured", "eliminated"]
    }

    fn hoped(&self) -> Hope {
        match self.kind() {
            Kind::Check | Kind::Fire => Hope::of_unit(&["good-order", "pinned", "berserk"], "unbroken"),
            Kind::Sequence => Hope::of_unit(&["good-order", "pinned", "berserk"], "unbroken after the last step"),
            Kind::Rally => Hope::of_unit(&["rallied"], "rallied after the last phase"),
            Kind::Interdict => Hope::of_unit(&["through"], "through"),
        }
    }

    fn is_joint(&self) -> bool {
        self.is_joint()
    }

    fn footing(&self) -> Footing {
        footing(self.rulebook(), self.heat_of_battle(), self.elr())
    }

    fn held(&self) -> Vec<Held> {
        held(self.rulebook(), self.heat_of_battle())
    }

    fn notes(&self) -> Vec<String> {
        self.notes().to_vec()
    }

    fn uncertain(&self) -> Vec<String> {
        self.uncertain()
    }

    fn rule(&self, rule: &str) -> String {
        format!("A{rule}")
    }
}
