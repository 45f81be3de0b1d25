//! Proof Key for Code Exchange (RFC 7636): who asked for the code is who exchanges it.

use oauth::ClientKind;

use super::token_call::{by_form, exchange, with, without};
use crate::browser::{Browser, authorize_path};
use crate::site::Site;

/// The example of RFC 7636 appendix B.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const S256: [(&str, &str); 2] = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];

#[tokio::test]
async fn only_s256_challenges_are_taken() {
    let site = Site::start();
    let application = site.application().await;
    let wrong: [&[(&str, &str)]; 6] = [
        &[("code_challenge", CHALLENGE)],
        &[("code_challenge", CHALLENGE), ("code_challenge_method", "plain")],
        &[("code_challenge", CHALLENGE), ("code_challenge_method", "s256")],
        &[("code_challenge", "short"), ("code_challenge_method", "S256")],
        &[("code_challenge_method", "S256")],
        &[
            ("code_challenge", CHALLENGE),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ],
    ];

    for pairs in wrong {
        let answer = site.get(&authorize_path(&application, pairs)).await;
        assert_eq!(answer.returned("error").as_deref(), Some("invalid_request"), "{pairs:?}");
    }
}

#[tokio::test]
async fn a_public_client_needs_a_challenge_and_no_secret() {
    let site = Site::start();
    let (member, application) =
        (site.member().await, site.register("App", ClientKind::Public).await);

    let unchallenged = site.get(&authorize_path(&application, &[])).await;
    let code = Browser::new(&site).fetch_code(&member, &application, &S256).await;
    let pairs = without(&exchange(&application, &code), "client_secret");
    let answer = by_form(&site, &with(&pairs, "code_verifier", VERIFIER)).await;

    assert_eq!(unchallenged.returned("error").as_deref(), Some("invalid_request"));
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
}
