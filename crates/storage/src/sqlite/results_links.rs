//! Links that show results.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::CredentialHash;
use rusqlite::{Connection, params};

use super::query::{execute, query, query_opt};
use super::{SqliteStore, audit, authority, projects};
use crate::results_links::{NewResultsLink, RESULTS_LINKS_AT_MOST, ResultsLink, ResultsLinkStore};
use crate::statements::results_links::{
    ADD_RESULTS_LINK, FIND_RESULTS_LINK, LIST_RESULTS_LINKS, REMOVE_RESULTS_LINK,
};
use crate::stored::{campaign_row_id, project_row_id};
use crate::{NewAuditEntry, StorageError};

#[async_trait]
impl ResultsLinkStore for SqliteStore {
    async fn add_results_link(
        &self,
        link: NewResultsLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let at = entry.act.at;
        self.writer.write(Some(at), move |database| add(database, &link, &entry)).await
    }

    async fn find_results_link(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<ResultsLink>, StorageError> {
        let hash = *hash;
        let find = move |database: &Connection| {
            let values = [hash.as_bytes()];
            query_opt(database, FIND_RESULTS_LINK, values, |row| ResultsLink::from_row(row))
        };
        self.readers.read(find).await
    }

    async fn list_results_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<ResultsLink>, StorageError> {
        let list = move |database: &Connection| {
            let values = [project_row_id(project)];
            query(database, LIST_RESULTS_LINKS, values, |row| ResultsLink::from_row(row))
        };
        self.readers.read(list).await
    }

    async fn remove_results_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError> {
        let (id, at) = (id.to_owned(), entry.act.at);
        let work = move |database: &Connection| {
            if execute(database, REMOVE_RESULTS_LINK, params![project_row_id(project), id])? == 0 {
                return Ok(false);
            }
            audit::add(database, &entry)?;
            Ok(true)
        };
        self.writer.write(Some(at), work).await
    }
}

fn add(
    database: &Connection,
    NewResultsLink { authority, hash, link }: &NewResultsLink,
    entry: &NewAuditEntry,
) -> Result<bool, StorageError> {
    projects::check(database, link.project)?;
    authority::check(database, *authority, link.made_at)?;
    let values = params![
        link.id,
        hash.as_bytes(),
        project_row_id(link.project),
        campaign_row_id(link.campaign),
        link.member_row(),
        link.made_by,
        link.made_at.as_milliseconds(),
        link.expires_at.as_milliseconds(),
        RESULTS_LINKS_AT_MOST,
    ];
    if execute(database, ADD_RESULTS_LINK, values)? == 0 {
        return Ok(false);
    }
    audit::add(database, entry)?;
    Ok(true)
}
