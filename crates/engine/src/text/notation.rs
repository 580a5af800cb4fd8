//! The notations of a question, and parts of a question in each of them. Advice can thus be
//! followed exactly as it is written.

use std::fmt;

use super::plain;

/// The notation in which a question is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The command line.
    Words,
    Toml,
    Json,
}

impl Notation {
    /// Returns the name of a table in this notation.
    pub const fn table(self) -> &'static str {
        match self {
            Notation::Json => "an object",
            Notation::Words | Notation::Toml => "a table",
        }
    }
}

/// A part of a question, independent of its notation. A value has the form that TOML and JSON
/// share: `8`, `"woods"`, `["K5"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A field, by its name.
    Key(&'static str),
    Field(&'static str, String),
    /// A table with fields, by its name.
    Table(&'static str, Vec<(&'static str, String)>),
    /// One of several tables with fields, by its name; in TOML by its whole path.
    Each(&'static str, Vec<(&'static str, String)>),
    /// An option on how a question is answered: its name and its value.
    Option(&'static str, &'static str),
    /// A request about a question, such as `solve` or `compare`.
    Request(&'static str),
}

/// Creates a field with its value.
pub fn field(name: &'static str, value: impl fmt::Display) -> Shown {
    Shown::Field(name, value.to_string())
}

/// Creates a field with a text as its value.
pub fn text_field(name: &'static str, value: &str) -> Shown {
    Shown::Field(name, format!("\"{value}\""))
}

/// Creates one of several tables, whose fields have texts as their values.
pub fn each(name: &'static str, fields: &[(&'static str, &str)]) -> Shown {
    Shown::Each(name, fields.iter().map(|(name, value)| (*name, format!("\"{value}\""))).collect())
}

impl Shown {
    fn told(&self, notation: Notation) -> String {
        let joined = |fields: &[(&str, String)], is: &str, between: &str| {
            fields
                .iter()
                .map(|(name, value)| format!("{name}{is}{value}"))
                .collect::<Vec<_>>()
                .join(between)
        };
        let object = |fields: &[(&str, String)]| match fields {
            [] => "{...}".to_string(),
            fields => {
                let fields = fields.iter().map(|(name, value)| format!("\"{name}\": {value}"));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
        };
        match (self, notation) {
            (Shown::Key(name), Notation::Words) => format!("--{name}"),
            (Shown::Key(name), Notation::Toml) => name.to_string(),
            (Shown::Key(name), Notation::Json) => format!("\"{name}\""),
            (Shown::Field(name, value), Notation::Words) if value == "true" => format!("--{name}"),
            (Shown::Field(name, value), Notation::Words) if value.contains(' ') => {
                format!("--{name} {value}")
            }
            (Shown::Field(name, value), Notation::Words) => {
                format!("--{name} {}", value.trim_matches('"'))
            }
            (Shown::Field(name, value), Notation::Toml) => format!("{name} = {value}"),
            (Shown::Field(name, value), Notation::Json) => format!("\"{name}\": {value}"),
            (Shown::Table(name, fields), Notation::Json) => {
                format!("\"{name}\": {}", object(fields))
            }
            (Shown::Table(name, fields), _) if fields.is_empty() => format!("[{name}]"),
            (Shown::Table(name, fields), _) => {
                format!("{name} = {{ {} }}", joined(fields, " = ", ", "))
            }
            (Shown::Each(name, fields), Notation::Json) => {
                format!("\"{}\": [{}]", name.rsplit('.').next().unwrap_or(name), object(fields))
            }
            (Shown::Each(name, fields), _) if fields.is_empty() => format!("[[{name}]]"),
            (Shown::Each(name, fields), _) => {
                format!("[[{name}]]\n{}", joined(fields, " = ", "\n"))
            }
            (Shown::Option(name, value), Notation::Words) => format!("--{name} {value}"),
            (Shown::Option(name, value), Notation::Toml) => format!("{name} = \"{value}\""),
            (Shown::Option(name, value), Notation::Json) => {
                format!("\"options\": {{\"{name}\": \"{value}\"}}")
            }
            (Shown::Request(name), Notation::Json) => format!("\"request\": \"{name}\""),
            (Shown::Request(name), _) => format!("lowcrawl {name}"),
        }
    }
}

/// Advice: words, with a part of a question for each `{}` in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    words: Box<str>,
    shown: Box<[Shown]>,
}

/// Creates advice from words and a part of a question for each `{}` in them.
///
/// # Examples
///
/// ```
/// use lowcrawl_engine::text::notation::{Notation, field, shown};
///
/// let help = shown("try `{}`", [field("fp", 8)]);
/// assert_eq!(help.told(Notation::Words), "try `--fp 8`");
/// assert_eq!(help.told(Notation::Json), "try `\"fp\": 8`");
/// ```
pub fn shown(words: impl Into<String>, shown: impl Into<Vec<Shown>>) -> Help {
    Help { words: plain(&words.into()).into(), shown: shown.into().into() }
}

impl From<&str> for Help {
    fn from(words: &str) -> Help {
        shown(words, [])
    }
}

impl From<String> for Help {
    fn from(words: String) -> Help {
        shown(words, [])
    }
}

impl From<Shown> for Help {
    fn from(piece: Shown) -> Help {
        shown("{}", [piece])
    }
}

impl Help {
    /// Renders the advice in a notation.
    pub fn told(&self, notation: Notation) -> String {
        let mut parts = self.words.splitn(self.shown.len() + 1, "{}");
        let mut told = parts.next().unwrap_or_default().to_string();
        for (shown, part) in self.shown.iter().zip(parts) {
            told += &shown.told(notation);
            told += part;
        }
        told
    }
}

impl fmt::Display for Help {
    /// Renders the advice in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Notation::Toml))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_told_as_one_writes() {
        let weapon = Shown::Table("weapon", vec![("fp", "4".into()), ("range", "8".into())]);
        for (help, words, toml, json) in [
            (shown("`{}`", [field("fp", 8)]), "`--fp 8`", "`fp = 8`", "`\"fp\": 8`"),
            (
                shown("{} or {}", [field("ptc", true), Shown::Key("mc")]),
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
                shown("{}!", [Shown::Option("engine", "exact")]),
                "--engine exact!",
                "engine = \"exact\"!",
                "\"options\": {\"engine\": \"exact\"}!",
            ),
            (
                shown("{}", [Shown::Request("solve")]),
                "lowcrawl solve",
                "lowcrawl solve",
                "\"request\": \"solve\"",
            ),
            (Help::from("{} stays"), "{} stays", "{} stays", "{} stays"),
        ] {
            let told = [Notation::Words, Notation::Toml, Notation::Json]
                .map(|notation| help.told(notation));
            assert_eq!(told, [words, toml, json]);
            assert_eq!(help.to_string(), toml);
        }
    }
}
