//! Which version of a resource a change expects to find: over REST what `If-Match` says.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::drafts::EditError;

/// Accepts the version of a resource that the actor has read. A change of any other is refused, so that no editor overwrites work
/// that they have not seen.
#[derive(Clone)]
pub struct ExpectedVersion(Arc<dyn Fn(&Value) -> bool + Send + Sync>);

impl ExpectedVersion {
    /// The versions that `accepts` says yes to: it gets the resource, or of a whole draft its tag as a JSON string.
    pub fn new(accepts: impl Fn(&Value) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(accepts))
    }

    /// Every version.
    #[must_use]
    pub fn any() -> Self {
        Self::new(|_| true)
    }

    /// Whether this is such a version.
    pub(crate) fn accepts(&self, current: &Value) -> bool {
        (self.0)(current)
    }

    /// Refuses any other version, and shows it.
    pub(crate) fn check(&self, current: &Value) -> Result<(), EditError> {
        if self.accepts(current) { Ok(()) } else { Err(EditError::changed(current.clone(), None)) }
    }
}

impl fmt::Debug for ExpectedVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ExpectedVersion")
    }
}
