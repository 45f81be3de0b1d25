//! The decision rules, pure: bucketing, conditions, and the text of a decision for analytics tools.
//!
//! `runtime` decides by the same rules in the visitor's page; the vectors in `spec` hold both to
//! the same answers. Start with [`Decider`], which explains what the visitor of a visit gets;
//! then [`bucket`] for bucketing, [`ConditionTree`] for conditions, and [`decision_string`] for the
//! text.

mod answer;
mod browser;
mod bucketing;
mod campaign_decision;
mod campaign_steps;
mod condition_tree;
mod decider;
mod decision;
mod decision_object;
mod decision_string;
mod device;
mod device_type;
mod effort;
mod experiment_choice;
mod first_sign;
mod group_choice;
mod history;
mod js_number;
mod leaf;
mod local_time;
mod location;
mod murmur3;
mod name_part;
mod object;
mod page_url;
mod pattern;
mod percent;
mod platform;
mod prepared_leaf;
mod query;
mod remembered;
mod shares;
mod source_type;
mod url_condition;
mod value_matcher;
mod view;
mod visit;

pub use answer::{
    Answer, AudienceAnswer, CampaignAnswer, ChosenVariation, MappedVariation, NamedEntity, NamedId,
    PageAnswer, Step, StepKind, VariationMap,
};
pub use bucketing::{Bucket, Draw, bucket};
pub use condition_tree::{ConditionTree, Truth};
pub use decider::Decider;
pub use decision::{Cleaning, DEFAULT_MAX_LENGTH, Decision, DecisionFormat, Label};
pub use decision_object::{DecisionObject, decision_object};
pub use decision_string::{IdsTooLong, decision_string};
pub use effort::{Effort, Room, TooCostly};
pub use history::{PastEvent, UnclearPastEvent};
pub use local_time::{LocalTime, UnreadableTime};
pub use location::Location;
pub use page_url::PageUrl;
pub use pattern::{Pattern, PatternFault, checking_work};
pub use remembered::Remembered;
pub use shares::Shares;
pub use url_condition::UrlCondition;
pub use visit::{AttributeValue, UnreadableUrl, Url, Visit};
