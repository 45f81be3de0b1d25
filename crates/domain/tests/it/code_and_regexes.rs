//! What the compiler of snippets checks: code and regular expressions, with where they stand.

use insta::assert_snapshot;

use crate::documents::{EVERYTHING, parse_named};

#[test]
fn every_piece_of_code_is_listed_with_its_place() {
    let parsed = parse_named("demo.yaml", EVERYTHING).unwrap();

    let code = parsed.project.code().into_iter().map(|code| {
        let place = parsed.locations.place_inside(&code.pointer, 1, 1).unwrap();
        format!("{place}: {:?} {}: {}", code.role, code.pointer, code.text.trim_end())
    });
    assert_snapshot!(code.collect::<Vec<_>>().join("\n"), @"
    demo.yaml:22:7: ProjectJavascript /project/snippet/javascript: window.started = Date.now();
    demo.yaml:38:33: Locator /pages/0/tags/1/locator: return window.rating
    demo.yaml:48:41: ActivationCallback /pages/1/activation/code: setTimeout(activate, 10)
    code/cart-ready.js:1:1: ActivationPolling /pages/2/activation/code: return `code/cart-ready.js`
    demo.yaml:47:37: Condition /pages/1/conditions/3/value: return document.title !== ''
    demo.yaml:111:11: Condition /audiences/2/conditions/18/value: return window.innerWidth < 600;
    demo.yaml:149:44: Change /campaigns/0/experiments/0/variations/1/changes/11/value: console.log('short')
    demo.yaml:188:59: Destination /campaigns/2/experiments/0/variations/2/changes/0/destination_code: return '/story?from=' + location.pathname
    demo.yaml:209:29: Integration /integrations/6/code: console.log(decision.campaignName, decision.variation.name)
    ");
}

#[test]
fn every_regular_expression_is_listed_with_its_place() {
    let parsed = parse_named("demo.yaml", EVERYTHING).unwrap();

    let regexes = parsed.project.regexes().into_iter().map(|regex| {
        let place = parsed.locations.place(&regex.pointer).unwrap();
        format!("{place}: {}: {}", regex.pointer, regex.text)
    });
    assert_snapshot!(regexes.collect::<Vec<_>>().join("\n"), @r"
    demo.yaml:39:33: /pages/0/tags/2/locator: /shop/([a-z]+)
    demo.yaml:45:47: /pages/1/conditions/1/1/value: /products/\d+
    demo.yaml:93:67: /audiences/2/conditions/2/value: ^(gold|silver)$
    ");
}
