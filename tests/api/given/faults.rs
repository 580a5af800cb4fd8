//! Dice that cannot be given, each with its place.

use super::{form, odds};

/// Returns the message of a fault, the part of `given` that it blames, and its help.
fn fault(text: &str, given: &str) -> (String, String, String) {
    let mut form = form(text);
    form.set("given", given.into()).unwrap();
    let error = form.finish().err().unwrap_or_else(|| panic!("{text}: {given} is taken"));
    assert_eq!(error.field, "given");
    let fault = error.fault;
    (
        fault.message,
        given[fault.span].to_string(),
        fault.help.map_or(String::new(), |help| help.to_string()),
    )
}

#[test]
fn faults_quote_the_word_and_name_the_roll_that_is_due() {
    const DR: &str = "is not a valid roll: write a DR as `c,w`, coloured die first (`3,4`), a single die as one digit (`5`)";
    const D20: &str = "is not a valid roll: write a d20 as a number from 1 to 20";
    let check = "check; stack=9-1 + german:4-6-7; mc=1";
    let recover = "fortitude recover; units=unit/shaken; turns=2";
    let volley = "reaction volley; target=unit/reaction=0,cohesion=20; dice=2";
    for (text, given, message, word, help) in [
        (check, "6,7", format!("`6,7` (roll 1) {DR}"), "6,7", "the roll due: 1MC of 9-1 [1]"),
        (check, "seven", format!("`seven` (roll 1) {DR}"), "seven", "the roll due: 1MC of 9-1 [1]"),
        (check, " 1,3  7 ", format!("`7` (roll 2) {DR}"), "7", "the roll due: 1MC of 4-6-7 [2]"),
        (
            check,
            "5",
            "roll 1 of `given` is a dr, but a DR is due".to_string(),
            "5",
            "the roll due: 1MC of 9-1 [1]",
        ),
        (
            check,
            "1,3 5",
            "roll 2 of `given` is a dr, but a DR is due".to_string(),
            "5",
            "the roll due: 1MC of 4-6-7 [2]",
        ),
        (
            check,
            "1,3 2,3 2,2 1",
            "the sequence ends after 2 roll(s), but `given` has 2 more".to_string(),
            "2,2 1",
            "",
        ),
        (
            check,
            "1,3 2,3 x",
            "the sequence ends after 2 roll(s), but `given` has 1 more".to_string(),
            "x",
            "",
        ),
        (
            check,
            "6,6 3,3",
            "roll 2 of `given` is a DR, but a dr is due".to_string(),
            "3,3",
            "the roll due: wound severity of 8-1 [1]",
        ),
        (
            recover,
            "0",
            format!("`0` (roll 1) {D20}"),
            "0",
            "the roll due: Fortitude Test of unit at 8 (base 10, Shaken -2)",
        ),
        (
            recover,
            "9 21",
            format!("`21` (roll 2) {D20}"),
            "21",
            "the roll due: Fortitude Test of unit at 8 (base 10, Shaken -2)",
        ),
        (
            recover,
            "3,4",
            format!("`3,4` (roll 1) {D20}"),
            "3,4",
            "the roll due: Fortitude Test of unit at 8 (base 10, Shaken -2)",
        ),
        (
            volley,
            "3,4",
            "roll 1 of `given` is a DR, but a die of a pool is due".to_string(),
            "3,4",
            "the roll due: fire at unit",
        ),
        (volley, "3 9", format!("`9` (roll 2) {DR}"), "9", "the roll due: fire at unit"),
        (
            volley,
            "3 4 5",
            "the sequence ends after 2 roll(s), but `given` has 1 more".to_string(),
            "5",
            "",
        ),
    ] {
        let (actual, at, due) = fault(text, given);
        assert_eq!((actual, at.trim_end()), (message, word), "{text}: {given}");
        assert!(
            due.starts_with(help) && due.is_empty() == help.is_empty(),
            "{text}: {given}: {due}"
        );
    }
}

/// Every kind of question has the field, as a text; an empty text gives no dice.
#[test]
fn empty_given_dice_change_nothing() {
    let registry = lowcrawl::api::games();
    let kinds: Vec<_> = registry.games().iter().flat_map(|game| game.kinds().iter()).collect();
    assert!(kinds.len() > 15);
    for kind in kinds {
        let mut form = registry.form(kind);
        assert!(form.knows("given"), "{}", kind.name);
        let fault = form.set("given", 5.into()).unwrap_err();
        assert_eq!(fault.to_string(), "`given` must be a text in quotes, not 5");
    }
    let check = "check; stack=9-1 + german:4-6-7; mc=1";
    let (plain, empty) =
        (super::parse_question(check), super::parse_question(&format!("{check}; given= ")));
    assert_eq!(odds(plain.as_ref()), odds(empty.as_ref()));
    assert_eq!(plain.meta(String::new()).question, empty.meta(String::new()).question);
}
