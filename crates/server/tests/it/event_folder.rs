//! The folder of files of events: what is in it that should not be, and what is not.

use app::events::{check_event_files, seal_events, tidy_event_folder};

use crate::event_files::{WAIT, files, path, seal, seal_one};
use crate::events::{batch, bought, now, publish, send};
use crate::site::Site;

#[tokio::test]
async fn files_left_by_a_crash_are_removed_and_missing_files_are_reported() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    seal(&site).await;
    let file = files(&site).await.remove(0);
    let left_over = path(&site, &file).with_file_name("00.parquet");
    std::fs::write(&left_over, "PAR1").unwrap();

    let removed = tidy_event_folder(&site.app).await.unwrap();

    assert_eq!((removed, left_over.exists(), path(&site, &file).exists()), (1, false, true));
    std::fs::write(&left_over, "PAR1").unwrap();
    std::fs::remove_file(path(&site, &file)).unwrap();
    assert_eq!(tidy_event_folder(&site.app).await.unwrap(), 0);
    assert!(left_over.exists(), "a folder without a file that is listed may be another one");
    let error = check_event_files(&site.app).await.unwrap_err().to_string();
    let told = format!("such as `{}`: 1 event of project 1000, of 2027-01-15", file.name);
    assert!(error.ends_with(&told), "{error}");
}

#[tokio::test]
async fn nothing_is_written_to_a_folder_whose_disk_is_not_mounted() {
    let site = Site::start();
    publish(&site, "on").await;
    seal_one(&site, "ada", now(&site)).await;
    let disk = site.folder.path().join("events");
    let elsewhere = site.folder.path().join("unmounted");
    std::fs::rename(&disk, &elsewhere).unwrap();
    std::fs::create_dir(&disk).unwrap();
    send(&site, &batch("bob", &[bought("o", now(&site))])).await;
    site.advance_seconds(WAIT);

    let refused = seal_events(&site.app).await.unwrap_err().to_string();
    let kept = site.app.store().list_event_logs().await.unwrap().len();
    std::fs::remove_dir_all(&disk).unwrap();
    std::fs::rename(&elsewhere, &disk).unwrap();
    let sealed = seal_events(&site.app).await.unwrap();

    assert!(refused.starts_with("1 of 1 files of events are not in"), "{refused}");
    assert_eq!((kept, sealed.events), (1, 1));
    assert_eq!(files(&site).await.len(), 2);
}

#[tokio::test]
async fn files_that_another_process_keeps_elsewhere_are_told() {
    let site = Site::start();
    publish(&site, "on").await;
    for visitor in ["ada", "bob"] {
        seal_one(&site, visitor, now(&site)).await;
    }
    check_event_files(&site.app).await.unwrap();
    let elsewhere = files(&site).await.remove(0);
    std::fs::remove_file(path(&site, &elsewhere)).unwrap();

    let told = check_event_files(&site.app).await.unwrap_err().to_string();

    let expected = format!(", or are cut off, such as `{}`", elsewhere.name);
    assert!(told.starts_with("1 of 2 files of events are not in "), "{told}");
    assert!(told.contains(&expected), "{told}");
}
