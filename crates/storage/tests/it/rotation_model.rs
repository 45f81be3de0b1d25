//! Rotation against a model: whatever the order in which old and new tokens are used, the store and a few lines of plain Rust
//! agree. This is where bookkeeping by family and bookkeeping by token could come apart.

use proptest::prelude::*;
use storage::{RefreshOutcome, Store};
use tokio::runtime::Runtime;

use crate::cluster::Database;
use crate::given::{opens, rotating, sqlite, tokens};

/// What somebody does with one of the pairs of tokens issued so far.
#[derive(Debug, Clone, Copy)]
enum Step {
    Refresh(prop::sample::Index),
    Open(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<prop::sample::Index>().prop_map(Step::Refresh),
        any::<prop::sample::Index>().prop_map(Step::Open),
    ]
}

/// A pair of tokens that were issued together, and the pair whose refresh token was spent for it.
struct Pair {
    predecessor: Option<usize>,
    is_replaced: bool,
    is_used: bool,
}

#[derive(Default)]
struct Family {
    pairs: Vec<Pair>,
    has_ended: bool,
}

impl Family {
    fn issue(&mut self, predecessor: Option<usize>) {
        self.pairs.push(Pair { predecessor, is_replaced: false, is_used: false });
    }

    /// The pair for which the refresh token of `pair` was spent, if it was.
    fn successor(&self, pair: usize) -> Option<usize> {
        let is_successor = |other: &Pair| other.predecessor == Some(pair) && !other.is_replaced;
        self.pairs.iter().position(is_successor)
    }

    fn refresh(&mut self, pair: usize) -> &'static str {
        if self.pairs[pair].is_replaced {
            return "unknown";
        }
        if self.has_ended {
            return "ended";
        }
        if let Some(successor) = self.successor(pair) {
            if self.pairs[successor].is_used || self.successor(successor).is_some() {
                self.has_ended = true;
                return "reused";
            }
            self.pairs[successor].is_replaced = true;
        }
        self.issue(Some(pair));
        "refreshed"
    }

    fn open(&mut self, pair: usize) -> bool {
        let opens = !self.has_ended && !self.pairs[pair].is_replaced;
        self.pairs[pair].is_used |= opens;
        opens
    }
}

fn word(outcome: RefreshOutcome) -> &'static str {
    match outcome {
        RefreshOutcome::Refreshed(_) => "refreshed",
        RefreshOutcome::Unknown => "unknown",
        RefreshOutcome::Ended => "ended",
        RefreshOutcome::Reused => "reused",
        RefreshOutcome::Expired | RefreshOutcome::OtherClient | RefreshOutcome::ScopeTooWide => {
            "other"
        }
    }
}

async fn agree(store: &dyn Store, steps: Vec<Step>) {
    tokens(store).await;
    let mut family = Family::default();
    family.issue(None);
    for step in steps {
        let issued = family.pairs.len();
        match step {
            Step::Refresh(index) => {
                let pair = index.index(issued);
                let refresh = rotating(&pair.to_string(), &issued.to_string());
                let outcome = store.refresh(refresh).await.unwrap();
                assert_eq!(word(outcome), family.refresh(pair));
            }
            Step::Open(index) => {
                let pair = index.index(issued);
                assert_eq!(opens(store, &format!("access {pair}")).await, family.open(pair));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_uses_has_the_outcome_of_the_model(steps in prop::collection::vec(step(), 1..16)) {
        let folder = tempfile::tempdir().unwrap();
        let store = sqlite(folder.path());

        Runtime::new().unwrap().block_on(agree(&store, steps));
    }
}

proptest! {
    // Each case makes a database, which takes longer than the case.
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_uses_has_the_outcome_of_the_model_on_postgres(
        steps in prop::collection::vec(step(), 1..16)
    ) {
        Runtime::new().unwrap().block_on(async {
            agree(&Database::new().await.store().await, steps).await;
        });
    }
}
