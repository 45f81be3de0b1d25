//! A campaign is concluded with a winner, and all visitors get it until it is built into the site.

use app::campaigns::CampaignAction::{Archive, Restore};
use app::campaigns::VariationAction::Pause;
use app::decisions::{VisitText, live_decider};
use app::documents::ResourceKind::Campaign;
use app::resources::Archiving;
use decide::Effort;
use serde_json::json;

use crate::refusal::{Refusal, refused};
use crate::server::through_program;
use crate::shop::{HERO, Shop, experiences, id};

/// What a visitor gets who was given the original before.
async fn decided(shop: &Shop) -> Option<String> {
    let experiment = shop.experiment().await;
    let given = json!({id(&experiment): id(&experiment["variations"][0])});
    let visit = json!({"visitor_id": "v", "url": "https://shop.example/", "variations": given});
    let decider = live_decider(shop.app(), &shop.actor, shop.id).await.unwrap().unwrap();
    let visit =
        decider.read_visit(VisitText { file: "visit", line: 1, text: &visit.to_string() }).unwrap();
    let answer = decider.decide(&visit, &Effort::default()).unwrap();
    answer.campaigns[0].variation.as_ref().map(|variation| variation.key.clone())
}

#[tokio::test]
async fn a_shipped_winner_is_everybodys_in_one_step() {
    let shop = Shop::running().await;
    assert_eq!(decided(&shop).await.as_deref(), Some("original"));

    let concluded = shop.conclude(Some("short"), Some(true)).await.unwrap();

    let campaign = concluded.resource;
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&json!("concluded"), &json!(true)));
    let short = &campaign["experiments"][0]["variations"][1]["id"];
    assert_eq!(&campaign["experiments"][0]["winner"], short);
    assert_eq!(concluded.revision, Some(2));
    assert_eq!(decided(&shop).await.as_deref(), Some("short"));
    assert!(shop.shows("Ship faster").await);
    let refusal = refused(shop.archive_project(Archiving::Archive).await);
    assert!(matches!(refusal, Refusal::Running(_)), "its visitors would lose it: {refusal:?}");
}

#[tokio::test]
async fn a_winner_that_was_stopped_is_shipped_and_goes_on() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    shop.act_on_variation(&short, Pause).await.unwrap();

    let concluded = shop.conclude(Some("short"), Some(true)).await.unwrap();

    assert_eq!(concluded.resource["experiments"][0]["variations"][1]["paused"], false);
    assert_eq!(decided(&shop).await.as_deref(), Some("short"));
    assert!(shop.shows("Ship faster").await);
    assert!(!shop.shows("[1]]").await, "no visitor is held back");
}

#[tokio::test]
async fn a_winner_is_named_by_id_and_shipped_later_or_taken_back() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;

    let concluded = shop.conclude(Some(&short), None).await.unwrap();
    assert_eq!(concluded.resource["shipped"], false);
    assert!(!shop.shows("Ship faster").await);
    let refusal = refused(shop.conclude(None, None).await);
    assert!(matches!(refusal, Refusal::Impossible { .. }), "{refusal:?}");

    shop.conclude(None, Some(true)).await.unwrap();
    assert!(shop.shows("Ship faster").await);
    shop.conclude(None, Some(false)).await.unwrap();
    assert!(!shop.shows("Ship faster").await);
}

#[tokio::test]
async fn no_winner_is_named_while_a_new_phase_waits_in_the_draft() {
    let shop = Shop::running().await;
    let [_, short] = shop.variations().await;
    shop.start_phase(&id(&shop.experiment().await), json!({})).await.unwrap();

    for (winner, ship, place) in [
        (Some("short"), None, "/winner"),
        (Some(short.as_str()), Some(true), "/winner"),
        (None, Some(true), "/ship"),
    ] {
        let refusal = refused(shop.conclude(winner, ship).await);
        let Refusal::Faults(faults) = refusal else { panic!("{refusal:?}") };
        assert_eq!((faults[0].code, faults[0].pointer.as_str()), ("new_phase_waits", place));
    }
    let concluded = shop.conclude(None, Some(false)).await.unwrap();

    assert_eq!((&concluded.resource["status"], concluded.revision), (&json!("concluded"), Some(2)));
}

#[tokio::test]
async fn a_winner_of_another_experience_is_named_by_key_while_a_new_phase_waits() {
    let shop = Shop::open().await;
    let mut offers = experiences(HERO, ["a", "b"]);
    offers["experiments"][1]["variations"][0]["key"] = json!("cup");
    let offers = shop.has(Campaign, offers).await;
    shop.start(HERO).await.unwrap();
    shop.start_phase(&id(&offers["experiments"][0]), json!({})).await.unwrap();

    let refusal = refused(shop.conclude(Some("mug"), None).await);
    let concluded = shop.conclude(Some("cup"), None).await.unwrap();

    let Refusal::Faults(faults) = refusal else { panic!("{refusal:?}") };
    assert_eq!(faults[0].code, "new_phase_waits");
    let cup = &concluded.resource["experiments"][1];
    assert_eq!(cup["winner"], cup["variations"][0]["id"]);
}

#[tokio::test]
async fn archiving_ends_what_is_shipped_at_once_and_takes_the_right_to_publish() {
    let shop = Shop::running().await;
    shop.conclude(Some("short"), Some(true)).await.unwrap();
    let writer = shop.seen_by(&through_program(&shop.actor, "config:read config:write"));
    let refusal = refused(writer.act(HERO, Archive).await);
    assert!(matches!(refusal, Refusal::Role(_)), "{refusal:?}");
    assert!(shop.shows("Ship faster").await);

    let archived = shop.act(HERO, Archive).await.unwrap();

    let campaign = archived.resource;
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&json!("archived"), &json!(false)));
    assert!(!shop.shows("Ship faster").await);
}

#[tokio::test]
async fn archiving_what_is_not_shipped_is_no_publication() {
    let shop = Shop::running().await;
    shop.conclude(Some("short"), None).await.unwrap();
    let writer = shop.seen_by(&through_program(&shop.actor, "config:read config:write"));

    let archived = writer.act(HERO, Archive).await.unwrap();
    let restored = writer.act(HERO, Restore).await.unwrap();

    assert_eq!((archived.revision, restored.revision), (None, None));
    assert_eq!(restored.resource["status"], "paused");
    assert_eq!(shop.live_number().await, Some(2));
}

#[tokio::test]
async fn what_cannot_be_shipped_is_refused_and_nothing_is_concluded() {
    let shop = Shop::running().await;

    for (winner, ship, words) in
        [(Some("shrt"), None, "did you mean `short`?"), (None, Some(true), "has no winner")]
    {
        let refusal = refused(shop.conclude(winner, ship).await);
        assert_eq!(refusal.places(), ["/winner"], "{refusal:?}");
        assert!(refusal.says(words), "{refusal:?}");
    }

    assert_eq!(shop.get(Campaign, HERO).await["status"], "running");
}

#[tokio::test]
async fn a_key_that_several_experiments_have_names_no_winner() {
    let shop = Shop::open().await;
    shop.has(Campaign, experiences(HERO, ["a", "b"])).await;
    shop.start(HERO).await.unwrap();

    let refusal = refused(shop.conclude(Some("mug"), Some(true)).await);
    let shipped = shop.conclude(None, Some(true)).await.unwrap();

    assert!(refusal.says("several experiments have a variation `mug`"), "{refusal:?}");
    let winners = [0, 1].map(|place| shipped.resource["experiments"][place]["winner"].clone());
    let only =
        [0, 1].map(|place| shipped.resource["experiments"][place]["variations"][0]["id"].clone());
    assert_eq!(winners, only, "the only variation has won anyway");
}
