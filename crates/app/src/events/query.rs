//! A question about a project's events, and what gathers the answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Millis, Visitor, VisitorSearch, Visitors};
use lake::{Row, Wanted};

/// The events of a project that a question is about.
#[derive(Debug, Clone)]
pub(crate) struct EventQuery {
    /// Those that matter: row groups without them are skipped.
    pub(crate) wanted: Wanted,
    /// Those since then. Of what is older, it matters only whether it is told again.
    pub(crate) since: Millis,
    /// Of these visitors, if not of all.
    pub(crate) visitors: Option<Arc<Visitors>>,
    /// The names of lost files that may be left out.
    pub(crate) without: BTreeSet<String>,
    /// The properties that events have to have.
    pub(crate) properties: BTreeSet<String>,
}

/// Makes something small of events. Several threads have one each, which begin as copies.
pub(crate) trait Gather: Clone + Send + Sync + 'static {
    /// What is kept of an event.
    type Extract: Send;

    /// What is kept of this one; `None` if nothing is.
    fn keep(&mut self, row: &Row<'_>) -> Option<Self::Extract>;

    /// Adds what was kept by this one, once it is sure that the event was not told before.
    fn add(&mut self, kept: Self::Extract);

    /// Puts in order what has been gathered so far: each thread its own part, then [`EventSources`](super::sources::EventSources) the whole.
    fn put_in_order(&mut self) {}

    /// Takes over what another thread has gathered.
    fn append(&mut self, other: Self);
}

/// The visitors that a query is about, asked for one after the other.
pub(super) struct VisitorFilter<'a>(Option<VisitorSearch<'a>>);

impl EventQuery {
    /// A new filter for these visitors.
    pub(super) fn visitor_filter(&self) -> VisitorFilter<'_> {
        VisitorFilter(self.visitors.as_deref().map(Visitors::search))
    }
}

impl VisitorFilter<'_> {
    /// Whether the query is about this visitor.
    pub(super) fn has(&mut self, visitor: Visitor) -> bool {
        self.0.as_mut().is_none_or(|search| search.has(visitor))
    }
}
