//! Integrations: the site's analytics tools, to which the snippet reports every decision.

use serde::Serialize;

/// A tool to which the snippet reports the variations that its visitor sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Integration {
    /// Google Analytics 4 by its own tag, `gtag.js`.
    Ga4Gtag {
        /// The global array of the tag's commands.
        data_layer: String,
        /// The one measurement id, or group of ids, to report to; all of the page's when left out.
        send_to: Option<String>,
    },
    /// Google Tag Manager, which forwards to Google Analytics 4 or other tools.
    Ga4Gtm {
        /// The global array of the container's events.
        data_layer: String,
    },
    /// Segment, `analytics.js`.
    Segment,
    /// Amplitude's browser SDK.
    Amplitude,
    /// Matomo.
    Matomo,
    /// Plausible.
    Plausible,
    /// The member's own code.
    Callback {
        /// A function body. It receives `decision`, the campaign's state.
        code: String,
    },
}

impl Integration {
    /// How the document spells the integration's type.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ga4Gtag { .. } => "ga4_gtag",
            Self::Ga4Gtm { .. } => "ga4_gtm",
            Self::Segment => "segment",
            Self::Amplitude => "amplitude",
            Self::Matomo => "matomo",
            Self::Plausible => "plausible",
            Self::Callback { .. } => "callback",
        }
    }
}
