//! Pages, their conditions and their tags.

use domain::{Activation, ActivationKind, CodeRole, Conditions, LocatorType, Page, Tag, ValueType};

use super::Config;
use crate::literal::Literal;

impl<'p> Config<'p> {
    pub(super) fn page(&mut self, page: &'p Page) -> Literal {
        let conditions = self.page_conditions(&page.conditions);
        let tags = page.tags.iter().map(|tag| self.tag(tag)).collect();
        let activation = Some(page.activation.kind)
            .filter(|kind| *kind != ActivationKind::Immediate)
            .map(ActivationKind::word);
        let metadata = if page.metadata.is_empty() {
            Literal::ABSENT
        } else {
            Literal::Json(serde_json::Value::Object(page.metadata.clone()))
        };
        Literal::tuple(vec![
            Literal::Number(page.id.get()),
            Literal::Text(page.key.to_string()),
            self.name(page.name.as_deref()),
            conditions,
            Literal::optional_text(page.category.as_deref()),
            Literal::list_or_absent(tags),
            metadata,
            Literal::optional_text(activation),
            self.activation_code(&page.activation),
            Literal::Number(u64::from(page.deactivation) | u64::from(page.undo_changes) << 1),
        ])
    }

    /// The tree exactly as the document writes it, since the state module shows it, with the member's code as functions. A single condition
    /// becomes a list of one: the runtime takes what has no length for no conditions at all.
    fn page_conditions(&mut self, conditions: &'p Conditions) -> Literal {
        let leaves = conditions.tree.leaves().into_iter();
        let mut bodies = leaves.filter_map(|leaf| leaf.code.as_deref());
        let written = self.written(&conditions.written, &mut bodies);
        if conditions.written.is_object() { Literal::List(vec![written]) } else { written }
    }

    fn written(
        &mut self,
        value: &'p serde_json::Value,
        bodies: &mut impl Iterator<Item = &'p str>,
    ) -> Literal {
        if let Some(items) = value.as_array() {
            return Literal::List(items.iter().map(|item| self.written(item, bodies)).collect());
        }
        if value["type"] == "custom_code" {
            let kind = Literal::Text("custom_code".to_owned());
            let code = self.code(CodeRole::Condition, bodies.next());
            let shown = Literal::Json(value["value"].clone());
            return Literal::Object(vec![("type", kind), ("value", shown), ("code", code)]);
        }
        Literal::Json(value.clone())
    }

    /// Only these kinds run code.
    fn activation_code(&mut self, activation: &'p Activation) -> Literal {
        let role = match activation.kind {
            ActivationKind::Callback => CodeRole::ActivationCallback,
            ActivationKind::Polling => CodeRole::ActivationPolling,
            ActivationKind::Immediate
            | ActivationKind::Manual
            | ActivationKind::DomChanged
            | ActivationKind::UrlChanged => return Literal::ABSENT,
        };
        self.code(role, activation.code.as_deref())
    }

    fn tag(&mut self, tag: &'p Tag) -> Literal {
        let code = tag.locator.as_deref();
        let code = code.filter(|_| tag.locator_type == Some(LocatorType::Javascript));
        Literal::tuple(vec![
            Literal::Text(tag.key.to_string()),
            Literal::optional_text(tag.category.as_deref()),
            Literal::optional_text(tag.locator.as_deref()),
            Literal::optional_text(tag.locator_type.map(LocatorType::word)),
            Literal::optional_text(tag.value_type.map(ValueType::word)),
            self.code(CodeRole::Locator, code),
        ])
    }
}
