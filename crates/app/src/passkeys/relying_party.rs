//! This server as authenticators see it: the host of the public URL, and exactly that origin. The `Host` header of a request counts for
//! nothing.

use url::Url;
use webauthn_rs::{Webauthn, WebauthnBuilder};

use crate::public_url::PublicUrl;
use crate::ticket::GOOD_FOR;

/// The name that people read in their browser's dialog.
const NAME: &str = "Assay";

/// `None` where browsers do not support passkeys, as at an IP address (Web Authentication, section 5.1.3).
pub(crate) fn relying_party(public_url: &PublicUrl) -> Option<Webauthn> {
    let origin = Url::parse(public_url.as_str()).ok()?;
    let host = origin.domain()?;
    let builder = WebauthnBuilder::new(host, &origin).ok()?;
    builder.rp_name(NAME).timeout(GOOD_FOR).build().ok()
}

#[cfg(test)]
mod tests {
    use super::relying_party;
    use crate::public_url::PublicUrl;

    #[test]
    fn passkeys_need_a_name() {
        let knows = |url: &str| relying_party(&PublicUrl::parse(url).unwrap()).is_some();

        assert!(knows("https://assay.example") && knows("https://assay.example:8443"));
        assert!(knows("http://localhost:8080"));
        assert!(!knows("http://127.0.0.1:8080") && !knows("https://[::1]:8443"));
    }
}
