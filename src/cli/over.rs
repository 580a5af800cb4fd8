//! Options that go over what a file says: those of every question about a stack.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::given::{Given, with_options};
use asl::ask::COMMON;
use asl::rout::RoutFields;
use system::draft::GIVEN_FIELD;
use system::field::{Field, Fields as _};

/// Options over the fields of a file.
#[derive(Clone, Debug)]
pub struct Over {
    pub given: Given,
}

/// The same over a file that is solved: dice of one sequence may be rolled already.
#[derive(Clone, Debug)]
pub struct OverSolved {
    pub given: Given,
}

/// The same over a situation.
#[derive(Clone, Debug)]
pub struct OverSituation {
    pub given: Given,
}

/// All but what changes the columns.
fn of_questions() -> impl Iterator<Item = &'static Field> {
    COMMON.iter().filter(|field| field.sweeps)
}

/// Makes a struct of what was given for some fields arguments of a command.
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
                Ok($over { given: Given::of(matches, $fields) })
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

arguments!(Over, of_questions());
arguments!(OverSolved, of_questions().chain([&GIVEN_FIELD]));
arguments!(OverSituation, RoutFields::ALL.iter());
