//! Finds where values stand in their tree. Faults are rare, so decoders keep no paths, and one walk finds those of all faulty values.

use std::collections::{HashMap, HashSet};

use super::tree::{Address, Node, Shape};
use crate::Pointer;

/// The pointers of these values of a tree.
pub(super) fn pointers(root: &Node<'_>, wanted: &HashSet<Address>) -> HashMap<Address, Pointer> {
    let mut walk = Walk { wanted, way: Vec::new(), found: HashMap::new() };
    if !wanted.is_empty() {
        walk.visit(root);
    }
    walk.found
}

struct Walk<'w, 'n> {
    wanted: &'w HashSet<Address>,
    way: Vec<Step<'n>>,
    found: HashMap<Address, Pointer>,
}

enum Step<'n> {
    Field(&'n str),
    Element(usize),
}

impl<'n> Walk<'_, 'n> {
    fn visit(&mut self, node: &'n Node<'_>) {
        if self.wanted.contains(&node.address()) {
            self.found.insert(node.address(), self.pointer());
        }
        match &node.shape {
            Shape::List(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    self.go(Step::Element(index), node);
                }
            }
            Shape::Object(entries) => {
                for entry in entries {
                    self.go(Step::Field(&entry.name), &entry.node);
                }
            }
            Shape::Null | Shape::Bool(_) | Shape::Number(_) | Shape::Text(..) => {}
        }
    }

    fn go(&mut self, step: Step<'n>, node: &'n Node<'_>) {
        self.way.push(step);
        self.visit(node);
        self.way.pop();
    }

    fn pointer(&self) -> Pointer {
        self.way.iter().fold(Pointer::root(), |pointer, step| match step {
            Step::Field(name) => pointer.field(name),
            Step::Element(index) => pointer.element(*index),
        })
    }
}
