//! Command-line options that override the fields of a file.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::field_args::{FieldArgs, with_options};
use asl::kinds::COMMON;
use asl::rout::RoutFields;
use schema::common_fields::GIVEN_FIELD;
use schema::{Field, Fields as _};

/// The options that override a file of questions.
#[derive(Clone, Debug)]
pub struct OverrideArgs {
    pub given: FieldArgs,
}

/// The options that override a file for `solve`, including dice already rolled (`--given`).
#[derive(Clone, Debug)]
pub struct SolveOverrides {
    pub given: FieldArgs,
}

/// The options that override a situation file.
#[derive(Clone, Debug)]
pub struct SituationOverrides {
    pub given: FieldArgs,
}

/// Returns the common fields of questions that a study can vary. The other common fields change the
/// columns of the answer, so they are no overrides.
fn of_questions() -> impl Iterator<Item = &'static Field> {
    COMMON.iter().filter(|field| field.sweeps)
}

/// Implements the clap arguments of a struct with a [`FieldArgs`] field.
macro_rules! arguments {
    ($over:ident, $fields:expr) => {
        impl Args for $over {
            fn augment_args(command: Command) -> Command {
                with_options(command, $fields, true, false, "lowcrawl rules")
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $over {
            fn from_arg_matches(matches: &ArgMatches) -> Result<$over, clap::Error> {
                Ok($over { given: FieldArgs::from_matches(matches, $fields) })
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

arguments!(OverrideArgs, of_questions());
arguments!(SolveOverrides, of_questions().chain([&GIVEN_FIELD]));
arguments!(SituationOverrides, RoutFields::ALL.iter());
