//! What the operating system says of this process. Linux tells it in `/proc`; elsewhere there is nothing to tell.

use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};

/// The process at this moment.
pub(super) struct Process {
    pub(super) cpu: Duration,
    pub(super) threads: u64,
    pub(super) virtual_bytes: u64,
    pub(super) resident_bytes: u64,
    pub(super) open_files: u64,
    pub(super) files_at_most: Option<u64>,
}

impl Process {
    pub(super) fn read() -> Option<Self> {
        let usage = Usage::parse(&fs::read_to_string("/proc/self/stat").ok()?)?;
        // One of them is the folder that is being read.
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1);
        let page = u64::try_from(page_size()).ok()?;
        Some(Self {
            cpu: Duration::from_millis(usage.ticks * 1_000 / clock_ticks_per_second()),
            threads: usage.threads,
            virtual_bytes: usage.virtual_bytes,
            resident_bytes: usage.resident_pages * page,
            open_files: u64::try_from(open_files).ok()?,
            files_at_most: getrlimit(Resource::Nofile).current,
        })
    }
}

/// What `/proc/self/stat` has, in its own units (`proc_pid_stat(5)`).
#[derive(Debug, PartialEq, Eq)]
struct Usage {
    ticks: u64,
    threads: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

impl Usage {
    /// The name of the program, in parentheses, may contain anything; the numbers begin after it.
    fn parse(stat: &str) -> Option<Self> {
        let (_, after_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        // The manual counts from 1, and the first field after the name is its third.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            ticks: field(14)? + field(15)?,
            threads: field(20)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Usage;

    #[test]
    fn a_program_may_have_any_name() {
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 2 3 4 150 50 7 8 20 0 9 0 11 4096000 300 18446744073709551615 0\n";

        let usage = Usage { ticks: 200, threads: 9, virtual_bytes: 4_096_000, resident_pages: 300 };
        assert_eq!(Usage::parse(stat), Some(usage));
        assert_eq!(Usage::parse("42 (assay) S 1"), None);
    }
}
