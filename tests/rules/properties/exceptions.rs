//! Cases in which an apparent advantage lowers the odds.

use lowcrawl::asl::outcome::Outcome;
use lowcrawl::asl::question::Question;
use lowcrawl::engine::exact::Fraction;

use super::measures::{Fit, Measure, NotBroken, Survives, Unbroken, Whole};
use super::{Sum, chances};
use crate::common::{self, ask};

/// Builds the question of a command line.
fn command(line: &str) -> Question {
    let [kind, stack, options] = line.splitn(3, '"').collect::<Vec<_>>()[..] else {
        panic!("{line}")
    };
    let options = options.split("--").skip(1).map(|option| option.trim().replacen(' ', "=", 1));
    let fields = options.collect::<Vec<_>>().join("; ");
    ask(common::kind(kind.trim()), &format!("hob; stack={stack}; {fields}"))
}

/// Returns the probability of a measure for the unit in a slot, for the question of a command line.
fn odds_of(measure: Measure, slot: u8, line: &str) -> Fraction {
    let question = command(line);
    let chances = chances(&question, true);
    let last = chances.iter().map(|(point, ..)| *point).max().unwrap();
    let mut sum = Sum::default();
    for (point, outcome, probability, fraction) in chances {
        let Outcome::Unit(unit) = outcome else { continue };
        if point == last && unit.slot == slot && measure.holds_for(&unit, &question) {
            sum.add(probability, fraction);
        }
    }
    sum.fraction.unwrap()
}

/// Panics unless the odds fall from the first command line to the apparently better one, and equal
/// these fractions.
fn assert_falls(measure: Measure, slot: u8, lines: [&str; 2], odds: [&str; 2]) {
    let [worse, better] = lines.map(|line| odds_of(measure, slot, line));
    assert_eq!([worse.to_string(), better.to_string()], odds, "{lines:?}");
    assert!(better.to_f64() < worse.to_f64(), "{lines:?}: {worse} to {better}");
}

/// 10.2: a lost leader costs every unit of lower ML a LLMC with its leadership as DRM. A 9-2 helps
/// to pass the 1MC better than a 9-1, but dies as often (Original 12, then a severity dr of 5 or
/// 6). The LLMC is then +2 instead of +1: more half-squads are left over, and more of them are
/// lost.
#[test]
fn loss_of_a_better_leader_hurts_more() {
    let lines = [
        r#"check "german:9-1 + german:4-6-7" --mc 1 --no-hob"#,
        r#"check "german:9-2 + german:4-6-7" --mc 1 --no-hob"#,
    ];
    assert_falls(Survives, 2, lines, ["69961/69984", "69959/69984"]);
    assert_falls(Whole, 2, lines, ["45215/46656", "135545/139968"]);
}

/// 10.2: only units of lower ML suffer from the loss of a leader. A broken 8-1 causes no LLTC for a
/// 4-6-8, a broken 9-1 does. Both lead with -1, so the only gain is that the 9-1 breaks less often.
/// The loss of a 7-0 does not affect a 4-6-7 or another 7-0. That of an 8-0 costs them a LLTC, or a
/// LLMC if it dies.
#[test]
fn breaking_of_a_higher_leader_pins_more_units() {
    let nmc = [
        r#"check "german:8-1 + german:4-6-8" --mc 0 --no-hob"#,
        r#"check "german:9-1 + german:4-6-8" --mc 0 --no-hob"#,
    ];
    assert_falls(Fit, 2, nmc, ["287/432", "1667/2592"]);
    let squad = [
        r#"check "german:7-0 + german:4-6-7" --mc 1 --no-hob"#,
        r#"check "german:8-0 + german:4-6-7" --mc 1 --no-hob"#,
    ];
    assert_falls(Unbroken, 2, squad, ["5/12", "6455/15552"]);
    assert_falls(Fit, 2, squad, ["5/18", "595/2592"]);
    let leader = [
        r#"check "german:7-0 + german:7-0" --mc 1 --no-hob"#,
        r#"check "german:8-0 + german:7-0" --mc 1 --no-hob"#,
    ];
    assert_falls(Fit, 2, leader, ["5/18", "595/2592"]);
}

/// 10.22: only a leader of strictly higher ML helps a leader. An 8-1 checks with the -2 of an
/// unpinned 9-2, P = 10. A 9-1 has the ML of the 9-2 and gets no help, P = 9. The effect repeats
/// with a 9-2 and a 10-2 beside a 10-2, in a PTC.
#[test]
fn leader_gets_no_help_from_its_equal() {
    let nmc = [
        r#"check "german:9-2 + german:8-1" --mc 0 --no-hob"#,
        r#"check "german:9-2 + german:9-1" --mc 0 --no-hob"#,
    ];
    assert_falls(Unbroken, 2, nmc, ["20033/23328", "5/6"]);
    let ptc = [
        r#"check "german:10-2 + german:9-2" --ptc --no-hob"#,
        r#"check "german:10-2 + german:10-2" --ptc --no-hob"#,
    ];
    assert_falls(Fit, 2, ptc, ["415/432", "11/12"]);
}

/// 10.22, 10.53: this also holds for a routing leader. With a 9-2 in the hex a broken 8-1 has P =
/// 10, a broken 9-1 has P = 9.
#[test]
fn routing_leader_gets_no_help_from_its_equal() {
    let lines = [
        r#"interdict "german:8-1/broken" --hexes 1 --leader german:9-2 --no-hob"#,
        r#"interdict "german:9-1/broken" --hexes 1 --leader german:9-2 --no-hob"#,
    ];
    assert_falls(Survives, 1, lines, ["103/108", "25/27"]);
}

/// 10.22, 10.7, 10.72: a leader of another nationality leads one worse, and the only usable leader
/// must be used. A broken American 7-0 need not use a German 7-0, its equal. It must use a German
/// 8-0, at +1.
#[test]
fn foreign_leader_must_be_used_once_it_is_higher() {
    let lines = [
        r#"interdict "american:7-0/broken" --hexes 1 --leader german:7-0 --no-hob"#,
        r#"interdict "american:7-0/broken" --hexes 1 --leader german:8-0 --no-hob"#,
    ];
    assert_falls(Survives, 1, lines, ["91/108", "85/108"]);
}

/// 10.711, 10.2: a leader that goes along dies when its unit is Reduced, and the remaining
/// half-squad takes the LLMC if its ML is lower. The half-squad of a 4-4-7 has broken ML 6. It
/// takes none for a 6+1, but it does for a 7-0, and another failure eliminates it.
#[test]
fn loss_of_a_higher_leader_on_a_rout_hurts_more() {
    let lines = [
        r#"interdict "german:6+1 + german:4-4-7/broken" --hexes 1 --voluntary-rout --no-hob"#,
        r#"interdict "german:7-0 + german:4-4-7/broken" --hexes 1 --voluntary-rout --no-hob"#,
    ];
    assert_falls(Survives, 2, lines, ["35/36", "161/216"]);
}

/// 10.2, 10.31: ML is compared after the attack. An American crew has ML 7, broken 8. Once broken
/// it takes no LLMC for an 8-0; unbroken it does, and an Original 12 there eliminates it. The lower
/// MC leaves it unbroken more often. The effect repeats for the SS (8, broken 9) and a 9-1: the
/// Original 12 Reduces the squad.
#[test]
fn broken_unit_is_spared_the_leader_loss_check() {
    let lines = [
        r#"check "american:8-0 + american:2-2-7" --mc 4 --no-hob"#,
        r#"check "american:8-0 + american:2-2-7" --mc 3 --no-hob"#,
    ];
    assert_falls(Survives, 2, lines, ["45359/46656", "22679/23328"]);
    let lines = [
        r#"check "german:9-1 + german-ss:6-5-8" --mc 2 --no-hob"#,
        r#"check "german:9-1 + german-ss:6-5-8" --mc 1 --no-hob"#,
    ];
    assert_falls(Whole, 2, lines, ["45355/46656", "45353/46656"]);
}

/// 19.1, 10.2: an 8-0 that fails by 3 is Replaced at ELR 2 and only broken at ELR 3. If the 9-1
/// dies as well, the LLMC for it may kill the broken leader. A 4-6-7 then takes a LLMC for an 8-0,
/// but not for a 7-0, its Replacement at ELR 2. A lower MC has the same effect. The half-squad of a
/// 4-6-7, broken ML 6, takes a LLMC for a 7-0, but not for the 6+1 that a 4MC leaves.
#[test]
fn loss_of_a_replaced_leader_hurts_less() {
    let lines = [
        r#"check "german:9-1 + german:8-0 + german:4-6-7" --mc 1 --elr 2 --no-hob"#,
        r#"check "german:9-1 + german:8-0 + german:4-6-7" --mc 1 --elr 3 --no-hob"#,
    ];
    assert_falls(Unbroken, 3, lines, ["61631297/120932352", "41086823/80621568"]);
    let lines = [
        r#"check "german:7-0 + german:10-3 + german:4-6-7" --mc 4 --no-hob"#,
        r#"check "german:7-0 + german:10-3 + german:4-6-7" --mc 3 --no-hob"#,
    ];
    assert_falls(Survives, 3, lines, ["362421005/362797056", "181204937/181398528"]);
}

/// 10.72, 7.831: the leadership of the only leader must be used, even +1, unless it is pinned. A
/// 6+1 of morale 7 stays unpinned more often, which hurts the others. So does an American 8-0 among
/// Germans (10.7), and no leader is better than a 6+1.
#[test]
fn unpinned_leader_with_plus_1_hurts_others() {
    let lines = [
        r#"check "german:6+1 + german:4-6-8" --ptc --no-hob"#,
        r#"check "german:6+1/morale=7 + german:4-6-8" --ptc --no-hob"#,
    ];
    assert_falls(Fit, 2, lines, ["287/432", "277/432"]);
    let foreign = [
        r#"check "american:7-0 + german:4-6-7" --ptc --no-hob"#,
        r#"check "american:8-0 + german:4-6-7" --ptc --no-hob"#,
    ];
    assert_falls(Fit, 2, foreign, ["35/72", "25/54"]);
    let joined = [
        r#"check "german:4-6-7" --mc 0 --no-hob"#,
        r#"check "german:4-6-7 + german:6+1" --mc 0 --no-hob"#,
    ];
    assert_falls(Unbroken, 1, joined, ["7/12", "29/54"]);
}

/// 10.72, 10.53: a 6+1 in an Interdicted hex must be used, too.
#[test]
fn leader_with_plus_1_in_the_hex_must_be_used() {
    let lines = [
        r#"interdict "german:2-4-7/broken" --hexes 1 --no-hob"#,
        r#"interdict "german:2-4-7/broken" --hexes 1 --leader german:6+1 --no-hob"#,
    ];
    assert_falls(Survives, 1, lines, ["5/12", "5/18"]);
}

/// 15.3, 10.6: Battle Hardening turns a Finnish 9-1 into a 10-0, which leads one worse. The next
/// grade is not the better leader.
#[test]
fn finnish_9_1_leads_better_than_a_10_0() {
    let lines = [
        r#"rally "finnish:6-4-8/broken" --phases 1 --leader finnish:9-1 --no-hob"#,
        r#"rally "finnish:6-4-8/broken" --phases 1 --leader finnish:10-0 --no-hob"#,
    ];
    assert_falls(Unbroken, 1, lines, ["5/6", "13/18"]);
}

/// 18.11, 10.63: the first MMC to Self-Rally in its own RPh rallies on an Original 2 whatever the
/// total. It cannot Self-Rally beside a leader. A Conscript squad under DM needs 1 or less with an
/// 8-0, so it has a chance only without it.
#[test]
fn leader_bars_the_first_self_rally() {
    let lines = [
        r#"rally "german:4-3-6/dm" --phases 1 --no-hob"#,
        r#"rally "german:4-3-6/dm" --phases 1 --leader german:8-0 --no-hob"#,
    ];
    assert_falls(Unbroken, 1, lines, ["1/36", "0/1"]);
    let without_dm = [
        r#"rally "german:6+1/dm + german:4-3-6/dm" --phases 1 --no-hob"#,
        r#"rally "german:6+1/broken + german:4-3-6/dm" --phases 1 --no-hob"#,
    ];
    assert_falls(Unbroken, 2, without_dm, ["3887/139968", "2807/139968"]);
    let in_woods = [
        r#"rally "german:6+1/dm + german:4-3-6/dm" --phases 1 --no-hob"#,
        r#"rally "german:6+1/dm + german:4-3-6/dm" --phases 1 --terrain woods --no-hob"#,
    ];
    assert_falls(Unbroken, 2, in_woods, ["3887/139968", "3779/139968"]);
}

/// 10.6, 10.64: without a Good Order leader a half-squad may not try to rally, so Fate cannot
/// strike it. The sooner its broken leader rallies (by grade, without DM, in woods), the sooner it
/// rolls, and an Original 12 eliminates it.
#[test]
fn unit_that_may_rally_may_meet_fate() {
    let grades = [
        r#"rally "german:8-0/broken + german:2-4-7/broken" --phases 1 --own-rph never --no-hob"#,
        r#"rally "german:8-1/broken + german:2-4-7/broken" --phases 1 --own-rph never --no-hob"#,
    ];
    assert_falls(Survives, 2, grades, ["317/324", "3799/3888"]);
    let without_dm = [
        r#"rally "german:6+1/dm + german:2-4-7/broken" --phases 1 --own-rph never --no-hob"#,
        r#"rally "german:6+1/broken + german:2-4-7/broken" --phases 1 --own-rph never --no-hob"#,
    ];
    assert_falls(Survives, 2, without_dm, ["1/1", "643/648"]);
    let in_woods = [
        r#"rally "german:7-0/broken + german:2-4-7/broken" --phases 1 --own-rph never --no-hob"#,
        r#"rally "german:7-0/broken + german:2-4-7/broken" --phases 1 --own-rph never --terrain woods --no-hob"#,
    ];
    assert_falls(Survives, 2, in_woods, ["637/648", "317/324"]);
}

/// 10.64, 17.11, 10.2: Fate wounds a broken leader that tries to rally, mortally one time in three.
/// The unbroken squad beside it takes the LLMC at once: +1 for a 9-1, +2 for a 9-2.
#[test]
fn fate_of_a_better_leader_hurts_more() {
    let lines = [
        r#"rally "german:9-1/broken + german:4-6-8" --phases 1 --own-rph never --no-hob"#,
        r#"rally "german:9-2/broken + german:4-6-8" --phases 1 --own-rph never --no-hob"#,
    ];
    assert_falls(Unbroken, 2, lines, ["1291/1296", "1289/1296"]);
}

/// 10.6, 10.71: leaders try to rally in order of ML, each with the help of those already rallied.
/// The 9-2 goes second and has the -1 of a rallied 9-1. The 10-2 goes first without help.
#[test]
fn better_leader_tries_first_without_help() {
    let lines = [
        r#"rally "german:9-1/broken + german:9-2/broken" --phases 1 --own-rph never --no-hob"#,
        r#"rally "german:9-1/broken + german:10-2/broken" --phases 1 --own-rph never --no-hob"#,
    ];
    assert_falls(Unbroken, 2, lines, ["559/648", "5/6"]);
}

/// 25.22: a Commissar raises ML by one, but a unit that fails to rally under it is Replaced, or
/// eliminated without a lower class. A Conscript half-squad rallies more often than under an 8-0,
/// or is lost. In a check it bars the leadership of all others, so beside a 9-2 its +1 is worse.
#[test]
fn commissar_raises_morale_but_costs_units() {
    let rally = [
        r#"rally "russian:2-2-6/broken" --phases 1 --own-rph never --leader russian:8-0 --no-hob"#,
        r#"rally "russian:2-2-6/broken" --phases 1 --own-rph never --leader commissar:9-0 --no-hob"#,
    ];
    assert_falls(Survives, 1, rally, ["35/36", "5/18"]);
    let check = [
        r#"check "russian:9-2 + russian:4-4-7" --mc 1 --no-hob"#,
        r#"check "russian:9-2 + russian:4-4-7 + commissar:9-0" --mc 1 --no-hob"#,
    ];
    assert_falls(Unbroken, 2, check, ["13813/23328", "422892565/725594112"]);
}

/// 7.301, 7.302, 7.9: on a 2-2 an attack of 20 FP -1 Cowers to 1KIA, one of 16 FP -1 to K/3. Either
/// strikes one of the two units. After a 1KIA the other only breaks; after a K/3 it takes a 3MC,
/// and an Original 12 eliminates a half-squad. All other results are equally deadly to it.
#[test]
fn heavier_fire_kills_one_where_lighter_fire_checks_all() {
    let lines = [
        r#"fire "german:2-4-7 + german:4-6-7" --fp 20 --drm -1 --no-hob"#,
        r#"fire "german:2-4-7 + german:4-6-7" --fp 16 --drm -1 --no-hob"#,
    ];
    assert_falls(Survives, 1, lines, ["3043/3888", "12167/15552"]);
}

/// 7.302: a leader struck by a K result is wounded and takes no MC. Two times in three it remains
/// unbroken, wounded. One column to the left, or at a DRM one higher, a DR of 6 is a K and no
/// longer a KIA. But a 7 is a 4MC and no longer a K, and few 7-0 pass it. So it survives more
/// often, and stays unbroken less often.
#[test]
fn heavier_fire_wounds_the_leader_it_would_have_broken() {
    let fp = [
        r#"fire "german:7-0" --fp 30 --drm -1 --no-hob"#,
        r#"fire "german:7-0" --fp 24 --drm -1 --no-hob"#,
    ];
    assert_falls(Fit, 1, fp, ["227/1296", "101/648"]);
    let drm = [
        r#"fire "german:7-0" --fp 30 --drm -1 --no-hob"#,
        r#"fire "german:7-0" --fp 30 --drm 0 --no-hob"#,
    ];
    assert_falls(Fit, 1, drm, ["227/1296", "101/648"]);
}

/// 15.1: only an Original 2 on a MC restores a broken squad. Fire that causes a MC more often
/// creates a hero more often.
#[test]
fn heavier_fire_may_make_heroes() {
    let fp = [r#"fire "german:4-6-7/broken" --fp 8"#, r#"fire "german:4-6-7/broken" --fp 6"#];
    assert_falls(Unbroken, 1, fp, ["5/324", "35/2592"]);
    let drm =
        [r#"fire "german:4-6-7/broken" --fp 8"#, r#"fire "german:4-6-7/broken" --fp 8 --drm 1"#];
    assert_falls(Unbroken, 1, drm, ["5/324", "35/2592"]);
}

/// 15.1, 10.53: every Interdicted hex does so, too, for units that survive.
#[test]
fn more_interdicted_hexes_may_make_heroes() {
    let lines = [
        r#"interdict "german:4-6-7/broken" --hexes 2"#,
        r#"interdict "german:4-6-7/broken" --hexes 1"#,
    ];
    assert_falls(Unbroken, 1, lines, ["3845/93312", "5/216"]);
}

/// 15.1, 10.53: a pin ends the rout, but a failure only Reduces a squad. With P = 6 a squad is
/// pinned by 5 of 36 DR, with P = 5 by 4. The remnant then runs on, and may roll a 2 in the second
/// hex.
#[test]
fn pin_ends_the_chance_of_a_hero() {
    let morale = [
        r#"interdict "german:4-3-6/broken" --hexes 2"#,
        r#"interdict "german:4-3-6/broken,broken-morale=6" --hexes 2"#,
    ];
    assert_falls(Unbroken, 1, morale, ["68933/1679616", "67889/1679616"]);
    let leader = [
        r#"interdict "german:4-6-7/broken" --hexes 2 --leader german:6+1"#,
        r#"interdict "german:4-6-7/broken" --hexes 2 --leader german:7-0"#,
    ];
    assert_falls(Unbroken, 1, leader, ["3905/93312", "3845/93312"]);
}

/// 15.1, 10.3: with P = 1 an Original 2 breaks the unit first, so the Heat of Battle DR has +1;
/// with P = 2 it pins, without the +1. The +1 moves a DR of 4 from Hero Creation, which leaves
/// squads as they are, to Battle Hardening, which restores them; without a Known enemy in LOS
/// (15.44) it costs only a Surrender on 11.
#[test]
fn failing_original_2_restores_units_more_often() {
    let lines =
        [r#"check "american:6-6-6" --mc 5 --no-keu"#, r#"check "american:6-6-6" --mc 4 --no-keu"#];
    assert_falls(Fit, 1, lines, ["5/216", "29/1296"]);
}

/// 15.1, 19.1: ELR has a similar effect. With ELR 0 an elite squad that fails on a 2 is Replaced
/// and loses the -1 of its class. So it stays broken beside a new hero less often, and is restored
/// more often.
#[test]
fn lower_elr_may_help_to_harden() {
    let lines =
        [r#"check "american:6-6-7" --mc 6 --elr 0"#, r#"check "american:6-6-7" --mc 6 --elr 1"#];
    assert_falls(Unbroken, 1, lines, ["5/216", "29/1296"]);
}

/// 15.41, 15.42: a berserk leader takes along the units that pass a NTC. More units pass with
/// higher morale, and a berserk squad is eliminated by the Original 12 that would have left a
/// half-squad.
#[test]
fn higher_morale_follows_a_berserk_leader_more_often() {
    let lines = [
        r#"check "german:6+1 + german:4-6-7" --mc 0"#,
        r#"check "german:6+1 + german:4-6-7/morale=8" --mc 0"#,
    ];
    assert_falls(Survives, 2, lines, ["93307/93312", "93305/93312"]);
}

/// 10.2, 15.1: with broken ML 8 a broken squad takes no LLMC for an 8-0. Nothing else could have
/// restored it: an Original 2 there brings Heat of Battle like any other.
#[test]
fn leader_loss_check_may_make_heroes() {
    let lines = [
        r#"check "german:8-0 + german:4-6-7" --mc 0"#,
        r#"check "german:8-0 + german:4-6-7/broken-morale=8" --mc 0"#,
    ];
    assert_falls(Unbroken, 2, lines, ["17646499/30233088", "8822167/15116544"]);
}

/// 20.5, 10.3: an unarmed unit cannot break. If it fails it is Reduced, and the half-squad is in
/// Good Order. The highest DR that passes pins it (7.8). A lower MC turns a Reduction into a pin,
/// and moves the pin to a likelier DR.
#[test]
fn lower_mc_pins_unarmed_units_more_often() {
    let lines = [
        r#"check "german:4-6-7/unarmed" --mc 2 --no-hob"#,
        r#"check "german:4-6-7/unarmed" --mc 1 --no-hob"#,
    ];
    assert_falls(Fit, 1, lines, ["31/36", "5/6"]);
}

/// 10.3: a broken half-squad that fails is eliminated, and eliminated units are not broken. The
/// probability of being broken is therefore no measure.
#[test]
fn eliminated_units_do_not_count_as_broken() {
    let lines = [
        r#"check "german:2-4-7/broken" --mc 2 --no-hob"#,
        r#"check "german:2-4-7/broken" --mc 1 --no-hob"#,
    ];
    assert_falls(NotBroken, 1, lines, ["5/6", "13/18"]);
}

/// 10.2, 15.3, 10.22, 15.41: of two equal leaders the first in the stack checks first. An 8-1 that
/// an Original 2 Battle Hardens to a 9-1 is above the second, and helps it. With a Known enemy in
/// LOS one may go berserk instead, and take the other along. The first may have broken, and is then
/// restored. The second is not broken yet; it takes its MC as a berserk leader, which dies more
/// easily.
#[test]
fn first_of_two_equal_leaders_differs_only_with_heat() {
    let both = |measure, line| [1, 2].map(|slot| odds_of(measure, slot, line).to_string());
    let hardened = both(Unbroken, r#"check "german:8-1 + german:8-1" --mc 1 --no-keu"#);
    assert_eq!(hardened, ["4409027/7558272", "4438187/7558272"]);
    let berserk = r#"check "german:9-1 + german:9-1" --mc 1"#;
    assert_eq!(both(Unbroken, berserk), ["2733637/3779136", "10931533/15116544"]);
    assert_eq!(both(Survives, berserk), ["207997/209952", "1663613/1679616"]);
    let alike = both(Unbroken, r#"check "german:9-1 + german:9-1" --mc 1 --no-hob"#);
    assert_eq!(alike, ["13/18", "13/18"]);
}
