//! A measured server: its address, and its use of the machine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

/// Linux reports processor time to programs in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
    /// Processes that work for it: their time is its time.
    helpers: Vec<u32>,
}

impl Server {
    /// Starts a program that prints its address, as the last word of its first line, when it is ready.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.with_context(|| format!("cannot run {command:?}"))?;
        let stdout = child.stdout.take().context("no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let url = line.split_whitespace().last().context("the server does not start")?.to_owned();
        Ok(Self { child, url, helpers: Vec::new() })
    }

    /// Counts the time of another process, and of its children, as this server's.
    pub(crate) fn helped_by(mut self, process: u32) -> Self {
        self.helpers.push(process);
        self
    }

    /// Processor time so far, its own and that of its helpers.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        let mut ticks = Stat::of(self.child.id())?.ticks;
        if !self.helpers.is_empty() {
            ticks += Stat::of_all()
                .iter()
                .filter(|stat| {
                    self.helpers.contains(&stat.id) || self.helpers.contains(&stat.parent)
                })
                .map(|stat| stat.ticks)
                .sum::<f64>();
        }
        Ok(ticks / TICKS_PER_SECOND)
    }

    /// What it has in memory, in megabytes.
    pub(crate) fn resident_megabytes(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next());
        Ok(kilobytes.context("no memory is told")?.parse::<f64>()? / 1_024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Processor time of a process so far.
pub(crate) fn cpu_seconds_of(process: u32) -> Result<f64> {
    Ok(Stat::of(process)?.ticks / TICKS_PER_SECOND)
}

/// The system's data about a process.
struct Stat {
    id: u32,
    parent: u32,
    ticks: f64,
}

impl Stat {
    fn of(id: u32) -> Result<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat"))?;
        // The name of the program, in brackets, may hold anything.
        let (_, fields) = text.rsplit_once(") ").context("an unknown format")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |place: usize| fields.get(place).copied().unwrap_or_default().parse::<f64>();
        let parent = fields.get(1).copied().unwrap_or_default().parse()?;
        Ok(Self { id, parent, ticks: number(11)? + number(12)? })
    }

    fn of_all() -> Vec<Self> {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        // One that has just ended is of no interest.
        ids.filter_map(|id| Self::of(id).ok()).collect()
    }
}
