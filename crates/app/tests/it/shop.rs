//! The project of most stories, and the member who works on it: by default Ann, who owns the server.

use std::sync::Arc;

use app::App;
use app::campaigns::{
    Act, Acted, ActedOnVariation, CampaignAction, Conclusion, Copied, CopyRequest, Phase, Target,
    VariationAction, Winner, act_on_campaign, act_on_variation, duplicate, start_phase,
};
use app::documents::ResourceKind;
use app::drafts::{
    ExpectedVersion, Plan, Removal, Replacement, discard_draft, plan_document, project_view,
    readable_draft, replace_document,
};
use app::projects::create_project;
use app::publishing::{live_snippet, page_deadline};
use app::request::Request as _;
use app::resources::{
    Archived, Archiving, Listed, ResourceFilter, State, archive_project, archive_resource,
    change_project, change_resource, create_resource, find_resource_in, list_history,
    list_resources,
};
use app::revisions::{
    Comparison, PublishedRevision, Restoration, Side, compare_documents, find_revision_document,
    publish_draft, restore_revision,
};
use app::roles::Actor;
use domain::ProjectId;
use serde_json::{Map, Value, json};
use storage::RoleGrant;

use crate::refusal::Refusal;
use crate::server::{ALL, Server};

/// What came of an action of the member.
pub(crate) type Outcome<T = Value> = Result<T, Refusal>;

/// A project, as one member sees it.
#[derive(Clone)]
pub(crate) struct Shop {
    pub(crate) server: Arc<Server>,
    pub(crate) actor: Actor,
    pub(crate) id: ProjectId,
}

/// The campaign of most stories.
pub(crate) const HERO: &str = "3001";

impl Shop {
    /// The project `1000` on a new server, with the page `home`, which is everywhere.
    pub(crate) async fn open() -> Self {
        let server = Server::start();
        let actor = server.member("ann", &[RoleGrant::OWNER]).await;
        let id = ProjectId::new(1000).unwrap();
        let shop = Self { server: Arc::new(server), actor, id };
        shop.begin("1000", "shop").await.unwrap();
        shop.has(ResourceKind::Page, json!({"id": "2001", "key": "home", "conditions": []})).await;
        shop
    }

    /// The same, with the campaign `hero`, which is not running yet.
    pub(crate) async fn with_hero() -> Self {
        let shop = Self::open().await;
        shop.has(ResourceKind::Campaign, hero(HERO, "hero")).await;
        shop
    }

    /// The same, and the campaign runs.
    pub(crate) async fn running() -> Self {
        let shop = Self::with_hero().await;
        shop.start(HERO).await.unwrap();
        shop
    }

    /// The shop as another member sees it.
    pub(crate) fn seen_by(&self, actor: &Actor) -> Self {
        Self { actor: actor.clone(), ..self.clone() }
    }

    /// The shop as a new member with this role works on it.
    pub(crate) async fn seen_by_new(&self, name: &str, role: RoleGrant) -> Self {
        self.seen_by(&self.server.member(name, &[role]).await)
    }

    /// The same on a server that was stopped and started.
    pub(crate) fn restarted(self) -> Self {
        let server = Arc::into_inner(self.server).unwrap().restarted();
        Self { server: Arc::new(server), ..self }
    }

    pub(crate) fn app(&self) -> &App {
        &self.server.app
    }

    /// Begins another project.
    pub(crate) async fn begin(&self, id: &str, key: &str) -> Outcome<Self> {
        let sent = fields(json!({"id": id, "key": key, "name": "Shop"}));
        create_project(self.app(), &self.actor, sent).await?;
        Ok(Self { id: id.parse().unwrap(), ..self.clone() })
    }

    /// The project itself.
    pub(crate) async fn project(&self) -> Value {
        project_view(&readable_draft(self.app(), &self.actor, self.id).await.unwrap())
    }

    pub(crate) async fn change_project(&self, patch: Value) -> Outcome {
        let patch = fields(patch);
        Ok(change_project(self.app(), &self.actor, self.id, patch, anything()).await?)
    }

    pub(crate) async fn archive_project(&self, archiving: Archiving) -> Outcome {
        Ok(archive_project(self.app(), &self.actor, self.id, archiving, anything()).await?)
    }

    pub(crate) async fn create(&self, kind: ResourceKind, sent: Value) -> Outcome {
        Ok(create_resource(self.app(), &self.actor, self.id, kind, fields(sent)).await?)
    }

    /// The same, which has to succeed.
    pub(crate) async fn has(&self, kind: ResourceKind, sent: Value) -> Value {
        self.create(kind, sent).await.unwrap()
    }

    pub(crate) async fn find(&self, kind: ResourceKind, name: &str) -> Outcome {
        self.find_in(State::Draft, kind, name).await
    }

    pub(crate) async fn find_in(&self, state: State, kind: ResourceKind, name: &str) -> Outcome {
        Ok(find_resource_in(self.app(), &self.actor, self.id, state, (kind, name)).await?)
    }

    /// The same of the draft, which has to be there.
    pub(crate) async fn get(&self, kind: ResourceKind, name: &str) -> Value {
        self.find(kind, name).await.unwrap()
    }

    pub(crate) async fn list(&self, kind: ResourceKind, filter: ResourceFilter) -> Listed {
        let asked = (filter, ALL);
        list_resources(self.app(), &self.actor, self.id, kind, asked).await.unwrap()
    }

    /// Every resource of a kind, archived or not.
    pub(crate) async fn all(&self, kind: ResourceKind) -> Vec<Value> {
        let filter = ResourceFilter { archived: Archived::Too, ..ResourceFilter::default() };
        self.list(kind, filter).await.resources
    }

    pub(crate) async fn history(&self, kind: ResourceKind, name: &str) -> Outcome<Listed> {
        Ok(list_history(self.app(), &self.actor, self.id, (kind, name), ALL).await?)
    }

    pub(crate) async fn change(&self, kind: ResourceKind, name: &str, patch: Value) -> Outcome {
        self.change_if(kind, name, (patch, anything())).await
    }

    /// Changes what is as it was seen.
    pub(crate) async fn change_if(
        &self,
        kind: ResourceKind,
        name: &str,
        (patch, expected): (Value, ExpectedVersion),
    ) -> Outcome {
        let (named, patch) = ((kind, name.to_owned()), (fields(patch), expected));
        Ok(change_resource(self.app(), &self.actor, self.id, named, patch).await?)
    }

    pub(crate) async fn archive(
        &self,
        kind: ResourceKind,
        name: &str,
        archiving: Archiving,
    ) -> Outcome {
        let (named, wanted) = ((kind, name.to_owned()), (archiving, anything()));
        Ok(archive_resource(self.app(), &self.actor, self.id, named, wanted).await?)
    }

    pub(crate) async fn start(&self, campaign: &str) -> Outcome<Acted> {
        self.act(campaign, CampaignAction::Start).await
    }

    pub(crate) async fn act(&self, campaign: &str, action: CampaignAction) -> Outcome<Acted> {
        let target = Target::Campaign(campaign.to_owned());
        let (conclusion, expected) = (Conclusion::default(), anything());
        self.act_on(Act { action, target, conclusion, expected }).await
    }

    pub(crate) async fn conclude(
        &self,
        winner: Option<&str>,
        ship: Option<bool>,
    ) -> Outcome<Acted> {
        let winner = winner.map(|name| Winner::Variation(name.to_owned()));
        let conclusion = Conclusion { winner, ship };
        let (action, target) = (CampaignAction::Conclude, Target::Campaign(HERO.to_owned()));
        self.act_on(Act { action, target, conclusion, expected: anything() }).await
    }

    pub(crate) async fn act_on(&self, act: Act) -> Outcome<Acted> {
        Ok(act_on_campaign(self.app(), &self.actor, self.id, act).await?)
    }

    pub(crate) async fn act_on_variation(
        &self,
        name: &str,
        action: VariationAction,
    ) -> Outcome<ActedOnVariation> {
        let (name, wanted) = (name.to_owned(), (action, anything()));
        Ok(act_on_variation(self.app(), &self.actor, self.id, name, wanted).await?)
    }

    pub(crate) async fn start_phase(&self, experiment: &str, patch: Value) -> Outcome<Phase> {
        let (name, patch) = (experiment.to_owned(), (fields(patch), anything()));
        Ok(start_phase(self.app(), &self.actor, self.id, name, patch).await?)
    }

    pub(crate) async fn copy(&self, copied: Copied, name: &str, named: Value) -> Outcome {
        self.copy_if(copied, name, (named, anything())).await
    }

    pub(crate) async fn copy_if(
        &self,
        copied: Copied,
        name: &str,
        (named, expected): (Value, ExpectedVersion),
    ) -> Outcome {
        let request = CopyRequest::parse(&named.to_string()).map_err(Refusal::Faults)?;
        let original = (copied, name.to_owned());
        Ok(duplicate(self.app(), &self.actor, self.id, original, (request, expected)).await?)
    }

    /// The whole draft, with keys for references.
    pub(crate) async fn document(&self) -> Value {
        let draft = readable_draft(self.app(), &self.actor, self.id).await.unwrap();
        serde_json::to_value(&*draft.project).unwrap()
    }

    /// The entity tag of the whole draft.
    pub(crate) async fn draft_tag(&self) -> String {
        readable_draft(self.app(), &self.actor, self.id).await.unwrap().tag.clone()
    }

    pub(crate) async fn plan(&self, document: Value) -> Outcome<Plan> {
        Ok(plan_document(self.app(), &self.actor, self.id, document).await?)
    }

    pub(crate) async fn replace(&self, document: Value, removal: Removal) -> Outcome<Plan> {
        self.replace_if((document, anything()), removal).await
    }

    pub(crate) async fn replace_if(
        &self,
        (document, expected): (Value, ExpectedVersion),
        removal: Removal,
    ) -> Outcome<Plan> {
        let replacement = Replacement { document, removal, expected };
        Ok(replace_document(self.app(), &self.actor, self.id, replacement).await?)
    }

    pub(crate) async fn discard_draft(&self, expected: ExpectedVersion) -> Outcome<()> {
        Ok(discard_draft(self.app(), &self.actor, self.id, expected).await?)
    }

    /// Publishes the draft as it is.
    pub(crate) async fn publish(&self, message: &str) -> Outcome<PublishedRevision> {
        let message = message.to_owned();
        Ok(publish_draft(self.app(), &self.actor, self.id, message, |_| true).await?)
    }

    /// Publishes the draft if it is the one with this tag.
    pub(crate) async fn publish_seen(&self, tag: &str) -> Outcome<PublishedRevision> {
        let is_seen = |draft: &app::drafts::Draft| draft.tag == tag;
        Ok(publish_draft(self.app(), &self.actor, self.id, String::new(), is_seen).await?)
    }

    pub(crate) async fn restore(&self, revision: u32) -> Outcome<PublishedRevision> {
        let restoration =
            Restoration { number: revision, message: "Back".to_owned(), expected: None };
        Ok(restore_revision(self.app(), &self.actor, self.id, restoration).await?)
    }

    pub(crate) async fn compare(&self, from: Side, to: Side) -> Outcome<Comparison> {
        Ok(compare_documents(self.app(), &self.actor, self.id, (from, to)).await?)
    }

    /// What the draft has that is not live.
    pub(crate) async fn unpublished(&self) -> Comparison {
        self.compare(Side::Live, Side::Draft).await.unwrap()
    }

    /// What a revision says, with keys for references.
    pub(crate) async fn revision(&self, number: u32) -> Value {
        let found = find_revision_document(self.app(), &self.actor, self.id, number).await.unwrap();
        serde_json::to_value(&*found.project).unwrap()
    }

    /// The number of what is live.
    pub(crate) async fn live_number(&self) -> Option<u32> {
        self.app().store().live_number(self.id, self.app().now()).await.unwrap()
    }

    /// What visitors' browsers are given.
    pub(crate) async fn snippet(&self) -> String {
        let live = live_snippet(self.app(), self.id, page_deadline()).await.unwrap().unwrap();
        String::from_utf8(live.javascript.to_vec()).unwrap()
    }

    /// Whether that has these words.
    pub(crate) async fn shows(&self, words: &str) -> bool {
        self.snippet().await.contains(words)
    }

    /// The ids of the two variations of `hero`.
    pub(crate) async fn variations(&self) -> [String; 2] {
        let experiment = self.experiment().await;
        [0, 1].map(|place| id(&experiment["variations"][place]))
    }

    /// The experiment of `hero`.
    pub(crate) async fn experiment(&self) -> Value {
        let campaign = self.get(ResourceKind::Campaign, HERO).await;
        self.get(ResourceKind::Experiment, &id(&campaign["experiments"][0])).await
    }
}

/// An A/B test on the page `home`.
pub(crate) fn hero(id: &str, key: &str) -> Value {
    let text = |text: &str| json!([{"type": "text", "selector": "h1", "value": text}]);
    json!({
        "id": id, "key": key, "name": "Hero", "type": "ab_test", "pages": ["home"],
        "experiments": [{"key": key, "variations": [
            {"key": "original", "weight": 5000},
            {"key": "short", "weight": 5000, "changes": text("Ship faster")},
        ]}],
    })
}

/// A personalization of these experiences, each with one variation `mug`.
pub(crate) fn experiences(id: &str, keys: [&str; 2]) -> Value {
    let experience =
        |key: &str| json!({"key": key, "variations": [{"key": "mug", "weight": 10000}]});
    let mut campaign = hero(id, "offers");
    campaign["type"] = json!("personalization");
    campaign["experiments"] = json!(keys.map(experience));
    campaign
}

/// A change is made whatever the resource is like.
pub(crate) fn anything() -> ExpectedVersion {
    ExpectedVersion::any()
}

/// Only what is still as it was seen here: a resource, or the tag of a draft.
pub(crate) fn only(expected: &Value) -> ExpectedVersion {
    let tag = if expected.is_string() { expected.clone() } else { expected["etag"].clone() };
    ExpectedVersion::new(move |now| if now.is_string() { *now == tag } else { now["etag"] == tag })
}

/// The id of a resource.
pub(crate) fn id(resource: &Value) -> String {
    resource["id"].as_str().unwrap().to_owned()
}

/// A field of each of a list.
pub(crate) fn each<'v>(list: impl IntoIterator<Item = &'v Value>, field: &str) -> Vec<&'v str> {
    list.into_iter().map(|one| one[field].as_str().unwrap()).collect()
}

/// The elements of a list.
pub(crate) fn elements(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}

fn fields(object: Value) -> Map<String, Value> {
    let Value::Object(fields) = object else { panic!("no object: {object}") };
    fields
}
