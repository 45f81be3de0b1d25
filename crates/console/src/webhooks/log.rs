//! A part of the log of deliveries, as the page of a webhook shows it.

use oauth::Moment;
use storage::{DeliveryAttempt, DeliveryOutcome, ListRange, WebhookDelivery};

/// As many as a member looks through at once.
const PER_PAGE: u32 = 20;

/// A part of the log.
pub(super) struct Log {
    pub(super) total: u64,
    pub(super) lines: Vec<LogLine>,
    pub(super) newer: Option<u32>,
    pub(super) older: Option<u32>,
}

/// A delivery.
pub(super) struct LogLine {
    pub(super) message: String,
    pub(super) event: String,
    pub(super) made: Moment,
    pub(super) state: &'static str,
    pub(super) mood: &'static str,
    pub(super) attempts: u32,
    /// What came of the last attempt.
    pub(super) last: Option<String>,
    /// What came of those before, and when they were made.
    pub(super) earlier: Vec<(Moment, String)>,
    pub(super) next: Option<Moment>,
    pub(super) body: String,
}

/// The page with this number.
pub(super) fn page(number: u32) -> ListRange {
    ListRange { page: number.max(1), per_page: PER_PAGE }
}

impl Log {
    pub(super) fn of(deliveries: &[WebhookDelivery], total: u64, page: ListRange) -> Self {
        let is_more = u64::from(page.page) * u64::from(page.per_page) < total;
        Self {
            total,
            lines: deliveries.iter().map(LogLine::of).collect(),
            newer: (page.page > 1).then(|| page.page - 1),
            older: is_more.then(|| page.page + 1),
        }
    }
}

impl LogLine {
    fn of(delivery: &WebhookDelivery) -> Self {
        let (state, mood) = match (delivery.outcome, delivery.attempts) {
            (DeliveryOutcome::Delivered, _) => ("delivered", "good"),
            (DeliveryOutcome::Failed, _) => ("failed", "lost"),
            (DeliveryOutcome::Due, 0) => ("waiting", ""),
            (DeliveryOutcome::Due, _) => ("to be tried again", "held"),
        };
        Self {
            message: delivery.message.clone(),
            event: delivery.event.clone(),
            made: Moment::from(delivery.made_at),
            state,
            mood,
            attempts: delivery.attempts,
            last: delivery.last.as_ref().map(outcome_in_words),
            earlier: delivery
                .earlier
                .iter()
                .map(|one| (Moment::from(one.at), outcome_in_words(one)))
                .collect(),
            next: delivery.due_at.filter(|_| delivery.attempts > 0).map(Moment::from),
            body: delivery.body.clone(),
        }
    }
}

/// The answer to an attempt, or why there was none.
fn outcome_in_words(attempt: &DeliveryAttempt) -> String {
    let DeliveryAttempt { status, took_ms, answer, .. } = attempt;
    let said = if answer.is_empty() { String::new() } else { format!(": {answer}") };
    match status {
        Some(status) => format!("Status {status} after {took_ms} ms{said}"),
        None => format!("No answer after {took_ms} ms{said}"),
    }
}
