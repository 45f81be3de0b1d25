//! Writes a project's data as the constants that replace `runtime/src/project/config.ts`, which documents every field.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use domain::{
    AudienceId, CodeRole, ConditionKind, Consent, CookieRenewal, Page, PageId, Project,
    VariationId, VisitorIdSourceKind,
};
use sha2::{Digest as _, Sha256};

use crate::bulk;
use crate::editor::Editing;
use crate::literal::Literal;

pub(crate) mod audience;
pub(crate) mod campaign;
pub(crate) mod change;
pub(crate) mod event;
pub(crate) mod group;
pub(crate) mod integration;
pub(crate) mod observed_attributes;
mod page;

/// The data of a project's snippet, and the bodies of the member's functions it refers to by number.
pub(crate) struct Config<'p> {
    project: &'p Project,
    page_places: HashMap<PageId, usize>,
    audience_places: HashMap<AudienceId, usize>,
    /// The member's functions, in the order of [`Literal::Code`].
    pub(crate) code: Vec<MemberFunction<'p>>,
    /// Lists that the minifier is not shown, in the order of [`Literal::Data`].
    pub(crate) data: Vec<Literal>,
    constants: Vec<(&'static str, Literal)>,
}

/// While the changes are still being made, those that they set and ask for most.
const OBSERVED_BY_EDITOR: [&str; 17] = [
    "alt",
    "aria-label",
    "class",
    "data-cy",
    "data-qa",
    "data-test",
    "data-test-id",
    "data-testid",
    "hidden",
    "href",
    "id",
    "name",
    "placeholder",
    "src",
    "srcset",
    "style",
    "type",
];

/// A function of the member's.
pub(crate) struct MemberFunction<'p> {
    /// What it is for.
    pub(crate) role: CodeRole,
    pub(crate) body: &'p str,
}

impl<'p> Config<'p> {
    /// Collects the running campaigns of `project`, of which nothing is archived, and all its pages. `revision`: [`revision_of`] the document.
    pub(crate) fn of(project: &'p Project, revision: String) -> Self {
        let audiences = audience::used(project);
        let mut config = Self {
            project,
            page_places: places(project.pages.iter().map(|page| page.id)),
            audience_places: places(audiences.iter().map(|audience| audience.id)),
            code: Vec::new(),
            data: Vec::new(),
            constants: Vec::new(),
        };
        config.add_project(revision);
        let pages: Vec<&'p Page> = project.pages.iter().collect();
        let pages = pages.into_iter().map(|page| config.page(page)).collect();
        config.constants.push(("pages", Literal::List(pages)));
        let audiences = audiences.into_iter().map(|audience| config.audience(audience)).collect();
        config.constants.push(("audiences", Literal::List(audiences)));
        let campaigns = running(project).map(|campaign| config.campaign(campaign)).collect();
        let (campaigns, data) = bulk::take_out(campaigns);
        config.constants.push(("campaigns", Literal::List(campaigns)));
        config.data = data;
        let located = running(project)
            .filter(|campaign| project.asks_about(campaign, ConditionKind::Location))
            .map(|campaign| Literal::Number(campaign.id.get()))
            .collect();
        config.constants.push(("locatedCampaigns", Literal::List(located)));
        let behaviors = audience::behaviors(project).into_iter().map(Literal::Text).collect();
        config.constants.push(("behaviors", Literal::List(behaviors)));
        let groups = group::used(project).into_iter().map(group::group).collect();
        config.constants.push(("groups", Literal::List(groups)));
        let events = event::used(project).iter().map(|event| config.event(event)).collect();
        config.constants.push(("events", Literal::List(events)));
        let told = event::seen_by_the_page(project).map(|event| config.told_event(event)).collect();
        config.constants.push(("toldEvents", Literal::List(told)));
        let observed = observed_attributes::names(project).into_iter().map(Literal::Text).collect();
        config.constants.push(("observedAttributes", Literal::List(observed)));
        config.add_integrations();
        config
    }

    /// The same data for people who look at these variations.
    pub(crate) fn of_preview(
        project: &'p Project,
        variations: &[VariationId],
        choices: Literal,
    ) -> Self {
        let mut config = Self::of(project, revision_of(project));
        let ids = variations.iter().map(|id| Literal::Number(id.get())).collect();
        config.constants.retain(|(name, _)| !matches!(*name, "previewed" | "previewChoices"));
        config.constants.push(("previewed", Literal::List(ids)));
        config.constants.push(("previewChoices", choices));
        config
    }

    /// The same data for the member who edits one of these variations.
    pub(crate) fn of_editor(project: &'p Project, editing: &Editing) -> Self {
        let mut config = Self::of_preview(project, &[editing.variation], Literal::List(Vec::new()));
        config.constants.retain(|(name, _)| *name != "observedAttributes");
        let observed = OBSERVED_BY_EDITOR.map(|name| Literal::Text(name.to_owned()));
        config.constants.push(("observedAttributes", Literal::List(observed.into())));
        config.constants.push(("editing", Literal::Json(editing.to_json())));
        config
    }

    /// The constants as JavaScript.
    pub(crate) fn constants(&self) -> String {
        self.constants.iter().fold(String::new(), |mut text, (name, value)| {
            writeln!(text, "const {name}={value};").expect("writing to a string");
            text
        })
    }

    /// The same constants as unknown values, so that the runtime can be measured without the project's data.
    pub(crate) fn opaque_constants(&self) -> String {
        self.constants.iter().enumerate().fold(String::new(), |mut text, (place, (name, _))| {
            writeln!(text, "const {name}=$[{place}];").expect("writing to a string");
            text
        })
    }

    fn add_project(&mut self, revision: String) {
        let project = self.project;
        let snippet = &project.snippet;
        let aliases = snippet.global_aliases.iter().map(|alias| Literal::Text(alias.clone()));
        let aliases = aliases.collect();
        let attributes = project.attributes.iter().map(|attribute| {
            Literal::tuple(vec![
                Literal::Number(attribute.id.get()),
                Literal::Text(attribute.key.to_string()),
                self.name(attribute.name.as_deref()),
            ])
        });
        let attributes = attributes.collect();
        let renewal = snippet.visitor_id.renewed_by;
        let javascript = self.code(CodeRole::ProjectJavascript, snippet.javascript.as_deref());
        self.constants.extend([
            ("projectId", Literal::Text(project.id.to_string())),
            ("revision", Literal::Text(revision)),
            ("projectHoldback", Literal::Number(u64::from(project.holdback.get()))),
            ("globalAliases", Literal::List(aliases)),
            ("cookieDomain", Literal::optional_text(snippet.cookie_domain.as_deref())),
            ("isConsentRequired", Literal::Number((snippet.consent == Consent::Required).into())),
            ("isCookieRenewedByServer", Literal::Number((renewal == CookieRenewal::Server).into())),
            ("visitorIdSource", self.visitor_id_source()),
            ("attributes", Literal::List(attributes)),
            ("projectJavascript", javascript),
            ("previewed", Literal::List(Vec::new())),
            ("previewChoices", Literal::List(Vec::new())),
        ]);
    }

    fn visitor_id_source(&self) -> Literal {
        let source = &self.project.snippet.visitor_id;
        let word = match source.source {
            VisitorIdSourceKind::Cookie if source.name.is_none() => return Literal::ABSENT,
            VisitorIdSourceKind::Cookie => "cookie",
            VisitorIdSourceKind::Query => "query",
            VisitorIdSourceKind::LocalStorage => "local_storage",
            VisitorIdSourceKind::Javascript => "javascript",
        };
        let name = source.name.clone().unwrap_or_default();
        Literal::List(vec![Literal::Text(word.to_owned()), Literal::Text(name)])
    }

    /// A name, unless the project keeps names out of its snippet.
    fn name(&self, name: Option<&str>) -> Literal {
        Literal::optional_text(name.filter(|_| !self.project.snippet.exclude_names))
    }

    /// Takes a function body in, if there is one, and refers to it.
    fn code(&mut self, role: CodeRole, body: Option<&'p str>) -> Literal {
        let Some(body) = body else { return Literal::ABSENT };
        self.code.push(MemberFunction { role, body });
        Literal::Code(self.code.len() - 1)
    }

    fn page_place(&self, id: PageId) -> usize {
        *self.page_places.get(&id).expect("validation resolved every page")
    }
}

/// The campaigns that are compiled in.
pub(crate) fn running(project: &Project) -> impl Iterator<Item = &domain::Campaign> {
    project.campaigns.iter().map(|campaign| &**campaign).filter(|campaign| campaign.is_served())
}

fn number(place: usize) -> Literal {
    Literal::Number(place as u64)
}

fn places<Id: Eq + std::hash::Hash>(ids: impl Iterator<Item = Id>) -> HashMap<Id, usize> {
    ids.enumerate().map(|(place, id)| (id, place)).collect()
}

/// Keeps the first of each, in order.
fn unique<Id: Copy + Eq + std::hash::Hash>(ids: impl IntoIterator<Item = Id>) -> Vec<Id> {
    let mut seen = HashSet::new();
    ids.into_iter().filter(|id| seen.insert(*id)).collect()
}

/// Twelve hexadecimal digits that identify the document: enough to tell revisions of one project apart.
pub(crate) fn revision_of(project: &Project) -> String {
    let document = serde_json::to_string(project).expect("a project is always JSON");
    revision_of_hash(&hex::encode(Sha256::digest(document)))
}

/// The same, where the SHA-256 of the document is known, in hexadecimal digits.
pub(crate) fn revision_of_hash(document_hash: &str) -> String {
    document_hash.chars().take(12).collect()
}
