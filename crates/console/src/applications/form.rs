//! The form that describes an application, new or known.

use app::applications::{ApplicationFault, ChangedApplication, NewApplication};
use oauth::{Client, ClientKind, RedirectUri, Scope};

use crate::fields::Fields;
use crate::words::sentence;

/// What a person fills in about an application.
#[derive(Debug)]
pub(super) struct ApplicationForm {
    pub(super) name: String,
    /// One on each line.
    pub(super) redirect_uris: String,
    pub(super) is_public: bool,
    scopes: Vec<Scope>,
    /// What was wrong with it.
    pub(super) fault: Option<ApplicationFault>,
}

/// A scope with its box.
pub(super) struct ScopeChoice {
    pub(super) scope: Scope,
    pub(super) is_chosen: bool,
}

impl Default for ApplicationForm {
    /// Reading is what most applications are for.
    fn default() -> Self {
        let (name, redirect_uris) = (String::new(), String::new());
        let scopes = vec![Scope::ConfigRead];
        Self { name, redirect_uris, is_public: false, scopes, fault: None }
    }
}

impl ApplicationForm {
    pub(super) fn read(fields: &Fields) -> Self {
        let is_chosen = |scope: &Scope| fields.all("scope").any(|name| name == scope.as_str());
        Self {
            name: fields.get("name").trim().to_owned(),
            redirect_uris: fields.get("redirect_uris").to_owned(),
            is_public: fields.get("type") == "public",
            scopes: Scope::ALL.into_iter().filter(is_chosen).collect(),
            fault: None,
        }
    }

    /// What is known of an application. One without a registered scope may ask for all of them.
    pub(super) fn of(client: &Client) -> Self {
        let uris: Vec<_> = client.redirect_uris.iter().map(RedirectUri::as_str).collect();
        Self {
            name: client.name.clone(),
            redirect_uris: uris.join("\n"),
            is_public: client.kind == ClientKind::Public,
            scopes: client.scope.map_or(Scope::ALL.to_vec(), |scope| scope.iter().collect()),
            fault: None,
        }
    }

    pub(super) fn refused(self, fault: ApplicationFault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    pub(super) fn to_new(&self) -> NewApplication {
        let kind = if self.is_public { ClientKind::Public } else { ClientKind::Confidential };
        NewApplication {
            name: self.name.clone(),
            redirect_uris: self.uris(),
            kind,
            scope: Some(self.scope()),
        }
    }

    /// What differs from what is known.
    pub(super) fn to_changed(&self, client: &Client) -> ChangedApplication {
        let is_same_scope = self.scopes == Self::of(client).scopes;
        ChangedApplication {
            name: Some(self.name.clone()),
            redirect_uris: Some(self.uris()),
            scope: Some(self.scope()).filter(|_| !is_same_scope),
        }
    }

    pub(super) fn choices(&self) -> Vec<ScopeChoice> {
        let choice = |scope| ScopeChoice { scope, is_chosen: self.scopes.contains(&scope) };
        Scope::ALL.into_iter().map(choice).collect()
    }

    /// What is wrong with a field of this name.
    pub(super) fn wrong(&self, field: &str) -> Option<String> {
        let is_here =
            |fault: &&ApplicationFault| fault.placed().pointer.as_str() == format!("/{field}");
        let fault = self.fault.as_ref().filter(is_here)?;
        if *fault == ApplicationFault::UnusableScope {
            return Some("Choose at least one.".to_owned());
        }
        Some(sentence(&fault.to_string().replace('`', "")))
    }

    /// People paste lists with empty lines and with spaces.
    fn uris(&self) -> Vec<String> {
        let lines = self.redirect_uris.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    }

    fn scope(&self) -> String {
        self.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
    }
}
