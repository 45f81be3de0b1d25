//! Prepares written conditions for many visits: see `leaf`.

use domain::{BehaviorEvent, Condition, ConditionKind, MatchKind, PageId, TimeSpan};
use serde_json::Value;

use crate::effort::Room;
use crate::history::BehaviorTest;
use crate::leaf::{Leaf, Question};
use crate::url_condition::UrlCondition;
use crate::value_matcher::ValueMatcher;

/// What conditions call by name.
pub(crate) struct Names<'n> {
    /// The place and the key of an audience.
    pub(crate) audience: &'n dyn Fn(domain::AudienceId) -> (usize, String),
    /// The id of an attribute, given its key or id; any other name is returned as it is.
    pub(crate) attribute: &'n dyn Fn(&str) -> String,
    /// Key and id of a page.
    pub(crate) page: &'n dyn Fn(PageId) -> Vec<String>,
    /// For the patterns of all conditions.
    pub(crate) room: &'n Room,
}

/// Prepares `condition`.
pub(crate) fn prepared_leaf(condition: &Condition, names: &Names<'_>) -> Leaf {
    let name = condition.name.clone().unwrap_or_default();
    let text = condition.value.as_ref().map(text_of).unwrap_or_default();
    let comparison = |what: &str| {
        let matcher = ValueMatcher::new(condition.match_kind, condition.value.as_ref(), names.room);
        let claim = format!("{what} {matcher}");
        (matcher, claim)
    };
    let address = || address_claim(condition.match_kind, &text);
    // Nothing is equal to a value that is no text.
    let wanted = || condition.value.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let is = |what: &str| format!("the {what} is `{text}`");
    let (question, claim) = match condition.kind {
        ConditionKind::Url => (
            Question::Address(address_test(condition, names.room)),
            format!("the address {}", address()),
        ),
        ConditionKind::Referrer => (
            Question::Referrer(address_test(condition, names.room)),
            format!("the referrer {}", address()),
        ),
        ConditionKind::Query => {
            let (matcher, claim) = comparison(&format!("query parameter `{name}`"));
            (Question::Query(name, matcher), claim)
        }
        ConditionKind::Cookies => {
            let (matcher, claim) = comparison(&format!("cookie `{name}`"));
            (Question::Cookie(name, matcher), claim)
        }
        ConditionKind::CustomAttribute => {
            let (matcher, claim) = comparison(&format!("attribute `{name}`"));
            (Question::Attribute((names.attribute)(&name), matcher), claim)
        }
        ConditionKind::Campaign => {
            let (matcher, claim) = comparison("`utm_campaign`");
            (Question::Campaign(matcher), claim)
        }
        ConditionKind::SourceType => {
            let (matcher, claim) = comparison("the kind of source");
            (Question::SourceType(matcher), claim)
        }
        ConditionKind::Behavior => behavior(condition, names),
        ConditionKind::Audience(id) => {
            let (place, key) = (names.audience)(id);
            (Question::Audience(place), format!("audience `{key}` is met"))
        }
        ConditionKind::CustomCode => {
            (Question::Code, "its code, which only the page can run, says yes".to_owned())
        }
        ConditionKind::FirstSession => {
            (Question::FirstSession, "this is the visitor's first session".to_owned())
        }
        ConditionKind::TimeAndDay => {
            (Question::TimeAndDay(TimeSpan::read(&text)), format!("the time is within `{text}`"))
        }
        ConditionKind::Device => (Question::Device(wanted()), is("device")),
        ConditionKind::DeviceType => (Question::DeviceType(wanted()), is("kind of device")),
        ConditionKind::BrowserVersion => (Question::BrowserVersion(wanted()), is("browser")),
        ConditionKind::Platform => (Question::Platform(wanted()), is("platform")),
        ConditionKind::Location => (Question::Location(text.clone()), is("location")),
        ConditionKind::Language => (Question::Language(text.to_lowercase()), is("language")),
    };
    Leaf::asking(question, claim)
}

fn behavior(condition: &Condition, names: &Names<'_>) -> (Question, String) {
    let behavior = condition.behavior.clone().expect("a behaviour condition says of what");
    let page_names = match &behavior.event {
        BehaviorEvent::Event(_) => Vec::new(),
        BehaviorEvent::Page(id) => (names.page)(*id),
    };
    let test = BehaviorTest::new(behavior, page_names);
    let claim = test.claim();
    (Question::Behavior(test), claim)
}

/// A match that addresses do not know never holds, neither does a value that is no text.
fn address_test(condition: &Condition, room: &Room) -> Option<UrlCondition> {
    let value = condition.value.as_ref().and_then(Value::as_str)?;
    match condition.match_kind? {
        MatchKind::Simple => Some(UrlCondition::simple(value)),
        MatchKind::Exact => Some(UrlCondition::exact(value)),
        MatchKind::Substring => Some(UrlCondition::substring(value)),
        MatchKind::Regex => UrlCondition::checked_regex(value, room),
        MatchKind::Exists | MatchKind::Range => None,
    }
}

fn address_claim(match_kind: Option<MatchKind>, value: &str) -> String {
    match match_kind {
        Some(MatchKind::Simple) => format!("is `{value}`, with whatever query"),
        Some(MatchKind::Exact) => format!("is exactly `{value}`"),
        Some(MatchKind::Substring) => format!("contains `{value}`"),
        Some(MatchKind::Regex) => format!("matches `{value}`"),
        Some(MatchKind::Exists | MatchKind::Range) | None => {
            "is compared in a way that never holds".to_owned()
        }
    }
}

/// As JavaScript's `String(value)` writes the plain values.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
