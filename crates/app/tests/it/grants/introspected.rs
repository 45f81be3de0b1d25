//! An application asks what its tokens are good for (RFC 7662).

use oauth::IntrospectionResponse::{Active, Inactive};
use oauth::{ActiveToken, ClientKind, ErrorCode};

use super::with_program;
use crate::program::{S256, Tokens, VERIFIER, error_code};

#[tokio::test]
async fn a_good_token_is_described() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "config:read publish").await;
    let now = server.app.now();

    for (token, token_type, hours) in
        [(&tokens.access, Some("bearer"), 2), (&tokens.refresh, None, 180 * 24)]
    {
        let Active(told) = program.introspect(&server, token).await.unwrap() else {
            panic!("nothing is said of a good token")
        };
        let expected = ActiveToken {
            scope: oauth::ScopeSet::parse("config:read publish").unwrap(),
            client_id: program.client_id.parse().unwrap(),
            subject: ann.id.to_string(),
            expires_at: now + oauth::Lifetime::from_seconds(hours * 3_600),
            token_type,
            issuer: "https://assay.example".to_owned(),
        };
        assert_eq!(told, expected);
    }
}

#[tokio::test]
async fn of_any_other_token_nothing_is_said() {
    let (server, ann, program) = with_program().await;
    let other = server.program("Other", ClientKind::Confidential).await;
    let open = program.code(&server, &ann, &[]).await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let revoked = program.tokens(&server, &ann, "all").await;
    program.revoke(&server, &revoked.refresh).await.unwrap();
    let long = format!("eyJ{}", "a".repeat(9_000));

    for token in [&open, "x", &revoked.access, &revoked.refresh, &long] {
        assert_eq!(program.introspect(&server, token).await.unwrap(), Inactive, "{token}");
    }
    for token in [&tokens.access, &tokens.refresh] {
        assert_eq!(other.introspect(&server, token).await.unwrap(), Inactive, "another's");
    }
    server.advance_seconds(7_200);
    assert_eq!(program.introspect(&server, &tokens.access).await.unwrap(), Inactive, "expired");
}

#[tokio::test]
async fn only_a_client_with_its_secret_may_ask() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;
    let public = server.program("App", ClientKind::Public).await;
    let code = public.code(&server, &ann, &S256).await;
    let verifier = [("code_verifier", VERIFIER)];
    let of_public = Tokens::of(public.exchange_with(&server, &code, &verifier).await.unwrap());
    let mut thief = program.clone();
    thief.client_secret = Some("wrong".to_owned());

    for answer in [
        thief.introspect(&server, &tokens.access).await,
        public.introspect(&server, &of_public.access).await,
    ] {
        assert_eq!(error_code(answer), ErrorCode::InvalidClient);
    }
    let nothing = program.introspect(&server, "").await;
    assert_eq!(error_code(nothing), ErrorCode::InvalidRequest);
}
