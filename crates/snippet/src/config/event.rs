//! The site's events: for integrations that were written for Optimizely's interface, which pass on those that are listed, and those that
//! the page itself sees, for results.

use domain::{Event, EventKind, Project, Results};

use super::Config;
use crate::literal::Literal;

/// Nothing else reads them.
pub(super) fn used(project: &Project) -> &[Event] {
    if project.snippet.global_aliases.is_empty() { &[] } else { &project.events }
}

/// Those that the page tells the server of without being asked.
pub(crate) fn seen_by_the_page(project: &Project) -> impl Iterator<Item = &Event> {
    let is_on = project.results == Results::On;
    project.events.iter().filter(move |event| is_on && event.kind != EventKind::Custom)
}

impl Config<'_> {
    pub(super) fn told_event(&self, event: &Event) -> Literal {
        let place = event.page.map_or(0, |page| self.page_place(page) + 1);
        Literal::tuple(vec![
            Literal::Text(event.key.to_string()),
            Literal::Number(place as u64),
            Literal::optional_text(event.selector.as_deref()),
        ])
    }

    pub(super) fn event(&self, event: &Event) -> Literal {
        Literal::List(vec![
            Literal::Number(event.id.get()),
            Literal::Text(event.key.to_string()),
            self.name(event.name.as_deref()),
            Literal::Text(event.category.word().to_owned()),
        ])
    }
}
