//! Integrations that cannot be.

use insta::assert_snapshot;

use crate::documents::faults;

fn integrations(list: &str) -> String {
    faults(&format!("integrations: [{list}]\n"))
}

#[test]
fn an_unknown_type_is_an_error_with_the_nearest_known_one() {
    assert_snapshot!(integrations("{type: mixpanel}"), @"demo.yaml:3:23: error: integrations[0].type: `mixpanel` is not known here, expected one of `ga4_gtag`, `ga4_gtm`, `segment`, `amplitude`, `matomo`, `plausible`, `callback`");
    assert_snapshot!(integrations("{type: ga4_tag}"), @r"
    demo.yaml:3:23: error: integrations[0].type: `ga4_tag` is not known here, expected one of `ga4_gtag`, `ga4_gtm`, `segment`, `amplitude`, `matomo`, `plausible`, `callback`
      hint: did you mean `ga4_gtag`?
    ");
}

#[test]
fn each_type_takes_its_own_options_only() {
    assert_snapshot!(integrations("{type: ga4_gtm, send_to: G-1}"), @"demo.yaml:3:32: error: integrations[0].send_to: unknown field `send_to`, expected one of `type`, `data_layer`");
    assert_snapshot!(integrations("{type: callback}"), @"demo.yaml:3:16: error: integrations[0]: the field `code` is missing");
    assert_snapshot!(integrations("{data_layer: dataLayer}"), @"demo.yaml:3:16: error: integrations[0]: the field `type` is missing");
}

#[test]
fn options_that_become_part_of_the_page_are_names() {
    assert_snapshot!(integrations("{type: ga4_gtm, data_layer: window.layer}"), @"demo.yaml:3:44: error: integrations[0].data_layer: `window.layer` does not fit here, expected the name of a global variable, such as `dataLayer`");
    assert_snapshot!(integrations("{type: ga4_gtag, send_to: G 1}"), @"demo.yaml:3:42: error: integrations[0].send_to: `G 1` does not fit here, expected a measurement id such as `G-ABC123`, or a group");
}

#[test]
fn a_tool_is_there_once_and_code_as_often_as_it_likes() {
    assert_snapshot!(integrations("{type: matomo}, {type: segment}, {type: matomo}"), @"demo.yaml:3:49: error: integrations[2]: there is another `matomo`, too");
    assert_snapshot!(integrations("{type: callback, code: a()}, {type: callback, code: b()}"), @"");
}
