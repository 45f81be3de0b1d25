//! The links of a project as the page shows them: one in full, with its QR code, and all in a list.

use app::previews::{PreviewChoices, PreviewLink, PreviewLinkState};
use domain::VariationId;
use oauth::{Moment, Timestamp};

use crate::qr_code::{ShownCode, qr_code};

/// The link that the page is about.
pub(super) struct ShownLink {
    pub(super) url: String,
    pub(super) is_valid: bool,
    pub(super) shows: String,
    pub(super) expires: ShownMoment,
    /// `None` if the link is too long for a code.
    pub(super) code: Option<ShownCode>,
}

/// A link in the list.
pub(super) struct LinkLine {
    pub(super) id: String,
    /// The address of the page, without the token.
    pub(super) page: String,
    pub(super) shows: String,
    pub(super) state: &'static str,
    pub(super) is_valid: bool,
    /// It works, or does so again if its maker gets the role back.
    pub(super) is_revocable: bool,
    pub(super) made_by: String,
    pub(super) made: ShownMoment,
    pub(super) expires: ShownMoment,
    pub(super) opened: Option<ShownMoment>,
}

/// A moment for people and for programs.
pub(super) struct ShownMoment {
    pub(super) machine: String,
    pub(super) words: String,
}

impl ShownLink {
    pub(super) fn of(link: &PreviewLink, choices: &PreviewChoices) -> Self {
        Self {
            url: link.url.clone(),
            is_valid: link.state == PreviewLinkState::Valid,
            shows: shows(link, choices),
            expires: link.kept.expires_at.into(),
            code: qr_code(&link.url),
        }
    }
}

impl LinkLine {
    pub(super) fn of(link: &PreviewLink, choices: &PreviewChoices) -> Self {
        let kept = &link.kept;
        Self {
            id: kept.id.clone(),
            page: kept.url.clone(),
            shows: shows(link, choices),
            state: match link.state {
                PreviewLinkState::Powerless => "its maker may not any more",
                state @ (PreviewLinkState::Valid
                | PreviewLinkState::Expired
                | PreviewLinkState::Revoked) => state.word(),
            },
            is_valid: link.state == PreviewLinkState::Valid,
            is_revocable: matches!(
                link.state,
                PreviewLinkState::Valid | PreviewLinkState::Powerless
            ),
            made_by: kept.made_by.clone(),
            made: kept.made_at.into(),
            expires: kept.expires_at.into(),
            opened: kept.last_opened_at.map(ShownMoment::from),
        }
    }
}

impl From<Timestamp> for ShownMoment {
    fn from(moment: Timestamp) -> Self {
        let moment = Moment::from(moment);
        Self { machine: moment.machine(), words: moment.words() }
    }
}

/// What a link shows, in words: `Hero text: Short`.
fn shows(link: &PreviewLink, choices: &PreviewChoices) -> String {
    let named: Vec<String> = link.kept.variations.iter().map(|id| title(*id, choices)).collect();
    let draft = if link.kept.is_draft { " (draft)" } else { "" };
    format!("{}{draft}", named.join(", "))
}

/// A variation by its name; one that is gone by its id.
fn title(id: VariationId, choices: &PreviewChoices) -> String {
    let id = id.to_string();
    let named = choices.experiments.iter().find_map(|experiment| {
        let (_, name) = experiment.variations.iter().find(|(known, _)| *known == id)?;
        Some(format!("{}: {name}", experiment.title))
    });
    named.unwrap_or_else(|| format!("variation {id}"))
}
