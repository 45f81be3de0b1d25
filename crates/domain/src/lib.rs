//! The domain: the project document, its ids, its limits and its validation.
//!
//! Start at [`Project`], the whole document as one typed value, and at [`parse`], the only way to read a document: it returns either a
//! valid project or every fault of the text at once. Nothing here reads a clock, a file or the network.

mod application;
mod attribute;
mod audience;
mod behavior;
mod campaign;
mod campaign_start;
mod change;
mod code;
mod condition;
mod derived_id;
mod document;
mod ending;
mod event;
mod experiment;
mod fault;
mod group;
mod ids;
mod in_use;
mod integration;
mod key;
pub mod limits;
mod listed;
mod located;
mod metric;
mod noticed;
mod number_range;
mod one_campaign;
mod origin;
mod page;
mod plan;
mod pointer;
mod privileged;
mod project;
mod questions;
mod regexes;
mod running;
mod schedule;
mod selector;
mod share;
mod snippet_settings;
mod time_span;
mod time_zone;
mod words;

pub use application::{API_TOKEN_CLIENT_PREFIX, ApplicationDeclaration};
pub use attribute::Attribute;
pub use audience::{Audience, AudienceTree, Audiences};
pub use behavior::{Behavior, BehaviorEvent};
pub use campaign::{Campaign, CampaignKind, CampaignStatus};
pub use campaign_start::{KeptBack, kept_back};
pub use change::{Change, ChangeKind, Destination, Position};
pub use code::{Code, CodeRole};
pub use condition::{Condition, ConditionKind, ConditionTree, Conditions, MatchKind};
pub use derived_id::{Kind, derive_id, project_ids};
pub use document::{
    FileReader, Locations, NoFiles, Parsed, ParsedJson, Rewritten, SharedDocument, Source,
    json_schema, nearest, parse, parse_json, parse_shared, parse_shared_anew, parse_value, rewrite,
};
pub use ending::{Ending, ending};
pub use event::{Event, EventCategory, EventKind, EventProperty, EventPropertyKind};
pub use experiment::{Experiment, Variation};
pub use fault::{Fault, Severity, SourceLocation, TextPosition};
pub use group::{Group, GroupMember};
pub use ids::{
    AttributeId, AudienceId, CampaignId, EventId, ExperimentId, GroupId, MetricId, PageId,
    ProjectId, UnreadableId, VariationId,
};
pub use integration::Integration;
pub use key::{Key, UnreadableKey};
pub use listed::listed;
pub use metric::{
    CovariateDays, GoodDirection, MeasuredEvents, MeasuredProperties, Metric, MetricCap,
    MetricKind, MetricType, MetricValue, MetricWindow, PropertyFilter, PropertyValue,
    UnreadableSpan,
};
pub use noticed::{Effect, Notice, what_visitors_notice};
pub use number_range::{js_number, number_range};
pub use origin::{Origin, UnreadableOrigin};
pub use page::{Activation, ActivationKind, LocatorType, Page, Tag, ValueType};
pub use plan::{CalendarDay, CampaignMetrics, Guardrail, Plan, PlanMethod, UnreadableDay};
pub use pointer::Pointer;
pub use privileged::Privileged;
pub use project::{Project, Results};
pub use regexes::Regex;
pub use running::breaking_changes;
pub use schedule::{LocalMinute, Schedule, UnreadableMinute};
pub use selector::{SelectorFinding, examine_selector, standard_selector};
pub use share::BasisPoints;
pub use snippet_settings::{
    Consent, CookieRenewal, SnippetSettings, VisitorIdSource, VisitorIdSourceKind,
};
pub use time_span::{TimeSpan, WEEKDAYS};
pub use time_zone::{TimeZone, UnknownTimeZone};
