//! Looks for secrets in bytes, however they are written.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use regex::bytes::Regex;

/// A secret, and how many answers may contain it.
pub(super) struct Secret {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) answers: usize,
}

pub(super) struct Scan(Regex);

impl Scan {
    pub(super) fn for_secrets(secrets: &[Secret]) -> Self {
        Self::for_all(secrets.iter().map(|secret| secret.value.as_bytes()))
    }

    pub(super) fn for_one(secret: &[u8]) -> Self {
        Self::for_all([secret])
    }

    fn for_all<'a>(secrets: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let forms: Vec<String> =
            secrets.into_iter().flat_map(forms).map(|form| regex::escape(&form)).collect();
        Self(Regex::new(&forms.join("|")).unwrap())
    }

    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.0.is_match(bytes)
    }

    #[track_caller]
    pub(super) fn finds(&self, place: &str, bytes: &[u8]) {
        assert!(self.is_in(bytes), "nothing in {place}");
    }

    #[track_caller]
    pub(super) fn finds_nothing(&self, place: &str, bytes: &[u8]) {
        if let Some(found) = self.0.find(bytes) {
            let around = found.start().saturating_sub(200)..bytes.len().min(found.end() + 50);
            panic!("a secret in {place}: {}", String::from_utf8_lossy(&bytes[around]));
        }
    }
}

/// As it is, percent-encoded as a form does or wholly, in hexadecimal, and in base64 wherever it begins in what is encoded.
fn forms(secret: &[u8]) -> Vec<String> {
    assert!(secret.len() >= 8, "too short to be told from chance");
    let text = std::str::from_utf8(secret).unwrap();
    let each = |write: fn(u8) -> String| secret.iter().map(|byte| write(*byte)).collect::<String>();
    let mut forms = vec![
        text.to_owned(),
        form_urlencoded::byte_serialize(secret).collect(),
        each(|byte| format!("%{byte:02X}")),
        each(|byte| format!("%{byte:02x}")),
        hex::encode_upper(secret),
        hex::encode(secret),
    ];
    for before in 0..3 {
        let shifted = [&vec![0; before][..], secret].concat();
        // Characters that also depend on what stands before and after are left out.
        let whole = (before * 8).div_ceil(6)..shifted.len() * 8 / 6;
        forms.push(STANDARD_NO_PAD.encode(&shifted)[whole.clone()].to_owned());
        forms.push(URL_SAFE_NO_PAD.encode(&shifted)[whole].to_owned());
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::{STANDARD_NO_PAD, Scan};
    use base64::Engine as _;

    #[test]
    fn a_secret_is_found_in_every_form_and_beside_anything() {
        let scan = Scan::for_one(b"s3cret+word");
        for bytes in [
            "a log line with s3cret+word in it".to_owned(),
            "?client_secret=s3cret%2Bword&a=b".to_owned(),
            "%73%33%63%72%65%74%2b%77%6F%72%64".to_lowercase(),
            "\\x7333637265742b776f7264".to_owned(),
            "7333637265742B776F7264".to_owned(),
            STANDARD_NO_PAD.encode("s3cret+word"),
            format!("Basic {}", STANDARD_NO_PAD.encode("client:s3cret+word and more")),
            STANDARD_NO_PAD.encode("client 1:s3cret+word"),
        ] {
            assert!(scan.is_in(bytes.as_bytes()), "{bytes}");
        }
        assert!(!scan.is_in(b"s3cret word, S3CRET+WORD"));
    }
}
