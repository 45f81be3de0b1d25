//! A project is written as a document that reads as the same project.

use domain::{NoFiles, Source, parse};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::documents::{EVERYTHING, parse_named, project, with_head};
use crate::schema::assert_fits_schema;

fn assert_written_reads_the_same(project: &domain::Project) {
    let compact = serde_json::to_string(project).unwrap();
    let pretty = serde_json::to_string_pretty(project).unwrap();
    for text in [compact, pretty] {
        let parsed = parse(&Source { name: "demo.json", text: &text, files: &NoFiles });
        assert_eq!(&parsed.expect("what we write is valid").project, project);
    }
    let yaml = project.to_yaml();
    let parsed = parse(&Source { name: "demo.yaml", text: &yaml, files: &NoFiles });
    assert_eq!(&parsed.expect("what we write is valid").project, project, "{yaml}");
}

#[test]
fn a_project_with_every_field_reads_as_it_was_written() {
    let parsed = parse_named("demo.yaml", EVERYTHING).unwrap();

    assert_eq!(parsed.warnings, []);
    assert_written_reads_the_same(&parsed.project);
}

#[test]
fn a_minimal_project_is_written_with_its_defaults() {
    let rest = "pages: [{key: home}]
campaigns:
  - key: a
    type: ab_test
    pages: [home]
    experiments: [{key: b, variations: [{key: c, weight: 100%, changes: [{type: css, value: x, page: home}]}]}]
";
    let project = project(&with_head(rest));

    let snippet = json!({
        "global_aliases": [], "exclude_names": false, "cookie_domain": null,
        "visitor_id": {"source": "cookie", "name": null, "renewed_by": "page"}, "explain": false, "data": true, "utils": true, "allow_force": true,
        "preview": false, "landings": false, "respect_gpc": true, "respect_dnt": false, "consent": "none", "javascript": null,
    });
    let page = json!({
        "id": "964053758894339", "key": "home", "name": null, "category": null, "conditions": [],
        "activation": {"type": "immediate", "code": null}, "deactivation": false,
        "undo_changes": false, "tags": [], "metadata": {}, "archived": false,
    });
    let change =
        json!({"page": "home", "async": false, "depends_on": [], "type": "css", "value": "x"});
    let variation = json!({
        "id": "10684222055801", "key": "c", "name": null, "weight": 10000, "changes": [change],
        "paused": false, "archived": false,
    });
    let experiment = json!({
        "id": "2780535921863898", "key": "b", "name": null, "audiences": "everyone",
        "variations": [variation], "winner": null, "archived": false,
    });
    let campaign = json!({
        "id": "1836699919066053", "key": "a", "name": null, "description": null,
        "tags": [], "hypothesis": null, "owner": null, "type": "ab_test",
        "status": "not_started", "shipped": false, "schedule": null, "pages": ["home"], "holdback": 0, "priorities": [["b"]],
        "changes": [], "metrics": {"primary": [], "secondary": [], "guardrails": []}, "plan": null, "experiments": [experiment],
    });
    let document = json!({
        "version": 1,
        "project": {"id": "3932716622223917", "key": "demo", "name": null, "holdback": 0, "archived": false, "results": "off", "origins": [], "snippet": snippet},
        "attributes": [], "pages": [page], "events": [], "metrics": [], "audiences": [], "campaigns": [campaign],
        "groups": [], "applications": [], "integrations": [],
    });
    assert_eq!(serde_json::to_value(&project).unwrap(), document);
}

#[test]
fn a_project_in_yaml_reads_well() {
    let parsed = parse_named("demo.yaml", EVERYTHING).unwrap();

    insta::assert_snapshot!(parsed.project.to_yaml());
}

#[test]
fn a_cookie_that_the_server_renews_is_written() {
    let settings = "cookie_domain: shop.example, visitor_id: {renewed_by: server}";
    let text = format!("version: 1\nproject: {{key: demo, snippet: {{{settings}}}}}\n");

    assert_written_reads_the_same(&project(&text));
}

#[test]
fn yaml_reads_as_the_same_document_in_json() {
    let yaml = project(&with_head(
        "pages: [{key: home, metadata: {a: 0x1F, b: ~, c: 1.50, d: 'null', e: .inf, f: 0o17, g: -7, h: yes, i: True}}]\n",
    ));

    assert_eq!(
        Value::Object(yaml.pages[0].metadata.clone()),
        json!({
            "a": 31, "b": null, "c": 1.5, "d": "null", "e": ".inf", "f": 15, "g": -7, "h": "yes", "i": true
        })
    );
}

fn name() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        "\\PC{1,20}"
            .prop_filter("no control characters", |name| !name.chars().any(char::is_control))
            .prop_map(Value::from)
    ]
}

fn text() -> impl Strategy<Value = String> {
    any::<String>()
}

fn selector() -> impl Strategy<Value = String> {
    "[ -~é😀]{1,20}"
}

fn page() -> impl Strategy<Value = Value> {
    let conditions = prop_oneof![
        Just(json!([])),
        text().prop_map(
            |value| json!(["and", ["or", {"type": "url", "match": "substring", "value": value}]])
        ),
        text().prop_map(|value| json!([["not", {"type": "custom_code", "value": value}]])),
    ];
    let metadata = prop::collection::btree_map(
        "\\PC{0,5}",
        prop_oneof![any::<i64>().prop_map(Value::from), text().prop_map(Value::from)],
        0..3,
    );
    let switches = (any::<bool>(), any::<bool>());
    (name(), conditions, metadata, switches).prop_map(|(name, conditions, metadata, (deactivation, archived))| {
        json!({"name": name, "conditions": conditions, "metadata": metadata, "deactivation": deactivation, "archived": archived})
    })
}

fn change() -> impl Strategy<Value = Value> {
    prop_oneof![
        (selector(), text()).prop_map(|(selector, value)| json!({"type": "text", "selector": selector, "value": value})),
        (selector(), prop::option::of(text())).prop_map(|(selector, value)| json!({"type": "attribute", "selector": selector, "name": "alt", "value": value})),
        text().prop_map(|value| json!({"type": "javascript", "value": value, "page": "page0"})),
        text().prop_map(|code| json!({"type": "redirect", "destination_code": code, "preserve_parameters": true})),
    ]
}

fn experiment() -> impl Strategy<Value = Value> {
    let variation = (name(), prop_oneof![3 => 0..3334_u16, 1 => Just(0)], prop::collection::vec(change(), 0..3)).prop_map(
        |(name, weight, changes)| json!({"name": name, "weight": weight, "changes": changes, "archived": weight == 0}),
    );
    let audiences = prop_oneof![
        Just(json!("everyone")),
        Just(json!("some")),
        Just(json!(["or", "some", ["not", "some"]]))
    ];
    let variations = prop::collection::vec(variation, 1..4);
    (name(), audiences, variations, any::<bool>()).prop_map(
        |(name, audiences, mut variations, archived)| {
            give_keys("variation", &mut variations);
            let winner = archived.then_some("variation0");
            json!({"name": name, "audiences": audiences, "variations": variations, "winner": winner, "archived": archived})
        },
    )
}

fn schedule() -> impl Strategy<Value = Value> {
    let minute = |years: std::ops::Range<u16>| {
        (years, 1..=12_u8, 1..=28_u8, 0..24_u8, 0..60_u8).prop_map(
            |(year, month, day, hour, minute)| {
                json!(format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}"))
            },
        )
    };
    let zone = prop::sample::select(vec!["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"]);
    prop_oneof![
        Just(Value::Null),
        minute(2000..2999).prop_map(|stop| json!({"stop": stop})),
        (minute(2000..2500), prop::option::of(minute(2501..3000)), zone).prop_map(
            |(start, stop, zone)| json!({"start": start, "stop": stop, "time_zone": zone})
        ),
    ]
}

fn event() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "custom", "category": "sign_up"})),
        selector().prop_map(|selector| json!({"type": "click", "selector": selector})),
        Just(json!({"type": "pageview", "page": "page0", "category": "purchase"})),
    ];
    let property = prop::sample::select(vec!["string", "number", "boolean"]);
    (name(), kind, prop::collection::vec(property, 0..3), any::<bool>()).prop_map(
        |(name, mut event, properties, archived)| {
            let properties = properties.into_iter().enumerate();
            event["name"] = name;
            event["properties"] = properties
                .map(|(place, kind)| json!({"name": place.to_string(), "type": kind}))
                .collect();
            event["archived"] = json!(archived);
            event
        },
    )
}

/// Events, and which of them count.
fn counted() -> impl Strategy<Value = Value> {
    let filter = prop_oneof![
        "\\PC{1,9}".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| json!(number)),
    ];
    prop::collection::btree_map("\\PC{1,9}", filter, 0..3)
        .prop_map(|filters| json!({"event": "purchase", "where": filters}))
}

/// The same with what each of them is worth.
fn valued() -> impl Strategy<Value = Value> {
    let value = prop::sample::select(vec!["revenue", "value", "größe", "seconds"]);
    (counted(), value).prop_map(|(mut counted, value)| {
        counted["value"] = json!(value);
        counted
    })
}

fn metric() -> impl Strategy<Value = Value> {
    let cap = || prop::option::of((1..1_000_000_000_u32).prop_map(|cap| f64::from(cap) / 1e3));
    let days = || prop::option::of((1..=365_u16).prop_map(|days| format!("{days}d")));
    let with = |measured: &Value, fields: Value| {
        let mut metric = measured.clone();
        metric.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        metric
    };
    let kind = prop_oneof![
        (counted(), days()).prop_map(move |(one, days)| with(
            &one,
            json!({"type": "conversion", "covariate": days})
        )),
        (counted(), cap())
            .prop_map(move |(one, cap)| with(&one, json!({"type": "count", "cap": cap}))),
        (valued(), cap(), days()).prop_map(move |(one, cap, days)| with(
            &one,
            json!({"type": "sum", "cap": cap, "covariate": days})
        )),
        valued().prop_map(move |one| with(&one, json!({"type": "mean"}))),
        (valued(), valued())
            .prop_map(move |(one, per)| with(&one, json!({"type": "ratio", "per": per}))),
        (counted(), 1..10_000_u16).prop_map(move |(one, quantile)| with(
            &one,
            json!({"type": "quantile", "quantile": quantile})
        )),
    ];
    let window = prop::option::of((1..=8760_u16).prop_map(|hours| format!("{hours}h")));
    let good = prop::sample::select(vec!["up", "down"]);
    (name(), kind, window, good, any::<bool>()).prop_map(
        move |(name, metric, window, good, archived)| {
            with(
                &metric,
                json!({"name": name, "window": window, "good": good, "archived": archived}),
            )
        },
    )
}

/// What a campaign says of these metrics, each in a role that it may have.
fn roles(metrics: &[Value]) -> Value {
    let mut roles = json!({"primary": [], "secondary": [], "guardrails": []});
    for (place, metric) in metrics.iter().enumerate().filter(|(_, one)| one["archived"] == false) {
        let key = &metric["key"];
        let (role, named) = match place % 3 {
            _ if metric["type"] == "quantile" => ("secondary", key.clone()),
            0 => ("primary", key.clone()),
            1 => ("guardrails", json!({"metric": key, "margin": 1 + 17 * place})),
            _ => ("secondary", key.clone()),
        };
        roles[role].as_array_mut().unwrap().push(named);
    }
    roles
}

fn plan() -> impl Strategy<Value = Value> {
    let day = (2000..3000_u16, 1..=12_u8, 1..=28_u8)
        .prop_map(|(year, month, day)| json!(format!("{year}-{month:02}-{day:02}")));
    let effect =
        (1..=10_000_u16, 5_000..=9_900_u16, 8_000..=9_990_u16, prop::option::of(day.clone()));
    let max_loss = prop::option::of(1..=1_000_u16);
    let bayesian = (max_loss, prop::option::of(day.clone())).prop_map(
        |(max_loss, until)| json!({"method": "bayesian", "max_loss": max_loss, "until": until}),
    );
    prop_oneof![
        Just(Value::Null),
        bayesian,
        day.prop_map(|until| json!({"until": until})),
        effect.prop_map(|(effect, power, confidence, until)| {
            json!({"effect": effect, "power": power, "confidence": confidence, "until": until})
        }),
    ]
}

fn give_keys(kind: &str, resources: &mut [Value]) {
    for (index, resource) in resources.iter_mut().enumerate() {
        resource["key"] = json!(format!("{kind}{index}"));
    }
}

fn document() -> impl Strategy<Value = Value> {
    let pages = prop::collection::vec(page(), 1..4);
    let events = prop::collection::vec(event(), 0..3);
    let experiments = prop::collection::vec(experiment(), 1..4);
    let campaign = (experiments, 0..=10_000_u16, schedule(), plan());
    let metrics = prop::collection::vec(metric(), 0..6);
    (name(), pages, events, metrics, campaign).prop_map(|(name, mut pages, mut events, mut metrics, (mut experiments, holdback, schedule, plan))| {
        give_keys("page", &mut pages);
        give_keys("event", &mut events);
        events.push(json!({"key": "purchase"}));
        give_keys("metric", &mut metrics);
        let roles = roles(&metrics);
        pages[0]["archived"] = json!(false);
        give_keys("experiment", &mut experiments);
        json!({
            "version": 1,
            "project": {"key": "demo", "name": name},
            "pages": pages,
            "events": events,
            "metrics": metrics,
            "audiences": [{"key": "some", "description": "a\n\tb", "conditions": [{"type": "query", "name": "a"}]}],
            "campaigns": [{"key": "a", "type": "personalization", "pages": ["page0"], "holdback": holdback, "schedule": schedule, "metrics": roles, "plan": plan, "experiments": experiments}],
            "groups": [{"key": "g", "members": [{"campaign": "a", "weight": holdback}]}],
        })
    })
}

proptest! {
    #[test]
    fn any_text_reads_as_it_was_written(
        name in "[a :#\n-]{0,3}|a{1001}",
        text in "[ab \n\t\r:,#'\"|>&*!%@`\\[\\]{}?é😀\u{85}\u{2028}\u{feff}-]{0,30}",
    ) {
        let document = json!({
            "version": 1,
            "project": {"key": "demo", "snippet": {"javascript": text}},
            "pages": [
                {"key": "a", "metadata": {name.clone(): text}},
                {"key": "b", "conditions": [["or", {"type": "url", "match": "exact", "value": text}], {"type": "url", "match": "exact", "value": [[text], {name: text}]}]},
            ],
        });
        assert_written_reads_the_same(&project(&document.to_string()));
    }

    #[test]
    fn any_project_reads_as_it_was_written(document in document()) {
        let project = project(&document.to_string());

        assert_written_reads_the_same(&project);
        assert_fits_schema(&document);
        assert_fits_schema(&serde_json::to_value(&project).unwrap());
    }
}
