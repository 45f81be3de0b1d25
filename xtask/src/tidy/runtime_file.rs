//! A file of the runtime holds one subject with its few functions: long enough that it is worth opening, short enough to be held in mind.

use super::Finding;
use crate::repository::Repository;
use crate::source_file::SourceFile;

const FOLDER: &str = "runtime/src/";
/// What fits into one's head with its imports and comments.
const MAX_LINES: usize = 300;
/// Below that, most functions stand alone in their files, and finding one's way takes longer than reading.
const MIN_MEDIAN_LINES: usize = 40;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let files = repository.files.iter();
    let files: Vec<&SourceFile> = files.filter(|file| file.path().starts_with(FOLDER)).collect();
    let mut lengths: Vec<usize> = files.iter().map(|file| length(file)).collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(MIN_MEDIAN_LINES);
    let mut findings: Vec<Finding> = files.iter().filter_map(|file| too_long(file)).collect();
    if median < MIN_MEDIAN_LINES {
        let message = format!(
            "files have a median of {median} lines, below {MIN_MEDIAN_LINES}; put functions of one subject into one file"
        );
        findings.push(Finding::new(FOLDER, 1, message));
    }
    findings
}

fn length(file: &SourceFile) -> usize {
    file.text().lines().count()
}

fn too_long(file: &SourceFile) -> Option<Finding> {
    let lines = length(file);
    let message = || format!("{lines} lines; split the subject, {MAX_LINES} is the limit");
    (lines > MAX_LINES).then(|| Finding::in_file(file, lines, message()))
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, MIN_MEDIAN_LINES, check};
    use crate::repository::Repository;
    use crate::source_file::SourceFile;

    fn objections(lengths: &[usize]) -> usize {
        let file = |lines: &usize| SourceFile::new("runtime/src/a.ts", "a();\n".repeat(*lines));
        let files = lengths.iter().map(file).collect();
        check(&Repository { files, ..Repository::default() }).len()
    }

    #[test]
    fn a_file_has_a_limit() {
        assert_eq!(objections(&[MAX_LINES]), 0);
        assert_eq!(objections(&[MAX_LINES + 1]), 1);
    }

    #[test]
    fn most_files_hold_more_than_one_function() {
        assert_eq!(objections(&[1, MIN_MEDIAN_LINES, MAX_LINES]), 0);
        assert_eq!(objections(&[1, MIN_MEDIAN_LINES - 1, MAX_LINES]), 1);
    }
}
