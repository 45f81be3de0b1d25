//! Decisions about visits, preview links, and the sites that load the snippet.

use app::decisions::{
    AudienceTrialDto, AudienceTrialRequest, PageTrialDto, PageTrialRequest, TriedAddressDto,
    VisitDto,
};
use app::events::EventsKeyDto;
use app::previews::{PreviewLinkDto, PreviewLinkRequest};
use app::results::{ResultsLinkDto, ResultsLinkRequest};
use app::visual_editor::{EditorLinkDto, EditorLinkRequest};
use app::webhooks::{
    WebhookAttemptDto, WebhookDeliveryDto, WebhookDto, WebhookPatch, WebhookRequest,
};
use serde_json::{Value, json};

use crate::collected_events::DeletedEventsDto;
use crate::event_rows::{ForgottenVisitorDto, ImportedRowsDto, RowFaultDto};
use crate::events::{AcceptedEventsDto, RejectedEventDto};
use crate::installations::{InstallationDto, InstallationsDto};
use crate::results_links::MadeResultsLinkDto;
use crate::schedule::{PlannedMomentDto, ScheduleDto};
use crate::snippet_size::{BytesDto, ShareDto, SnippetSizeDto};
use crate::webhooks::MadeWebhookDto;

use super::{Definition, answered, list_of, record, taken, text, text_or_null, written};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        taken::<VisitDto>(),
        ("decisions".to_owned(), decisions()),
        ("named".to_owned(), named()),
        taken::<PageTrialRequest>(),
        answered::<PageTrialDto>(),
        answered::<TriedAddressDto>(),
        taken::<AudienceTrialRequest>(),
        answered::<AudienceTrialDto>(),
        taken::<PreviewLinkRequest>(),
        answered::<PreviewLinkDto>(),
        taken::<ResultsLinkRequest>(),
        answered::<ResultsLinkDto>(),
        answered::<MadeResultsLinkDto>(),
        taken::<EditorLinkRequest>(),
        answered::<EditorLinkDto>(),
        answered::<AcceptedEventsDto>(),
        answered::<RejectedEventDto>(),
        answered::<EventsKeyDto>(),
        answered::<ImportedRowsDto>(),
        answered::<RowFaultDto>(),
        answered::<ForgottenVisitorDto>(),
        answered::<DeletedEventsDto>(),
        taken::<WebhookRequest>(),
        taken::<WebhookPatch>(),
        answered::<WebhookDto>(),
        answered::<MadeWebhookDto>(),
        answered::<WebhookDeliveryDto>(),
        answered::<WebhookAttemptDto>(),
        answered::<InstallationsDto>(),
        answered::<InstallationDto>(),
        answered::<ScheduleDto>(),
        answered::<PlannedMomentDto>(),
        answered::<SnippetSizeDto>(),
        answered::<BytesDto>(),
        answered::<ShareDto>(),
    ]
}

fn decisions() -> Value {
    let fields = json!({
        "visitor_id": text(),
        "url": text(),
        "pages": list_of("named"),
        "audiences": list_of("named"),
        "campaigns": list_of("named"),
        "active_experiment_ids": {"type": "array", "items": text()},
        "variation_map": {"type": "object", "additionalProperties": {"type": "object"}},
        "groups": {"type": "object", "additionalProperties": text_or_null()},
    });
    record("What a visitor gets, and why.", fields)
}

/// What is said of pages, audiences and campaigns has more fields, each told in words.
fn named() -> Value {
    let fields = json!({
        "id": text(),
        "key": text(),
        "name": text_or_null(),
        "is_active": {"type": "boolean", "description": "Of a page: whether it is active."},
        "is_met": {"type": ["boolean", "null"], "description": "Of an audience: whether the visitor is in it."},
        "why": {"type": "string", "description": "The reason, in words."},
        "type": {"type": "string", "enum": ["ab_test", "personalization"]},
        "is_decided": {"type": "boolean", "description": "Of a campaign: whether the page decides it."},
        "is_held_back": {"type": "boolean", "description": "Bucketed, but shown nothing."},
        "experiment": {"type": ["object", "null"]},
        "variation": {"type": ["object", "null"]},
        "audiences": {"type": "array", "items": {"type": "object"}},
        "decision_string": text_or_null(),
        "steps": {"type": "array", "items": record("A step of the decision.", json!({"step": text(), "text": text()}))},
    });
    written(
        "What was found about a page, an audience or a campaign.",
        fields,
        &["id", "key", "name"],
    )
}
