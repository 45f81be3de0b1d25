//! Delivers what is due. Any server may do it: the store leases each delivery to one, and to the next if that one dies.

use std::time::Instant;

use oauth::{Lifetime, Timestamp};
use secrecy::SecretString;
use storage::{
    ActorKind, AuditEvent, DeliveryAttempt, DeliveryOutcome, Lease, NewAuditEntry, OffBecause,
    ProjectChange, SettledAttempt, StorageError, SwitchOff, Webhook, WebhookDelivery,
};

use crate::App;
use crate::webhooks::backoff::{asked_pause, furthest_waits, pause_after};
use crate::webhooks::description::entity;
use crate::webhooks::secret::{UnsignedMessage, signatures};
use crate::webhooks::sender::{SendError, WebhookAnswer, WebhookMessage};

/// Longer than an attempt takes. When a server dies, another one tries after that.
const LEASED_FOR: Lifetime = Lifetime::from_seconds(60);

/// As much of an answer as the log keeps: an error message, and no page.
const ANSWER_LONGEST: usize = 500;

/// A receiver that answers so wants nothing any more.
const GONE: u16 = 410;

/// A delivery that this server is to try.
#[derive(Debug)]
pub struct ClaimedDelivery {
    delivery: WebhookDelivery,
    lease: Lease,
}

/// Claims deliveries that are due, so many at most. None, if this server sends none.
///
/// # Errors
/// If the store does not answer.
pub async fn claim_due(app: &App, at_most: u32) -> Result<Vec<ClaimedDelivery>, StorageError> {
    let at = app.now();
    let furthest = furthest_waits(at);
    let next = app.store().next_webhook_delivery(furthest).await?;
    if app.webhook_sender().is_none() || next.is_none_or(|next| next > at) {
        return Ok(Vec::new());
    }
    let lease = Lease { at, until: at + LEASED_FOR };
    let claimed = app.store().claim_webhook_deliveries(lease, furthest, at_most).await?;
    Ok(claimed.into_iter().map(|delivery| ClaimedDelivery { delivery, lease }).collect())
}

/// Tries a delivery, and notes what came of it.
///
/// # Errors
/// If the store does not answer. The delivery is tried again when its lease is over.
pub async fn deliver(app: &App, claimed: ClaimedDelivery) -> Result<(), StorageError> {
    let ClaimedDelivery { delivery, lease } = claimed;
    let found = app.store().find_webhook(&delivery.webhook).await?;
    let (Some(webhook), Some(sender)) = (found, app.webhook_sender()) else { return Ok(()) };
    // Receivers refuse a timestamp that is minutes off their own clocks.
    let at = app.wall_time();
    let message = signed(app, &webhook, &delivery, at).await?;
    let started = Instant::now();
    let sent = sender.send(message).await;
    let took_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
    let [chance] = app.random();
    let Judgement { outcome, due_in, held_for, is_gone } = judge(&sent, delivery.attempts, chance);
    app.monitor().tried_webhook(if outcome == DeliveryOutcome::Delivered {
        "ok"
    } else {
        "failed"
    });
    let (status, answer) = match &sent {
        Ok(answer) => (Some(answer.status), shortened(&answer.beginning)),
        Err(error) => (None, shortened(&error.to_string())),
    };
    if outcome == DeliveryOutcome::Failed {
        let (id, project, attempts) = (&webhook.id, webhook.project, delivery.attempts);
        tracing::warn!(
            "webhook {id} of project {project} did not take {}, and is not asked again: {}; attempts: {attempts}",
            delivery.message,
            status.map_or_else(|| "no answer".to_owned(), |status| format!("status {status}")),
        );
    }
    let now = app.now();
    let settled = SettledAttempt {
        webhook: delivery.webhook,
        message: delivery.message,
        leased_until: lease.until,
        attempt: DeliveryAttempt { at, status, took_ms, answer },
        outcome,
        due_at: due_in.map(|pause| now + pause),
        held_until: held_for.map(|pause| now + pause),
    };
    let switch_off = is_gone.then(|| SwitchOff {
        because: OffBecause::Gone,
        entry: switched_off(app, &webhook),
        url: webhook.url,
    });
    app.store().settle_webhook_delivery(settled, switch_off).await.map(drop)
}

/// The request, with the headers of Standard Webhooks.
async fn signed(
    app: &App,
    webhook: &Webhook,
    delivery: &WebhookDelivery,
    at: Timestamp,
) -> Result<WebhookMessage, StorageError> {
    let (id, body) = (&*delivery.message, &*delivery.body);
    let signatures = signatures(app, webhook, UnsignedMessage { id, body, at }).await?;
    let seconds = at.as_milliseconds().div_euclid(1_000).to_string();
    Ok(WebhookMessage {
        url: SecretString::from(webhook.url.as_str()),
        headers: [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", seconds),
            ("webhook-signature", signatures),
        ],
        body: body.to_owned(),
    })
}

/// What an attempt comes to.
#[derive(Debug, PartialEq, Eq)]
struct Judgement {
    outcome: DeliveryOutcome,
    /// After what time it is tried again.
    due_in: Option<Lifetime>,
    /// For how long the receiver wants nothing of this webhook.
    held_for: Option<Lifetime>,
    is_gone: bool,
}

/// Judges the attempt with this number.
fn judge(sent: &Result<WebhookAnswer, SendError>, attempt: u32, chance: u8) -> Judgement {
    let held_for = sent.as_ref().ok().and_then(asked_pause);
    let (outcome, due_in, is_gone) = match sent {
        Ok(answer) if (200..300).contains(&answer.status) => {
            (DeliveryOutcome::Delivered, None, false)
        }
        Ok(answer) if answer.status == GONE => (DeliveryOutcome::Failed, None, true),
        Ok(_) | Err(_) => match pause_after(attempt, chance) {
            // Never sooner than without the answer: ten attempts are to last for three days.
            Some(pause) => (DeliveryOutcome::Due, Some(pause).max(held_for), false),
            None => (DeliveryOutcome::Failed, None, false),
        },
    };
    Judgement { outcome, due_in, held_for, is_gone }
}

/// The beginning of an answer on one line, without what no database or terminal takes.
fn shortened(answer: &str) -> String {
    let words = answer.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(ANSWER_LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn switched_off(app: &App, webhook: &Webhook) -> NewAuditEntry {
    NewAuditEntry {
        event: AuditEvent::WebhookSwitchedOff,
        act: app.act(ActorKind::Unknown, None),
        member: None,
        client_id: None,
        detail: OffBecause::Gone.as_str().to_owned(),
        project: Some(ProjectChange {
            id: webhook.project,
            entity: entity(&webhook.id),
            change: String::new(),
            request_id: String::new(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use storage::DeliveryOutcome;

    use super::{judge, shortened};
    use crate::webhooks::sender::{SendError, WebhookAnswer};

    #[test]
    fn a_status_of_success_delivers_and_anything_else_is_tried_ten_times() {
        let status =
            |status| Ok(WebhookAnswer { status, beginning: String::new(), retry_after: None });
        let outcome = |sent, attempt| judge(&sent, attempt, 0).outcome;

        for taken in [200, 201, 204, 299] {
            assert_eq!(outcome(status(taken), 1), DeliveryOutcome::Delivered, "{taken}");
        }
        for refused in [100, 301, 302, 307, 400, 401, 404, 409, 429, 500, 503] {
            assert_eq!(outcome(status(refused), 9), DeliveryOutcome::Due, "{refused}");
            assert_eq!(outcome(status(refused), 10), DeliveryOutcome::Failed, "{refused}");
        }
        let silent = || Err(SendError("timeout".to_owned()));
        assert_eq!(outcome(silent(), 1), DeliveryOutcome::Due);
        assert_eq!(outcome(silent(), 10), DeliveryOutcome::Failed);
        let gone = judge(&status(410), 1, 0);
        assert!(gone.is_gone && gone.outcome == DeliveryOutcome::Failed);
    }

    #[test]
    fn of_an_answer_one_short_line_is_kept() {
        assert_eq!(shortened(" a\r\n\tb\0c \u{1b}[31m"), "a b c [31m");
        assert_eq!(shortened(&"é".repeat(501)), format!("{}…", "é".repeat(500)));
    }
}
