//! Named policies of a campaign: fixed rules for the choices of the owner.

use super::rout::{PerRout, STATES, Value, worth_of};
use crate::campaign::{Campaign, CampaignState, ChoiceSubject};
use crate::rout::{self, Rout, RoutMove};
use crate::vocabulary::Verdict;
use engine::EngineError;
use engine::process::{Due, Player, Process as _, ReportIndex, Silent};
use engine::solve::{Solution, SolvedPolicy, is_better};
use engine::text::{Fault, canonical};
use schema::declared::named;

named! {
    /// The manner in which a unit routs.
    #[derive(Default)]
    pub enum RoutManner {
        /// The best play of each rout by itself: survival first, then cover.
        #[default]
        BestRout = "best-rout",
        /// A run or a free rout wherever that is possible, otherwise the best move.
        Run = "run",
        /// A Low Crawl wherever that is possible (10.52).
        Crawl = "crawl",
        /// A run if the route has at most one Interdicted hex, otherwise a Low Crawl.
        RunIfOne = "run-if-one",
        /// A stay wherever that is allowed.
        Stay = "stay",
    }
}

/// A fixed rule for the choices of the owner. Units try to rally whenever they can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoutPolicy {
    pub manner: RoutManner,
    /// True if DM is kept wherever that is allowed, which is until the unit is in cover (10.62).
    pub keeps_dm: bool,
    /// True if the unit breaks voluntarily wherever that is allowed (10.41).
    pub breaks: bool,
}

const KEEP_DM: &str = "keep-dm";
const BREAK: &str = "break";

impl RoutPolicy {
    /// Returns every policy: each manner of rout, with or without keeping DM and Voluntary Break.
    pub fn all() -> impl Iterator<Item = RoutPolicy> {
        let each = |manner| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(keeps_dm, breaks)| RoutPolicy { manner, keeps_dm, breaks })
        };
        RoutManner::ALL.into_iter().flat_map(each)
    }

    /// Returns the policy as a `play::playable::Policy`, with its name and description.
    pub fn described(self) -> play::playable::Policy {
        play::playable::Policy::new(self.place(), &self.to_string(), self.about())
    }

    /// Returns the index of the policy in `RoutPolicy::all`.
    pub fn place(self) -> usize {
        RoutPolicy::all().position(|policy| policy == self).unwrap_or(0)
    }

    /// Describes what the unit does under the policy.
    pub fn about(self) -> &'static str {
        macro_rules! with_further {
            ($($rout:literal),+) => {
                [$([
                    $rout,
                    concat!($rout, "; DM is kept"),
                    concat!($rout, "; the unit breaks voluntarily"),
                    concat!($rout, "; DM is kept; the unit breaks voluntarily"),
                ]),+]
            };
        }
        with_further!(
            "each rout takes the plan best for that rout",
            "the unit runs wherever it can",
            "the unit Low Crawls wherever it can",
            "the unit runs through one Interdicted hex at most",
            "the unit stays wherever it may"
        )[self.manner as usize][usize::from(self.keeps_dm) + 2 * usize::from(self.breaks)]
    }

    /// Returns every word that the text of a policy can contain.
    pub fn words() -> impl Iterator<Item = &'static str> {
        RoutManner::ALL.into_iter().map(RoutManner::name).chain([KEEP_DM, BREAK])
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
        for word in text.split(',').map(|word| word.trim_start().trim_end()) {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let fault = |message: String| Fault::new(message, start..start + word.len());
            let name = canonical(word);
            let known = RoutManner::ALL.into_iter().find(|manner| manner.name() == name);
            match (known, name.as_str()) {
                (Some(other), _) if manner.is_none() => manner = Some(other),
                (Some(_), _) => {
                    let only_one = "is a second manner of rout: a policy has only one";
                    return Err(fault(format!("`{word}` {only_one}")));
                }
                (None, KEEP_DM) => policy.keeps_dm = true,
                (None, BREAK) => policy.breaks = true,
                (None, "best") => {
                    return Err(fault("`best` cannot be combined: it makes every choice".into()));
                }
                _ => {
                    let words = RoutPolicy::words().chain(["best"]);
                    return Err(
                        fault(format!("no policy is called `{word}`")).expecting(word, words)
                    );
                }
            }
        }
        policy.manner = manner.unwrap_or_default();
        Ok(policy)
    }

    /// Checks that a unit that begins with a rout can use the manner of the policy.
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
        let also = [(KEEP_DM, self.keeps_dm), (BREAK, self.breaks)];
        f.write_str(self.manner.name())?;
        also.iter().filter(|(_, holds)| *holds).try_for_each(|(word, _)| write!(f, ", {word}"))
    }
}

/// A policy applied to one campaign. It caches the choices in each rout.
pub struct Followed {
    policy: RoutPolicy,
    settled: PerRout<Settled>,
}

#[derive(Default)]
struct Settled {
    first: usize,
    play: SolvedPolicy<rout::RoutState>,
}

impl Followed {
    pub fn new(policy: RoutPolicy) -> Followed {
        Followed { policy, settled: PerRout::default() }
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
                let settled = self.settled.get(number, || settle(self.policy.manner, &rout));
                let at_start =
                    rout.phase(state) == rout::RoutProgress::Start && player == Player::Owner;
                if at_start { settled.first } else { settled.play.best(state) }
            }
        };
        option.min(options - 1)
    }

    /// Returns the error of a rout that could not be solved, so that the policy is not followed.
    pub fn failure(&self) -> Option<EngineError> {
        self.settled.failure()
    }
}

/// Computes the choices in a rout: the best first move of the manner, if any, then the best moves.
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
            let mut after = rout.followers(&start, options);
            let run = best_of(RoutManner::Run)
                .filter(|&run| checks(rout, &solution, after.swap_remove(run)) <= 1);
            run.or_else(|| best_of(RoutManner::Crawl))
        }
        manner => best_of(manner),
    };
    let first = first.or_else(|| best(&worths, 0..options)).unwrap_or(0);
    Ok(Settled { first, play: solution.into_play() })
}

fn best(worths: &[Value], options: impl Iterator<Item = usize>) -> Option<usize> {
    let better = |best, option| is_better(&worths[option], &worths[best]);
    options.reduce(|best, option| if better(best, option) { option } else { best })
}

/// Returns the number of Interdiction checks from a state on, if each is passed.
fn checks(
    rout: &Rout,
    solution: &Solution<Rout, impl Fn(ReportIndex, &rout::RoutOutcome) -> Value, 5>,
    mut state: rout::RoutState,
) -> usize {
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
                let passed =
                    readings.filter(|read| read.verdict == Verdict::Passed && !read.heats).last();
                let Some(passed) = passed else { return checks };
                rout.apply(&mut state, passed, &mut Silent);
            }
            Due::Report(_) | Due::Over => return checks,
        }
    }
}
