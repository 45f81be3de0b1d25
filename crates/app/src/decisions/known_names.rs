//! The names of a project that may describe a visit. An unknown name is a fault that suggests the nearest known one: otherwise a typo would
//! look like a visitor who lacks something.

use domain::{ActivationKind, Fault, Pointer, Project};

/// The names a visit may use, in the document's order.
#[derive(Debug, Clone)]
pub struct KnownNames {
    /// The project's name, or its key where it has none.
    pub project: String,
    /// Custom attributes.
    pub attributes: Vec<Named>,
    /// Pages.
    pub pages: Vec<KnownPage>,
    /// The experiments of all campaigns.
    pub experiments: Vec<KnownExperiment>,
}

/// A resource with an id for programs and a key for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its key.
    pub key: String,
}

/// A page.
#[derive(Debug, Clone)]
pub struct KnownPage {
    /// Its id and key.
    pub named: Named,
    /// Its name, or its key where it has none.
    pub title: String,
    /// When its conditions are checked.
    pub activation: ActivationKind,
}

/// An experiment.
#[derive(Debug, Clone)]
pub struct KnownExperiment {
    /// Its id and key; experiments of other campaigns may have the same key.
    pub named: Named,
    /// Its variations.
    pub variations: Vec<Named>,
}

impl KnownNames {
    pub(crate) fn of(project: &Project) -> Self {
        Self {
            project: project.name.clone().unwrap_or_else(|| project.key.to_string()),
            attributes: attributes(project),
            pages: pages(project),
            experiments: experiments(project),
        }
    }

    pub(super) fn attribute(&self, given: &str, pointer: &Pointer) -> Result<&Named, Box<Fault>> {
        find("attribute", self.attributes.iter(), given, pointer)
    }

    pub(super) fn page(&self, given: &str, pointer: &Pointer) -> Result<&Named, Box<Fault>> {
        find("page", self.pages.iter().map(|page| &page.named), given, pointer)
    }

    pub(super) fn experiment(
        &self,
        given: &str,
        pointer: &Pointer,
    ) -> Result<&KnownExperiment, Box<Fault>> {
        let named = self.experiments.iter().map(|experiment| &experiment.named);
        let Named { id, .. } = find("experiment", named, given, pointer)?;
        let found = self.experiments.iter().find(|experiment| experiment.named.id == *id);
        Ok(found.expect("it was found by its name"))
    }

    /// A variation of any experiment.
    pub(crate) fn variation(&self, given: &str, pointer: &Pointer) -> Result<&Named, Box<Fault>> {
        let all = self.experiments.iter().flat_map(|experiment| &experiment.variations);
        find("variation", all, given, pointer)
    }
}

impl KnownExperiment {
    /// The id of one of its variations. An unknown number is taken as it is: the variation may be gone while the visitor still remembers
    /// it.
    pub(super) fn variation<'n>(
        &'n self,
        given: &'n str,
        pointer: &Pointer,
    ) -> Result<&'n str, Box<Fault>> {
        match find("variation", self.variations.iter(), given, pointer) {
            Ok(named) => Ok(&named.id),
            Err(_) if given.parse::<u64>().is_ok() => Ok(given),
            Err(fault) => Err(fault),
        }
    }
}

/// Finds what a person means by an id or a key.
fn find<'n>(
    kind: &str,
    known: impl Iterator<Item = &'n Named> + Clone,
    given: &str,
    pointer: &Pointer,
) -> Result<&'n Named, Box<Fault>> {
    if let Some(named) = known.clone().find(|named| named.id == given) {
        return Ok(named);
    }
    let mut called_so = known.clone().filter(|named| named.key == given);
    match (called_so.next(), called_so.next()) {
        (Some(named), None) => Ok(named),
        (Some(one), Some(other)) => {
            let message = format!("more than one {kind} is called `{given}`");
            let hint = format!("say which by its id: `{}`, `{}`", one.id, other.id);
            Err(Fault::error("ambiguous_reference", pointer.clone(), message).hint(hint).into())
        }
        (None, _) => {
            let message = format!("there is no {kind} `{given}`");
            let fault = Fault::error("dangling_reference", pointer.clone(), message);
            Err(fault.did_you_mean(given, known.map(|named| named.key.as_str())).into())
        }
    }
}

fn attributes(project: &Project) -> Vec<Named> {
    let attributes = project.attributes.iter();
    attributes.map(|attribute| Named::of(&attribute.id, &attribute.key)).collect()
}

fn pages(project: &Project) -> Vec<KnownPage> {
    let pages = project.pages.iter().map(|page| KnownPage {
        named: Named::of(&page.id, &page.key),
        title: page.name.clone().unwrap_or_else(|| page.key.to_string()),
        activation: page.activation.kind,
    });
    pages.collect()
}

fn experiments(project: &Project) -> Vec<KnownExperiment> {
    let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    let experiments = experiments.map(|experiment| KnownExperiment {
        named: Named::of(&experiment.id, &experiment.key),
        variations: experiment
            .variations
            .iter()
            .map(|variation| Named::of(&variation.id, &variation.key))
            .collect(),
    });
    experiments.collect()
}

impl Named {
    fn of(id: &impl ToString, key: &impl ToString) -> Self {
        Self { id: id.to_string(), key: key.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use domain::Pointer;

    use super::{Named, find};

    fn found(given: &str) -> Result<String, String> {
        let known = [("1", "hero"), ("2", "hero"), ("3", "welcome"), ("4", "1")];
        let known = known.map(|(id, key)| Named::of(&id, &key));
        let found = find("experiment", known.iter(), given, &Pointer::root());
        found.map(|named| named.id.clone()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn an_id_goes_before_a_key() {
        assert_eq!(found("3").as_deref(), Ok("3"));
        assert_eq!(found("welcome").as_deref(), Ok("3"));
        assert_eq!(found("1").as_deref(), Ok("1"));
    }

    #[test]
    fn a_key_of_two_resources_names_neither() {
        let fault = "error: more than one experiment is called `hero`\n  hint: say which by its id: `1`, `2`";

        assert_eq!(found("hero"), Err(fault.to_owned()));
    }

    #[test]
    fn a_typo_is_told_with_the_nearest_key() {
        let fault = "error: there is no experiment `wellcome`\n  hint: did you mean `welcome`?";

        assert_eq!(found("wellcome"), Err(fault.to_owned()));
    }
}
