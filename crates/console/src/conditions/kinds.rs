//! The kinds of conditions as members know them: what each asks, and how it is answered.

use crate::edit::field::Choice;

/// What the conditions are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Page,
    Audience,
    Experiment,
}

/// A kind of condition.
pub(super) struct Kind {
    pub(super) word: &'static str,
    pub(super) title: &'static str,
    /// The label of the field `name`, of kinds that ask about one of many.
    pub(super) name: Option<&'static str>,
    /// The ways to compare; the first is that of a new condition.
    pub(super) matches: &'static [&'static str],
    pub(super) value: Answer,
    pub(super) hint: &'static str,
}

/// What a member fills in for the value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// Nothing: the question says it all.
    Nothing,
    Text,
    Choice(&'static [(&'static str, &'static str)]),
    Code,
    Behavior,
    Audience,
}

const ADDRESS: &[&str] = &["simple", "exact", "substring", "regex"];
const VALUE: &[&str] = &["exact", "substring", "regex", "exists", "range"];

const DEVICES: &[(&str, &str)] = &[
    ("desktop", "Desktop"),
    ("mobile", "Phone"),
    ("tablet", "Tablet"),
    ("iphone", "iPhone"),
    ("ipad", "iPad"),
];

const DEVICE_TYPES: &[(&str, &str)] = &[
    ("phone", "Phone"),
    ("tablet", "Tablet"),
    ("desktop_laptop", "Desktop or laptop"),
    ("other", "Anything else, such as a television"),
];

/// How a condition compares, in words.
const MATCHES: &[(&str, &str)] = &[
    ("simple", "is this page, whatever its query"),
    ("exact", "is exactly"),
    ("substring", "contains"),
    ("regex", "matches the regular expression"),
    ("exists", "is there at all"),
    ("range", "is a number between (1:10)"),
];

pub(super) const KINDS: [Kind; 18] = [
    kind(
        "url",
        "Address of the page",
        ADDRESS,
        Answer::Text,
        "Such as `https://shop.example/cart`.",
    ),
    Kind {
        name: Some("Parameter"),
        ..kind(
            "query",
            "Query parameter",
            VALUE,
            Answer::Text,
            "The value as the address encodes it.",
        )
    },
    Kind { name: Some("Cookie"), ..kind("cookies", "Cookie", VALUE, Answer::Text, "") },
    Kind {
        name: Some("Attribute"),
        ..kind(
            "custom_attribute",
            "Custom attribute",
            VALUE,
            Answer::Text,
            "What the site tells about the visitor.",
        )
    },
    kind(
        "campaign",
        "Advertising campaign",
        VALUE,
        Answer::Text,
        "The `utm_campaign` that brought the visitor.",
    ),
    kind(
        "referrer",
        "Page before",
        ADDRESS,
        Answer::Text,
        "The address that the visitor came from.",
    ),
    kind(
        "source_type",
        "Kind of source",
        VALUE,
        Answer::Text,
        "`campaign`, `search`, `referral` or `direct`.",
    ),
    kind("device", "Device", &[], Answer::Choice(DEVICES), ""),
    kind("device_type", "Type of device", &[], Answer::Choice(DEVICE_TYPES), ""),
    kind(
        "browser_version",
        "Browser",
        &[],
        Answer::Text,
        "`gc` is Chrome, `ff` Firefox, `edge`, `safari`, `opera`; with a version if that matters: `gc120`.",
    ),
    kind(
        "platform",
        "Operating system",
        &[],
        Answer::Text,
        "`ios`, `android`, `mac os`, `windows`, `linux`; with a version if that matters: `ios_17`.",
    ),
    kind("language", "Language", &[], Answer::Text, "Such as `en` or `en-us`."),
    kind(
        "time_and_day",
        "Time and day",
        &[],
        Answer::Text,
        "In the visitor's time: `09:00_17:00_monday,tuesday`.",
    ),
    kind("first_session", "First session", &[], Answer::Nothing, ""),
    kind(
        "location",
        "Place",
        &[],
        Answer::Text,
        "A country, region and city: `DE`, `US|CA`, `US|CA|SANFRANCISCO`.",
    ),
    kind("behavior", "Earlier behavior", &[], Answer::Behavior, ""),
    kind(
        "custom_code",
        "JavaScript",
        &[],
        Answer::Code,
        "A function body: the condition holds if it returns something true.",
    ),
    kind("audience", "Member of an audience", &[], Answer::Audience, "The visitor is in it."),
];

const fn kind(
    word: &'static str,
    title: &'static str,
    matches: &'static [&'static str],
    value: Answer,
    hint: &'static str,
) -> Kind {
    Kind { word, title, name: None, matches, value, hint }
}

/// The kind with this word. Optimizely calls custom attributes dimensions.
pub(super) fn kind_of(word: &str) -> Option<&'static Kind> {
    let word = if word == "custom_dimension" { "custom_attribute" } else { word };
    KINDS.iter().find(|kind| kind.word == word)
}

impl Kind {
    /// The ways to compare, as choices.
    pub(super) fn match_choices(&self) -> Vec<Choice> {
        let known = MATCHES.iter().filter(|(word, _)| self.matches.contains(word));
        known.map(|(word, words)| Choice::new(*word, *words)).collect()
    }
}

impl Subject {
    /// The kinds that a member may add.
    pub(super) fn kinds(self) -> impl Iterator<Item = &'static Kind> {
        KINDS.iter().filter(move |kind| match self {
            Self::Page => matches!(kind.word, "url" | "custom_code"),
            Self::Audience => kind.word != "url",
            Self::Experiment => kind.word == "audience",
        })
    }

    /// The only kind that a member may add, if there is one.
    pub(super) fn only_kind(self) -> Option<&'static str> {
        (self == Self::Experiment).then_some("audience")
    }

    /// What the whole tree is about.
    pub(super) fn claim(self) -> &'static str {
        match self {
            Self::Page => "The page is active where",
            Self::Audience => "A visitor is in the audience for whom",
            Self::Experiment => "It is for visitors for whom",
        }
    }
}
