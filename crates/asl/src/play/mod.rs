//! The procedures of the rules: what happens to each unit, and in which order. Every file adds its
//! part to [`engagement::Engagement`]. The values come from [`super::vocabulary`].

mod casualty;
mod close_combat;
mod describe;
pub mod engagement;
mod fire;
mod heat_of_battle;
mod interdiction;
mod morale;
mod process;
mod rally;
