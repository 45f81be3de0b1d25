//! The faults of a form that sets up a server or starts a project, each beside its field.

use app::setup::{SetUpFault, SetUpField};

use crate::words::sentence;

/// All faults of what was sent; none before that.
#[derive(Clone, Copy)]
pub(crate) struct SetUpFaults<'a>(pub(crate) &'a [SetUpFault]);

impl SetUpFaults<'_> {
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn email(self) -> Option<String> {
        self.of(SetUpField::Email)
    }

    pub(crate) fn password(self) -> Option<String> {
        self.of(SetUpField::Password)
    }

    pub(crate) fn name(self) -> Option<String> {
        self.of(SetUpField::Name)
    }

    pub(crate) fn key(self) -> Option<String> {
        self.of(SetUpField::Key)
    }

    pub(crate) fn site(self) -> Option<String> {
        self.of(SetUpField::Site)
    }

    fn of(self, field: SetUpField) -> Option<String> {
        let fault = self.0.iter().find(|fault| fault.field == field)?;
        let hint = fault.hint.iter().map(|hint| format!(" {}", sentence(hint)));
        let told = hint.fold(sentence(&fault.message), |told, hint| told + &hint);
        Some(told.replace('`', ""))
    }
}
