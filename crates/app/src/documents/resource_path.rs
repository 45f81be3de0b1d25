//! The path to a resource in a document.

use domain::{Pointer, SharedDocument};
use serde_json::Value;

use crate::documents::ResourceKind;

/// The path to a resource through nested lists; the last element is the resource itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResourcePath(Vec<(&'static str, usize)>);

impl ResourcePath {
    /// The resource at `index` of a list of the project itself.
    pub(crate) fn top(kind: ResourceKind, index: usize) -> Self {
        Self(vec![(kind.collection(), index)])
    }

    /// The resource at `index` of a list of this resource.
    pub(crate) fn inside(&self, kind: ResourceKind, index: usize) -> Self {
        Self([&*self.0, &[(kind.collection(), index)]].concat())
    }

    /// The resource that `pointer` leads to, if any.
    pub(crate) fn of(pointer: &Pointer) -> Option<Self> {
        let tokens: Vec<_> = pointer.tokens().collect();
        let steps = tokens.chunks(2).map(|step| {
            let [list, index] = step else { return None };
            Some((ResourceKind::of_collection(list)?.collection(), index.parse().ok()?))
        });
        let steps: Vec<_> = steps.collect::<Option<_>>()?;
        (!steps.is_empty()).then_some(Self(steps))
    }

    /// The resource that this one belongs to, if not the project itself.
    pub(crate) fn parent(&self) -> Option<Self> {
        let (_, parents) = self.0.split_last()?;
        (!parents.is_empty()).then(|| Self(parents.to_vec()))
    }

    /// Its index in its list.
    pub(crate) fn index(&self) -> usize {
        self.0.last().map_or(0, |(_, index)| *index)
    }

    pub(crate) fn pointer(&self) -> Pointer {
        let lists = self.0.iter();
        lists.fold(Pointer::root(), |at, (list, index)| at.field(list).element(*index))
    }

    /// The resource at this path.
    pub(crate) fn get<'d>(&self, document: &'d SharedDocument) -> &'d Value {
        let Some(((list, index), deeper)) = self.0.split_first() else { return &Value::Null };
        let resource = &*document.list(list)[*index];
        deeper.iter().fold(resource, |value, (list, index)| &value[*list][*index])
    }

    /// The same, mutable in this document alone.
    pub(crate) fn get_mut<'d>(&self, document: &'d mut SharedDocument) -> &'d mut Value {
        let ((list, index), deeper) = self.0.split_first().expect("a place is in a list");
        let resource = document.resource_mut(list, *index).expect("the place is in its document");
        deeper.iter().fold(resource, |value, (list, index)| &mut value[*list][*index])
    }
}

/// All resources of a kind, in document order.
pub(crate) fn all(document: &SharedDocument, kind: ResourceKind) -> Vec<ResourcePath> {
    let Some((parent, _)) = kind.parent() else {
        let count = document.list(kind.collection()).len();
        return (0..count).map(|index| ResourcePath::top(kind, index)).collect();
    };
    let parents = all(document, parent).into_iter();
    parents
        .flat_map(|path| {
            let count = count(path.get(document), kind);
            (0..count).map(move |index| path.inside(kind, index))
        })
        .collect()
}

/// How many resources of a kind this one holds.
pub(crate) fn count(parent: &Value, kind: ResourceKind) -> usize {
    list_of(parent, kind).len()
}

/// The resources of a kind that this one holds.
pub(crate) fn list_of(owner: &Value, kind: ResourceKind) -> &[Value] {
    owner[kind.collection()].as_array().map_or(&[], Vec::as_slice)
}

/// The id of a resource; in a valid document each one has an id.
pub(crate) fn id_of(resource: &Value) -> &str {
    resource["id"].as_str().unwrap_or_default()
}

/// The resource with this id, or, for kinds that belong to the project itself, with this key behind `key:`.
pub(crate) fn find(
    document: &SharedDocument,
    kind: ResourceKind,
    name: &str,
) -> Option<ResourcePath> {
    let (field, wanted) = match name.strip_prefix("key:") {
        Some(key) if kind.parent().is_none() => ("key", key),
        Some(_) | None => ("id", name),
    };
    let lists = lists_to(kind);
    let (list, deeper) = lists.split_first()?;
    let resources = document.list(list).iter().map(|resource| &**resource);
    let is_wanted = |resource: &Value| resource[field] == *wanted;
    let steps = search((list, resources), deeper, &is_wanted)?;
    Some(ResourcePath(steps.into_iter().rev().collect()))
}

/// The path of lists to resources of a kind, their own list last.
fn lists_to(kind: ResourceKind) -> Vec<&'static str> {
    let above = kind.parent().map(|(parent, _)| lists_to(parent)).unwrap_or_default();
    above.into_iter().chain([kind.collection()]).collect()
}

/// Finds the first match in nested lists, and returns its path with the innermost list first.
fn search<'d>(
    (list, resources): (&'static str, impl Iterator<Item = &'d Value>),
    deeper: &[&'static str],
    is_wanted: &dyn Fn(&Value) -> bool,
) -> Option<Vec<(&'static str, usize)>> {
    resources.enumerate().find_map(|(index, resource)| {
        let mut found = match deeper.split_first() {
            None => is_wanted(resource).then(Vec::new),
            Some((list, deeper)) => {
                search((list, resource[*list].as_array()?.iter()), deeper, is_wanted)
            }
        }?;
        found.push((list, index));
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use domain::SharedDocument;
    use serde_json::json;

    use super::{ResourcePath, all, find};
    use crate::documents::ResourceKind;

    #[test]
    fn things_are_found_wherever_they_stand() {
        let document = json!({
            "pages": [{"id": "1", "key": "home"}, {"id": "2", "key": "cart"}],
            "campaigns": [
                {"id": "3", "key": "a", "experiments": [{"id": "4", "variations": [{"id": "5", "key": "a"}]}]},
                {"id": "6", "key": "b", "experiments": [{"id": "7", "variations": [{"id": "8"}, {"id": "9"}]}]},
            ],
        });
        let document = SharedDocument::of(document).unwrap();
        let pointer =
            |kind, name| find(&document, kind, name).map(|path| path.pointer().as_str().to_owned());

        assert_eq!(pointer(ResourceKind::Page, "2").as_deref(), Some("/pages/1"));
        assert_eq!(pointer(ResourceKind::Page, "key:cart").as_deref(), Some("/pages/1"));
        assert_eq!(
            pointer(ResourceKind::Variation, "9").as_deref(),
            Some("/campaigns/1/experiments/0/variations/1")
        );
        assert_eq!(pointer(ResourceKind::Variation, "key:a"), None);
        assert_eq!(pointer(ResourceKind::Group, "1"), None);
        assert_eq!(all(&document, ResourceKind::Variation).len(), 3);
        let variation = find(&document, ResourceKind::Variation, "9").unwrap();
        assert_eq!(variation.parent().unwrap().get(&document)["id"], "7");
        let again = ResourcePath::of(&variation.pointer());
        assert_eq!(again, Some(variation));
    }
}
