//! What came of trying the conditions of a form, before anything is stored.

use app::decisions::{TrialError, try_audience, try_page};
use app::documents::ResourceKind;
use askama::Template;
use askama::filters::HtmlSafe;
use domain::Fault;

use crate::decide::visit_form::{FieldError, VisitForm};
use crate::edit::context::At;
use crate::edit::edited::Edited;
use crate::fields::Fields;
use crate::refusal::Refusal;
use crate::words::{fault_with_hint, sentence};

/// The result of a trial.
#[derive(Template, Default)]
#[template(path = "edit/trial.html")]
pub(crate) struct Trial {
    rows: Vec<Row>,
    /// Why nothing was tried, unless the form itself is wrong.
    problems: Vec<String>,
    /// What is wrong with the form.
    pub(super) faults: Vec<Fault>,
}

/// The template escapes what it shows.
impl HtmlSafe for Trial {}

/// What was tried, and what the conditions say.
struct Row {
    tried: String,
    /// `None` where the conditions cannot tell.
    is_met: Option<bool>,
    /// What the conditions say that were asked, one by one.
    reasons: Vec<String>,
}

/// Tries the conditions of a page or an audience.
pub(super) async fn of(at: &At<'_>, edited: &Edited, fields: &Fields) -> Result<Trial, Refusal> {
    if at.editor.kind == ResourceKind::Page {
        return of_page(at, edited, fields).await;
    }
    of_audience(at, edited, fields).await
}

async fn of_page(at: &At<'_>, edited: &Edited, fields: &Fields) -> Result<Trial, Refusal> {
    let addresses = fields.get("addresses").lines().map(str::trim).filter(|line| !line.is_empty());
    let addresses = addresses.map(str::to_owned).collect();
    let wanted = edited.wanted(at.editor);
    let tried = match try_page(at.app, at.actor, at.context.id, wanted, addresses).await {
        Ok(tried) => tried,
        Err(error) => return refused(error),
    };
    let problems =
        if tried.is_empty() { vec!["Enter at least one address.".to_owned()] } else { Vec::new() };
    let rows = tried.into_iter().map(|one| match one.answer {
        Ok(answer) => Row {
            tried: one.address,
            is_met: Some(answer.is_active),
            reasons: reasons(&answer.why),
        },
        Err(faults) => Row {
            tried: one.address,
            is_met: None,
            reasons: faults.iter().map(fault_with_hint).collect(),
        },
    });
    Ok(Trial { rows: rows.collect(), problems, ..Trial::default() })
}

async fn of_audience(at: &At<'_>, edited: &Edited, fields: &Fields) -> Result<Trial, Refusal> {
    let mut form = VisitForm::of(fields.iter());
    "trial".clone_into(&mut form.visitor_id);
    if form.url.is_empty() {
        "https://example.com/".clone_into(&mut form.url);
    }
    let visit = match form.written() {
        Ok(visit) => visit,
        Err(errors) => return Ok(Trial { problems: problem_lines(errors), ..Trial::default() }),
    };
    let wanted = edited.wanted(at.editor);
    let tried = try_audience(at.app, at.actor, at.context.id, wanted, move |project| {
        project.understand(&visit)
    });
    match tried.await {
        Ok(answer) => {
            let tried = "This visitor".to_owned();
            let row = Row { tried, is_met: answer.is_met, reasons: reasons(&answer.why) };
            Ok(Trial { rows: vec![row], ..Trial::default() })
        }
        Err(error) => refused(error),
    }
}

fn refused(error: TrialError) -> Result<Trial, Refusal> {
    match error {
        TrialError::Read(error) => Err(error.into()),
        TrialError::Overloaded(_) => Err(Refusal::Busy),
        TrialError::TooCostly(error) => {
            Ok(Trial { problems: vec![sentence(&error.to_string())], ..Trial::default() })
        }
        TrialError::Resource(faults) => {
            let problems =
                vec!["The form has to be right first: see the top of the page.".to_owned()];
            Ok(Trial { problems, faults, ..Trial::default() })
        }
        TrialError::Visit(faults) => {
            let problems = problem_lines(faults.into_iter().map(FieldError::from).collect());
            Ok(Trial { problems, ..Trial::default() })
        }
    }
}

fn problem_lines(errors: Vec<FieldError>) -> Vec<String> {
    errors
        .into_iter()
        .map(|error| format!("{}: {}", error.field.replace('_', " "), error.words))
        .collect()
}

/// The rules tell what each condition said, in the order in which they asked.
fn reasons(why: &str) -> Vec<String> {
    why.split("; ").map(sentence).collect()
}
