//! Who sends a batch of events. Whether a page or a key may send one at this moment is asked before the batch is read.

use std::net::IpAddr;

use domain::ProjectId;
use secrecy::{ExposeSecret as _, SecretString};

use crate::App;
use crate::events::accept::AcceptError;
use crate::events::names::EventNames;
use crate::roles::Actor;
use crate::throttle::Source;

/// Each begun part of a batch of a page that is so long counts as a batch. A page sends a few hundred bytes at a time; 500 clicks have some 60 KiB.
const BYTES_OF_A_BATCH: usize = 16 * 1024;

/// Who sends a batch.
#[derive(Debug, Clone)]
pub enum Sender {
    /// A page, which cannot prove anything; [`Sender::page`] makes it.
    #[non_exhaustive]
    Page {
        /// The address of its visitor.
        address: IpAddr,
        /// What the browser says where the page comes from.
        origin: Option<String>,
        /// What the browser, or a program, calls itself.
        user_agent: String,
    },
    /// A server or an app that shows the key of a project. The key is public, so this proves nothing either. [`Sender::keyed`] makes it.
    #[non_exhaustive]
    Keyed {
        /// Whose key it is.
        project: ProjectId,
        /// The sender's address.
        address: IpAddr,
        /// What a browser says where its page comes from.
        origin: Option<String>,
    },
    /// A program that shows a token.
    Program(Actor),
}

impl Sender {
    /// A page that a visitor at this address looks at.
    ///
    /// # Errors
    /// [`AcceptError::TooMany`] if the address sends too many batches.
    pub fn page(
        app: &App,
        address: IpAddr,
        origin: Option<String>,
        user_agent: String,
    ) -> Result<Self, AcceptError> {
        let counted = app.limits().event_batches.count(Source::address(address), app.now());
        counted.map_err(AcceptError::from).inspect_err(|error| error.note(app))?;
        Ok(Self::Page { address, origin, user_agent })
    }

    /// Counts a batch of a page for its address as several if it is long: the disk is filled by bytes. It was let in, so the next one waits.
    pub(super) fn count_length(&self, app: &App, bytes: usize) {
        match self {
            Self::Page { address, .. } => {
                let more = u16::try_from(bytes.saturating_sub(1) / BYTES_OF_A_BATCH);
                let more = more.unwrap_or(u16::MAX);
                app.limits().event_batches.add(Source::address(*address), more, app.now());
            }
            Self::Keyed { .. } | Self::Program(_) => {}
        }
    }

    /// A sender at this address that shows this key.
    ///
    /// # Errors
    /// [`AcceptError::WrongKey`] if it is the key of no project, [`AcceptError::TooMany`] if the address shows too many such keys, or
    /// [`AcceptError::Storage`].
    pub async fn keyed(
        app: &App,
        address: IpAddr,
        key: &SecretString,
        origin: Option<String>,
    ) -> Result<Self, AcceptError> {
        let project = project_of(app, address, key).await;
        let project = project.inspect_err(|error| error.note(app))?;
        Ok(Self::Keyed { project, address, origin })
    }

    /// Refuses a batch of another project than that of the key.
    pub(super) fn check_key(&self, app: &App, batch_of: ProjectId) -> Result<(), AcceptError> {
        match self {
            Self::Keyed { project, address, .. } if *project != batch_of => {
                app.limits().wrong_events_keys.count(Source::address(*address), app.now())?;
                Err(AcceptError::WrongKey)
            }
            Self::Keyed { .. } | Self::Page { .. } | Self::Program(_) => Ok(()),
        }
    }

    /// Whether the project listens to pages of this origin. Programs outside of browsers have none, and need the key where origins are listed.
    pub(super) fn may_send(&self, names: &EventNames) -> Result<(), AcceptError> {
        let is_welcome = match self {
            Self::Page { origin, .. } => names.takes_events_from(origin.as_deref()),
            Self::Keyed { origin: Some(origin), .. } => names.takes_events_from(Some(origin)),
            Self::Keyed { origin: None, .. } | Self::Program(_) => true,
        };
        if is_welcome { Ok(()) } else { Err(AcceptError::OriginNotListed) }
    }
}

/// The project that has this key at the moment. It is looked up each time: a renewed key ends in every process at once. A wrong key counts
/// before it is looked up, so that many at once do not slip through.
async fn project_of(
    app: &App,
    address: IpAddr,
    key: &SecretString,
) -> Result<ProjectId, AcceptError> {
    let source = Source::address(address);
    app.limits().wrong_events_keys.count(source, app.now())?;
    let found = app.store().find_project_of_events_key(key.expose_secret()).await;
    if !matches!(found, Ok(None)) {
        app.limits().wrong_events_keys.take_back(source);
    }
    found?.ok_or(AcceptError::WrongKey)
}
