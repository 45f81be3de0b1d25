//! One condition of a page or an audience, prepared for many visits, and its result for one of them: a truth value and words.
//! How it is prepared: `prepared_leaf`.

use domain::TimeSpan;

use crate::condition_tree::Truth;
use crate::effort::Effort;
use crate::first_sign::is_version;
use crate::history::BehaviorTest;
use crate::location::Location;
use crate::page_url::PageUrl;
use crate::url_condition::UrlCondition;
use crate::value_matcher::ValueMatcher;
use crate::view::View;

/// A prepared condition.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    question: Question,
    /// What it claims, such as "the device is `mobile`".
    claim: String,
}

/// What a condition asks.
#[derive(Debug, Clone)]
pub(crate) enum Question {
    Address(Option<UrlCondition>),
    Referrer(Option<UrlCondition>),
    Query(String, ValueMatcher),
    Cookie(String, ValueMatcher),
    Attribute(String, ValueMatcher),
    Campaign(ValueMatcher),
    SourceType(ValueMatcher),
    Device(String),
    DeviceType(String),
    BrowserVersion(String),
    Platform(String),
    Language(String),
    /// An invalid span never holds.
    TimeAndDay(Option<TimeSpan>),
    FirstSession,
    Location(String),
    Behavior(BehaviorTest),
    /// Membership of the audience at this place of the project's list.
    Audience(usize),
    /// Only the page can run code.
    Code,
}

/// The result of a condition for a visit, and the compared value.
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

    /// The value is unknown.
    fn of_some(found: Option<String>) -> Self {
        found.map_or(Self::Untold, Self::Text)
    }
}

impl Leaf {
    /// A condition that asks `question`, which is whether the `claim` is so.
    pub(crate) fn asking(question: Question, claim: String) -> Self {
        Self { question, claim }
    }

    /// What it says about the visit that `view` looks at.
    pub(crate) fn find(&self, view: &View<'_>) -> Finding {
        let compared = |test, value| Finding::compared((test, view.effort), value);
        match &self.question {
            Question::Address(test) => {
                let is_met =
                    test.as_ref().is_some_and(|test| test.is_met_by(&view.url, view.effort));
                Finding { truth: is_met.into(), actual: Actual::Untold }
            }
            Question::Referrer(test) => {
                let referrer = view.referrer.map(PageUrl::new);
                let is_met = test
                    .as_ref()
                    .zip(referrer)
                    .is_some_and(|(test, referrer)| test.is_met_by(&referrer, view.effort));
                Finding { truth: is_met.into(), actual: Actual::of(view.referrer) }
            }
            Question::Query(name, test) => {
                compared(test, view.query_parameter(name).map(str::to_owned))
            }
            Question::Cookie(name, test) => compared(test, view.cookie(name)),
            Question::Attribute(name, test) => compared(test, view.attribute(name)),
            Question::Campaign(test) => {
                // A visitor whom no campaign brought is neither in one nor outside of it.
                Finding::known(view.campaign(), |campaign| test.holds(Some(campaign), view.effort))
            }
            Question::SourceType(test) => compared(test, Some(view.source_type().to_owned())),
            Question::Device(wanted) => Finding::known(view.device(), |device| wanted == device),
            Question::DeviceType(wanted) => {
                Finding::known(view.device_type(), |kind| wanted == kind)
            }
            Question::BrowserVersion(wanted) => {
                Finding::known(view.browser(), |browser| is_version(browser, wanted))
            }
            Question::Platform(wanted) => {
                Finding::known(view.platform(), |platform| is_version(platform, wanted))
            }
            Question::Language(wanted) => {
                Finding::known(view.visit.language.as_deref(), |language| {
                    (language.to_lowercase() + "-").starts_with(&format!("{wanted}-"))
                })
            }
            Question::TimeAndDay(span) => {
                let truth = view.visit.local_time.map_or(Truth::Unknown, |time| {
                    let (day, minute) = (time.weekday(), time.minute());
                    span.as_ref().is_some_and(|span| span.contains(day, minute)).into()
                });
                Finding { truth, actual: Actual::Untold }
            }
            Question::Audience(place) => {
                Finding { truth: view.audience(*place), actual: Actual::Untold }
            }
            Question::FirstSession => {
                let truth = view.visit.first_session.map_or(Truth::Unknown, Truth::from);
                Finding { truth, actual: Actual::Untold }
            }
            Question::Location(wanted) => {
                let location = view.visit.location.as_ref();
                let truth = location.map_or(Truth::Unknown, |location| location.is(wanted).into());
                Finding { truth, actual: Actual::of_some(location.map(Location::to_string)) }
            }
            Question::Behavior(test) => {
                let times = test.times(&view.visit.history);
                let truth = test.is_met_by(times).into();
                Finding { truth, actual: Actual::Text(times.to_string()) }
            }
            Question::Code => Finding { truth: Truth::Unknown, actual: Actual::Untold },
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

impl Finding {
    fn compared((test, effort): (&ValueMatcher, &Effort), actual: Option<String>) -> Self {
        let truth = test.holds(actual.as_deref(), effort).into();
        Self { truth, actual: Actual::of(actual) }
    }

    /// Unknown if the value is missing.
    fn known(actual: Option<&str>, holds: impl FnOnce(&str) -> bool) -> Self {
        let truth = actual.map_or(Truth::Unknown, |actual| holds(actual).into());
        Self { truth, actual: Actual::of_some(actual.map(str::to_owned)) }
    }
}
