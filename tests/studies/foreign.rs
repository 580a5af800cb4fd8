//! What no run has written stays where it is: files, folders and links in the output folder, in the
//! work folder and among shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lowcrawl::study::disk::Disk;
use tempfile::{TempDir, tempdir};

use crate::shell::{fails, names, ok};
use crate::sweeps::{Toy, content, sweep, whole};

const STUDY: &str =
    "question = \"rally\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nphases = [1, 2, 3]\n";
const RESULTS: [&str; 3] = ["manifest.json", "s.csv", "s.parquet"];

/// A folder with a study, its plan of one shard, which is answered, and an output folder `out`.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("s.toml"), STUDY).unwrap();
    ok(folder.path(), "study plan s.toml --shards 1 --out plan.json");
    ok(folder.path(), "study run plan.json --shard 0");
    fs::create_dir(folder.path().join("out")).unwrap();
    folder
}

/// Both commands that write results to a folder.
const COMMANDS: [&str; 2] = ["study run s.toml --out out", "study merge plan.json --out out"];

/// The mark of a work folder, as a run has left it.
fn mark() -> Vec<u8> {
    let folder = tempdir().unwrap();
    let toy = Toy::of(40, "a").stopped_after(3);
    assert!(sweep(&toy, folder.path(), 2, Disk::default()).is_err());
    fs::read(folder.path().join("lowcrawl-work/CACHEDIR.TAG")).unwrap()
}

/// Files of others, below some folder.
fn put(folder: &Path, names: &[&str]) -> BTreeMap<String, Vec<u8>> {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("precious {name}")).unwrap();
    }
    names.iter().map(|name| (name.to_string(), fs::read(folder.join(name)).unwrap())).collect()
}

/// Removes the results.
fn clear(out: &Path) {
    RESULTS.iter().for_each(|name| fs::remove_file(out.join(name)).unwrap());
}

fn assert_there(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        assert!(fs::read(folder.join(name)).ok().as_ref() == Some(bytes), "{name}");
    }
}

#[test]
fn what_no_run_has_written_stays() {
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
fn a_link_is_refused() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let (out, precious) = (folder.path().join("out"), folder.path().join("precious"));
    let files = put(&precious, &["s.csv", "0000000-0123456789abcdef.parquet", "CACHEDIR.TAG"]);
    for (name, leads_to) in [
        ("lowcrawl-work", "../precious"),
        ("batches", "../precious"),
        ("s.csv", "../precious/s.csv"),
        ("s.parquet", "../precious/nothing"),
        ("manifest.json", "../precious/s.csv"),
        (".lowcrawl-lock", "../precious/s.csv"),
    ] {
        symlink(leads_to, out.join(name)).unwrap();
        for command in COMMANDS {
            for replace in ["", " --replace"] {
                let line = format!("{command}{replace}");
                // A name that no run has any more is in nobody's way.
                if name == "batches" {
                    ok(folder.path(), &line);
                    continue;
                }
                let told = fails(folder.path(), &line, 2);
                assert!(told.starts_with(&format!("error: out/{name}: a link is in ")), "{told}");
                assert!(told.contains("move it away, or take another folder"), "{told}");
                assert_eq!(names(&out), [name], "{line}");
            }
        }
        assert_eq!(fs::read_link(out.join(name)).unwrap(), Path::new(leads_to));
        assert_there(&precious, &files);
        assert_eq!(names(&precious).len(), 3, "{name}");
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
    // The output folder itself may be one.
    symlink("precious", folder.path().join("there")).unwrap();
    let told = fails(folder.path(), "study run s.toml --out there", 2);
    assert!(told.contains("there/s.csv: this file, which lowcrawl has not written"), "{told}");
    ok(folder.path(), "study run s.toml --out there --replace");
    assert_eq!(names(&precious).len(), 5);
}

#[test]
fn a_work_folder_without_the_mark_is_refused() {
    let folder = folder();
    let out = folder.path().join("out");
    for name in ["lowcrawl-work/0000000-0123456789abcdef.parquet", "lowcrawl-work"] {
        let files = put(&out, &[name]);
        for command in COMMANDS {
            for replace in ["", " --replace"] {
                let told = fails(folder.path(), &format!("{command}{replace}"), 2);
                assert!(told.starts_with("error: out/lowcrawl-work: "), "{told}");
                assert_there(&out, &files);
                assert_eq!(names(&out), ["lowcrawl-work"]);
            }
        }
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
    // One that is empty is as good as none, and a lock of others is no lock.
    fs::create_dir(out.join("lowcrawl-work")).unwrap();
    let files = put(&out, &[".lowcrawl-lock"]);
    let told = fails(folder.path(), COMMANDS[0], 2);
    assert!(told.contains("out/.lowcrawl-lock: this file is no lock of lowcrawl's"), "{told}");
    assert_there(&out, &files);
    fs::remove_file(out.join(".lowcrawl-lock")).unwrap();
    ok(folder.path(), COMMANDS[0]);
    assert_eq!(names(&out), RESULTS);
}

#[test]
fn a_result_takes_the_place_of_a_foreign_file_when_that_is_wanted() {
    let folder = folder();
    let out = folder.path().join("out");
    ok(folder.path(), "study run s.toml --out whole");
    for command in COMMANDS {
        for name in RESULTS {
            let files = put(&out, &[name]);
            let told = fails(folder.path(), command, 2);
            assert!(told.starts_with(&format!("error: out/{name}: this ")), "{told}");
            assert!(told.contains("`--replace` throws it away"), "{told}");
            assert_there(&out, &files);
            assert_eq!(names(&out), [name], "{command}");
            ok(folder.path(), &format!("{command} --replace"));
            assert!(content(&out) == content(&folder.path().join("whole")));
            clear(&out);
        }
        // A folder is never thrown away.
        let files = put(&out, &["s.csv/notes.txt"]);
        let told = fails(folder.path(), &format!("{command} --replace"), 2);
        assert!(told.starts_with("error: out/s.csv: a folder is in the way"), "{told}");
        assert_there(&out, &files);
        fs::remove_dir_all(out.join("s.csv")).unwrap();
    }
    // The same bytes are no loss.
    fs::copy(folder.path().join("whole/s.csv"), out.join("s.csv")).unwrap();
    fails(folder.path(), COMMANDS[0], 2);
}

/// What an older version has written is known by the hashes in its manifest; what was changed since
/// stays.
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
    let told = fails(folder.path(), COMMANDS[0], 2);
    assert!(told.contains("this manifest is damaged or of another version"), "{told}");
    assert_eq!(names(&out), ["manifest.json", "old.csv", "old.parquet"]);
    ok(folder.path(), "study run s.toml --out out --replace");
    assert_eq!(names(&out), ["manifest.json", "old.csv", "s.csv", "s.parquet"]);
    assert_there(&out, &files);
}

/// A run that was stopped goes on among files of others, which stay, and are told; what has the
/// name of finished cells and is damaged is asked again.
#[test]
fn a_stopped_run_goes_on_beside_foreign_files() {
    let folder = tempdir().unwrap();
    let toy = Toy::of(40, "a").stopped_after(9);
    assert!(sweep(&toy, folder.path(), 4, Disk::default()).is_err());
    let work = folder.path().join("lowcrawl-work");
    let batch = names(&work).into_iter().find(|name| name.ends_with(".parquet")).unwrap();
    fs::write(work.join(batch), "PAR1").unwrap();
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
    let again = Toy::of(40, "a");
    let finished = sweep(&again, folder.path(), 4, Disk::default()).unwrap();
    assert!(finished.resumed > 0 && finished.resumed < 40, "{}", finished.resumed);
    assert_there(&work, &files);
    assert_eq!(names(&work).len(), if cfg!(unix) { 9 } else { 8 }, "{:?}", names(&work));
    let mut there = content(folder.path());
    there.remove("lowcrawl-work").unwrap();
    assert!(there == whole(&Toy::of(40, "a")));
}

#[test]
fn what_is_left_alone_is_told() {
    let folder = folder();
    let out = folder.path().join("out");
    for command in COMMANDS {
        let work = out.join("lowcrawl-work");
        let files = put(&work, &["notes.txt"]);
        fs::write(work.join("CACHEDIR.TAG"), mark()).unwrap();
        let told = ok(folder.path(), command);
        let left = "Left alone, since no run has written it: out/lowcrawl-work/notes.txt\n";
        assert!(told.ends_with(left), "{told}");
        assert_there(&work, &files);
        assert!(ok(folder.path(), command).ends_with(left));
        fs::remove_file(work.join("notes.txt")).unwrap();
        assert!(!ok(folder.path(), command).contains("Left alone"));
        assert_eq!(names(&out), RESULTS);
        clear(&out);
    }
}

#[test]
fn a_shard_takes_the_place_of_nothing_but_a_shard() {
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
        let told = fails(folder.path(), line, 2);
        assert!(told.contains(&format!("shards/{name}: this file, which is no shard")), "{told}");
        assert!(content(&shards) == BTreeMap::from([(name.to_string(), bytes)]), "{name}");
    }
    // One that is torn is written anew.
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
        let told = fails(folder.path(), line, 2);
        assert!(told.contains(&format!("shards/{name}: a link is in the way")), "{told}");
        assert!(fs::read(folder.path().join(name)).unwrap() == own[name]);
        fs::rename(folder.path().join(name), shards.join(name)).unwrap();
    }
}

#[test]
fn a_plan_takes_the_place_of_nothing_but_a_plan() {
    let folder = folder();
    let files = put(folder.path(), &["output/s/plan.json"]);
    let told = fails(folder.path(), "study plan s.toml --shards 1", 2);
    assert!(told.contains("output/s/plan.json: this file, which is no plan"), "{told}");
    assert_there(folder.path(), &files);
    fs::copy(folder.path().join("plan.json"), folder.path().join("output/s/plan.json")).unwrap();
    ok(folder.path(), "study plan s.toml --shards 2");
}
