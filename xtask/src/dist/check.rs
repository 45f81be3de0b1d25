//! Installs and starts what was made, each thing in a root file system of its own: the programs are in `deploy/check/`.
//!
//! They need root, and programs of Debian. The npm package has a story in `e2e/stories/npm_package.mjs`.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use super::release::Release;
use super::{Part, bill, debian, image};
use crate::output;
use crate::program::Program;
use crate::test::EXAMPLES;

/// A Debian that packages are installed into, made once.
const FRESH_DEBIAN: &str = "target/dist-build/debian.tar";

/// Debian's packages with the programs that checks run.
const PROGRAMS: [(&str, &str); 6] = [
    ("bwrap", "bubblewrap"),
    ("skopeo", "skopeo"),
    ("umoci", "umoci"),
    ("mmdebstrap", "mmdebstrap"),
    ("lintian", "lintian"),
    ("curl", "curl"),
];

/// Fails if one of the parts does not do what it should.
pub(super) fn run(release: &Release, parts: &[Part]) -> Result<ExitCode> {
    for (program, package) in PROGRAMS {
        let is_there = Program::new(program, ["--version"]).works();
        ensure!(is_there, "`{program}` is missing: `apt-get install {package}`");
    }
    let mut failed = 0;
    for part in parts {
        if let Some(program) = program(*part, release)? {
            failed += program.passes()?.failed;
        }
    }
    output::say(format_args!("{failed} checks failed"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What checks a part.
fn program(part: Part, release: &Release) -> Result<Option<Program>> {
    let made = |name: String| release.folder.join(name);
    Ok(match part {
        Part::Binary => Some(script("binary", [release.binary().as_os_str()])),
        Part::Image => Some(script("image", [made(image::file(release)).as_os_str()])),
        Part::Debian => {
            let package = made(debian::file(release)?);
            Some(script("debian", [package.as_os_str(), FRESH_DEBIAN.as_ref()]))
        }
        Part::Sbom => {
            let interpreter = EXAMPLES.ready()?;
            let help = release.answer_of_binary(["serve", "--help"])?;
            let bill = made(bill::file(release));
            let check = Program::new(&interpreter.to_string_lossy(), ["deploy/check/examples.py"]);
            Some(check.and([bill.as_os_str(), settings(&help).as_ref()]))
        }
        Part::Licenses | Part::Archive | Part::Npm => None,
    })
}

fn script<const N: usize>(name: &str, arguments: [&std::ffi::OsStr; N]) -> Program {
    Program::new(&format!("deploy/check/{name}.sh"), []).and(arguments)
}

/// The variables that the help of `assay serve` names, with spaces between.
fn settings(help: &str) -> String {
    let settings = help.split("[env: ").skip(1);
    let settings = settings.filter_map(|text| text.split(['=', ']']).next());
    settings.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::settings;
    use crate::repository::root;

    #[test]
    fn variables_are_read_from_the_help() {
        let help = "--data <DIR>  Folder [env: ASSAY_DATA=]\n--seed <FILE> Once [env: ASSAY_SEED]";
        assert_eq!(settings(help), "ASSAY_DATA ASSAY_SEED");
    }

    #[test]
    fn the_documented_unit_is_the_one_that_packages_have() {
        let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
        let unit = format!("```ini\n{}```", read("deploy/systemd/assay.service"));
        assert!(read("docs/deploying.md").contains(&unit));
    }

    /// The settings of a section of the unit, by name.
    fn section(name: &str) -> BTreeMap<String, String> {
        let unit = std::fs::read_to_string(root().join("deploy/systemd/assay.service")).unwrap();
        let (_, rest) = unit.split_once(&format!("[{name}]\n")).unwrap();
        let lines = rest.lines().take_while(|line| !line.starts_with('['));
        let settings = lines.filter(|line| !line.starts_with('#'));
        let pairs = settings.filter_map(|line| line.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn the_unit_is_started_until_its_database_answers() {
        let (unit, service) = (section("Unit"), section("Service"));

        // systemd's own limit is five starts in ten seconds, and then none ever.
        assert_eq!(unit["StartLimitIntervalSec"], "0");
        assert!(unit["After"].split(' ').any(|other| other == "postgresql.service"));
        assert_eq!(service["Restart"], "on-failure");
        assert!(service["RestartSec"].parse::<u32>().unwrap() >= 5);
        assert_eq!(service["RestartPreventExitStatus"], "2");
    }
}
