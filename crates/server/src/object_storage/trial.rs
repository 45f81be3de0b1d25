//! Tries all that copies need, and leaves nothing behind.

use futures_util::StreamExt as _;
use object_store::{Error, ObjectStore as _, ObjectStoreExt as _};

use super::ObjectStorage;

/// An empty object, there for a moment. Readers of folders skip what begins with a dot.
const PROBE: &str = ".assay-doctor";

/// Characters of an answer that is none of the storage's own.
const SAID_CHARACTERS: usize = 300;

/// What a key must be allowed to do, as policies name it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Action {
    List,
    Get,
    Put,
    Delete,
}

/// What the storage did not let us do.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) action: Action,
    /// The code of the error, if the storage itself answered.
    pub(crate) code: Option<String>,
    pub(crate) said: String,
}

impl Action {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::List => "s3:ListBucket",
            Self::Get => "s3:GetObject",
            Self::Put => "s3:PutObject",
            Self::Delete => "s3:DeleteObject",
        }
    }
}

impl ObjectStorage {
    /// Reads what is there; returns the Assay that owns the copies, if there are any.
    pub(crate) async fn try_reading(&self) -> Result<Option<String>, Refused> {
        let mut objects = self.bucket.list(Some(&self.prefix));
        if let Some(first) = objects.next().await {
            first.map_err(refused(Action::List))?;
        }
        self.read_owner().await.map_err(refused(Action::Get))
    }

    /// Writes an empty object, and removes it.
    pub(crate) async fn try_writing(&self) -> Result<(), Refused> {
        let key = self.prefix.clone().join(PROBE);
        self.bucket.put(&key, Vec::new().into()).await.map_err(refused(Action::Put))?;
        self.bucket.delete(&key).await.map_err(refused(Action::Delete))
    }
}

fn refused(action: Action) -> impl Fn(Error) -> Refused {
    move |error| {
        let (code, said) = said(&error.to_string());
        Refused { action, code, said }
    }
}

/// The code and the words of an answer. The rest of it may quote the token that was sent.
pub(super) fn said(text: &str) -> (Option<String>, String) {
    let (code, message) = (element(text, "Code"), element(text, "Message"));
    let said = match (code, message) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        (None, _) => {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            line.chars().take(SAID_CHARACTERS).collect()
        }
    };
    (code.map(str::to_owned), said)
}

/// What stands in the first element with this name.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    Some(content.trim())
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn of_an_answer_the_code_and_the_words_are_told_and_no_token_that_it_quotes() {
        let xml = "403 Forbidden: <?xml version=\"1.0\"?><Error><Code>InvalidToken</Code>\
                   <Message>The provided token is malformed.</Message><Token-0>s3cret</Token-0></Error>";

        let (code, words) = said(xml);

        assert_eq!(code.as_deref(), Some("InvalidToken"));
        assert_eq!(words, "InvalidToken: The provided token is malformed.");
    }

    #[test]
    fn an_answer_of_a_proxy_is_told_on_one_line_and_in_part() {
        let (code, words) = said(&format!("502: <html>\n  {}", "x".repeat(1_000)));

        assert_eq!((code, words.chars().count()), (None, 300));
        assert!(words.starts_with("502: <html> x"), "{words}");
    }
}
