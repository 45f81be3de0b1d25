//! The token of a preview link: the project, the id of the link that the store keeps, and our signature. Without the server's key no one can
//! forge or alter it, so that only links that were made are looked for. A person who switches variations appends what they look at
//! instead, unsigned: the link says what that may be.

use domain::{ProjectId, VariationId};
use oauth::SigningKey;

/// Identifies the token to people and secret scanners, and separates these signatures from others that the key may make one day.
const PREFIX: &str = "assay_pv";

/// A longer token is not ours, and would only cost work.
const LENGTH_AT_MOST: usize = 1_024;

/// Bytes of an id: two links never get the same.
pub(super) const ID_BYTES: usize = 8;

/// `assay_pv.1000.0123456789abcdef.`, the signature of all before it, and perhaps `.5002-5012`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PreviewToken {
    pub(super) project_id: ProjectId,
    /// Hexadecimal digits.
    pub(super) link_id: String,
    /// What is looked at instead of what the link shows.
    pub(super) chosen: Vec<VariationId>,
}

impl PreviewToken {
    /// The token of a link as it is made.
    pub(super) fn of(project_id: ProjectId, link_id: &str) -> Self {
        Self { project_id, link_id: link_id.to_owned(), chosen: Vec::new() }
    }

    pub(super) fn write(&self, key: &SigningKey) -> String {
        let signed = signed(&self.project_id.to_string(), &self.link_id);
        let token = format!("{signed}.{}", key.sign(&signed));
        if self.chosen.is_empty() {
            return token;
        }
        let chosen: Vec<String> = self.chosen.iter().map(ToString::to_string).collect();
        format!("{token}.{}", chosen.join("-"))
    }

    /// `None` unless this key signed the token.
    pub(super) fn read(text: &str, key: &SigningKey) -> Option<Self> {
        if text.len() > LENGTH_AT_MOST {
            return None;
        }
        let parts: Vec<&str> = text.split('.').collect();
        let (project, link_id, signature, chosen) = match *parts {
            [PREFIX, project, link_id, signature] => (project, link_id, signature, None),
            [PREFIX, project, link_id, signature, chosen] => {
                (project, link_id, signature, Some(chosen))
            }
            _ => return None,
        };
        if !key.verifies(&signed(project, link_id), signature) {
            return None;
        }
        let chosen = chosen.map(|ids| ids.split('-').map(str::parse).collect::<Result<_, _>>());
        Some(Self {
            project_id: project.parse().ok()?,
            link_id: link_id.to_owned(),
            chosen: chosen.transpose().ok()?.unwrap_or_default(),
        })
    }
}

fn signed(project: &str, link_id: &str) -> String {
    format!("{PREFIX}.{project}.{link_id}")
}

#[cfg(test)]
mod tests {
    use oauth::SigningKey;

    use super::PreviewToken;

    fn key() -> SigningKey {
        SigningKey::from_bytes([7; 32])
    }

    fn token() -> PreviewToken {
        PreviewToken::of("1000".parse().unwrap(), "0123456789abcdef")
    }

    #[test]
    fn a_token_is_read_as_it_was_written_and_says_what_it_is() {
        let text = token().write(&key());

        assert!(text.starts_with("assay_pv.1000.0123456789abcdef."), "{text}");
        assert_eq!(PreviewToken::read(&text, &key()), Some(token()));
        let chosen = vec!["5002".parse().unwrap(), "5012".parse().unwrap()];
        let switched = PreviewToken { chosen, ..token() };
        assert_eq!(switched.write(&key()), format!("{text}.5002-5012"));
        assert_eq!(PreviewToken::read(&switched.write(&key()), &key()), Some(switched));
    }

    #[test]
    fn a_token_altered_at_any_place_is_none() {
        let text = token().write(&key());

        for place in 0..text.len() {
            for character in ["0", "A", ".", ""] {
                let altered = [&text[..place], character, &text[place + 1..]].concat();
                let is_same = altered == text;
                assert_eq!(PreviewToken::read(&altered, &key()).is_some(), is_same, "{altered}");
            }
        }
    }

    #[test]
    fn another_key_and_no_token_at_all_give_none() {
        let text = token().write(&SigningKey::from_bytes([8; 32]));

        for text in [text.as_str(), "", ".", "off", "assay_pv.1000.0123456789abcdef"] {
            assert_eq!(PreviewToken::read(text, &key()), None, "{text}");
        }
    }

    #[test]
    fn whatever_else_the_key_signs_is_no_token() {
        for other in ["assay_xx.1000.0123", "assay_pv.1000", "assay_pv.1000.5002.1795269600"] {
            let text = format!("{other}.{}", key().sign(other));
            assert_eq!(PreviewToken::read(&text, &key()), None, "{text}");
        }
        let text = token().write(&key());
        for chosen in ["", "x", "5002-", "5002.5003"] {
            assert_eq!(PreviewToken::read(&format!("{text}.{chosen}"), &key()), None, "{chosen}");
        }
    }
}
