//! The content of an editor's link: who may edit which variation on which site until when, the word by which editor and console know each
//! other, and our signature. Like a preview token it is not stored.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use domain::{ProjectId, VariationId};
use oauth::{SigningKey, Timestamp};
use storage::MemberId;

/// Identifies the token to people and secret scanners, and separates these signatures from others of the key.
const PREFIX: &str = "assay_ve";

/// An address of a page has 2048 bytes at most; a longer token is not ours, and would only cost work.
const LENGTH_AT_MOST: usize = 1_024;

/// `assay_ve.1000.5002.1795269600.7.aHR0cHM6….k3f….` and the signature of all before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EditorToken {
    pub(super) project_id: ProjectId,
    pub(super) variation: VariationId,
    /// In whole seconds.
    pub(super) expires_at: Timestamp,
    pub(super) member: MemberId,
    /// The origin of the site.
    pub(super) site: String,
    pub(super) nonce: String,
}

/// Whether a token claims to be an editor's.
#[must_use]
pub fn is_editor_token(text: &str) -> bool {
    text.split('.').next() == Some(PREFIX)
}

impl EditorToken {
    pub(super) fn write(&self, key: &SigningKey) -> String {
        let Self { project_id, variation, member, nonce, .. } = self;
        let seconds = self.expires_at.as_milliseconds() / 1_000;
        let site = BASE64_URL_SAFE_NO_PAD.encode(&self.site);
        let signed = format!("{PREFIX}.{project_id}.{variation}.{seconds}.{member}.{site}.{nonce}");
        format!("{signed}.{}", key.sign(&signed))
    }

    /// `None` unless this key signed the token.
    pub(super) fn read(text: &str, key: &SigningKey) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        if text.len() > LENGTH_AT_MOST || !key.verifies(signed, signature) {
            return None;
        }
        let parts: Vec<&str> = signed.split('.').collect();
        let [PREFIX, project, variation, seconds, member, site, nonce] = parts[..] else {
            return None;
        };
        let seconds: i64 = seconds.parse().ok()?;
        Some(Self {
            project_id: project.parse().ok()?,
            variation: variation.parse().ok()?,
            expires_at: Timestamp::from_milliseconds(seconds.checked_mul(1_000)?),
            member: member.parse().ok()?,
            site: String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(site).ok()?).ok()?,
            nonce: nonce.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use oauth::{SigningKey, Timestamp};

    use super::{EditorToken, is_editor_token};

    fn token() -> EditorToken {
        EditorToken {
            project_id: "1000".parse().unwrap(),
            variation: "5002".parse().unwrap(),
            expires_at: Timestamp::from_milliseconds(1_795_269_600_000),
            member: "7".parse().unwrap(),
            site: "https://shop.example:8443".to_owned(),
            nonce: "k3f".to_owned(),
        }
    }

    #[test]
    fn an_editor_token_is_read_as_it_was_written() {
        let key = SigningKey::from_bytes([7; 32]);

        let text = token().write(&key);

        assert!(text.starts_with("assay_ve.1000.5002.1795269600.7."), "{text}");
        assert!(is_editor_token(&text));
        assert_eq!(EditorToken::read(&text, &key), Some(token()));
        assert_eq!(EditorToken::read(&text, &SigningKey::from_bytes([8; 32])), None);
    }

    #[test]
    fn an_editor_token_altered_at_any_place_is_none() {
        let key = SigningKey::from_bytes([7; 32]);
        let text = token().write(&key);

        for place in 0..text.len() {
            let altered = [&text[..place], "~", &text[place + 1..]].concat();
            assert_eq!(EditorToken::read(&altered, &key), None, "{altered}");
        }
    }

    #[test]
    fn a_signed_preview_token_is_no_editor_token() {
        let key = SigningKey::from_bytes([7; 32]);
        for other in ["assay_pv.1000.5002.1795269600", "assay_ve.1000.5002.1795269600.7.aA"] {
            let text = format!("{other}.{}", key.sign(other));
            assert_eq!(EditorToken::read(&text, &key), None, "{text}");
        }
    }
}
