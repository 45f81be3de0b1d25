//! The JSON text of a visit that a program sent, and the position of each value in it.

use decide::Visit;
use domain::{Fault, Locations};
use serde_json::Value;

use crate::decisions::visit_dto::VisitDto;
use crate::request::{At, Faults, Readable as _};

/// Longest visit in bytes: browsers send cookies and addresses of a few kilobytes each, and a visitor who remembers a thousand variations
/// needs thirty more.
pub const VISIT_BYTES_AT_MOST: usize = 64 * 1024;

/// A visit as JSON, and its source.
#[derive(Debug, Clone, Copy)]
pub struct VisitText<'t> {
    /// The name of its file in faults.
    pub file: &'t str,
    /// The line of that file where it begins, from 1.
    pub line: u32,
    /// The JSON.
    pub text: &'t str,
}

impl VisitText<'_> {
    /// The visit, and the positions of its parts in the text.
    pub(super) fn read(self) -> Result<(Visit, Locations), Vec<Fault>> {
        let (json, faults) = domain::parse_json(self.file, self.text);
        let mut faults = Faults::from(faults);
        let all = |faults: Vec<Fault>, place: &dyn Fn(Fault) -> Fault| -> Vec<Fault> {
            faults.into_iter().map(place).collect()
        };
        let Some(json) = json else {
            return faults.or(None).map_err(|faults| all(faults, &|fault| self.placed(fault)));
        };
        let visit = VisitDto::read(&At::root(&json.value), &mut faults);
        match faults.or(visit) {
            Ok(visit) => Ok((visit.into(), json.locations)),
            Err(faults) => Err(all(faults, &|fault| self.located(&json.locations, fault))),
        }
    }

    /// The fault, with the position of the wrong value.
    pub(super) fn located(self, locations: &Locations, fault: Fault) -> Fault {
        let place = fault.place.clone().or_else(|| locations.place(&fault.pointer));
        self.placed(fault.at(place))
    }

    /// Shifts the fault's line, which counts from the start of the text, to the line in the file.
    fn placed(self, mut fault: Fault) -> Fault {
        if let Some(place) = &mut fault.place {
            place.line += self.line - 1;
        }
        fault
    }
}

/// The visit that a JSON value describes.
pub(super) fn visit_of(value: &Value) -> Result<Visit, Vec<Fault>> {
    let mut faults = Faults::default();
    let visit = VisitDto::read(&At::root(value), &mut faults);
    faults.or(visit).map(Visit::from)
}
