//! What the rules of ASL come to: worked examples, exact figures, a slow twin of the rules, and
//! what holds for every stack.

mod certainty;
mod commissars;
mod conditions;
mod counts;
mod editions;
mod fire;
mod golden;
mod heat_of_battle;
mod house;
mod properties;
mod replacement;
mod rule_map;
mod rules;
mod sequences;
mod states;
mod twin_agreement;

#[path = "../common/mod.rs"]
mod common;
#[path = "../twin/mod.rs"]
mod twin;
