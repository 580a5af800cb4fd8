//! Escaping of text for Markdown.

use engine::text::plain;

/// Returns the text as one line, with all special characters of Markdown and HTML escaped.
pub fn text(text: &str) -> String {
    let letters: Vec<char> = in_a_line(text).chars().collect();
    let at = |place: Option<usize>| place.and_then(|place| letters.get(place)).unwrap_or(&' ');
    let mut escaped = String::with_capacity(text.len());
    for (place, letter) in letters.iter().enumerate() {
        let (before, after) = (at(place.checked_sub(1)), at(Some(place + 1)));
        match letter {
            // A tag, comment or address: not every renderer accepts a backslash there. `< 5` stays.
            '<' if after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?') => {
                escaped += "&lt;";
            }
            '&' if after.is_ascii_alphanumeric() || *after == '#' => escaped += "&amp;",
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => escaped.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '$' | '~' => escaped.extend(['\\', *letter]),
            letter => escaped.push(*letter),
        }
    }
    escaped
}

/// Escapes each line, so that none begins a list, heading or quotation.
pub fn lines(lines: &str) -> String {
    let line = |line: &str| {
        let mut line = text(line.trim());
        let digits = line.len() - line.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
        let is_sign = match line[digits..].chars().next() {
            Some('.' | ')') => digits > 0,
            Some('#' | '+' | '-' | '=' | '>' | ':') => digits == 0,
            _ => false,
        };
        if is_sign {
            line.insert(digits, '\\');
        }
        line
    };
    lines.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the text as inline code in one line.
pub fn code(text: &str) -> String {
    let text = in_a_line(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Returns the text as a code block with its lines kept.
pub fn block(text: &str) -> String {
    let fence = "`".repeat(3.max(longest_run(text) + 1));
    let lines: Vec<String> = text.trim_end().lines().map(plain).collect();
    format!("{fence}text\n{}\n{fence}\n", lines.join("\n"))
}

fn in_a_line(text: &str) -> String {
    let blank = |letter: char| if letter.is_whitespace() { ' ' } else { letter };
    plain(&text.chars().map(blank).collect::<String>())
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markdown_and_html_are_escaped() {
        for (plain, escaped) in [
            ("a|b", "a\\|b"),
            ("<img src=x>", "&lt;img src=x>"),
            ("</td><!-- <?x", "&lt;/td>&lt;!-- &lt;?x"),
            ("[a](javascript:b)", "\\[a\\](javascript:b)"),
            ("`a` *b* ~c~ $d$ \\e", "\\`a\\` \\*b\\* \\~c\\~ \\$d\\$ \\\\e"),
            ("_a_ b_c", "\\_a\\_ b_c"),
            ("&lt; &#60; a & b", "&amp;lt; &amp;#60; a & b"),
            ("a\nb\tc\u{2028}d", "a b c d"),
            ("a\u{202e}b\u{7}", "a\\\\u{202e}b\\\\u{7}"),
            ("< 0.01 %, 4-6-7 > 3, Écrasés à l'orée!", "< 0.01 %, 4-6-7 > 3, Écrasés à l'orée!"),
        ] {
            assert_eq!(text(plain), escaped);
        }
    }

    #[test]
    fn lines_start_no_markdown_blocks() {
        let about = "# a\n- b\n  1944. c\n---\n> d\n12) e\n4-6-7 f\n\n~~~\n<b>";
        let escaped =
            "\\# a\n\\- b\n1944\\. c\n\\---\n\\> d\n12\\) e\n4-6-7 f\n\n\\~\\~\\~\n&lt;b>";
        assert_eq!(lines(about), escaped);
    }

    #[test]
    fn code_fences_are_longer_than_their_content() {
        assert_eq!(code("a 'b|c'"), "`a 'b|c'`");
        assert_eq!(code("a\n\n``<b>`"), "``` a  ``<b>` ```");
        assert_eq!(block("a\n ````\n\r<b>\n"), "`````text\na\n ````\n\\u{d}<b>\n`````\n");
    }
}
