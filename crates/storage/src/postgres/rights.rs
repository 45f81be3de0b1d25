//! What the user of a database may do in it, found before anything changes.

use deadpool_postgres::Object;

use crate::{FoundSchema, Obstacle, OpenError};

/// Whether nothing may be written, whether tables may be made and where, a table that only its owner may change, and one that the user may not use.
const RIGHTS: &str = "\
    WITH ours AS ( \
        SELECT tablename::TEXT AS name, tableowner::TEXT AS owner, \
            pg_has_role(tableowner, 'USAGE') AS is_own, \
            has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT') \
                AND has_table_privilege(format('%I.%I', schemaname, tablename), 'INSERT') \
                AND has_table_privilege(format('%I.%I', schemaname, tablename), 'UPDATE') \
                AND has_table_privilege(format('%I.%I', schemaname, tablename), 'DELETE') AS is_usable \
        FROM pg_tables WHERE schemaname = current_schema()) \
    SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery(), \
        has_schema_privilege(current_schema(), 'CREATE'), current_schema()::TEXT, \
        (SELECT ARRAY[name, owner] FROM ours WHERE NOT is_own LIMIT 1), \
        (SELECT ARRAY[name, owner] FROM ours WHERE NOT is_usable LIMIT 1)";

/// Makes sure that a server could start on a database of this schema, as far as the rights of its user decide.
pub(super) async fn check(database: &Object, schema: FoundSchema) -> Result<(), OpenError> {
    let row = database.query_one(RIGHTS, &[]).await?;
    let (is_read_only, may_create): (bool, bool) = (row.try_get(0)?, row.try_get(1)?);
    let (place, other): (String, Option<Vec<String>>) = (row.try_get(2)?, row.try_get(3)?);
    let unusable: Option<Vec<String>> = row.try_get(4)?;
    let is_changed = match schema {
        FoundSchema::Empty | FoundSchema::Older { .. } => true,
        FoundSchema::Current => false,
    };
    if is_changed && is_read_only {
        return Err(OpenError::ReadOnly);
    }
    if is_changed && !may_create {
        let said = format!("the user may make no tables in the schema `{place}`");
        return Err(OpenError::Refused { said, obstacle: Obstacle::Rights });
    }
    if let Some([table, owner]) = other.filter(|_| is_changed).or(unusable).as_deref() {
        let said = format!("the table `{table}` belongs to `{owner}`");
        return Err(OpenError::Refused { said, obstacle: Obstacle::Owner });
    }
    Ok(())
}
