//! The folder of files of events: what is in it that should not be, and what is not.

use app::events::{check_event_files, tidy_event_folder};

use crate::event_files::{files, path, seal, seal_one};
use crate::events::{batch, bought, now, publish, send};
use crate::site::Site;

#[tokio::test]
async fn what_a_crash_left_is_gone_and_what_is_missing_is_told() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    seal(&site).await;
    let file = files(&site).await.remove(0);
    let left_over = path(&site, &file).with_file_name("00.parquet");
    std::fs::write(&left_over, "PAR1").unwrap();

    let removed = tidy_event_folder(&site.app).await.unwrap();

    assert_eq!((removed, left_over.exists(), path(&site, &file).exists()), (1, false, true));
    std::fs::remove_file(path(&site, &file)).unwrap();
    let error = tidy_event_folder(&site.app).await.unwrap_err().to_string();
    assert!(error.ends_with(&format!("`{}` is not in it", file.name)), "{error}");
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

    let expected =
        format!("1 of 2 files are not in it that the database lists, such as `{}`", elsewhere.name);
    assert!(told.contains(&expected), "{told}");
}
