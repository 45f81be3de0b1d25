//! `assay doctor`: what would go wrong with a server, and the cure. Behind a proxy: `behind_nginx.rs`.

mod damage;
mod event_sinks;

use std::fs::{Permissions, create_dir, read, read_dir, set_permissions, write};
use std::io::Write as _;
use std::net::TcpListener;
use std::ops::Range;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};

use oauth::{Lifetime, Timestamp};
use rcgen::CertificateParams;
use serde_json::Value;
use storage::{Act, ActorKind, AuditEvent, AuditStore as _, NewAuditEntry, SqliteStore};

use super::binary::{Folder, PROJECT, project_with, stderr, stdout};
use crate::monitoring::{scrape, value};
use crate::postgres::{database, now};
use crate::tls::certificates::Authority;

/// The findings about one thing, as their states with what was told.
pub(crate) fn about(output: &Output, check: &str) -> Vec<(String, String)> {
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text =
        |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
    let found = findings.as_array().unwrap().iter().filter(|finding| finding["check"] == check);
    found.map(|finding| (text(finding, "state"), text(finding, "message"))).collect()
}

/// What to do about the first finding about a thing.
fn cure(output: &Output, check: &str) -> String {
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = findings.as_array().unwrap().iter().find(|finding| finding["check"] == check);
    found.unwrap()["cure"].as_str().unwrap_or_default().to_owned()
}

fn states(output: &Output, check: &str) -> Vec<String> {
    about(output, check).into_iter().map(|(state, _)| state).collect()
}

#[test]
fn a_good_server_has_no_faults_and_stays_as_it_is() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["shop.yaml", "--data", "data"]);

    let looked =
        folder.assay(&["doctor", "--data", "data", "--listen", server.address(), "--json"]);

    assert_eq!(looked.status.code(), Some(0), "{}", stdout(&looked));
    for check in ["data folder", "events folder", "disk space", "listening", "database", "clock"] {
        assert_eq!(states(&looked, check), ["ok"], "{check}: {}", stdout(&looked));
    }
    assert_eq!(states(&looked, "members"), ["warning"]);
    let people = stdout(&folder.assay(&["doctor", "--data", "data", "--listen", server.address()]));
    assert!(people.contains("-> open the address that `assay serve` prints"), "{people}");
}

/// The audit log has an entry of this moment: a server wrote it while its clock was ahead.
async fn db_has_a_moment(folder: &Folder, at: Timestamp) {
    let store = SqliteStore::open(&folder.path("data/assay.db")).unwrap();
    let entry = NewAuditEntry {
        event: AuditEvent::SignedOut,
        act: Act { by: ActorKind::Command, member: None, address: None, at },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    store.add_audit_entry(entry).await.unwrap();
}

#[tokio::test]
async fn moments_ahead_of_the_clock_are_told_with_what_they_may_come_from() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let after = Lifetime::from_seconds;
    for (at, ahead, cure) in [
        (now() + after(1_200), "20 minutes ahead", "If it is right, nothing is to be done"),
        (now() + after(92 * 86_400), "92 days ahead", "`assay tokens end-all`"),
    ] {
        db_has_a_moment(&folder, at).await;

        let looked = folder.assay(&["doctor", "--data", "data", "--listen", "127.0.0.1:0"]);

        assert_eq!(looked.status.code(), Some(0), "{}", stdout(&looked));
        let told = stdout(&looked);
        assert!(told.contains("a clock was ahead earlier, or this one is behind now"), "{told}");
        assert!(told.contains(ahead) && told.contains(cure), "{told}");
    }
}

#[tokio::test]
async fn how_far_time_is_ahead_of_the_clock_can_be_watched() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    db_has_a_moment(&folder, now() + Lifetime::from_seconds(1_200)).await;

    let server = folder.serve(&["--data", "data", "--metrics-address", "127.0.0.1:0"]);

    let ahead = value(&scrape(&server).await, "assay_clock_ahead_seconds");
    assert!((600.0..=1_200.0).contains(&ahead), "{ahead}");
}

const POSTINST: &str = include_str!("../../../../../deploy/debian/postinst");

const UNIT: &str = include_str!("../../../../../deploy/systemd/assay.service");

#[test]
fn a_folder_as_the_package_and_the_unit_make_it_is_fine() {
    let mode = |text: &str, before: &str| {
        let (_, rest) = text.split_once(before).unwrap();
        u32::from_str_radix(rest.split_whitespace().next().unwrap(), 8).unwrap()
    };
    let folder = Folder::new();
    create_dir(folder.path("data")).unwrap();

    for mode in [mode(POSTINST, "install -d -m "), mode(UNIT, "StateDirectoryMode=")] {
        set_permissions(folder.path("data"), Permissions::from_mode(mode)).unwrap();

        let looked =
            folder.assay(&["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"]);

        assert_eq!(states(&looked, "data folder"), ["ok"], "{mode:o}: {}", stdout(&looked));
    }
}

#[test]
fn a_start_as_root_is_no_obstacle_and_files_of_another_user_are_told() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "data"]));
    let (file, mark) = (folder.path("data/assay.db"), folder.path("data/assay.db-serving"));
    set_permissions(&mark, Permissions::from_mode(0o444)).unwrap();
    drop(folder.serve(&["--data", "data"]));
    if [folder.path("data"), file].iter().any(|it| chown(it, Some(4_711), Some(4_712)).is_err()) {
        // Only root can give files away.
        return;
    }
    let doctor = ["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"];

    let before = folder.assay(&doctor);
    drop(folder.serve(&["--data", "data"]));
    let after = folder.assay(&doctor);

    let told = "`data/assay.db-serving` belongs to user 0, and its folder to user 4711";
    let found = about(&before, "data folder");
    assert!(found.contains(&("warning".to_owned(), told.to_owned())), "{found:?}");
    assert!(!stdout(&after).contains("assay.db-serving"), "{}", stdout(&after));
    let about = mark.metadata().unwrap();
    assert_eq!((about.uid(), about.gid()), (4_711, 4_712));
}

#[test]
fn before_the_first_start_nothing_is_made() {
    let folder = Folder::new();

    let looked = folder.assay(&["doctor", "--data", "data"]);

    assert_eq!(looked.status.code(), Some(0), "{}", stdout(&looked));
    assert!(!folder.path("data").exists());
}

/// Where a SQLite file says how many migrations it has seen, as four bytes.
const SCHEMA: Range<usize> = 60..64;

#[test]
fn a_file_of_another_schema_is_told_and_stays_as_it_is() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "served"]));
    folder.assay(&["backup", "a.backup", "--data", "served"]);
    folder.assay(&["restore", "a.backup", "--data", "data"]);
    let mut file = read(folder.path("data/assay.db")).unwrap();
    let known = u32::from_be_bytes(file[SCHEMA].try_into().unwrap());

    for (schema, state, expected) in [
        (known - 1, "warning", format!("is at schema {}, and this assay knows {known}", known - 1)),
        (1_000, "error", format!("made by a newer Assay (schema 1000, this one knows {known})")),
    ] {
        file[SCHEMA].copy_from_slice(&u32::to_be_bytes(schema));
        write(folder.path("data/assay.db"), &file).unwrap();

        let looked =
            folder.assay(&["doctor", "--data", "data", "--listen", "127.0.0.1:0", "--json"]);

        let found = about(&looked, "database");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == state && found[0].1.contains(&expected), "{found:?}");
        assert!(schema < known || cure(&looked, "database").starts_with("use the newer binary"));
        assert_eq!(states(&looked, "members"), [""; 0], "nothing else is looked at");
        assert!(read(folder.path("data/assay.db")).unwrap() == file, "schema {schema}");
        let beside: Vec<_> = read_dir(folder.path("data")).unwrap().collect();
        assert_eq!(beside.len(), 1, "{beside:?}");
    }
}

#[test]
fn an_empty_postgres_database_stays_empty() {
    let (folder, address) = (Folder::new(), database("doctor_of_empty"));

    let flags = ["--database", &address, "--listen", "127.0.0.1:0", "--json"];
    let looked = folder.assay(&[&["doctor"], &flags[..]].concat());

    let found = about(&looked, "database");
    assert_eq!(looked.status.code(), Some(0), "{found:?}");
    assert!(found[0].1.starts_with("is empty: "), "{found:?}");
    let backup = folder.assay(&["backup", "a.backup", "--database", &address]);
    assert!(stderr(&backup).contains("there is nothing in it yet"), "{}", stderr(&backup));
}

#[test]
fn with_postgres_the_folder_of_events_is_looked_at() {
    let (folder, address) = (Folder::new(), database("doctor_of_events"));
    create_dir(folder.path("events")).unwrap();
    folder.write("file", "");
    let look = |events: &str| {
        let flags = ["--database", &address, "--events", events, "--listen", "127.0.0.1:0"];
        folder.assay(&[&["doctor", "--json"], &flags[..]].concat())
    };

    let [good, missing, wrong, off] = ["events", "later/events", "file/events", "off"].map(look);

    assert_eq!(states(&good, "events folder"), ["ok"], "{}", stdout(&good));
    let told = about(&good, "disk space");
    assert!(told.len() == 1 && told[0].1.ends_with(" MiB free for `events`"), "{told:?}");
    let told = about(&missing, "events folder");
    assert!(told[0].1.ends_with("does not exist yet: `assay serve` creates it"), "{told:?}");
    assert!(!folder.path("later").exists());
    assert_eq!(states(&wrong, "events folder"), ["error"], "{}", stdout(&wrong));
    assert_eq!(wrong.status.code(), Some(1));
    for check in ["events folder", "disk space"] {
        assert_eq!(states(&off, check), [""; 0], "{}", stdout(&off));
    }
}

#[test]
fn the_folder_of_events_of_another_database_is_told_as_serve_refuses_it() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "other"]));
    let look = |events: &str| {
        folder.assay(&[
            "doctor",
            "--data",
            "data",
            "--events",
            events,
            "--listen",
            "127.0.0.1:0",
            "--json",
        ])
    };

    let before_the_first_start = look("other/events");
    drop(folder.serve(&["--demo", "--data", "data"]));
    let (of_other, own) = (look("other/events"), look("data/events"));
    let refused = folder.assay(&["serve", "--data", "data", "--events", "other/events"]);

    for looked in [before_the_first_start, of_other] {
        let told = about(&looked, "event files");
        let expected = "`other/events` belongs to another database: its file `.assay` says so";
        assert_eq!(told, [("error".to_owned(), expected.to_owned())]);
        let cure = cure(&looked, "event files");
        assert!(!cure.is_empty() && stderr(&refused).contains(&cure), "{}", stderr(&refused));
    }
    assert_eq!(states(&own, "event files"), [""; 0], "{}", stdout(&own));
}

#[test]
fn a_postgres_database_that_cannot_be_opened_is_told_with_its_cure() {
    let folder = Folder::new();
    let address = database("doctor_of_nothing").replace("doctor_of_nothing", "doctor_of_elsewhere");
    let refused = "postgres://ann:hunter2@127.0.0.1:1/assay".to_owned();
    for (address, expected) in [(address, "createdb --owner"), (refused, "start PostgreSQL")] {
        let looked = folder.assay(&["doctor", "--database", &address, "--json"]);

        assert_eq!(states(&looked, "database"), ["error"], "{}", stdout(&looked));
        assert!(cure(&looked, "database").contains(expected), "{}", stdout(&looked));
        assert!(!stdout(&looked).contains("hunter2"));
    }
}

#[test]
fn a_file_that_is_damaged_is_told_with_its_cure() {
    let folder = Folder::new();
    drop(folder.serve(&["--demo", "--data", "served"]));
    folder.assay(&["backup", "a.backup", "--data", "served"]);
    folder.assay(&["restore", "a.backup", "--data", "data"]);
    let mut file = read(folder.path("data/assay.db")).unwrap();
    file[4_096..].fill(0xff);
    write(folder.path("data/assay.db"), &file).unwrap();
    create_dir(folder.path("text")).unwrap();
    folder.write(
        "text/assay.db",
        "This is no database, but a long text that says so to its readers.",
    );
    for (data, expected) in [("data", "restore` the newest backup"), ("text", "--database")] {
        let looked = folder.assay(&["doctor", "--data", data, "--json"]);

        assert_eq!(states(&looked, "database"), ["error"], "{}", stdout(&looked));
        assert!(cure(&looked, "database").contains(expected), "{}", stdout(&looked));
    }
}

#[test]
fn each_fault_is_told_with_its_cure() {
    let folder = Folder::new();
    folder.write("shop.yaml", &project_with("results: on"));
    drop(folder.serve(&["shop.yaml", "--data", "data"]));
    set_permissions(folder.path("data"), Permissions::from_mode(0o755)).unwrap();
    let other_program = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other_program.local_addr().unwrap().to_string();
    std::thread::spawn(move || drop(other_program.accept()));
    let authority = Authority::new();
    let mut parameters = CertificateParams::new(["elsewhere.example".to_owned()]).unwrap();
    parameters.not_after = rcgen::date_time_ymd(2020, 1, 1);
    authority.issue_with(&parameters).write(&folder);

    let arguments = ["doctor", "--data", "data", "--json"];
    let plain = folder.assay(&[&arguments[..], &["--listen", &taken]].concat());
    let with_tls = folder.assay(
        &[
            &arguments[..],
            &["--tls-cert", "cert.pem", "--tls-key", "key.pem", "--listen", "127.0.0.1:0"],
        ]
        .concat(),
    );

    assert_eq!(plain.status.code(), Some(1));
    assert_eq!(states(&plain, "data folder"), ["warning"], "{}", stdout(&plain));
    assert_eq!(states(&plain, "listening"), ["error"]);
    assert_eq!(states(&plain, "origins"), ["warning"]);
    let certificate = about(&with_tls, "certificate");
    assert!(
        certificate.iter().any(|(state, told)| state == "error" && told.contains("expired")),
        "{certificate:?}"
    );
    assert!(certificate.iter().any(|(_, told)| told.contains("not for")), "{certificate:?}");
}

#[test]
fn a_public_address_that_does_not_answer_is_a_fault() {
    let folder = Folder::new();

    let looked = folder.assay(&["doctor", "--public-url", "http://127.0.0.1:9", "--json"]);

    assert_eq!(looked.status.code(), Some(1));
    assert_eq!(states(&looked, "public address"), ["error"], "{}", stdout(&looked));
}

/// What a program at the address says before it says nothing any more, if it says anything.
fn falls_silent_after(said: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut open = Vec::new();
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            connection.write_all(said.as_bytes()).unwrap();
            open.push(connection);
        }
    });
    address
}

#[test]
fn a_public_address_that_hangs_is_told_soon() {
    let folder = Folder::new();
    for said in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"issuer\":"] {
        let address = falls_silent_after(said);

        let since = Instant::now();
        let looked = folder.assay(&["doctor", "--public-url", &address, "--json"]);

        let told = about(&looked, "public address");
        assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
        assert!(told[0].0 == "error" && told[0].1.contains("does not answer: timeout"), "{told:?}");
    }
}

#[test]
fn a_public_address_with_a_certificate_that_no_browser_takes_is_told_so() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("elsewhere.example").write(&folder);
    let authorities = folder.write("authority.pem", &authority.pem());
    let certificate = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let server = folder.serve(&[&["--demo", "--data", "there"], &certificate[..]].concat());
    let url = format!("https://localhost:{}", server.address().split_once(':').unwrap().1);

    let looked = folder.assay_with(
        "SSL_CERT_FILE",
        authorities.to_str().unwrap(),
        &["doctor", "--data", "here", "--public-url", &url, "--json"],
    );

    let told = about(&looked, "public address");
    let expected = format!("no browser trusts the certificate of {url}: ");
    assert!(told[0].0 == "error" && told[0].1.starts_with(&expected), "{told:?}");
    assert!(cure(&looked, "public address").contains("a certificate for this name"));
}

#[test]
fn another_server_under_the_name_is_not_taken_for_that_of_the_database() {
    let folder = Folder::new();
    let server = folder.serve(&["--demo", "--data", "there"]);
    let url = server.url("");

    let looked = folder.assay(&["doctor", "--data", "here", "--public-url", &url, "--json"]);

    let told = format!("{url} answers as Assay under this name");
    assert_eq!(about(&looked, "public address"), [("ok".to_owned(), told)]);
}

#[test]
fn object_storage_that_is_away_or_misspelt_is_told() {
    let folder = Folder::with_variables(&[
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "token-s3cret"),
    ]);
    let look = |address| {
        let flags = ["--data", "data", "--listen", "127.0.0.1:0", "--json"];
        folder.assay(&[&["doctor", "--copy-events", address], &flags[..]].concat())
    };

    let (away, wrong) = (look("s3://shop-events/assay"), look("shop-events"));

    let told = about(&away, "object storage");
    assert_eq!((away.status.code(), told.len()), (Some(1), 1));
    assert!(told[0].1.starts_with("refuses `s3:ListBucket`: "), "{told:?}");
    assert!(!stdout(&away).contains("s3cret"), "{}", stdout(&away));
    assert_eq!(states(&wrong, "object storage"), ["error"], "{}", stdout(&wrong));
}

#[test]
fn nothing_is_made_where_there_is_no_database_yet() {
    let folder = Folder::new();
    create_dir(folder.path("data")).unwrap();
    set_permissions(folder.path("data"), Permissions::from_mode(0o700)).unwrap();
    // As root in the folder of the server's user, where the test may do that.
    let _is_given = chown(folder.path("data"), Some(1_000), Some(1_000));
    let sink = ["--sink", "http://127.0.0.1:9/events"];

    for more in [&[][..], &sink, &["--events", "events"]] {
        let looked = folder.assay(&[&["doctor", "--data", "data", "--json"], more].concat());

        assert_eq!(states(&looked, "database"), ["ok"], "{}", stdout(&looked));
        assert_eq!(read_dir(folder.path("data")).unwrap().count(), 0);
        assert!(!folder.path("events").exists());
    }
}
