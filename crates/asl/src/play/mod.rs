//! The procedures of the rules: what happens to each unit, and in which order. Every file adds its
//! part to [`engagement::Engagement`]. The values come from [`super::vocabulary`].

mod casualty;
mod close_combat;
mod concealment;
mod describe;
pub mod engagement;
mod fire;
pub(crate) mod firers_check;
mod heat_of_battle;
mod interdiction;
pub(crate) mod made;
mod morale;
mod platoon;
mod process;
mod rally;
mod shots;
mod sniper;
