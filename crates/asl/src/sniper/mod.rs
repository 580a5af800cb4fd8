//! Snipers (14): how often one is called, and what its attack does to a stack.
//!
//! | file | rules |
//! |---|---|
//! | [`process`] | 14.1 - 14.3: calls, the Sniper dr, Random Selection, results |
//! | [`question`] | the fields, the answer and its words |

pub mod process;
pub mod question;
