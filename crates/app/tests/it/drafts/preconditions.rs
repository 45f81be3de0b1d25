//! An editor says which version of a resource a change expects.

use app::documents::ResourceKind::Campaign;
use serde_json::json;
use storage::{ActorKind, AuditEvent};

use crate::refusal::{Refusal, refused};
use crate::server::through_program;
use crate::shop::{HERO, Shop, only};

#[tokio::test]
async fn the_second_of_two_editors_gets_both_states() {
    let shop = Shop::with_hero().await;
    let seen = shop.get(Campaign, HERO).await;
    let patch = |name: &str, seen| (json!({"name": name}), only(seen));
    shop.change_if(Campaign, HERO, patch("First", &seen)).await.unwrap();

    let second = (json!({"holdback": 100}), only(&seen));
    let refusal = refused(shop.change_if(Campaign, HERO, second).await);

    let Refusal::Changed { current, yours: Some(yours) } = refusal else { panic!("{refusal:?}") };
    assert_eq!((&current["name"], &current["holdback"]), (&json!("First"), &json!(0)));
    assert_eq!((&yours["name"], &yours["holdback"]), (&json!("First"), &json!(100)));
    assert!(yours.get("etag").is_none(), "there is no such state that a tag could be of");
    let again = shop.change_if(Campaign, HERO, patch("Second", &current)).await;
    assert_eq!(again.unwrap()["name"], "Second");
}

#[tokio::test]
async fn each_change_is_in_the_audit_log_with_its_request() {
    let shop = Shop::with_hero().await;
    let program = shop.seen_by(&through_program(&shop.actor, "config:write"));

    program.change(Campaign, HERO, json!({"holdback": 700})).await.unwrap();

    let [entry, ..] = &shop.server.audit().await[..] else { panic!("nothing is told") };
    assert_eq!((entry.event, entry.by), (AuditEvent::DraftChanged, ActorKind::Client));
    assert_eq!(entry.member.as_ref().unwrap().email.as_deref(), Some("ann@example.com"));
    let project = entry.project.as_ref().unwrap();
    assert_eq!((project.id, &*project.entity), (shop.id, "campaign 3001"));
    assert_eq!(project.request_id, "from-the-story");
    let change: serde_json::Value = serde_json::from_str(&project.change).unwrap();
    let expected = json!([{"op": "replace", "path": "/campaigns/0/holdback", "value": 700}]);
    assert_eq!(change, expected);
}
