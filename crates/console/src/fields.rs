//! The fields of a form, in its order, as the browser sent them (the URL standard's `application/x-www-form-urlencoded`).

/// More fields than the largest of our pages sends.
const FIELDS_AT_MOST: usize = 20_000;

/// The fields of a form. They may be secrets, so that nothing prints them.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads a form; `None` if it is not text, or has more fields than any of ours.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        str::from_utf8(bytes).ok()?;
        let pairs = form_urlencoded::parse(bytes).into_owned();
        let fields: Vec<_> = pairs.take(FIELDS_AT_MOST + 1).collect();
        (fields.len() <= FIELDS_AT_MOST).then_some(Self(fields))
    }

    /// The first value of this name; empty if there is none, as an empty field is.
    pub(crate) fn get<'f>(&'f self, name: &str) -> &'f str {
        self.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// Whether the form has this field, as a checked box or the pressed button.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Every value of this name.
    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Every field.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS_AT_MOST, Fields};

    #[test]
    fn fields_keep_their_order_and_their_text() {
        let fields = Fields::read(b"a=1&b=x+y%26&a=2&c").unwrap();

        assert_eq!(fields.get("a"), "1");
        assert_eq!(fields.all("a").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(fields.get("b"), "x y&");
        assert!(fields.has("c"));
        assert!(!fields.has("d"));
        assert_eq!(fields.get("d"), "");
    }

    #[test]
    fn a_form_that_no_page_of_ours_sends_is_not_read() {
        assert!(Fields::read(&[0xff]).is_none());
        assert!(Fields::read("a&".repeat(FIELDS_AT_MOST).as_bytes()).is_some());
        assert!(Fields::read("a&".repeat(FIELDS_AT_MOST + 1).as_bytes()).is_none());
    }
}
