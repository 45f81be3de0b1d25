//! Notes that a page loaded a snippet, as far as its browser says which site the page belongs to.

use domain::ProjectId;
use url::Url;

use crate::App;

/// A host has 253 characters at most (RFC 1035 section 2.3.4), and a scheme and a port around it.
const ORIGIN_BYTES_AT_MOST: usize = 270;

/// What a browser says about the page that asks for a script.
#[derive(Debug, Clone, Copy)]
pub struct PageHeaders<'a> {
    /// `Origin`: of a script with `crossorigin`.
    pub origin: Option<&'a str>,
    /// `Referer`: what the page's policy allows, mostly its origin.
    pub referer: Option<&'a str>,
    /// `Sec-Fetch-Dest`: what it asks for; older browsers do not say.
    pub destination: Option<&'a str>,
}

/// Notes a load of a project's snippet. The project exists.
pub fn note_load(app: &App, project: ProjectId, page: PageHeaders<'_>) {
    let Some(origin) = origin_of(page) else { return };
    let now = app.now();
    if !app.loads().note_known(project, origin, now) && is_origin(origin) {
        app.loads().note(project, origin, now);
    }
}

/// The origin of the page. A person who opens the address of the snippet is no page, and neither is a request that says nothing.
fn origin_of(page: PageHeaders<'_>) -> Option<&str> {
    if page.destination.is_some_and(|destination| destination != "script") {
        return None;
    }
    let said = page.origin.filter(|origin| *origin != "null").or(page.referer)?;
    let host_at = said.find("://")? + "://".len();
    let end = said[host_at..].find(['/', '?', '#']).map_or(said.len(), |end| host_at + end);
    Some(&said[..end]).filter(|origin| origin.len() <= ORIGIN_BYTES_AT_MOST)
}

/// Whether this is an origin of the web as browsers write it.
fn is_origin(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text
}

#[cfg(test)]
mod tests {
    use super::{PageHeaders, is_origin, origin_of};

    const SILENT: PageHeaders<'_> = PageHeaders { origin: None, referer: None, destination: None };

    #[test]
    fn only_the_origin_of_a_page_is_noted() {
        let from = |referer| origin_of(PageHeaders { referer: Some(referer), ..SILENT });

        assert_eq!(from("https://shop.example/cart?id=7#x"), Some("https://shop.example"));
        assert_eq!(from("https://shop.example?id=7"), Some("https://shop.example"));
        assert_eq!(from("http://localhost:3000/"), Some("http://localhost:3000"));
        assert_eq!(from("about:blank"), None);
        assert_eq!(from(&format!("https://{}/", "a".repeat(300))), None);
        assert_eq!(origin_of(SILENT), None);
    }

    #[test]
    fn a_script_with_crossorigin_says_it_itself_and_a_link_is_no_script() {
        let page = PageHeaders {
            origin: Some("https://shop.example"),
            referer: Some("https://other.example/"),
            destination: Some("script"),
        };

        assert_eq!(origin_of(page), Some("https://shop.example"));
        let sandboxed = PageHeaders { origin: Some("null"), ..page };
        assert_eq!(origin_of(sandboxed), Some("https://other.example"));
        assert_eq!(origin_of(PageHeaders { destination: Some("document"), ..page }), None);
    }

    #[test]
    fn a_text_that_no_browser_sends_is_no_origin() {
        assert!(is_origin("https://shop.example") && is_origin("http://[::1]:3000"));
        for text in
            ["https://Shop.example", "https://a:443", "ftp://a", "https://u@a", "https://a b"]
        {
            assert!(!is_origin(text), "{text}");
        }
    }
}
