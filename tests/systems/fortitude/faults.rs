//! Every invalid input has one clear message that names the field.

use std::collections::BTreeSet;

use lowcrawl::answer::QuestionInfo as _;
use lowcrawl::fortitude::{
    Draft, FieldSetters as _, Fields, Fortitude, QuestionBuilder, QuestionKind, StepFields,
    StepKind,
};
use lowcrawl::play::Game as _;
use lowcrawl::schema::{Fields as _, RawValue, Settable as _, Word as _};

use crate::table::rows;

use super::questions::{blank, try_ask};

fn faults(kind: &str, fields: &str) -> String {
    let blame = try_ask(kind, fields).map(|_| ()).expect_err(kind);
    format!("{}: {}", blame.field, blame.fault)
}

/// A fault in orders by slot points at the invalid one.
#[test]
fn fault_in_orders_by_slot_points_at_the_order() {
    let fields = "units=2x unit; 1.do=turn; 1.orders=1:defend,2:marsch";
    let fault = try_ask("sequence", fields).err().unwrap().fault;
    assert_eq!(fault.to_string(), "no order is called `marsch` (did you mean `march`?)");
    assert_eq!(fault.span, 11..17);
}

#[test]
fn invalid_values_are_rejected_with_their_field() {
    for [kind, fields, fault] in rows(
        "
            test    | units=unti | units: no unit is called `unti` (did you mean `unit`?)
            test    | cause=morals | cause: unknown cause `morals` (did you mean `morale`?)
            test    | order=defent | order: no order is called `defent` (did you mean `defend`?)
            test    | casualties=13 | casualties: `casualties` must be a whole number from 0 to 12, not 13
            recover | turns=0 | turns: `turns` must be a whole number from 1 to 60, not 0
            recover | turns=many | turns: `turns` must be a whole number from 1 to 60, not `many`
            recover | until=rooted | until: `until` has no value `rooted` (did you mean `routed`?)
            recover | just-routed=1 | just-routed: `just-routed` must be true or false, not 1
            fire    | dice=0 | dice: `dice` must be a whole number from 1 to 72, not 0
            fire    | value=41 | value: `value` must be a whole number from 0 to 40, not 41
            fire    | attacks=13 | attacks: `attacks` must be a whole number from 1 to 12, not 13
            fire    | orders=defend,defend | orders: `defend` is given twice
            assault | sides=left | sides: no side is called `left` (valid: front, flank, rear)
            assault | sides=rear,rear | sides: at most 1 assaults the rear
            assault | sides=flank,flank,flank | sides: at most 2 assault the flank
            fire    | damage-rule=substract | damage-rule: `damage-rule` has no value `substract` (did you mean `subtract`?)
            fire    | commander-bonus=21 | commander-bonus: `commander-bonus` must be a whole number from -20 to 20, not 21
            fire    | fail-adds=4 | fail-adds: `fail-adds` must be a whole number from 1 to 3, not 4
            fire    | flee-hexes=-1 | flee-hexes: `flee-hexes` must be a whole number from 0 to 60, not -1
            fire    | panic-exit-destroys=yes | panic-exit-destroys: `panic-exit-destroys` must be true or false, not `yes`
            assault | sides=front or left | sides: no side is called `left` (valid: front, flank, rear)
            assault | sides=front or flank or front | sides: `front` is given twice
            assault | sides=front or flank,flank,rear | sides: `flank,flank,rear` has more than two attackers, so it cannot be chosen (for example `front or flank or flank,rear`)
            test    | fortitude-die=12 | fortitude-die: `fortitude-die` can only be 20, not 12
            fire    | orders-that-fire=marsch | orders-that-fire: no order is called `marsch` (did you mean `march`?)
            fire    | orders-without-commander=rest,rest | orders-without-commander: `rest` is given twice
            fire    | level-attack=0,-2,-3 | level-attack: `level-attack` must be 4 numbers from -20 to 20, not `0,-2,-3` (for example `0,-2,-3,zero`)
            fire    | fatigue-fortitude=0,1,zero | fatigue-fortitude: `fatigue-fortitude` must be 3 numbers from -20 to 20, not `0,1,zero` (for example `0,-1,-2`)
        ",
    ) {
        assert_eq!(faults(kind, fields), fault, "{kind}: {fields}");
    }
}

#[test]
fn contradictory_fields_are_rejected_at_one_of_them() {
    for [kind, fields, fault] in rows(
        r#"
            recover | turns=1 | units: units are missing (for example `unit/base=10,shaken`)
            test    | units=unit | cause: `cause` is missing: morale, flank, rear, casualties or staff-lost
            test    | units=unit; cause=morale; order=defend | order: orders are given after the Morale Phase: remove `order`
            test    | units=unit; cause=staff-lost; staff-lost=true | staff-lost: the test comes when the General Staff is lost: remove `staff-lost`
            test    | units=unit; cause=flank; casualties=1 | casualties: `casualties` needs the cause `casualties`
            test    | units=unit; cause=casualties; casualties=0 | casualties: a test for casualties needs at least one casualty
            test    | units=unit/general-staff; cause=staff-lost | units: the General Staff is lost and makes no test: remove it from the units
            fire    | units=samurai-cavalry; dice=1; value=1; order=defend | order: the order defend is not allowed for cavalry
            fire    | units=unit; by=samurai-cavalry; by-order=all-around-defense | by-order: the order all-around-defense is not allowed for cavalry
            fire    | units=samurai-cavalry; dice=1; value=1; orders=defend | orders: none of these orders is allowed for cavalry
            fire    | units=unit; dice=1; value=1; order=march; orders=defend | order: use either `order` or `orders`
            recover | units=2x unit/general-staff | units: an army has only one General Staff
            recover | units=unit/general-staff; staff-lost=true | staff-lost: the General Staff is among the units, so it cannot be lost
            recover | units=unit/staff=2; staff-lost=true | staff-lost: a unit has a distance to the General Staff, so the General Staff cannot be lost
            fire    | units=unit; by=unit/staff=2; enemy-staff-lost=true | enemy-staff-lost: a unit has a distance to the General Staff, so the General Staff cannot be lost
            fire    | units=unit | dice: the attack is missing (`casualties = 1`, or `dice = 6` and `value = 10`, or `by = "samurai-cavalry"`)
            fire    | units=unit; dice=3 | value: say which Attack Value the dice have
            fire    | units=unit; value=3 | dice: say how many dice attack
            fire    | units=unit; dice=3; value=3; casualties=1 | casualties: use either fixed `casualties` or dice, not both
            fire    | units=unit; by=unit; dice=3 | dice: units attack with their own values: use either `by` or `dice`
            fire    | units=unit; by=unit/shaken | by: a unit that is Shaken or Panicked does not fire
            fire    | units=unit; dice=1; value=1; by-order=march | by-order: `by-order` is the order of a firing unit: name the unit with `by`
            fire    | units=unit; by=unit; by-order=march | by-order: the order march does not let a unit fire
            test    | units=unit/commander + unit; cause=flank; order=run; orders-without-commander=defend,rest | order: the order run is not allowed for a unit without a Commander
            fire    | units=unit; dice=1; value=1; orders=run,march; orders-without-commander=defend | orders: none of these orders is allowed for a unit without a Commander
            fire    | units=samurai-cavalry; dice=1; value=1; orders=defend,march; orders-without-commander=defend | orders: none of these orders is allowed for cavalry without a Commander
            assault | units=unit; by=unit; orders-without-commander=none | by: the order assault is not allowed for a unit without a Commander
            assault | units=unit; by=unit; sides=front or flank,rear | sides: 1 unit assaults, but 2 sides are named
            assault | units=unit; sides=front or flank; assault-each-turn=true | sides: with `assault-each-turn` the sides must be the same every turn
            assault | units=2x unit | units: one unit is assaulted, not 2
            assault | units=unit; by=unit; sides=flank,rear | sides: 1 unit assaults, but 2 sides are named
            assault | units=unit; by=unit/panicked | by: a unit that is Shaken or Panicked does not assault
            assault | units=unit; enemy-orders=march | enemy-orders: no unit assaults: name one with `by`
            assault | units=unit; enemy-staff-lost=true | enemy-staff-lost: no unit assaults: name one with `by`
            assault | units=unit; by=unit; enemy-orders=march; assault-each-turn=true | enemy-orders: with `assault-each-turn` an assaulting unit has the order assault every turn
        "#,
    ) {
        assert_eq!(faults(kind, fields), fault, "{kind}: {fields}");
    }
}

#[test]
fn invalid_steps_are_rejected_with_their_field() {
    let turn = "units=unit; enemies=2x unit; 1.do=turn";
    for [steps, fault] in rows(
        r#"
            2.do=fly | 2.do: no kind of step is called `fly` (valid: turn, fire, assault, staff-destroyed, place)
            3.do=turn | 3.do: step 3 is out of order: the sequence has 1 step before it
            2.do=fire; 2.at=0 | 2.at: `at` must be slots, such as `2` or `"1,3"`, not `0`
            2.do=fire; 2.by=2 | 2.at: say who is fired at, for example `at = 1`
            2.do=fire; 2.at=1 | 2.by: say who attacks: `by` slots, `casualties`, or `dice` and `value`
            2.do=fire; 2.at=1; 2.by=4 | 2.by: there is no slot 4: the battle has 3 units
            2.do=fire; 2.at=2; 2.by=3 | 2.by: slot 3 cannot attack its own side
            2.do=fire; 2.at=1; 2.by=3; 2.dice=1 | 2.dice: units attack with their own values: use either `by` or `dice`
            2.do=assault; 2.by=2 | 2.at: `assault` needs exactly one slot, for example `at = 1`
            2.do=assault; 2.at=1; 2.by=2,3; 2.sides=rear | 2.sides: 2 units assault, but 1 side is named
            2.do=assault; 2.at=1; 2.by=2,2 | 2.by: slot 2 assaults already
            2.do=assault; 2.at=1; 2.by=2; 3.do=assault; 3.at=1; 3.by=3 | 3.at: slot 1 is assaulted already: name all sides in one step
            2.do=assault; 2.at=1; 2.by=2; 3.do=fire; 3.at=1; 3.by=3 | 3.do: fire comes before the assaults of its turn
            2.do=place; 2.at=1 | 2.staff: say where to place the unit: `staff`, `edge`, or both
            2.do=staff-destroyed; 2.of=them | 2.of: no side is called `them` (valid: units, enemies)
            2.do=turn; 2.orders=defend | 2.orders: `defend` is not an order by slot (for example `1:defend,3:march`)
            2.do=turn; 2.orders=1:defent | 2.orders: no order is called `defent` (did you mean `defend`?)
            2.do=turn; 2.orders=1:defend,1:march | 2.orders: slot 1 gets two orders
            2.do=turn; 2.orders=9:march | 2.orders: there is no slot 9: the battle has 3 units
            2.do=turn; 2.orders=2:defend; 3.do=assault; 3.at=1; 3.by=2 | 3.by: slot 2 has the order defend: it cannot assault
            enemy-staff-lost=true; 2.do=place; 2.at=2; 2.staff=3 | 2.staff: the General Staff is lost: remove `staff`
            2.do=staff-destroyed; 3.do=turn; 4.do=place; 4.at=1; 4.staff=3 | 4.staff: the General Staff is lost: remove `staff`
            2.do=place; 2.at=1; 2.own-edge=4 | 2.own-edge: `own-edge` also needs `edge`, the distance to the nearest edge
            2.do=place; 2.at=1; 2.edge=5; 2.own-edge=4 | 2.own-edge: `edge` (nearest) must not be greater than `own-edge`: `edge` is 5, `own-edge` 4
            2.do=turn; 2.orders=2:march; 3.do=fire; 3.at=1; 3.by=2 | 3.by: slot 2 has the order march: it cannot fire
            2.do=fire; 2.at=1; 2.by=2; 3.do=assault; 3.at=1; 3.by=2 | 3.by: slot 2 fires this turn: it cannot have the order assault
            orders-without-commander=rest; 2.do=assault; 2.at=1; 2.by=2 | 2.by: the order assault is not allowed for a unit without a Commander
            orders-without-commander=rest; 2.do=turn; 2.orders=1:march | 2.orders: the order march is not allowed for a unit without a Commander
            enemies=unit/general-staff; 2.do=place; 2.at=2; 2.staff=3 | 2.staff: the General Staff has no distance to itself: remove `staff`
            assault-each-turn=true | assault-each-turn: in a sequence every assault is a separate step: remove `assault-each-turn`
        "#,
    ) {
        assert_eq!(faults("sequence", &format!("{turn}; {steps}")), fault, "{steps}");
    }
    assert_eq!(
        faults("sequence", "units=unit; 1.do=turn; 2.do=fire; 2.at=2; 2.casualties=1"),
        "2.at: there is no slot 2: the battle has 1 unit"
    );
    assert_eq!(
        faults("sequence", "units=unit"),
        "1.do: a sequence needs at least one step ([[step]]\ndo = \"turn\")"
    );
    assert_eq!(
        faults("sequence", "units=unit; 1.do=fire; 1.at=1; 1.casualties=1"),
        "1.do: a sequence begins with a step that does `turn`"
    );
    assert_eq!(
        faults("sequence", "units=samurai-cavalry; 1.do=turn; 1.orders=1:defend"),
        "1.orders: the order defend is not allowed for cavalry"
    );
    let many: Vec<String> = (2..18).map(|step| format!("{step}.do=turn")).collect();
    let assaults = |step: &String| {
        let number: usize = step.split('.').next().unwrap().parse().unwrap();
        format!(
            "{}.do=turn; {}.do=assault; {}.at=1; {}.casualties=1",
            2 * number - 2,
            2 * number - 1,
            2 * number - 1,
            2 * number - 1
        )
    };
    let steps: Vec<String> = many.iter().map(assaults).collect();
    assert_eq!(
        faults("sequence", &format!("{turn}; {}", steps.join("; "))),
        "1.do: at most 15 assaults of a sequence can have dice or fixed casualties"
    );
}

/// Fields that no question has, or that this step does not have, are rejected.
#[test]
fn unknown_fields_are_rejected_with_suggestions() {
    let mut recover = blank("recover");
    assert!(
        !recover.knows("turnes")
            && recover.knows("TURNS")
            && recover.knows("damage_rule")
            && !recover.knows("1.do")
    );
    let fault = recover.set("turnes", RawValue::Integer(1)).unwrap_err();
    assert_eq!(fault.to_string(), "`recover` has no field `turnes` (did you mean `turns`?)");
    let fault = recover.set("casualties", RawValue::Integer(1)).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "`recover` has no field `casualties` (it belongs to test, fire, assault)"
    );
    // A number may be written as text, as in files.
    recover.set("commander-bonus", RawValue::Text("5")).unwrap();
    recover.set("casualty-fortitude-permanent", RawValue::Text("False")).unwrap();
    recover.set("units", RawValue::Text("unit/shaken")).unwrap();
    let footing = recover.question().unwrap().provenance();
    assert_eq!(
        footing.settings().collect::<Vec<_>>(),
        [("casualty-fortitude-permanent", "false"), ("commander-bonus", "5")]
    );
    let mut sequence = blank("sequence");
    assert!(sequence.knows("7.do") && !sequence.knows("1.at"));
    let fault = sequence.set("1.at", RawValue::Integer(1)).unwrap_err();
    assert_eq!(fault.to_string(), "step 1 does not exist: the sequence has 0 steps");
    sequence.set("1.do", RawValue::Text("turn")).unwrap();
    assert!(sequence.knows("1.orders") && !sequence.knows("1.at"));
    let fault = sequence.set("1.order", RawValue::Text("")).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "a step that does `turn` has no field `order` (did you mean `orders`?)"
    );
    for step in 2..=40 {
        sequence.set(&format!("{step}.do"), RawValue::Text("turn")).unwrap();
    }
    let fault = sequence.set("41.do", RawValue::Text("turn")).unwrap_err();
    assert_eq!(fault.to_string(), "a sequence has at most 40 steps");
}

/// Every declared field belongs to some question or step, every listed word is accepted, and the
/// defaults are the declared ones.
#[test]
fn declared_fields_match_the_fields_in_use() {
    let declared: Vec<&str> = Fields::ALL.iter().map(|field| field.name).collect();
    let used_by_kinds: BTreeSet<&str> = QuestionKind::ALL
        .iter()
        .flat_map(|ask| ask.declared().fields())
        .map(|field| field.name)
        .collect();
    assert_eq!(used_by_kinds, declared.into_iter().collect());
    let declared: BTreeSet<&str> = StepFields::ALL.iter().map(|field| field.name).collect();
    let used_by_steps: BTreeSet<&str> = StepKind::ALL
        .iter()
        .flat_map(|step_kind| step_kind.declared().fields())
        .map(|field| field.name)
        .collect();
    assert_eq!(used_by_steps, declared);
    assert_eq!(Fortitude.name(), "fortitude");
    let kinds: Vec<&str> = Fortitude.kinds().iter().map(|kind| kind.name).collect();
    assert_eq!(kinds, QuestionKind::ALL.iter().map(|ask| ask.declared().name).collect::<Vec<_>>());
    let turns = [QuestionKind::Recover, QuestionKind::Fire, QuestionKind::Assault]
        .map(|ask| Draft::new(ask).head.turns.u8());
    assert_eq!(turns, [6, 1, 1]);
    for field in
        QuestionKind::ALL.iter().flat_map(|ask| ask.declared().fields()).chain(StepFields::ALL)
    {
        for word in field.takes.words() {
            assert!(field.about.contains(word), "{}: {word}", field.name);
        }
        assert_eq!(field.sweeps, field.name != "joint", "{}", field.name);
    }
}

#[test]
fn builder_reports_its_first_invalid_field() {
    let question = QuestionBuilder::new(QuestionKind::Fire, "unit")
        .dice(3)
        .value(10)
        .order("defend")
        .staff_lost(true)
        .question()
        .unwrap();
    assert_eq!(
        question.texts().in_words,
        "unit under fire of 3 dice at 10, 1 turn, order defend, General Staff lost"
    );
    let fault = QuestionBuilder::new(QuestionKind::Fire, "unit")
        .dice(0)
        .turns(61)
        .question()
        .err()
        .unwrap();
    assert_eq!(fault.field, "dice");
    assert_eq!(fault.fault.to_string(), "`dice` must be a whole number from 1 to 72, not 0");
    let fault = QuestionBuilder::new(QuestionKind::Recover, "unit/shaken")
        .dice(1)
        .question()
        .err()
        .unwrap();
    assert_eq!(
        fault.fault.to_string(),
        "`recover` has no field `dice` (it belongs to fire, assault)"
    );
    let faults = |ask: QuestionKind| QuestionBuilder::new(ask, "unit").question().err().unwrap();
    assert_eq!(faults(QuestionKind::Test).field, "cause");
    assert_eq!(
        faults(QuestionKind::Sequence).fault.to_string(),
        "units are missing (for example `unit/base=10,shaken`)"
    );
}
