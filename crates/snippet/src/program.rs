//! The whole program of a snippet: the runtime, the project's data and the member's functions.

use crate::code::write_function;
use crate::compile::CompileError;
use crate::config::Config;
use crate::features::{Feature, Features};
use crate::javascript::{self, Printed};
use crate::literal::{CODE_LIST, DATA_LIST};
use crate::runtime;
use crate::seal::Charset;

/// A program that is not minified yet.
pub(crate) struct Program {
    source: String,
    /// What the minifier is not shown ([`crate::bulk`]): elements of a list, with commas.
    data: String,
    charset: Charset,
}

/// The runtime as a function that is called with lists, each under its name there.
fn called(constants: &str, runtime: &str, lists: &[(&str, &str)]) -> String {
    let names = lists.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",");
    let values = lists.iter().map(|(_, list)| format!("[{list}]")).collect::<Vec<_>>().join(",");
    format!("(({names})=>{{\n{constants}\n{runtime}\n}})({values});")
}

/// Stands for the data while the program is minified. Nothing defines it, so its name stays.
const DATA: &str = "__assayData__";

impl Program {
    /// The program of a project.
    ///
    /// The member's functions are handed in from outside the runtime's scope: they see the page's globals, not our names. All of it is
    /// sloppy code, as in any script: the member's because it may rely on that, ours because it then never throws where a page has
    /// frozen something.
    pub(crate) fn of(config: &Config<'_>) -> Self {
        Self::with(config, runtime::linked())
    }

    /// The same with the visual editor.
    pub(crate) fn of_editor(config: &Config<'_>) -> Self {
        Self::with(config, runtime::linked_editor())
    }

    fn with(config: &Config<'_>, runtime: &str) -> Self {
        let mut code = String::new();
        for function in &config.code {
            write_function(&mut code, function.role, function.body);
            code.push_str(",\n");
        }
        let data = config.data.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let mut lists = Vec::new();
        if !code.is_empty() {
            lists.push((CODE_LIST, &*code));
        }
        if !data.is_empty() {
            lists.push((DATA_LIST, DATA));
        }
        Self { source: called(&config.constants(), runtime, &lists), data, charset: Charset::Utf8 }
    }

    /// The runtime alone, to be measured: of the project it knows only which data there is.
    pub(crate) fn of_runtime(config: &Config<'_>) -> Self {
        let lists: &[_] = if config.code.is_empty() { &[] } else { &[(CODE_LIST, "")] };
        let source = called(&config.opaque_constants(), runtime::linked(), lists);
        Self { source, data: String::new(), charset: Charset::Utf8 }
    }

    /// The same program in these characters.
    pub(crate) fn in_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// The program with these features, as short as it goes. The data comes last, so that a source map is right without it.
    pub(crate) fn minify(&self, features: &Features) -> Result<Printed, CompileError> {
        let value = |feature: &Feature| {
            (runtime::own_name(feature.constant()), features.contains(*feature))
        };
        let constants: Vec<_> = Feature::ALL.iter().map(value).collect();
        let mut printed = javascript::minify(&self.source, &constants, self.charset)
            .map_err(CompileError::Internal)?;
        if !self.data.is_empty() {
            let end = format!("[{DATA}]);");
            let head = printed.text.strip_suffix(&*end).ok_or_else(|| {
                CompileError::Internal("the program does not end with its data".to_owned())
            })?;
            printed.text = format!("{head}[{}]);", self.charset.text(&self.data));
        }
        Ok(printed)
    }
}
