//! The parts of a project that can run code in the visitor's page, load something into it, or redirect the visitor: writing them takes a
//! permission of its own. The lists name what cannot, and all else counts as code, since browsers and page frameworks keep adding things
//! that run.

mod attribute;
mod class;
mod css;
mod text;

use std::collections::HashSet;

use crate::{
    Change, ChangeKind, Destination, Integration, Project, SnippetSettings, VisitorIdSource,
    VisitorIdSourceKind,
};

/// A part of a project that can run code in the visitor's page, load something into it, or redirect the visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Privileged<'a> {
    /// JavaScript, wherever it is.
    Javascript(&'a str),
    /// HTML, which can hold scripts and event handlers.
    Html(&'a str),
    /// A text with an effect: in an element that styles or runs it, or in a framework's template.
    Text {
        /// Which elements.
        selector: &'a str,
        /// The text.
        value: &'a str,
    },
    /// Classes in which a framework of the page reads code.
    Classes {
        /// Which elements.
        selector: &'a str,
        /// The classes.
        value: &'a str,
    },
    /// The address that a redirect leads to.
    Redirect(&'a str),
    /// An attribute that browsers or frameworks follow, load or run.
    Attribute {
        /// Which elements.
        selector: &'a str,
        /// Its name.
        name: &'a str,
        /// Its value; `None` where it is removed.
        value: Option<&'a str>,
    },
    /// A style property that can load something.
    Style {
        /// The property.
        name: &'a str,
        /// Its value.
        value: &'a str,
    },
    /// A style sheet that can load something.
    Css(&'a str),
    /// A global name that the snippet takes.
    Alias(&'a str),
    /// A source in the page from which the snippet reads, and so discloses, the visitor's id.
    VisitorId(VisitorIdSourceKind, &'a str),
    /// A global that the snippet writes to, or an account that it reports to.
    Integration(&'a str, &'a str),
}

/// Optimizely's global name, which published integrations of other tools look for. No browser defines it.
const SAFE_ALIASES: [&str; 1] = ["optimizely"];

/// The array's name in Google's instructions.
const SAFE_DATA_LAYER: &str = "dataLayer";

impl Project {
    /// Every privileged part, once each: a member who may not write new ones may still reuse those that are there.
    #[must_use]
    pub fn privileged(&self) -> HashSet<Privileged<'_>> {
        let code = self.code().into_iter().map(|code| Privileged::Javascript(code.text));
        let changes = self.located_changes().filter_map(|(_, change)| of_change(change));
        let integrations = self.integrations.iter().flat_map(of_integration);
        code.chain(changes).chain(integrations).chain(of_settings(&self.snippet)).collect()
    }
}

fn of_change(change: &Change) -> Option<Privileged<'_>> {
    match &change.kind {
        ChangeKind::Html { value, .. } | ChangeKind::Insert { value, .. } => {
            Some(Privileged::Html(value))
        }
        ChangeKind::Redirect { destination: Destination::Url(address), .. } => {
            Some(Privileged::Redirect(address))
        }
        ChangeKind::Text { selector, value } => {
            (!text::is_inert(selector, value)).then_some(Privileged::Text { selector, value })
        }
        ChangeKind::Class { selector, value } => {
            (!class::are_inert(value)).then_some(Privileged::Classes { selector, value })
        }
        ChangeKind::Attribute { selector, name, value } => {
            let value = value.as_deref();
            (!attribute::is_inert(name, value)).then_some(Privileged::Attribute {
                selector,
                name,
                value,
            })
        }
        ChangeKind::Style { name, value, .. } => {
            let value = value.as_deref().unwrap_or_default();
            (!css::is_inert_declaration(name, value)).then_some(Privileged::Style { name, value })
        }
        ChangeKind::Css { value } => (!css::is_inert(value)).then_some(Privileged::Css(value)),
        // `Project::code` finds all JavaScript.
        ChangeKind::Redirect { destination: Destination::Code(_), .. }
        | ChangeKind::Javascript { .. }
        | ChangeKind::Move { .. }
        | ChangeKind::Remove { .. } => None,
    }
}

fn of_settings(settings: &SnippetSettings) -> impl Iterator<Item = Privileged<'_>> {
    let aliases = settings.global_aliases.iter().map(String::as_str);
    let aliases = aliases.filter(|alias| !SAFE_ALIASES.contains(alias)).map(Privileged::Alias);
    aliases.chain(of_visitor_id(&settings.visitor_id))
}

/// The snippet reports the visitor's id to analytics tools and to every script of the page.
fn of_visitor_id(VisitorIdSource { source, name, .. }: &VisitorIdSource) -> Option<Privileged<'_>> {
    name.as_deref().map(|name| Privileged::VisitorId(*source, name))
}

fn of_integration(integration: &Integration) -> Vec<Privileged<'_>> {
    let layer = |name| (name != SAFE_DATA_LAYER).then_some(Privileged::Integration("layer", name));
    match integration {
        Integration::Ga4Gtag { data_layer, send_to } => {
            let target = send_to.as_deref().map(|target| Privileged::Integration("target", target));
            layer(data_layer).into_iter().chain(target).collect()
        }
        Integration::Ga4Gtm { data_layer } => layer(data_layer).into_iter().collect(),
        // `Project::code` finds all JavaScript.
        Integration::Callback { .. }
        | Integration::Segment
        | Integration::Amplitude
        | Integration::Matomo
        | Integration::Plausible => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Privileged;
    use crate::{NoFiles, Source, VisitorIdSourceKind, parse};

    #[test]
    fn settings_that_reach_into_the_page_are_code() {
        let text = "version: 1
project: {key: shop, snippet: {global_aliases: [optimizely, fetch], visitor_id: {name: session}}}
integrations: [{type: ga4_gtag, send_to: G-OTHER}, {type: ga4_gtm}, {type: segment}]
";
        let project = parse(&Source { name: "shop.yaml", text, files: &NoFiles }).unwrap().project;

        let mut found: Vec<String> =
            project.privileged().iter().map(|one| format!("{one:?}")).collect();

        found.sort();
        let expected = [
            Privileged::Alias("fetch"),
            Privileged::Integration("target", "G-OTHER"),
            Privileged::VisitorId(VisitorIdSourceKind::Cookie, "session"),
        ];
        assert_eq!(found, expected.map(|one| format!("{one:?}")));
    }
}
