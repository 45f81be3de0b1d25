//! `assay serve`.

use std::fs::File;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};

use super::binary::{Folder, PROJECT, Server, stderr, stdout};

async fn get(url: &str) -> reqwest::Response {
    reqwest::get(url).await.unwrap()
}

#[tokio::test]
async fn project_file_is_served_as_a_snippet() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);

    let server = folder.serve(&["shop.yaml"]);

    let answer = get(&server.url("/js/1000.js")).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(
        answer.headers()["cache-control"],
        "public, max-age=60, stale-while-revalidate=86400"
    );
    assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    assert!(answer.text().await.unwrap().contains("Ship faster"));
}

#[tokio::test]
async fn browser_that_has_the_snippet_gets_no_body() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["shop.yaml"]);
    let client = reqwest::Client::new();
    let ask = |etag: &str| {
        let request = client.get(server.url("/js/1000.js")).header("accept-encoding", "gzip, br");
        request.header("if-none-match", etag).send()
    };
    let first = ask("\"other\"").await.unwrap();

    let second = ask(first.headers()["etag"].to_str().unwrap()).await.unwrap();

    assert_eq!(
        (first.status().as_u16(), &first.headers()["content-encoding"]),
        (200, &"br".parse().unwrap())
    );
    assert_eq!(second.status(), 304);
    assert_eq!(second.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn immutable_address_outlives_the_next_revision() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml"]);
    let etag = get(&server.url("/js/1000.js")).await.headers()["etag"].to_str().unwrap().to_owned();
    let immutable = server.url(&format!("/js/1000/{}.js", etag.trim_matches('"')));

    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));
    server.log_until("published");

    let live = get(&server.url("/js/1000.js")).await.text().await.unwrap();
    let old = get(&immutable).await;
    assert!(live.contains("Ship sooner"));
    assert_eq!(old.headers()["cache-control"], "public, max-age=31536000, immutable");
    assert!(old.text().await.unwrap().contains("Ship faster"));
}

#[tokio::test]
async fn faulty_change_keeps_the_last_good_revision_live() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml"]);

    folder.write("shop.yaml", &PROJECT.replace("type: ab_test", "type: ab_tset"));
    let log = server.log_until("ab_tset");

    assert!(log.contains("the last good revision stays live"), "{log}");
    assert!(get(&server.url("/js/1000.js")).await.text().await.unwrap().contains("Ship faster"));
}

/// As `scp` and `rsync --inplace` bring a file: its beginning may be a project, too.
#[tokio::test]
async fn a_file_is_published_once_its_writer_is_done() {
    let folder = Folder::with_variables(&[("ASSAY_LOG", "assay=debug")]);
    let path = folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml"]);
    let mut writer = File::create(&path).unwrap();

    writer.write_all(PROJECT.replace("Ship faster", "Ship half").as_bytes()).unwrap();
    let log = server.log_until("published");
    assert!(log.lines().last().unwrap().contains("is being written"), "{log}");
    writer.write_all(b"# The end.\n").unwrap();
    drop(writer);

    let log = server.log_until("bytes=");
    assert!(log.contains("published `shop.yaml` revision=2"), "{log}");
}

/// `PROJECT` with a change whose code is in a file.
fn with_code_in(file: &str) -> String {
    let change = "{type: text, selector: h1, value: Ship faster}";
    PROJECT.replace(change, &format!("{{type: javascript, value: {{file: {file}}}}}"))
}

#[tokio::test]
async fn a_file_that_was_missing_or_faulty_is_published_once_it_is_right() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml"]);

    folder.write("shop.yaml", &with_code_in("./code/hero.js"));
    let missing = server.log_until("hero.js");
    std::fs::create_dir(folder.path("code")).unwrap();
    folder.write("code/hero.js", "if (");
    let faulty = server.log_until("hero.js:1:");
    folder.write("code/hero.js", "document.title = 'Ship sooner';");
    server.log_until("published");

    for log in [missing, faulty] {
        assert!(log.contains("the last good revision stays live"), "{log}");
    }
    let snippet = get(&server.url("/js/1000.js")).await.text().await.unwrap();
    assert!(snippet.contains("Ship sooner"));
}

#[tokio::test]
async fn a_folder_that_goes_and_comes_back_is_watched_again() {
    let folder = Folder::new();
    let bring = |text: &str| {
        std::fs::create_dir_all(folder.path("work/shop")).unwrap();
        folder.write("work/shop/shop.yaml", &PROJECT.replace("Ship faster", text));
    };
    bring("Ship faster");
    let mut server = folder.serve(&["work/shop/shop.yaml"]);
    let stays = "the last good revision stays live";

    std::fs::remove_dir_all(folder.path("work")).unwrap();
    server.log_until(stays);
    bring("Ship sooner");
    until_live(&mut server, "Ship sooner").await;
    std::fs::rename(folder.path("work/shop"), folder.path("work/old")).unwrap();
    server.log_until(stays);
    bring("Ship today");
    until_live(&mut server, "Ship today").await;
    bring("Ship last");
    until_live(&mut server, "Ship last").await;
}

/// Waits until the snippet has this text. One change may be published twice.
async fn until_live(server: &mut Server, text: &str) {
    while !get(&server.url("/js/1000.js")).await.text().await.unwrap().contains(text) {
        server.log_until("published");
    }
}

#[tokio::test]
async fn a_file_beside_the_project_file_publishes_nothing() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let mut server = folder.serve(&["shop.yaml"]);

    folder.write("notes.txt", "written beside it");
    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));

    let log = server.log_until("published");
    assert!(log.contains("revision=2"), "the first thing published is the change: {log}");
}

/// As Kubernetes brings a new version of a `ConfigMap`: the file stays a link through `..data`, which is replaced.
#[tokio::test]
async fn a_folder_that_is_swapped_by_its_link_is_a_change() {
    let folder = Folder::new();
    let bring = |version: &str, text: &str| {
        std::fs::create_dir_all(folder.path(version)).unwrap();
        folder.write(&format!("{version}/shop.yaml"), &PROJECT.replace("Ship faster", text));
        symlink(version, folder.path("..data_tmp")).unwrap();
        std::fs::rename(folder.path("..data_tmp"), folder.path("..data")).unwrap();
    };
    bring("..1", "Ship faster");
    symlink("..data/shop.yaml", folder.path("shop.yaml")).unwrap();
    let mut server = folder.serve(&["shop.yaml"]);

    for (version, text) in [("..2", "Ship sooner"), ("..3", "Ship today"), ("..1", "Ship now")] {
        bring(version, text);
        server.log_until("published");
        assert!(get(&server.url("/js/1000.js")).await.text().await.unwrap().contains(text));
    }
    folder.write("..1/shop.yaml", &PROJECT.replace("Ship faster", "Ship last"));
    server.log_until("published");
    assert!(get(&server.url("/js/1000.js")).await.text().await.unwrap().contains("Ship last"));
}

#[test]
fn a_hang_up_ends_no_server_that_is_still_starting() {
    let folder = Folder::new();
    mknodat(CWD, folder.path("shop.yaml"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();

    let mut server = folder.start(&["serve", "shop.yaml"]);
    // It can be opened once the server waits for the first byte.
    let mut file = File::options().write(true).open(folder.path("shop.yaml")).unwrap();
    kill_process(Pid::from_child(&server), Signal::HUP).unwrap();
    file.write_all(b"no project").unwrap();
    drop(file);

    assert_eq!(server.wait().unwrap().code(), Some(1), "the file has faults");
}

#[tokio::test]
async fn a_hang_up_reads_the_project_file_again_and_ends_nothing() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let (mut with_file, mut without) = (folder.serve(&["shop.yaml"]), Folder::new().serve(&[]));

    without.signal(Signal::HUP);
    with_file.signal(Signal::HUP);

    with_file.log_until("`shop.yaml` says what is live already revision=1");
    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));
    with_file.log_until("published");
    without.signal(Signal::TERM);
    assert_eq!(without.exit_code(), Some(0), "it was still there to be told to stop");
    assert_eq!(get(&with_file.url("/healthz")).await.status(), 200);
}

#[test]
fn application_whose_secret_is_missing_is_told_by_name() {
    let folder = Folder::new();
    let application = "applications: [{client_id: reports, name: Reports, \
        redirect_uris: [\"https://reports.example/callback\"], secret_env: REPORTS_SECRET}]\n";
    folder.write("shop.yaml", &format!("{PROJECT}{application}"));

    let output = folder.assay(&["serve", "shop.yaml", "--listen", "127.0.0.1:0"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output)
            .contains("application `reports`: the environment variable `REPORTS_SECRET`"),
        "{}",
        stderr(&output)
    );
}

#[tokio::test]
async fn declared_application_is_known_at_once() {
    let folder = Folder::new();
    let application = "applications: [{client_id: tool, name: Tool, redirect_uris: [\"http://127.0.0.1/callback\"]}]\n";
    folder.write("shop.yaml", &format!("{PROJECT}{application}"));

    let server = folder.serve(&["shop.yaml"]);

    let query = "response_type=code&client_id=tool&redirect_uri=http://127.0.0.1/callback\
        &code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
    let page = get(&server.url(&format!("/oauth2/authorize?{query}"))).await;
    assert_eq!(page.status(), 200);
    assert!(page.text().await.unwrap().contains("Tool"));
}

#[test]
fn faulty_file_is_not_served_at_all() {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("type: ab_test", "type: ab_tset"));

    let output = folder.assay(&["serve", "shop.yaml"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("shop.yaml:9:11: error: "), "{}", stderr(&output));
    assert!(!folder.path("assay-data").exists(), "nothing was touched");
}

#[test]
fn taken_port_is_one_clear_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();

    let output = Folder::new().assay(&["serve", "--demo", "--listen", &address]);

    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains(&format!("error: cannot listen on {address}")),
        "{}",
        stderr(&output)
    );
}

#[test]
fn impossible_data_directory_is_one_clear_line() {
    let folder = Folder::new();
    // Tests may run as root, whom no permission stops; a file in the place of a directory stops root, too.
    folder.write("file", "");

    let output = folder.assay(&["serve", "--data", "file/data", "--listen", "127.0.0.1:0"]);

    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("error: cannot create data directory `file/data`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn demo_is_ready_with_all_that_opens_it() {
    let folder = Folder::new();

    let mut server = folder.serve(&["--demo"]);

    let ready = &server.ready;
    assert_eq!(ready["project_id"], "1000");
    assert_eq!(ready["demo_url"], server.url("/demo/"));
    assert_eq!(ready["application"]["redirect_uri"], server.url("/demo/callback"));
    let secret = ready["application"]["client_secret"].as_str().unwrap().to_owned();
    let password = ready["member"]["password"].as_str().unwrap().to_owned();
    let until_command = server.stdout.by_ref().map(Result::unwrap);
    let greeting: Vec<String> = until_command.take_while(|line| !line.contains("curl")).collect();
    assert!(greeting.join("\n").contains(&password), "shown once");
    assert!(greeting.join("\n").contains(&secret), "shown once");
}

#[tokio::test]
async fn demo_shop_is_there_with_its_script_first() {
    let server = Folder::new().serve(&["--demo"]);

    let page = get(&server.url("/demo/")).await;

    assert!(
        page.headers()["content-security-policy"].to_str().unwrap().contains("script-src 'self'")
    );
    let html = page.text().await.unwrap();
    let first_script = html.find("<script").unwrap();
    assert!(
        html[first_script..].starts_with("<script src=\"../js/1000.js\""),
        "{}",
        &html[first_script..first_script + 60]
    );
}

#[tokio::test]
async fn a_seed_is_published_once_and_never_overwrites() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let first = folder.serve(&["--seed", "shop.yaml", "--data", "data"]);
    assert!(get(&first.url("/js/1000.js")).await.text().await.unwrap().contains("Ship faster"));
    drop(first);
    folder.write("shop.yaml", &PROJECT.replace("Ship faster", "Ship sooner"));

    let second = folder.serve(&["--seed", "shop.yaml", "--data", "data"]);

    assert!(get(&second.url("/js/1000.js")).await.text().await.unwrap().contains("Ship faster"));
}

#[tokio::test]
async fn a_server_without_members_tells_where_it_is_set_up() {
    let folder = Folder::new();
    let mut server = folder.serve(&["--data", "data"]);
    let address = server.ready["setup_url"].as_str().unwrap().to_owned();
    let greeting: Vec<String> = server.stdout.by_ref().take(3).map(Result::unwrap).collect();
    assert_eq!(greeting[2], format!("  set up        {address}"));
    assert!(server.log_until("set it up at").contains(&address));
    drop(server);

    let again = folder.serve(&["--data", "data"]);
    let token = |address: &str| address.split_once("/setup?").unwrap().1.to_owned();
    let told = again.ready["setup_url"].as_str().unwrap();
    assert_eq!(token(told), token(&address), "a restart repeats it");
    let added = folder.assay(&["member", "add", "ann@example.com", "--data", "data"]);
    assert_eq!(added.status.code(), Some(0));
    assert_eq!(get(told).await.url().path(), "/sign-in");
    drop(again);

    let with_member = folder.serve(&["--data", "data"]);
    assert_eq!(with_member.ready.get("setup_url"), None);
}

#[test]
fn one_file_is_served_by_one_process() {
    let folder = Folder::new();
    let server = folder.serve(&["--data", "data"]);
    std::os::unix::fs::symlink(folder.path("data/assay.db"), folder.path("link.db")).unwrap();
    for place in [
        ["--data", "data"],
        ["--database", "sqlite:data/assay.db"],
        ["--database", "sqlite:link.db"],
    ] {
        let second = folder.assay(&[&["serve", "--listen", "127.0.0.1:0"], &place[..]].concat());

        assert_eq!(second.status.code(), Some(3), "{second:?}");
        let told = stderr(&second);
        assert!(told.contains("another process serves the database"), "{told}");
        assert!(told.contains("--database postgres://"), "{told}");
    }
    let added = folder.assay(&["member", "add", "ann@example.com", "--data", "data"]);
    assert_eq!(added.status.code(), Some(0), "commands work meanwhile");

    drop(server);
    let _again = folder.serve(&["--data", "data"]);
}

#[test]
fn a_mistyped_setting_is_told_by_the_server_and_the_doctor() {
    let folder = Folder::with_variables(&[("ASSAY_EVENT", "/srv/events")]);
    let told = "`ASSAY_EVENT` has no effect";

    folder.serve(&["--data", "data"]).log_until(told);
    let doctor = ["doctor", "--data", "data", "--listen", "127.0.0.1:0"];
    let doctor = folder.assay_with("ASSAY_EVENT", "/srv/events", &doctor);

    assert!(stdout(&doctor).contains(told), "{}", stdout(&doctor));
}
