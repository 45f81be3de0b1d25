//! Secrets that operators keep in files: every user of the machine can see arguments.

use std::path::Path;

use secrecy::SecretString;

use crate::failure::Failure;

/// What the file holds, without the end of its last line. `flag` names it.
pub(crate) fn read(flag: &str, path: &Path) -> Result<SecretString, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::unreadable(flag, &error))?;
    Ok(SecretString::from(text.trim_end_matches(['\r', '\n'])))
}
