//! The measurements, for comparison: `bench/RESULTS.md` has a section for each benchmark, with date and machine.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::table::Table;
use crate::repository::root;

const TITLE: &str = "# Results";
const HEADING: &str = "\n## ";

pub(super) struct Results {
    /// Each begins with its heading.
    sections: Vec<String>,
}

impl Results {
    /// As they are written down.
    pub(super) fn read() -> Result<Self> {
        let path = path();
        let text = fs::read_to_string(&path);
        Ok(Self::parse(&text.with_context(|| format!("cannot read {}", path.display()))?))
    }

    fn parse(text: &str) -> Self {
        let sections = text.split(HEADING).skip(1).map(|section| section.trim_end().to_owned());
        Self { sections: sections.collect() }
    }

    /// Replaces the earlier measurement.
    pub(super) fn put(&mut self, table: Table, measured: &str) {
        let heading = table.heading;
        let table = Table { remark: format!("{measured}\n\n{}", table.remark), ..table };
        let section = table.to_string().trim_start_matches("## ").trim_end().to_owned();
        let is_old = |old: &&mut String| old.lines().next() == Some(heading);
        match self.sections.iter_mut().find(is_old) {
            Some(old) => *old = section,
            None => self.sections.push(section),
        }
    }

    /// Writes all of them down.
    pub(super) fn write(&self) -> Result<()> {
        let path = path();
        fs::write(&path, self.text()).with_context(|| format!("cannot write {}", path.display()))
    }

    fn text(&self) -> String {
        let sections = self.sections.iter().map(|section| format!("{HEADING}{section}\n"));
        format!("{TITLE}\n{}", sections.collect::<String>())
    }
}

fn path() -> PathBuf {
    root().join("bench/RESULTS.md")
}

#[cfg(test)]
mod tests {
    use super::{Results, Table};

    fn table(heading: &'static str, bytes: &str) -> Table {
        let remark = "Exact.".to_owned();
        Table { heading, remark, columns: vec!["bytes"], rows: vec![vec![bytes.to_owned()]] }
    }

    #[test]
    fn what_is_measured_anew_takes_the_place_of_the_old() {
        let mut results = Results::parse("# Results\n");
        results.put(table("Bytes", "1"), "Monday.");
        results.put(table("Times", "2"), "Monday.");

        let mut results = Results::parse(&results.text());
        results.put(table("Bytes", "3"), "Tuesday.");

        assert_eq!(
            results.text(),
            "# Results\n\n## Bytes\n\nTuesday.\n\nExact.\n\n| bytes |\n| ----- |\n| 3     |\n\n\
             ## Times\n\nMonday.\n\nExact.\n\n| bytes |\n| ----- |\n| 2     |\n"
        );
    }
}
