//! The site's events, for integrations that were written for Optimizely's interface: they pass on those that are listed.

use domain::{Event, Project};

use super::Config;
use crate::literal::Literal;

/// Nothing else reads them.
pub(super) fn used(project: &Project) -> &[Event] {
    if project.snippet.global_aliases.is_empty() { &[] } else { &project.events }
}

impl Config<'_> {
    pub(super) fn event(&self, event: &Event) -> Literal {
        Literal::List(vec![
            Literal::Number(event.id.get()),
            Literal::Text(event.key.to_string()),
            self.name(event.name.as_deref()),
            Literal::Text(event.category.word().to_owned()),
        ])
    }
}
