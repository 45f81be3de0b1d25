//! An application gives its tokens back (RFC 7009), and a member takes back what they allowed.

use app::connections::{disconnect, list_connected_applications};
use oauth::{ClientKind, ErrorCode};

use super::with_program;
use crate::program::error_code;
use crate::server::ADDRESS;

#[tokio::test]
async fn revoking_a_refresh_token_ends_everything_that_came_with_it() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    assert!(server.opens(&tokens.access).await);

    program.revoke(&server, &tokens.refresh).await.unwrap();

    assert!(!server.opens(&tokens.access).await);
    let refreshed = program.refresh(&server, &tokens.refresh).await;
    assert_eq!(error_code(refreshed), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn revoking_an_access_token_leaves_the_others() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    program.revoke(&server, &tokens.access).await.unwrap();

    assert!(!server.opens(&tokens.access).await);
    assert!(program.refresh(&server, &tokens.refresh).await.is_ok());
}

#[tokio::test]
async fn revoking_a_text_that_is_no_token_succeeds() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let long = format!("eyJ{}", "a".repeat(9_000));

    for nothing in ["x", &tokens.refresh[1..], "assay_rt_AAAA", "☃", &long] {
        assert!(program.revoke(&server, nothing).await.is_ok(), "{nothing}");
    }
    assert!(server.opens(&tokens.access).await);
}

#[tokio::test]
async fn another_clients_token_stays_good() {
    let (server, ann, program) = with_program().await;
    let other = server.program("Other", ClientKind::Confidential).await;
    let tokens = program.tokens(&server, &ann, "all").await;

    for token in [&tokens.access, &tokens.refresh] {
        assert!(other.revoke(&server, token).await.is_ok());
    }

    assert!(server.opens(&tokens.access).await);
    assert!(program.refresh(&server, &tokens.refresh).await.is_ok());
}

#[tokio::test]
async fn only_a_client_that_proves_itself_revokes() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let mut thief = program.clone();

    for secret in [Some("wrong".to_owned()), None] {
        thief.client_secret = secret;
        let answer = thief.revoke(&server, &tokens.access).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidClient);
    }
    let nothing = program.revoke(&server, "").await;
    assert_eq!(error_code(nothing), ErrorCode::InvalidRequest);
    assert!(server.opens(&tokens.access).await);
}

#[tokio::test]
async fn what_a_member_disconnects_opens_nothing_from_then_on() {
    let (server, ann, program) = with_program().await;
    let other = server.program("Other", ClientKind::Confidential).await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let others = other.tokens(&server, &ann, "all").await;
    let code = program.code(&server, &ann, &[]).await;

    disconnect(&server.app, &ann, &program.client_id, ADDRESS).await.unwrap();

    assert!(!server.opens(&tokens.access).await);
    for answer in
        [program.refresh(&server, &tokens.refresh).await, program.exchange(&server, &code).await]
    {
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant);
    }
    assert!(server.opens(&others.access).await);
    let left = list_connected_applications(&server.app, &ann).await.unwrap();
    assert_eq!(left.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["Other"]);
}

#[tokio::test]
async fn a_member_ends_only_what_is_theirs() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let bob = server.member_id("bob", &[storage::RoleGrant::OWNER]).await;
    let bob = server.sign_in(bob).await;

    for id in [&*program.client_id, "nobody", "not an id", ""] {
        disconnect(&server.app, &bob, id, ADDRESS).await.unwrap();
    }

    assert!(server.opens(&tokens.access).await);
}
