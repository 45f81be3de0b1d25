//! An application exchanges a code for tokens.

use oauth::{ClientKind, ErrorCode, ScopeSet};

use super::with_program;
use crate::program::{CHALLENGE, Program, S256, Tokens, VERIFIER, error_code};

#[tokio::test]
async fn a_wrong_code_is_an_invalid_grant() {
    let (server, ann, program) = with_program().await;
    let code = program.code(&server, &ann, &[]).await;
    let (cut, longer, upper) = (&code[..code.len() - 1], format!("{code}A"), code.to_uppercase());

    for wrong in ["x", cut, &longer, &upper] {
        let answer = program.exchange(&server, wrong).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant, "{wrong}");
    }
    assert!(program.exchange(&server, &code).await.is_ok(), "a guess spends nothing");
}

#[tokio::test]
async fn a_wrong_redirect_uri_is_an_invalid_grant() {
    let (server, ann, program) = with_program().await;
    let code = program.code(&server, &ann, &[]).await;

    for wrong in ["/", "?", "#", "x"] {
        let redirect_uri = format!("{}{wrong}", program.redirect_uri);
        let other = Program { redirect_uri, ..program.clone() };
        let answer = other.exchange(&server, &code).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant, "{wrong}");
    }
}

#[tokio::test]
async fn code_cannot_be_exchanged_twice_and_trying_ends_what_it_gave() {
    let (server, ann, program) = with_program().await;
    let code = program.code(&server, &ann, &[]).await;
    let tokens = Tokens::of(program.exchange(&server, &code).await.unwrap());
    assert!(server.opens(&tokens.access).await);

    let again = program.exchange(&server, &code).await;

    assert_eq!(error_code(again), ErrorCode::InvalidGrant);
    assert!(!server.opens(&tokens.access).await);
    let refreshed = program.refresh(&server, &tokens.refresh).await;
    assert_eq!(error_code(refreshed), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn code_of_another_application_is_refused_and_stays_good_for_its_owner() {
    let (server, ann, program) = with_program().await;
    let other = server.program("Other", ClientKind::Confidential).await;
    let code = program.code(&server, &ann, &[]).await;

    let stolen = other.exchange(&server, &code).await;

    assert_eq!(error_code(stolen), ErrorCode::InvalidGrant);
    let tokens = Tokens::of(program.exchange(&server, &code).await.unwrap());
    let late = other.exchange(&server, &code).await;
    assert_eq!(error_code(late), ErrorCode::InvalidGrant);
    assert!(server.opens(&tokens.access).await);
}

#[tokio::test]
async fn code_lives_for_one_minute() {
    let (server, ann, program) = with_program().await;
    let [first, second] =
        [program.code(&server, &ann, &[]).await, program.code(&server, &ann, &[]).await];

    server.advance_seconds(59);
    let in_time = program.exchange(&server, &first).await;
    server.advance_seconds(2);
    let late = program.exchange(&server, &second).await;

    assert!(in_time.is_ok());
    assert_eq!(error_code(late), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn tokens_are_not_codes() {
    let (server, ann, program) = with_program().await;
    let tokens = program.tokens(&server, &ann, "all").await;

    for token in [&tokens.access, &tokens.refresh] {
        let answer = program.exchange(&server, token).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant);
    }
    assert!(!server.opens(&tokens.refresh).await);
    assert!(server.opens(&tokens.access).await);
}

#[tokio::test]
async fn the_verifier_must_fit_the_challenge() {
    let (server, ann, program) = with_program().await;
    let code = program.code(&server, &ann, &S256).await;
    let padded = format!("{VERIFIER}=");

    for wrong in [CHALLENGE, &VERIFIER[1..], &padded, &"a".repeat(200), ""] {
        let answer = program.exchange_with(&server, &code, &[("code_verifier", wrong)]).await;
        assert_eq!(error_code(answer), ErrorCode::InvalidGrant, "{wrong}");
    }
    let without = program.exchange(&server, &code).await;
    assert_eq!(error_code(without), ErrorCode::InvalidGrant);
    let right = program.exchange_with(&server, &code, &[("code_verifier", VERIFIER)]).await;
    assert!(right.is_ok());
}

#[tokio::test]
async fn a_verifier_without_a_challenge_is_refused() {
    let (server, ann, program) = with_program().await;
    let code = program.code(&server, &ann, &[]).await;

    let answer = program.exchange_with(&server, &code, &[("code_verifier", VERIFIER)]).await;

    assert_eq!(error_code(answer), ErrorCode::InvalidGrant);
}

#[tokio::test]
async fn without_a_scope_a_client_gets_the_least_and_the_answer_names_it() {
    let (server, ann, _) = with_program().await;
    let program = server.program_for("Small", ClientKind::Confidential, None).await;
    let told = async |more: &[(&str, &str)]| {
        let code = program.code(&server, &ann, more).await;
        program.exchange(&server, &code).await.unwrap().scope
    };

    assert_eq!(told(&[]).await, Some(ScopeSet::LEAST));
    assert_eq!(told(&[("scope", "publish config:read")]).await, None, "it is what was asked for");
    assert_eq!(told(&[("scope", "all")]).await, None);
}
