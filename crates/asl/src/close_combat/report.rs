//! The arithmetic of a Close Combat in words and as JSON: Ambush, odds, Kill Numbers and DRM.

use super::combat::{AmbushMode, CloseCombat, CombatModifier, CombatModifiers, CombatView};
use super::plan::RatedPlan;
use super::state::{CombatAttack, CombatSide, CombatState, CombatStep, CombatUnits};
use super::tables::FP_PARTS;
use super::terms::CombatTerms;
use crate::catalogue::CounterKind;
use crate::unit::{Condition, UnitIndex};
use crate::vocabulary::terms::Terms;
use crate::vocabulary::verdict::Verdict;
use answer::Reckoned;
use answer::estimate::percent_to;
use engine::dice::{Dr, Face};
use engine::exact::Fraction;
use engine::process::Event;
use serde_json::{Value, json};

/// Formats FP given in eighths, as a whole number or a decimal.
fn fp_text(eighths: u16) -> String {
    (f64::from(eighths) / f64::from(FP_PARTS)).to_string()
}

fn modifiers_text(modifiers: &CombatModifiers) -> String {
    let text =
        |CombatModifier { name, drm, rule }: &CombatModifier| format!("{drm:+} ({name}, {rule})");
    modifiers.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn modifiers_json(modifiers: &CombatModifiers) -> Value {
    let json = |of: &CombatModifier| json!({ "name": of.name, "drm": of.drm, "rule": of.rule });
    modifiers.iter().map(json).collect()
}

fn sum(modifiers: &CombatModifiers) -> i8 {
    modifiers.iter().map(|modifier| modifier.drm).sum()
}

/// Formats a number of 36 equally likely DR as a percentage.
fn percent(of_36: u8) -> String {
    percent_to(f64::from(of_36) / 36.0, 2)
}

fn fraction(of_36: u8) -> String {
    Fraction::new(of_36.into(), 36).to_string()
}

/// The highest Original DR that kills a target, and the one that is a Partial Kill, if possible.
struct Needed {
    dead: Option<i8>,
    half: Option<i8>,
    /// The words for a kill and a Partial Kill.
    words: [&'static str; 2],
}

impl Needed {
    fn text(&self) -> String {
        let [dead, half] = self.words;
        let dead = self.dead.map(|most| match most {
            2 => format!("{dead} on 2"),
            12.. => format!("{dead} on any DR"),
            most => format!("{dead} on {most} or less"),
        });
        let half = self.half.map(|on| format!("{half} on {on}"));
        let parts: Vec<String> = dead.into_iter().chain(half).collect();
        if parts.is_empty() { "safe".to_string() } else { parts.join(", ") }
    }
}

impl CombatView<'_> {
    /// Returns which Original DR a target fears.
    fn needed(self, attack: &CombatAttack, target: UnitIndex) -> Needed {
        let dead = self.dead_on(attack, target);
        let kind = self.counter(attack.by.other(), target).kind;
        let (words, is_whole) = match (attack.is_capture, kind) {
            (true, CounterKind::Squad) => (["captured", "half"], false),
            (true, _) => (["captured", "half"], true),
            (false, CounterKind::Squad) => (["dead", "half"], false),
            (false, CounterKind::HalfSquad | CounterKind::Crew) => (["dead", "half"], true),
            (false, _) => (["dead", "wounded"], false),
        };
        let on = |number: i8| (2..=12).contains(&number).then_some(number);
        let dead = if is_whole { dead + 1 } else { dead };
        Needed { dead: on(dead.min(12)), half: if is_whole { None } else { on(dead + 1) }, words }
    }

    /// Returns who has surrendered since the opening, before any attack (19.12).
    fn surrenders_in_words(self, opening: &CombatState) -> Vec<String> {
        let sentence = |side: CombatSide| {
            let is_captured = |of: CombatView, unit| of.is(side, unit, Condition::Captured);
            let then = self.combat.view(opening);
            let units = self.state.force(side).all();
            let captured =
                units.filter(|&unit| is_captured(self, unit) && !is_captured(then, unit));
            let captured: CombatUnits = captured.collect();
            let verb = if captured.count() == 1 { "surrenders" } else { "surrender" };
            let names = || self.names(side, captured);
            (!captured.is_empty()).then(|| {
                format!(
                    "{}: {verb} before any attack (A19.12), unless No Quarter is in force.",
                    names()
                )
            })
        };
        CombatSide::ALL.into_iter().filter_map(sentence).collect()
    }

    /// Returns the arithmetic of an attack in one sentence.
    fn attack_in_words(self, attack: &CombatAttack) -> String {
        let at = attack.by.other();
        let (own, enemy) = self.strengths(attack, 0, None);
        let odds = self.column(attack, 0, None).odds();
        let kill = self.kill_number_of_all(attack);
        let common = self.modifiers(attack, None);
        let mut words = format!(
            "{} > {}: {} to {} = {odds}, Kill Number {kill}",
            self.names(attack.by, attack.attackers),
            self.names(at, attack.targets),
            fp_text(own),
            fp_text(enemy)
        );
        if attack.is_capture {
            words += ", to capture";
        }
        if !common.is_empty() {
            words += &format!(", {}", modifiers_text(&common));
        }
        let mut all: Vec<(String, String)> = Vec::new();
        for target in attack.targets.units() {
            let name = format!("[{}]", target + 1);
            let own = self.modifiers(attack, Some(target));
            let own = if own.is_empty() { own_text("") } else { own_text(&modifiers_text(&own)) };
            let needed = format!("{own}{}", self.needed(attack, target).text());
            match all.iter_mut().find(|(_, known)| *known == needed) {
                Some((names, _)) => *names += &format!(", {name}"),
                None => all.push((name, needed)),
            }
        }
        let one = all.len() == 1;
        let targets = all.into_iter().map(|(names, needed)| match one {
            true => needed,
            false => format!("{names} {needed}"),
        });
        format!("{words}: {}.", targets.collect::<Vec<_>>().join("; "))
    }

    fn attack_json(self, attack: &CombatAttack) -> Value {
        let at = attack.by.other();
        let (own, enemy) = self.strengths(attack, 0, None);
        let numbers =
            |units: CombatUnits| -> Vec<u8> { units.units().map(|unit| unit + 1).collect() };
        let target = |unit: UnitIndex| {
            let needed = self.needed(attack, unit);
            json!({ "slot": unit + 1, "drm": modifiers_json(&self.modifiers(attack, Some(unit))),
                "dead_on": needed.dead, "half_on": needed.half })
        };
        let targets: Vec<Value> = attack.targets.units().map(target).collect();
        json!({ "side": attack.by.name(), "by": numbers(attack.attackers),
            "at": numbers(attack.targets), "against": at.name(), "capture": attack.is_capture,
            "fp": fp_text(own), "against_fp": fp_text(enemy),
            "odds": self.column(attack, 0, None).odds(), "kill": self.kill_number_of_all(attack),
            "drm": modifiers_json(&self.modifiers(attack, None)), "targets": targets })
    }
}

/// A plan, its reply and its value, as texts.
type RatedTexts = [String; 3];

impl CombatView<'_> {
    /// Returns the attacks of a side as the text of a plan: MMC by their numbers, and SMC that
    /// stand by themselves.
    fn plan_in_words(self, side: CombatSide, rated: &RatedPlan) -> String {
        let heads = |side: CombatSide, units: CombatUnits| -> String {
            let force = self.state.force(side);
            let is_head = |&unit: &UnitIndex| force.standing_of(unit).with == unit;
            units.units().filter(is_head).collect::<CombatUnits>().in_words(",")
        };
        let withdraw = rated.withdraw[side as usize];
        let leaving =
            (!withdraw.is_empty()).then(|| format!("withdraw {}", withdraw.in_words(",")));
        let attack = |attack: &CombatAttack| {
            let capture = if attack.is_capture { " !capture" } else { "" };
            let (by, at) = (heads(side, attack.attackers), heads(side.other(), attack.targets));
            format!("{by}>{at}{capture}")
        };
        let own = rated.attacks.iter().filter(|attack| attack.by == side).map(attack);
        let parts: Vec<String> = leaving.into_iter().chain(own).collect();
        if parts.is_empty() { "none".to_string() } else { parts.join("; ") }
    }

    fn rated_in_words(self, rated: &RatedPlan) -> RatedTexts {
        let [plan, reply] = CombatSide::ALL.map(|side| self.plan_in_words(side, rated));
        let objective = &self.combat.objective;
        let value = match objective.is_chance() {
            true => format!("{} {}", objective.in_words(), percent_to(rated.value, 2)),
            false if rated.value.abs() < 0.005 => format!("{} 0.00", objective.in_words()),
            false => format!("{} {:+.2}", objective.in_words(), rated.value),
        };
        [plan, reply, value]
    }
}

impl CloseCombat {
    /// Returns the best plans of the first round in one sentence each.
    fn plans_in_words(&self, rated: &[RatedTexts]) -> Vec<String> {
        let phasing = self.phasing(1);
        let sentence = |(place, [plan, reply, value]): (usize, &RatedTexts)| {
            let which = if place == 0 { "Best" } else { "Next best" };
            let is_first = |side: CombatSide| self.view(&self.opening()).decides(side);
            match (is_first(CombatSide::Ours), is_first(CombatSide::Theirs)) {
                (true, true) if phasing == CombatSide::Ours => {
                    format!("{which} plan {plan}, best reply {reply}: {value}.")
                }
                (true, true) => {
                    format!("{which} of theirs {reply}, our best reply {plan}: {value}.")
                }
                (true, false) => format!("{which} plan {plan}: {value}."),
                _ => format!("{which} reply {reply}: {value}."),
            }
        };
        rated.iter().enumerate().map(sentence).collect()
    }
}

fn own_text(modifiers: &str) -> String {
    if modifiers.is_empty() { String::new() } else { format!("{modifiers} ") }
}

impl CloseCombat {
    /// Returns the Ambush if none comes of the dr for it.
    pub(crate) fn ambush_left(&self) -> AmbushMode {
        let opening = self.opening();
        let is_rolled = self.ambush == AmbushMode::Rolled && self.view(&opening).may_be_ambush();
        if is_rolled { AmbushMode::Barred } else { self.ambush }
    }

    /// Returns the arithmetic of the first round: the Ambush, and each attack as it is declared if
    /// there is none.
    pub(crate) fn reckoned(&self) -> Reckoned {
        let opening = self.opening();
        let now = self.view(&opening);
        let is_rolled = self.ambush_left() != self.ambush;
        let mut summary = Vec::new();
        let mut json = Vec::new();
        if is_rolled {
            let roll = now.ambush_roll();
            let [ours, theirs] = roll.chances();
            let nobody = 36 - ours - theirs;
            let side = |side: CombatSide| {
                let drms = now.ambush_drms(side);
                let causes = modifiers_text(&drms);
                let causes =
                    if drms.len() > 1 { format!("{:+}: {causes}", sum(&drms)) } else { causes };
                let causes = if causes.is_empty() { "+0".to_string() } else { causes };
                format!("{} {causes}", side.name())
            };
            summary.push(format!(
                "Ambush (A11.4): {}, {}; we ambush {}, they {}, nobody {}.",
                side(CombatSide::Ours),
                side(CombatSide::Theirs),
                percent(ours),
                percent(theirs),
                percent(nobody)
            ));
            let drms = CombatSide::ALL.map(|side| modifiers_json(&now.ambush_drms(side)));
            let [own, enemy] = drms;
            json.push((
                "ambush",
                json!({ "ours": fraction(ours), "theirs": fraction(theirs),
                    "none": fraction(nobody), "drm": { "ours": own, "theirs": enemy } }),
            ));
        }
        let first = CloseCombat { ambush: self.ambush_left(), ..self.clone() };
        let state = first.declared();
        let now = first.view(&state);
        summary.splice(..0, state.attacks.iter().map(|attack| now.attack_in_words(attack)));
        summary.splice(..0, now.surrenders_in_words(&opening));
        let attacks: Vec<Value> = state.attacks.iter().map(|one| now.attack_json(one)).collect();
        json.push(("attacks", attacks.into()));
        if let Some(solved) = &self.policy {
            let rated: Vec<RatedTexts> =
                solved.plans.iter().map(|plan| now.rated_in_words(plan)).collect();
            // The best plan is the answer, and stands first.
            let mut sentences = self.plans_in_words(&rated).into_iter();
            summary.splice(..0, sentences.next());
            summary.extend(sentences);
            let plans = rated.iter().map(|[plan, reply, _]| (plan, reply)).zip(&solved.plans);
            let plans: Vec<Value> = plans
                .map(|((plan, reply), rated)| {
                    json!({ "plan": plan, "reply": reply, "value": rated.value })
                })
                .collect();
            json.push(("plans", plans.into()));
            json.push(("value", json!({ self.objective.text(): solved.value })));
        }
        Reckoned { json, summary, ..Reckoned::default() }
    }

    /// Describes a roll for a trace.
    pub(crate) fn roll_in_words(
        &self,
        state: &CombatState,
        terms: &CombatTerms,
        face: Face,
    ) -> Event {
        let now = self.view(state);
        let dr = Dr::from_face(face);
        let number = face.number();
        let (rule, text) = match (state.step, terms) {
            (CombatStep::Ambush, CombatTerms::Ambush(roll)) => {
                let side = |side: CombatSide, dr: u8| {
                    let drm = roll.drms[side as usize];
                    let drms = modifiers_text(&now.ambush_drms(side));
                    format!("{} {dr} {} = {}", side.name(), drms, dr as i8 + drm)
                };
                let (ours, theirs) =
                    (side(CombatSide::Ours, dr.coloured()), side(CombatSide::Theirs, dr.white()));
                ("11.4", format!("Ambush: {ours}, {theirs}"))
            }
            (CombatStep::Attacks, _) => match state.due_attack() {
                Some(attack) => {
                    let words = now.attack_in_words(attack);
                    ("11.11", format!("Original {}: {words}", dr.total()))
                }
                None => ("", String::new()),
            },
            (CombatStep::Creation { attack }, CombatTerms::Creation(drm, _)) => {
                let attack = &state.attacks[usize::from(attack)];
                let base = now.creation_base(attack).unwrap_or_default();
                let drms = modifiers_text(&now.creation_drms(attack, base));
                let name = now.name(attack.by, base);
                let total = number as i8 + drm;
                ("18.2", format!("Leader Creation by {name}: dr {number} {drms} = {total}"))
            }
            (CombatStep::Placement { attack, among, .. }, _) => {
                let side = state.attacks[usize::from(attack)].by;
                ("18.12", format!("the leader stands with one of {}", now.names(side, among)))
            }
            (CombatStep::Selection { attack, candidates, rolled, .. }, _) => {
                let side = state.attacks[usize::from(attack)].by.other();
                let unit = candidates.units().nth(rolled.into()).unwrap_or_default();
                (".9", format!("Random Selection, {}: dr {number}", now.name(side, unit)))
            }
            (
                CombatStep::Severity { attack, waiting },
                CombatTerms::Severity(terms @ Terms::Severity(drm)),
            ) => {
                let side = state.attacks[usize::from(attack)].by.other();
                let name = now.name(side, waiting.units().next().unwrap_or_default());
                let drm = if *drm == 0 { String::new() } else { format!(" {drm:+} (wounded)") };
                let is_mortal = terms.read(face).verdict == Verdict::MortalWound;
                let result = if is_mortal { "mortal" } else { "light" };
                ("17.11", format!("severity of the wound of {name}: dr {number}{drm}, {result}"))
            }
            _ => ("", String::new()),
        };
        Event { rule, text }
    }
}
