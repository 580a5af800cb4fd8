//! Named policies of a campaign: fixed rules for the choices of the owner.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::rout::{STATES, Value, worth_of};
use crate::campaign::{Campaign, CampaignState, ChoiceSubject};
use crate::rout::{self, Rout, RoutMove};
use crate::vocabulary::verdict::Verdict;
use engine::EngineError;
use engine::process::{Due, Player, Process as _, ReportIndex, Silent};
use engine::solve::{Solution, SolvedPolicy, is_better};
use engine::text::{Fault, canonical};

/// The manner in which a unit routs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoutManner {
    /// The best play of each rout by itself: survival first, then cover.
    #[default]
    BestRout,
    /// It runs wherever it can, and neither makes a Low Crawl nor stays.
    Run,
    /// It makes a Low Crawl wherever it can (10.52).
    Crawl,
    /// It runs if the route has at most one Interdicted hex, and otherwise makes a Low Crawl.
    RunIfOne,
    /// It stays wherever it may.
    Stay,
}

/// A fixed rule for the choices of the owner. Units try to rally whenever they can, in the
/// reference order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoutPolicy {
    pub manner: RoutManner,
    /// Whether DM is kept wherever that is allowed, which is until the unit is in cover (10.62).
    pub keeps_dm: bool,
    /// Whether the unit breaks voluntarily wherever that is allowed (10.41).
    pub breaks: bool,
}

/// The names of the manners.
const MANNERS: [(&str, RoutManner); 5] = [
    ("best-rout", RoutManner::BestRout),
    ("run", RoutManner::Run),
    ("crawl", RoutManner::Crawl),
    ("run-if-one", RoutManner::RunIfOne),
    ("stay", RoutManner::Stay),
];
const KEEP_DM: &str = "keep-dm";
const BREAK: &str = "break";

impl RoutPolicy {
    /// Returns every policy: each manner with DM removed or kept, and with or without Voluntary
    /// Break.
    pub fn all() -> impl Iterator<Item = RoutPolicy> {
        let each = |manner| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(keeps_dm, breaks)| RoutPolicy { manner, keeps_dm, breaks })
        };
        MANNERS.into_iter().flat_map(move |(_, manner)| each(manner))
    }

    /// Returns the policy in the form of the general crates, with its name and description.
    pub fn described(self) -> play::playable::Policy {
        play::playable::Policy::new(self.place(), &self.to_string(), self.about())
    }

    /// Returns the index of the policy among all policies.
    pub fn place(self) -> usize {
        RoutPolicy::all().position(|policy| policy == self).unwrap_or(0)
    }

    /// Returns the policy at an index, or the default.
    pub fn from_index(place: usize) -> RoutPolicy {
        RoutPolicy::all().nth(place).unwrap_or_default()
    }

    /// Describes how the unit routs under the policy.
    pub fn about(self) -> &'static str {
        match self.manner {
            RoutManner::BestRout => "each rout the best by itself",
            RoutManner::Run => "it runs wherever it can",
            RoutManner::Crawl => "it Low Crawls wherever it can",
            RoutManner::RunIfOne => "it runs through one Interdicted hex at most",
            RoutManner::Stay => "it stays wherever it may",
        }
    }

    /// Returns every word that a policy can consist of.
    pub fn words() -> impl Iterator<Item = &'static str> {
        MANNERS.into_iter().map(|(word, _)| word).chain([KEEP_DM, BREAK])
    }

    /// Parses words joined by commas, such as `run` or `crawl, keep-dm`.
    ///
    /// # Errors
    ///
    /// Fails at a word that is unknown, or that names a second manner.
    ///
    /// # Examples
    ///
    /// ```
    /// use lowcrawl_asl::course::policy::RoutPolicy;
    ///
    /// assert_eq!(RoutPolicy::parse("crawl,keep-dm").unwrap().to_string(), "crawl, keep-dm");
    /// assert!(RoutPolicy::parse("run, stay").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<RoutPolicy, Fault> {
        let mut policy = RoutPolicy::default();
        let mut manner = None;
        for word in text.split(',') {
            let start = word.as_ptr() as usize - text.as_ptr() as usize + word.len()
                - word.trim_start().len();
            let span = start..start + word.trim().len();
            let name = canonical(word.trim());
            match (MANNERS.iter().find(|(known, _)| *known == name), name.as_str()) {
                (Some((_, other)), _) if manner.is_none() => manner = Some(*other),
                (Some(_), _) => {
                    return Err(Fault::new(
                        format!("`{}` must give one manner of rout only", word.trim()),
                        span,
                    ));
                }
                (None, KEEP_DM) => policy.keeps_dm = true,
                (None, BREAK) => policy.breaks = true,
                _ => {
                    if name == "best" {
                        return Err(Fault::new(
                            "`best` cannot be combined: it makes every choice",
                            span,
                        ));
                    }
                    let fault = Fault::new(format!("no policy is called `{}`", word.trim()), span);
                    return Err(fault.expecting(word.trim(), RoutPolicy::words().chain(["best"])));
                }
            }
        }
        policy.manner = manner.unwrap_or_default();
        Ok(policy)
    }
}

impl RoutPolicy {
    /// Checks that a unit that routs at once can use the manner.
    ///
    /// # Errors
    ///
    /// Fails with the reason if no first move suits the manner.
    pub fn check(&self, campaign: &Campaign) -> Result<(), &'static str> {
        let start = campaign.start(&mut Silent);
        let ChoiceSubject::Rout(_, rout, state) = campaign.choice_subject(&start) else {
            return Ok(());
        };
        let Due::Choice { player: Player::Owner, .. } = rout.due(state) else { return Ok(()) };
        let moves = rout.moves(state);
        match self.manner {
            manner if moves.iter().any(|&chosen| suits(manner, chosen)) => Ok(()),
            RoutManner::BestRout => Ok(()),
            RoutManner::Run | RoutManner::RunIfOne => Err("it cannot run from there (A10.51)"),
            RoutManner::Crawl => Err("it cannot Low Crawl from there (A10.52)"),
            RoutManner::Stay => Err("it must rout: it cannot stay (A10.5)"),
        }
    }
}

/// Returns whether a first move suits a manner.
fn suits(manner: RoutManner, chosen: RoutMove) -> bool {
    match manner {
        RoutManner::BestRout => true,
        RoutManner::RunIfOne => chosen != RoutMove::Stay,
        RoutManner::Run => !matches!(chosen, RoutMove::Crawl(_) | RoutMove::Stay),
        RoutManner::Crawl => matches!(chosen, RoutMove::Crawl(_)),
        RoutManner::Stay => chosen == RoutMove::Stay,
    }
}

impl std::fmt::Display for RoutPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let manner =
            MANNERS.iter().find(|(_, manner)| *manner == self.manner).map_or("", |(word, _)| word);
        let also = [(KEEP_DM, self.keeps_dm), (BREAK, self.breaks)];
        f.write_str(manner)?;
        also.iter().filter(|(_, holds)| *holds).try_for_each(|(word, _)| write!(f, ", {word}"))
    }
}

/// A policy applied to one campaign, with a cache of its routs.
pub struct Followed {
    policy: RoutPolicy,
    routs: Mutex<HashMap<u32, Arc<Settled>>>,
    failure: Mutex<Option<EngineError>>,
}

/// The choices of the policy in one rout.
struct Settled {
    first: usize,
    play: SolvedPolicy<rout::RoutState>,
}

impl Followed {
    /// Builds a policy without any rout computed.
    pub fn new(policy: RoutPolicy) -> Followed {
        Followed { policy, routs: Mutex::default(), failure: Mutex::default() }
    }

    /// Returns the option that the policy takes in a state with a choice.
    pub fn option(
        &self,
        campaign: &Campaign,
        state: &CampaignState,
        player: Player,
        options: usize,
    ) -> usize {
        let option = match campaign.choice_subject(state) {
            ChoiceSubject::Fire | ChoiceSubject::Try => 0,
            ChoiceSubject::Dm => usize::from(self.policy.keeps_dm),
            ChoiceSubject::Break => usize::from(self.policy.breaks),
            ChoiceSubject::Rout(number, rout, state) => {
                let settled = self.settled(number, &rout);
                let at_start =
                    rout.phase(state) == rout::RoutProgress::Start && player == Player::Owner;
                if at_start { settled.first } else { settled.play.best(state) }
            }
        };
        option.min(options - 1)
    }

    /// Returns the error of a rout that could not be computed. In that case its options are not
    /// those of the policy.
    pub fn failure(&self) -> Option<EngineError> {
        self.failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    fn settled(&self, number: u32, rout: &Rout) -> Arc<Settled> {
        let mut routs = self.routs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let settle = || {
            let settled = settle(self.policy.manner, rout).unwrap_or_else(|error| {
                *self.failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
                Settled { first: 0, play: SolvedPolicy::default() }
            });
            Arc::new(settled)
        };
        routs.entry(number).or_insert_with(settle).clone()
    }
}

/// Computes the choices of a manner in a rout. The first move is the best of those that suit the
/// manner, or of all if none does. All later moves are the best ones.
fn settle(manner: RoutManner, rout: &Rout) -> Result<Settled, EngineError> {
    let mut solution = Solution::new(rout, worth_of, STATES);
    let start = rout.start(&mut Silent);
    solution.worth(&start)?;
    let Due::Choice { player: Player::Owner, options } = rout.due(&start) else {
        return Ok(Settled { first: 0, play: solution.into_play() });
    };
    let worths = solution.options(&start, options)?;
    let moves = rout.moves(&start);
    let best_of =
        |manner| best(&worths, (0..options).filter(|&option| suits(manner, moves[option])));
    let first = match manner {
        RoutManner::RunIfOne => {
            let run =
                best_of(RoutManner::Run).filter(|&run| checks(rout, &solution, &start, run) <= 1);
            run.or_else(|| best_of(RoutManner::Crawl))
        }
        manner => best_of(manner),
    };
    let first = first.or_else(|| best(&worths, 0..options)).unwrap_or(0);
    Ok(Settled { first, play: solution.into_play() })
}

/// Returns the best of some options.
fn best(worths: &[Value], options: impl Iterator<Item = usize>) -> Option<usize> {
    options.reduce(
        |best, option| if is_better(&worths[option], &worths[best]) { option } else { best },
    )
}

/// Returns the number of Interdictions after an option, if each is passed.
fn checks(
    rout: &Rout,
    solution: &Solution<Rout, impl Fn(ReportIndex, &rout::RoutOutcome) -> Value, 5>,
    start: &rout::RoutState,
    option: usize,
) -> usize {
    let mut state = start.clone();
    rout.choose(&mut state, option, &mut Silent);
    let mut checks = 0;
    loop {
        match rout.due(&state) {
            Due::Choice { .. } => {
                let best = solution.best(&state);
                rout.choose(&mut state, best, &mut Silent);
            }
            Due::Roll(dice, terms) => {
                checks += 1;
                let readings = dice.distinct().map(|(face, _)| rout.read(&terms, face));
                let Some(passed) = readings
                    .filter(|reading| reading.verdict == Verdict::Passed && !reading.heats)
                    .last()
                else {
                    return checks;
                };
                rout.apply(&mut state, passed, &mut Silent);
            }
            Due::Report(_) | Due::Over => return checks,
        }
    }
}
