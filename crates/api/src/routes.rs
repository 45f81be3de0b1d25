//! Routes that describe themselves: an address gets its handler and its description in one step, so that none is without the other.
//! What a description says is built in `openapi/operation.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::App;
use app::documents::ResourceKind;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::routing::{self, MethodRouter};

use crate::heavy_reads;
use crate::known_parameters;
use crate::openapi::Operation;

/// Where the API for programs is; others take what their standards say.
pub(crate) const API: &str = "/v1/";

/// Addresses with what answers there, and what is told of it.
pub(crate) struct Routes {
    tag: &'static str,
    router: Router<App>,
    /// What works on whole documents.
    heavy: Router<App>,
    described: Vec<Described>,
}

/// A method of an address, as the description of the API tells it.
#[derive(Debug, Clone)]
pub(crate) struct Described {
    /// Under which heading.
    pub(crate) tag: &'static str,
    /// The address, with its parameters in braces.
    pub(crate) path: String,
    /// In lower case.
    pub(crate) method: &'static str,
    pub(crate) operation: Operation,
}

/// A handler for one method, with its description.
pub(crate) struct Endpoint {
    method: &'static str,
    handler: MethodRouter<App>,
    description: Description,
    weight: Weight,
}

/// How much work a handler has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Light,
    /// It works on a whole document, and waits for its turn.
    Heavy,
}

/// What a handler is described by.
pub(crate) enum Description {
    /// It does one thing.
    One(Box<Operation>),
    /// It does the same to every kind of resources, whose `{collection}` is in the address.
    EachKind(fn(ResourceKind) -> Operation),
}

impl Description {
    /// The names that the query may have; of an address for every kind those of all.
    fn query_names(&self) -> Vec<String> {
        match self {
            Self::One(operation) => operation.query_names(),
            Self::EachKind(describe) => {
                let kinds = ResourceKind::ALL.into_iter();
                let names: BTreeSet<String> =
                    kinds.flat_map(|kind| describe(kind).query_names()).collect();
                names.into_iter().collect()
            }
        }
    }
}

impl From<Operation> for Description {
    fn from(operation: Operation) -> Self {
        Self::One(Box::new(operation))
    }
}

impl From<fn(ResourceKind) -> Operation> for Description {
    fn from(describe: fn(ResourceKind) -> Operation) -> Self {
        Self::EachKind(describe)
    }
}

impl Routes {
    /// No routes yet; those that come are told under this heading.
    pub(crate) fn under(tag: &'static str) -> Self {
        Self { tag, router: Router::new(), heavy: Router::new(), described: Vec::new() }
    }

    /// What answers at an address.
    pub(crate) fn at<const N: usize>(
        mut self,
        path: &'static str,
        endpoints: [Endpoint; N],
    ) -> Self {
        for Endpoint { method, handler, mut description, weight } in endpoints {
            let handler = if path.starts_with(API) {
                knowing(handler, description.query_names().into())
            } else {
                handler
            };
            match weight {
                Weight::Light => self.router = self.router.route(path, handler),
                Weight::Heavy => self.heavy = self.heavy.route(path, handler),
            }
            if let Description::One(operation) = &mut description
                && weight == Weight::Heavy
                && method == "get"
            {
                operation.guard();
            }
            let tag = self.tag;
            let told = |path, operation| Described { tag, path, method, operation };
            match description {
                Description::One(operation) => {
                    self.described.push(told(path.to_owned(), *operation));
                }
                Description::EachKind(describe) => {
                    let address =
                        |kind: ResourceKind| path.replace("{collection}", kind.collection());
                    let kinds = ResourceKind::ALL.into_iter();
                    self.described.extend(kinds.map(|kind| told(address(kind), describe(kind))));
                }
            }
        }
        self
    }

    /// No body of these routes is longer.
    pub(crate) fn with_bodies_of_at_most(self, bytes: usize) -> Self {
        let limit = DefaultBodyLimit::max(bytes);
        Self { router: self.router.layer(limit), heavy: self.heavy.layer(limit), ..self }
    }

    /// These routes and others.
    pub(crate) fn merge(mut self, others: Self) -> Self {
        self.described.extend(others.described);
        let (router, heavy) = (self.router.merge(others.router), self.heavy.merge(others.heavy));
        Self { router, heavy, ..self }
    }

    /// The same routes, described as [`crate::writes::guard`] lets their changes through.
    pub(crate) fn described_as_guarded(mut self) -> Self {
        for Described { method, operation, .. } in &mut self.described {
            match *method {
                "get" => {}
                "post" => operation.guard().repeatable(),
                _ => _ = operation.guard(),
            }
        }
        self
    }

    /// The routes, those that work on whole documents behind [`crate::heavy_reads::guard`].
    pub(crate) fn into_router(self, app: &App) -> Router<App> {
        if !self.heavy.has_routes() {
            return self.router;
        }
        let guard = from_fn_with_state(app.clone(), heavy_reads::guard);
        self.router.merge(self.heavy.route_layer(guard))
    }

    pub(crate) fn into_descriptions(self) -> Vec<Described> {
        self.described
    }
}

impl Endpoint {
    /// It works on a whole document.
    pub(crate) fn heavy(self) -> Self {
        Self { weight: Weight::Heavy, ..self }
    }
}

pub(crate) fn get<H, T>(handler: H, description: impl Into<Description>) -> Endpoint
where
    H: Handler<T, App>,
    T: 'static,
{
    endpoint("get", routing::get(handler), description)
}

pub(crate) fn post<H, T>(handler: H, description: impl Into<Description>) -> Endpoint
where
    H: Handler<T, App>,
    T: 'static,
{
    endpoint("post", routing::post(handler), description)
}

pub(crate) fn put<H, T>(handler: H, description: impl Into<Description>) -> Endpoint
where
    H: Handler<T, App>,
    T: 'static,
{
    endpoint("put", routing::put(handler), description)
}

pub(crate) fn patch<H, T>(handler: H, description: impl Into<Description>) -> Endpoint
where
    H: Handler<T, App>,
    T: 'static,
{
    endpoint("patch", routing::patch(handler), description)
}

pub(crate) fn delete<H, T>(handler: H, description: impl Into<Description>) -> Endpoint
where
    H: Handler<T, App>,
    T: 'static,
{
    endpoint("delete", routing::delete(handler), description)
}

/// The handler, for requests whose query names nothing else.
fn knowing(handler: MethodRouter<App>, known: Arc<[String]>) -> MethodRouter<App> {
    let guard = move |request: Request, next: Next| {
        let known = Arc::clone(&known);
        async move { known_parameters::guard(&known, request, next).await }
    };
    handler.route_layer(from_fn(guard))
}

fn endpoint(
    method: &'static str,
    handler: MethodRouter<App>,
    description: impl Into<Description>,
) -> Endpoint {
    Endpoint { method, handler, description: description.into(), weight: Weight::Light }
}
