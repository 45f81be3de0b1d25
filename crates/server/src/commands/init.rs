//! `assay init`: writes a first project file and says what to do next.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use domain::{Key, NoFiles, Source};
use serde_json::json;

use crate::cli::InitArguments;
use crate::failure::Failure;
use crate::{output, project_file};

const TEMPLATE: &str = include_str!("init/project.yaml");

/// A folder without a name, or one that makes no key.
const NAME: &str = "My site";

/// Writes the file, or to standard output by the name `-`. A file that is there already stays as it is.
pub(crate) fn run(arguments: &InitArguments) -> Result<(), Failure> {
    let path = &arguments.project_file;
    let (key, name) = match (&arguments.key, &arguments.name) {
        (Some(key), Some(name)) => (key.clone(), name.clone()),
        (Some(key), None) => (key.clone(), key.to_string()),
        (None, Some(name)) => (key_of(name)?, name.clone()),
        (None, None) => of_this_folder()?,
    };
    let yaml = TEMPLATE
        .replace("{key}", &quoted(key.as_str()))
        .replace("{name}", &quoted(&name))
        .replace("{origin}", &quoted(&arguments.site.origin().ascii_serialization()))
        .replace("{home}", &quoted(arguments.site.as_str()));
    let source = Source { name: "project.yaml", text: &yaml, files: &NoFiles };
    let project = domain::parse(&source).map_err(Failure::Faults)?.project;
    let text = if project_file::is_json(path) { project.to_json() } else { yaml };
    if path.as_os_str() == "-" {
        output::print_exactly(&text);
        return Ok(());
    }
    write_new(path, &text)?;
    let file = path.display();
    output::print(format_args!(
        "`{file}` has a project and its first A/B test: another headline on {site}\n\n\
         Put this first in the <head> of your pages:\n  \
         <script src=\"http://127.0.0.1:8080/js/{id}.js\"></script>\n\n\
         Then:\n  \
         assay check {file}    tells of every mistake\n  \
         assay serve {file}    serves the snippet and the console, and publishes each time you save",
        site = arguments.site,
        id = project.id,
    ));
    Ok(())
}

fn key_of(name: &str) -> Result<Key, Failure> {
    Key::from_name(name).ok_or_else(|| {
        Failure::input(format_args!(
            "`--name {name}`: expected a letter `a-z` or a digit, of which the key is made\n  hint: `--key` gives it another"
        ))
    })
}

fn of_this_folder() -> Result<(Key, String), Failure> {
    let folder = std::env::current_dir().map_err(Failure::environment)?;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let named = name.and_then(|name| Some((Key::from_name(&name)?, name)));
    named.map_or_else(|| Ok((key_of(NAME)?, NAME.to_owned())), Ok)
}

/// As YAML reads it, whatever it has.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let path = path.display();
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Failure::input(format_args!(
                "`{path}` already exists and was not changed\n  hint: name another file"
            ));
        }
        Failure::environment(format_args!("cannot write `{path}`: {error}"))
    })
}
