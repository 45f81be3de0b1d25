//! One condition of a page or an audience, prepared for many visits, and what it says about one of them: in truth and in words.

use domain::{Condition, ConditionKind, MatchKind};
use serde_json::Value;

use crate::condition_tree::Truth;
use crate::time_span::TimeSpan;
use crate::url_condition::UrlCondition;
use crate::value_test::ValueTest;
use crate::view::View;

/// A prepared condition.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    question: Question,
    /// What it claims, such as "the device is `mobile`".
    claim: String,
}

#[derive(Debug, Clone)]
enum Question {
    Address(Option<UrlCondition>),
    Referrer(Option<UrlCondition>),
    Query(String, ValueTest),
    Cookie(String, ValueTest),
    Attribute(String, ValueTest),
    Campaign(ValueTest),
    SourceType(ValueTest),
    Device(Option<String>),
    Language(String),
    TimeAndDay(TimeSpan),
    /// Membership of the audience at this place of the project's list.
    Audience(usize),
    /// Only the page can run code.
    Code,
    /// The page does not answer it (yet).
    Unanswered,
}

/// What a condition says about a visit, and what it saw.
pub(crate) struct Finding {
    pub(crate) truth: Truth,
    actual: Actual,
}

/// What a condition looked at.
enum Actual {
    /// The words of the condition say it all.
    Untold,
    Absent,
    Text(String),
}

impl Actual {
    fn of(found: Option<impl Into<String>>) -> Self {
        found.map_or(Self::Absent, |text| Self::Text(text.into()))
    }
}

impl Leaf {
    /// Prepares `condition`.
    pub(crate) fn new(condition: &Condition, names: &Names<'_>) -> Self {
        let name = condition.name.clone().unwrap_or_default();
        let value = condition.value.as_ref();
        let text = value.map(text_of).unwrap_or_default();
        let comparison = || ValueTest::new(condition.match_kind, value);
        let (question, claim) = match condition.kind {
            ConditionKind::Url => {
                let claim = format!("the address {}", address_claim(condition.match_kind, &text));
                (Question::Address(address_test(condition)), claim)
            }
            ConditionKind::Referrer => {
                let claim = format!("the referrer {}", address_claim(condition.match_kind, &text));
                (Question::Referrer(address_test(condition)), claim)
            }
            ConditionKind::Query => {
                let claim = format!("query parameter `{name}` {}", comparison());
                (Question::Query(name, comparison()), claim)
            }
            ConditionKind::Cookies => {
                let claim = format!("cookie `{name}` {}", comparison());
                (Question::Cookie(name, comparison()), claim)
            }
            ConditionKind::CustomAttribute => {
                let claim = format!("attribute `{name}` {}", comparison());
                (Question::Attribute((names.attribute)(&name), comparison()), claim)
            }
            ConditionKind::Campaign => {
                (Question::Campaign(comparison()), format!("`utm_campaign` {}", comparison()))
            }
            ConditionKind::SourceType => {
                (Question::SourceType(comparison()), format!("the kind of source {}", comparison()))
            }
            ConditionKind::Device => {
                let wanted = value.and_then(Value::as_str).map(str::to_owned);
                (Question::Device(wanted), format!("the device is `{text}`"))
            }
            ConditionKind::Language => {
                let claim = format!("the language is `{text}`");
                (Question::Language(text.to_lowercase()), claim)
            }
            ConditionKind::TimeAndDay => {
                (Question::TimeAndDay(TimeSpan::new(&text)), format!("the time is within `{text}`"))
            }
            ConditionKind::Audience(id) => {
                let (place, key) = (names.audience)(id);
                (Question::Audience(place), format!("audience `{key}` is met"))
            }
            ConditionKind::CustomCode => {
                (Question::Code, "its code, which only the page can run, says yes".to_owned())
            }
            ConditionKind::DeviceType
            | ConditionKind::BrowserVersion
            | ConditionKind::Platform
            | ConditionKind::FirstSession
            | ConditionKind::Location
            | ConditionKind::Behavior => {
                let kind = condition.kind.word();
                (Question::Unanswered, format!("`{kind}` holds, which the page cannot tell yet"))
            }
        };
        Self { question, claim }
    }

    /// What it says about the visit that `view` looks at.
    pub(crate) fn find(&self, view: &View<'_>) -> Finding {
        match &self.question {
            Question::Address(test) => {
                let is_met = test.as_ref().is_some_and(|test| test.is_met_by(&view.url));
                Finding { truth: is_met.into(), actual: Actual::Untold }
            }
            Question::Referrer(test) => {
                let referrer = view.referrer.as_ref();
                let is_met =
                    |test: &UrlCondition| referrer.is_some_and(|from| test.is_met_by(from));
                let truth = Truth::from(test.as_ref().is_some_and(is_met));
                Finding {
                    truth,
                    actual: Actual::of(referrer.map(|_| view.visit.referrer.as_str())),
                }
            }
            Question::Query(name, test) => {
                Finding::compared(test, view.query_parameter(name).map(str::to_owned))
            }
            Question::Cookie(name, test) => Finding::compared(test, view.cookie(name)),
            Question::Attribute(name, test) => Finding::compared(test, view.attribute(name)),
            Question::Campaign(test) => {
                // A visitor whom no campaign brought is neither in one nor outside of it.
                Finding::known(view.query_parameter("utm_campaign"), |campaign| {
                    test.holds(Some(campaign))
                })
            }
            Question::SourceType(test) => {
                Finding::compared(test, Some(view.source_type().to_owned()))
            }
            Question::Device(wanted) => {
                Finding::known(view.device(), |device| wanted.as_deref() == Some(device))
            }
            Question::Language(wanted) => {
                Finding::known(view.visit.language.as_deref(), |language| {
                    (language.to_lowercase() + "-").starts_with(&format!("{wanted}-"))
                })
            }
            Question::TimeAndDay(span) => {
                let truth =
                    view.visit.local_time.map_or(Truth::Unknown, |time| span.contains(time).into());
                Finding { truth, actual: Actual::Untold }
            }
            Question::Audience(place) => {
                Finding { truth: view.audience(*place), actual: Actual::Untold }
            }
            Question::Code | Question::Unanswered => {
                Finding { truth: Truth::Unknown, actual: Actual::Untold }
            }
        }
    }

    /// The claim with what was found: ``query parameter `plan` is `pro`: no, it is `basic` ``.
    pub(crate) fn tell(&self, finding: &Finding) -> String {
        let answer = match finding.truth {
            Truth::Yes => "yes",
            Truth::No => "no",
            Truth::Unknown => "not known",
        };
        let actual = match &finding.actual {
            Actual::Text(actual) if finding.truth != Truth::Yes => format!(", it is `{actual}`"),
            Actual::Absent => ", there is none".to_owned(),
            Actual::Text(_) | Actual::Untold => String::new(),
        };
        format!("{}: {answer}{actual}", self.claim)
    }
}

/// What conditions call by name.
pub(crate) struct Names<'n> {
    /// The place and the key of an audience.
    pub(crate) audience: &'n dyn Fn(domain::AudienceId) -> (usize, String),
    /// The id of an attribute, given its key or id; any other name stands for itself.
    pub(crate) attribute: &'n dyn Fn(&str) -> String,
}

impl Finding {
    fn compared(test: &ValueTest, actual: Option<String>) -> Self {
        Self { truth: test.holds(actual.as_deref()).into(), actual: Actual::of(actual) }
    }

    /// Unknown where there is nothing to ask about.
    fn known(actual: Option<&str>, holds: impl FnOnce(&str) -> bool) -> Self {
        let truth = actual.map_or(Truth::Unknown, |actual| holds(actual).into());
        Self { truth, actual: actual.map_or(Actual::Untold, |text| Actual::Text(text.to_owned())) }
    }
}

/// A match that addresses do not know never holds, neither does a value that is no text.
fn address_test(condition: &Condition) -> Option<UrlCondition> {
    let value = condition.value.as_ref().and_then(Value::as_str)?;
    match condition.match_kind? {
        MatchKind::Simple => Some(UrlCondition::simple(value)),
        MatchKind::Exact => Some(UrlCondition::exact(value)),
        MatchKind::Substring => Some(UrlCondition::substring(value)),
        MatchKind::Regex => UrlCondition::regex(value).ok(),
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
