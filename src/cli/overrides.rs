//! Command-line options that override the fields of a file.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::field_args::{FieldArgs, with_options};
use asl::kinds::COMMON;
use asl::rout::RoutFields;
use schema::common_fields::GIVEN_FIELD;
use schema::{Field, Fields as _};

/// Returns the common fields that a study can vary. Others would change the columns.
fn of_questions() -> impl Iterator<Item = &'static Field> {
    COMMON.iter().filter(|field| field.sweeps)
}

/// Declares a struct of options that override the given fields of a file, as clap arguments.
macro_rules! overrides {
    ($(#[$about:meta])* $over:ident, $fields:expr) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $over {
            pub given: FieldArgs,
        }

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

overrides!(
    /// The options that override a file of questions.
    OverrideArgs,
    of_questions()
);
overrides!(
    /// The options that override a file for `solve`, including dice already rolled (`--given`).
    SolveOverrides,
    of_questions().chain([&GIVEN_FIELD])
);
overrides!(
    /// The options that override a situation file.
    SituationOverrides,
    RoutFields::ALL.iter()
);
