//! The form in which a member describes a visit. It comes in the address, so that a decision can be kept as a bookmark and shown to a
//! colleague; nothing in it is a secret of ours, and no query is logged.

use app::decisions::VisitRequest;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, HeaderName, USER_AGENT};
use domain::Fault;

use crate::words::sentence;

/// The submitted form, or the initial one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct VisitForm {
    pub(crate) visitor_id: String,
    pub(crate) url: String,
    pub(crate) referrer: String,
    /// One `name=value` a line, as the next two.
    pub(crate) cookies: String,
    pub(crate) attributes: String,
    pub(crate) variations: String,
    pub(crate) user_agent: String,
    pub(crate) language: String,
    pub(crate) local_time: String,
    pub(crate) location: String,
    pub(crate) pages: Vec<String>,
}

/// The fault in one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// The field's name in the form.
    pub(crate) field: String,
    /// One sentence.
    pub(crate) words: String,
}

impl VisitForm {
    /// The form before anything is asked: this browser's own user agent and language are a start.
    pub(crate) fn blank(headers: &HeaderMap) -> Self {
        let languages = header(headers, &ACCEPT_LANGUAGE);
        let language = languages.split([',', ';']).next().unwrap_or_default();
        Self {
            user_agent: header(headers, &USER_AGENT),
            language: language.trim().to_owned(),
            ..Self::default()
        }
    }

    /// Reads the query of the address. Fields that are not there are empty, unknown ones do not count.
    pub(crate) fn read(query: &str) -> Self {
        let parsed = form_urlencoded::parse(query.as_bytes());
        let fields: Vec<_> = parsed.into_owned().collect();
        Self::of(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// The same from the fields of a form, which may have others.
    pub(crate) fn of<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> Self {
        let mut form = Self::default();
        for (name, value) in fields {
            let value = value.trim().to_owned();
            match name {
                "visitor_id" => form.visitor_id = value,
                "url" => form.url = value,
                "referrer" => form.referrer = value,
                "cookies" => form.cookies = value,
                "attributes" => form.attributes = value,
                "variations" => form.variations = value,
                "user_agent" => form.user_agent = value,
                "language" => form.language = value,
                "local_time" => form.local_time = value,
                "location" => form.location = value,
                "pages" => form.pages.push(value),
                _ => {}
            }
        }
        form
    }

    /// The visit that was described, unless something is missing or cannot be read.
    pub(crate) fn written(&self) -> Result<VisitRequest, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut needed = |field: &str, value: &str, words: &str| {
            if value.is_empty() {
                errors.push(FieldError { field: field.to_owned(), words: words.to_owned() });
            }
        };
        needed("visitor_id", &self.visitor_id, "Enter a visitor id; any id works.");
        needed("url", &self.url, "Enter the address of the page.");
        let mut pairs = |field: &str, text: &str| {
            pairs(field, text).unwrap_or_else(|error| {
                errors.push(error);
                Vec::new()
            })
        };
        let written = VisitRequest {
            visitor_id: self.visitor_id.clone(),
            url: self.url.clone(),
            referrer: said(&self.referrer),
            cookies: pairs("cookies", &self.cookies),
            attributes: pairs("attributes", &self.attributes),
            earlier_variations: pairs("variations", &self.variations),
            user_agent: said(&self.user_agent),
            language: said(&self.language),
            local_time: said(&self.local_time),
            location: said(&self.location),
            activated_pages: self.pages.clone(),
            ..VisitRequest::default()
        };
        if errors.is_empty() { Ok(written) } else { Err(errors) }
    }
}

impl From<Fault> for FieldError {
    /// The fields of the form are called as those of a visit.
    fn from(fault: Fault) -> Self {
        let field = fault.pointer.tokens().next().unwrap_or_default().into_owned();
        let expected = fault.expected.map(|expected| format!(", expected {expected}"));
        let wrong = sentence(&(fault.message + &expected.unwrap_or_default()));
        let hint = fault.hint.map(|hint| format!(" {}", sentence(&hint)));
        Self { field, words: wrong + &hint.unwrap_or_default() }
    }
}

fn header(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

/// An empty field is unknown.
fn said(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

fn pairs(field: &str, text: &str) -> Result<Vec<(String, String)>, FieldError> {
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let pairs = lines.map(|(index, line)| match line.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(FieldError {
            field: field.to_owned(),
            words: format!("Line {} is not a name, `=` and a value.", index + 1),
        }),
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_unreadable_is_told_at_its_field() {
        let form = VisitForm::read("visitor_id=+&cookies=a%3D1%0A%0A%3D2&attributes=plan");

        let fields: Vec<_> =
            form.written().unwrap_err().into_iter().map(|o| (o.field, o.words)).collect();

        assert_eq!(
            fields.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(),
            ["visitor_id", "url", "cookies", "attributes"]
        );
        assert_eq!(fields[2].1, "Line 3 is not a name, `=` and a value.");
    }

    #[test]
    fn what_is_left_empty_is_unknown() {
        let form = VisitForm::read("visitor_id=ada&url=https%3A%2F%2Fshop.example&user_agent=");

        let written = form.written().unwrap();

        assert_eq!((written.visitor_id.as_str(), written.user_agent), ("ada", None));
    }

    #[test]
    fn lines_become_pairs_and_values_keep_their_equals_signs() {
        let form =
            VisitForm::read("visitor_id=a&url=b&cookies=t%3D1%3D2%0D%0Au%3D&pages=x&pages=y");

        let written = form.written().unwrap();

        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(written.cookies, [pair("t", "1=2"), pair("u", "")]);
        assert_eq!(written.activated_pages, ["x", "y"]);
    }
}
