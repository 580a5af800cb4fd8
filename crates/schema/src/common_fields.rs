//! Fields and keys that questions of every kind have.

use super::field::{Field, Takes};

/// Name of the field for the policy, in every kind with choices.
pub const POLICY: &str = "policy";

/// Name of the field for dice already rolled, in every kind.
pub const GIVEN: &str = "given";

/// Declaration of [`POLICY`].
pub const POLICY_FIELD: Field = Field {
    name: POLICY,
    negation: None,
    takes: Takes::Text("NAME"),
    default: None,
    about: "fixed rule (policy) for the choices, if there are any; an unknown name lists all \
        policies",
    rule: None,
    is_narrow: false,
    sweeps: true,
};

/// Declaration of [`GIVEN`]. Its values contain commas, so studies cannot list several.
pub const GIVEN_FIELD: Field = Field {
    name: GIVEN,
    takes: Takes::Text("DICE"),
    about: "dice already rolled, as in `trace --script`, such as \"6,3 4,1 2\": the odds start \
        after them",
    sweeps: false,
    ..POLICY_FIELD
};

/// Name of the key for the action of a step.
pub const DO: &str = "do";
