//! What programs send to have something done to a resource: `{"action": "start"}`.

use app::campaigns::{CampaignAction, CampaignsAction, Conclusion, Winner};
use app::described::Described as _;
use app::documents::ResourceKind;
use app::resources::Archiving;
use app::words_of_request;
use axum::extract::Request;
use domain::{Fault, Pointer};
use serde_json::Value;
use web::Problem;

use crate::json_body::sent;

app::request! {
    /// What to do to a campaign, or to an experiment.
    pub(crate) struct CampaignActionRequest: "campaign_action" {
        /// The action.
        action: CampaignWord,
        /// With `conclude`: the key or the id of the variation that won.
        winner: Option<String>,
        /// With `conclude`: whether all visitors the campaign is for get the winner.
        ship: Option<bool>,
    }

    /// What to do to a variation.
    pub(crate) struct VariationActionRequest: "variation_action" {
        /// The action.
        action: VariationWord,
    }

    /// What to do to all live campaigns at once.
    pub(crate) struct CampaignsActionRequest: "campaigns_action" {
        /// The action.
        action: CampaignsWord,
    }

    /// What to do to what can only be archived and restored.
    pub(crate) struct ArchivingRequest: "archiving_action" {
        /// The action.
        action: ArchivingWord,
    }
}

/// An action on a campaign or an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CampaignWord(CampaignAction);

/// An action on a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VariationWord(CampaignAction);

/// An action on all campaigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CampaignsWord(pub(super) CampaignsAction);

/// An action on anything else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ArchivingWord(pub(crate) Archiving);

words_of_request!(
    CampaignWord,
    CampaignAction::ALL.map(|action| (action.word(), CampaignWord(action)))
);
words_of_request!(
    VariationWord,
    [
        CampaignAction::Pause,
        CampaignAction::Resume,
        CampaignAction::Archive,
        CampaignAction::Restore
    ]
    .map(|action| (action.word(), VariationWord(action)))
);
words_of_request!(
    CampaignsWord,
    CampaignsAction::ALL.map(|action| (action.word(), CampaignsWord(action)))
);
words_of_request!(
    ArchivingWord,
    [
        ("archive", ArchivingWord(Archiving::Archive)),
        ("restore", ArchivingWord(Archiving::Restore))
    ]
);

/// The action that the body names, of those that there are for this kind, and what it says of a campaign that is concluded.
pub(super) async fn action_sent(
    kind: ResourceKind,
    request: Request,
) -> Result<(CampaignAction, Conclusion), Problem> {
    let action = match kind {
        ResourceKind::Campaign | ResourceKind::Experiment => return campaign_action(request).await,
        ResourceKind::Variation => {
            let VariationActionRequest { action: VariationWord(action) } = sent(request).await?;
            action
        }
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Group => {
            let ArchivingRequest { action: ArchivingWord(archiving) } = sent(request).await?;
            match archiving {
                Archiving::Archive => CampaignAction::Archive,
                Archiving::Restore => CampaignAction::Restore,
            }
        }
    };
    Ok((action, Conclusion::default()))
}

async fn campaign_action(request: Request) -> Result<(CampaignAction, Conclusion), Problem> {
    let CampaignActionRequest { action: CampaignWord(action), winner, ship } =
        sent(request).await?;
    let beside = [("winner", winner.is_some()), ("ship", ship.is_some())];
    let faults: Vec<Fault> = beside
        .into_iter()
        .filter(|(_, is_sent)| *is_sent && action != CampaignAction::Conclude)
        .map(|(field, _)| {
            let place = Pointer::root().field(field);
            Fault::error("superfluous_field", place, "only `conclude` takes this field")
        })
        .collect();
    if faults.is_empty() {
        return Ok((action, Conclusion { winner: winner.map(Winner::Variation), ship }));
    }
    Err(Problem::faults(&faults))
}

/// What can be sent to have something done to a resource of this kind.
pub(crate) fn action_schema(kind: ResourceKind) -> Value {
    match kind {
        ResourceKind::Campaign | ResourceKind::Experiment => CampaignActionRequest::schema(),
        ResourceKind::Variation => VariationActionRequest::schema(),
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Group => ArchivingRequest::schema(),
    }
}
