//! Ids that the document leaves out.

use std::collections::BTreeMap;

use domain::{Key, Kind, derive_id};
use proptest::prelude::*;

use crate::documents::{project, with_head};

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

#[test]
fn an_id_is_the_first_52_bits_of_the_hash_of_its_keys() {
    // printf 'v1|demo|page||home' | sha256sum | cut -c 1-13, in decimal
    assert_eq!(derive_id(&key("demo"), Kind::Page, None, &key("home")), 964_053_758_894_339);
    // printf 'v1|demo|variation|hero|short' | sha256sum | cut -c 1-13, in decimal
    assert_eq!(
        derive_id(&key("demo"), Kind::Variation, Some(&key("hero")), &key("short")),
        3_387_414_884_929_710
    );
}

#[test]
fn ids_derive_from_the_keys_of_project_kind_and_parent() {
    let rest = "campaigns: [{name: Big Sale, type: ab_test, experiments: [{key: hero, variations: [{key: short, weight: 10000}]}]}]\n";
    let project = project(&with_head(rest));

    let campaign = &project.campaigns[0];
    let experiment = &campaign.experiments[0];
    let variation = &experiment.variations[0];
    let demo = key("demo");
    assert_eq!(project.id.get(), derive_id(&demo, Kind::Project, None, &demo));
    assert_eq!(campaign.key, key("big_sale"));
    assert_eq!(campaign.id.get(), derive_id(&demo, Kind::Campaign, None, &campaign.key));
    assert_eq!(
        experiment.id.get(),
        derive_id(&demo, Kind::Experiment, Some(&campaign.key), &experiment.key)
    );
    assert_eq!(
        variation.id.get(),
        derive_id(&demo, Kind::Variation, Some(&experiment.key), &variation.key)
    );
}

/// The ids of all variations, by campaign, experiment and variation.
fn variations(campaigns: &[&str]) -> BTreeMap<String, u64> {
    let project = project(&with_head(&format!("campaigns: [{}]\n", campaigns.join(", "))));
    let mut ids = BTreeMap::new();
    for campaign in &project.campaigns {
        for experiment in &campaign.experiments {
            for variation in &experiment.variations {
                let path = format!("{}/{}/{}", campaign.key, experiment.key, variation.key);
                ids.insert(path, variation.id.get());
            }
        }
    }
    ids
}

const ONE: &str = "{key: one, type: ab_test, experiments: [{key: test, variations: [{key: a, weight: 5000}, {key: b, weight: 5000}]}]}";
const TWO: &str = "{key: two, type: ab_test, experiments: [{key: test, variations: [{key: a, weight: 5000}, {key: b, weight: 5000}]}]}";

#[test]
fn experiments_of_two_campaigns_may_share_a_key() {
    let alone = variations(&[ONE]);
    let both = variations(&[ONE, TWO]);

    for (path, id) in &alone {
        assert_eq!(both[path], *id, "the one with the first key keeps what it had");
    }
    let mut ids: Vec<u64> = both.values().copied().collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    assert_eq!(variations(&[TWO, ONE]), both, "the order plays no part");
    // printf 'v1|demo|variation|two/test|a' | sha256sum | cut -c 1-13, in decimal
    assert_eq!(both["two/test/a"], 3_289_181_726_715_800);
}

#[test]
fn an_id_that_an_author_wrote_is_not_given_again() {
    let old = derive_id(&key("demo"), Kind::Variation, Some(&key("test")), &key("a"));
    let written = TWO.replace("{key: a,", &format!("{{id: {old}, key: a,"));
    let ids = variations(&[ONE, &written]);
    assert_eq!(ids["two/test/a"], old);
    assert_ne!(ids["one/test/a"], old);
    assert_eq!(ids["one/test/b"], variations(&[ONE])["one/test/b"]);

    let hero = derive_id(&key("demo"), Kind::Page, None, &key("hero"));
    let pages = |pages: &str| project(&with_head(&format!("pages: [{pages}]\n"))).pages;
    let renamed = pages(&format!("{{id: {hero}, key: old-hero}}, {{key: hero}}"));
    let swapped = pages(&format!("{{key: hero}}, {{id: {hero}, key: old-hero}}"));
    assert_ne!(renamed[1].id, renamed[0].id);
    assert_eq!(swapped[0].id, renamed[1].id);
}

const KINDS: [Kind; 5] =
    [Kind::Project, Kind::Page, Kind::Campaign, Kind::Experiment, Kind::Variation];

proptest! {
    #[test]
    fn an_id_belongs_to_its_keys_and_kind_alone(
        [one, other, parent] in prop::array::uniform3("[a-z][a-z0-9]{0,11}"),
        [kind, other_kind] in prop::array::uniform2(prop::sample::select(KINDS.to_vec())),
    ) {
        let [one, other, parent] = [one, other, parent].map(|text| key(&text));
        let id = derive_id(&one, kind, Some(&parent), &other);

        prop_assert!(id > 0 && id < 1 << 52, "JavaScript counts as far");
        prop_assert_eq!(id, derive_id(&one, kind, Some(&parent), &other));
        let is_same = id == derive_id(&one, other_kind, Some(&parent), &other);
        prop_assert_eq!(is_same, kind == other_kind);
        let is_same = id == derive_id(&other, kind, Some(&parent), &one);
        prop_assert_eq!(is_same, one == other);
        prop_assert_ne!(id, derive_id(&one, kind, None, &other));
    }
}
