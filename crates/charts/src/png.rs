//! Conversion of pictures to PNG, for places that do not accept SVG. Texts use an embedded font
//! with the widths that charts assume.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// The number of PNG pixels per SVG pixel, so that pictures are sharp on current screens.
const SCALE: f32 = 2.0;
/// The largest width and height of a PNG, in pixels.
const MOST: f32 = 8192.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [
        &include_bytes!("../fonts/LowcrawlSans-Regular.ttf")[..],
        &include_bytes!("../fonts/LowcrawlSans-Bold.ttf")[..],
    ] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Lowcrawl Sans");
    Arc::new(fonts)
});

pub fn from_svg(svg: &str) -> Result<Vec<u8>, String> {
    let options = Options { fontdb: FONTS.clone(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let scale = SCALE.min(MOST / size.width().max(size.height()));
    let pixels = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut image =
        Pixmap::new(pixels(size.width()), pixels(size.height())).ok_or("it has no size")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A red page with black letters on the right, to check colours, text widths and page size.
    #[test]
    fn png_has_the_colours_and_letters_of_its_svg() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' id='c' width='200' height='40' viewBox='0 0 200 40'>\
            <style>#c{font-family:Arial,sans-serif}#c .a{fill:#c00000}\
            @media (prefers-color-scheme:dark){#c .a{fill:#0000c0}}</style>\
            <rect class='a' width='200' height='40'/><text x='100' y='30' font-size='24'>MMMé</text></svg>";
        let image = Pixmap::decode_png(&from_svg(svg).unwrap()).unwrap();
        assert_eq!((image.width(), image.height()), (400, 80));
        let red = image.pixel(10, 10).unwrap();
        assert_eq!((red.red(), red.green(), red.blue()), (0xc0, 0, 0), "the light page");
        let is_black = |x: u32| (0..80).any(|y| image.pixel(x, y).unwrap().red() < 0x20);
        let black: Vec<u32> = (0..400).filter(|&x| is_black(x)).collect();
        let [Some(first), Some(last)] = [black.first(), black.last()] else { panic!("no letters") };
        let end = 2.0 * (100.0 + 24.0 * (3.0 * 0.833 + 0.556));
        assert!(*first > 200 && f64::from(*last) < end, "{first} to {last} of {end}");
        assert!(f64::from(*last) > end - 6.0, "{first} to {last} of {end}");
        let large = svg.replace("width='200' height='40' v", "width='20000' height='40' v");
        let image = Pixmap::decode_png(&from_svg(&large).unwrap()).unwrap();
        assert_eq!(image.width(), MOST as u32);
        assert!(from_svg("no picture").is_err());
    }
}
