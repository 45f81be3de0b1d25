//! What a publication announces to webhooks: the difference of two live documents, in the words of events.

use std::collections::HashMap;

use domain::{Campaign, CampaignId, CampaignStatus, Project, ProjectId};
use oauth::{Moment, Timestamp};
use serde_json::{Value, json};
use storage::Announcement;

/// Campaigns that a publication announces. A document may have ten thousand; a receiver that wants more reads the revision.
const CAMPAIGNS_AT_MOST: usize = 100;

/// Makes the enum of events with their names and meanings.
macro_rules! webhook_events {
    ($($name:ident, $word:literal, $meaning:literal;)+) => {
        /// Something that webhooks hear of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum WebhookEvent {
            $(#[doc = $meaning] $name,)+
        }

        impl WebhookEvent {
            /// Every event, in the order in which people look for them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The event as programs spell it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)+ }
            }
        }
    };
}

webhook_events! {
    RevisionPublished, "revision.published", "A revision of the project went live.";
    CampaignStarted, "campaign.started", "Visitors get a campaign that they did not get before.";
    CampaignStartMissed, "campaign.start_missed", "A campaign was to start by its schedule while no server ran, and will no longer start by itself.";
    CampaignPaused, "campaign.paused", "A campaign that was running is interrupted.";
    CampaignResumed, "campaign.resumed", "A paused campaign is running again.";
    CampaignConcluded, "campaign.concluded", "A campaign that was running or paused is finished.";
    CampaignArchived, "campaign.archived", "A campaign is archived.";
    CampaignRemoved, "campaign.removed", "A campaign that was running or paused is gone from the live document.";
    ProjectArchived, "project.archived", "The project is archived: visitors get none of its campaigns.";
    ProjectRestored, "project.restored", "The project is not archived any more.";
    ResultsDecided, "results.decided", "The results of an experiment of a running campaign have come to a verdict.";
    ResultsAlarm, "results.alarm", "The results of an experiment cannot be trusted: visitors did not come in the shares of the weights.";
}

/// The event of a test that a member asks for. It is in no list: a webhook gets it whatever it wants.
pub(crate) const TEST_EVENT: &str = "webhook.test";

/// What all announcements of a moment have in common.
pub(crate) struct Announcer {
    /// When it happened.
    pub(crate) at: Timestamp,
    /// Distinguishes its ids from those of every other moment.
    pub(crate) random: [u8; 8],
    /// Where the console has pages of the project, without a slash at the end.
    pub(crate) console: String,
}

/// What a publication says about itself.
pub(crate) struct PublicationNote<'a> {
    /// The publisher, in words for people.
    pub(crate) by: &'a str,
    /// Their message.
    pub(crate) message: &'a str,
    /// The revision that it restores.
    pub(crate) restored_from: Option<u32>,
}

impl Announcer {
    /// An announcement: its event, a sentence about it for people, and its data for programs. `place` puts those of one moment in order.
    pub(crate) fn announce(
        &self,
        place: usize,
        (event, text, data): (&str, &str, Value),
    ) -> Announcement {
        // Ids sort by time, as deliveries do.
        let milliseconds = self.at.as_milliseconds();
        let message = format!("msg_{milliseconds:012x}{place:04x}{}", hex::encode(self.random));
        let timestamp = Moment::from(self.at).machine();
        // Chats take what is in angle brackets for commands, such as one that calls all members of a channel.
        let text = text.replace('<', "‹").replace('>', "›");
        let body = json!({"type": event, "timestamp": timestamp, "text": text, "data": data});
        Announcement { message, event: event.to_owned(), at: self.at, body }
    }

    /// The address of a page of the console.
    pub(crate) fn page(&self, project: ProjectId, path: &str) -> String {
        format!("{}/projects/{project}{path}", self.console)
    }

    /// A campaign, for receivers.
    pub(crate) fn campaign(&self, project: ProjectId, campaign: &Campaign) -> Value {
        json!({
            "id": campaign.id.to_string(),
            "key": campaign.key.as_str(),
            "name": campaign.name,
            "type": campaign.kind,
            "status": campaign.status,
            "shipped": campaign.is_shipped(),
            "url": self.page(project, &format!("/campaigns/{}", campaign.id)),
        })
    }
}

/// What people call a project.
pub(crate) fn announced_title(project: &Project) -> &str {
    project.name.as_deref().unwrap_or(project.key.as_str())
}

/// A project, for receivers.
pub(crate) fn announced_project(project: &Project) -> Value {
    json!({"id": project.id.to_string(), "key": project.key.as_str(), "name": project.name})
}

/// What goes live with `after` where `before` was live: the revision first, then each campaign that visitors notice, in the document's order. The
/// number of the revision is still 0 in them: the store knows it.
pub(crate) fn announcements(
    announcer: &Announcer,
    (before, after): (Option<&Project>, &Project),
    note: &PublicationNote<'_>,
) -> Vec<Announcement> {
    let campaigns = campaign_events(before, after);
    let data = || json!({"project": announced_project(after), "revision": 0, "by": note.by});
    let mut published = data();
    published["message"] = note.message.into();
    published["restored_from"] = note.restored_from.into();
    published["campaigns"] = campaigns.len().into();
    published["url"] = announcer.page(after.id, "/history").into();
    let title = announced_title(after);
    let about = match note.message {
        "" => format!("{title}: a revision went live, by {}", note.by),
        message => format!("{title}: a revision went live, by {}: {message}", note.by),
    };
    let mut found = vec![(WebhookEvent::RevisionPublished, about, published)];
    found.extend(archival(before, after).map(|event| {
        let text = format!("{title}: the project {}, by {}", words(event), note.by);
        (event, text, data())
    }));
    let shown = campaigns.into_iter().take(CAMPAIGNS_AT_MOST).map(|(event, campaign)| {
        let mut data = data();
        data["campaign"] = announcer.campaign(after.id, campaign);
        (event, format!("{title}: {} {}, by {}", campaign.title(), words(event), note.by), data)
    });
    found.extend(shown);
    let places = found.into_iter().enumerate();
    places
        .map(|(place, (event, text, data))| {
            announcer.announce(place, (event.as_str(), &text, data))
        })
        .collect()
}

/// The rest of a sentence about a campaign or a project.
const fn words(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::RevisionPublished => "went live",
        WebhookEvent::CampaignStarted => "started",
        WebhookEvent::CampaignPaused => "is paused",
        WebhookEvent::CampaignResumed => "runs again",
        WebhookEvent::CampaignConcluded => "is concluded",
        WebhookEvent::CampaignArchived | WebhookEvent::ProjectArchived => "is archived",
        WebhookEvent::CampaignRemoved => "is removed",
        WebhookEvent::ProjectRestored => "is restored",
        WebhookEvent::ResultsDecided => "has a verdict",
        WebhookEvent::ResultsAlarm => "has an alarm",
        WebhookEvent::CampaignStartMissed => "was to start, and did not",
    }
}

fn archival(before: Option<&Project>, after: &Project) -> Option<WebhookEvent> {
    match (before.is_some_and(|before| before.archived), after.archived) {
        (false, true) => Some(WebhookEvent::ProjectArchived),
        (true, false) => Some(WebhookEvent::ProjectRestored),
        (true, true) | (false, false) => None,
    }
}

/// The campaigns whose status is another than before, with what that means; then those that are gone.
fn campaign_events<'p>(
    before: Option<&'p Project>,
    after: &'p Project,
) -> Vec<(WebhookEvent, &'p Campaign)> {
    let earlier = before.map_or(&[][..], |before| &before.campaigns[..]);
    let known: HashMap<CampaignId, CampaignStatus> =
        earlier.iter().map(|campaign| (campaign.id, campaign.status)).collect();
    let changed = after.campaigns.iter().filter_map(|campaign| {
        Some((happened(known.get(&campaign.id).copied(), campaign.status)?, &**campaign))
    });
    let gone = earlier.iter().filter(|campaign| {
        let was_on = matches!(campaign.status, CampaignStatus::Running | CampaignStatus::Paused);
        was_on && after.campaign(campaign.id).is_none()
    });
    let gone = gone.map(|campaign| (WebhookEvent::CampaignRemoved, &**campaign));
    changed.chain(gone).collect()
}

/// What it means that a campaign has this status now. What never ran does not end.
fn happened(before: Option<CampaignStatus>, after: CampaignStatus) -> Option<WebhookEvent> {
    use CampaignStatus::{Archived, Concluded, NotStarted, Paused, Running};
    match (before, after) {
        (Some(Paused), Running) => Some(WebhookEvent::CampaignResumed),
        (None | Some(NotStarted | Concluded | Archived), Running) => {
            Some(WebhookEvent::CampaignStarted)
        }
        // A project file may say that what runs has not started: it is off until it says otherwise.
        (Some(Running), Paused | NotStarted) => Some(WebhookEvent::CampaignPaused),
        (Some(Running | Paused), Concluded) => Some(WebhookEvent::CampaignConcluded),
        (Some(NotStarted | Running | Paused | Concluded), Archived) => {
            Some(WebhookEvent::CampaignArchived)
        }
        (Some(Running), Running)
        | (None | Some(NotStarted | Paused | Concluded | Archived), Paused | NotStarted)
        | (None | Some(NotStarted | Concluded | Archived), Concluded)
        | (None | Some(Archived), Archived) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{CampaignStatus, Project};
    use oauth::Timestamp;
    use serde_json::{Value, json};

    use super::{Announcer, CAMPAIGNS_AT_MOST, PublicationNote, WebhookEvent, announcements};

    fn announcer() -> Announcer {
        let at = Timestamp::from_milliseconds(1_800_000_000_000);
        Announcer { at, random: [7; 8], console: "https://assay.example".to_owned() }
    }

    /// A shop whose campaigns have these statuses, in this order, counted from campaign 3001.
    fn shop(statuses: &[&str]) -> Project {
        let campaign = |(place, status): (usize, &&str)| {
            json!({
                "id": (3_001 + place).to_string(), "key": format!("c{place}"), "type": "ab_test", "status": status, "pages": ["home"],
                "experiments": [{"id": (4_001 + place).to_string(), "key": "e", "variations": [
                    {"id": (50_001 + place).to_string(), "key": "a", "weight": 10_000},
                ]}],
            })
        };
        let campaigns: Vec<Value> = statuses.iter().enumerate().map(campaign).collect();
        let document = json!({
            "version": 1, "project": {"id": "1000", "key": "shop", "name": "Shop"}, "campaigns": campaigns,
            "pages": [{"id": "2001", "key": "home", "conditions": []}],
        });
        domain::parse_value(&document).unwrap().0
    }

    fn announced(before: Option<&Project>, after: &Project) -> Vec<storage::Announcement> {
        let note = PublicationNote { by: "ann", message: "Go", restored_from: None };
        announcements(&announcer(), (before, after), &note)
    }

    fn events(before: &[&str], after: &[&str]) -> Vec<String> {
        let told = announced(Some(&shop(before)), &shop(after));
        let (published, campaigns) = told.split_first().unwrap();
        assert_eq!(published.event, "revision.published");
        let name =
            |told: &storage::Announcement| told.event.strip_prefix("campaign.").unwrap().to_owned();
        campaigns.iter().map(name).collect()
    }

    #[test]
    fn each_change_of_a_status_that_visitors_notice_is_an_event() {
        let [not_started, running, paused] = ["not_started", "running", "paused"];
        for (before, after, expected) in [
            (not_started, running, "started"),
            ("concluded", running, "started"),
            ("archived", running, "started"),
            (paused, running, "resumed"),
            (running, paused, "paused"),
            (running, not_started, "paused"),
            (running, "concluded", "concluded"),
            (paused, "concluded", "concluded"),
            (running, "archived", "archived"),
            (not_started, "archived", "archived"),
        ] {
            assert_eq!(events(&[before], &[after]), [expected], "{before} {after}");
        }
        for (before, after) in [
            (not_started, not_started),
            (not_started, paused),
            (not_started, "concluded"),
            (running, running),
            (paused, paused),
            (paused, not_started),
            ("concluded", "concluded"),
            ("archived", "concluded"),
        ] {
            assert_eq!(events(&[before], &[after]), <[&str; 0]>::default(), "{before} {after}");
        }
    }

    #[test]
    fn campaigns_that_come_or_go_while_they_run_are_events() {
        assert_eq!(events(&[], &["running", "not_started", "concluded"]), ["started"]);
        assert_eq!(events(&["running", "paused", "concluded"], &[]), ["removed", "removed"]);
    }

    #[test]
    fn a_first_publication_is_an_event_with_all_that_it_starts() {
        let told = announced(None, &shop(&["running"]));

        let names: Vec<&str> = told.iter().map(|told| &*told.event).collect();
        assert_eq!(names, ["revision.published", "campaign.started"]);
        assert_eq!(told[0].message, "msg_01a3185c500000000707070707070707");
        assert!(told[0].message < told[1].message);
        let project = json!({"id": "1000", "key": "shop", "name": "Shop"});
        let expected = json!({
            "type": "campaign.started",
            "timestamp": "2027-01-15T08:00:00Z",
            "text": "Shop: c0 started, by ann",
            "data": {
                "project": project, "revision": 0, "by": "ann",
                "campaign": {
                    "id": "3001", "key": "c0", "name": null, "type": "ab_test", "status": "running", "shipped": false,
                    "url": "https://assay.example/projects/1000/campaigns/3001",
                },
            },
        });
        assert_eq!(told[1].body, expected);
        let data = &told[0].body["data"];
        assert_eq!((&data["message"], &data["campaigns"]), (&json!("Go"), &json!(1)));
        assert_eq!(told[0].body["text"], "Shop: a revision went live, by ann: Go");
    }

    #[test]
    fn no_name_is_a_command_to_a_chat() {
        let mut after = shop(&["running"]);
        Arc::make_mut(&mut after.campaigns[0]).name = Some("<!channel>".to_owned());

        let told = announced(None, &after);

        assert_eq!(told[1].body["text"], "Shop: ‹!channel› started, by ann");
        assert_eq!(told[1].body["data"]["campaign"]["name"], "<!channel>");
    }

    #[test]
    fn a_project_is_archived_and_restored() {
        let (open, mut archived) = (shop(&["running"]), shop(&["running"]));
        archived.archived = true;
        let names = |before: &Project, after: &Project| {
            let told = announced(Some(before), after);
            told.into_iter().map(|told| told.event).collect::<Vec<_>>()
        };

        assert_eq!(names(&open, &archived), ["revision.published", "project.archived"]);
        assert_eq!(names(&archived, &open), ["revision.published", "project.restored"]);
        assert_eq!(names(&archived, &archived), ["revision.published"]);
    }

    #[test]
    fn of_very_many_campaigns_a_hundred_are_announced_and_all_counted() {
        let before = shop(&["not_started"; 2 * CAMPAIGNS_AT_MOST]);
        let mut after = before.clone();
        for campaign in &mut after.campaigns {
            Arc::make_mut(campaign).status = CampaignStatus::Running;
        }

        let told = announced(Some(&before), &after);

        assert_eq!(told.len(), 1 + CAMPAIGNS_AT_MOST);
        assert_eq!(told[0].body["data"]["campaigns"], 2 * CAMPAIGNS_AT_MOST);
    }

    #[test]
    fn names_of_events_are_words_without_spaces() {
        for event in WebhookEvent::ALL {
            let (kind, verb) = event.as_str().split_once('.').unwrap();
            let is_of_words = |one: char| one.is_ascii_lowercase() || one == '_';
            assert!([kind, verb].concat().chars().all(is_of_words), "{event:?}");
        }
    }
}
