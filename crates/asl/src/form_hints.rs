//! Hints for forms: labels, initial and common values, and the questions that players ask most.

use schema::FieldRole::{Circumstance, Periods, Setting};
use schema::{FieldHint, FormHints, KindHint};

pub(crate) const FORM_HINTS: FormHints = FormHints { kinds: KINDS, fields: FIELDS, units: UNITS };

/// Squads of first lines, then leaders.
const UNITS: &[&str] = &[
    "4-6-7", "4-6-8", "5-4-8", "4-4-7", "4-5-8", "6-5-8", "4-2-6", "6-2-8", "5-2-7", "6-6-6",
    "6-6-7", "7-4-7", "4-5-7", "6-4-8", "3-4-7", "9-2", "9-1", "8-1", "8-0", "7-0",
];

const fn kind(
    kind: &'static str,
    label: &'static str,
    brief: &'static str,
    icon: &'static str,
) -> KindHint {
    KindHint { kind, label, brief, icon }
}

const KINDS: &[KindHint] = &[
    kind("rally", "Rally", "phase by phase", "M6 21V3l11 4-11 5"),
    kind(
        "fire",
        "Fire",
        "an attack on the IFT",
        "M12 2v5M12 17v5M2 12h5M17 12h5M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    ),
    kind("check", "MC / PTC", "a Morale Check", "M4 12l5 6L20 5"),
    kind("interdict", "Rout across", "Interdicted hexes", "M3 12h12M11 7l5 5-5 5M20 4v16"),
    kind("campaign", "Crawl or run", "over Player Turns", "M4 19h5l3-7h4l4-7M16 5h4v4"),
    kind("rout", "Map", "rout on a map", "M12 2l9 5v10l-9 5-9-5V7zM12 9v6M9 12h6"),
    kind("cc", "Close Combat", "Ambush, attacks, Melee", "M4 4l16 16M20 4L4 20M3 16l5 5M16 21l5-5"),
    kind("sequence", "Steps", "one after another", "M4 6h6M4 12h11M4 18h16"),
    kind(
        "cross",
        "Move under fire",
        "First Fire at a stack",
        "M3 17h4l3-5h4l3-5h4M17 12l3 3M17 15l3-3",
    ),
    kind("platoon", "Platoon", "who holds a position", "M4 20V9l8-5 8 5v11zM9 20v-6h6v6"),
    kind("firefight", "Firefight", "two sides", "M3 8h10M9 4l4 4-4 4M21 16H11M15 12l-4 4 4 4"),
    kind(
        "turn",
        "Attacks of a turn",
        "named firers",
        "M12 3a9 9 0 1 0 9 9M12 7v5l4 2M16 3l5 1-1 5",
    ),
    kind(
        "sniper",
        "Sniper",
        "calls and attacks",
        "M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 2v7M12 15v7M2 12h7M15 12h7",
    ),
    kind("conceal", "Concealment", "to gain a `?`", "M9 8a3 3 0 1 1 4 3c-1 .6-1 1-1 3M12 18v.1"),
];

const fn field(field: &'static str, label: &'static str) -> FieldHint {
    FieldHint::new(field, label)
}

const fn circumstance(field: &'static str, label: &'static str) -> FieldHint {
    FieldHint::new(field, label).role(Circumstance)
}

const FIELDS: &[FieldHint] = &[
    field("stack", "Units"),
    field("unit", "Unit"),
    field("against", "Their units"),
    field("fp", "FP")
        .initial("8")
        .common(&["1", "2", "4", "6", "8", "12", "16", "20", "24", "30", "36"]),
    field("drm", "DRM").common(&["-3", "-2", "-1", "0", "1", "2", "3", "4"]),
    field("cowering", "No Cowering"),
    field("inexperienced", "Inexperienced"),
    field("by", "Firers").replaces(&["fp", "drm", "cowering", "inexperienced"]),
    circumstance("range", "Range").common(&["0", "1", "2", "3", "4", "6", "8", "12"]),
    circumstance("phase", "Phase"),
    circumstance("tem", "TEM"),
    circumstance("works", "Works"),
    circumstance("pillbox", "Pillbox"),
    circumstance("hexside", "Hexside"),
    circumstance("wall-advantage", "Wall Advantage"),
    circumstance("level", "Level"),
    circumstance("crest", "Crest"),
    circumstance("hindrance", "Hindrance").common(&["0", "1", "2", "3"]),
    circumstance("smoke", "SMOKE"),
    circumstance("smoke-los", "SMOKE between"),
    circumstance("smoke-out", "SMOKE of the firers"),
    circumstance("lv", "LV"),
    circumstance("move", "Target moves"),
    circumstance("mf", "MF"),
    circumstance("spraying", "Spraying Fire"),
    circumstance("snap-shot", "Snap Shot"),
    circumstance("area", "Area Fire"),
    circumstance("direct", "Leaders direct"),
    circumstance("overstack-by", "Firers overstacked"),
    circumstance("overstack-target", "Target overstacked"),
    circumstance("target-ft", "FT of the target"),
    circumstance("dc", "DC"),
    circumstance("mol", "MOL"),
    field("night", "Night"),
    field("rof", "ROF"),
    field("stop", "Stop"),
    field("mc", "MC").initial("0").common(&["0", "1", "2", "3", "4"]),
    field("ptc", "PTC").replaces(&["mc"]),
    field("hexes", "Hexes").initial("1").common(&["1", "2", "3", "4", "5", "6"]),
    field("leader", "Leader").common(&["9-2", "9-1", "8-1", "8-0", "7-0"]),
    field("terrain", "Terrain")
        .common(&["open", "woods", "stone", "wooden", "brush", "grain", "orchard", "foxhole"]),
    field("phases", "Rally Phases").role(Periods),
    field("own-rph", "Own Rally Phases"),
    field("dm", "DM"),
    field("keep-dm", "Keep DM"),
    field("turns", "Player Turns"),
    field("elr", "ELR").common(&["0", "1", "2", "3", "4", "5"]).role(Setting),
    field("profile", "Edition").common(&["asl-v3", "asl-v2", "aslsk"]).role(Setting),
    field("enemy", "Against").role(Setting),
    field("hob", "No Heat of Battle"),
    field("san", "SAN"),
    field("sniper-hits", "Sniper hits"),
    field("path", "Path"),
    field("defender", "Defenders"),
    field("fire", "Fire plan"),
    field("to", "Safest path to"),
    circumstance("concealed", "Concealed"),
    circumstance("stopped", "Fire at who stops"),
    circumstance("nvr", "NVR"),
];
