//! Tests that engines respond at once to cancellation, and report their progress correctly. The
//! tests count calls and measure no time.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};

use crate::{board, jobs};
use lowcrawl::answer::odds::{answer, figures};
use lowcrawl::answer::{Engine, Meta, Options, Trials};
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::question::{QuestionKind, RawValue};
use lowcrawl::asl::rout::{Rout, RoutPlan};
use lowcrawl::course::campaign::Campaigning;
use lowcrawl::course::phase::{all_orders, in_order};
use lowcrawl::course::rout::{best_play, prospect};
use lowcrawl::dice::{Dice, Face};
use lowcrawl::engine::EngineError::{self, Interrupted};
use lowcrawl::engine::automaton::Automaton;
use lowcrawl::engine::exact::{Bound, float_odds, odds};
use lowcrawl::engine::monitor::{
    Checkpoint, CheckpointStore, DrawnOutcome, Monitor, Progress, REPORT_EVERY,
};
use lowcrawl::engine::monte_carlo::{Plan, Simulator, dice_of_sequence};
use lowcrawl::engine::solve::Solution;
use lowcrawl::engine::{paired, stratified};
use lowcrawl::play::{
    Best, CompareError, Depth, DynQuestion, Objective, PlayValue, PreparedQuestion, TraceDice,
};
use lowcrawl::process::{Decisions, Due, Event, Log, Player, Process, ReportIndex};
use lowcrawl::scenario::campaign::openings;

/// A process of `steps` dr, each of which moves a token around a ring of places. It raises the
/// cancellation flag at one call of a method.
#[derive(Debug)]
struct Ring {
    steps: u32,
    chooses: bool,
    places: u64,
    calls: AtomicU64,
    raises_at: AtomicU64,
    flag: AtomicBool,
}

impl Ring {
    fn new(steps: u32) -> Ring {
        let never = AtomicU64::new(u64::MAX);
        Ring {
            steps,
            chooses: false,
            places: 40,
            calls: AtomicU64::new(0),
            raises_at: never,
            flag: AtomicBool::new(false),
        }
    }

    fn chosen(steps: u32) -> Ring {
        Ring { chooses: true, ..Ring::new(steps) }
    }

    /// Creates a ring in which all sequences end in different places, so that no table can hold it.
    fn long(steps: u32) -> Ring {
        Ring { places: u64::MAX, ..Ring::new(steps) }
    }

    fn call(&self) {
        if self.calls.fetch_add(1, Relaxed) == self.raises_at.load(Relaxed) {
            self.flag.store(true, Relaxed);
        }
    }

    fn watch(&self) -> Monitor<'_> {
        Monitor::stopped_by(&self.flag)
    }
}

type Place = (u32, u64, bool);

impl Process for Ring {
    type State = Place;
    type Terms = ();
    type Reading = u8;
    type Outcome = u8;

    fn start<L: Log>(&self, _: &mut L) -> Place {
        (0, 0, false)
    }
    fn due(&self, &(step, _, is_reported): &Place) -> Due<()> {
        self.call();
        match step {
            _ if is_reported => Due::Over,
            step if step == self.steps => Due::Report(0),
            step if self.chooses && step % 2 == 0 => {
                Due::Choice { player: Player::Owner, options: 2 }
            }
            _ => Due::Roll(Dice::One, ()),
        }
    }
    fn read(&self, (): &(), face: Face) -> u8 {
        face.number()
    }
    fn apply<L: Log>(&self, state: &mut Place, pips: u8, _: &mut L) {
        self.call();
        *state = (state.0 + 1, (7 * state.1 + u64::from(pips)) % self.places, false);
    }
    fn choose<L: Log>(&self, state: &mut Place, option: usize, _: &mut L) {
        *state = (state.0 + 1, (state.1 + option as u64) % self.places, false);
    }
    fn report(&self, state: &Place, observe: &mut dyn FnMut(u8)) {
        observe((state.1 % 40) as u8);
    }
    fn pass<L: Log>(&self, state: &mut Place, _: &mut L) {
        state.2 = true;
    }
    fn describe(&self, _: &Place, (): &(), _: Face) -> Event {
        Event { rule: "", text: String::new() }
    }
}

impl Decisions for Ring {
    fn decision(&self, state: &Place) -> String {
        format!("{state:?}")
    }
    fn options(&self, _: &Place) -> Vec<String> {
        vec!["stay".to_string(), "go".to_string()]
    }
    fn kinds(&self, _: &Place) -> Vec<&'static str> {
        vec!["stay", "go"]
    }
}

type Make = fn() -> Ring;
type Work = fn(&Arc<Ring>, Monitor) -> Result<(), EngineError>;

fn bound(watch: Monitor) -> Bound {
    Bound { alive: usize::MAX, worked: usize::MAX, watch }
}

/// Returns a plan for a run that takes too long to finish, on two threads.
fn plan(watch: Monitor) -> Plan {
    Plan { threads: Some(2), watch, ..Plan::new(1 << 40, 36) }
}

fn pips(_: ReportIndex, place: &u8) -> [f64; 1] {
    [f64::from(*place)]
}

/// Work that never ends, with the ring that it works on. Sequences are short, or there is only one.
const ENDLESS: [(&str, Make, Work); 7] = [
    (
        "integers",
        || Ring::new(50),
        |ring, watch| (0..u64::MAX).try_for_each(|_| odds(ring, bound(watch)).map(drop)),
    ),
    ("doubles", || Ring::new(u32::MAX), |ring, watch| float_odds(ring, bound(watch)).map(drop)),
    (
        "integers, then doubles",
        || Ring::new(u32::MAX),
        |ring, watch| odds(ring, bound(watch)).map(drop),
    ),
    (
        "the rules",
        || Ring::long(20),
        |ring, watch| Simulator::Rules(ring).run(&plan(watch)).map(drop),
    ),
    ("strata", || Ring::new(20), |ring, watch| stratified::run(ring, &plan(watch), 2).map(drop)),
    (
        "courses",
        || Ring::new(20),
        |ring, watch| {
            paired::run(
                &[ring.clone(), ring.clone()],
                &plan(watch),
                |_, _, _| Some(()),
                |_, _, _| 0.0,
            )
            .map(drop)
        },
    ),
    (
        "dice",
        || Ring::new(20),
        |ring, watch| {
            (0..u64::MAX).try_for_each(|_| dice_of_sequence(ring, 36, 65_535, watch).map(drop))
        },
    ),
];

/// Work that never ends, and uses more and more memory.
const GROWING: [(&str, Work); 2] = [
    ("a table", |ring, watch| Automaton::explore(ring, usize::MAX, watch).map(drop)),
    ("the best play", |ring, watch| {
        Solution::new(ring, pips, usize::MAX).watched(watch).worth(&(0, 0, false)).map(drop)
    }),
];

/// Largest number of calls of a method for one state or sequence: four sequences of 20 steps, side
/// by side, on two threads, with two calls each.
const MAX_CALLS: u64 = 400;

#[test]
fn raised_flag_stops_work_within_one_state_or_sequence() {
    let growing = GROWING.map(|(name, work)| (name, (|| Ring::new(u32::MAX)) as Make, work));
    for (name, ring, work) in ENDLESS.into_iter().chain(growing) {
        for at in [0, 100_000] {
            let ring = Arc::new(ring());
            ring.raises_at.store(at, Relaxed);
            assert_eq!(work(&ring, ring.watch()), Err(Interrupted), "{name}");
            let calls = ring.calls.load(Relaxed);
            assert!(
                (at..at + MAX_CALLS).contains(&calls),
                "{name}: {calls} calls, the flag raised at {at}"
            );
        }
    }
}

#[test]
fn flag_raised_before_the_start_stops_work_at_once() {
    let growing = GROWING.map(|(name, work)| (name, (|| Ring::new(u32::MAX)) as Make, work));
    for (name, ring, work) in ENDLESS.into_iter().chain(growing) {
        let ring = Arc::new(ring());
        ring.flag.store(true, Relaxed);
        assert_eq!(work(&ring, ring.watch()), Err(Interrupted), "{name}");
        assert!(ring.calls.load(Relaxed) < MAX_CALLS, "{name}");
    }
}

/// Only the cancellation flag ends this work.
#[test]
fn flag_raised_by_another_thread_stops_work() {
    let table = Ring::new(20);
    let by_table = Simulator::new(&table, Monitor::NONE).unwrap();
    assert!(matches!(by_table, Simulator::Table(_)));
    for (_, ring, work) in ENDLESS {
        let ring = Arc::new(ring());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while ring.calls.load(Relaxed) < 50_000 {
                    std::thread::yield_now();
                }
                ring.flag.store(true, Relaxed);
            });
            assert_eq!(work(&ring, ring.watch()), Err(Interrupted));
        });
    }
    let is_at_work = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_at_work.load(Relaxed) {
                std::thread::yield_now();
            }
            table.flag.store(true, Relaxed);
        });
        let record = |_: Progress| is_at_work.store(true, Relaxed);
        let watch = Monitor { progress: Some(&record), ..table.watch() };
        assert_eq!(by_table.run(&plan(watch)).unwrap_err(), Interrupted);
    });
}

/// Describing the best play takes as long as finding it, so it can be cancelled too.
#[test]
fn description_of_the_best_play_can_be_cancelled() {
    type Description = fn(&mut Best<Ring>) -> Result<(), EngineError>;
    let all: [Description; 2] =
        [|best| best.policy().map(drop), |best| best.tree(20, 0.0).map(drop)];
    for describe in all {
        let ring = Ring::chosen(100);
        let gain = |point, place: &u8| -> PlayValue { [pips(point, place)[0], 0.0, 0.0] };
        let mut best = Best::solve(&ring, Box::new(gain), ring.watch()).unwrap();
        let at = ring.calls.load(Relaxed) + 10;
        ring.raises_at.store(at, Relaxed);
        assert_eq!(describe(&mut best), Err(Interrupted));
        assert!(ring.calls.load(Relaxed) < at + MAX_CALLS);
    }
}

/// Panics unless work can be cancelled at every progress report, and then reports no more progress.
fn assert_cancellable(name: &str, work: impl Fn(Monitor) -> Result<(), EngineError>) {
    let watched = |raised_at: usize| {
        let (flag, reports) = (AtomicBool::new(raised_at == 0), Mutex::new(Vec::new()));
        let record = |progress: Progress| {
            let mut reports = reports.lock().unwrap();
            reports.push(progress);
            flag.store(reports.len() >= raised_at, Relaxed);
        };
        let result = work(Monitor { progress: Some(&record), ..Monitor::stopped_by(&flag) });
        (result, reports.into_inner().unwrap().len())
    };
    let (result, all) = watched(usize::MAX);
    assert!(result.is_ok() && all > 0, "{name}: {result:?}");
    for raised_at in [0, 1, all / 2, all] {
        assert_eq!(
            watched(raised_at),
            (Err(Interrupted), raised_at),
            "{name}, raised at {raised_at} of {all}"
        );
    }
}

fn objective() -> Objective {
    Objective::named("good-order", MEASURES, &[]).unwrap()
}

#[test]
fn routs_can_be_cancelled() {
    let full = board::full();
    let situation = lowcrawl::asl::rout::Situation {
        routers: full.routers[..4].to_vec(),
        enemy_reveals: true,
        ..full
    };
    let router = &situation.routers[3];
    let rout = Rout::new(&situation, router);
    let plan: RoutPlan = rout.plans()[0];
    assert_cancellable("plans", |watch| prospect(&situation, router, watch).map(drop));
    assert_cancellable("a plan", |watch| best_play(&rout, plan, false, watch).map(drop));
    assert_cancellable("a phase", |watch| in_order(&situation, &[0, 1, 2, 3], watch).map(drop));
    assert_cancellable("all orders", |watch| all_orders(&situation, watch).map(drop));
}

fn compare(courses: &[Box<dyn DynQuestion>], options: &Options) -> Result<(), EngineError> {
    let compared = courses[0].compared(courses, &objective(), options, Meta::default());
    compared.map(drop).map_err(|(CompareError::Course(error) | CompareError::Engine(error))| error)
}

#[test]
fn campaigns_can_be_cancelled() {
    let lane = jobs::lane();
    let campaign = lane.campaign();
    let prepare = |policy| -> Box<dyn DynQuestion> {
        let question = Arc::new(Campaigning::of_lane(&lane));
        Box::new(PreparedQuestion::new(question, Some(policy)).unwrap())
    };
    let best = prepare("best");
    assert_cancellable("openings", |watch| openings(&campaign, &objective(), watch).map(drop));
    assert_cancellable("the best play", |watch| {
        best.solve(&objective(), Depth::Policy, watch).map(drop)
    });
    assert_cancellable("the tree", |watch| {
        best.solve(&objective(), Depth::Tree(3, 0.01), watch).map(drop)
    });
    assert_cancellable("policies", |watch| best.policies_worth(&objective(), watch).map(drop));
    for engine in [Engine::Exact, Engine::MonteCarlo] {
        assert_cancellable("courses", |watch| {
            let courses = [prepare("best"), prepare("run"), prepare("crawl")];
            let options = Options {
                engine,
                trials: Trials::Number(20_000),
                threads: Some(1),
                watch,
                ..Options::default()
            };
            compare(&courses, &options)
        });
    }
    let flag = AtomicBool::new(true);
    let dice = TraceDice::Seeded { seed: 36, sequence: 65_535 };
    assert!(prepare("run").trace(&dice, Monitor::stopped_by(&flag)).is_err());
    assert!(prepare("run").trace(&dice, Monitor::NONE).is_ok());
}

#[test]
fn answers_can_be_cancelled() {
    let (small, big) = (jobs::reference_job(), jobs::big_rally());
    let ways = [
        (&small, Engine::Exact, Trials::Number(1), 0),
        (&small, Engine::MonteCarlo, Trials::Number(300_000), 0),
        (&small, Engine::MonteCarlo, Trials::HalfWidth(0.003), 0),
        (&small, Engine::MonteCarlo, Trials::Number(100_000), 2),
        (&big, Engine::MonteCarlo, Trials::Number(10_000), 0),
    ];
    for (question, engine, trials, stratify) in ways {
        assert_cancellable("an answer", |watch| {
            let options =
                Options { engine, trials, stratify, threads: Some(1), watch, ..Options::default() };
            answer(question, &options, Meta::default()).map(drop)
        });
    }
}

/// Returns the number of sequences that work by dice sets out to play, and cancels it.
fn sequences_of(work: impl Fn(Monitor) -> Result<(), EngineError>) -> u64 {
    let (flag, sequences) = (AtomicBool::new(false), AtomicU64::new(0));
    let record = |progress: Progress| {
        if let Some(expected) = progress.expected {
            sequences.store(expected, Relaxed);
            flag.store(true, Relaxed);
        }
    };
    let watch = Monitor { progress: Some(&record), ..Monitor::stopped_by(&flag) };
    assert_eq!(work(watch), Err(Interrupted));
    sequences.into_inner()
}

fn by_dice(watch: Monitor) -> Options {
    Options { engine: Engine::MonteCarlo, threads: Some(1), watch, ..Options::default() }
}

/// By default a comparison plays as many sequences as the longest of its questions by itself.
#[test]
fn comparison_plays_as_many_sequences_as_its_longest_question() {
    let long = || {
        let stack = RawValue::Text("8x german:4-6-7/dm");
        jobs::ask(QuestionKind::Rally, &[("stack", stack), ("phases", RawValue::Integer(30))])
    };
    let alone = [jobs::reference_job(), long()].map(|question| {
        sequences_of(|watch| answer(&question, &by_dice(watch), Meta::default()).map(drop))
    });
    assert!(alone[1] < alone[0], "{alone:?}");
    let prepared = |question| -> Box<dyn DynQuestion> {
        Box::new(PreparedQuestion::new(Arc::new(question), None).unwrap())
    };
    let courses = [jobs::reference_job(), long()].map(prepared);
    let together = sequences_of(|watch| compare(&courses, &by_dice(watch)));
    assert_eq!(together, alone[1]);
}

/// Monitored work that returns a number.
type MonitoredWork<'a, N> = (&'a str, &'a dyn Fn(Monitor) -> N);

/// Progress never decreases, is reported rarely, and ends with the expected amount. The result
/// equals that without a monitor.
#[test]
fn progress_of_sequences_ends_with_the_expected_amount() {
    let ring = Ring::new(20);
    for threads in [1, 2] {
        let runs: [MonitoredWork<u64>; 4] = [
            ("a table", &|watch| {
                first_count(&Simulator::new(&ring, Monitor::NONE).unwrap(), watch, threads)
            }),
            ("the rules", &|watch| first_count(&Simulator::Rules(&ring), watch, threads)),
            ("strata", &|watch| {
                let plan = Plan { threads: Some(threads), watch, ..Plan::new(TRIALS, 36) };
                stratified::run(&ring, &plan, 1).unwrap()[0].2.count()
            }),
            ("courses", &|watch| {
                let plan = Plan { threads: Some(threads), watch, ..Plan::new(TRIALS, 36) };
                let rings = [Arc::new(Ring::new(20))];
                paired::run(&rings, &plan, |_, _, &place| Some(place), |_, _, _| 0.0)
                    .unwrap()
                    .courses[0]
                    .classes[0]
                    .1
                    .count
            }),
        ];
        for (name, run) in runs {
            let reports = Mutex::new(Vec::new());
            let record = |progress: Progress| reports.lock().unwrap().push(progress);
            assert_eq!(
                run(Monitor { progress: Some(&record), ..Monitor::NONE }),
                run(Monitor::NONE),
                "{name}"
            );
            let reports = reports.into_inner().unwrap();
            let last = reports.last().unwrap();
            assert!(
                last.expected == Some(last.done) && (TRIALS..TRIALS + 36).contains(&last.done),
                "{name}: {last:?}"
            );
            assert!(reports.is_sorted_by_key(|progress| progress.done), "{name}: {reports:?}");
            assert!(
                reports.len() > 2 && reports.len() as u64 <= last.done / REPORT_EVERY + 1,
                "{name}: {reports:?}"
            );
        }
    }
}

const TRIALS: u64 = 200_000;

/// Returns how often the first outcome occurred.
fn first_count(simulator: &Simulator<Ring>, watch: Monitor, threads: usize) -> u64 {
    simulator.run(&Plan { threads: Some(threads), watch, ..Plan::new(TRIALS, 36) }).unwrap().counts
        [0]
    .2
}

#[test]
fn progress_of_states_is_reported_at_fixed_intervals() {
    let (ring, chosen) = (Ring::new(1000), Ring::chosen(1000));
    let works: [MonitoredWork<usize>; 4] = [
        ("exactly", &|watch| float_odds(&ring, bound(watch)).unwrap().states),
        ("exactly, in integers at first", &|watch| odds(&ring, bound(watch)).unwrap().states),
        ("a table", &|watch| Automaton::explore(&ring, usize::MAX, watch).unwrap().unwrap().rows()),
        ("the best play", &|watch| {
            let mut solution = Solution::new(&chosen, pips, usize::MAX).watched(watch);
            solution.worth(&(0, 0, false)).unwrap();
            solution.states
        }),
    ];
    for (name, work) in works {
        let reports = Mutex::new(Vec::new());
        let record = |progress: Progress| reports.lock().unwrap().push(progress);
        let states = work(Monitor { progress: Some(&record), ..Monitor::NONE });
        let every = (0..states as u64)
            .step_by(REPORT_EVERY as usize)
            .map(|done| Progress { done, expected: None });
        assert_eq!(reports.into_inner().unwrap(), every.collect::<Vec<_>>(), "{name}");
        assert_eq!(work(Monitor::NONE), states, "{name}");
    }
}

/// If a process is too large for the exact engine, Monte Carlo continues and progress starts again.
#[test]
fn progress_starts_again_when_dice_take_over() {
    let process = lowcrawl::process::Question::whole(&jobs::big_stack());
    let reports = Mutex::new(Vec::new());
    let record = |progress: Progress| reports.lock().unwrap().push(progress);
    let watch = Monitor { progress: Some(&record), ..Monitor::NONE };
    let options =
        Options { trials: Trials::Number(1000), threads: Some(1), watch, ..Options::default() };
    figures(&process, &options, Meta::default()).unwrap();
    let reports = reports.into_inner().unwrap();
    assert_eq!(reports[0], Progress { done: 0, expected: None });
    assert_eq!(reports.last(), Some(&Progress { done: 1000, expected: Some(1000) }));
}

#[derive(Default)]
struct MemoryStore(Mutex<(usize, Vec<Checkpoint>)>);

impl CheckpointStore for MemoryStore {
    fn begin(&self) -> (usize, Option<Checkpoint>) {
        let (started, runs) = &mut *self.0.lock().unwrap();
        *started += 1;
        (*started - 1, runs.get(*started - 1).cloned())
    }

    fn keep(&self, run: usize, checkpoint: Checkpoint) {
        let (_, runs) = &mut *self.0.lock().unwrap();
        runs.resize_with(runs.len().max(run + 1), Checkpoint::default);
        runs[run] = checkpoint;
    }
}

/// Long runs that are cancelled and resumed again and again give the counts of an uninterrupted
/// run, with a transition table and without.
#[test]
fn cancelled_long_run_resumes_to_same_counts() {
    let ring = Ring::new(1);
    let table = Simulator::new(&ring, Monitor::NONE).unwrap();
    // About seventeen million sequences are checkpointed at a time, one million with rules.
    for (simulator, trials, kept) in
        [(table, 40_000_000, 1 << 24), (Simulator::Rules(&ring), 2_500_000, 1 << 20)]
    {
        let plan = Plan { threads: Some(1), ..Plan::new(trials, 7) };
        let whole = simulator.run(&plan).unwrap();
        let (mut ledger, mut stopped) = (MemoryStore::default(), Vec::new());
        let counts = loop {
            let flag = AtomicBool::new(false);
            // The run is cancelled soon after a checkpoint.
            let before = stopped.last().copied().unwrap_or(0);
            let record =
                |progress: Progress| flag.store(progress.done > before + kept + kept / 8, Relaxed);
            let watch = Monitor {
                progress: Some(&record),
                ledger: Some(&ledger),
                ..Monitor::stopped_by(&flag)
            };
            let result = simulator.run(&Plan { watch, ..plan });
            match result {
                Ok(counts) => break counts,
                Err(error) => assert_eq!(error, Interrupted),
            }
            let (_, runs) = ledger.0.into_inner().unwrap();
            stopped.push(runs[0].sequences);
            ledger = MemoryStore(Mutex::new((0, runs)));
        };
        assert_eq!((counts, stopped), (whole, vec![kept, 2 * kept]));
    }
}

/// A checkpoint that cannot belong to these rules is ignored.
#[test]
fn checkpoint_of_other_rules_is_ignored() {
    let ring = Ring::new(1);
    let plan = Plan { threads: Some(1), ..Plan::new(1000, 7) };
    let simulator = Simulator::Rules(&ring);
    let whole = simulator.run(&plan).unwrap();
    for drawn in [(5, 40_000, vec![]), (5, 0, vec![200]), (5, 7, vec![1, 2, 3])] {
        let (count, place, codes) = drawn;
        let drawn = vec![DrawnOutcome { count, place, codes }];
        let checkpoint = Checkpoint { sequences: 500, by_landing: Vec::new(), drawn };
        let ledger = MemoryStore(Mutex::new((0, vec![checkpoint])));
        let watch = Monitor { ledger: Some(&ledger), ..Monitor::NONE };
        assert_eq!(simulator.run(&Plan { watch, ..plan }), Ok(whole.clone()));
    }
}
