//! Each use case asks for the permission that it is said to take: no less, and no more.

use std::time::Duration;

use app::Work;
use app::applications::{
    ChangedApplication, NewApplication, add_application, add_secret, change_application,
    disable_application, enable_application, find_application, list_applications,
    remove_application, remove_secret,
};
use app::audit::{AuditExport, AuditSearch, search_audit};
use app::campaigns::{CampaignAction, Copied, VariationAction};
use app::decisions::live_decider;
use app::documents::ResourceKind::{Attribute, Campaign, Page};
use app::drafts::{Removal, SourceRequest, find_readable_draft, find_source, keep_source};
use app::events::{
    DeletedEvents, FileFormat, ImportFileError, RowKind, SentFile, VisitorName, count_events,
    delete_events, forget_visitor, import_file, list_visitor_events,
};
use app::members::{find_member, list_members};
use app::previews::{
    PreviewRequest, PreviewSource, list_preview_links, make_preview_link, preview_choices,
    revoke_preview_link,
};
use app::projects::list_readable_projects;
use app::resources::{Archiving, State};
use app::revisions::{Side, find_revision_line, list_revision_lines};
use app::roles::{Permission, RoleError};
use events::ColumnNames;
use oauth::ClientKind;
use serde_json::json;
use storage::{Role, RoleGrant, WhichProjects};
use tokio::time::timeout;

use crate::refusal::Refusal;
use crate::server::{ALL, grant};
use crate::shop::{HERO, Shop, anything, hero, id};

/// The role that a member was refused for; nothing if they got further than that.
fn wanted<T>(answer: Result<T, Refusal>) -> Option<Role> {
    answer.err().as_ref().and_then(Refusal::needed_role)
}

/// The same, as other families of use cases say it.
fn wanted_role<T, E: ToString>(answer: Result<T, E>) -> Option<Role> {
    let told = answer.err()?.to_string();
    let role = told.strip_prefix("this needs the role `")?.split('`').next()?;
    Role::ALL.into_iter().find(|one| one.as_str() == role)
}

/// The shop with a campaign that was live, as a member with the role just below this one sees it, and one with this role.
async fn seen_by_both(role: Role) -> [Shop; 2] {
    let shop = Shop::running().await;
    shop.act(HERO, CampaignAction::Pause).await.unwrap();
    let below = Role::ALL.into_iter().filter(|one| *one < role).max();
    let below = below.map(|role| grant(role, Some("1000")));
    let below = shop.server.member("below", below.as_slice()).await;
    let enough = shop.seen_by_new("enough", grant(role, Some("1000"))).await;
    [shop.seen_by(&below), enough]
}

#[tokio::test]
async fn reading_a_project_takes_a_viewer() {
    for (shop, expected) in seen_by_both(Role::Viewer).await.iter().zip([Some(Role::Viewer), None])
    {
        let (app, actor, project) = (shop.app(), &shop.actor, shop.id);
        let document = json!({"version": 1, "project": {"id": "1000", "key": "shop"}});
        assert_eq!(wanted(shop.plan(document).await), expected);
        assert_eq!(wanted(shop.find(Page, "2001").await), expected);
        assert_eq!(wanted(shop.find_in(State::Live, Page, "2001").await), expected);
        assert_eq!(wanted(shop.history(Page, "2001").await), expected);
        assert_eq!(wanted(shop.compare(Side::Live, Side::Draft).await), expected);
        assert_eq!(wanted_role(list_revision_lines(app, actor, project, ALL).await), expected);
        assert_eq!(wanted_role(find_revision_line(app, actor, project, 1).await), expected);
        assert_eq!(wanted_role(live_decider(app, actor, project).await), expected);
        assert_eq!(wanted_role(find_readable_draft(app, actor, project).await), expected);
        assert_eq!(wanted_role(find_source(app, actor, project).await), expected);
    }
}

#[tokio::test]
async fn changing_a_draft_takes_an_editor() {
    for (shop, expected) in seen_by_both(Role::Editor).await.iter().zip([Some(Role::Editor), None])
    {
        let name = json!({"name": "New"});
        let document = shop.document().await;
        assert_eq!(wanted(shop.create(Attribute, json!({"key": "plan"})).await), expected);
        assert_eq!(wanted(shop.change(Campaign, HERO, name.clone()).await), expected);
        assert_eq!(wanted(shop.change_project(name).await), expected);
        assert_eq!(wanted(shop.archive(Page, "2001", Archiving::Archive).await), expected);
        assert_eq!(wanted(shop.archive_project(Archiving::Restore).await), expected);
        assert_eq!(wanted(shop.act(HERO, CampaignAction::Archive).await), expected);
        assert_eq!(wanted(shop.copy(Copied::Campaign, HERO, json!({})).await), expected);
        assert_eq!(wanted(shop.replace(document, Removal::Refused).await), expected);
        assert_eq!(wanted(shop.discard_draft(anything()).await), expected);
        let experiment = id(&shop.experiment().await);
        assert_eq!(wanted(shop.start_phase(&experiment, json!({})).await), expected);
        let (app, actor, project) = (shop.app(), &shop.actor, shop.id);
        assert_eq!(wanted_role(preview_choices(app, actor, project).await), expected);
        let source = SourceRequest { text: "version: 1 # one".to_owned() };
        let kept = keep_source(app, actor, project, source, anything()).await;
        assert_eq!(wanted_role(kept), expected);
        let request = PreviewRequest {
            url: "https://shop.example/".to_owned(),
            variations: vec!["short".to_owned()],
            source: PreviewSource::Live,
            is_switchable: false,
            lifetime: None,
        };
        let link = make_preview_link(app, actor, project, &request).await;
        assert_eq!(wanted_role(link), expected);
        assert_eq!(wanted_role(list_preview_links(app, actor, project).await), expected);
        assert_eq!(wanted_role(revoke_preview_link(app, actor, project, "1").await), expected);
    }
}

#[tokio::test]
async fn importing_rows_takes_an_editor_and_no_file_of_others_is_read() {
    let [below, enough] = seen_by_both(Role::Editor).await;
    let import = async |shop: &Shop| {
        let (format, columns) = (FileFormat::Parquet, ColumnNames::default());
        let file = SentFile { kind: RowKind::Events, format, columns, body: "no table" };
        import_file(shop.app(), &shop.actor, shop.id, file).await.unwrap_err()
    };
    let mut turns = Vec::new();
    while let Ok(turn) = timeout(Duration::ZERO, below.app().turn(Work::Document)).await {
        turns.push(turn.unwrap());
    }

    let refused = import(&below).await;
    drop(turns);
    let unreadable = import(&enough).await;

    let needed = wanted_role::<(), _>(Err(&refused));
    assert_eq!(needed, Some(Role::Editor), "without a turn to read it: {refused}");
    assert!(matches!(unreadable, ImportFileError::Unreadable(_)), "{unreadable}");
}

#[tokio::test]
async fn changes_that_visitors_notice_need_a_publisher() {
    for (shop, expected) in
        seen_by_both(Role::Publisher).await.iter().zip([Some(Role::Publisher), None])
    {
        let [short, _] = shop.variations().await;
        assert_eq!(wanted(shop.act(HERO, CampaignAction::Resume).await), expected);
        assert_eq!(wanted(shop.act_on_variation(&short, VariationAction::Pause).await), expected);
        assert_eq!(wanted(shop.publish("").await), expected);
        assert_eq!(wanted(shop.restore(1).await), expected);
        assert_eq!(wanted(shop.conclude(None, None).await), expected);
    }
}

#[tokio::test]
async fn deciding_about_members_takes_an_admin() {
    for (shop, expected) in seen_by_both(Role::Admin).await.iter().zip([Some(Role::Admin), None]) {
        let (app, actor) = (shop.app(), &shop.actor);
        let id = actor.member().unwrap();
        assert_eq!(wanted_role(list_members(app, actor, ALL).await), expected);
        assert_eq!(wanted_role(find_member(app, actor, id).await), expected);
    }
}

#[tokio::test]
async fn reading_and_deleting_what_is_kept_of_visitors_takes_an_admin() {
    for (shop, expected) in seen_by_both(Role::Admin).await.iter().zip([Some(Role::Admin), None]) {
        let (app, actor, project) = (shop.app(), &shop.actor, shop.id);
        let ada = VisitorName::Id("ada".to_owned());
        assert_eq!(wanted_role(list_visitor_events(app, actor, project, &ada).await), expected);
        assert_eq!(wanted_role(forget_visitor(app, actor, project, &ada).await), expected);
        assert_eq!(wanted_role(count_events(app, actor, project).await), expected);
        let all = delete_events(app, actor, project, DeletedEvents::All).await;
        assert_eq!(wanted_role(all), expected);
    }
}

#[tokio::test]
async fn beginning_a_project_takes_an_owner_of_the_server() {
    let shop = Shop::open().await;
    let owner = shop.seen_by_new("own", grant(Role::Owner, Some("1000"))).await;
    let admin = shop.seen_by_new("adm", grant(Role::Admin, None)).await;

    for shop in [owner, admin] {
        assert_eq!(wanted(shop.begin("7", "blog").await), Some(Role::Owner));
    }
    assert!(shop.begin("7", "blog").await.is_ok());
}

#[tokio::test]
async fn what_belongs_to_the_server_takes_an_admin_of_it() {
    let shop = Shop::open().await;
    let of_project = shop.seen_by_new("own", grant(Role::Owner, Some("1000"))).await;
    let of_server = shop.seen_by_new("adm", grant(Role::Admin, None)).await;
    let reports = shop.server.program("Reports", ClientKind::Confidential).await;
    let client_id = reports.client_id.parse().unwrap();
    let new = || NewApplication {
        name: "Charts".to_owned(),
        redirect_uris: vec!["https://charts.example/".to_owned()],
        kind: ClientKind::Confidential,
        scope: None,
    };

    for (shop, expected) in [(of_project, Some(Role::Admin)), (of_server, None)] {
        let (app, actor) = (shop.app(), &shop.actor);
        let client = app.store().lookup_client(&client_id).await.unwrap().unwrap();
        let changed = ChangedApplication { name: Some("R".to_owned()), ..Default::default() };
        let page = storage::ListRange { page: 1, per_page: 10 };
        assert_eq!(
            wanted_role(search_audit(app, actor, AuditSearch::default(), page).await),
            expected
        );
        assert_eq!(wanted_role(AuditExport::begin(app, actor, None).await), expected);
        assert_eq!(wanted_role(list_applications(app, actor).await), expected);
        assert_eq!(wanted_role(find_application(app, actor, &client_id).await), expected);
        assert_eq!(wanted_role(add_application(app, actor, new()).await), expected);
        assert_eq!(wanted_role(change_application(app, actor, &client, changed).await), expected);
        assert_eq!(wanted_role(disable_application(app, actor, &client_id).await), expected);
        assert_eq!(wanted_role(enable_application(app, actor, &client_id).await), expected);
        let note = String::new();
        assert_eq!(wanted_role(add_secret(app, actor, &client_id, note).await), expected);
        let secret = &client.secrets[0].id;
        assert_eq!(wanted_role(remove_secret(app, actor, &client_id, secret).await), expected);
        assert_eq!(wanted_role(remove_application(app, actor, &client).await), expected);
    }
}

#[tokio::test]
async fn members_list_only_the_projects_that_they_may_read() {
    let shop = Shop::open().await;
    shop.begin("2000", "other").await.unwrap();
    let listed = async |roles: &[RoleGrant]| {
        let name = format!("member{}", shop.server.audit().await.len());
        let actor = shop.server.member(&name, roles).await;
        let current = WhichProjects::Current.into();
        let listed = list_readable_projects(shop.app(), &actor, &current, ALL).await.unwrap();
        let ids: Vec<String> = listed.0.iter().map(|one| one.id.to_string()).collect();
        assert_eq!(listed.1, ids.len() as u64);
        ids
    };

    assert_eq!(listed(&[]).await, [""; 0]);
    assert_eq!(listed(&[grant(Role::Viewer, None)]).await, ["1000", "2000"]);
    assert_eq!(listed(&[grant(Role::Owner, Some("2000"))]).await, ["2000"]);
}

#[tokio::test]
async fn a_role_in_another_project_opens_nothing_here() {
    let shop = Shop::with_hero().await;
    shop.begin("2000", "other").await.unwrap();
    let elsewhere = shop.seen_by_new("els", grant(Role::Owner, Some("2000"))).await;

    for refusal in [
        elsewhere.find(Page, "2001").await.unwrap_err(),
        elsewhere.create(Campaign, hero("3002", "offer")).await.unwrap_err(),
        elsewhere.start(HERO).await.unwrap_err(),
    ] {
        let Refusal::Role(RoleError::Insufficient { has, .. }) = refusal else {
            panic!("{refusal:?}")
        };
        assert_eq!(has, None);
    }
}

#[tokio::test]
async fn rights_that_are_taken_count_at_the_next_request() {
    let shop = Shop::with_hero().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    editor.change(Campaign, HERO, json!({"holdback": 1})).await.unwrap();
    let line = shop.app().store().lookup_member_line(editor.actor.member().unwrap()).await;

    let roles = vec![grant(Role::Viewer, Some("1000"))];
    let line = line.unwrap().unwrap();
    app::members::change_roles(shop.app(), &shop.actor, &line, roles).await.unwrap();

    let late = editor.change(Campaign, HERO, json!({"holdback": 2})).await;
    assert_eq!(wanted(late), Some(Permission::WriteDraft.needed_role().role));
    assert!(editor.find(Campaign, HERO).await.is_ok());
}
