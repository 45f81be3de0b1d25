//! A member whose address nothing has proved may be another person: the one who handed over the link of the invitation, or the temporary password,
//! and used it themselves. That person must gain nothing by it, so such a member gets no role which that person could not give.

use std::sync::Arc;

use storage::{MemberLine, RoleGrant, StorageError};
use thiserror::Error;

use crate::App;
use crate::members::Sight;
use crate::members::dto::voucher_in_words;
use crate::roles::{Rights, rights_of};

/// Nothing has proved the address of a member but the word of another one, who could not give the role.
#[derive(Debug, Error)]
#[error(
    "nothing has proved that `{email}` is the member's address: {voucher} handed over the invitation or the password, and may use it, but could not give this role"
)]
pub struct Unproved {
    /// The member's address.
    email: String,
    /// Who handed it over.
    voucher: String,
}

impl Unproved {
    /// What makes the member able to get the role.
    pub const HINT: &str = "reset the password, or have an admin of the server do so, hand the temporary one to the person yourself, and give the role then";

    /// As it is told to an actor: admins of projects do not see who vouches for whom.
    pub(super) fn seen_by(self, sight: &Sight) -> Self {
        match sight {
            Sight::Server => self,
            Sight::Projects(..) => Self { voucher: "another member".to_owned(), ..self },
        }
    }
}

/// Why these roles are not given to a member, if it is for that reason. What they may do already is no gain.
pub(super) async fn find_unproved(
    app: &App,
    member: &MemberLine,
    given: &[RoleGrant],
) -> Result<Option<Unproved>, StorageError> {
    let Some(voucher) = &member.vouched_by else { return Ok(None) };
    let has = Rights::from(Arc::from(&*member.roles));
    let is_gain = |grant: &&RoleGrant| {
        has.role(grant.project) < Some(grant.role)
            || grant.is_code_allowed && !has.is_code_allowed(grant.project)
    };
    let may_give = rights_of(app, voucher.id).await?;
    let is_too_much = given.iter().filter(is_gain).any(|grant| !may_give.decide_about(grant));
    let (email, voucher) = (member.email.clone(), voucher_in_words(voucher));
    Ok(is_too_much.then_some(Unproved { email, voucher }))
}
