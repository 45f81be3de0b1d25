//! An application fetches new access tokens with its refresh token.

use app::applications::{ChangedApplication, change_application};
use app::roles::Actor;
use oauth::{ClientKind, ErrorCode, IntrospectionResponse, ScopeSet};
use secrecy::ExposeSecret as _;

use super::{DAY, with_program};
use crate::program::{Answer, Program, S256, Tokens, VERIFIER, error_code};
use crate::server::Server;

/// The access token of an answer.
fn access(answer: Answer) -> String {
    answer.unwrap().access_token.expose_secret().to_owned()
}

#[tokio::test]
async fn a_confidential_client_keeps_its_refresh_token() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    let first = program.refresh(&server, &tokens.refresh).await.unwrap();
    server.advance_seconds(30 * DAY);
    let second = program.refresh(&server, &tokens.refresh).await;

    assert!(first.refresh_token.is_none() && first.scope.is_none());
    assert!(server.opens(&access(second)).await);
    assert!(!server.opens(&tokens.access).await, "it was good for two hours");
}

#[tokio::test]
async fn a_refresh_token_that_is_not_used_for_long_is_over() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    server.advance_seconds(181 * DAY);

    let late = program.refresh(&server, &tokens.refresh).await;
    assert_eq!(error_code(late), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn using_a_refresh_token_keeps_it_alive_but_not_for_ever() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    for _ in 0..3 {
        server.advance_seconds(100 * DAY);
        assert!(program.refresh(&server, &tokens.refresh).await.is_ok());
    }
    server.advance_seconds(66 * DAY);

    let late = program.refresh(&server, &tokens.refresh).await;
    assert_eq!(error_code(late), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn a_public_client_gets_a_new_refresh_token_each_time_and_reuse_ends_the_grant() {
    let (server, ann, _) = with_program().await;
    let program = server.program("App", ClientKind::Public).await;
    let code = program.code(&server, &ann, &S256).await;
    let verifier = [("code_verifier", VERIFIER)];
    let first = Tokens::of(program.exchange_with(&server, &code, &verifier).await.unwrap());

    let second = Tokens::of(program.refresh(&server, &first.refresh).await.unwrap());
    let third = Tokens::of(program.refresh(&server, &second.refresh).await.unwrap());
    assert!(server.opens(&third.access).await);

    assert_ne!(first.refresh, second.refresh);
    for token in [&first.refresh, &third.refresh] {
        let reused = program.refresh(&server, token).await;
        assert_eq!(error_code(reused), ErrorCode::InvalidGrant);
    }
    assert!(!server.opens(&third.access).await);
}

#[tokio::test]
async fn a_refresh_token_of_another_client_stays_good_for_its_owner() {
    let (server, ann, program) = with_program().await;
    let other = server.program("Other", ClientKind::Confidential).await;
    let tokens = program.tokens(&server, &ann, "all").await;

    let stolen = other.refresh(&server, &tokens.refresh).await;

    assert_eq!(error_code(stolen), ErrorCode::InvalidGrant);
    assert!(program.refresh(&server, &tokens.refresh).await.is_ok());
}

#[tokio::test]
async fn what_is_no_refresh_token_is_an_invalid_grant() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    for wrong in ["x", &tokens.access, &tokens.refresh[1..], &tokens.refresh.to_uppercase()] {
        let answer = program.refresh(&server, wrong).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant, "{wrong}");
    }
    let nothing = program.refresh(&server, "").await;
    assert_eq!(error_code(nothing), ErrorCode::InvalidRequest);
}

#[tokio::test]
async fn the_scope_can_shrink_but_not_grow() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "config:read publish").await;
    let ask =
        async |scope| program.refresh_with(&server, &tokens.refresh, &[("scope", scope)]).await;
    let scope_of = async |token: &str| {
        app::tokens::check_bearer(&server.app, token).await.unwrap().scope.to_string()
    };

    let wider = ask("config:read members:write").await;
    let narrow = access(ask("publish").await);
    let whole = access(ask("publish config:read").await);

    assert_eq!(error_code(wider), ErrorCode::InvalidScope);
    assert_eq!(scope_of(&narrow).await, "publish");
    assert_eq!(scope_of(&whole).await, "config:read publish", "what was narrow once is not lost");
}

/// The registration of a client is for this scope from now on.
async fn register_for(server: &Server, program: &Program, scope: &str) {
    let client_id = program.client_id.parse().unwrap();
    let client = server.app.store().lookup_client(&client_id).await.unwrap().unwrap();
    let change = ChangedApplication { scope: Some(scope.to_owned()), ..Default::default() };
    change_application(&server.app, &Actor::Command, &client, change).await.unwrap();
}

#[tokio::test]
async fn a_narrower_registration_narrows_what_is_refreshed() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "config:read publish").await;
    let refresh = async |more| program.refresh_with(&server, &tokens.refresh, more).await;
    register_for(&server, &program, "config:read members:write").await;

    let unnamed = refresh(&[]).await.unwrap();
    let named = refresh(&[("scope", "config:read")]).await.unwrap();
    let wider = refresh(&[("scope", "config:read publish")]).await;
    let known = program.introspect(&server, &tokens.refresh).await.unwrap();
    register_for(&server, &program, "audit:read").await;
    let nothing = refresh(&[]).await;
    let unknown = program.introspect(&server, &tokens.refresh).await.unwrap();
    register_for(&server, &program, "all").await;
    let whole = refresh(&[]).await.unwrap();

    assert_eq!(unnamed.scope, Some(ScopeSet::LEAST), "the answer tells what it is");
    for given in [&unnamed, &named] {
        let access = given.access_token.expose_secret();
        let scope = app::tokens::check_bearer(&server.app, access).await.unwrap().scope;
        assert_eq!(scope, ScopeSet::LEAST);
    }
    assert_eq!((named.scope, whole.scope), (None, None), "it is what was asked for");
    assert_eq!(error_code(wider), ErrorCode::InvalidScope);
    assert_eq!(error_code(nothing), ErrorCode::InvalidGrant);
    let IntrospectionResponse::Active(known) = known else { panic!("{known:?}") };
    assert_eq!((known.scope, unknown), (ScopeSet::LEAST, IntrospectionResponse::Inactive));
}

#[tokio::test]
async fn a_client_with_another_secret_gets_nothing() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let mut thief = program.clone();

    for secret in [Some("wrong".to_owned()), None] {
        thief.client_secret = secret;
        let answer = thief.refresh(&server, &tokens.refresh).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidClient);
    }
    assert!(program.refresh(&server, &tokens.refresh).await.is_ok());
}
