//! The decision rules, pure: who is bucketed where, which conditions hold, and how a decision reads
//! in analytics tools.
//!
//! `runtime` decides by the same rules in the visitor's page; the vectors in `spec` hold both to
//! the same answers. Start with [`bucket`] for who sees what, [`ConditionTree`] for whether, and
//! [`decision_string`] for how it is told.

mod bucketing;
mod condition_tree;
mod decision;
mod decision_object;
mod decision_string;
mod murmur3;
mod name_part;
mod page_url;
mod pattern;
mod shares;
mod url_condition;

pub use bucketing::{Bucket, Draw, bucket};
pub use condition_tree::{ConditionTree, Truth};
pub use decision::{Cleaning, DEFAULT_MAX_LENGTH, Decision, DecisionFormat, Label};
pub use decision_object::{DecisionObject, decision_object};
pub use decision_string::{IdsTooLong, decision_string};
pub use page_url::PageUrl;
pub use pattern::{Pattern, PatternFault};
pub use shares::Shares;
pub use url_condition::UrlCondition;
