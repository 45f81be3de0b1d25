//! What ends access tokens before their time, or changes what they open, as processes tell each other.

use std::fmt;
use std::str::FromStr;

use oauth::CredentialHash;

use crate::MemberId;
use crate::known_tokens::KnownToken;

/// Tokens that are good no longer, or open something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A single one, by its hash.
    Token(CredentialHash),
    /// All that come from one authorization code.
    Family(i64),
    /// None, but what this member may do has changed.
    Roles(MemberId),
    /// All, or nobody knows which.
    Everything,
}

/// What an operation changed about access tokens.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// Nothing, or nothing that would be kept in memory.
    Nothing,
    /// There is a new one.
    Issued(KnownToken),
    /// Some are good no longer.
    Ended(Ending),
}

const TOKEN: &str = "token ";
const FAMILY: &str = "family ";
const ROLES: &str = "roles ";
const EVERYTHING: &str = "everything";

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(hash) => {
                formatter.write_str(TOKEN)?;
                hash.as_bytes().iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
            }
            Self::Family(family) => write!(formatter, "{FAMILY}{family}"),
            Self::Roles(member) => write!(formatter, "{ROLES}{member}"),
            Self::Everything => formatter.write_str(EVERYTHING),
        }
    }
}

/// Words that are not understood come from a newer version, and mean that something has ended.
impl From<&str> for Ending {
    fn from(text: &str) -> Self {
        let token = || hash(text.strip_prefix(TOKEN)?).map(Self::Token);
        let family = || i64::from_str(text.strip_prefix(FAMILY)?).ok().map(Self::Family);
        let roles = || MemberId::from_str(text.strip_prefix(ROLES)?).ok().map(Self::Roles);
        token().or_else(family).or_else(roles).unwrap_or(Self::Everything)
    }
}

fn hash(digits: &str) -> Option<CredentialHash> {
    let byte = |place: usize| u8::from_str_radix(digits.get(place..place + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    Some(CredentialHash::from_bytes(bytes?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Ending;

    #[test]
    fn what_is_told_is_understood() {
        let hash = oauth::hash("token").unwrap();
        let roles = Ending::Roles("7".parse().unwrap());
        for ending in [Ending::Token(hash), Ending::Family(i64::MAX), roles, Ending::Everything] {
            assert_eq!(Ending::from(&*ending.to_string()), ending);
        }
    }

    #[test]
    fn what_is_not_understood_ends_everything() {
        for text in
            ["", "family", "family x", "token", "token é", "token 00", "client reports", "roles"]
        {
            assert_eq!(Ending::from(text), Ending::Everything, "{text}");
        }
    }
}
