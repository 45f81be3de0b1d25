//! Remembers in a browser which member signed in there, for the next sign-in: the member, the time, and our signature. It grants no access.
//! It only shows that this browser is not one from which a stranger guesses.

use oauth::{Lifetime, SigningKey, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{MemberId, StorageError};

use crate::App;
use crate::entropy::readable;
use crate::signing_key::signing_key;

/// Identifies it to people and secret scanners, and separates these signatures from others that the key makes.
const PREFIX: &str = "assay_dv";

/// A longer one is not ours, and would only cost work.
const LENGTH_AT_MOST: usize = 256;

/// 100 random bits distinguish browsers.
const ID_LENGTH: usize = 20;

/// Each sign-in renews it.
pub(super) const KNOWN_DEVICE: Lifetime = Lifetime::from_seconds(365 * 86_400);

/// `assay_dv.7.k3f….1795269600000.` and the signature of all before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownDevice {
    pub(super) id: String,
    member: String,
    signed_in_at: Timestamp,
}

impl KnownDevice {
    /// Remembers the browser in which this member signs in now.
    pub(super) async fn remember(
        app: &App,
        member: MemberId,
    ) -> Result<SecretString, StorageError> {
        let id = readable::<ID_LENGTH>(app.entropy());
        let device = Self { id, member: member.to_string(), signed_in_at: app.now() };
        Ok(SecretString::from(device.write(&signing_key(app).await?)))
    }

    /// The browser that sends this, if this member is known to use it.
    pub(super) async fn find(
        app: &App,
        shown: Option<&SecretString>,
        member: MemberId,
    ) -> Result<Option<Self>, StorageError> {
        let Some(shown) = shown else { return Ok(None) };
        let device = Self::read(shown.expose_secret(), &signing_key(app).await?);
        Ok(device.filter(|device| device.is_good(&member.to_string(), app.now())))
    }

    fn is_good(&self, member: &str, now: Timestamp) -> bool {
        self.member == member && now < self.signed_in_at + KNOWN_DEVICE
    }

    fn write(&self, key: &SigningKey) -> String {
        let at = self.signed_in_at.as_milliseconds();
        let signed = format!("{PREFIX}.{}.{}.{at}", self.member, self.id);
        format!("{signed}.{}", key.sign(&signed))
    }

    /// `None` unless this key signed it.
    fn read(text: &str, key: &SigningKey) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        if text.len() > LENGTH_AT_MOST || !key.verifies(signed, signature) {
            return None;
        }
        let mut parts = signed.split('.');
        let _prefix = parts.next().filter(|prefix| *prefix == PREFIX)?;
        let [member, id] = [parts.next()?, parts.next()?].map(str::to_owned);
        let signed_in_at = Timestamp::from_milliseconds(parts.next()?.parse().ok()?);
        Some(Self { id, member, signed_in_at })
    }
}

#[cfg(test)]
mod tests {
    use oauth::{Lifetime, SigningKey, Timestamp};

    use super::{KNOWN_DEVICE, KnownDevice};

    fn key() -> SigningKey {
        SigningKey::from_bytes([7; 32])
    }

    fn device() -> KnownDevice {
        let signed_in_at = Timestamp::from_milliseconds(1_795_269_600_000);
        KnownDevice { id: "laptop".to_owned(), member: "7".to_owned(), signed_in_at }
    }

    #[test]
    fn a_browser_is_known_only_as_it_was_remembered() {
        let text = device().write(&key());

        assert_eq!(KnownDevice::read(&text, &key()), Some(device()));
        assert_eq!(KnownDevice::read(&text, &SigningKey::from_bytes([8; 32])), None);
        assert_eq!(KnownDevice::read(&text.replace(".7.", ".8."), &key()), None);
        for text in ["", ".", "assay_dv.7.laptop.1795269600000"] {
            assert_eq!(KnownDevice::read(text, &key()), None, "{text}");
        }
    }

    #[test]
    fn other_texts_signed_by_the_same_key_are_no_known_device() {
        let signed = "assay_pv.1000.5002.1795269600";
        let text = format!("{signed}.{}", key().sign(signed));

        assert_eq!(KnownDevice::read(&text, &key()), None);
    }

    #[test]
    fn a_browser_is_known_for_a_year_to_its_member() {
        let (device, second) = (device(), Lifetime::from_seconds(1));
        let end = device.signed_in_at + KNOWN_DEVICE;

        assert!(device.is_good("7", end - second));
        assert!(!device.is_good("7", end));
        assert!(!device.is_good("8", device.signed_in_at));
    }
}
