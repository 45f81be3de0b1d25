//! The message of a page after an act. The page's address names it, and an invented address cannot make the page say anything else.

/// What a page says about the act that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) words: &'static str,
    /// Whether the act was refused.
    pub(crate) is_problem: bool,
}

/// The messages of a page, each with its name in the address: `?done=NAME` or `?problem=NAME`.
pub(crate) struct Messages {
    pub(crate) done: &'static [(&'static str, &'static str)],
    pub(crate) problems: &'static [(&'static str, &'static str)],
}

impl Messages {
    /// The message that a query names, if it is one of these.
    pub(crate) fn named(&self, query: Option<&str>) -> Option<Message> {
        let (kind, name) = query?.split_once('=')?;
        let (sentences, is_problem) = match kind {
            "done" => (self.done, false),
            "problem" => (self.problems, true),
            _ => return None,
        };
        let found = sentences.iter().find(|(known, _)| *known == name);
        found.map(|(_, words)| Message { words, is_problem })
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, Messages};

    const MESSAGES: Messages =
        Messages { done: &[("saved", "Saved.")], problems: &[("full", "The list is full.")] };

    #[test]
    fn an_address_names_a_message_and_never_writes_one() {
        let saved = Message { words: "Saved.", is_problem: false };
        let full = Message { words: "The list is full.", is_problem: true };

        assert_eq!(MESSAGES.named(Some("done=saved")), Some(saved));
        assert_eq!(MESSAGES.named(Some("problem=full")), Some(full));
        for query in ["done=full", "problem=saved", "done=Hello", "else=saved", "done", ""] {
            assert_eq!(MESSAGES.named(Some(query)), None, "{query}");
        }
        assert_eq!(MESSAGES.named(None), None);
    }
}
