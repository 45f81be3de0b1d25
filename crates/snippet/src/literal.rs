//! JavaScript literals for the configuration inside a snippet: just what a compiled project needs, as short as it goes.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::seal::begins_markup;

/// A literal, or a reference to a piece of the member's code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Number(u64),
    Text(String),
    List(Vec<Literal>),
    Object(Vec<(&'static str, Literal)>),
    Json(serde_json::Value),
    /// The member's function of this number.
    Code(usize),
    /// The elements of the list of this number in [`DATA_LIST`].
    Data(usize),
}

/// The name under which the snippet holds the list of the member's functions.
pub(crate) const CODE_LIST: &str = "memberCode";

/// The name under which it holds lists of data that the minifier has not seen.
pub(crate) const DATA_LIST: &str = "projectData";

impl Literal {
    /// The value for "absent" in the configuration.
    pub(crate) const ABSENT: Self = Self::Number(0);

    /// A text, or [`Literal::ABSENT`].
    pub(crate) fn optional_text(text: Option<&str>) -> Self {
        text.map_or(Self::ABSENT, |text| Self::Text(text.to_owned()))
    }

    /// A list without the absent fields at its end.
    pub(crate) fn tuple(mut fields: Vec<Self>) -> Self {
        while fields.last().is_some_and(|field| *field == Self::ABSENT) {
            fields.pop();
        }
        Self::List(fields)
    }

    /// A tuple, or [`Literal::ABSENT`] if all its fields are absent.
    pub(crate) fn tuple_or_absent(fields: Vec<Self>) -> Self {
        if fields.iter().all(|field| *field == Self::ABSENT) {
            Self::ABSENT
        } else {
            Self::tuple(fields)
        }
    }

    /// Whether there is a piece of the member's code in it.
    pub(crate) fn has_code(&self) -> bool {
        match self {
            Self::List(list) => list.iter().any(Self::has_code),
            Self::Object(fields) => fields.iter().any(|(_, value)| value.has_code()),
            Self::Code(_) => true,
            Self::Number(_) | Self::Text(_) | Self::Json(_) | Self::Data(_) => false,
        }
    }

    /// How many values there are in it, itself included.
    pub(crate) fn values(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.iter().map(Self::values).sum::<usize>(),
            Self::Object(fields) => {
                1 + fields.iter().map(|(_, value)| value.values()).sum::<usize>()
            }
            Self::Number(_) | Self::Text(_) | Self::Json(_) | Self::Code(_) | Self::Data(_) => 1,
        }
    }

    /// A list, or [`Literal::ABSENT`] if it is empty.
    pub(crate) fn list_or_absent(list: Vec<Self>) -> Self {
        if list.is_empty() { Self::ABSENT } else { Self::List(list) }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write_number(f, *number),
            Self::Text(text) => write_text(f, text),
            Self::List(list) => write_all(f, ['[', ']'], list, |f, item| item.fmt(f)),
            Self::Object(fields) => {
                write_all(f, ['{', '}'], fields, |f, (name, value)| write!(f, "{name}:{value}"))
            }
            Self::Json(value) => write_json(f, value),
            Self::Code(number) => write!(f, "{CODE_LIST}[{number}]"),
            Self::Data(number) => write!(f, "...{DATA_LIST}[{number}]"),
        }
    }
}

/// Writes items between brackets, with commas.
fn write_all<T>(
    f: &mut Formatter<'_>,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    write: impl Fn(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (place, item) in items.into_iter().enumerate() {
        f.write_str(if place == 0 { "" } else { "," })?;
        write(f, item)?;
    }
    f.write_char(close)
}

/// `5000` is `5e3`.
fn write_number(f: &mut Formatter<'_>, number: u64) -> fmt::Result {
    if number == 0 || !number.is_multiple_of(1_000) {
        return write!(f, "{number}");
    }
    let digits = number.to_string();
    let short = digits.trim_end_matches('0');
    write!(f, "{short}e{}", digits.len() - short.len())
}

/// JSON is JavaScript since ES2019, but for one name: `"__proto__": …` in an object literal sets its prototype.
fn write_json(f: &mut Formatter<'_>, value: &serde_json::Value) -> fmt::Result {
    match value {
        serde_json::Value::Object(fields) => {
            write_all(f, ['{', '}'], fields, |f, (name, value)| {
                let (open, close) = if name == "__proto__" { ("[", "]") } else { ("", "") };
                f.write_str(open)?;
                write_text(f, name)?;
                write!(f, "{close}:")?;
                write_json(f, value)
            })
        }
        serde_json::Value::Array(items) => write_all(f, ['[', ']'], items, write_json),
        serde_json::Value::String(text) => write_text(f, text),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
            write!(f, "{value}")
        }
    }
}

/// In the quotes that it holds fewer of, and so that a page which the snippet is put into sees no comment and no tag in it.
fn write_text(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    if text.bytes().all(is_plain) {
        f.write_str("\"")?;
        f.write_str(text)?;
        return f.write_str("\"");
    }
    let quoted = serde_json::to_string(text).map_err(|_| fmt::Error)?;
    let quoted = without_markup(quoted);
    if text.matches('"').count() <= text.matches('\'').count() {
        return f.write_str(&quoted);
    }
    f.write_str("'")?;
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut characters = inside.unwrap_or_default().chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('"') => f.write_str("\"")?,
                escaped => write!(f, "\\{}", escaped.unwrap_or_default())?,
            },
            '\'' => f.write_str("\\'")?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("'")
}

/// Whether this is written as it is, whatever stands around it: most texts have nothing else.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\'' | b'\\' | b'<')
}

/// No backslash stands before a `<` that JSON has written.
fn without_markup(quoted: String) -> String {
    let markup = |(at, _): &(usize, &str)| begins_markup(&quoted.as_bytes()[at + 1..]);
    let mut places = quoted.match_indices('<').filter(markup).map(|(at, _)| at).peekable();
    if places.peek().is_none() {
        return quoted;
    }
    let (mut written, mut from) = (String::with_capacity(quoted.len() + 16), 0);
    for at in places {
        written.push_str(&quoted[from..at]);
        written.push_str("\\x3C");
        from = at + 1;
    }
    written.push_str(&quoted[from..]);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_end_with_their_last_used_field() {
        let tuple = Literal::tuple(vec![
            Literal::Number(7),
            Literal::ABSENT,
            Literal::Text("a\"b".into()),
            Literal::ABSENT,
        ]);

        assert_eq!(tuple.to_string(), r#"[7,0,'a"b']"#);
    }

    #[test]
    fn numbers_and_texts_are_as_short_as_they_go() {
        let numbers = [0, 100, 1_000, 1_500, 20_500, 5_000_000].map(Literal::Number);

        assert_eq!(Literal::List(numbers.into()).to_string(), "[0,100,1e3,1500,20500,5e6]");
        let texts = ["it's", r#"a "b""#, "\\ 'x' \"y\" \"z\"\n", "</script>"];
        let texts = texts.map(|text| Literal::Text(text.to_owned()).to_string());
        assert_eq!(
            texts,
            [r#""it's""#, r#"'a "b"'"#, r#"'\\ \'x\' "y" "z"\n'"#, r#""\x3C/script>""#]
        );
    }

    #[test]
    fn prototype_of_an_object_cannot_be_set_by_data() {
        let json = serde_json::json!({"__proto__": {"a": [1, null]}});

        assert_eq!(Literal::Json(json).to_string(), r#"{["__proto__"]:{"a":[1,null]}}"#);
    }
}
