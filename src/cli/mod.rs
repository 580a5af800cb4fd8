//! The command line: arguments and printing, nothing else. One file per command.

mod ask;
mod board;
mod compare;
mod fault;
mod impact;
mod lists;
mod output;
mod rout;
mod run;
mod screen;
mod solve;
mod sweep;
mod system;
mod trace;
mod typed;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory, Parser, Subcommand};

use self::fault::Failure;
use crate::fortitude::Fortitude;
use crate::reaction::Reaction;
use crate::text::Fault;

/// Odds of morale and rout in tactical board wargames: Advanced Squad Leader, and two further morale systems.
///
/// Every answer is exact where that is possible, and carries its error where it is not.
#[derive(Debug, Parser)]
#[command(name = "lowcrawl", version, max_term_width = 110, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Odds of an attack on the Infantry Fire Table: K, KIA and Random Selection, MC, PTC, Cowering (A7.3)
    #[command(after_help = ask::STACK_HELP)]
    Fire(ask::Answered<ask::Fire>),
    /// Odds of a Morale Check or Pin Task Check of a whole stack: leaders, LLMC and LLTC, ELR (A10.1 - A10.4)
    #[command(after_help = ask::STACK_HELP)]
    Check(ask::Answered<ask::Check>),
    /// Odds of rallying, phase by phase (A10.6)
    #[command(after_help = ask::STACK_HELP)]
    Rally(ask::Answered<ask::Rally>),
    /// Odds of a rout through Interdicted Open Ground hexes, 1 MF each (A10.53)
    #[command(after_help = ask::STACK_HELP)]
    Interdict(ask::Answered<ask::Interdict>),
    /// Odds of a chain of steps over several Player Turns, from a sequence file
    #[command(after_help = ask::SEQUENCE_HELP)]
    Sequence(ask::Answered<ask::Sequence>),
    /// Who must rout on a map, where to, through what, and the odds of every plan, from a situation file (A10.5)
    #[command(after_help = rout::HELP)]
    Rout(rout::Rout),
    /// What a broken unit should do over several Player Turns, and by how much, from a campaign file
    #[command(after_help = solve::HELP)]
    Solve(solve::Solve),
    /// Two or more courses of action side by side, with the difference and its error, from a comparison file
    #[command(after_help = compare::HELP)]
    Compare(compare::Compare),
    /// Morale Levels and Fortitude Tests: another morale system on the same engines
    #[command(subcommand)]
    Fortitude(system::Commands<Fortitude>),
    /// Reaction Dice, Disruption and Suppression: another morale system on the same engines
    #[command(subcommand)]
    Reaction(system::Commands<Reaction>),
    /// Check the lines of sight computed for a board
    #[command(subcommand)]
    Board(board::Board),
    /// Sweep a question over a grid, from a study file to Parquet and CSV
    #[command(subcommand)]
    Study(sweep::Study),
    /// Tell one sequence roll by roll, with dice, DRM and rule numbers
    #[command(subcommand)]
    Trace(trace::Trace),
    /// List the counters, all or those that match
    Units(lists::Units),
    /// List the points of interpretation and their values
    Rules(lists::Rules),
    /// Print a completion script for a shell
    Completions {
        /// Shell to complete for
        shell: clap_complete::Shell,
    },
}

/// Raised by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // A second Ctrl-C ends the process at once. Without the handler Ctrl-C only ends it sooner.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has seen enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody is left to tell when standard error is closed or full.
            let _ = writeln!(std::io::stderr(), "{}", failure.report());
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Fire(fire) => fire.run(),
        Command::Check(check) => check.run(),
        Command::Rally(rally) => rally.run(),
        Command::Interdict(interdict) => interdict.run(),
        Command::Sequence(sequence) => sequence.run(),
        Command::Rout(rout) => rout.run(),
        Command::Solve(solve) => solve.run(),
        Command::Compare(compare) => compare.run(),
        Command::Fortitude(commands) => commands.run(),
        Command::Reaction(commands) => commands.run(),
        Command::Board(board) => board.run(),
        Command::Study(study) => study.run(),
        Command::Trace(trace) => trace.run(),
        Command::Units(units) => units.run(),
        Command::Rules(rules) => rules.run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "lowcrawl", &mut script);
            print(script)
        }
    }
}

/// A text file that another one names.
fn read_beside(folder: &std::path::Path, name: &str) -> std::io::Result<String> {
    let bytes = std::fs::read(folder.join(name))?;
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("not a text file: byte {} is not UTF-8", error.utf8_error().valid_up_to());
        std::io::Error::new(std::io::ErrorKind::InvalidData, message)
    })
}

/// Reads a file that must be text.
fn read_text(path: &Path) -> Result<String, Failure> {
    let place = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Failure::io(&place, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("not a text file: byte {} is not UTF-8", error.utf8_error().valid_up_to());
        Failure::argument(&place, "", Fault::new(message, 0..0))
    })
}

/// Prints to standard output.
fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_ref()).and_then(|()| stdout.flush()).map_err(|error| Failure::io("standard output", error))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Arguments::command().debug_assert();
    }
}
