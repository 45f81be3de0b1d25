//! Answers to programs: types that declare each field once (`dto!`), for its JSON and its schema.

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Value;

use crate::described::{DeclaredField, Described};

/// The content of an answer.
pub trait Dto: Described + Serialize {
    /// Its name in the API description.
    const NAME: &'static str;

    /// Its fields, those of the answer it extends first.
    fn fields() -> Vec<DeclaredField>;

    /// Writes the fields into an object.
    ///
    /// # Errors
    /// If the object does not take them.
    fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error>;
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
/// schema rules beside those of its type (`where {"format": "date-time"}`). An answer that extends another one has its fields, too
/// (`..client: ApplicationDto`).
#[macro_export]
macro_rules! dto {
    ($($(#[doc = $about:literal])+ $vis:vis struct $name:ident: $called:literal {
        $(..$base:ident: $extended:ty,)?
        $($(#[doc = $note:literal])+ $field:ident $(as $written:literal)?: $type:ty $(where $rules:tt)?,)*
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone)]
        $vis struct $name {
            $($vis $base: $extended,)?
            $($(#[doc = $note])+ $vis $field: $type,)*
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeMap as _;
                let mut object = serializer.serialize_map(None)?;
                $crate::dto::Dto::write(self, &mut object)?;
                object.end()
            }
        }

        impl $crate::dto::Dto for $name {
            const NAME: &'static str = $called;

            fn fields() -> Vec<$crate::described::DeclaredField> {
                let own = vec![$((
                    $crate::field_name!($field $($written)?),
                    concat!($($note),+),
                    $crate::field_schema!($type $(, $rules)?),
                    <$type as $crate::described::Described>::is_always_there(),
                ),)*];
                [$(<$extended as $crate::dto::Dto>::fields(),)? own].concat()
            }

            fn write<M: ::serde::ser::SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
                $($crate::dto::Dto::write(&self.$base, object)?;)?
                $(if !$crate::described::Described::is_left_out(&self.$field) {
                    object.serialize_entry($crate::field_name!($field $($written)?), &self.$field)?;
                })*
                Ok(())
            }
        }

        impl $crate::described::Described for $name {
            fn schema() -> ::serde_json::Value {
                let fields = <Self as $crate::dto::Dto>::fields();
                $crate::described::object_schema(concat!($($about),+), fields)
            }

            fn reference() -> ::serde_json::Value {
                $crate::described::component($called)
            }
        }
    )+};
}
