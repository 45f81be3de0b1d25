//! API tokens as programs ask for them and see them.

use domain::{Fault, Pointer};
use oauth::{Lifetime, Moment, Scope, ScopeSet, Timestamp};
use storage::{API_TOKEN_LONGEST, ApiTokenLine, RoleGrant};

use crate::SentMoment;
use crate::described::OptionalField;
use crate::members::{RoleDto, RoleRequest, roles};
use crate::tokens::add_api_token::{NewToken, TokenFor};
use crate::tokens::expiry::{Expiry, SHORTEST};
use crate::{dto, request, words_of_request};

/// Enough for a name, all scopes and some hundred roles.
pub const API_TOKEN_BYTES_AT_MOST: usize = 64 * 1024;

request! {
    /// A service for which a token is made.
    pub struct ServiceRequest: "service" {
        /// The roles of the service, one for each place.
        roles: Vec<RoleRequest>,
    }

    /// An API token to make.
    pub struct ApiTokenRequest: "api_token_to_add" {
        /// Its name for people; that of the service if it is for one.
        name: String,
        /// What the token allows.
        scopes: Vec<Scope> where {"minItems": 1},
        /// For how many seconds it works; 90 days if neither this nor `expires_at` is given.
        expires_in: OptionalField<i64> where {"minimum": (SHORTEST.seconds()), "maximum": (API_TOKEN_LONGEST.seconds())},
        /// Until when it works, instead of `expires_in`: from a minute to 366 days from now.
        expires_at: OptionalField<SentMoment>,
        /// The service for which it is. Without one, it is for the member who makes it.
        service: OptionalField<ServiceRequest>,
    }
}

words_of_request!(Scope, Scope::ALL.map(|scope| (scope.as_str(), scope)));

impl TryFrom<ApiTokenRequest> for NewToken {
    type Error = Box<Fault>;

    fn try_from(sent: ApiTokenRequest) -> Result<Self, Box<Fault>> {
        let ApiTokenRequest { name, scopes, expires_in, expires_at, service } = sent;
        let expiry = expiry(expires_in, expires_at)?;
        let holder = match service {
            OptionalField(None) => TokenFor::Actor,
            OptionalField(Some(service)) => TokenFor::Service(grants(&service)),
        };
        let scope = scopes.into_iter().map(ScopeSet::from).reduce(ScopeSet::union);
        Ok(Self { name, scope, expiry, holder })
    }
}

fn expiry(after: OptionalField<i64>, at: OptionalField<SentMoment>) -> Result<Expiry, Box<Fault>> {
    match (after, at) {
        (OptionalField(None), OptionalField(None)) => Ok(Expiry::Usual),
        (OptionalField(Some(seconds)), OptionalField(None)) => {
            Ok(Expiry::After(Lifetime::from_seconds(seconds)))
        }
        (OptionalField(None), OptionalField(Some(SentMoment(at)))) => Ok(Expiry::At(at)),
        (OptionalField(Some(_)), OptionalField(Some(_))) => {
            let place = Pointer::root().field("expires_at");
            let message = "`expires_in` says when the token expires, too; leave one of them out";
            Err(Box::new(Fault::error("unsuitable", place, message)))
        }
    }
}

fn grants(service: &ServiceRequest) -> Vec<RoleGrant> {
    service.roles.iter().map(RoleRequest::grant).collect()
}

dto! {
    /// The service for which a token is.
    pub struct ServiceDto: "service_of_token" {
        /// The roles of the service.
        roles: Vec<RoleDto>,
    }

    /// An API token, without its text.
    pub struct ApiTokenDto: "api_token" {
        /// Its id.
        id: String,
        /// Its name for people.
        name: String,
        /// `personal` or `service`.
        kind: String where {"enum": ["personal", "service"]},
        /// The id of the member or service for whom it acts.
        holder: String,
        /// The email address of the member for whom it acts; the name with which the service signs what it does.
        acts_for: String,
        /// What the service may do; null for a personal token, which acts with the roles of its member.
        service: Option<ServiceDto>,
        /// What it allows.
        scopes: Vec<String> where {"items": {"type": "string", "enum": (Scope::ALL.map(Scope::as_str))}},
        /// Who made it, in words.
        made_by: String,
        /// When it was made.
        made_at: String where {"format": "date-time"},
        /// Until when it works.
        expires_at: String where {"format": "date-time"},
        /// When it was last used, known to an hour.
        last_used_at: Option<String> where {"format": "date-time"},
    }
}

impl From<&ApiTokenLine> for ApiTokenDto {
    fn from(token: &ApiTokenLine) -> Self {
        let moment = |at: Timestamp| Moment::from(at).machine();
        let kind = if token.is_service { "service" } else { "personal" };
        Self {
            id: token.id.clone(),
            name: token.name.clone(),
            kind: kind.to_owned(),
            holder: token.holder.to_string(),
            acts_for: token.holder_name.clone(),
            service: token.is_service.then(|| ServiceDto { roles: roles(&token.service_roles) }),
            scopes: token.scope.iter().map(|scope| scope.as_str().to_owned()).collect(),
            made_by: token.made_by.clone(),
            made_at: moment(token.made_at),
            expires_at: moment(token.expires_at),
            last_used_at: token.last_used_at.map(moment),
        }
    }
}
