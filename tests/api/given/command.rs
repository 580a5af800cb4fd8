//! Given dice on the command line and in files.

use crate::shell::{folder_with, ok};

const SOLVED: &str = "question = \"sequence\"\nobjective = \"good-order\"\n[base]\nstack = \"german:8-0 + german:4-6-7/dm\"\n\
                      no-hob = true\ngiven = \"6,1\"\n[[step]]\ndo = \"check\"\nmc = 1\n[[step]]\ndo = \"rally\"\n";

#[test]
fn typed_dice_get_the_answer_of_dice_in_the_file() {
    let plain = SOLVED.replace("given = \"6,1\"\n", "");
    let folder = folder_with(&[("solved.toml", SOLVED), ("plain.toml", &plain)]);
    let of_file = ok(folder.path(), "solve solved.toml --format json");
    let typed = ok(folder.path(), "solve plain.toml --given 6,1 --format json");
    assert_eq!(typed.replace("plain.toml --given 6,1", "solved.toml"), of_file);
}
