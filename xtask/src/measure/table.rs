//! A table that reads well on a terminal and in a Markdown file.

use std::fmt::{self, Display};

/// A heading, a remark on how to read the numbers, and rows of as many cells as there are columns.
pub(super) struct Table {
    pub(super) heading: &'static str,
    pub(super) remark: String,
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// The width of each column's widest cell.
    fn widths(&self) -> Vec<usize> {
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let widest = |(column, name): (usize, &&str)| {
            cells(column).map(String::len).chain([name.len()]).max().unwrap_or(0)
        };
        self.columns.iter().enumerate().map(widest).collect()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        writeln!(f, "## {}\n\n{}\n", self.heading, self.remark)?;
        write_row(f, &self.columns, &widths)?;
        let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
        write_row(f, &rules, &widths)?;
        self.rows.iter().try_for_each(|row| write_row(f, row, &widths))
    }
}

/// The first column holds words, the others numbers, which stand at the right.
fn rule((column, width): (usize, &usize)) -> String {
    if column == 0 { "-".repeat(*width) } else { "-".repeat(width - 1) + ":" }
}

fn write_row(f: &mut fmt::Formatter<'_>, cells: &[impl Display], widths: &[usize]) -> fmt::Result {
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        match column {
            0 => write!(f, "| {cell:<width$} |")?,
            _ => write!(f, " {cell:>width$} |")?,
        }
    }
    writeln!(f)
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_aligned() {
        let table = Table {
            heading: "Bytes",
            remark: "Exact.".to_owned(),
            columns: vec!["project", "raw"],
            rows: vec![
                vec!["a".to_owned(), "1234".to_owned()],
                vec!["b".to_owned(), "5".to_owned()],
            ],
        };

        let text = table.to_string();

        assert_eq!(
            text,
            "## Bytes\n\nExact.\n\n| project |  raw |\n| ------- | ---: |\n| a       | 1234 |\n| b       |    5 |\n"
        );
    }
}
