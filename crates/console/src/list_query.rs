//! What a member looks for in a list: `?text=hero&status=running&sort=name&page=2`.

use app::projects::ProjectFilter;
use app::resources::{Archived, Order, OrderField, ResourceFilter};
use domain::CampaignStatus;
use storage::{ListRange, WhichProjects};

use crate::fields::Fields;
use crate::words::status_words;

/// Entries on a page: what a member can look through.
const PER_PAGE: u32 = 100;

/// Archived ones have a list of their own.
const STATUSES: [CampaignStatus; 4] = [
    CampaignStatus::Running,
    CampaignStatus::Paused,
    CampaignStatus::NotStarted,
    CampaignStatus::Concluded,
];

/// Each with its word in the address and what the page says.
const ORDERS: [(&str, &str, Option<Order>); 3] = [
    ("", "First added first", None),
    ("newest", "Last added first", Some(Order { by: OrderField::Added, is_descending: true })),
    ("name", "By name", Some(Order { by: OrderField::Name, is_descending: false })),
];

/// What the address of a list asks for. Words that it does not know ask for nothing.
pub(crate) struct ListQuery {
    pub(crate) text: String,
    pub(crate) is_archive: bool,
    pub(crate) number: u32,
    status: Option<CampaignStatus>,
    order: &'static str,
}

/// A choice of a list's form.
pub(crate) struct Picked {
    pub(crate) value: &'static str,
    pub(crate) words: String,
    pub(crate) is_chosen: bool,
}

impl ListQuery {
    /// `None` if the query is no form.
    pub(crate) fn read(query: &str) -> Option<Self> {
        let fields = Fields::read(query.as_bytes())?;
        let order = ORDERS.iter().find(|(word, ..)| *word == fields.get("sort"));
        Some(Self {
            text: fields.get("text").trim().to_owned(),
            is_archive: fields.has("archived"),
            number: fields.get("page").parse().unwrap_or(1).max(1),
            status: STATUSES.into_iter().find(|status| status.word() == fields.get("status")),
            order: order.map_or("", |(word, ..)| word),
        })
    }

    pub(crate) fn filter(&self) -> ResourceFilter {
        let order = ORDERS.iter().find(|(word, ..)| *word == self.order);
        ResourceFilter {
            archived: if self.is_archive { Archived::Only } else { Archived::No },
            status: self.status.filter(|_| !self.is_archive),
            text: Some(self.text.clone()).filter(|text| !text.is_empty()),
            order: order.and_then(|(_, _, order)| *order),
            ..ResourceFilter::default()
        }
    }

    /// The same of projects, which are ordered by their names.
    pub(crate) fn project_filter(&self) -> ProjectFilter {
        ProjectFilter {
            which: if self.is_archive { WhichProjects::Archived } else { WhichProjects::Current },
            text: self.filter().text,
            key: None,
            order: Some(Order { by: OrderField::Name, is_descending: false }),
        }
    }

    pub(crate) fn page(&self) -> ListRange {
        ListRange { page: self.number, per_page: PER_PAGE }
    }

    /// The queries of the page before and of the next one, if there are these many in all.
    pub(crate) fn beside(&self, total: u64) -> [Option<String>; 2] {
        let last = total.div_ceil(u64::from(PER_PAGE)).max(1);
        let last = u32::try_from(last).unwrap_or(u32::MAX);
        let earlier = (self.number > 1).then(|| self.at_page(last.min(self.number - 1)));
        let later = (self.number < last).then(|| self.at_page(self.number + 1));
        [earlier, later]
    }

    /// Whether it asks for some of the resources only.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.text.is_empty() || self.status.is_some()
    }

    /// The query of another page of the same list.
    fn at_page(&self, page: u32) -> String {
        let status = self.status.map_or("", CampaignStatus::word);
        let page = page.to_string();
        let pairs = [
            ("text", self.text.as_str()),
            ("status", status),
            ("sort", self.order),
            ("archived", if self.is_archive { "yes" } else { "" }),
            ("page", &page),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs.into_iter().filter(|(_, value)| !value.is_empty()));
        query.finish()
    }

    pub(crate) fn statuses(&self) -> Vec<Picked> {
        let picked = |status: CampaignStatus| Picked {
            value: status.word(),
            words: capitalized(&status_words(status.word())),
            is_chosen: self.status == Some(status),
        };
        STATUSES.into_iter().map(picked).collect()
    }

    pub(crate) fn orders(&self) -> Vec<Picked> {
        let picked = |(value, words, _): (&'static str, &str, _)| Picked {
            value,
            words: words.to_owned(),
            is_chosen: self.order == value,
        };
        ORDERS.into_iter().map(picked).collect()
    }
}

fn capitalized(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::ListQuery;

    #[test]
    fn the_pages_beside_are_of_the_same_list() {
        let beside = |query: &str, total: u64| ListQuery::read(query).unwrap().beside(total);
        let query = |text: &str| Some(text.to_owned());

        let narrow = "text=a+b&status=running&sort=name&page=";
        assert_eq!(
            beside(&format!("{narrow}2"), 201),
            [1, 3].map(|page| query(&format!("{narrow}{page}")))
        );
        assert_eq!(beside("", 100), [None, None]);
        assert_eq!(beside("", 101), [None, query("page=2")]);
        assert_eq!(beside("page=9", 101), [query("page=2"), None], "there are fewer by now");
    }

    #[test]
    fn words_that_it_does_not_know_ask_for_nothing() {
        let query = ListQuery::read("status=going&sort=size&page=0").unwrap();

        assert_eq!((query.number, query.is_narrow()), (1, false));
        assert!(query.filter().order.is_none());
    }
}
