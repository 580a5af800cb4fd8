//! The pixels of a board, column by column: elevation and terrain code of each.
//!
//! On disk they are the joined bodies of the records after the header of a gzipped Java stream.

use std::io::Read as _;

use engine::text::{Fault, within};
use flate2::read::GzDecoder;

/// The maximum size of an unpacked board in bytes.
pub const MOST_RASTER: usize = 60 << 20;
/// The maximum number of columns and of rows of hexes.
const MOST_HEXES: i32 = 40;

const HEADER: [u8; 4] = [0xac, 0xed, 0, 5];
const SHORT: u8 = 0x77;
const LONG: u8 = 0x7a;

/// A pixel of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pixel {
    /// The elevation in levels above ground level.
    pub elevation: i8,
    /// The code of the pixel's terrain.
    pub terrain: u8,
}

/// The pixels of a board, and the hexes with a stairway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raster {
    /// The number of columns of hexes.
    pub columns: usize,
    /// The number of hexes in the first column. Every second column has one more.
    pub rows: usize,
    /// The width in pixels.
    pub width: usize,
    /// The height in pixels.
    pub height: usize,
    /// The pixels, column by column.
    pub pixels: Vec<Pixel>,
    /// True for each hex with a stairway, column by column.
    pub stairways: Vec<bool>,
}

impl Raster {
    /// Reads a board from its bytes on disk.
    ///
    /// # Errors
    ///
    /// Fails if the data is damaged, or if the board is too large or has hexes of another size.
    pub fn read(bytes: &[u8]) -> Result<Raster, Fault> {
        let damaged = |why: String| Fault::new(format!("LOSData: {why}"), 0..0);
        let mut stream = Vec::new();
        GzDecoder::new(bytes)
            .take(MOST_RASTER as u64 + 1)
            .read_to_end(&mut stream)
            .map_err(|error| damaged(error.to_string()))?;
        within("LOSData", stream.len(), MOST_RASTER)?;
        let text = joined(&stream).map_err(damaged)?;
        let short = || damaged(format!("it ends after {} bytes", text.len()));
        let (numbers, rest) = text.split_at_checked(16).ok_or_else(short)?;
        let (numbers, _) = numbers.as_chunks::<4>();
        let [columns, rows, width, height] = [0, 1, 2, 3].map(|at| i32::from_be_bytes(numbers[at]));
        let why = format!("a board of {columns} by {rows} hexes");
        if columns < 2 || rows < 1 {
            return Err(damaged(why));
        }
        if columns.max(rows) > MOST_HEXES {
            let fault =
                damaged(format!("{why}: at most {MOST_HEXES} by {MOST_HEXES} are supported"));
            return Err(fault.help("larger boards take too long to compute all lines of sight"));
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let (wide, high) = (size(columns - 1, 225, 4), size(rows, 129, 2));
        // Some boards are one pixel wider than their hexes.
        let is_wide = [wide as i32, wide as i32 + 1].contains(&width);
        if !is_wide || height != high as i32 {
            let why = format!(
                "a board of {columns} by {rows} hexes has {wide} by {high} pixels here, not \
                    {width} by {height}"
            );
            return Err(damaged(why).help("boards with another hex size are not supported yet"));
        }
        let (width, height) = (width as usize, high);
        let (pixels, stairways) = rest.split_at_checked(2 * width * height).ok_or_else(short)?;
        let stairways = stairways.get(..columns * rows + columns / 2).ok_or_else(short)?;
        let pixel = |two: &[u8]| Pixel { elevation: two[0] as i8, terrain: two[1] };
        Ok(Raster {
            columns,
            rows,
            width,
            height,
            pixels: pixels.chunks_exact(2).map(pixel).collect(),
            stairways: stairways.iter().map(|byte| *byte != 0).collect(),
        })
    }

    /// Returns a pixel, or `None` off the board.
    pub fn pixel(&self, x: i32, y: i32) -> Option<Pixel> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then(|| self.pixels[x * self.height + y])
    }
}

/// Returns `times` * `over` / `under`, rounded to the nearest pixel.
pub(super) const fn size(times: usize, over: usize, under: usize) -> usize {
    (2 * times * over + under) / (2 * under)
}

fn joined(stream: &[u8]) -> Result<Vec<u8>, String> {
    let mut rest = stream.strip_prefix(&HEADER).ok_or("not a Java object stream")?;
    let mut text = Vec::with_capacity(rest.len());
    while let Some((tag, after)) = rest.split_first() {
        let (length, after) = match (*tag, after) {
            (SHORT, [length, after @ ..]) => (usize::from(*length), after),
            (LONG, &[a, b, c, d, ref after @ ..]) => {
                (u32::from_be_bytes([a, b, c, d]) as usize, after)
            }
            (SHORT | LONG, _) => return Err("a record has no length".to_string()),
            (tag, _) => return Err(format!("a record of the unsupported kind {tag:#04x}")),
        };
        let (body, after) = after
            .split_at_checked(length)
            .ok_or_else(|| format!("a record of {length} bytes has only {}", after.len()))?;
        text.extend(body);
        rest = after;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn damaged_boards_are_refused() {
        let packed = |bytes: &[u8]| {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(bytes).unwrap();
            Raster::read(&packed.finish().unwrap()).unwrap_err().message
        };
        assert!(Raster::read(b"x").is_err());
        assert_eq!(packed(b"x"), "LOSData: not a Java object stream");
        let stream = |rest: &[u8]| packed(&[&HEADER[..], rest].concat());
        assert_eq!(stream(&[0x73]), "LOSData: a record of the unsupported kind 0x73");
        assert_eq!(stream(&[0x77]), "LOSData: a record has no length");
        assert_eq!(
            stream(&[0x7a, 255, 255, 255, 255, 0]),
            "LOSData: a record of 4294967295 bytes has only 1"
        );
        assert_eq!(stream(&[0x77, 1, 0]), "LOSData: it ends after 1 bytes");
        let sizes = |sizes: [i32; 4]| {
            let body: Vec<u8> = sizes.iter().flat_map(|size| size.to_be_bytes()).collect();
            stream(&[&[0x77, 16][..], &body].concat())
        };
        assert_eq!(sizes([0, 10, 1800, 645]), "LOSData: a board of 0 by 10 hexes");
        for [columns, rows] in [[41, 10], [33, 41], [i32::MAX, i32::MAX]] {
            let expected = format!(
                "LOSData: a board of {columns} by {rows} hexes: at most 40 by 40 are supported"
            );
            assert_eq!(sizes([columns, rows, 2250, 645]), expected);
        }
        assert_eq!(sizes([40, 40, 2194, 2580]), "LOSData: it ends after 16 bytes");
        assert!(
            sizes([33, 10, 5400, 1935]).ends_with("has 1800 by 645 pixels here, not 5400 by 1935")
        );
        assert_eq!(sizes([33, 10, 1800, 645]), "LOSData: it ends after 16 bytes");
    }
}
