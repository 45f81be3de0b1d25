//! The id of a member for authenticators: 128 bits that reveal nothing to others (Web Authentication, section 14.6.1), always the same, so
//! that a device has one passkey for one member.

use oauth::SigningKey;
use sha2::{Digest as _, Sha256};
use storage::MemberId;
use webauthn_rs::prelude::Uuid;

pub(super) fn user_handle(member: MemberId, key: &SigningKey) -> Uuid {
    let digest = Sha256::digest(key.sign(&format!("assay_uh.{member}")));
    Uuid::from_bytes(std::array::from_fn(|index| digest[index]))
}
