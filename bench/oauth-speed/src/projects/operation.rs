//! The requests to the server, and how often.

use serde_json::{Value, json};

use super::large_project::Shape;

/// As many drafts as this are not all in memory.
const OTHERS: u32 = 64;

/// The ids of the first small projects.
pub(crate) fn small_projects(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|number| 2_000 + number)
}

/// A method, an address and a body; null is none.
pub(crate) type Request = (&'static str, String, Value);

/// Something that people do with projects.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    ListProjects,
    ListMoreProjects,
    OpenProject,
    ListCampaigns,
    ReadVariation,
    ReadVariationAnew,
    ReadDocument,
    ChangeVariation,
    AddAttribute,
    CompareWithLive,
    Publish,
    Pause,
    Resume,
}

impl Operation {
    pub(crate) const ALL: [Self; 13] = [
        Self::ListProjects,
        Self::ListMoreProjects,
        Self::OpenProject,
        Self::ListCampaigns,
        Self::ReadVariation,
        Self::ReadVariationAnew,
        Self::ReadDocument,
        Self::ChangeVariation,
        Self::AddAttribute,
        Self::CompareWithLive,
        Self::Publish,
        Self::Pause,
        Self::Resume,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ListProjects => "list 25 of 1,000 projects",
            Self::ListMoreProjects => "list 100 of 1,000 projects",
            Self::OpenProject => "open the project",
            Self::ListCampaigns => "list 100 campaigns",
            Self::ReadVariation => "read a variation",
            Self::ReadVariationAnew => "the same, the draft not being in memory",
            Self::ReadDocument => "read the document",
            Self::ChangeVariation => "change a variation's text",
            Self::AddAttribute => "add an attribute",
            Self::CompareWithLive => "compare draft and live",
            Self::Publish => "publish a changed text",
            Self::Pause => "pause a campaign",
            Self::Resume => "resume a campaign",
        }
    }

    /// Enough of them to see a millisecond where the system counts in ten.
    pub(crate) const fn rounds(self) -> u32 {
        match self {
            Self::ListProjects
            | Self::ListMoreProjects
            | Self::OpenProject
            | Self::ListCampaigns
            | Self::ReadVariation => 50,
            Self::ReadVariationAnew
            | Self::ReadDocument
            | Self::ChangeVariation
            | Self::AddAttribute
            | Self::CompareWithLive
            | Self::Publish
            | Self::Pause
            | Self::Resume => 3,
        }
    }

    /// Preparation, which is not measured.
    pub(crate) fn preparations(self, shape: Shape, number: u32) -> Vec<Request> {
        match self {
            Self::Publish | Self::CompareWithLive => {
                vec![Self::ChangeVariation.request(shape, 1_000 + number)]
            }
            Self::ReadVariationAnew => small_projects(OTHERS)
                .map(|id| ("GET", format!("/v1/projects/{id}/pages"), Value::Null))
                .collect(),
            Self::Pause if number > 0 => vec![Self::Resume.request(shape, number)],
            Self::Resume if number > 0 => vec![Self::Pause.request(shape, number)],
            Self::ListProjects
            | Self::ListMoreProjects
            | Self::OpenProject
            | Self::ListCampaigns
            | Self::ReadVariation
            | Self::ReadDocument
            | Self::ChangeVariation
            | Self::AddAttribute
            | Self::Pause
            | Self::Resume => Vec::new(),
        }
    }

    /// The measured request.
    pub(crate) fn request(self, shape: Shape, number: u32) -> Request {
        let project = format!("/v1/projects/{}", shape.id());
        let get = |path: String| ("GET", path, Value::Null);
        let act = |action: &str| {
            let path = format!("{project}/campaigns/{}/actions", shape.campaign());
            ("POST", path, json!({"action": action}))
        };
        match self {
            Self::ListProjects => get("/v1/projects?per_page=25".to_owned()),
            Self::ListMoreProjects => get("/v1/projects?per_page=100".to_owned()),
            Self::OpenProject => get(project),
            Self::ListCampaigns => get(format!("{project}/campaigns?per_page=100")),
            Self::ReadVariation | Self::ReadVariationAnew => {
                get(format!("{project}/variations/{}", shape.variation()))
            }
            Self::ReadDocument => get(format!("{project}/document")),
            Self::ChangeVariation => {
                let value = format!("Changed {number} times");
                let change = json!({"type": "text", "selector": "#headline", "value": value});
                let path = format!("{project}/variations/{}", shape.variation());
                ("PATCH", path, json!({"changes": [change]}))
            }
            Self::AddAttribute => (
                "POST",
                format!("{project}/attributes"),
                json!({"key": format!("attribute-{number}")}),
            ),
            Self::CompareWithLive => get(format!("{project}/revisions/live..draft/diff")),
            Self::Publish => ("POST", format!("{project}/revisions"), json!({})),
            Self::Pause => act("pause"),
            Self::Resume => act("resume"),
        }
    }
}
