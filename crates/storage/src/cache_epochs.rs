//! Tells which cached entries are still good, without touching the entries: invalidations are numbered, and each subject remembers the
//! last one that it had.
//!
//! An operation reads the number before it asks the database. Whatever was committed and invalidated by then is in what it reads;
//! an invalidation with a higher number may not be. So an entry is good as long as its subject has had none with a higher number than
//! the entry's own. Subjects share a limited number of places: two in one place only means that one of them is read again needlessly.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem::discriminant;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::invalidation::Invalidation;

/// 128 KiB. While the token cache is full, an invalidation costs some eight tokens of others a look into the database.
const PLACES: u64 = 16_384;

/// The number of the last invalidation when an operation began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CacheEpoch(u64);

/// The invalidations so far.
pub(crate) struct CacheEpochs {
    newest: AtomicU64,
    /// The last that was about everything.
    of_everything: AtomicU64,
    /// The last for each place.
    places: Box<[AtomicU64]>,
}

impl Default for CacheEpochs {
    fn default() -> Self {
        Self {
            newest: AtomicU64::new(0),
            of_everything: AtomicU64::new(0),
            places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

impl CacheEpochs {
    pub(crate) fn now(&self) -> CacheEpoch {
        CacheEpoch(self.newest.load(Ordering::SeqCst))
    }

    /// To be called after the commit that ended something, and before that is answered.
    pub(crate) fn invalidate(&self, subject: &Invalidation) {
        let number = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        self.place(subject).fetch_max(number, Ordering::SeqCst);
    }

    /// Whether nothing has ended `subject` since `epoch`.
    pub(crate) fn is_current(&self, CacheEpoch(epoch): CacheEpoch, subject: &Invalidation) -> bool {
        [&self.of_everything, self.place(subject)]
            .into_iter()
            .all(|last| last.load(Ordering::SeqCst) <= epoch)
    }

    fn place(&self, subject: &Invalidation) -> &AtomicU64 {
        let mut hasher = DefaultHasher::new();
        discriminant(subject).hash(&mut hasher);
        match subject {
            Invalidation::Token(hash) => hash.as_bytes().hash(&mut hasher),
            Invalidation::Family(family) => family.hash(&mut hasher),
            Invalidation::Roles(member) => member.hash(&mut hasher),
            Invalidation::PreviewLink(id) => id.hash(&mut hasher),
            Invalidation::Everything => return &self.of_everything,
        }
        let place = usize::try_from(hasher.finish() % PLACES).expect("there are few places");
        &self.places[place]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::CacheEpochs;
    use crate::invalidation::Invalidation;

    #[test]
    fn only_what_was_read_before_an_invalidation_is_out_of_date() {
        let epochs = CacheEpochs::default();
        let before = epochs.now();

        epochs.invalidate(&Invalidation::Family(7));

        assert!(!epochs.is_current(before, &Invalidation::Family(7)));
        assert!(epochs.is_current(before, &Invalidation::Family(8)));
        assert!(epochs.is_current(epochs.now(), &Invalidation::Family(7)));
    }

    #[test]
    fn an_invalidation_of_everything_is_about_each_subject() {
        let epochs = CacheEpochs::default();
        let before = epochs.now();

        epochs.invalidate(&Invalidation::Everything);

        assert!(!epochs.is_current(before, &Invalidation::Family(7)));
        assert!(epochs.is_current(epochs.now(), &Invalidation::Family(7)));
    }

    /// Invalidates a family again and again, while others invalidate theirs.
    fn invalidate_often(epochs: &CacheEpochs, family: i64) {
        let family = Invalidation::Family(family);
        for _ in 0..1_000 {
            let before = epochs.now();
            epochs.invalidate(&family);
            assert!(!epochs.is_current(before, &family));
            assert!(epochs.is_current(epochs.now(), &family));
        }
    }

    #[test]
    fn of_invalidations_at_once_each_takes_what_was_read_before_it() {
        let (epochs, start) = (CacheEpochs::default(), Barrier::new(8));
        let run = |family| {
            start.wait();
            invalidate_often(&epochs, family);
        };
        thread::scope(|scope| {
            for family in 0..8 {
                let run = &run;
                scope.spawn(move || run(family));
            }
        });
    }
}
