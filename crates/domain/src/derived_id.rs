//! Ids for things whose document gives them only a key or a name.
//!
//! The same document gives the same ids on every machine and after every rebuild, and with them the
//! same variations for the same visitors.

use sha2::{Digest, Sha256};

use crate::Key;

/// A kind of thing that has an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A project.
    Project,
    /// A custom attribute.
    Attribute,
    /// A page.
    Page,
    /// An event.
    Event,
    /// An audience.
    Audience,
    /// A campaign.
    Campaign,
    /// An experiment; its parent is the campaign.
    Experiment,
    /// A variation; its parent is the experiment.
    Variation,
    /// A group.
    Group,
}

impl Kind {
    /// The kind as one word: `page`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Attribute => "attribute",
            Self::Page => "page",
            Self::Event => "event",
            Self::Audience => "audience",
            Self::Campaign => "campaign",
            Self::Experiment => "experiment",
            Self::Variation => "variation",
            Self::Group => "group",
        }
    }
}

/// The id of a thing: the first 52 bits of SHA-256 of `v1|project|kind|parent|key`, where `project`
/// and `key` are keys, and `parent` is the campaign's key for an experiment, the experiment's key
/// for a variation, and empty for everything else.
#[must_use]
pub fn derive_id(project: &Key, kind: Kind, parent: Option<&Key>, key: &Key) -> u64 {
    let parent = parent.map_or("", Key::as_str);
    let digest = Sha256::digest(format!("v1|{project}|{}|{parent}|{key}", kind.word()));
    let first_64_bits = digest.iter().take(8).fold(0, |bits, byte| (bits << 8) | u64::from(*byte));
    first_64_bits >> 12
}
