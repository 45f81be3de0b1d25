//! A visit as conditions look at it: each thing is worked out once, when it is first asked for.

use std::cell::{OnceCell, RefCell};

use crate::browser::browser_of;
use crate::condition_tree::Truth;
use crate::decider::Decider;
use crate::device::device_of;
use crate::device_type::device_type_of;
use crate::effort::Effort;
use crate::group_choice::GroupChoice;
use crate::page_url::PageUrl;
use crate::percent::decode_percent;
use crate::platform::platform_of;
use crate::query::query_parameter;
use crate::remembered::first_seen;
use crate::source_type::source_type;
use crate::visit::Visit;

/// One visit, looked at by the conditions of one project.
pub(crate) struct View<'v> {
    pub(crate) decider: &'v Decider,
    pub(crate) visit: &'v Visit,
    pub(crate) effort: &'v Effort,
    pub(crate) url: PageUrl,
    /// `None` for a visitor who came from nowhere.
    pub(crate) referrer: Option<&'v str>,
    browser: OnceCell<Option<String>>,
    platform: OnceCell<Option<String>>,
    /// By place: what a group gives the visitor.
    groups: Vec<OnceCell<GroupChoice>>,
    /// By place: the result of an audience.
    audiences: RefCell<Vec<Option<Truth>>>,
}

impl<'v> View<'v> {
    pub(crate) fn new(decider: &'v Decider, visit: &'v Visit, effort: &'v Effort) -> Self {
        let referrer =
            first_seen(visit.remembered.referrer.as_ref(), || Some(visit.referrer.as_str()));
        Self {
            decider,
            visit,
            effort,
            url: PageUrl::new(visit.url.as_ref()),
            referrer,
            browser: OnceCell::new(),
            platform: OnceCell::new(),
            groups: vec![OnceCell::new(); decider.project.groups.len()],
            audiences: RefCell::new(vec![None; decider.audiences.len()]),
        }
    }

    pub(crate) fn query_parameter(&self, name: &str) -> Option<&str> {
        query_parameter(self.visit.url.as_ref(), name)
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.visit.cookies.get(name).map(|value| decode_percent(value))
    }

    /// `name`: an attribute's id, or whatever else the page called it.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.visit.attributes.iter();
        let given = attributes.find(|(given, _)| self.decider.attribute(given) == name);
        given.map(|(_, value)| value.text())
    }

    /// The `utm_campaign` that brought the visitor.
    pub(crate) fn campaign(&self) -> Option<&str> {
        first_seen(self.visit.remembered.campaign.as_ref(), || self.query_parameter("utm_campaign"))
    }

    /// A direct visit does not change the visitor's earlier source.
    pub(crate) fn source_type(&self) -> &str {
        match source_type(self.visit.url.as_ref(), &self.visit.referrer) {
            "direct" => {
                let earlier = self.visit.remembered.source_type.as_ref();
                first_seen(earlier, || Some("direct")).unwrap_or("direct")
            }
            other => other,
        }
    }

    pub(crate) fn device(&self) -> Option<&str> {
        first_seen(self.visit.remembered.device.as_ref(), || self.by_user_agent(device_of))
    }

    pub(crate) fn device_type(&self) -> Option<&str> {
        let earlier = self.visit.remembered.device_type.as_ref();
        first_seen(earlier, || self.by_user_agent(device_type_of))
    }

    /// Empty where the user agent names none.
    pub(crate) fn browser(&self) -> Option<&str> {
        let earlier = self.visit.remembered.browser_version.as_deref();
        let now = || self.visit.user_agent.as_deref().map(browser_of);
        earlier.filter(|text| !text.is_empty()).or_else(|| self.browser.get_or_init(now).as_deref())
    }

    /// Empty where the user agent names none.
    pub(crate) fn platform(&self) -> Option<&str> {
        self.platform.get_or_init(|| self.by_user_agent(platform_of)).as_deref()
    }

    fn by_user_agent<T>(&self, read: impl FnOnce(&str, u32) -> T) -> Option<T> {
        let touch_points = self.visit.touch_points.unwrap_or_default();
        self.visit.user_agent.as_deref().map(|user_agent| read(user_agent, touch_points))
    }

    /// What the group at this place gives the visitor.
    pub(crate) fn group_choice(&self, place: usize) -> &GroupChoice {
        let group = &self.decider.project.groups[place];
        self.groups[place].get_or_init(|| GroupChoice::new(group, self.decider, self.visit))
    }

    /// Whether the visitor is in the audience at this place.
    pub(crate) fn audience(&self, place: usize) -> Truth {
        if let Some(known) = self.audiences.borrow().get(place).copied().flatten() {
            return known;
        }
        let Some(audience) = self.decider.audiences.get(place) else { return Truth::Unknown };
        let truth = if self.is_forced_into(&audience.id) {
            Truth::Yes
        } else {
            audience.conditions.as_ref().map_or(Truth::No, |tree| self.truth_of(tree))
        };
        self.audiences.borrow_mut()[place] = Some(truth);
        truth
    }

    pub(crate) fn truth_of(&self, tree: &crate::ConditionTree<crate::leaf::Leaf>) -> Truth {
        let mut ask =
            |leaf: &crate::leaf::Leaf| Ok::<_, std::convert::Infallible>(leaf.find(self).truth);
        match tree.evaluate(&mut ask) {
            Ok(truth) => truth,
        }
    }

    /// The truth value of a tree, and the conditions checked for it, in words.
    pub(crate) fn tell(&self, tree: &crate::ConditionTree<crate::leaf::Leaf>) -> (Truth, String) {
        let mut told = Vec::new();
        let mut ask = |leaf: &crate::leaf::Leaf| {
            let finding = leaf.find(self);
            let words = leaf.tell(&finding);
            if self.effort.tell(words.len()) {
                told.push(words);
            }
            Ok::<_, std::convert::Infallible>(finding.truth)
        };
        match tree.evaluate(&mut ask) {
            Ok(truth) => (truth, told.join("; ")),
        }
    }

    pub(crate) fn is_forced_into(&self, audience_id: &str) -> bool {
        let asked = self.asked("experimentation_x_audiences", &self.visit.force_audiences);
        asked.iter().any(|id| id == audience_id)
    }

    /// Ids of the variations that were asked for, in their order.
    pub(crate) fn forced_variations(&self) -> Vec<String> {
        self.asked("experimentation_x", &self.visit.force)
    }

    /// Variations forced in the address win over those that the tab forced earlier; an empty list in the address ends them.
    fn asked(&self, parameter: &str, earlier: &[String]) -> Vec<String> {
        if !self.decider.allows_force {
            return Vec::new();
        }
        self.query_parameter(parameter).map_or_else(
            || earlier.to_vec(),
            |list| decode_percent(list).split(',').map(|id| id.trim().to_owned()).collect(),
        )
    }
}
