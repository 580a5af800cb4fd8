//! The metadata file of a board.

use crate::xml::{attribute, each_element};
use engine::text::Fault;

/// The name of the metadata file in the archive of a board.
pub const FILE: &str = "BoardMetadata.xml";
/// The XML elements that matter to lines of sight and are not supported yet.
const UNSUPPORTED: [&str; 4] = ["slope", "rrembankment", "rrEmbankment", "partialOrchard"];

/// Returns the unsupported elements that matter to lines of sight, each with its hexes.
///
/// # Errors
///
/// Fails if the XML is damaged, or if the hexes of the board have another orientation.
pub fn unsupported_elements(xml: &[u8]) -> Result<Vec<(String, Vec<String>)>, Fault> {
    let mut elements: Vec<(String, Vec<String>)> = Vec::new();
    each_element(FILE, xml, &mut |tag| {
        let value = |key: &str| attribute(tag, key);
        if value("altHexGrain").is_some_and(|grain| grain.eq_ignore_ascii_case("true")) {
            return Err("its hex grid has another orientation (altHexGrain)".to_string());
        }
        let name = tag.name().as_ref().to_string();
        if UNSUPPORTED.contains(&name.as_str()) {
            let hex = value("hexName").or_else(|| value("hex")).unwrap_or_default();
            match elements.iter_mut().find(|(known, _)| *known == name) {
                Some((_, hexes)) => hexes.push(hex),
                None => elements.push((name, vec![hex])),
            }
        }
        Ok(())
    })?;
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_elements_of_a_board_are_listed() {
        let xml =
            b"<board><slopes><slope hex=\"K5\" slope=\"14\"/><slope hex=\"K6\"/></slopes></board>";
        let elements = unsupported_elements(xml).unwrap();
        assert_eq!(elements, [("slope".to_string(), vec!["K5".to_string(), "K6".to_string()])]);
        let turned = b"<board altHexGrain=\"TRUE\"/>";
        assert!(unsupported_elements(turned).unwrap_err().message.contains("altHexGrain"));
    }
}
