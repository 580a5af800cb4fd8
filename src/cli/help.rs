//! The `help` command, of commands and of the keys of files, and the `man` command: manual pages.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_mangen::Man as Page;

use super::fault::{Failure, Result};
use super::question::settings;
use super::reference;
use super::suggest::named;
use super::writer::{print, write_into, written};
use api::reference::{files, of_file};
use play::{Game, Registry};
use render::layout::paragraph;

pub const EXAMPLES: [&str; 3] =
    ["lowcrawl help rally", "lowcrawl help situation", "lowcrawl help fortitude sequence"];

/// Arguments of `help`.
#[derive(Debug, Args)]
pub struct HelpCommand {
    /// A command, or a kind of file: situation, campaign, compare, study, sequence; for another
    /// morale system write its name first
    topic: Vec<String>,
}

/// Adds the topics of `help` and `man` as possible values, for shell completion.
pub fn with_topics(whole: Command) -> Command {
    let names = |whole: &Command, others: Vec<&str>| -> Vec<&'static str> {
        let commands = whole.get_subcommands().map(Command::get_name);
        let others = others.into_iter().filter(|other| whole.find_subcommand(other).is_none());
        // clap needs static names. They are leaked once, in a process that soon ends.
        commands.chain(others).map(|name| &*name.to_string().leak()).collect()
    };
    let (topics, pages) = (names(&whole, files()), names(&whole, Vec::new()));
    let topics = PossibleValuesParser::new(topics);
    let pages = PossibleValuesParser::new(pages);
    whole
        .mut_subcommand("help", |help| help.mut_arg("topic", |topic| topic.value_parser(topics)))
        .mut_subcommand("man", |man| man.mut_arg("command", |page| page.value_parser(pages)))
}

impl HelpCommand {
    /// Prints the help. `commands` builds the command line, with the named commands in full.
    pub fn run(
        &self,
        registry: &Registry,
        commands: impl FnOnce(&[OsString]) -> Command,
    ) -> Result<()> {
        let topic: Vec<&str> = self.topic.iter().map(String::as_str).collect();
        let game = |name: &str| registry.games().iter().find(|game| game.name() == name).copied();
        match topic[..] {
            [file] if files().contains(&file) => of_files(registry, registry.first(), file),
            [system, file] if let Some(game) = game(system).filter(|_| files().contains(&file)) => {
                of_files(registry, game, file)
            }
            _ => {
                let topic: Vec<OsString> = self.topic.iter().map(OsString::from).collect();
                let whole = commands(&topic);
                named(&whole, &self.topic, "TOPIC", &files())?;
                let help = ["lowcrawl".into()].into_iter().chain(topic).chain(["--help".into()]);
                // clap returns a help text as an error.
                let help = whole.try_get_matches_from(help);
                help.map_or_else(|help| written(help.print()), |_| Ok(()))
            }
        }
    }
}

fn of_files(registry: &Registry, game: &'static dyn Game, file: &str) -> Result<()> {
    let parts = of_file(registry, game, file);
    if parts.is_empty() {
        let others = files().into_iter().filter(|name| !of_file(registry, game, name).is_empty());
        let help = format!("it has: {}", others.collect::<Vec<_>>().join(", "));
        let message = format!("`{}` has no file of this kind", game.name());
        return Err(Failure::refused("TOPIC", file, message).help(help));
    }
    let (text, settings) = (reference::text(&parts), settings(registry, game));
    let end = format!("The points of the rules are fields too: `{settings}` lists them.");
    print(format!("{text}\n{}", paragraph(&end)))
}

pub const PAGES: [&str; 3] =
    ["lowcrawl man", "lowcrawl man rally > lowcrawl-rally.1", "lowcrawl man --out man1"];

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Command whose page is printed [default: the program itself]
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files with these names, such as the pages of another version
    #[arg(long, requires = "out")]
    replace: bool,
}

impl Man {
    pub fn run(&self, mut whole: Command) -> Result<()> {
        whole.build();
        if let Some(folder) = &self.out {
            let mut files = Vec::new();
            pages(&whole, &mut files)?;
            return write_into(folder, None, &files, self.replace);
        }
        print(page(named(&whole, &self.command, "COMMAND", &[])?)?.1)
    }
}

fn pages(command: &Command, files: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    files.push(page(command)?);
    command.get_subcommands().try_for_each(|command| pages(command, files))
}

fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let page = Page::new(command.clone()).source(concat!("lowcrawl ", env!("CARGO_PKG_VERSION")));
    let mut content = Vec::new();
    let name = page.get_filename();
    page.render(&mut content).map_err(|error| Failure::io(&name, error))?;
    Ok((name, content))
}
