//! Rule settings: rules of a game that can be set to other values than its defaults.

use super::form::RawValue;
use engine::text::{Fault, canonical};

/// The rule settings of a game: rules that can have other values than their defaults.
pub trait Rules: Clone + Default + std::fmt::Debug + Send + Sync + 'static {
    /// Example of a setting: `i01=alternative`.
    const EXAMPLE: &'static str;

    /// Returns the names of all settings.
    fn names() -> Vec<&'static str>;
    /// Returns the canonical name of a setting, or `None` if there is none of that name.
    fn find(name: &str) -> Option<&'static str> {
        let name = canonical(name);
        Self::names().into_iter().find(|known| *known == name)
    }
    /// Returns the settings that differ from the defaults, with their values.
    fn changed(&self) -> Vec<(&'static str, String)>;
    /// Sets the setting called `name`.
    ///
    /// # Errors
    ///
    /// Fails if the value does not fit; the fault of a text has its span.
    fn set(&mut self, name: &'static str, value: RawValue) -> Result<(), Fault>;
    /// Returns the fault of a name that is not a setting.
    fn unknown(name: &str) -> Fault;
    /// Returns the alternative values of the setting `which`, or of all settings.
    ///
    /// # Errors
    ///
    /// Fails if `which` is not a setting, or that setting has no alternative value.
    fn others(&self, which: Option<&str>) -> Result<Vec<Other>, Fault>;
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
