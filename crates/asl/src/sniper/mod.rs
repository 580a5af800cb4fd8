//! Snipers (14): how often one is called, and what its attack does to a stack. The gain of
//! concealment (12.12 - 12.122), which is asked in the same way.
//!
//! | file | rules |
//! |---|---|
//! | [`process`] | 14.1 - 14.3: calls, the Sniper dr, Random Selection, results |
//! | [`gain`] | 12.12 - 12.122: where concealment is gained, and with which dr |
//! | [`question`] | the fields, the answer and its words |

pub mod gain;
pub mod process;
pub mod question;
