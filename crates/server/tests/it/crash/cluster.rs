//! A PostgreSQL cluster of one test's own, which flushes what it commits and may be crashed.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::command_line::binary::Folder;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.config/postgres.sh");

pub(crate) struct Cluster {
    /// What the script tells of it.
    told: String,
}

impl Cluster {
    /// It goes away when this process ends.
    pub(crate) fn start(folder: &Folder) -> Self {
        let told = folder.path("cluster.env");
        let script = Command::new(SCRIPT).env("NEXTEST_ENV", &told).env("DURABLE", "on").status();
        assert!(script.unwrap().success());
        Self { told: fs::read_to_string(told).unwrap() }
    }

    fn tell(&self, name: &str) -> &str {
        let mut lines = self.told.lines().filter_map(|line| line.split_once('='));
        lines.find(|(found, _)| *found == name).unwrap().1
    }

    /// The address of a new database.
    pub(crate) fn database(&self, name: &str) -> String {
        let createdb = self.tell("ASSAY_TEST_POSTGRES_CREATEDB");
        crate::postgres::database_in(self.tell("ASSAY_TEST_POSTGRES"), createdb, name)
    }

    /// The same for who comes over the network with a password.
    pub(crate) fn database_over_network(&self, name: &str) -> String {
        self.database(name);
        format!("{}/{name}", self.tell("ASSAY_TEST_POSTGRES_OVER_NETWORK"))
    }

    /// Where its files are.
    pub(crate) fn data(&self) -> PathBuf {
        Path::new(self.tell("ASSAY_TEST_POSTGRES_CERTIFICATE")).parent().unwrap().to_owned()
    }

    /// Its log.
    pub(crate) fn log(&self) -> PathBuf {
        self.data().with_file_name("server.log")
    }

    /// Everything of it ends at once, as in a power cut but for what the system still flushes; then it recovers.
    pub(crate) fn crash(&self) {
        self.control("restart");
    }

    /// The same, and it stays away.
    pub(crate) fn stop(&self) {
        self.control("stop");
    }

    /// It comes back after a stop, at the same port: only a restart takes over the options of before.
    pub(crate) fn start_again(&self) {
        self.control("restart");
    }

    /// All of its processes stand still until what this gives is dropped: connections stay, and nothing answers.
    pub(crate) fn freeze(&self) -> Frozen {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let server = file.lines().next().unwrap();
        // The first one makes the others: once it stands still, there are no more of them.
        signal(server, Signal::STOP);
        let others = fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap();
        let others = others.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for other in &others {
            signal(other, Signal::STOP);
        }
        Frozen([vec![server.to_owned()], others].concat())
    }

    fn control(&self, what: &str) {
        let data = self.data();
        let pg_ctl = Path::new(self.tell("ASSAY_TEST_POSTGRES_CREATEDB")).with_file_name("pg_ctl");
        let mut control = as_server(pg_ctl);
        control.args([what, "--wait", "--silent", "--mode=immediate", "--pgdata"]).arg(&data);
        control.arg("--log").arg(self.log()).current_dir(data);
        assert!(control.stdout(Stdio::null()).status().unwrap().success());
    }
}

/// The processes of a cluster that stand still.
pub(crate) struct Frozen(Vec<String>);

impl Drop for Frozen {
    fn drop(&mut self) {
        for process in &self.0 {
            signal(process, Signal::CONT);
        }
    }
}

fn signal(process: &str, signal: Signal) {
    let process = Pid::from_raw(process.parse().unwrap()).unwrap();
    // One of the others may have ended by itself.
    let _gone = kill_process(process, signal);
}

/// The server refuses to run as root.
fn as_server(program: PathBuf) -> Command {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
    command
}
