//! A decision as analytics tools get it, and their formats. Written out by
//! [`crate::decision_string`] and [`crate::decision_object`].

/// Longest string in UTF-16 units when the caller does not say; what common analytics fields hold.
pub const DEFAULT_MAX_LENGTH: usize = 255;

/// Name and id of a campaign, experiment or variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'a> {
    /// The name; a missing one prints as nothing.
    pub name: Option<&'a str>,
    /// The id, digits only.
    pub id: &'a str,
}

/// What a visitor got from a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision<'a> {
    /// From an A/B test, which is named by its experiment and variation alone.
    AbTest {
        /// The only experiment.
        experiment: Label<'a>,
        /// The variation the visitor is bucketed in.
        variation: Label<'a>,
        /// Whether the traffic allocation leaves the visitor out; then there is no text.
        is_held_back: bool,
    },
    /// From a personalization campaign.
    Personalization {
        /// The campaign.
        campaign: Label<'a>,
        /// The experiment that the visitor's audiences led to.
        experiment: Label<'a>,
        /// The variation the visitor is bucketed in.
        variation: Label<'a>,
        /// Whether the visitor is in the campaign holdback, which is part of the text.
        is_held_back: bool,
    },
}

/// How a decision is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionFormat {
    /// Longest string in UTF-16 units. Names are cut to fit, ids never.
    pub max_length: usize,
    /// What happens to unusual characters in names.
    pub cleaning: Cleaning,
}

impl Default for DecisionFormat {
    fn default() -> Self {
        Self { max_length: DEFAULT_MAX_LENGTH, cleaning: Cleaning::Keep }
    }
}

/// What happens to unusual characters in names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cleaning {
    /// Names stay as they are.
    Keep,
    /// Each run of characters other than ASCII letters, digits and `.~!*()'` becomes one
    /// underscore.
    Clean,
}
