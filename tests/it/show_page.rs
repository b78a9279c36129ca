//! The page and the charts, from steps that are made here.

use crate::support::root;
use roxmltree::Document;
use unthink::show::{
    BlockEnd, BlockKind, Charts, Head, Item, Page, PageOptions, Painter, Part, Role, Step, Totals, Track, TrackChange,
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

fn head(number: u64, role: Role) -> Head {
    Head { record: 1, number, role, ..Head::default() }
}

fn reasoning(text: &str, tokens: u64) -> [Step<'_>; 3] {
    [Step::Begin(BlockKind::Reasoning), Step::Text(text), Step::End(BlockEnd { tokens, sealed: false })]
}

fn visible(text: &str) -> [Step<'_>; 3] {
    [Step::Begin(BlockKind::Text), Step::Text(text), Step::End(BlockEnd::default())]
}

/// Messages of a user and of the model, with the text in every place that the input can fill.
fn everywhere(text: &str) -> String {
    let track = |column: usize, number| Track {
        column,
        number,
        parent: None,
        agent: text.into(),
        label: text.into(),
        delegation: number == 2,
        change: TrackChange::Begins,
    };
    let answer = Head {
        agent: text.into(),
        id: text.into(),
        model: text.into(),
        place: text.into(),
        part: Part::Thought,
        track: Some(2),
        tracks: vec![track(0, 1), track(1, 2)],
        ..head(2, Role::Assistant)
    };
    let (call, result) = (
        Item::Call { name: text.into(), arguments: text.into() },
        Item::Result { name: text.into(), text: text.repeat(40), failed: true },
    );
    let user = head(1, Role::User);
    let totals = Totals { visible: 3, reasoning: 9, ..Totals::default() };
    let mut steps = vec![Step::Input(text), Step::Conversation];
    for _ in 0..9 {
        steps.push(Step::Open(&user));
        steps.extend(visible(text));
        steps.push(Step::Close(&totals));
    }
    steps.push(Step::Open(&answer));
    steps.extend(reasoning(text, 9));
    steps.extend([Step::Begin(BlockKind::Commentary), Step::Text(text), Step::End(BlockEnd::default())]);
    steps.extend([Step::Item(&call), Step::Item(&result), Step::Close(&totals)]);
    steps.push(Step::Unread { record: 3, what: text });
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
            assert!(!tag.contains("src="), "{text}: {tag}");
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
    let answer = Head { id: "msg_41".into(), ..head(2, Role::Assistant) };
    let mut steps = vec![Step::Open(&answer)];
    steps.extend(reasoning("Low pressure from the west.", 7));
    steps.extend(visible("Rain by noon."));
    let totals = Totals { visible: 4, reasoning: 7, ..Totals::default() };
    steps.push(Step::Close(&totals));
    let page = page("Weather", &steps);
    let messages = messages(&page);
    for part in [
        "data-ai-reasoning data-collapsed=\"true\" data-token-est=\"7\" data-msg-id=\"msg_41\"",
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
    let totals = Totals { visible: 4, reasoning: 7, hidden: true, ..Totals::default() };
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
        vec![Step::Text("rain"), Step::Conversation],
        vec![Step::Open(&user), Step::Begin(BlockKind::Text), Step::Text("rain")],
        vec![Step::Unread { record: 1, what: "no JSON" }],
    ] {
        let page = page("Weather", &steps);
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
    }
}

#[test]
fn charts_are_well_formed() {
    let totals = Totals { visible: 120, reasoning: 380, ..Totals::default() };
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
}

#[test]
fn long_pages_have_a_table_of_contents() {
    let (user, answer) = (head(1, Role::User), head(2, Role::Assistant));
    for (turns, entries, groups) in [(1, 0, 0), (4, 0, 0), (5, 5, 0), (150, 150, 0), (151, 151, 2), (350, 350, 4)] {
        let mut steps = vec![Step::Conversation];
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

const DONE: Totals = Totals { visible: 1, reasoning: 1, logged: None, hidden: false, stop: None };

#[test]
fn tracks_without_room_are_counted() {
    let track = |column| Track {
        column,
        number: 1 + column as u64 % 7,
        parent: Some(99),
        agent: String::new(),
        label: String::new(),
        delegation: false,
        change: TrackChange::Open,
    };
    let crowded =
        Head { tracks: vec![track(0), track(11), track(12), track(usize::MAX)], more_tracks: 3, ..head(1, Role::User) };
    let page = page("Weather", &[Step::Open(&crowded), Step::Close(&DONE)]);
    assert!(messages(&page).contains("5 more sequences and delegations open"));
    assert_eq!(messages(&page).matches("<i").count(), 12);
}
