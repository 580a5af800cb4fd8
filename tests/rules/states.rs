//! The number of states the exact engine visits, for whole questions and their parts. A value kept
//! too long or dropped too early changes this number before it changes any probability.

use crate::common::{self, ask, exact_odds};
use crate::table::rows;
use lowcrawl::process::Question as _;

/// Panics unless the engine visits these numbers of states: for the whole process, and for all its
/// factors together.
fn assert_states(table: &str) {
    let differing = rows(table).filter_map(|[whole, parts, kind, fields]| {
        let question = ask(common::kind(kind), fields);
        let of_parts = question.parts().all().map(|part| exact_odds(&part).states);
        let found = [exact_odds(&question.whole()).states, of_parts.sum()];
        let is_equal = found.map(|states| states.to_string()) == [whole, parts];
        (!is_equal).then(|| format!("{found:?} instead of {whole}, {parts}: {fields}"))
    });
    let differing: Vec<String> = differing.collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn checks_and_attacks_visit_the_listed_numbers_of_states() {
    assert_states(
        "
            1    | 1    | check | stack=german:4-6-7; mc=0
            2    | 2    | check | stack=german:4-6-7/broken; mc=1; hob
            2658 | 578  | check | stack=german:9-1 + german:8-0 + german:4-6-7 + german:2-4-7; mc=1
            488  | 563  | check | stack=german:8-1 + german:4-6-7 + german:8-3-8; mc=2; hob
            2178 | 4417 | check | stack=commissar:9-0 + russian:4-4-7 + russian:8-0; mc=0; hob
            15   | 13   | check | stack=german:9-1 + german:8-1 + 2x german:4-6-7 + german:4-3-6/broken; ptc
            2144 | 4353 | check | stack=german:9-1 + german:8-0 + german:4-6-7; mc=1; hob; i32=alternative
            45   | 93   | check | stack=german:8-0 + german:4-6-7/encircled; mc=0; hob; i27=alternative
            41   | 85   | check | stack=german:8-0 + german:4-6-7; mc=0; hob; i43=alternative
            846  | 176  | fire  | stack=german:9-1 + german:4-6-7 + german:4-6-7; fp=8
            2152 | 2598 | fire  | stack=german:8-1 + german:4-6-8 + german:2-4-7; fp=16; hob
            130  | 286  | fire  | stack=german:4-6-7/broken + german:8-0/wounded; fp=24; hob
        ",
    );
}

#[test]
fn rallies_and_routs_visit_the_listed_numbers_of_states() {
    assert_states(
        "
            5    | 5    | rally     | stack=german:4-6-7/broken,dm; leader=8-1; phases=3
            38   | 38   | rally     | stack=2x russian:4-4-7/broken; own-rph=odd; phases=4
            857  | 857  | rally     | stack=german:8-1/broken,wounded + german:4-6-7/broken,dm + german:2-4-7/broken; phases=2; hob
            628  | 644  | rally     | stack=commissar:9-0 + 2x russian:4-4-7/broken; phases=3; hob
            22   | 22   | rally     | stack=german:8-0 + 2x german:4-6-7/broken,dm; phases=2; joint
            3    | 3    | rally     | stack=german:8-3-8/broken,disrupted; leader=8-1; phases=2; enemy-adjacent
            18   | 18   | interdict | stack=german:4-6-7/broken; hexes=3; leader=8-1; hob
            1395 | 1443 | interdict | stack=german:8-1/broken + german:9-2/broken; hexes=5; hob
            14   | 14   | interdict | stack=german:8-1 + german:4-6-7/broken; hexes=2; voluntary-rout; hob
            458  | 484  | interdict | stack=german:4-6-7/disrupted + german:4-4-7/broken; hexes=2; i09=alternative; hob
        ",
    );
}

#[test]
fn sequences_visit_the_listed_numbers_of_states() {
    assert_states(
        "
            5207 | 5207 | sequence | stack=german:8-0 + german:4-6-7; hob; 1.do=check; 1.mc=1; 2.do=interdict; 2.hexes=2; 3.do=rally; 3.if=broken
            621  | 621  | sequence | stack=german:8-3-8/broken; hob; 1.do=interdict; 1.hexes=2; 2.do=check; 2.mc=1; 3.do=rally; 3.leader=8-0; 3.phases=2
            131  | 131  | sequence | stack=german:8-1/wounded; hob; 1.do=fire; 1.fp=8; 2.do=interdict; 2.hexes=2; 3.do=rally; 3.leader=8-0; 3.phases=2; 4.do=fire; 4.fp=8
            56   | 56   | sequence | stack=german:7-0/wounded; hob; 1.do=break; 2.do=interdict; 2.hexes=2; 3.do=interdict; 3.hexes=2; 4.do=rally; 4.leader=8-0; 4.phases=2; 5.do=check; 5.mc=1
            3410 | 3410 | sequence | stack=2x german:4-6-7; hob; 1.do=break; 2.do=rally; 2.leader=8-0; 2.phases=2; 3.do=interdict; 3.hexes=2; 4.do=rally; 4.leader=8-0; 4.phases=2
            901  | 901  | sequence | stack=german:4-4-7/disrupted + german:8-0; hob; 1.do=interdict; 1.hexes=2; 2.do=rally; 2.if=broken; 3.do=check; 3.mc=1
            1399 | 1399 | sequence | stack=commissar:9-0 + russian:4-4-7; hob; 1.do=check; 1.mc=1; 2.do=rally; 2.if=broken; 3.do=interdict; 3.hexes=2
            6954 | 6954 | sequence | stack=german:8-3-8; hob; 1.do=fire; 1.fp=8; 2.do=rally; 2.if=broken; 3.do=fire; 3.fp=8; 4.do=interdict; 4.hexes=2
            177  | 177  | sequence | stack=italian:3-4-7 + italian:8-0; hob; 1.do=interdict; 1.hexes=2; 2.do=rally; 2.leader=8-0; 2.phases=2; 3.do=break; 4.do=interdict; 4.hexes=2
        ",
    );
}
