//! The obfuscation of the text of a save: every byte XORed with a key, after a format prefix.

use std::io::Read as _;

use engine::text::Fault;

/// The maximum size of an unpacked text in bytes.
pub const MOST_TEXT: usize = 24 << 20;

/// The obfuscation format of a text, with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    Plain,
    /// `!VCSK`, then the key and all bytes as pairs of hexadecimal digits; VASSAL up to 3.7.
    Digits(u8),
    /// `VOBS`, then the key and all bytes; VASSAL from 3.8 on.
    Bytes(u8),
    /// As [`Mask::Digits`], but compressed first. No release of VASSAL uses it.
    Packed(u8),
}

const DIGITS: &[u8] = b"!VCSK";
const BYTES: &[u8] = b"VOBS";
const PACKED: &[u8] = b"!VCSZ";

impl Mask {
    /// Returns VASSAL's name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Mask::Plain => "none",
            Mask::Digits(_) => "VCSK",
            Mask::Bytes(_) => "VOBS",
            Mask::Packed(_) => "VCSZ",
        }
    }

    /// Decodes a text and returns its format. Bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// Fails if the key or the digits are damaged, or if the text is too long.
    pub fn lift(bytes: &[u8]) -> Result<(Mask, String), Fault> {
        let (mask, text) = if let Some(rest) = bytes.strip_prefix(DIGITS) {
            let (key, text) = from_digits(rest)?;
            (Mask::Digits(key), text)
        } else if let Some(rest) = bytes.strip_prefix(PACKED) {
            let (key, packed) = from_digits(rest)?;
            let mut text = Vec::new();
            let unpacked = flate2::read::ZlibDecoder::new(&packed[..])
                .take(MOST_TEXT as u64 + 1)
                .read_to_end(&mut text);
            unpacked.map_err(|error| Fault::new(format!("the saved game: {error}"), 0..0))?;
            (Mask::Packed(key), text)
        } else if let Some(rest) = bytes.strip_prefix(BYTES) {
            let (&key, rest) = rest.split_first().ok_or_else(no_key)?;
            (Mask::Bytes(key), rest.iter().map(|byte| byte ^ key).collect())
        } else {
            (Mask::Plain, bytes.to_vec())
        };
        engine::text::within("the saved game", text.len(), MOST_TEXT)?;
        let text = String::from_utf8(text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok((mask, text))
    }
}

fn no_key() -> Fault {
    Fault::new("the saved game is damaged: its mask has no key", 0..0)
}

fn from_digits(text: &[u8]) -> Result<(u8, Vec<u8>), Fault> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |(place, pair): (usize, &[u8])| {
        let byte = match pair {
            [high, low] => digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        byte.ok_or_else(|| {
            let at = 2 * place + DIGITS.len();
            Fault::new(
                format!("the saved game is damaged: expected two hexadecimal digits at byte {at}"),
                0..0,
            )
        })
    };
    let mut bytes = text.chunks(2).enumerate().map(pair);
    let key = bytes.next().ok_or_else(no_key)??;
    let bytes: Result<Vec<u8>, Fault> = bytes.map(|byte| Ok(byte? ^ key)).collect();
    Ok((key, bytes?))
}
