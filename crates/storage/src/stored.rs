//! How values are written into columns, and read back: alike in both databases.

use domain::ProjectId;
use oauth::{
    Client, ClientId, ClientKind, ClientOrigin, ClientSecret, CredentialHash, RedirectUri,
    ScopeSet, Timestamp,
};

use crate::{MemberId, MemberLine, Role, RoleGrant, StorageError};

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

/// A row of a client beside one of its secrets, if it has any.
pub(crate) struct ClientAndSecretRow {
    pub(crate) client: ClientRow,
    pub(crate) disabled_at: Option<i64>,
    pub(crate) secret: Option<SecretRow>,
}

/// A client secret as the columns of its row.
pub(crate) struct SecretRow {
    pub(crate) id: String,
    pub(crate) hash: Vec<u8>,
    pub(crate) note: String,
    pub(crate) created_at: i64,
    pub(crate) last_used_at: Option<i64>,
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

/// The clients of rows among which those of each client stand together.
pub(crate) fn clients(
    rows: impl IntoIterator<Item = Result<ClientAndSecretRow, StorageError>>,
) -> Result<Vec<Client>, StorageError> {
    let mut clients: Vec<Client> = Vec::new();
    for row in rows {
        let ClientAndSecretRow { client, disabled_at, secret } = row?;
        if clients.last().is_none_or(|last| last.client_id.as_str() != client.client_id) {
            let disabled_at = disabled_at.map(Timestamp::from_milliseconds);
            clients.push(Client { disabled_at, ..client.try_into()? });
        }
        if let (Some(secret), Some(client)) = (secret, clients.last_mut()) {
            client.secrets.push(secret.try_into()?);
        }
    }
    Ok(clients)
}

impl TryFrom<ClientRow> for Client {
    type Error = StorageError;

    fn try_from(row: ClientRow) -> Result<Self, StorageError> {
        let kind = match row.kind.as_str() {
            CONFIDENTIAL => ClientKind::Confidential,
            PUBLIC => ClientKind::Public,
            _ => return Err(StorageError::corrupt("client kind")),
        };
        let origin = match row.origin.as_str() {
            COMMAND => ClientOrigin::Command,
            PROJECT_FILE => ClientOrigin::ProjectFile,
            _ => return Err(StorageError::corrupt("client origin")),
        };
        Ok(Self {
            client_id: client_id(&row.client_id)?,
            name: row.name,
            kind,
            redirect_uris: redirect_uris(&row.redirect_uris),
            secrets: Vec::new(),
            scope: row.scope.as_deref().map(scope).transpose()?,
            origin,
            disabled_at: None,
        })
    }
}

impl TryFrom<SecretRow> for ClientSecret {
    type Error = StorageError;

    fn try_from(row: SecretRow) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.id,
            hash: CredentialHash::from_bytes(bytes(&row.hash)?),
            note: row.note,
            created_at: Timestamp::from_milliseconds(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_milliseconds),
        })
    }
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

/// What stands for the whole server among the projects of roles. No project has it: ids count from 0.
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

impl TryFrom<RoleRow> for RoleGrant {
    type Error = StorageError;

    fn try_from(row: RoleRow) -> Result<Self, StorageError> {
        let project = (row.project != WHOLE_SERVER).then(|| project_id(row.project)).transpose()?;
        let role = Role::named(&row.role).ok_or_else(|| StorageError::corrupt("role"))?;
        Ok(Self { project, role, is_code_allowed: row.code != 0 })
    }
}

/// A row of a member beside one of their roles, if they have any.
pub(crate) struct MemberAndRoleRow {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) added_at: i64,
    pub(crate) role: Option<RoleRow>,
}

/// The members of rows among which those of each member stand together.
pub(crate) fn member_lines(
    rows: impl IntoIterator<Item = Result<MemberAndRoleRow, StorageError>>,
) -> Result<Vec<MemberLine>, StorageError> {
    let mut lines: Vec<MemberLine> = Vec::new();
    for row in rows {
        let MemberAndRoleRow { id, email, added_at, role } = row?;
        let id = MemberId::from_row(id);
        if lines.last().is_none_or(|last| last.id != id) {
            let added_at = Timestamp::from_milliseconds(added_at);
            lines.push(MemberLine { id, email, added_at, roles: Vec::new() });
        }
        if let (Some(role), Some(line)) = (role, lines.last_mut()) {
            line.roles.push(role.try_into()?);
        }
    }
    Ok(lines)
}

/// A stored revision number.
pub(crate) fn revision_number(number: i64) -> Result<u32, StorageError> {
    u32::try_from(number).map_err(|_| StorageError::corrupt("revision number"))
}
