//! Attacks by named firers against `attack_twin`, a second, slow implementation of the rules.
//! `LOWCRAWL_LONG=1` compares 2,000 attacks, and `LOWCRAWL_CASES=3` three times as many.

use crate::Comparison;
use crate::attack_twin::adapter::{figures, request};
use crate::attack_twin::random::random_attack;
use crate::random::case_factor;
use serde_json::{Map, Value, json};

/// Returns the figures of an answer in the form of the twin.
fn of_answer(attack: &Value) -> Value {
    let class = |class: &Value| {
        let mut results = class["results"].as_object().unwrap().clone();
        // The sums of all KIA and of all K.
        results.retain(|name, _| !["KIA", "K"].contains(&name.as_str()));
        let keys = ["slots", "fp", "drm", "column"];
        let figures = keys.into_iter().map(|key| (key.to_string(), class[key].clone()));
        let figures = figures.chain([("results".to_string(), results.into())]);
        Value::Object(figures.collect::<Map<_, _>>())
    };
    let classes: Vec<Value> = match attack["classes"].as_array() {
        Some(classes) => classes.iter().map(class).collect(),
        None => vec![class(attack)],
    };
    let residual = |key: &str| attack.get(key).cloned().unwrap_or(json!({}));
    json!({
        "cowering": attack["cowering"], "shots": attack["shots"], "classes": classes,
        "weapons": attack["weapons"], "residual": residual("residual"),
        "residual_keep": residual("residual_keep"),
    })
}

/// The twin has 4.6, 4.62, 4.63, 6.7, 7.2 - 7.9, 8.1 - 8.4, 9.1 - 9.7, 10.7, 12.13, 15.23, 15.24,
/// 17.3, 19.3, 21.11, 22, 23, 24.2, 24.8, 25.24, B9.3, B10.31, B30.3, and E1.7.
#[test]
fn random_attacks_have_the_figures_of_the_twin() {
    let attacks = if std::env::var_os("LOWCRAWL_LONG").is_some() { 2_000 } else { 300 };
    let mut compared = Comparison::default();
    for seed in 1..=attacks * case_factor() {
        // Each tenth has Locations with a Hindrance or level of their own.
        let attack = random_attack(seed, seed % 10 == 0);
        let request = request(&attack).to_string();
        let answer = lowcrawl::answer_json(&request);
        let twin = figures(&attack);
        let difference = |own: &Value| format!("{seed} {request}\n  {own}\n  twin {twin}");
        match &answer["attack"] {
            Value::Null => compared.add(false, || difference(&answer)),
            attack => {
                let own = of_answer(attack);
                compared.add(own == twin, || difference(&own));
            }
        }
    }
    compared.assert_alike(attacks as usize);
}
