//! Collects every piece of the member's JavaScript in a project, for the code checker and the compiler.

use crate::located::ChangePlace;
use crate::{
    Activation, ActivationKind, Change, ChangeKind, Destination, Integration, LocatorType, Page,
    Pointer, Project,
};

/// A piece of the member's JavaScript: a function body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code<'a> {
    /// Where it stands in the document.
    pub pointer: Pointer,
    /// What it is for, which decides what it receives and must return.
    pub role: CodeRole,
    /// The function body.
    pub text: &'a str,
}

/// What a piece of the member's JavaScript is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeRole {
    /// Runs before the runtime decides anything.
    ProjectJavascript,
    /// Receives `activate` and calls it.
    ActivationCallback,
    /// Returns something truthy once the page is active.
    ActivationPolling,
    /// Returns something truthy if the condition holds.
    Condition,
    /// Returns the address of a redirect.
    Destination,
    /// Returns the value of a tag.
    Locator,
    /// Changes the page.
    Change,
    /// Receives `decision` and reports it to an analytics tool.
    Integration,
}

impl Project {
    /// Every piece of the member's JavaScript: the project's own, then those of pages, audiences, campaigns and integrations.
    #[must_use]
    pub fn code(&self) -> Vec<Code<'_>> {
        let own = self.snippet.javascript.as_deref().map(|text| {
            let pointer = Pointer::root().field("project").field("snippet").field("javascript");
            Code { pointer, role: CodeRole::ProjectJavascript, text }
        });
        let activations =
            self.located_pages().flat_map(|(pointer, page)| code_of_page(&pointer, page));
        let conditions =
            self.located_conditions().into_iter().filter_map(|(pointer, condition)| {
                let text = condition.code.as_deref()?;
                Some(Code { pointer: pointer.field("value"), role: CodeRole::Condition, text })
            });
        let changes =
            self.located_changes().filter_map(|(place, change)| code_of_change(place, change));
        let integrations = self.code_of_integrations();
        own.into_iter()
            .chain(activations)
            .chain(conditions)
            .chain(changes)
            .chain(integrations)
            .collect()
    }

    fn code_of_integrations(&self) -> impl Iterator<Item = Code<'_>> {
        self.integrations.iter().enumerate().filter_map(|(place, integration)| {
            let Integration::Callback { code } = integration else { return None };
            let pointer = Pointer::root().field("integrations").element(place).field("code");
            Some(Code { pointer, role: CodeRole::Integration, text: code })
        })
    }
}

fn code_of_page<'a>(pointer: &Pointer, page: &'a Page) -> Vec<Code<'a>> {
    let activation = code_of_activation(&pointer.field("activation"), &page.activation);
    let locators = page.tags.iter().enumerate().filter_map(|(index, tag)| {
        let text =
            tag.locator.as_deref().filter(|_| tag.locator_type == Some(LocatorType::Javascript))?;
        let pointer = pointer.field("tags").element(index).field("locator");
        Some(Code { pointer, role: CodeRole::Locator, text })
    });
    activation.into_iter().chain(locators).collect()
}

fn code_of_activation<'a>(pointer: &Pointer, activation: &'a Activation) -> Option<Code<'a>> {
    let role = match activation.kind {
        ActivationKind::Callback => CodeRole::ActivationCallback,
        ActivationKind::Polling => CodeRole::ActivationPolling,
        ActivationKind::Immediate
        | ActivationKind::Manual
        | ActivationKind::DomChanged
        | ActivationKind::UrlChanged => return None,
    };
    activation.code.as_deref().map(|text| Code { pointer: pointer.field("code"), role, text })
}

fn code_of_change(place: ChangePlace, change: &Change) -> Option<Code<'_>> {
    let code = |field, role, text| Code { pointer: place.pointer().field(field), role, text };
    match &change.kind {
        ChangeKind::Javascript { value } => Some(code("value", CodeRole::Change, value)),
        ChangeKind::Redirect { destination: Destination::Code(text), .. } => {
            Some(code("destination_code", CodeRole::Destination, text))
        }
        ChangeKind::Text { .. }
        | ChangeKind::Html { .. }
        | ChangeKind::Style { .. }
        | ChangeKind::Class { .. }
        | ChangeKind::Attribute { .. }
        | ChangeKind::Insert { .. }
        | ChangeKind::Move { .. }
        | ChangeKind::Remove { .. }
        | ChangeKind::Css { .. }
        | ChangeKind::Redirect { destination: Destination::Url(_), .. } => None,
    }
}
