//! An answer for the terminal: what the visitor gets from each campaign with every step that led there, then
//! pages and audiences.

use app::decisions::outcome_sentence;
use decide::{Answer, CampaignAnswer};

/// Terminals are at least this wide.
const COLUMNS: usize = 80;

/// The answer, in lines of at most 80 columns where words allow it, with an empty line at the end.
pub(super) fn answer_text(answer: &Answer) -> String {
    let mut paragraphs = vec![format!("Visitor {} on {}", answer.visitor_id, answer.url)];
    paragraphs.extend(answer.campaigns.iter().map(campaign));
    let pages = answer.pages.iter().map(|page| {
        let word = if page.is_active { "active" } else { "not active" };
        (word, format!("`{}`: {}", page.key, page.why))
    });
    let audiences = answer.audiences.iter().map(|audience| {
        let word =
            audience.is_met.map_or("unknown", |is_met| if is_met { "met" } else { "not met" });
        (word, format!("`{}`: {}", audience.key, audience.why))
    });
    paragraphs.extend(list("Pages", &pages.collect::<Vec<_>>()));
    paragraphs.extend(list("Audiences", &audiences.collect::<Vec<_>>()));
    paragraphs.join("\n\n") + "\n"
}

fn campaign(campaign: &CampaignAnswer) -> String {
    let title = campaign.name.as_deref().unwrap_or(&campaign.key);
    let heading =
        filled("", &format!("{title} (`{}`): {}", campaign.key, outcome_sentence(campaign)));
    let steps: Vec<_> =
        campaign.steps.iter().map(|step| (step.step.word(), step.text.clone())).collect();
    // On one line, however long: it is there to be copied and searched for.
    let told = campaign.decision_string.as_ref();
    let told = told.map(|text| format!("\n  analytics tools read: {text}")).unwrap_or_default();
    format!("{heading}\n{}{told}", table(&steps))
}

/// Titled lines, unless there are none.
fn list(title: &str, lines: &[(&str, String)]) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{title}\n{}", table(lines)))
}

/// Labels in one column, texts in another.
fn table(lines: &[(&str, String)]) -> String {
    let width = lines.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
    let lines = lines.iter().map(|(label, text)| filled(&format!("  {label:width$}  "), text));
    lines.collect::<Vec<_>>().join("\n")
}

/// The text behind its start; further lines begin below the text.
fn filled(start: &str, text: &str) -> String {
    let indent = " ".repeat(start.chars().count());
    let mut words = text.split(' ');
    let mut lines = Vec::new();
    let mut line = format!("{start}{}", words.next().unwrap_or_default());
    for word in words {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.push(line);
    lines.join("\n")
}
