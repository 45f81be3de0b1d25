//! Trials that programs ask for: a page with addresses, an audience with a visit.

use domain::{Fault, ProjectId};
use serde_json::{Map, Value};

use crate::App;
use crate::decisions::trial::{
    TRIED_ADDRESSES_AT_MOST, TrialError, TriedAddress, try_audience, try_page,
};
use crate::decisions::visit_dto::VisitDto;
use crate::described::{Described, component};
use crate::documents::seen_around;
use crate::request::{At, Faults, Readable};
use crate::roles::Actor;
use crate::{dto, request};

/// A page as programs send it.
#[derive(Debug, Clone, PartialEq)]
pub struct SentPage(Map<String, Value>);

/// An audience as programs send it.
#[derive(Debug, Clone, PartialEq)]
pub struct SentAudience(Map<String, Value>);

request! {
    /// A page, saved or not, and addresses to try it on.
    pub struct PageTrialRequest: "page_trial_request" {
        /// The page.
        page: SentPage,
        /// Addresses as the browser shows them.
        addresses: Vec<String> where {"maxItems": TRIED_ADDRESSES_AT_MOST},
    }

    /// An audience, saved or not, and a visit to try it on.
    pub struct AudienceTrialRequest: "audience_trial_request" {
        /// The audience.
        audience: SentAudience,
        /// The visit.
        visit: VisitDto,
    }
}

dto! {
    /// What a page says of addresses.
    pub struct PageTrialDto: "page_trial" {
        /// In the order in which they were sent.
        addresses: Vec<TriedAddressDto>,
    }

    /// What a page says of an address.
    pub struct TriedAddressDto: "tried_address" {
        /// The address.
        address: String,
        /// Whether the page is active there; `null` where that cannot be said.
        is_active: Option<bool>,
        /// The reason, in words.
        why: String,
    }

    /// Whether a visitor is in an audience.
    pub struct AudienceTrialDto: "audience_trial" {
        /// `null` where that cannot be said.
        is_met: Option<bool>,
        /// The reason, in words.
        why: String,
    }
}

/// Tries a page; the faults point into the request.
///
/// # Errors
/// See [`TrialError`].
pub async fn answer_page_trial(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    request: PageTrialRequest,
) -> Result<PageTrialDto, TrialError> {
    let PageTrialRequest { page: SentPage(page), addresses } = request;
    let tried = try_page(app, actor, id, page, addresses).await;
    let tried = tried.map_err(|error| error.of_request("page"))?;
    Ok(PageTrialDto { addresses: tried.into_iter().map(TriedAddressDto::from).collect() })
}

/// Tries an audience; the faults point into the request.
///
/// # Errors
/// See [`TrialError`].
pub async fn answer_audience_trial(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    request: AudienceTrialRequest,
) -> Result<AudienceTrialDto, TrialError> {
    let AudienceTrialRequest { audience: SentAudience(audience), visit } = request;
    let tried = try_audience(app, actor, id, audience, move |project| {
        let known = project.known(visit.into());
        known.map_err(|faults| seen_around("visit", faults))
    });
    let answer = tried.await.map_err(|error| error.of_request("audience"))?;
    Ok(AudienceTrialDto { is_met: answer.is_met, why: answer.why })
}

impl TrialError {
    /// The error of a request that has the resource in this field.
    fn of_request(self, field: &str) -> Self {
        match self {
            Self::Resource(faults) => Self::Resource(seen_around(field, faults)),
            error @ (Self::Read(_) | Self::Visit(_) | Self::TooCostly(_) | Self::Overloaded(_)) => {
                error
            }
        }
    }
}

impl From<TriedAddress> for TriedAddressDto {
    fn from(tried: TriedAddress) -> Self {
        let (is_active, why) = match tried.answer {
            Ok(answer) => (Some(answer.is_active), answer.why),
            Err(faults) => (None, in_words(&faults)),
        };
        Self { address: tried.address, is_active, why }
    }
}

fn in_words(faults: &[Fault]) -> String {
    faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; ")
}

impl Described for SentPage {
    fn schema() -> Value {
        component("page_to_add")
    }
}

impl Readable for SentPage {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        object(at, faults).map(Self)
    }
}

impl Described for SentAudience {
    fn schema() -> Value {
        component("audience_to_add")
    }
}

impl Readable for SentAudience {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        object(at, faults).map(Self)
    }
}

fn object(at: &At<'_>, faults: &mut Faults) -> Option<Map<String, Value>> {
    at.read_as("an object", Value::as_object, faults).cloned()
}
