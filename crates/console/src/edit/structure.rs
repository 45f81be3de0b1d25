//! The buttons of a form that change its structure: they add, remove, move, copy and negate elements of lists. Each is `name="act"` with
//! the act, the pointer of the element, and of `add` a word for what to add: `add /conditions query`, `up /tags/1`.

use domain::BasisPoints;
use domain::limits::MAX_NAME_LENGTH;
use serde_json::{Value, json};

use crate::conditions;

/// What a form's button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act<'f> {
    /// Store the resource.
    Save,
    /// Change the structure of what the form shows.
    Structure(Verb, &'f str, &'f str),
    /// Try the conditions of the form.
    Try,
    /// Show the form again, with what the page makes of it.
    Show,
}

/// A change of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Add,
    Remove,
    Up,
    Down,
    Copy,
    Negate,
    /// Shares all visitors evenly among the elements of a list.
    Even,
    /// Makes a tree of a list of audiences.
    Nest,
}

/// Makes the new element of a list, named by its pointer and a word; `None` if the form has no such element.
pub(crate) type MakeElement = fn(list: &str, word: &str) -> Option<Value>;

impl<'f> Act<'f> {
    /// The act of a button; `Show` for a button that no form of ours has.
    pub(crate) fn of(button: &'f str) -> Self {
        let mut words = button.splitn(3, ' ');
        let mut next = || words.next().unwrap_or_default();
        let verb = match next() {
            "save" => return Self::Save,
            "try" => return Self::Try,
            "add" => Verb::Add,
            "remove" => Verb::Remove,
            "up" => Verb::Up,
            "down" => Verb::Down,
            "copy" => Verb::Copy,
            "negate" => Verb::Negate,
            "even" => Verb::Even,
            "nest" => Verb::Nest,
            _ => return Self::Show,
        };
        Self::Structure(verb, next(), next())
    }
}

/// Characters that a number adds to a name: lists are shorter than it can count.
const NUMBER_LENGTH: usize = 6;

/// Does it; returns the pointer of the element where the member goes on.
pub(crate) fn restructure(
    resource: &mut Value,
    (verb, pointer, word): (Verb, &str, &str),
    make: MakeElement,
) -> Option<String> {
    if verb == Verb::Add {
        let element = make(pointer, word)?;
        let list = resource.pointer_mut(pointer)?.as_array_mut()?;
        let element = with_name_of_its_own(element, pointer, list);
        list.push(element);
        return Some(format!("{pointer}/{}", list.len() - 1));
    }
    if verb == Verb::Even {
        even_out(resource.pointer_mut(pointer)?.as_array_mut()?);
        return Some(format!("{pointer}/0/weight"));
    }
    if verb == Verb::Nest {
        let list = resource.pointer_mut(pointer)?;
        *list =
            conditions::any_of(list.as_array().filter(|list| list.iter().all(Value::is_string))?);
        return Some(pointer.to_owned());
    }
    let (owner, index) = pointer.rsplit_once('/')?;
    let elements = resource.pointer_mut(owner)?.as_array_mut()?;
    let index: usize = index.parse().ok()?;
    let last = elements.len().checked_sub(1).filter(|last| index <= *last)?;
    let is_element = |place: &usize| (0..=last).contains(place) && !is_operator(&elements[*place]);
    let index = match verb {
        Verb::Remove => {
            elements.remove(index);
            let beside = [Some(index), index.checked_sub(1)].into_iter().flatten();
            let mut beside =
                beside.filter(|place| elements.get(*place).is_some_and(|one| !is_operator(one)));
            return Some(match beside.next() {
                Some(place) => format!("{owner}/{place}"),
                None => owner.to_owned(),
            });
        }
        Verb::Up => {
            let above = index.checked_sub(1).filter(is_element)?;
            elements.swap(index, above);
            above
        }
        Verb::Down => {
            let below = Some(index + 1).filter(is_element)?;
            elements.swap(index, below);
            below
        }
        Verb::Copy => {
            let copy = with_name_of_its_own(copy_of(&elements[index]), owner, elements);
            elements.insert(index + 1, copy);
            index + 1
        }
        Verb::Negate => {
            elements[index] = negated(elements[index].take());
            index
        }
        Verb::Add | Verb::Even | Verb::Nest => return None,
    };
    Some(format!("{owner}/{index}"))
}

/// The word at the start of a tree's list is no element.
fn is_operator(value: &Value) -> bool {
    matches!(value.as_str(), Some("and" | "or" | "not"))
}

/// A copy needs an identity of its own, and so does each variation in it.
fn copy_of(original: &Value) -> Value {
    let mut copy = original.clone();
    for field in ["id", "key"] {
        if let Some(place) = copy.get_mut(field) {
            *place = Value::Null;
        }
    }
    if let Some(Value::Array(variations)) = copy.get_mut("variations") {
        for variation in variations {
            *variation = copy_of(variation);
        }
    }
    copy
}

/// An element that comes into this list. The keys of experiments and variations are made of their names, so it must not have the name of
/// another one: `Variation`, `Variation 2`, … The names of conditions and changes are what these ask for, or set.
fn with_name_of_its_own(mut element: Value, list: &str, others: &[Value]) -> Value {
    let has_key = list.ends_with("/experiments") || list.ends_with("/variations");
    let Some(name) = element["name"].as_str().filter(|_| has_key) else { return element };
    let is_free = |name: &str| others.iter().all(|other| other["name"] != name);
    if is_free(name) {
        return element;
    }
    // `Blue 2` beside `Blue` is a copy; `Save 50` is a name.
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.parse::<u64>().is_ok() && !is_free(stem) => stem,
        _ => name,
    };
    let stem: String = stem.chars().take(MAX_NAME_LENGTH - NUMBER_LENGTH).collect();
    let mut names = (2_u64..).map(|number| format!("{stem} {number}"));
    let free = names.find(|name| is_free(name)).expect("there are more numbers than names");
    element["name"] = json!(free);
    element
}

/// Gives each element that is in use the same weight, and the first ones what cannot be divided.
fn even_out(list: &mut [Value]) {
    let in_use = list.iter_mut().filter(|one| one["archived"] != Value::Bool(true));
    let mut in_use: Vec<_> = in_use.filter(|one| one.is_object()).collect();
    let all = usize::from(BasisPoints::ALL.get());
    let (share, rest) = (all.checked_div(in_use.len()), all.checked_rem(in_use.len()));
    for (place, element) in in_use.iter_mut().enumerate() {
        element["weight"] = json!(share.unwrap_or(0) + usize::from(place < rest.unwrap_or(0)));
    }
}

fn negated(mut node: Value) -> Value {
    match node.as_array_mut() {
        Some(parts) if parts.len() == 2 && parts[0] == "not" => parts.remove(1),
        _ => json!(["not", node]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Act, MAX_NAME_LENGTH, NUMBER_LENGTH, restructure};

    fn make(list: &str, word: &str) -> Option<Value> {
        (list == "/tree").then(|| json!({"type": word}))
    }

    fn after(button: &str) -> (Value, Option<String>) {
        let mut resource = json!({"tree": ["and", {"type": "a"}, {"type": "b"}], "tags": [{"key": "x", "id": "1"}], "names": ["1", "2"]});
        let Act::Structure(verb, pointer, word) = Act::of(button) else { return (resource, None) };
        let focus = restructure(&mut resource, (verb, pointer, word), make);
        (resource, focus)
    }

    #[test]
    fn buttons_change_the_structure() {
        let tree = |button: &str| after(button).0["tree"].to_string();

        assert_eq!(
            tree("add /tree query"),
            r#"["and",{"type":"a"},{"type":"b"},{"type":"query"}]"#
        );
        assert_eq!(after("add /tree query").1.as_deref(), Some("/tree/3"));
        assert_eq!(tree("remove /tree/1"), r#"["and",{"type":"b"}]"#);
        assert_eq!(tree("up /tree/2"), r#"["and",{"type":"b"},{"type":"a"}]"#);
        assert_eq!(tree("down /tree/1"), tree("up /tree/2"));
        assert_eq!(tree("negate /tree/1"), r#"["and",["not",{"type":"a"}],{"type":"b"}]"#);
        assert_eq!(after("copy /tags/0").0["tags"][1], json!({"key": null, "id": null}));
        assert_eq!(
            after("nest /names").0["names"],
            json!(["or", {"audience": "1"}, {"audience": "2"}])
        );
    }

    #[test]
    fn a_copied_experiment_has_variations_of_its_own() {
        let mut resource = json!({"list": [{"id": "1", "variations": [{"id": "2", "key": "a", "changes": [{"id": "x"}]}]}]});
        let Act::Structure(verb, pointer, word) = Act::of("copy /list/0") else { panic!("no act") };

        restructure(&mut resource, (verb, pointer, word), make);

        assert_eq!(
            resource["list"][1],
            json!({"id": null, "variations": [{"id": null, "key": null, "changes": [{"id": "x"}]}]})
        );
    }

    #[test]
    fn what_is_added_or_copied_has_a_name_of_its_own() {
        let named =
            |list: &str, _: &str| (list == "/variations").then(|| json!({"name": "Variation"}));
        let mut resource = json!({"variations": [{"name": "Original"}, {"name": "Blue"}]});
        let mut press = |button: &str| {
            let Act::Structure(verb, pointer, word) = Act::of(button) else { panic!("no act") };
            restructure(&mut resource, (verb, pointer, word), named);
        };
        for _ in 0..3 {
            press("add /variations variation");
        }
        for index in [1, 4] {
            press(&format!("copy /variations/{index}"));
        }

        let found =
            resource["variations"].as_array().unwrap().iter().map(|one| one["name"].clone());
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                "Original",
                "Blue",
                "Blue 2",
                "Variation",
                "Variation 2",
                "Variation 4",
                "Variation 3"
            ]
            .map(Value::from)
        );
    }

    #[test]
    fn a_copied_name_keeps_its_own_number_and_its_length() {
        let long = "x".repeat(MAX_NAME_LENGTH);
        for (name, copied) in [
            ("Save 50", "Save 50 2".to_owned()),
            ("2026", "2026 2".to_owned()),
            (&long, format!("{} 2", "x".repeat(MAX_NAME_LENGTH - NUMBER_LENGTH))),
        ] {
            let mut resource = json!({"experiments": [{"name": name}]});
            let Act::Structure(verb, pointer, word) = Act::of("copy /experiments/0") else {
                panic!("no act")
            };

            restructure(&mut resource, (verb, pointer, word), make);

            assert_eq!(resource["experiments"][1]["name"], *copied);
        }
    }

    #[test]
    fn a_copied_condition_or_change_asks_for_and_sets_the_same() {
        for element in [
            json!({"type": "cookies", "name": "consent"}),
            json!({"type": "custom_attribute", "name": "8001"}),
            json!({"type": "style", "name": "color"}),
        ] {
            let mut resource = json!({"tree": ["and", element]});
            let Act::Structure(verb, pointer, word) = Act::of("copy /tree/1") else {
                panic!("no act")
            };

            restructure(&mut resource, (verb, pointer, word), make);

            assert_eq!(resource["tree"][2], element);
        }
    }

    #[test]
    fn weights_are_shared_evenly_and_are_all_visitors() {
        let mut resource = json!({"list": [
            {"weight": 1}, {"weight": 2}, {"weight": 3, "archived": true}, {},
        ]});
        let Act::Structure(verb, pointer, word) = Act::of("even /list") else { panic!("no act") };

        restructure(&mut resource, (verb, pointer, word), make);

        let weights = [3_334, 3_333, 3, 3_333].map(Value::from);
        let found = resource["list"].as_array().unwrap().iter().map(|one| one["weight"].clone());
        assert_eq!(found.collect::<Vec<_>>(), weights);
    }

    #[test]
    fn buttons_that_lead_nowhere_change_nothing() {
        for button in [
            "up /tree/1",
            "down /tree/2",
            "up /tree/0",
            "remove /tree/9",
            "remove /nothing/0",
            "add /tags x",
            "remove",
            "add",
            "negate /tree/-",
            "copy ",
            "what /tree/1",
            "nest /tree",
            "nest /tags",
            "",
        ] {
            assert_eq!(after(button), after("show"), "{button}");
        }
    }

    proptest! {
        #[test]
        fn no_button_breaks_it(button in "(add|remove|up|down|copy|negate|nest|x) (/(tree|tags|[0-3]|é)){0,4} ?.{0,3}") {
            after(&button);
        }
    }
}
