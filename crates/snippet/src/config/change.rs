//! Changes of a page. `runtime/src/project/config.ts` says which field means what for which kind.

use domain::{Change, ChangeKind, CodeRole, Destination, Project};

use super::{Config, running};
use crate::literal::Literal;

impl<'p> Config<'p> {
    /// A variation's changes, or absent if there are none.
    pub(super) fn changes(&mut self, changes: &'p [Change]) -> Literal {
        Literal::list_or_absent(changes.iter().map(|change| self.change(change)).collect())
    }

    /// `[kind, selector, value, extra, page, id, depends on, is async]` without the absent fields at its end.
    fn change(&mut self, change: &'p Change) -> Literal {
        let mut fields = self.fields(&change.kind);
        let page = change.page.map_or(0, |page| self.page_place(page) + 1);
        let ids = change.depends_on.iter().map(|id| Literal::Text(id.clone())).collect();
        let options = [
            super::number(page),
            Literal::optional_text(change.id.as_deref()),
            Literal::list_or_absent(ids),
            Literal::Number(u64::from(change.is_async)),
        ];
        if options.iter().any(|option| *option != Literal::ABSENT) {
            fields.resize(4, Literal::ABSENT);
            fields.extend(options);
            return Literal::tuple(fields);
        }
        Literal::List(fields)
    }

    /// `[kind, selector, value, extra]`, as long as the kind needs it.
    fn fields(&mut self, kind: &'p ChangeKind) -> Vec<Literal> {
        let text = |text: &str| Literal::Text(text.to_owned());
        let nullable = |value: Option<&str>| match value {
            Some(value) => Literal::Text(value.to_owned()),
            None => Literal::Json(serde_json::Value::Null),
        };
        let number = Literal::Number(number(kind));
        match kind {
            ChangeKind::Text { selector, value }
            | ChangeKind::Html { selector, value }
            | ChangeKind::Class { selector, value } => vec![number, text(selector), text(value)],
            ChangeKind::Style { selector, name, value }
            | ChangeKind::Attribute { selector, name, value } => {
                vec![number, text(selector), nullable(value.as_deref()), text(name)]
            }
            ChangeKind::Insert { selector, value, position } => {
                vec![number, text(selector), text(value), text(position.word())]
            }
            ChangeKind::Move { selector, to, position } => {
                vec![number, text(selector), text(to), text(position.word())]
            }
            ChangeKind::Remove { selector } => vec![number, text(selector)],
            ChangeKind::Css { value } => vec![number, Literal::ABSENT, text(value)],
            ChangeKind::Javascript { value } => {
                vec![number, Literal::ABSENT, self.code(CodeRole::Change, Some(value))]
            }
            ChangeKind::Redirect { destination, preserve_parameters, allow_chain } => {
                let destination = match destination {
                    Destination::Url(url) => text(url),
                    Destination::Code(body) => self.code(CodeRole::Destination, Some(body)),
                };
                let flags = u64::from(*preserve_parameters) | u64::from(*allow_chain) << 1;
                vec![number, Literal::ABSENT, destination, Literal::Number(flags)]
            }
        }
    }
}

/// The runtime's `ChangeKind`.
fn number(kind: &ChangeKind) -> u64 {
    match kind {
        ChangeKind::Text { .. } => 0,
        ChangeKind::Html { .. } => 1,
        ChangeKind::Style { .. } => 2,
        ChangeKind::Class { .. } => 3,
        ChangeKind::Attribute { .. } => 4,
        ChangeKind::Insert { .. } => 5,
        ChangeKind::Move { .. } => 6,
        ChangeKind::Remove { .. } => 7,
        ChangeKind::Css { .. } => 8,
        ChangeKind::Javascript { .. } => 9,
        ChangeKind::Redirect { .. } => 10,
    }
}

/// How many changes a page can have to keep up at once: of each campaign, its own and those of one variation.
pub(crate) fn in_force_at_most(project: &Project) -> usize {
    let counts = running(project).map(|campaign| {
        let variations = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
        let own = variations.map(|variation| kept_up(&variation.changes)).max();
        kept_up(&campaign.changes) + own.unwrap_or_default()
    });
    counts.sum()
}

fn kept_up(changes: &[Change]) -> usize {
    changes.iter().filter(|change| is_kept_up(&change.kind)).count()
}

/// Whether a change has to be looked after once it is applied: a page may take it back.
pub(crate) fn is_kept_up(kind: &ChangeKind) -> bool {
    match kind {
        ChangeKind::Text { .. }
        | ChangeKind::Html { .. }
        | ChangeKind::Style { .. }
        | ChangeKind::Class { .. }
        | ChangeKind::Attribute { .. }
        | ChangeKind::Insert { .. }
        | ChangeKind::Move { .. }
        | ChangeKind::Remove { .. }
        | ChangeKind::Css { .. } => true,
        ChangeKind::Javascript { .. } | ChangeKind::Redirect { .. } => false,
    }
}
