//! The form that makes an API token.

use app::roles::Rights;
use app::tokens::{Expiry, NewToken, TokenFor};
use domain::Fault;
use oauth::{Lifetime, Scope, ScopeSet};
use storage::{Role, RoleGrant};

use crate::fields::Fields;
use crate::members::places::place_named;
use crate::refusal::Refusal;
use crate::words::fault_words;

/// How long a token may work, as the form offers it.
const LIFETIMES: [(&str, i64); 4] =
    [("7 days", 7), ("30 days", 30), ("90 days", 90), ("a year", 365)];

/// What is chosen at first, and what REST takes without a word.
const USUAL: i64 = 90;

const DAY_SECONDS: i64 = 24 * 3_600;

/// What a person fills in.
#[derive(Debug)]
pub(super) struct TokenForm {
    pub(super) name: String,
    pub(super) is_service: bool,
    pub(super) role: String,
    /// Where a service may act; nothing before the first choice, so that no form begins with the whole server.
    pub(super) place: Option<String>,
    pub(super) has_code: bool,
    scopes: Vec<Scope>,
    days: i64,
    faults: Vec<Fault>,
    /// Why no token was made, where no field is to blame.
    pub(super) alert: Option<String>,
}

/// A choice of the form.
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) words: &'static str,
    pub(super) is_chosen: bool,
}

impl Default for TokenForm {
    fn default() -> Self {
        Self {
            name: String::new(),
            is_service: false,
            role: String::new(),
            place: None,
            has_code: false,
            scopes: vec![Scope::ConfigRead],
            days: USUAL,
            faults: Vec::new(),
            alert: None,
        }
    }
}

impl TokenForm {
    pub(super) fn read(fields: &Fields) -> Self {
        let is_chosen = |scope: &Scope| fields.all("scope").any(|name| name == scope.as_str());
        Self {
            name: fields.get("name").trim().to_owned(),
            is_service: fields.get("for") == "service",
            role: fields.get("role").to_owned(),
            place: Some(fields.get("project").to_owned()),
            has_code: fields.has("code"),
            scopes: Scope::ALL.into_iter().filter(is_chosen).collect(),
            days: fields.get("days").parse().unwrap_or(USUAL),
            ..Self::default()
        }
    }

    pub(super) fn refused(self, faults: Vec<Fault>) -> Self {
        Self { faults, ..self }
    }

    pub(super) fn alerted(self, alert: String) -> Self {
        Self { alert: Some(alert), ..self }
    }

    /// The token that the form asks for.
    pub(super) fn to_new(&self) -> Result<NewToken, Refusal> {
        let holder =
            if self.is_service { TokenFor::Service(vec![self.grant()?]) } else { TokenFor::Actor };
        let scope = self.scopes.iter().map(|scope| ScopeSet::from(*scope));
        let lifetime = Lifetime::from_seconds(self.days.saturating_mul(DAY_SECONDS));
        Ok(NewToken {
            name: self.name.clone(),
            scope: scope.reduce(ScopeSet::union),
            expiry: Expiry::After(lifetime),
            holder,
        })
    }

    fn grant(&self) -> Result<RoleGrant, Refusal> {
        let role = Role::named(&self.role).ok_or(Refusal::UnreadableForm)?;
        let is_code_allowed = self.has_code || role >= Role::Admin;
        Ok(RoleGrant {
            project: place_named(self.place.as_deref().ok_or(Refusal::UnreadableForm)?)?,
            role,
            is_code_allowed,
        })
    }

    /// The scopes that are of use to a member with these rights.
    pub(super) fn scope_choices(&self, rights: &Rights) -> Vec<Choice> {
        let offered = Scope::ALL.into_iter().filter(|scope| rights.make_use_of(*scope));
        let choice = |scope: Scope| Choice {
            value: scope.as_str().to_owned(),
            words: scope.description(),
            is_chosen: self.scopes.contains(&scope),
        };
        offered.map(choice).collect()
    }

    pub(super) fn lifetime_choices(&self) -> Vec<Choice> {
        let choice = |(words, days): (&'static str, i64)| Choice {
            value: days.to_string(),
            words,
            is_chosen: days == self.days,
        };
        LIFETIMES.into_iter().map(choice).collect()
    }

    /// What is wrong with the field whose pointer begins so.
    pub(super) fn wrong(&self, field: &str) -> Option<String> {
        let beginning = format!("/{field}");
        let fault = self.faults.iter().find(|fault| fault.pointer.as_str().starts_with(&beginning));
        fault.map(|fault| fault_words(fault).replace('`', ""))
    }
}
