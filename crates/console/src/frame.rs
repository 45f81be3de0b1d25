//! What surrounds the content of a member's page: the member, the places of the console, and the message of the last act.

use domain::ProjectId;
use web::Session;

use crate::home;
use crate::message::Message;

/// The frame of a page.
pub(crate) struct Frame {
    pub(crate) member_email: String,
    /// The field `csrf` of every form on the page.
    pub(crate) form_token: String,
    /// Where in the console the page is.
    pub(crate) tab: NavigationTab,
    pub(crate) message: Option<Message>,
    /// Where the draft is published that the message tells of.
    pub(crate) publishing: Option<String>,
}

/// A tab in the bar at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NavigationTab {
    Projects,
    Members,
    Applications,
    AuditLog,
    Account,
    /// Where nothing is that a member may see.
    Elsewhere,
}

impl Frame {
    pub(crate) fn new(session: &Session, tab: NavigationTab) -> Self {
        Self {
            member_email: session.member.email.clone(),
            form_token: session.form_token().shown(),
            tab,
            message: None,
            publishing: None,
        }
    }

    pub(crate) fn with_message(self, message: Option<Message>) -> Self {
        Self { message, ..self }
    }

    /// The same for a page of a project: a message about its draft leads to where that is published.
    pub(crate) fn with_message_of(self, project: ProjectId, message: Option<Message>) -> Self {
        let is_about_draft = message.is_some_and(|message| message.words.contains("the draft"));
        let publishing = is_about_draft.then(|| home::publishing_path(project));
        Self { message, publishing, ..self }
    }
}
