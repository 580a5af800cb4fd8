//! Provenance of an answer: the edition of the rules, and the settings that differ from it.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde::{Serialize, Serializer};

/// The rules, readings and settings that an answer rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// Short description: `ASL v3, Heat of Battle on`.
    pub words: String,
    /// Facts for the metadata of a table: names and values, in order.
    pub facts: Vec<(&'static str, MetaValue)>,
    /// Label that messages give to a setting: `Interpretation`.
    pub setting: &'static str,
    /// Label of the list of uncertain values: `Catalogue`.
    pub uncertain: &'static str,
}

/// A fact that is equal for all questions of a study that varies none of its fields.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedSetting {
    pub name: &'static str,
    /// Label: `Heat of Battle`.
    pub words: &'static str,
    /// The value if the study varies none of `fields`.
    pub value: String,
    /// Names of the fields that the fact depends on.
    pub fields: &'static [&'static str],
}

impl SharedSetting {
    /// Returns the fact that names the system (the game). It depends on no field.
    pub fn system(name: &str) -> SharedSetting {
        SharedSetting { name: "system", words: "system", value: name.to_string(), fields: &[] }
    }
}

/// A value in the metadata of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MetaValue {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Settings(BTreeMap<String, String>),
    /// Rule settings, each with all values that a study tries.
    Swept(BTreeMap<String, Vec<String>>),
}

impl Provenance {
    /// Merges provenances. Facts that not all share become `differs`; a flag is true if any is.
    pub fn shared(all: &[&Provenance], differs: &str) -> Provenance {
        let Some(first) = all.first() else { return Provenance::default() };
        let facts = all.iter().flat_map(|footing| &footing.facts);
        let names: IndexSet<&'static str> = facts.map(|(name, _)| *name).collect();
        let fact = |name| {
            let values: Vec<Option<&MetaValue>> =
                all.iter().map(|footing| footing.fact(name)).collect();
            match values.iter().flatten().next() {
                Some(MetaValue::Settings(_)) => {
                    MetaValue::Settings(shared_settings(all, name, differs))
                }
                Some(fact) if values.iter().all(|other| *other == Some(fact)) => (*fact).clone(),
                // A flag that is set in one answer must be taken into account.
                Some(MetaValue::Boolean(_)) => {
                    MetaValue::Boolean(values.contains(&Some(&MetaValue::Boolean(true))))
                }
                _ => MetaValue::Text(differs.to_string()),
            }
        };
        let same_words = all.iter().all(|footing| footing.words == first.words);
        let words = if same_words { first.words.clone() } else { format!("rules {differs}") };
        Provenance {
            words,
            facts: names.into_iter().map(|name| (name, fact(name))).collect(),
            ..**first
        }
    }

    /// Returns the settings that differ from the defaults, with their values.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let settings = self.facts.iter().filter_map(|(_, fact)| {
            if let MetaValue::Settings(settings) = fact { Some(settings) } else { None }
        });
        settings.flatten().map(|(id, value)| (id.as_str(), value.as_str()))
    }

    /// Returns the provenance of a question whose rules differ only in the parameters of its game.
    pub fn of_system(name: &str, settings: Vec<(&'static str, String)>) -> Provenance {
        let settings =
            settings.into_iter().map(|(parameter, value)| (parameter.to_string(), value)).collect();
        Provenance {
            words: format!("system {name}"),
            facts: vec![
                ("system", MetaValue::Text(name.to_string())),
                ("switches", MetaValue::Settings(settings)),
            ],
            setting: "Parameter",
            uncertain: "Assumed",
        }
    }

    /// Returns a study's provenance: `settings` with all tried values; facts that vary are `swept`.
    pub fn of_study(
        held: Vec<SharedSetting>,
        is_swept: impl Fn(&str) -> bool,
        settings: BTreeMap<String, Vec<String>>,
    ) -> Provenance {
        let shared = |held: SharedSetting| {
            let swept = held.fields.iter().any(|field| is_swept(field));
            SharedSetting { value: if swept { "swept".to_string() } else { held.value }, ..held }
        };
        let held: Vec<SharedSetting> = held.into_iter().map(shared).collect();
        let words: Vec<String> =
            held.iter().map(|held| format!("{} {}", held.words, held.value)).collect();
        let facts = held.into_iter().map(|held| (held.name, MetaValue::Text(held.value)));
        let facts = facts.chain([("switches", MetaValue::Swept(settings))]).collect();
        Provenance { words: words.join(", "), facts, ..Provenance::default() }
    }

    /// Returns the fact with the given name.
    pub fn fact(&self, name: &str) -> Option<&MetaValue> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

fn shared_settings(all: &[&Provenance], name: &str, differs: &str) -> BTreeMap<String, String> {
    let settings = |footing: &&Provenance| match footing.fact(name) {
        Some(MetaValue::Settings(settings)) => settings.clone(),
        _ => BTreeMap::new(),
    };
    let each: Vec<BTreeMap<String, String>> = all.iter().map(settings).collect();
    let mut shared = BTreeMap::new();
    for (id, value) in each.iter().flatten() {
        let everywhere = each.iter().all(|settings| settings.get(id) == Some(value));
        shared.insert(id.clone(), if everywhere { value.clone() } else { differs.to_string() });
    }
    shared
}

pub(super) fn facts<S: Serializer>(footing: &Provenance, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(footing.facts.iter().map(|(name, fact)| (name, fact)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_settings_are_marked() {
        let text = |text: &str| MetaValue::Text(text.to_string());
        let settings = |value: &str| {
            MetaValue::Settings(BTreeMap::from([("i01".to_string(), value.to_string())]))
        };
        let of = |facts: Vec<(&'static str, MetaValue)>| Provenance {
            words: "w".to_string(),
            facts,
            ..Provenance::default()
        };
        let first = of(vec![
            ("profile", text("asl-v3")),
            ("hob", MetaValue::Boolean(false)),
            ("switches", settings("default")),
        ]);
        let second = of(vec![
            ("profile", text("asl-v3")),
            ("hob", MetaValue::Boolean(true)),
            ("switches", settings("alternative")),
        ]);
        let third = of(vec![("system", text("reaction"))]);
        let shared = Provenance::shared(&[&first, &second], "by course");
        let facts = [
            ("profile", text("asl-v3")),
            ("hob", MetaValue::Boolean(true)),
            ("switches", settings("by course")),
        ];
        assert_eq!((shared.words.as_str(), shared.facts), ("w", facts.to_vec()));
        let across = Provenance::shared(&[&first, &third], "by case");
        assert_eq!(across.fact("profile"), Some(&text("by case")));
        assert_eq!(across.fact("system"), Some(&text("by case")));
        assert_eq!(Provenance::shared(&[], "by case"), Provenance::default());
    }
}
