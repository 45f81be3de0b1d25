//! Rows of files that come in over REST.

use app::documents::check_document;
use app::events::{delete_old_events, events_kept_since};
use app::results::{Dataset, find_results};
use axum::http::Request;
use domain::{NoFiles, Source};
use events::{ColumnNames, EventRow, ExposureRow, Row, RowFormat, named_columns, read_rows};
use serde_json::{Value, json};

use crate::event_files::{DAY, ask, results, seal, token};
use crate::events::{now, publish};
use crate::shop::{SHOP, publish_text, shop_with};
use crate::site::{Answer, Site};

pub(crate) async fn import(site: &Site, token: &str, kind_and_query: &str, body: &str) -> Answer {
    let request = Request::post(format!("/v1/projects/1000/imports/{kind_and_query}"));
    ask(site, token, request.header("content-type", "text/csv; charset=utf-8"), body).await
}

/// What `assay results` makes of the same files.
fn total_of_files(exposures: &str, events: &str, columns: &[(&str, &str)]) -> f64 {
    fn rows<R: Row>(text: &str, columns: &ColumnNames) -> Vec<R> {
        read_rows(text, RowFormat::Csv, columns).unwrap().rows
    }
    let named = columns.iter().map(|(field, column)| ((*field).to_owned(), (*column).to_owned()));
    let (exposures, events): (Vec<ExposureRow>, Vec<EventRow>) =
        (rows(exposures, &ColumnNames::default()), rows(events, &named_columns(named).unwrap()));
    let project = check_document(&Source { name: "shop.yaml", text: SHOP, files: &NoFiles });
    let measured = Dataset::of_rows(&exposures, &events);
    let found = find_results(&project.unwrap().project, "3001", &measured).unwrap();
    found[0].metrics[1].variations[0].total
}

#[tokio::test]
async fn ids_of_orders_count_once_and_rows_without_one_each() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let [first, second, third] = [3_000, 2_000, 1_000].map(|before| now(&site) - before);
    let exposures = format!("visitor,time,variation\nada,{first},5001\n");
    let events = format!(
        "who,time,name,value,order\nada,{third},purchase,5,o1\nada,{second},purchase,7,o1\nada,{second},purchase,7,o2\nada,{second},purchase,7,\nada,{second},purchase,7,\n"
    );
    let query = "events?column=visitor%3Dwho&column=id%3Dorder";

    import(&site, &token, "exposures", &exposures).await;
    for _ in 0..2 {
        let imported = import(&site, &token, query, &events).await;
        assert_eq!(imported.json(), json!({"accepted": 5, "rejected": 0, "faults": []}));
    }

    let found = results(&site, &token).await;
    let total = &found[0]["results"]["metrics"][1]["variations"][0]["total"];
    let of_files = total_of_files(&exposures, &events, &[("visitor", "who"), ("id", "order")]);
    assert_eq!((total, of_files), (&json!(28.0), 28.0), "{found}");
}

#[tokio::test]
async fn imported_visitors_who_are_held_back_do_not_count_as_shown() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let exposures =
        format!("visitor,time,variation,held\nada,{at},5001,false\nbob,{at},5001,true\n");

    let imported = import(&site, &token, "exposures?column=holdback%3Dheld", &exposures).await;

    assert_eq!(imported.json(), json!({"accepted": 2, "rejected": 0, "faults": []}));
    let found = results(&site, &token).await;
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 1, "{found}");
}

#[tokio::test]
async fn a_parquet_file_that_is_too_long_for_a_request_is_refused_with_what_to_do() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let footer = "\0".repeat(0x000A_0A0A);
    // Its length as four bytes of text.
    let body = format!("PAR1{footer}\n\n\n\0PAR1");

    let refused = {
        let request = Request::post("/v1/projects/1000/imports/events");
        let request = request.header("content-type", "application/vnd.apache.parquet");
        ask(&site, &token, request, &body).await
    };

    let refused = (refused.status.as_u16(), refused.json());
    assert_eq!((refused.0, &refused.1["code"]), (413, &json!("body_too_long")));
    assert!(refused.1["detail"].as_str().unwrap().contains("hint: split it"), "{}", refused.1);
}

#[tokio::test]
async fn rows_that_are_wrong_are_told_by_their_lines_in_order() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let body = format!(
        "visitor,time,variation\n\nada,{at},5009\nbob,never,5001\ncleo,{at},5001\ndan,0,5001\neve,1,5001\nfred,{at},5008\n"
    );
    let many =
        format!("visitor,time,variation\n{}", format!("ada,{at},5009\nada,,5001\n").repeat(30));

    let answer = import(&site, &token, "exposures", &body).await.json();
    let of_many = import(&site, &token, "exposures", &many).await.json();

    let lines = |answer: &Value| -> Vec<_> {
        answer["faults"].as_array().unwrap().iter().map(|fault| fault["line"].as_u64()).collect()
    };
    assert_eq!(lines(&answer), [3, 4, 6, 7, 8].map(Some), "{answer}");
    assert_eq!((&answer["accepted"], &of_many["rejected"]), (&json!(1), &json!(60)));
    assert_eq!(lines(&of_many), (2..22).map(Some).collect::<Vec<_>>());
}

#[tokio::test]
async fn variations_and_experiments_are_found_by_their_names_where_no_other_has_them() {
    let site = Site::start();
    let variations = "[{id: \"5001\", key: a, name: Original, weight: 5000}, {id: \"5002\", key: b, name: Short, weight: 2500}, {id: \"5003\", key: c, name: b, weight: 1250}, {id: \"5004\", key: d, name: Same, weight: 1000}, {id: \"5005\", key: e, name: Same, weight: 250}]";
    let shop = shop_with("results: on");
    let (before, _) = shop.split_once("        key: hero\n        variations").unwrap();
    let named = format!(
        "{before}        key: hero\n        name: Hero text\n        variations: {variations}\n"
    );
    publish_text(&site, &named).await;
    let token = token(&site).await;
    let at = now(&site);
    let body = format!(
        "visitor,time,experiment,variation\nada,{at},Hero text,Original\nbob,{at},hero,Short\ncleo,{at},,b\ndan,{at},,Same\neve,{at},Hero,Short\n"
    );

    let answer = import(&site, &token, "exposures", &body).await.json();

    let told: Vec<_> =
        answer["faults"].as_array().unwrap().iter().map(|fault| fault["detail"].as_str()).collect();
    let several = "several variations are called `Same`; name this one by its id or key";
    let unknown = "the live project has no `experiment` called `Hero`";
    assert_eq!(told, [Some(several), Some(unknown)], "{answer}");
    let found = results(&site, &token).await;
    let variations = found[0]["results"]["variations"].as_array().unwrap().iter();
    let visitors: Vec<_> = variations.map(|one| one["visitors"].clone()).collect();
    assert_eq!(visitors, [1, 2, 0, 0, 0], "a key comes before a name: {found}");
}

#[tokio::test]
async fn columns_of_no_field_are_refused_and_so_are_rows_without_room() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let body = format!("visitor,time,variation\nada,{},5001\n", now(&site));

    let unknown = import(&site, &token, "exposures?column=user%3Did", &body).await;
    let orders = format!("visitor,time,name,cents\nada,{},purchase,1999\n", now(&site));
    let misspelt = import(&site, &token, "events?column=revenue%3Dcetns", &orders).await;
    assert_eq!(misspelt.status.as_u16(), 422, "{}", misspelt.body);
    assert!(misspelt.body.contains("no row has the column `cetns`"), "{}", misspelt.body);
    let no_pair = import(&site, &token, "exposures?column=visitor", &body).await;
    let twice = import(&site, &token, "exposures?colunm=a&colunm=b", &body).await;
    site.app.event_room().look(1_000);
    let no_room = import(&site, &token, "exposures", &body).await;
    site.app.event_room().look(u64::MAX);
    let room = import(&site, &token, "exposures", &body).await;

    let all = [unknown, no_pair, twice, no_room, room];
    let statuses = all.each_ref().map(|answer| answer.status.as_u16());
    assert_eq!(statuses, [400, 400, 400, 503, 202], "{}", all[0].body);
    assert!(all[0].body.contains("no column is for `user`"), "{}", all[0].body);
    assert_eq!(all[3].header("retry-after"), "1", "{}", all[3].body);
}

#[tokio::test]
async fn imported_events_are_forgotten_by_their_own_time_while_they_are_in_the_database() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let (day, hour) = (86_400, 3_600);
    let row = |days: i64| format!("ada,{},5001\n", now(&site) - (days * day - hour) * 1_000);
    let rows: String = [row(1), row(400), row(399), row(1)].concat();
    let body = format!("visitor,time,variation\n{rows}");
    let delete = async || {
        let kept_since = events_kept_since(&site.app, site.app.wall_time()).unwrap();
        delete_old_events(&site.app, kept_since).await.unwrap()
    };

    let imported = import(&site, &token, "exposures", &body).await;
    assert_eq!(imported.json()["accepted"], 4, "{}", imported.body);
    assert_eq!(delete().await, 0);
    site.advance_seconds(2 * hour);
    let first = delete().await;
    site.advance_seconds(day);
    let second = delete().await;

    assert_eq!((first, second, delete().await), (1, 1, 0), "a row of the log for each day");
    let log = site.app.store().list_logged_events("1000".parse().unwrap(), 0, 1_000_000).await;
    let left: Vec<Value> = serde_json::from_slice(&log.unwrap()[0].body).unwrap();
    assert_eq!(left.len(), 2);
}

#[tokio::test]
async fn imported_rows_count_once_however_often_they_are_imported() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let old = at - 100 * DAY * 1_000;
    let exposures =
        format!("visitor,time,variation\nada,{old},5001\nbob,{old},5002\neve,{old},5009\n");
    let events = format!(
        "visitor,time,name,value\nbob,{at},purchase,19.99\nbob,{at},purchase,5\nbob,0,purchase,1\nbob,never,purchase,1\n"
    );

    let imported = import(&site, &token, "exposures", &exposures).await;
    let first = import(&site, &token, "events", &events).await.json();
    seal(&site).await;
    import(&site, &token, "exposures", &exposures).await;
    let again = import(&site, &token, "events", &events).await.json();

    assert_eq!(imported.status.as_u16(), 202, "{}", imported.body);
    let fault = json!([{"line": 4, "detail": "the live project has no `variation` called `5009`"}]);
    assert_eq!(imported.json(), json!({"accepted": 2, "rejected": 1, "faults": fault}));
    assert_eq!((&first["accepted"], &first["rejected"]), (&json!(2), &json!(2)), "{first}");
    assert_eq!(again, first);
    let found = results(&site, &token).await;
    let arms = &found[0]["results"]["metrics"][1]["variations"];
    assert_eq!((&arms[0]["total"], &arms[1]["total"]), (&json!(0.0), &json!(24.99)), "{found}");
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 1);
    let audit = site.get_as("/v1/audit?event=events.imported", &token).await.json();
    let said: Vec<_> = audit.as_array().unwrap().iter().map(|one| &one["detail"]).collect();
    let (exposures, events) = ("exposures: 2 rows", "events: 2 rows");
    assert_eq!(said, [events, exposures, events, exposures]);
}

#[tokio::test]
async fn imports_keep_what_metrics_use_and_count_each_of_equal_rows() {
    let site = Site::start();
    let metrics = "events: [{key: purchase}]
metrics:
  - {key: income, type: sum, event: purchase, value: revenue}
  - {key: gold, type: count, event: purchase, where: {plan: gold}}
";
    publish_text(&site, &format!("{}{metrics}", shop_with("results: on"))).await;
    let token = token(&site).await;
    let at = now(&site);
    import(
        &site,
        &token,
        "exposures",
        &format!("visitor,time,variation\nada,{at},5001\nbob,{at},5002\n"),
    )
    .await;
    let order = format!("ada,{at},purchase");
    let rows = format!(
        "visitor,time,name,revenue,plan\n{order},500,gold\n{order},700,gold\n{order},700,silver\n"
    );

    for _ in 0..2 {
        let told = import(&site, &token, "events", &rows).await;
        assert_eq!(told.json()["accepted"], 3, "{}", told.body);
    }

    let found = results(&site, &token).await;
    let total =
        |metric: usize| found[0]["results"]["metrics"][metric]["variations"][0]["total"].clone();
    assert_eq!((total(0), total(1)), (json!(1900.0), json!(2.0)), "{found}");
}

#[tokio::test]
async fn a_column_that_is_there_twice_is_refused() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;

    let refused = import(&site, &token, "events", "visitor,time,name,time\nada,1,buy,2\n").await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(refused.body.contains("two columns `time`"), "{}", refused.body);
}

#[tokio::test]
async fn a_file_has_as_many_bytes_as_a_document_at_most() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let rows = |bytes: usize| "visitor,time,name\n".to_owned() + &"x".repeat(bytes - 18);

    let largest = import(&site, &token, "events", &rows(4 * 1024 * 1024)).await;
    let larger = import(&site, &token, "events", &rows(4 * 1024 * 1024 + 1)).await;

    assert_eq!(largest.status.as_u16(), 202, "{}", largest.body);
    assert_eq!(larger.status.as_u16(), 413);
    assert!(larger.body.contains("a file has 4194304 bytes at most"), "{}", larger.body);
}

#[tokio::test]
async fn a_file_of_an_unknown_type_is_read_as_it_begins() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let csv = "visitor,time,name\nada,2020-01-01,buy\n";
    let json = r#"{"visitor": "ada", "time": "2020-01-01", "name": "buy"}"#;

    for text in [csv.to_owned(), format!("\u{feff}{csv}"), format!("\u{feff}\n {json}")] {
        let request = Request::post("/v1/projects/1000/imports/events")
            .header("content-type", "application/octet-stream");
        let answer = ask(&site, &token, request, &text).await;

        assert_eq!(answer.status.as_u16(), 202, "{text}: {}", answer.body);
        let detail = &answer.json()["faults"][0]["detail"];
        assert_eq!(detail, "`time` is longer ago than events are kept", "{text}");
    }
}

#[tokio::test]
async fn a_file_that_is_none_is_refused() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let request = |kind: &'static str| {
        Request::post("/v1/projects/1000/imports/events").header("content-type", kind)
    };

    let no_column = import(&site, &token, "events", "who,when\nada,1\n").await;
    let no_parquet = ask(&site, &token, request("application/vnd.apache.parquet"), "PAR1").await;
    let octets = ask(&site, &token, request("application/octet-stream"), "PAR1").await;
    let other = ask(&site, &token, request("application/pdf"), "%PDF").await;

    let all = [&no_column, &no_parquet, &octets, &other];
    let statuses = all.map(|answer| answer.status.as_u16());
    assert_eq!(statuses, [422, 422, 422, 415], "{} {}", no_column.body, no_parquet.body);
}
