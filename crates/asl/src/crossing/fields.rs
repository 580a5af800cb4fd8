//! The fields of a question about a stack that moves under fire.

use super::defenders::CrossingDefenders;
use super::map::CrossingMap;
use super::orders::{AfterStop, CrossingMove, FireOrders, FirePolicy, GoingOn};
use super::path::WrittenPath;
use crate::kinds::StackFields;
use crate::rout::fields::HexName;
use schema::field::{Whole, fields};

type Few = Whole<0, 9>;
type Hexes = Whole<0, 40>;

fields! {
    /// The fields of a stack that moves under fire, beside those of every stack.
    pub struct CrossingFields, CrossingSetters {
        "path" path: Option<WrittenPath>, "Locations entered, in order, each as `TERRAIN [MF] \
            [WORD VALUE]`, such as `open, grain 2, stone 2 hexside wall`; on a map its hexes, from \
            where the stack begins: `Q5 Q4 P4`", ["A4.1"];
        "map" map: Option<CrossingMap>, "situation whose map the stack crosses, among its enemies",
            once;
        "to" to: Option<HexName>, "on a map: the hex to reach by the safest path";
        "defender" defenders: Option<CrossingDefenders>, "an enemy Location, as `NAME: FIRERS @ \
            RANGES`, such as `A: 8-1 + german:4-6-7/mmg @ 4, 3, 2`; on a map `@ HEX`", ["A8.1"];
        "fire" orders: FireOrders = "auto", "who fires at each Location, in order: `A, A B, none`; \
            or auto, as `policy` says", ["A8.1"];
        "policy" policy: FirePolicy = "all",
            "who fires by auto: all, first (each once in a Location), hold-fire (until ADJACENT)";
        "move" movement: CrossingMove = "non-assault",
            "how the stack moves: non-assault, assault (one Location a Player Turn), dash, charge",
            ["A4.6"];
        "concealed" concealed: bool, "the stack is concealed", ["A12.14"];
        "night" night: bool, "it is night", ["E1.7"];
        "nvr" visibility: Option<Hexes>, "on a map at night: the Night Visibility Range in hexes",
            ["E1.1"];
        "lv" low_visibility: Few = "0", "DRM of Low Visibility", ["E3.1"];
        "then" going_on: GoingOn = "stop", "how units go on where others stop: stop (together, the \
            others stop), apart (one by one)", ["A4.2"];
        "stopped" stopped: AfterStop = "cease",
            "what defenders do at a stack of which nobody goes on: cease, continue";
    }
}

/// The head of the form: the fields of every stack, and those of a crossing.
pub type CrossingHead = (StackFields, CrossingFields);
