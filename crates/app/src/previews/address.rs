//! The address of a page with a preview token in its query.

use domain::{Fault, Pointer};
use url::Url;

/// The query parameter that `runtime/src/preview/preview.ts` reads.
const PARAMETER: &str = "experimentation_preview";

/// Mail and chat programs cut longer addresses.
pub(crate) const ADDRESS_BYTES_AT_MOST: usize = 2_048;

/// `page` with the token in place of any previous one. The rest of its query stays unchanged.
pub(crate) fn with_token(page: &str, token: &str) -> Result<String, Box<Fault>> {
    with_parameter(page, Some(&format!("{PARAMETER}={token}")))
}

/// `page` without a token: what is kept of a link holds none, even if a member pasted another link.
pub(super) fn without_token(page: &str) -> Result<String, Box<Fault>> {
    with_parameter(page, None)
}

fn with_parameter(page: &str, own: Option<&str>) -> Result<String, Box<Fault>> {
    let mut url = Url::parse(page).map_err(|_| not_an_address())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(not_an_address());
    }
    let others = url.query().unwrap_or_default().split('&').filter(|parameter| {
        !parameter.is_empty() && parameter.split('=').next() != Some(PARAMETER)
    });
    let query = others.chain(own).collect::<Vec<_>>().join("&");
    url.set_query((!query.is_empty()).then_some(&query));
    Ok(url.into())
}

fn not_an_address() -> Box<Fault> {
    let pointer = Pointer::root().field("url");
    let fault = Fault::error("unsuitable", pointer, "this is not the address of a page");
    fault.expected("an address such as `https://shop.example/`").into()
}

#[cfg(test)]
mod tests {
    use super::{with_token, without_token};

    #[test]
    fn the_rest_of_an_address_stays_as_it_is_written() {
        for (page, expected) in [
            ("https://shop.example", "https://shop.example/?experimentation_preview=t"),
            (
                "https://shop.example/a?b=%20c&d#e",
                "https://shop.example/a?b=%20c&d&experimentation_preview=t#e",
            ),
            (
                "https://shop.example/?experimentation_preview=old&b=1",
                "https://shop.example/?b=1&experimentation_preview=t",
            ),
            ("http://localhost:8080/?", "http://localhost:8080/?experimentation_preview=t"),
        ] {
            assert_eq!(with_token(page, "t").unwrap(), expected);
        }
    }

    #[test]
    fn what_is_kept_of_an_address_holds_no_token() {
        for (page, expected) in [
            ("https://shop.example", "https://shop.example/"),
            ("https://shop.example/?experimentation_preview=old", "https://shop.example/"),
            (
                "https://shop.example/?a=1&experimentation_preview=old#b",
                "https://shop.example/?a=1#b",
            ),
        ] {
            assert_eq!(without_token(page).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_no_address_of_a_page_is_refused() {
        for page in ["", "shop.example/", "/cart", "javascript:alert(1)", "data:text/html,x"] {
            assert!(with_token(page, "t").is_err(), "{page}");
        }
    }
}
