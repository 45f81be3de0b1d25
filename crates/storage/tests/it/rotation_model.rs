//! Rotation against a model: whatever the order in which old and new tokens are used, the store and a few lines of plain Rust
//! agree. This is where bookkeeping by family and bookkeeping by token could come apart.

use proptest::prelude::*;
use storage::{Refresh, RefreshOutcome, Store};
use tokio::runtime::Runtime;

use crate::cluster::Database;
use crate::given::{at, opens, rotating, sqlite, tokens};
use crate::rotation::beside;

/// A step with one of the pairs of tokens issued so far.
#[derive(Debug, Clone, Copy)]
enum Step {
    Refresh(prop::sample::Index),
    /// While another refresh with the same token is under way.
    RefreshBeside(prop::sample::Index),
    Open(prop::sample::Index),
    WaitForFourMinutes,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(Step::Refresh),
        1 => any::<prop::sample::Index>().prop_map(Step::RefreshBeside),
        2 => any::<prop::sample::Index>().prop_map(Step::Open),
        1 => Just(Step::WaitForFourMinutes),
    ]
}

/// A pair of tokens that were issued together, and the pair whose refresh token was spent for it.
#[derive(Default)]
struct Pair {
    predecessor: Option<usize>,
    spent_at: Option<i64>,
    standing: Standing,
    is_used: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Standing {
    #[default]
    Good,
    /// It was taken for lost.
    Replaced,
    /// Another that was asked for at once was used first.
    Gone,
}

/// When a refresh came.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Timing {
    Alone,
    /// While another with the same token was under way.
    Beside,
}

#[derive(Default)]
struct Family {
    pairs: Vec<Pair>,
    has_ended: bool,
}

impl Family {
    fn issue(&mut self, predecessor: Option<usize>) {
        self.pairs.push(Pair { predecessor, ..Pair::default() });
    }

    /// The pairs for which the refresh token of `pair` was spent.
    fn successors(&self, pair: usize) -> Vec<usize> {
        let is_successor =
            |other: &Pair| other.predecessor == Some(pair) && other.standing != Standing::Replaced;
        (0..self.pairs.len()).filter(|other| is_successor(&self.pairs[*other])).collect()
    }

    fn refresh(&mut self, pair: usize, came: Timing, now: i64) -> &'static str {
        if self.pairs[pair].standing == Standing::Gone {
            return "unknown";
        }
        if self.has_ended {
            return "ended";
        }
        let successors = self.successors(pair);
        let went_on = |other: &usize| self.pairs[*other].spent_at.is_some();
        let was_used = |other: &usize| self.pairs[*other].is_used;
        let is_newest = self.pairs[pair].spent_at.is_none();
        let is_late = self.pairs[pair].spent_at.is_some_and(|at| now > at + 600);
        if self.pairs[pair].standing == Standing::Replaced
            || successors.iter().any(went_on)
            || (came == Timing::Alone && (is_late || successors.iter().any(was_used)))
        {
            self.has_ended = true;
            return "reused";
        }
        if is_newest {
            self.pairs[pair].spent_at = Some(now);
            let predecessor = self.pairs[pair].predecessor;
            let beside = predecessor.map(|spent| self.successors(spent)).unwrap_or_default();
            for other in beside.into_iter().filter(|other| *other != pair) {
                self.pairs[other].standing = Standing::Gone;
            }
        } else if came == Timing::Alone {
            for other in successors {
                self.pairs[other].standing = Standing::Replaced;
            }
        }
        self.issue(Some(pair));
        "refreshed"
    }

    fn open(&mut self, pair: usize) -> bool {
        let opens = !self.has_ended && self.pairs[pair].standing != Standing::Replaced;
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
        RefreshOutcome::Expired
        | RefreshOutcome::OtherClient
        | RefreshOutcome::Narrowed(_)
        | RefreshOutcome::ScopeTooWide
        | RefreshOutcome::NothingLeft => "other",
    }
}

async fn agree(store: &dyn Store, steps: Vec<Step>) {
    tokens(store).await;
    let (mut family, mut now) = (Family::default(), 2);
    family.issue(None);
    for step in steps {
        let issued = family.pairs.len();
        match step {
            Step::Refresh(index) => {
                let pair = index.index(issued);
                let refresh = rotating(&pair.to_string(), &issued.to_string());
                let outcome = store.refresh(Refresh { now: at(now), ..refresh }).await.unwrap();
                assert_eq!(word(outcome), family.refresh(pair, Timing::Alone, now));
            }
            Step::RefreshBeside(index) => {
                let pair = index.index(issued);
                let refresh = beside(&pair.to_string(), &issued.to_string());
                let outcome = store.refresh(Refresh { now: at(now), ..refresh }).await.unwrap();
                assert_eq!(word(outcome), family.refresh(pair, Timing::Beside, now));
            }
            Step::Open(index) => {
                let pair = index.index(issued);
                assert_eq!(opens(store, &format!("access {pair}")).await, family.open(pair));
            }
            Step::WaitForFourMinutes => now += 240,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_uses_has_the_outcome_of_the_model(steps in prop::collection::vec(step(), 1..20)) {
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
        steps in prop::collection::vec(step(), 1..20)
    ) {
        Runtime::new().unwrap().block_on(async {
            agree(&Database::new().await.store().await, steps).await;
        });
    }
}
