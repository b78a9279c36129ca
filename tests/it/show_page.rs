//! The page and the charts, from steps that are made here.

use crate::support::{Setup, corpus, root, run_draw};
use roxmltree::Document;
use std::cell::RefCell;
use std::rc::Rc;
use unthink::internals::dialect::FACT_TEXTS;
use unthink::internals::show::{
    BlockEnd, Charts, Draw, DrawOptions, LineItem, MessageHead, Page, PageOptions, Painter, Role, SessionFacts,
    ShownMedia, Step, TextBlockKind, Totals, Track, TrackChange, TrackKind, TrackPart,
};

/// The page of these steps.
fn page(title: &str, steps: &[Step<'_>]) -> String {
    painted(Page::new(PageOptions { title: title.into() }), steps)
}

fn painted(mut painter: impl Painter, steps: &[Step<'_>]) -> String {
    let mut out = Vec::new();
    steps.iter().for_each(|step| painter.step(*step, &mut out));
    painter.finish(&mut out);
    String::from_utf8(out).unwrap()
}

/// What stands between the bar at the top and the charts.
fn messages(page: &str) -> &str {
    let start = page.find("<main").unwrap();
    &page[start..page.find("</main>").unwrap()]
}

fn head(number: u64, role: Role) -> MessageHead {
    MessageHead { record: 1, number, role, ..MessageHead::default() }
}

fn reasoning(text: &str, tokens: u64) -> [Step<'_>; 3] {
    [Step::Begin(TextBlockKind::Reasoning), Step::Text(text), Step::End(BlockEnd { tokens, sealed: false })]
}

fn visible(text: &str) -> [Step<'_>; 3] {
    [Step::Begin(TextBlockKind::Text), Step::Text(text), Step::End(BlockEnd::default())]
}

/// Messages of a user and of the model, with the text in every place that the input can fill.
fn everywhere(text: &str) -> String {
    let track = |column: usize, number| Track {
        column,
        number,
        parent: None,
        agent: text.into(),
        label: text.into(),
        kind: if number == 2 { TrackKind::Delegation } else { TrackKind::Chain },
        change: TrackChange::Begins,
    };
    let answer = MessageHead {
        agent: text.into(),
        id: text.into(),
        model: text.into(),
        place: text.into(),
        part: TrackPart::Thought,
        track: Some(2),
        tracks: vec![track(0, 1), track(1, 2)],
        ..head(2, Role::Assistant)
    };
    let media = vec![
        ShownMedia {
            what: "image",
            mime: "image/png".into(),
            name: text.into(),
            base64: "iVBO".into(),
            address: text.into(),
        },
        ShownMedia { what: "image", mime: text.into(), name: text.into(), base64: text.into(), address: text.into() },
    ];
    let (call, result) = (
        LineItem::Call { id: "c1".into(), name: text.into(), arguments: text.into() },
        LineItem::Result {
            id: "c1".into(),
            name: text.into(),
            text: text.repeat(40),
            failed: true,
            media: media.clone(),
        },
    );
    let alone =
        LineItem::Result { id: "c9".into(), name: text.into(), text: text.into(), failed: true, media: media.clone() };
    let other = LineItem::Other { kind: text.into(), value: format!("{{\"type\":{}}}", serde_json::json!(text)) };
    // Arguments that are drawn as a command, a diff, code, a list.
    let views = ["command", "old_string", "content", "todos", "patch", "url"].map(|key| {
        let mut arguments = serde_json::json!({ key: text, text: text });
        match key {
            "old_string" => arguments["new_string"] = format!("{text}\n{text}").into(),
            "todos" => arguments["todos"] = serde_json::json!([{"content": text, "status": text}]),
            "patch" => arguments["patch"] = format!("*** Begin Patch\n+{text}\n-{text}\n").into(),
            _ => (),
        }
        LineItem::Call { id: String::new(), name: text.into(), arguments: arguments.to_string() }
    });
    let user = head(1, Role::User);
    let totals = Totals { visible: 3, reasoning: 9, ..Totals::default() };
    let mut steps = vec![Step::Input(text), Step::Conversation { number: 1, again: false }];
    for _ in 0..9 {
        steps.push(Step::Open(&user));
        steps.extend(visible(text));
        steps.push(Step::Close(&totals));
    }
    steps.push(Step::Open(&answer));
    steps.extend(reasoning(text, 9));
    steps.extend([Step::Begin(TextBlockKind::Commentary), Step::Text(text), Step::End(BlockEnd::default())]);
    steps.extend([Step::Item(&call), Step::Item(&result), Step::Item(&alone), Step::Item(&other)]);
    steps.extend(views.iter().map(Step::Item));
    let images: Vec<LineItem> = media.iter().cloned().map(LineItem::Media).collect();
    steps.extend(images.iter().map(Step::Item));
    steps.push(Step::Close(&totals));
    steps.push(Step::Unread { first: 3, last: 4, what: text });
    steps.push(Step::Aside { first: 5, last: 5, count: 1, text });
    page(text, &steps)
}

/// The tags of a page, with their attributes, without what stands between them.
fn tags(page: &str) -> Vec<&str> {
    let body = &page[page.find("</script>").unwrap()..];
    body.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()).collect()
}

#[test]
fn text_of_the_input_makes_no_tag_and_no_attribute() {
    let texts = [
        "<script>alert(1)</script>",
        "</script></style></title><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' onmouseover='alert(1)",
        "` onmouseover=alert(1) x=",
        "--><script>alert(1)</script>",
        "<![CDATA[<script>alert(1)</script>]]>",
        "</details></summary></pre></article></main>x",
        "<plaintext>",
        "&lt;script&gt;alert(1)&ltscript&gt",
        "<svg onload=alert(1)>",
        "<base href=//a.example><meta http-equiv=refresh content=0>",
    ];
    // A quoted attribute holds the text; what it is made of does not change which tags and attributes there are.
    let shape = |page: &str| -> Vec<String> {
        let names = |tag: &str| {
            let unquoted: String = tag.split('"').step_by(2).collect::<Vec<_>>().join("\"");
            unquoted
        };
        // A line of raw HTML is a paragraph with a class.
        tags(page).into_iter().map(names).map(|tag| if tag == "p class=\"" { "p".into() } else { tag }).collect()
    };
    let plain = everywhere("Rain by noon, and wind, and fog.");
    for text in texts {
        let odd = everywhere(text);
        let (odd, plain) = (shape(&odd), shape(&plain));
        let first = odd.iter().zip(&plain).find(|(a, b)| a != b);
        assert_eq!((first, odd.len()), (None, plain.len()), "{text}");
    }
}

#[test]
fn addresses_of_the_input_are_followed_only_by_a_click() {
    let texts = [
        ("[x](https://a.example/)", true),
        ("[x](mailto:a@b.example)", true),
        ("![x](https://a.example/p.png)", false),
        ("[x](javascript:alert(1))", false),
        ("[x](java\tscript:alert(1))", false),
        ("[x](vbscript:msgbox)", false),
        ("[x](data:text/html;base64,PHNjcmlwdD4=)", false),
        ("[x](file:///etc/passwd)", false),
        ("[x](//a.example)", false),
        ("[![x](https://a.example/p.png)](#m1)", false),
    ];
    for (text, follows) in texts {
        let page = everywhere(text);
        let own = ["#m", "#i1", "data:,"];
        for tag in tags(&page) {
            // An image has its bytes in the page.
            assert!(!tag.contains("src=") || tag.ends_with("src=\"data:image/png;base64,iVBO\""), "{text}: {tag}");
            let Some((_, rest)) = tag.split_once("href=\"") else { continue };
            let inside = own.iter().any(|start| rest.starts_with(start));
            assert!(inside || (follows && rest.ends_with("\" rel=\"noreferrer noopener\"")), "{text}: {tag}");
        }
        assert_eq!(messages(&page).contains("noreferrer"), follows, "{text}");
    }
}

#[test]
fn hidden_characters_are_seen_everywhere() {
    let page = everywhere("\u{1b}]52;c;aGk=\u{7}\u{202e}gpj\u{200b}");
    for c in ['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}'] {
        assert!(!page.contains(c), "{c:?}");
    }
    assert!(page.contains("\\u{202e}"));
}

#[test]
fn reasoning_has_the_attributes_that_scripts_look_for() {
    let answer = MessageHead { id: "msg_41".into(), ..head(2, Role::Assistant) };
    let mut steps = vec![Step::Open(&answer)];
    steps.extend(reasoning("Low pressure from the west.", 36));
    steps.extend(reasoning("Fog.", 29));
    steps.extend(visible("Rain by noon."));
    let totals = Totals { visible: 4, answers: 4, reasoning: 7, ..Totals::default() };
    steps.push(Step::Close(&totals));
    let page = page("Weather", &steps);
    let messages = messages(&page);
    for part in [
        "data-ai-reasoning data-collapsed=\"true\" data-token-est=\"36\" data-msg-id=\"msg_41\"",
        // A short one is open.
        "data-ai-reasoning data-collapsed=\"false\" data-token-est=\"29\" data-msg-id=\"msg_41\"",
        "<button type=\"button\" data-ai-reasoning-toggle aria-expanded=\"true\" aria-controls=\"m1r2\">",
        "id=\"m1r2\">",
        "<button type=\"button\" data-ai-reasoning-toggle aria-expanded=\"false\" aria-controls=\"m1r1\">",
        "id=\"m1r1\" hidden=\"until-found\"",
        "4 visible, 7 reasoning",
        "aria-label=\"64 % reasoning\"",
    ] {
        assert!(messages.contains(part), "{part} in {messages}");
    }
    assert!(page.contains("1 message: about 4 visible tokens and 7 of reasoning, 64 % of what the model wrote."));
}

#[test]
fn what_the_drawing_was_not_given_is_not_in_it() {
    let answer = head(1, Role::Assistant);
    let mut steps = vec![Step::Open(&answer)];
    steps.extend(visible("Rain by noon."));
    let totals = Totals { visible: 4, answers: 4, reasoning: 7, hidden: true, ..Totals::default() };
    steps.push(Step::Close(&totals));
    let page = page("Weather", &steps);
    assert!(messages(&page).contains("The reasoning is hidden."));
    assert!(!messages(&page).contains("data-ai-reasoning"));
}

#[test]
fn a_page_is_whole_however_the_steps_end() {
    let user = head(1, Role::User);
    for steps in [
        vec![],
        vec![Step::Text("rain"), Step::Conversation { number: 1, again: false }],
        vec![Step::Open(&user), Step::Begin(TextBlockKind::Text), Step::Text("rain")],
        vec![Step::Unread { first: 1, last: 1, what: "no JSON" }],
    ] {
        let page = page("Weather", &steps);
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
    }
}

#[test]
fn charts_are_well_formed() {
    let totals = Totals { visible: 120, answers: 120, reasoning: 380, ..Totals::default() };
    for (name, messages) in [("a.jsonl", 0), ("b<&\"'\u{1b}\u{ffff}>.jsonl", 1), ("größe.jsonl", 3000)] {
        let (user, answer) = (head(1, Role::User), head(2, Role::Assistant));
        let mut steps = vec![Step::Input("first.jsonl"), Step::Input(name)];
        for i in 0..messages {
            steps.extend([Step::Open(if i % 2 == 0 { &user } else { &answer }), Step::Close(&totals)]);
        }
        let svg = painted(Charts::new(name), &steps);
        let document = Document::parse(&svg).unwrap();
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!((count("script"), count("a"), count("image"), count("desc")), (0, 0, 0, 1));
        let bars = document.descendants().filter(|node| node.has_tag_name("g") && !node.has_attribute("transform"));
        assert_eq!(
            bars.count(),
            match messages {
                3000 => 188,
                few => few,
            }
        );
    }
}

/// What `unthink show` writes for an input.
fn show(args: &[&str], input: &str) -> String {
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let ran = command.arg("show").args(args).write_stdin(input).output().unwrap();
    assert_eq!((ran.status.code(), String::from_utf8_lossy(&ran.stderr)), (Some(0), "".into()));
    String::from_utf8(ran.stdout).unwrap()
}

const WEATHER: &str = r#"{"messages":[
    {"role":"system","content":"You are a careful forecaster."},
    {"role":"user","content":"Will it rain on **Sunday**? <b>Guests</b> come."},
    {"role":"assistant","reasoning_content":"Low pressure from the west.","content":"I look it up.","tool_calls":[
        {"id":"c1","type":"function","function":{"name":"get_forecast","arguments":"{\"day\":\"Sunday\"}"}}]},
    {"role":"tool","tool_call_id":"c1","content":"rain from noon on, 4 mm in the first hour, then less, and fog in the valleys in the evening"},
    {"role":"assistant","reasoning_content":"- rain at noon\n- fog later","content":"Rain by noon. Take an umbrella."}]}"#;

#[test]
fn a_page_of_a_conversation() {
    let page = show(&["--html"], &WEATHER.replace('\n', ""));
    let body = page.find("<main").unwrap();
    insta::assert_snapshot!("page", &page[body..]);
}

#[test]
fn reasoning_that_is_hidden_is_nowhere_in_the_file() {
    let texts = [
        WEATHER.replace('\n', ""),
        "<think>Low pressure from the west, and - rain at noon.</think>Take an umbrella.".into(),
    ];
    for text in texts {
        for form in ["--html", "--svg"] {
            let open = show(&[form], &text);
            assert_eq!(open.contains("Low pressure"), form == "--html");
            let hidden = show(&[form, "--set", "reasoning.includeInResponse=false"], &text);
            assert!(!hidden.contains("Low pressure") && !hidden.contains("rain at noon"), "{hidden}");
            assert_eq!(hidden.contains("Take an umbrella."), form == "--html");
        }
    }
}

#[test]
fn several_inputs_are_one_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<String> =
        ["a & b.json", "c.json"].iter().map(|name| folder.path().join(name).display().to_string()).collect();
    files.iter().for_each(|file| std::fs::write(file, WEATHER).unwrap());
    let page = show(&["--html", &files[0], &files[1]], "");
    assert!(page.contains("<title>a &amp; b.json and 1 more</title>"));
    assert_eq!((page.matches("<h2 id=\"i").count(), page.matches("<svg class=\"chart\"").count()), (2, 2));
    assert_eq!((page.matches("<!DOCTYPE").count(), page.matches("</html>").count()), (1, 1));
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let once: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), once.len(), "an identifier is there twice");
    let svg = show(&["--svg", &files[0], &files[1]], "");
    let document = Document::parse(&svg).unwrap();
    let charts = document.descendants().filter(|node| node.attribute("class") == Some("name")).count();
    assert_eq!((charts, document.root_element().attribute("height")), (2, Some("720")));
    let said = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|node| node.text()).unwrap();
    let of: Vec<&str> = said.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(of, files, "each chart has a line of its own in words");
}

#[test]
fn sequences_and_delegations_are_a_tree() {
    let files = ["testdata/show/2-agents.jsonl", "testdata/show/3-delegations.jsonl"].map(|file| root().join(file));
    let page = show(&["--html", files[0].to_str().unwrap(), files[1].to_str().unwrap()], "");
    let tree = &page[page.find("<section aria-labelledby=\"tree\">").unwrap()..];
    insta::assert_snapshot!("tree", &tree[..tree.find("</section>").unwrap()]);
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    for link in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(ids.contains(&link), "a link leads to {link}, which is not there");
    }
    let rails: Vec<&str> = page.lines().filter(|line| line.starts_with("<div class=\"rails\"")).collect();
    let rails: Vec<&str> = rails.iter().map(|line| line.split("</div>").next().unwrap()).collect();
    insta::assert_snapshot!("rails", rails.join("\n"));
    // An agent has its colour in a sequence of another one, too.
    assert!(page.contains("<span class=\"agent k2\">hall-agent") && !page.contains("k1\">hall-agent"));
}

#[test]
fn long_pages_have_a_table_of_contents() {
    let (user, answer) = (head(1, Role::User), head(2, Role::Assistant));
    for (turns, entries, groups) in [(1, 0, 0), (4, 0, 0), (5, 5, 0), (150, 150, 0), (151, 151, 2), (350, 350, 4)] {
        let mut steps = vec![Step::Conversation { number: 1, again: false }];
        for _ in 0..turns {
            steps.push(Step::Open(&user));
            steps.extend(visible("Will it rain?"));
            steps.extend([Step::Close(&DONE), Step::Open(&answer), Step::Close(&DONE)]);
        }
        let page = page("Weather", &steps);
        let contents = page.split("id=\"contents\"").nth(1).unwrap_or_default();
        assert_eq!(
            (contents.matches("<li>").count(), contents.matches("<details").count()),
            (entries, groups),
            "{turns}"
        );
    }
    // Where no user speaks, every message is in it.
    let steps: Vec<Step<'_>> = (0..9).flat_map(|_| [Step::Open(&answer), Step::Close(&DONE)]).collect();
    assert_eq!(page("Weather", &steps).split("id=\"contents\"").nth(1).unwrap().matches("<li>").count(), 9);
}

const DONE: Totals = Totals {
    visible: 1,
    answers: 1,
    tools: 0,
    reasoning: 1,
    sealed: 0,
    logged: None,
    hidden: false,
    hidden_blocks: 0,
    stop: None,
    cost: None,
};

#[test]
fn tracks_without_room_are_counted() {
    let track = |column| Track {
        column,
        number: 1 + column as u64 % 7,
        parent: Some(99),
        agent: String::new(),
        label: String::new(),
        kind: TrackKind::Sequence,
        change: TrackChange::Open,
    };
    let crowded = MessageHead {
        tracks: vec![track(0), track(11), track(12), track(usize::MAX)],
        more_tracks: 3,
        ..head(1, Role::User)
    };
    let page = page("Weather", &[Step::Open(&crowded), Step::Close(&DONE)]);
    assert!(messages(&page).contains("5 more sequences and delegations open"));
    assert_eq!(messages(&page).matches("<i").count(), 12);
}

/// The texts, the arguments of calls and the results that are drawn, as letters.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    tools: Vec<String>,
    text: String,
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

impl Painter for Said {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        match step {
            Step::Begin(_) => self.text.clear(),
            Step::Text(text) => self.text.push_str(text),
            Step::End(_) => self.texts.push(letters(&self.text)),
            Step::Item(LineItem::Call { arguments, .. }) => self.tools.push(leaves(arguments)),
            Step::Item(LineItem::Result { text, .. }) => self.tools.push(leaves(text)),
            _ => (),
        }
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

/// The letters of the longest string in a text, which may be JSON.
fn leaves(text: &str) -> String {
    fn longest(value: &serde_json::Value) -> String {
        let of = |all: Vec<String>| all.into_iter().max_by_key(String::len).unwrap_or_default();
        match value {
            serde_json::Value::String(text) => letters(text),
            serde_json::Value::Array(list) => of(list.iter().map(longest).collect()),
            serde_json::Value::Object(members) => of(members.values().map(longest).collect()),
            _ => String::new(),
        }
    }
    match serde_json::from_str(text) {
        Ok(value @ serde_json::Value::Object(_)) => longest(&value),
        _ => letters(text),
    }
}

/// What a reader sees in an open page, as letters. Lines of closed blocks repeat what is in the blocks.
fn seen(page: &str) -> String {
    let mut rest = messages(page);
    let mut shown = String::new();
    while let Some((before, tag)) = rest.split_once('<') {
        shown.push_str(before);
        let end = ["summary", "header", "h4"].into_iter().find(|name| tag.starts_with(&format!("{name}>")));
        rest = match end.and_then(|name| tag.split_once(&format!("</{name}>"))) {
            Some((_, behind)) => behind,
            None => tag.split_once('>').map_or("", |(_, behind)| behind),
        };
    }
    shown.push_str(rest);
    for (entity, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"), ("&amp;", "&")]
    {
        shown = shown.replace(entity, c);
    }
    letters(&shown)
}

#[test]
fn everything_that_is_said_stands_in_the_page_in_order() {
    let (mut texts, mut tools) = (0, 0);
    for (name, input) in corpus().into_iter().filter(|(_, input)| input.len() < 1 << 18) {
        let said = Rc::new(RefCell::new(Said::default()));
        let options = || DrawOptions { reasoning: true, texts: FACT_TEXTS, input: None };
        run_draw(&input, Setup::default(), Draw::new(options(), Rc::clone(&said) as _));
        let page = Rc::new(RefCell::new(Page::new(PageOptions { title: "Weather".into() })));
        let mut html = run_draw(&input, Setup::default(), Draw::new(options(), Rc::clone(&page) as _)).out;
        page.borrow_mut().finish(&mut html);
        let shown = seen(&String::from_utf8(html).unwrap());
        let said = said.borrow();
        // Hidden characters are shown by their numbers, which have letters.
        let is_plain = |text: &&String| !text.chars().any(unthink::internals::printable::is_hidden);
        let mut at = 0;
        for text in said.texts.iter().filter(is_plain) {
            let Some(found) = shown[at..].find(text.as_str()) else {
                panic!("{name}: {text} is not in the page behind {}: {}", &shown[..at], &shown[at..]);
            };
            at += found + text.len();
            texts += 1;
        }
        for tool in said.tools.iter().filter(is_plain) {
            assert!(shown.contains(tool.as_str()), "{name}: {tool} is not in {shown}");
            tools += 1;
        }
    }
    assert!(texts > 500 && tools > 100, "{texts} texts, {tools} calls and results");
}

#[test]
fn no_call_is_said_to_have_no_result_if_it_has_one() {
    let call = LineItem::Call { id: "c1".into(), name: "Task".into(), arguments: "{}".into() };
    let result = LineItem::Result {
        id: "c1".into(),
        name: "Task".into(),
        text: "Rain by noon.".into(),
        failed: false,
        media: Vec::new(),
    };
    let track = Track {
        column: 0,
        number: 1,
        parent: None,
        agent: "scout".into(),
        label: "Read the map".into(),
        kind: TrackKind::Chain,
        change: TrackChange::Ends,
    };
    let (asks, answers, totals) = (head(1, Role::Assistant), head(2, Role::Tool), Totals::default());
    let ends = MessageHead { tracks: vec![track], ..answers.clone() };
    let asked = [Step::Open(&asks), Step::Item(&call), Step::Close(&totals)];
    let answered = |head| [Step::Open(head), Step::Item(&result), Step::Close(&totals)];
    // Where a side chain ends, the result stands in a card of its own.
    let apart = page("Weather", &[asked, answered(&ends)].concat());
    assert!(apart.contains("Result <a href=\"#m2\">2</a></p>") && apart.contains("id=\"m2\""), "{apart}");
    assert_eq!((apart.matches("no result").count(), apart.matches("<pre>Rain by noon.").count()), (0, 1), "{apart}");
    // A call that is written before its result says nothing of it.
    let again = [Step::Conversation { number: 2, again: false }];
    let late = page("Weather", &[&asked[..], &again, &answered(&answers)].concat());
    assert_eq!(late.matches("no result").count(), 0, "{late}");
    assert!(page("Weather", &asked).contains("no result"));
}

#[test]
fn who_thinks_while_whom_speaks_is_drawn_with_links() {
    let file = root().join("testdata/show/2-agents.jsonl");
    let agents = show(&["--html", file.to_str().unwrap()], "");
    let lanes = &agents[agents.find("<figure class=\"lanes\">").unwrap()..];
    insta::assert_snapshot!("lanes", &lanes[..lanes.find("</figure>").unwrap()]);
    // One agent needs no lanes.
    assert!(!show(&["--html"], &WEATHER.replace('\n', "")).contains("class=\"lanes\""));
}

#[test]
fn a_long_page_has_a_short_time_line() {
    let (totals, user) = (Totals { visible: 3, reasoning: 9, ..Totals::default() }, head(1, Role::User));
    let agents: Vec<MessageHead> =
        (0..40).map(|at| MessageHead { agent: format!("agent {at}"), ..head(2, Role::Assistant) }).collect();
    let mut steps = Vec::new();
    for at in 0..10_000 {
        steps.extend([Step::Open(if at % 9 == 0 { &user } else { &agents[at % 40] }), Step::Close(&totals)]);
    }
    let page = page("Weather", &steps);
    let lanes = &page[page.find("<figure class=\"lanes\">").unwrap()..];
    let lanes = &lanes[..lanes.find("</figure>").unwrap()];
    assert!(lanes.len() < 1 << 19 && lanes.matches("<li").count() <= 16, "{} bytes", lanes.len());
}

#[test]
fn what_programs_add_to_the_words_of_a_user_is_closed() {
    let user = head(1, Role::User);
    let text = "Will it rain?\n<system-reminder>\nThe map is *old*.\n</system-reminder>\nAsk <b>again</b>.\n\
        <command-name>/weather</command-name>\n<other-name>stays</other-name>";
    let mut steps = vec![Step::Open(&user)];
    steps.extend(visible(text));
    steps.push(Step::Close(&DONE));
    let page = page("Weather", &steps);
    let messages = messages(&page);
    assert_eq!(messages.matches("<details class=\"step chip\">").count(), 2, "{messages}");
    for part in [
        "<span class=\"call\">system-reminder</span> <code>The map is *old*.</code>",
        "<pre>&lt;system-reminder&gt;",
        "<span class=\"call\">command-name</span> <code>/weather</code>",
        "<p>Ask &lt;b&gt;again&lt;/b&gt;.</p>",
        "&lt;other-name&gt;stays",
    ] {
        assert!(messages.contains(part), "{part} in {messages}");
    }
}

#[test]
fn the_head_says_what_is_known() {
    let head = MessageHead {
        session: SessionFacts { folder: "/home/a".into(), branch: "main".into(), title: String::new() },
        ..head(1, Role::User)
    };
    for (costs, said) in [([0.25, 1.0], "$1.25"), ([0.001, 0.000_24], "$0.0012"), ([0.0, f64::NAN], "")] {
        let [message, session] = costs;
        let totals = Totals { cost: Some(message), ..DONE };
        let page = page("Weather", &[Step::Open(&head), Step::Close(&totals), Step::Cost(session)]);
        assert!(page.contains("<dt>Folder</dt><dd>/home/a</dd>") && page.contains("<dt>Branch</dt><dd>main</dd>"));
        let found = page.split("<dt>Cost</dt><dd>").nth(1).map_or("", |rest| rest.split('<').next().unwrap());
        assert_eq!(found, said);
    }
}
