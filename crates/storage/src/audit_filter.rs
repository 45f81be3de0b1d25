//! What a search of the audit log looks for, and how the columns of an entry tell that it fits: alike in both databases.

use domain::ProjectId;
use oauth::Timestamp;

use crate::stored::project_row_id;
use crate::{AuditEvent, MemberId};

/// Which entries are wanted; all of them, unless it says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Those about a change of this project.
    pub project: Option<ProjectId>,
    /// Those by this person or about them.
    pub person: Option<AuditPerson>,
    /// Those of this kind.
    pub event: Option<AuditEvent>,
    /// Those at this moment or later.
    pub since: Option<Timestamp>,
    /// Those before this moment.
    pub until: Option<Timestamp>,
}

/// A person whom entries name: by the id of the member, and by the address where the member came, went or was invited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPerson {
    /// The member's id, unless no member ever had it.
    pub id: Option<MemberId>,
    /// The address.
    pub email: Option<String>,
}

/// What entries must have in their columns to fit.
pub(crate) struct AuditConditions {
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// 0 for any.
    pub(crate) project: i64,
    /// Empty for any.
    pub(crate) event: &'static str,
    /// How the detail of an act on the person begins; empty for any person.
    pub(crate) about: String,
    pub(crate) member: i64,
    /// What a detail contains that names the person by their address.
    pub(crate) named: String,
}

/// No member has this id.
const UNKNOWN_MEMBER: i64 = -1;

impl From<&AuditFilter> for AuditConditions {
    fn from(filter: &AuditFilter) -> Self {
        let person = filter.person.as_ref().map(PersonConditions::of).unwrap_or_default();
        Self {
            since: filter.since.map_or(i64::MIN, Timestamp::as_milliseconds),
            until: filter.until.map_or(i64::MAX, Timestamp::as_milliseconds),
            project: filter.project.map_or(0, project_row_id),
            event: filter.event.map_or("", AuditEvent::as_str),
            about: person.about,
            member: person.member,
            named: person.named,
        }
    }
}

/// Those of the conditions that are about a person; all empty if the filter names none.
#[derive(Default)]
struct PersonConditions {
    about: String,
    member: i64,
    named: String,
}

impl PersonConditions {
    fn of(person: &AuditPerson) -> Self {
        let member = person.id.map_or(UNKNOWN_MEMBER, MemberId::to_row);
        let about = format!("member {member}: %");
        let named =
            person.email.as_ref().map(|email| format!("%{}%", literal(&email.to_lowercase())));
        let named = named.unwrap_or_else(|| about.clone());
        Self { about, member, named }
    }
}

/// A text in a pattern of `LIKE`, which stands for nothing but itself.
fn literal(text: &str) -> String {
    text.replace('!', "!!").replace('%', "!%").replace('_', "!_")
}
