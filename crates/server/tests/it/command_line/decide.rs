//! `assay decide`.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::binary::{Folder, PROJECT, stderr, stdout};

/// A further campaign for [`PROJECT`], and what its audience asks for.
const MORE: &str = r#"
  - id: "3002"
    key: welcome
    name: Welcome
    type: personalization
    status: running
    pages: [home]
    holdback: "10%"
    priorities: [[professionals], [everyone]]
    experiments:
      - {id: "4002", key: professionals, name: Professionals, audiences: pro, variations: [{id: "5003", key: offer, name: A yearly offer for professionals and their teams, weight: 10000}]}
      - {id: "4003", key: everyone, name: Everyone else, variations: [{id: "5004", key: shipping, name: Free shipping, weight: 10000}]}
audiences: [{id: "6001", key: pro, name: Professionals, conditions: ["or", {type: custom_attribute, name: plan, match: exact, value: pro}]}]
attributes: [{id: "7001", key: plan, name: Plan}]
"#;

fn shop() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", &format!("{PROJECT}{MORE}"));
    folder
}

/// The arguments of a visit to the front page, and what else is said of it.
fn visit<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let least = ["decide", "shop.yaml", "--visitor", "ada", "--url", "https://shop.example/"];
    least.into_iter().chain(more.iter().copied()).collect()
}

fn answer_to(more: &[&str]) -> Value {
    let output = shop().assay(&visit(&[more, &["--json"]].concat()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal_of(more: &[&str]) -> String {
    let output = shop().assay(&visit(more));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(stdout(&output), "", "results only on standard output");
    stderr(&output)
}

#[test]
fn a_person_reads_what_the_visitor_gets_and_why() {
    let output = shop().assay(&visit(&["--attribute", "plan=pro"]));

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let mut filled = text.lines().filter(|line| !line.contains("analytics tools read"));
    assert!(filled.all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_program_reads_the_same_as_json() {
    let answer = answer_to(&[]);

    assert_eq!(answer["active_experiment_ids"], json!(["4001", "4003"]));
    assert_eq!(
        answer["variation_map"]["4001"],
        json!({"id": "5001", "name": "Original", "index": 0})
    );
    assert_eq!(answer["campaigns"][0]["decision_string"], "Hero text(4001):Original(5001)");
}

#[test]
fn an_earlier_variation_is_named_by_key_or_id() {
    for stored in ["hero=short", "4001=5002", "hero=5002"] {
        let answer = answer_to(&["--stored", stored]);
        assert_eq!(answer["campaigns"][0]["variation"]["id"], "5002", "{stored}");
    }
}

#[test]
fn a_variation_that_is_gone_may_be_remembered() {
    let answer = answer_to(&["--stored", "hero=4999"]);

    assert_eq!(answer["campaigns"][0]["experiment"]["id"], "4001");
    assert_eq!(answer["campaigns"][0]["variation"], Value::Null);
}

#[test]
fn a_variation_is_forced_by_key_or_id() {
    for forced in ["short", "5002"] {
        let answer = answer_to(&["--force", forced]);
        assert_eq!(answer["campaigns"][0]["variation"]["id"], "5002", "{forced}");
    }
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    insta::assert_snapshot!(refusal_of(&["--stored", "heor=short", "--page", "hme", "--force", "shrot"]), @r"
    error: variations.heor: there is no experiment `heor`
      hint: did you mean `hero`?
    error: force[0]: there is no variation `shrot`
      hint: did you mean `short`?
    error: pages[0]: there is no page `hme`
      hint: did you mean `home`?
    ");
    insta::assert_snapshot!(refusal_of(&["--attribute", "paln=pro"]), @r"
    error: attributes.paln: there is no attribute `paln`
      hint: did you mean `plan`?
    ");
    insta::assert_snapshot!(refusal_of(&["--stored", "hero=shrot"]), @r"
    error: variations.hero: there is no variation `shrot`
      hint: did you mean `short`?
    ");
}

#[test]
fn every_visitor_has_an_id() {
    let url = "https://shop.example/";
    let output = shop().assay(&["decide", "shop.yaml", "--visitor", "", "--url", url]);

    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stderr(&output).contains("visitor_id: the visitor has no id"), "{}", stderr(&output));
}

#[test]
fn a_local_time_is_checked() {
    let refusal = refusal_of(&["--local-time", "half past nine"]);

    assert!(refusal.starts_with("error: local_time: "), "{refusal}");
}

/// What the shop's own audience asks about the visitor.
fn shop_for(condition: &str) -> Folder {
    let folder = Folder::new();
    let asked = "{type: custom_attribute, name: plan, match: exact, value: pro}";
    folder.write("shop.yaml", &format!("{PROJECT}{MORE}").replace(asked, condition));
    folder
}

fn said_of_audience(folder: &Folder, more: &[&str]) -> Value {
    let output = folder.assay(&visit(&[more, &["--json"]].concat()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["audiences"][0]["is_met"].clone()
}

#[test]
fn a_location_is_as_much_as_is_known() {
    let folder = shop_for("{type: location, value: \"US|CA|SANFRANCISCO\"}");

    for (location, is_met) in [
        ("US|CA|San Francisco", true),
        ("US | CA | SANFRANCISCO | NA | 807", true),
        ("US|CA", false),
        ("US|NY|SANFRANCISCO", false),
        ("", false),
    ] {
        assert_eq!(said_of_audience(&folder, &["--location", location]), is_met, "{location}");
    }
    assert_eq!(said_of_audience(&folder, &[]), Value::Null, "the visit has no location");
}

#[test]
fn a_location_has_parts_in_an_order() {
    insta::assert_snapshot!(refusal_of(&["--location", "US|CA|SANFRANCISCO|NA|807|94103"]), @"error: location: a location has five parts at most, expected `country|region|city|continent|dma`, or less of it");
}

#[test]
fn a_first_session_is_one_or_none_or_not_known() {
    let folder = shop_for("{type: first_session}");

    assert_eq!(said_of_audience(&folder, &["--first-session", "true"]), true);
    assert_eq!(said_of_audience(&folder, &["--first-session", "false"]), false);
    assert_eq!(said_of_audience(&folder, &[]), Value::Null);
    let output = folder.assay(&visit(&["--first-session", "yes"]));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("possible values: true, false"), "{}", stderr(&output));
}

#[test]
fn visits_are_answered_a_line_each() {
    let folder = shop();
    folder.write(
        "visits.jsonl",
        "{\"visitor_id\": \"ada\", \"url\": \"https://shop.example/\"}\n\n{\"visitor_id\": \"bob\", \"url\": \"https://shop.example/cart\"}",
    );

    let output = folder.assay(&["decide", "shop.yaml", "--visits", "visits.jsonl", "--json"]);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told =
        answers.iter().map(|answer| (&answer["visitor_id"], &answer["active_experiment_ids"]));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [(&json!("ada"), &json!(["4001", "4003"])), (&json!("bob"), &json!([]))]
    );
}

#[test]
fn a_line_that_is_no_visit_is_told_and_the_others_are_answered() {
    let folder = shop();
    let lines = [
        r#"{"visitor_id": "ada", "url": "https://shop.example/", "cookie": {}}"#,
        r#"{"visitor_id": "ada", "url": "https://shop.example/"}"#,
        r#"{"visitor_id": "ada", "url": "https://shop.example/", "attributes": {"paln": "é"}}"#,
        r#"{"visitor_id": "ada""#,
        r#"{"visitor_id": "ada"}"#,
        r#"{"visitor_id": "ada", "url": "https://shop.example/", "cookies": {"a": "1", "b": 2}}"#,
    ];
    folder.write("visits.jsonl", &lines.join("\n"));

    let output = folder.assay(&["decide", "shop.yaml", "--visits", "visits.jsonl", "--json"]);

    assert_eq!(output.status.code(), Some(1));
    let told = stdout(&output);
    let answers: Vec<Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let refused: Vec<_> = answers.iter().map(|answer| answer["line"].as_u64()).collect();
    assert_eq!(refused, [Some(1), None, Some(3), Some(4), Some(5), Some(6)], "{told}");
    assert_eq!(answers[1]["visitor_id"], "ada");
    assert!(answers[2]["error"].as_str().unwrap().contains("there is no attribute `paln`"));
    insta::assert_snapshot!(stderr(&output));
}

#[test]
fn a_line_that_is_too_long_or_no_text_is_told_and_the_others_are_answered() {
    let folder = shop();
    let visit = r#"{"visitor_id": "ada", "url": "https://shop.example/"}"#;
    let lines = [&"x".repeat(1 << 20), visit, "\u{fffd}", visit, &"x".repeat(65_537)].join("\n");
    let lines: Vec<u8> =
        lines.into_bytes().into_iter().filter(|byte| ![0xbf, 0xbd].contains(byte)).collect();
    std::fs::write(folder.path("visits.jsonl"), lines).unwrap();

    let output = folder.assay(&["decide", "shop.yaml", "--visits", "visits.jsonl", "--json"]);

    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).matches("\"visitor_id\":\"ada\"").count(), 2);
    insta::assert_snapshot!(stderr(&output), @r"
    error: visits.jsonl:1: a visit has 65536 bytes at most
    error: visits.jsonl:3: this is not UTF-8 text
    error: visits.jsonl:5: a visit has 65536 bytes at most
    error: 3 lines are not valid visits; see above
    ");
}

#[test]
fn each_visit_on_standard_input_is_answered_before_the_next_is_written() {
    let folder = shop();
    let mut child = folder.start(&["decide", "shop.yaml", "--visits", "-", "--json"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();

    for visitor in ["ada", "", "bob"] {
        let visit = json!({"visitor_id": visitor, "url": "https://shop.example/"});
        writeln!(stdin, "{visit}").unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        let is_refused = answer["line"] == 2 && answer["error"].is_string();
        assert!(answer["visitor_id"] == visitor || is_refused, "{answer}");
    }
    drop(stdin);

    assert_eq!(child.wait().unwrap().code(), Some(1), "one was no visit");
}

#[test]
fn a_file_of_visits_may_begin_with_a_byte_order_mark() {
    let folder = shop();
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/"});
    folder.write("visits.jsonl", &format!("\u{feff}{visit}\r\n{visit}\r\n"));

    let told = folder.assay(&["decide", "shop.yaml", "--visits", "visits.jsonl", "--json"]);

    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    assert_eq!(stdout(&told).lines().count(), 2);
}

#[test]
fn a_container_that_stops_ends_what_waits_for_visits() {
    let folder = shop();
    let mut child = folder.start(&["decide", "shop.yaml", "--visits", "-", "--json"]);
    // To wait for the process would close it.
    let mut stdin = child.stdin.take().unwrap();
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/"});
    writeln!(stdin, "{visit}").unwrap();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();

    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();

    assert_eq!(child.wait().unwrap().code(), Some(143), "the process itself hears of the signal");
}

#[test]
fn a_reader_that_has_enough_ends_the_answers() {
    let folder = shop();
    let endless = folder.path("endless");
    assert!(Command::new("mkfifo").arg(&endless).status().unwrap().success());
    let mut child = folder.start(&["decide", "shop.yaml", "--visits", "endless", "--json"]);
    let mut visits = File::options().write(true).open(&endless).unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/"});
    writeln!(visits, "{visit}").unwrap();
    answers.next().unwrap().unwrap();

    drop(answers);
    writeln!(visits, "{visit}").unwrap();

    assert_eq!(child.wait().unwrap().code(), Some(0), "there would be more visits");
}

#[test]
fn answers_that_cannot_be_written_are_not_looked_for() {
    let folder = shop();
    let visit = json!({"visitor_id": "ada", "url": "https://shop.example/"});
    folder.write("visits.jsonl", &format!("{visit}\nno visit\n"));
    let full = File::options().write(true).open("/dev/full").unwrap();

    let told =
        folder.assay_to(full, &["decide", "shop.yaml", "--visits", "visits.jsonl", "--json"]);

    assert_eq!(told.status.code(), Some(3));
    assert!(stderr(&told).starts_with("error: cannot write the output: "), "{}", stderr(&told));
}

#[test]
fn missing_file_of_visits_is_wrong_input() {
    let output = shop().assay(&["decide", "shop.yaml", "--visits", "nowhere.jsonl"]);

    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).starts_with("error: cannot read visits `nowhere.jsonl`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_visit_is_described_by_flags_or_by_a_file_but_not_by_both() {
    for wrong in [
        &["decide", "shop.yaml"][..],
        &["decide", "shop.yaml", "--visitor", "ada"],
        &["decide", "shop.yaml", "--visits", "-", "--visitor", "ada"],
        &["decide", "shop.yaml", "--visits", "-", "--cookie", "a=b"],
        &visit(&["--cookie", "a"]),
    ] {
        let output = shop().assay(wrong);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{wrong:?}");
    }
}
