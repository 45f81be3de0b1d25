//! Drafts become revisions, which never change and can be live again.

use app::campaigns::CampaignAction;
use app::documents::ResourceKind::{Campaign, Variation};
use app::revisions::{MESSAGE_LENGTH_AT_MOST, Side, find_revision_line, list_revision_lines};
use serde_json::json;
use storage::{AuditEvent, Role};

use crate::refusal::{Refusal, refused};
use crate::server::{ALL, grant, through_program};
use crate::shop::{HERO, Shop, hero};

#[tokio::test]
async fn a_published_draft_is_a_revision_and_live() {
    let shop = Shop::with_hero().await;

    let published = shop.publish("First try").await.unwrap();

    let line = published.line;
    assert!(published.is_new);
    assert_eq!((line.number, &*line.author), (1, "ann@example.com"));
    assert_eq!((&*line.message, line.created_at), ("First try", shop.app().now()));
    assert_eq!(line.document_hash.as_deref().map(str::len), Some(64));
    assert_eq!(shop.live_number().await, Some(1));
    let (lines, total) = list_revision_lines(shop.app(), &shop.actor, shop.id, ALL).await.unwrap();
    assert_eq!((&lines[..], total), (&[line.clone()][..], 1));
    let found = find_revision_line(shop.app(), &shop.actor, shop.id, 1).await.unwrap();
    assert_eq!(found, line);
    assert_eq!(shop.project().await["revision"], 1);
    assert_eq!(shop.server.audit().await[0].event, AuditEvent::RevisionPublished);
}

#[tokio::test]
async fn publishing_an_unchanged_draft_makes_no_revision() {
    let shop = Shop::with_hero().await;
    shop.publish("First try").await.unwrap();

    let again = shop.publish("Nothing new").await.unwrap();

    assert!(!again.is_new);
    assert_eq!((again.line.number, &*again.line.message), (1, "First try"));
}

#[tokio::test]
async fn a_member_publishes_only_the_draft_they_have_seen() {
    let shop = Shop::with_hero().await;
    let seen = shop.draft_tag().await;
    shop.change(Campaign, HERO, json!({"holdback": 9})).await.unwrap();

    let late = refused(shop.publish_seen(&seen).await);

    let Refusal::Changed { current, yours: None } = late else { panic!("{late:?}") };
    assert_eq!(shop.live_number().await, None);
    assert!(shop.publish_seen(current["draft"].as_str().unwrap()).await.is_ok());
}

#[tokio::test]
async fn what_was_published_never_changes() {
    let shop = Shop::with_hero().await;
    shop.publish("").await.unwrap();
    let first = shop.revision(1).await;

    shop.change(Campaign, HERO, json!({"holdback": 500})).await.unwrap();
    shop.start(HERO).await.unwrap();

    assert_eq!(shop.revision(1).await, first);
    assert_eq!(shop.restarted().revision(1).await, first);
}

#[tokio::test]
async fn any_two_states_are_compared() {
    let shop = Shop::with_hero().await;
    shop.publish("").await.unwrap();
    shop.change(Campaign, HERO, json!({"holdback": 500})).await.unwrap();
    shop.has(Campaign, hero("3002", "second")).await;

    let compared = shop.unpublished().await;

    let told: Vec<String> = compared.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["campaign `Hero` (3001) changed\n  holdback: 0 → 500", "campaign `Hero` (3002) added"]
    );
    assert_eq!(
        compared.patch.unwrap()[0],
        json!({"op": "replace", "path": "/campaigns/0/holdback", "value": 500})
    );
    shop.publish("").await.unwrap();
    let backwards = shop.compare(Side::Revision(2), Side::Revision(1)).await.unwrap();
    assert_eq!(backwards.differences[1].change, "removed");
    let refusal = refused(shop.compare(Side::Revision(1), Side::Revision(9)).await);
    assert!(matches!(refusal, Refusal::NotFound), "{refusal:?}");
}

#[tokio::test]
async fn an_unpublished_draft_is_compared_as_all_new() {
    let shop = Shop::with_hero().await;

    let compared = shop.unpublished().await;

    assert!(compared.differences.iter().all(|difference| difference.change != "removed"));
    assert!(compared.differences.iter().any(|one| one.id.as_deref() == Some(HERO)));
    assert_eq!(compared.visitors, [], "there were none");
}

#[tokio::test]
async fn an_earlier_revision_is_live_again_and_the_draft_stays() {
    let shop = Shop::running().await;
    let first = shop.snippet().await;
    shop.change(Campaign, HERO, json!({"holdback": 500})).await.unwrap();
    shop.publish("").await.unwrap();
    shop.change(Campaign, HERO, json!({"holdback": 900})).await.unwrap();

    let restored = shop.restore(1).await.unwrap().line;

    assert_eq!((restored.number, restored.restored_from), (3, Some(1)));
    assert_eq!(restored.message, "Back");
    assert_eq!(shop.snippet().await, first);
    assert_eq!(shop.get(Campaign, HERO).await["holdback"], 900);
    let refusal = refused(shop.restore(9).await);
    assert!(matches!(refusal, Refusal::NotFound), "{refusal:?}");
}

#[tokio::test]
async fn a_revision_with_another_draw_of_an_experiment_that_has_begun_is_not_restored() {
    let shop = Shop::with_hero().await;
    shop.publish("not started, half and half").await.unwrap();
    let [original, short] = shop.variations().await;
    shop.change(Variation, &original, json!({"weight": 1000})).await.unwrap();
    shop.change(Variation, &short, json!({"weight": 9000})).await.unwrap();
    shop.start(HERO).await.unwrap();

    let refusal = refused(shop.restore(1).await);

    assert!(matches!(refusal, Refusal::Running(_)), "{refusal:?}");
    assert_eq!(shop.live_number().await, Some(2));
}

#[tokio::test]
async fn what_a_restored_revision_says_of_a_campaign_that_ended_is_live_again() {
    let shop = Shop::running().await;
    shop.act(HERO, CampaignAction::Conclude).await.unwrap();
    assert!(!shop.shows("Ship faster").await);

    shop.restore(1).await.unwrap();

    assert!(shop.shows("Ship faster").await);
    assert_eq!(shop.get(Campaign, HERO).await["status"], "concluded", "the draft stays");
}

#[tokio::test]
async fn a_revision_with_code_that_is_neither_live_nor_in_the_draft_takes_the_right_to_write_code()
{
    let shop = Shop::running().await;
    let publisher = shop.seen_by_new("pia", grant(Role::Publisher, Some("1000"))).await;
    let [_, short] = shop.variations().await;
    let write = async |change| {
        shop.change(Variation, &short, json!({"changes": [change]})).await.unwrap();
    };
    let code = json!({"type": "javascript", "value": "window.old = 1"});
    write(code.clone()).await;
    let with_code = shop.publish("").await.unwrap().line.number;
    write(json!({"type": "text", "selector": "h1", "value": "No code"})).await;
    let without_code = shop.publish("").await.unwrap().line.number;

    let refusal = refused(publisher.restore(with_code).await);

    assert_eq!(refusal.needed_role(), Some(Role::Editor), "{refusal:?}");
    assert!(publisher.restore(without_code).await.is_ok(), "it has no code");
    write(code).await;
    assert!(publisher.restore(with_code).await.is_ok(), "the draft has the code");
    shop.restore(without_code).await.unwrap();
    write(json!({"type": "text", "selector": "h1", "value": "No code"})).await;
    assert!(shop.restore(with_code).await.is_ok(), "an owner writes code");
    assert!(publisher.restore(with_code).await.is_ok(), "the code is live");
}

#[tokio::test]
async fn publishing_takes_the_role_and_the_scope() {
    let shop = Shop::with_hero().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    let publisher = shop.seen_by_new("pia", grant(Role::Publisher, Some("1000"))).await;
    let writer = shop.seen_by(&through_program(&publisher.actor, "config:write"));

    for refusal in [
        refused(editor.publish("").await),
        refused(editor.restore(1).await),
        refused(editor.start(HERO).await),
    ] {
        assert_eq!(refusal.needed_role(), Some(Role::Publisher));
    }
    assert!(matches!(refused(writer.publish("").await), Refusal::Role(_)));
    assert!(publisher.publish("").await.is_ok());
}

#[tokio::test]
async fn a_message_is_kept_whole() {
    let shop = Shop::with_hero().await;
    let message = "ü".repeat(MESSAGE_LENGTH_AT_MOST);

    let published = shop.publish(&message).await.unwrap();

    assert_eq!(published.line.message, message);
}
