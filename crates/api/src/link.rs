//! Conversion of requests to and from one line for a URL, `v=1&q=...`. The value of `q` is the
//! canonical JSON, deflated with its checksum (zlib), in URL-safe base64.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use engine::text::Fault;

/// Prefix of every line, with the version of its format.
pub const VERSION: &str = "v=1&q=";
/// Longest line, in bytes, that browsers and servers are expected to accept.
const MOST_BYTES: usize = 8 << 10;
/// Longest JSON, in bytes, that a line may hold.
const MOST_TEXT: usize = 64 << 10;
/// Compression level (0 to 10): slow, but requests are short.
const BEST: u8 = 9;

/// Returns the line for a request in JSON.
///
/// # Errors
///
/// Fails if the request is too long for a link.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::link;
///
/// let line = link::line("{}").unwrap();
/// assert_eq!(link::json(&line).unwrap(), "{}");
/// ```
pub fn line(json: &str) -> Result<String, Fault> {
    let line =
        VERSION.to_string() + &URL_SAFE_NO_PAD.encode(compress_to_vec_zlib(json.as_bytes(), BEST));
    if line.len() > MOST_BYTES || json.len() > MOST_TEXT {
        let message = format!("the request is too long for a link of at most {MOST_BYTES} bytes");
        return Err(Fault::new(message, 0..0));
    }
    Ok(line)
}

/// Returns the JSON that a line holds.
///
/// # Errors
///
/// Fails if the line has another version, is too long, or is damaged.
pub fn json(line: &str) -> Result<String, Fault> {
    let whole = || 0..line.len();
    let Some(text) = line.strip_prefix(VERSION) else {
        let version = 0..line.find('&').unwrap_or(line.len());
        return Err(Fault::new("the link has an unknown version", version)
            .help(format!("expected a link that begins with `{VERSION}`")));
    };
    if line.len() > MOST_BYTES {
        return Err(Fault::new(format!("a link must have at most {MOST_BYTES} bytes"), whole()));
    }
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let json = bytes.and_then(|bytes| decompress_to_vec_zlib_with_limit(&bytes, MOST_TEXT).ok());
    json.and_then(|json| String::from_utf8(json).ok()).ok_or_else(|| {
        Fault::new("the link is damaged", whole()).help("part of it may be missing; copy it again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_decodes_to_its_request() {
        let request = r#"{"kind":"rally","stack":"german:4-6-7/broken,dm","leader":"german:8-1"}"#;
        let line = super::line(request).unwrap();
        assert!(
            line.starts_with("v=1&q=")
                && line[6..]
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        );
        assert_eq!(json(&line).unwrap(), request);
    }

    #[test]
    fn invalid_links_are_refused() {
        let line = super::line("{}").unwrap();
        for (text, message) in [
            ("v=2&q=AA", "the link has an unknown version"),
            (&line[..line.len() - 1], "the link is damaged"),
            ("v=1&q=!!!", "the link is damaged"),
            (&("v=1&q=".to_string() + &"A".repeat(9000)), "a link must have at most 8192 bytes"),
        ] {
            assert_eq!(json(text).unwrap_err().message, message, "{text}");
        }
        // Random text does not compress.
        let mut state = 1u64;
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(33 + (state >> 40) as u8 % 90)
        };
        assert!(super::line(&(0..20_000).map(|_| letter()).collect::<String>()).is_err());
        // A short line must not expand to a huge text.
        let bomb = VERSION.to_string()
            + &URL_SAFE_NO_PAD.encode(compress_to_vec_zlib(&[b' '; 1 << 20], BEST));
        assert_eq!(json(&bomb).unwrap_err().message, "the link is damaged");
    }
}
