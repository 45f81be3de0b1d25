//! Members change roles in any order: no member ever raises their own rights or gives what they do not have, and the server never ends
//! without an owner.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};

use app::members::{change_roles, find_member, list_members, remove_member};
use app::roles::{ActingApplication, ActingMember, Actor, Permission, Rights, rights_of};
use domain::ProjectId;
use oauth::{Scope, ScopeSet};
use proptest::prelude::*;
use storage::{ListRange, MemberId, MemberLine, Role, RoleGrant};
use tokio::runtime::Runtime;

use crate::server::Server;
use crate::shop::Shop;

const PLACES: [Option<&str>; 3] = [None, Some("1000"), Some("2000")];

/// Where a member may do what.
type Right = (usize, Permission);

/// One member gives another these roles, or removes them. Numbers pick among the members.
#[derive(Debug, Clone)]
struct Step {
    actor: usize,
    target: usize,
    wanted: Option<Vec<(usize, usize, bool)>>,
}

fn step() -> impl Strategy<Value = Step> {
    let grant = (0..PLACES.len(), 0..Role::ALL.len(), any::<bool>());
    let wanted = prop::option::weighted(0.9, prop::collection::vec(grant, 0..3));
    (0..6_usize, 0..6_usize, wanted).prop_map(|(actor, target, wanted)| Step {
        actor,
        target,
        wanted,
    })
}

fn place(number: usize) -> Option<ProjectId> {
    PLACES[number].map(|project| project.parse().unwrap())
}

fn roles(wanted: &[(usize, usize, bool)]) -> Vec<RoleGrant> {
    let mut roles: Vec<RoleGrant> = wanted
        .iter()
        .map(|(place_number, role, code)| {
            let role = Role::ALL[*role];
            let is_code_allowed = *code || role >= Role::Admin;
            RoleGrant { project: place(*place_number), role, is_code_allowed }
        })
        .collect();
    roles.sort_unstable();
    roles.dedup_by_key(|grant| grant.project);
    roles
}

/// All that any member may do anywhere.
async fn all_allowed(server: &Server, members: &[MemberLine]) -> HashSet<(MemberId, Right)> {
    let mut allowed = HashSet::new();
    for member in members {
        let rights = rights(server, member.id).await;
        let all = (0..PLACES.len()).flat_map(|place| Permission::ALL.map(|what| (place, what)));
        let included = all.filter(|(number, what)| rights.include(place(*number), *what));
        allowed.extend(included.map(|right| (member.id, right)));
    }
    allowed
}

async fn members(server: &Server) -> Vec<MemberLine> {
    list_members(&server.app, &Actor::Command, ListRange { page: 1, per_page: 100 }).await.unwrap()
}

async fn rights(server: &Server, id: MemberId) -> Rights {
    rights_of(&server.app, id).await.unwrap()
}

async fn take(server: &Server, step: &Step) {
    let before = members(server).await;
    let actor = &before[step.actor % before.len()];
    let target = &before[step.target % before.len()];
    let scope = ScopeSet::from(Scope::MembersWrite);
    let by = Actor::Member(ActingMember {
        id: actor.id,
        through: Some(ActingApplication { client_id: "reports".parse().unwrap(), scope }),
        credential: None,
        address: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        request_id: String::new(),
    });
    let actors_rights = rights(server, actor.id).await;
    let had = all_allowed(server, &before).await;

    let seen = find_member(&server.app, &by, target.id).await.ok().flatten();
    let done = match (&step.wanted, &seen) {
        (_, None) => false,
        (Some(wanted), Some(seen)) => {
            change_roles(&server.app, &by, seen, roles(wanted)).await.is_ok()
        }
        (None, Some(seen)) => remove_member(&server.app, &by, seen).await.is_ok(),
    };

    let after = members(server).await;
    let owns = |line: &MemberLine| line.roles.contains(&RoleGrant::OWNER);
    assert!(after.iter().any(owns), "the server has an owner after {step:?}");
    if !done {
        assert_eq!(after, before, "what is refused changes nothing: {step:?}");
    }
    for (member, right) in all_allowed(server, &after).await {
        if had.contains(&(member, right)) {
            continue;
        }
        let (number, what) = right;
        assert!(member == target.id && member != actor.id, "{right:?} of {member} after {step:?}");
        assert!(actors_rights.include(place(number), what), "{right:?} is given by {step:?}");
    }
    let gone = find_member(&server.app, &Actor::Command, target.id).await.unwrap().is_none();
    assert_eq!(gone, done && step.wanted.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_member_raises_their_own_rights_and_an_owner_is_left(steps in prop::collection::vec(step(), 40)) {
        Runtime::new().unwrap().block_on(async {
            let shop = Shop::open().await;
            shop.begin("2000", "other").await.unwrap();
            let server = &shop.server;
            for (name, number, role) in [
                ("bob", 0, Role::Admin),
                ("cem", 1, Role::Owner),
                ("dee", 1, Role::Admin),
                ("eve", 2, Role::Editor),
                ("fay", 0, Role::Viewer),
            ] {
                let is_code_allowed = role >= Role::Admin;
                server.member(name, &[RoleGrant { project: place(number), role, is_code_allowed }]).await;
            }
            for step in &steps {
                take(server, step).await;
            }
        });
    }
}
