//! The way to a file: what decides which bytes are read at its path.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// The links on the way to the file at this absolute path, and the file itself, each in its real folder. Kubernetes and git-sync
/// bring a new version of a file by putting a new link in the place of one of them.
pub(crate) fn way_to(path: &Path) -> Vec<PathBuf> {
    let mut way = Vec::new();
    let mut at = PathBuf::from("/");
    let mut rest = reversed(path);
    while let Some(name) = rest.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        at.push(name);
        let Ok(target) = std::fs::read_link(&at) else { continue };
        way.push(at.clone());
        if way.len() > MOST_LINKS {
            return way;
        }
        at.pop();
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        rest.append(&mut reversed(&target));
    }
    way.push(at);
    way
}

/// The file to which a path leads, whether it is there or not.
pub(crate) fn end_of(path: &Path) -> io::Result<PathBuf> {
    Ok(way_to(&std::path::absolute(path)?).pop().unwrap_or_else(|| path.to_owned()))
}

/// The names in a path, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    let name = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().rev().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::way_to;

    #[test]
    fn the_way_leads_through_each_link() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(folder.join("versions/1/deep")).unwrap();
        std::fs::write(folder.join("versions/1/deep/shop.yaml"), "").unwrap();
        symlink("versions/1", folder.join("current")).unwrap();
        symlink("current/deep/../deep/shop.yaml", folder.join("shop.yaml")).unwrap();

        let way = way_to(&folder.join("shop.yaml"));

        let names = ["shop.yaml", "current", "versions/1/deep/shop.yaml"];
        assert_eq!(way, names.map(|name| folder.join(name)));
    }

    #[test]
    fn links_in_a_circle_end() {
        let folder = tempfile::tempdir().unwrap();
        symlink("shop.yaml", folder.path().join("shop.yaml")).unwrap();

        assert!(way_to(&folder.path().join("shop.yaml")).len() > 1);
    }
}
