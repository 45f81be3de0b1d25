//! Programs that ask for more than a machine can do: they get 503 with `Retry-After`, and the memory does not run out.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::documents::put;
use super::{Program, SHOP, hero};

/// Far less than as many comparisons of such documents would take if all were worked on at once.
const MEMORY_KB_AT_MOST: u64 = 450 * 1024;

/// A document of nearly four megabytes, whose campaigns all say this.
fn large(word: &str) -> Value {
    let campaigns = (0..2_000).map(|number| {
        let mut campaign = hero(&(10_000 + number).to_string(), &format!("hero{number}"));
        campaign["name"] = json!(format!("{word} {number} {}", "x".repeat(100)));
        campaign["experiments"][0]["variations"][1]["changes"] =
            json!([{"type": "html", "selector": "#hero", "value": format!("{word}{}", "y".repeat(900))}]);
        campaign
    });
    json!({
        "version": 1,
        "project": {"id": "1000", "key": "shop", "name": "Shop"},
        "pages": [{"id": "2001", "key": "home", "conditions": []}],
        "campaigns": campaigns.collect::<Value>(),
    })
}

/// What this process has in memory (`VmRSS`), or had at most (`VmHWM`), in kB.
fn memory_kb(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_matches(|character: char| !character.is_ascii_digit()).parse().unwrap()
}

/// Starts all before it waits for any.
async fn at_once<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut set: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut done = Vec::new();
    std::future::poll_fn(|context| {
        set.retain_mut(|future| match future.as_mut().poll(context) {
            std::task::Poll::Ready(value) => {
                done.push(value);
                false
            }
            std::task::Poll::Pending => true,
        });
        if set.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn memory_is_bounded_however_many_comparisons_are_asked_for_at_once() {
    let program = Program::start().await;
    let path = format!("{SHOP}/document");
    let begun = put(&program, &path, ("if-none-match", "*"), &large("Red")).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.body);
    assert_eq!(program.publish("").await.status, StatusCode::CREATED);
    let changed = put(&program, &path, ("if-match", begun.header("etag")), &large("Blue")).await;
    assert_eq!((changed.status, &changed.json()["truncated"]), (StatusCode::OK, &json!(true)));
    let diff = format!("{SHOP}/revisions/live..draft/diff");
    let told = program.get(&diff).await;
    assert_eq!(told.status, StatusCode::OK);
    assert_eq!((&told.json()["truncated"], &told.json()["patch"]), (&json!(true), &Value::Null));
    let before = memory_kb("VmRSS:");
    // From here on the most that this process has had is counted anew.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();

    let answers = at_once((0..64).map(|_| program.get(&diff)).collect()).await;

    let grown = memory_kb("VmHWM:").saturating_sub(before);
    assert!(grown < MEMORY_KB_AT_MOST, "{grown} kB more");
    let (done, put_off): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == StatusCode::OK);
    assert!(!done.is_empty());
    for answer in put_off {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
        assert_eq!(
            (&answer.json()["code"], answer.header("retry-after")),
            (&json!("overloaded"), "1")
        );
    }
}

#[tokio::test]
async fn whole_documents_and_comparisons_are_counted_and_other_reads_are_not() {
    let program = Program::with_hero().await;
    let diff = format!("{SHOP}/revisions/live..draft/diff");
    let first = program.get(&diff).await;
    assert_eq!(first.header("ratelimit-policy"), "\"heavy-reads\";q=600;w=60");
    assert_eq!(first.header("ratelimit"), "\"heavy-reads\";r=599;t=1");
    for _ in 0..599 {
        assert_eq!(program.get(&format!("{SHOP}/document")).await.status, StatusCode::OK);
    }

    let refused = program.get(&diff).await;

    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        (&refused.json()["code"], refused.header("retry-after")),
        (&json!("too_many_heavy_reads"), "1")
    );
    assert_eq!(program.get(&format!("{SHOP}/campaigns/3001")).await.status, StatusCode::OK);
    assert_eq!(
        program.patch(&format!("{SHOP}/campaigns/3001"), json!({"holdback": 7})).await.status,
        StatusCode::OK
    );
    program.site.advance_seconds(1);
    assert_eq!(program.get(&diff).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_without_a_token_takes_no_turn() {
    let program = Program::with_shop().await;
    let answer = program.site.get(&format!("{SHOP}/revisions/live..draft/diff")).await;

    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}
