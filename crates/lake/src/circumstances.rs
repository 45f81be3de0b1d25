//! Reads how visitors came to exposures: with what, and on which page.

use events::{Browser, Device, UserAgent};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};

use crate::LakeError;
use crate::columns::Group;

/// With what the visitor of each row came; nothing in files of schema 1. A word that this version does not know is of another browser or device.
pub(crate) fn agents(group: &mut Group) -> Result<Vec<UserAgent>, LakeError> {
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

/// The id of the page of each row; nothing in files of schemas 1 and 2.
pub(crate) fn pages(group: &mut Group) -> Result<Vec<Option<u64>>, LakeError> {
    let pages = group.optional_since::<Int64Type>("page_id")?;
    Ok(pages.into_iter().map(|page| page.and_then(|id| u64::try_from(id).ok())).collect())
}
