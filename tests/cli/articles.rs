//! Articles: the questions and claims in them, and what they must not do.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use crate::shell::{assert_fails, fails, folder_with, lowcrawl, names, ok, texts};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

const RALLY: &str =
    "rally \"german:4-6-7/dm\" --leader german:9-1 --terrain woods --phases 2 --no-hob";
const LEADERS: &str =
    "rally german:4-6-7/dm --leader german:8-1,german:9-2 --terrain open,woods --phases 2 --no-hob";
const STREET: &str = "[map]\nrows = \"\"\"\n   P  Q  R  S\n3  .  .  w  .\n4  g  .  .  b\n\"\"\"\n[[rout]]\nunit = \"german:4-6-7/broken,dm\"\nat = \"R4\"\n[[enemy]]\nunit = \"american:6-6-6\"\nat = \"P3\"\n";
const COURSES: &str = "question = \"rally\"\nobjective = \"good-order\"\n[base]\nstack = \"german:4-6-7/dm\"\nphases = 2\nhob = false\n[[course]]\nname = \"near\"\nleader = \"german:9-2\"\n[[course]]\nname = \"far off\"\nleader = \"german:8-0\"\n";

/// Returns a fence with these words and this content.
fn fence(words: &str, content: &str) -> String {
    format!("```lowcrawl{words}\n{content}\n```\n")
}

/// Returns a folder with the article `a.md` and the files it may read.
fn folder(article: &str) -> TempDir {
    folder_with(&[("a.md", article), ("street.toml", STREET), ("courses.toml", COURSES)])
}

/// Returns the Markdown that is built from an article.
fn built(article: &str) -> String {
    let folder = folder(article);
    ok(folder.path(), "article a.md --out built");
    fs::read_to_string(folder.path().join("built/a.md")).unwrap()
}

/// Joins a percent sign to its number by a no-break space, as articles do in sentences.
fn whole(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Returns the error message of an article that cannot be built, and checks that no file is
/// written.
fn refused(article: &str, code: i32) -> String {
    let folder = folder(article);
    let message = fails(folder.path(), "article a.md --out built", code);
    assert_eq!(names(folder.path()), ["a.md", "courses.toml", "street.toml"], "{message}");
    message
}

#[test]
fn text_outside_fences_is_unchanged() {
    let text = "---\ntitle: x\n---\r\n# A *b*\t\n\n<b>raw</b> `code` | x\n\n```sh\nlowcrawl rules\n```\n\n````\n```lowcrawl\n````\n\n  end without a line";
    assert_eq!(built(text), text);
    let around = format!("{text}\n\n{}\r\nmore\r\n", fence("", RALLY));
    let (before, after) = (format!("{text}\n\n**"), "\r\nmore\r\n");
    let whole = built(&around);
    assert!(whole.starts_with(&before) && whole.ends_with(after), "{whole}");
}

#[test]
fn words_of_a_fence_choose_what_is_shown() {
    let table = ok(Path::new("."), &format!("{RALLY} --format markdown"));
    let words = ok(Path::new("."), RALLY);
    assert_eq!(built(&fence("", RALLY)), table);
    assert_eq!(built(&fence(" table", &format!("lowcrawl {RALLY}"))), table);
    assert_eq!(built(&fence(" words", RALLY)), format!("```text\n{words}```\n"));
    assert_eq!(built(&fence(" nothing", RALLY)), "");
    let captioned = built(&fence(" table caption=\"In *woods*\"", RALLY));
    assert!(captioned.starts_with("**In \\*woods\\*.** Exact. "), "{captioned}");
    let both = built(&fence(" words table caption='All of it'", RALLY));
    assert_eq!(both, format!("```text\n{words}```\n\n*All of it*\n\n{table}"));
    // A trace has no table, so it is shown as text.
    let output = built(&fence("", "trace rally german:4-6-7/dm --phases 1 --script \"1,2\""));
    assert!(output.starts_with("```text\ngerman:4-6-7/broken,dm over 1"), "{output}");
}

#[test]
fn digits_apply_to_their_own_fence_only() {
    let lists = format!("{LEADERS} --digits 0");
    for (first, second) in [(format!("{RALLY} --digits 5").as_str(), LEADERS), (&lists, RALLY)] {
        let article = fence(" words", first) + "\n" + &fence(" table", second);
        let words = ok(Path::new("."), first);
        let table = ok(Path::new("."), &format!("{second} --format markdown"));
        assert_eq!(built(&article), format!("```text\n{words}```\n\n{table}"));
    }
}

/// In lists and quotations, an answer replaces the code block as a paragraph of its own.
#[test]
fn fences_work_in_lists_and_quotations() {
    let table = built(&fence("", RALLY));
    let behind = |indent: &str, rest: &str| -> String {
        let line = |line: &str| format!("{indent}{line}").trim_end().to_string() + "\n";
        rest.lines().map(line).collect()
    };
    for (indent, first) in [("> ", "> "), ("   ", "1. ")] {
        let article = format!(
            "{first}before\n{}{indent}after\n",
            behind(indent, &fence(" table", &format!("rally \\\n  {}", &RALLY[6..])))
        );
        let blank = format!("{}\n", indent.trim_end());
        let answer = behind(indent, &table);
        let actual = built(&article);
        // The empty line before the answer has the prefix of its list or quotation.
        let before = format!("{first}before\n{indent}\n");
        assert_eq!(actual, format!("{before}{answer}{blank}{indent}after\n"));
    }
    let removed = format!("> before\n{}> after\n", behind("> ", &fence(" nothing", RALLY)));
    assert_eq!(built(&removed), "> before\n> after\n");
    let windows = fence("", RALLY.replace(" --", " \\\n --").as_str()).replace('\n', "\r\n");
    assert_eq!(built(&windows), table);
}

#[test]
fn charts_and_maps_are_written_next_to_the_article() {
    let article = fence(" chart caption=\"By leader\"", LEADERS)
        + "\n"
        + &fence(" chart=bars", RALLY)
        + "\n"
        + &fence("", "rout street.toml");
    let folder = folder(&article);
    let text = ok(folder.path(), "article a.md --out built");
    assert_eq!(text, "built/a-1.svg\nbuilt/a-2.svg\nbuilt/a-3.svg\nbuilt/a.md\n");
    let markdown = fs::read_to_string(folder.path().join("built/a.md")).unwrap();
    let heat = "![By leader. highest 94.9 % at woods, german:9-2; lowest ";
    assert!(markdown.starts_with(heat), "{markdown}");
    assert!(markdown.contains("(a-1.svg)\n\n![german:4-6-7/broken,dm over 2 Rally"), "{markdown}");
    assert!(markdown.contains("![street.toml. Best: U1 4-6-7"), "{markdown}");
    let svg = |name: &str| fs::read_to_string(folder.path().join("built").join(name)).unwrap();
    let line = format!("{RALLY} --chart x.svg --chart-kind bars");
    assert!(lowcrawl(folder.path(), &line).output().unwrap().status.success());
    assert_eq!(svg("a-2.svg"), fs::read_to_string(folder.path().join("x.svg")).unwrap());
    assert!(svg("a-3.svg").contains("class='ways'"));
}

#[test]
fn fences_accept_requests_in_toml() {
    let toml = "kind = \"rally\"\nstack = \"german:4-6-7/dm\"\nleader = \"german:9-1\"\nterrain = \"woods\"\nphases = 2\nhob = false\n";
    let (table, claims) = (fence("", toml), fence(" assert", "holds = 87.65 %"));
    let table = built(&format!("{table}\n{claims}"));
    let rows = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
    assert_eq!(rows(&table), rows(&built(&fence("", RALLY))));
    assert!(table.contains("| rallied 4-6-7 | 27.78 % | 85.65 % |"), "{table}");
    let message = refused(&format!("x\n\n{}", fence("", "kind = \"rally\"\nleder = \"8-1\"")), 2);
    assert!(message.contains("a.md:5:1") && message.contains("did you mean `leader`"), "{message}");
}

#[test]
fn study_in_an_article_writes_no_folder() {
    let folder = folder(
        &(fence(" chart table", "study run s.toml")
            + &fence(" assert", "phases 3, leader 9-2 > 97 %")),
    );
    let study = "question = \"rally\"\ntell = \"holds >= 1\"\n[base]\nstack = \"german:4-6-7/dm\"\nhob = false\n[grid]\nphases = \"1..3\"\nleader = [\"german:8-1\", \"german:9-2\"]\n";
    fs::write(folder.path().join("s.toml"), study).unwrap();
    ok(folder.path(), "article a.md --out built");
    assert_eq!(names(folder.path()), ["a.md", "built", "courses.toml", "s.toml", "street.toml"]);
    let markdown = fs::read_to_string(folder.path().join("built/a.md")).unwrap();
    assert!(
        markdown.contains("(a-1.svg)") && markdown.contains("`lowcrawl study run s.toml`"),
        "{markdown}"
    );
}

#[test]
fn span_is_replaced_by_its_number() {
    for (span, number) in [
        (RALLY.to_string(), "87.7 %"),
        (format!("{RALLY} --tell 'holds >= 1 @ 1'"), "27.8 %"),
        ("check '3x german:4-6-7' --mc 1 --no-hob --tell 'mmc holds'".to_string(), "1.25"),
        (
            "check '10x german:4-6-7' --mc 0 --no-hob --tell 'mmc holds >= 1'".to_string(),
            "> 99.9 %",
        ),
    ] {
        assert_eq!(
            built(&format!("It is `{{lowcrawl}} {span}`!\n")),
            format!("It is {}!\n", whole(number))
        );
    }
    let list = format!(
        "{}\nBetter by `{{lowcrawl}} = leader 9-2, open better than leader 8-1, open`: `{{lowcrawl}} = open, leader 8-1`.\n",
        fence(" nothing", LEADERS)
    );
    assert_eq!(built(&list), whole("\nBetter by 11.2: 76.5 %.\n"));
    let message = refused(&format!("`{{lowcrawl}} {LEADERS}`\n"), 2);
    assert!(
        message.contains("a.md:1:13") && message.contains("a code span must give one number"),
        "{message}"
    );
    let message = refused("x `{lowcrawl} = run`\n", 2);
    assert!(message.contains("no fence above this asks a question"), "{message}");
}

#[test]
fn true_claims_are_removed() {
    for (question, claims) in [
        (
            "check '3x german:4-6-7' --mc 1 --no-hob",
            "mmc holds >= 2 > 37 %\nholds = 1.25\nlost <= 0\n# a note\n\nbreaks >= 3 = 20 %",
        ),
        (
            RALLY,
            "rallied 4-6-7 @ 1 = 27.8 %\nbroken 2-4-7 < 3 %\neven odds by 2\nholds >= 87 %\n= 87.7 %",
        ),
        (
            LEADERS,
            "leader 9-2 better than leader 8-1 by 5 points\nterrain woods better\nleader 8-1, terrain open > 0.7\nleader 9-2 > 87 %",
        ),
        (
            "compare courses.toml",
            "near better by 25 points\nnear better than far off\nfar off < 62 %",
        ),
        ("rout street.toml", "run to R3 >= 0 %"),
    ] {
        assert_eq!(
            built(&(fence(" nothing", question) + "\n" + &fence(" assert", claims) + "end\n")),
            "\nend\n",
            "{claims}"
        );
    }
}

#[test]
fn files_outside_the_root_are_not_read() {
    let folder = tempdir().unwrap();
    let inside = folder.path().join("in");
    fs::create_dir(&inside).unwrap();
    fs::write(folder.path().join("courses.toml"), COURSES).unwrap();
    let whole = folder.path().join("courses.toml").display().to_string();
    for name in ["../courses.toml", &whole] {
        fs::write(inside.join("a.md"), fence("", &format!("compare {name}"))).unwrap();
        assert_fails(&inside, "article a.md --out built", 2, &["a.md:2:9", "outside the folder"]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../courses.toml", inside.join("link.toml")).unwrap();
        fs::write(inside.join("a.md"), fence("", "compare link.toml")).unwrap();
        assert_fails(&inside, "article a.md --out built", 2, &["outside the folder"]);
    }
    assert!(!inside.join("built").exists());
    // With the folder above as root they are read.
    fs::write(inside.join("a.md"), fence("", "compare courses.toml")).unwrap();
    ok(&inside, "article a.md --root .. --out built");
    // A table that a situation names must be inside the root too.
    fs::write(
        inside.join("far.toml"),
        STREET.replace("[map]", "[board]\nhexes = \"../b.csv\"\nlos = \"../l.csv\"\n#"),
    )
    .unwrap();
    fs::write(folder.path().join("b.csv"), "x").unwrap();
    fs::write(inside.join("a.md"), fence("", "rout far.toml")).unwrap();
    fails(&inside, "article a.md --out built", 2);
}

#[test]
fn builds_are_reproducible_and_check_finds_stale_output() {
    let article = fence(" chart", LEADERS) + "\nIt is `{lowcrawl} " + RALLY + "`.\n";
    let folder = folder(&article);
    ok(folder.path(), "article a.md --out built");
    let read = |name: &str| fs::read(folder.path().join("built").join(name)).unwrap();
    let first = (read("a.md"), read("a-1.svg"));
    assert_eq!(ok(folder.path(), "article a.md --out built --check"), "");
    fs::remove_dir_all(folder.path().join("built")).unwrap();
    assert_fails(folder.path(), "article a.md --out built --check", 1, &["a.md: is missing"]);
    assert!(!folder.path().join("built").exists());
    ok(folder.path(), "article a.md --out built");
    assert_eq!((read("a.md"), read("a-1.svg")), first);
    fs::write(folder.path().join("built/a.md"), "an old one\n").unwrap();
    fs::write(folder.path().join("built/a-2.svg"), "x").unwrap();
    assert_fails(
        folder.path(),
        "article a.md --out built --check",
        1,
        &[
            "built/a.md: differs from the new build from line 1 on",
            "built/a-2.svg: is no longer built",
        ],
    );
    assert_eq!(read("a.md"), b"an old one\n", "nothing is written");
}

#[test]
fn damaged_cache_entries_are_computed_again() {
    let folder = folder(&fence("", "compare courses.toml"));
    let build = || {
        ok(folder.path(), "article a.md --out built");
        fs::read_to_string(folder.path().join("built/a.md")).unwrap()
    };
    let first = build();
    let kept = folder.path().join("built/.lowcrawl");
    let [ignored, file] = &names(&kept)[..] else { panic!("{:?}", names(&kept)) };
    assert_eq!((ignored.as_str(), names(&kept).len()), (".gitignore", 2));
    let file = kept.join(file);
    let text = fs::read_to_string(&file).unwrap();
    // A cache entry that was changed or damaged is ignored and written again.
    let mut forged: Value = serde_json::from_str(&text).unwrap();
    forged["value"] = json!([{ "Table": "forged" }]);
    for damaged in [forged.to_string(), text[..text.len() / 2].to_string(), String::new()] {
        fs::write(&file, damaged).unwrap();
        assert_eq!(build(), first);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // The same name with another content is another question.
    fs::write(folder.path().join("courses.toml"), COURSES.replace("phases = 2", "phases = 3"))
        .unwrap();
    assert_ne!(build(), first);
}

#[test]
fn equal_questions_are_answered_once() {
    let span = "`{lowcrawl} check german:4-6-7 --mc 1 --engine monte-carlo --trials 300000`\n\n";
    let folder = folder(span);
    fs::write(folder.path().join("many.md"), span.repeat(200)).unwrap();
    let seconds = |line: &str| {
        let start = Instant::now();
        ok(folder.path(), line);
        start.elapsed().as_secs_f64()
    };
    let once = seconds("article a.md --out one");
    // The first line has no cache of an earlier run, the second writes none.
    for line in ["article many.md --out many", "article many.md --out many --check"] {
        let many = seconds(line);
        assert!(many < 20.0 * once, "{line}: {many} s, {once} s");
    }
    assert_eq!(names(&folder.path().join("many/.lowcrawl")).len(), 2);
    let built = fs::read_to_string(folder.path().join("many/many.md")).unwrap();
    assert_eq!(built, fs::read_to_string(folder.path().join("one/a.md")).unwrap().repeat(200));
}

#[test]
fn html_page_needs_no_other_file() {
    let article = format!(
        "# Rout & *rally*\n\nA <script>alert(1)</script> and <b onclick=x>b</b>.\n\n<div class=x>\nblock <iframe src=x>\n</div>\n\n[bad](javascript:alert(1)) [good](https://a.b) ![bad](data:text/html,x)\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n{}\n{}\n{}",
        fence(" chart caption=\"A < B\"", LEADERS),
        fence(" table caption=\"By phase\"", RALLY),
        fence("", "rout street.toml")
    );
    let folder = folder(&article);
    assert_eq!(ok(folder.path(), "article a.md --out built --html"), "built/a.html\n");
    let page = fs::read_to_string(folder.path().join("built/a.html")).unwrap();
    for part in [
        "<!DOCTYPE html>\n<html lang=\"en\">",
        "<title>Rout &amp; rally</title>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&lt;/script&gt; and <b>b</b>.</p>",
        "<div>\nblock &lt;iframe src=x&gt;\n</div>",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:\">",
        "<a href=\"#\">bad</a>",
        "<a href=\"https://a.b\">good</a>",
        "<img src=\"#\" alt=\"bad\"",
        "<title>A &lt; B</title>",
        "<caption><strong>By phase.</strong> Exact. ",
        "<th scope=\"col\">outcome</th><th scope=\"col\" class=\"right\">phase 1</th>",
        "<tr><th scope=\"row\">rallied 4-6-7</th><td class=\"right\">27.78 %</td>",
        "prefers-color-scheme:dark",
        "@media print",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"rout-",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert_eq!((page.matches("<svg ").count(), page.matches("<script").count()), (2, 0));
    assert_eq!(ok(folder.path(), "article a.md --out built --html --check"), "");
    // A page by its own name is the same page, and leaves no other file.
    fs::create_dir(folder.path().join("pages")).unwrap();
    assert_eq!(ok(folder.path(), "article a.md --out pages/rout.html"), "pages/rout.html\n");
    assert_eq!(fs::read_to_string(folder.path().join("pages/rout.html")).unwrap(), page);
    assert_eq!(names(&folder.path().join("pages")), ["rout.html"]);
    assert_eq!(ok(folder.path(), "article a.md --out pages/rout.html --check"), "");
    fs::write(folder.path().join("b.md"), "# B\n").unwrap();
    let two = "article a.md b.md --out pages/two.html";
    assert_fails(folder.path(), two, 2, &["one HTML page holds one article", "name a folder"]);
    // Front matter names the language; other texts are ignored.
    for (front, language) in [
        ("lang: de-AT", "de-AT"),
        ("title: x\nlang: \"fr\"", "fr"),
        ("lang: d", "en"),
        ("lang: <b>", "en"),
        ("title: x", "en"),
    ] {
        let article = format!("---\n{front}\n---\n\n# Rout\n");
        fs::write(folder.path().join("a.md"), article).unwrap();
        ok(folder.path(), "article a.md --out built --html");
        let page = fs::read_to_string(folder.path().join("built/a.html")).unwrap();
        assert!(page.contains(&format!("<html lang=\"{language}\">")), "{front}: {page}");
        assert!(!page.contains("lang:"), "{front}: {page}");
    }
}

#[test]
fn article_command_works_as_mdbook_preprocessor() {
    let folder = folder("");
    let run = |line: &str, text: &str| {
        let mut command = lowcrawl(folder.path(), line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), texts(&output))
    };
    let root = folder.path().display().to_string();
    let chapter = |content: &str, below: Value| json!({ "Chapter": { "name": "One", "content": content, "number": [1], "sub_items": below, "path": "one.md", "source_path": "one.md", "parent_names": [] } });
    let book = |one: &str, two: &str| json!({ "sections": [chapter(one, json!([chapter(two, json!([]))])), "Separator", { "PartTitle": "P" }], "__non_exhaustive": null });
    let context = json!({ "root": root, "config": { "book": { "src": "." } }, "renderer": "html", "mdbook_version": "0.4.40" });
    let input = json!([
        context,
        book(&format!("A `{{lowcrawl}} {RALLY}`\n"), &fence("", "compare courses.toml"))
    ]);
    let (code, (printed, _)) = run("article --mdbook", &input.to_string());
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let table = built(&fence("", "compare courses.toml"));
    assert_eq!((code, &printed), (Some(0), &book(&whole("A 87.7 %\n"), &table)));
    // Answers are cached next to the file of the book, and the cache gives the same answers.
    let kept = names(&folder.path().join(".lowcrawl"));
    assert_eq!(kept.len(), 3, "{kept:?}");
    let (_, (again, _)) = run("article --mdbook", &input.to_string());
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap(), printed);
    let (_, (figure, _)) =
        run("article --mdbook", &json!([context, book(&fence(" chart", LEADERS), "")]).to_string());
    assert!(figure.contains("<figure>\\n<svg ") && !figure.contains("\\n\\n<"), "{figure}");
    let (code, (_, printed)) =
        run("article --mdbook", &json!([context, book(&fence("", "raly"), "")]).to_string());
    assert!(code == Some(2) && printed.contains("one.md:2:1"), "{printed}");
    let (code, (_, printed)) = run("article --mdbook", "{}");
    assert!(code == Some(2) && printed.contains("not a book"), "{printed}");
    assert_eq!(run("article --mdbook supports html", "").0, Some(0));
    assert_eq!(run("article --mdbook supports pdf", "").0, Some(1));
}

#[test]
fn conflicting_outputs_are_refused() {
    let folder = folder("x\n");
    assert_fails(folder.path(), "article a.md --out .", 2, &["`a.md` would overwrite an article"]);
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/a.md"), "y\n").unwrap();
    let message = fails(folder.path(), "article a.md other/a.md --out built", 2);
    assert!(message.contains("another article also writes `a.md`"), "{message}");
    // If one article has a fault, none is written.
    fs::write(folder.path().join("b.md"), fence("", "raly")).unwrap();
    fails(folder.path(), "article a.md b.md --out built", 2);
    assert!(!folder.path().join("built").exists());
}

/// Files that an article wrote may be written again. Files of others, and files changed since, are
/// kept unless `--replace` is given.
#[test]
fn foreign_files_are_not_overwritten() {
    let folder = folder(&fence(" chart", LEADERS));
    let built = folder.path().join("built");
    fs::create_dir(&built).unwrap();
    for name in ["notes.txt", "a-1.svg"] {
        fs::write(built.join(name), "precious").unwrap();
    }
    let line = "article a.md --out built";
    let message = fails(folder.path(), line, 2);
    assert!(
        message.starts_with("error: built/a-1.svg: lowcrawl did not write this file"),
        "{message}"
    );
    assert!(message.contains("`--replace` deletes it, `--out` uses another folder"), "{message}");
    assert_eq!(fs::read(built.join("a-1.svg")).unwrap(), b"precious");
    assert!(!built.join("a.md").exists());
    ok(folder.path(), &format!("{line} --replace"));
    // A changed article is built over its old output, but not over an output changed by hand.
    fs::write(folder.path().join("a.md"), fence(" chart", RALLY)).unwrap();
    ok(folder.path(), line);
    let first = fs::read(built.join("a.md")).unwrap();
    fs::write(built.join("a.md"), "by hand\n").unwrap();
    assert!(
        fails(folder.path(), line, 2).starts_with("error: built/a.md: lowcrawl did not write ")
    );
    assert_eq!(fs::read(built.join("a.md")).unwrap(), b"by hand\n");
    ok(folder.path(), &format!("{line} --replace"));
    assert_eq!(fs::read(built.join("a.md")).unwrap(), first);
    assert_eq!(fs::read(built.join("notes.txt")).unwrap(), b"precious");
    // Articles of one folder share the list. Without a list, unchanged outputs may be written
    // again.
    fs::write(folder.path().join("b.md"), "x\n").unwrap();
    ok(folder.path(), "article b.md --out built");
    let list = built.join(".lowcrawl-written.json");
    let written: Value = serde_json::from_slice(&fs::read(&list).unwrap()).unwrap();
    let listed: Vec<_> =
        written["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
    assert_eq!(listed, ["a-1.svg", "a.md", "b.md"]);
    fs::remove_file(&list).unwrap();
    ok(folder.path(), line);
    #[cfg(unix)]
    for (name, what) in [("a.md", "the result"), (".lowcrawl-written.json", "the list of results")]
    {
        let _ = fs::remove_file(built.join(name));
        std::os::unix::fs::symlink("notes.txt", built.join(name)).unwrap();
        for line in [line, "article a.md --out built --replace"] {
            let message = fails(folder.path(), line, 2);
            let start = format!("error: built/{name}: {what} cannot be written: a link ");
            assert!(message.starts_with(&start), "{message}");
        }
        assert_eq!(fs::read(built.join("notes.txt")).unwrap(), b"precious");
        fs::remove_file(built.join(name)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn cache_follows_no_links_and_reads_no_devices() {
    let folder = folder(&fence("", RALLY));
    let (built, other) = (folder.path().join("built"), folder.path().join("other"));
    for folder in [&built, &other] {
        fs::create_dir(folder).unwrap();
    }
    std::os::unix::fs::symlink("../other", built.join(".lowcrawl")).unwrap();
    ok(folder.path(), "article a.md --out built");
    assert!(names(&other).is_empty());
    fs::remove_file(built.join(".lowcrawl")).unwrap();
    ok(folder.path(), "article a.md --out built");
    let kept = built.join(".lowcrawl");
    let file = names(&kept).into_iter().find(|name| name.ends_with(".json")).unwrap();
    fs::remove_file(kept.join(&file)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", kept.join(&file)).unwrap();
    ok(folder.path(), "article a.md --out built");
    assert!(kept.join(&file).symlink_metadata().unwrap().is_file());
}

#[test]
fn articles_of_the_manual_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let articles = root.join("docs/articles");
    let all: Vec<String> = names(&articles)
        .into_iter()
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/articles/{name}"))
        .collect();
    assert_eq!(all.len(), 3);
    ok(root, &format!("article {} --root . --out docs/articles/built --check", all.join(" ")));
    // The list names every built file, so all of them may be built again.
    let built = articles.join("built");
    let list = fs::read(built.join(".lowcrawl-written.json")).unwrap();
    let list: Value = serde_json::from_slice(&list).unwrap();
    for name in names(&built).iter().filter(|name| !name.starts_with('.')) {
        let length = fs::metadata(built.join(name)).unwrap().len();
        let is_it = |file: &Value| file["name"] == **name && file["bytes"] == length;
        assert!(list["files"].as_array().unwrap().iter().any(is_it), "{name}");
    }
    for name in all {
        let words = fs::read_to_string(root.join(name)).unwrap().split_whitespace().count();
        assert!((600..=1300).contains(&words), "{words}");
    }
}
