//! The arguments of a command line.

use serde_json::{Value, json};

const FLAGS: &[&str] = &[
    "captor",
    "no-quarter",
    "enemy-adjacent",
    "joint",
    "no-hob",
    "no-keu",
    "no-cowering",
    "inexperienced",
    "ptc",
    "voluntary-rout",
    "dm",
    "keep-dm",
    "flank",
    "uphill",
    "artillery",
    "inches",
    "effects",
    "army",
    "staff-order",
    "just-routed",
    "staff-lost",
    "enemy-staff-lost",
    "enemy-reveals",
    "night",
    "no-creation",
];
const NUMBERS: &[&str] = &[
    "elr",
    "fp",
    "drm",
    "mc",
    "hexes",
    "phases",
    "wild",
    "enemy-wild",
    "at-least",
    "volleys",
    "orders",
    "dice",
    "turns",
    "enemy-dice",
    "dispersals",
    "casualties",
    "value",
    "attacks",
    "points",
    "tree",
    "trials",
    "san",
    "rolls",
    "interdicted",
];
const TEXTS: &[&str] = &[
    "enemy",
    "profile",
    "leader",
    "terrain",
    "own-rph",
    "range",
    "move",
    "cover",
    "by",
    "cause",
    "sides",
    "by-order",
    "order",
    "enemy-orders",
    "until",
    "policy",
    "given",
    "objective",
    "unit",
    "against",
    "plan",
    "reply",
    "los",
    "rear",
];
const RUN: &[&str] =
    &["engine", "trials", "precision", "seed", "threads", "stratify", "sequence", "script"];
/// Options that only change the output format.
const OUTPUT: &[&str] = &["format", "out", "plans"];

pub struct Words<'a> {
    subjects: Vec<&'a str>,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    /// Splits arguments into subjects and options; with `of_rout`, `--orders` is a flag.
    pub fn of(words: &[&'a str], of_rout: bool) -> Result<Words<'a>, &'static str> {
        let mut parsed = Words { subjects: Vec::new(), options: Vec::new() };
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            let Some(option) = word.strip_prefix("--") else {
                if word == "-h" {
                    return Err("help");
                }
                parsed.subjects.push(word);
                continue;
            };
            let (name, value) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let is_flag = FLAGS.contains(&name) || (of_rout && name == "orders");
            let value = match (name, value) {
                ("help", _) => return Err("help"),
                ("no-map", _) => continue,
                (_, Some(value)) => value,
                ("impact", None) => rest.next_if(|next| !next.starts_with('-')).unwrap_or("all"),
                _ if is_flag => "true",
                _ if is_known(name) => rest.next().ok_or("clap: a value is missing")?,
                _ => return Err("clap: an option there is not"),
            };
            if name != "set" && parsed.options.iter().any(|(known, _)| *known == name) {
                return Err("clap: an option twice");
            }
            parsed.options.push((name, value));
        }
        Ok(parsed)
    }

    /// Returns the only argument that is no option.
    pub fn subject(&self) -> Result<&'a str, &'static str> {
        match self.subjects.as_slice() {
            [subject] => Ok(subject),
            [] => Err("clap: what is asked about is missing"),
            _ => Err("clap: a word too many"),
        }
    }

    pub fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    pub fn fields(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let is_field = |name: &str| {
            !RUN.contains(&name)
                && !OUTPUT.contains(&name)
                && !["set", "impact", "tree"].contains(&name)
        };
        self.options.iter().copied().filter(move |(name, _)| is_field(name))
    }

    pub fn sets(&self) -> impl Iterator<Item = &'a str> {
        self.options.iter().filter(|(name, _)| *name == "set").map(|(_, text)| *text)
    }

    pub fn run(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.options.iter().copied().filter(|(name, _)| RUN.contains(name))
    }
}

fn is_known(name: &str) -> bool {
    [NUMBERS, TEXTS, RUN, OUTPUT].iter().any(|names| names.contains(&name))
        || ["set", "explain", "svg"].contains(&name)
}

/// Returns the value of a flag; `None` if the option is no flag.
pub fn of_flag(name: &str, text: &str) -> Option<Value> {
    let is_flag = FLAGS.contains(&name) || (name == "orders" && text == "true");
    is_flag.then(|| text.parse::<bool>().map_or(json!(text), |flag| json!(flag)))
}

/// Returns the value of an option: a number, if the option takes numbers and the text is one.
pub fn of_number(text: &str, name: &str) -> Value {
    match text.trim().parse::<i64>() {
        Ok(number) if NUMBERS.contains(&name) => json!(number),
        _ => json!(text),
    }
}

/// Returns the value of a setting: a boolean, a number or a word.
pub fn setting(text: &str) -> Value {
    match (text.parse::<bool>(), text.trim().parse::<i64>()) {
        (Ok(flag), _) => json!(flag),
        (_, Ok(number)) => json!(number),
        _ => json!(text),
    }
}

/// Returns the key of the argument that is no option.
pub fn subject(system: &str, kind: &str) -> Result<&'static str, &'static str> {
    Ok(match (system, kind) {
        (
            "asl",
            "fire" | "check" | "rally" | "interdict" | "cc" | "conceal" | "platoon" | "sniper",
        ) => "stack",
        ("fortitude", "test" | "recover" | "fire" | "assault") | ("reaction", "rally") => "units",
        ("reaction", "volley" | "volleys") => "target",
        ("reaction", "command" | "check") => "dice",
        ("reaction", "morale") => "points",
        ("reaction", "move") => "mover",
        _ => return Err("no question"),
    })
}
