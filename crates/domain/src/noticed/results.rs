//! What results lose by a publication. Visitors do not see it, but what they do is not counted any more, or judged by something else.

use crate::{Campaign, Key, Metric, Project, Results, listed};

/// More names than people read.
const NAMES_SHOWN: usize = 5;

/// What pages report and the server takes no more. A project that lists no events takes all of them.
pub(super) fn refused_events(live: &Project, next: &Project) -> Vec<String> {
    let (before, after) = (&live.events, &next.events);
    if !are_counted(live, next) || after.is_empty() {
        return Vec::new();
    }
    if before.is_empty() {
        let keys: Vec<String> = after.iter().map(|event| format!("`{}`", event.key)).collect();
        let keys = listed(&keys, NAMES_SHOWN);
        return vec![format!(
            "of the events that pages report, only {keys} will be taken; all others, which were taken so far, will be refused"
        )];
    }
    let is_taken = |key: &Key| after.iter().any(|event| event.key == *key);
    let refused = before.iter().filter(|event| !is_taken(&event.key)).map(|event| {
        let key = &event.key;
        let renamed = after.iter().find(|later| later.id == event.id);
        let renamed = renamed.map(|later| {
            format!(", and what came under this key is no longer counted as `{}`", later.key)
        });
        format!("the event `{key}` will be refused{}", renamed.unwrap_or_default())
    });
    refused.collect()
}

/// What says who wins, if that is something else than before.
pub(super) fn other_judge(
    (live, before): (&Project, &Campaign),
    (next, after): (&Project, &Campaign),
) -> Option<String> {
    let (was, is) = (judges(live, before), judges(next, after));
    let ids = |judges: &[Judge<'_>]| judges.iter().map(|judge| judge.id).collect::<Vec<_>>();
    if !are_counted(live, next) || ids(&was) == ids(&is) {
        return None;
    }
    if is.is_empty() {
        return Some("nothing decides its results any more".to_owned());
    }
    let titles = |judges: &[Judge<'_>]| {
        let titles: Vec<String> = judges.iter().map(|one| format!("`{}`", one.title)).collect();
        listed(&titles, NAMES_SHOWN)
    };
    let before =
        if was.is_empty() { String::new() } else { format!(" instead of {}", titles(&was)) };
    Some(format!("its results are decided by {}{before}", titles(&is)))
}

/// A metric that decides, or an event where there is none.
struct Judge<'p> {
    id: u64,
    title: &'p str,
}

/// Those that the campaign names, or else the first that there is.
fn judges<'p>(project: &'p Project, campaign: &Campaign) -> Vec<Judge<'p>> {
    let of = |metric: &'p Metric| Judge { id: metric.id.get(), title: metric.title() };
    if campaign.metrics.all().next().is_some() {
        let named = &campaign.metrics.primary;
        return project.metrics.iter().filter(|one| named.contains(&one.id)).map(of).collect();
    }
    if project.metrics.iter().any(|metric| !metric.archived) {
        return project.first_deciding_metric().map(of).into_iter().collect();
    }
    let event = project.events.iter().find(|event| !event.archived);
    let event = event.map(|event| Judge {
        id: event.id.get(),
        title: event.name.as_deref().unwrap_or(event.key.as_str()),
    });
    event.into_iter().collect()
}

fn are_counted(live: &Project, next: &Project) -> bool {
    [live.results, next.results] == [Results::On; 2]
}
