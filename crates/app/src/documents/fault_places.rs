//! Translates fault pointers for a client that sent one resource: the whole document is checked, but the client knows only that resource.

use domain::{Fault, Pointer};

/// The faults of a document for a client that sent the resource at `sent`: pointers become relative to it. Faults elsewhere name their
/// place in the document.
pub(crate) fn seen_from(sent: &Pointer, faults: Vec<Fault>) -> Vec<Fault> {
    faults.into_iter().map(|fault| relative(sent, fault)).collect()
}

/// The faults of a part of a request, as faults of the request that has it in this field.
#[must_use]
pub fn seen_around(field: &str, faults: Vec<Fault>) -> Vec<Fault> {
    let around = Pointer::root().field(field);
    let moved = faults.into_iter().map(|fault| {
        let tokens = fault.pointer.tokens();
        let pointer = tokens.fold(around.clone(), |pointer, token| pointer.field(&token));
        Fault { pointer, place: None, ..fault }
    });
    moved.collect()
}

fn relative(sent: &Pointer, fault: Fault) -> Fault {
    let inside = fault.pointer.as_str().strip_prefix(sent.as_str());
    let inside = inside.filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let pointer = inside.map(|rest| {
        let tokens =
            rest.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
        tokens.fold(Pointer::root(), |pointer, token| pointer.field(&token))
    });
    match pointer {
        Some(pointer) => Fault { pointer, place: None, ..fault },
        None => Fault {
            message: format!("in the project, {}: {}", fault.pointer.path(), fault.message),
            pointer: Pointer::root(),
            place: None,
            ..fault
        },
    }
}

#[cfg(test)]
mod tests {
    use domain::{Fault, Pointer};

    use super::seen_from;

    fn fault(pointer: Pointer) -> Fault {
        Fault::error("unknown_reference", pointer, "there is no page `hoem`")
    }

    #[test]
    fn faults_of_what_was_sent_point_into_it_and_others_name_their_place() {
        let campaigns = Pointer::root().field("campaigns");
        let sent = campaigns.element(1);
        let inside = fault(sent.field("pages").element(0));
        let outside = fault(campaigns.element(10).field("pages").element(2));

        let told = seen_from(&sent, vec![inside, outside, fault(sent.clone())]);

        assert_eq!(told[0].pointer.as_str(), "/pages/0");
        assert_eq!(told[1].pointer, Pointer::root());
        assert_eq!(
            told[1].message,
            "in the project, campaigns[10].pages[2]: there is no page `hoem`"
        );
        assert_eq!(told[2].pointer, Pointer::root());
        assert_eq!(told[2].message, "there is no page `hoem`");
    }
}
