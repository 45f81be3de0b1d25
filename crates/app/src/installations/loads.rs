//! The loads that this process has seen, in memory and within bounds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};

use domain::ProjectId;
use oauth::Timestamp;
use storage::SnippetLoad;

/// Sites of one project in memory. An address that invents more waits until one of them is not seen for a minute.
const SITES_AT_MOST: usize = 20;

/// How often a load of a known site is written to the store, in milliseconds.
const WRITTEN_EVERY_MS: i64 = 60_000;

/// A site that is loaded more often than this is noted no more often: its cache line stays where it is.
const NOTED_EVERY_MS: i64 = 1_000;

/// No load was written yet.
const NEVER: i64 = i64::MIN;

/// The sites that load snippets, by project.
#[derive(Debug, Default)]
pub(crate) struct Loads(RwLock<HashMap<ProjectId, Vec<Site>>>);

#[derive(Debug)]
struct Site {
    origin: Box<str>,
    /// In milliseconds since 1970 began.
    seen_at: AtomicI64,
    /// The newest load that the store has.
    written_at: AtomicI64,
}

impl Loads {
    /// Notes a load by a site that is known; returns whether it is.
    pub(super) fn note_known(&self, project: ProjectId, origin: &str, now: Timestamp) -> bool {
        let sites = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known = sites.get(&project).and_then(|sites| find(sites, origin));
        known.inspect(|site| site.note(now.as_milliseconds())).is_some()
    }

    /// Notes a load by a site that may be new.
    pub(super) fn note(&self, project: ProjectId, origin: &str, now: Timestamp) {
        let now = now.as_milliseconds();
        let mut projects = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let sites = projects.entry(project).or_default();
        if let Some(site) = find(sites, origin) {
            return site.note(now);
        }
        if sites.len() >= SITES_AT_MOST && !make_room(sites, now) {
            return;
        }
        let (seen_at, written_at) = (AtomicI64::new(now), AtomicI64::new(NEVER));
        sites.push(Site { origin: origin.into(), seen_at, written_at });
    }

    /// The loads that the store is to know: the first of each site at once, later ones once a minute.
    pub(super) fn due(&self) -> Vec<SnippetLoad> {
        let projects = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let all = projects
            .iter()
            .flat_map(|(project, sites)| sites.iter().map(move |site| (*project, site)));
        let due = all.filter_map(|(project, site)| {
            let at = Timestamp::from_milliseconds(site.due()?);
            Some(SnippetLoad { project, origin: site.origin.to_string(), at })
        });
        due.collect()
    }

    /// The store knows these loads.
    pub(super) fn written(&self, loads: &[SnippetLoad]) {
        let projects = self.0.read().unwrap_or_else(PoisonError::into_inner);
        for load in loads {
            let known = projects.get(&load.project).and_then(|sites| find(sites, &load.origin));
            if let Some(site) = known {
                site.written_at.store(load.at.as_milliseconds(), Ordering::Relaxed);
            }
        }
    }
}

impl Site {
    fn note(&self, now: i64) {
        if now >= self.seen_at.load(Ordering::Relaxed) + NOTED_EVERY_MS {
            self.seen_at.store(now, Ordering::Relaxed);
        }
    }

    /// The load to write, if it is time.
    fn due(&self) -> Option<i64> {
        let seen_at = self.seen_at.load(Ordering::Relaxed);
        let written_at = self.written_at.load(Ordering::Relaxed);
        let is_due = written_at == NEVER || seen_at >= written_at + WRITTEN_EVERY_MS;
        is_due.then_some(seen_at)
    }
}

fn find<'s>(sites: &'s [Site], origin: &str) -> Option<&'s Site> {
    sites.iter().find(|site| *site.origin == *origin)
}

/// Forgets the site that was seen longest ago, if that is a minute: no flood of invented origins hides the real ones.
fn make_room(sites: &mut Vec<Site>, now: i64) -> bool {
    let seen_at = |site: &Site| site.seen_at.load(Ordering::Relaxed);
    let oldest = (0..sites.len()).min_by_key(|index| seen_at(&sites[*index]));
    let oldest = oldest.filter(|index| now >= seen_at(&sites[*index]) + WRITTEN_EVERY_MS);
    oldest.map(|index| sites.swap_remove(index)).is_some()
}

#[cfg(test)]
mod tests {
    use domain::ProjectId;
    use oauth::Timestamp;

    use super::{Loads, SITES_AT_MOST};

    const SHOP: &str = "https://shop.example";

    fn project() -> ProjectId {
        ProjectId::new(1000).unwrap()
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(seconds * 1_000)
    }

    /// What is written now.
    fn written(loads: &Loads) -> Vec<(String, i64)> {
        let due = loads.due();
        loads.written(&due);
        due.into_iter().map(|load| (load.origin, load.at.as_milliseconds() / 1_000)).collect()
    }

    #[test]
    fn the_first_load_is_written_at_once_and_later_ones_once_a_minute() {
        let loads = Loads::default();
        assert!(!loads.note_known(project(), SHOP, at(0)));
        loads.note(project(), SHOP, at(0));
        assert_eq!(written(&loads), [(SHOP.to_owned(), 0)]);

        for second in 1..60 {
            assert!(loads.note_known(project(), SHOP, at(second)));
            assert_eq!(written(&loads), []);
        }
        assert!(loads.note_known(project(), SHOP, at(61)));

        assert_eq!(written(&loads), [(SHOP.to_owned(), 61)]);
        assert_eq!(written(&loads), []);
    }

    #[test]
    fn a_load_that_was_not_written_is_due_again() {
        let loads = Loads::default();
        loads.note(project(), SHOP, at(0));

        assert_eq!(loads.due().len(), 1);
        assert_eq!(loads.due().len(), 1);
    }

    #[test]
    fn a_flood_of_invented_origins_neither_grows_nor_hides_the_site() {
        let loads = Loads::default();
        loads.note(project(), SHOP, at(0));

        for number in 0..1_000 {
            loads.note(project(), &format!("https://{number}.example"), at(1));
        }

        assert_eq!(written(&loads).len(), SITES_AT_MOST);
        assert!(loads.note_known(project(), SHOP, at(2)));
        loads.note(project(), "https://new.example", at(61));
        assert!(loads.note_known(project(), "https://new.example", at(61)));
    }
}
