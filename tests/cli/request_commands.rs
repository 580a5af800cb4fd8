//! A request in JSON as a command line: both have the same answer.

use std::fs;
use std::path::Path;

use lowcrawl::{api::words, games};
use serde_json::Value;

use crate::shell::{json, ok};

fn answer_json(folder: &Path, request: &str) -> Value {
    fs::write(folder.join("request.json"), request).unwrap();
    serde_json::from_str(&ok(folder, "ask request.json")).unwrap()
}

#[test]
fn request_has_an_equivalent_command_line() {
    let registry = games();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (request, line) in [
        (
            r#"{"kind":"rally","stack":"4-6-7/dm","leader":"8-1","hob":false,"i01":"alternative","terrain":"woods"}"#,
            "lowcrawl rally german:4-6-7/broken,dm --leader german:8-1 --terrain woods --no-hob --set i01=alternative",
        ),
        (
            r#"{"kind":"fire","stack":"2x 4-6-7 + 8-1","fp":12,"drm":-1,"options":{"engine":"monte-carlo","trials":2000,"seed":7}}"#,
            r#"lowcrawl fire "german:4-6-7 + german:4-6-7 + german:8-1" --fp 12 --drm -1 --engine monte-carlo --seed 7 --trials 2000"#,
        ),
        (
            r#"{"kind":"rally","stack":"2x 4-6-7/dm","given":"6,3","phases":3,"options":{"counts":"mmc"}}"#,
            "",
        ),
        (r#"{"request":"impact","kind":"check","stack":"4-6-7","mc":1,"of":"i02"}"#, ""),
        (r#"{"request":"impact","kind":"check","stack":"4-6-7","mc":0}"#, ""),
        (r#"{"request":"trace","kind":"check","stack":"4-6-7","mc":1,"script":"3,4"}"#, ""),
        (r#"{"system":"fortitude","kind":"test","units":"2x unit","cause":"flank"}"#, ""),
        (r#"{"system":"reaction","kind":"rally","units":"2x unit"}"#, ""),
    ] {
        let answer = answer_json(folder, request);
        let command = words::command(&registry, &answer["request"]).unwrap();
        if !line.is_empty() {
            assert_eq!(command, line);
        }
        let line = command.strip_prefix("lowcrawl ").unwrap();
        if line.starts_with("trace") {
            ok(folder, line);
            continue;
        }
        let typed: Value = json(folder, line);
        assert_eq!(typed["rows"], answer["rows"], "{command}");
    }
    // A sequence with steps has no command line.
    let file = r#"{"kind":"sequence","stack":"4-6-7","step":[{"do":"check","mc":1}]}"#;
    assert_eq!(words::command(&registry, &answer_json(folder, file)["request"]), None);
}
