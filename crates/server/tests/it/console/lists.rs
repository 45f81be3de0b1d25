//! The lists of resources: what each line says, and what a search finds.

use storage::Role;

use super::campaigns::running;
use super::{browser_of, shop};

const CAMPAIGNS: &str = "/projects/1000/campaigns";

#[tokio::test]
async fn a_line_says_what_is_published_and_that_nothing_uses_what_needs_a_user() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;

    let campaigns = browser.open(CAMPAIGNS).await.body;
    let audiences = browser.open("/projects/1000/audiences").await.body;

    assert!(campaigns.contains("<span class=\"pill\">published</span>"), "{campaigns}");
    assert!(campaigns.contains("added in the draft"), "{campaigns}");
    assert!(!campaigns.contains("Nothing uses it") && !campaigns.contains(">live<"), "{campaigns}");
    assert!(audiences.contains("Nothing uses it"), "{audiences}");
}
