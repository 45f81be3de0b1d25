//! The proof with which `assay doctor` asks the running server how it hears of callers: who can sign it has the server's database. To others,
//! the answer would tell which headers to forge.

use oauth::{Lifetime, Timestamp};
use storage::StorageError;

use crate::App;
use crate::signing_key::signing_key;

/// Identifies it to people and secret scanners, and separates these signatures from others that the key makes.
const PREFIX: &str = "assay_cc";

/// An HMAC with SHA-256 in base64url.
const SIGNATURE_LENGTH: usize = 43;

/// Enough for a few requests; a proxy that logs the header keeps nothing of use.
const LIFETIME: Lifetime = Lifetime::from_seconds(60);

/// A proof that is good for a minute.
///
/// # Errors
/// If the store does not answer.
pub async fn sign_caller_check(app: &App) -> Result<String, StorageError> {
    let ends_at = (app.wall_time() + LIFETIME).as_milliseconds();
    let signed = format!("{PREFIX}.{ends_at}");
    let signature = signing_key(app).await?.sign(&signed);
    Ok(format!("{signed}.{signature}"))
}

/// Whether this is such a proof, and still good.
///
/// # Errors
/// If the store does not answer.
pub async fn verify_caller_check(app: &App, proof: &str) -> Result<bool, StorageError> {
    let Some((signed, signature)) = proof.rsplit_once('.') else { return Ok(false) };
    let ends_at = signed.strip_prefix(PREFIX).and_then(|rest| rest.strip_prefix('.'));
    let ends_at = ends_at.and_then(|text| text.parse().ok()).map(Timestamp::from_milliseconds);
    // What has ended, or is no signature, costs no look at the store.
    if signature.len() != SIGNATURE_LENGTH {
        return Ok(false);
    }
    if !ends_at.is_some_and(|ends_at| ends_at.is_end_of_something_good(LIFETIME, app.wall_time())) {
        return Ok(false);
    }
    Ok(signing_key(app).await?.verifies(signed, signature))
}
