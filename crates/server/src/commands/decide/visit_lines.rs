//! Visits written by a program, one per line, from a file or from standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use app::decisions::{VISIT_BYTES_AT_MOST, VisitText};

use crate::failure::Failure;

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

/// Lines that are read as they arrive, so that a program may wait for each answer before it writes the next visit.
pub(super) struct VisitLines {
    name: String,
    reader: Box<dyn BufRead>,
    number: u32,
    line: Vec<u8>,
}

impl VisitLines {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let (name, reader): (_, Box<dyn BufRead>) = if path.as_os_str() == STANDARD_INPUT {
            ("standard input".to_owned(), Box::new(io::stdin().lock()))
        } else {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
            (name, Box::new(BufReader::new(file)))
        };
        Ok(Self { name, reader, number: 0, line: Vec::new() })
    }

    /// The next line that is not empty, or its fault; `None` at the end.
    pub(super) fn next_line(&mut self) -> Result<Option<Result<VisitText<'_>, Failure>>, Failure> {
        loop {
            if !self.read_line().map_err(|error| unreadable(&self.name, &error))? {
                return Ok(None);
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(self.text()));
            }
        }
    }

    /// The number of the last line that was read, from 1.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    fn text(&self) -> Result<VisitText<'_>, Failure> {
        if self.line.len() > VISIT_BYTES_AT_MOST {
            return Err(self.wrong(&format!("a visit has {VISIT_BYTES_AT_MOST} bytes at most")));
        }
        let text = str::from_utf8(&self.line).map_err(|_| self.wrong("this is not UTF-8 text"))?;
        Ok(VisitText { file: &self.name, line: self.number, text })
    }

    /// Whether there was another line. Keeps only as much of a line as shows that it is too long.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.number = self.number.saturating_add(1);
        // One byte more than a visit may have, and the line's end.
        let at_most = u64::try_from(VISIT_BYTES_AT_MOST).unwrap_or(u64::MAX).saturating_add(2);
        if self.reader.by_ref().take(at_most).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(false);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > VISIT_BYTES_AT_MOST {
            self.reader.skip_until(b'\n')?;
        }
        Ok(true)
    }

    fn wrong(&self, message: &str) -> Failure {
        Failure::input(format_args!("{}:{}: {message}", self.name, self.number))
    }
}

fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::unreadable(format_args!("visits `{name}`"), error)
}
