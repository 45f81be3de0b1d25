//! A browser that has an earlier revision of a snippet gets what is new (RFC 9842).

use axum::body::Body;
use axum::http::{Request, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{Program, SHOP};
use crate::site::Answer;

const CHROMIUM: &str = "gzip, deflate, br, zstd, dcb, dcz";
/// Of both codings, the shorter is delivered.
const NEWS: [&str; 2] = ["dcb", "dcz"];
const DELTA_VARIES_BY: &str = "accept-encoding, available-dictionary";

/// haproxy and large CDNs keep nothing that varies by more.
const WHOLE_VARIES_BY: &str = "accept-encoding";
const LIVE: &str = "/js/1000.js";

/// Browsers name a snippet by its SHA-256.
fn name_of(snippet: &str) -> String {
    format!(":{}:", STANDARD.encode(Sha256::digest(snippet)))
}

impl Program {
    /// Publishes a snippet of its own, and returns it.
    async fn published(&self, holdback: u32) -> String {
        self.patch(&format!("{SHOP}/campaigns/3001"), json!({"holdback": holdback})).await;
        assert_eq!(self.publish("").await.status, StatusCode::CREATED);
        self.snippet().await
    }

    /// Two revisions, the later live.
    async fn with_two_revisions() -> (Self, String, String) {
        let program = Self::with_hero().await;
        program.act("start").await;
        let (before, after) = (program.published(10).await, program.published(20).await);
        assert_ne!(before, after);
        (program, before, after)
    }

    /// The head of the answer: the body is no text.
    async fn ask(&self, path: &str, accepted: &str, further: &[(&str, &str)]) -> Answer {
        let mut request = Request::head(path).header("accept-encoding", accepted);
        for (name, value) in further {
            request = request.header(*name, *value);
        }
        self.site.send(request.body(Body::empty()).unwrap()).await
    }
}

#[tokio::test]
async fn a_browser_with_the_previous_revision_gets_a_delta() {
    let (program, before, after) = Program::with_two_revisions().await;
    let immutable = format!("/js/1000/{}.js", &hex::encode(Sha256::digest(&after))[..32]);
    let dictionary = [("available-dictionary", &*name_of(&before))];

    for path in [LIVE, &immutable] {
        for (accepted, coding) in [("br, dcb", "dcb"), ("br, dcz", "dcz")] {
            let answer = program.ask(path, accepted, &dictionary).await;

            assert_eq!(answer.header("content-encoding"), coding, "{path}: {answer:?}");
            assert!(answer.header("content-length").parse::<u32>().unwrap() <= 200, "{answer:?}");
            assert_eq!(answer.header("vary"), DELTA_VARIES_BY);
            // Many shared caches look at no other header than `Accept-Encoding`.
            assert!(answer.header("cache-control").starts_with("private, max-age="), "{answer:?}");
            assert_eq!(answer.header("use-as-dictionary"), "match=\"/js/1000*\"");
            assert!(answer.header("etag").contains(&format!("-{coding}-")), "{answer:?}");
        }
    }
}

#[tokio::test]
async fn a_browser_without_a_known_dictionary_gets_the_whole_snippet() {
    let (program, before, _) = Program::with_two_revisions().await;
    let (known, unknown) = (name_of(&before), name_of("something else"));
    let whole = program.ask(LIVE, CHROMIUM, &[]).await;

    let of_unknown = program.ask(LIVE, CHROMIUM, &[("available-dictionary", &unknown)]).await;
    let without_coding = program.ask(LIVE, "br", &[("available-dictionary", &known)]).await;
    let refused =
        program.ask(LIVE, "br, dcb;q=0, dcz;q=0", &[("available-dictionary", &known)]).await;

    for answer in [&whole, &of_unknown, &without_coding, &refused] {
        assert_eq!(answer.header("content-encoding"), "br", "{answer:?}");
        assert_eq!(answer.header("etag"), whole.header("etag"));
        assert_eq!(answer.header("vary"), WHOLE_VARIES_BY);
    }
    // A shared cache would ask in the name of a browser with a dictionary whether this is still right, and could not keep the answer.
    for answer in [&whole, &of_unknown] {
        assert!(answer.header("cache-control").starts_with("private, max-age="), "{answer:?}");
    }
    for answer in [&without_coding, &refused] {
        assert!(answer.header("cache-control").starts_with("public, max-age="), "{answer:?}");
    }
}

#[tokio::test]
async fn a_browser_with_the_live_snippet_gets_304_whole_or_delta() {
    let (program, before, after) = Program::with_two_revisions().await;
    let [before, after] = [before, after].map(|snippet| name_of(&snippet));
    let whole = program.ask(LIVE, CHROMIUM, &[]).await.header("etag").to_owned();
    let news = program.ask(LIVE, CHROMIUM, &[("available-dictionary", &before)]).await;
    let news = news.header("etag").to_owned();

    // The browser names the one that it has by now.
    let as_whole = [("available-dictionary", &*after), ("if-none-match", &whole)];
    let as_whole = program.ask(LIVE, CHROMIUM, &as_whole).await;
    let as_news = [("available-dictionary", &*before), ("if-none-match", &news)];
    let as_news = program.ask(LIVE, CHROMIUM, &as_news).await;
    let since = [("available-dictionary", &*after), ("if-none-match", &news)];
    let since = program.ask(LIVE, CHROMIUM, &since).await;

    let (as_whole, as_news) =
        ((&as_whole, &whole, WHOLE_VARIES_BY), (&as_news, &news, DELTA_VARIES_BY));
    for (answer, etag, varies_by) in [as_whole, as_news] {
        assert_eq!((answer.status.as_u16(), &*answer.body), (304, ""));
        assert_eq!((answer.header("etag"), answer.header("vary")), (&**etag, varies_by));
    }
    // A shared cache could not give that one to a browser with another dictionary.
    assert_eq!(since.status.as_u16(), 200);
    assert!(NEWS.contains(&since.header("content-encoding")), "{since:?}");
    assert!(since.header("content-length").parse::<u32>().unwrap() < 80, "{since:?}");
}

#[tokio::test]
async fn a_delta_keeps_its_etag_when_nothing_new_is_published() {
    let (program, before, _) = Program::with_two_revisions().await;
    let asked = [("available-dictionary", &*name_of(&before))];
    let etag = program.ask(LIVE, CHROMIUM, &asked).await.header("etag").to_owned();

    let published = program.publish("").await;
    let answer = program.ask(LIVE, CHROMIUM, &asked).await;

    assert_eq!(published.status, StatusCode::OK);
    assert!(NEWS.contains(&answer.header("content-encoding")), "{answer:?}");
    assert_eq!(answer.header("etag"), etag);
}

#[tokio::test]
async fn revisions_of_long_ago_are_no_dictionaries() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let mut snippets = Vec::new();
    for holdback in 1..=7 {
        snippets.push(program.published(holdback).await);
    }

    let mut codings = Vec::new();
    for snippet in &snippets {
        let name = name_of(snippet);
        let answer = program.ask(LIVE, CHROMIUM, &[("available-dictionary", &name)]).await;
        codings.push(answer.header("content-encoding").to_owned());
    }

    let is_news: Vec<bool> = codings.iter().map(|coding| NEWS.contains(&&**coding)).collect();
    assert_eq!(is_news, [false, true, true, true, true, true, true], "{codings:?}");
}

#[tokio::test]
async fn a_preview_is_no_dictionary_and_has_none() {
    let (program, before, after) = Program::with_two_revisions().await;
    let page = "https://shop.example/";
    let link = json!({"url": page, "variations": ["short"]});
    let made = program.post(&format!("{SHOP}/preview-links"), link).await.json();
    let token = made["url"].as_str().unwrap().split_once('=').unwrap().1.to_owned();
    let path = format!("{LIVE}?preview={token}");

    for snippet in [before, after] {
        let name = name_of(&snippet);
        let answer = program.ask(&path, CHROMIUM, &[("available-dictionary", &name)]).await;

        assert_eq!(answer.header("cache-control"), "private, no-store", "{answer:?}");
        assert_eq!(answer.header("content-encoding"), "br");
        assert_eq!(answer.header("use-as-dictionary"), "");
    }
    let preview = program.site.get(&path).await.body;
    let answer = program.ask(LIVE, CHROMIUM, &[("available-dictionary", &name_of(&preview))]).await;
    assert_eq!(answer.header("content-encoding"), "br");
}
