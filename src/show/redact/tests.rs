//! Texts, patterns, and what is left of the texts.

use super::*;

/// The text without what matches, and how often each pattern was found.
fn redacted(patterns: &[&str], text: &str) -> (String, Vec<u64>) {
    let patterns: Vec<RedactPattern> = patterns.iter().map(|pattern| RedactPattern::read(pattern).unwrap()).collect();
    let mut redactor = Redactor::new(&patterns);
    let out = redactor.text(text);
    (out.replace(MARK, "§"), redactor.counts().into_iter().map(|(_, count)| count).collect())
}

#[test]
fn texts_are_found_as_a_reader_finds_them() {
    for (pattern, text, want) in [
        ("Ann Lee", "ANN\n  lee, and Ann.", "§, and Ann."),
        ("Ann Lee", "Ann **Le**e", "§"),
        ("Ann Lee", "_Ann_ `Lee`", "_§"),
        ("Ann Lee", "An\u{200b}n Lee", "§"),
        ("José", "Jose\u{301} und JOSÉ", "§ und §"),
        ("José", r#"{"name":"Jos\u00e9"}"#, r#"{"name":"§"}"#),
        ("José", r#"{"log":"{\"name\":\"Jos\\u00e9\"}"}"#, r#"{"log":"{\"name\":\"§\"}"}"#),
        ("José", "/a/Jos%C3%A9/b", "/a/§/b"),
        ("😀x", r"a \ud83d\ude00x b", "a § b"),
        (r"C:\Ann", r#"{"p":"C:\\Ann\\x"}"#, r#"{"p":"§\\x"}"#),
        ("a \"b\"", r#"say a \"b\" c"#, r#"say § c"#),
        ("Ann Lee", r#"{"command":["mail","Ann","Lee","x"]}"#, r#"{"command":["mail","§","x"]}"#),
        ("Ann Lee", "\u{1b}[1mAnn\u{1b}[0m Lee", "\u{1b}[1m§"),
        ("<b>", "a <B> b", "a § b"),
        ("&amp;", "a &amp; b", "a § b"),
        ("x", "", ""),
        ("text:paths", "the paths", "the §"),
        ("foo_bar", "foo_bar foobar", "§ foobar"),
        ("redacted", "a ‹redacted› redacted", "a § §"),
    ] {
        assert_eq!(redacted(&[pattern], text).0, want, "{pattern} in {text}");
    }
}

#[test]
fn patterns_with_names() {
    for (pattern, text, want) in [
        ("paths", "see /home/ann/x.rs:12, or /srv/data/y.", "see §:12, or §."),
        ("paths", r"C:\Users\Ann Lee\x.txt and \\server\share\y", "§ and §"),
        ("paths", "C:/Users/Ann, ~/notes, ~ann/x", "§, §, §"),
        ("paths", "/Users/Ann Lee/notes here", "§ here"),
        ("paths", r"/Users/Ann\ Lee.txt here", "§ here"),
        ("paths", "file:///home/ann/x", "§"),
        ("paths", r#"{"file_path":"/work/ann/x"}"#, r#"{"file_path":"§"}"#),
        ("paths", "-I/home/ann/include", "-I§"),
        (
            "paths",
            "and/or, 1/2/3, https://a.example/b/c, </b/c>, /clear, // a/b",
            "and/or, 1/2/3, https://a.example/b/c, </b/c>, /clear, // a/b",
        ),
        ("emails", "ann.lee+x@mail.example.org, a@b, @ann, git@host.example:x", "§, a@b, @ann, §:x"),
        ("keys", "sk-ant-api03-abcdefghijkl_123 and sk-learn", "§ and sk-learn"),
        ("keys", "task-x-sk-ABCDEF1234567890", "task-x-§"),
        ("keys", "ghp_0123456789abcdefABCDEF task-force-of-many-words", "§ task-force-of-many-words"),
        ("keys", "Authorization: Bearer abcdefghijklmnop123", "Authorization: Bearer §"),
        ("keys", r#"{"api_key":"hunter2","max_token":5}"#, r#"{"api_key":"§","max_token":5}"#),
        ("keys", r#"{\"password\": \"hunter2\"}"#, r#"{\"password\": \"§\"}"#),
        (
            "keys",
            "export AWS_SECRET_ACCESS_KEY=abcd1234efgh\nThe token: it counts.",
            "export AWS_SECRET_ACCESS_KEY=§\nThe token: it counts.",
        ),
        ("keys", "postgres://ann:hunter2@db/x", "postgres://§@db/x"),
        ("keys", "a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b", "a § b"),
    ] {
        assert_eq!(redacted(&[pattern], text).0, want, "{pattern} in {text}");
    }
}

#[test]
fn each_pattern_is_counted_for_itself() {
    let (text, counts) = redacted(&["ann", "lee", "emails", "Bob"], "Ann Lee, ann.lee@mail.example");
    assert_eq!((text.as_str(), counts.as_slice()), ("§ §, §", &[2, 2, 1, 0][..]));
}

#[test]
fn json_stays_json() {
    let mut redactor = Redactor::new(&[RedactPattern::read("4111").unwrap(), RedactPattern::read("Ann").unwrap()]);
    for (text, want) in [
        (r#"{"card":41112222,"x":-4111.5}"#, r#"{"card":"§","x":"§"}"#),
        (r#"{"a":"4111","Ann":["Ann"]}"#, r#"{"a":"§","§":["§"]}"#),
        ("no JSON 4111", "no JSON §"),
    ] {
        assert_eq!(redactor.json(text).replace(MARK, "§"), want);
    }
}

#[test]
fn markdown_is_looked_at_as_a_page_shows_it() {
    let redactor = Redactor::new(&[RedactPattern::read("Ann Lee").unwrap()]);
    for text in [
        "[Ann](https://a.example) Lee",
        "A&#110;n Lee",
        "A\\nn Lee: Ann\\ Lee",
        "Ann [Lee](x)",
        "[x](https://a.example/Ann%20Lee)",
        "[x](https://a.example/A&#110;n-&quot; \"A&#110;n Lee\")",
        "**Ann** *L*ee",
        "> Ann\n> Lee",
        "- Ann\n  Lee",
        "```A&#110;n Lee\nx\n```",
        "![An](x)n Lee",
    ] {
        let hits = redactor.find_in_markdown(text);
        let out = redactor.markdown(text, &hits);
        assert!(
            redactor.find_in_markdown(&out).is_empty() && (out.contains(MARK) || text.contains("\\nn")),
            "{text}: {out}"
        );
        let mut html = String::new();
        crate::show::page::shown(&mut html, &out);
        let words: String = html.split('<').map(|tag| tag.split_once('>').map_or("", |(_, text)| text)).collect();
        assert!(redactor.find(&words).is_empty() && redactor.find(&html).is_empty(), "{text}: {html}");
    }
}

#[test]
fn patterns_without_text_are_none() {
    for pattern in ["", "  ", "text:", "text: \n", "\u{200b}"] {
        assert_eq!(RedactPattern::read(pattern), None, "{pattern:?}");
    }
    assert_eq!(RedactPattern::read("paths"), Some(RedactPattern::Named(NamedPattern::Paths)));
    assert_eq!(RedactPattern::read("path"), Some(RedactPattern::Text("path".into())));
}

#[test]
fn no_text_takes_long() {
    let mut redactor =
        Redactor::new(&["paths", "keys", "emails", "ann"].map(|pattern| RedactPattern::read(pattern).unwrap()));
    for part in [
        "eyJ",
        "sk-A1",
        "-----BEGIN PRIVATE KEY-----",
        "token=",
        "a/b",
        "/",
        "\\",
        "/a b",
        "~",
        "~/",
        "@",
        "a@",
        "://",
        "a:a@://",
        "Bearer ",
        "\u{1b}]",
        "\u{1b}[",
        "%",
        "%4",
        "\\u00",
        "\"a\",",
        "*",
        "C:\\a (",
        "[a](",
        "password: \"",
    ] {
        let text = part.repeat((1 << 18) / part.len());
        let begun = std::time::Instant::now();
        redactor.text(&text);
        redactor.json(&format!("[{}1]", "41,\"ann\",".repeat(1 << 12)));
        assert!(begun.elapsed().as_secs() < 20, "{part}: {:?}", begun.elapsed());
    }
}
