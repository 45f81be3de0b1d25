//! Editing a resource: a form over the value that programs read and change, at `/projects/{id}/{collection}/{resource}`.
//!
//! An `Editor` says what the form of one kind of resource has. The form carries the resource as the member got it (`was`) and as it is
//! with the buttons pressed so far (`now`); its fields are named by their pointers into `now` (`overlay.rs`), and its buttons change the
//! structure (`structure.rs`). Nothing is stored until the member saves.

pub(crate) mod conflict;
pub(crate) mod context;
pub(crate) mod edited;
pub(crate) mod field;
mod focus;
pub(crate) mod form;
pub(crate) mod merge_patch;
pub(crate) mod overlay;
pub(crate) mod rows;
pub(crate) mod shape;
pub(crate) mod show;
pub(crate) mod three_way;
pub(crate) mod trial;

mod archive;
mod blamed;
mod copied;
mod list;
mod made_key;
mod save;
mod structure;

use app::App;
use app::documents::ResourceKind;
use app::drafts::Draft;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Extension, Router};
use domain::{Fault, ProjectId};
use oauth::Timestamp;
use serde_json::{Map, Value};

use crate::edit::edited::Edited;
pub(crate) use crate::edit::form::Form;
pub(crate) use crate::edit::list::{Listing, Users};
pub(crate) use crate::edit::made_key::make_keys;
pub(crate) use crate::edit::save::{refused, show_form, version};
use crate::edit::shape::Shapes;
pub(crate) use crate::edit::structure::MakeElement;
use crate::message::Messages;
use crate::project_frame::Tab;

/// A form carries its resource twice, beside its fields: with code that is near its limit this is a megabyte.
pub(crate) const FORM_BYTES_AT_MOST: usize = 4 * 1024 * 1024;

/// Judges a form that was sent, and the resource that it wants, at this moment.
type Refuses = fn(&Edited, &Map<String, Value>, Timestamp) -> Vec<Fault>;

/// The form of one kind of resource.
pub(crate) struct Editor {
    pub(crate) kind: ResourceKind,
    pub(crate) tab: Tab,
    /// What a new resource is before the member types anything.
    pub(crate) blank: fn() -> Value,
    /// The fields of the form.
    pub(crate) shapes: Shapes,
    /// The elements that buttons add to its lists.
    pub(crate) element: MakeElement,
    /// What the form shows of a resource, if it is not the resource itself: lists are easier to edit than objects, for example.
    pub(crate) opened: fn(Value) -> Value,
    /// The reverse: the resource that the form shows so.
    pub(crate) closed: fn(Value) -> Value,
    /// What the form refuses, beside what no document may say.
    pub(crate) refuses: Refuses,
    /// The inside of the form: a rendered template.
    pub(crate) content: fn(&Form<'_>, &Draft) -> String,
    /// What follows a resource's address to its form: nothing, where the form is the resource's page.
    pub(crate) form_path: &'static str,
    /// The page that lists the resources, if that is ours.
    pub(crate) listing: Option<Listing>,
    /// The page above: its address, and what its link in the trail says; nothing for the project, which is there anyway.
    pub(crate) above: fn(ProjectId, &Value) -> (String, String),
}

/// What the page says after an act.
pub(crate) const MESSAGES: Messages = Messages {
    done: &[
        ("saved", "Saved in the draft. Visitors get it when the draft is published."),
        ("added", "Added to the draft. Visitors get it when the draft is published."),
        ("unchanged", "Nothing has changed, so there was nothing to save."),
        ("archived", "Archived in the draft. It keeps its id and its key."),
        ("restored", "Restored in the draft."),
    ],
    problems: &[],
};

impl Editor {
    /// Its pages.
    pub(crate) fn routes(&'static self) -> Router<App> {
        let list = format!("/projects/{{id}}/{}", self.kind.collection());
        let lists = match self.listing {
            Some(_) => Router::new().route(&list, get(list::show)),
            None => Router::new(),
        };
        // What has a page of its own is archived and copied there.
        let archive = match self.form_path {
            "" => Router::new().route(&format!("{list}/{{name}}/archive"), post(archive::submit)),
            _ => Router::new(),
        };
        lists
            .merge(archive)
            .route(&format!("{list}/new"), get(show::show_new))
            .route(&format!("{list}/new/save"), get(save::show_form).post(save::submit_new))
            .route(&format!("{list}/{{name}}{}", self.form_path), get(show::show))
            .route(
                &format!("{list}/{{name}}{}/save", self.form_path),
                get(save::show_form).post(save::submit),
            )
            .layer(Extension(self))
            .layer(DefaultBodyLimit::max(FORM_BYTES_AT_MOST))
    }

    /// The address of a resource's page.
    pub(crate) fn path(&self, project: ProjectId, name: &str) -> String {
        format!("/projects/{project}/{}/{name}", self.kind.collection())
    }
}

/// For forms that take all that a document may say.
pub(crate) fn refuses_nothing(_: &Edited, _: &Map<String, Value>, _: Timestamp) -> Vec<Fault> {
    Vec::new()
}

/// For resources that the form shows as they are.
pub(crate) fn as_it_is(resource: Value) -> Value {
    resource
}

/// For forms without lists.
pub(crate) fn no_element(_list: &str, _word: &str) -> Option<Value> {
    None
}
