//! The places in which members have roles: the whole server, and its projects by name.

use std::collections::HashMap;

use app::App;
use app::projects::list_readable_projects;
use app::roles::{Actor, Permission, Rights};
use domain::ProjectId;
use storage::{ListRange, Role, RoleGrant};

use crate::projects::every_project;
use crate::refusal::Refusal;

/// More projects than a person chooses from; a role in another one is given over REST.
const PROJECTS_AT_MOST: u32 = 500;

/// The projects that the visitor may read, by id, in their order.
pub(crate) struct Places {
    order: Vec<ProjectId>,
    names: HashMap<ProjectId, String>,
}

/// A role with its place, for people.
pub(crate) struct ShownRole {
    pub(crate) role: &'static str,
    pub(crate) place: String,
    /// Whether it comes with the right to write custom code, which admins and owners always have.
    pub(crate) is_with_code: bool,
}

/// A place in a form.
pub(crate) struct PlaceChoice {
    /// Empty for the whole server.
    pub(crate) value: String,
    pub(crate) words: String,
    pub(crate) is_chosen: bool,
}

impl Places {
    pub(crate) async fn of(app: &App, actor: &Actor) -> Result<Self, Refusal> {
        let all = ListRange { page: 1, per_page: PROJECTS_AT_MOST };
        let (found, _) = list_readable_projects(app, actor, &every_project(), all).await?;
        let order = found.iter().map(|project| project.id).collect();
        let name =
            |project: storage::ProjectSummary| (project.id, project.name.unwrap_or(project.key));
        Ok(Self { order, names: found.into_iter().map(name).collect() })
    }

    /// A place in words, as after "in": `Shop`, or `the whole server`.
    pub(crate) fn words(&self, project: Option<ProjectId>) -> String {
        let Some(id) = project else { return "the whole server".to_owned() };
        self.names.get(&id).cloned().unwrap_or_else(|| format!("project {id}"))
    }

    pub(crate) fn shown(&self, grants: &[RoleGrant]) -> Vec<ShownRole> {
        let show = |grant: &RoleGrant| ShownRole {
            role: grant.role.as_str(),
            place: self.words(grant.project),
            is_with_code: grant.is_code_allowed && grant.role < Role::Admin,
        };
        grants.iter().map(show).collect()
    }

    /// The places in which these rights allow giving roles, the widest last; the one with the value `chosen` is chosen.
    pub(crate) fn choices(&self, rights: &Rights, chosen: Option<&str>) -> Vec<PlaceChoice> {
        let manages = |place: &Option<ProjectId>| rights.include(*place, Permission::ManageMembers);
        let places = self.order.iter().copied().map(Some).chain([None]);
        let choice = |place: Option<ProjectId>| {
            let value = place_value(place);
            PlaceChoice {
                words: self.words(place),
                is_chosen: chosen == Some(value.as_str()),
                value,
            }
        };
        places.filter(manages).map(choice).collect()
    }
}

/// The value of a place in a form: the project's id, or nothing for the whole server.
pub(crate) fn place_value(project: Option<ProjectId>) -> String {
    project.map(|id| id.to_string()).unwrap_or_default()
}

/// The place that a form names.
pub(crate) fn place_named(value: &str) -> Result<Option<ProjectId>, Refusal> {
    if value.is_empty() {
        return Ok(None);
    }
    value.parse().map(Some).map_err(|_| Refusal::UnreadableForm)
}
