//! Lists come in pages: `?page=2&per_page=50`, with the neighbouring pages in the `Link` header (RFC 8288).

use app::App;
use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use storage::ListRange;
use web::Problem;

use crate::address::{FromQuery, Query};

/// A page is small unless more is asked for, and never larger than one answer should be.
const PER_PAGE_DEFAULT: u32 = 25;
const PER_PAGE_AT_MOST: u32 = 100;

/// No person reads this far; beyond it a list is being scraped.
const PAGE_AT_MOST: u32 = 10_000;

/// The parameters that name a page. All others of a list's query say what is listed.
const PAGE: &str = "page";
const PER_PAGE: &str = "per_page";

/// Which part of a list is wanted; pages count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paging {
    pub(crate) page: u32,
    pub(crate) per_page: u32,
    /// The rest of the query, which the neighbouring pages have, too.
    filters: String,
}

impl Paging {
    /// The `Link` header of this page of the list at `path`, which has so many entries on all pages.
    pub(crate) fn links(self, app: &App, path: &str, total: u64) -> HeaderValue {
        let Self { page, per_page, filters } = self;
        let last = u32::try_from(total.div_ceil(u64::from(per_page))).unwrap_or(PAGE_AT_MOST);
        let last = last.clamp(1, PAGE_AT_MOST);
        let next = (page < last).then_some(("next", page + 1));
        let previous = (page > 1).then(|| ("prev", last.min(page - 1)));
        let pages = [Some(("first", 1)), previous, next, Some(("last", last))];
        let address = app.public_url().join(path);
        let links = pages.into_iter().flatten().map(|(relation, page)| {
            let query = format!("{PAGE}={page}&{PER_PAGE}={per_page}{filters}");
            format!("<{address}?{query}>; rel=\"{relation}\"")
        });
        let links = links.collect::<Vec<_>>().join(", ");
        HeaderValue::from_str(&links).expect("a public URL and an encoded query are plain ASCII")
    }

    /// This page of a list that is there in full.
    pub(crate) fn part_of<T>(&self, list: Vec<T>) -> Vec<T> {
        let per_page = usize::try_from(self.per_page).unwrap_or(usize::MAX);
        let skipped = usize::try_from(self.page - 1).unwrap_or(usize::MAX).saturating_mul(per_page);
        list.into_iter().skip(skipped).take(per_page).collect()
    }

    /// The same for the store.
    pub(crate) fn to_page(&self) -> ListRange {
        ListRange { page: self.page, per_page: self.per_page }
    }
}

impl FromQuery for Paging {
    fn read(query: &Query) -> Result<Self, Problem> {
        let page = query.number(PAGE, 1..=PAGE_AT_MOST)?.unwrap_or(1);
        let per_page = query.number(PER_PAGE, 1..=PER_PAGE_AT_MOST)?.unwrap_or(PER_PAGE_DEFAULT);
        Ok(Self { page, per_page, filters: query.without(&[PAGE, PER_PAGE]) })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Self::read(&Query::of(&parts.uri)?)
    }
}
