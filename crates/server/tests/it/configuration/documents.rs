//! The whole draft as one document, for projects that are written in files.

use app::documents::check_document;
use app::projects::{Origin, publish_project};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use domain::{NoFiles, Source};
use serde_json::{Value, json};

use super::{Program, SHOP};

pub(super) async fn put(
    program: &Program,
    path: &str,
    header: (&str, &str),
    document: &Value,
) -> crate::site::Answer {
    program.send(Method::PUT, path, &[header], Body::from(document.to_string())).await
}

#[tokio::test]
async fn a_document_comes_back_as_it_was_put_with_keys_for_references() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/document");
    let read = program.get(&path).await;
    let mut document = read.json();
    assert_eq!(document["campaigns"][0]["pages"], json!(["home"]));
    document["campaigns"][0]["holdback"] = json!(100);

    let answer = put(&program, &path, ("if-match", read.header("etag")), &document).await;

    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(
        answer.json()["changes"][0]["text"],
        "campaign `Hero` (3001) changed\n  holdback: 0 → 100"
    );
    assert_eq!(program.get(&path).await.json(), document);
    assert_eq!(answer.header("etag"), program.get(&path).await.header("etag"));
    document["campaigns"][0]["experiments"][0]["variations"][0]["weight"] = json!(4000);
    let plan = put(&program, &format!("{path}?dry_run=true"), ("accept", "*/*"), &document).await;
    assert_eq!(plan.status, StatusCode::OK, "{}", plan.body);
    assert_eq!(plan.json()["changes"][0]["kind"], "variation");
    assert_eq!(plan.json()["warnings"][0]["code"], "weights_below_total");
}

#[tokio::test]
async fn a_document_is_not_put_over_what_its_author_has_not_seen() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/document");
    let document = program.get(&path).await.json();

    let late = put(&program, &path, ("if-match", "\"0123\""), &document).await;
    let exists = put(&program, &path, ("if-none-match", "*"), &document).await;
    let blind = put(&program, &path, ("accept", "*/*"), &document).await;
    let mut other = document;
    other["project"]["id"] = json!("1001");
    let elsewhere = put(&program, &path, ("if-match", "*"), &other).await;

    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(exists.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(blind.status, StatusCode::PRECONDITION_REQUIRED);
    assert_eq!(elsewhere.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(super::pointers(&elsewhere), ["#/project/id"]);
}

#[tokio::test]
async fn a_project_begins_with_a_document() {
    let program = Program::start().await;
    let document =
        json!({"version": 1, "project": {"id": "7", "key": "seven"}, "pages": [{"key": "all"}]});

    let created = put(&program, "/v1/projects/7/document", ("if-none-match", "*"), &document).await;

    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    assert_eq!(program.get("/v1/projects/7/pages/key:all").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_project_that_is_served_from_a_file_is_read_but_not_written() {
    let program = Program::start().await;
    let text =
        "version: 1\nproject: {id: \"1000\", key: shop}\npages: [{id: \"2001\", key: home}]\n";
    let source = Source { name: "shop.yaml", text, files: &NoFiles };
    let project = check_document(&source).unwrap().project;
    publish_project(&program.site.app, project, Origin::ProjectFile).await.unwrap();

    let read = program.get(&format!("{SHOP}/pages/2001")).await;
    let page = program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Home"})).await;
    let published = program.publish("").await;

    assert_eq!(read.status, StatusCode::OK);
    for refused in [page, published] {
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (StatusCode::CONFLICT, &json!("managed_by_file"))
        );
    }
}

#[tokio::test]
async fn a_document_removes_no_running_campaign_unless_it_is_meant_to() {
    let program = Program::with_hero().await;
    program.act("start").await;
    let path = format!("{SHOP}/document");
    let mut document = program.get(&path).await.json();
    document["campaigns"] = json!([]);

    let refused = put(&program, &path, ("if-match", "*"), &document).await;
    let plan = put(&program, &format!("{path}?dry_run=true"), ("accept", "*/*"), &document).await;

    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert_eq!(refused.json()["code"], "running");
    assert!(refused.body.contains("the campaign `Hero` (3001) is running"), "{}", refused.body);
    let notice = &plan.json()["visitors"][0];
    assert_eq!((&notice["effect"], &notice["id"]), (&json!("removed"), &json!("3001")));
    let missing = json!([{"kind": "campaign", "id": "3001", "name": "Hero"}]);
    assert_eq!(plan.json()["missing"], missing);
    let removed = put(&program, &format!("{path}?prune=true"), ("if-match", "*"), &document).await;
    assert_eq!(removed.status, StatusCode::OK, "{}", removed.body);
    let diff = program.get(&format!("{SHOP}/revisions/live..draft/diff")).await.json();
    assert_eq!(diff["visitors"][0]["effect"], "removed");
}

#[tokio::test]
async fn a_program_that_may_only_read_learns_what_a_document_would_change() {
    let mut program = Program::with_hero().await;
    let path = format!("{SHOP}/document");
    let mut document = program.get(&path).await.json();
    document["campaigns"][0]["holdback"] = json!(100);
    program.token = program.token_for("config:read").await;

    let plan = put(&program, &format!("{path}?dry_run=true"), ("accept", "*/*"), &document).await;
    let refused = put(&program, &path, ("if-match", "*"), &document).await;

    assert_eq!(plan.status, StatusCode::OK, "{}", plan.body);
    assert!(plan.body.contains("holdback: 0 → 100"), "{}", plan.body);
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    assert_eq!(program.get(&path).await.json()["campaigns"][0]["holdback"], 0);
}

#[tokio::test]
async fn a_project_whose_key_is_taken_is_refused_because_of_what_was_said() {
    let program = Program::start().await;
    let begin = async |said| program.post("/v1/projects", said).await;
    assert_eq!(begin(json!({"key": "toys"})).await.status, StatusCode::CREATED);

    let by_key = begin(json!({"key": "toys"})).await;
    let id = program.get("/v1/projects/key:toys").await.json()["id"].clone();
    let by_id = begin(json!({"id": id, "key": "games"})).await;

    for (refused, word) in [(by_key, "key"), (by_id, "id")] {
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
        let detail = format!("there is a project with this {word} already");
        assert_eq!(refused.json()["detail"], detail);
    }
}

#[tokio::test]
async fn the_source_of_a_draft_comes_back_as_it_was_kept() {
    let program = Program::with_hero().await;
    let (path, document) = (format!("{SHOP}/document/source"), format!("{SHOP}/document"));
    let tag = program.get(&document).await.header("etag").to_owned();
    let text = "\u{feff}# É\r\nversion: 1\t# \"one\"";
    assert_eq!(program.get(&path).await.status, StatusCode::NOT_FOUND);

    let source = json!({"text": text});
    let kept = put(&program, &path, ("if-match", &tag), &source).await;
    let late = put(&program, &path, ("if-match", "\"0123\""), &source).await;
    let blind = put(&program, &path, ("accept", "*/*"), &source).await;
    let too_long = json!({"text": "#".repeat(domain::limits::MAX_DOCUMENT_BYTES)});
    let refused = [json!({"text": "a\0"}), json!({"text": "\u{1b}[2J"}), json!({"txt": ""})];

    assert_eq!(kept.status, StatusCode::NO_CONTENT, "{}", kept.body);
    assert_eq!(program.get(&path).await.json(), json!({"text": text, "draft": tag}));
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(blind.status, StatusCode::PRECONDITION_REQUIRED);
    let too_long = put(&program, &path, ("if-match", &tag), &too_long).await;
    assert_eq!(too_long.status, StatusCode::PAYLOAD_TOO_LARGE);
    for source in refused {
        let refused = put(&program, &path, ("if-match", &tag), &source).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
    }
    program.patch(&format!("{SHOP}/pages/2001"), json!({"name": "Start"})).await;
    assert_ne!(program.get(&document).await.header("etag"), tag);
    assert_eq!(program.get(&path).await.json(), json!({"text": text, "draft": tag}));
}

#[tokio::test]
async fn a_start_that_is_long_past_is_told_before_and_with_the_publication() {
    let program = Program::with_hero().await;
    let path = format!("{SHOP}/document");
    let mut document = program.get(&path).await.json();
    document["campaigns"][0]["schedule"] = json!({"start": "2026-01-15T09:00"});

    let plan = put(&program, &format!("{path}?dry_run=true"), ("accept", "*/*"), &document).await;
    let applied = put(&program, &path, ("if-match", "*"), &document).await;
    let published = program.publish("").await;

    for told in [plan, applied, published] {
        let warning = told.json()["warnings"][0].clone();
        assert_eq!(warning["code"], "moment_past", "{}", told.body);
        assert_eq!(warning["pointer"], "/campaigns/0/schedule/start");
        let message =
            "`Hero`: its `start` is more than a day past, so its schedule does not start it";
        assert_eq!(warning["message"], message);
    }
}
