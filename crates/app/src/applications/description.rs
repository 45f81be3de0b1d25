//! Checks the description of an application.

use oauth::{ClientKind, RedirectUri, RedirectUriError, ScopeSet};
use thiserror::Error;

use crate::visible_text::is_invisible;

/// More than any application needs; each authorization request compares with every one.
const REDIRECT_URIS_AT_MOST: usize = 32;

/// What fits on one line of the consent page.
const NAME_LENGTH_AT_MOST: usize = 100;

/// What fits on one line of a list.
const NOTE_LENGTH_AT_MOST: usize = 100;

/// Why the description of an application is invalid.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum ApplicationFault {
    /// The name is empty, too long, or misleads.
    #[error("the name of an application is 1 to {NAME_LENGTH_AT_MOST} visible characters")]
    UnusableName,
    /// The note about a secret is too long, or misleads.
    #[error("a note is {NOTE_LENGTH_AT_MOST} visible characters at most")]
    UnusableNote,
    /// There is no redirect URI, or too many.
    #[error("an application has 1 to {REDIRECT_URIS_AT_MOST} redirect URIs")]
    RedirectUriCount,
    /// The scope contains an unknown name.
    #[error(
        "the scope of an application is a list of scope names separated by spaces, such as `config:read publish`, or `all`"
    )]
    UnusableScope,
    /// One of the redirect URIs breaks a rule.
    #[error("redirect URI `{uri}`: {rule}")]
    RedirectUri {
        /// The URI as given.
        uri: String,
        /// The rule.
        rule: RedirectUriError,
    },
}

/// Checks a name.
pub(super) fn check_name(name: &str) -> Result<(), ApplicationFault> {
    let length = name.chars().count();
    let is_visible = !name.trim().is_empty() && !name.contains(is_invisible);
    let is_usable = is_visible && length <= NAME_LENGTH_AT_MOST;
    if is_usable { Ok(()) } else { Err(ApplicationFault::UnusableName) }
}

/// Checks the note about a secret; it may be empty.
pub(super) fn check_note(note: &str) -> Result<(), ApplicationFault> {
    let is_usable = !note.contains(is_invisible) && note.chars().count() <= NOTE_LENGTH_AT_MOST;
    if is_usable { Ok(()) } else { Err(ApplicationFault::UnusableNote) }
}

/// Parses the redirect URIs of a client of this kind.
pub(super) fn parse_redirect_uris(
    kind: ClientKind,
    uris: &[String],
) -> Result<Vec<RedirectUri>, ApplicationFault> {
    if !(1..=REDIRECT_URIS_AT_MOST).contains(&uris.len()) {
        return Err(ApplicationFault::RedirectUriCount);
    }
    let parse = |uri: &String| {
        RedirectUri::parse_for(kind, uri)
            .map_err(|rule| ApplicationFault::RedirectUri { uri: uri.clone(), rule })
    };
    uris.iter().map(parse).collect()
}

/// Parses the scope that an application is registered for, if one is given.
pub(super) fn parse_scope(text: Option<&str>) -> Result<Option<ScopeSet>, ApplicationFault> {
    text.map(ScopeSet::parse).transpose().map_err(|_| ApplicationFault::UnusableScope)
}

#[cfg(test)]
mod tests {
    use oauth::ClientKind;

    use super::{ApplicationFault, check_name, check_note, parse_redirect_uris};

    #[test]
    fn a_name_is_what_people_can_see() {
        for name in ["Reports", "Bérichte \u{2713}", "報告"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        let long = "a".repeat(101);
        for name in [
            "",
            "  ",
            "a\nb",
            "a\u{7f}",
            "\u{202e}stropeR",
            "\u{2067}Reports",
            "Re\u{200b}ports",
            "Re\u{ad}ports",
            "\u{3164}",
            &long,
        ] {
            assert_eq!(check_name(name), Err(ApplicationFault::UnusableName), "{name:?}");
        }
    }

    #[test]
    fn a_note_may_be_nothing_but_not_mislead() {
        assert_eq!(check_note(""), Ok(()));
        assert_eq!(check_note("billing, since March"), Ok(()));
        assert_eq!(check_note("a\u{1b}[2J"), Err(ApplicationFault::UnusableNote));
        assert_eq!(check_note(&"a".repeat(101)), Err(ApplicationFault::UnusableNote));
    }

    #[test]
    fn a_redirect_uri_that_breaks_a_rule_is_named() {
        let uris = ["https://app.example/cb".to_owned(), "http://app.example/cb".to_owned()];

        let parse = |uris| parse_redirect_uris(ClientKind::Confidential, uris);
        assert_eq!(parse(&[]), Err(ApplicationFault::RedirectUriCount));
        assert_eq!(parse(&uris[..1]).map(|uris| uris.len()), Ok(1));
        assert_eq!(
            parse(&uris).map_err(|fault| fault.to_string()),
            Err("redirect URI `http://app.example/cb`: must be `https`, or `http` on \
                 `127.0.0.1`, `[::1]` or `localhost`"
                .to_owned())
        );
    }
}
