//! Every kind of every game assigns its statuses to classes.

use crate::table;
use std::collections::BTreeSet;

use super::twin::{GROUPS, classes};
use super::{answered, build_question};
use lowcrawl::asl::kinds::QuestionKind;
use lowcrawl::play::Game;
use lowcrawl::schema::{ChartClass, Kind, Word as _};

/// Statuses that no unit can have, by game and kind. An army holds or does not, and a volley has an
/// effect.
const STATUSES_OF_NO_UNIT: [(&str, &str, &[&str]); 3] = [
    ("reaction", "volley", &["holds", "at-zero"]),
    ("reaction", "volleys", &["holds", "at-zero", "not-fired", "missed", "held", "disrupted"]),
    (
        "reaction",
        "sequence",
        &["holds", "at-zero", "collapsed", "draw", "not-fired", "missed", "held", "disrupted"],
    ),
];

fn kinds() -> Vec<(&'static dyn Game, &'static Kind)> {
    let games = lowcrawl::games().games().to_vec();
    let of = |game: &'static dyn Game| game.kinds().iter().map(move |kind| (game, *kind));
    games.into_iter().flat_map(of).collect()
}

#[test]
fn every_status_is_in_one_class() {
    let mut counted = 0;
    for (game, kind) in kinds() {
        let what = format!("{} {}", game.name(), kind.name);
        assert_eq!(kind.classes.is_empty(), kind.groups.is_empty(), "{what}");
        if kind.classes.is_empty() {
            continue;
        }
        counted += 1;
        let none = STATUSES_OF_NO_UNIT
            .iter()
            .find(|(of, name, _)| (*of, *name) == (game.name(), kind.name));
        let none = none.map_or(&[][..], |(.., statuses)| statuses);
        for status in kind.statuses {
            let of: Vec<&str> = kind
                .classes
                .iter()
                .filter(|class| class.statuses.contains(status))
                .map(|class| class.name)
                .collect();
            let expected = usize::from(!none.contains(status));
            assert_eq!(of.len(), expected, "{what}: {status} is in {of:?}");
        }
        // In Reaction Dice `holds` is a status of an army, and units have `may-fire`.
        let first = if game.name() == "reaction" { "may-fire" } else { "holds" };
        assert_eq!(kind.classes[0].name, first, "{what}");
        let names: BTreeSet<&str> = kind.classes.iter().map(|class| class.name).collect();
        assert_eq!(names.len(), kind.classes.len(), "{what}: two classes of one name");
        let groups: BTreeSet<&str> = kind.groups.iter().map(|group| group.name).collect();
        assert_eq!(groups.len(), kind.groups.len(), "{what}: two groups of one name");
        for group in kind.groups {
            assert!(group.parts > 0 && !group.about.is_empty(), "{what}: {}", group.name);
            assert_eq!(kind.group(group.name).unwrap(), group, "{what}");
        }
    }
    // Thirteen kinds of ASL, five of Samurai Battles, five of Reaction Dice.
    assert_eq!(counted, 23);
}

/// Every status has a class in charts. Units are lost there if they count as lost, and only then.
#[test]
fn every_status_has_a_class_in_charts() {
    let mut met = BTreeSet::new();
    for (game, kind) in kinds() {
        let what = format!("{} {}", game.name(), kind.name);
        for status in kind.statuses {
            let (class, words) =
                (kind.in_charts)(status).unwrap_or_else(|| panic!("{what}: {status}"));
            assert!(!words.is_empty(), "{what}: {status}");
            met.insert(class.name());
            if let Some(counted) = kind.class_of(status) {
                let is_lost = kind.classes[counted].name == "lost";
                assert_eq!(class == ChartClass::Lost, is_lost, "{what}: {status}");
            }
        }
        assert_eq!((kind.in_charts)("no status"), None, "{what}");
        for class in kind.classes {
            assert!(kind.chart_class(class.name).is_some(), "{what}: {}", class.name);
        }
    }
    assert_eq!(met.len(), ChartClass::ALL.len(), "{met:?}");
}

/// A.7: a unit that is neither broken nor berserk nor lost is in Good Order, and holds. Every
/// status of ASL belongs to exactly one class.
#[test]
fn asl_classes_match_their_definition() {
    for ask in [
        QuestionKind::Fire,
        QuestionKind::Check,
        QuestionKind::Rally,
        QuestionKind::Interdict,
        QuestionKind::Sequence,
    ] {
        let kind = ask.declared();
        let actual: Vec<(&str, Vec<&str>)> =
            kind.classes.iter().map(|class| (class.name, class.statuses.to_vec())).collect();
        let known: Vec<(&str, Vec<&str>)> =
            classes(ask).iter().map(|(name, statuses)| (*name, statuses.to_vec())).collect();
        assert_eq!(actual, known, "{}", kind.name);
        let groups: Vec<&str> = kind.groups.iter().map(|group| group.name).collect();
        assert_eq!(groups, GROUPS, "{}", kind.name);
        let of_classes: BTreeSet<&str> =
            known.iter().flat_map(|(_, statuses)| statuses).copied().collect();
        assert_eq!(of_classes, kind.statuses.iter().copied().collect(), "{}", kind.name);
    }
}

/// Statuses without a class are reported for armies and volleys only, never for units.
#[test]
fn statuses_without_class_belong_to_no_unit() {
    for [kind, fields] in table::rows(
        "
            volley   | target=panzer-iv; dice=8; army
            volleys  | target=panzer-iv; dice=8; volleys=2; effects; army
            sequence | own=panzer-iv; enemy=panzer-iv; effects; army; 1.do=volley; 1.dice=8; 1.target=1; 2.do=volley; 2.dice=8; 2.target=2
        ",
    ) {
        let question = build_question("reaction", kind, fields);
        let table = answered(question.as_ref(), None, false).unwrap();
        let units = if kind == "sequence" { 2 } else { 1 };
        let mut others = 0;
        for row in &table.rows {
            let (slot, status) = (row.label.slot.unwrap(), row.label.status.unwrap());
            let is_unit = slot <= units;
            let has_class = question.words().facts().kind.class_of(status).is_some();
            assert!(!is_unit || has_class, "{kind}: [{slot}] {status}");
            others += usize::from(!is_unit);
        }
        assert!(others > 0, "{kind} reports no army");
        // A volley may have the status word of a unit, but it is counted nowhere.
        let counts = table.counts.as_ref().unwrap();
        for point in counts.all_points() {
            let classes = 0..question.words().facts().kind.classes.len();
            let sum: f64 = classes.map(|class| counts.mean(point, class).unwrap().value).sum();
            assert!((sum - f64::from(counts.whole)).abs() < 1e-12, "{kind}: {sum} at {point}");
        }
    }
}
