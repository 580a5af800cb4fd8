//! A reader for VASL's XML files. Bytes that are not UTF-8, as in old board names, are replaced.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use engine::text::Fault;

/// Visits every element. Fails if the XML is damaged or the visitor fails; the error names `file`.
pub(crate) fn each_element(
    file: &str,
    xml: &[u8],
    visit: &mut dyn FnMut(&BytesStart) -> Result<(), String>,
) -> Result<(), Fault> {
    let fault = |why: String| Fault::new(format!("{file}: {why}"), 0..0);
    let text = String::from_utf8_lossy(xml);
    let mut reader = Reader::from_str(&text);
    loop {
        match reader.read_event().map_err(|error| fault(error.to_string()))? {
            Event::Start(tag) | Event::Empty(tag) => visit(&tag).map_err(fault)?,
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

pub(crate) fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}

pub(crate) fn first_text(xml: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(xml);
    let mut reader = Reader::from_str(&text);
    let mut is_inside = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if start.name().as_ref() == name => is_inside = true,
            Event::End(end) if end.name().as_ref() == name => return None,
            Event::Text(text) if is_inside => return Some(text.trim().to_string()),
            Event::Eof => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        // "Jörg" as Windows encodes it, after a byte order mark, and an entity.
        let xml =
            b"\xef\xbb\xbf<?xml version=\"1.0\"?><a author=\"J\xf6rg &amp; Co\"><b> V\xe9 </b></a>";
        let mut authors = Vec::new();
        let visit = &mut |tag: &BytesStart| {
            authors.extend(attribute(tag, "author"));
            Ok(())
        };
        each_element("x.xml", xml, visit).unwrap();
        assert_eq!(authors, ["J\u{fffd}rg & Co"]);
        assert_eq!(first_text(xml, "b").as_deref(), Some("V\u{fffd}"));
        assert_eq!(first_text(xml, "c"), None);
    }

    #[test]
    fn damaged_xml_is_refused_with_its_file() {
        let fault = each_element("x.xml", b"<a></b>", &mut |_| Ok(())).unwrap_err();
        assert!(fault.message.starts_with("x.xml: "), "{}", fault.message);
        let fault = each_element("x.xml", b"<a/>", &mut |_| Err("no".to_string())).unwrap_err();
        assert_eq!(fault.message, "x.xml: no");
    }
}
