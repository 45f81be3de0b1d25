//! What surrounds a page of a project: its name, and the places that a member goes to from it.

use app::App;
use app::drafts::{OpenedDraft, find_readable_draft};
use app::roles::{Actor, Permission, RoleError};
use domain::ProjectId;

use crate::archiving::{self, archived_note};
use crate::refusal::Refusal;

/// The project that a page belongs to, and the place that the page is.
pub(crate) struct ProjectFrame {
    pub(crate) id: ProjectId,
    pub(crate) title: String,
    /// By which a member names it where a slip would cost much.
    pub(crate) key: String,
    /// Whether the member may change the draft, and so see preview links and webhooks.
    pub(crate) may_write: bool,
    /// What the top of the page says where the project is archived, in the draft or live.
    pub(crate) archived: Option<String>,
    tab: Tab,
}

/// A place of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Overview,
    Campaigns,
    Pages,
    Audiences,
    Events,
    Metrics,
    Attributes,
    Groups,
    Length,
    Decide,
    Preview,
    Install,
    Schedule,
    Size,
    History,
    Settings,
}

/// Places that belong together, in the order in which a member needs them.
pub(crate) struct Section {
    /// Empty for the first, which needs no heading.
    pub(crate) words: &'static str,
    pub(crate) tabs: Vec<ShownTab>,
}

/// A place as a link.
pub(crate) struct ShownTab {
    pub(crate) words: &'static str,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}

const SECTIONS: [(&str, &[Tab]); 5] = [
    ("", &[Tab::Overview, Tab::Campaigns, Tab::Groups, Tab::Schedule]),
    ("Targeting", &[Tab::Pages, Tab::Audiences, Tab::Attributes]),
    ("Measuring", &[Tab::Events, Tab::Metrics, Tab::Length]),
    ("Checking", &[Tab::Preview, Tab::Decide]),
    ("Project", &[Tab::Install, Tab::Size, Tab::History, Tab::Settings]),
];

impl ProjectFrame {
    /// The frame of a project that the member may read.
    pub(crate) async fn of(
        app: &App,
        actor: &Actor,
        id: ProjectId,
        tab: Tab,
    ) -> Result<Self, Refusal> {
        let draft = find_readable_draft(app, actor, id).await?;
        let (name, key) = match &draft {
            OpenedDraft::Read(draft) => (draft.project.name.as_deref(), draft.project.key.as_str()),
            OpenedDraft::Unreadable(draft) => (draft.name(), draft.key()),
        };
        let (title, key) = (name.unwrap_or(key).to_owned(), key.to_owned());
        let may_write = may_write(app, actor, id).await?;
        let archived = match &draft {
            OpenedDraft::Read(draft) => archived_note(app, actor, draft).await?,
            OpenedDraft::Unreadable(_) => None,
        };
        Ok(Self { id, title, key, may_write, archived, tab })
    }

    pub(crate) fn sections(&self) -> impl Iterator<Item = Section> {
        SECTIONS.into_iter().map(|(words, tabs)| Section {
            words,
            tabs: tabs
                .iter()
                .filter(|tab| self.leads_to(**tab))
                .map(|&tab| self.shown(tab))
                .collect(),
        })
    }

    /// Where the project is archived, restored or deleted.
    pub(crate) fn archiving_path(&self) -> String {
        archiving::path(self.id)
    }

    /// The place that the page is at.
    pub(crate) fn current(&self) -> &'static str {
        self.tab.words()
    }

    /// Whether the page is not refused to the member.
    fn leads_to(&self, tab: Tab) -> bool {
        self.may_write || tab != Tab::Preview
    }

    fn shown(&self, tab: Tab) -> ShownTab {
        ShownTab { words: tab.words(), path: tab.path(self.id), is_current: tab == self.tab }
    }
}

/// Whether the member may change the draft of a project.
pub(crate) async fn may_write(app: &App, actor: &Actor, id: ProjectId) -> Result<bool, Refusal> {
    may(app, actor, id, Permission::WriteDraft).await
}

/// Whether the member has a permission in a project.
pub(crate) async fn may(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    permission: Permission,
) -> Result<bool, Refusal> {
    match actor.require(app, Some(id), permission).await {
        Ok(()) => Ok(true),
        Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(false),
        Err(RoleError::Storage(error)) => Err(error.into()),
    }
}

impl Tab {
    const fn words(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Campaigns => "Campaigns",
            Self::Pages => "Pages",
            Self::Audiences => "Audiences",
            Self::Events => "Events",
            Self::Metrics => "Metrics",
            Self::Attributes => "Attributes",
            Self::Groups => "Groups",
            Self::Length => "How long it takes",
            Self::Decide => "Explain a decision",
            Self::Preview => "Preview",
            Self::Install => "Install",
            Self::Schedule => "Schedule",
            Self::Size => "Snippet size",
            Self::History => "History",
            Self::Settings => "Settings",
        }
    }

    fn path(self, id: ProjectId) -> String {
        match self {
            Self::Overview => format!("/projects/{id}"),
            Self::Campaigns => format!("/projects/{id}/campaigns"),
            Self::Pages => format!("/projects/{id}/pages"),
            Self::Audiences => format!("/projects/{id}/audiences"),
            Self::Events => format!("/projects/{id}/events"),
            Self::Metrics => format!("/projects/{id}/metrics"),
            Self::Length => format!("/projects/{id}/length"),
            Self::Attributes => format!("/projects/{id}/attributes"),
            Self::Groups => format!("/projects/{id}/groups"),
            Self::Decide => format!("/projects/{id}/decide"),
            Self::Preview => format!("/projects/{id}/preview"),
            Self::Install => format!("/projects/{id}/install"),
            Self::Schedule => format!("/projects/{id}/schedule"),
            Self::Size => format!("/projects/{id}/size"),
            Self::History => format!("/projects/{id}/history"),
            Self::Settings => format!("/projects/{id}/settings"),
        }
    }
}
