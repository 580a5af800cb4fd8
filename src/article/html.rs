//! Renders an article as a self-contained HTML page.

use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd, html};

use super::author_html::{allowed, escape, web_address};
use super::source::options;

/// HTML generated for a part of an article, and the range of this part in the Markdown.
pub struct Made {
    pub range: Range<usize>,
    pub html: String,
}

/// Returns an SVG picture for use inside a page, with double quotes in its first tag. The attribute
/// values of that tag contain no quotes.
pub fn inline(svg: &str) -> String {
    let (head, rest) = svg.split_at(svg.find('>').unwrap_or(0));
    head.replace('\'', "\"") + rest
}

/// Renders an article as a whole page. The front matter sets the language of the page, and the
/// first heading its title. Without a heading, `fallback` is the title.
pub fn page(markdown: &str, made: &[Made], fallback: &str) -> String {
    let mut title = String::new();
    let (mut in_title, mut has_title) = (false, false);
    let (mut in_front, mut language) = (false, ENGLISH.to_string());
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
            Event::Start(Tag::Heading { level, .. }) if *level as usize == 1 => {
                in_title = !has_title;
                has_title = true;
            }
            Event::End(TagEnd::Heading(_)) => in_title = false,
            Event::Start(Tag::MetadataBlock(_)) => in_front = true,
            Event::End(TagEnd::MetadataBlock(_)) => in_front = false,
            Event::Text(text) if in_front => {
                language = text.lines().find_map(named_language).map_or(language, str::to_string);
            }
            Event::Text(text) | Event::Code(text) if in_title => title += text,
            _ => {}
        }
        events.push(safe(event));
    }
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

const ENGLISH: &str = "en";

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
fn safe(event: Event) -> Event {
    let led = |address: CowStr| CowStr::from(web_address(&address).to_string());
    match event {
        Event::InlineHtml(html) => Event::InlineHtml(allowed(&html).into()),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: led(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: led(dest_url), title, id })
        }
        event => event,
    }
}

/// Sanitises an event of a generated table: HTML becomes plain text, and links and images lose
/// their tags.
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
    let mut sides: VecDeque<Vec<bool>> = columns_of_numbers(&events).into();
    let (mut in_head, mut column) = (false, 0);
    let html = |html: &'static str| Event::Html(html.into());
    let name = |in_head: bool, column: usize| if in_head || column == 1 { "th" } else { "td" };
    let one = |event| match event {
        Event::Start(Tag::Table(_)) => html("<div class=\"wide\" tabindex=\"0\"><table>"),
        Event::End(TagEnd::Table) => {
            sides.pop_front();
            html("</tbody></table></div>\n")
        }
        Event::Start(Tag::TableHead) => {
            (in_head, column) = (true, 0);
            html("<thead><tr>")
        }
        Event::End(TagEnd::TableHead) => {
            in_head = false;
            html("</tr></thead><tbody>\n")
        }
        Event::Start(Tag::TableRow) => {
            column = 0;
            html("<tr>")
        }
        Event::End(TagEnd::TableRow) => html("</tr>\n"),
        Event::Start(Tag::TableCell) => {
            let is_right =
                sides.front().and_then(|sides| sides.get(column)).is_some_and(|right| *right);
            column += 1;
            let scope = match (in_head, column) {
                (true, _) => " scope=\"col\"",
                (false, 1) => " scope=\"row\"",
                _ => "",
            };
            let side = if is_right { " class=\"right\"" } else { "" };
            Event::Html(format!("<{}{scope}{side}>", name(in_head, column)).into())
        }
        Event::End(TagEnd::TableCell) => {
            Event::Html(format!("</{}>", name(in_head, column)).into())
        }
        event => event,
    };
    events.into_iter().map(one).collect()
}

/// Returns for each table and column whether all entries below the heading are numbers.
fn columns_of_numbers(events: &[Event]) -> Vec<Vec<bool>> {
    let is_number = |text: &str| {
        let begin = text.trim_start_matches(['<', '>', '+', '-', ' ']);
        text.is_empty()
            || begin.starts_with(|letter: char| letter.is_ascii_digit())
                && text.ends_with(|letter: char| letter == '%' || letter.is_ascii_digit())
                && !begin.contains('-')
    };
    let (mut tables, mut in_head, mut column) = (Vec::new(), false, 0);
    let mut cell: Option<String> = None;
    for event in events {
        match event {
            Event::Start(Tag::Table(sides)) => tables.push(vec![true; sides.len()]),
            Event::Start(Tag::TableHead) => in_head = true,
            Event::End(TagEnd::TableHead) => in_head = false,
            Event::Start(Tag::TableRow) => column = 0,
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                cell.iter_mut().for_each(|cell| *cell += text);
            }
            Event::End(TagEnd::TableCell) => {
                let text = cell.take().unwrap_or_default();
                if let Some(right) = tables.last_mut().and_then(|table| table.get_mut(column))
                    && !in_head
                {
                    *right &= is_number(text.trim());
                }
                column += 1;
            }
            _ => {}
        }
    }
    tables
}

/// Renders the Markdown tables of an answer as HTML. The text above a table becomes its caption.
pub fn tables(markdown: &str) -> String {
    let mut whole = String::new();
    let mut above: Vec<Event> = Vec::new();
    let mut table: Option<Vec<Event>> = None;
    for event in Parser::new_ext(markdown, options()).filter_map(named) {
        match (&event, &mut table) {
            (Event::Start(Tag::Table(_)), _) => table = Some(vec![event]),
            (Event::End(TagEnd::Table), Some(_)) => {
                let mut events = table.take().unwrap_or_default();
                events.push(event);
                let (mut caption, mut body) = (String::new(), String::new());
                html::push_html(&mut caption, above.drain(..));
                html::push_html(&mut body, with_scope(events).into_iter());
                let caption = caption.replace("<p>", "").replace("</p>\n", " ");
                let caption = format!("<table><caption>{}</caption>", caption.trim());
                whole += &body.replacen("<table>", &caption, 1);
            }
            (_, Some(table)) => table.push(event),
            (_, None) => above.push(event),
        }
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
