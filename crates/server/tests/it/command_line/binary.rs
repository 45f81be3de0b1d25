//! Runs the real binary.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A project that changes one headline.
pub(crate) const PROJECT: &str = r#"version: 1
project: {id: "1000", key: shop, name: Shop}
pages:
  - {id: "2001", key: home, name: Home, conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]}
campaigns:
  - id: "3001"
    key: hero
    name: Hero text
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - id: "4001"
        key: hero
        name: Hero text
        variations:
          - {id: "5001", key: original, name: Original, weight: 5000}
          - id: "5002"
            key: short
            name: Short
            weight: 5000
            changes:
              - {type: text, selector: h1, value: Ship faster}
"#;

/// The project with these further fields.
pub(crate) fn project_with(fields: &str) -> String {
    let text = PROJECT.replace("project: {", &format!("project: {{{fields}, "));
    assert_ne!(text, PROJECT);
    text
}

/// Where [`Folder::serve_logging`] writes to.
pub(crate) const LOG: &str = "server.log";

/// A folder of its own for one test.
pub(crate) struct Folder {
    place: TempDir,
    variables: Vec<(String, String)>,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self::with_variables(&[])
    }

    /// One whose servers have these variables in their environment.
    pub(crate) fn with_variables(variables: &[(&str, &str)]) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables = variables.iter().map(own).collect();
        Self { place: tempfile::tempdir().unwrap(), variables }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs the binary here to its end.
    pub(crate) fn assay(&self, arguments: &[&str]) -> Output {
        command(self.place.path()).args(arguments).output().unwrap()
    }

    /// The same, with a variable of its environment.
    pub(crate) fn assay_with(&self, variable: &str, value: &str, arguments: &[&str]) -> Output {
        self.assay_where(&[(variable, value)], arguments)
    }

    /// The same, with several.
    pub(crate) fn assay_where(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let variables = variables.iter().copied();
        command(self.place.path()).envs(variables).args(arguments).output().unwrap()
    }

    /// The same, with its result written there.
    pub(crate) fn assay_to(&self, there: File, arguments: &[&str]) -> Output {
        let mut command = command(self.place.path());
        command.args(arguments).stdout(there).stderr(Stdio::piped());
        command.spawn().unwrap().wait_with_output().unwrap()
    }

    /// The same, with this text on its standard input.
    pub(crate) fn assay_reading(&self, text: &str, arguments: &[&str]) -> Output {
        self.write("standard-input", text);
        let input = File::open(self.path("standard-input")).unwrap();
        command(self.place.path()).args(arguments).stdin(input).output().unwrap()
    }

    /// Starts the binary here, to be written to and read from.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = command(self.place.path());
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Starts `assay serve` here on a free port.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Server {
        self.serve_by(command(self.place.path()).stderr(Stdio::piped()), arguments)
    }

    /// The same, with what it logs (`ASSAY_LOG`) added to a file here, for servers that have much to tell.
    pub(crate) fn serve_logging(&self, what: &str, arguments: &[&str]) -> Server {
        let mut command = command(self.place.path());
        self.serve_by(command.env("ASSAY_LOG", what).stderr(self.open_log()), arguments)
    }

    /// The same, into a pipe that no program reads.
    pub(crate) fn serve_unread(&self, what: &str, arguments: &[&str]) -> Server {
        let mut command = command(self.place.path());
        self.serve_by(command.env("ASSAY_LOG", what).stderr(Stdio::piped()), arguments)
    }

    /// The same, and a file that may not grow is an error of writing, not the end of the process.
    pub(crate) fn serve_with_limits(&self, what: &str, arguments: &[&str]) -> Server {
        let mut command = run(Path::new("/bin/sh"), self.place.path());
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_assay")]);
        self.serve_by(command.env("ASSAY_LOG", what).stderr(self.open_log()), arguments)
    }

    /// The same, for a process that may open so many files.
    pub(crate) fn serve_with_files(&self, at_most: u32, arguments: &[&str]) -> Server {
        let mut command = run(Path::new("/bin/sh"), self.place.path());
        let limited = format!("ulimit -n {at_most}; exec \"$0\" \"$@\"");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_assay")]);
        self.serve_by(command.env("ASSAY_LOG", "warn").stderr(self.open_log()), arguments)
    }

    /// The same, where no line of the log can be written.
    pub(crate) fn serve_speechless(&self, arguments: &[&str]) -> Server {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = command(self.place.path());
        self.serve_by(command.env("ASSAY_LOG", "trace").stderr(full), arguments)
    }

    /// What a server of [`Folder::serve_logging`] told from its start to its end. Lines are written some time after what they tell of, so
    /// only a server that has ended has told all.
    pub(crate) fn log_of(&self, mut server: Server) -> String {
        server.signal(Signal::TERM);
        assert_eq!(server.exit_code(), Some(0));
        std::fs::read_to_string(self.path(LOG)).unwrap()
    }

    fn open_log(&self) -> File {
        File::options().create(true).append(true).open(self.path(LOG)).unwrap()
    }

    fn serve_by(&self, command: &mut Command, arguments: &[&str]) -> Server {
        let ready_file = self.path("ready.json");
        let mut child = command
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .arg("serve")
            .args(arguments)
            .args(["--listen", "127.0.0.1:0", "--ready-file"])
            .arg(&ready_file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
        let stderr = child.stderr.take().map(|pipe| BufReader::new(pipe).lines());
        let first = stdout.next().expect("the server ends before it is ready").unwrap();
        assert!(first.starts_with("Assay is ready at "), "{first}");
        let ready = serde_json::from_slice(&std::fs::read(&ready_file).unwrap()).unwrap();
        Server { child, stdout, stderr, ready }
    }
}

pub(crate) fn command(folder: &Path) -> Command {
    run(Path::new(env!("CARGO_BIN_EXE_assay")), folder)
}

fn run(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    // Colours would be in the way of reading the log.
    command.current_dir(folder).env_clear().env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// A running server; it ends with the test.
pub(crate) struct Server {
    child: Child,
    pub(crate) stdout: Lines<BufReader<ChildStdout>>,
    /// Unless it goes to a file.
    stderr: Option<Lines<BufReader<ChildStderr>>>,
    pub(crate) ready: Value,
}

impl Server {
    /// The address of one of its paths.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.ready["url"].as_str().unwrap())
    }

    /// Reads the log until a line has these words, and gives all that was read.
    pub(crate) fn log_until(&mut self, words: &str) -> String {
        let mut read = String::new();
        for line in self.stderr.as_mut().unwrap() {
            read.push_str(&line.unwrap());
            read.push('\n');
            if read.ends_with('\n') && read.lines().last().is_some_and(|line| line.contains(words))
            {
                return read;
            }
        }
        panic!("the log ended without `{words}`:\n{read}");
    }
}

impl Server {
    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        self.ready["listening"].as_str().unwrap()
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// How much memory the process has.
    pub(crate) fn resident_kilobytes(&self) -> usize {
        self.kilobytes("VmRSS:")
    }

    /// The part of it that the process has made itself. How much of the program has been read from its file is up to the system.
    pub(crate) fn own_kilobytes(&self) -> usize {
        self.kilobytes("RssAnon:")
    }

    fn kilobytes(&self, of: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(of)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Waits until it has ended, and gives its exit code.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _status = self.child.wait();
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
