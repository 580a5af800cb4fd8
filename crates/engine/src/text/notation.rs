//! Fragments of a question as command line, TOML or JSON, so that users can copy advice verbatim.

use std::fmt;

use super::plain;

/// The notation in which a question is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Options of the command line.
    Words,
    Toml,
    Json,
}

impl Notation {
    /// Returns the word for a table in this notation: "an object" in JSON, "a table" otherwise.
    pub const fn table(self) -> &'static str {
        match self {
            Notation::Json => "an object",
            Notation::Words | Notation::Toml => "a table",
        }
    }
}

/// A fragment of a question in any notation, with values as in TOML and JSON: `8`, `"woods"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodePiece {
    /// The name of a field, without a value.
    Key(&'static str),
    Field(&'static str, String),
    /// A table with fields, by its name. Without fields it stands for the table as such.
    Table(&'static str, Vec<(&'static str, String)>),
    /// One element of an array of tables, with its fields. Its name in TOML is the whole path.
    Each(&'static str, Vec<(&'static str, String)>),
    /// An option about how to answer, such as `engine`: its name and its value.
    Option(&'static str, &'static str),
    /// A request about a question, such as `solve` or `compare`.
    Request(&'static str),
}

/// Creates a field with its value.
pub fn field(name: &'static str, value: impl fmt::Display) -> CodePiece {
    CodePiece::Field(name, value.to_string())
}

/// Creates a field with a quoted text as its value.
pub fn text_field(name: &'static str, value: &str) -> CodePiece {
    CodePiece::Field(name, format!("\"{value}\""))
}

/// Creates one element of an array of tables. The values of its fields are quoted.
pub fn each(name: &'static str, fields: &[(&'static str, &str)]) -> CodePiece {
    CodePiece::Each(
        name,
        fields.iter().map(|(name, value)| (*name, format!("\"{value}\""))).collect(),
    )
}

impl CodePiece {
    fn render(&self, notation: Notation) -> String {
        let field = |name: &str, value: &str| match notation {
            Notation::Json => format!("\"{name}\": {value}"),
            Notation::Words | Notation::Toml => format!("{name} = {value}"),
        };
        let joined = |fields: &[(&str, String)], between: &str| {
            let fields = fields.iter().map(|(name, value)| field(name, value));
            fields.collect::<Vec<_>>().join(between)
        };
        let object = |fields: &[(&str, String)]| match fields {
            [] => "{...}".to_string(),
            fields => format!("{{{}}}", joined(fields, ", ")),
        };
        match (self, notation) {
            (CodePiece::Key(name), Notation::Words) => format!("--{name}"),
            (CodePiece::Key(name), Notation::Toml) => name.to_string(),
            (CodePiece::Key(name), Notation::Json) => format!("\"{name}\""),
            (CodePiece::Field(name, value), Notation::Words) => match value.as_str() {
                "true" => format!("--{name}"),
                value if value.contains(' ') => format!("--{name} {value}"),
                value => format!("--{name} {}", value.trim_matches('"')),
            },
            (CodePiece::Field(name, value), _) => field(name, value),
            (CodePiece::Table(name, fields), Notation::Json) => field(name, &object(fields)),
            (CodePiece::Table(name, fields), _) if fields.is_empty() => format!("[{name}]"),
            (CodePiece::Table(name, fields), _) => {
                format!("{name} = {{ {} }}", joined(fields, ", "))
            }
            (CodePiece::Each(name, fields), Notation::Json) => {
                field(name.rsplit('.').next().unwrap_or(name), &format!("[{}]", object(fields)))
            }
            (CodePiece::Each(name, fields), _) if fields.is_empty() => format!("[[{name}]]"),
            (CodePiece::Each(name, fields), _) => format!("[[{name}]]\n{}", joined(fields, "\n")),
            (CodePiece::Option(name, value), Notation::Words) => format!("--{name} {value}"),
            (CodePiece::Option(name, value), Notation::Toml) => format!("{name} = \"{value}\""),
            (CodePiece::Option(name, value), Notation::Json) => {
                format!("\"options\": {{\"{name}\": \"{value}\"}}")
            }
            (CodePiece::Request(name), Notation::Json) => format!("\"request\": \"{name}\""),
            (CodePiece::Request(name), _) => format!("lowcrawl {name}"),
        }
    }
}

/// Advice: a text with placeholders `{}`, and the fragment of a question for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    words: Box<str>,
    shown: Box<[CodePiece]>,
}

/// Creates advice from a text with placeholders `{}` and a fragment of a question for each of them.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::notation::{Notation, field, shown};
///
/// let help = shown("try `{}`", [field("fp", 8)]);
/// assert_eq!(help.render(Notation::Words), "try `--fp 8`");
/// assert_eq!(help.render(Notation::Json), "try `\"fp\": 8`");
/// ```
pub fn shown(words: impl Into<String>, shown: impl Into<Vec<CodePiece>>) -> Remedy {
    Remedy { words: plain(&words.into()).into(), shown: shown.into().into() }
}

impl<T: Into<String>> From<T> for Remedy {
    fn from(words: T) -> Remedy {
        shown(words, [])
    }
}

impl From<CodePiece> for Remedy {
    fn from(piece: CodePiece) -> Remedy {
        shown("{}", [piece])
    }
}

impl Remedy {
    /// Renders the advice, with its fragments in `notation`.
    pub fn render(&self, notation: Notation) -> String {
        let mut parts = self.words.splitn(self.shown.len() + 1, "{}");
        let mut text = parts.next().unwrap_or_default().to_string();
        for (shown, part) in self.shown.iter().zip(parts) {
            text += &shown.render(notation);
            text += part;
        }
        text
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Notation::Toml))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_rendered_in_each_notation() {
        let weapon = CodePiece::Table("weapon", vec![("fp", "4".into()), ("range", "8".into())]);
        for (help, words, toml, json) in [
            (shown("`{}`", [field("fp", 8)]), "`--fp 8`", "`fp = 8`", "`\"fp\": 8`"),
            (
                shown("{} or {}", [field("ptc", true), CodePiece::Key("mc")]),
                "--ptc or --mc",
                "ptc = true or mc",
                "\"ptc\": true or \"mc\"",
            ),
            (
                shown("{}", [text_field("order", "A, B")]),
                "--order \"A, B\"",
                "order = \"A, B\"",
                "\"order\": \"A, B\"",
            ),
            (
                shown("{}", [text_field("by", "unit")]),
                "--by unit",
                "by = \"unit\"",
                "\"by\": \"unit\"",
            ),
            (
                shown("{}", [weapon.clone()]),
                "weapon = { fp = 4, range = 8 }",
                "weapon = { fp = 4, range = 8 }",
                "\"weapon\": {\"fp\": 4, \"range\": 8}",
            ),
            (shown("{}", [each("step", &[])]), "[[step]]", "[[step]]", "\"step\": [{...}]"),
            (
                shown("{}", [each("step", &[("do", "fire")])]),
                "[[step]]\ndo = \"fire\"",
                "[[step]]\ndo = \"fire\"",
                "\"step\": [{\"do\": \"fire\"}]",
            ),
            (
                shown("{}!", [CodePiece::Option("engine", "exact")]),
                "--engine exact!",
                "engine = \"exact\"!",
                "\"options\": {\"engine\": \"exact\"}!",
            ),
            (
                shown("{}", [CodePiece::Request("solve")]),
                "lowcrawl solve",
                "lowcrawl solve",
                "\"request\": \"solve\"",
            ),
            (Remedy::from("{} stays"), "{} stays", "{} stays", "{} stays"),
        ] {
            let rendered = [Notation::Words, Notation::Toml, Notation::Json]
                .map(|notation| help.render(notation));
            assert_eq!(rendered, [words, toml, json]);
            assert_eq!(help.to_string(), toml);
        }
    }
}
