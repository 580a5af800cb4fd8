//! Several values in one text, as in `[grid]`: `8-1,9-1`, `0..3`, `4..16/4`.

use std::ops::Range;

use engine::text::Fault;

/// A value, with its byte range in the text.
pub type ListItem = (String, Range<usize>);

/// Parses values separated by commas; `4..16/4` is 4, 8, 12 and 16. `None` for a single value.
///
/// # Errors
///
/// Fails if a value is empty, a range is not valid, or a range exceeds `most` values in all.
///
/// # Examples
///
/// ```
/// use lowcrawl_schema::value_list::values;
///
/// let parts = values("1,4..6", 100).unwrap().unwrap();
/// assert_eq!((parts.len(), parts[3].0.as_str()), (4, "6"));
/// ```
pub fn values(text: &str, most: usize) -> Result<Option<Vec<ListItem>>, Fault> {
    let mut values = Vec::new();
    let mut is_list = false;
    let mut from = 0;
    for part in text.split(',') {
        let value = part.trim();
        let start = from + (part.len() - part.trim_start().len());
        let place = start..start + value.len();
        is_list |= from > 0;
        from += part.len() + 1;
        if value.is_empty() && text.contains(',') {
            return Err(Fault::new("expected a value on both sides of the comma", 0..text.len()));
        }
        let Some(range) = range(value) else {
            values.push((value.to_string(), place));
            continue;
        };
        is_list = true;
        let room = most - values.len().min(most);
        let numbers = range
            .and_then(|(first, last, step)| numbers(first, last, step, room))
            .map_err(|fault| Fault { span: place.clone(), ..fault })?;
        values.extend(numbers.map(|number| (number.to_string(), place.clone())));
    }
    Ok(is_list.then_some(values))
}

/// Parses first, last and step of a range; `None` if no number and `..` begin the text.
fn range(text: &str) -> Option<Result<(i64, i64, i64), Fault>> {
    let (first, rest) = text.split_once("..")?;
    let first: i64 = first.trim().parse().ok()?;
    let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let numbers = last.trim().parse().ok().zip(step.trim().parse().ok());
    Some(match numbers {
        Some((last, step)) => Ok((first, last, step)),
        None => {
            let fault = Fault::new(format!("`{text}` is not a range of whole numbers"), 0..0);
            Err(fault.help("write 0..3, or 4..16/4 for steps of 4"))
        }
    })
}

/// Returns the numbers of a range, both ends included if the steps lead there.
///
/// # Errors
///
/// Fails if the step is less than 1, if the range descends, or if it has more than `most` numbers.
///
/// # Examples
///
/// ```
/// use lowcrawl_schema::value_list::numbers;
///
/// assert_eq!(numbers(4, 16, 4, 100).unwrap().collect::<Vec<_>>(), [4, 8, 12, 16]);
/// assert!(numbers(3, 1, 1, 100).is_err());
/// ```
pub fn numbers(
    first: i64,
    last: i64,
    step: i64,
    most: usize,
) -> Result<impl Iterator<Item = i64>, Fault> {
    let fault = |message: String| Fault::new(message, 0..0);
    if step < 1 {
        return Err(fault(format!("the step of a range must be at least 1, not {step}")));
    }
    if first > last {
        return Err(fault(format!("the range ends below its start: {first} to {last}"))
            .help("the first number must not be above the last"));
    }
    let further = last.abs_diff(first) / step.unsigned_abs();
    if further >= most as u64 {
        return Err(fault(format!("the range has more than {most} numbers")));
    }
    Ok((0..=further as i64).map(move |place| first + place * step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> Option<String> {
        let values = values(text, 100).unwrap()?;
        for (value, place) in &values {
            assert!(text[place.clone()].contains("..") || text[place.clone()] == *value, "{text}");
        }
        Some(values.into_iter().map(|(value, _)| value).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lists_contain_values_and_ranges() {
        for (text, expected) in [
            ("8-1", None),
            ("", None),
            ("8-1,9-1", Some("8-1 9-1")),
            ("none , 9-1", Some("none 9-1")),
            ("0..3", Some("0 1 2 3")),
            ("4..16/4", Some("4 8 12 16")),
            ("4..15/4", Some("4 8 12")),
            ("-2..0", Some("-2 -1 0")),
            ("3..3", Some("3")),
            ("1,4..6,9", Some("1 4 5 6 9")),
            ("a..b", None),
        ] {
            assert_eq!(rendered(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn invalid_lists_are_refused() {
        for (text, expected) in [
            ("8-1,", "expected a value on both sides of the comma"),
            (",", "expected a value on both sides of the comma"),
            ("1,3..2", "the range ends below its start: 3 to 2"),
            ("0..3/0", "the step of a range must be at least 1, not 0"),
            ("0..x", "`0..x` is not a range of whole numbers"),
            ("0..100", "the range has more than 100 numbers"),
            ("7,1..100", "the range has more than 99 numbers"),
            ("-9223372036854775808..9223372036854775807", "the range has more than 100 numbers"),
        ] {
            assert_eq!(values(text, 100).unwrap_err().message, expected, "{text}");
        }
        assert_eq!(values("1,3..2", 100).unwrap_err().span, 2..6);
    }
}
