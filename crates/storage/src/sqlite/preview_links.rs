//! Preview links.

use std::sync::Arc;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;
use rusqlite::{Connection, params};

use super::query::{execute, exists, query, query_opt};
use super::{SqliteStore, audit, projects};
use crate::invalidation::{Change, Invalidation};
use crate::preview_links::{
    ENDED_LINKS_AT_MOST, OPENING_KNOWN_TO, PREVIEW_LINKS_AT_MOST, PreviewLinkStore,
    StoredPreviewLink,
};
use crate::statements::preview_links::{
    ADD_PREVIEW_LINK, DELETE_ENDED_PREVIEW_LINKS, FIND_PREVIEW_LINK, HAS_PREVIEW_LINK,
    LIST_PREVIEW_LINKS, NOTE_PREVIEW_LINK_OPENED, REVOKE_PREVIEW_LINK,
};
use crate::stored::project_row_id;
use crate::{NewAuditEntry, StorageError};

#[async_trait]
impl PreviewLinkStore for SqliteStore {
    async fn add_preview_link(
        &self,
        link: StoredPreviewLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        self.writer.write(Some(link.made_at), move |database| add(database, &link, &entry)).await
    }

    async fn find_preview_link(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<StoredPreviewLink>>, StorageError> {
        if self.check_other_processes(now).await
            && let Some(link) = self.cache.find_preview_link(id)
        {
            return Ok(Some(link));
        }
        let (epoch, id) = (self.cache.epoch(), id.to_owned());
        let found = self.readers.read(move |database| find(database, &id)).await?.map(Arc::new);
        if let Some(link) = &found {
            self.cache.keep_preview_link(epoch, Arc::clone(link));
        }
        Ok(found)
    }

    async fn list_preview_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<StoredPreviewLink>, StorageError> {
        self.readers.read(move |database| list(database, project)).await
    }

    async fn revoke_preview_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let (id, now) = (id.to_owned(), entry.act.at);
        self.change_tokens(now, move |database| revoke(database, (project, &id), &entry)).await
    }

    async fn note_preview_link_opened(&self, id: &str, now: Timestamp) -> Result<(), StorageError> {
        let opened = id.to_owned();
        let work = move |database: &Connection| {
            let hour_ago = (now - OPENING_KNOWN_TO).as_milliseconds();
            let values = params![now.as_milliseconds(), opened, hour_ago];
            execute(database, NOTE_PREVIEW_LINK_OPENED, values).map(drop)
        };
        self.writer.write(Some(now), work).await?;
        self.cache.forget_preview_link(id);
        Ok(())
    }
}

fn add(
    database: &Connection,
    link: &StoredPreviewLink,
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    projects::check(database, link.project)?;
    let (project, made_at) = (project_row_id(link.project), link.made_at.as_milliseconds());
    let values = params![
        link.id,
        project,
        link.url,
        link.variations_text(),
        i64::from(link.is_switchable),
        i64::from(link.is_draft),
        link.member_row(),
        link.made_by,
        made_at,
        link.expires_at.as_milliseconds(),
        PREVIEW_LINKS_AT_MOST,
    ];
    if execute(database, ADD_PREVIEW_LINK, values)? == 0 {
        return Ok(false);
    }
    let values = params![project, made_at, ENDED_LINKS_AT_MOST];
    execute(database, DELETE_ENDED_PREVIEW_LINKS, values)?;
    audit::add(database, entry)?;
    Ok(true)
}

fn find(database: &Connection, id: &str) -> Result<Option<StoredPreviewLink>, StorageError> {
    query_opt(database, FIND_PREVIEW_LINK, [id], |row| StoredPreviewLink::from_row(row))
}

fn list(database: &Connection, project: ProjectId) -> Result<Vec<StoredPreviewLink>, StorageError> {
    let values = [project_row_id(project)];
    query(database, LIST_PREVIEW_LINKS, values, |row| StoredPreviewLink::from_row(row))
}

fn revoke(
    database: &Connection,
    (project, id): (ProjectId, &str),
    entry: &NewAuditEntry,
) -> Result<(bool, Change), StorageError> {
    let project = project_row_id(project);
    let values = params![entry.act.at.as_milliseconds(), project, id];
    if execute(database, REVOKE_PREVIEW_LINK, values)? == 0 {
        let is_known = exists(database, HAS_PREVIEW_LINK, params![project, id])?;
        return Ok((is_known, Change::Nothing));
    }
    audit::add(database, entry)?;
    Ok((true, Change::Ended(Invalidation::PreviewLink(id.to_owned()))))
}
