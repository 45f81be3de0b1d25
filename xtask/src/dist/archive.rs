//! Archives that are the same bytes on every machine: entries in order, owned by root, from the moment of the release.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// What an archive has at a path.
enum Content {
    File(Vec<u8>),
    Folder,
}

struct Entry {
    content: Content,
    mode: u32,
    /// Of user and group.
    owner: u64,
}

/// A tree of files, by their paths.
#[derive(Default)]
pub(super) struct Tree {
    entries: BTreeMap<String, Entry>,
}

impl Tree {
    /// A file that all users may read.
    pub(super) fn file(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.file_of(path, content, 0o644);
    }

    /// A program.
    pub(super) fn program(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.file_of(path, content, 0o755);
    }

    /// A file with these permissions.
    pub(super) fn file_of(&mut self, path: &str, content: impl Into<Vec<u8>>, mode: u32) {
        let content = Content::File(content.into());
        self.entries.insert(path.to_owned(), Entry { content, mode, owner: 0 });
    }

    /// A folder with these permissions, of this user and group. Folders on the way to a file need no call.
    pub(super) fn folder(&mut self, path: &str, mode: u32, owner: u64) {
        self.entries.insert(path.to_owned(), Entry { content: Content::Folder, mode, owner });
    }

    /// All of it below one folder.
    pub(super) fn below(self, folder: &str) -> Self {
        let entries = self.entries.into_iter();
        Self { entries: entries.map(|(path, entry)| (format!("{folder}/{path}"), entry)).collect() }
    }

    /// How many bytes the files have.
    pub(super) fn size(&self) -> usize {
        let sizes = self.entries.values().map(|entry| match &entry.content {
            Content::File(content) => content.len(),
            Content::Folder => 0,
        });
        sizes.sum()
    }

    /// The archive, with `prefix` before each path, and all from one second.
    pub(super) fn tar(mut self, prefix: &str, time: u64) -> Result<Vec<u8>> {
        for folder in self.missing_folders() {
            self.folder(&folder, 0o755, 0);
        }
        let mut archive = Builder::new(Vec::new());
        for (path, entry) in &self.entries {
            let (kind, content, path) = match &entry.content {
                Content::File(content) => (EntryType::Regular, &content[..], path.clone()),
                Content::Folder => (EntryType::Directory, &[][..], format!("{path}/")),
            };
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_mode(entry.mode);
            header.set_uid(entry.owner);
            header.set_gid(entry.owner);
            header.set_mtime(time);
            header.set_size(content.len() as u64);
            let path = format!("{prefix}{path}");
            // Appended as text: the crate would drop the `./` that dpkg wants.
            archive_path(&mut header, &path)?;
            header.set_cksum();
            archive.append(&header, content).with_context(|| format!("cannot archive `{path}`"))?;
        }
        archive.into_inner().context("cannot finish the archive")
    }

    fn missing_folders(&self) -> Vec<String> {
        let ends = self.entries.keys().flat_map(|path| {
            path.match_indices('/').map(|(end, _)| path[..end].to_owned()).collect::<Vec<_>>()
        });
        ends.filter(|folder| !self.entries.contains_key(folder)).collect()
    }
}

/// The longest path that a header holds by itself; none of ours is longer.
const NAME_BYTES: usize = 100;

fn archive_path(header: &mut Header, path: &str) -> Result<()> {
    anyhow::ensure!(path.len() <= NAME_BYTES, "`{path}` is too long for the archive");
    let name = &mut header.as_old_mut().name;
    name.fill(0);
    name[..path.len()].copy_from_slice(path.as_bytes());
    Ok(())
}

/// Compressed, without a name and a time.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).context("cannot compress")
}

#[cfg(test)]
mod tests {
    use super::Tree;

    fn tree(names: &[&str]) -> Tree {
        let mut tree = Tree::default();
        for name in names {
            tree.file(name, *name);
        }
        tree
    }

    #[test]
    fn the_order_of_additions_does_not_show() {
        let first = tree(&["b/c", "a"]).tar("./", 7).unwrap();
        let second = tree(&["a", "b/c"]).tar("./", 7).unwrap();
        assert_eq!(first, second);
        assert_ne!(first, tree(&["a", "b/c"]).tar("./", 8).unwrap());
    }

    #[test]
    fn folders_come_before_what_is_in_them() {
        let bytes = tree(&["b/c/d", "a"]).tar("./", 7).unwrap();

        let mut archive = tar::Archive::new(&bytes[..]);
        let paths = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            assert_eq!((entry.header().uid().unwrap(), entry.header().mtime().unwrap()), (0, 7));
            String::from_utf8(entry.path_bytes().into_owned()).unwrap()
        });
        assert_eq!(paths.collect::<Vec<_>>(), ["./a", "./b/", "./b/c/", "./b/c/d"]);
    }

    #[test]
    fn a_path_is_never_cut() {
        assert!(tree(&[&"x".repeat(101)]).tar("", 0).is_err());
    }
}
