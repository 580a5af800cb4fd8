//! Foreign files, folders and links, which no run has written, are kept in the output folder, in
//! the work folder and among shards.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use lowcrawl::study::disk::RealDisk;
use tempfile::{TempDir, tempdir};

use crate::fault_injection::{PART, Toy, records, sweep, whole};
use crate::shell::{assert_fails, content, fails, folder_with, names, ok};

const STUDY: &str =
    "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nphases = [1, 2, 3]\n";
const RESULTS: [&str; 3] = ["manifest.json", "s.csv", "s.parquet"];

/// Returns a folder with a study, its plan of one shard (already answered), and an output folder
/// `out`.
fn folder() -> TempDir {
    let folder = folder_with(&[("s.toml", STUDY)]);
    ok(folder.path(), "study plan s.toml --shards 1 --out plan.json");
    ok(folder.path(), "study run plan.json --shard 0");
    fs::create_dir(folder.path().join("out")).unwrap();
    folder
}

/// The two commands that write results to a folder.
const COMMANDS: [&str; 2] = ["study run s.toml --out out", "study merge plan.json --out out"];

/// Returns the mark that a run leaves in its work folder.
fn mark() -> Vec<u8> {
    let folder = tempdir().unwrap();
    let toy = Toy::new(40, "a").stopped_after(3);
    assert!(sweep(&toy, folder.path(), 2, &RealDisk).is_err());
    fs::read(folder.path().join("lowcrawl-work/CACHEDIR.TAG")).unwrap()
}

/// Writes foreign files below a folder.
fn put(folder: &Path, names: &[&str]) -> BTreeMap<String, Vec<u8>> {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("precious {name}")).unwrap();
    }
    names.iter().map(|name| (name.to_string(), fs::read(folder.join(name)).unwrap())).collect()
}

fn clear(out: &Path) {
    RESULTS.iter().for_each(|name| fs::remove_file(out.join(name)).unwrap());
}

fn assert_there(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        assert!(fs::read(folder.join(name)).ok().as_ref() == Some(bytes), "{name}");
    }
}

#[test]
fn foreign_files_are_kept() {
    let folder = folder();
    let out = folder.path().join("out");
    let all = [
        "notes.txt",
        "s-old.csv",
        "batches/0000000-0123456789abcdef.parquet",
        "batches/notes.txt",
        "batches/0123456789abcdef0123456789abcdef.begun",
        "batches/deep/notes.txt",
        ".notes.lowcrawl-part",
        ".s.csv.1-zzzzzzzz.lowcrawl-part",
        "folder/notes.txt",
    ];
    let files = put(&out, &all);
    let own = out.join(".s.csv.4194304-0123abcd.lowcrawl-part");
    for command in COMMANDS {
        for line in [command.to_string(), command.to_string(), format!("{command} --replace")] {
            fs::write(&own, "an unfinished file of a run that was killed").unwrap();
            ok(folder.path(), &line);
            assert_there(&out, &files);
            assert!(!own.exists() && !out.join("lowcrawl-work").exists(), "{line}");
        }
        clear(&out);
    }
}

#[cfg(unix)]
#[test]
fn links_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let (out, precious) = (folder.path().join("out"), folder.path().join("precious"));
    let files = put(&precious, &["s.csv", "0000000-0123456789abcdef.parquet", "CACHEDIR.TAG"]);
    let result = "the result cannot be written: a link has its name";
    for (name, leads_to, why) in [
        ("lowcrawl-work", "../precious", "a link is in the way"),
        ("batches", "../precious", ""),
        ("s.csv", "../precious/s.csv", result),
        ("s.parquet", "../precious/nothing", result),
        (
            "manifest.json",
            "../precious/s.csv",
            "the list of results cannot be written: a link has its name",
        ),
        (".lowcrawl-lock", "../precious/s.csv", "the lock cannot be created: a link has its name"),
    ] {
        symlink(leads_to, out.join(name)).unwrap();
        for command in COMMANDS {
            for replace in ["", " --replace"] {
                let line = format!("{command}{replace}");
                // No run uses this name any more, so the link is allowed.
                if name == "batches" {
                    ok(folder.path(), &line);
                    continue;
                }
                let message = fails(folder.path(), &line, 2);
                assert!(message.starts_with(&format!("error: out/{name}: {why}")), "{message}");
                assert!(message.contains("move it away, or use another folder"), "{message}");
                assert_eq!(names(&out), [name], "{line}");
            }
        }
        assert_eq!(fs::read_link(out.join(name)).unwrap(), Path::new(leads_to));
        assert_there(&precious, &files);
        assert_eq!(names(&precious).len(), 3, "{name}");
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
    // The output folder itself may be a link.
    symlink("precious", folder.path().join("there")).unwrap();
    let message = fails(folder.path(), "study run s.toml --out there", 2);
    assert!(message.contains("there/s.csv: lowcrawl did not write this file"), "{message}");
    ok(folder.path(), "study run s.toml --out there --replace");
    assert_eq!(names(&precious).len(), 5);
}

#[test]
fn work_folder_without_the_mark_is_refused() {
    let folder = folder();
    let out = folder.path().join("out");
    for name in ["lowcrawl-work/0000000-0123456789abcdef.parquet", "lowcrawl-work"] {
        let files = put(&out, &[name]);
        for command in COMMANDS {
            for replace in ["", " --replace"] {
                let message = fails(folder.path(), &format!("{command}{replace}"), 2);
                assert!(message.starts_with("error: out/lowcrawl-work: "), "{message}");
                assert_there(&out, &files);
                assert_eq!(names(&out), ["lowcrawl-work"]);
            }
        }
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
    // An empty work folder is accepted; a foreign lock file is refused.
    fs::create_dir(out.join("lowcrawl-work")).unwrap();
    let files = put(&out, &[".lowcrawl-lock"]);
    let words = "out/.lowcrawl-lock: this file is not a lock of lowcrawl";
    assert_fails(folder.path(), COMMANDS[0], 2, &[words]);
    assert_there(&out, &files);
    fs::remove_file(out.join(".lowcrawl-lock")).unwrap();
    ok(folder.path(), COMMANDS[0]);
    assert_eq!(names(&out), RESULTS);
}

#[test]
fn foreign_files_are_overwritten_only_with_replace() {
    let folder = folder();
    let out = folder.path().join("out");
    ok(folder.path(), "study run s.toml --out whole");
    for command in COMMANDS {
        for name in RESULTS {
            let files = put(&out, &[name]);
            let message = fails(folder.path(), command, 2);
            let why = match name {
                "manifest.json" => "this manifest is damaged or has an unknown version",
                _ => "lowcrawl did not write this file",
            };
            assert!(message.starts_with(&format!("error: out/{name}: {why}")), "{message}");
            assert!(message.contains("`--replace` deletes it"), "{message}");
            assert_there(&out, &files);
            assert_eq!(names(&out), [name], "{command}");
            ok(folder.path(), &format!("{command} --replace"));
            assert!(content(&out) == content(&folder.path().join("whole")));
            clear(&out);
        }
        // A folder is never removed.
        let files = put(&out, &["s.csv/notes.txt"]);
        let message = fails(folder.path(), &format!("{command} --replace"), 2);
        let why = "error: out/s.csv: the result cannot be written: a folder has its name";
        assert!(message.starts_with(why), "{message}");
        assert_there(&out, &files);
        fs::remove_dir_all(out.join("s.csv")).unwrap();
    }
    // A foreign file is refused even if it has the bytes of the result.
    fs::copy(folder.path().join("whole/s.csv"), out.join("s.csv")).unwrap();
    fails(folder.path(), COMMANDS[0], 2);
}

/// Results of an older version are recognised by the hashes in its manifest. Files changed since
/// are kept.
#[test]
fn results_of_an_older_version_are_replaced() {
    let folder = folder();
    let out = folder.path().join("out");
    fs::write(folder.path().join("old.toml"), STUDY.replace("2, 3", "2")).unwrap();
    ok(folder.path(), "study run old.toml --out out");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let older = manifest.replace("\"rows\"", "\"lines\"");
    assert_ne!(older, manifest);
    fs::write(out.join("manifest.json"), older).unwrap();
    let files = put(&out, &["old.csv"]);
    let message = fails(folder.path(), COMMANDS[0], 2);
    assert!(message.contains("this manifest is damaged or has an unknown version"), "{message}");
    assert_eq!(names(&out), ["manifest.json", "old.csv", "old.parquet"]);
    ok(folder.path(), "study run s.toml --out out --replace");
    assert_eq!(names(&out), ["manifest.json", "old.csv", "s.csv", "s.parquet"]);
    assert_there(&out, &files);
}

/// A stopped run continues among foreign files and keeps them. Damaged records of finished cells are
/// computed again.
#[test]
fn stopped_run_continues_among_foreign_files() {
    let folder = tempdir().unwrap();
    let toy = Toy::new(40, "a").stopped_after(9);
    assert!(sweep(&toy, folder.path(), 4, &RealDisk).is_err());
    let work = folder.path().join("lowcrawl-work");
    let last = *records(folder.path()).last().unwrap();
    let part = folder.path().join(PART);
    File::options().write(true).open(part).unwrap().set_len(last as u64 + 30).unwrap();
    let foreign = [
        "notes.txt",
        "deep/notes.txt",
        "0000000-0.parquet",
        "0000000-0123456789ABCDEF.parquet",
        "00000000-0123456789abcdef.parquet",
        "0.begun",
    ];
    let files = put(&work, &foreign);
    fs::create_dir(work.join("0000000-0123456789abcdef.parquet")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("notes.txt", work.join("0000000-0123456789abcde0.parquet")).unwrap();
    let again = Toy::new(40, "a");
    let finished = sweep(&again, folder.path(), 4, &RealDisk).unwrap();
    assert!(finished.resumed > 0 && finished.resumed < 40, "{}", finished.resumed);
    assert_there(&work, &files);
    assert_eq!(names(&work).len(), if cfg!(unix) { 9 } else { 8 }, "{:?}", names(&work));
    let mut there = content(folder.path());
    there.remove("lowcrawl-work").unwrap();
    assert!(there == whole(&Toy::new(40, "a")));
}

/// A link or a folder with the name of a run's own file is never opened.
#[cfg(unix)]
#[test]
fn links_in_the_work_folder_are_refused() {
    let folder = tempdir().unwrap();
    let toy = Toy::new(40, "a").stopped_after(9);
    assert!(sweep(&toy, folder.path(), 4, &RealDisk).is_err());
    let files = put(folder.path(), &["precious"]);
    let work = folder.path().join("lowcrawl-work");
    for (name, what) in
        [("checkpoints.json", "the checkpoints"), ("finished.part", "the finished cells")]
    {
        let _ = fs::remove_file(work.join(name));
        std::os::unix::fs::symlink("../precious", work.join(name)).unwrap();
        let error = sweep(&Toy::new(40, "a"), folder.path(), 4, &RealDisk).unwrap_err();
        let why = format!("{name}: {what} cannot be written: a link has its name");
        assert!(error.to_string().contains(&why), "{error}");
        assert_there(folder.path(), &files);
        fs::remove_file(work.join(name)).unwrap();
    }
}

#[test]
fn foreign_files_in_the_work_folder_are_reported() {
    let folder = folder();
    let out = folder.path().join("out");
    for command in COMMANDS {
        let work = out.join("lowcrawl-work");
        let files = put(&work, &["notes.txt"]);
        fs::write(work.join("CACHEDIR.TAG"), mark()).unwrap();
        let output = ok(folder.path(), command);
        let left = "Kept, because no run wrote it: out/lowcrawl-work/notes.txt\n";
        assert!(output.ends_with(left), "{output}");
        assert_there(&work, &files);
        assert!(ok(folder.path(), command).ends_with(left));
        fs::remove_file(work.join("notes.txt")).unwrap();
        assert!(!ok(folder.path(), command).contains("no run wrote it"));
        assert_eq!(names(&out), RESULTS);
        clear(&out);
    }
}

#[test]
fn shard_overwrites_only_a_shard() {
    let folder = folder();
    let shards = folder.path().join("shards");
    let line = "study run plan.json --shard 0";
    let own = content(&shards);
    ok(folder.path(), "study run s.toml --out whole");
    let parquet = fs::read(folder.path().join("whole/s.parquet")).unwrap();
    for (name, bytes) in [
        ("00000.parquet", b"precious".to_vec()),
        ("00000.parquet", parquet),
        ("00000.sum", b"d41d8cd98f00b204  s.toml\n".to_vec()),
    ] {
        fs::remove_dir_all(&shards).unwrap();
        fs::create_dir(&shards).unwrap();
        fs::write(shards.join(name), &bytes).unwrap();
        let message = fails(folder.path(), line, 2);
        assert!(message.contains(&format!("shards/{name}: this file is not a shard")), "{message}");
        assert!(content(&shards) == BTreeMap::from([(name.to_string(), bytes)]), "{name}");
    }
    // A truncated shard is written again.
    for (name, length) in [("00000.parquet", 100), ("00000.parquet", 0), ("00000.sum", 3)] {
        fs::remove_dir_all(&shards).unwrap();
        fs::create_dir(&shards).unwrap();
        fs::write(shards.join(name), &own[name][..length]).unwrap();
        ok(folder.path(), line);
        assert!(content(&shards) == own, "{name}");
    }
    #[cfg(unix)]
    for name in ["00000.parquet", "00000.sum"] {
        fs::rename(shards.join(name), folder.path().join(name)).unwrap();
        std::os::unix::fs::symlink(format!("../{name}"), shards.join(name)).unwrap();
        assert_fails(
            folder.path(),
            line,
            2,
            &[&format!("shards/{name}: the shard cannot be written: a link ")],
        );
        assert!(fs::read(folder.path().join(name)).unwrap() == own[name]);
        fs::rename(folder.path().join(name), shards.join(name)).unwrap();
    }
}

#[test]
fn plan_overwrites_only_a_plan() {
    let folder = folder();
    let files = put(folder.path(), &["output/s/plan.json"]);
    let message = fails(folder.path(), "study plan s.toml --shards 1", 2);
    assert!(message.contains("output/s/plan.json: this file is not a plan"), "{message}");
    assert_there(folder.path(), &files);
    fs::copy(folder.path().join("plan.json"), folder.path().join("output/s/plan.json")).unwrap();
    ok(folder.path(), "study plan s.toml --shards 2");
}
