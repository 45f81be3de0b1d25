//! The state of decoding a document, and the cursor that walks its tree.

use std::collections::{HashMap, HashSet};

use super::addresses::pointers;
use super::faults::Faults;
use super::files::Files;
use super::free_ids::FreeIds;
use super::names::Names;
use super::tree::{Address, Node, Shape};
use crate::{
    AttributeId, AudienceId, CampaignId, EventId, EventProperty, ExperimentId, Fault, Key, Kind,
    MetricId, PageId, Pointer, VariationId,
};

/// What a decoder returns: the value, unless it reported a fault.
pub(super) type Decoded<T> = Result<T, Reported>;

/// A fault was reported, so there is no value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reported;

/// The state of decoding a document.
pub(super) struct Reader<'a> {
    pub(super) faults: Faults<'a>,
    pub(super) files: Files<'a>,
    /// The project's key, once it is known.
    pub(super) project: Option<Key>,
    /// The whole document.
    pub(super) root: At<'a>,
    /// Which ids are free for resources that have none.
    pub(super) free_ids: FreeIds,
    /// Whether a resource of this kind had this id before: then a new one does not get it.
    pub(super) is_spent: &'a dyn Fn(Kind, u64) -> bool,
    /// Every id that is taken, and the resource that has it.
    pub(super) taken: HashMap<(Kind, u64), Address>,
    pub(super) attributes: Names<AttributeId>,
    pub(super) pages: Names<PageId>,
    pub(super) events: Names<EventId>,
    /// The names by which the site may push events: keys and names of events that are not archived.
    pub(super) pushed_events: Vec<String>,
    /// Those that pages see themselves.
    pub(super) seen_events: Vec<String>,
    /// What each event may carry.
    pub(super) event_properties: HashMap<EventId, Vec<EventProperty>>,
    pub(super) metrics: Names<MetricId>,
    /// The metrics that can be looked at only once.
    pub(super) quantiles: HashSet<MetricId>,
    pub(super) audiences: Names<AudienceId>,
    pub(super) campaigns: Names<CampaignId>,
    /// The experiments of the current campaign.
    pub(super) experiments: Names<ExperimentId>,
    /// The variations of the current experiment.
    pub(super) variations: Names<VariationId>,
    /// Whether the current resource cannot run, because it or its parent is archived or concluded.
    pub(super) is_idle: bool,
    /// How many variations there are so far.
    pub(super) variation_count: usize,
}

impl<'a> Reader<'a> {
    /// Starts without known resources.
    pub(super) fn new(
        root: At<'a>,
        (faults, files): (Faults<'a>, Files<'a>),
        is_spent: &'a dyn Fn(Kind, u64) -> bool,
    ) -> Self {
        Self {
            root,
            is_spent,
            faults,
            files,
            project: None,
            free_ids: FreeIds::default(),
            taken: HashMap::new(),
            attributes: Names::default(),
            pages: Names::default(),
            events: Names::default(),
            pushed_events: Vec::new(),
            seen_events: Vec::new(),
            event_properties: HashMap::new(),
            metrics: Names::default(),
            quantiles: HashSet::new(),
            audiences: Names::default(),
            campaigns: Names::default(),
            experiments: Names::default(),
            variations: Names::default(),
            is_idle: false,
            variation_count: 0,
        }
    }

    /// Reports a fault of the value at `at`.
    pub(super) fn report(&mut self, at: &At<'_>, fault: Fault) {
        self.faults.push_at(at.node, at.node.mark, fault);
    }

    /// Reports a fault of the value at `at` instead of returning the value.
    pub(super) fn refuse<T>(&mut self, at: &At<'_>, fault: Fault) -> Decoded<T> {
        self.report(at, fault);
        Err(Reported)
    }

    /// Reports a value of the wrong sort. A number or boolean where a text belongs probably lacks
    /// its quotes.
    pub(super) fn refuse_sort<T>(&mut self, at: &At<'_>, expected: &str) -> Decoded<T> {
        let message = format!("this is {}", at.node.sort());
        let fault = at.error("wrong_type", message).expected(expected);
        let is_unquoted = matches!(at.node.shape, Shape::Number(_) | Shape::Bool(_));
        if is_unquoted && expected.contains("text") {
            // A number is not told: `0800` would come out as `800`.
            return self.refuse(at, fault.hint("put it in quotes"));
        }
        self.refuse(at, fault)
    }

    /// The path of a value, as messages show it.
    pub(super) fn path_of(&self, value: Address) -> String {
        let pointers = pointers(self.root.node, &HashSet::from([value]));
        pointers.get(&value).map(Pointer::path).unwrap_or_default()
    }

    /// The fault with the nearest known name as its hint, if there is one.
    pub(super) fn did_you_mean<'k>(
        &self,
        fault: Fault,
        given: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Fault {
        if self.faults.is_full() {
            return fault;
        }
        fault.did_you_mean(given, known)
    }
}

/// A value of the document. `faults.rs` finds where it stands once all faults are known.
#[derive(Clone)]
pub(super) struct At<'n> {
    pub(super) node: &'n Node<'n>,
}

impl<'n> At<'n> {
    /// The whole document.
    pub(super) fn root(node: &'n Node<'n>) -> Self {
        Self { node }
    }

    /// The field called `name`; a null field counts as left out.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        self.node.field(name).filter(|node| !node.is_null()).map(|node| Self { node })
    }

    /// The field called `name`, or the object that lacks it: where messages show a fault of that field.
    pub(super) fn field_or_self(&self, name: &str) -> Self {
        self.field(name).unwrap_or_else(|| self.clone())
    }

    /// The element at `index`, or the whole value if this is not a list of that length.
    pub(super) fn element(&self, index: usize) -> Self {
        self.elements().and_then(|mut elements| elements.nth(index)).unwrap_or_else(|| self.clone())
    }

    /// The elements, if this is a list.
    pub(super) fn elements(&self) -> Option<impl ExactSizeIterator<Item = Self> + use<'n>> {
        let Shape::List(nodes) = &self.node.shape else { return None };
        Some(nodes.iter().map(|node| Self { node }))
    }

    /// An error about this value. The reader adds its place.
    #[expect(
        clippy::unused_self,
        reason = "it reads as a fault of this value, which the reader makes it"
    )]
    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> Fault {
        Fault::error(code, Pointer::root(), message)
    }

    /// An error about this object, which lacks a field. The reader adds its place.
    #[expect(
        clippy::unused_self,
        reason = "it reads as a fault of this value, which the reader makes it"
    )]
    pub(super) fn missing(&self, field: &'static str, message: impl Into<String>) -> Fault {
        Fault::missing(Pointer::root(), field, message)
    }

    /// A warning about this value. The reader adds its place.
    #[expect(
        clippy::unused_self,
        reason = "it reads as a fault of this value, which the reader makes it"
    )]
    pub(super) fn warning(&self, code: &'static str, message: impl Into<String>) -> Fault {
        Fault::warning(code, Pointer::root(), message)
    }
}
