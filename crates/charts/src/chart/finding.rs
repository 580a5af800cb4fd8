//! The main numbers of a chart, in words.

use super::data::Panel;
use super::kind::Chart;

/// Largest number of series or places that are named singly.
pub(super) const MAX_NAMED: usize = 6;

/// Returns in words for how many places each choice is best. `places` is the word for them.
pub(super) fn choices(chart: &Chart, panel: &Panel, places: &str) -> String {
    let values = || panel.all().map(|(.., value)| value);
    let all = values().count();
    let one = |word: &str| {
        let of_word = || values().filter(|value| value.word.as_deref() == Some(word));
        let widest = of_word().map(|value| value.value).reduce(f64::max)?;
        let (times, margin) = (of_word().count(), chart.unit.signed(widest));
        Some(format!("{word} is best in {times} of {all} {places}, by {margin} at most"))
    };
    sentences(chart.choices().into_iter().filter_map(one))
}

/// Joins up to [`MAX_NAMED`] sentences, and counts the others.
pub(super) fn sentences(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    let more = parts.len().saturating_sub(MAX_NAMED);
    let mut text = parts[..parts.len() - more].join("; ");
    if more > 0 {
        text += &format!("; and {more} more");
    }
    if text.is_empty() { text } else { text + "." }
}
