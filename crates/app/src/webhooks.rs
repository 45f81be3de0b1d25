//! Webhooks: other systems hear of what happens in a project. `documents/announcements.rs` says what there is to hear of a publication;
//! the store keeps it for each webhook in the same commit, and `deliver.rs` sends it, from whichever server comes first.

mod add;
mod address;
mod backoff;
mod change;
mod deliver;
mod deliveries;
mod description;
mod dto;
mod list;
mod remove;
mod request;
mod results;
mod secret;
mod sender;
mod test;

pub use add::{AddWebhookError, MadeWebhook, NewWebhook, add_webhook};
pub use address::{host_of, is_public};
pub use change::{ChangeWebhookError, ChangedWebhook, change_webhook, renew_webhook_secret};
pub use deliver::{ClaimedDelivery, claim_due, deliver};
pub use deliveries::{RedeliverError, find_delivery, list_deliveries, redeliver};
pub use dto::{WebhookAttemptDto, WebhookDeliveryDto, WebhookDto, webhook_json};
pub use list::{find_webhook, list_holds, list_webhooks};
pub use remove::remove_webhook;
pub use request::{WebhookPatch, WebhookRequest};
pub use results::{AnnouncedResults, announce_results};
pub use sender::{SendError, WebhookAnswer, WebhookMessage, WebhookSender};
pub use test::{SwitchedOff, send_test};
