//! Tests of the colours of charts, as they are drawn.

use std::sync::Arc;

use super::{chart, of_class, series, tags};
use lowcrawl_charts::board::{MapGround, MapHex};
use lowcrawl_charts::chart::{Chart, ChartBoard, ChartKind, Panel, SHADES, Series, Value, draw};
use schema::ChartClass;

/// Converts a hexadecimal colour to sRGB components from 0 to 1.
fn rgb(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0)
}

fn linear(colour: [f64; 3]) -> [f64; 3] {
    colour
        .map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) })
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let luminance = |colour| {
        let [red, green, blue] = linear(colour);
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

/// Matrices for linear colours under normal vision, protanopia, deuteranopia and tritanopia
/// (Machado, Oliveira and Fernandes 2009, severity 1).
const DEFICIENCIES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
];

fn lab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047;
    let y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue;
    let z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883;
    let [x, y, z] = [x, y, z]
        .map(|t| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the CIEDE2000 difference of two CIELAB colours (Sharma, Wu and Dalal 2005).
fn delta_e(one: [f64; 3], other: [f64; 3]) -> f64 {
    let chroma = |[_, a, b]: [f64; 3]| a.hypot(b);
    let mean = (chroma(one) + chroma(other)) / 2.0;
    let g = 0.5 * (1.0 - (mean.powi(7) / (mean.powi(7) + 25f64.powi(7))).sqrt());
    let primed = |[l, a, b]: [f64; 3]| {
        let a = a * (1.0 + g);
        (l, a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0))
    };
    let ((l1, c1, h1), (l2, c2, h2)) = (primed(one), primed(other));
    let is_grey = c1 * c2 == 0.0;
    let turn = if is_grey { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
    let hue = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let middle = match is_grey {
        true => h1 + h2,
        false => (h1 + turn / 2.0).rem_euclid(360.0),
    };
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t =
        1.0 - 0.17 * cos(middle - 30.0) + 0.24 * cos(2.0 * middle) + 0.32 * cos(3.0 * middle + 6.0)
            - 0.2 * cos(4.0 * middle - 63.0);
    let turn = 30.0 * (-((middle - 275.0) / 25.0).powi(2)).exp();
    let rotation =
        -(2.0 * turn).to_radians().sin() * 2.0 * (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let light = (l2 - l1) / (1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt());
    let (chroma, hue) = ((c2 - c1) / (1.0 + 0.045 * c), hue / (1.0 + 0.015 * c * t));
    (light.powi(2) + chroma.powi(2) + hue.powi(2) + rotation * chroma * hue).sqrt()
}

/// Checks three pairs of the table that was published with the formula.
#[test]
fn colour_differences_match_published_values() {
    for (one, other, wanted) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ] {
        assert!((delta_e(one, other) - wanted).abs() < 5e-5, "{}", delta_e(one, other));
    }
}

fn seen(colour: &str, vision: &[[f64; 3]; 3]) -> [f64; 3] {
    let linear = linear(rgb(colour));
    let part = |row: &[f64; 3]| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>();
    lab([0, 1, 2].map(|row| part(&vision[row]).clamp(0.0, 1.0)))
}

/// The rules of a style sheet that hold on a light or on a dark page.
struct Rules(Vec<(String, String)>);

impl Rules {
    /// Reads the rules of a chart for light and for dark pages.
    fn of_themes(svg: &str) -> [Rules; 2] {
        let id = tags(svg)[0].text("id");
        let style = svg.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
        let style = style.replace(&format!("#{id} "), "");
        let read = |css: &str| {
            let rules = css.split('}').filter_map(|rule| rule.split_once('{'));
            let rule = |(names, value): (&str, &str)| (names.to_string(), value.to_string());
            Rules(rules.map(rule).collect())
        };
        let (light, dark) = style.split_once("@media (prefers-color-scheme:dark){").unwrap();
        [read(light), read(dark)]
    }

    /// Returns the colour that a property has for elements of a class.
    fn colour(&self, class: &str, property: &str) -> &str {
        let sets = |(names, value): &(String, String)| {
            let is_of_class = names.split(',').any(|name| name == class);
            is_of_class.then(|| value.strip_prefix(&format!("{property}:")).map(str::len))?
        };
        let (place, length) =
            self.0.iter().enumerate().find_map(|(place, rule)| Some((place, sets(rule)?))).unwrap();
        let value = &self.0[place].1;
        &value[value.len() - length..]
    }
}

/// Returns the colours of all classes in a theme.
fn fills(theme: &Rules) -> Vec<&str> {
    let names = ChartClass::ALL.map(|class| format!(".{}", class.name()));
    names.iter().map(|class| theme.colour(class, "fill")).collect()
}

/// Draws a heat map of the shares from 0 to 1 in steps of 0.01.
fn heat_map() -> String {
    let rows = (0..=100).map(|step| series(&step.to_string(), &[f64::from(step) / 100.0]));
    draw(&chart(ChartKind::Heat, &["1"], rows.collect()), 720.0)
}

#[test]
fn fills_and_lines_differ_for_every_colour_vision() {
    let svg = heat_map();
    let themes = Rules::of_themes(&svg);
    let pages = themes.each_ref().map(|theme| theme.colour(".page", "fill"));
    let assert_distinct = |colours: &[&str]| {
        for (place, one) in colours.iter().enumerate() {
            for other in &colours[place + 1..] {
                for by in &DEFICIENCIES {
                    let difference = delta_e(seen(one, by), seen(other, by));
                    assert!(difference >= 10.0, "{one} {other}: {difference}");
                }
            }
        }
    };
    for ((theme, page), least) in themes.iter().zip(pages).zip([1.5, 3.0]) {
        let fills = fills(theme);
        assert_distinct(&fills);
        for fill in fills {
            assert!(contrast(rgb(fill), rgb(page)) >= least, "{fill} on {page}");
        }
        // The line of the stopped is dashed.
        let lines = SHADES.iter().filter(|shade| !["stopped", "others"].contains(&shade.name));
        let lines: Vec<String> = lines.map(|shade| format!(".{}-line", shade.name)).collect();
        let lines: Vec<&str> = lines.iter().map(|line| theme.colour(line, "stroke")).collect();
        assert_distinct(&lines);
        for line in lines {
            assert!(contrast(rgb(line), rgb(page)) >= 3.0, "{line} on {page}");
        }
    }
}

/// The colour scale of probabilities on a map has visible steps of 0.1. They are about equal in
/// size and darker all the way, and texts on the scale stay readable.
#[test]
fn colour_scale_has_even_visible_steps() {
    let names: Vec<String> = (0..=100).map(|step| format!("A{step}")).collect();
    let hex = |height: i32| MapHex { column: 1, height };
    let hexes: Vec<MapHex> = (0..=100).map(|row| hex(2 * row)).collect();
    let board = ChartBoard {
        hexes: hexes.iter().map(|hex| (*hex, MapGround::default())).collect(),
        places: names.iter().cloned().zip(hexes).collect(),
    };
    let numbers = (0..).map(|step| Some(Value::from(f64::from(step) / 100.0)));
    let panel = Panel::single(names.into_iter().zip(numbers));
    let map = Chart {
        panels: vec![panel],
        board: Some(Arc::new(board)),
        ..chart(ChartKind::Map, &[], Vec::new())
    };
    let svg = draw(&map, 720.0);
    let cells = of_class(&svg, "polygon", "cell");
    let texts = of_class(&svg, "text", "figure");
    assert_eq!((cells.len(), texts.len()), (101, 101));
    let at = |step: usize, by| seen(cells[5 * step].text("stroke"), by);
    for (number, by) in DEFICIENCIES.iter().enumerate() {
        for step in 0..20 {
            let (here, next) = (at(step, by), at(step + 1, by));
            let difference = delta_e(here, next);
            assert!(difference >= 1.9, "{number}: {step} {difference}");
            assert!(number > 0 || difference <= 7.0, "{step} {difference}");
            assert!(next[0] < here[0], "{number}: {step} is not lighter");
        }
    }
    for (cell, text) in cells.iter().zip(&texts) {
        let ink = if text.is("text", "black") { [0.0; 3] } else { [1.0; 3] };
        let contrast = contrast(ink, rgb(cell.text("stroke")));
        assert!(contrast >= 4.5, "{} {contrast}", text.text);
    }
}

#[test]
fn texts_contrast_with_their_background() {
    let parts = ChartClass::ALL.map(|class| {
        let one = |tint: usize| {
            series(&format!("{}{tint}", class.name()), &[1.0 / 16.0]).of_class(Some(class))
        };
        [one(0), one(1)]
    });
    let stack = draw(&chart(ChartKind::Details, &["a"], parts.concat()), 1600.0);
    let themes = Rules::of_themes(&stack);
    for theme in &themes {
        for class in ChartClass::ALL.map(ChartClass::name) {
            let fill = rgb(theme.colour(&format!(".{class}"), "fill"));
            let ink = theme.colour(&format!(".on-{class}"), "fill");
            let ink = if ink == "black" { [0.0; 3] } else { [1.0; 3] };
            assert!(contrast(fill, ink) >= 4.5, "{class}");
            // The paler tints have a black text.
            let pale = fill.map(|part| part * 0.58 + 0.42);
            assert!(contrast(pale, [0.0; 3]) >= 4.5, "{class}");
        }
    }
    let on = |class: &str| of_class(&stack, "text", class).len();
    let on_classes: usize = SHADES.iter().map(|shade| on(&format!("on-{}", shade.name))).sum();
    assert_eq!((on_classes, on("black")), (8, 8));
    let heat = heat_map();
    let cells = of_class(&heat, "rect", "mark");
    let texts = of_class(&heat, "text", "on-ramp");
    assert_eq!((cells.len(), texts.len()), (101, 101));
    let choice = Value { value: 0.5, interval: None, word: Some("run".to_string()) };
    let choices = chart(ChartKind::Choices, &["1"], vec![Series::new("1", [Some(choice)])]);
    let deepest = of_class(&draw(&choices, 720.0), "rect", "mark")[0].number("fill-opacity");
    let plain = [[0.0; 3], [1.0; 3]];
    for ((theme, turned), plain) in themes.iter().zip(["turned", "dark-turned"]).zip(plain) {
        let page = rgb(theme.colour(".page", "fill"));
        for class in [".label", ".note"] {
            let text = theme.colour(class, "fill");
            assert!(contrast(rgb(text), page) >= 4.5, "{text}");
        }
        let mixed = |colour: [f64; 3], depth: f64| {
            [0, 1, 2].map(|part| page[part] * (1.0 - depth) + colour[part] * depth)
        };
        let ramp = theme.colour(".ramp", "fill");
        for (cell, text) in cells.iter().zip(&texts) {
            let depth = cell.number("fill-opacity");
            let ink = if text.is("text", turned) { page } else { plain };
            assert!(contrast(mixed(rgb(ramp), depth), ink) >= 4.2, "{ramp} {depth}");
        }
        let ink = rgb(theme.colour(".ink", "fill"));
        for fill in fills(theme) {
            assert!(contrast(mixed(rgb(fill), deepest), ink) >= 4.5, "{fill}");
        }
    }
}
