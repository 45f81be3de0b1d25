//! Which conditions make sense: the names and matches that each kind takes. `never_holds.rs` warns of values that can never hold.

use super::names::reference;
use super::nearest::list;
use super::reader::{At, Decoded, Reader};
use crate::{Condition, ConditionKind, MatchKind};

const ADDRESS_MATCHES: &[MatchKind] =
    &[MatchKind::Simple, MatchKind::Exact, MatchKind::Substring, MatchKind::Regex];
const VALUE_MATCHES: &[MatchKind] = &[
    MatchKind::Exact,
    MatchKind::Substring,
    MatchKind::Regex,
    MatchKind::Exists,
    MatchKind::Range,
];

/// The matches that a kind of condition takes; none if it compares in one way only.
fn matches_of(kind: ConditionKind) -> &'static [MatchKind] {
    match kind {
        ConditionKind::Url | ConditionKind::Referrer => ADDRESS_MATCHES,
        ConditionKind::Query
        | ConditionKind::Cookies
        | ConditionKind::CustomAttribute
        | ConditionKind::Campaign
        | ConditionKind::SourceType => VALUE_MATCHES,
        ConditionKind::Device
        | ConditionKind::DeviceType
        | ConditionKind::BrowserVersion
        | ConditionKind::Platform
        | ConditionKind::Language
        | ConditionKind::TimeAndDay
        | ConditionKind::FirstSession
        | ConditionKind::Location
        | ConditionKind::Behavior
        | ConditionKind::CustomCode
        | ConditionKind::Audience(_) => &[],
    }
}

/// A condition has a name exactly if its kind asks about one of many, and an attribute's name must be known.
pub(super) fn check_name(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    condition: &Condition,
) -> Decoded<()> {
    let kind = condition.kind.word();
    let takes_name = matches!(
        condition.kind,
        ConditionKind::Query | ConditionKind::Cookies | ConditionKind::CustomAttribute
    );
    match (at.field("name"), takes_name) {
        (Some(at), false) => {
            let fault =
                at.error("superfluous_name", format!("a `{kind}` condition takes no `name`"));
            reader.refuse(&at, fault)
        }
        (None, true) => {
            let fault = at.missing("name", format!("a `{kind}` condition needs a `name`"));
            reader.refuse(at, fault)
        }
        (Some(at), true) if condition.kind == ConditionKind::CustomAttribute => {
            reference(reader, &at, "attribute", |reader| &reader.attributes).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// A condition uses only the matches that its kind takes.
pub(super) fn check_match(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    condition: &Condition,
) -> Decoded<()> {
    let known = matches_of(condition.kind);
    let Some(given) = condition.match_kind.filter(|given| !known.contains(given)) else {
        return Ok(());
    };
    let at = at.field_or_self("match");
    let message = format!("a `{}` condition cannot match by `{given}`", condition.kind.word());
    let expected = match known {
        [] => "no `match`".to_owned(),
        known => format!("one of {}", list(known.iter().map(|known| known.word()))),
    };
    reader.refuse(&at, at.error("unsuitable_match", message).expected(expected))
}
