//! Tests that parse the SVG of charts.

mod colours;

use lowcrawl_charts::chart::{Chart, ChartKind, Look, Panel, Series, Unit, Value, draw, plot};
use lowcrawl_charts::route_map::percent;
use schema::ChartClass;

/// The classes of texts with their font sizes in pixels, and the factor by which they may be wider
/// in another font or in bold.
const STYLES: [(&str, f64, f64); 5] = [
    ("title", 18.0, 1.45),
    ("note", 12.5, 1.2),
    ("head", 13.0, 1.45),
    ("label", 13.0, 1.2),
    ("figure", 12.0, 1.2),
];

/// Advance widths in Helvetica from the space to the tilde, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Returns the width of a text in font sizes. Accented letters count 0.78, other scripts 1.
fn advance(text: &str) -> f64 {
    let advance = |letter: char| match (letter as usize).checked_sub(32) {
        Some(place) if place < ADVANCES.len() => f64::from(ADVANCES[place]) / 1000.0,
        _ if (letter as u32) < 0x2E80 => 0.78,
        _ => 1.0,
    };
    text.chars().map(advance).sum()
}

/// An SVG tag with its attributes, and the text right after it.
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    text: &'a str,
}

impl<'a> Tag<'a> {
    fn text(&self, name: &str) -> &'a str {
        let key = format!(" {name}='");
        let from = self.attributes.find(&key).map(|at| at + key.len());
        from.map_or("", |from| self.attributes[from..].split('\'').next().unwrap())
    }

    fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|_| panic!("{name} of {}", self.attributes))
    }

    fn is(&self, name: &str, class: &str) -> bool {
        self.name == name && self.text("class").split(' ').any(|one| one == class)
    }
}

fn tags(svg: &str) -> Vec<Tag<'_>> {
    let all = svg.split('<').skip(1).filter_map(|piece| {
        let (tag, text) = piece.split_once('>')?;
        let (name, attributes) = tag.split_at(tag.find([' ', '/']).unwrap_or(tag.len()));
        Some(Tag { name, attributes, text })
    });
    all.collect()
}

/// Returns the tags of a name and a class.
fn of_class<'a>(svg: &'a str, name: &str, class: &str) -> Vec<Tag<'a>> {
    tags(svg).into_iter().filter(|tag| tag.is(name, class)).collect()
}

/// Returns the vertices of an SVG path with the commands `M` and `L`.
fn vertices(path: &str) -> Vec<(f64, f64)> {
    let points = path.split(['M', 'L', ' ', 'z']).filter(|point| !point.is_empty());
    let numbers = points.map(|point| point.split_once(',').unwrap());
    numbers.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
}

fn unescaped(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&#39;", "'").replace("&amp;", "&")
}

fn series(name: &str, values: &[f64]) -> Series {
    Series::new(name, values.iter().map(|value| Some(Value::from(*value))))
}

fn chart(kind: ChartKind, places: &[&str], series: Vec<Series>) -> Chart {
    let places = places.iter().map(|place| place.to_string()).collect();
    Chart {
        title: "A 4-6-7 under DM".to_string(),
        note: "Exact; A10.6.".to_string(),
        kind,
        unit: match kind.name() {
            "choices" | "difference" => Unit::Points,
            _ => Unit::Odds,
        },
        along: "leader".to_string(),
        across: "hexes".to_string(),
        panels: vec![Panel::new(places, series)],
        board: None,
    }
}

/// A generator of pseudo-random numbers with a fixed seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn share(&mut self) -> f64 {
        match self.below(12) {
            0 => 0.0,
            1 => 1.0,
            _ => self.below(1_000_001) as f64 / 1e6,
        }
    }

    fn name(&mut self) -> String {
        const WORDS: [&str; 9] = [
            "9-1",
            "german:4-6-7/dm",
            "écrasés",
            "WWWWWWWW",
            "<&'\">",
            "iii",
            "Übermut",
            "a very long name of a stack in woods",
            "兵",
        ];
        (0..1 + self.below(3)).map(|_| WORDS[self.below(9) as usize]).collect::<Vec<_>>().join(" ")
    }

    fn value(&mut self, kind: ChartKind) -> Option<Value> {
        let value = match kind.name() == "difference" {
            true => 2.0 * self.share() - 1.0,
            false => self.share(),
        };
        let interval =
            (self.below(2) == 0).then(|| (value - 0.1 * self.share(), value + 0.1 * self.share()));
        let word = (kind.name() == "choices")
            .then(|| ["run", "Low Crawl", "stay where it is"][self.below(3) as usize].to_string());
        match self.below(14) {
            0 => None,
            1 => Some(Value::from(f64::NAN)),
            _ => Some(Value { value, interval, word }),
        }
    }

    fn chart(&mut self) -> Chart {
        // Maps are excluded, since they need a board.
        let kinds: Vec<ChartKind> =
            ChartKind::ALL.into_iter().filter(|kind| kind.name() != "map").collect();
        let kind = kinds[self.below(kinds.len() as u64) as usize];
        let places = [1, 2, 3, 6, 40][self.below(5) as usize];
        let many = [1, 2, 4, 9, 15][self.below(5) as usize];
        let panels = [1, 1, 1, 2, 3][self.below(5) as usize];
        let unit = [Unit::Number, Unit::Points, Unit::Odds, Unit::Odds][self.below(4) as usize];
        let names: Vec<String> = (0..many).map(|_| self.name()).collect();
        let classes: Vec<Option<ChartClass>> = match self.below(2) {
            0 => vec![None; names.len()],
            _ => names.iter().map(|_| Some(ChartClass::ALL[self.below(8) as usize])).collect(),
        };
        let panel = |dice: &mut Dice| Panel {
            name: if panels > 1 { dice.name() } else { String::new() },
            places: (0..places).map(|_| dice.name()).collect(),
            series: names
                .iter()
                .zip(&classes)
                .map(|(name, class)| {
                    Series::new(name, (0..places).map(|_| dice.value(kind))).of_class(*class)
                })
                .collect(),
            units: Vec::new(),
        };
        let panels = (0..panels).map(|_| panel(self)).collect();
        let [title, note, along, across] = [0; 4].map(|_| self.name());
        Chart { title, note, kind, unit, along, across, panels, board: None }
    }
}

/// Returns all texts with their boxes: left, top, right and bottom in pixels.
fn boxes(svg: &str) -> Vec<(String, [f64; 4])> {
    let texts = tags(svg).into_iter().filter(|tag| tag.name == "text").map(|tag| {
        let of_style = |(name, ..): &(&str, f64, f64)| tag.is("text", name);
        let (_, size, widest) = STYLES.into_iter().find(of_style).unwrap();
        let text = unescaped(tag.text);
        let wide = widest * size * advance(&text);
        let (x, y) = (tag.number("x"), tag.number("y"));
        let left = match () {
            _ if tag.is("text", "start") => x,
            _ if tag.is("text", "end") => x - wide,
            _ => x - wide / 2.0,
        };
        let [top, bottom] = [y - 0.75 * size, y + 0.2 * size];
        (text, [left, top, left + wide, bottom])
    });
    texts.collect()
}

#[test]
fn labels_stay_in_the_frame_and_do_not_overlap() {
    let mut dice = Dice(7);
    for number in 0..300 {
        let chart = dice.chart();
        for width in [320.0, 720.0, 1600.0] {
            let svg = draw(&chart, width);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{number}: {chart:?}");
            let page = &tags(&svg)[0];
            let (wide, high) = (page.number("width"), page.number("height"));
            let boxes = boxes(&svg);
            for (place, (text, one)) in boxes.iter().enumerate() {
                let [left, top, right, bottom] = *one;
                let place_of = format!("{number}, {width}, {:?}: `{text}` {one:?}", chart.kind);
                let inside = left >= 0.0 && top >= 0.0 && right <= wide && bottom <= high;
                assert!(inside, "{place_of} leaves {wide} x {high}");
                for (other_text, other) in &boxes[place + 1..] {
                    let is_beside = right <= other[0] || other[2] <= left;
                    let is_above_or_below = bottom <= other[1] || other[3] <= top;
                    let are_apart = is_beside || is_above_or_below;
                    assert!(are_apart, "{place_of} over `{other_text}` {other:?}");
                }
            }
        }
    }
}

#[test]
fn equal_charts_have_equal_bytes() {
    let (one, other) = (Dice(3).chart(), Dice(3).chart());
    assert_eq!(draw(&one, 720.0), draw(&other, 720.0));
    let id = |svg: &str| tags(svg)[0].text("id").to_string();
    assert_ne!(id(&draw(&one, 720.0)), id(&draw(&Dice(4).chart(), 720.0)));
}

#[test]
fn bars_are_as_long_as_their_numbers() {
    let parts = [
        series("holds", &[0.5, 1.0, 0.0]),
        series("breaks", &[0.25, 0.0, 0.001]),
        series("lost", &[0.25, 0.0, 0.999]),
    ];
    let svg = draw(&chart(ChartKind::Bars, &["8-0", "9-1", "none"], parts.to_vec()), 720.0);
    let mut bars = of_class(&svg, "rect", "mark");
    bars.retain(|tag| tag.text("height") == "24.00");
    let whole: f64 = bars[3].number("width");
    let widths: Vec<f64> = bars.iter().map(|bar| bar.number("width") / whole).collect();
    let wanted = [0.5, 0.25, 0.25, 1.0, 0.001, 0.999];
    assert_eq!(widths.len(), wanted.len(), "what is nothing has no bar");
    for (width, wanted) in widths.iter().zip(wanted) {
        assert!((width - wanted).abs() * whole < 0.5, "{width} {wanted}");
    }
    // The parts of a stacked bar touch.
    assert!((bars[0].number("x") + bars[0].number("width") - bars[1].number("x")).abs() < 0.02);
    assert!(svg.contains("<title>8-0, holds: 50.0 %</title>"), "{svg}");
    assert!(svg.contains("lost 0.0 % (9-1) to 99.9 % (none)"), "{svg}");
}

#[test]
fn curves_go_through_their_numbers() {
    let estimate = |value: f64| {
        Some(Value { value, interval: Some((value - 0.05, value + 0.05)), word: None })
    };
    let values = vec![Some(1.0.into()), estimate(0.4), estimate(0.1), None, Some(0.0.into())];
    let one = Series::new("9-1", values);
    for (kind, each) in [(ChartKind::Curve, 1), (ChartKind::Steps, 2)] {
        let svg = draw(&chart(kind, &["0", "1", "2", "3", "4"], vec![one.clone()]), 720.0);
        let rules: Vec<f64> = of_class(&svg, "path", "grid")
            .iter()
            .map(|tag| tag.text("d").split([',', ' ']).nth(1).unwrap().parse().unwrap())
            .collect();
        let (zero, all) = (rules[0], rules[4]);
        let level = |y: f64| (zero - y) / (zero - all);
        let curves = of_class(&svg, "path", "curve");
        let curves: Vec<_> = curves.iter().map(|tag| vertices(tag.text("d"))).collect();
        let lengths: Vec<usize> = curves.iter().map(Vec::len).collect();
        assert_eq!(lengths, [3 * each, each], "what is missing breaks it");
        let levels: Vec<f64> = curves.iter().flatten().map(|(_, y)| level(*y)).collect();
        let wanted = [1.0, 0.4, 0.1, 0.0].into_iter().flat_map(|value| vec![value; each]);
        for (level, wanted) in levels.iter().zip(wanted) {
            assert!((level - wanted).abs() * (zero - all) < 0.5, "{level} {wanted}");
        }
        if kind.name() == "steps" {
            let (from, to) = (curves[1][0].0, curves[1][1].0);
            assert!(to - from > 50.0, "the last step is as wide as the others: {from} {to}");
        }
        let band = vertices(of_class(&svg, "path", "band")[0].text("d"));
        let around: Vec<f64> = band.iter().map(|(_, y)| level(*y)).collect();
        let highs = [1.0, 0.45, 0.15].into_iter().flat_map(|value| vec![value; each]);
        for (level, wanted) in around.iter().zip(highs) {
            assert!((level - wanted).abs() < 0.002, "{level} {wanted}");
        }
    }
}

#[test]
fn cells_are_as_opaque_as_their_numbers() {
    let rows = vec![series("1", &[0.0, 0.5]), series("2", &[0.25, 1.0])];
    let svg = draw(&chart(ChartKind::Heat, &["a", "b"], rows), 720.0);
    let cells = of_class(&svg, "rect", "mark");
    let depths: Vec<f64> = cells.iter().map(|tag| tag.number("fill-opacity")).collect();
    for (depth, value) in depths.iter().zip([0.0, 0.5, 0.25, 1.0]) {
        assert!((depth - (0.06 + 0.94 * value)).abs() < 0.001, "{depth} {value}");
    }
    assert_eq!(depths.len(), 4);
}

#[test]
fn line_separates_different_best_choices() {
    let choice = |word: &str, value: f64| {
        Some(Value { value, interval: None, word: Some(word.to_string()) })
    };
    let rows = vec![
        Series::new("1", [choice("run", 0.03), choice("crawl", 0.1), choice("crawl", 0.2)]),
        Series::new("2", [choice("run", 0.08), choice("run", 0.01), choice("crawl", 0.1)]),
    ];
    let svg = draw(&chart(ChartKind::Choices, &["2", "4", "6"], rows), 720.0);
    let flip = of_class(&svg, "path", "flip")[0].text("d");
    // Each row has a vertical line, and the middle column has a horizontal one.
    assert_eq!((flip.matches('V').count(), flip.matches('H').count()), (2, 1), "{flip}");
    let mut cells = of_class(&svg, "rect", "mark");
    cells.retain(|tag| tag.text("height") == "42.00");
    let first = flip.trim_start_matches('M').split([',', ' ']).next().unwrap();
    assert_eq!(first, cells[1].text("x"), "{flip}");
    let fills: Vec<&str> = cells.iter().map(|cell| cell.text("class")).collect();
    let [run, crawl] = ["mark good", "mark broken"];
    assert_eq!(fills, [run, crawl, crawl, run, run, crawl]);
    assert!(svg.contains("run is best in 3 of 6 cells, by +8.0 points at most"), "{svg}");
    assert!(svg.contains(">+20.0 points</text>"), "{svg}");
}

#[test]
fn unclear_differences_are_described_so() {
    let difference = |value: f64, half: f64| {
        Some(Value { value, interval: Some((value - half, value + half)), word: None })
    };
    let one = Series::new("", [difference(0.1, 0.02), difference(-0.01, 0.02)]);
    let svg = draw(&chart(ChartKind::Difference, &["run", "stay"], vec![one]), 720.0);
    let unclear = "stay -1.0 points (95 %: -3.0 to +1.0), not clear of its error.";
    assert!(svg.contains(&format!("run +10.0 points (95 %: +8.0 to +12.0); {unclear}")), "{svg}");
    let dots = of_class(&svg, "circle", "dot");
    let dots: Vec<f64> = dots.iter().map(|tag| tag.number("cx")).collect();
    let axis = of_class(&svg, "path", "axis")[0].text("d").split_once(',').unwrap();
    let axis: f64 = axis.0[1..].parse().unwrap();
    let ratio = (dots[0] - axis) / (axis - dots[1]);
    assert!((ratio - 10.0).abs() < 0.2, "{ratio}");
}

#[test]
fn empty_charts_say_nothing_to_show() {
    for kind in ChartKind::ALL {
        for empty in [vec![], vec![series("a", &[f64::NAN])]] {
            let mut empty = chart(kind, &["1"], empty);
            assert!(draw(&empty, 720.0).contains("nothing to show"), "{kind:?}");
            empty.panels.clear();
            assert!(draw(&empty, 720.0).contains("<desc>Nothing to show.</desc>"), "{kind:?}");
            assert_eq!(plot(&empty, &Look { width: 80, colours: false }), "nothing to show\n");
        }
    }
}

#[test]
fn character_bars_fit_the_width() {
    let single = chart(ChartKind::Bars, &["8-0", "9-1"], vec![series("", &[0.5, 1.0])]);
    let text = plot(&single, &Look { width: 40, colours: false });
    let [half, whole] = ["█████████████▌              ", "███████████████████████████"];
    assert_eq!(text, format!("8-0  {half} 50.0 %\n9-1  {whole} 100.0 %\n"));
    let stack =
        chart(ChartKind::Bars, &["8-0"], vec![series("holds", &[0.75]), series("lost", &[0.25])]);
    let text = plot(&stack, &Look { width: 40, colours: false });
    let heading = format!("{:>40}\n", "holds");
    assert_eq!(
        text,
        heading + "8-0  AAAAAAAAAAAAAAAAAAAAABBBBBBB 75.0 %\nA holds 75.0 %  B lost 25.0 %\n"
    );
    let coloured = plot(&stack, &Look { width: 40, colours: true });
    assert!(coloured.contains("\u{1b}[38;5;72m█████████████████████\u{1b}[0m"), "{coloured:?}");
    let mut dice = Dice(11);
    for _ in 0..300 {
        let chart = dice.chart();
        for line in plot(&chart, &Look { width: 80, colours: false }).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// Each area begins where the one before it ends, and the last one ends at the top of the axis.
#[test]
fn areas_lie_on_each_other() {
    let parts = vec![series("front", &[0.5, 0.25]), series("behind", &[0.5, 0.75])];
    let svg = draw(&chart(ChartKind::Areas, &["1", "2"], parts), 720.0);
    let areas = of_class(&svg, "path", "mark");
    let corners = |area: &Tag| -> Vec<f64> {
        let path = area.text("d").trim_start_matches('M').trim_end_matches('z');
        path.split(" L").map(|corner| corner.split_once(',').unwrap().1.parse().unwrap()).collect()
    };
    let [front, behind] = &areas[..] else { panic!("two areas: {svg}") };
    let (front, behind) = (corners(front), corners(behind));
    assert_eq!((front[0], front[1]), (behind[3], behind[2]));
    let (bottom, top) = (front[3], behind[0]);
    assert_eq!((front[2], behind[1]), (bottom, top));
    assert!((front[0] - (top + bottom) / 2.0).abs() < 0.02, "{front:?}");
    assert!((front[1] - (top + 3.0 * bottom) / 4.0).abs() < 0.02, "{front:?}");
    assert!(svg.contains("<title>front: 50.0 % at 1, 25.0 % at 2</title>"), "{svg}");
}

#[test]
fn bands_of_a_fan_are_named() {
    let number = |value: f64| Some(Value { value, interval: Some((0.25, 1.0)), word: None });
    let fan = Series::new("holds", [number(0.5), number(0.75)]);
    let svg = draw(&chart(ChartKind::Fan, &["1", "2"], vec![fan]), 720.0);
    assert!(svg.contains("1, holds: 50.0 % (10 to 90 %: 25.0 % to 100.0 %)"), "{svg}");
    assert_eq!(of_class(&svg, "path", "band").len(), 1);
}

#[test]
fn steps_are_labelled_at_least() {
    let counts =
        chart(ChartKind::Steps, &["0", "1", "2"], vec![series("holds", &[1.0, 0.75, 0.25])]);
    let text = plot(&counts, &Look { width: 60, colours: false });
    let labels: Vec<&str> = text.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(labels, ["holds, at least 0", "holds, at least 1", "holds, at least 2"]);
    let svg = draw(&counts, 720.0);
    assert!(svg.contains("<title>at least 1, holds: 75.0 %</title>"), "{svg}");
    assert!(svg.contains("holds from 100.0 % for at least 0 to 25.0 % for at least 2."), "{svg}");
    assert!(svg.contains(">1</text>"), "{svg}");
}

#[test]
fn only_certain_odds_print_0_or_100_percent() {
    let percentages: Vec<String> =
        [0.0, 0.001, 0.25, 0.994, 0.9966, 0.9999, 1.0].into_iter().map(percent).collect();
    assert_eq!(percentages, ["0%", "<1%", "25%", "99%", "99.7%", ">99.9%", "100%"]);
}

/// A style rule without the id of its picture would affect the page around the picture.
#[test]
fn style_rules_apply_to_their_picture_only() {
    let svg = draw(&Dice(5).chart(), 720.0);
    let id = tags(&svg)[0].text("id").to_string();
    let style = svg.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let rules = style.replace("@media (prefers-color-scheme:dark){", "");
    let rules = rules.split('}').filter_map(|rule| rule.split_once('{'));
    for selector in rules.flat_map(|(rule, _)| rule.split(',')) {
        assert!(selector.starts_with(&format!("#{id}")), "{selector}");
    }
}

/// Returns a chart of final states as a game has them: the parts of each bar have the sum 1, and
/// the class of each series is one of eight.
fn chart_of_states(dice: &mut Dice) -> Chart {
    let kind = [ChartKind::Bars, ChartKind::Details, ChartKind::Curve][dice.below(3) as usize];
    let many = [1, 2, 4, 8, 15, 40][dice.below(6) as usize];
    let places = [1, 2, 6][dice.below(3) as usize];
    let weights: Vec<Vec<f64>> =
        (0..places).map(|_| (0..many).map(|_| dice.share().powi(4)).collect()).collect();
    let series = (0..many).map(|number| {
        let share = |weights: &Vec<f64>| weights[number] / weights.iter().sum::<f64>();
        let class = match kind.name() {
            "details" => ChartClass::ALL[dice.below(8) as usize],
            _ => ChartClass::ALL[number % 8],
        };
        let values = weights.iter().map(|weights| Some(Value::from(share(weights))));
        Series::new(format!("state{number}"), values).of_class(Some(class))
    });
    let series = series.collect();
    let names: Vec<String> = (0..places).map(|place| format!("place {place}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    chart(kind, &names, series)
}

#[test]
fn every_state_over_2_percent_is_named_and_every_class_has_one_colour() {
    let mut dice = Dice(42);
    let mut folded = 0;
    for number in 0..300 {
        let chart = chart_of_states(&mut dice);
        let series = &chart.panels[0].series;
        let shares = |series: &Series| -> Vec<f64> {
            series.values.iter().flatten().map(|value| value.value).collect()
        };
        for width in [320.0, 720.0] {
            let svg = draw(&chart, width);
            let of = format!("{number}, {width}, {:?}", chart.kind);
            let desc = unescaped(svg.split("<desc>").nth(1).unwrap().split('<').next().unwrap());
            let texts: Vec<(String, [f64; 4])> = boxes(&svg);
            let is_single = series.len() == 1;
            for one in series {
                let most = shares(one).into_iter().fold(0.0, f64::max);
                let is_named = texts.iter().any(|(text, _)| *text == one.name);
                if most >= 0.02 && chart.kind.name() != "curve" && !is_single {
                    assert!(is_named, "{of}: {} {most} is not in the legend", one.name);
                    let is_described = desc.contains(&format!("{} ", one.name));
                    assert!(is_described, "{of}: {} {most}: {desc}", one.name);
                }
            }
            let marks: Vec<Tag> = of_class(&svg, "rect", "mark")
                .into_iter()
                .filter(|tag| tag.text("height") == "24.00")
                .collect();
            let tags = tags(&svg);
            let titles = tags.iter().filter(|tag| tag.name == "title").skip(1);
            for (mark, title) in marks.iter().zip(titles) {
                let of_series = |one: &&Series| title.text.contains(&format!("{}:", one.name));
                let shown = mark.text("class").trim_start_matches("mark ");
                match series.iter().find(of_series) {
                    Some(one) => assert_eq!(shown, one.class.unwrap().name(), "{of}"),
                    None if is_single => {}
                    None => {
                        assert_eq!(shown, "others", "{of}: {}", title.text);
                        folded += 1;
                        let share = title.text.rsplit(": ").next().unwrap();
                        let share = share.trim_end_matches(" %").trim_start_matches("&lt; ");
                        assert!(share.parse::<f64>().unwrap() <= 2.0, "{of}: {}", title.text);
                    }
                }
                let (x, y) = (mark.number("x"), mark.number("y"));
                let (wide, whole) = (mark.number("width"), shares(&series[0]).len() as f64);
                let share: f64 = title
                    .text
                    .rsplit(": ")
                    .next()
                    .unwrap()
                    .split(' ')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap_or(0.0);
                if share >= 6.0 && whole > 0.0 && !is_single {
                    let has_number = texts.iter().any(|(text, [left, top, right, bottom])| {
                        text.parse::<f64>().is_ok_and(|shown| (shown - share).abs() <= 0.5)
                            && *left >= x - 0.1
                            && *right <= x + wide + 0.1
                            && *top >= y
                            && *bottom <= y + 24.0
                    });
                    assert!(has_number, "{of}: {} has no number", title.text);
                }
            }
        }
        let text = plot(&chart, &Look { width: 80, colours: false });
        if chart.kind.name() != "curve" && series.len() > 1 {
            for one in series.iter().filter(|one| shares(one).iter().any(|share| *share >= 0.02)) {
                assert!(text.contains(&format!("{} ", one.name)), "{number}: {}: {text}", one.name);
            }
        }
    }
    assert!(folded > 20, "{folded} bars with rare states");
}
