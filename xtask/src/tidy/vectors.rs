//! A rule that exists in two languages is proved in both: each file of vectors is read by Rust
//! tests and by TypeScript tests.

use super::Finding;
use crate::repository::Repository;
use crate::source_file::SourceFile;

const FOLDER: &str = "spec/vectors/";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let files = repository.files.iter();
    let vectors =
        files.filter(|file| file.path().starts_with(FOLDER) && file.extension() == "json");
    vectors.flat_map(|vector| unread(repository, vector)).collect()
}

fn unread(repository: &Repository, vector: &SourceFile) -> Vec<Finding> {
    let readers = [
        ("Rust", repository.files.iter().any(|file| is_read_by_rust(file, vector.stem()))),
        ("TypeScript", repository.files.iter().any(|file| is_read_by_runtime(file, vector.stem()))),
    ];
    readers
        .iter()
        .filter(|(_, is_read)| !is_read)
        .map(|(language, _)| {
            Finding::in_file(vector, 1, format!("no {language} test reads these vectors; add one"))
        })
        .collect()
}

fn is_read_by_rust(file: &SourceFile, stem: &str) -> bool {
    file.is_rust() && file.path().starts_with("crates/") && file.is_test() && names(file, stem)
}

fn is_read_by_runtime(file: &SourceFile, stem: &str) -> bool {
    file.is_script() && file.path().starts_with("runtime/test/") && names(file, stem)
}

fn names(file: &SourceFile, stem: &str) -> bool {
    ["\"", "'", "`", "/"].iter().any(|before| {
        [".json", "\"", "'", "`"]
            .iter()
            .any(|after| file.text().contains(&format!("{before}{stem}{after}")))
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::Repository;
    use crate::source_file::SourceFile;

    fn objections(readers: &[(&str, &str)]) -> usize {
        let mut files = vec![SourceFile::new("spec/vectors/bucketing.json", "[]")];
        files.extend(readers.iter().map(|(path, text)| SourceFile::new(path, *text)));
        check(&Repository { files, ..Repository::default() }).len()
    }

    #[test]
    fn vectors_are_read_in_both_languages() {
        let rust = ("crates/decide/tests/it/vectors.rs", "read(\"bucketing\");");
        let script =
            ("runtime/test/bucketing.test.ts", "vectors(\"../../spec/vectors/bucketing.json\");");
        assert_eq!(objections(&[rust, script]), 0);
        assert_eq!(objections(&[rust]), 1);
        assert_eq!(objections(&[]), 2);
    }
}
