//! Campaigns, experiments, changes and groups that break a rule of the product.

use insta::assert_snapshot;

use crate::documents::faults;

fn campaign(fields: &str) -> String {
    faults(&format!("pages: [{{key: home}}]\ncampaigns:\n  - key: hero\n{fields}"))
}

fn experiment(weights: &str) -> String {
    campaign(&format!(
        "    type: ab_test\n    experiments: [{{key: hero, variations: [{weights}]}}]\n"
    ))
}

fn changes(changes: &str) -> String {
    experiment(&format!("{{key: a, weight: 10000, changes: [\n{changes}\n      ]}}"))
}

#[test]
fn weights_add_up_to_10000_at_most() {
    assert_snapshot!(experiment("{key: a, weight: 5000}, {key: b, weight: 5001}"), @"demo.yaml:7:43: error: campaigns[0].experiments[0].variations: weights add up to 100.01%, expected 100% at most");
    assert_snapshot!(experiment("{key: a, weight: 5000}, {key: b, weight: 33.33%}"), @"demo.yaml:7:43: warning: campaigns[0].experiments[0].variations: weights add up to 83.33%, the other visitors stay unbucketed");
    assert_snapshot!(experiment("{key: a, weight: 10000}, {key: b, weight: 0, paused: true}"), @"");
}

#[test]
fn weights_of_a_group_add_up_to_10000_at_most() {
    let rest = "campaigns:
  - {key: a, type: ab_test, experiments: [{key: a, variations: [{key: one, weight: 10000}]}]}
  - {key: b, type: ab_test, experiments: [{key: b, variations: [{key: two, weight: 10000}]}]}
groups: [{key: g, members: [{campaign: a, weight: 60%}, {campaign: b, weight: 60%}]}]
";
    assert_snapshot!(faults(rest), @"demo.yaml:6:28: error: groups[0].members: weights add up to 120%, expected 100% at most");
}

#[test]
fn an_experiment_has_variations() {
    assert_snapshot!(experiment(""), @"demo.yaml:7:43: error: campaigns[0].experiments[0].variations: the experiment has no variations, expected at least one");
    assert_snapshot!(campaign("    type: ab_test\n    experiments: [{key: hero}]\n"), @"demo.yaml:7:19: error: campaigns[0].experiments[0]: the field `variations` is missing");
}

#[test]
fn a_project_has_up_to_10000_variations() {
    let experiments = |count: usize, variations: usize| {
        let variations = (0..variations).map(|index| format!("{{key: v{index}, weight: 0}}"));
        let variations = variations.collect::<Vec<_>>().join(", ");
        let experiments =
            (0..count).map(|index| format!("{{key: e{index}, variations: [{variations}]}}"));
        let experiments = experiments.collect::<Vec<_>>().join(", ");
        campaign(&format!("    type: personalization\n    experiments: [{experiments}]\n"))
    };

    let faults = experiments(101, 100);
    let error = faults.lines().next().unwrap();
    assert!(
        error.ends_with("the project has too many variations, expected 10000 at most"),
        "{error}"
    );
    assert!(!experiments(100, 100).contains("error"));
}

#[test]
fn an_ab_test_has_one_experiment_and_a_personalization_some() {
    let experiments = "    experiments:
      - {key: a, variations: [{key: a, weight: 10000}]}
      - {key: b, variations: [{key: b, weight: 10000}]}
";
    assert_snapshot!(campaign(&format!("    type: ab_test\n{experiments}")), @r"
    demo.yaml:8:7: error: campaigns[0].experiments: the campaign has 2 experiments, expected exactly one
      hint: `type: personalization` takes several
    ");
    assert_snapshot!(campaign(&format!("    type: personalization\n{experiments}")), @"");
    assert_snapshot!(campaign("    type: personalization\n    experiments: []\n"), @"demo.yaml:7:18: error: campaigns[0].experiments: the campaign has 0 experiments, expected at least one");
    assert_snapshot!(campaign("    type: ab_test\n"), @"demo.yaml:5:5: error: campaigns[0]: the field `experiments` is missing");
}

#[test]
fn priorities_name_each_experiment_once() {
    let experiments = "    type: personalization
    experiments:
      - {key: a, variations: [{key: a, weight: 10000}]}
      - {key: b, variations: [{key: b, weight: 10000}]}
";
    assert_snapshot!(campaign(&format!("{experiments}    priorities: [[a], [b, a]]\n")), @"demo.yaml:10:27: error: campaigns[0].priorities[1][1]: the experiment is there twice");
    assert_snapshot!(campaign(&format!("{experiments}    priorities: [a, b]\n")), @r"
    demo.yaml:10:18: error: campaigns[0].priorities[0]: this is a text, expected a list
    demo.yaml:10:21: error: campaigns[0].priorities[1]: this is a text, expected a list
    ");
    assert_snapshot!(campaign(&format!("{experiments}    priorities: [[b]]\n")), @"demo.yaml:10:17: warning: campaigns[0].priorities: the experiment `a` is in no group, so no visitor sees it");
}

#[test]
fn polling_and_callback_have_code_and_others_none() {
    let pages = "pages:
  - {key: a, activation: {type: polling}}
  - {key: b, activation: {type: callback, code: null}}
  - {key: c, activation: {type: manual, code: return true}}
";
    assert_snapshot!(faults(pages), @r"
    demo.yaml:4:26: error: pages[0].activation: the field `code` is missing
    demo.yaml:5:26: error: pages[1].activation: the field `code` is missing
    demo.yaml:6:47: error: pages[2].activation.code: `manual` activation takes no code
    ");
}

#[test]
fn a_tag_has_a_locator_with_its_type_or_neither() {
    let pages = "pages:
  - key: a
    tags:
      - {key: a, locator: .price}
      - {key: b, locator_type: css_selector}
      - {key: c}
      - {key: c}
";
    assert_snapshot!(faults(pages), @r"
    demo.yaml:6:9: error: pages[0].tags[0]: the field `locator_type` is missing
    demo.yaml:7:32: error: pages[0].tags[1].locator_type: there is no `locator` that this could be the type of
    demo.yaml:9:9: error: pages[0].tags[3]: another tag has the key `c`, too
    ");
}

#[test]
fn each_type_of_change_has_its_fields() {
    let list = "
        {type: text, selector: h1},
        {type: html, value: x},
        {type: style, selector: h1, name: color},
        {type: style, selector: h1, name: 'color: red', value: x},
        {type: class, selector: h1, value: ''},
        {type: attribute, selector: h1, name: 'a b', value: x},
        {type: insert, selector: h1, value: x, position: inside},
        {type: move, selector: h1, position: after},
        {type: remove, value: x},
        {type: css, selector: h1, value: x},
        {type: javascript},
        {type: image, selector: h1},
        {selector: h1, value: x}";
    assert_snapshot!(changes(list), @r"
    demo.yaml:9:9: error: campaigns[0].experiments[0].variations[0].changes[0]: the field `value` is missing
    demo.yaml:10:9: error: campaigns[0].experiments[0].variations[0].changes[1]: the field `selector` is missing
    demo.yaml:11:9: error: campaigns[0].experiments[0].variations[0].changes[2]: the field `value` is missing
    demo.yaml:12:43: error: campaigns[0].experiments[0].variations[0].changes[3].name: `color: red` does not fit here, expected a CSS property such as `background-color`
    demo.yaml:13:37: error: campaigns[0].experiments[0].variations[0].changes[4].value: the text has 0 characters, expected 1 to 2048
    demo.yaml:14:47: error: campaigns[0].experiments[0].variations[0].changes[5].name: `a b` does not fit here, expected an attribute such as `href`
    demo.yaml:15:58: error: campaigns[0].experiments[0].variations[0].changes[6].position: `inside` is not known here, expected one of `before`, `after`, `prepend`, `append`
    demo.yaml:16:9: error: campaigns[0].experiments[0].variations[0].changes[7]: the field `to` is missing
    demo.yaml:17:9: error: campaigns[0].experiments[0].variations[0].changes[8]: the field `selector` is missing
    demo.yaml:17:24: error: campaigns[0].experiments[0].variations[0].changes[8].value: unknown field `value`, expected one of `id`, `page`, `async`, `depends_on`, `type`, `selector`
    demo.yaml:18:21: error: campaigns[0].experiments[0].variations[0].changes[9].selector: unknown field `selector`, expected one of `id`, `page`, `async`, `depends_on`, `type`, `value`
    demo.yaml:19:9: error: campaigns[0].experiments[0].variations[0].changes[10]: the field `value` is missing
    demo.yaml:20:16: error: campaigns[0].experiments[0].variations[0].changes[11].type: `image` is not known here, expected one of `text`, `html`, `style`, `class`, `attribute`, `insert`, `move`, `remove`, `css`, `javascript`, `redirect`
    demo.yaml:21:9: error: campaigns[0].experiments[0].variations[0].changes[12]: the field `type` is missing
    ");
}

#[test]
fn a_redirect_leads_to_one_address_on_the_web() {
    let list = "
        {type: redirect},
        {type: redirect, destination: /a, destination_code: return '/b'},
        {type: redirect, destination: 'javascript:alert(1)'},
        {type: redirect, destination: 'JavaScript:alert(1)'},
        {type: redirect, destination: '//example.com/a:b'},
        {type: redirect, destination: 'HTTPS://example.com/'},
        {type: redirect, destination: '?a=b:c'}";
    assert_snapshot!(changes(list), @r"
    demo.yaml:9:9: error: campaigns[0].experiments[0].variations[0].changes[0]: a redirect needs a `destination` or a `destination_code`
    demo.yaml:10:9: error: campaigns[0].experiments[0].variations[0].changes[1]: a redirect has either a `destination` or a `destination_code`
    demo.yaml:11:39: error: campaigns[0].experiments[0].variations[0].changes[2].destination: `javascript:alert(1)` does not fit here, expected an `http` or `https` address, or one relative to the page
    demo.yaml:12:39: error: campaigns[0].experiments[0].variations[0].changes[3].destination: `JavaScript:alert(1)` does not fit here, expected an `http` or `https` address, or one relative to the page
    ");
}

#[test]
fn a_redirect_to_a_host_says_its_scheme() {
    let list = "
        {type: redirect, destination: www.shop.example/sale},
        {type: redirect, destination: 'shop.example?a=b'},
        {type: redirect, destination: sale.html},
        {type: redirect, destination: ./shop.example},
        {type: redirect, destination: ../v1.2/sale},
        {type: redirect, destination: sale}";
    assert_snapshot!(changes(list), @"
    demo.yaml:9:39: warning: campaigns[0].experiments[0].variations[0].changes[0].destination: `www.shop.example/sale` is taken for a page beside the one that redirects
      hint: write `https://www.shop.example/sale`, or `./www.shop.example/sale` if that is meant
    demo.yaml:10:39: warning: campaigns[0].experiments[0].variations[0].changes[1].destination: `shop.example?a=b` is taken for a page beside the one that redirects
      hint: write `https://shop.example?a=b`, or `./shop.example?a=b` if that is meant
    ");
}

#[test]
fn changes_depend_on_changes_of_their_list() {
    let list = "
        {id: a, type: remove, selector: a, depends_on: [b, z]},
        {id: b, type: remove, selector: b}";
    assert_snapshot!(changes(list), @"demo.yaml:9:60: error: campaigns[0].experiments[0].variations[0].changes[0].depends_on[1]: no change of this list has the id `z`");
    let list = "
        {id: a, type: remove, selector: a},
        {id: a, type: remove, selector: b}";
    assert_snapshot!(changes(list), @"demo.yaml:10:14: error: campaigns[0].experiments[0].variations[0].changes[1].id: another change of this list has the id `a`, too");
    let list = "
        {id: a, type: remove, selector: a, depends_on: [b]},
        {id: b, type: remove, selector: b, depends_on: [c]},
        {id: c, type: remove, selector: c, depends_on: [b]}";
    assert_snapshot!(changes(list), @"demo.yaml:10:56: error: campaigns[0].experiments[0].variations[0].changes[1].depends_on: changes depend on each other in a circle: b → c");
}

#[test]
fn a_winner_is_one_of_the_experiments_own_variations() {
    let experiments = "    type: personalization
    experiments:
      - {key: a, winner: one, variations: [{key: one, weight: 0, archived: true}, {key: two, weight: 10000}]}
      - {key: b, winner: on, variations: [{key: one, id: \"5\", weight: 10000}]}
";
    assert_snapshot!(campaign(experiments), @"
    demo.yaml:9:26: error: campaigns[0].experiments[1].winner: there is no variation of this experiment `on`
      hint: did you mean `one`?
    ");
}

#[test]
fn what_members_note_of_a_campaign_is_short_and_said_once() {
    let noted = |fields: &str| {
        campaign(&format!(
            "    type: ab_test\n    {fields}\n    experiments: [{{key: a, variations: [{{key: a, weight: 10000}}]}}]\n"
        ))
    };

    assert_eq!(noted("tags: [spring, Spring, \"two words\"]"), "");
    assert_eq!(noted("hypothesis: \"If this,\\nthen that.\"\n    owner: The checkout team"), "");
    let many: Vec<String> = (0..51).map(|tag| format!("t{tag}")).collect();
    for (fields, told) in [
        ("tags: [spring, \" a\"]".to_owned(), "tags[1]: the tag begins or ends with a space"),
        ("tags: [spring, spring]".to_owned(), "tags[1]: the tag is there twice"),
        (format!("tags: [{}]", "é".repeat(65)), "tags[0]: the text has 65 characters"),
        (format!("tags: [{}]", many.join(", ")), "tags: the list has 51 elements"),
        (format!("hypothesis: {}", "é".repeat(4_001)), "hypothesis: the text has 4001 characters"),
        ("owner: \"Ann\\nBob\"".to_owned(), "owner: the text holds a line break"),
        ("tag: [spring]".to_owned(), "did you mean `tags`?"),
    ] {
        let faults = noted(&fields);
        assert!(faults.contains(told), "{told}: {faults}");
    }
}

#[test]
fn a_description_may_have_lines_but_not_be_a_book() {
    let described = |text: &str| {
        campaign(&format!(
            "    type: ab_test\n    description: \"{text}\"\n    experiments: [{{key: a, variations: [{{key: a, weight: 10000}}]}}]\n"
        ))
    };

    assert_eq!(described(""), "");
    assert_eq!(described(&"é\\n".repeat(2000)), "");
    assert_snapshot!(described(&"é\\n".repeat(2001)), @"demo.yaml:7:18: error: campaigns[0].description: the text has 4002 characters, expected 4000 at most");
    assert_snapshot!(described("\\a"), @"demo.yaml:7:18: error: campaigns[0].description: the text holds a control character that is not a line break");
}
