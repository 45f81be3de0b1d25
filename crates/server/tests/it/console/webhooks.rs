//! The pages of webhooks: an editor adds one, sees its secret once, tries it, and looks at the log.

use oauth::Lifetime;
use storage::{DeliveryAttempt, DeliveryOutcome, FurthestWaits, Lease, Role, SettledAttempt};

use super::{browser_of, owner, shop, with_shop};
use crate::browser::{Browser, form_token, token_of_another_tab};
use crate::site::{Answer, Site};

const PATH: &str = "/projects/1000/webhooks";

async fn add(browser: &Browser<'_>, more: &[(&str, &str)]) -> Answer {
    let page = browser.open(PATH).await;
    let fields = [&[("csrf", form_token(&page))], more].concat();
    browser.post(&format!("{PATH}/add"), &fields).await
}

/// The address of the only webhook.
fn path_in(page: &Answer) -> String {
    let (_, behind) = page.body.split_once(&format!("href=\"{PATH}/")).expect(&page.body);
    format!("{PATH}/{}", behind.split('"').next().unwrap())
}

/// The version in the forms of a webhook's page.
fn seen(page: &Answer) -> &str {
    let (_, behind) = page.body.split_once("name=\"seen\" value=\"").expect(&page.body);
    behind.split('"').next().unwrap()
}

fn secret(page: &Answer) -> Option<&str> {
    let (_, behind) = page.body.split_once("id=\"webhook-secret\">")?;
    behind.split('<').next()
}

#[tokio::test]
async fn an_editor_adds_a_webhook_and_sees_its_secret_once() {
    let site = shop().await;
    let eva = browser_of(&site, "eva", Role::Editor).await;
    let settings = eva.open("/projects/1000/settings").await;
    let fields = [
        ("url", "https://hooks.example/T0/s3cret"),
        ("description", "<i>Slack"),
        ("event", "campaign.started"),
    ];

    let made = add(&eva, &fields).await;
    let listed = eva.open(PATH).await;
    let one = eva.open(&path_in(&listed)).await;

    assert!(settings.body.contains(&format!("href=\"{PATH}\"")), "{}", settings.body);
    assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "no-store"));
    let secret = secret(&made).unwrap();
    assert!(secret.starts_with("whsec_"), "{secret}");
    assert!(listed.body.contains("&#60;i&#62;Slack"), "{}", listed.body);
    assert!(!listed.body.contains("s3cret") && !listed.body.contains(secret));
    assert!(one.body.contains("value=\"https://hooks.example/T0/s3cret\""), "{}", one.body);
    assert!(one.body.contains("value=\"campaign.started\" checked"), "{}", one.body);
    assert!(!one.body.contains(secret));
}

#[tokio::test]
async fn a_wrong_address_stays_in_the_form_with_what_is_wrong() {
    let site = shop().await;
    let olga = owner(&site).await;

    let refused = add(&olga, &[("url", "https://10.0.0.1/hook"), ("description", "mine")]).await;

    assert_eq!(refused.status.as_u16(), 422);
    for part in ["value=\"https://10.0.0.1/hook\"", "value=\"mine\"", "private network"] {
        assert!(refused.body.contains(part), "{part} in {}", refused.body);
    }
}

#[tokio::test]
async fn a_member_tries_changes_and_removes_a_webhook() {
    let site = shop().await;
    let olga = owner(&site).await;
    add(&olga, &[("url", "https://hooks.example/")]).await;
    let path = path_in(&olga.open(PATH).await);
    let act = async |act: &str, more: &[(&str, &str)]| {
        let page = olga.open(&path).await;
        let fields = [&[("csrf", form_token(&page)), ("seen", seen(&page))], more].concat();
        olga.post(&format!("{path}/{act}"), &fields).await
    };

    assert_eq!(act("test", &[]).await.location(), format!("{path}?done=sent"));
    let log = olga.open(&path).await;
    let (_, behind) = log.body.split_once("name=\"delivery\" value=\"").expect(&log.body);
    let message = behind.split('"').next().unwrap().to_owned();
    let again = act("redeliver", &[("delivery", &message)]).await;
    site.advance_seconds(1);
    let at = site.app.now();
    let lease = Lease { at, until: at + Lifetime::from_seconds(60) };
    let day = at + Lifetime::from_seconds(86_400);
    let furthest = FurthestWaits { leased_until: day, due_at: day };
    site.app.store().claim_webhook_deliveries(lease, furthest, 1).await.unwrap();
    let under_way = act("redeliver", &[("delivery", &message)]).await;
    let unknown = act("redeliver", &[("delivery", "msg_0")]).await;
    let renewed = act("renew", &[]).await;
    let off = act("change", &[("url", "https://other.example/"), ("description", "")]).await;
    let page = olga.open(&path).await;
    let refused = act("test", &[]).await;
    let removed = act("remove", &[]).await;

    assert!(log.body.contains("webhook.test") && log.body.contains("waiting"), "{}", log.body);
    assert_eq!(again.location(), format!("{path}?done=again"));
    assert_eq!(under_way.location(), format!("{path}?problem=under-way"));
    assert_eq!(unknown.location(), format!("{path}?problem=unknown"));
    assert!(secret(&renewed).is_some());
    assert_eq!(off.location(), format!("{path}?done=changed"));
    assert!(page.body.contains("Webhook to <bdi>other.example"), "{}", page.body);
    assert!(page.body.contains("the secret before signs as well"), "{}", page.body);
    assert_eq!(refused.location(), format!("{path}?problem=off"));
    assert_eq!(removed.location(), format!("{PATH}?done=removed"));
    assert_eq!(olga.open(&path).await.status.as_u16(), 404);
}

#[tokio::test]
async fn a_secret_is_not_renewed_again_by_the_same_form() {
    let site = shop().await;
    let olga = owner(&site).await;
    add(&olga, &[("url", "https://hooks.example/")]).await;
    let path = path_in(&olga.open(PATH).await);
    let page = olga.open(&path).await;
    let fields = [("csrf", form_token(&page)), ("seen", seen(&page))];

    let renewed = olga.post(&format!("{path}/renew"), &fields).await;
    let reloaded = olga.post(&format!("{path}/renew"), &fields).await;
    let csrf = token_of_another_tab(&page);
    let other_tab = [("csrf", csrf.as_str()), ("seen", seen(&page))];
    let again = olga.post(&format!("{path}/renew"), &other_tab).await;
    let told = olga.open(again.location()).await;
    let blind = olga.post(&format!("{path}/renew"), &fields[..1]).await;

    assert!(secret(&renewed).is_some(), "{}", renewed.body);
    assert_eq!(secret(&reloaded), secret(&renewed));
    assert_eq!(again.location(), format!("{path}?problem=other"));
    assert_eq!(seen(&told), seen(&renewed), "it is as the first left it");
    assert!(told.body.contains("so nothing was done"), "{}", told.body);
    assert_eq!(blind.location(), format!("{path}?problem=other"));
}

#[tokio::test]
async fn a_change_does_not_overwrite_one_that_its_member_has_not_seen() {
    let site = shop().await;
    let (olga, eva) = (owner(&site).await, browser_of(&site, "eva", Role::Editor).await);
    add(&olga, &[("url", "https://hooks.example/")]).await;
    let path = path_in(&olga.open(PATH).await);
    let change = async |browser: &Browser<'_>, page: &Answer, url: &str| {
        let fields = [("csrf", form_token(page)), ("seen", seen(page)), ("url", url)];
        browser.post(&format!("{path}/change"), &fields).await
    };
    let (seen_by_olga, seen_by_eva) = (olga.open(&path).await, eva.open(&path).await);

    let first = change(&olga, &seen_by_olga, "https://one.example/").await;
    let second = change(&eva, &seen_by_eva, "https://two.example/").await;
    let kept = olga.open(&path).await;
    let third = change(&eva, &second, "https://two.example/").await;

    assert_eq!(first.location(), format!("{path}?done=changed"));
    assert_eq!(second.status.as_u16(), 409, "{}", second.body);
    for part in ["value=\"https://two.example/\"", "has changed since the page was shown"] {
        assert!(second.body.contains(part), "{part} in {}", second.body);
    }
    assert!(kept.body.contains("value=\"https://one.example/\""), "{}", kept.body);
    assert_eq!(third.location(), format!("{path}?done=changed"), "{}", third.body);
}

#[tokio::test]
async fn a_server_that_sends_to_no_webhook_says_so() {
    let site = with_shop(Site::start_without_webhooks()).await;
    let olga = owner(&site).await;

    add(&olga, &[("url", "https://hooks.example/")]).await;
    let list = olga.open(PATH).await;
    let path = path_in(&list);
    let fields = [("csrf", form_token(&list))];
    let refused = olga.post(&format!("{path}/test"), &fields).await;
    let told = olga.open(refused.location()).await;

    for page in [list, told] {
        assert!(page.body.contains("This server sends nothing to webhooks"), "{}", page.body);
        assert!(page.body.contains("--webhooks off"), "{}", page.body);
    }
    let usual = shop().await;
    let page = owner(&usual).await.open(PATH).await;
    assert!(!page.body.contains("--webhooks off"), "{}", page.body);
}

/// Tries the only delivery that is due; the receiver answers 503, and asks for ten minutes.
async fn try_in_vain(site: &Site) {
    let (store, at) = (site.app.store(), site.app.now());
    let lease = Lease { at, until: at + Lifetime::from_seconds(60) };
    let day = at + Lifetime::from_seconds(86_400);
    let furthest = FurthestWaits { leased_until: day, due_at: day };
    let claimed = store.claim_webhook_deliveries(lease, furthest, 1).await.unwrap().remove(0);
    let held_until = Some(at + Lifetime::from_seconds(600));
    let settled = SettledAttempt {
        webhook: claimed.webhook,
        message: claimed.message,
        leased_until: lease.until,
        attempt: DeliveryAttempt {
            at,
            status: Some(503),
            took_ms: 7,
            answer: "<b>Busy".to_owned(),
        },
        outcome: DeliveryOutcome::Due,
        due_at: held_until,
        held_until,
    };
    assert!(store.settle_webhook_delivery(settled, None).await.unwrap());
}

#[tokio::test]
async fn a_held_webhook_is_marked_and_the_log_has_every_attempt() {
    let site = shop().await;
    let olga = owner(&site).await;
    add(&olga, &[("url", "https://hooks.example/")]).await;
    let path = path_in(&olga.open(PATH).await);
    let token = |page: &Answer| form_token(page).to_owned();
    let sent = token(&olga.open(&path).await);
    olga.post(&format!("{path}/test"), &[("csrf", &sent)]).await;
    try_in_vain(&site).await;

    let (list, held) = (olga.open(PATH).await.body, olga.open(&path).await.body);
    let (_, behind) = held.split_once("name=\"delivery\" value=\"").expect(&held);
    let message = behind.split('"').next().unwrap();
    let again = [("csrf", &*sent), ("delivery", message)];
    olga.post(&format!("{path}/redeliver"), &again).await;
    let on = olga.open(&path).await.body;
    try_in_vain(&site).await;
    let twice = olga.open(&path).await.body;

    for page in [&list, &held] {
        assert!(page.contains("<span class=\"pill held\">held</span>"), "{page}");
        assert!(page.contains("gets nothing until <time"), "{page}");
    }
    assert!(held.contains("Status 503 after 7 ms: &#60;b&#62;Busy"), "{held}");
    assert!(!held.contains("Earlier attempts"), "{held}");
    assert!(!on.contains("gets nothing until"), "sent again, it is held no more: {on}");
    assert_eq!(twice.matches("Status 503 after 7 ms").count(), 2, "{twice}");
    assert!(twice.contains("<summary>Earlier attempts</summary>"), "{twice}");
}

#[tokio::test]
async fn a_viewer_is_told_which_role_it_takes() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;

    let page = vic.open(PATH).await;

    assert_eq!(page.status.as_u16(), 403, "{}", page.body);
}
