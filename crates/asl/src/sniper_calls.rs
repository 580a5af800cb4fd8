//! How often Snipers are called beside a question about a stack, in words and as JSON.

use std::sync::Arc;

use super::attack::report;
use super::question::Question;
use super::sniper::fields::SniperCalls;
use crate::vocabulary::{Report, SHARES, Sniper};
use answer::estimate::percent_to;
use answer::{ClassCounts, Counting, Estimate, Meta, Options, Reckoned, Trials, UnitCounts};
use engine::exact::Fraction;
use play::PolicyQuestion;
use serde_json::{Value, json};

/// The number of sequences where the calls are too big to be exact: they are an aside.
const TRIALS: u64 = 100_000;

/// Returns the number of calls among counts, which stand in the first class.
fn number(counts: &ClassCounts) -> u8 {
    counts.classes[0]
}

/// Returns the chance that some of `calls` calls brings an attack: each does by a dr of 1 or 2.
fn some_attack(calls: u8) -> Fraction {
    let (all, none) = (3u128.saturating_pow(calls.into()), 2u128.saturating_pow(calls.into()));
    Fraction::new(all - none, all)
}

/// Returns the chance of at least one effective attack.
fn attacks(counts: &UnitCounts) -> Estimate {
    let (mut sum, mut exact) = (0.0, Some(Fraction::new(0, 1)));
    for calls in 1..=counts.most() {
        let odds = counts.odds(counts.last_point(), |counts| number(counts) == calls);
        let share = some_attack(calls);
        sum += odds.probability() * share.to_f64();
        exact = exact.and_then(|exact| {
            let Estimate::Exact { fraction: Some(odds), .. } = odds else { return None };
            let above = odds.numerator.checked_mul(share.numerator)?;
            let below = odds.denominator.checked_mul(share.denominator)?;
            exact.checked_add(Fraction::new(above, below))
        });
    }
    match exact {
        Some(odds) => Estimate::Exact { probability: odds.to_f64(), fraction: Some(odds) },
        None => Estimate::plain(sum),
    }
}

impl Question {
    /// Returns how often each Sniper is called: exactly if possible, else from some sequences.
    pub fn sniper_calls(&self) -> &[SniperCalls] {
        self.called.get_or_init(|| {
            let Some(snipers) = &self.snipers else { return Vec::new() };
            let fires = self.steps.iter().any(|step| step.action.is_attack());
            let enemy = Sniper { san: snipers.san.enemy, is_own: false, share: 0 };
            let own = snipers.san.own.filter(|_| fires);
            let own = own.map(|san| Sniper { san, is_own: true, share: 0 });
            let all = std::iter::once(enemy).chain(own);
            all.filter_map(|sniper| self.calls_of(sniper)).collect()
        })
    }

    fn calls_of(&self, sniper: Sniper) -> Option<SniperCalls> {
        let question = Question { followed: Some(sniper), report: Report::Calls, ..self.clone() };
        let options = Options {
            trials: Trials::Number(TRIALS),
            counts: Some(Counting::IMPLICIT),
            ..Options::default()
        };
        // Played as all questions are, since the engines are compiled for that.
        let question = PolicyQuestion::by_default(Arc::new(question));
        let counts = answer::odds::answer(&question, &options, Meta::default()).ok()?.counts?;
        let called = counts.odds(counts.last_point(), |counts| number(counts) > 0);
        Some(SniperCalls { sniper, called, attacks: attacks(&counts) })
    }

    /// Adds how often Snipers are called to what is reckoned.
    pub(super) fn with_snipers(&self, reckoned: Option<Reckoned>) -> Option<Reckoned> {
        let Some(snipers) = &self.snipers else { return reckoned };
        let mut reckoned = reckoned.unwrap_or_default();
        let calls = self.sniper_calls();
        let of = |calls: &SniperCalls| {
            json!({ "san": calls.sniper.san, "called": report::estimate_json(&calls.called),
                "attacks": report::estimate_json(&calls.attacks) })
        };
        let side = |is_own: bool| {
            let calls = calls.iter().find(|calls| calls.sniper.is_own == is_own);
            calls.map_or(Value::Null, of)
        };
        let json = json!({ "theirs": side(false), "ours": side(true),
            "share": f64::from(snipers.hits.share) / f64::from(SHARES) });
        reckoned.json.push(("sniper", json));
        let words = calls.iter().map(|SniperCalls { sniper, called, attacks }| {
            let whose = if sniper.is_own { "Our" } else { "Their" };
            let (called, attacks) = (called.probability(), attacks.probability());
            format!(
                "{whose} Sniper (SAN {}) is called {}, attacks {}.",
                sniper.san,
                percent_to(called, 2),
                percent_to(attacks, 2)
            )
        });
        reckoned.after.push(words.collect::<Vec<_>>().join(" "));
        Some(reckoned)
    }
}
