//! When each resource of a draft was created and last changed, and by whom, and what a new draft changes. The store saves this in the
//! commit of the draft; it is not part of the document.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::SharedDocument;
use oauth::{Moment, Timestamp};
use serde_json::{Value, json};
use storage::{
    DraftChanges, LiveStamp, NO_FIELDS, ResourceChange, ResourceChangeKind, ResourceStamp,
};

use crate::documents::differences::field_changes;
use crate::documents::kind::ResourceKind;
use crate::documents::resource_path::{id_of, list_of};
use crate::documents::same_text::is_same_text;
use crate::roles::Author;

/// The name of the project itself among its resources.
const PROJECT: &str = "project";

/// Bytes for the field changes of one resource: some paragraphs of text. Beyond that the history names the changed fields without values.
const CHANGE_BYTES_AT_MOST: usize = 16 * 1024;

/// Bytes for all field changes of one draft: a document may replace ten thousand resources.
const CHANGES_BYTES_AT_MOST: usize = 1024 * 1024;

/// Fields of one change; more would be too many to read.
const FIELDS_AT_MOST: usize = 100;

/// The stamps of a draft's resources, by name. Removed resources keep theirs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stamps(HashMap<Arc<str>, Stamp>);

/// When a resource was created and last changed.
#[derive(Debug, Clone)]
struct Stamp {
    created_at: Option<Timestamp>,
    updated_at: Timestamp,
    updated_by: Arc<str>,
    live: Option<(Timestamp, Arc<str>)>,
}

impl Stamps {
    /// Builds the stamps from stored ones.
    pub(crate) fn stored(stamps: Vec<(String, ResourceStamp)>) -> Self {
        let mut authors: HashSet<Arc<str>> = HashSet::new();
        let mut shared = |author: String| {
            if let Some(known) = authors.get(&*author) {
                return Arc::clone(known);
            }
            let author: Arc<str> = author.into();
            authors.insert(Arc::clone(&author));
            author
        };
        let stamps = stamps.into_iter().map(|(name, stamp)| {
            let ResourceStamp { created_at, updated_at, updated_by, live } = stamp;
            let live = live.map(|(at, by)| (at, shared(by)));
            let updated_by = shared(updated_by);
            (name.into(), Stamp { created_at, updated_at, updated_by, live })
        });
        Self(stamps.collect())
    }

    /// The stamps after these changes.
    pub(crate) fn after(&self, changes: &DraftChanges) -> Self {
        let mut next = self.0.clone();
        let DraftChanges { at, by, changes } = changes;
        let by: Arc<str> = by.as_str().into();
        for change in changes {
            let before = self.0.get(&*change.resource);
            let created_at = match before {
                Some(before) => before.created_at,
                None => (change.kind == ResourceChangeKind::Created).then_some(*at),
            };
            let live = before.and_then(|before| match change.live {
                LiveStamp::AsBefore => Some((before.updated_at, Arc::clone(&before.updated_by))),
                LiveStamp::AsNow => Some((*at, Arc::clone(&by))),
                LiveStamp::Stays => before.live.clone(),
            });
            let stamp = Stamp { created_at, updated_at: *at, updated_by: Arc::clone(&by), live };
            next.insert(change.resource.as_str().into(), stamp);
        }
        Self(next)
    }

    /// The stamp of a resource, if known.
    pub(crate) fn of(&self, kind: ResourceKind, id: &str) -> Option<ResourceStamp> {
        self.named(&resource_name(kind, id))
    }

    /// The stamp of the project itself, which changes with everything in it.
    pub(crate) fn of_project(&self) -> Option<ResourceStamp> {
        self.named(PROJECT)
    }

    fn named(&self, name: &str) -> Option<ResourceStamp> {
        let Stamp { created_at, updated_at, updated_by, live } = self.0.get(name)?;
        let live = live.as_ref().map(|(at, by)| (*at, by.to_string()));
        let (created_at, updated_at) = (*created_at, *updated_at);
        Some(ResourceStamp { created_at, updated_at, updated_by: updated_by.to_string(), live })
    }
}

/// The name of a resource in the store.
pub(crate) fn resource_name(kind: ResourceKind, id: &str) -> String {
    format!("{} {id}", kind.word())
}

/// Adds to a resource when it was created and last changed, as far as that is known.
pub(crate) fn stamp(view: &mut Value, stamp: Option<&ResourceStamp>) {
    let updated = stamp.map(|stamp| (stamp.updated_at, &stamp.updated_by));
    write(view, stamp, updated);
}

/// Adds the same for the live state of a resource, where it differs from the draft.
pub(crate) fn stamp_live(view: &mut Value, stamp: Option<&ResourceStamp>) {
    let updated = stamp.and_then(|stamp| stamp.live.as_ref()).map(|(at, by)| (*at, by));
    write(view, stamp, updated);
}

fn write(view: &mut Value, stamp: Option<&ResourceStamp>, updated: Option<(Timestamp, &String)>) {
    let moment = |at: Timestamp| Moment::from(at).machine();
    view["created_at"] = json!(stamp.and_then(|stamp| stamp.created_at).map(moment));
    view["updated_at"] = json!(updated.map(|(at, _)| moment(at)));
    view["updated_by"] = json!(updated.map(|(_, by)| by));
}

/// The changes from `before` to `after`, resource by resource. A resource changes with those it holds.
pub(crate) fn changes_between(
    before: &SharedDocument,
    after: &SharedDocument,
    live: Live<'_>,
    author: Author,
) -> DraftChanges {
    let mut found = FoundChanges { live, changes: Vec::new(), bytes: 0 };
    for kind in ResourceKind::ALL.into_iter().filter(|kind| kind.parent().is_none()) {
        let list = kind.collection();
        found.compare(kind, before.list(list), after.list(list), live.list(list));
    }
    let own = ["project", "applications", "integrations"];
    let [earlier, later] = [before, after].map(|document| {
        own.into_iter().map(|name| (name.to_owned(), document.to_value(name))).collect::<Value>()
    });
    if before.value(PROJECT).is_null() {
        found.add((PROJECT.to_owned(), ResourceChangeKind::Created), None, LiveStamp::Stays);
    } else if !found.changes.is_empty() || !is_same_text(&earlier, &later) {
        let both = Some((&earlier, &later));
        found.add((PROJECT.to_owned(), ResourceChangeKind::Changed), both, LiveStamp::Stays);
    }
    let Author { at, by } = author;
    DraftChanges { at, by, changes: found.into_changes() }
}

/// The live document while a draft changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Live<'a> {
    /// This document, which stays live.
    Is(&'a SharedDocument),
    /// Nothing.
    Nothing,
    /// The draft's new document goes live with it.
    Follows,
}

impl Live<'_> {
    /// The live resources of a list.
    fn list(&self, name: &str) -> &[Arc<Value>] {
        match self {
            Self::Is(document) => document.list(name),
            Self::Nothing | Self::Follows => &[],
        }
    }
}

/// The changes found so far.
struct FoundChanges<'a> {
    live: Live<'a>,
    changes: Vec<ResourceChange>,
    bytes: usize,
}

impl FoundChanges<'_> {
    fn compare<V: Borrow<Value>, L: Borrow<Value>>(
        &mut self,
        kind: ResourceKind,
        before: &[V],
        after: &[V],
        live: &[L],
    ) {
        let (before, after) = without_same_ends(before, after);
        if before.is_empty() && after.is_empty() {
            return;
        }
        let live = by_id(live);
        let known = by_id(before);
        let kept: HashSet<&str> = after.iter().map(|resource| id_of(resource.borrow())).collect();
        for resource in after.iter().map(Borrow::borrow) {
            let live = live.get(id_of(resource)).copied();
            match known.get(id_of(resource)).copied() {
                Some(earlier) if is_same_text(earlier, resource) => {}
                Some(earlier) => self.add_changed((kind, live), earlier, resource),
                None => self.add_all(kind, resource, ResourceChangeKind::Created, live),
            }
        }
        for resource in before.iter().map(Borrow::borrow) {
            if !kept.contains(id_of(resource)) {
                let live = live.get(id_of(resource)).copied();
                self.add_all(kind, resource, ResourceChangeKind::Removed, live);
            }
        }
    }

    fn add_changed(
        &mut self,
        (kind, live): (ResourceKind, Option<&Value>),
        before: &Value,
        after: &Value,
    ) {
        let stamp = self.stamp_of_live(live, before);
        let name = resource_name(kind, id_of(after));
        self.add((name, ResourceChangeKind::Changed), Some((before, after)), stamp);
        if let Some(inner) = kind.inner() {
            let live = live.map_or(&[][..], |live| list_of(live, inner));
            self.compare(inner, list_of(before, inner), list_of(after, inner), live);
        }
    }

    /// How the change stamps the live state; the draft had `before`.
    fn stamp_of_live(&self, live: Option<&Value>, before: &Value) -> LiveStamp {
        match self.live {
            Live::Follows => LiveStamp::AsNow,
            Live::Is(_) if live.is_some_and(|live| is_same_text(live, before)) => {
                LiveStamp::AsBefore
            }
            Live::Is(_) | Live::Nothing => LiveStamp::Stays,
        }
    }

    /// Adds a resource and all that it holds.
    fn add_all(
        &mut self,
        kind: ResourceKind,
        resource: &Value,
        change: ResourceChangeKind,
        live: Option<&Value>,
    ) {
        let stamp = self.stamp_of_live(live, resource);
        self.add((resource_name(kind, id_of(resource)), change), None, stamp);
        if let Some(inner) = kind.inner() {
            let live = by_id(live.map_or(&[], |live| list_of(live, inner)));
            for resource in list_of(resource, inner) {
                self.add_all(inner, resource, change, live.get(id_of(resource)).copied());
            }
        }
    }

    fn add(
        &mut self,
        (resource, kind): (String, ResourceChangeKind),
        both: Option<(&Value, &Value)>,
        live: LiveStamp,
    ) {
        let room = CHANGES_BYTES_AT_MOST.saturating_sub(self.bytes).min(CHANGE_BYTES_AT_MOST);
        let fields =
            both.map_or_else(String::new, |(before, after)| fields_as_json(before, after, room));
        self.bytes += fields.len();
        self.changes.push(ResourceChange { resource, kind, fields, live });
    }

    /// The changes, one per resource: a moved resource was removed in one place and added in another.
    fn into_changes(self) -> Vec<ResourceChange> {
        let mut places: HashMap<String, usize> = HashMap::with_capacity(self.changes.len());
        let mut changes: Vec<ResourceChange> = Vec::with_capacity(self.changes.len());
        for change in self.changes {
            if let Some(place) = places.get(&change.resource) {
                changes[*place].kind = ResourceChangeKind::Changed;
                continue;
            }
            places.insert(change.resource.clone(), changes.len());
            changes.push(change);
        }
        changes
    }
}

/// The changed fields as JSON within `room` bytes: with their values if there is room.
fn fields_as_json(before: &Value, after: &Value, room: usize) -> String {
    let mut fields = field_changes(before, after);
    if fields.is_empty() {
        return NO_FIELDS.to_owned();
    }
    let is_cut = fields.len() > FIELDS_AT_MOST;
    fields.truncate(FIELDS_AT_MOST);
    let text = |fields: Vec<Value>, is_cut: bool| {
        json!({"fields": fields, "truncated": is_cut}).to_string()
    };
    let whole = fields.iter().map(
        |field| json!({"pointer": field.pointer, "before": field.before, "after": field.after}),
    );
    let whole = text(whole.collect(), is_cut);
    if whole.len() <= room {
        return whole;
    }
    let names = fields.iter().map(|field| json!({"pointer": field.pointer})).collect();
    let names = text(names, true);
    if names.len() <= room { names } else { text(Vec::new(), true) }
}

/// Both lists without their common beginning and end: of ten thousand resources usually one has changed.
fn without_same_ends<'l, V: Borrow<Value>>(before: &'l [V], after: &'l [V]) -> (&'l [V], &'l [V]) {
    let is_same = |(one, other): &(&V, &V)| is_same_text((*one).borrow(), (*other).borrow());
    let begin = before.iter().zip(after).take_while(is_same).count();
    let (before, after) = (&before[begin..], &after[begin..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(is_same).count();
    (&before[..before.len() - end], &after[..after.len() - end])
}

fn by_id<V: Borrow<Value>>(resources: &[V]) -> HashMap<&str, &Value> {
    resources.iter().map(|resource| (id_of(resource.borrow()), resource.borrow())).collect()
}

#[cfg(test)]
mod tests {
    use domain::SharedDocument;
    use oauth::Timestamp;
    use serde_json::{Value, json};
    use storage::ResourceChangeKind;

    use super::{Live, Stamps, changes_between};
    use crate::roles::Author;

    fn document() -> Value {
        json!({
            "project": {"id": "1", "name": "Shop"},
            "pages": [{"id": "2", "key": "home"}, {"id": "3", "key": "cart"}],
            "campaigns": [{"id": "4", "key": "hero", "experiments": [
                {"id": "5", "key": "hero", "variations": [{"id": "6", "key": "a"}, {"id": "7", "key": "b"}]},
            ]}],
        })
    }

    fn author(seconds: i64, by: &str) -> Author {
        Author { at: Timestamp::from_milliseconds(1_000 * seconds), by: by.to_owned() }
    }

    /// The names of the changed resources, with their kind of change.
    fn changed(before: &Value, after: &Value) -> Vec<(String, ResourceChangeKind)> {
        let [before, after] =
            [before, after].map(|document| SharedDocument::of(document.clone()).unwrap());
        let changes = changes_between(&before, &after, Live::Nothing, author(1, "ann")).changes;
        changes.into_iter().map(|change| (change.resource, change.kind)).collect()
    }

    fn named(names: &[&str], kind: ResourceChangeKind) -> Vec<(String, ResourceChangeKind)> {
        names.iter().map(|name| ((*name).to_owned(), kind)).collect()
    }

    #[test]
    fn parents_of_a_changed_resource_change_and_siblings_do_not() {
        let mut after = document();
        after["campaigns"][0]["experiments"][0]["variations"][1]["key"] = json!("c");

        let found = changed(&document(), &after);

        let names = ["campaign 4", "experiment 5", "variation 7", "project"];
        assert_eq!(found, named(&names, ResourceChangeKind::Changed));
        assert_eq!(changed(&after, &after), []);
    }

    #[test]
    fn a_new_or_removed_resource_takes_all_that_it_holds_along() {
        let nothing = json!({"project": null});
        let all = [
            "page 2",
            "page 3",
            "campaign 4",
            "experiment 5",
            "variation 6",
            "variation 7",
            "project",
        ];
        assert_eq!(changed(&nothing, &document()), named(&all, ResourceChangeKind::Created));
        let mut without = document();
        without["campaigns"] = json!([]);

        let found = changed(&document(), &without);

        let gone = ["campaign 4", "experiment 5", "variation 6", "variation 7"];
        assert_eq!(found[..4], named(&gone, ResourceChangeKind::Removed));
        assert_eq!(found[4..], named(&["project"], ResourceChangeKind::Changed));
    }

    #[test]
    fn a_stamp_changes_with_its_resource_alone() {
        let mut renamed = document();
        renamed["pages"][0]["key"] = json!("start");
        let [empty, first, second] =
            [json!({}), document(), renamed].map(|document| SharedDocument::of(document).unwrap());
        let created = changes_between(&empty, &first, Live::Nothing, author(1, "ann"));
        let changed = changes_between(&first, &second, Live::Nothing, author(2, "bob"));

        let stamps = Stamps::default().after(&created).after(&changed);

        let told = |name: &str| {
            let stamp = stamps.named(name).unwrap();
            let seconds = |at: Timestamp| at.as_milliseconds() / 1_000;
            (stamp.created_at.map(seconds), seconds(stamp.updated_at), stamp.updated_by)
        };
        assert_eq!(told("page 2"), (Some(1), 2, "bob".to_owned()));
        assert_eq!(told("page 3"), (Some(1), 1, "ann".to_owned()));
        assert_eq!(told("project"), (Some(1), 2, "bob".to_owned()));
    }

    #[test]
    fn a_live_resource_keeps_the_stamp_that_it_had_in_the_draft() {
        let mut edited = document();
        edited["pages"][0]["key"] = json!("start");
        let mut again = edited.clone();
        again["pages"][0]["key"] = json!("begin");
        let [empty, first, second, third] = [json!({}), document(), edited, again]
            .map(|document| SharedDocument::of(document).unwrap());
        let live = Live::Is(&first);
        let created = changes_between(&empty, &first, Live::Nothing, author(1, "ann"));
        let changed = changes_between(&first, &second, live, author(2, "bob"));
        let again = changes_between(&second, &third, live, author(3, "cat"));
        let followed = changes_between(&third, &second, Live::Follows, author(4, "dan"));

        let stamps = Stamps::default().after(&created).after(&changed).after(&again);

        let live_of = |stamps: &Stamps, name: &str| {
            let live = stamps.named(name).unwrap().live;
            live.map(|(at, by)| (at.as_milliseconds() / 1_000, by))
        };
        assert_eq!(live_of(&stamps, "page 2"), Some((1, "ann".to_owned())));
        assert_eq!(live_of(&stamps, "page 3"), None);
        assert_eq!(live_of(&stamps.after(&followed), "page 2"), Some((4, "dan".to_owned())));
    }

    #[test]
    fn a_change_says_which_fields_differ_and_how_unless_that_is_long() {
        let mut after = document();
        after["pages"][0]["key"] = json!("start");
        after["pages"][1]["key"] = json!("x".repeat(20_000));
        let [before, after] =
            [document(), after].map(|document| SharedDocument::of(document).unwrap());

        let changes = changes_between(&before, &after, Live::Nothing, author(1, "ann")).changes;

        let told: Vec<Value> =
            changes.iter().map(|change| serde_json::from_str(&change.fields).unwrap()).collect();
        assert_eq!(
            told[0],
            json!({"fields": [{"pointer": "/key", "before": "home", "after": "start"}], "truncated": false})
        );
        assert_eq!(told[1], json!({"fields": [{"pointer": "/key"}], "truncated": true}));
    }
}
