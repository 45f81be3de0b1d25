//! Those who keep the server busy: each has a connection and authorizations of its own, so that it knows in which order it asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;

use super::client::{Caller, allow, authorize};
use super::dice::Dice;
use super::grant::Grant;
use crate::site::Application;

/// Who asks for codes: two applications, in a browser whose member has signed in.
#[derive(Clone)]
pub(super) struct Party {
    pub(super) applications: [Arc<Application>; 2],
    pub(super) cookies: String,
    /// Set when the work is over, whether there are answers or not.
    pub(super) is_enough: Arc<AtomicBool>,
}

/// Acts at random until there is no answer. Gives back what it knows then.
pub(super) async fn until_no_answer(
    caller: Caller,
    party: Party,
    mut grants: Vec<Grant>,
    mut dice: Dice,
) -> Vec<Grant> {
    while !party.is_enough.load(Ordering::Relaxed) {
        let place = dice.pick(0..grants.len());
        match place.filter(|_| dice.below(4) > 0) {
            Some(place) => {
                grants[place].act(&caller, &mut dice).await;
                if grants[place].is_in_doubt() {
                    return grants;
                }
            }
            None => match begin(&caller, &party, &mut dice).await {
                Some(grant) => grants.push(grant),
                None => return grants,
            },
        }
    }
    grants
}

/// A new code. One that did not arrive is of no use.
async fn begin(caller: &Caller, party: &Party, dice: &mut Dice) -> Option<Grant> {
    let application = dice.pick(&party.applications)?;
    let mut answer = caller.ask(authorize(application, &party.cookies)).await?;
    // A consent is remembered for an application that can prove who it is; any other asks each time.
    if answer.status == StatusCode::OK {
        answer = caller.ask(allow(&answer, &party.cookies)).await?;
    }
    Some(Grant::new(Arc::clone(application), answer.returned("code").unwrap()))
}

/// Settles what was in doubt, and then tries everything.
pub(super) async fn settle_and_compare(caller: Caller, mut grants: Vec<Grant>) -> Vec<Grant> {
    for grant in &mut grants {
        grant.settle(&caller).await;
        grant.compare(&caller).await;
    }
    grants
}
