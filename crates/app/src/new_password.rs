//! Passwords that members may have from now on: chosen by them, or made for them.

use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;

use crate::entropy::{Entropy, readable};

/// Attempts are slowed, and there are no other rules about the content.
pub const PASSWORD_CHARACTERS_AT_LEAST: usize = 12;

/// Longer than any that a password manager makes.
pub const PASSWORD_CHARACTERS_AT_MOST: usize = 500;

/// Four groups of six characters are easy to read aloud, and have 120 random bits.
const GROUP_LENGTH: usize = 6;

/// A password that a member may have.
#[derive(Debug, Clone)]
pub(crate) struct NewPassword(SecretString);

/// The password is too short or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a password has {PASSWORD_CHARACTERS_AT_LEAST} to {PASSWORD_CHARACTERS_AT_MOST} characters"
)]
pub struct UnusablePassword;

impl NewPassword {
    /// The password that a member chose. Length is what counts; rules about characters only make passwords worse (NIST SP 800-63B,
    /// section 3.1.1.2).
    pub(crate) fn parse(chosen: SecretString) -> Result<Self, UnusablePassword> {
        let usable = PASSWORD_CHARACTERS_AT_LEAST..=PASSWORD_CHARACTERS_AT_MOST;
        let is_usable = usable.contains(&chosen.expose_secret().chars().count());
        if is_usable { Ok(Self(chosen)) } else { Err(UnusablePassword) }
    }

    /// Makes a password for a member.
    pub(crate) fn generate(entropy: &dyn Entropy) -> Self {
        let groups: [String; 4] = std::array::from_fn(|_| readable::<GROUP_LENGTH>(entropy));
        Self(SecretString::from(groups.join("-")))
    }

    pub(crate) fn into_secret(self) -> SecretString {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use secrecy::{ExposeSecret as _, SecretString};

    use super::{NewPassword, UnusablePassword};
    use crate::Entropy;
    use crate::passwords::PASSWORD_BYTES_AT_MOST;

    struct Counting;

    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            for (byte, value) in buffer.iter_mut().zip(0..) {
                *byte = value;
            }
        }
    }

    #[test]
    fn a_generated_password_is_readable_and_usable() {
        let made = NewPassword::generate(&Counting).into_secret();

        assert_eq!(made.expose_secret(), "abcdef-abcdef-abcdef-abcdef");
        assert!(NewPassword::parse(made).is_ok());
    }

    #[test]
    fn a_password_has_12_to_500_characters_whatever_bytes_these_have() {
        for character in ["a", "é", "語", "🦀"] {
            let parse = |count| NewPassword::parse(SecretString::from(character.repeat(count)));
            let usable = [11, 12, 500, 501].map(|count| parse(count).is_ok());
            assert_eq!(usable, [false, true, true, false], "{character}");
            assert!(character.repeat(500).len() <= PASSWORD_BYTES_AT_MOST, "{character}");
        }
        assert_eq!(UnusablePassword.to_string(), "a password has 12 to 500 characters");
    }
}
