//! How values are written into columns, and read back: alike in both databases.

use domain::{CampaignId, ProjectId};
use oauth::{
    Client, ClientId, ClientKind, ClientOrigin, ClientSecret, CredentialHash, RedirectUri,
    ScopeSet, Timestamp,
};

use crate::row::Row;
use crate::{MemberId, MemberLine, Role, RoleGrant, StorageError, Voucher};

const CONFIDENTIAL: &str = "confidential";
const PUBLIC: &str = "public";
const COMMAND: &str = "command";
const PROJECT_FILE: &str = "project_file";

/// A client as the columns of its row.
pub(crate) struct ClientRow {
    pub(crate) client_id: String,
    pub(crate) name: String,
    pub(crate) kind: String,
    /// One on each line.
    pub(crate) redirect_uris: String,
    pub(crate) origin: String,
    pub(crate) scope: Option<String>,
}

impl From<&Client> for ClientRow {
    fn from(client: &Client) -> Self {
        let kind = match client.kind {
            ClientKind::Confidential => CONFIDENTIAL,
            ClientKind::Public => PUBLIC,
        };
        let origin = match client.origin {
            ClientOrigin::Command => COMMAND,
            ClientOrigin::ProjectFile => PROJECT_FILE,
        };
        Self {
            client_id: client.client_id.as_str().to_owned(),
            name: client.name.clone(),
            kind: kind.to_owned(),
            redirect_uris: lines(&client.redirect_uris),
            origin: origin.to_owned(),
            scope: client.scope.map(|scope| scope.to_string()),
        }
    }
}

/// The client of a row without its secrets, and one of them if it has any.
pub(crate) fn client_and_secret(
    row: &impl Row,
) -> Result<(Client, Option<ClientSecret>), StorageError> {
    let id: String = row.column(0)?;
    read_client(row, &id).map_err(|error| error.in_row("client", &id))
}

fn read_client(row: &impl Row, id: &str) -> Result<(Client, Option<ClientSecret>), StorageError> {
    let kind = match row.column::<String>(2)?.as_str() {
        CONFIDENTIAL => ClientKind::Confidential,
        PUBLIC => ClientKind::Public,
        _ => return Err(StorageError::corrupt("client kind")),
    };
    let origin = match row.column::<String>(4)?.as_str() {
        COMMAND => ClientOrigin::Command,
        PROJECT_FILE => ClientOrigin::ProjectFile,
        _ => return Err(StorageError::corrupt("client origin")),
    };
    let client = Client {
        client_id: client_id(id)?,
        name: row.column(1)?,
        kind,
        redirect_uris: redirect_uris(&row.column::<String>(3)?),
        secrets: Vec::new(),
        scope: row.column::<Option<String>>(11)?.as_deref().map(scope).transpose()?,
        origin,
        disabled_at: row.column::<Option<i64>>(5)?.map(Timestamp::from_milliseconds),
    };
    let secret = row.column::<Option<String>>(6)?.map(|id| secret(id, row)).transpose()?;
    Ok((client, secret))
}

fn secret(id: String, row: &impl Row) -> Result<ClientSecret, StorageError> {
    Ok(ClientSecret {
        id,
        hash: credential_hash(&row.column::<Vec<u8>>(7)?)?,
        note: row.column(8)?,
        created_at: Timestamp::from_milliseconds(row.column(9)?),
        last_used_at: row.column::<Option<i64>>(10)?.map(Timestamp::from_milliseconds),
    })
}

/// The clients of rows among which those of each client stand together.
pub(crate) fn clients(rows: Vec<(Client, Option<ClientSecret>)>) -> Vec<Client> {
    let mut clients: Vec<Client> = Vec::new();
    for (client, secret) in rows {
        if clients.last().is_none_or(|last| last.client_id != client.client_id) {
            clients.push(client);
        }
        if let Some(client) = clients.last_mut() {
            client.secrets.extend(secret);
        }
    }
    clients
}

/// How redirect URIs are stored. None has a line break: registration sees to it.
pub(crate) fn lines(redirect_uris: &[RedirectUri]) -> String {
    redirect_uris.iter().map(RedirectUri::as_str).collect::<Vec<_>>().join("\n")
}

/// Stored redirect URIs.
pub(crate) fn redirect_uris(text: &str) -> Vec<RedirectUri> {
    text.lines().map(str::to_owned).map(RedirectUri::registered).collect()
}

/// A stored scope.
pub(crate) fn scope(text: &str) -> Result<ScopeSet, StorageError> {
    ScopeSet::parse(text).map_err(|_| StorageError::corrupt("scope"))
}

/// A stored client id.
pub(crate) fn client_id(text: &str) -> Result<ClientId, StorageError> {
    text.parse().map_err(|_| StorageError::corrupt("client id"))
}

/// A stored hash of a credential.
pub(crate) fn credential_hash(stored: &[u8]) -> Result<CredentialHash, StorageError> {
    bytes(stored).map(CredentialHash::from_bytes)
}

/// A stored hash, or key.
pub(crate) fn bytes(stored: &[u8]) -> Result<[u8; 32], StorageError> {
    stored.try_into().map_err(|_| StorageError::corrupt("hash"))
}

/// A stored project id.
pub(crate) fn project_id(id: i64) -> Result<ProjectId, StorageError> {
    let id = u64::try_from(id).ok().and_then(ProjectId::new);
    id.ok_or_else(|| StorageError::corrupt("project id"))
}

/// How a project id is stored.
pub(crate) fn project_row_id(id: ProjectId) -> i64 {
    i64::try_from(id.get()).expect("ids are below 2^53")
}

/// A stored campaign id.
pub(crate) fn campaign_id(id: i64) -> Result<CampaignId, StorageError> {
    let id = u64::try_from(id).ok().and_then(CampaignId::new);
    id.ok_or_else(|| StorageError::corrupt("campaign id"))
}

/// How a campaign id is stored.
pub(crate) fn campaign_row_id(id: CampaignId) -> i64 {
    i64::try_from(id.get()).expect("ids are below 2^53")
}

/// The value for the whole server among the projects of roles. No project has it: ids count from 0.
pub(crate) const WHOLE_SERVER: i64 = -1;

/// A role of a member as the columns of its row.
pub(crate) struct RoleRow {
    pub(crate) project: i64,
    pub(crate) role: String,
    pub(crate) code: i64,
}

impl From<&RoleGrant> for RoleRow {
    fn from(grant: &RoleGrant) -> Self {
        Self {
            project: grant.project.map_or(WHOLE_SERVER, project_row_id),
            role: grant.role.as_str().to_owned(),
            code: i64::from(grant.is_code_allowed),
        }
    }
}

impl RoleGrant {
    /// The role in these columns.
    pub(crate) fn from_row(
        row: &impl Row,
        [place, role, code]: [usize; 3],
    ) -> Result<Self, StorageError> {
        let place: i64 = row.column(place)?;
        let project = (place != WHOLE_SERVER).then(|| project_id(place)).transpose()?;
        let role = Role::named(&row.column::<String>(role)?);
        let role = role.ok_or_else(|| StorageError::corrupt("role"))?;
        Ok(Self { project, role, is_code_allowed: row.column::<i64>(code)? != 0 })
    }
}

/// The member of a row without their roles, and one of them if they have any.
pub(crate) fn member_and_role(
    row: &impl Row,
) -> Result<(MemberLine, Option<RoleGrant>), StorageError> {
    let line = MemberLine {
        id: MemberId::from_row(row.column(0)?),
        email: row.column(1)?,
        added_at: Timestamp::from_milliseconds(row.column(2)?),
        roles: Vec::new(),
        vouched_by: voucher(row.column(6)?, row.column(7)?),
    };
    let has_role = row.column::<Option<i64>>(3)?.is_some();
    let role = has_role.then(|| RoleGrant::from_row(row, [3, 4, 5])).transpose();
    let role = role.map_err(|error| error.in_row("member_role", line.id))?;
    Ok((line, role))
}

fn voucher(id: i64, email: Option<String>) -> Option<Voucher> {
    (id != NOBODY).then(|| Voucher { id: MemberId::from_row(id), email })
}

/// Nobody among the members who vouch for others. Ids of members begin at 1.
const NOBODY: i64 = 0;

/// The column `vouched_by`.
pub(crate) fn voucher_row(voucher: Option<MemberId>) -> i64 {
    voucher.map_or(NOBODY, MemberId::to_row)
}

/// The members of rows among which those of each member stand together.
pub(crate) fn member_lines(rows: Vec<(MemberLine, Option<RoleGrant>)>) -> Vec<MemberLine> {
    let mut lines: Vec<MemberLine> = Vec::new();
    for (line, role) in rows {
        if lines.last().is_none_or(|last| last.id != line.id) {
            lines.push(line);
        }
        if let Some(line) = lines.last_mut() {
            line.roles.extend(role);
        }
    }
    lines
}

/// A stored revision number.
pub(crate) fn revision_number(number: i64) -> Result<u32, StorageError> {
    u32::try_from(number).map_err(|_| StorageError::corrupt("revision number"))
}
