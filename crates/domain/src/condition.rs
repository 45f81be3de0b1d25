//! Conditions: the logical trees of pages (about addresses) and audiences (about visitors).

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::words::words;
use crate::{AudienceId, Behavior, Pointer};

/// A tree of conditions, as the member wrote it and as we read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditions {
    /// The tree as in the document and as the state module reports it; `[]` when left out. Code from files is inlined, and references are
    /// keys.
    pub written: Value,
    /// What it means.
    pub tree: ConditionTree,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { written: Value::Array(Vec::new()), tree: ConditionTree::Empty }
    }
}

impl Conditions {
    /// Every condition with its pointer in the document; `pointer` is that of the whole tree.
    pub(crate) fn located(&self, pointer: &Pointer) -> Vec<(Pointer, &Condition)> {
        let mut pointers = Vec::new();
        locate(&self.written, pointer, &mut pointers);
        pointers.into_iter().zip(self.tree.leaves()).collect()
    }
}

/// The pointers of all objects in a written tree: its conditions, in the order of [`ConditionTree::leaves`].
fn locate(written: &Value, pointer: &Pointer, found: &mut Vec<Pointer>) {
    match written {
        Value::Object(_) => found.push(pointer.clone()),
        Value::Array(elements) => {
            elements
                .iter()
                .enumerate()
                .for_each(|(index, element)| locate(element, &pointer.element(index), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

impl Serialize for Conditions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(serializer)
    }
}

/// A logical tree over conditions. A list that does not start with an operator is an `or` of all
/// its elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionTree {
    /// All operands hold; without operands, it holds.
    And(Vec<ConditionTree>),
    /// At least one operand holds; without operands, it does not hold.
    Or(Vec<ConditionTree>),
    /// The operand does not hold.
    Not(Box<ConditionTree>),
    /// A single condition.
    Leaf(Condition),
    /// No conditions: a page always matches, an audience never does.
    Empty,
}

impl ConditionTree {
    /// All conditions of the tree, in the order in which they are written.
    #[must_use]
    pub fn leaves(&self) -> Vec<&Condition> {
        match self {
            Self::And(operands) | Self::Or(operands) => {
                operands.iter().flat_map(Self::leaves).collect()
            }
            Self::Not(operand) => operand.leaves(),
            Self::Leaf(condition) => vec![condition],
            Self::Empty => Vec::new(),
        }
    }
}

/// A single question about the page's address or the visitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What it asks about.
    pub kind: ConditionKind,
    /// Name of the query parameter or cookie, key or id of the custom attribute.
    pub name: Option<String>,
    /// How to compare the value; if left out, `exact` with a value, else `exists`.
    pub match_kind: Option<MatchKind>,
    /// The value to compare with; usually a text.
    pub value: Option<Value>,
    /// The function body of a `custom_code` condition.
    pub code: Option<String>,
    /// What a `behavior` condition asks.
    pub behavior: Option<Behavior>,
}

/// What a condition asks about. `Url` is for pages, `CustomCode` for both, the others are for
/// audiences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConditionKind {
    /// The page's address.
    Url,
    /// A query parameter.
    Query,
    /// A cookie.
    Cookies,
    /// A custom attribute of the visitor.
    CustomAttribute,
    /// The `utm_campaign` that brought the visitor.
    Campaign,
    /// The address that the visitor came from.
    Referrer,
    /// The kind of source: `direct`, `campaign`, `search`, `referral`.
    SourceType,
    /// `desktop`, `mobile`, `tablet`, `iphone`, `ipad`.
    Device,
    /// `phone`, `tablet`, `desktop_laptop`, `other`.
    DeviceType,
    /// A browser, with as many version parts as matter: `gc`, `ff121`.
    BrowserVersion,
    /// The operating system, with as many version parts as matter: `android`, `ios_17`.
    Platform,
    /// The preferred language.
    Language,
    /// The browser's local time: `09:00_17:00_monday,tuesday`.
    TimeAndDay,
    /// Whether this is the visitor's first session.
    FirstSession,
    /// Where the visitor is: `DE`, `US|CA|SANFRANCISCO`.
    Location,
    /// What the visitor did earlier.
    Behavior,
    /// What a JavaScript function body returns.
    CustomCode,
    /// Membership of another audience.
    Audience(AudienceId),
}

impl ConditionKind {
    /// The kinds that are written as `type: word`.
    pub(crate) const WRITTEN: [(&'static str, Self); 18] = [
        ("url", Self::Url),
        ("query", Self::Query),
        ("cookies", Self::Cookies),
        ("custom_attribute", Self::CustomAttribute),
        // Optimizely's name for it.
        ("custom_dimension", Self::CustomAttribute),
        ("campaign", Self::Campaign),
        ("referrer", Self::Referrer),
        ("source_type", Self::SourceType),
        ("device", Self::Device),
        ("device_type", Self::DeviceType),
        ("browser_version", Self::BrowserVersion),
        ("platform", Self::Platform),
        ("language", Self::Language),
        ("time_and_day", Self::TimeAndDay),
        ("first_session", Self::FirstSession),
        ("location", Self::Location),
        ("behavior", Self::Behavior),
        ("custom_code", Self::CustomCode),
    ];

    /// The audience that a condition on membership names.
    pub(crate) fn audience(self) -> Option<AudienceId> {
        let Self::Audience(id) = self else { return None };
        Some(id)
    }

    /// The word that stands for this kind in the document: `url`, `query`, …; `audience` for
    /// membership of another audience.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WRITTEN.iter().find(|(_, kind)| *kind == self).map_or("audience", |(word, _)| word)
    }
}

words! {
    /// How a condition compares.
    pub enum MatchKind {
        /// The same address, without query and fragment.
        Simple = "simple",
        /// The same text; of an address, with query and fragment.
        Exact = "exact",
        /// It contains the value.
        Substring = "substring",
        /// A regular expression matches somewhere.
        Regex = "regex",
        /// There is a value at all.
        Exists = "exists",
        /// A number between two numbers, `a:b`, both included.
        Range = "range",
    }
}
