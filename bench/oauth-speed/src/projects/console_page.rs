//! The pages of the console that a member looks at while working on a project.

use super::large_project::Shape;

#[derive(Clone, Copy)]
pub(crate) enum ConsolePage {
    Home,
    Campaigns,
    Search,
    Campaign,
    CampaignForm,
    Groups,
    NewGroup,
    Pages,
    PageForm,
    Preview,
    Decide,
    History,
    NewCampaign,
    Schedule,
    Size,
    Settings,
    Install,
    Compare,
}

impl ConsolePage {
    pub(crate) const ALL: [Self; 18] = [
        Self::Home,
        Self::Campaigns,
        Self::Search,
        Self::Campaign,
        Self::CampaignForm,
        Self::Groups,
        Self::NewGroup,
        Self::Pages,
        Self::PageForm,
        Self::Preview,
        Self::Decide,
        Self::History,
        Self::NewCampaign,
        Self::Schedule,
        Self::Size,
        Self::Settings,
        Self::Install,
        Self::Compare,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Home => "page: overview of a changed draft",
            Self::Campaigns => "page: campaigns",
            Self::Search => "page: campaigns by name",
            Self::Campaign => "page: a campaign",
            Self::CampaignForm => "page: edit a campaign",
            Self::Groups => "page: groups",
            Self::NewGroup => "page: new group",
            Self::Pages => "page: pages",
            Self::PageForm => "page: edit a page",
            Self::Preview => "page: preview",
            Self::Decide => "page: explain a decision",
            Self::History => "page: history",
            Self::NewCampaign => "page: new campaign",
            Self::Schedule => "page: schedule",
            Self::Size => "page: snippet size",
            Self::Settings => "page: settings",
            Self::Install => "page: install",
            Self::Compare => "page: compare draft and live",
        }
    }

    pub(crate) fn path(self, shape: Shape) -> String {
        let project = format!("/projects/{}", shape.id());
        let place = match self {
            Self::Home => String::new(),
            Self::Campaigns => "/campaigns".to_owned(),
            Self::Search => "/campaigns?text=Experiment+77".to_owned(),
            Self::Campaign => format!("/campaigns/{}", shape.campaign()),
            Self::CampaignForm => format!("/campaigns/{}/edit", shape.campaign()),
            Self::Groups => "/groups".to_owned(),
            Self::NewGroup => "/groups/new".to_owned(),
            Self::Pages => "/pages".to_owned(),
            Self::PageForm => "/pages/2001".to_owned(),
            Self::Preview => "/preview".to_owned(),
            Self::Decide => "/decide".to_owned(),
            Self::History => "/history".to_owned(),
            Self::NewCampaign => "/campaigns/new".to_owned(),
            Self::Schedule => "/schedule".to_owned(),
            Self::Size => "/size".to_owned(),
            Self::Settings => "/settings".to_owned(),
            Self::Install => "/install".to_owned(),
            Self::Compare => "/history/compare?from=live&to=draft".to_owned(),
        };
        project + &place
    }
}
