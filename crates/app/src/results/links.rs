//! Links that show the results of a campaign to anyone who has them: read only, for people who are no members.
//!
//! The right of the member who makes a link to read results counts twice: when they make it, and each time a person opens it.

use std::sync::Arc;

use domain::{Fault, Pointer, ProjectId};
use oauth::{CredentialKind, Lifetime, Moment};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use storage::{
    AuditEvent, LostEventDay, NewResultsLink, RESULTS_LINKS_AT_MOST, ResultsLink, StorageError,
};
use thiserror::Error;

use crate::App;
use crate::app::IssuedCredential;
use crate::events::days_in_words;
use crate::projects::require_project;
use crate::publishing::live_project;
use crate::results::campaign::{CampaignResultsError, Freshness, ResultsQuestion, answer, find};
use crate::results::report::CampaignResults;
use crate::results::segment_by::SegmentBy;
use crate::roles::{Actor, Permission, RoleError};
use crate::{dto, request};

/// The page that such a link opens.
pub const SHARED_RESULTS_PATH: &str = "/shared-results";

/// A shorter link would expire before it is opened.
const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// As long as most experiments run. People forget older links.
const USUAL: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

const LONGEST: Lifetime = Lifetime::from_seconds(365 * 24 * 3_600);

/// 96 random bits: no two links get the same id.
const ID_BYTES: usize = 12;

request! {
    /// A link to make that shows results.
    pub struct ResultsLinkRequest: "results_link_request" {
        /// The live campaign, by its id or key.
        campaign: String,
        /// For how many seconds the link works; 30 days unless it is told.
        expires_in: Option<i64> where {"minimum": (SHORTEST.seconds()), "maximum": (LONGEST.seconds())},
    }
}

dto! {
    /// A link that shows the results of a campaign, without its token.
    pub struct ResultsLinkDto: "results_link" {
        /// Its id.
        id: String,
        /// The id of the campaign.
        campaign: String,
        /// Who made it, in words.
        made_by: String,
        /// When it was made.
        made_at: String where {"format": "date-time"},
        /// Until when it works, as long as who made it may read results.
        expires_at: String where {"format": "date-time"},
    }
}

impl From<&ResultsLink> for ResultsLinkDto {
    fn from(link: &ResultsLink) -> Self {
        Self {
            id: link.id.clone(),
            campaign: link.campaign.to_string(),
            made_by: link.made_by.clone(),
            made_at: Moment::from(link.made_at).machine(),
            expires_at: Moment::from(link.expires_at).machine(),
        }
    }
}

/// A link that was just made.
#[derive(Debug)]
pub struct MadeResultsLink {
    /// The address that people open; shown only here.
    pub address: SecretString,
    /// What is kept of it.
    pub kept: ResultsLink,
}

/// Why there is no link.
#[derive(Debug, Error)]
pub enum MakeResultsLinkError {
    /// Nothing of the project is live.
    #[error("nothing of the project is live yet")]
    NotPublished,
    /// The request is invalid.
    #[error("{}", .0.message)]
    Fault(Box<Fault>),
    /// The project has too many links.
    #[error(
        "{RESULTS_LINKS_AT_MOST} links to results of this project work already; revoke some first"
    )]
    TooMany,
    /// The actor may not show results to others.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store did not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Makes a link that shows the results of a live campaign, as they are whenever it is opened.
///
/// # Errors
/// See [`MakeResultsLinkError`].
pub async fn make_results_link(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    request: &ResultsLinkRequest,
) -> Result<MadeResultsLink, MakeResultsLinkError> {
    actor.require_telling_results(app, id).await?;
    let Some(live) = live_project(app, id).await? else {
        require_project(app, id).await?;
        return Err(MakeResultsLinkError::NotPublished);
    };
    let wrong = |field: &str, message: String| {
        let fault = Fault::error("unsuitable", Pointer::root().field(field), message);
        MakeResultsLinkError::Fault(Box::new(fault))
    };
    let campaign = find(&live.project, &request.campaign)
        .ok_or_else(|| wrong("campaign", format!("no campaign `{}` is live", request.campaign)))?;
    let lifetime = request.expires_in.map_or(USUAL, Lifetime::from_seconds);
    if lifetime < SHORTEST || lifetime > LONGEST {
        let (shortest, longest) = (SHORTEST.seconds(), LONGEST.seconds());
        return Err(wrong(
            "expires_in",
            format!("a link is good for {shortest} to {longest} seconds"),
        ));
    }
    let IssuedCredential { credential, hash } = app.issue_credential(CredentialKind::ResultsLink);
    let made_at = app.now();
    let kept = ResultsLink {
        id: hex::encode(app.random::<ID_BYTES>()),
        project: id,
        campaign: campaign.id,
        member: actor.member(),
        made_by: actor.author(app).await?,
        made_at,
        expires_at: made_at + lifetime,
    };
    let change = json!([{"op": "add", "path": "", "value": campaign.key.as_str()}]);
    let entity = format!("results link {}", kept.id);
    let entry = actor.entry(app, AuditEvent::ResultsLinkMade, (id, &entity), &change);
    let new = NewResultsLink { authority: actor.authority()?, hash, link: kept.clone() };
    if !app.store().add_results_link(new, entry).await? {
        return Err(MakeResultsLinkError::TooMany);
    }
    let path = format!("{SHARED_RESULTS_PATH}?token={}", credential.expose_secret());
    Ok(MadeResultsLink { address: SecretString::from(app.public_url().join(&path)), kept })
}

/// The links of project `id` that have not expired, those made last first. `None` if there is no such project.
///
/// # Errors
/// See [`RoleError`].
pub async fn list_results_links(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<Vec<ResultsLink>>, RoleError> {
    actor.require_announcing(app, id).await?;
    if !app.store().has_project(id).await? {
        return Ok(None);
    }
    let mut links = app.store().list_results_links(id).await?;
    links.retain(|link| app.now() < link.expires_at);
    Ok(Some(links))
}

/// Revokes a link: it shows nothing from now on. Returns whether the project had it.
///
/// # Errors
/// See [`RoleError`].
pub async fn revoke_results_link(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    link: &str,
) -> Result<bool, RoleError> {
    actor.require_announcing(app, id).await?;
    let entity = format!("results link {link}");
    let entry = actor.entry(app, AuditEvent::ResultsLinkRevoked, (id, &entity), &json!(null));
    Ok(app.store().remove_results_link(id, link, entry).await?)
}

/// Why a link shows nothing.
#[derive(Debug, Error)]
pub enum SharedResultsError {
    /// Revoked, expired, or no link of ours; or who made it may not read results any more. The answer does not tell which.
    #[error("this link has been revoked, or has expired; ask for a new one")]
    Gone,
    /// The campaign is not live any more.
    #[error("the campaign of this link is not live any more")]
    NotLive,
    /// Events of these days that the figures would need are lost for the moment.
    #[error(
        "events of {} are lost that these results need, so there are none at the moment",
        days_in_words(.0)
    )]
    EventsLost(Vec<LostEventDay>),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The results that a link shows; with the figures of segments, if they are asked for.
///
/// # Errors
/// See [`SharedResultsError`].
pub async fn shared_results(
    app: &App,
    token: &SecretString,
    split: Option<SegmentBy>,
) -> Result<Arc<CampaignResults>, SharedResultsError> {
    let hash = oauth::hash(token.expose_secret()).ok_or(SharedResultsError::Gone)?;
    let found = app.store().find_results_link(&hash).await?;
    let link = found.filter(|link| app.now() < link.expires_at).ok_or(SharedResultsError::Gone)?;
    if let Some(member) = link.member {
        let maker = Actor::in_console(member, None);
        match maker.require(app, Some(link.project), Permission::ReadResults).await {
            Ok(()) => {}
            Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => {
                return Err(SharedResultsError::Gone);
            }
            Err(RoleError::Storage(error)) => return Err(error.into()),
        }
    }
    let campaign = link.campaign.to_string();
    let question = ResultsQuestion { campaign: &campaign, split, revision: None };
    let results = answer(app, link.project, question, Freshness::WithinAMinute).await;
    results.map_err(|error| match error {
        CampaignResultsError::NotPublished
        | CampaignResultsError::UnknownRevision
        | CampaignResultsError::UnknownCampaign => SharedResultsError::NotLive,
        CampaignResultsError::EventsLost(days) => SharedResultsError::EventsLost(days),
        CampaignResultsError::Role(RoleError::Storage(error)) => error.into(),
        CampaignResultsError::Role(_) => SharedResultsError::Gone,
    })
}
