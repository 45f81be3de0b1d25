//! What browsers take without a word, and what does nothing then: `check` warns of it.

use crate::documents::faults;

/// The codes do not show, so each warning is known by a part of its message.
fn warns(document: &str, message: &str) -> bool {
    faults(document).lines().any(|line| line.contains("warning: ") && line.contains(message))
}

fn page(condition: &str) -> String {
    format!("pages: [{{key: home, conditions: [{condition}]}}]\n")
}

fn audience(condition: &str) -> String {
    format!("audiences: [{{key: some, conditions: [{condition}]}}]\n")
}

fn variation(fields: &str, change: &str) -> String {
    format!(
        "pages: [{{key: home}}]
campaigns: [{{key: hero, type: ab_test, status: running, pages: [home], experiments: [{{key: hero, variations: [{{key: a, weight: 10000}}, {{key: b, {fields}, changes: [{change}]}}]}}]}}]
"
    )
}

#[test]
fn an_address_with_an_asterisk_gets_the_pattern_that_is_meant() {
    for (kind, value) in [
        ("simple", "https://shop.example/*"),
        ("exact", "https://*.shop.example/"),
        ("substring", "/cart*"),
    ] {
        let told = faults(&page(&format!("{{type: url, match: {kind}, value: '{value}'}}")));
        assert!(told.contains("`*` stands for itself here"), "{value}: {told}");
    }
    let told =
        faults(&page("{type: url, match: simple, value: 'https://*.shop.example/product/*'}"));
    assert!(told.contains(r"value `^https?://(www\.)?.*\.shop\.example/product/`"), "{told}");
    assert_eq!(faults(&page("{type: url, match: exact, value: 'https://shop.example/?q=*'}")), "");
}

#[test]
fn a_pattern_that_matches_no_whole_address_is_told() {
    for value in ["^/cart", "/cart/i", "a^b", "$/cart", "^HTTPS://shop.example/"] {
        let told = faults(&page(&format!("{{type: url, match: regex, value: '{value}'}}")));
        assert!(told.contains("hint: write `"), "{value}: {told}");
    }
    for value in [r"^https://shop\.example/cart$", "/cart/", "(^|x)a", r"\$5"] {
        let told = faults(&page(&format!("{{type: url, match: regex, value: '{value}'}}")));
        assert_eq!(told, "", "{value}");
    }
}

#[test]
fn conditions_that_say_something_else_than_is_meant_are_told() {
    for (condition, message) in [
        ("{type: location, value: UK}", "is `GB`"),
        ("{type: location, value: us}", "its code in ISO 3166"),
        ("{type: location, value: Germany}", "its code in ISO 3166"),
        ("{type: platform, value: windows_11}", "no browser reports Windows 11"),
        ("{type: query, name: '?utm_source', match: exists}", "begins after the `?`"),
        ("{type: language, value: German}", "never holds"),
        ("{type: referrer, match: exact, value: 'mailto:a@shop.example'}", "never holds"),
        ("or", "`or` without anything after it never holds"),
        ("{type: custom_code, value: 'location.search.includes(1)'}", "the code returns nothing"),
    ] {
        assert!(
            warns(&audience(condition), message),
            "{condition}: {}",
            faults(&audience(condition))
        );
    }
    for fine in [
        "{type: location, value: US|CA|SANFRANCISCO}",
        "{type: location, value: '|||EU'}",
        "{type: location, value: 840}",
        "{type: platform, value: windows_10}",
        "{type: language, value: de}",
        "{type: custom_code, value: return true}",
    ] {
        assert_eq!(faults(&audience(fine)), "", "{fine}");
    }
}

#[test]
fn code_that_cannot_do_its_work_is_told() {
    for (page, message) in [
        ("activation: {type: polling, code: 'window.ready'}", "so the page is never active"),
        ("activation: {type: callback, code: 'start()'}", "never calls `activate`"),
        (
            "tags: [{key: sku, locator: 'window.sku', locator_type: javascript}]",
            "never has a value",
        ),
        ("tags: [{key: sku, locator: '/p/[0-9]+', locator_type: url_regex}]", "there is none"),
    ] {
        let document = format!("pages: [{{key: home, {page}}}]\n");
        assert!(warns(&document, message), "{page}: {}", faults(&document));
    }
    for fine in [
        "activation: {type: polling, code: 'return window.ready'}",
        "activation: {type: callback, code: 'activate()'}",
        "tags: [{key: sku, locator: '/p/([0-9]+)', locator_type: url_regex}]",
    ] {
        assert_eq!(faults(&format!("pages: [{{key: home, {fine}}}]\n")), "", "{fine}");
    }
    let nowhere =
        variation("weight: 0, paused: true", "{type: redirect, destination_code: '\"/new\"'}");
    assert!(warns(&nowhere, "leads nowhere"), "{}", faults(&nowhere));
}

#[test]
fn styles_that_browsers_pass_over_are_told() {
    let style = |name: &str, value: &str| {
        let change = format!("{{type: style, selector: h1, name: {name}, value: '{value}'}}");
        faults(&variation("weight: 0, paused: true", &change))
    };

    assert!(style("colour", "red").contains("hint: write `color`"), "{}", style("colour", "red"));
    let camel = style("backgroundColor", "red");
    assert!(camel.contains("hint: write `background-color`"), "{camel}");
    assert!(style("color", "red;").contains("hint: write `red`"), "{}", style("color", "red;"));
    for name in ["color", "--brand", "-webkit-line-clamp", "fill"] {
        assert_eq!(style(name, "1 !important"), "", "{name}");
    }
    let open = variation("weight: 0, paused: true", "{type: css, value: 'h1 { color: red'}");
    assert!(warns(&open, "a `{` is not closed"), "{}", faults(&open));
}

#[test]
fn a_variation_without_a_share_is_told_before_the_start() {
    let of = |status: &str, fields: &str| {
        faults(&variation(fields, "").replace("status: running", &format!("status: {status}")))
    };

    let told = of("not_started", "weight: 0");
    assert!(told.contains("no visitor gets this variation"), "{told}");
    for fine in ["weight: 0, paused: true", "weight: 0, archived: true"] {
        assert_eq!(of("not_started", fine), "", "{fine}");
    }
    // Those who have it keep it.
    assert_eq!(of("running", "weight: 0"), "");
}

#[test]
fn weights_of_one_percent_or_less_are_taken_for_percents() {
    for weights in ["{key: a, weight: 1}, {key: b, weight: 1}", "{key: a, weight: 50}"] {
        let told = faults(&format!(
            "campaigns: [{{key: hero, type: ab_test, experiments: [{{key: e, variations: [{weights}]}}]}}]\n"
        ));
        assert!(told.contains("`50` is 0.5%"), "{told}");
    }
}
