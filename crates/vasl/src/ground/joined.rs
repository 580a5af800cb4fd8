//! Boards of a map as one, so that lines of sight go over their seams.

use std::sync::OnceLock;

use super::LosBoard;
use super::raster::{Pixel, Raster, size};
use super::terrain::TerrainCodes;

/// A board of a map.
#[derive(Clone, Debug)]
pub struct LaidRaster {
    pub raster: Raster,
    /// The offset of the whole board on the map, in columns and rows of hexes.
    pub corner: (i32, i32),
    pub is_turned: bool,
    /// The part in use: left, top, width and height in pixels of the board as it is not turned.
    pub part: [i32; 4],
}

/// The boards of a map as one, which is built when a line first goes over a seam.
#[derive(Debug)]
pub struct JoinedBoards {
    boards: Vec<LaidRaster>,
    joined: OnceLock<Option<(LosBoard, (i32, i32))>>,
}

impl JoinedBoards {
    pub fn new(boards: Vec<LaidRaster>) -> JoinedBoards {
        JoinedBoards { boards, joined: OnceLock::new() }
    }

    /// Returns the map with its first column and row; `None` if a board has unknown terrain.
    pub fn board(&self) -> Option<&(LosBoard, (i32, i32))> {
        let build = || {
            let (raster, first) = Raster::joined(&self.boards);
            Some((LosBoard::new(raster, &TerrainCodes::common()).ok()?, first))
        };
        self.joined.get_or_init(build).as_ref()
    }
}

impl Raster {
    /// Joins the boards of a map in the coordinates of whole boards: each pixel is that of the
    /// board that it lies on, and Open Ground where there is none. Returns the map and its first
    /// column and row.
    pub fn joined(boards: &[LaidRaster]) -> (Raster, (i32, i32)) {
        let least = |of: fn(&LaidRaster) -> i32| boards.iter().map(of).min().unwrap_or(0);
        let first = (least(|board| board.corner.0), least(|board| board.corner.1));
        let most = |of: &dyn Fn(&LaidRaster) -> i32| boards.iter().map(of).max().unwrap_or(0);
        let columns = most(&|board| board.corner.0 - first.0 + board.raster.columns as i32);
        let rows = most(&|board| board.corner.1 - first.1 + board.raster.rows as i32);
        let (columns, rows) = (columns.max(1) as usize, rows.max(1) as usize);
        let (width, height) = (size(columns - 1, 225, 4), size(rows, 129, 2));
        let mut pixels = vec![Pixel::default(); width * height];
        let mut is_set = vec![false; width * height];
        for board in boards {
            let own = &board.raster;
            let right = size((board.corner.0 - first.0) as usize, 225, 4) as i32;
            let down = size((board.corner.1 - first.1) as usize, 129, 2) as i32;
            let [left, top, wide, high] = board.part;
            let last = (own.width as i32 - 1, own.height as i32 - 1);
            let columns = left.max(0)..(left + wide).min(own.width as i32);
            for x in columns {
                for y in top.max(0)..(top + high).min(own.height as i32) {
                    let (to_x, to_y) = match board.is_turned {
                        true => (last.0 - x + right, last.1 - y + down),
                        false => (x + right, y + down),
                    };
                    let is_on_map =
                        (0..width as i32).contains(&to_x) && (0..height as i32).contains(&to_y);
                    let place = to_x as usize * height + to_y as usize;
                    if is_on_map && !std::mem::replace(&mut is_set[place], true) {
                        pixels[place] = own.pixels[x as usize * own.height + y as usize];
                    }
                }
            }
        }
        let stairways = vec![false; columns * rows + columns / 2];
        (Raster { columns, rows, width, height, pixels, stairways }, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(columns: usize, rows: usize, terrain: u8) -> Raster {
        let (width, height) = (size(columns - 1, 225, 4), size(rows, 129, 2));
        let pixels = vec![Pixel { elevation: 0, terrain }; width * height];
        let stairways = vec![false; columns * rows + columns / 2];
        Raster { columns, rows, width, height, pixels, stairways }
    }

    /// The pixels at the seam, at the outer corners and where a part is left out.
    #[test]
    fn boards_are_joined_pixel_by_pixel() {
        let mut turned = board(33, 10, 2);
        turned.pixels[0].terrain = 9;
        let laid = |raster: Raster, corner, is_turned| {
            let part = [0, 0, raster.width as i32, raster.height as i32];
            LaidRaster { raster, corner, is_turned, part }
        };
        let boards = [laid(board(33, 10, 1), (2, 3), false), laid(turned, (34, 3), true)];
        let (map, first) = Raster::joined(&boards);
        assert_eq!((map.columns, map.rows, map.width, map.height), (65, 10, 3600, 645));
        assert_eq!(first, (2, 3));
        let code = |x: i32, y: i32| map.pixel(x, y).unwrap().terrain;
        assert_eq!([code(0, 0), code(1799, 644), code(1800, 0)], [1, 1, 2]);
        // The first pixel of the turned board is the last one of the map.
        assert_eq!(code(3599, 644), 9);
        let half = LaidRaster { part: [0, 0, 900, 645], ..boards[0].clone() };
        let (map, _) = Raster::joined(&[half, boards[1].clone()]);
        assert_eq!(map.pixel(1000, 10).unwrap().terrain, 0);
    }
}
