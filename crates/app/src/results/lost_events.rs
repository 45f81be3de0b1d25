//! Lost files of events that the results of a campaign would need: figures without them would be wrong, and nothing would show it.

use std::collections::BTreeSet;

use domain::ProjectId;
use events::Millis;
use oauth::Timestamp;
use storage::{EventFile, LostEventDay};

use crate::App;
use crate::events::{EventFilesError, days_of, lost_event_files};
use crate::results::experiment_history::Span;

/// The lost files of a project, as they matter for a campaign.
pub(super) struct LostForCampaign {
    files: Vec<EventFile>,
    span: Span,
}

impl LostForCampaign {
    /// For the campaign whose visitors took part at these times.
    pub(super) async fn find(
        app: &App,
        project: ProjectId,
        span: Span,
    ) -> Result<Self, EventFilesError> {
        Ok(Self { files: lost_event_files(app, project).await?, span })
    }

    /// Those that may have exposures to the campaign.
    pub(super) fn with_exposures(&self) -> Vec<LostEventDay> {
        self.days(|file| may_have_exposures(self.span, file.received_until))
    }

    /// Those that may have events of its visitors, which count since then.
    pub(super) fn with_events_since(&self, since: Millis) -> Vec<LostEventDay> {
        self.days(|file| file.last_at >= since.0)
    }

    /// The names of all.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.files.iter().map(|file| file.name.clone()).collect()
    }

    /// The days of those that may matter; what happened after the end does not count.
    fn days(&self, may_matter: impl Fn(&EventFile) -> bool) -> Vec<LostEventDay> {
        let counts = |file: &&EventFile| !self.span.is_over(Millis(file.first_at));
        days_of(self.files.iter().filter(counts).filter(|file| may_matter(file)))
    }
}

/// Whether there may be exposures to a campaign among events that came until then: what came before its first revision has none, not even imported ones.
/// A clock may have been behind, as by less than a day.
pub(super) fn may_have_exposures(span: Span, received_until: Timestamp) -> bool {
    span.known.is_none_or(|known| received_until.as_milliseconds() >= known.before_days(1).0)
}
