//! `/v1/projects/{id}/results-links`.

use serde_json::{Value, json};
use storage::Role;

use super::{Call, assert_problem, grant, shops, token_with};
use crate::browser::Browser;

#[tokio::test]
async fn programs_make_list_and_revoke_links() {
    let (site, application) = shops().await;
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let analyst = token_with(&site, &application, grant(Role::Analyst, None)).await;
    let call = Call { site: &site, token: &editor };
    let path = "/v1/projects/1000/results-links";
    let wanted = json!({"campaign": "hero", "expires_in": 3_600});

    let made = call.post(path, &wanted).await;
    let listed = call.get(path).await.json();

    assert_eq!(made.status.as_u16(), 201, "{}", made.body);
    let Value::Object(mut kept) = made.json() else { panic!("{}", made.body) };
    let link = kept.remove("link").unwrap();
    let link = link.as_str().unwrap().strip_prefix("https://assay.example").unwrap();
    assert!(link.starts_with("/shared-results?token=assay_rl_"), "{link}");
    assert_eq!(listed, json!([kept]));
    assert_eq!(Browser::new(&site).open(link).await.status.as_u16(), 200);
    assert_problem(
        &Call { site: &site, token: &analyst }.post(path, &wanted).await,
        403,
        "role_required",
    );
    for (wrong, pointer) in [
        (json!({"campaign": "heroo"}), "#/campaign"),
        (json!({"campaign": "hero", "expires_in": 1}), "#/expires_in"),
        (json!({"campaign": "hero", "expires_in": 400 * 24 * 3_600}), "#/expires_in"),
    ] {
        let refused = call.post(path, &wrong).await;
        assert_problem(&refused, 422, "invalid");
        assert_eq!(refused.json()["errors"][0]["pointer"], pointer, "{}", refused.body);
    }
    let one = format!("{path}/{}", kept["id"].as_str().unwrap());
    assert_eq!(call.delete(&one).await.status.as_u16(), 204);
    assert_problem(&call.delete(&one).await, 404, "not_found");
    assert_eq!(Browser::new(&site).open(link).await.status.as_u16(), 410);
}
