//! A bounded cache: keeps the most recently used values in memory, up to what they weigh together. Each cache weighs in a unit of its own,
//! which stands for memory: bytes of text, campaigns, variations.
//!
//! It keeps the newest value in any case, even one that is heavier than all others may be together: a large project would otherwise be read
//! and compiled for each request. To find the least recently used of some thousand entries takes far less than to make any value.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Light entries cost more memory than they weigh.
const ENTRIES_AT_MOST: usize = 256;

/// The most recently used values. Values are cheap to clone.
pub(crate) struct BoundedCache<K, V> {
    weight_at_most: usize,
    entries_at_most: usize,
    state: Mutex<CacheState<K, V>>,
}

struct CacheState<K, V> {
    entries: HashMap<K, Entry<V>>,
    weight: usize,
    /// Counts uses, to find the least recently used entry.
    uses: u64,
}

struct Entry<V> {
    value: V,
    weight: usize,
    used: u64,
}

impl<K: Eq + Hash + Clone, V: Clone> BoundedCache<K, V> {
    /// A cache of values that [`BoundedCache::put`] weighs.
    pub(crate) fn of_weight(weight_at_most: usize) -> Self {
        Self::with(weight_at_most, ENTRIES_AT_MOST)
    }

    /// A cache of values that [`BoundedCache::put_one`] counts.
    pub(crate) fn of_entries(entries_at_most: usize) -> Self {
        Self::with(usize::MAX, entries_at_most)
    }

    fn with(weight_at_most: usize, entries_at_most: usize) -> Self {
        let state = CacheState { entries: HashMap::new(), weight: 0, uses: 0 };
        Self { weight_at_most, entries_at_most, state: Mutex::new(state) }
    }

    pub(crate) fn find(&self, key: &K) -> Option<V> {
        let mut state = self.lock();
        state.uses += 1;
        let used = state.uses;
        let entry = state.entries.get_mut(key)?;
        entry.used = used;
        Some(entry.value.clone())
    }

    /// Adds a value of this weight. Evicts the least recently used entries to make room; always keeps the newest.
    pub(crate) fn put(&self, key: K, value: V, weight: usize) {
        let mut state = self.lock();
        state.uses += 1;
        state.remove(&key);
        while !state.entries.is_empty()
            && (state.weight + weight > self.weight_at_most
                || state.entries.len() >= self.entries_at_most)
        {
            let oldest = state.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            state.remove(&oldest);
        }
        let used = state.uses;
        state.weight += weight;
        state.entries.insert(key, Entry { value, weight, used });
    }

    /// The same with a value that counts, whatever its size.
    pub(crate) fn put_one(&self, key: K, value: V) {
        self.put(key, value, 1);
    }

    fn lock(&self) -> MutexGuard<'_, CacheState<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V> CacheState<K, V> {
    fn remove(&mut self, key: &K) {
        if let Some(entry) = self.entries.remove(key) {
            self.weight -= entry.weight;
        }
    }
}

impl<K, V> fmt::Debug for BoundedCache<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BoundedCache")
            .field("weight_at_most", &self.weight_at_most)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{BoundedCache, ENTRIES_AT_MOST};

    #[test]
    fn the_least_recently_used_entry_makes_room() {
        let cache = BoundedCache::of_weight(10);
        cache.put("a", 1, 4);
        cache.put("b", 2, 4);
        assert_eq!(cache.find(&"a"), Some(1));

        cache.put("c", 3, 4);

        assert_eq!(
            (cache.find(&"a"), cache.find(&"b"), cache.find(&"c")),
            (Some(1), None, Some(3))
        );
    }

    #[test]
    fn a_replaced_entry_counts_once_and_the_newest_is_kept_at_any_weight() {
        let cache = BoundedCache::of_weight(10);
        cache.put("a", 1, 6);
        cache.put("a", 2, 6);
        cache.put("b", 3, 4);
        assert_eq!((cache.find(&"a"), cache.find(&"b")), (Some(2), Some(3)));

        cache.put("c", 4, 100);

        assert_eq!((cache.find(&"a"), cache.find(&"b"), cache.find(&"c")), (None, None, Some(4)));
    }

    #[test]
    fn the_number_of_entries_has_a_limit_too() {
        let cache = BoundedCache::of_weight(1_000_000);
        for number in 0..2 * ENTRIES_AT_MOST {
            cache.put(number, number, 1);
        }

        assert_eq!(cache.lock().entries.len(), ENTRIES_AT_MOST);
        assert_eq!(cache.find(&(2 * ENTRIES_AT_MOST - 1)), Some(2 * ENTRIES_AT_MOST - 1));
    }
}
