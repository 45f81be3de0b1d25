//! Conditions that mean nothing, and conditions that can never hold.

use insta::assert_snapshot;

use crate::documents::faults;

fn page(conditions: &str) -> String {
    faults(&format!("pages:\n  - key: home\n    conditions: {conditions}\n"))
}

fn audience(conditions: &str) -> String {
    faults(&format!(
        "attributes: [{{id: \"7001\", key: plan}}]\naudiences:\n  - key: some\n    conditions: {conditions}\n"
    ))
}

#[test]
fn conditions_are_one_condition_or_a_list_of_them() {
    assert_snapshot!(page("everywhere"), @"demo.yaml:5:17: error: pages[0].conditions: `everywhere` stands where a condition belongs, expected a condition, or `and`, `or` or `not` at the start of the list");
    assert_eq!(page("{type: url, match: simple, value: x}"), "");
    assert_snapshot!(page("[and, 7]"), @"demo.yaml:5:23: error: pages[0].conditions[1]: this is a number, expected a condition, or a list of conditions");
}

#[test]
fn an_operator_is_and_or_or_not() {
    assert_snapshot!(page("[AND, {type: url, match: simple, value: x}]"), @r"
    demo.yaml:5:18: error: pages[0].conditions[0]: `AND` stands where a condition belongs, expected a condition, or `and`, `or` or `not` at the start of the list
      hint: did you mean `and`?
    ");
    assert_snapshot!(page("[and, or]"), @"demo.yaml:5:23: error: pages[0].conditions[1]: `or` stands where a condition belongs, expected a condition, or `and`, `or` or `not` at the start of the list");
}

#[test]
fn not_takes_exactly_one_operand() {
    assert_snapshot!(page("[not]"), @"demo.yaml:5:17: error: pages[0].conditions: `not` has 0 operands, expected exactly one");
    assert_snapshot!(page("[or, [not, {type: url, match: simple, value: x}, {type: url, match: simple, value: y}]]"), @"demo.yaml:5:22: error: pages[0].conditions[1]: `not` has 2 operands, expected exactly one");
}

#[test]
fn pages_ask_about_addresses_and_audiences_about_visitors() {
    assert_snapshot!(page("[{type: cookies, name: a, match: exists}]"), @"demo.yaml:5:25: error: pages[0].conditions[0].type: `cookies` is not known here, expected one of `url`, `custom_code`");
    assert_snapshot!(page("[{audience: some}]"), @"demo.yaml:5:18: error: pages[0].conditions[0]: the field `type` is missing");
    assert_snapshot!(audience("[{type: url, match: simple, value: x}]"), @"demo.yaml:6:25: error: audiences[0].conditions[0].type: `url` is not known here, expected one of `query`, `cookies`, `custom_attribute`, `custom_dimension`, `campaign`, `referrer`, `source_type`, `device`, `device_type`, `browser_version`, `platform`, `language`, `time_and_day`, `first_session`, `location`, `behavior`, `custom_code`");
    assert_snapshot!(audience("[{type: qurey, name: a}]"), @r"
    demo.yaml:6:25: error: audiences[0].conditions[0].type: `qurey` is not known here, expected one of `query`, `cookies`, `custom_attribute`, `custom_dimension`, `campaign`, `referrer`, `source_type`, `device`, `device_type`, `browser_version`, `platform`, `language`, `time_and_day`, `first_session`, `location`, `behavior`, `custom_code`
      hint: did you mean `query`?
    ");
}

#[test]
fn a_condition_has_no_unknown_fields() {
    assert_snapshot!(page("[{type: url, match_type: simple, value: x}]"), @r"
    demo.yaml:5:30: error: pages[0].conditions[0].match_type: unknown field `match_type`, expected one of `type`, `name`, `match`, `value`
    demo.yaml:5:57: warning: pages[0].conditions[0].value: this condition never holds, expected a `match` and a `value`
    ");
    assert_snapshot!(audience("[{audience: some, type: device}]"), @r"
    demo.yaml:5:5: error: audiences[0]: audiences depend on each other in a circle: some
    demo.yaml:6:35: error: audiences[0].conditions[0].type: unknown field `type`, expected one of `audience`
    ");
}

#[test]
fn a_condition_matches_in_the_ways_of_its_kind() {
    assert_snapshot!(page("[{type: url, match: prefix, value: x}]"), @"demo.yaml:5:37: error: pages[0].conditions[0].match: `prefix` is not known here, expected one of `simple`, `exact`, `substring`, `regex`, `exists`, `range`");
    assert_snapshot!(page("[{type: url, match: exists, value: x}]"), @"demo.yaml:5:37: error: pages[0].conditions[0].match: a `url` condition cannot match by `exists`, expected one of `simple`, `exact`, `substring`, `regex`");
    assert_snapshot!(audience("[{type: device, match: exact, value: mobile}]"), @"demo.yaml:6:40: error: audiences[0].conditions[0].match: a `device` condition cannot match by `exact`, expected no `match`");
    assert_snapshot!(audience("[{type: query, name: a, match: simple, value: x}]"), @"demo.yaml:6:48: error: audiences[0].conditions[0].match: a `query` condition cannot match by `simple`, expected one of `exact`, `substring`, `regex`, `exists`, `range`");
}

#[test]
fn a_condition_has_a_name_if_its_kind_asks_for_one() {
    assert_snapshot!(audience("[{type: cookies, match: exists}, {type: device, name: phone, value: mobile}]"), @r"
    demo.yaml:6:18: error: audiences[0].conditions[0]: a `cookies` condition needs a `name`
    demo.yaml:6:71: error: audiences[0].conditions[1].name: a `device` condition takes no `name`
    ");
}

#[test]
fn a_custom_attribute_is_known() {
    assert_snapshot!(audience("[{type: custom_attribute, name: plam, match: exists}]"), @r"
    demo.yaml:6:49: error: audiences[0].conditions[0].name: there is no attribute `plam`
      hint: did you mean `plan`?
    ");
    assert_snapshot!(audience("[{type: custom_attribute, name: plan, match: exists}, {type: custom_attribute, name: 7001, match: exists}]"), @r#"
    demo.yaml:6:102: error: audiences[0].conditions[1].name: this is a number, expected a text
      hint: put it in quotes
    "#);
}

#[test]
fn custom_code_has_code() {
    assert_snapshot!(audience("[{type: custom_code}, {type: custom_code, value: 1}]"), @r#"
    demo.yaml:6:18: error: audiences[0].conditions[0]: the field `value` is missing
    demo.yaml:6:66: error: audiences[0].conditions[1].value: this is a number, expected a text or `{file: ./name}`
      hint: put it in quotes
    "#);
}

#[test]
fn a_condition_that_never_holds_is_a_warning() {
    let conditions = "
      - {type: device, value: Phone}
      - {type: device_type}
      - {type: time_and_day, value: '9 to 5'}
      - {type: time_and_day, value: '09:00_24:00_monday,Tuesday'}
      - {type: query, name: a, match: range, value: '1:'}
      - {type: query, name: a, match: exact, value: 7}
      - {type: query, name: a, match: substring}
      - {type: language}
      - {type: referrer, match: exact}
      - {type: browser_version, value: chrome120}
      - {type: platform, value: iOS}
      - {type: location, value: 'US|CA|San Francisco'}
      - {type: time_and_day, value: '22:00_06:00_monday'}
      - {type: source_type, value: organic}
      - {type: language, value: en_US}
      - {type: query, name: a, match: range, value: '10:1'}
      - {type: query, name: ü, match: exists}
      - {type: query, name: a, match: exact, value: x y}
      - {type: campaign, match: substring, value: spring sale}
      - {type: cookies, name: 'a=b'}
      - {type: referrer, match: simple, value: 'https://münchen.example/'}
";
    assert_snapshot!(audience(conditions), @r"
    demo.yaml:7:31: warning: audiences[0].conditions[0].value: this condition never holds, expected `desktop`, `mobile`, `tablet`, `iphone` or `ipad`
    demo.yaml:8:9: warning: audiences[0].conditions[1]: this condition never holds, expected `phone`, `tablet`, `desktop_laptop` or `other`
    demo.yaml:9:37: warning: audiences[0].conditions[2].value: this condition never holds, expected a time such as `09:00_17:00_monday,tuesday`
    demo.yaml:10:37: warning: audiences[0].conditions[3].value: this condition never holds, expected a time such as `09:00_17:00_monday,tuesday`
    demo.yaml:11:53: warning: audiences[0].conditions[4].value: this condition never holds, expected two numbers such as `1:10`, the lower one first
    demo.yaml:12:53: warning: audiences[0].conditions[5].value: this condition never holds, expected a text as its `value`
    demo.yaml:13:9: warning: audiences[0].conditions[6]: this condition never holds, expected a `value`
    demo.yaml:14:9: warning: audiences[0].conditions[7]: this condition never holds, expected a language such as `en` or `en-us`
    demo.yaml:15:9: warning: audiences[0].conditions[8]: this condition never holds, expected a `match` and a `value`
    demo.yaml:16:40: warning: audiences[0].conditions[9].value: this condition never holds, expected `gc`, `ff`, `safari`, `ie`, `edge`, `opera`, `ucbrowser` or `unknown`, with a version such as `gc120` or without
    demo.yaml:17:33: warning: audiences[0].conditions[10].value: this condition never holds, expected `ios`, `android`, `mac os`, `windows`, `windows phone`, `linux`, `chrome os`, `blackberry`, `tizen` or `webos`, with a version such as `ios_17` or without
    demo.yaml:18:33: warning: audiences[0].conditions[11].value: this condition never holds, expected a place such as `US`, `US|CA`, `US|CA|SANFRANCISCO`, `|||EU` or `||||807`
    demo.yaml:19:37: warning: audiences[0].conditions[12].value: this condition never holds, expected a time that ends on its day: two conditions for one over midnight
    demo.yaml:20:36: warning: audiences[0].conditions[13].value: this condition never holds, expected `campaign`, `search`, `referral` or `direct`
    demo.yaml:21:33: warning: audiences[0].conditions[14].value: this condition never holds, expected a language such as `en` or `en-us`
    demo.yaml:22:53: warning: audiences[0].conditions[15].value: this condition never holds, expected two numbers such as `1:10`, the lower one first
    demo.yaml:23:29: warning: audiences[0].conditions[16].name: this condition never holds, expected what can stand in a query: `caf%C3%A9` for `café`, `%20` or `+` for a space, `%26` for `&`
    demo.yaml:24:53: warning: audiences[0].conditions[17].value: this condition never holds, expected what can stand in a query: `caf%C3%A9` for `café`, `%20` or `+` for a space, `%26` for `&`
    demo.yaml:25:51: warning: audiences[0].conditions[18].value: this condition never holds, expected what can stand in a query: `caf%C3%A9` for `café`, `%20` or `+` for a space, `%26` for `&`
    demo.yaml:26:31: warning: audiences[0].conditions[19].name: this condition never holds, expected a name that a cookie can have, without `=`, `;` and space around it
    demo.yaml:27:48: warning: audiences[0].conditions[20].value: this condition never holds, expected an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`
    ");
    let addresses = "
      - {type: url, match: simple, value: 'https://shop.example/café'}
      - {type: url, match: exact, value: 'https://shop.example/?q=a b'}
      - {type: url, match: substring, value: '?q=ü'}
      - {type: url, match: regex, value: '/café$'}
      - {type: url, match: simple, value: '/'}
      - {type: url, match: simple, value: 'shop.example/?q=ü'}
      - {type: url, match: regex, value: 'caf(é|e)'}
";
    assert_snapshot!(page(addresses), @r"
    demo.yaml:6:43: warning: pages[0].conditions[0].value: this condition never holds, expected an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`
    demo.yaml:7:42: warning: pages[0].conditions[1].value: this condition never holds, expected an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`
    demo.yaml:8:46: warning: pages[0].conditions[2].value: this condition never holds, expected an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`
    demo.yaml:9:42: warning: pages[0].conditions[3].value: this condition never holds, expected an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`
    demo.yaml:10:43: warning: pages[0].conditions[4].value: this condition never holds, expected an address with its host, such as `https://shop.example/cart`; `match: substring` takes a part such as `/cart`
    ");
    assert_snapshot!(page("[{type: url, value: x}, {type: url, match: exact}]"), @r"
    demo.yaml:5:37: warning: pages[0].conditions[0].value: this condition never holds, expected a `match` and a `value`
    demo.yaml:5:41: warning: pages[0].conditions[1]: this condition never holds, expected a `match` and a `value`
    ");
}

#[test]
fn a_first_session_that_is_false_says_how_to_ask_for_later_ones() {
    let of = |value: &str| audience(&format!("[{{type: first_session, value: {value}}}]"));

    assert_snapshot!(of("'false'"), @"
    demo.yaml:6:47: warning: audiences[0].conditions[0].value: the value is ignored: this holds in the visitor's first session
      hint: for later sessions, put the condition into a `not`
    ");
    for denies in ["false", "No", "0"] {
        assert!(of(denies).contains("the value is ignored"), "{denies}");
    }
    assert_eq!(of("'true'"), "");
    assert_eq!(audience("[{type: first_session}]"), "");
}

#[test]
fn an_address_is_compared_from_its_host_on() {
    let addresses = "
      - {type: url, match: simple, value: /cart}
      - {type: url, match: exact, value: '?a=b'}
      - {type: url, match: simple, value: '//shop.example/cart'}
      - {type: url, match: substring, value: /cart}
      - {type: url, match: simple, value: shop.example/cart}
";
    assert_snapshot!(page(addresses), @"
    demo.yaml:6:43: warning: pages[0].conditions[0].value: this condition never holds, expected an address with its host, such as `https://shop.example/cart`; `match: substring` takes a part such as `/cart`
    demo.yaml:7:42: warning: pages[0].conditions[1].value: this condition never holds, expected an address with its host, such as `https://shop.example/cart`; `match: substring` takes a part such as `/cart`
    demo.yaml:8:43: warning: pages[0].conditions[2].value: this condition never holds, expected an address with its host, such as `https://shop.example/cart`; `match: substring` takes a part such as `/cart`
    ");
}

#[test]
fn a_condition_that_can_hold_is_no_warning() {
    let conditions = "
      - {type: device, name: null, match: null, value: ipad}
      - {type: time_and_day, value: '5:00_24:00_monday,sunday'}
      - {type: query, name: a, match: range, value: '-1.5:2e3'}
      - {type: query, name: a, match: exact, value: ''}
      - {type: query, name: a}
      - {type: query, name: a, match: exists, value: 5}
      - {type: query, name: a, match: range, value: '0x1: 0x10'}
      - {type: query, name: a, match: regex, value: 'x y|é|z'}
      - {type: cookies, name: a, value: 'ü, <x>'}
      - {type: source_type, match: substring, value: e}
      - {type: language, value: zh-Hant-TW}
      - {type: campaign}
      - {type: first_session, value: true}
      - {type: browser_version, value: gc}
      - {type: browser_version, value: 'safari17.1'}
      - {type: platform, value: mac os_10.15}
      - {type: platform, value: windows phone}
      - {type: location, value: US}
      - {type: location, value: 'US||SANFRANCISCO'}
      - {type: location, value: '|||EU'}
      - {type: behavior, value: {event: add to cart, at_most: 0}}
";
    assert_eq!(audience(conditions), "");
}

#[test]
fn a_behavior_is_about_one_resource_so_many_times() {
    assert_snapshot!(audience("[{type: behavior}, {type: behavior, value: often}]"), @r"
    demo.yaml:6:18: error: audiences[0].conditions[0]: the field `value` is missing
    demo.yaml:6:60: error: audiences[0].conditions[1].value: this is a text, expected an object
    ");
    assert_snapshot!(audience("[{type: behavior, value: {}}, {type: behavior, value: {event: a, page: home}}]"), @r"
    demo.yaml:6:42: error: audiences[0].conditions[0].value: a behaviour needs an `event` or a `page`
    demo.yaml:6:88: error: audiences[0].conditions[1].value.page: there is no page `home`
    ");
    assert_snapshot!(faults("pages: [{key: home}]\naudiences:\n  - key: some\n    conditions: [{type: behavior, value: {event: a, page: home}}]\n"), @"demo.yaml:6:42: error: audiences[0].conditions[0].value: a behaviour is about an `event` or a `page`, not both");
    assert_snapshot!(audience("[{type: behavior, value: {evnt: a}}, {type: behavior, value: {page: hom}}]"), @r"
    demo.yaml:6:42: error: audiences[0].conditions[0].value: a behaviour needs an `event` or a `page`
    demo.yaml:6:43: error: audiences[0].conditions[0].value.evnt: unknown field `evnt`, expected one of `event`, `page`, `at_least`, `at_most`, `within_days`
      hint: did you mean `event`?
    demo.yaml:6:85: error: audiences[0].conditions[1].value.page: there is no page `hom`
    ");
    assert_snapshot!(audience("[{type: behavior, value: {event: a, at_least: 3, at_most: 2}}]"), @"demo.yaml:6:42: error: audiences[0].conditions[0].value: `at_most` is less than `at_least`");
    assert_snapshot!(audience("[{type: behavior, value: {event: a, at_least: -1, within_days: 366}}]"), @r"
    demo.yaml:6:63: error: audiences[0].conditions[0].value.at_least: this does not fit here, expected a whole number from 0 to 10000
    demo.yaml:6:80: error: audiences[0].conditions[0].value.within_days: this does not fit here, expected a whole number from 1 to 365
    ");
}

#[test]
fn lists_are_inside_each_other_up_to_8_deep() {
    let nested = |depth: usize| {
        format!(
            "{}{{type: url, match: simple, value: x}}{}",
            "[and, ".repeat(depth),
            "]".repeat(depth)
        )
    };

    assert_eq!(page(&nested(8)), "");
    assert_snapshot!(page(&nested(9)), @"demo.yaml:5:65: error: pages[0].conditions[1][1][1][1][1][1][1][1]: too many lists inside each other, expected 8 at most");
}

#[test]
fn a_tree_has_a_size() {
    assert_snapshot!(page(&format!("[{}]", "{type: url, match: simple, value: x}, ".repeat(1001))), @"demo.yaml:5:17: error: pages[0].conditions: there are 1001 conditions, expected 1000 at most");
}

#[test]
fn a_value_has_a_length() {
    let value = "x".repeat(2049);

    assert_snapshot!(page(&format!("[{{type: url, match: regex, value: {value}}}]")), @"demo.yaml:5:51: error: pages[0].conditions[0].value: the text has 2049 characters, expected 2048 at most");
}
