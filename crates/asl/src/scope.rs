//! The units that a question of an edition can have.

use super::catalogue::CounterKind;
use super::kinds::StackFields;
use super::rulebook::{Profile, Rulebook, Switch};
use super::stack::Member;
use crate::vocabulary::Condition;
use engine::text::Fault;
use engine::text::notation::{Remedy, shown, text_field};

/// Rejects units that are not supported or not in the edition. The fault has no position yet.
pub(crate) fn check_scope(member: &Member, rulebook: Rulebook) -> Result<(), Fault> {
    use Condition::*;
    let fault = |message: String, help: Remedy| Err(Fault::new(message, 0..0).help(help));
    let edition =
        |words: &str| shown(words, [text_field(StackFields::profile.name, Profile::AslV3.name())]);
    if member.concealed {
        return fault(
            "concealment counts only under fire and in Close Combat".to_string(),
            "leave it out, or ask `fire` or `cc`".into(),
        );
    }
    if let Some(word) = member.role.written().flatten().next() {
        return fault(
            format!("`{word}` counts only in Close Combat"),
            "leave it out, or ask `cc`".into(),
        );
    }
    if member.is(Captured) {
        return fault(
            "prisoners (A20.5) are not supported".to_string(),
            "remove them from the stack".into(),
        );
    }
    if !rulebook.chooses(Switch::PlainUnitsOnly) {
        return Ok(());
    }
    let kind = member.printed().kind;
    let lacking = [Heroic, Fanatic, Berserk, Encircled, Unarmed];
    match lacking.into_iter().find(|&condition| member.is(condition)) {
        Some(condition) => fault(
            format!("the Starter Kit has no {} units", condition.name()),
            edition("`{}` has them"),
        ),
        None if matches!(kind, CounterKind::Hero | CounterKind::Commissar) => fault(
            format!("the Starter Kit has no counter `{}`", kind.name()),
            edition("`{}` has it"),
        ),
        None => Ok(()),
    }
}
