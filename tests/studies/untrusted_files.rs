//! Manifests and sums of shards from untrusted sources: no file outside the folder is read or
//! removed, no endless file is read, and no number is trusted that can be counted.

use std::fs::{self, File};
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::shell::{assert_fails, fails, folder_with, names, ok};

const STUDY: &str = "question = \"rally\"\ncounts = \"mmc\"\n[base]\nstack = \"german:4-6-7/dm\"\n[grid]\nphases = [1, 2, 3]\nelr = [1, 2]\n";

fn study() -> TempDir {
    folder_with(&[("s.toml", STUDY)])
}

/// Changes a file of JSON.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

#[test]
fn manifest_names_outside_its_folder_are_refused() {
    let folder = study();
    let (line, out) = ("study run s.toml --out out", folder.path().join("out"));
    ok(folder.path(), line);
    let manifest = out.join("manifest.json");
    let text = fs::read(&manifest).unwrap();
    let first = serde_json::from_slice::<Value>(&text).unwrap()["files"][0].clone();
    // A file outside the folder has exactly the bytes that the manifest names.
    let precious = folder.path().join("s.parquet");
    fs::copy(out.join("s.parquet"), &precious).unwrap();
    fs::create_dir(out.join("deep")).unwrap();
    fs::copy(out.join("s.parquet"), out.join("deep/s.parquet")).unwrap();
    let names_of = [
        "/dev/zero",
        &precious.display().to_string(),
        "../s.parquet",
        "deep/s.parquet",
        "deep/../s.parquet",
        "./s.parquet",
        "s.parquet/",
        "..",
        ".",
        "",
    ];
    for name in names_of {
        fs::write(&manifest, &text).unwrap();
        change(&manifest, |value| value["files"][0]["name"] = json!(name));
        assert_fails(folder.path(), line, 2, &["this name is outside the folder"]);
        // The named file is no result, so `--replace` keeps it.
        ok(folder.path(), "study run s.toml --out out --replace");
        assert!(precious.exists() && out.join("deep/s.parquet").exists(), "{name}");
        assert_eq!(fs::read(&manifest).unwrap(), text);
    }
    for (bytes, hash) in [(json!(0), &first["hash"]), (json!(u64::MAX), &first["hash"])] {
        change(&manifest, |value| {
            value["files"][0] = json!({ "name": "s.parquet", "bytes": bytes, "hash": hash });
        });
        let message = fails(folder.path(), line, 2);
        let length = fs::metadata(out.join("s.parquet")).unwrap().len();
        assert!(
            message.contains(&format!("this file has {length} bytes instead of {bytes}")),
            "{message}"
        );
        ok(folder.path(), "study run s.toml --out out --replace");
    }
}

/// Lengths are compared before anything is read, so a file of a terabyte is refused at once.
#[cfg(unix)]
#[test]
fn endless_files_are_refused_without_reading() {
    use std::os::unix::fs::symlink;
    let folder = study();
    let (line, out) = ("study run s.toml --out out", folder.path().join("out"));
    ok(folder.path(), line);
    let csv = out.join("s.csv");
    let bytes = fs::read(&csv).unwrap();
    File::options().write(true).open(&csv).unwrap().set_len(1 << 40).unwrap();
    assert_fails(
        folder.path(),
        line,
        2,
        &[&format!("this file has 1099511627776 bytes instead of {}", bytes.len())],
    );
    fs::remove_file(&csv).unwrap();
    assert_fails(folder.path(), line, 2, &["out/s.csv: this result file is missing; `--replace`"]);
    for zeros in [true, false] {
        match zeros {
            true => symlink("/dev/zero", &csv).unwrap(),
            false => drop(std::process::Command::new("mkfifo").arg(&csv).status().unwrap()),
        }
        assert_fails(folder.path(), line, 2, &["has the name of a result file"]);
        fs::remove_file(&csv).unwrap();
    }
    fs::write(&csv, &bytes).unwrap();
    assert!(ok(folder.path(), line).starts_with("All 6 cells are complete"));
    let manifest = out.join("manifest.json");
    File::options().write(true).open(&manifest).unwrap().set_len(1 << 40).unwrap();
    assert_fails(folder.path(), line, 2, &["manifest.json: this file is too long for a list"]);
    fs::remove_file(&manifest).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&manifest).status().unwrap().success());
    let message = fails(folder.path(), &format!("{line} --replace"), 2);
    let why =
        "manifest.json: the list of results cannot be written: a device or a pipe has its name";
    assert!(message.contains(why), "{message}");
}

/// Returns the folder of a study of two shards, both answered.
fn sharded() -> TempDir {
    let folder = study();
    ok(folder.path(), "study plan s.toml --shards 2 --out plan.json");
    for shard in 0..2 {
        ok(folder.path(), &format!("study run plan.json --shard {shard}"));
    }
    folder
}

/// Changes a sum, and its hash with it.
fn change_sum(path: &Path, by: impl FnOnce(&mut Value)) {
    change(path, |sum| {
        by(sum);
        sum["hash"] = json!("");
        let hash = xxhash_rust::xxh3::xxh3_128(sum.to_string().as_bytes());
        sum["hash"] = json!(format!("xxh3-128:{hash:032x}"));
    });
}

/// A sum that was changed without its hash, or that another version wrote, does not count.
#[test]
fn changed_and_older_sums_are_refused() {
    let folder = sharded();
    let sum = folder.path().join("shards/00001.sum");
    let text = fs::read(&sum).unwrap();
    let merge = || fails(folder.path(), "study merge plan.json", 2).trim_end().to_string();
    change(&sum, |sum| sum["tally"]["rows"] = json!(1));
    assert!(merge().ends_with("shard 1: its `.sum` is damaged"), "{}", merge());
    let version = "has version 1, but version 2 is needed";
    change(&sum, |sum| {
        let sum = sum.as_object_mut().unwrap();
        sum.remove("version");
        sum.remove("hash");
    });
    assert!(merge().ends_with(&format!("shard 1: its `.sum` {version}")), "{}", merge());
    let status = ok(folder.path(), "study status plan.json");
    assert!(status.ends_with(&format!("shard 1: its `.sum` {version}\n")), "{status}");
    ok(folder.path(), "study run plan.json --shard 1");
    assert!(fs::read(&sum).unwrap() == text);
}

#[test]
fn wrong_numbers_in_a_sum_are_found_by_the_merge() {
    let folder = sharded();
    let sum = folder.path().join("shards/00001.sum");
    let text = fs::read(&sum).unwrap();
    let whole = ok(folder.path(), "study merge plan.json");
    let number = |pointer: &str| {
        let value: Value = serde_json::from_slice(&text).unwrap();
        value.pointer(pointer).unwrap().as_u64().unwrap()
    };
    let most = json!(u64::MAX);
    for (pointer, value, expected) in [
        ("/tally/rows", json!(number("/tally/rows") + 700), "but its `.sum` says"),
        ("/tally/rows", most.clone(), "but its `.sum` says 18446744073709551615"),
        ("/tally/counts/rows", json!(0), "but its `.sum` says 0"),
        ("/tally/counts/rows", most.clone(), "but its `.sum` says 18446744073709551615"),
        ("/tally/counts", Value::Null, "but its `.sum` says 0"),
        (
            "/tally/cells",
            json!(number("/tally/cells") - 1),
            "is inconsistent or does not match the plan",
        ),
        ("/tally/cells", most.clone(), "is inconsistent"),
        ("/tally/estimated", json!(number("/tally/cells") + 1), "is inconsistent"),
        ("/tally/estimated", most.clone(), "is inconsistent"),
        ("/tally/counts/exact_cells", most.clone(), "is inconsistent"),
        ("/tally/counts/monte_carlo_cells", json!(1), "is inconsistent"),
        ("/tally/unnamed", most.clone(), "is inconsistent"),
        ("/tally/named", json!([1]), "is inconsistent"),
        ("/tally/named", json!([6, 5]), "is inconsistent"),
        ("/tally/rows", json!(-1), "is damaged"),
    ] {
        change_sum(&sum, |whole| *whole.pointer_mut(pointer).unwrap() = value.clone());
        for line in ["study merge plan.json", "study merge plan.json --out out"] {
            let message = fails(folder.path(), line, 2);
            let begin = "error: plan.json: some shards are missing or damaged shard 1: ";
            assert!(
                message.starts_with(begin) && message.contains(expected),
                "{pointer}: {message}"
            );
            assert!(!folder.path().join("out").exists());
        }
        // Running the shard again repairs it.
        ok(folder.path(), "study run plan.json --shard 1");
        assert!(fs::read(&sum).unwrap() == text, "{pointer} {value}");
    }
    assert_eq!(ok(folder.path(), "study merge plan.json"), whole);
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_refused_as_shards() {
    use std::os::unix::fs::symlink;
    let folder = sharded();
    let shards = folder.path().join("shards");
    let merge = || fails(folder.path(), "study merge plan.json", 2).trim_end().to_string();
    symlink("/dev/zero", shards.join("zeros.parquet")).unwrap();
    assert!(merge().ends_with(" shards/zeros.parquet does not belong to this plan"), "{}", merge());
    fs::remove_file(shards.join("zeros.parquet")).unwrap();
    // The sum says that the files of its shard are empty, like a device.
    let (sum, parquet) = (shards.join("00000.sum"), shards.join("00000.parquet"));
    change_sum(&sum, |sum| sum["files"][0]["bytes"] = json!(0));
    fs::remove_file(&parquet).unwrap();
    symlink("/dev/zero", &parquet).unwrap();
    assert!(merge().ends_with("shard 0: shards/00000.parquet is a link"), "{}", merge());
    fs::remove_file(&parquet).unwrap();
    fs::remove_file(&sum).unwrap();
    symlink("/dev/zero", &sum).unwrap();
    assert!(merge().ends_with("shard 0: its `.sum` is damaged"), "{}", merge());
    fs::remove_file(&sum).unwrap();
    File::create(&sum).unwrap().set_len(1 << 40).unwrap();
    assert!(merge().ends_with("shard 0: its `.sum` is damaged"), "{}", merge());
    assert_eq!(names(&shards).len(), 3);
}
