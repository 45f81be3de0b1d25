//! A secret is in the one answer that gives it away, and nowhere else: not in the log at its most talkative, in no other answer, in no
//! file, not in the database server's own log, not in a trace. [`tour`] does all that can be done with a server, [`scan`] looks for what came up.

mod scan;
mod tour;

use std::path::{Path, PathBuf};

use scan::Scan;
use tour::Tour;

use crate::command_line::binary::Folder;
use crate::crash::cluster::Cluster;
use crate::door::DATA;
use crate::traces::collector::Collector;

/// All files in a folder and below.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

/// Finds none of the tour's secrets, and the canaries that show that it looks in the right places.
fn compare(tour: &Tour, stored: &[PathBuf]) {
    let scan = Scan::for_secrets(&tour.secrets);
    for (number, output) in tour.outputs.iter().enumerate() {
        scan.finds_nothing(&format!("output {number}"), output.as_bytes());
    }
    for secret in &tour.secrets {
        let one = Scan::for_one(secret.value.as_bytes());
        let times =
            tour.answers.borrow().iter().filter(|answer| one.is_in(answer.as_bytes())).count();
        assert!(times <= secret.answers, "{} is in {times} answers", secret.name);
    }
    let mut is_canary_found = false;
    let canary = Scan::for_one(tour.canary.as_bytes());
    for path in stored {
        // The database may have taken a file away meanwhile.
        let Ok(bytes) = std::fs::read(path) else { continue };
        scan.finds_nothing(&path.display().to_string(), &bytes);
        is_canary_found |= canary.is_in(&bytes);
    }
    assert!(is_canary_found, "what is stored is not where we looked");
}

/// Finds none of the secrets in what the server tells its log and a collector until it ends.
fn scan_what_is_told(tour: &mut Tour, collector: &Collector) {
    let log = tour.stop();
    let scan = Scan::for_secrets(&tour.secrets);
    scan.finds_nothing("the log", log.as_bytes());
    Scan::for_one(b"/oauth2/token").finds("the log", log.as_bytes());
    let sent: Vec<u8> = collector.rest().into_iter().flat_map(|received| received.body).collect();
    scan.finds_nothing("the traces", &sent);
    Scan::for_one(b"/oauth2/token").finds("the traces", &sent);
}

/// The server of this folder tells the collector of all its requests.
fn traced(collector: &Collector) -> Folder {
    Folder::with_variables(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.endpoint())])
}

#[tokio::test]
async fn secrets_are_only_in_the_answers_that_give_them_away() {
    let collector = Collector::start();
    let mut tour = Tour::through(traced(&collector), ["--data", DATA]).await;

    let stored = files_in(&tour.folder.path(DATA));
    let names: Vec<_> = stored.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert!(names.contains(&"assay.db-wal") && names.contains(&"assay.db-shm"), "{names:?}");
    compare(&tour, &stored);
    scan_what_is_told(&mut tour, &collector);
}

#[tokio::test]
async fn secrets_are_neither_in_the_files_of_postgres_nor_in_its_log_of_all_statements() {
    let collector = Collector::start();
    let folder = traced(&collector);
    let cluster = Cluster::start(&folder);
    let options = "options=-c%20log_statement%3Dall%20-c%20log_min_duration_statement%3D0";
    let address = format!("{}?{options}", cluster.database_over_network("secrecy"));
    let mut tour = Tour::through(folder, ["--database", &address]).await;
    tour.learn("the password of the database", "assay-tests", 0);

    let log = std::fs::read(cluster.log()).unwrap();
    Scan::for_one(b"INTO token_family").finds("the log of PostgreSQL", &log);
    compare(&tour, &[files_in(&cluster.data()), vec![cluster.log()]].concat());
    scan_what_is_told(&mut tour, &collector);
}
