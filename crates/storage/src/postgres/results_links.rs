//! Links that show results.

use async_trait::async_trait;
use deadpool_postgres::Object;
use domain::ProjectId;
use oauth::CredentialHash;

use super::query::{begin, commit, execute, query, query_opt, storable};
use super::{PostgresStore, audit, authority, projects};
use crate::results_links::{NewResultsLink, RESULTS_LINKS_AT_MOST, ResultsLink, ResultsLinkStore};
use crate::statements::results_links::{
    ADD_RESULTS_LINK, FIND_RESULTS_LINK, LIST_RESULTS_LINKS, REMOVE_RESULTS_LINK,
};
use crate::stored::{campaign_row_id, project_row_id};
use crate::{NewAuditEntry, StorageError};

#[async_trait]
impl ResultsLinkStore for PostgresStore {
    async fn add_results_link(
        &self,
        link: NewResultsLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let mut connection = self.connections.get().await?;
        let is_added = add(&mut connection.database, &link, &entry).await?;
        self.clean(connection, entry.act.at);
        Ok(is_added)
    }

    async fn find_results_link(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<ResultsLink>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&hash.as_bytes().as_slice() as _];
        let found = query_opt(&connection.database, FIND_RESULTS_LINK, &values).await?;
        found.map(|row| ResultsLink::from_row(&row)).transpose()
    }

    async fn list_results_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<ResultsLink>, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&project_row_id(project) as _];
        let rows = query(&connection.database, LIST_RESULTS_LINKS, &values).await?;
        rows.iter().map(ResultsLink::from_row).collect()
    }

    async fn remove_results_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let Some(id) = storable(id) else { return Ok(false) };
        let mut connection = self.connections.get().await?;
        let transaction = begin(&mut connection.database).await?;
        let values = [&project_row_id(project) as _, &id as _];
        if execute(&transaction, REMOVE_RESULTS_LINK, &values).await? == 0 {
            return Ok(false);
        }
        audit::add(&transaction, &entry).await?;
        commit(transaction).await?;
        Ok(true)
    }
}

async fn add(
    database: &mut Object,
    NewResultsLink { authority, hash, link }: &NewResultsLink,
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    let transaction = begin(database).await?;
    projects::hold(&transaction, link.project).await?;
    authority::hold(&transaction, *authority, link.made_at).await?;
    let values = [
        &link.id as _,
        &hash.as_bytes().as_slice() as _,
        &project_row_id(link.project) as _,
        &campaign_row_id(link.campaign) as _,
        &link.member_row() as _,
        &link.made_by as _,
        &link.made_at.as_milliseconds() as _,
        &link.expires_at.as_milliseconds() as _,
        &RESULTS_LINKS_AT_MOST as _,
    ];
    if execute(&transaction, ADD_RESULTS_LINK, &values).await? == 0 {
        return Ok(false);
    }
    audit::add(&transaction, entry).await?;
    commit(transaction).await?;
    Ok(true)
}
