//! Tests on the map: lines of sight, the Rout Phase, its situations, pictures and campaigns.

mod campaign;
mod campaign_agreement;
mod decisions;
mod lines_of_sight;
mod pictures;
mod rout;
mod rout_agreement;
mod rout_command;
mod rout_counts;
mod rout_dice;
mod rout_engines;
mod rout_phase;
mod rout_rules;
mod rout_screen;
mod rout_studies;
mod rout_switches;
mod rout_turns;
mod situation_keys;
mod situations;

#[path = "../../benches/board/mod.rs"]
mod board;
#[path = "../campaign_twin/mod.rs"]
mod campaign_twin;
#[path = "../fit/mod.rs"]
mod fit;
#[path = "../common/random.rs"]
mod random;
#[path = "../rout_twin/mod.rs"]
mod rout_twin;
#[cfg(feature = "cli")]
#[path = "../shell/mod.rs"]
mod shell;
#[path = "../common/table.rs"]
mod table;
#[allow(unused_imports)]
#[path = "../twin/mod.rs"]
mod twin;
#[path = "../common/wrappers.rs"]
mod wrappers;
