//! The page's content of results that were computed of visitors.

use app::results::{ComparisonVerdict, Dataset, Results, SegmentBy, find_results};
use askama::Template as _;
use domain::{NoFiles, Source, parse};
use events::{Browser, EventRow, ExposureRow, Millis, UserAgent};

use super::Content;
use super::query::ResultsQuery;

const MINUTE: i64 = 60_000;
const START: i64 = 1_793_491_200_000;

/// Visitors one every few minutes, in turn one of each variation, of whom so many in a thousand sign up and buy.
fn results(names: &[&str], visitors: u32, minutes: i64, rates: &[[u32; 2]]) -> Vec<Results> {
    planned("", (names, visitors, minutes, rates))
}

/// The same with a plan.
fn planned(
    plan: &str,
    (names, visitors, minutes, rates): (&[&str], u32, i64, &[[u32; 2]]),
) -> Vec<Results> {
    let weights = [10_000, 5_000, 3_333];
    let listed = names.iter().enumerate().map(|(place, name)| {
        let weight = if place == 2 { 3_334 } else { weights[names.len() - 1] };
        format!("{{key: v{place}, name: '{name}', weight: {weight}}}")
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let text = format!(
        "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
events: [{{key: signup}}, {{key: purchase}}]
campaigns:
  - {{key: hero, type: ab_test, pages: [home], {plan} experiments: [{{key: hero, variations: [{listed}]}}]}}
"
    );
    let source = Source { name: "shop.yaml", text: &text, files: &NoFiles };
    let project = parse(&source).unwrap().project;
    let (mut exposures, mut done) = (Vec::new(), Vec::new());
    for (visitor, arm) in (0..visitors).zip((0..names.len()).cycle()) {
        let at = Millis(START + i64::from(visitor) * minutes * MINUTE);
        let (id, variation) = (visitor.to_string(), format!("v{arm}"));
        let agent = agent(visitor);
        exposures.push(ExposureRow {
            visitor: id.clone(),
            at,
            experiment: None,
            variation,
            agent,
            page: None,
            is_held_back: false,
        });
        for (salt, name) in [(37, "signup"), (171, "purchase")] {
            let rate = rates[arm][usize::from(name == "purchase")];
            if visitor / 3 * salt % 1000 < rate {
                let value = (name == "purchase").then(|| format!("{}.90", 10 + visitor % 70));
                let value = value.map(|value| value.parse().unwrap());
                let name = name.to_owned();
                let (revenue, properties) = (None, std::collections::BTreeMap::new());
                done.push(EventRow {
                    visitor: id.clone(),
                    at,
                    name,
                    value,
                    revenue,
                    properties,
                    id: None,
                });
            }
        }
    }
    let measured = Dataset::of_rows(&exposures, &done).split(Some(SegmentBy::Browser));
    find_results(&project, "hero", &measured).unwrap()
}

/// Every fourth visitor has Safari, and of some nothing is known.
fn agent(visitor: u32) -> UserAgent {
    let browser = match visitor / 2 % 8 {
        0 | 1 => Some(Browser::Safari),
        2 => None,
        _ => Some(Browser::Chrome),
    };
    UserAgent { browser, device: None }
}

fn page(results: &[Results]) -> String {
    let planner = Some("/projects/1000/length".to_owned());
    let content = Content { planner, may_conclude: true, ..Content::of(results) };
    let path = "/projects/1000/campaigns/3001".to_owned();
    let query = ResultsQuery { split: Some(SegmentBy::Browser), revision: None };
    content.at(path, query).render().unwrap()
}

#[test]
fn a_winner_is_told_first_and_concluded_with_one_link() {
    let found = results(&["Original", "Short"], 12_000, 3, &[[100, 40], [130, 43]]);

    let page = page(&found);

    let winner = &found[0].variations[1].id;
    let sentence = "With <q>Short</q>, between ";
    assert!(page.contains(sentence), "{page}");
    assert!(
        page.contains(&format!("conclude?winner={winner}\">Conclude with Short…</a>")),
        "{page}"
    );
    assert!(page.find(sentence) < page.find(">Health</h2>"));
    assert!(!page.contains(" style="), "the policy allows no style of a page's own");
}

#[test]
fn bayesian_results_say_what_they_are() {
    let visits: (&[&str], _, _, &[_]) =
        (&["Original", "Short", "Long"], 9_000, 4, &[[100, 40], [150, 43], [102, 40]]);
    let found = planned("plan: {method: bayesian, max_loss: 0.5%},", visits);

    let page = page(&found);

    insta::assert_snapshot!(page);
    assert!(page.contains("with the credible interval that holds it</p>"), "{page}");
    assert!(page.contains("These are Bayesian results, and not always valid."), "{page}");
    assert!(!page.contains("fine and bends nothing"), "{page}");
}

#[test]
fn what_is_taken_at_low_risk_is_concluded_like_a_winner_and_the_control_without_one() {
    let conclude = |rates: &[[u32; 2]]| {
        let visits: (&[&str], _, _, &[_]) = (&["Original", "Short"], 9_000, 4, rates);
        let found = planned("plan: {method: bayesian, max_loss: 2%},", visits);
        let page = page(&found);
        assert!(page.contains(">Little at stake</h2>"), "{}", found[0].verdict.text);
        let link = page.split("/conclude").nth(1).unwrap();
        link.split("</a>").next().unwrap().replace(&found[0].variations[1].id, "SHORT")
    };

    assert_eq!(conclude(&[[100, 40], [108, 40]]), "?winner=SHORT\">Conclude with Short…");
    assert_eq!(conclude(&[[108, 40], [100, 40]]), "\">Conclude…");
}

#[test]
fn a_guardrail_beside_what_is_taken_at_low_risk_calls_it_no_winner() {
    let visits: (&[&str], _, _, &[_]) = (&["Original", "Short"], 9_000, 4, &[[100, 40], [108, 40]]);
    let mut found = planned("plan: {method: bayesian, max_loss: 2%},", visits);
    found[0].verdict.guardrails = vec!["The guardrail `refunds` is not clear yet.".to_owned()];

    let page = page(&found);

    assert!(page.contains(">Little at stake</h2>"), "{page}");
    assert!(page.contains("Check the guardrails before you conclude with it"), "{page}");
    assert!(!page.contains("it wins"), "{page}");
}

#[test]
fn names_are_text_and_never_code() {
    let found = results(&["<b>Old</b>", "\"><script>"], 500, 30, &[[100, 40], [130, 43]]);

    let page = page(&found);

    assert!(!page.contains("<b>Old") && !page.contains("<script"), "{page}");
    assert!(page.contains("&#60;b&#62;Old"), "{page}");
}

#[test]
fn what_is_too_early_leads_to_no_conclusion() {
    let found =
        results(&["Original", "Short", "Long"], 900, 20, &[[100, 40], [100, 40], [110, 40]]);

    let page = page(&found);

    assert!(page.contains(">Too early</h2>") && !page.contains("/conclude"), "{page}");
    // 900 visitors, 72 a day but the last; 300 got the original, and every tenth signed up.
    let control = found[0].metrics[0].variations[0].mean.unwrap() * 100.0;
    let days = found[0].days.len();
    let query = format!(
        "baseline={}&#38;visitors={}&#38;variations=3&#38;confidence=95\"",
        (control * 1e4).round() / 1e4,
        900 / days
    );
    assert!(
        page.contains(&format!("/projects/1000/length?{query}>How long it takes</a>")),
        "{page}"
    );
    assert_eq!(page.matches("class=\"chart band").count(), 2, "one for each variation: {page}");
}

#[test]
fn every_chart_names_itself_and_has_its_table() {
    let found = results(&["Original", "Short"], 2_000, 20, &[[100, 40], [130, 43]]);

    let page = page(&found);

    let ids: Vec<_> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    for chart in page.split("<svg class=\"chart").skip(1) {
        let names = chart.split("aria-labelledby=\"").nth(1).unwrap().split('"').next().unwrap();
        assert!(names.split(' ').all(|name| ids.contains(&name)), "{names} in {ids:?}");
    }
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    for day in &found[0].days {
        assert!(page.contains(&format!("<th scope=\"row\">{}</th>", day.day)), "{}", day.day);
    }
}

#[test]
fn a_verdict_that_wore_off_is_no_longer_a_winner() {
    let mut found = results(&["Original", "Short"], 12_000, 3, &[[100, 40], [130, 43]]);
    let day = "2026-11-20";
    found[0].verdict.stands = false;
    for variation in found[0].metrics.iter_mut().flat_map(|metric| &mut metric.variations) {
        if let Some(comparison) = &mut variation.comparison {
            comparison.decided = ComparisonVerdict::Better;
            comparison.decided_on = Some(day.to_owned());
            comparison.difference = Some([0.01, -0.02, 0.04]);
            comparison.lift = Some([0.1, -0.2, 0.4]);
        }
    }

    let page = page(&found);

    assert!(page.contains(">Better once, unclear now</h2>"), "{page}");
    assert!(page.contains(&format!("better on <span class=\"day\">{day}</span>")), "{page}");
    assert!(!page.contains("better since") && !page.contains("<tr class=\"better\""), "{page}");
}

#[test]
fn a_difference_is_told_where_there_is_no_lift() {
    let found = results(&["Original", "Short"], 12_000, 3, &[[0, 40], [130, 43]]);

    let page = page(&found).replace('\u{202f}', " ");

    let (_, chart) = page.split_once("id=\"effect-0\"").unwrap();
    let (chart, _) = chart.split_once("</section>").unwrap();
    assert!(chart.contains("<td class=\"number lift\">+13.00 points</td>"), "{chart}");
    assert!(!chart.contains("no figure"), "{chart}");
    assert!(chart.contains("no lift, because no visitor who got the control did it"), "{chart}");
    assert!(
        page.contains("Differences of signup are as they are, and no lifts, because"),
        "{page}"
    );
}

#[test]
fn a_fixed_plan_is_not_told_to_stop_before_its_end() {
    let plan = "plan: {until: 2027-03-01, method: fixed_horizon},";
    let found = planned(plan, (&["Original", "Short"], 300, 3, &[[100, 40], [130, 43]]));

    let page = page(&found);

    assert!(page.contains("Let it run to the end of its plan"), "{page}");
    assert!(!page.contains("you can stop as well"), "{page}");
}

#[test]
fn segments_are_shown_with_their_intervals_and_judged_nowhere() {
    let found =
        results(&["Original", "Short", "Long"], 9_000, 4, &[[100, 40], [130, 43], [100, 40]]);

    let page = page(&found);

    let section =
        page.split("id=\"segments-0\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(section.contains("<p class=\"lead\">These are not verdicts: "), "{section}");
    for segment in ["Chrome", "Safari", "Unknown"] {
        let row = format!("<th scope=\"row\" rowspan=\"3\">{segment}</th><td>Original</td>");
        assert_eq!(section.matches(&row).count(), found[0].metrics.len(), "{section}");
        assert!(section.contains(&format!("{segment}: Long")), "it is in the chart: {section}");
    }
    for word in ["better", "worse", "inconclusive", "since"] {
        assert!(!section.contains(word), "{word} in {section}");
    }
    let address = "/projects/1000/campaigns/3001/results?segment=browser#segments-0";
    assert!(section.contains(&format!("{address}\" aria-current=\"true\">By browser</a>")));
    assert!(page.contains("/results/csv?segment=browser\" download>CSV</a>"), "{page}");
}

#[test]
fn a_segment_without_an_interval_says_why_below_the_table() {
    let found = results(&["Original", "Short"], 9, 20, &[[0, 0], [0, 0]]);

    let page = page(&found);

    let section =
        page.split("id=\"segments-0\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(section.contains("<td class=\"number interval\">none (1)</td>"), "{section}");
    let (_, below) = section.split_once("</table>").expect(section);
    assert!(
        below.contains("<li>No interval: all visitors of a variation did the same, "),
        "{below}"
    );
}

#[test]
fn nothing_is_drawn_of_what_is_not_known() {
    let found = results(&["Original", "Short"], 3, 20, &[[0, 0], [0, 0]]);

    let page = page(&found);

    assert!(!page.contains("NaN") && !page.contains("chart band"), "{page}");
    assert!(page.contains("no figure, because "), "{page}");
}
