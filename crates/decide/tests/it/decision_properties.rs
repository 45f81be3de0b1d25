//! Decision strings and decision objects: what holds for all names and lengths.

use decide::{
    Cleaning, Decision, DecisionFormat, IdsTooLong, Label, decision_object, decision_string,
};
use proptest::prelude::*;

const IDS: [&str; 3] = ["3001", "4001", "5001"];
/// `(3001):(4001):(5001)`.
const IDS_LENGTH: usize = 20;

proptest! {
    #[test]
    fn a_string_is_never_longer_than_asked_for(
        names in names(),
        max_length in 0_usize..120,
        cleaning in cleanings(),
        kind in 0_usize..3,
    ) {
        let (decision, ids_length) = decisions(&names)[kind];

        match decision_string(decision, DecisionFormat { max_length, cleaning }) {
            Ok(text) => prop_assert!(units(&text.unwrap()) <= max_length),
            Err(fault) => {
                prop_assert_eq!(fault, IdsTooLong { needed_length: ids_length });
                prop_assert!(max_length < ids_length);
            }
        }
    }

    #[test]
    fn a_part_is_never_longer_than_asked_for_but_for_its_id(
        names in names(),
        max_length in 0_usize..60,
    ) {
        let object = decision_object(personalization(&names), keep(max_length)).unwrap();

        let parts = [object.campaign.unwrap(), object.experiment, object.variation];
        for (part, id) in parts.iter().zip(IDS) {
            let id = format!("({id})");
            prop_assert!(part.ends_with(&id));
            prop_assert!(units(part) <= max_length.max(units(&id)));
        }
    }

    #[test]
    fn names_that_fit_an_equal_share_each_are_whole(names in names()) {
        let [campaign, experiment, variation] = &names;
        let longest = names.iter().map(|name| units(name)).max().unwrap();

        let format = keep(IDS_LENGTH + longest * names.len());
        let text = decision_string(personalization(&names), format).unwrap().unwrap();

        prop_assert_eq!(text, format!("{campaign}(3001):{experiment}(4001):{variation}(5001)"));
    }

    #[test]
    fn a_cleaned_string_has_only_clean_characters(
        names in names(),
        max_length in IDS_LENGTH..IDS_LENGTH + 130,
    ) {
        let format = DecisionFormat { max_length, cleaning: Cleaning::Clean };

        let text = decision_string(personalization(&names), format).unwrap().unwrap();

        let is_clean = |character: char| {
            character.is_ascii_alphanumeric() || "_.~!*()':".contains(character)
        };
        prop_assert!(text.chars().all(is_clean), "{}", text);
        prop_assert!(!text.contains("__"), "{}", text);
    }

    #[test]
    fn the_names_of_an_ab_test_share_its_room_with_no_campaign(max_length in 13_usize..250) {
        let names = ["c", "e", "v"].map(|letter| letter.repeat(100));
        let [_, (ab_test, ids_length), _] = decisions(&names);

        let text = decision_string(ab_test, keep(max_length)).unwrap().unwrap();

        let units = ["c", "e", "v"].map(|letter| text.matches(letter).count());
        prop_assert_eq!(units[1] + units[2], (max_length - ids_length).min(200));
        prop_assert!(units[0] == 0 && units[1] >= units[2] && units[1] - units[2] <= 1);
    }

    #[test]
    fn the_campaign_name_keeps_what_rounding_leaves(max_length in IDS_LENGTH..IDS_LENGTH + 300) {
        let names = ["c", "e", "v"].map(|letter| letter.repeat(100));

        let text = decision_string(personalization(&names), keep(max_length)).unwrap().unwrap();

        let units = ["c", "e", "v"].map(|letter| text.matches(letter).count());
        prop_assert_eq!(units.iter().sum::<usize>(), max_length - IDS_LENGTH);
        prop_assert!(units.is_sorted_by(|earlier, later| earlier >= later));
        prop_assert!(units[0] - units[2] <= 1);
    }

    #[test]
    fn a_cut_name_is_a_beginning_of_the_name(names in names(), max_length in 6_usize..40) {
        let object = decision_object(personalization(&names), keep(max_length)).unwrap();

        let part = object.variation.strip_suffix("(5001)").unwrap();
        let is_whole_with_space = part.strip_suffix(' ') == Some(names[2].as_str());
        prop_assert!(is_whole_with_space || names[2].starts_with(part));
    }
}

/// Names with plenty of characters outside ASCII and of two UTF-16 units.
fn names() -> [impl Strategy<Value = String>; 3] {
    ["[a-z _:\u{e9}\u{1f525}]{0,40}", r"\PC{0,40}", "[\u{1f642}\u{1f525}x]{0,40}"]
}

fn cleanings() -> impl Strategy<Value = Cleaning> {
    prop_oneof![Just(Cleaning::Keep), Just(Cleaning::Clean)]
}

fn personalization(names: &[String; 3]) -> Decision<'_> {
    decisions(names)[0].0
}

/// A personalization, an A/B test and a personalization that holds the visitor back, with the length of all but the names.
fn decisions(names: &[String; 3]) -> [(Decision<'_>, usize); 3] {
    let [campaign, experiment, variation] =
        [0, 1, 2].map(|place| Label { name: Some(names[place].as_str()), id: IDS[place] });
    let personalization =
        |is_held_back| Decision::Personalization { campaign, experiment, variation, is_held_back };
    [
        (personalization(false), IDS_LENGTH),
        (Decision::AbTest { experiment, variation, is_held_back: false }, "(4001):(5001)".len()),
        (personalization(true), IDS_LENGTH + ":holdback".len()),
    ]
}

fn keep(max_length: usize) -> DecisionFormat {
    DecisionFormat { max_length, cleaning: Cleaning::Keep }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
