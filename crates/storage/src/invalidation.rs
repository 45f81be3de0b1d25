//! Invalidations of cached tokens and roles, which processes send each other.

use std::fmt;
use std::str::FromStr;

use oauth::CredentialHash;

use crate::MemberId;
use crate::access_cache::CachedToken;

/// Which cached entries are out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Invalidation {
    /// A single token, by its hash.
    Token(CredentialHash),
    /// All tokens that come from one authorization code.
    Family(i64),
    /// What this member may do.
    Roles(MemberId),
    /// A preview link, by its id.
    PreviewLink(String),
    /// All, or it is not known which.
    Everything,
}

/// What an operation changed about cached entries.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// Nothing.
    Nothing,
    /// There is a new token.
    Issued(CachedToken),
    /// Some tokens or roles have ended.
    Ended(Invalidation),
    /// An API token has ended, and with it what its holder may do if that was a service.
    ApiTokenRemoved([Invalidation; 2]),
}

const TOKEN: &str = "token ";
const FAMILY: &str = "family ";
const ROLES: &str = "roles ";
const PREVIEW_LINK: &str = "preview ";
const EVERYTHING: &str = "everything";

impl fmt::Display for Invalidation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(hash) => write!(formatter, "{TOKEN}{}", hex::encode(hash.as_bytes())),
            Self::Family(family) => write!(formatter, "{FAMILY}{family}"),
            Self::Roles(member) => write!(formatter, "{ROLES}{member}"),
            Self::PreviewLink(id) => write!(formatter, "{PREVIEW_LINK}{id}"),
            Self::Everything => formatter.write_str(EVERYTHING),
        }
    }
}

/// Words that this version does not understand come from a newer one, and mean that something has ended.
impl From<&str> for Invalidation {
    fn from(text: &str) -> Self {
        let token = || hash(text.strip_prefix(TOKEN)?).map(Self::Token);
        let family = || i64::from_str(text.strip_prefix(FAMILY)?).ok().map(Self::Family);
        let roles = || MemberId::from_str(text.strip_prefix(ROLES)?).ok().map(Self::Roles);
        let link = || text.strip_prefix(PREVIEW_LINK).map(|id| Self::PreviewLink(id.to_owned()));
        token().or_else(family).or_else(roles).or_else(link).unwrap_or(Self::Everything)
    }
}

fn hash(digits: &str) -> Option<CredentialHash> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    Some(CredentialHash::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::Invalidation;

    #[test]
    fn a_written_invalidation_can_be_read_again() {
        let hash = oauth::hash("token").unwrap();
        let roles = Invalidation::Roles("7".parse().unwrap());
        for ending in [
            Invalidation::Token(hash),
            Invalidation::Family(i64::MAX),
            roles,
            Invalidation::PreviewLink("00ff".to_owned()),
            Invalidation::Everything,
        ] {
            assert_eq!(Invalidation::from(&*ending.to_string()), ending);
        }
    }

    #[test]
    fn an_unreadable_invalidation_ends_everything() {
        for text in
            ["", "family", "family x", "token", "token é", "token 00", "client reports", "roles"]
        {
            assert_eq!(Invalidation::from(text), Invalidation::Everything, "{text}");
        }
    }
}
