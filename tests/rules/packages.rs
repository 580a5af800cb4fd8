//! Packages: their licences, their versions, and the oldest toolchain they need. `deny.toml` has
//! the same rules for those who use cargo-deny.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;

/// Licences that allow use in a program under MIT or Apache 2.0.
const LICENCES: [&str; 9] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Packages that Cargo.lock has in more than one version, because packages of others need them.
const DOUBLES: [&str; 10] = [
    "base64",
    "foldhash",
    "getrandom",
    "glam",
    "hashbrown",
    "itertools",
    "miniz_oxide",
    "quick-xml",
    "syn",
    "windows-sys",
];

/// Returns whether one of the alternatives of each part of a licence expression is allowed.
fn is_allowed(expression: &str) -> bool {
    let parts = expression.split(" AND ").map(|part| part.trim_matches(['(', ')']));
    parts.into_iter().all(|part| {
        part.replace('/', " OR ").split(" OR ").any(|one| LICENCES.contains(&one.trim()))
    })
}

/// Returns the value of the first line `key = "value"` of a file, in TOML or YAML.
fn value(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines().map(str::trim).filter_map(|line| line.strip_prefix(key));
    lines.next().unwrap().trim_matches([' ', '=', ':', '"']).to_string()
}

#[test]
fn licences_are_on_the_list() {
    for (expression, allowed) in [
        ("MIT/Apache-2.0", true),
        ("(MIT OR GPL-3.0-only) AND Unicode-3.0", true),
        ("MIT AND GPL-3.0-only", false),
        ("GPL-3.0-only", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
    // Packages of this system only: those of other systems are not downloaded.
    let options = ["--locked", "--offline", "--format-version=1", "--filter-platform=host-tuple"];
    let output = Command::new(env!("CARGO")).arg("metadata").args(options).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence), "{} has the licence {licence}", package["name"]);
    }
}

#[test]
fn only_known_packages_have_several_versions() {
    let lock: toml::Table = fs::read_to_string("Cargo.lock").unwrap().parse().unwrap();
    let mut versions = BTreeMap::new();
    for package in lock["package"].as_array().unwrap() {
        *versions.entry(package["name"].as_str().unwrap()).or_insert(0) += 1;
    }
    let several: BTreeSet<&str> =
        versions.into_iter().filter(|(_, number)| *number > 1).map(|(name, _)| name).collect();
    assert_eq!(several, DOUBLES.into(), "Cargo.lock has these in more than one version");
}

/// CI tests with the oldest supported toolchain, so that it is known to suffice.
#[test]
fn oldest_toolchain_is_that_of_ci() {
    let oldest = value("Cargo.toml", "rust-version");
    assert_eq!(value("bindings/python/Cargo.toml", "rust-version"), oldest);
    assert_eq!(value(".github/workflows/release.yml", "RUST"), oldest);
    let readme = fs::read_to_string("README.md").unwrap();
    assert!(readme.contains(&format!("Rust {oldest} or later")), "README.md: Rust {oldest}");
}
