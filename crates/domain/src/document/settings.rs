//! Decodes the settings of the snippet.

use std::collections::HashSet;

use super::fields::{Fields, list};
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, content, fitting, line, word};
use crate::limits::MAX_SHORT_LIST;
use crate::{CookieRenewal, SnippetSettings, VisitorIdSource, VisitorIdSourceKind};

/// Global names of the browser or of the snippet: replacing one would break the page, or do nothing.
const TAKEN_NAMES: &[&str] = &[
    "window",
    "document",
    "location",
    "self",
    "top",
    "parent",
    "frames",
    "globalThis",
    "history",
    "navigator",
    "experimentation",
];

/// Decodes the settings of the snippet.
pub(super) fn settings(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<SnippetSettings> {
    let default = SnippetSettings::default();
    let mut fields = Fields::of(reader, at)?;
    let global_aliases = fields.or("global_aliases", default.global_aliases, aliases);
    let exclude_names = fields.or("exclude_names", default.exclude_names, boolean);
    let cookie_domain = fields.optional("cookie_domain", domain);
    let visitor_id = fields.or("visitor_id", default.visitor_id, visitor_id);
    let explain = fields.or("explain", default.explain, boolean);
    let data = fields.or("data", default.data, boolean);
    let utils = fields.or("utils", default.utils, boolean);
    let allow_force = fields.or("allow_force", default.allow_force, boolean);
    let preview = fields.or("preview", default.preview, boolean);
    let landings = fields.or("landings", default.landings, boolean);
    let respect_gpc = fields.or("respect_gpc", default.respect_gpc, boolean);
    let respect_dnt = fields.or("respect_dnt", default.respect_dnt, boolean);
    let consent = fields.or("consent", default.consent, word);
    let javascript = fields.optional("javascript", content);
    fields.finish();
    let (cookie_domain, visitor_id) = (cookie_domain?, visitor_id?);
    if visitor_id.renewed_by == CookieRenewal::Server && cookie_domain.is_none() {
        let at = at.field_or_self("visitor_id").field_or_self("renewed_by");
        let fault = at.error("missing_domain", "the server cannot find the cookie's domain");
        let hint = "name your site's domain in `cookie_domain`, such as `example.com`";
        return reader.refuse(&at, fault.hint(hint));
    }
    Ok(SnippetSettings {
        global_aliases: global_aliases?,
        exclude_names: exclude_names?,
        cookie_domain,
        visitor_id,
        explain: explain?,
        data: data?,
        utils: utils?,
        allow_force: allow_force?,
        preview: preview?,
        landings: landings?,
        respect_gpc: respect_gpc?,
        respect_dnt: respect_dnt?,
        consent: consent?,
        javascript: javascript?,
    })
}

fn aliases(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<String>> {
    let mut aliases = HashSet::new();
    list(reader, at, MAX_SHORT_LIST, |reader, at| {
        let alias = fitting(reader, at, "the name of a JavaScript variable", is_identifier)?;
        if TAKEN_NAMES.contains(&alias.as_str()) || !aliases.insert(alias.clone()) {
            let fault = at.error("taken_name", format!("the name `{alias}` is taken"));
            return reader.refuse(at, fault);
        }
        Ok(alias)
    })
}

fn visitor_id(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<VisitorIdSource> {
    let mut fields = Fields::of(reader, at)?;
    let source = fields.or("source", VisitorIdSourceKind::Cookie, word)?;
    let name = match source {
        VisitorIdSourceKind::Cookie => fields.optional("name", cookie),
        VisitorIdSourceKind::Query | VisitorIdSourceKind::LocalStorage => {
            fields.required("name", line).map(Some)
        }
        VisitorIdSourceKind::Javascript => fields.required("name", variable).map(Some),
    };
    let renewed_by = fields.or("renewed_by", CookieRenewal::Page, word);
    fields.finish();
    let (name, renewed_by) = (name?, renewed_by?);
    let is_ours = source == VisitorIdSourceKind::Cookie && name.is_none();
    if renewed_by == CookieRenewal::Server && !is_ours {
        let at = at.field_or_self("renewed_by");
        let message = "the server renews no other cookie than our own";
        return reader.refuse(&at, at.error("not_our_cookie", message));
    }
    Ok(VisitorIdSource { source, name, renewed_by })
}

/// A token (RFC 6265, 4.1.1).
fn cookie(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&byte);
    fitting(reader, at, "the name of a cookie", |name| name.bytes().all(is_allowed))
}

fn variable(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let expected = "the name of a global JavaScript variable, such as `shop.visitor.id`";
    fitting(reader, at, expected, |path| path.split('.').all(is_identifier))
}

fn is_identifier(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let starts_well = !name.starts_with(|first: char| first.is_ascii_digit());
    !name.is_empty() && starts_well && name.bytes().all(is_allowed)
}

fn domain(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(is_allowed);
    let expected = "a domain such as `example.com`";
    fitting(reader, at, expected, |domain| domain.split('.').all(is_label))
}
