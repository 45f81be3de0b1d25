//! What members decide about applications.

use app::grants::{Authorization, AuthorizeError, DecideConsentError, Decision};
use app::sessions::sign_out;
use oauth::{ClientKind, Scope, UnansweredRequest};
use secrecy::ExposeSecret as _;
use storage::{AuditEvent, Role};

use super::with_program;
use crate::program::{LOOPBACK_URI, Program, S256, Tokens, returned};
use crate::server::{ADDRESS, grant};

/// The address to which the browser goes.
#[track_caller]
fn address(authorization: Authorization) -> String {
    let Authorization::Answered(address) = authorization else { panic!("{authorization:?}") };
    address.expose_secret().to_owned()
}

fn is_asked(authorization: &Authorization) -> bool {
    matches!(authorization, Authorization::ConsentNeeded(_))
}

#[tokio::test]
async fn a_member_may_say_no() {
    let (server, ann, program) = with_program().await;

    let answer = (&[("state", "xyz")][..], Decision::Deny, 0);
    let denied = program.answer(&server, &ann, answer).await.unwrap();

    assert_eq!(returned(&denied, "error").as_deref(), Some("access_denied"));
    assert_eq!(returned(&denied, "state").as_deref(), Some("xyz"));
    assert_eq!(returned(&denied, "iss").as_deref(), Some("https://assay.example"));
    assert_eq!(returned(&denied, "code"), None);
    let log = server.audit().await;
    assert_eq!((log[0].event, log[0].detail.as_deref()), (AuditEvent::ConsentDenied, Some(ALL)));
}

const ALL: &str =
    "config:read config:write publish results:read events:write members:write audit:read";

#[tokio::test]
async fn consent_is_remembered_for_what_was_allowed() {
    let (server, ann, program) = with_program().await;
    program.code(&server, &ann, &[("scope", "config:read publish")]).await;
    let ask = async |more: &[(&str, &str)]| program.ask(&server, Some(&ann), more).await.unwrap();

    for less in [&[("scope", "publish")][..], &[("scope", "publish"), ("prompt", "none")]] {
        let code = returned(&address(ask(less).await), "code").unwrap();
        assert!(program.exchange(&server, &code).await.is_ok(), "{less:?}");
    }
    assert!(is_asked(&ask(&[("scope", "members:write")]).await));
    assert!(is_asked(&ask(&[("scope", "publish"), ("prompt", "consent")]).await));
    let silently = ask(&[("scope", "members:write"), ("prompt", "none")]).await;
    let error = returned(&address(silently), "error");
    assert_eq!(error.as_deref(), Some("consent_required"));
}

#[tokio::test]
async fn a_signed_out_person_signs_in_before_consent() {
    let (server, _, program) = with_program().await;
    let ask = async |more: &[(&str, &str)]| program.ask(&server, None, more).await.unwrap();

    let asked = ask(&[("login_hint", "ann@example.com")]).await;
    let silently = ask(&[("prompt", "none")]).await;

    let Authorization::SignInNeeded(needed) = asked else { panic!("{asked:?}") };
    assert_eq!(needed.login_hint.as_deref(), Some("ann@example.com"));
    assert!(needed.continue_with.contains(&program.client_id), "{}", needed.continue_with);
    assert_eq!(returned(&address(silently), "error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_wish_for_a_fresh_sign_in_is_fulfilled_once() {
    let (server, ann, program) = with_program().await;

    let asked = program.ask(&server, Some(&ann), &[("prompt", "login")]).await.unwrap();

    let Authorization::SignInNeeded(needed) = asked else { panic!("{asked:?}") };
    assert!(!needed.continue_with.contains("prompt=login"), "{}", needed.continue_with);
}

#[tokio::test]
async fn a_program_without_a_secret_on_the_own_machine_is_asked_about_each_time() {
    let (server, ann, _) = with_program().await;
    let program = server.program("App", ClientKind::Public).await;
    let local = Program { redirect_uri: LOOPBACK_URI.to_owned(), ..program.clone() };
    local.code(&server, &ann, &S256).await;

    let on_this_machine = local.ask(&server, Some(&ann), &S256).await.unwrap();
    let on_the_web = program.ask(&server, Some(&ann), &S256).await.unwrap();

    let reason = "any program on the machine can pretend to be this one (RFC 8252 section 8.6)";
    assert!(is_asked(&on_this_machine), "{reason}");
    assert!(returned(&address(on_the_web), "code").is_some());
}

#[tokio::test]
async fn a_form_that_is_sent_twice_gives_one_code() {
    let (server, ann, program) = with_program().await;
    let send = async || {
        let answer = (&[][..], Decision::Allow, 7);
        program.answer(&server, &ann, answer).await
    };

    let code = returned(&send().await.unwrap(), "code").unwrap();
    let impatient = returned(&send().await.unwrap(), "code").unwrap();
    let tokens = Tokens::of(program.exchange(&server, &code).await.unwrap());
    let back_later = send().await;

    assert_eq!(impatient, code);
    assert!(matches!(back_later, Err(DecideConsentError::AnsweredBefore)), "{back_later:?}");
    assert!(server.opens(&tokens.access).await);
}

#[tokio::test]
async fn two_forms_give_two_codes_and_so_does_one_form_with_another_request_in_it() {
    let (server, ann, program) = with_program().await;
    let mut codes = Vec::new();

    for (more, form) in [(&[][..], 1), (&[], 2), (&[("scope", "publish")], 1)] {
        let answer = program.answer(&server, &ann, (more, Decision::Allow, form)).await.unwrap();
        codes.push(returned(&answer, "code").unwrap());
    }

    for code in &codes {
        assert!(program.exchange(&server, code).await.is_ok());
    }
    codes.dedup();
    assert_eq!(codes.len(), 3);
}

#[tokio::test]
async fn a_form_of_a_session_that_has_ended_gives_nothing() {
    let (server, ann, program) = with_program().await;
    let credential = format!("session of {}", ann.id);
    sign_out(&server.app, &credential, ADDRESS).await.unwrap();

    let late = program.answer(&server, &ann, (&[], Decision::Allow, 1)).await;

    assert!(matches!(late, Err(DecideConsentError::SignedOut)), "{late:?}");
}

#[tokio::test]
async fn consent_promises_no_more_than_the_member_may_do() {
    let (server, ann, program) = with_program().await;
    let editor = server.member_id("eve", &[grant(Role::Editor, Some("1000"))]).await;
    let editor = server.sign_in(editor).await;
    let scope = [("scope", "config:read config:write audit:read members:write")];

    let of_editor = program.ask(&server, Some(&editor), &scope).await.unwrap();
    let of_owner = program.ask(&server, Some(&ann), &scope).await.unwrap();

    let (Authorization::ConsentNeeded(of_editor), Authorization::ConsentNeeded(of_owner)) =
        (of_editor, of_owner)
    else {
        panic!("the member is not asked")
    };
    assert_eq!(of_editor.beyond_rights, [Scope::MembersWrite, Scope::AuditRead]);
    assert_eq!(of_owner.beyond_rights, []);
}

#[tokio::test]
async fn a_client_cannot_ask_for_more_than_its_registered_scope() {
    let (server, ann, _) = with_program().await;
    let some = Some("config:read publish");
    let program = server.program_for("Small", ClientKind::Confidential, some).await;
    let ask = async |scope| program.ask(&server, Some(&ann), &[("scope", scope)]).await.unwrap();

    let wider = returned(&address(ask("config:read audit:read").await), "error");

    assert_eq!(wider.as_deref(), Some("invalid_scope"));
    assert!(is_asked(&ask("publish").await));
}

#[tokio::test]
async fn a_request_without_a_trusted_redirect_uri_is_answered_on_our_page() {
    let (server, ann, program) = with_program().await;
    let unknown = Program { client_id: "nobody".to_owned(), ..program.clone() };
    let elsewhere = Program { redirect_uri: "https://evil.example/".to_owned(), ..program };

    for (program, reason) in [
        (unknown, UnansweredRequest::UnknownClient),
        (elsewhere, UnansweredRequest::UnregisteredRedirectUri),
    ] {
        let refusal = program.ask(&server, Some(&ann), &[]).await.unwrap_err();
        let AuthorizeError::Unanswered(told) = refusal else { panic!("{refusal:?}") };
        assert_eq!(told, reason);
    }
}
