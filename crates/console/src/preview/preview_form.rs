//! The form in which a member says what a preview link leads to, shows, and how long.

use app::previews::{PreviewChoices, PreviewRequest, PreviewSource};
use oauth::Lifetime;

/// Seconds and words of what can be chosen; the longest that a link may be good is among them.
const LIFETIMES: [(i64, &str); 4] =
    [(3_600, "an hour"), (86_400, "a day"), (604_800, "a week"), (2_592_000, "30 days")];

/// The submitted form, or the initial one.
#[derive(Debug, Clone)]
pub(super) struct PreviewForm {
    pub(super) url: String,
    /// Ids of the variations that were chosen.
    variations: Vec<String>,
    lifetime: Lifetime,
}

/// What the form makes links to.
const SOURCE: PreviewSource = PreviewSource::Live;

/// An experiment with what can be shown of it.
pub(super) struct ShownExperiment<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) status: &'static str,
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
    /// Reads the query of the address. Fields that are not there are as at first, unknown ones do not count.
    pub(super) fn read(query: &str) -> Self {
        let mut form =
            Self { url: String::new(), variations: Vec::new(), lifetime: SOURCE.usual_lifetime() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.trim();
            match &*name {
                "url" => value.clone_into(&mut form.url),
                "variations" if !value.is_empty() => form.variations.push(value.to_owned()),
                "expires_in" => {
                    let seconds = value.parse().map(Lifetime::from_seconds);
                    form.lifetime = seconds.unwrap_or(SOURCE.usual_lifetime());
                }
                _ => {}
            }
        }
        form
    }

    /// What the member wants.
    pub(super) fn request(&self) -> PreviewRequest {
        PreviewRequest {
            source: SOURCE,
            url: self.url.clone(),
            variations: self.variations.clone(),
            is_switchable: false,
            lifetime: Some(self.lifetime),
        }
    }

    /// The variations on offer, with the chosen ones.
    pub(super) fn experiments<'a>(&self, choices: &'a PreviewChoices) -> Vec<ShownExperiment<'a>> {
        let shown = choices.experiments.iter().map(|experiment| ShownExperiment {
            id: &experiment.id,
            title: &experiment.title,
            status: experiment.status,
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
        shown.collect()
    }

    /// The lifetimes on offer, with the chosen one.
    pub(super) fn lifetimes(&self) -> Vec<ShownLifetime> {
        let shown = LIFETIMES.into_iter().map(|(seconds, words)| ShownLifetime {
            seconds,
            words,
            is_chosen: seconds == self.lifetime.seconds(),
        });
        shown.collect()
    }
}
