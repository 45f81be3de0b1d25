//! Whatever happens to a file, nothing wrong is read from it.

use std::fs;

use lake::{LakeError, Wanted, read_file, write_file};
use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::given::{DAY, purchase, read, records};

/// What is read of a file with these contents.
fn read_bytes(folder: &TempDir, bytes: &[u8]) -> Result<Vec<events::Record>, LakeError> {
    let path = folder.path().join("damaged.parquet");
    fs::write(&path, bytes).unwrap();
    let groups: Result<Vec<_>, _> = read_file(&path, &Wanted::all())?.collect();
    Ok(groups?.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_changed_file_is_noticed_unless_the_change_says_nothing(
        records in records(20),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=u8::MAX), 1..40),
    ) {
        let folder = tempdir().unwrap();
        let file = write_file(folder.path(), "1000", DAY, records).unwrap();
        let path = folder.path().join(&file.name);
        let (whole, kept) = (fs::read(&path).unwrap(), read(&path, &Wanted::all()));

        for (place, change) in changes {
            let mut bytes = whole.clone();
            let place = place.index(bytes.len());
            bytes[place] ^= change;
            match read_bytes(&folder, &bytes) {
                // No reader reads the magic bytes at the beginning.
                Ok(read) => prop_assert!(place < 4 && read == kept, "{place} of {}", bytes.len()),
                Err(error) => prop_assert!(!matches!(error, LakeError::Io(_)), "{error}"),
            }
        }
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_refused(records in records(20), place: prop::sample::Index, more in prop::collection::vec(any::<u8>(), 1..9)) {
        let folder = tempdir().unwrap();
        let file = write_file(folder.path(), "1000", DAY, records).unwrap();
        let whole = fs::read(folder.path().join(&file.name)).unwrap();

        let shorter = read_bytes(&folder, &whole[..place.index(whole.len())]);
        let longer = read_bytes(&folder, &[whole, more].concat());

        prop_assert!(shorter.is_err() && longer.is_err());
    }

    #[test]
    fn arbitrary_bytes_are_refused_as_no_event_file(bytes in prop::collection::vec(any::<u8>(), 0..200), length in 0..300_u32) {
        let folder = tempdir().unwrap();
        let like = [b"PAR1", &bytes[..], &length.to_le_bytes(), b"PAR1"].concat();

        for bytes in [&bytes[..], &like[..]] {
            prop_assert!(matches!(read_bytes(&folder, bytes), Err(LakeError::NoEventFile(_))));
        }
    }
}

#[test]
fn an_event_that_is_called_like_a_checksum_hides_none() {
    let folder = tempdir().unwrap();
    let mut record = purchase(1, 1);
    if let events::Occurrence::Event { name, .. } = &mut record.what {
        "assay.footer_crc32__00000000".clone_into(name);
    }

    let file = write_file(folder.path(), "1000", DAY, vec![record.clone()]).unwrap();

    assert_eq!(read(&folder.path().join(file.name), &Wanted::all()), [record]);
}

#[test]
fn a_file_that_is_not_there_is_told_from_one_that_is_damaged() {
    let folder = tempdir().unwrap();

    let missing = read_file(&folder.path().join("missing.parquet"), &Wanted::all());

    assert!(matches!(missing, Err(LakeError::Io(_))));
}
