//! The states of a campaign, and the actions between them.

use domain::CampaignStatus;

/// An action on a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignAction {
    /// Visitors take part from now on.
    Start,
    /// Visitors see nothing of it until it resumes.
    Pause,
    /// It continues as before.
    Resume,
    /// It ends.
    Conclude,
    /// It is archived.
    Archive,
    /// It is restored.
    Restore,
}

impl CampaignAction {
    /// Every action.
    pub const ALL: [Self; 6] =
        [Self::Start, Self::Pause, Self::Resume, Self::Conclude, Self::Archive, Self::Restore];

    /// The action as spelled in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Conclude => "conclude",
            Self::Archive => "archive",
            Self::Restore => "restore",
        }
    }

    /// The action with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.word() == name)
    }

    /// Whether visitors notice it.
    #[must_use]
    pub fn is_seen_by_visitors(self) -> bool {
        match self {
            Self::Start | Self::Pause | Self::Resume | Self::Conclude => true,
            Self::Archive | Self::Restore => false,
        }
    }

    /// The status after this action; `None` where it is not possible. Restoring a campaign that visitors have taken part in makes it
    /// paused.
    pub(super) fn next(self, from: CampaignStatus, history: History) -> Option<CampaignStatus> {
        use CampaignStatus::{Archived, Concluded, NotStarted, Paused, Running};
        match (self, from) {
            (Self::Start, NotStarted) | (Self::Resume, Paused) => Some(Running),
            (Self::Pause, Running) => Some(Paused),
            (Self::Conclude, Running | Paused) => Some(Concluded),
            (Self::Archive, NotStarted | Paused | Concluded) => Some(Archived),
            (Self::Restore, Archived) => Some(match history {
                History::New => NotStarted,
                History::Published => Paused,
            }),
            (
                Self::Start
                | Self::Pause
                | Self::Resume
                | Self::Conclude
                | Self::Archive
                | Self::Restore,
                NotStarted | Running | Paused | Concluded | Archived,
            ) => None,
        }
    }

    /// The actions possible in this status.
    #[must_use]
    pub fn possible(from: CampaignStatus) -> Vec<Self> {
        let possible = Self::ALL.into_iter();
        possible.filter(|action| action.next(from, History::New).is_some()).collect()
    }
}

/// Whether visitors can have taken part in a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum History {
    /// It was never published.
    New,
    /// It was.
    Published,
}

#[cfg(test)]
mod tests {
    use domain::CampaignStatus;

    use super::CampaignAction;

    #[test]
    fn each_state_tells_what_is_possible() {
        let possible = |status| {
            let possible = CampaignAction::possible(status).into_iter();
            possible.map(CampaignAction::word).collect::<Vec<_>>().join(" ")
        };

        assert_eq!(possible(CampaignStatus::NotStarted), "start archive");
        assert_eq!(possible(CampaignStatus::Running), "pause conclude");
        assert_eq!(possible(CampaignStatus::Paused), "resume conclude archive");
        assert_eq!(possible(CampaignStatus::Concluded), "archive");
        assert_eq!(possible(CampaignStatus::Archived), "restore");
    }
}
