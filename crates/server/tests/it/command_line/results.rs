//! `assay results`.

use std::fmt::Write as _;

use serde_json::Value;

use super::binary::{Folder, stderr, stdout};

const SHOP: &str = "version: 1
project: {key: shop}
pages: [{key: home}]
events: [{key: purchase}]
campaigns:
  - key: hero
    name: Hero text
    type: ab_test
    pages: [home]
    experiments: [{key: hero, name: Hero text, variations: [{key: original, name: Original, weight: 50%}, {key: short, name: Short, weight: 50%}]}]
";

/// Visitors who come four an hour, half of them to each variation; the shop's own table of orders has its own names for columns.
fn measured() -> Folder {
    let folder = Folder::new();
    folder.write("shop.yaml", SHOP);
    let mut exposures = "visitor,time,variation\n".to_owned();
    let mut orders = "customer;ordered;name;total\n".to_owned();
    for visitor in 0..4_000_u32 {
        let (is_short, at) = (visitor % 2 == 1, 1_793_491_200 + visitor * 900);
        let _ =
            writeln!(exposures, "v{visitor},{at},{}", if is_short { "Short" } else { "original" });
        if (visitor / 2).is_multiple_of(if is_short { 4 } else { 8 }) {
            let _ = writeln!(orders, "v{visitor};{at}000;purchase;{}.50", visitor % 7);
        }
    }
    folder.write("exposures.csv", &exposures);
    folder.write("orders.csv", &orders);
    folder
}

const QUESTION: [&str; 4] = ["results", "hero", "--project", "shop.yaml"];

const ORDERS: [&str; 8] = [
    "--events",
    "orders.csv",
    "--column",
    "visitor=customer",
    "--column",
    "time=ordered",
    "--column",
    "value=total",
];

/// The columns are named for orders only, so the exposures say the same in JSON lines.
fn with_json_lines(folder: &Folder) {
    let mut lines = String::new();
    for visitor in 0..4_000_u32 {
        let (at, variation) =
            (1_793_491_200 + visitor * 900, if visitor % 2 == 1 { "short" } else { "original" });
        let _ = writeln!(
            lines,
            r#"{{"customer": "v{visitor}", "ordered": {at}, "variation": "{variation}"}}"#
        );
    }
    folder.write("exposures.ndjson", &lines);
}

#[test]
fn a_person_reads_who_won() {
    let folder = measured();
    with_json_lines(&folder);

    let output = folder.assay(
        &[
            &["results", "hero", "--project", "shop.yaml", "--exposures", "exposures.ndjson"][..],
            &ORDERS,
        ]
        .concat(),
    );

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn an_experience_of_one_variation_does_not_hide_the_results_of_others() {
    let folder = measured();
    let one = "{key: members, audiences: everyone, variations: [{key: only, weight: 100%}]}";
    let (before, _) = SHOP.split_once("    type: ab_test").unwrap();
    let two = "{key: others, variations: [{key: original, name: Original, weight: 50%}, {key: short, name: Short, weight: 50%}]}";
    folder.write(
        "shop.yaml",
        &format!("{before}    type: personalization\n    pages: [home]\n    experiments: [{one}, {two}]\n"),
    );

    let output = folder.assay(&[&QUESTION[..], &["--exposures", "exposures.csv"]].concat());

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("others: 4,000 visitors"), "{}", stdout(&output));
    let told =
        "warning: the experiment `members` has one variation, and nothing to compare it with";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn held_back_visitors_of_a_file_are_compared_with_all_others() {
    let folder = measured();
    folder.write("shop.yaml", &SHOP.replace("type: ab_test", "type: ab_test\n    holdback: 20%"));
    let exposures = std::fs::read_to_string(folder.path("exposures.csv")).unwrap();
    let marked = exposures.lines().enumerate().map(|(place, line)| match place {
        0 => format!("{line},holdback\n"),
        _ => format!("{line},{}\n", if place % 5 == 0 { "t" } else { "f" }),
    });
    folder.write("exposures.csv", &marked.collect::<String>());

    let output = folder.assay(&[&QUESTION[..], &["--exposures", "exposures.csv"]].concat());

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(told.contains("Hero text: 3,200 visitors"), "{told}");
    assert!(told.contains("Shown or held back: 4,000 visitors"), "{told}");
}

const MEASURED_SHOP: &str = "version: 1
project: {key: shop}
pages: [{key: home}]
events: [{key: purchase}, {key: error}]
metrics:
  - {key: orders, name: Orders of members, type: count, event: purchase, where: {member: true}, window: 14d, cap: 2}
  - {key: order_value, name: Order value, type: mean, event: purchase, value: revenue}
  - {key: slowest, name: Slowest page, type: quantile, event: error, value: ms, quantile: 95%}
  - {key: errors, name: Errors, type: conversion, event: error, good: down}
campaigns:
  - key: hero
    name: Hero text
    type: ab_test
    pages: [home]
    metrics: {primary: [orders], secondary: [order_value, slowest], guardrails: [{metric: errors, margin: 2%}]}
    experiments: [{key: hero, name: Hero text, variations: [{key: original, name: Original, weight: 50%}, {key: short, name: Short, weight: 50%}]}]
";

/// What the same visitors do, with properties: orders as a table, errors as they are sent.
fn with_properties(folder: &Folder) {
    folder.write("shop.yaml", MEASURED_SHOP);
    let mut orders = "visitor,time,name,cents,member\n".to_owned();
    let mut errors = String::new();
    for visitor in 0..4_000_u32 {
        let (is_short, at) = (visitor % 2 == 1, 1_793_491_200 + visitor * 900);
        if (visitor / 2).is_multiple_of(if is_short { 4 } else { 8 }) {
            for nth in 0..=visitor / 16 % 4 {
                let cents = 1_000 + visitor % 7 * 100;
                let _ = writeln!(orders, "v{visitor},{},purchase,{cents}.0,{}", at + nth, nth > 0);
            }
        }
        if (visitor / 2).is_multiple_of(if is_short { 3 } else { 6 }) {
            let ms = visitor % 900;
            let _ = writeln!(
                errors,
                r#"{{"visitor": "v{visitor}", "time": {at}, "name": "error", "properties": {{"ms": {ms}}}}}"#
            );
        }
    }
    folder.write("orders.csv", &orders);
    folder.write("errors.ndjson", &errors);
}

const MEASURED: [&str; 12] = [
    "results",
    "hero",
    "--project",
    "shop.yaml",
    "--exposures",
    "exposures.csv",
    "--events",
    "orders.csv",
    "--events",
    "errors.ndjson",
    "--column",
    "revenue=cents",
];

#[test]
fn metrics_of_the_document_are_shown_in_their_roles() {
    let folder = measured();
    with_properties(&folder);

    let output = folder.assay(&MEASURED);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn numbers_with_decimal_commas_count_as_those_with_points() {
    let folder = measured();
    with_properties(&folder);
    let errors = |separator: &str, decimal: &str| {
        let mut text = ["visitor", "time", "name", "ms\n"].join(separator);
        for visitor in 0..400 {
            let (at, whole, part) = (1_793_491_200 + visitor * 900, visitor % 90, visitor % 2 * 5);
            let ms = format!("{whole}{decimal}{part}\n");
            text += &[&format!("v{visitor}"), &at.to_string(), "error", &ms].join(separator);
        }
        text
    };
    let errors_as_csv = |one| if one == "errors.ndjson" { "errors.csv" } else { one };
    let told = |errors: &str| {
        folder.write("errors.csv", errors);
        let output = folder.assay(&MEASURED.map(errors_as_csv));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };

    let points = told(&errors(",", "."));

    assert_eq!(told(&errors(";", ",")), points);
    assert_ne!(told(&errors(";", "x")), points, "they count");
}

#[test]
fn events_of_no_known_name_are_told() {
    let folder = measured();
    with_properties(&folder);
    let text = "visitor,time,name,ms\nv1,1793491200,Error,2\nv2,1793491200,Error,2\n";
    folder.write("errors.csv", text);
    let errors_as_csv = |one| if one == "errors.ndjson" { "errors.csv" } else { one };

    let output = folder.assay(&MEASURED.map(errors_as_csv));

    assert_eq!(output.status.code(), Some(0));
    assert!(
        stderr(&output).contains("warning: 2 events count for no metric"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("such as `Error`"), "{}", stderr(&output));
}

#[test]
fn a_program_reads_every_figure() {
    let folder = measured();
    with_json_lines(&folder);

    let arguments = [
        "results",
        "Hero text",
        "--json",
        "--project",
        "shop.yaml",
        "--exposures",
        "exposures.ndjson",
    ];
    let output = folder.assay(&[&arguments[..], &ORDERS].concat());

    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results["verdict"]["code"], "better", "{results}");
    let arms = results["metrics"][0]["variations"].as_array().unwrap();
    let counted: Vec<_> = arms.iter().map(|arm| (&arm["visitors"], &arm["total"])).collect();
    assert_eq!(counted, [(&2_000.into(), &250.0.into()), (&2_000.into(), &500.0.into())]);
    assert_eq!(arms[1]["comparison"]["decided"], "better");
}

#[test]
fn a_spreadsheet_opens_the_figures() {
    let folder = measured();
    with_json_lines(&folder);

    let files = ["--exposures", "exposures.ndjson"];
    let arguments = ["results", "hero", "--csv", "--project", "shop.yaml"];
    let output = folder.assay(&[&arguments[..], &files, &ORDERS].concat());

    let table = stdout(&output);
    let lines: Vec<_> = table.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 1 + 2 * 2, "two metrics of two variations: {table}");
    assert!(lines[2].contains(",Short,2000,500,0.25,1,0.61"), "{table}");
}

#[test]
fn rows_that_are_wrong_are_told_and_not_counted() {
    let folder = measured();
    let wrong =
        "visitor,time,variation\nv1,1793491200,Short\nv2,soon,original\nv3,1793491200,original\n";
    folder.write("exposures.csv", wrong);

    let output = folder.assay(&[
        "results",
        "hero",
        "--project",
        "shop.yaml",
        "--exposures",
        "exposures.csv",
    ]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("Hero text: 2 visitors"), "{}", stdout(&output));
    let told = "exposures.csv:3: `soon` in `time` is not a moment";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 row cannot be read"), "{}", stderr(&output));
}

#[test]
fn files_and_columns_that_are_wrong_are_told_at_once() {
    let folder = measured();
    folder.write("exposures.xlsx", "PK");
    let refused = |exposures: &str, column: &str| {
        let arguments = [
            "results",
            "hero",
            "--project",
            "shop.yaml",
            "--exposures",
            exposures,
            "--column",
            column,
        ];
        let output = folder.assay(&arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
        stderr(&output)
    };

    assert!(refused("exposures.xlsx", "visitor=id").contains(
        "`exposures.xlsx` is no .csv, .tsv, .ndjson, .jsonl, one of these with .gz, or .parquet"
    ));
    folder.write("exposures.csv.zst", "(\u{b5}/\u{fd}");
    assert!(refused("exposures.csv.zst", "visitor=id").contains(
        "`exposures.csv.zst` is packed; of packed files, those of gzip are read (`.csv.gz`)"
    ));
    assert!(
        refused("exposures.csv", "visitor=id")
            .contains("no row of these files has the column `id`")
    );
    assert!(refused("exposures.csv", "user=id").contains("no column is for `user`"));
    assert!(refused("missing.csv", "visitor=id").contains("cannot read `missing.csv`"));
}

#[test]
fn a_column_is_named_for_the_files_that_have_it() {
    let folder = measured();
    with_json_lines(&folder);
    folder.write("orders.csv", "visitor,time,name\nv1,1793499000,purchase\n");
    let files = ["--exposures", "exposures.ndjson", "--events", "orders.csv"];
    let columns = ["--column", "visitor=customer", "--column", "time=ordered", "--json"];

    let output = folder.assay(&[&QUESTION[..], &files, &columns].concat());

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results["metrics"][0]["variations"][1]["total"], 1.0, "{results}");
}

#[test]
fn files_whose_visitors_are_others_are_told_first() {
    let folder = measured();
    let rows = "visitor,time,name\nada,1793492000,purchase\nbob,1793492000,purchase\n";
    folder.write("orders.csv", rows);
    let files = ["--exposures", "exposures.csv", "--events", "orders.csv"];

    let output = folder.assay(&[&QUESTION[..], &files].concat());

    assert_eq!(output.status.code(), Some(0));
    let told = "warning: no event is of a visitor with an exposure, so nothing counts; hint: do both files have the same ids? Exposures begin with `v0`, events with `ada`\n";
    assert_eq!(stderr(&output), told);
    folder.write("orders.csv", &rows.replace("bob", "v7"));
    let one = folder.assay(&[&QUESTION[..], &files].concat());
    assert_eq!(stderr(&one), "", "one visitor is enough: {}", stdout(&one));
}

#[test]
fn a_file_that_gzip_packed_says_what_is_in_it() {
    let folder = measured();
    with_json_lines(&folder);
    let plain =
        folder.assay(&[&QUESTION[..], &["--exposures", "exposures.ndjson"], &ORDERS].concat());
    let packed = std::process::Command::new("gzip").arg(folder.path("exposures.ndjson")).status();
    assert!(packed.unwrap().success());

    let read =
        folder.assay(&[&QUESTION[..], &["--exposures", "exposures.ndjson.gz"], &ORDERS].concat());

    assert_eq!((read.status.code(), stdout(&read)), (Some(0), stdout(&plain)));
    folder.write("exposures.ndjson.gz", "visitor,time,variation\n");
    let damaged =
        folder.assay(&[&QUESTION[..], &["--exposures", "exposures.ndjson.gz"], &ORDERS].concat());
    assert_eq!(damaged.status.code(), Some(1), "{}", stderr(&damaged));
    assert!(stderr(&damaged).contains("`exposures.ndjson.gz`"), "{}", stderr(&damaged));
}

#[test]
fn a_table_of_another_tool_is_read() {
    let folder = measured();
    let table = include_bytes!("../../../../lake/tests/foreign/duckdb-zstd.parquet");
    std::fs::write(folder.path("events.parquet"), table).unwrap();

    let columns = ["visitor=user_id", "time=ts", "name=what", "value=total"];
    let columns = columns.iter().flat_map(|column| ["--column", *column]);
    let files =
        ["--project", "shop.yaml", "--exposures", "exposures.ndjson", "--events", "events.parquet"];
    let exposures = r#"{"user_id": "00010203-0405-0607-0809-0a0b0c0d0e0f", "ts": 1795339700, "variation": "short"}"#;
    folder.write("exposures.ndjson", exposures);
    let arguments: Vec<_> =
        ["results", "hero", "--json"].into_iter().chain(files).chain(columns).collect();
    let output = folder.assay(&arguments);

    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let spent = &results["metrics"][1];
    assert_eq!((&spent["event"], &spent["kind"]), (&"purchase".into(), &"sum".into()), "{results}");
    assert_eq!(spent["variations"][1]["total"], 12.5);
    let told = "events.parquet:2: `visitor` is empty";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}
