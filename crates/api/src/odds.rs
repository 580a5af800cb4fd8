//! Odds of a question, and advice if it is too big for an engine.

use super::Refused;
use answer::{Engine, Meta, Options, Table};
use engine::EngineError;
use engine::text::notation::{CodePiece, Remedy, shown};
use play::DynQuestion;

/// The odds of a question, as a table.
pub struct OddsAnswer {
    pub question: Box<dyn DynQuestion>,
    pub table: Table,
}

const MONTE_CARLO: CodePiece = CodePiece::Option("engine", "monte-carlo");
const TRIALS: CodePiece = CodePiece::Key("trials");
const UNBOUND: &str = "use `{}`, which has no such limit";

/// Returns the advice to use the Monte Carlo engine, for a process too big for the exact engine.
pub(super) fn unbound() -> Remedy {
    shown(UNBOUND, [MONTE_CARLO])
}

pub(super) fn table(
    question: &dyn DynQuestion,
    options: &Options,
    meta: Meta,
) -> Result<Table, Refused> {
    let facts = question.words().facts();
    question.answer(options, meta).map_err(|error| {
        let is_joint = facts.is_joint && facts.points != Some("step");
        let (instead, mut pieces) = match (&error, options.engine) {
            (EngineError::TooManyOutcomes { .. }, Engine::Exact) => {
                ("use `{}` with few `{}`, or fewer units", vec![MONTE_CARLO, TRIALS])
            }
            (EngineError::TooManyOutcomes { .. }, _) => {
                ("use fewer `{}`, or fewer units", vec![TRIALS])
            }
            _ => (UNBOUND, vec![MONTE_CARLO]),
        };
        let smaller = match &error {
            _ if !is_joint => "",
            EngineError::TooManyOutcomes { .. } => "; without `{}` each unit has its own result",
            _ => "; without `{}` the question is smaller",
        };
        pieces.extend(is_joint.then_some(CodePiece::Key("joint")));
        let help = shown(format!("{instead}{smaller}"), pieces);
        Refused::Engine { error, help: Some(help) }
    })
}

pub(super) fn answer(
    question: Box<dyn DynQuestion>,
    command: String,
    options: &Options,
) -> Result<OddsAnswer, Refused> {
    let table = table(question.as_ref(), options, question.meta(command))?;
    Ok(OddsAnswer { question, table })
}
