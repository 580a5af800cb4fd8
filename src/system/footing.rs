//! What an answer rests on besides its question: the edition of the rules, and what is set otherwise than they have it.

use std::collections::BTreeMap;

/// The rules an answer follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footing {
    /// In a few words: `profile asl-v3, with Heat of Battle`.
    pub words: String,
    /// Names and values, in order, for the meta of a table.
    pub facts: Vec<(&'static str, Fact)>,
    /// What a setting is called: `Interpretation`.
    pub setting: &'static str,
    /// What values that are less than sure are found in: `Catalogue`.
    pub uncertain: &'static str,
}

/// Something that holds of all cells of a study, unless a field is swept that it hangs on.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub name: &'static str,
    /// In words: `Heat of Battle`.
    pub words: &'static str,
    pub value: String,
    pub fields: &'static [&'static str],
}

impl Held {
    /// The system, which no field changes.
    pub fn system(name: &str) -> Held {
        Held { name: "system", words: "system", value: name.to_string(), fields: &[] }
    }
}

/// A value of the meta of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    Text(String),
    Integer(i64),
    Boolean(bool),
    /// Settings with their values.
    Settings(BTreeMap<String, String>),
    /// The same with all values of a sweep.
    Swept(BTreeMap<String, Vec<String>>),
}

impl Footing {
    /// What holds of several answers; of what differs from one to the other, that it does, in the words of `differs`.
    pub fn shared(all: &[&Footing], differs: &str) -> Footing {
        let Some((first, others)) = all.split_first() else { return Footing::default() };
        let same = |pick: &dyn Fn(&Footing) -> bool| others.iter().all(|other| pick(other));
        let fact = |(name, fact): &(&'static str, Fact)| {
            let of = |footing: &Footing| footing.fact(name).cloned();
            let shared = match fact {
                Fact::Settings(_) => Fact::Settings(shared_settings(all, name, differs)),
                fact if same(&|other| other.fact(name) == Some(fact)) => fact.clone(),
                // Whether something holds at all: where it does in one, it has to be reckoned with.
                Fact::Boolean(_) => Fact::Boolean(all.iter().any(|footing| of(footing) == Some(Fact::Boolean(true)))),
                _ => Fact::Text(differs.to_string()),
            };
            (*name, shared)
        };
        let words = if same(&|other| other.words == first.words) { first.words.clone() } else { format!("rules {differs}") };
        Footing { words, facts: first.facts.iter().map(fact).collect(), ..**first }
    }

    /// What is set otherwise, with its value.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        let settings =
            self.facts.iter().filter_map(|(_, fact)| if let Fact::Settings(settings) = fact { Some(settings) } else { None });
        settings.flatten().map(|(id, value)| (id.as_str(), value.as_str()))
    }

    /// That of a question of a system whose rules differ by their parameters only.
    pub fn of_system(name: &str, settings: Vec<(&'static str, String)>) -> Footing {
        let settings = settings.into_iter().map(|(parameter, value)| (parameter.to_string(), value)).collect();
        Footing {
            words: format!("system {name}"),
            facts: vec![("system", Fact::Text(name.to_string())), ("switches", Fact::Settings(settings))],
            setting: "Parameter",
            uncertain: "Assumed",
        }
    }

    /// That of a study: what holds of all cells, or `swept` where a field is that it hangs on, and all values of what is set or swept.
    pub fn of_study(held: Vec<Held>, is_swept: impl Fn(&str) -> bool, settings: BTreeMap<String, Vec<String>>) -> Footing {
        let told = |held: Held| {
            let swept = held.fields.iter().any(|field| is_swept(field));
            Held { value: if swept { "swept".to_string() } else { held.value }, ..held }
        };
        let held: Vec<Held> = held.into_iter().map(told).collect();
        let words: Vec<String> = held.iter().map(|held| format!("{} {}", held.words, held.value)).collect();
        let facts = held.into_iter().map(|held| (held.name, Fact::Text(held.value)));
        let facts = facts.chain([("switches", Fact::Swept(settings))]).collect();
        Footing { words: words.join(", "), facts, ..Footing::default() }
    }

    /// A fact by name.
    pub fn fact(&self, name: &str) -> Option<&Fact> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact)
    }
}

fn shared_settings(all: &[&Footing], name: &str, differs: &str) -> BTreeMap<String, String> {
    let settings = |footing: &Footing| match footing.fact(name) {
        Some(Fact::Settings(settings)) => settings.clone(),
        _ => BTreeMap::new(),
    };
    let each: Vec<BTreeMap<String, String>> = all.iter().map(|footing| settings(footing)).collect();
    let mut shared = BTreeMap::new();
    for (id, value) in each.iter().flatten() {
        let everywhere = each.iter().all(|settings| settings.get(id) == Some(value));
        shared.insert(id.clone(), if everywhere { value.clone() } else { differs.to_string() });
    }
    shared
}
