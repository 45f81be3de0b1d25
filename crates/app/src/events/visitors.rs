//! Visitors as results know them: numbers that only this server can make of their ids.

use std::sync::OnceLock;

use domain::ProjectId;
use events::Visitor;
use sha2::{Digest as _, Sha256};
use storage::{KeyUse, StorageError};

use crate::App;
use crate::signing_key::key_for;

/// Separates these hashes from others that the server's key makes.
const PURPOSE: &[u8] = b"assay visitors of project ";

/// How a visitor is told apart from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisitorName {
    /// By the id by which the site knows them.
    Id(String),
    /// By the number that files of events and the audit log have: after a restore, nothing else is known of who was forgotten.
    Number(i64),
}

/// The key that hides the ids of a project's visitors: always the same, and not to be had from what is stored about them.
#[derive(Debug, Clone, Copy)]
pub(super) struct VisitorKey([u8; 32]);

/// The secret of which all projects' keys are made, once it is known.
pub(crate) type ServerSecret = OnceLock<[u8; 32]>;

impl VisitorKey {
    /// The key of a project.
    pub(super) async fn of_project(app: &App, project: ProjectId) -> Result<Self, StorageError> {
        let digest = Sha256::new()
            .chain_update(server_secret(app).await?)
            .chain_update(PURPOSE)
            .chain_update(project.get().to_be_bytes());
        Ok(Self(digest.finalize().into()))
    }

    /// The visitor who is called so.
    pub(super) fn named(self, name: &VisitorName) -> Visitor {
        match name {
            VisitorName::Id(id) => self.visitor(id),
            VisitorName::Number(number) => Visitor::from_number(*number),
        }
    }

    /// The visitor with this id. Spaces around it do not matter, wherever it comes from: files often have some.
    pub(super) fn visitor(self, id: &str) -> Visitor {
        Visitor::of(&self.0, id.trim())
    }
}

/// The secret of this server, of which nothing that is stored beside events can be had.
async fn server_secret(app: &App) -> Result<[u8; 32], StorageError> {
    if let Some(secret) = app.server_secret().get() {
        return Ok(*secret);
    }
    let key = key_for(app, KeyUse::Lasting).await?;
    Ok(*app.server_secret().get_or_init(|| *key.as_bytes()))
}
