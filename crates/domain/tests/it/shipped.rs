//! What is concluded can be shipped: all visitors get the winner.

use crate::documents::{faults, project, with_head};

fn campaign(rest: &str, winner: &str) -> String {
    format!(
        "pages: [{{key: home}}]\ncampaigns: [{{key: hero, type: ab_test, pages: [home], {rest}, experiments: [{{key: hero, {winner}variations: [\
         {{key: a, weight: 5000, changes: [{{type: text, selector: h1, value: A}}]}}, {{key: b, weight: 5000, changes: [{{type: text, selector: h1, value: B}}]}}]}}]}}]\n"
    )
}

#[test]
fn a_shipped_campaign_is_served_with_its_winner_alone() {
    let project = project(&with_head(&campaign("status: concluded, shipped: true", "winner: b, ")));

    let used = project.in_use();

    assert_eq!(used.served().count(), 1);
    let variations = &used.campaigns[0].experiments[0].variations;
    assert!(variations[0].changes.is_empty() && !variations[1].changes.is_empty());
    let yaml = project.to_yaml();
    assert!(yaml.contains("shipped: true"), "{yaml}");
}

#[test]
fn only_what_is_concluded_with_a_winner_is_shipped() {
    for (rest, winner, words) in [
        ("status: running, shipped: true", "winner: b, ", "only what is concluded is shipped"),
        ("status: archived, shipped: true", "winner: b, ", "only what is concluded is shipped"),
        ("status: concluded, shipped: true", "", "has no winner that can be shipped"),
    ] {
        let told = faults(&campaign(rest, winner));
        assert!(told.contains(words), "{told}");
    }
    project(&with_head(&campaign("status: concluded, shipped: false", "")));
}

#[test]
fn what_is_shipped_refers_to_nothing_that_is_archived() {
    let text = campaign("status: concluded, shipped: true", "winner: b, ");
    let told = faults(&text.replace("{key: home}", "{key: home, archived: true}"));

    assert!(told.contains("the page `home` is archived"), "{told}");
}
