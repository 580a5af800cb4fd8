//! Hints for forms: initial values of fields that a question needs.

use schema::{FieldHint, FormHints};

pub(super) const FORM_HINTS: FormHints = FormHints { kinds: &[], fields: FIELDS, units: &[] };

const FIELDS: &[FieldHint] = &[
    FieldHint::new("dice", "dice").initial("5"),
    FieldHint::new("value", "value").initial("6"),
    FieldHint::new("casualties", "casualties").replaces(&["dice", "value"]),
    FieldHint::new("by", "by").replaces(&["dice", "value", "casualties"]),
    FieldHint::new("turns", "turns").role(schema::FieldRole::Periods),
];
