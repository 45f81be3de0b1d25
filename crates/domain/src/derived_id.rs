//! Ids for resources whose document gives them only a key or a name.
//!
//! The same document gives the same ids on every machine and after every rebuild, and so the same variations to the same visitors. Where
//! two resources would get the same id, `document/free_ids.rs` decides.

use sha2::{Digest, Sha256};

use crate::{Key, ProjectId};

/// A kind of resource that has an id.
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
    /// A metric.
    Metric,
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
            Self::Metric => "metric",
            Self::Audience => "audience",
            Self::Campaign => "campaign",
            Self::Experiment => "experiment",
            Self::Variation => "variation",
            Self::Group => "group",
        }
    }
}

/// The id of a resource: the first 52 bits of SHA-256 of `v1|project|kind|parent|key`, where `project`
/// and `key` are keys, and `parent` is the campaign's key for an experiment, the experiment's key
/// for a variation, and empty for everything else.
#[must_use]
pub fn derive_id(project: &Key, kind: Kind, parent: Option<&Key>, key: &Key) -> u64 {
    let parent = parent.map_or("", Key::as_str);
    first_52_bits(&format!("v1|{project}|{}|{parent}|{key}", kind.word()))
}

/// The ids that a project with this key may get, in the order to try them: that of [`derive_id`] first.
pub fn project_ids(key: &Key) -> impl Iterator<Item = ProjectId> {
    let path = Path { project: key, campaign: None, experiment: None };
    path.candidates(Kind::Project, key).filter_map(ProjectId::new)
}

/// Where a resource is in its project: the keys of its parents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path<'k> {
    pub(crate) project: &'k Key,
    /// The campaign of an experiment or a variation.
    pub(crate) campaign: Option<&'k Key>,
    /// The experiment of a variation.
    pub(crate) experiment: Option<&'k Key>,
}

impl Path<'_> {
    /// The ids that a resource with this key may get, in the order to try them: that of [`derive_id`]; if another resource has it, the one
    /// whose parent is the whole path `campaign/experiment`; then the same with numbers from 2 appended to the key. A resource that is created
    /// in a draft gets none that another one had there before (`document::parse_shared_anew`).
    pub(crate) fn candidates(self, kind: Kind, key: &Key) -> impl Iterator<Item = u64> {
        let parent = self.experiment.or(self.campaign);
        let first = derive_id(self.project, kind, parent, key);
        let [campaign, experiment] =
            [self.campaign, self.experiment].map(|key| key.map_or("", Key::as_str));
        let whole = match (campaign, experiment) {
            (campaign, "") => campaign.to_owned(),
            (campaign, experiment) => format!("{campaign}/{experiment}"),
        };
        let text = format!("v1|{}|{}|{whole}|{key}", self.project, kind.word());
        let second = first_52_bits(&text);
        let numbered = (2_u32..).map(move |number| first_52_bits(&format!("{text}|{number}")));
        [first, second].into_iter().chain(numbered)
    }
}

fn first_52_bits(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    let first_64_bits = digest.iter().take(8).fold(0, |bits, byte| (bits << 8) | u64::from(*byte));
    first_64_bits >> 12
}
