//! `/projects/{id}/campaigns/{name}/results`: who won, how sure that is, and what to do now.

mod check;
mod checks;
mod days;
pub(crate) mod example;
pub(crate) mod figures;
mod metrics;
mod notes;
mod query;
mod segments;
pub(crate) mod share;
mod shared_page;
mod shares;
pub(crate) mod show;
mod verdict;
mod view;

use app::results::Results;
use askama::Template;

use crate::results::query::ResultsQuery;
use crate::results::segments::{Choice, choices};
use crate::results::view::ExperimentResults;

/// What the page says, without what surrounds it.
#[derive(Template)]
#[template(path = "results/content.html")]
struct Content {
    /// The campaign's page; none for an example, which has no actions.
    path: Option<String>,
    experiments: Vec<ExperimentResults>,
    /// The planner's page.
    planner: Option<String>,
    /// Whether the campaign can be concluded, and by this member.
    may_conclude: bool,
    /// Whether this member may show the results to people outside.
    may_share: bool,
    /// What is said in place of advice, once the campaign is over.
    end: Option<String>,
    /// By what the page can be split; nothing where the reader cannot choose.
    choices: Vec<Choice>,
    /// The query of the page and of its files.
    query: String,
}

impl Content {
    /// As any reader sees it.
    fn of<'r>(results: impl IntoIterator<Item = &'r Results>) -> Self {
        let experiments = results.into_iter().enumerate();
        let experiments = experiments.map(|(place, one)| ExperimentResults::of(place, one));
        Self {
            path: None,
            planner: None,
            experiments: experiments.collect(),
            may_conclude: false,
            may_share: false,
            end: None,
            choices: Vec::new(),
            query: String::new(),
        }
    }

    /// The page of a campaign, with a choice of segments.
    fn at(self, path: String, query: ResultsQuery) -> Self {
        let address =
            |split| format!("{path}/results{}", ResultsQuery { split, ..query }.to_query_string());
        let choices = choices(query.split, address);
        Self { path: Some(path), choices, query: query.to_query_string(), ..self }
    }
}

#[cfg(test)]
mod tests;
