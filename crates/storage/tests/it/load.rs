//! How busy the database is, as operators are told.

use std::task::{Context, Waker};

use storage::{DatabaseLoad, Store};

/// More than may work at once, in either database.
const OPERATIONS: usize = 100;

pub(crate) async fn running_and_waiting_operations_are_counted(store: &dyn Store) {
    let mut operations: Vec<_> = (0..OPERATIONS).map(|_| store.newest_moment()).collect();

    let mut context = Context::from_waker(Waker::noop());
    let begun = operations.iter_mut().map(|operation| operation.as_mut().poll(&mut context));
    let pending = begun.filter(std::task::Poll::is_pending).count();

    let DatabaseLoad { in_use, at_most, waiting } = store.load();
    assert!(in_use + waiting >= pending && in_use <= at_most, "{in_use} {waiting} {pending}");
    assert!(waiting >= pending - at_most && at_most < pending, "{waiting} {at_most} {pending}");
}
