//! Projects of any size with experiments as people write them: ids that Assay derives from their keys, and names, selectors and texts of their
//! own.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;

use super::generated_project::{HEAD, put};

const VERBS: [&str; 9] =
    ["Shorter", "Friendlier", "Bolder", "Sticky", "Calmer", "First", "Later", "Quieter", "Larger"];

const THINGS: [&str; 12] = [
    "headline",
    "delivery promise",
    "size guide",
    "search field",
    "free returns",
    "gift note",
    "reviews",
    "price per month",
    "sign-up form",
    "discount code",
    "photo gallery",
    "buy button",
];

const PLACES: [&str; 13] = [
    "home",
    "checkout",
    "basket",
    "product page",
    "men's shoes",
    "pricing",
    "account",
    "sale",
    "blog",
    "mobile menu",
    "gift finder",
    "winter coats",
    "store locator",
];

const ENDINGS: [&str; 7] = [
    "Order by six, wear it tomorrow",
    "Made for you in Porto",
    "Try it at home for 30 days",
    "Trusted by walkers since 1982",
    "Only a few left in your size",
    "Pay later, without interest",
    "Questions? Ask us, we are here until eight",
];

/// What the variations of the experiments change.
#[derive(Clone, Copy)]
pub(super) enum Changes {
    /// Nothing: what an experiment costs before its texts.
    Nothing,
    /// One text, at a selector of its own.
    Text,
}

/// Writes a project with as many A/B tests, and gives its path.
pub(super) fn write(experiments: u32, changes: Changes) -> Result<PathBuf> {
    let name = match changes {
        Changes::Nothing => "realistic-without-changes",
        Changes::Text => "realistic",
    };
    put(&format!("{experiments}-{name}.yaml"), &text(experiments, changes))
}

fn text(experiments: u32, changes: Changes) -> String {
    let mut text = format!("{HEAD}campaigns:\n");
    for number in 0..experiments {
        let name = name(number);
        let changes = match changes {
            Changes::Nothing => String::new(),
            Changes::Text => format!(", changes: [{}]", change(number)),
        };
        let _infallible = write!(
            text,
            r#"  - key: test-{number}
    name: "{name}"
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - key: test-{number}
        name: "{name}"
        variations:
          - {{key: original, name: Original, weight: 5000}}
          - {{key: changed, name: "{}", weight: 5000{changes}}}
"#,
            word(&VERBS, number)
        );
    }
    text
}

fn name(number: u32) -> String {
    let (verb, thing, place) = (word(&VERBS, number), word(&THINGS, number), word(&PLACES, number));
    format!("{verb} {thing} on {place}")
}

fn change(number: u32) -> String {
    let (thing, place) = (dashed(word(&THINGS, number)), dashed(word(&PLACES, number)));
    let (text, verb) = (word(&ENDINGS, number), word(&VERBS, number));
    // A price as a shop has it, so that hardly two texts are the same.
    let price = 19 + scrambled(number, 481) % 481;
    format!(
        r#"{{type: text, selector: ".{place} .{thing}", value: "{verb}: {text} from {price} €"}}"#
    )
}

/// A word of the list without an order that a compressor could find.
fn word(words: &[&'static str], number: u32) -> &'static str {
    let length = u32::try_from(words.len()).unwrap_or(1);
    let place = usize::try_from(scrambled(number, length) % length).unwrap_or_default();
    words.get(place).copied().unwrap_or_default()
}

/// The same for the same numbers (the last steps of `MurmurHash3`).
fn scrambled(number: u32, list: u32) -> u32 {
    let mixed = (number ^ list.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}

fn dashed(words: &str) -> String {
    words.replace([' ', '\''], "-")
}
