//! Checks that the files of a crate import each other in one direction, and that no public type
//! name has two meanings. Names that are parallel in the games are listed; the list may only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::layering::{sources, without_tests};

/// Names of public types that stand for parallel things in the games, or for a form and its part.
const PARALLEL: [&str; 20] = [
    "Army",
    "Battlefield",
    "Block",
    "Cause",
    "Choice",
    "Draft",
    "Fields",
    "Member",
    "Outcome",
    "Question",
    "QuestionBuilder",
    "QuestionKind",
    "Reading",
    "Status",
    "StepFields",
    "StepKind",
    "Task",
    "Terms",
    "Unit",
    "UnitIndex",
];

/// Largest number of files of a module whose children may import their parent.
const FAMILY: usize = 5;

/// The imports of a crate: the module paths that each module path names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the source folder of each crate.
fn crates() -> Vec<String> {
    let folders = fs::read_dir("crates").unwrap().map(|entry| entry.unwrap().path().join("src"));
    let mut folders: Vec<String> = folders.map(|path| path.to_str().unwrap().to_string()).collect();
    folders.push("src".to_string());
    folders.sort();
    folders
}

/// Returns the modules of a crate by path, with their code.
fn modules(root: &str) -> BTreeMap<String, String> {
    let path_of = |file: &Path| {
        let parts = file.with_extension("");
        let parts = parts.strip_prefix(root).unwrap().iter().map(|part| part.to_str().unwrap());
        parts.filter(|part| !["mod", "lib", "main"].contains(part)).collect::<Vec<_>>().join("::")
    };
    let code = |file: &Path| {
        let text = fs::read_to_string(file).unwrap();
        let lines = without_tests(&text).lines();
        lines.map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
    };
    sources(Path::new(root)).iter().map(|file| (path_of(file), code(file))).collect()
}

/// Expands the braces of a `use` into single paths.
fn expanded(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![tree.split_whitespace().next().unwrap_or_default().to_string()];
    };
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let part = rest[start..at].trim();
                paths.extend(expanded(part).iter().map(|path| format!("{}{path}", head.trim())));
                start = at + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    paths
}

/// Returns the paths that code names: those of `use`, and those that begin with `crate` or `super`.
fn named(code: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let mut others = String::new();
    for (place, part) in code.split("use ").enumerate() {
        let (tree, rest) = part.split_once(';').unwrap_or(("", part));
        if place > 0 {
            paths.extend(expanded(tree));
        } else {
            others.push_str(tree);
        }
        others.push_str(rest);
    }
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = others.split(|letter: char| !is_path(letter));
    let words = words.filter(|word| word.starts_with("crate::") || word.starts_with("super::"));
    paths.extend(words.map(str::to_string));
    paths
}

/// Returns the module of the crate that a path in module `here` leads to.
fn module_of(path: &str, here: &str, all: &BTreeMap<String, String>) -> Option<String> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut base: Vec<&str> = here.split("::").filter(|part| !part.is_empty()).collect();
    let join = |parts: &[&str]| parts.join("::");
    match parts[0] {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while parts.first() == Some(&"super") {
                base.pop();
                parts.remove(0);
            }
            parts.insert(0, "super");
        }
        first if all.contains_key(&join(&[&base[..], &[first]].concat())) => parts.insert(0, ""),
        _ => return None,
    }
    for part in &parts[1..] {
        base.push(part);
        if !all.contains_key(&join(&base)) {
            base.pop();
            break;
        }
    }
    Some(join(&base))
}

/// Returns the modules that can be reached from a module; the module itself only in a circle.
fn reached(from: &str, graph: &Graph) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(module) = open.pop() {
        let new = graph[&module].iter().filter(|next| found.insert((*next).clone()));
        open.extend(new.cloned().collect::<Vec<_>>());
    }
    found
}

/// Returns the circles of a crate: sets of modules that reach each other.
fn circles(root: &str) -> BTreeSet<BTreeSet<String>> {
    let all = modules(root);
    let graph: Graph = all
        .iter()
        .map(|(here, code)| {
            let targets = named(code).into_iter().filter_map(|path| module_of(&path, here, &all));
            // The root module names all others, and all others may use its exports.
            let is_other = |target: &String| target != here && !target.is_empty();
            (here.clone(), targets.filter(is_other).collect())
        })
        .collect();
    let reach: Graph = graph.keys().map(|from| (from.clone(), reached(from, &graph))).collect();
    let circle = |from: &String| -> BTreeSet<String> {
        reach[from].iter().filter(|to| reach[*to].contains(from)).cloned().collect()
    };
    let is_family = |circle: &BTreeSet<String>| {
        let top = circle.iter().min_by_key(|module| module.len()).unwrap();
        let inside = |module: &String| module == top || module.starts_with(&format!("{top}::"));
        circle.len() <= FAMILY && circle.iter().all(inside)
    };
    graph.keys().map(circle).filter(|circle| circle.len() > 1 && !is_family(circle)).collect()
}

#[test]
fn no_files_import_each_other_in_circles() {
    for root in crates() {
        let circles = circles(&root);
        assert!(
            circles.is_empty(),
            "{root}: files that import each other in circles: {circles:#?}"
        );
    }
}

#[test]
fn public_types_with_equal_names_only_become_fewer() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for root in crates() {
        for (module, code) in modules(&root) {
            for line in code.lines().filter_map(|line| line.trim_start().strip_prefix("pub ")) {
                let kinds = ["struct ", "enum ", "trait ", "type "];
                let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
                    continue;
                };
                let name = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap();
                if name.starts_with(char::is_uppercase) {
                    let place = format!("{root} {module}");
                    places.entry(name.to_string()).or_default().insert(place);
                }
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    let names: Vec<&str> = places.keys().map(String::as_str).collect();
    assert_eq!(names, PARALLEL, "public types with equal names: {places:#?}");
}
