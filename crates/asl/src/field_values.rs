//! Values of fields that several forms share, and how a field is written as text.

use engine::text::Fault;
use schema::{FieldValue, Json, RawValue, Takes, Whole};

/// The largest number of Player Turns of a campaign.
pub const MAX_TURNS: i64 = 20;
/// The number of Player Turns of a campaign.
pub type PlayerTurns = Whole<1, MAX_TURNS>;

/// A list of slots, counted from 1.
#[derive(Clone, Debug)]
pub struct SlotList(pub Vec<usize>);

impl FieldValue for SlotList {
    const TAKES: Takes = Takes::Numbers("SLOTS");

    fn read(field: &str, value: RawValue) -> Result<SlotList, Fault> {
        let fault = || {
            Fault::new(
                format!("`{field}` must be slots such as 1 or `1,3`, not {value}"),
                value.span(),
            )
        };
        let slots: Option<Vec<usize>> = match value {
            RawValue::Integer(slot) => usize::try_from(slot).ok().map(|slot| vec![slot]),
            RawValue::Text(text) => text.split(',').map(|slot| slot.trim().parse().ok()).collect(),
            RawValue::Boolean(_) => None,
        };
        slots.map(SlotList).ok_or_else(fault)
    }

    fn to_json(&self) -> Json {
        match self.0[..] {
            [slot] => slot.into(),
            ref slots => slots.iter().map(usize::to_string).collect::<Vec<_>>().join(",").into(),
        }
    }
}

/// Makes a type a field value written as text: what it takes, and how it is read and written.
macro_rules! text_value {
    ($named:ty, $takes:expr, $read:expr, $write:expr) => {
        impl schema::FieldValue for $named {
            const TAKES: schema::Takes = $takes;

            fn read(field: &str, value: schema::RawValue) -> Result<$named, engine::text::Fault> {
                let read: fn(&str) -> Result<$named, engine::text::Fault> = $read;
                read(value.text(field)?)
            }

            fn to_json(&self) -> schema::Json {
                let write: fn(&$named) -> String = $write;
                write(self).into()
            }
        }
    };
}
pub(crate) use text_value;
