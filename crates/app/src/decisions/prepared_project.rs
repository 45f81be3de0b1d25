//! A project prepared for many visits: regular expressions compiled, names collected.

use decide::{Answer, Decider, Effort, Room, TooCostly, Visit};
use domain::{Fault, Pointer, Project};

use crate::decisions::known_names::KnownNames;
use crate::decisions::visit_request::VisitRequest;
use crate::decisions::visit_text::{VisitText, visit_of};

/// States of regular expressions that take as much memory as a campaign.
const STATES_OF_CAMPAIGN: usize = 50;

/// Computes what the visitor of any visit gets, and why.
#[derive(Debug)]
pub struct PreparedProject {
    decider: Decider,
    names: KnownNames,
}

impl PreparedProject {
    /// Prepares `project`. This takes much longer than a decision: keep the result.
    #[must_use]
    pub fn new(project: &Project) -> Self {
        Self { decider: Decider::new(project), names: KnownNames::of(project) }
    }

    /// Prepares what is tried once.
    pub(super) fn of_trial(project: &Project) -> Self {
        let decider = Decider::within(project, &Room::of_trial());
        Self { decider, names: KnownNames::of(project) }
    }

    /// How much memory it takes, in campaigns of usual size, of which it has so many.
    pub(super) fn weight(&self, campaigns: usize) -> usize {
        let states = usize::try_from(self.decider.pattern_states()).unwrap_or(usize::MAX);
        campaigns.saturating_add(states / STATES_OF_CAMPAIGN)
    }

    /// The names a visit may use.
    #[must_use]
    pub fn names(&self) -> &KnownNames {
        &self.names
    }

    /// Reads a visit that a program wrote.
    ///
    /// # Errors
    /// If the text is no visit, all its faults; otherwise every name that the project does not know.
    pub fn read_visit(&self, text: VisitText<'_>) -> Result<Visit, Vec<Fault>> {
        let (visit, locations) = text.read()?;
        let located = |fault: Fault| text.located(&locations, fault);
        self.known(visit).map_err(|faults| faults.into_iter().map(located).collect())
    }

    /// The visit of a program, once it is known that the project has what it names.
    ///
    /// # Errors
    /// Every name that the project does not know.
    pub(super) fn known(&self, mut visit: Visit) -> Result<Visit, Vec<Fault>> {
        let attributes = self.unknown_attributes(&visit);
        let mut faults: Vec<Fault> = attributes.map(|(_, fault)| fault).collect();
        let field = Pointer::root().field("pages");
        for (index, page) in visit.pages.iter_mut().enumerate() {
            match self.names.page(page, &field.element(index)) {
                // The rules identify pages by key.
                Ok(known) => page.clone_from(&known.key),
                Err(fault) => faults.push(*fault),
            }
        }
        let field = Pointer::root().field("history");
        let events = visit.history.iter().enumerate();
        faults.extend(events.filter_map(|(index, event)| {
            let page = event.page()?;
            let fault = self.names.page(page, &field.element(index).field("page")).err()?;
            Some(*fault)
        }));
        if faults.is_empty() { Ok(visit) } else { Err(faults) }
    }

    /// Makes a visit from a person's description.
    ///
    /// # Errors
    /// Every name that the project does not know; otherwise every wrong value.
    pub fn understand(&self, written: &VisitRequest) -> Result<Visit, Vec<Fault>> {
        let visit = visit_of(&written.with_ids(&self.names)?)?;
        let faults: Vec<Fault> = self.unknown_attributes(&visit).map(|(_, fault)| fault).collect();
        if faults.is_empty() { Ok(visit) } else { Err(faults) }
    }

    /// Decides what the visitor gets. It may take seconds of a core: servers have [`super::decide_in_turn`].
    ///
    /// # Errors
    /// [`TooCostly`] if the effort does not suffice.
    pub fn decide(&self, visit: &Visit, effort: &Effort) -> Result<Answer, TooCostly> {
        self.decider.decide(visit, effort)
    }

    fn unknown_attributes<'v>(&self, visit: &'v Visit) -> impl Iterator<Item = (&'v str, Fault)> {
        let field = Pointer::root().field("attributes");
        visit.attributes.keys().filter_map(move |name| {
            let fault = self.names.attribute(name, &field.field(name)).err()?;
            Some((name.as_str(), *fault))
        })
    }
}
