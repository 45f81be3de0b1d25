//! The pseudo-classes and pseudo-elements that browsers know and `grammar.rs` does not: those of the standards, whether or not all
//! browsers have them yet, and those that single browsers have had for long. Names are in lower case.

/// Names that a message may propose in the place of an unknown one.
pub(super) fn classes() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().chain(OF_USER).chain(STRUCTURAL).copied()
}

pub(super) fn is_class(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    CLASSES.contains(&name) || OF_USER.contains(&name) || VENDORS_CLASSES.contains(&name)
}

/// Whether it says what the visitor is doing, and so may follow a pseudo-element.
pub(super) fn is_class_of_user(name: &str) -> bool {
    OF_USER.contains(&name.to_ascii_lowercase().as_str())
}

pub(super) fn is_element(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // Browsers take any such name, because sites had them before there were rules.
    let is_webkits = name.strip_prefix("-webkit-").is_some_and(|rest| !rest.is_empty());
    is_webkits || ELEMENTS.contains(&name.as_str())
}

pub(super) fn is_element_with_arguments(name: &str) -> bool {
    ELEMENTS_WITH_ARGUMENTS.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether it is a browser's older name of `:is()`.
pub(super) fn is_vendors_any(name: &str) -> bool {
    ["-webkit-any", "-moz-any", "matches"].contains(&name.to_ascii_lowercase().as_str())
}

const OF_USER: &[&str] = &["active", "focus", "focus-visible", "focus-within", "hover"];

/// Those that `grammar.rs` knows without this list.
const STRUCTURAL: &[&str] = &[
    "empty",
    "first-child",
    "first-of-type",
    "host",
    "last-child",
    "last-of-type",
    "only-child",
    "only-of-type",
    "root",
    "scope",
];

const CLASSES: &[&str] = &[
    "active-view-transition",
    "animated-image",
    "any-link",
    "autofill",
    "buffering",
    "checked",
    "closed",
    "current",
    "default",
    "defined",
    "disabled",
    "enabled",
    "fullscreen",
    "future",
    "has-slotted",
    "heading",
    "in-range",
    "indeterminate",
    "interest-source",
    "interest-target",
    "invalid",
    "link",
    "modal",
    "muted",
    "open",
    "optional",
    "out-of-range",
    "past",
    "paused",
    "picture-in-picture",
    "placeholder-shown",
    "playing",
    "popover-open",
    "read-only",
    "read-write",
    "required",
    "seeking",
    "stalled",
    "target",
    "target-after",
    "target-before",
    "target-current",
    "target-within",
    "user-invalid",
    "user-valid",
    "valid",
    "visited",
    "volume-locked",
    "xr-overlay",
];

const VENDORS_CLASSES: &[&str] = &[
    "-internal-autofill-previewed",
    "-internal-autofill-selected",
    "-moz-any-link",
    "-moz-broken",
    "-moz-drag-over",
    "-moz-first-node",
    "-moz-focusring",
    "-moz-full-screen",
    "-moz-last-node",
    "-moz-only-whitespace",
    "-moz-placeholder",
    "-moz-read-only",
    "-moz-read-write",
    "-moz-submit-invalid",
    "-moz-suppressed",
    "-moz-ui-invalid",
    "-moz-ui-valid",
    "-moz-user-disabled",
    "-moz-window-inactive",
    "-webkit-any-link",
    "-webkit-autofill",
    "-webkit-autofill-strong-password",
    "-webkit-drag",
    "-webkit-full-page-media",
    "-webkit-full-screen",
    "-webkit-full-screen-document",
    "corner-present",
    "decrement",
    "double-button",
    "end",
    "horizontal",
    "increment",
    "no-button",
    "single-button",
    "start",
    "vertical",
    "window-inactive",
];

const ELEMENTS: &[&str] = &[
    "-moz-color-swatch",
    "-moz-focus-inner",
    "-moz-focus-outer",
    "-moz-list-bullet",
    "-moz-list-number",
    "-moz-meter-bar",
    "-moz-placeholder",
    "-moz-progress-bar",
    "-moz-range-progress",
    "-moz-range-thumb",
    "-moz-range-track",
    "-moz-selection",
    "after",
    "backdrop",
    "before",
    "checkmark",
    "column",
    "cue",
    "cue-region",
    "details-content",
    "file-selector-button",
    "first-letter",
    "first-line",
    "grammar-error",
    "interest-button",
    "marker",
    "picker-icon",
    "placeholder",
    "scroll-marker",
    "scroll-marker-group",
    "search-text",
    "selection",
    "spelling-error",
    "target-text",
    "view-transition",
];

const ELEMENTS_WITH_ARGUMENTS: &[&str] = &[
    "cue",
    "cue-region",
    "highlight",
    "picker",
    "scroll-button",
    "view-transition-group",
    "view-transition-group-children",
    "view-transition-image-pair",
    "view-transition-new",
    "view-transition-old",
];
