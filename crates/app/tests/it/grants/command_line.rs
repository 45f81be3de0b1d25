//! The command line, which every server knows without being told.

use app::applications::{
    COMMAND_LINE_CLIENT_ID, RemoveApplicationError, disable_application, remove_application,
};
use app::roles::Actor;

use super::with_program;
use crate::program::{LOOPBACK_URI, Program, S256};

#[tokio::test]
async fn the_command_line_cannot_be_removed_so_that_it_stays_disabled() {
    let (server, ann, _) = with_program().await;
    let command_line = Program {
        client_id: COMMAND_LINE_CLIENT_ID.to_owned(),
        client_secret: None,
        redirect_uri: LOOPBACK_URI.to_owned(),
    };
    command_line.code(&server, &ann, &S256).await;
    let owner = Actor::in_session(ann.id, ann.session, None);
    let client_id = COMMAND_LINE_CLIENT_ID.parse().unwrap();
    disable_application(&server.app, &owner, &client_id).await.unwrap();
    let client = server.app.store().lookup_client(&client_id).await.unwrap().unwrap();

    for actor in [owner, Actor::Command] {
        let removed = remove_application(&server.app, &actor, &client).await;
        assert!(matches!(removed, Err(RemoveApplicationError::BuiltIn)), "{removed:?}");
    }

    let kept = server.app.store().lookup_client(&client_id).await.unwrap().unwrap();
    assert!(kept.disabled_at.is_some());
}
