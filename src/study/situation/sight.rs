//! The lines of sight of a situation: computed or listed, and those given by hand.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::super::keys::{in_file_order, in_words, sub_table, whole_number, word};
use crate::board::geometry::Geometry;
use crate::board::map::{Map, Placed, Site};
use crate::board::sight::{LineOfSight, Listed, Overridden, Remembered};
use crate::board::table::ListedLine;
use crate::text::{Fault, canonical, nearest};

/// Most Hindrances through which there is a line (6.7).
const HINDRANCES: i64 = 9;

/// Reads `[los]`: `"H5-J1" = 0` is a line through no Hindrance, `"K5-K7" = "blocked"` none; `others = "blocked"` blocks all lines that are
/// not given.
pub(super) fn read(
    root: &DeTable,
    map: &Map,
    lines: Option<(Vec<Placed>, Vec<ListedLine>)>,
) -> Result<Arc<dyn LineOfSight>, Fault> {
    let los = sub_table(root, "los")?;
    let mut given: Vec<(Site, Site, Option<u8>, std::ops::Range<usize>)> = Vec::new();
    let mut others_blocked = false;
    for (key, value) in in_file_order(los) {
        if key.get_ref() == "others" {
            others_blocked = word(value, "others", [("blocked", true), ("computed", false)])?;
            continue;
        }
        let hindrance = match value.get_ref() {
            DeValue::String(text) if canonical(text) == "blocked" => None,
            DeValue::Integer(_) => Some(whole_number(value, key.get_ref(), 0, HINDRANCES)? as u8),
            other => {
                let what = other.as_str().map_or(in_words(other).to_string(), |text| format!("`{text}`"));
                let fault = Fault::new(format!("a line must be a number of Hindrances or \"blocked\", not {what}"), value.span());
                return Err(match other.as_str().and_then(|text| nearest(text, ["blocked"])) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help("\"H5-J1\" = 0"),
                });
            }
        };
        let (from, to) = ends(key.get_ref(), map).map_err(|fault| Fault { span: key.span(), ..fault })?;
        given.push((from, to, hindrance, key.span()));
    }
    let base: Box<dyn LineOfSight> = match lines {
        _ if others_blocked => Box::new(Listed::new([], Nothing)),
        Some((boards, lines)) => Box::new(Listed::of_boards(boards, lines, Geometry)),
        None => Box::new(Geometry),
    };
    let mut sight = Overridden::new(base);
    for (from, to, hindrance, span) in given {
        if sight.set(from, to, hindrance).is_some() {
            let line = format!("{}-{}", map.site_name(from), map.site_name(to));
            return Err(Fault::new(format!("the line {line} is given twice, in different ways"), span).help("keep one of them"));
        }
    }
    Ok(Arc::new(Remembered::new(map, sight)))
}

/// No line between two hexes, from whatever level.
struct Nothing;

impl LineOfSight for Nothing {
    fn hindrance(&self, _: &Map, _: Site, _: Site) -> Option<u8> {
        None
    }
}

/// The two ends of a line: `H5-J1`, `M2 level 1-M3`.
fn ends(text: &str, map: &Map) -> Result<(Site, Site), Fault> {
    let Some((from, to)) = text.split_once('-') else {
        let fault = Fault::new(format!("`{text}` is no line"), 0..0);
        return Err(match nearest(text, ["others"]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("its two ends, like `H5-J1`"),
        });
    };
    let (from, to) = (map.parse_site(from.trim())?, map.parse_site(to.trim())?);
    match from.hex == to.hex {
        true => Err(Fault::new("a line runs between two hexes", 0..0)),
        false => Ok((from, to)),
    }
}
