//! A server that has to wait for another session before it can migrate its database.

use std::fs::read_dir;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::{database, variable};
use crate::command_line::binary::{Folder, command};

/// A process that ends with the test.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _already_ended = self.0.kill();
        let _status = self.0.wait();
    }
}

fn psql(address: &str) -> Command {
    let program = Path::new(&variable("ASSAY_TEST_POSTGRES_CREATEDB")).with_file_name("psql");
    let mut psql = Command::new(program);
    psql.args([address, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]);
    psql.args(["--set", "ON_ERROR_STOP=1"]);
    psql
}

/// A new database, as the Assay before the last step left it, which changes the table `idempotent_answer`.
fn older(name: &str) -> String {
    let address = database(name);
    let steps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage/migrations/postgres");
    let mut steps: Vec<PathBuf> =
        read_dir(steps).unwrap().map(|step| step.unwrap().path()).collect();
    steps.sort();
    steps.truncate(29);
    let mut making = psql(&address);
    for step in &steps {
        making.arg("-f").arg(step);
    }
    let mark = "BEGIN; CREATE TABLE assay_schema (version BIGINT NOT NULL); INSERT INTO assay_schema VALUES (29); COMMIT";
    assert!(making.args(["-c", mark]).status().unwrap().success());
    address
}

/// A session that has read a table in a transaction which it does not end.
struct Reader {
    pid: String,
    _session: Ending,
}

impl Reader {
    fn of(table: &str, address: &str) -> Self {
        let mut session =
            psql(address).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let reading = format!("BEGIN; SELECT FROM {table} LIMIT 0; SELECT pg_backend_pid();\n");
        session.stdin.as_mut().unwrap().write_all(reading.as_bytes()).unwrap();
        let mut lines = BufReader::new(session.stdout.take().unwrap()).lines();
        let pid = lines.find(|line| !line.as_ref().unwrap().is_empty()).unwrap().unwrap();
        Self { pid, _session: Ending(session) }
    }
}

/// A server that waits for a lock.
struct Waiting {
    process: Ending,
    log: Lines<BufReader<ChildStderr>>,
}

impl Waiting {
    fn start(folder: &Folder, address: &str) -> Self {
        let mut serve = command(&folder.path("."));
        serve.args(["serve", "--listen", "127.0.0.1:0", "--database", address]);
        let mut process = serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(process.stderr.take().unwrap()).lines();
        Self { process: Ending(process), log }
    }

    /// What the log says of it.
    fn told(&mut self) -> String {
        let mut lines = self.log.by_ref().map(Result::unwrap);
        lines.find(|line| line.contains("the migration waits for")).unwrap()
    }
}

#[test]
fn a_server_that_waits_for_a_migration_ends_when_it_is_told_to() {
    let (folder, address) = (Folder::new(), older("ends_while_it_waits"));
    let _reader = Reader::of("idempotent_answer", &address);
    let mut server = Waiting::start(&folder, &address);
    server.told();

    kill_process(Pid::from_child(&server.process.0), Signal::TERM).unwrap();

    assert_eq!(server.process.0.wait().unwrap().code(), Some(0));
}

#[test]
fn a_migration_names_the_session_that_it_waits_for_and_no_other() {
    let (folder, address) = (Folder::new(), older("names_blockers"));
    let reader = Reader::of("idempotent_answer", &address);
    let _innocent = Reader::of("member", &address);

    let told = Waiting::start(&folder, &address).told();

    let named = format!(
        "these PostgreSQL processes: {} (psql, assay, idle in transaction); hint",
        reader.pid
    );
    assert!(told.contains(&named), "{told}");
    assert!(told.contains(&format!("`SELECT pg_terminate_backend({})`", reader.pid)), "{told}");
}
