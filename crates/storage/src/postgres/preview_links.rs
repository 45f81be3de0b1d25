//! Preview links.

use std::sync::Arc;

use async_trait::async_trait;
use deadpool_postgres::Object;
use domain::ProjectId;
use oauth::Timestamp;

use super::query::{begin, commit, execute, query, query_one, query_opt, storable};
use super::statements::grants::TELL;
use super::{PostgresStore, audit, projects};
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
impl PreviewLinkStore for PostgresStore {
    async fn add_preview_link(
        &self,
        link: StoredPreviewLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let is_added = add(&mut connection.database, &link, &entry).await?;
        self.clean(connection, link.made_at);
        Ok(is_added)
    }

    async fn find_preview_link(
        &self,
        id: &str,
        _now: Timestamp,
    ) -> Result<Option<Arc<StoredPreviewLink>>, StorageError> {
        if self.cache.find_preview_link(id).is_some()
            && self.listener().hear_everything().await
            && let Some(link) = self.cache.find_preview_link(id)
        {
            return Ok(Some(link));
        }
        let Some(id) = storable(id) else { return Ok(None) };
        let epoch = self.cache.epoch();
        let connection = self.connections.get().await?;
        let found = query_opt(&connection.database, FIND_PREVIEW_LINK, &[&id]).await?;
        let found = found.map(|row| StoredPreviewLink::from_row(&row)).transpose()?.map(Arc::new);
        if let Some(link) = &found {
            self.cache.keep_preview_link(epoch, Arc::clone(link));
        }
        Ok(found)
    }

    async fn list_preview_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<StoredPreviewLink>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_PREVIEW_LINKS, &values).await?;
        rows.iter().map(StoredPreviewLink::from_row).collect()
    }

    async fn revoke_preview_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let Some(id) = storable(id) else { return Ok(false) };
        let mut connection = self.connections.get().await?;
        let epoch = self.cache.epoch();
        let done = revoke(&mut connection.database, (project, id), &entry).await?;
        Ok(self.answer(epoch, done))
    }

    async fn note_preview_link_opened(&self, id: &str, now: Timestamp) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        let hour_ago = (now - OPENING_KNOWN_TO).as_milliseconds();
        let values = [&now.as_milliseconds() as _, &id as _, &hour_ago as _];
        execute(&connection.database, NOTE_PREVIEW_LINK_OPENED, &values).await?;
        self.cache.forget_preview_link(id);
        Ok(())
    }
}

async fn add(
    database: &mut Object,
    link: &StoredPreviewLink,
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    projects::hold(&transaction, link.project).await?;
    let (project, made_at) = (project_row_id(link.project), link.made_at.as_milliseconds());
    let values = [
        &link.id as _,
        &project as _,
        &link.url as _,
        &link.variations_text() as _,
        &i64::from(link.is_switchable) as _,
        &i64::from(link.is_draft) as _,
        &link.member_row() as _,
        &link.made_by as _,
        &made_at as _,
        &link.expires_at.as_milliseconds() as _,
        &PREVIEW_LINKS_AT_MOST as _,
    ];
    if execute(&transaction, ADD_PREVIEW_LINK, &values).await? == 0 {
        return Ok(false);
    }
    let values = [&project as _, &made_at as _, &ENDED_LINKS_AT_MOST as _];
    execute(&transaction, DELETE_ENDED_PREVIEW_LINKS, &values).await?;
    audit::add(&transaction, entry).await?;
    commit(transaction).await?;
    Ok(true)
}

async fn revoke(
    database: &mut Object,
    (project, id): (ProjectId, &str),
    entry: &NewAuditEntry,
) -> Result<(bool, Change), StorageError> {
    let transaction = begin(database).await?;
    let (project, now) = (project_row_id(project), entry.act.at.as_milliseconds());
    if execute(&transaction, REVOKE_PREVIEW_LINK, &[&now, &project, &id]).await? == 0 {
        let known = query_opt(&transaction, HAS_PREVIEW_LINK, &[&project, &id]).await?;
        return Ok((known.is_some(), Change::Nothing));
    }
    audit::add(&transaction, entry).await?;
    let invalidation = Invalidation::PreviewLink(id.to_owned());
    query_one(&transaction, TELL, &[&invalidation.to_string()]).await?;
    commit(transaction).await?;
    Ok((true, Change::Ended(invalidation)))
}
