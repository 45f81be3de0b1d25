//! Copies of files of events follow the list of files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use app::events::{
    CopiedEvents, CopyEventsError, DeletedEvents, EventCopies, EventCopyError, copy_event_files,
    delete_events, give_up_events, list_all_event_files, seal_events,
};
use app::roles::Actor;
use async_trait::async_trait;

use crate::events::{let_visitors_come, publish};
use crate::site::Site;

/// As long as events wait for.
const WAIT: i64 = 300;

/// A place that tells what was done.
#[derive(Default)]
struct FakeCopies {
    owner: Mutex<Option<String>>,
    files: Mutex<BTreeMap<String, u64>>,
    done: Mutex<Vec<String>>,
    is_full: bool,
}

impl FakeCopies {
    fn files(&self) -> BTreeMap<String, u64> {
        self.files.lock().unwrap().clone()
    }

    fn with(files: &[&str]) -> Self {
        let files = files.iter().map(|name| ((*name).to_owned(), 1)).collect();
        Self { files: Mutex::new(files), ..Self::default() }
    }
}

#[async_trait]
impl EventCopies for FakeCopies {
    async fn owner(&self, asking: &str) -> Result<String, EventCopyError> {
        Ok(self.owner.lock().unwrap().get_or_insert_with(|| asking.to_owned()).clone())
    }

    async fn list(&self) -> Result<BTreeMap<String, u64>, EventCopyError> {
        Ok(self.files())
    }

    async fn put(&self, name: &str, file: &Path) -> Result<(), EventCopyError> {
        let bytes = std::fs::metadata(file)?.len();
        if self.is_full {
            return Err(EventCopyError::Destination("there is no room".to_owned()));
        }
        self.done.lock().unwrap().push(format!("put {name}"));
        self.files.lock().unwrap().insert(name.to_owned(), bytes);
        Ok(())
    }

    async fn delete(&self, name: &str) -> Result<(), EventCopyError> {
        self.done.lock().unwrap().push(format!("delete {name}"));
        self.files.lock().unwrap().remove(name);
        Ok(())
    }
}

async fn site_with_files() -> Site {
    let site = Site::start();
    publish(&site, "on").await;
    let_visitors_come(&site).await;
    site.advance_seconds(WAIT);
    assert!(seal_events(&site.app).await.unwrap().files > 0);
    site
}

const GONE: &str = "project=1000/day=2020-01-01/00000000000000000000000000000000.parquet";

#[tokio::test]
async fn copies_become_what_files_are_and_then_nothing_happens() {
    let (site, place) = (site_with_files().await, FakeCopies::with(&[GONE]));

    let first = copy_event_files(&site.app, &place).await.unwrap();
    let files = list_all_event_files(&site.app).await.unwrap();

    assert_eq!(first, CopiedEvents { copied: files.len() as u64, deleted: 1 });
    assert_eq!(place.files(), files);
    let done = place.done.lock().unwrap().clone();
    assert_eq!(done.last().unwrap(), &format!("delete {GONE}"), "an event is never missing");
    assert_eq!(copy_event_files(&site.app, &place).await.unwrap(), CopiedEvents::default());
}

#[tokio::test]
async fn the_copies_of_another_server_stay_as_they_are() {
    let (site, place) = (site_with_files().await, FakeCopies::with(&[GONE]));
    *place.owner.lock().unwrap() = Some("another".to_owned());

    let refused = copy_event_files(&site.app, &place).await;

    assert!(matches!(refused, Err(CopyEventsError::OfAnother)));
    assert_eq!(place.done.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn a_place_that_takes_nothing_loses_nothing() {
    let site = site_with_files().await;
    let place = FakeCopies { is_full: true, ..FakeCopies::with(&[GONE]) };

    let failed = copy_event_files(&site.app, &place).await;

    assert_eq!(failed.unwrap_err().to_string(), "there is no room");
    assert_eq!(place.files(), FakeCopies::with(&[GONE]).files());
}

#[tokio::test]
async fn a_file_that_another_process_took_away_meanwhile_is_left_out() {
    let (site, place) = (site_with_files().await, FakeCopies::default());
    let files = list_all_event_files(&site.app).await.unwrap();
    let (taken, _) = files.first_key_value().unwrap();
    std::fs::remove_file(site.folder.path().join("events").join(taken)).unwrap();

    let done = copy_event_files(&site.app, &place).await.unwrap();

    assert_eq!(done.copied, files.len() as u64 - 1);
    assert!(!place.files().contains_key(taken));
}

#[tokio::test]
async fn copies_of_deleted_events_go() {
    let (site, place) = (site_with_files().await, FakeCopies::default());
    let copied = copy_event_files(&site.app, &place).await.unwrap().copied;

    let project = "1000".parse().unwrap();
    delete_events(&site.app, &Actor::Command, project, DeletedEvents::All).await.unwrap();

    let done = copy_event_files(&site.app, &place).await.unwrap();
    assert_eq!(done, CopiedEvents { copied: 0, deleted: copied });
    assert_eq!(place.files().len(), 0);
}

#[tokio::test]
async fn copies_of_lost_files_stay_until_these_are_given_up() {
    let (site, place) = (site_with_files().await, FakeCopies::default());
    copy_event_files(&site.app, &place).await.unwrap();
    let copied = place.files();
    for name in copied.keys() {
        std::fs::remove_file(site.folder.path().join("events").join(name)).unwrap();
    }

    let while_lost = copy_event_files(&site.app, &place).await.unwrap();
    let kept = place.files();
    let project = "1000".parse().unwrap();
    give_up_events(&site.app, &Actor::Command, project, &[]).await.unwrap();
    copy_event_files(&site.app, &place).await.unwrap();

    assert_eq!((while_lost, kept), (CopiedEvents::default(), copied), "they bring the files back");
    assert_eq!(place.files(), BTreeMap::new());
}
