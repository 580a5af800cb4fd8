//! The rules of ASL: worked examples, exact figures, an independent slow implementation, and
//! properties of all stacks.

mod called_snipers;
mod certainty;
mod close_combat;
mod close_combat_twin;
mod combat_readings;
mod combat_steps;
mod combat_tables;
mod commissars;
mod concealment;
mod conditions;
mod counts;
mod crossing;
mod crossing_map;
mod editions;
mod file_circles;
mod fire;
mod golden;
mod heat_of_battle;
mod layering;
mod packages;
mod properties;
mod replacement;
mod rule_map;
mod rules;
mod sequences;
mod shots;
mod snipers;
mod states;
mod twin_agreement;

#[path = "../cc_twin/mod.rs"]
mod cc_twin;
#[path = "../common/mod.rs"]
mod common;
#[path = "../fit/mod.rs"]
mod fit;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/table.rs"]
mod table;
#[path = "../twin/mod.rs"]
mod twin;
