//! Integrations with the site's analytics tools: the options of those that have some.

use domain::{CodeRole, Integration, Project};

use super::{Config, running};
use crate::literal::Literal;

/// The integrations that are compiled in: none if there is nothing to report.
pub(crate) fn used(project: &Project) -> &[Integration] {
    if running(project).next().is_some() { &project.integrations } else { &[] }
}

impl Config<'_> {
    /// Adds the constants of the integrations in use. The code that would read the others is not in the snippet.
    pub(super) fn add_integrations(&mut self) {
        let mut callbacks = Vec::new();
        for integration in used(self.project) {
            match integration {
                Integration::Ga4Gtag { data_layer, send_to } => self.constants.extend([
                    ("gtagDataLayer", Literal::Text(data_layer.clone())),
                    ("gtagTarget", Literal::optional_text(send_to.as_deref())),
                ]),
                Integration::Ga4Gtm { data_layer } => {
                    self.constants.push(("gtmDataLayer", Literal::Text(data_layer.clone())));
                }
                Integration::Callback { code } => {
                    callbacks.push(self.code(CodeRole::Integration, Some(code)));
                }
                Integration::Segment
                | Integration::Amplitude
                | Integration::Matomo
                | Integration::Plausible => {}
            }
        }
        if !callbacks.is_empty() {
            self.constants.push(("decisionCallbacks", Literal::List(callbacks)));
        }
    }
}
