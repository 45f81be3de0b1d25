//! Pointers: the path of a value in a document (RFC 6901).

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// The path of a value in a document, as a JSON pointer: `/campaigns/0/key`. The empty pointer is
/// the whole document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer that a text is; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.is_empty() || text.starts_with('/')).then(|| Self(text.to_owned()))
    }

    /// The value in the field `name` of this one.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        Self(format!("{}/{}", self.0, name.replace('~', "~0").replace('/', "~1")))
    }

    /// The element at `index`, from zero, of this list.
    #[must_use]
    pub fn element(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The pointer as text, as RFC 6901 writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names and indices that lead from the document to the value.
    pub fn tokens(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.0.split('/').skip(1).map(|token| {
            if !token.contains('~') {
                return token.into();
            }
            token.replace("~1", "/").replace("~0", "~").into()
        })
    }

    /// The pointer as messages show it: `campaigns[0].key`. Empty for the whole document.
    #[must_use]
    pub fn path(&self) -> String {
        self.tokens().fold(String::new(), |path, token| {
            let is_word = token
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            let is_index = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
            match () {
                () if is_index => format!("{path}[{token}]"),
                () if !is_word || token.is_empty() => format!("{path}[{token:?}]"),
                () if path.is_empty() => token.into_owned(),
                () => format!("{path}.{token}"),
            }
        })
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_what_rfc_6901_reserves() {
        let pointer = Pointer::root().field("a/b~c").element(3);

        assert_eq!(pointer.as_str(), "/a~1b~0c/3");
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["a/b~c", "3"]);
    }

    #[test]
    fn a_path_reads_as_in_javascript() {
        let pointer =
            Pointer::root().field("pages").element(0).field("metadata").field("a b").field("");

        assert_eq!(pointer.path(), r#"pages[0].metadata["a b"][""]"#);
        assert_eq!(Pointer::root().path(), "");
    }
}
