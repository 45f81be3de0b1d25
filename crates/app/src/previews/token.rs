//! The content of a preview link: the variations of a project, when it expires, who made it if it shows a draft, and our signature. It
//! holds no secret and is not stored; without the server's key no one can forge or alter it.

use domain::{ProjectId, VariationId};
use oauth::{SigningKey, Timestamp};

use crate::previews::maker::PreviewMaker;

/// Identifies the token to people and secret scanners, and separates these signatures from others that the key may make one day.
const PREFIX: &str = "assay_pv";

/// For a token that shows a draft; its maker comes last: `assay_pm.1000.5002.1795269600.7.`
const DRAFT_PREFIX: &str = "assay_pm";

/// A longer token is not ours, and would only cost work.
const LENGTH_AT_MOST: usize = 1_024;

/// `assay_pv.1000.5002-5012.1795269600.` and the signature of all before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PreviewToken {
    pub(super) project_id: ProjectId,
    pub(super) variations: Vec<VariationId>,
    /// The maker, if it shows the draft.
    pub(super) of_draft: Option<PreviewMaker>,
    /// In whole seconds.
    pub(super) expires_at: Timestamp,
}

impl PreviewToken {
    pub(super) fn write(&self, key: &SigningKey) -> String {
        let ids: Vec<String> = self.variations.iter().map(ToString::to_string).collect();
        let seconds = self.expires_at.as_milliseconds() / 1_000;
        let shown = format!("{}.{}.{seconds}", self.project_id, ids.join("-"));
        let signed = match self.of_draft {
            None => format!("{PREFIX}.{shown}"),
            Some(maker) => format!("{DRAFT_PREFIX}.{shown}.{}", maker.to_text()),
        };
        format!("{signed}.{}", key.sign(&signed))
    }

    /// `None` unless this key signed the token.
    pub(super) fn read(text: &str, key: &SigningKey) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        if text.len() > LENGTH_AT_MOST || !key.verifies(signed, signature) {
            return None;
        }
        let mut parts = signed.split('.');
        let is_of_draft = match parts.next()? {
            PREFIX => false,
            DRAFT_PREFIX => true,
            _ => return None,
        };
        let project_id = parts.next()?.parse().ok()?;
        let variations = parts.next()?.split('-').map(str::parse).collect::<Result<_, _>>();
        let seconds: i64 = parts.next()?.parse().ok()?;
        let expires_at = Timestamp::from_milliseconds(seconds.checked_mul(1_000)?);
        let maker = parts.next().map(PreviewMaker::read);
        let of_draft = match (is_of_draft, maker) {
            (false, None) => None,
            (true, Some(Some(maker))) => Some(maker),
            _ => return None,
        };
        Some(Self { project_id, variations: variations.ok()?, of_draft, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use oauth::{SigningKey, Timestamp};

    use super::{PreviewMaker, PreviewToken};

    fn key() -> SigningKey {
        SigningKey::from_bytes([7; 32])
    }

    fn token() -> PreviewToken {
        PreviewToken {
            project_id: "1000".parse().unwrap(),
            variations: vec!["5002".parse().unwrap(), "5012".parse().unwrap()],
            of_draft: None,
            expires_at: Timestamp::from_milliseconds(1_795_269_600_000),
        }
    }

    #[test]
    fn a_token_is_read_as_it_was_written_and_says_what_it_is() {
        let text = token().write(&key());

        assert!(text.starts_with("assay_pv.1000.5002-5012.1795269600."), "{text}");
        assert_eq!(PreviewToken::read(&text, &key()), Some(token()));
        for maker in [PreviewMaker::Command, PreviewMaker::Member("7".parse().unwrap())] {
            let of_draft = PreviewToken { of_draft: Some(maker), ..token() };
            assert_eq!(PreviewToken::read(&of_draft.write(&key()), &key()), Some(of_draft));
        }
    }

    #[test]
    fn a_token_altered_at_any_place_is_none() {
        let text = token().write(&key());

        for place in 0..text.len() {
            for letter in ["0", "A", ".", ""] {
                let altered = [&text[..place], letter, &text[place + 1..]].concat();
                let is_same = altered == text;
                assert_eq!(PreviewToken::read(&altered, &key()).is_some(), is_same, "{altered}");
            }
        }
    }

    #[test]
    fn another_key_and_no_token_at_all_give_none() {
        let text = token().write(&SigningKey::from_bytes([8; 32]));

        for text in [text.as_str(), "", ".", "off", "assay_pv.1000.5002.1795269600"] {
            assert_eq!(PreviewToken::read(text, &key()), None, "{text}");
        }
    }

    #[test]
    fn whatever_else_the_key_signs_is_no_token() {
        for other in [
            "assay_xx.1000.5002.1795269600",
            "assay_pv.1000.5002",
            "assay_pv.1000..1",
            "assay_pv.1000.5002.1795269600.7",
            "assay_pm.1000.5002.1795269600",
            "assay_pm.1000.5002.1795269600.x",
            "assay_pd.1000.5002.1795269600",
        ] {
            let text = format!("{other}.{}", key().sign(other));
            assert_eq!(PreviewToken::read(&text, &key()), None, "{text}");
        }
    }
}
