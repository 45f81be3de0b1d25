//! A project file against a running server: `assay apply`, `diff` and `export`.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::Output;
use std::thread;

use axum::body::Body;
use serde_json::{Value, json};

use super::binary::{Folder, PROJECT, stderr, stdout};
use crate::browser::Browser;
use crate::crash::client::{CHALLENGE, exchange};
use crate::crash::events::now;
use crate::door::{Door as _, Running};
use crate::oauth::token_call::Tokens;
use crate::webhooks::read;

const REDIRECT_URI: &str = "http://127.0.0.1/callback";

/// A server with its demo, a token for all of it, and a folder with a project file of another project.
pub(super) struct Desk {
    pub(super) server: Running,
    pub(super) token: String,
    pub(super) folder: Folder,
}

impl Desk {
    pub(super) async fn start() -> Self {
        let server = Running::start_in(Folder::new());
        let application = server.register(REDIRECT_URI, &[]);
        let member = server.member();
        let parameters = [&CHALLENGE[..], &[("scope", "all")]].concat();
        let code = Browser::new(&server).fetch_code(&member, &application, &parameters).await;
        let answer = server.send(exchange(&application, &code).map(Body::from)).await;
        let folder = Folder::new();
        folder.write("shop.yaml", &shop());
        Self { token: Tokens::of(&answer).access, server, folder }
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        let server = self.server.url("");
        let arguments = [arguments, &["--server", &server]].concat();
        self.folder.assay_with("ASSAY_TOKEN", &self.token, &arguments)
    }

    async fn snippet(&self) -> String {
        reqwest::get(self.server.url("/js/2000.js")).await.unwrap().text().await.unwrap()
    }

    /// What a command that succeeds prints.
    pub(super) fn stdout_of(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    }
}

pub(super) fn shop() -> String {
    PROJECT.replace("\"1000\"", "\"2000\"")
}

#[tokio::test]
async fn a_file_begins_a_project_and_changes_it() {
    let desk = Desk::start().await;

    let plan = desk.stdout_of(&["diff", "shop.yaml"]);
    let applied = desk.stdout_of(&["apply", "shop.yaml", "--publish", "--message", "First"]);
    let starts = "once this is live, visitors notice:\ncampaign `Hero text` (3001) starts\n\nproject `Shop` (2000) added\n";
    assert_eq!(plan, format!("the server has no such project; `assay apply` creates it\n{starts}"));
    assert_eq!(applied, format!("{starts}revision 1 is live\n"));
    let snippet = desk.server.url("/js/2000.js");
    assert!(reqwest::get(&snippet).await.unwrap().text().await.unwrap().contains("Ship faster"));

    assert_eq!(desk.stdout_of(&["diff", "shop.yaml"]), "no differences\n");
    desk.folder.write("shop.yaml", &shop().replace("Ship faster", "Ship sooner"));
    let changes = desk.stdout_of(&["diff", "shop.yaml"]);
    assert!(changes.contains("variation `Short` (5002) changed"), "{changes}");
    assert!(changes.contains("Ship faster") && changes.contains("Ship sooner"), "{changes}");
    assert_eq!(desk.stdout_of(&["apply", "shop.yaml"]), changes);
    assert!(reqwest::get(&snippet).await.unwrap().text().await.unwrap().contains("Ship faster"));
}

#[tokio::test]
async fn a_plan_says_what_starts_with_the_first_publication() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml"]);

    let plan = desk.stdout_of(&["diff", "shop.yaml"]);
    let applied = desk.stdout_of(&["apply", "shop.yaml", "--publish"]);

    let starts = "once this is live, visitors notice:\ncampaign `Hero text` (3001) starts\n\nno differences\n";
    assert_eq!(plan, starts);
    assert_eq!(applied, format!("{starts}revision 1 is live\n"));
}

#[tokio::test]
async fn an_address_without_assay_is_no_missing_project() {
    let desk = Desk::start().await;
    for path in ["/v1", "/assay"] {
        let server = desk.server.url(path);
        for command in ["diff", "apply"] {
            let arguments = [command, "shop.yaml", "--server", &server];
            let output = desk.folder.assay_with("ASSAY_TOKEN", &desk.token, &arguments);

            assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
            let told = format!("error: there is no Assay at `{server}`\n  hint: the address is");
            assert!(stderr(&output).starts_with(&told), "{}", stderr(&output));
        }
    }
}

#[tokio::test]
async fn a_project_is_exported_by_its_id_or_its_key() {
    let desk = Desk::start().await;

    let by_id = desk.stdout_of(&["export", "1000"]);

    assert_eq!(desk.stdout_of(&["export", "demo"]), by_id);
    assert_eq!(desk.stdout_of(&["export", "key:demo"]), by_id);
}

#[tokio::test]
async fn pipelines_hear_of_differences_by_the_exit_code() {
    let desk = Desk::start().await;
    let code = |file: &str| desk.run(&["diff", file, "--exit-code"]).status.code();

    assert_eq!(code("shop.yaml"), Some(1), "there is no such project");
    desk.stdout_of(&["apply", "shop.yaml"]);
    assert_eq!(code("shop.yaml"), Some(0));
    desk.folder.write("shop.yaml", &shop().replace("Ship faster", "Ship sooner"));
    assert_eq!(code("shop.yaml"), Some(1));

    desk.folder.write("faulty.yaml", &shop().replace("pages: [home]", "pages: [hoem]"));
    assert_eq!(code("faulty.yaml"), Some(2));
    assert_eq!(code("nowhere.yaml"), Some(2));
    let silent = ["diff", "shop.yaml", "--exit-code", "--server", "http://127.0.0.1:9"];
    let silent = desk.folder.assay_with("ASSAY_TOKEN", &desk.token, &silent);
    assert_eq!(silent.status.code(), Some(3));
}

#[tokio::test]
async fn programs_read_differences_as_json_also_of_a_new_project() {
    let desk = Desk::start().await;
    let changes = || -> Value {
        serde_json::from_str(&desk.stdout_of(&["diff", "shop.yaml", "--json"])).unwrap()
    };

    let of_new = changes();
    let applied = desk.stdout_of(&["apply", "shop.yaml"]);
    let of_same = changes();
    desk.folder.write("shop.yaml", &shop().replace("Ship faster", "Ship sooner"));
    let of_changed = changes();

    let text = "project `Shop` (2000) added";
    let added = json!([{"change": "added", "kind": "project", "id": "2000", "name": "Shop", "fields": [], "text": text}]);
    assert_eq!(of_new, added);
    assert!(applied.ends_with(&format!("\n{text}\n")), "{applied}");
    assert_eq!(of_same, json!([]));
    let change = &of_changed[0];
    assert_eq!([&change["change"], &change["kind"]], ["changed", "variation"]);
    let (all, one): (Vec<_>, Vec<_>) = (keys(change), keys(&of_new[0]));
    assert_eq!(all, one, "each change has the same fields");
}

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().unwrap().keys().collect()
}

#[tokio::test]
async fn a_list_of_differences_that_is_cut_off_says_so() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml"]);
    let page = |number: usize| format!("  - {{key: page_{number}, name: Page}}\n");
    let pages: String = (0..2_001).map(page).collect();
    desk.folder.write("shop.yaml", &shop().replace("campaigns:", &format!("{pages}campaigns:")));

    let text = desk.stdout_of(&["diff", "shop.yaml"]);
    let json = desk.run(&["diff", "shop.yaml", "--json"]);

    assert!(text.lines().last().unwrap().starts_with("… and more: "), "{text}");
    let listed: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2_000);
    assert!(stderr(&json).contains("is truncated"), "{}", stderr(&json));
}

#[tokio::test]
async fn results_of_the_server_are_read_like_those_of_files() {
    let desk = Desk::start().await;
    let project = shop().replace("project: {", "project: {results: on, ");
    desk.folder.write("shop.yaml", &project);
    let refused =
        |campaign: &str| stderr(&desk.run(&["results", campaign, "--project", "shop.yaml"]));
    assert!(refused("hero").contains("no campaign `hero` live in a project `2000`"));
    desk.stdout_of(&["apply", "shop.yaml"]);
    assert!(refused("hero").contains("nothing of the project is live yet"), "{}", refused("hero"));
    desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes"]);
    let unknown = refused("he/ro?");
    assert!(unknown.contains("no campaign `he/ro?` live in a project `2000`"), "{unknown}");
    let at = now();
    let exposure = format!(
        r#"{{"project": "2000", "visitor": "ada", "events": [{{"id": "e1", "time": {at}, "type": "exposure", "campaign": "3001", "experiment": "4001", "variation": "5002"}}]}}"#
    );

    let before = desk.stdout_of(&["results", "hero", "--project", "2000"]);
    let sent = reqwest::Client::new().post(desk.server.url("/v1/events"));
    let sent = sent.header("content-type", "text/plain").body(exposure);
    assert_eq!(sent.send().await.unwrap().status().as_u16(), 202);
    let after = desk.stdout_of(&["results", "hero", "--project", "shop.yaml"]);
    let table = desk.stdout_of(&["results", "3001", "--project", "2000", "--csv"]);
    let json = desk.stdout_of(&["results", "hero", "--project", "2000", "--json"]);

    assert!(before.ends_with(": no visitor has come yet.\n"), "{before}");
    assert!(after.contains(": 1 visitor, "), "{after}");
    assert!(table.starts_with("campaign,experiment,first_day,"), "{table}");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["experiments"][0]["results"]["variations"][1]["visitors"], 1, "{json}");
}

#[tokio::test]
async fn an_exported_file_is_the_project_again() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);

    desk.stdout_of(&["export", "2000", "--generate", "-o", "copy.yaml"]);

    let copy = std::fs::read_to_string(desk.folder.path("copy.yaml")).unwrap();
    let schema = desk.server.url("/v1/project.schema.json");
    assert!(copy.starts_with(&format!("# yaml-language-server: $schema={schema}\n")), "{copy}");
    assert_eq!(desk.stdout_of(&["diff", "copy.yaml"]), "no differences\n");
    assert!(desk.stdout_of(&["export", "2000", "--revision", "1"]).contains("Ship faster"));
}

#[tokio::test]
async fn what_the_server_refuses_is_told_and_changes_nothing() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("weight: 5000", "weight: 4000"));

    let refused = desk.run(&["apply", "shop.yaml"]);

    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("/campaigns/0/experiments/0/variations/0/weight"),
        "{}",
        stderr(&refused)
    );
    assert!(stderr(&refused).contains("start a new phase"), "{}", stderr(&refused));
    assert!(!desk.stdout_of(&["export", "2000"]).contains("4000"));
}

#[tokio::test]
async fn a_token_is_asked_for_and_never_shown() {
    let desk = Desk::start().await;
    let server = desk.server.url("");

    let without = desk.folder.assay(&["diff", "shop.yaml", "--server", &server]);
    let wrong = desk.folder.assay_with(
        "ASSAY_TOKEN",
        "assay_at_wrong",
        &["diff", "shop.yaml", "--server", &server],
    );
    let exposed = desk.folder.assay_with(
        "ASSAY_TOKEN",
        &desk.token,
        &["diff", "shop.yaml", "--server", "http://assay.example"],
    );
    let nobody = desk.folder.assay_with(
        "ASSAY_TOKEN",
        &desk.token,
        &["diff", "shop.yaml", "--server", "http://127.0.0.1:9"],
    );

    assert_eq!(without.status.code(), Some(1));
    assert!(stderr(&without).contains("ASSAY_TOKEN"));
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("401") && !stderr(&wrong).contains("assay_at_wrong"));
    assert_eq!(exposed.status.code(), Some(1));
    assert!(stderr(&exposed).contains("expected an https address"));
    assert_eq!(nobody.status.code(), Some(3));
}

#[tokio::test]
async fn a_file_without_a_status_stops_nothing() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("    status: running\n", ""));

    let applied = desk.stdout_of(&["apply", "shop.yaml", "--publish"]);

    assert!(applied.starts_with("no differences\n"), "{applied}");
    assert!(desk.snippet().await.contains("Ship faster"));
    desk.folder.write("shop.yaml", &shop().replace("    status: running\n", "    holdback: 100\n"));
    let applied = desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes"]);
    assert!(applied.contains("holdback: 0 → 100") && !applied.contains("status"), "{applied}");
    assert!(desk.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn changes_that_visitors_would_notice_need_confirmation() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("status: running", "status: paused"));

    let refused = desk.run(&["apply", "shop.yaml", "--publish"]);

    let told = stdout(&refused);
    assert_eq!(refused.status.code(), Some(1), "{told}");
    let notice = "once this is live, visitors notice:\ncampaign `Hero text` (3001) stops\n  it is running, and becomes paused\n";
    assert!(told.starts_with(notice), "{told}");
    assert!(stderr(&refused).contains("hint: `--yes` does it"), "{}", stderr(&refused));
    assert!(desk.stdout_of(&["export", "2000"]).contains("status: running"), "nothing was done");
    assert!(desk.snippet().await.contains("Ship faster"));
    desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes"]);
    assert!(!desk.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn removing_a_running_campaign_needs_flags() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    let without = shop().split("campaigns:").next().unwrap().to_owned();
    desk.folder.write("shop.yaml", &without);

    let runs: [&[&str]; 4] =
        [&[], &["--publish"], &["--publish", "--yes"], &["--publish", "--prune"]];
    for flags in runs {
        let refused = desk.run(&[&["apply", "shop.yaml"], flags].concat());
        assert_eq!(refused.status.code(), Some(1), "{flags:?}");
        let told = stdout(&refused) + &stderr(&refused);
        assert!(told.contains("campaign `Hero text` (3001) is removed while it runs"), "{told}");
        assert!(desk.stdout_of(&["export", "2000"]).contains("key: hero"), "{flags:?}");
    }

    desk.stdout_of(&["apply", "shop.yaml", "--publish", "--prune", "--yes"]);
    assert!(!desk.snippet().await.contains("Ship faster"));
}

#[tokio::test]
async fn a_file_of_another_project_with_the_same_id_is_refused() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("key: shop", "key: toys"));

    let refused = desk.run(&["apply", "shop.yaml", "--publish", "--yes", "--prune"]);

    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("the document of another project, `toys`"),
        "{}",
        stderr(&refused)
    );
    assert!(desk.stdout_of(&["export", "2000"]).contains("key: shop"));
}

#[tokio::test]
async fn a_file_is_put_over_the_draft_that_it_was_made_for() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("Ship faster", "Ship sooner"));

    let late = desk.run(&["apply", "shop.yaml", "--if-match", "\"0123\""]);

    assert_eq!(late.status.code(), Some(1));
    let told = stderr(&late);
    assert!(told.contains("the draft has changed since"), "{told}");
    assert!(desk.stdout_of(&["export", "2000"]).contains("Ship faster"));
    let tag = told.split_once("it is ").unwrap().1.split_once(" now").unwrap().0;
    desk.stdout_of(&["apply", "shop.yaml", "--if-match", tag]);
    assert!(desk.stdout_of(&["export", "2000"]).contains("Ship sooner"));
}

#[tokio::test]
async fn a_draft_that_is_applied_but_not_published_is_told_as_such() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    desk.folder.write("shop.yaml", &shop().replace("Ship faster", "Ship sooner"));
    let add = ["token", "add", "ci", "--scope", "config:read,config:write", "--service", "--json"];
    let made = desk.server.assay(&[&add[..], &["--role", "publisher"]].concat());
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let server = desk.server.url("");

    let apply = ["apply", "shop.yaml", "--publish", "--yes", "--server", &server];
    let refused = desk.folder.assay_with("ASSAY_TOKEN", made["token"].as_str().unwrap(), &apply);

    assert_eq!(refused.status.code(), Some(1));
    let told = stderr(&refused);
    let expected = "error: the draft is applied, but not published: the server says 403: ";
    assert!(told.starts_with(expected), "{told}");
    assert!(desk.stdout_of(&["export", "2000"]).contains("Ship sooner"));
    assert!(desk.snippet().await.contains("Ship faster"));
}

/// A server that has every project, until one is published.
fn forgetful_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (got, mut stream) = read(stream.unwrap());
            let status = if got.path.ends_with("/revisions") { 404 } else { 200 };
            let body = r#"{"project": {}, "changes": []}"#;
            let head = format!(
                "HTTP/1.1 {status} Told\r\nETag: \"1\"\r\nConnection: close\r\nContent-Type: application/json"
            );
            let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn a_project_that_is_gone_when_it_is_published_is_not_live() {
    let (folder, server) = (Folder::new(), forgetful_server());
    folder.write("shop.yaml", &shop());

    let apply = ["apply", "shop.yaml", "--publish", "--yes", "--server", &server];
    let applied = folder.assay_with("ASSAY_TOKEN", "assay_pat_x", &apply);

    assert_eq!(applied.status.code(), Some(1), "{}", stdout(&applied));
    let expected = "not published: the server has no such project any more\n";
    assert!(stderr(&applied).ends_with(expected), "{}", stderr(&applied));
    assert!(!stdout(&applied).contains("is live"), "{}", stdout(&applied));
}
