//! Time limits of a transaction, whether the database takes writes, and what its clock shows.

use crate::statements::statements;

statements! {
    /// For the rest of the transaction: steps of the schema, and what changes every row, take as long as they take.
    TAKE_YOUR_TIME = "SET LOCAL statement_timeout = 0";

    /// The same for a lock: a process that takes a step of the schema may hold it for minutes.
    WAIT_YOUR_TURN = "SET LOCAL lock_timeout = 0";

    /// For a step of the schema: requests wait behind it for no longer.
    GIVE_WAY = "SET LOCAL lock_timeout = '1s'";

    TOUCH_SCHEMA = "UPDATE assay_schema SET version = version";

    /// Milliseconds since 1970 began.
    DATABASE_TIME = "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";
}
