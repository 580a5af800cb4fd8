//! Instruction counts of lowcrawl: see `benches/instructions.rs`.
