//! Reads with what visitors came.

use events::{Browser, Device, UserAgent};
use parquet::data_type::{ByteArray, ByteArrayType};

use crate::LakeError;
use crate::columns::Group;

/// With what the visitor of each row came; nothing in files of schema 1. A word that this version does not know is of another browser or device.
pub(crate) fn agents(group: &Group<'_>) -> Result<Vec<UserAgent>, LakeError> {
    let browsers = group.optional_since::<ByteArrayType>("browser")?;
    let devices = group.optional_since::<ByteArrayType>("device")?;
    let browser =
        |word: &ByteArray| word.as_utf8().ok().and_then(Browser::of_word).unwrap_or(Browser::Other);
    let device =
        |word: &ByteArray| word.as_utf8().ok().and_then(Device::of_word).unwrap_or(Device::Other);
    let each = browsers.iter().zip(&devices).map(|(one, other)| UserAgent {
        browser: one.as_ref().map(browser),
        device: other.as_ref().map(device),
    });
    Ok(each.collect())
}
