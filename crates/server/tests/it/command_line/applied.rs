//! What `assay apply` refuses, so that no member's work is lost, and what it reads.

use std::io::Write as _;
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};

use super::binary::{Folder, stderr, stdout};
use super::remote::{Desk, shop};
use crate::tls::certificates::{Authority, FLAGS};
use crate::webhooks::read;

const OFFERS: &str = r#"version: 1
project: {id: "2000", key: shop, name: Shop}
pages: [{key: home, name: Home}]
campaigns:
  - key: offers
    name: Offers
    type: personalization
    status: running
    pages: [home]
    experiments:
      - {key: mugs, variations: [{key: mug, weight: 10000}]}
  - key: hero
    name: Hero
    type: ab_test
    pages: [home]
    experiments:
      - {key: hero, variations: [{key: original, weight: 5000}]}
"#;

impl Desk {
    async fn with_offers() -> Self {
        let desk = Self::start().await;
        desk.folder.write("shop.yaml", OFFERS);
        desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes"]);
        desk
    }

    /// What it says when it does nothing.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        stderr(&output)
    }
}

fn push(list: &mut Value, resource: Value) {
    list.as_array_mut().unwrap().push(resource);
}

#[tokio::test]
async fn an_experience_or_a_variation_of_others_takes_a_flag_to_be_removed() {
    let desk = Desk::with_offers().await;
    desk.edit(|document| {
        let [offers, hero] = document["campaigns"].as_array_mut().unwrap().as_mut_slice() else {
            panic!()
        };
        let vips = json!({"key": "vips", "variations": [{"key": "mug", "weight": 10000}]});
        push(&mut offers["experiments"], vips);
        push(&mut offers["priorities"][0], json!("vips"));
        let short = json!({"key": "short", "weight": 5000});
        push(&mut hero["experiments"][0]["variations"], short);
    })
    .await;

    let told = desk.refused(&["apply", "shop.yaml", "--publish", "--yes"]);

    assert!(told.contains("the file does not have experiment `vips` ("), "{told}");
    assert!(told.contains("variation `short` (") && told.contains("nothing was done"), "{told}");
    let exported = desk.stdout_of(&["export", "2000"]);
    assert!(exported.contains("key: vips") && exported.contains("key: short"), "{exported}");
    desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes", "--prune"]);
    assert!(!desk.stdout_of(&["export", "2000"]).contains("key: vips"));
}

#[tokio::test]
async fn an_ab_test_gets_another_experiment_without_a_flag() {
    let desk = Desk::start().await;
    desk.stdout_of(&["apply", "shop.yaml", "--publish"]);
    let phase = shop().replace("id: \"4001\"\n        key: hero", "key: hero-2");
    let phase = phase.replace("id: \"5001\", ", "").replace("id: \"5002\"\n            ", "");
    desk.folder.write("shop.yaml", &phase);

    let told = desk.stdout_of(&["apply", "shop.yaml", "--publish", "--yes"]);

    assert!(told.contains("begins in the place of `hero` (4001)"), "{told}");
    assert!(told.ends_with("revision 2 is live\n"), "{told}");
}

#[tokio::test]
async fn of_much_that_is_missing_the_first_are_named() {
    let desk = Desk::with_offers().await;
    desk.edit(|document| {
        for number in 1..=8 {
            push(&mut document["pages"], json!({"key": format!("p{number}")}));
        }
    })
    .await;

    let told = desk.refused(&["apply", "shop.yaml"]);

    assert!(told.contains("page `p1` (") && !told.contains("page `p6`"), "{told}");
    assert!(told.contains(" and 3 more, and nothing was done\n  hint: "), "{told}");
}

#[tokio::test]
async fn a_file_may_come_from_standard_input() {
    let desk = Desk::start().await;
    let server = desk.server.url("");
    let given = |text: &str, command: &[&str]| {
        let remote = ["--server", &server, "--token", &desk.token];
        let output = desk.folder.assay_reading(text, &[command, &remote].concat());
        (output.status.code(), stdout(&output) + &stderr(&output))
    };

    let (code, told) = given(&shop(), &["apply", "-", "--publish"]);
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = given(&shop(), &["diff", "-", "--exit-code"]);
    assert_eq!((code, told.as_str()), (Some(0), "no differences\n"));
    let (code, told) = given("nonsense: 1", &["diff", "-"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("<stdin>:1:1"), "{told}");
}

/// A server whose draft changes between each plan and its application.
fn hurried_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (got, mut stream) = read(stream.unwrap());
            let is_late = got.path.ends_with("?prune=false");
            let (status, body) = if is_late {
                (412, r#"{"code": "etag_mismatch"}"#)
            } else {
                (200, r#"{"project": {}, "changes": []}"#)
            };
            let media_type = "Content-Type: application/json";
            let head = format!(
                "HTTP/1.1 {status} Told\r\nETag: \"1\"\r\nConnection: close\r\n{media_type}"
            );
            let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn apply_fails_with_advice_if_the_draft_changed_meanwhile() {
    let (folder, server) = (Folder::new(), hurried_server());
    folder.write("shop.yaml", &shop());

    let late = folder.assay_with(
        "ASSAY_TOKEN",
        "assay_pat_x",
        &["apply", "shop.yaml", "--server", &server],
    );

    assert_eq!(late.status.code(), Some(3), "a pipeline may try again");
    let expected =
        "error: the draft has changed meanwhile\n  hint: look at `assay diff`, and apply again\n";
    assert_eq!(stderr(&late), expected);
}

#[test]
fn an_authority_that_is_not_known_is_told_apart_from_a_file_that_is_not_there() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("experiments.shop.example").write(&folder);
    folder.write("shop.yaml", &shop());
    folder.write("empty.pem", "nothing\n");
    let server = folder.serve(&FLAGS);
    let address = format!("https://{}", server.address());
    let told = |certificates: &str| {
        let variables = [("ASSAY_TOKEN", "assay_pat_x"), ("SSL_CERT_FILE", certificates)];
        stderr(&folder.assay_where(&variables, &["diff", "shop.yaml", "--server", &address]))
    };

    assert!(told("").contains("UnknownIssuer") && told("").contains("`SSL_CERT_FILE`"));
    let expected = "error: cannot read `nowhere.pem`, which `SSL_CERT_FILE` names";
    assert!(told("nowhere.pem").starts_with(expected), "{}", told("nowhere.pem"));
    let expected = "error: there is no certificate (PEM) in `empty.pem`";
    assert!(told("empty.pem").starts_with(expected), "{}", told("empty.pem"));
}

#[test]
fn made_up_visitors_trust_the_authority_that_a_variable_names() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("experiments.shop.example").write(&folder);
    folder.write("shop.yaml", &shop());
    folder.write("empty.pem", "nothing\n");
    let server = folder.serve(&FLAGS);
    let address = format!("https://{}", server.address());

    let visits = ["simulate", "shop.yaml", "--url", "https://shop.example/", "--server", &address];
    let refused = stderr(&folder.assay_where(&[("SSL_CERT_FILE", "empty.pem")], &visits));

    assert!(refused.contains("there is no certificate (PEM) in `empty.pem`"), "{refused}");
}
