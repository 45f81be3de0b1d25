//! The form in which a member says what a preview link leads to, shows, and how long.

use app::previews::{PreviewChoices, PreviewRequest, PreviewSource};
use oauth::Lifetime;

use crate::folded::Folded;

/// Seconds and words of what can be chosen; the longest that a link may be good is among them.
const LIFETIMES: [(i64, &str); 4] = [
    (3_600, "an hour"),
    (86_400, "a day"),
    (604_800, "a week"),
    (2_592_000, "30 days, what is live only"),
];

/// The submitted form, or the initial one.
#[derive(Debug, Clone)]
pub(super) struct PreviewForm {
    pub(super) url: String,
    /// Ids of the variations that were chosen.
    variations: Vec<String>,
    source: PreviewSource,
    pub(super) is_switchable: bool,
    lifetime: Option<Lifetime>,
}

/// An experiment with what can be shown of it.
pub(super) struct ShownExperiment<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) status: &'static str,
    pub(super) is_live: bool,
    pub(super) variations: Vec<ShownVariation<'a>>,
}

/// A variation that can be chosen.
pub(super) struct ShownVariation<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) is_chosen: bool,
}

/// A lifetime that can be chosen.
pub(super) struct ShownLifetime {
    pub(super) seconds: i64,
    pub(super) words: &'static str,
    pub(super) is_chosen: bool,
}

impl PreviewForm {
    /// The form as it is first shown, with what the page's address fills in. What is not live yet is what most members want to look at.
    pub(super) fn of_query(query: &str, choices: &PreviewChoices) -> Self {
        let has_draft_changes = choices.has_draft_changes;
        let source = if has_draft_changes { PreviewSource::Draft } else { PreviewSource::Live };
        let fields: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
        let pairs = fields.iter().map(|(name, value)| (&**name, &**value));
        let filled = Self::of_fields(pairs);
        Self { source, is_switchable: true, ..filled }
    }

    /// The form as it was sent. Unknown fields do not count.
    pub(super) fn of_fields<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> Self {
        let mut form = Self {
            url: String::new(),
            variations: Vec::new(),
            source: PreviewSource::Live,
            is_switchable: false,
            lifetime: None,
        };
        for (name, value) in fields {
            let value = value.trim();
            match name {
                "url" => value.clone_into(&mut form.url),
                "variations" if !value.is_empty() => form.variations.push(value.to_owned()),
                "source" if value == "draft" => form.source = PreviewSource::Draft,
                "switchable" => form.is_switchable = true,
                "expires_in" => form.lifetime = value.parse().map(Lifetime::from_seconds).ok(),
                _ => {}
            }
        }
        form
    }

    /// What the member wants.
    pub(super) fn request(&self) -> PreviewRequest {
        PreviewRequest {
            source: self.source,
            url: self.url.clone(),
            variations: self.variations.clone(),
            is_switchable: self.is_switchable,
            lifetime: self.lifetime,
        }
    }

    pub(super) fn is_of_draft(&self) -> bool {
        self.source == PreviewSource::Draft
    }

    /// The variations on offer, with the chosen ones.
    pub(super) fn experiments<'a>(
        &self,
        choices: &'a PreviewChoices,
    ) -> Folded<ShownExperiment<'a>> {
        let shown = choices.experiments.iter().map(|experiment| ShownExperiment {
            id: &experiment.id,
            title: &experiment.title,
            status: experiment.status,
            is_live: experiment.is_live,
            variations: experiment
                .variations
                .iter()
                .map(|(id, title)| ShownVariation {
                    id,
                    title,
                    is_chosen: self.variations.contains(id),
                })
                .collect(),
        });
        let is_chosen = |experiment: &ShownExperiment<'_>| {
            experiment.variations.iter().any(|variation| variation.is_chosen)
        };
        Folded::of(shown.collect(), is_chosen)
    }

    /// The lifetimes on offer, with the chosen one.
    pub(super) fn lifetimes(&self) -> Vec<ShownLifetime> {
        let chosen = self.lifetime.unwrap_or(self.source.usual_lifetime());
        let shown = LIFETIMES.into_iter().map(|(seconds, words)| ShownLifetime {
            seconds,
            words,
            is_chosen: seconds == chosen.seconds(),
        });
        shown.collect()
    }
}
