//! `assay login`: commands act for a member who allowed it in the browser.

use std::io::{BufRead as _, BufReader, Lines};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Output, Stdio};

use serde_json::Value;

use super::binary::{Folder, PROJECT, command, stderr, stdout};
use crate::browser::Browser;
use crate::door::Running;
use crate::site::Answer;

/// A server with its demo, and the machine of a user.
struct Desk {
    server: Running,
    folder: Folder,
}

impl Desk {
    fn start() -> Self {
        let folder = Folder::new();
        folder.write("shop.yaml", &PROJECT.replace("\"1000\"", "\"2000\""));
        Self { server: Running::start_in(Folder::new()), folder }
    }

    fn configuration(&self) -> PathBuf {
        self.folder.path("configuration")
    }

    fn credentials(&self) -> PathBuf {
        self.configuration().join("assay/credentials.json")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let configuration = self.configuration();
        self.folder.assay_with("XDG_CONFIG_HOME", configuration.to_str().unwrap(), arguments)
    }

    /// Starts a login, and reads the address that it prints.
    fn begin(&self) -> (Login, String) {
        let mut child = command(self.folder.path("shop.yaml").parent().unwrap())
            .env("XDG_CONFIG_HOME", self.configuration())
            .args(["login", "--server", &self.server.url("")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
        let page = told.by_ref().map(Result::unwrap).find(|line| line.starts_with("http")).unwrap();
        (Login { child, told }, page)
    }

    /// The member decides about the request of this address; the address to which the browser goes then.
    async fn decide(&self, page: &str, decision: &str) -> String {
        let browser = Browser::new(&self.server);
        let path = page.strip_prefix(&self.server.url("")).unwrap();
        let form = browser.open(path).await;
        let signed_in = browser.sign_in(&form, &self.server.member()).await;
        let consent: Answer = browser.open(signed_in.location()).await;
        assert!(consent.body.contains("Assay command line"), "{}", consent.body);
        browser.submit(&consent, &[("decision", decision)]).await.location().to_owned()
    }

    async fn log_in(&self) {
        let (login, page) = self.begin();
        let answer = self.decide(&page, "allow").await;
        let shown = reqwest::get(answer).await.unwrap().text().await.unwrap();
        assert!(shown.contains("Go back to the terminal"), "{shown}");
        let ended = login.end();
        assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    }

    fn kept(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.credentials()).unwrap()).unwrap()
    }

    fn login(&self) -> Value {
        self.kept()["servers"][format!("{}/", self.server.url(""))].clone()
    }
}

struct Login {
    child: Child,
    told: Lines<BufReader<ChildStdout>>,
}

impl Login {
    fn end(self) -> Output {
        let told: Vec<String> = self.told.map(Result::unwrap).collect();
        let mut output = self.child.wait_with_output().unwrap();
        output.stdout = told.join("\n").into_bytes();
        output
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn commands_act_for_who_signed_in_until_they_sign_out() {
    let desk = Desk::start();

    desk.log_in().await;

    assert_eq!(mode(&desk.credentials()), 0o600, "no other user reads the tokens");
    assert_eq!(mode(desk.credentials().parent().unwrap()), 0o700);
    let applied = desk.run(&["apply", "shop.yaml", "--publish", "--yes"]);
    assert_eq!(applied.status.code(), Some(0), "{}", stderr(&applied));
    let token = desk.login()["access_token"].as_str().unwrap().to_owned();
    let projects = reqwest::Client::new().get(desk.server.url("/v1/projects")).bearer_auth(&token);
    assert_eq!(projects.try_clone().unwrap().send().await.unwrap().status(), 200);

    let out = desk.run(&["logout"]);

    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert_eq!(projects.send().await.unwrap().status(), 401, "the server knows, too");
    let refused = desk.run(&["diff", "shop.yaml", "--server", &desk.server.url("")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("assay login --server"), "{}", stderr(&refused));
    assert_eq!(stdout(&desk.run(&["logout"])), "You were not signed in.\n");
}

#[tokio::test]
async fn a_token_that_ends_is_renewed_once_for_all_commands() {
    let desk = Desk::start();
    desk.log_in().await;
    let first = desk.login();
    let mut kept = desk.kept();
    let server = format!("{}/", desk.server.url(""));
    kept["servers"][&server]["expires_at"] = 0.into();
    std::fs::write(desk.credentials(), kept.to_string()).unwrap();

    let results: Vec<Output> = std::thread::scope(|scope| {
        let started: Vec<_> =
            (0..8).map(|_| scope.spawn(|| desk.run(&["export", "1000"]))).collect();
        started.into_iter().map(|command| command.join().unwrap()).collect()
    });

    for result in results {
        assert_eq!(result.status.code(), Some(0), "{}", stderr(&result));
    }
    let renewed = desk.login();
    assert_ne!(renewed["refresh_token"], first["refresh_token"]);
    assert_eq!(mode(&desk.credentials()), 0o600);
    assert_eq!(desk.run(&["export", "1000"]).status.code(), Some(0));
    assert_eq!(desk.login(), renewed, "and not again");
}

#[tokio::test]
async fn a_login_that_ended_at_the_server_asks_for_another() {
    let desk = Desk::start();
    desk.log_in().await;
    let mut kept = desk.kept();
    let server = format!("{}/", desk.server.url(""));
    kept["servers"][&server]["expires_at"] = 0.into();
    kept["servers"][&server]["refresh_token"] = "assay_rt_of_another_time".into();
    std::fs::write(desk.credentials(), kept.to_string()).unwrap();

    let refused = desk.run(&["export", "1000"]);

    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("has ended"), "{}", stderr(&refused));
    assert!(!stderr(&refused).contains("assay_rt"), "{}", stderr(&refused));
    desk.log_in().await;
    assert_eq!(desk.run(&["export", "1000"]).status.code(), Some(0));
}

#[tokio::test]
async fn a_second_login_revokes_the_first() {
    let desk = Desk::start();
    desk.log_in().await;
    let before = desk.login()["refresh_token"].as_str().unwrap().to_owned();

    desk.log_in().await;

    let renewal = reqwest::Client::new()
        .post(desk.server.url("/oauth2/token"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("grant_type=refresh_token&client_id=assay-cli&refresh_token={before}"));
    let renewed: Value = renewal.send().await.unwrap().json().await.unwrap();
    assert_eq!(renewed["error"], "invalid_grant");
    assert_eq!(desk.run(&["export", "1000"]).status.code(), Some(0), "the new one goes on");
}

#[tokio::test]
async fn an_answer_of_another_server_does_not_sign_in() {
    let desk = Desk::start();
    let own = format!("&iss={}", desk.server.url("").replace(':', "%3A").replace('/', "%2F"));
    for other in ["&iss=https%3A%2F%2Fother.example", ""] {
        let (login, page) = desk.begin();
        let answer = desk.decide(&page, "allow").await;
        assert!(answer.contains(&own), "{answer}");

        reqwest::get(answer.replace(&own, other)).await.unwrap();

        let ended = login.end();
        assert_eq!(ended.status.code(), Some(1));
        assert!(stderr(&ended).contains("another server answered"), "{}", stderr(&ended));
    }
    assert!(!desk.credentials().exists());
}

#[test]
fn a_member_is_not_asked_if_tokens_cannot_be_kept() {
    let desk = Desk::start();
    let login = ["login", "--server", &desk.server.url("")];

    let no_folder = desk.folder.assay_with("HOME", "/dev/null", &login);
    let no_home = desk.folder.assay(&login);
    std::fs::create_dir_all(desk.credentials().parent().unwrap()).unwrap();
    std::fs::write(desk.credentials(), "{").unwrap();
    let damaged = desk.run(&login);

    for (refused, code, words) in [
        (no_folder, 3, "cannot create `/dev/null/.config/assay`"),
        (no_home, 3, "there is no place for tokens"),
        (damaged, 1, "is not what `assay login` writes"),
    ] {
        assert_eq!((refused.status.code(), &*stdout(&refused)), (Some(code), ""));
        assert!(stderr(&refused).contains(words), "{}", stderr(&refused));
    }
}

#[tokio::test]
async fn tokens_that_cannot_be_kept_are_ended() {
    let desk = Desk::start();
    let (login, page) = desk.begin();
    let answer = desk.decide(&page, "allow").await;
    std::fs::write(desk.credentials(), "{").unwrap();

    reqwest::get(answer).await.unwrap();

    assert_eq!(login.end().status.code(), Some(1));
    let audit = stdout(&desk.server.assay(&["audit", "--json"]));
    assert!(audit.contains("revoked"), "{audit}");
}

#[tokio::test]
async fn a_denied_login_stores_nothing_and_a_forged_callback_is_refused() {
    let desk = Desk::start();
    let (login, page) = desk.begin();
    let callback = page.split_once("redirect_uri=").unwrap().1.split('&').next().unwrap();
    let callback = callback.replace("%3A", ":").replace("%2F", "/");

    let strange = reqwest::get(format!("{callback}?state=guessed&code=mine")).await.unwrap();
    assert_eq!(strange.status(), 400);
    let answer = desk.decide(&page, "deny").await;
    reqwest::get(answer).await.unwrap();

    let ended = login.end();
    assert_eq!(ended.status.code(), Some(1));
    assert!(stderr(&ended).contains("you did not allow it"), "{}", stderr(&ended));
    assert!(!desk.credentials().exists());
}
