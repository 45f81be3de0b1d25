//! Moments of schedules that are past when a document is to go live: what happens at once by them, and what never.

use domain::{Campaign, CampaignStatus, Fault, Pointer, Project};
use oauth::{Lifetime, Timestamp};
use storage::{KnownMoment, MomentOutcome, ScheduledAction};

use super::moments::at;

/// A later start is not carried out: its day is over, and a member must decide. A stop is, however late: what is over must end.
pub(crate) const STARTS_LATE_AT_MOST: Lifetime = Lifetime::from_seconds(24 * 60 * 60);

/// What is to be known of a moment, and what to do about it.
struct Late {
    action: ScheduledAction,
    message: &'static str,
    hint: &'static str,
}

/// A warning for each campaign of which a moment is past that its schedule has not done yet.
pub(crate) fn late_moments(project: &Project, known: &[KnownMoment], now: Timestamp) -> Vec<Fault> {
    let campaigns = if project.archived { &[][..] } else { &project.campaigns[..] };
    let is_done = |campaign: &Campaign, action, due_at| {
        known.iter().any(|KnownMoment { moment, outcome, .. }| {
            (moment.campaign, moment.action, moment.due_at) == (campaign.id, action, due_at)
                && *outcome == MomentOutcome::Done
        })
    };
    let late = campaigns.iter().enumerate().filter_map(|(place, campaign)| {
        let past = |action| {
            at(campaign, action).filter(|due| *due <= now && !is_done(campaign, action, *due))
        };
        let [start, stop] = [ScheduledAction::Start, ScheduledAction::Stop].map(past);
        let Late { action, message, hint } = late(campaign.status, (start, stop), now)?;
        let schedule = Pointer::root().field("campaigns").element(place).field("schedule");
        let pointer = schedule.field(match action {
            ScheduledAction::Start => "start",
            ScheduledAction::Stop => "stop",
        });
        let message = format!("`{}`: {message}", campaign.title());
        Some(Fault::warning("moment_past", pointer, message).hint(hint))
    });
    late.collect()
}

fn late(
    status: CampaignStatus,
    (start, stop): (Option<Timestamp>, Option<Timestamp>),
    now: Timestamp,
) -> Option<Late> {
    match (status, start, stop) {
        (CampaignStatus::NotStarted, Some(start), _) if now.since(start) > STARTS_LATE_AT_MOST => {
            Some(Late {
                action: ScheduledAction::Start,
                message: "its `start` is more than a day past, so its schedule does not start it",
                hint: "choose a later one, or start the campaign",
            })
        }
        (CampaignStatus::NotStarted, _, Some(_)) => Some(Late {
            action: ScheduledAction::Stop,
            message: "its `stop` is past, so it ends as soon as it has started",
            hint: "choose a later one, or leave it out",
        }),
        (CampaignStatus::NotStarted, Some(_), None) => Some(Late {
            action: ScheduledAction::Start,
            message: "its `start` is past, so it starts as soon as this is live",
            hint: "choose a later one, if it is not to start yet",
        }),
        (CampaignStatus::Running | CampaignStatus::Paused, _, Some(_)) => Some(Late {
            action: ScheduledAction::Stop,
            message: "its `stop` is past, so it ends as soon as this is live",
            hint: "choose a later one, or leave it out",
        }),
        (
            CampaignStatus::NotStarted
            | CampaignStatus::Running
            | CampaignStatus::Paused
            | CampaignStatus::Concluded
            | CampaignStatus::Archived,
            _,
            _,
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use domain::{NoFiles, Project, Source, parse};
    use oauth::Timestamp;
    use storage::{KnownMoment, MomentOutcome, ScheduledAction, ScheduledMoment};

    use super::late_moments;

    /// 2026-12-01T00:00Z
    const NOW: Timestamp = Timestamp::from_milliseconds(1_796_083_200_000);

    fn shop(status: &str, schedule: &str) -> Project {
        let text = format!(
            "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
campaigns:
  - {{key: hero, name: Hero, type: ab_test, status: {status}, pages: [home], schedule: {{{schedule}}}, experiments: [{{key: hero, variations: [{{key: a, weight: 1}}, {{key: b, weight: 1}}]}}]}}
"
        );
        parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    }

    fn fault_lines(status: &str, schedule: &str) -> String {
        let faults = late_moments(&shop(status, schedule), &[], NOW);
        let told =
            faults.iter().map(|fault| format!("{} {}", fault.pointer.as_str(), fault.message));
        told.collect()
    }

    #[test]
    fn moments_that_are_past_tell_what_comes_of_them() {
        let (long_ago, today) = ("start: \"2025-12-01T00:00\"", "start: \"2026-11-30T12:00\"");
        let (over, later) = ("stop: \"2026-11-30T18:00\"", "stop: \"2026-12-30T18:00\"");
        let both = |start: &str, stop: &str| format!("{start}, {stop}");
        let never = "/campaigns/0/schedule/start `Hero`: its `start` is more than a day past, so its schedule does not start it";
        let at_once = "/campaigns/0/schedule/start `Hero`: its `start` is past, so it starts as soon as this is live";
        let ends = "/campaigns/0/schedule/stop `Hero`: its `stop` is past, so it ends as soon as";

        assert_eq!(fault_lines("not_started", long_ago), never);
        assert_eq!(fault_lines("not_started", &both(long_ago, later)), never);
        assert_eq!(fault_lines("not_started", today), at_once);
        let started = format!("{ends} it has started");
        assert_eq!(fault_lines("not_started", &both(today, over)), started);
        assert_eq!(fault_lines("not_started", over), started);
        assert_eq!(fault_lines("running", &both(long_ago, over)), format!("{ends} this is live"));
        for (status, schedule) in [
            ("not_started", "start: \"2026-12-01T00:01\""),
            ("running", long_ago),
            ("paused", later),
            ("concluded", over),
        ] {
            assert_eq!(fault_lines(status, schedule), "", "{status} {schedule}");
        }
    }

    #[test]
    fn a_moment_that_the_schedule_has_done_causes_no_warning() {
        let shop = shop("running", "stop: \"2026-11-30T18:00\"");
        let moment = ScheduledMoment {
            project: shop.id,
            campaign: shop.campaigns[0].id,
            action: ScheduledAction::Stop,
            due_at: Timestamp::from_milliseconds(1_796_083_200_000 - 6 * 3_600_000),
        };
        let known = |outcome| [KnownMoment { moment, outcome, settled_at: None }];

        assert_eq!(late_moments(&shop, &known(MomentOutcome::Due), NOW).len(), 1);
        assert_eq!(late_moments(&shop, &known(MomentOutcome::Done), NOW), []);
    }
}
