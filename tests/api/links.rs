//! A request as one line for a URL: the line means the same, and a damaged line is refused.

use lowcrawl::api::link::line;
use lowcrawl::api::{no_files, read};
use serde_json::Value;

use super::mutated::{Dice, try_line};
use super::{GAMES, answered_questions, canonical, document, translate};

/// Returns the canonical form of every stored request that can be read.
fn canonical_requests() -> Vec<String> {
    let objects = answered_questions().filter_map(|(request, _)| translate::request(request).ok());
    objects.map(|object| canonical(&Value::Object(object).to_string()).to_string()).collect()
}

#[test]
fn link_has_the_canonical_form_of_its_request() {
    let (mut same, mut long) = (0, 0);
    for request in canonical_requests() {
        let Ok(line) = line(&request) else {
            long += 1;
            continue;
        };
        assert!(
            line.len() <= 8 << 10
                && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=&".contains(&byte)),
            "{line}"
        );
        assert_eq!(canonical(&line).to_string(), request);
        same += 1;
    }
    assert!(same >= 1_800 && long <= 40, "{same} the same, {long} too long");
}

#[test]
fn link_gets_the_answer_of_its_request() {
    let mut same = 0;
    for request in canonical_requests().iter().filter(|request| request.len() < 160).step_by(10) {
        let (Ok(answer), Ok(of_link)) = (document(request), document(&line(request).unwrap()))
        else {
            panic!("{request}")
        };
        assert_eq!(of_link, answer, "{request}");
        same += 1;
    }
    assert!(same >= 80, "{same} the same");
}

#[test]
fn link_inside_a_link_is_refused() {
    let request = r#"{"kind": "check", "stack": "german:4-6-7", "mc": 1}"#;
    let once = line(request).unwrap();
    assert!(read(&once, &GAMES, &no_files).is_ok());
    assert!(read(&line(&once).unwrap(), &GAMES, &no_files).is_err());
}

#[test]
fn damaged_links_never_mean_another_request() {
    let seeds: Vec<(String, String)> = canonical_requests()
        .into_iter()
        .step_by(7)
        .filter_map(|request| Some((line(&request).ok()?, request)))
        .collect();
    let mut dice = Dice(0x11e5_5eed);
    let (mut refused, mut other) = (0, Vec::new());
    for _ in 0..20_000 {
        let (line, request) = dice.pick(&seeds);
        let mut bytes = line.clone().into_bytes();
        let at = dice.below(bytes.len());
        match dice.below(4) {
            0 => bytes[at] = *dice.pick(b"ABCxyz019-_=&%+/ v"),
            1 => bytes.truncate(at),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, *dice.pick(b"ABCxyz019-_=&%+/ v")),
        }
        let damaged = String::from_utf8(bytes).unwrap();
        if damaged == *line {
            continue;
        }
        try_line(&damaged, false);
        match read(&damaged, &GAMES, &no_files).map(|parsed| parsed.canonical.to_string()) {
            Err(_) => refused += 1,
            Ok(meant) if meant != *request => other.push(format!("{request}\n  {meant}")),
            Ok(_) => {}
        }
    }
    assert!(
        other.is_empty(),
        "{} links mean something else:\n{}",
        other.len(),
        other[..other.len().min(5)].join("\n")
    );
    assert!(refused >= 17_000, "{refused} refused");
}
