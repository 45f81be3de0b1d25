//! How a project's snippet behaves on the visitor's page.

use serde::Serialize;

use crate::words::words;

/// Settings of a project's snippet. The default applies to a document without settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the document")]
pub struct SnippetSettings {
    /// Further global names under which the in-page API is installed.
    pub global_aliases: Vec<String>,
    /// Leaves the names of pages, audiences, campaigns, experiments and variations out of the snippet.
    pub exclude_names: bool,
    /// Domain of the visitor id's cookie; if left out, the runtime finds the registrable domain in the page.
    pub cookie_domain: Option<String>,
    /// Where the visitor's id comes from.
    pub visitor_id: VisitorIdSource,
    /// Lets the page ask for the reason of a decision, with `get("state").explain(campaignId)`.
    pub explain: bool,
    /// Lets the page ask what the snippet was compiled from, with `get("data")`.
    pub data: bool,
    /// Gives the page's code what it needs to wait for elements, with `get("utils")`.
    pub utils: bool,
    /// Lets a query parameter choose the visitor's variations.
    pub allow_force: bool,
    /// Lets a visitor with a signed preview link see the preview.
    pub preview: bool,
    /// Tells of redirects of other projects that lead to the project's pages; of its own it always does.
    pub landings: bool,
    /// Respects Global Privacy Control.
    pub respect_gpc: bool,
    /// Respects Do Not Track.
    pub respect_dnt: bool,
    /// Whether the visitor must agree before the runtime stores anything.
    pub consent: Consent,
    /// The member's JavaScript, a function body that runs before the runtime decides anything.
    pub javascript: Option<String>,
}

impl Default for SnippetSettings {
    fn default() -> Self {
        Self {
            global_aliases: Vec::new(),
            exclude_names: false,
            cookie_domain: None,
            visitor_id: VisitorIdSource::default(),
            explain: false,
            data: true,
            utils: true,
            allow_force: true,
            preview: false,
            landings: false,
            respect_gpc: true,
            respect_dnt: false,
            consent: Consent::None,
            javascript: None,
        }
    }
}

/// Where the visitor's id comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VisitorIdSource {
    /// The kind of place.
    pub source: VisitorIdSourceKind,
    /// Name of the cookie, query parameter, storage key, or global variable; only a cookie may lack one.
    pub name: Option<String>,
    /// Who renews our own cookie before it expires.
    pub renewed_by: CookieRenewal,
}

impl Default for VisitorIdSource {
    fn default() -> Self {
        Self { source: VisitorIdSourceKind::Cookie, name: None, renewed_by: CookieRenewal::Page }
    }
}

words! {
    /// A kind of place the visitor's id can come from.
    pub enum VisitorIdSourceKind {
        /// A first-party cookie, ours when it has no name.
        Cookie = "cookie",
        /// A query parameter.
        Query = "query",
        /// An entry of the browser's local storage.
        LocalStorage = "local_storage",
        /// A global JavaScript variable, such as `user.id`.
        Javascript = "javascript",
    }
}

words! {
    /// Who renews the visitor id's cookie before it expires.
    pub enum CookieRenewal {
        /// The snippet, in the page.
        Page = "page",
        /// The server, on each request for the snippet: some browsers keep what scripts store for a week only.
        Server = "server",
    }
}

words! {
    /// Whether the visitor must agree before the runtime stores anything.
    pub enum Consent {
        /// The visitor is not asked.
        None = "none",
        /// The runtime stores nothing before the page says that the visitor agreed.
        Required = "required",
    }
}
