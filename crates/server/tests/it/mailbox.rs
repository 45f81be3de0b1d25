//! Where the mail of a site goes in a story.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use app::{Mail, MailError, Mailer};
use async_trait::async_trait;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Keeps the mail.
pub(crate) struct Mailbox {
    arriving: UnboundedSender<Mail>,
    arrived: Mutex<UnboundedReceiver<Mail>>,
    is_broken: AtomicBool,
}

impl Mailbox {
    pub(crate) fn new() -> Arc<Self> {
        let (arriving, arrived) = unbounded_channel();
        Arc::new(Self { arriving, arrived: Mutex::new(arrived), is_broken: AtomicBool::default() })
    }

    /// The next mail, when it is there.
    pub(crate) async fn next(&self) -> Mail {
        self.arrived.lock().await.recv().await.unwrap()
    }

    /// From now on it takes no mail.
    pub(crate) fn break_down(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
    }
}

#[async_trait]
impl Mailer for Mailbox {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(MailError("it is broken".to_owned()));
        }
        self.arriving.send(mail).map_err(|_| MailError("it is gone".to_owned()))
    }
}
