//! Decodes the document as a whole.

use std::sync::Arc;

use super::applications::applications;
use super::audiences::audiences;
use super::campaigns::campaigns;
use super::events::events;
use super::fields::{Fields, list};
use super::free_ids::FreeIds;
use super::groups::groups;
use super::identity::{Identity, Scope, entities, identify};
use super::integrations::integrations;
use super::metrics::metrics;
use super::pages::pages;
use super::reader::{At, Decoded, Reader};
use super::same_names::warn_of_same_names;
use super::scalars::{boolean, line, share, word};
use super::settings::settings;
use super::tree::Shape;
use super::unseen::warn_of_unseen;
use crate::limits::MAX_ORIGINS;
use crate::{
    Attribute, AttributeId, BasisPoints, Kind, Origin, Project, ProjectId, Results,
    SnippetSettings, UnreadableOrigin,
};

/// What the document says about the project itself.
struct Header {
    identity: Identity<ProjectId>,
    holdback: BasisPoints,
    archived: bool,
    results: Results,
    origins: Vec<Origin>,
    snippet: SnippetSettings,
}

/// The one version of the document's schema.
pub(super) const VERSION: u64 = 1;

/// Decodes the document. Each kind of resource comes after those it may refer to.
pub(super) fn project(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Project> {
    let mut fields = Fields::of(reader, at)?;
    let version = fields.required("version", version);
    let header = fields.required("project", header);
    let attributes = fields.or("attributes", Vec::new(), attributes);
    let pages = fields.or("pages", Vec::new(), pages);
    let events = fields.or("events", Vec::new(), events);
    let metrics = fields.or("metrics", Vec::new(), metrics);
    let audiences = fields.or("audiences", Vec::new(), audiences);
    let campaigns = fields.or("campaigns", Vec::new(), campaigns);
    let groups = fields.or("groups", Vec::new(), groups);
    let applications = fields.or("applications", Vec::new(), applications);
    let integrations = fields.or("integrations", Vec::new(), integrations);
    fields.finish();
    version?;
    let Header {
        identity: Identity { id, key, name },
        holdback,
        archived,
        results,
        origins,
        snippet,
    } = header?;
    let project = Project {
        id,
        key,
        name,
        holdback,
        archived,
        results,
        origins,
        snippet,
        attributes: attributes?,
        pages: pages?,
        events: events?,
        metrics: metrics?,
        audiences: audiences?,
        campaigns: campaigns?.into_iter().map(Arc::new).collect(),
        groups: groups?,
        applications: applications?,
        integrations: integrations?,
    };
    warn_of_unseen(reader, at, &project);
    warn_of_same_names(reader, at, &project.campaigns);
    Ok(project)
}

fn version(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<()> {
    if at.node.whole_number() == Some(VERSION) {
        return Ok(());
    }
    reader.refuse(at, at.error("unknown_version", "unknown version").expected(format!("{VERSION}")))
}

fn header(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Header> {
    let identity = identify(reader, at, Scope::of(Kind::Project));
    reader.project = identity.as_ref().ok().map(|identity: &Identity<_>| identity.key.clone());
    reader.free_ids = FreeIds::of(reader.root.node, reader.project.as_ref());
    let mut fields = Fields::of_entity(reader, at)?;
    let holdback = fields.or("holdback", BasisPoints::ZERO, share);
    let archived = fields.or("archived", false, boolean);
    let results = fields.or("results", Results::Off, results);
    let origins = fields.or("origins", Vec::new(), origins);
    let snippet = fields.or("snippet", SnippetSettings::default(), settings);
    fields.finish();
    Ok(Header {
        identity: identity?,
        holdback: holdback?,
        archived: archived?,
        results: results?,
        origins: origins?,
        snippet: snippet?,
    })
}

fn attributes(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Attribute>> {
    let keep = |reader: &mut Reader<'_>, names| reader.attributes = names;
    entities(reader, at, Scope::of(Kind::Attribute), keep, attribute)
}

fn attribute(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<AttributeId>>,
) -> Decoded<Attribute> {
    let mut fields = Fields::of_entity(reader, at)?;
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    Ok(Attribute { id, key, name, archived: archived? })
}

/// `on` or `off`. Older YAML reads these words as true and false, so people and tools write those, too.
fn results(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Results> {
    match at.node.shape {
        Shape::Bool(true) => Ok(Results::On),
        Shape::Bool(false) => Ok(Results::Off),
        Shape::Null | Shape::Number(_) | Shape::Text(..) | Shape::List(_) | Shape::Object(_) => {
            word(reader, at)
        }
    }
}

fn origins(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Origin>> {
    list(reader, at, MAX_ORIGINS, |reader, at| {
        let text = line(reader, at)?;
        let fault = |error: UnreadableOrigin| {
            let fault = at.error("unsuitable_text", format!("`{text}` is not an origin: {error}"));
            fault.expected(
                "an origin, such as `https://www.shop.example` or `https://*.shop.example`",
            )
        };
        match text.parse() {
            Ok(origin) => Ok(origin),
            Err(error) => reader.refuse(at, fault(error)),
        }
    })
}
