//! `cargo xtask query-engines`: `ClickHouse` and Spark add up files of events by the statements of `docs/sql/`, and `ClickHouse` gets events from a server. It installs a gigabyte and
//! takes some minutes, so no change has to wait for it; the usual tests add up with `DuckDB`.

use std::process::ExitCode;

use anyhow::Result;

use crate::program::Program;
use crate::test::QUERY_ENGINES;

pub(crate) fn run() -> Result<ExitCode> {
    let interpreter = QUERY_ENGINES.ready()?;
    let stories = Program::new("npm", ["run", "--silent", "query-engines"]).within("e2e");
    stories.set("PYTHON", interpreter).must_succeed()?;
    Ok(ExitCode::SUCCESS)
}
