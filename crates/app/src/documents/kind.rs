//! The kinds of resources in a project.

/// A kind of resource that programs read and change one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// Custom attributes of visitors.
    Attribute,
    /// Pages.
    Page,
    /// Audiences.
    Audience,
    /// Custom events, clicks and page views.
    Event,
    /// What results compare between variations.
    Metric,
    /// Campaigns, with their experiments in them.
    Campaign,
    /// Experiments, wherever they are.
    Experiment,
    /// Variations, wherever they are.
    Variation,
    /// Groups of campaigns.
    Group,
}

impl ResourceKind {
    /// Every kind there is.
    pub const ALL: [Self; 9] = [
        Self::Attribute,
        Self::Page,
        Self::Audience,
        Self::Event,
        Self::Metric,
        Self::Campaign,
        Self::Experiment,
        Self::Variation,
        Self::Group,
    ];

    /// The singular, in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attribute => "attribute",
            Self::Page => "page",
            Self::Audience => "audience",
            Self::Event => "event",
            Self::Metric => "metric",
            Self::Campaign => "campaign",
            Self::Experiment => "experiment",
            Self::Variation => "variation",
            Self::Group => "group",
        }
    }

    /// The plural: the name of the list in the document, and in addresses.
    #[must_use]
    pub const fn collection(self) -> &'static str {
        match self {
            Self::Attribute => "attributes",
            Self::Page => "pages",
            Self::Audience => "audiences",
            Self::Event => "events",
            Self::Metric => "metrics",
            Self::Campaign => "campaigns",
            Self::Experiment => "experiments",
            Self::Variation => "variations",
            Self::Group => "groups",
        }
    }

    /// The kind whose list has this name.
    #[must_use]
    pub fn of_collection(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.collection() == name)
    }

    /// The kind that this one holds in a list of its own.
    pub(crate) fn inner(self) -> Option<Self> {
        Self::ALL.into_iter().find(|inner| inner.parent().is_some_and(|(of, _)| of == self))
    }

    /// The kind that resources of this kind belong to, if not the project itself, and the field that names the parent.
    #[must_use]
    pub const fn parent(self) -> Option<(Self, &'static str)> {
        match self {
            Self::Experiment => Some((Self::Campaign, "campaign_id")),
            Self::Variation => Some((Self::Experiment, "experiment_id")),
            Self::Attribute
            | Self::Page
            | Self::Audience
            | Self::Event
            | Self::Metric
            | Self::Campaign
            | Self::Group => None,
        }
    }
}
