//! Renders an article as a self-contained HTML page.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd, html};

use super::author_html::{allowed, escape, web_address};
use super::source::options;

/// HTML generated for a part of an article, and the range of this part in the Markdown.
pub struct Made {
    pub range: Range<usize>,
    pub html: String,
}

/// Returns an SVG for use inside a page, with double quotes in its first tag.
pub fn inline(svg: &str) -> String {
    let (head, rest) = svg.split_at(svg.find('>').unwrap_or(0));
    head.replace('\'', "\"") + rest
}

/// Renders a page. Its front matter names the language, its first heading or `fallback` the title.
pub fn page(markdown: &str, made: &[Made], fallback: &str) -> String {
    let (mut in_front, mut language) = (false, "en".to_string());
    let mut events: Vec<Event> = Vec::new();
    let mut rest = made.iter().peekable();
    let mut own = 0..0;
    let mut author = String::new();
    for (event, range) in Parser::new_ext(markdown, options()).into_offset_iter() {
        if let Some(made) = rest.next_if(|made| made.range.start <= range.start) {
            own = made.range.clone();
            events.push(Event::Html(made.html.clone().into()));
        }
        if own.contains(&range.start) && range.end <= own.end {
            continue;
        }
        // The author's HTML may span several lines, which arrive as separate events.
        if let Event::Html(html) = &event {
            author += html;
            continue;
        }
        if !author.is_empty() {
            events.push(Event::Html(allowed(&std::mem::take(&mut author)).into()));
        }
        match &event {
            Event::Start(Tag::MetadataBlock(_)) => in_front = true,
            Event::End(TagEnd::MetadataBlock(_)) => in_front = false,
            Event::Text(text) if in_front => {
                language = text.lines().find_map(named_language).unwrap_or(&language).to_string();
            }
            _ => {}
        }
        events.push(safe(event));
    }
    let is_heading = |event: &&Event| {
        matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }))
    };
    let title = events.iter().skip_while(|event| !is_heading(event));
    let title = title.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let title: String = title.filter_map(text_of).collect();
    let title = if title.trim().is_empty() { fallback } else { title.trim() };
    let mut body = String::new();
    html::push_html(&mut body, with_scope(events).into_iter());
    let mut page = String::new();
    let mut template = include_str!("page.html");
    for (name, text) in [("{{lang}}", language), ("{{title}}", escape(title)), ("{{body}}", body)] {
        let (before, after) = template.split_once(name).unwrap_or((template, ""));
        page += &(before.to_string() + &text);
        template = after;
    }
    page + template
}

fn text_of<'a>(event: &'a Event) -> Option<&'a str> {
    if let Event::Text(text) | Event::Code(text) = event { Some(text) } else { None }
}

/// Parses the language from a line of front matter, such as `lang: de-AT`.
fn named_language(line: &str) -> Option<&str> {
    let name = line.strip_prefix("lang:")?.trim().trim_matches(['"', '\'']);
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|letter| letter.is_ascii_alphanumeric())
    };
    let begins = name.chars().take(2).filter(char::is_ascii_alphabetic).count() == 2;
    (begins && name.split('-').all(is_part)).then_some(name)
}

/// Sanitises the HTML and the addresses of an event from the author's text.
fn safe(mut event: Event) -> Event {
    match &mut event {
        Event::InlineHtml(html) => *html = allowed(html).into(),
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            *dest_url = web_address(dest_url).to_string().into();
        }
        _ => {}
    }
    event
}

/// Sanitises an event of a generated table: HTML becomes text, links and images lose their tags.
fn named(event: Event) -> Option<Event> {
    match event {
        Event::Html(html) | Event::InlineHtml(html) => Some(Event::Text(html)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. })
        | Event::End(TagEnd::Link | TagEnd::Image) => None,
        event => Some(event),
    }
}

/// Replaces table events by HTML with `scope` attributes and right-aligned numbers.
fn with_scope(events: Vec<Event>) -> Vec<Event> {
    let mut shown = Vec::new();
    let mut events = events.into_iter();
    while let Some(event) = events.next() {
        match event {
            Event::Start(Tag::Table(_)) => {
                let table = events.by_ref().take_while(|event| *event != END_OF_TABLE);
                shown.extend(scoped_table(table));
            }
            event => shown.push(event),
        }
    }
    shown
}

const END_OF_TABLE: Event = Event::End(TagEnd::Table);

/// Returns the events of a table with right-aligned columns of numbers. Its first row is the head.
fn scoped_table<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let mut rows: Vec<Vec<Vec<Event>>> = Vec::new();
    for event in events {
        match (event, rows.last_mut()) {
            (Event::Start(Tag::TableHead | Tag::TableRow), _) => rows.push(Vec::new()),
            (Event::Start(Tag::TableCell), Some(row)) => row.push(Vec::new()),
            (Event::End(TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell), _) => {}
            (event, Some(row)) => row.last_mut().map_or((), |cell| cell.push(event)),
            _ => {}
        }
    }
    let columns = rows.first().map_or(0, Vec::len);
    let is_right = |column: usize| {
        rows.iter().skip(1).all(|row| row.get(column).is_none_or(|cell| is_number(cell)))
    };
    let right: Vec<bool> = (0..columns).map(is_right).collect();
    let mut shown = vec![Event::Html("<div class=\"wide\" tabindex=\"0\"><table>".into())];
    for (number, row) in rows.into_iter().enumerate() {
        let (begin, end) = match number {
            0 => ("<thead><tr>", "</tr></thead><tbody>\n"),
            _ => ("<tr>", "</tr>\n"),
        };
        shown.push(Event::Html(begin.into()));
        for (column, cell) in row.into_iter().enumerate() {
            let (name, scope) = match (number, column) {
                (0, _) => ("th", " scope=\"col\""),
                (_, 0) => ("th", " scope=\"row\""),
                _ => ("td", ""),
            };
            let side = if right.get(column) == Some(&true) { " class=\"right\"" } else { "" };
            shown.push(Event::Html(format!("<{name}{scope}{side}>").into()));
            shown.extend(cell);
            shown.push(Event::Html(format!("</{name}>").into()));
        }
        shown.push(Event::Html(end.into()));
    }
    shown.push(Event::Html("</tbody></table></div>\n".into()));
    shown
}

/// Returns whether the text of a table cell is empty or a number, such as `< 0.1 %`.
fn is_number(cell: &[Event]) -> bool {
    let text: String = cell.iter().filter_map(text_of).collect();
    let text = text.trim();
    let begin = text.trim_start_matches(['<', '>', '+', '-', ' ']);
    text.is_empty()
        || begin.starts_with(|letter: char| letter.is_ascii_digit())
            && text.ends_with(|letter: char| letter == '%' || letter.is_ascii_digit())
            && !begin.contains('-')
}

/// Renders the Markdown tables of an answer as HTML. The text above a table becomes its caption.
pub fn tables(markdown: &str) -> String {
    let mut whole = String::new();
    let mut above: Vec<Event> = Vec::new();
    let mut events = Parser::new_ext(markdown, options()).filter_map(named);
    while let Some(event) = events.next() {
        if !matches!(event, Event::Start(Tag::Table(_))) {
            above.push(event);
            continue;
        }
        let table = events.by_ref().take_while(|event| *event != END_OF_TABLE);
        let (mut caption, mut body) = (String::new(), String::new());
        html::push_html(&mut caption, above.drain(..));
        html::push_html(&mut body, scoped_table(table).into_iter());
        let caption = caption.replace("<p>", "").replace("</p>\n", " ");
        let caption = format!("<table><caption>{}</caption>", caption.trim());
        whole += &body.replacen("<table>", &caption, 1);
    }
    html::push_html(&mut whole, above.into_iter());
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_tables_are_text() {
        let html = tables(
            "**<script>a</script>**\n\n| [b](javascript:c) | ![d](e) |\n|---|---|\n| <i>f</i> | <https://g> |\n",
        );
        for part in ["&lt;script&gt;a&lt;/script&gt;", ">b</th>", ">d</th>", "&lt;i&gt;f&lt;/i&gt;"]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!["<a", "<img", "<i>", "<script"].iter().any(|tag| html.contains(tag)), "{html}");
    }

    #[test]
    fn template_marks_in_headings_are_text() {
        let page = page("# {{body}} {{lang}} {{title}}\n\n{{body}}\n", &[], "");
        assert!(page.contains("<title>{{body}} {{lang}} {{title}}</title>"), "{page}");
        assert!(page.contains("<h1>{{body}} {{lang}} {{title}}</h1>\n<p>{{body}}</p>"), "{page}");
        assert!(page.contains("<html lang=\"en\">") && page.ends_with("</html>\n"), "{page}");
    }

    #[test]
    fn author_html_may_span_lines_and_paragraphs() {
        let page = page(
            "# A <kbd onclick=x>b</kbd>\n\n<details\n  ontoggle=x>\n<summary>c</summary>\n\n*d* <!-- e --><script>\n\n</details>\n\n> <div>\n> f\n",
            &[],
            "",
        );
        let body = "<h1>A <kbd>b</kbd></h1>\n<details>\n<summary>c</summary>\n<p><em>d</em> &lt;script&gt;</p>\n</details>\n<blockquote>\n<div>\nf\n</blockquote>\n";
        assert!(page.contains(body), "{page}");
        assert!(page.contains("<title>A b</title>"), "{page}");
    }

    #[test]
    fn tables_have_captions_and_scopes() {
        let html =
            tables("**A.** Exact; `x`\n\nHow often:\n\n| a | b |\n|---|---|\n| 1 | 4-6-7 |\n");
        assert_eq!(
            html,
            "<div class=\"wide\" tabindex=\"0\"><table><caption><strong>A.</strong> Exact; <code>x</code> How often:</caption><thead><tr>\
             <th scope=\"col\" class=\"right\">a</th><th scope=\"col\">b</th></tr></thead><tbody>\n\
             <tr><th scope=\"row\" class=\"right\">1</th><td>4-6-7</td></tr>\n</tbody></table></div>\n"
        );
    }
}
