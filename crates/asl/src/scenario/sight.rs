//! The lines of sight of a situation: computed or listed, and those set in its file.

use std::sync::Arc;

use crate::board::geometry::Geometry;
use crate::board::map::{Location, Map, PlacedBoard};
use crate::board::sight::{LineOfSight, ListedSight, Remembered};
use crate::board::table::ListedLine;
use crate::rout::fields::{Lines, Others, SightLine};
use engine::text::{Fault, nearest};

/// Returns the lines of sight of a situation. `[los]` takes precedence over boards.
pub(super) fn sight(
    listed: &Lines,
    map: &Map,
    lines: Option<(Vec<PlacedBoard>, Vec<ListedLine>)>,
) -> Result<Arc<dyn LineOfSight>, Fault> {
    let (boards, lines) = lines.unwrap_or_default();
    let mut sight = match listed.fields.others {
        Others::Blocked => ListedSight::new([], None),
        Others::Computed => ListedSight::of_boards(boards, Geometry),
    };
    for (line, SightLine(hindrance)) in &listed.entries {
        let span = || line.place.span.clone();
        let (from, to) = ends(&line.value, map).map_err(|fault| Fault { span: span(), ..fault })?;
        if sight.set(from, to, *hindrance).is_some() {
            let line = format!("{}-{}", map.location_name(from), map.location_name(to));
            let fault = Fault::new(format!("the line {line} has two different values"), span());
            return Err(fault.help("keep one of them"));
        }
    }
    if listed.fields.others == Others::Computed {
        sight.list(lines);
    }
    Ok(Arc::new(Remembered::new(map, sight)))
}

/// Parses both ends of a line, such as `H5-J1` or `M2 level 1-M3`.
pub(super) fn ends(text: &str, map: &Map) -> Result<(Location, Location), Fault> {
    let Some((from, to)) = text.split_once('-') else {
        let fault = Fault::new(format!("`{text}` is not a line"), 0..0);
        return Err(match nearest(text, ["others"]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("write its two ends, like `H5-J1`"),
        });
    };
    let (from, to) = (map.parse_location(from.trim())?, map.parse_location(to.trim())?);
    match from.hex == to.hex {
        true => Err(Fault::new("a line must join two different hexes", 0..0)),
        false => Ok((from, to)),
    }
}
