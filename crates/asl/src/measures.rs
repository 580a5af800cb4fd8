//! The measures of a final state that a player can play for.

use schema::Measure;

/// The measures that a player can maximise.
pub const MEASURES: [Measure; 6] = [
    Measure {
        name: "good-order",
        weight: 1.0,
        of_one: "P(Good Order at the end)",
        of_several: "expected number of units in Good Order",
        gain: "expected units in Good Order",
    },
    Measure {
        name: "good-order-squads",
        weight: 1.0,
        of_one: "expected squad-equivalents in Good Order",
        of_several: "expected squad-equivalents in Good Order",
        gain: "expected squad-equivalents in Good Order",
    },
    Measure {
        name: "survives",
        weight: 1.0,
        of_one: "P(survives)",
        of_several: "expected number of units that survive",
        gain: "expected survivors",
    },
    Measure {
        name: "in-cover",
        weight: 1.0,
        of_one: "P(in cover at the end)",
        of_several: "expected number of units in cover",
        gain: "expected units in cover",
    },
    Measure {
        name: "squad-equivalents",
        weight: 1.0,
        of_one: "expected squad-equivalents left",
        of_several: "expected squad-equivalents left",
        gain: "expected squad-equivalents",
    },
    Measure {
        name: "cvp",
        weight: -1.0,
        of_one: "expected CVP lost",
        of_several: "expected CVP lost",
        gain: "expected CVP lost",
    },
];
