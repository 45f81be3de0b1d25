//! The receivers of all webhooks of a story: they keep what they got, and answer as the story says.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Mutex;

use app::webhooks::{SendError, WebhookAnswer, WebhookMessage, WebhookSender, is_public};
use async_trait::async_trait;
use oauth::Lifetime;
use serde_json::Value;

/// The receivers. They answer 204 unless the story says otherwise.
#[derive(Default)]
pub(crate) struct Receiver {
    answers: Mutex<VecDeque<Result<WebhookAnswer, SendError>>>,
    got: Mutex<Vec<WebhookMessage>>,
}

impl Receiver {
    /// The next requests are answered with these statuses; 0 is no answer.
    pub(crate) fn will_answer(&self, statuses: &[u16]) {
        let answers = statuses.iter().map(|status| match status {
            0 => Err(SendError("no answer".to_owned())),
            status => Ok(answer(*status)),
        });
        self.answers.lock().unwrap().extend(answers);
    }

    /// The next request is answered with this status, and with the wish to be left alone for so many seconds.
    pub(crate) fn will_ask_for_time(&self, status: u16, seconds: i64) {
        let retry_after = Some(Lifetime::from_seconds(seconds));
        let answer = WebhookAnswer { retry_after, ..answer(status) };
        self.answers.lock().unwrap().push_back(Ok(answer));
    }

    /// What has come since the story last looked.
    pub(crate) fn got(&self) -> Vec<WebhookMessage> {
        std::mem::take(&mut *self.got.lock().unwrap())
    }

    /// The events that have come since the story last looked.
    pub(crate) fn events(&self) -> Vec<String> {
        let bodies = self.got().into_iter().map(|message| body(&message));
        bodies.map(|body| body["type"].as_str().unwrap().to_owned()).collect()
    }
}

fn answer(status: u16) -> WebhookAnswer {
    WebhookAnswer { status, beginning: "so\0 it\nis".to_owned(), retry_after: None }
}

pub(crate) fn body(message: &WebhookMessage) -> Value {
    serde_json::from_str(&message.body).unwrap()
}

#[async_trait]
impl WebhookSender for Receiver {
    fn may_reach(&self, address: IpAddr) -> bool {
        is_public(address)
    }

    fn has_own_networks(&self) -> bool {
        false
    }

    fn is_in_own_network(&self, _address: IpAddr) -> bool {
        false
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, SendError> {
        self.got.lock().unwrap().push(message);
        let next = self.answers.lock().unwrap().pop_front();
        next.unwrap_or_else(|| Ok(answer(204)))
    }
}
