//! Sanitises an author's HTML: tags of an allow-list are kept, others are shown as text.

use pulldown_cmark_escape::escape_html;

/// The allowed tags. None runs code or changes the layout of the page; only `img` loads anything.
const TAGS: &str = "a abbr b br cite code dd del details dfn div dl dt em figcaption figure hr i img \
    ins kbd mark p q s samp small span strong sub summary sup u var";
const EVERYWHERE: [&str; 4] = ["dir", "id", "lang", "title"];

fn own_attributes(tag: &str) -> &[&str] {
    match tag {
        "a" => &["href"],
        "details" => &["open"],
        "img" => &["alt", "height", "src", "width"],
        _ => &[],
    }
}

/// Returns `html` with only the allowed tags and attributes: escapes others, removes comments.
pub fn allowed(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        // Entities that the author wrote are kept, so `&` is not escaped.
        text += &rest[..at].replace('>', "&gt;");
        rest = &rest[at..];
        rest = if rest.starts_with("<!--") {
            rest.split_once("-->").map_or("", |(_, after)| after)
        } else if let Some((tag, after)) = tag(rest) {
            text += &tag;
            after
        } else {
            text += "&lt;";
            &rest[1..]
        };
    }
    text + &rest.replace('>', "&gt;")
}

/// Parses an allowed tag at the start of `html`. Returns its allowed text, and the rest.
fn tag(html: &str) -> Option<(String, &str)> {
    let begin = html.strip_prefix('<')?;
    let (end, begin) = begin.strip_prefix('/').map_or(("", begin), |begin| ("/", begin));
    let (name, mut rest) = word(begin, |letter| letter.is_ascii_alphanumeric() || letter == '-');
    let name = name.to_ascii_lowercase();
    TAGS.split(' ').find(|tag| *tag == name)?;
    let mut tag = format!("<{end}{name}");
    loop {
        let inside = rest.trim_ascii_start();
        let close = inside.strip_prefix('/').filter(|_| end.is_empty()).unwrap_or(inside);
        if let Some(after) = close.strip_prefix('>') {
            return Some((tag + ">", after));
        }
        // HTML requires white space before every attribute, and a closing tag has no attributes.
        if inside.len() == rest.len() || !end.is_empty() {
            return None;
        }
        let (attribute, value, after) = attribute(inside)?;
        let attribute = attribute.to_ascii_lowercase();
        let is_allowed =
            EVERYWHERE.iter().chain(own_attributes(&name)).any(|one| *one == attribute);
        if is_allowed {
            let value = decoded(value);
            let value = match attribute.as_str() {
                "href" | "src" if has_entity(&value) => "#",
                "href" | "src" => web_address(&value),
                _ => &value,
            };
            tag += &format!(" {attribute}=\"{}\"", escape(value));
        }
        rest = after;
    }
}

/// Parses an attribute at the start of `html`. Returns its name, its value and the rest of `html`.
fn attribute(html: &str) -> Option<(&str, &str, &str)> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "_:.-@".contains(letter);
    let (name, rest) = word(html, is_of_name);
    if name.is_empty() {
        return None;
    }
    let Some(value) = rest.trim_ascii_start().strip_prefix('=') else {
        return Some((name, "", rest));
    };
    let value = value.trim_ascii_start();
    let quote = value.chars().next().filter(|letter| ['"', '\''].contains(letter));
    let is_bare = |letter: char| !letter.is_ascii_whitespace() && !"\"'=<>`".contains(letter);
    let (value, rest) = match quote {
        Some(quote) => value[1..].split_once(quote)?,
        None => word(value, is_bare),
    };
    (quote.is_some() || !value.is_empty()).then_some((name, value, rest))
}

/// Splits `text` after its longest prefix of characters that `is_of_word` accepts.
fn word(text: &str, is_of_word: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_of_word(letter)).unwrap_or(text.len()))
}

/// Decodes the entities of the five reserved characters. Others are escaped later.
fn decoded(value: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(value.to_string(), |value, (entity, sign)| value.replace(entity, sign))
}

/// Returns whether an address contains an entity, which could disguise its scheme.
fn has_entity(address: &str) -> bool {
    let is_of_entity = |letter: char| letter.is_ascii_alphanumeric() || letter == '#';
    let names = address.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
    names.into_iter().any(|(name, _)| !name.is_empty() && name.chars().all(is_of_entity))
}

pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    let _ = escape_html(&mut escaped, text);
    escaped
}

/// Returns a relative, http, https or mailto address, else `#`: others could run or embed code.
pub fn web_address(address: &str) -> &str {
    let is_seen = |letter: &char| !letter.is_whitespace() && !letter.is_control();
    let seen: String = address.chars().filter(is_seen).collect();
    let scheme = seen.split_once([':', '/', '?', '#']).map_or("", |(scheme, _)| scheme);
    let is_scheme = seen[scheme.len()..].starts_with(':');
    let leads_to_web =
        ["http", "https", "mailto"].iter().any(|one| scheme.eq_ignore_ascii_case(one));
    if !is_scheme || leads_to_web { address } else { "#" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_safe_addresses_are_accepted() {
        for good in ["https://a.b/c", "HTTP://a", "mailto:a@b.c", "x.md", "#a", "/a:b", "a?b:c", ""]
        {
            assert_eq!(web_address(good), good);
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScript:x",
            "java\nscript:x",
            " data:text/html,x",
            "vbscript:x",
        ] {
            assert_eq!(web_address(bad), "#", "{bad}");
        }
    }

    #[test]
    fn allowed_tags_lose_their_active_attributes() {
        for (html, expected) in [
            ("<b>x</b> <br/><BR /><hr>", "<b>x</b> <br><br><hr>"),
            (
                "<p onclick=alert(1) title='a \"b\" &amp; c'>",
                "<p title=\"a &quot;b&quot; &amp; c\">",
            ),
            ("<details open>\n<summary>x</summary >", "<details open=\"\">\n<summary>x</summary>"),
            ("<a\nhref = https://a.b/?c&d id=x>", "<a href=\"https://a.b/?c&amp;d\" id=\"x\">"),
            ("<a style='x' class=y @click=z x:href=v>", "<a>"),
            ("a &amp; b &nbsp; > <!-- <b> -- > --><i>", "a &amp; b &nbsp; &gt; <i>"),
            ("<!-- without end <b>", ""),
            ("<!--><b>", "<b>"),
            ("1 < 2 <3", "1 &lt; 2 &lt;3"),
        ] {
            assert_eq!(allowed(html), expected, "{html}");
        }
    }

    #[test]
    fn everything_else_is_shown_as_text() {
        for html in [
            "<script>alert(1)</script>",
            "<svg onload=alert(1)>",
            "<iframe src=x>",
            "<style>*{}</style>",
            "<base href=x>",
            "<meta http-equiv=refresh>",
            "<form action=x><input>",
            "<object data=x><embed src=x>",
            "<main></main></body>",
            "<math><mtext>",
            "<template><textarea><title><noscript><xmp>",
            "<b/onclick=alert(1)>",
            "<b onclick=\"x",
            "<b =x>",
            "<b x=>",
            "</b onclick=x>",
            "</ b>",
            "< b>",
            "<b\0>",
            "<?php x ?>",
            "<!DOCTYPE x>",
            "<![CDATA[x]]>",
            "<",
        ] {
            let shown = html.replace('<', "&lt;").replace('>', "&gt;");
            assert_eq!(allowed(html), shown, "{html}");
        }
    }

    #[test]
    fn unsafe_addresses_are_replaced() {
        for address in [
            "javascript:alert(1)",
            " JaVa\tScRiPt:alert(1)",
            "\u{1}javascript:alert(1)",
            "java&Tab;script&colon;alert(1)",
            "&#106;avascript:alert(1)",
            "&#x6a;avascript&#58;alert(1)",
            "&amp;#106;avascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "blob:x",
            "file:///etc/passwd",
            "view-source:x",
        ] {
            for tag in ["a href", "img src"] {
                let html = allowed(&format!("<{tag}=\"{address}\">"));
                let value = html.split('"').nth(1).unwrap();
                assert_eq!(value, "#", "{html}");
            }
        }
        assert_eq!(
            allowed("<img src=a.png alt=\"&lt;b>\">"),
            "<img src=\"a.png\" alt=\"&lt;b&gt;\">"
        );
    }
}
