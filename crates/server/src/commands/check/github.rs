//! Findings as workflow commands of GitHub Actions, which marks the lines in a pull request.

use domain::Fault;

use super::whole;

/// The command that shows a fault of this project file, or of one that it refers to.
pub(super) fn command(file: &str, fault: &Fault) -> String {
    let place = match &fault.place {
        Some(place) => {
            format!("file={},line={},col={},", property(&place.file), place.line, place.column)
        }
        None => format!("file={},", property(file)),
    };
    let message = escaped(&whole(fault));
    format!("::{} {place}title={}::{message}", fault.severity, property(fault.code))
}

/// Escapes what would end the command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes what would end a property of the command, too.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use domain::{Pointer, SourceLocation};

    use super::*;

    #[test]
    fn no_text_of_the_document_begins_another_command() {
        let place = SourceLocation { file: "a,b:c.yaml".to_owned(), line: 2, column: 3 };
        let message = "there is no page `x\n::add-mask::y` in 100%";
        let fault = Fault::error("dangling_reference", Pointer::root().field("pages"), message)
            .hint("did you mean `z`?")
            .at(Some(place));

        let command = command("a.yaml", &fault);

        assert_eq!(
            command,
            "::error file=a%2Cb%3Ac.yaml,line=2,col=3,title=dangling_reference::pages: there is no page `x%0A::add-mask::y` in 100%25%0Ahint: did you mean `z`?"
        );
    }
}
