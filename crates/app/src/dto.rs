//! Answers to programs: types that declare each field once (`dto!`), for its JSON and its schema.

use serde::Serialize;
use serde_json::Value;

use crate::described::Described;

/// The content of an answer.
pub trait Dto: Described + Serialize {
    /// Its name in the API description.
    const NAME: &'static str;
}

/// An answer as a JSON value.
///
/// # Panics
/// Never: an answer of `dto!` is an object with names for fields.
#[must_use]
pub fn json_of(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).expect("an object with names for fields becomes JSON")
}

/// Declares an answer: a struct, with its name in the API description. A field may have another name in JSON (`as "type"`), and extra
/// schema rules beside those of its type (`where {"format": "date-time"}`).
#[macro_export]
macro_rules! dto {
    ($($(#[doc = $about:literal])+ $vis:vis struct $name:ident: $called:literal {
        $($(#[doc = $note:literal])+ $field:ident $(as $written:literal)?: $type:ty $(where $rules:tt)?,)*
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone)]
        $vis struct $name {
            $($(#[doc = $note])+ $vis $field: $type,)*
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeMap as _;
                let mut object = serializer.serialize_map(None)?;
                $(if !$crate::described::Described::is_left_out(&self.$field) {
                    object.serialize_entry($crate::field_name!($field $($written)?), &self.$field)?;
                })*
                object.end()
            }
        }

        impl $crate::dto::Dto for $name {
            const NAME: &'static str = $called;
        }

        impl $crate::described::Described for $name {
            fn schema() -> ::serde_json::Value {
                $crate::described::object_schema(concat!($($about),+), vec![$((
                    $crate::field_name!($field $($written)?),
                    concat!($($note),+),
                    $crate::field_schema!($type $(, $rules)?),
                    <$type as $crate::described::Described>::is_always_there(),
                ),)*])
            }

            fn reference() -> ::serde_json::Value {
                $crate::described::component($called)
            }
        }
    )+};
}
