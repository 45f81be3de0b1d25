//! The target of an action: a campaign, or the only experiment of an A/B test, which starts and ends with its campaign.

use serde_json::Value;

use crate::documents::{ResourceKind, ResourcePath, find};
use crate::drafts::{Draft, ReadError, view};
use crate::resources::ActionError;

/// The target of an action, by its id, or by its key behind `key:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A campaign.
    Campaign(String),
    /// The experiment of an A/B test: the action applies to its campaign.
    Experiment(String),
}

impl Target {
    /// The path to the campaign.
    pub(super) fn campaign(&self, draft: &Draft) -> Result<ResourcePath, ActionError> {
        let path = self.path(draft)?;
        let Self::Experiment(_) = self else { return Ok(path) };
        let campaign = path.parent().ok_or(ReadError::NotFound)?;
        if campaign.get(&draft.document)["type"] == "ab_test" {
            return Ok(campaign);
        }
        Err(ActionError::InvalidTransition {
            action: "this",
            state: "one of several experiences of a personalization, which begin and end with their campaign",
            allowed: vec!["archive", "restore"],
        })
    }

    /// The target as programs see it.
    pub(super) fn view(&self, draft: &Draft) -> Result<Value, ReadError> {
        Ok(view(draft, self.kind(), &self.path(draft)?))
    }

    fn path(&self, draft: &Draft) -> Result<ResourcePath, ReadError> {
        let (Self::Campaign(name) | Self::Experiment(name)) = self;
        find(&draft.document, self.kind(), name).ok_or(ReadError::NotFound)
    }

    const fn kind(&self) -> ResourceKind {
        match self {
            Self::Campaign(_) => ResourceKind::Campaign,
            Self::Experiment(_) => ResourceKind::Experiment,
        }
    }
}
