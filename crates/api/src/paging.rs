//! Lists come in pages: `?page=2&per_page=50`, with the neighbouring pages in the `Link` header (RFC 8288).

use app::App;
use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use storage::Page;
use web::Problem;

use crate::address::{FromQuery, Query};

/// A page is small unless more is asked for, and never larger than one answer should be.
const PER_PAGE_DEFAULT: u32 = 25;
const PER_PAGE_AT_MOST: u32 = 100;

/// No person reads this far; beyond it a list is being scraped.
const PAGE_AT_MOST: u32 = 10_000;

/// Which part of a list is wanted; pages count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paging {
    pub(crate) page: u32,
    pub(crate) per_page: u32,
}

impl Paging {
    /// The `Link` header of this page of the list at `path`, which has so many entries on all pages.
    pub(crate) fn links(self, app: &App, path: &str, total: u64) -> HeaderValue {
        let last = u32::try_from(total.div_ceil(u64::from(self.per_page))).unwrap_or(PAGE_AT_MOST);
        let last = last.clamp(1, PAGE_AT_MOST);
        let next = (self.page < last).then_some(("next", self.page + 1));
        let previous = (self.page > 1).then(|| ("prev", self.page - 1));
        let pages = [Some(("first", 1)), previous, next, Some(("last", last))];
        self.header(app, path, pages.into_iter().flatten())
    }

    fn header(
        self,
        app: &App,
        path: &str,
        pages: impl Iterator<Item = (&'static str, u32)>,
    ) -> HeaderValue {
        let links = pages.map(|(relation, page)| {
            let address = app.public_url().join(path);
            format!("<{address}?page={page}&per_page={}>; rel=\"{relation}\"", self.per_page)
        });
        let links = links.collect::<Vec<_>>().join(", ");
        HeaderValue::from_str(&links).expect("a public URL is plain ASCII")
    }

    /// This page of a list that is there in full.
    pub(crate) fn part_of<T>(self, list: Vec<T>) -> Vec<T> {
        let per_page = usize::try_from(self.per_page).unwrap_or(usize::MAX);
        let skipped = usize::try_from(self.page - 1).unwrap_or(usize::MAX).saturating_mul(per_page);
        list.into_iter().skip(skipped).take(per_page).collect()
    }

    /// The same for the store.
    pub(crate) fn to_page(self) -> Page {
        Page { page: self.page, per_page: self.per_page }
    }
}

impl FromQuery for Paging {
    fn read(query: &Query) -> Result<Self, Problem> {
        let page = query.number("page", 1..=PAGE_AT_MOST)?.unwrap_or(1);
        let per_page = query.number("per_page", 1..=PER_PAGE_AT_MOST)?.unwrap_or(PER_PAGE_DEFAULT);
        Ok(Self { page, per_page })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Paging {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Self::read(&Query::of(&parts.uri)?)
    }
}
