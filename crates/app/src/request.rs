//! Parses requests of programs in one way. A type declares its fields once (`request!`), for its parser and its schema. Parsing reports all
//! faults at once, like those of a project document.

use std::collections::BTreeMap;

use domain::limits::{MAX_FAULTS, MAX_MESSAGE_LENGTH};
use domain::{Fault, Pointer};
use serde_json::{Map, Value, json};

use crate::described::{Described, OptionalField};

/// A type that programs send values of.
pub trait Readable: Described + Sized {
    /// Reads the value; `None` after a fault that gives the reason.
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self>;

    /// The default for an omitted field; `None` if the field is required.
    #[must_use]
    fn left_out() -> Option<Self> {
        None
    }
}

/// The whole body of a request.
pub trait Request: Readable {
    /// Its name in the API description.
    const NAME: &'static str;

    /// Parses the text of a body.
    ///
    /// # Errors
    /// All its faults.
    fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        let (json, faults) = domain::parse_json("body", text);
        let mut faults = Faults::from(faults);
        let read = json.and_then(|json| Self::read(&At::root(&json.value), &mut faults));
        faults.or(read)
    }
}

/// A value and the pointer to it.
#[derive(Debug)]
pub struct At<'v> {
    value: &'v Value,
    pointer: Pointer,
}

/// The faults found so far. Beyond [`MAX_FAULTS`], only their number is kept.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<Fault>,
    left_out: usize,
}

impl From<Vec<Fault>> for Faults {
    fn from(found: Vec<Fault>) -> Self {
        Self { found, left_out: 0 }
    }
}

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, mut fault: Fault) {
        if self.found.len() >= MAX_FAULTS {
            self.left_out += 1;
            return;
        }
        // Messages quote the request, which may be long.
        if let Some((end, _)) = fault.message.char_indices().nth(MAX_MESSAGE_LENGTH) {
            fault.message.truncate(end);
            fault.message.push('…');
        }
        self.found.push(fault);
    }

    /// The parsed value, if there are no faults.
    ///
    /// # Errors
    /// All faults.
    pub fn or<T>(mut self, read: Option<T>) -> Result<T, Vec<Fault>> {
        if self.left_out > 0 {
            let message = format!("{} more errors are not shown", self.left_out);
            self.found.push(Fault::error("too_many_errors", Pointer::root(), message));
        }
        match read {
            Some(read) if self.found.is_empty() => Ok(read),
            _ => Err(self.found),
        }
    }
}

impl<'v> At<'v> {
    /// The root of the request.
    #[must_use]
    pub fn root(value: &'v Value) -> Self {
        Self { value, pointer: Pointer::root() }
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &'v Value {
        self.value
    }

    /// A fault of this value.
    #[must_use]
    pub fn fault(&self, code: &'static str, message: impl Into<String>) -> Fault {
        Fault::error(code, self.pointer.clone(), message)
    }

    /// What `read` makes of the value; a fault, with what was expected, if that is `None`.
    pub fn read_as<T>(
        &self,
        expected: &str,
        read: impl FnOnce(&'v Value) -> Option<T>,
        faults: &mut Faults,
    ) -> Option<T> {
        let read = read(self.value);
        if read.is_none() {
            let message = format!("this is {}", json_type_name(self.value));
            faults.push(self.fault("wrong_type", message).expected(expected));
        }
        read
    }

    /// The fields of an object that has no others.
    pub fn fields(
        &self,
        known: &[&'static str],
        faults: &mut Faults,
    ) -> Option<&'v Map<String, Value>> {
        let fields = self.read_as("an object", Value::as_object, faults)?;
        for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
            let pointer = self.pointer.field(name);
            let fault = Fault::error("unknown_field", pointer, format!("unknown field `{name}`"));
            let fault = fault.expected(one_of(known)).did_you_mean(name, known.iter().copied());
            faults.push(fault);
        }
        Some(fields)
    }

    /// Reads a field of an object.
    pub fn field<T: Readable>(
        &self,
        fields: &'v Map<String, Value>,
        name: &'static str,
        faults: &mut Faults,
    ) -> Option<T> {
        let Some(value) = fields.get(name) else {
            return T::left_out().or_else(|| {
                let message = format!("the field `{name}` is missing");
                faults.push(Fault::missing(self.pointer.clone(), name, message));
                None
            });
        };
        T::read(&At { value, pointer: self.pointer.field(name) }, faults)
    }

    /// The value that one of these words stands for.
    pub fn word<T: Copy>(&self, words: &[(&'static str, T)], faults: &mut Faults) -> Option<T> {
        let given = self.read_as("a text", Value::as_str, faults)?;
        let found = words.iter().find(|(word, _)| *word == given);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let fault = self.fault("unknown_word", format!("`{given}` is not known here"));
            faults.push(fault.expected(one_of(&known)).did_you_mean(given, known));
        }
        found.map(|(_, meant)| *meant)
    }
}

/// The schema for one of these words.
#[must_use]
pub fn words_schema<T>(words: &[(&'static str, T)]) -> Value {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    json!({"type": "string", "enum": words})
}

fn one_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "no field".to_owned(),
        [only] => format!("only {only}"),
        names => format!("one of {}", names.join(", ")),
    }
}

/// The name of a JSON type, for people.
fn json_type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Readable for String {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        at.read_as("a text", Value::as_str, faults).map(str::to_owned)
    }
}

impl Readable for bool {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        at.read_as("`true` or `false`", Value::as_bool, faults)
    }
}

impl Readable for u32 {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let read = |value: &Value| value.as_u64()?.try_into().ok();
        at.read_as("a whole number from 0 to 4294967295", read, faults)
    }
}

impl Readable for i64 {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        at.read_as("a whole number", Value::as_i64, faults)
    }
}

impl<T: Readable> Readable for Vec<T> {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let elements = at.read_as("a list", Value::as_array, faults)?;
        let pointer = |index| at.pointer.element(index);
        let read = elements.iter().enumerate();
        // Reads all items first, so that every fault is reported.
        let read: Vec<Option<T>> = read
            .map(|(index, value)| T::read(&At { value, pointer: pointer(index) }, faults))
            .collect();
        read.into_iter().collect()
    }
}

impl<T: Readable> Readable for BTreeMap<String, T> {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let fields = at.read_as("an object", Value::as_object, faults)?;
        let read: Vec<Option<(String, T)>> = fields
            .iter()
            .map(|(name, value)| {
                let pointer = at.pointer.field(name);
                Some((name.clone(), T::read(&At { value, pointer }, faults)?))
            })
            .collect();
        read.into_iter().collect()
    }
}

impl<T: Readable> Readable for Option<T> {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        if at.value.is_null() { Some(None) } else { T::read(at, faults).map(Some) }
    }

    fn left_out() -> Option<Self> {
        Some(None)
    }
}

impl<T: Readable> Readable for OptionalField<T> {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        T::read(at, faults).map(|value| Self(Some(value)))
    }

    fn left_out() -> Option<Self> {
        Some(Self(None))
    }
}

/// Declares a request: a struct, with its name in the API description. A field may have another name in JSON (`as "type"`), and extra
/// schema rules beside those of its type (`where {"format": "uri"}`).
#[macro_export]
macro_rules! request {
    ($($(#[doc = $about:literal])+ $vis:vis struct $name:ident: $called:literal {
        $($(#[doc = $note:literal])+ $field:ident $(as $written:literal)?: $type:ty $(where $rules:tt)?,)*
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $($(#[doc = $note])+ $vis $field: $type,)*
        }

        impl $crate::described::Described for $name {
            fn schema() -> ::serde_json::Value {
                $crate::described::object_schema(concat!($($about),+), vec![$((
                    $crate::field_name!($field $($written)?),
                    concat!($($note),+),
                    $crate::field_schema!($type $(, $rules)?),
                    <$type as $crate::request::Readable>::left_out().is_none(),
                ),)*])
            }
        }

        impl $crate::request::Readable for $name {
            fn read(
                at: &$crate::request::At<'_>,
                faults: &mut $crate::request::Faults,
            ) -> Option<Self> {
                let fields = at.fields(&[$($crate::field_name!($field $($written)?)),*], faults)?;
                $(let $field = at.field(fields, $crate::field_name!($field $($written)?), faults);)*
                Some(Self { $($field: $field?,)* })
            }
        }

        impl $crate::request::Request for $name {
            const NAME: &'static str = $called;
        }
    )+};
}

/// Declares the words for the values of a type: a list of pairs.
#[macro_export]
macro_rules! words_of_request {
    ($type:ty, $words:expr) => {
        impl $crate::described::Described for $type {
            fn schema() -> ::serde_json::Value {
                $crate::request::words_schema(&$words)
            }
        }

        impl $crate::request::Readable for $type {
            fn read(
                at: &$crate::request::At<'_>,
                faults: &mut $crate::request::Faults,
            ) -> Option<Self> {
                at.word(&$words, faults)
            }
        }
    };
}

/// The JSON name of a field.
#[doc(hidden)]
#[macro_export]
macro_rules! field_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $written:literal) => {
        $written
    };
}

/// The schema of a field.
#[doc(hidden)]
#[macro_export]
macro_rules! field_schema {
    ($type:ty) => {
        <$type as $crate::described::Described>::schema()
    };
    ($type:ty, $rules:tt) => {
        $crate::described::with_rules(
            <$type as $crate::described::Described>::schema(),
            &::serde_json::json!($rules),
        )
    };
}

#[cfg(test)]
mod tests {
    use super::{MAX_FAULTS, Request as _};
    use crate::described::{Described as _, OptionalField};

    request! {
        /// A box to send.
        struct BoxRequest: "box" {
            /// Where it goes.
            to: String where {"format": "uri"},
            /// Its type.
            kind as "type": Option<u32>,
            /// The parcels in it.
            inside: OptionalField<Vec<Parcel>>,
        }

        /// What is in a box.
        struct Parcel: "parcel" {
            /// Where it goes.
            to: String,
        }
    }

    fn codes_and_pointers(text: &str) -> Vec<String> {
        let faults = BoxRequest::parse(text).unwrap_err();
        faults.iter().map(|fault| format!("{} {}", fault.code, fault.pointer)).collect()
    }

    #[test]
    fn an_optional_field_may_be_left_out_and_null_only_where_allowed() {
        let read = BoxRequest::parse(r#"{"to": "x", "type": null}"#).unwrap();

        assert_eq!(
            read,
            BoxRequest { to: "x".to_owned(), kind: None, inside: OptionalField(None) }
        );
        assert_eq!(codes_and_pointers(r#"{"to": "x", "inside": null}"#), ["wrong_type /inside"]);
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once_with_its_place() {
        let text = r#"{"to": 1, "to": "x", "typ": 1, "inside": [{"to": "y"}, {"a/b": []}, 3]}"#;

        assert_eq!(
            codes_and_pointers(text),
            [
                "repeated_field /to",
                "unknown_field /typ",
                "wrong_type /to",
                "unknown_field /inside/1/a~1b",
                "missing_field /inside/1",
                "wrong_type /inside/2",
            ]
        );
        for text in ["", "{", "{} {}", "{'to': 1}"] {
            assert_eq!(codes_and_pointers(text), ["unreadable "], "{text}");
        }
        assert_eq!(codes_and_pointers("\u{feff}{}"), codes_and_pointers("{}"));
        assert_eq!(codes_and_pointers(&"[".repeat(10_000)).len(), 1);
    }

    #[test]
    fn of_many_faults_the_first_are_told() {
        let many = format!("{{\"inside\": [{}0]}}", "0,".repeat(MAX_FAULTS));

        let told = codes_and_pointers(&many);

        assert_eq!(told.len(), MAX_FAULTS + 1);
        assert_eq!(told[MAX_FAULTS], "too_many_errors ");
    }

    #[test]
    fn the_schema_has_the_fields_of_the_type() {
        let schema = BoxRequest::schema();

        assert_eq!(schema["required"], serde_json::json!(["to"]));
        assert_eq!(schema["properties"]["to"]["format"], "uri");
        assert_eq!(schema["properties"]["type"]["type"], serde_json::json!(["integer", "null"]));
        assert_eq!(schema["additionalProperties"], false);
    }
}
