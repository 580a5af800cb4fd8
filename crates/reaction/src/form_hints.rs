//! Hints for forms: initial values of fields that a question needs.

use schema::{FieldHint, FormHints};

pub(super) const FORM_HINTS: FormHints = FormHints { kinds: &[], fields: FIELDS, units: &[] };

const FIELDS: &[FieldHint] = &[
    FieldHint::new("dice", "dice").initial("5"),
    FieldHint::new("points", "points").initial("6"),
    FieldHint::new("by", "by").replaces(&["dice"]),
];
