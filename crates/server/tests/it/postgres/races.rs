//! The same asked of two servers at once: one database decides.

use std::time::{Duration, Instant};

use super::database;
use crate::browser::Browser;
use crate::command_line::binary::{Folder, Server};
use crate::crash::client::{Caller, allow, authorize, exchange, refresh, use_of};
use crate::crash::life::{demo_application, demo_member, public_application};
use crate::site::{Answer, Application};

/// Often enough for both to come first now and then.
const RACES: usize = 20;

/// Two servers on one database, and the cookies of a member who is signed in to both.
struct Two {
    callers: [Caller; 2],
    servers: [Server; 2],
    cookies: String,
    folders: [Folder; 2],
    place: [String; 2],
}

impl Two {
    async fn start(name: &str) -> Self {
        let place = ["--database".to_owned(), database(name)];
        let folders = [Folder::new(), Folder::new()];
        let [flag, address] = place.each_ref().map(String::as_str);
        let servers = folders
            .each_ref()
            .map(|folder| folder.serve_logging("warn", &["--demo", flag, address]));
        let callers = servers.each_ref().map(|server| Caller::new(&server.url("")));
        let browser = Browser::new(&callers[0]);
        browser.sign_in_at_home(&demo_member(&servers[0])).await;
        let cookies = browser.cookies();
        Self { callers, servers, cookies, folders, place }
    }

    async fn code(&self, application: &Application) -> String {
        let mut answer = self.callers[0].send_text(authorize(application, &self.cookies)).await;
        if answer.status == 200 {
            answer = self.callers[0].send_text(allow(&answer, &self.cookies)).await;
        }
        answer.returned("code").unwrap()
    }

    /// The same request to both.
    async fn at_once(&self, request: impl Fn() -> axum::http::Request<String>) -> [Answer; 2] {
        let [one, other] = &self.callers;
        let (one, other) = tokio::join!(one.send_text(request()), other.send_text(request()));
        [one, other]
    }
}

fn text(answer: &Answer, name: &str) -> String {
    answer.json()[name].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn one_code_sent_to_two_servers_at_once_is_exchanged_once() {
    let two = Two::start("code_races").await;
    let application = demo_application(&two.servers[0]);
    for _ in 0..RACES {
        let code = two.code(&application).await;

        let answers = two.at_once(|| exchange(&application, &code)).await;

        let granted: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        let refused = answers.iter().find(|answer| answer.status == 400);
        assert_eq!(granted.len(), 1, "{answers:?}");
        assert_eq!(text(refused.unwrap(), "error"), "invalid_grant");
        let (token, answered) = (text(granted[0], "access_token"), Instant::now());
        let mut asked = Instant::now();
        while two.at_once(|| use_of(&token)).await.iter().any(|answer| answer.status != 401) {
            assert!(asked - answered < Duration::from_secs(1), "two may hold the code");
            asked = Instant::now();
        }
    }
}

#[tokio::test]
async fn a_client_that_refreshes_at_two_servers_at_once_keeps_one_line() {
    let two = Two::start("refresh_races").await;
    let application = public_application(&two.folders[0], &two.place);
    let code = two.code(&application).await;
    let tokens = two.callers[0].send_text(exchange(&application, &code)).await;
    let mut token = text(&tokens, "refresh_token");
    for _ in 0..RACES {
        let answers = two.at_once(|| refresh(&application, &token)).await;

        let successors = answers.each_ref().map(|answer| text(answer, "refresh_token"));
        let [one, other] = &two.callers;
        let used = [
            one.send_text(refresh(&application, &successors[0])).await,
            other.send_text(refresh(&application, &successors[1])).await,
        ];
        let mut living = used.iter().filter(|answer| answer.status == 200);
        token = text(living.next().unwrap(), "refresh_token");
        assert!(living.next().is_none(), "{used:?}");
    }
}
