//! Authorization codes: stored for a minute, spent once.

use async_trait::async_trait;
use oauth::{AUTHORIZATION_CODE, CodeChallenge, ScopeSet};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::query::query_opt;
use super::{SqliteStore, audit, consents, grants, sessions};
use crate::audit::ClientAct;
use crate::authorization_codes::{self, FamilyOfCode, StoredCode};
use crate::invalidation::{Change, Invalidation};
use crate::statements::authorization_codes::{
    ADD_AUTHORIZATION_CODE, FIND_AUTHORIZATION_CODE, FIND_FAMILY_OF_CODE, SPEND_AUTHORIZATION_CODE,
};
use crate::stored::scope;
use crate::{
    AddCodeOutcome, AuditEvent, AuthorizationCodeStore, Consent, ExchangeCode, ExchangeOutcome,
    MemberId, NewAuditEntry, NewAuthorizationCode, StorageError,
};

#[async_trait]
impl AuthorizationCodeStore for SqliteStore {
    async fn add_authorization_code(
        &self,
        code: NewAuthorizationCode,
    ) -> Result<AddCodeOutcome, StorageError> {
        self.writer.write(Some(code.now), move |database| add(database, &code)).await
    }

    async fn exchange_code(&self, asked: ExchangeCode) -> Result<ExchangeOutcome, StorageError> {
        self.change_tokens(asked.now, move |database| exchange(database, &asked)).await
    }
}

pub(super) fn add(
    database: &Connection,
    code: &NewAuthorizationCode,
) -> Result<AddCodeOutcome, StorageError> {
    if !sessions::is_alive(database, code.member, &code.session)? {
        return Ok(AddCodeOutcome::SignedOut);
    }
    let values = params![
        code.hash.as_bytes(),
        code.client_id.as_str(),
        code.member.to_row(),
        code.redirect_uri,
        code.scope.to_string(),
        code.code_challenge.as_ref().map(CodeChallenge::as_str),
        (code.now + AUTHORIZATION_CODE).as_milliseconds(),
        i64::from(!code.names_scope),
    ];
    let is_kept = database.prepare_cached(ADD_AUTHORIZATION_CODE)?.exists(values)?;
    if !is_kept {
        return Err(StorageError::Conflict);
    }
    consents::add(database, code.member, &code.client_id, code.scope, code.now)?;
    if let Consent::Given(address) = code.consent {
        audit::add(database, &NewAuditEntry::of_consent(code, address))?;
    }
    Ok(AddCodeOutcome::Kept)
}

pub(super) fn exchange(
    database: &Connection,
    exchange: &ExchangeCode,
) -> Result<(ExchangeOutcome, Change), StorageError> {
    let Some(spent) = spend(database, exchange)? else { return refuse(database, exchange) };
    let SpentCode { member, scope, is_scope_told } = spent;
    let token = grants::start(database, exchange, member, scope)?;
    let told = scope.to_string();
    let entry = ClientAct::from(exchange).entry(AuditEvent::CodeExchanged, member, &told);
    audit::add(database, &entry)?;
    Ok((ExchangeOutcome::exchanged(scope, is_scope_told), Change::Issued(token)))
}

/// What a code stood for that was spent.
struct SpentCode {
    member: MemberId,
    scope: ScopeSet,
    /// As the column has it: 1 if the answer says which scope was granted.
    is_scope_told: i64,
}

/// Takes the code away if everything about the exchange is right, in one statement: a second exchange finds nothing.
fn spend(
    database: &Connection,
    exchange: &ExchangeCode,
) -> Result<Option<SpentCode>, StorageError> {
    let values = params![
        exchange.code.as_bytes(),
        exchange.client_id.as_str(),
        exchange.redirect_uri,
        exchange.code_challenge.as_ref().map(CodeChallenge::as_str),
        exchange.now.as_milliseconds(),
        exchange.now.last_good_end(AUTHORIZATION_CODE).as_milliseconds(),
    ];
    let mut statement = database.prepare_cached(SPEND_AUTHORIZATION_CODE)?;
    let spent = statement.query_row(values, |row| {
        Ok((MemberId::from_row(row.get(0)?), row.get::<_, String>(1)?, row.get(2)?))
    });
    let Some((member, text, is_scope_told)) = spent.optional()? else { return Ok(None) };
    Ok(Some(SpentCode { member, scope: scope(&text)?, is_scope_told }))
}

/// Finds out why the code could not be spent, and ends what a code became that was sent twice.
fn refuse(
    database: &Connection,
    exchange: &ExchangeCode,
) -> Result<(ExchangeOutcome, Change), StorageError> {
    let hash = [exchange.code.as_bytes()];
    let code = query_opt(database, FIND_AUTHORIZATION_CODE, hash, |row| StoredCode::from_row(row))?;
    let family = match code {
        Some(_) => None,
        None => query_opt(database, FIND_FAMILY_OF_CODE, hash, |row| FamilyOfCode::from_row(row))?,
    };
    let (outcome, change) = authorization_codes::refuse(code.as_ref(), family.as_ref(), exchange);
    if let Change::Ended(Invalidation::Family(family)) = change {
        grants::end(database, family, AuditEvent::CodeReplayed, &exchange.into())?;
    }
    Ok((outcome, change))
}
