//! A link to a draft shows what is not published: it works as long as the member who made it may show that.

use app::campaigns::CampaignAction;
use app::documents::ResourceKind::{Campaign, Variation};
use app::members::{change_roles, remove_member};
use app::previews::{
    FindPreviewError, MakePreviewLinkError, PreviewRequest, PreviewSource, find_preview,
    list_preview_links, make_preview_link, revoke_preview_link,
};
use app::resources::Archiving;
use app::roles::{Actor, RoleError};
use oauth::Lifetime;
use serde_json::{Value, json};
use storage::{MemberLine, Role, RoleGrant};

use crate::server::grant;
use crate::shop::{HERO, Shop, hero};

const DAY: i64 = 24 * 60 * 60;

/// The shop is live with previews, and `hero` runs; its draft has another text.
async fn with_draft() -> Shop {
    let shop = Shop::with_hero().await;
    shop.change_project(json!({"snippet": {"preview": true}})).await.unwrap();
    shop.publish("").await.unwrap();
    shop.start(HERO).await.unwrap();
    write(&shop, text("Ship today")).await;
    shop
}

fn text(value: &str) -> Value {
    json!({"type": "text", "selector": "h1", "value": value})
}

/// Puts this change into the draft of the second variation.
async fn write(shop: &Shop, change: Value) {
    let [_, short] = shop.variations().await;
    shop.change(Variation, &short, json!({"changes": [change]})).await.unwrap();
}

/// The token of a link to this variation.
async fn link(
    shop: &Shop,
    (source, variation): (PreviewSource, &str),
    lifetime: Option<Lifetime>,
) -> Result<String, MakePreviewLinkError> {
    let (url, variations) = ("https://shop.example/".to_owned(), vec![variation.to_owned()]);
    let is_switchable = false;
    let request = PreviewRequest { url, variations, source, is_switchable, lifetime };
    let link = make_preview_link(shop.app(), &shop.actor, shop.id, &request).await?;
    Ok(link.url.rsplit_once('=').unwrap().1.to_owned())
}

/// A link to the draft of the second variation.
async fn draft_link(shop: &Shop) -> String {
    link(shop, (PreviewSource::Draft, "short"), None).await.unwrap()
}

/// What the page is given by a link.
async fn shown(shop: &Shop, token: &str) -> Result<String, FindPreviewError> {
    let found = find_preview(shop.app(), shop.id, token).await?;
    Ok(String::from_utf8(found.javascript.to_vec()).unwrap())
}

async fn line_of(shop: &Shop, actor: &Actor) -> MemberLine {
    let line = shop.app().store().lookup_member_line(actor.member().unwrap()).await;
    line.unwrap().unwrap()
}

#[tokio::test]
async fn a_link_to_the_draft_shows_what_visitors_do_not_see_yet_and_no_other_draft() {
    let shop = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["variations"][1] =
        json!({"key": "half", "weight": 5000, "changes": [text("Half price")]});
    shop.has(Campaign, offer).await;
    let of = async |source, variation| {
        let token = link(&shop, (source, variation), None).await.unwrap();
        shown(&shop, &token).await.unwrap()
    };

    assert!(of(PreviewSource::Draft, "short").await.contains("Ship today"));
    assert!(of(PreviewSource::Live, "short").await.contains("Ship faster"));
    let new = of(PreviewSource::Draft, "half").await;
    assert!(new.contains("Half price") && new.contains("Ship faster"), "{new}");
    assert!(!new.contains("Ship today"), "another draft is shown");
    assert!(!shop.shows("Ship today").await);
}

#[tokio::test]
async fn a_link_follows_the_draft() {
    let shop = with_draft().await;
    let token = draft_link(&shop).await;
    assert!(shown(&shop, &token).await.unwrap().contains("Ship today"));

    write(&shop, text("Ship tomorrow")).await;

    assert!(shown(&shop, &token).await.unwrap().contains("Ship tomorrow"));
}

#[tokio::test]
async fn what_is_archived_is_not_shown() {
    let shop = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["variations"][1] = json!({"id": "5900", "key": "half", "weight": 0});
    shop.has(Campaign, offer).await;
    let half = (PreviewSource::Draft, "half");
    let made = link(&shop, half, None).await.unwrap();

    shop.archive(Variation, "5900", Archiving::Archive).await.unwrap();

    let refusal = link(&shop, half, None).await.unwrap_err();
    let MakePreviewLinkError::Faults(faults) = refusal else { panic!("{refusal:?}") };
    assert!(faults[0].message.contains("`half` is archived"), "{faults:?}");
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::Gone)));
}

#[tokio::test]
async fn a_link_to_a_draft_ends_with_the_role_of_its_maker() {
    let shop = with_draft().await;
    for (number, after) in [vec![], vec![grant(Role::Viewer, Some("1000"))]].into_iter().enumerate()
    {
        let name = format!("editor{number}");
        let editor = shop.seen_by_new(&name, grant(Role::Editor, Some("1000"))).await;
        let made = draft_link(&editor).await;
        assert!(shown(&shop, &made).await.is_ok());

        let line = line_of(&shop, &editor.actor).await;
        change_roles(shop.app(), &shop.actor, &line, after).await.unwrap();

        assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::NotTheirs)));
    }
}

#[tokio::test]
async fn the_list_tells_that_the_maker_of_a_link_to_a_draft_may_not_show_it_any_more() {
    let shop = with_draft().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    draft_link(&editor).await;
    link(&editor, (PreviewSource::Live, "short"), None).await.unwrap();
    let states = async || {
        let links = list_preview_links(shop.app(), &shop.actor, shop.id).await.unwrap().unwrap();
        let mut states: Vec<_> =
            links.iter().map(|link| (link.kept.is_draft, link.state.word())).collect();
        states.sort_unstable();
        states
    };
    assert_eq!(states().await, [(false, "valid"), (true, "valid")]);
    let set = async |roles| {
        let line = line_of(&shop, &editor.actor).await;
        change_roles(shop.app(), &shop.actor, &line, roles).await.unwrap();
    };

    set(vec![grant(Role::Viewer, Some("1000"))]).await;
    assert_eq!(states().await, [(false, "valid"), (true, "powerless")]);

    set(vec![grant(Role::Editor, Some("1000"))]).await;
    assert_eq!(states().await, [(false, "valid"), (true, "valid")]);
}

#[tokio::test]
async fn a_link_to_a_draft_ends_with_its_maker() {
    let shop = with_draft().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    let made = draft_link(&editor).await;

    remove_member(shop.app(), &shop.actor, &line_of(&shop, &editor.actor).await).await.unwrap();

    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::NotTheirs)));
}

#[tokio::test]
async fn only_a_publisher_shows_unpublished_code() {
    let shop = with_draft().await;
    let writes = RoleGrant { is_code_allowed: true, ..grant(Role::Editor, Some("1000")) };
    let editor = shop.seen_by_new("eve", writes).await;
    let publisher = shop.seen_by_new("pia", grant(Role::Publisher, Some("1000"))).await;
    let made_before = draft_link(&editor).await;

    write(&editor, json!({"type": "javascript", "value": "unpublished()"})).await;

    let refusal = link(&editor, (PreviewSource::Draft, "short"), None).await.unwrap_err();
    let MakePreviewLinkError::Role(RoleError::Insufficient { needed, .. }) = refusal else {
        panic!("{refusal:?}")
    };
    assert_eq!(needed.role, Role::Publisher);
    let not_theirs = shown(&shop, &made_before).await;
    assert!(matches!(not_theirs, Err(FindPreviewError::NotTheirs)), "{not_theirs:?}");
    let made = draft_link(&publisher).await;
    assert!(shown(&shop, &made).await.unwrap().contains("unpublished()"));
    let line = line_of(&shop, &publisher.actor).await;
    change_roles(shop.app(), &shop.actor, &line, vec![writes]).await.unwrap();
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::NotTheirs)));

    shop.publish("").await.unwrap();
    let in_the_end = shown(&shop, &made_before).await.unwrap();
    assert!(in_the_end.contains("unpublished()"), "it is live by now");
}

#[tokio::test]
async fn a_link_to_a_draft_is_good_for_a_day_and_a_week_at_most() {
    let shop = with_draft().await;
    let draft = (PreviewSource::Draft, "short");
    let made = draft_link(&shop).await;

    let too_long = link(&shop, draft, Some(Lifetime::from_seconds(7 * DAY + 1))).await;
    let longest = link(&shop, draft, Some(Lifetime::from_seconds(7 * DAY))).await;

    assert!(matches!(too_long, Err(MakePreviewLinkError::Faults(_))), "{too_long:?}");
    assert!(longest.is_ok());
    shop.server.advance_seconds(DAY - 1);
    assert!(shown(&shop, &made).await.is_ok());
    shop.server.advance_seconds(1);
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::Expired)));
    assert!(shown(&shop, &longest.unwrap()).await.is_ok());
}

#[tokio::test]
async fn a_link_to_what_is_live_is_good_for_a_week_and_a_month_at_most() {
    let shop = with_draft().await;
    let live = (PreviewSource::Live, "short");
    let made = link(&shop, live, None).await.unwrap();
    let of = async |days: i64| link(&shop, live, Some(Lifetime::from_seconds(days * DAY))).await;

    assert!(of(30).await.is_ok());
    assert!(matches!(of(31).await, Err(MakePreviewLinkError::Faults(_))));
    assert!(matches!(of(0).await, Err(MakePreviewLinkError::Faults(_))));
    shop.server.advance_seconds(7 * DAY - 1);
    assert!(shown(&shop, &made).await.is_ok());
    shop.server.advance_seconds(1);
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::Expired)));
}

#[tokio::test]
async fn nothing_of_other_drafts_is_told() {
    let shop = with_draft().await;
    shop.act(HERO, CampaignAction::Pause).await.unwrap();
    let mut secret = hero("3002", "secret");
    secret["name"] = json!("Secret sale");
    secret["experiments"][0]["variations"][1] = json!({"key": "half", "name": "Half price", "weight": 5000, "changes": [text("Everything for half")]});
    shop.has(Campaign, secret).await;
    shop.publish("not started").await.unwrap();

    let token = link(&shop, (PreviewSource::Live, "short"), None).await.unwrap();
    let script = shown(&shop, &token).await.unwrap();

    for word in ["Secret", "Half price", "Everything for half", "3002"] {
        assert!(!script.contains(word), "{word} in {script}");
    }
}

#[tokio::test]
async fn a_token_that_we_did_not_sign_shows_nothing() {
    let shop = with_draft().await;
    let token = draft_link(&shop).await;
    let other = shop.begin("2000", "other").await.unwrap();

    for place in 0..token.len() {
        let digit = if token.as_bytes()[place] == b'4' { "5" } else { "4" };
        let altered = [&token[..place], digit, &token[place + 1..]].concat();
        let refusal = shown(&shop, &altered).await;
        assert!(matches!(refusal, Err(FindPreviewError::NotSigned)), "{altered}");
    }
    for altered in ["", "x", &token[1..], &format!("{token}A")] {
        assert!(matches!(shown(&shop, altered).await, Err(FindPreviewError::NotSigned)));
    }
    assert!(matches!(shown(&other, &token).await, Err(FindPreviewError::OtherProject)));
    let elsewhere = Shop::open().await;
    let _another_key = elsewhere.app().random::<32>();
    assert!(matches!(shown(&elsewhere, &token).await, Err(FindPreviewError::NotSigned)));
    assert!(matches!(shown(&shop, "off").await, Err(FindPreviewError::Ended)));
}

#[tokio::test]
async fn a_switchable_link_shows_other_variations_of_its_experiment_and_nothing_else() {
    let shop = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["experiments"][0]["variations"][1] =
        json!({"id": "5900", "key": "half", "weight": 5000, "changes": [text("Half price")]});
    shop.has(Campaign, offer).await;
    let [original, short] = shop.variations().await;
    let of = async |is_switchable| {
        let request = PreviewRequest {
            url: "https://shop.example/".to_owned(),
            variations: vec![original.clone()],
            source: PreviewSource::Draft,
            is_switchable,
            lifetime: None,
        };
        let link = make_preview_link(shop.app(), &shop.actor, shop.id, &request).await.unwrap();
        link.url.rsplit_once('=').unwrap().1.to_owned()
    };
    let (switchable, fixed) = (of(true).await, of(false).await);
    // The minifier writes numbers as short as it can.
    let shortest = |id: &str| format!("[{:#x}]", id.parse::<u64>().unwrap());
    let forces = |script: &str, id: &str| script.contains(&shortest(id));

    let switched = shown(&shop, &format!("{switchable}.{short}-5900")).await.unwrap();
    let not_switched = shown(&shop, &format!("{fixed}.{short}")).await.unwrap();

    assert!(forces(&switched, &short) && switched.contains("Ship today"), "{switched}");
    assert!(!switched.contains("Half price"), "{switched}");
    assert!(forces(&shown(&shop, &switchable).await.unwrap(), &original));
    assert!(forces(&not_switched, &original) && !forces(&not_switched, &short), "{not_switched}");
}

#[tokio::test]
async fn a_revoked_link_shows_nothing_from_then_on() {
    let shop = with_draft().await;
    let (made, other) = (draft_link(&shop).await, draft_link(&shop).await);
    assert!(shown(&shop, &made).await.is_ok());
    let id = made.split('.').nth(2).unwrap();

    let revoked = revoke_preview_link(shop.app(), &shop.actor, shop.id, id).await;

    assert!(revoked.unwrap());
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::Revoked)));
    assert!(shown(&shop, &other).await.is_ok());
    assert!(!revoke_preview_link(shop.app(), &shop.actor, shop.id, "77").await.unwrap());
}

#[tokio::test]
async fn a_project_lists_its_links_with_who_made_them_and_when_they_were_opened() {
    let shop = with_draft().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    let (made, _never_opened) = (draft_link(&editor).await, draft_link(&shop).await);
    shop.server.advance_seconds(60);
    let opened_at = shop.app().now();
    shown(&shop, &made).await.unwrap();
    shop.server.advance_seconds(60);
    shown(&shop, &made).await.unwrap();

    let links = list_preview_links(shop.app(), &shop.actor, shop.id).await.unwrap().unwrap();

    let link = links.iter().find(|link| link.url.ends_with(&made)).unwrap();
    assert_eq!((link.kept.made_by.as_str(), link.state.word()), ("eve@example.com", "valid"));
    assert_eq!(link.kept.last_opened_at, Some(opened_at), "one opening in an hour is written down");
    assert_eq!(links.iter().filter(|link| link.kept.last_opened_at.is_some()).count(), 1);
    let elsewhere = "2000".parse().unwrap();
    assert_eq!(list_preview_links(shop.app(), &shop.actor, elsewhere).await.unwrap(), None);
}

#[tokio::test]
async fn a_link_is_kept_without_any_token() {
    let shop = with_draft().await;
    let made = draft_link(&shop).await;
    let url = format!("https://shop.example/?a=1&experimentation_preview={made}");
    let request = PreviewRequest {
        url,
        variations: vec!["short".to_owned()],
        source: PreviewSource::Live,
        is_switchable: false,
        lifetime: None,
    };

    let link = make_preview_link(shop.app(), &shop.actor, shop.id, &request).await.unwrap();

    assert_eq!(link.kept.url, "https://shop.example/?a=1");
    assert!(!link.url.contains(&made), "{}", link.url);
}

#[tokio::test]
async fn a_project_that_takes_no_previews_makes_no_links_and_shows_none() {
    let shop = with_draft().await;
    let token = draft_link(&shop).await;
    shop.change_project(json!({"snippet": {"preview": false}})).await.unwrap();
    shop.publish("").await.unwrap();

    let made = link(&shop, (PreviewSource::Live, "short"), None).await;

    assert!(matches!(made, Err(MakePreviewLinkError::SwitchedOff)), "{made:?}");
    assert!(matches!(shown(&shop, &token).await, Err(FindPreviewError::SwitchedOff)));
}
