//! Fields that are missing, unknown, or hold what they cannot hold.

use insta::assert_snapshot;

use crate::documents::{faults, faults_of_text};

#[test]
fn an_unknown_field_is_an_error_with_the_nearest_known_name() {
    assert_snapshot!(faults("campaings: []\n"), @"
    demo.yaml:3:1: error: campaings: unknown field `campaings`, expected one of `version`, `project`, `attributes`, `pages`, `events`, `metrics`, `audiences`, `campaigns`, `groups`, `applications`, `integrations`
      hint: did you mean `campaigns`?
    ");
    assert_snapshot!(faults("pages: [{key: home, colour: red}]\n"), @"demo.yaml:3:21: error: pages[0].colour: unknown field `colour`, expected one of `id`, `key`, `name`, `category`, `conditions`, `activation`, `deactivation`, `undo_changes`, `tags`, `metadata`, `archived`");
}

#[test]
fn a_value_has_the_right_sort() {
    assert_snapshot!(faults("pages: {key: home}\n"), @"demo.yaml:3:8: error: pages: this is an object, expected a list");
    assert_snapshot!(faults("pages: [home]\n"), @"demo.yaml:3:9: error: pages[0]: this is a text, expected an object");
    assert_snapshot!(faults("pages: [{key: home, deactivation: maybe}]\n"), @"demo.yaml:3:35: error: pages[0].deactivation: this is a text, expected `true` or `false`");
    assert_snapshot!(faults("pages: [{key: home, name: 404}]\n"), @r#"
    demo.yaml:3:27: error: pages[0].name: this is a number, expected a text
      hint: put it in quotes
    "#);
    assert_snapshot!(faults("pages: [{key: home, name: true}]\n"), @r#"
    demo.yaml:3:27: error: pages[0].name: this is a boolean, expected a text
      hint: put it in quotes
    "#);
}

#[test]
fn a_name_has_1_to_200_characters_and_no_control_characters() {
    assert_snapshot!(faults("pages: [{key: home, name: \"\"}]\n"), @"demo.yaml:3:21: error: pages[0].name: the text has 0 characters, expected 1 to 200");
    assert_snapshot!(faults("pages: [{key: home, name: \"a\\tb\"}]\n"), @"demo.yaml:3:27: error: pages[0].name: the text holds a line break or another control character");
    assert_snapshot!(faults(&format!("pages: [{{key: home, name: {}}}]\n", "é".repeat(201))), @"demo.yaml:3:27: error: pages[0].name: the text has 201 characters, expected 1 to 200");
    assert_snapshot!(faults(&format!("pages: [{{key: home, name: {}}}]\n", "é".repeat(200))), @"");
}

#[test]
fn an_id_is_a_decimal_number_from_1_to_below_2_to_the_53() {
    let ids = r#"pages:
  - {key: a, id: -1}
  - {key: b, id: 9007199254740992}
  - {key: c, id: "0x10"}
  - {key: d, id: "007"}
  - {key: e, id: 1.5}
  - {key: f, id: 9007199254740991}
  - {key: g, id: "0"}
  - {key: h, id: 0}
"#;
    assert_snapshot!(faults(ids), @r"
    demo.yaml:4:18: error: pages[0].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:5:18: error: pages[1].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:6:18: error: pages[2].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:7:18: error: pages[3].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:8:18: error: pages[4].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:10:18: error: pages[6].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    demo.yaml:11:18: error: pages[7].id: this is not an id, expected a whole decimal number from 1 to below 2^53
    ");
}

#[test]
fn a_key_is_lower_case() {
    assert_snapshot!(faults("pages: [{key: Home Page}, {key: \"\"}, {key: 7}]\n"), @r#"
    demo.yaml:3:15: error: pages[0].key: `Home Page` is not a key, expected 1 to 64 of `a-z`, `0-9`, `_` and `-`, the first a letter or digit
      hint: `home_page` would be one
    demo.yaml:3:28: error: pages[1].key: the key is empty, expected 1 to 64 of `a-z`, `0-9`, `_` and `-`, the first a letter or digit
    demo.yaml:3:44: error: pages[2].key: this is a number, expected a text
      hint: put it in quotes
    "#);
}

#[test]
fn a_resource_has_a_key_or_a_name_to_make_one_from() {
    assert_snapshot!(faults("pages: [{category: home}]\n"), @"demo.yaml:3:9: error: pages[0]: the page has no `key`, and no `name` to make one from, expected a `key`, or a `name` with letters `a-z` or digits");
    assert_snapshot!(faults("pages: [{name: 日本}]\n"), @"demo.yaml:3:9: error: pages[0]: the page has no `key`, and no `name` to make one from, expected a `key`, or a `name` with letters `a-z` or digits");
    assert_snapshot!(faults_of_text("version: 1\nproject: {}\npages: [{key: home}]\n"), @"demo.yaml:2:10: error: project: the project has no `key`, and no `name` to make one from, expected a `key`, or a `name` with letters `a-z` or digits");
}

#[test]
fn a_share_is_basis_points_or_a_percentage() {
    let shares = "groups:
  - key: shares
    members:
      - {campaign: a, weight: 10001}
      - {campaign: a, weight: -1}
      - {campaign: a, weight: 0.5}
      - {campaign: a, weight: 12.345%}
      - {campaign: a, weight: \"5000\"}
      - {campaign: a}
";
    let faults = faults(shares);

    let about_weights: Vec<&str> =
        faults.lines().filter(|line| !line.contains("there is no campaign")).collect();
    assert_snapshot!(about_weights.join("\n"), @r#"
    demo.yaml:6:31: error: groups[0].members[0].weight: this is not a share, expected a percentage such as `12.5%`, or whole basis points from 0 to 10000
    demo.yaml:7:31: error: groups[0].members[1].weight: this is not a share, expected a percentage such as `12.5%`, or whole basis points from 0 to 10000
    demo.yaml:8:31: error: groups[0].members[2].weight: this is not a share, expected a percentage such as `12.5%`, or whole basis points from 0 to 10000
    demo.yaml:9:31: error: groups[0].members[3].weight: `12.345%` is not a percentage, expected `0%` to `100%` with at most two decimals, such as `12.5%`
    demo.yaml:10:31: error: groups[0].members[4].weight: `5000` is not a percentage, expected `0%` to `100%` with at most two decimals, such as `12.5%`
    demo.yaml:11:9: error: groups[0].members[5]: the field `weight` is missing
    "#);
}

#[test]
fn a_word_is_one_of_the_known_words() {
    assert_snapshot!(faults("pages: [{key: home, activation: {type: imediate}}]\n"), @r"
    demo.yaml:3:40: error: pages[0].activation.type: `imediate` is not known here, expected one of `immediate`, `manual`, `polling`, `callback`, `dom_changed`, `url_changed`
      hint: did you mean `immediate`?
    ");
    assert_snapshot!(faults("campaigns: [{key: a, type: multivariate, experiments: []}]\n"), @"demo.yaml:3:28: error: campaigns[0].type: `multivariate` is not known here, expected one of `ab_test`, `personalization`");
}

#[test]
fn settings_of_the_snippet_are_checked() {
    let settings = "version: 1
project:
  key: demo
  snippet:
    global_aliases: [optimizely, a-b, window, optimizely, experimentation]
    cookie_domain: https://example.com
    visitor_id: {source: query}
    consent: perhaps
    respect_gcp: true
";
    assert_snapshot!(faults_of_text(settings), @r"
    demo.yaml:5:34: error: project.snippet.global_aliases[1]: `a-b` does not fit here, expected the name of a JavaScript variable
    demo.yaml:5:39: error: project.snippet.global_aliases[2]: the name `window` is taken
    demo.yaml:5:47: error: project.snippet.global_aliases[3]: the name `optimizely` is taken
    demo.yaml:5:59: error: project.snippet.global_aliases[4]: the name `experimentation` is taken
    demo.yaml:6:20: error: project.snippet.cookie_domain: `https://example.com` does not fit here, expected a domain such as `example.com`
    demo.yaml:7:17: error: project.snippet.visitor_id: the field `name` is missing
    demo.yaml:8:14: error: project.snippet.consent: `perhaps` is not known here, expected one of `none`, `required`
    demo.yaml:9:5: error: project.snippet.respect_gcp: unknown field `respect_gcp`, expected one of `global_aliases`, `exclude_names`, `cookie_domain`, `visitor_id`, `explain`, `data`, `utils`, `allow_force`, `preview`, `landings`, `respect_gpc`, `respect_dnt`, `consent`, `javascript`
      hint: did you mean `respect_gpc`?
    ");
    assert_snapshot!(faults_of_text("version: 1
project: {key: demo, snippet: {visitor_id: {source: javascript, name: 'alert(1)'}}}
"), @"demo.yaml:2:71: error: project.snippet.visitor_id.name: `alert(1)` does not fit here, expected the name of a global JavaScript variable, such as `shop.visitor.id`");
    assert_snapshot!(faults_of_text("version: 1
project: {key: demo, snippet: {visitor_id: {source: cookie, name: 'a;b'}}}
"), @"demo.yaml:2:67: error: project.snippet.visitor_id.name: `a;b` does not fit here, expected the name of a cookie");
}

#[test]
fn the_server_renews_our_own_cookie_on_a_known_domain() {
    assert_snapshot!(faults_of_text("version: 1
project: {key: demo, snippet: {visitor_id: {renewed_by: server}}}
"), @r"
    demo.yaml:2:57: error: project.snippet.visitor_id.renewed_by: the server cannot find the cookie's domain
      hint: name your site's domain in `cookie_domain`, such as `example.com`
    ");
    assert_snapshot!(faults_of_text("version: 1
project: {key: demo, snippet: {cookie_domain: shop.example, visitor_id: {name: uid, renewed_by: server}}}
"), @"demo.yaml:2:97: error: project.snippet.visitor_id.renewed_by: the server renews no other cookie than our own");
    assert_snapshot!(faults_of_text("version: 1
project: {key: demo, snippet: {visitor_id: {renewed_by: serve}}}
"), @r"
    demo.yaml:2:57: error: project.snippet.visitor_id.renewed_by: `serve` is not known here, expected one of `page`, `server`
      hint: did you mean `server`?
    ");
}

#[test]
fn applications_are_checked() {
    let applications = "applications:
  - {client_id: demo app, name: Demo, redirect_uris: [\"http://localhost/#x\", /callback, \"javascript:alert(1)\"]}
  - {client_id: other, redirect_uris: [], secret_env: 1SECRET}
  - {client_id: twice, name: Twice, redirect_uris: [\"https://example.com/\"]}
  - {client_id: twice, name: Twice, redirect_uris: [\"https://example.com/\"]}
  - {client_id: token.c0ffee, name: Token, redirect_uris: [\"https://example.com/\"]}
";
    assert_snapshot!(faults(applications), @r"
    demo.yaml:4:17: error: applications[0].client_id: `demo app` does not fit here, expected letters `A-Z a-z`, digits and `-._~`
    demo.yaml:4:55: error: applications[0].redirect_uris[0]: `http://localhost/#x` does not fit here, expected an absolute address without a fragment
    demo.yaml:4:78: error: applications[0].redirect_uris[1]: `/callback` does not fit here, expected an absolute address without a fragment
    demo.yaml:4:89: error: applications[0].redirect_uris[2]: `javascript:alert(1)` does not fit here, expected an absolute address without a fragment
    demo.yaml:5:5: error: applications[1]: the field `name` is missing
    demo.yaml:5:39: error: applications[1].redirect_uris: there is no address to send codes to
    demo.yaml:5:55: error: applications[1].secret_env: `1SECRET` does not fit here, expected the name of an environment variable, such as `DEMO_SECRET`
    demo.yaml:7:5: error: applications[3]: another application has the client id `twice`, too
    demo.yaml:8:17: error: applications[4].client_id: `token.c0ffee` looks like an API token: ids of those begin with `token.`
      hint: begin it with another word
    ");
}

#[test]
fn metadata_is_a_single_level() {
    assert_snapshot!(faults("pages: [{key: home, metadata: {a: 1, b: {c: 2}, d: [3]}}]\n"), @r"
    demo.yaml:3:41: error: pages[0].metadata.b: this is an object, expected a single value
    demo.yaml:3:52: error: pages[0].metadata.d: this is a list, expected a single value
    ");
}

#[test]
fn a_file_is_inside_the_folder_of_the_document() {
    let pages = "pages:
  - {key: a, activation: {type: polling, code: {file: ../secret.js}}}
  - {key: b, activation: {type: polling, code: {file: /etc/passwd}}}
  - {key: c, activation: {type: polling, code: {path: ./x.js}}}
  - {key: d, activation: {type: polling, code: {file: ./x.js}}}
";
    assert_snapshot!(faults(pages), @r"
    demo.yaml:4:55: error: pages[0].activation.code.file: `../secret.js` leads out of the document's folder
    demo.yaml:5:55: error: pages[1].activation.code.file: `/etc/passwd` leads out of the document's folder
    demo.yaml:6:48: error: pages[2].activation.code: the field `file` is missing
    demo.yaml:6:49: error: pages[2].activation.code.path: unknown field `path`, expected one of `file`
    ");
}

#[test]
fn a_document_without_a_folder_has_no_files() {
    let text = "version: 1\nproject: {key: demo, snippet: {javascript: {file: ./x.js}}}\n";
    let faults =
        domain::parse(&domain::Source { name: "body", text, files: &domain::NoFiles }).unwrap_err();

    assert_snapshot!(faults[0], @"body:2:51: error: project.snippet.javascript.file: cannot read `./x.js`: this document may not refer to files");
}

#[test]
fn a_text_for_the_page_has_a_size() {
    assert_snapshot!(faults(&format!("pages: [{{key: a, activation: {{type: polling, code: {}}}}}]\n", "x".repeat(200_000))), @"demo.yaml:3:52: error: pages[0].activation.code: the text has 200000 bytes, expected 131072 at most");
}
