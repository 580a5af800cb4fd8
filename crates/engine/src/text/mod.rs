//! Faults at positions of a text, suggestions of valid words, size limits, and safe display.

pub mod notation;

use std::ops::Range;

use notation::Remedy;

/// The largest size in bytes of one text in a question, and of an argument of the command line.
pub const MOST_TEXT: usize = 64 << 10;
/// The largest size in bytes of one line, where each line is a request.
pub const MOST_LINE: usize = 1 << 20;
/// The largest size in bytes of a file.
pub const MOST_FILE: usize = 16 << 20;

/// Checks the size of a text against `most` bytes. The message calls the text `what`.
///
/// # Errors
///
/// Fails with a [`Fault`] if `bytes` exceeds `most`.
pub fn within(what: &str, bytes: usize, most: usize) -> Result<(), Fault> {
    if bytes <= most {
        return Ok(());
    }
    let (has, limit) = match (in_bytes(bytes), in_bytes(most)) {
        (has, limit) if has == limit => (format!("{bytes} bytes"), format!("{most} bytes")),
        both => both,
    };
    Err(Fault::new(format!("{what} has {has}: at most {limit} are read"), 0..0))
}

/// Formats a number of bytes, rounded up so that a text over the limit never seems to fit.
fn in_bytes(bytes: usize) -> String {
    let tenths = |unit: usize| (10 * bytes).div_ceil(unit) as f64 / 10.0;
    match bytes {
        1_048_576.. => format!("{} MiB", tenths(1 << 20)),
        1024.. => format!("{} KiB", tenths(1 << 10)),
        _ => format!("{bytes} bytes"),
    }
}

/// Returns a number with its noun in the singular or the plural.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::counted;
///
/// assert_eq!(counted(1u8, "die"), "1 die");
/// assert_eq!(counted(2u8, "Command Die"), "2 Command Dice");
/// assert_eq!(["casualty", "volley", "six", "inch"].map(|noun| counted(3u8, noun)).join(", "),
///     "3 casualties, 3 volleys, 3 sixes, 3 inches");
/// ```
pub fn counted(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    if number == 1 {
        return format!("1 {noun}");
    }
    match (noun.strip_suffix("ie"), noun.strip_suffix('y')) {
        (Some(stem), _) => format!("{number} {stem}ice"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ if ["x", "ch", "ss"].iter().any(|end| noun.ends_with(end)) => {
            format!("{number} {noun}es")
        }
        _ => format!("{number} {noun}s"),
    }
}

/// Escapes characters that move the cursor, colour the screen or change the direction of text.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::plain;
///
/// assert_eq!(plain("8-1\u{7}"), "8-1\\u{7}");
/// ```
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_plain(letter) {
            true => shown.push(letter),
            false => shown.extend(letter.escape_unicode()),
        }
    }
    shown
}

/// Returns whether a character is safe to show: it neither controls the terminal nor breaks lines.
fn is_plain(letter: char) -> bool {
    // Characters that change the direction of text, and separators of lines and paragraphs.
    !letter.is_control()
        && !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// Returns the first control character other than line ends and tabs, with its byte offset.
pub fn control(text: &str) -> Option<(usize, char)> {
    text.char_indices()
        .find(|&(_, letter)| !is_plain(letter) && !matches!(letter, '\n' | '\r' | '\t'))
}

/// The largest number of characters of a message. The last 500 survive, as they say what is wrong.
const MAX_MESSAGE: usize = 4000;
const MESSAGE_END: usize = 500;

fn short(message: String) -> String {
    let letters = message.chars().count();
    if letters <= MAX_MESSAGE {
        return message;
    }
    let begin = message.chars().take(MAX_MESSAGE - MESSAGE_END);
    begin.chain(" ... ".chars()).chain(message.chars().skip(letters - MESSAGE_END)).collect()
}

/// An error at a position in a text, with advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", help.as_ref().map_or(String::new(), |help| format!(" ({help})")))]
pub struct Fault {
    /// One sentence on what is wrong and what was expected.
    pub message: String,
    /// The byte range of the text to which the fault refers.
    pub span: Range<usize>,
    /// Advice on what to write instead.
    pub help: Option<Remedy>,
    /// The valid words nearest to the wrong one, nearest first.
    pub near: Vec<String>,
}

impl Fault {
    /// Creates a fault without advice. Escapes unsafe characters of the message, and shortens it.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Fault {
        Fault { message: short(plain(&message.into())), span, help: None, near: Vec::new() }
    }

    /// Moves the fault to another byte range.
    pub fn with_span(self, span: Range<usize>) -> Fault {
        Fault { span, ..self }
    }

    /// Moves the fault by a number of bytes, from a part of a text to the whole.
    pub fn shifted(self, bytes: usize) -> Fault {
        let span = self.span.start + bytes..self.span.end + bytes;
        self.with_span(span)
    }

    pub fn help(mut self, help: impl Into<Remedy>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// Sets as advice the words of `valid` nearest to `word`, or all of `valid` if none is near.
    pub fn expecting<'a>(self, word: &str, valid: impl IntoIterator<Item = &'a str>) -> Fault {
        let valid: Vec<&str> = valid.into_iter().collect();
        let near = nearest_few(word, valid.iter().copied(), 3);
        let help = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("valid: {}", listed(&valid)),
        };
        Fault { near: near.into_iter().map(str::to_string).collect(), ..self }.help(help)
    }
}

/// The largest number of words that [`listed`] names, and of a list that it leaves whole.
const FEW: usize = 8;
const MOST_LISTED: usize = 14;

/// Returns words as a list for a message, which of a long list names the first few.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::listed;
///
/// assert_eq!(listed(&["open", "woods"]), "open, woods");
/// assert_eq!(listed(&["x"; 50]), "x, x, x, x, x, x, x, x, ... (50 in all)");
/// ```
pub fn listed(words: &[&str]) -> String {
    match words.len() {
        ..=MOST_LISTED => words.join(", "),
        all => format!("{}, ... ({all} in all)", words[..FEW].join(", ")),
    }
}

/// Returns the word of `valid` nearest to `word`; `None` if none is near enough.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::nearest;
///
/// assert_eq!(nearest("wood", ["open", "woods"]), Some("woods"));
/// assert_eq!(nearest("zzz", ["open", "woods"]), None);
/// ```
pub fn nearest<'a>(word: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_few(word, valid, 1).into_iter().next()
}

/// Returns up to `most` words of `valid` that are near enough to `word`, nearest first.
pub fn nearest_few<'a>(
    word: &str,
    valid: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    // Players leave hyphens out: `467` means `4-6-7`.
    let letters = |word: &str| canonical(word).replace('-', "");
    let word = letters(word);
    let word = word.strip_suffix("ies").map_or(word.clone(), |stem| format!("{stem}y"));
    let length = word.chars().count();
    let mut near: Vec<(usize, &str)> = valid
        .into_iter()
        // The difference in length is a quick lower bound of the edit distance.
        .filter(|candidate| {
            length.abs_diff(letters(candidate).chars().count()) <= 1 + candidate.len() / 4
        })
        .map(|candidate| (strsim::damerau_levenshtein(&word, &letters(candidate)), candidate))
        .filter(|&(distance, candidate)| {
            distance <= 1 + candidate.len() / 4 && 2 * distance <= word.len()
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.dedup_by_key(|&mut (_, candidate)| candidate);
    near.into_iter().map(|(_, candidate)| candidate).take(most).collect()
}

/// Parses a whole number, such as `1000000`, `1_000_000`, `1e6`, `1M` or `2.5k`, within 64 bits.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::whole_number;
///
/// assert_eq!(whole_number("2.5k"), Some(2_500));
/// assert_eq!(whole_number("1.5"), None);
/// ```
pub fn whole_number(text: &str) -> Option<u64> {
    let text = text.trim().replace('_', "").to_ascii_lowercase();
    let (digits, zeros) = match (text.split_once('e'), text.char_indices().next_back()) {
        (Some((digits, zeros)), _) => (digits, zeros.parse().ok()?),
        (None, Some((end, 'k'))) => (&text[..end], 3),
        (None, Some((end, 'm'))) => (&text[..end], 6),
        (None, _) => (text.as_str(), 0u32),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = zeros.checked_sub(u32::try_from(part.len()).ok()?)?;
    format!("{whole}{part}").parse::<u64>().ok()?.checked_mul(10u64.checked_pow(zeros)?)
}

/// Converts a name to the form in which names are compared: lower case, with `_` as `-`.
pub fn canonical(word: &str) -> String {
    word.trim().to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte too many does not look like the limit.
    #[test]
    fn size_and_limit_of_a_text_differ() {
        let most = (40 << 20) + 16;
        assert!(within("it", most, most).is_ok());
        let fault = within("it", most + 1, most).unwrap_err();
        assert_eq!(fault.message, "it has 41943057 bytes: at most 41943056 bytes are read");
        let fault = within("it", 3 << 20, 2 << 20).unwrap_err();
        assert_eq!(fault.message, "it has 3 MiB: at most 2 MiB are read");
    }

    #[test]
    fn nearest_word_is_found_within_a_few_edits() {
        assert_eq!(nearest("wood", ["open", "woods", "building"]), Some("woods"));
        assert_eq!(nearest("bulding", ["open", "woods", "building"]), Some("building"));
        assert_eq!(nearest("zzz", ["open", "woods", "building"]), None);
        assert_eq!(nearest("Axis_Minor", ["axis-minor"]), Some("axis-minor"));
        assert_eq!(nearest("z", ["e", "crew"]), None);
        assert_eq!(nearest("467", ["4-4-7", "4-6-7"]), Some("4-6-7"));
        assert_eq!(nearest("enemies", ["map", "enemy"]), Some("enemy"));
    }

    #[test]
    fn big_numbers_parse_in_many_notations() {
        for (text, number) in [
            ("1000000", Some(1_000_000)),
            ("1_000_000", Some(1_000_000)),
            ("1e6", Some(1_000_000)),
            ("1E+6", Some(1_000_000)),
            ("2.5e6", Some(2_500_000)),
            (" 1M", Some(1_000_000)),
            ("0.5m", Some(500_000)),
            ("20k", Some(20_000)),
            ("0", Some(0)),
            ("1.5", None),
            ("1e-3", None),
            ("2.55e1", None),
            ("1e99", None),
            ("18446744073709551616", None),
            ("k", None),
            ("", None),
            ("e", None),
            ("-5", None),
            ("many", None),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
    }

    #[test]
    fn control_characters_in_faults_are_escaped() {
        let fault = Fault::new("no unit `\u{1b}[2J\n\u{202e}x`, but `ü`", 0..0).help("not \u{7}");
        assert_eq!(fault.to_string(), "no unit `\\u{1b}[2J\\u{a}\\u{202e}x`, but `ü` (not \\u{7})");
        assert_eq!(control("a\tb\nc\u{9b}"), Some((5, '\u{9b}')));
        assert_eq!(control("4-6-7 +\r\n8-1"), None);
    }

    #[test]
    fn long_fault_messages_are_shortened_in_the_middle() {
        let fault = Fault::new(format!("no unit is called `{}`", "x".repeat(100_000)), 0..0);
        assert!(
            fault.message.len() < 4100
                && fault.message.starts_with("no unit")
                && fault.message.ends_with("x`")
        );
        assert_eq!(nearest(&"x".repeat(10_000_000), ["xx", "x"]), None);
    }

    #[test]
    fn exceeded_size_limits_are_printed_in_words() {
        assert_eq!(within("`stack`", MOST_TEXT, MOST_TEXT), Ok(()));
        let message = |bytes, most| within("it", bytes, most).unwrap_err().message;
        assert_eq!(message(100_000_000, MOST_TEXT), "it has 95.4 MiB: at most 64 KiB are read");
        assert_eq!(message(MOST_TEXT + 100, MOST_TEXT), "it has 64.1 KiB: at most 64 KiB are read");
        assert_eq!(message(1000, 10), "it has 1000 bytes: at most 10 bytes are read");
    }

    #[test]
    fn fault_lists_all_words_if_none_is_near() {
        let fault = Fault::new("no terrain `zzz`", 0..3).expecting("zzz", ["open", "woods"]);
        assert_eq!(fault.to_string(), "no terrain `zzz` (valid: open, woods)");
    }
}
