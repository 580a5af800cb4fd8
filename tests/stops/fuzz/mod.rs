//! Fuzzes the built binary with slightly wrong command lines, TOML, CSV and JSON. It must not
//! panic, must end with an expected exit code, stay within its memory, and obey a signal at any
//! time. The seeds are requests of the answer store, so that many mutations reach the engines.
//!
//! By default the test is short. `LOWCRAWL_LONG=1 cargo test --release --test stops fuzz --
//! --nocapture` runs 100,000 cases, and prints how many ended in each way.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::store;
use crate::store::{Request, Runs};
use tempfile::tempdir;

/// The most memory in bytes that a process may use.
const MEMORY: u64 = 500 << 20;
/// The time after which a command is stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time within which a stopped command must end. Other processes run in parallel.
const OBEYED: Duration = Duration::from_secs(5);

struct Rng(u64);

impl Rng {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % below.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Texts that are rarely valid.
const ODD: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "2",
    "13",
    "255",
    "256",
    "65536",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1e309",
    "NaN",
    "none",
    "true",
    "'",
    "\"",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "..",
    "/",
    ",",
    "=",
    "+",
    "x",
    "99x german:4-6-7",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "ß",
    "日本",
    "🎲",
    "\r\n",
    "\t",
    "#",
    "--",
    "-",
    "--help",
    "--format",
    "json",
    "--joint",
    "--impact",
    "--engine",
    "exact",
    "monte-carlo",
    "--set",
    "i01=alternative",
    "--trials",
    "--seed",
    "--precision",
    "--stratify",
    "3",
    "--threads",
    "--given",
    "6,6",
];

/// Splits a text into words of letters and digits, and other characters one by one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for letter in text.chars() {
        let joins = letter.is_alphanumeric();
        match words.last_mut().filter(|_| is_open && joins) {
            Some(word) => word.push(letter),
            None => words.push(letter.to_string()),
        }
        is_open = joins;
    }
    words
}

/// Returns a text with one change; `other` is a text of the same sort to copy words from.
fn changed(text: &str, other: &str, rng: &mut Rng) -> String {
    let (mut all, others) = (words(text), words(other));
    let place = rng.below(all.len());
    match rng.below(8) {
        _ if all.is_empty() => return rng.pick(ODD).to_string(),
        0 => drop(all.remove(place)),
        1 => all.insert(place, all[place].clone()),
        2 => all[place] = rng.pick(ODD).to_string(),
        3 => {
            let with = rng.below(all.len());
            all.swap(place, with);
        }
        // A number is changed by at most 3.
        4 | 5 => {
            let numbers: Vec<usize> =
                (0..all.len()).filter(|&place| all[place].parse::<i64>().is_ok()).collect();
            if numbers.is_empty() {
                return text.to_string();
            }
            let place = *rng.pick(&numbers);
            let number: i64 = all[place].parse().unwrap();
            all[place] = number.wrapping_add(rng.below(7) as i64 - 3).to_string();
        }
        _ if others.is_empty() => {}
        6 => all[place] = rng.pick(&others).clone(),
        _ => {
            let from = rng.below(others.len());
            let piece = others[from..(from + 1 + rng.below(12)).min(others.len())].to_vec();
            all.splice(place..place, piece);
        }
    }
    all.concat()
}

/// The requests to mutate, and the values seen for each option or key of a file, by command.
struct Corpus {
    seeds: Vec<Request>,
    values: HashMap<(String, String), Vec<String>>,
}

/// Splits a line `key = value` of a file into key and value.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(" = ")?;
    (!key.trim().is_empty()).then_some((key.trim(), value))
}

impl Corpus {
    fn from_requests(seeds: Vec<Request>) -> Corpus {
        let mut values: HashMap<(String, String), Vec<String>> = HashMap::new();
        for Request { arguments, files, .. } in &seeds {
            let mut add = |key: &str, value: &str| {
                values
                    .entry((arguments[0].clone(), key.to_string()))
                    .or_default()
                    .push(value.to_string());
            };
            for pair in arguments.windows(2).filter(|pair| pair[0].starts_with("--")) {
                add(&pair[0], &pair[1]);
            }
            files
                .values()
                .flat_map(|text| text.lines())
                .filter_map(key_and_value)
                .for_each(|(key, value)| add(key, value));
        }
        Corpus { seeds, values }
    }

    fn value(&self, request: &Request, key: &str, rng: &mut Rng) -> Option<&String> {
        let values = self.values.get(&(request.arguments[0].clone(), key.to_string()))?;
        Some(rng.pick(values))
    }

    /// Returns a stored request with one or two mutations.
    fn mutated(&self, rng: &mut Rng) -> Request {
        let mut request = rng.pick(&self.seeds).clone();
        for _ in 0..1 + rng.below(2) {
            match rng.below(3) {
                0 => self.spoil(&mut request, rng),
                _ => self.exchange(&mut request, rng),
            }
            if request.arguments.is_empty() {
                request.arguments.push("rally".to_string());
            }
        }
        // An argument of a process cannot hold NUL.
        for argument in &mut request.arguments {
            argument.retain(|letter| letter != '\0');
        }
        request
    }

    /// Replaces the value of an option or of a key by one that another request has.
    fn exchange(&self, request: &mut Request, rng: &mut Rng) {
        let names: Vec<String> = request.files.keys().cloned().collect();
        if !names.is_empty() && rng.below(3) > 0 {
            let name = rng.pick(&names);
            let mut lines: Vec<String> = request.files[name].lines().map(str::to_string).collect();
            let place = rng.below(lines.len());
            let Some((key, _)) = lines.get(place).and_then(|line| key_and_value(line)) else {
                return;
            };
            if let Some(value) = self.value(request, key, rng) {
                lines[place] = format!("{key} = {value}");
                request.files.insert(name.clone(), lines.join("\n") + "\n");
            }
            return;
        }
        let options: Vec<usize> = (0..request.arguments.len())
            .filter(|&place| request.arguments[place].starts_with("--"))
            .collect();
        if options.is_empty() {
            return;
        }
        let place = *rng.pick(&options);
        let key = request.arguments[place].clone();
        if let (Some(value), Some(argument)) =
            (self.value(request, &key, rng).cloned(), request.arguments.get_mut(place + 1))
        {
            *argument = value;
        }
    }

    /// Changes one word of the arguments or of a file.
    fn spoil(&self, request: &mut Request, rng: &mut Rng) {
        let other = rng.pick(&self.seeds);
        let names: Vec<String> = request.files.keys().cloned().collect();
        if !names.is_empty() && rng.below(3) > 0 {
            let name = rng.pick(&names);
            let others: Vec<&String> = other.files.values().collect();
            let like = if others.is_empty() {
                request.files[name].clone()
            } else {
                (*rng.pick(&others)).clone()
            };
            let text = changed(&request.files[name], &like, rng);
            request.files.insert(name.clone(), text);
            return;
        }
        let place = rng.below(request.arguments.len());
        match rng.below(10) {
            0 => drop(request.arguments.remove(place)),
            1 => request.arguments.insert(place, rng.pick(ODD).to_string()),
            2 => request.arguments.insert(place, rng.pick(&other.arguments).clone()),
            _ => {
                let like: &String = rng.pick(&other.arguments);
                request.arguments[place] = changed(&request.arguments[place], like, rng);
            }
        }
    }
}

/// The way in which a command ended.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Answered,
    Refused,
    Stopped,
    Wrong(String),
}

/// Returns the peak memory of a process in bytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}

fn run(request: &Request, folder: &Path, most: &AtomicU64) -> End {
    for (name, text) in &request.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let err = folder.join(".stderr");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lowcrawl"));
    command
        .current_dir(folder)
        .args(&request.arguments)
        .env("RAYON_NUM_THREADS", "1")
        .env("POLARS_MAX_THREADS", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&err).unwrap());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    let mut stopped = None;
    let status = loop {
        most.fetch_max(memory(child.id()), Ordering::Relaxed);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        match stopped {
            None if started.elapsed() > PATIENCE => {
                Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
                stopped = Some(Instant::now());
            }
            Some(since) if since.elapsed() > OBEYED => {
                child.kill().unwrap();
                child.wait().unwrap();
                return End::Wrong("a signal was not obeyed".to_string());
            }
            _ => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let mut message = String::new();
    let read = fs::File::open(&err).unwrap().read_to_string(&mut message);
    if read.is_err() || message.contains("panicked at ") {
        return End::Wrong(format!("{status}: {message}"));
    }
    match status.code() {
        Some(0) => End::Answered,
        Some(1 | 2) => End::Refused,
        Some(130) if stopped.is_some() => End::Stopped,
        _ => End::Wrong(format!("{status}: {message}")),
    }
}

#[test]
fn mutated_requests_never_panic_and_obey_signals() {
    let cases = if std::env::var_os("LOWCRAWL_LONG").is_some() { 100_000 } else { 2_000 };
    let is_question =
        |command: &str| !matches!(command, "units" | "rules" | "describe" | "completions" | "help");
    let successful = |(request, answer): (Request, store::Answer)| {
        let is_seed = answer["exit"] == "0" && request.area != "commands";
        (is_seed && request.arguments.first().is_some_and(|first| is_question(first)))
            .then_some(request)
    };
    let mut seeds: Vec<Request> = store::read().into_iter().filter_map(successful).collect();
    for line in include_str!("../../../studies/requests.jsonl").lines() {
        let files = BTreeMap::from([("request.json".to_string(), format!("{line}\n"))]);
        let arguments = ["ask", "request.json"].map(str::to_string).to_vec();
        let seed = Request { area: "ask".to_string(), arguments, files, runs: Runs::Plain };
        seeds.extend(std::iter::repeat_n(seed, 20));
    }
    let corpus = Corpus::from_requests(seeds);
    let (next, most) = (AtomicU64::new(0), AtomicU64::new(0));
    let ends = Mutex::new(BTreeMap::<End, u64>::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= cases {
                        return;
                    }
                    let request =
                        corpus.mutated(&mut Rng(case.wrapping_mul(0xD134_2543_DE82_EF95)));
                    let folder = tempdir().unwrap();
                    let end = match run(&request, folder.path(), &most) {
                        End::Wrong(what) => End::Wrong(format!(
                            "case {case}: {what}\n{:?}\n{:?}",
                            request.arguments, request.files
                        )),
                        end => end,
                    };
                    *ends.lock().unwrap().entry(end).or_default() += 1;
                }
            });
        }
    });
    let ends = ends.into_inner().unwrap();
    let (wrong, ends): (Vec<_>, Vec<_>) =
        ends.into_iter().partition(|(end, _)| matches!(end, End::Wrong(_)));
    println!("{cases} cases: {ends:?}, at most {} MB", most.load(Ordering::Relaxed) >> 20);
    assert!(
        wrong.is_empty(),
        "{} wrong, of them\n{:#?}",
        wrong.len(),
        wrong.iter().take(5).collect::<Vec<_>>()
    );
    let reached: u64 = ends
        .iter()
        .filter(|(end, _)| matches!(end, End::Answered | End::Stopped))
        .map(|(_, count)| count)
        .sum();
    assert!(reached * 3 >= cases, "only {reached} of {cases} reached an engine");
    assert!(most.into_inner() <= MEMORY);
}
