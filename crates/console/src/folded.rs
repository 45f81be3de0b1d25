//! Lists that may be long: what matters is at hand, and the rest opens on demand.

/// More than these are looked through, not seen at once.
const AT_HAND: usize = 20;

/// The elements of a list in two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folded<T> {
    pub(crate) at_hand: Vec<T>,
    /// None if all are at hand.
    pub(crate) others: Vec<T>,
}

impl<T> Folded<T> {
    /// A list of few elements is whole; of a longer one, those that matter are at hand.
    pub(crate) fn of(elements: Vec<T>, matters: impl Fn(&T) -> bool) -> Self {
        let is_short = elements.len() <= AT_HAND;
        let (at_hand, others) =
            elements.into_iter().partition(|element| is_short || matters(element));
        Self { at_hand, others }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at_hand.is_empty() && self.others.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Folded;

    #[test]
    fn a_short_list_is_whole_and_a_long_one_shows_what_matters() {
        let short = Folded::of((0..20).collect(), |_| false);
        let long = Folded::of((0..21).collect(), |number| number % 10 == 0);

        assert_eq!((short.at_hand.len(), short.others.len()), (20, 0));
        assert_eq!((long.at_hand, long.others.len()), (vec![0, 10, 20], 18));
    }
}
