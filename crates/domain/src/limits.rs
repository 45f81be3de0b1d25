//! Every limit of a project document, each with its reason.

/// Bytes of a document, and of all the files it names together: twenty times a large project, and reading it takes at most a few
/// milliseconds and a few dozen megabytes.
pub const MAX_DOCUMENT_BYTES: usize = 4 * 1024 * 1024;

/// Values in a document: one for every eight bytes of the longest document; each takes about a hundred bytes of memory.
pub const MAX_VALUES: usize = 500_000;

/// Levels of nested lists and objects: the deepest legal document has 20, and the reader recurses once per level.
pub const MAX_NESTING: usize = 32;

/// Errors reported at once: more than an author fixes before checking again.
pub const MAX_FAULTS: usize = 100;

/// Code points of a name: what a line of the console shows.
pub const MAX_NAME_LENGTH: usize = 200;

/// Code points of a description: two pages of text.
pub const MAX_DESCRIPTION_LENGTH: usize = 4_000;

/// Tags of a campaign: more would not help members to find it.
pub const MAX_CAMPAIGN_TAGS: usize = 50;

/// Code points of a tag: a word or two, which a line of the console shows beside other tags.
pub const MAX_TAG_LENGTH: usize = 64;

/// Bytes of a key: what an analytics dimension holds.
pub const MAX_KEY_LENGTH: usize = 64;

/// Code points of a selector, an address, a regular expression, a category: what a browser and its
/// tools handle everywhere.
pub const MAX_LINE_LENGTH: usize = 2048;

/// Bytes of one text that goes to the page (HTML, CSS, JavaScript): a snippet with more is too slow
/// for any page.
pub const MAX_TEXT_BYTES: usize = 128 * 1024;

/// Resources of one kind in a project, such as pages or campaigns: ten times what the largest sites have.
pub const MAX_ENTITIES: usize = 10_000;

/// Variations in a project, over all experiments: the compiler's stated budget covers a tenth of it.
pub const MAX_VARIATIONS: usize = 10_000;

/// Changes in one list: a variation that changes more should be a page of its own.
pub const MAX_CHANGES: usize = 200;

/// Nested lists in a tree of conditions or audiences: what a person can still read.
pub const MAX_TREE_DEPTH: usize = 8;

/// Conditions in one tree: the runtime evaluates each while the visitor waits.
pub const MAX_TREE_LEAVES: usize = 1_000;

/// Days that a `behavior` condition can look back: a year. The runtime forgets older events.
pub const MAX_BEHAVIOR_DAYS: u32 = 365;

/// Times that a `behavior` condition can ask for: more than a visitor does by hand in a year.
pub const MAX_BEHAVIOR_TIMES: u32 = 10_000;

/// Entries of a page's metadata, and tags of a page: the runtime copies all of them whenever a script asks for the page's state.
pub const MAX_PAGE_VALUES: usize = 50;

/// Properties of an event: more than any analytics tool accepts.
pub const MAX_EVENT_PROPERTIES: usize = 30;

/// Properties that a metric compares: more than a person keeps in mind.
pub const MAX_METRIC_FILTERS: usize = 10;

/// Days of a metric's window and of its covariate: a year, as long as most sites may keep events.
pub const MAX_METRIC_DAYS: u32 = 365;

/// Metrics of a campaign in one role: each is a row of the results, and each primary one makes it harder to find an effect.
pub const MAX_CAMPAIGN_METRICS: usize = 50;

/// Basis points of a guardrail's margin: a metric that may lose more is not guarded.
pub const MAX_MARGIN: u16 = 5_000;

/// Basis points of a plan's power, from a coin's to what takes more than twice the usual visitors.
pub const PLAN_POWER: std::ops::RangeInclusive<u16> = 5_000..=9_900;

/// Basis points of a plan's confidence: below, verdicts are guesses; above, they take years.
pub const PLAN_CONFIDENCE: std::ops::RangeInclusive<u16> = 8_000..=9_990;

/// Basis points of the loss that a Bayesian plan tolerates: above, a verdict says nothing.
pub const PLAN_MAX_LOSS: std::ops::RangeInclusive<u16> = 1..=1_000;

/// Global aliases, and redirect URIs of an application: more than a few are a mistake.
pub const MAX_SHORT_LIST: usize = 20;
/// Origins of pages that may send events.
pub const MAX_ORIGINS: usize = 50;

/// Code points of a fault's message: an author recognizes a quotation from its beginning.
pub const MAX_MESSAGE_LENGTH: usize = 300;
