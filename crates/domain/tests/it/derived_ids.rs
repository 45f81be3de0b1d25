//! Ids that the document leaves out.

use domain::{Key, Kind, derive_id};

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
