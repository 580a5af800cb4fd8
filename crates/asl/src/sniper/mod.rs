//! Snipers (14): how often one is called, and what its attack does to a stack. The gain of
//! concealment (12.12 - 12.122), which is asked in the same way.
//!
//! | file | rules |
//! |---|---|
//! | [`process`] | 14.1, 14.2: the DR of a game; an attack by itself, played by `play` |
//! | [`fields`] | the SAN of both sides beside another question |
//! | [`gain`] | 12.12 - 12.122: where concealment is gained, and with which dr |
//! | [`question`] | the fields, the answer and its words |

pub mod fields;
pub mod gain;
pub mod process;
pub mod question;
