//! The fields of Snipers beside a question about a stack: the SAN of both sides, and how often an
//! attack strikes the stack.

use crate::rulebook::Switch;
use crate::vocabulary::sniper::{LEAST_SAN, SHARES, Sniper};
use answer::Estimate;
use engine::text::notation::Remedy;
use engine::text::{Fault, canonical};
use schema::{FieldValue, Json, RawValue, Takes};

/// The least and the largest SAN (14.1).
const LEAST: i64 = LEAST_SAN as i64;
const MOST: i64 = 7;

/// The interpretations that concern a Sniper that strikes a stack.
pub(crate) const OF_SNIPERS: [Switch; 5] = [
    Switch::HeroesWoundedBySniper,
    Switch::NoLlmcBySniper,
    Switch::ConcealmentLostBySniper,
    Switch::TiedAtRandom,
    Switch::SniperCheckMade,
];

/// The names of the fields.
const NAMES: [&str; 2] = ["san", "sniper-hits"];

/// Returns advice for a field of Snipers in a question in whose phases none is called (14.1).
pub(crate) fn uncalled(field: &str) -> Option<Remedy> {
    let why = "leave it out: no DR of the Rally, Rout, Advance and Close Combat Phases calls a \
        Sniper (A14.1)";
    NAMES.contains(&field).then(|| why.into())
}

/// Returns a SAN at night: 2 higher, at most 7 (E1.76).
pub(crate) fn at_night(san: u8) -> u8 {
    (san + 2).min(MOST as u8)
}

/// The SAN of the stack's side, if it has a Sniper, and of the enemy (14.1). One number is that of
/// the enemy.
#[derive(Clone, Copy, Debug)]
pub struct San {
    pub own: Option<u8>,
    pub enemy: u8,
}

impl San {
    /// Returns both numbers at night (E1.76).
    pub(crate) fn at_night(self) -> San {
        San { own: self.own.map(at_night), enemy: at_night(self.enemy) }
    }
}

impl FieldValue for San {
    const TAKES: Takes = Takes::Numbers("SAN");

    fn read(name: &str, value: RawValue) -> Result<San, Fault> {
        let numbers: Option<Vec<i64>> = match value {
            RawValue::Integer(enemy) => Some(vec![enemy]),
            RawValue::Text(text) => {
                text.split(',').map(|number| number.trim().parse().ok()).collect()
            }
            RawValue::Boolean(_) => None,
        };
        let is_san = |number: &i64| (LEAST..=MOST).contains(number);
        let numbers = numbers.filter(|numbers| numbers.iter().all(is_san)).unwrap_or_default();
        match numbers[..] {
            [enemy] => Ok(San { own: None, enemy: enemy as u8 }),
            [own, enemy] => Ok(San { own: Some(own as u8), enemy: enemy as u8 }),
            _ => {
                let message = format!(
                    "`{name}` must be one or two numbers from {LEAST} to {MOST}, not {value}"
                );
                let help = "the SAN of the enemy, such as 4, or of the stack's side and of the \
                    enemy, such as `3,4` (A14.1)";
                Err(Fault::new(message, value.span()).help(help))
            }
        }
    }

    fn to_json(&self) -> Json {
        match self.own {
            None => self.enemy.into(),
            Some(own) => format!("{own},{}", self.enemy).into(),
        }
    }
}

/// The share of a Sniper's attacks that strike the stack (14.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SniperHits {
    /// The share out of [`SHARES`], the nearest that dice have.
    pub share: u16,
    /// True if dice have the very share.
    pub is_exact: bool,
    written: String,
}

const HERE: &str = "here";
const ELSEWHERE: &str = "elsewhere";

/// Returns the numerator and denominator of a fraction or a decimal number.
fn fraction(text: &str) -> Option<(u64, u64)> {
    let whole = |text: &str| text.parse::<u64>().ok().filter(|number| *number <= 1_000_000);
    match (text.split_once('/'), text.split_once('.')) {
        (Some((above, below)), _) => Some((whole(above.trim())?, whole(below.trim())?)),
        (None, Some((before, after))) if after.len() <= 6 => {
            let of = 10u64.pow(after.len() as u32);
            let before = if before.is_empty() { 0 } else { whole(before)? };
            Some((before * of + whole(after)?, of))
        }
        _ => Some((whole(text)?, 1)),
    }
}

impl SniperHits {
    fn parse(text: &str) -> Option<SniperHits> {
        let written = canonical(text);
        let (above, below) = match written.as_str() {
            HERE => (1, 1),
            ELSEWHERE => (0, 1),
            text => fraction(text)?,
        };
        if below == 0 || above > below {
            return None;
        }
        let shares = above * u64::from(SHARES);
        let share = ((2 * shares + below) / (2 * below)) as u16;
        let written = match share {
            0 if above == 0 => ELSEWHERE.to_string(),
            SHARES if above == below => HERE.to_string(),
            _ => written,
        };
        Some(SniperHits { share, is_exact: shares.is_multiple_of(below), written })
    }

    /// Returns a sentence on where the attacks strike; `None` if all strike elsewhere.
    pub(crate) fn in_words(&self) -> Option<String> {
        match self.share {
            0 => None,
            SHARES => Some("every attack of their Sniper strikes here".to_string()),
            _ => {
                Some(format!("a share of {} of their Sniper's attacks strikes here", self.written))
            }
        }
    }

    /// Returns a note if dice have only a share near that.
    pub(crate) fn note(&self) -> Option<String> {
        let SniperHits { share, written, .. } = self;
        (!self.is_exact).then(|| format!("a share of {written} is played as {share}/{SHARES}"))
    }
}

impl FieldValue for SniperHits {
    const TAKES: Takes = Takes::Text("WHERE");

    fn read(name: &str, value: RawValue) -> Result<SniperHits, Fault> {
        let read = match value {
            RawValue::Text(text) => SniperHits::parse(text),
            RawValue::Integer(number) => SniperHits::parse(&number.to_string()),
            RawValue::Boolean(_) => None,
        };
        let message =
            || format!("`{name}` must be {HERE}, {ELSEWHERE} or a share from 0 to 1, not {value}");
        let help =
            "the share of the Sniper's attacks that strike this stack, such as `1/3` or `0.25`";
        read.ok_or_else(|| Fault::new(message(), value.span()).help(help))
    }

    fn to_json(&self) -> Json {
        self.written.as_str().into()
    }
}

/// How often a Sniper is called, and how often one of its attacks comes about (14.1, 14.2).
#[derive(Clone, Copy, Debug)]
pub struct SniperCalls {
    pub sniper: Sniper,
    /// The chance of at least one call.
    pub called: Estimate,
    /// The chance of at least one effective attack.
    pub attacks: Estimate,
}

/// The Snipers beside a question about a stack.
#[derive(Clone, Debug)]
pub struct SniperSetting {
    /// The SAN of both sides, those of night included.
    pub san: San,
    pub hits: SniperHits,
}
