//! Keeps the cookie of a visitor who requests a snippet, if the project wants that: some browsers drop what scripts store after a week. The
//! page's side is `runtime/src/visitor/loadVisitor.ts`.

use domain::{Consent, CookieRenewal, Project};

use crate::App;

/// The cookie of a visitor who opted out.
const OPTED_OUT: &str = "-";

/// Our ids are far shorter; some sites bring their own.
const MAX_ID_LENGTH: usize = 256;

/// How the server keeps the visitor id's cookie of a project.
#[derive(Debug, Clone)]
pub struct VisitorCookie {
    domain: String,
    consent: Consent,
    respects_gpc: bool,
    respects_dnt: bool,
}

/// What a request says about its visitor.
#[derive(Debug, Clone, Copy, Default)]
pub struct AskingVisitor<'r> {
    /// The cookie's value as it is on the wire; `None` without one.
    pub id: Option<&'r str>,
    /// The browser sends Global Privacy Control.
    pub sends_gpc: bool,
    /// The browser sends Do Not Track.
    pub sends_dnt: bool,
}

impl VisitorCookie {
    /// The project's setting; `None` if the page renews the cookie.
    pub(super) fn of(project: &Project) -> Option<Self> {
        let settings = &project.snippet;
        match settings.visitor_id.renewed_by {
            CookieRenewal::Page => None,
            CookieRenewal::Server => Some(Self {
                domain: settings.cookie_domain.clone()?,
                consent: settings.consent,
                respects_gpc: settings.respect_gpc,
                respects_dnt: settings.respect_dnt,
            }),
        }
    }

    /// The cookie's domain.
    #[must_use]
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The new value of the visitor's cookie; `None` if there must be none, or the value is not ours.
    #[must_use]
    pub fn renewed(&self, app: &App, visitor: AskingVisitor<'_>) -> Option<String> {
        let id = visitor.id.unwrap_or_default();
        let is_refused =
            (self.respects_gpc && visitor.sends_gpc) || (self.respects_dnt && visitor.sends_dnt);
        // A visitor who opted out stays out, whatever signals the browser sends.
        if id != OPTED_OUT && is_refused {
            return None;
        }
        match self.consent {
            Consent::None if id.is_empty() => Some(new_id(app.random())),
            // Where consent is required, the cookie exists only after consent.
            Consent::None | Consent::Required => is_echoed(id).then(|| id.to_owned()),
        }
    }
}

/// An id like those the page makes, except for the leading 0: it tells the page that the server did not know the visitor, so the page may
/// use an id it knows.
fn new_id(random: [u8; 12]) -> String {
    let (numbers, _) = random.as_chunks();
    let digits = numbers.iter().map(|number| u32::from_le_bytes(*number).to_string());
    "0".to_owned() + &digits.collect::<String>()
}

/// Whether `encodeURIComponent` could have written this value, so that it cannot end the cookie or the header.
fn is_echoed(id: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()%".contains(&byte);
    (1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::{is_echoed, new_id};

    #[test]
    fn a_new_id_is_three_numbers_after_a_zero() {
        assert_eq!(new_id([1, 0, 0, 0, 255, 255, 255, 255, 0, 1, 0, 0]), "014294967295256");
    }

    #[test]
    fn what_could_end_the_header_is_not_echoed() {
        assert!(is_echoed("o%20ne-2_3.4!~*'()"));
        for id in ["", "a b", "a;b", "a\r\nb", "a,b", "a\"b", "é", &"1".repeat(257)] {
            assert!(!is_echoed(id), "{id}");
        }
    }
}
