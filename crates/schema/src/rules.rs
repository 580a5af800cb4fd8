//! Rule settings: rules of a game that can be set to other values than its defaults.

use super::form::{RawValue, named, setting};
use super::kind::Parameter;
use engine::text::{Fault, canonical};

/// The rule settings of a game; by default its parameters ([`parameters!`](crate::parameters!)).
pub trait Rules: Clone + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Example of a setting: `i01=alternative`.
    const EXAMPLE: &'static str;
    /// All parameters.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Returns the value of a parameter as a file would write it; empty for unknown names.
    fn written(&self, _name: &str) -> String {
        String::new()
    }
    /// Returns `rally-tn = 4`, if the parameter called `name` is at its default.
    fn default_words(&self, name: &str) -> Option<String> {
        let Parameter { default, .. } = Self::PARAMETERS.iter().find(|known| known.name == name)?;
        (self.written(name) == *default).then(|| format!("{name} = {default}"))
    }
    /// Returns the names of all settings.
    fn names() -> Vec<&'static str> {
        Self::PARAMETERS.iter().map(|parameter| parameter.name).collect()
    }
    /// Returns the canonical name of a setting, or `None` if there is none of that name.
    fn find(name: &str) -> Option<&'static str> {
        let name = canonical(name);
        Self::names().into_iter().find(|known| *known == name)
    }
    /// Returns the settings that differ from the defaults, with their values.
    fn changed(&self) -> Vec<(&'static str, String)> {
        let values = Self::PARAMETERS.iter().map(|known| (known, self.written(known.name)));
        let changed = values.filter(|(known, value)| value != known.default);
        changed.map(|(known, value)| (known.name, value)).collect()
    }
    /// Sets the setting called `name`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit; the fault of a text has its span.
    fn set(&mut self, name: &'static str, value: RawValue) -> Result<(), Fault>;
    /// Returns the fault of a name that is not a setting.
    fn unknown(name: &str) -> Fault {
        let fault = Fault::new(format!("no parameter is called `{name}`"), 0..name.len());
        fault.expecting(name, Self::names())
    }
    /// Returns the other values of setting `which`, or of all: words, or the next lower and higher.
    ///
    /// # Errors
    ///
    /// Fails if `which` is not a setting, or that setting has no alternative value.
    fn others(&self, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        let chosen: Vec<&Parameter> = match which {
            None => Self::PARAMETERS.iter().collect(),
            Some(name) => {
                let known = Self::PARAMETERS.iter().map(|known| (known.name, known));
                vec![named(name, known, "no parameter is called")?]
            }
        };
        let mut others = Vec::new();
        for &Parameter { name: id, values, about, .. } in chosen {
            let now = self.written(id);
            let values: Vec<String> = match now.parse::<i64>() {
                Ok(number) => [number - 1, number + 1].map(|number| number.to_string()).to_vec(),
                Err(_) => values.split(" or ").map(str::to_string).collect(),
            };
            let can_be = |value: &String| self.clone().set(id, setting(value)).is_ok();
            let values = values.into_iter().filter(|value| *value != now).filter(can_be);
            others.extend(values.map(|value| Other {
                id,
                name: format!("{id}={value}"),
                about: format!("{about} ({id})\nfrom  {now}\nto    {value}\n"),
                value,
            }));
        }
        match which {
            Some(name) if others.is_empty() => {
                let message = format!("`{name}` has no other value to try");
                Err(Fault::new(message, 0..name.len()).help("sweep it in a study"))
            }
            _ => Ok(others),
        }
    }
}

/// An alternative value of a rule setting.
pub struct Other {
    pub id: &'static str,
    /// Name of the setting, followed by the value if the setting has more than two.
    pub name: String,
    pub value: String,
    /// Description of the setting and of both values.
    pub about: String,
}
