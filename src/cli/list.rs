//! unthink list dialects|tags|policies|settings|rules|targets|unread [-o text|json]
//!
//! Prints a table of the program's, one row a line.

use super::accept::TargetName;
use super::{Status, page};
use clap::{Args, ValueEnum};
use std::borrow::Cow;
use unthink::accept::targets::TARGETS;
use unthink::accept::{Target, rules};
use unthink::check::{RULES, Rule, RuleNeed};
use unthink::dialect::{DIALECTS, Dialect, UNREAD, Unread};
use unthink::inline::{Missing, Pairs, Row, table};
use unthink::json::object::{MemberWriter, lines, list, object_text};
use unthink::json::quote::quote;
use unthink::model::BlockProperty;
use unthink::policy::Policy;
use unthink::settings::{self, SETTINGS, SettingType};

/// List dialects, tags, policies, rules, targets, and other tables
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Which table
    #[arg(value_enum)]
    what: ListTopic,

    /// For rules: those of this target
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,

    /// Output form
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t)]
    output: ListFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ListTopic {
    /// Spellings of messages and reasoning: the values of --from
    Dialects,
    /// Inline delimiters: the values of --tag
    Tags,
    /// Strip policies: the values of strip --policy
    Policies,
    /// Settings: the keys of --set and of profiles
    Settings,
    /// What check finds
    Rules,
    /// Providers that check --target and repair know
    Targets,
    /// Formats that are known and not read: a record of theirs that may hold reasoning is refused
    Unread,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ListFormat {
    /// One item per line: its name, then what it is
    #[default]
    Text,
    /// An array of objects, one per line
    Json,
}

/// A line of text, and the same as an object.
struct ListItem {
    line: Vec<String>,
    object: String,
}

/// `unthink list`.
pub fn run(args: &ListArgs, rows: &[Row]) -> Status {
    let items: Vec<ListItem> = match args.what {
        ListTopic::Dialects => DIALECTS.iter().map(dialect).collect(),
        ListTopic::Tags => table(rows).into_iter().map(tag).collect(),
        ListTopic::Policies => Policy::NAMES.iter().chain(&[REPLAY]).map(policy).collect(),
        ListTopic::Settings => SETTINGS.iter().map(setting).collect(),
        ListTopic::Rules => match &args.target {
            Some(name) => match TargetName::named("--target", name) {
                Ok(to) => rules::of_target(to.target.name).map(accept_rule).collect(),
                Err(e) => return super::run::failed(&super::notes::Notes::plain(super::notes::ColorArg::Auto), &e),
            },
            None => RULES.iter().map(rule).collect(),
        },
        ListTopic::Targets => TARGETS.iter().map(target).collect(),
        ListTopic::Unread => UNREAD.iter().filter_map(unread).collect(),
    };
    let page = match args.output {
        ListFormat::Text => page::columns(&items.into_iter().map(|item| item.line).collect::<Vec<_>>()).into_bytes(),
        ListFormat::Json => {
            let mut out = Vec::new();
            lines(&mut out, items, |out, item| out.extend(item.object.into_bytes()));
            out.push(b'\n');
            out
        }
    };
    page::print(&page)
}

/// The texts of a row of tags.
fn texts<'a>(all: &'a [Cow<'a, str>]) -> impl Iterator<Item = &'a [u8]> {
    all.iter().map(|text| text.as_bytes())
}

/// Writes pairs, each as a list of its own.
fn list_pairs(members: &mut MemberWriter<'_>, name: &str, pairs: &Pairs) {
    members.list(name, pairs.iter(), |out, (one, two)| {
        list(out, [one, two], |out, text| quote(text.as_bytes(), out));
    });
}

fn dialect(d: &Dialect) -> ListItem {
    let framings: Vec<&str> = d.framings.iter().map(|f| f.name()).collect();
    let also = if d.aliases.is_empty() { String::new() } else { format!("; also {}", d.aliases.join(", ")) };
    let names = |all: &[BlockProperty]| all.iter().map(|property| format!(", {}", property.name())).collect::<String>();
    let content = match (d.properties, d.spelled) {
        (Some(all), _) => format!("; holds text{}", names(all)),
        (None, []) => "; read only".to_string(),
        (None, spelled) => format!("; written as {}", spelled.join(", ")),
    };
    ListItem {
        line: vec![d.name.into(), format!("{} ({}{also}){content}", d.about, framings.join(", "))],
        object: object_text(|members| {
            members.string("name", d.name);
            members.strings("aliases", d.aliases);
            members.strings("products", d.product_names());
            members.strings("framings", &framings);
            members.flag("writable", d.is_written());
            members.strings("holds", d.properties.unwrap_or_default().iter().map(|property| property.name()));
            members.string("about", d.about);
        }),
    }
}

fn target(t: &Target) -> ListItem {
    let also = if t.aliases.is_empty() { String::new() } else { format!("; also {}", t.aliases.join(", ")) };
    let decides = if t.decides.is_empty() { String::new() } else { format!("; the model decides: {}", t.decides) };
    ListItem {
        line: vec![t.name.into(), format!("{} ({}{also}){decides}", t.wants, t.shape.name())],
        object: object_text(|members| {
            members.string("name", t.name);
            members.strings("aliases", t.aliases);
            members.string("requests", t.shape.name());
            members.string_or_null("dialect", t.dialect);
            members.string("wants", t.wants);
            members.string("model_decides", t.decides);
            members.strings("rules", rules::of_target(t.name).map(|row| row.code));
        }),
    }
}

fn accept_rule(row: &rules::TargetRule) -> ListItem {
    ListItem {
        line: vec![row.code.into(), row.name.into(), row.outcome.name().into(), row.finds.into()],
        object: object_text(|members| {
            members.string("code", row.code);
            members.string("name", row.name);
            members.string("outcome", row.outcome.name());
            members.strings("targets", row.targets);
            members.string("models", row.models);
            members.string("finds", row.finds);
            members.strings("messages", row.messages);
            members.string("repair", row.repair);
            members.string("options", row.options.trim());
            members.string("helps_not", row.not);
            members.string("unseen", row.unseen);
            members.string("evidence", row.evidence);
            members.string("verified_on", row.verified_on);
        }),
    }
}

fn tag(row: &Row) -> ListItem {
    let unclosed = row.unclosed.name();
    let blocks = row.blocks.name();
    let mut facts = vec![format!("unclosed: {unclosed}"), format!("blocks: {blocks}")];
    facts.extend(row.word.then(|| "any letter case, attributes".into()));
    facts.extend(row.suffix.then(|| "name may have a suffix, as in think:6124c78e".into()));
    facts.extend((!row.heading.is_empty()).then(|| format!("with its <{}>", row.heading)));
    facts.extend(row.headers.map(|_| "headers of messages, with channels and recipients".into()));
    facts.extend(row.phrase.then(|| "at the start of a message".into()));
    facts.extend(row.loose.then(|| "spaces between tokens".into()));
    facts.extend(match row.missing_open {
        Missing::Yes => Some("opener may be missing".into()),
        Missing::Alone => Some("opener may be missing if the row is named".into()),
        Missing::No => None,
    });
    facts.extend(row.strict.then(|| "found in code too, pairs only".into()));
    let also: Vec<String> = row.opens.iter().chain(row.closes.iter()).map(|text| shown(text)).collect();
    facts.extend((!also.is_empty()).then(|| format!("also {}", also.join(" "))));
    let labels: Vec<String> = row.labels.iter().map(|text| shown(text)).collect();
    facts.extend((!labels.is_empty()).then(|| format!("label {}", labels.join(" "))));
    let framing = row.framing.iter().any(|text| !text.is_empty());
    facts.extend(framing.then(|| format!("framing {}", row.framing.each_ref().map(|text| shown(text)).join(" / "))));
    facts.extend((!row.wrappers.is_empty()).then(|| format!("answer in {}", pairs(&row.wrappers))));
    facts.extend((!row.markers.is_empty()).then(|| format!("dropped {}", pairs(&row.markers))));
    let tools: Vec<String> = row.tools.iter().map(|(open, _)| shown(open)).collect();
    facts.extend((!tools.is_empty()).then(|| format!("ended by {}", tools.join(" "))));
    facts.extend((!row.default).then(|| "only if named".into()));
    ListItem {
        line: vec![row.name.to_string(), format!("{}…{} ({})", shown(&row.open), shown(&row.close), facts.join("; "))],
        object: object_text(|members| {
            members.string("name", &row.name);
            members.string("open", &row.open);
            members.string("close", &row.close);
            members.flag("word", row.word);
            members.flag("strict", row.strict);
            match row.missing_open {
                Missing::No => members.flag("missing_open", false),
                Missing::Yes => members.flag("missing_open", true),
                Missing::Alone => members.string("missing_open", "alone"),
            }
            members.strings("opens", texts(&row.opens));
            members.strings("closes", texts(&row.closes));
            members.strings("labels", texts(&row.labels));
            members.strings("framing", texts(&row.framing));
            members.flag("suffix", row.suffix);
            members.string("heading", &row.heading);
            members.flag("quoted", row.quoted);
            members.flag("loose", row.loose);
            members.flag("phrase", row.phrase);
            members.flag("headers", row.headers.is_some());
            list_pairs(members, "markers", &row.markers);
            members.flag("default", row.default);
            members.string("unclosed", unclosed);
            members.string("blocks", blocks);
            list_pairs(members, "wrappers", &row.wrappers);
            list_pairs(members, "tools", &row.tools);
            list_pairs(members, "examples", &row.examples);
        }),
    }
}

/// The policy of `strip` that is about a target.
const REPLAY: (&str, &str) =
    ("replay:TARGET", "what a target refuses, and keeps what it demands (`unthink list targets`)");

fn policy((name, removes): &(&str, &str)) -> ListItem {
    let aliases: &[&str] = if *name == "all-but-last" { &["allButLast"] } else { &[] };
    let also = if aliases.is_empty() { String::new() } else { format!("; also {}", aliases.join(", ")) };
    ListItem {
        line: vec![name.to_string(), format!("removes {removes}{also}")],
        object: object_text(|members| {
            members.string("name", name);
            members.strings("aliases", aliases);
            members.string("removes", removes);
        }),
    }
}

/// Line ends made visible.
fn shown(text: &str) -> String {
    text.replace('\n', "\\n")
}

fn pairs(pairs: &Pairs) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(open, close)| if open.is_empty() { shown(close) } else { format!("{open}…{close}") })
        .collect();
    pairs.join(" ")
}

fn setting(row: &settings::Setting) -> ListItem {
    let default = row.default.map(settings::SettingValue::json);
    let kind = match row.kind {
        SettingType::Flag => "boolean",
        SettingType::Count(_) => "integer",
        SettingType::Word(_) => "enum",
        SettingType::Policy => "policy",
    };
    let shown = default.as_deref().map_or("unset", |text| text.trim_matches('"'));
    ListItem {
        line: vec![row.key.into(), format!("{} ({}) [default: {shown}]", row.about, row.kind.allowed())],
        object: object_text(|members| {
            members.string("name", row.key);
            members.string("type", kind);
            members.string("allowed", &row.kind.allowed());
            members.name("default").extend_from_slice(default.as_deref().unwrap_or("null").as_bytes());
            members.string("about", row.about);
        }),
    }
}

fn rule(rule: &Rule) -> ListItem {
    let mut facts = vec![rule.severity.name().to_string()];
    facts.extend(rule.needs.map(|need| format!("with {}", need.option.name())));
    facts.extend((!rule.default && rule.needs.is_none()).then(|| "only if selected".into()));
    facts.extend(rule.fixable.then(|| "strip removes it".into()));
    ListItem {
        line: vec![rule.code.into(), rule.name.into(), format!("{} ({})", rule.finds, facts.join("; "))],
        object: object_text(|members| {
            members.string("code", rule.code);
            members.string("name", rule.name);
            members.string("severity", rule.severity.name());
            members.flag("default", rule.default);
            members.flag("fixable", rule.fixable);
            members.string("finds", rule.finds);
            members.string("why", rule.why);
            members.string("fix", rule.fix);
            members.strings("needs", rule.needs.into_iter().flat_map(RuleNeed::words));
            members.strings("matches", rule.matches);
            members.strings("clean", rule.clean);
        }),
    }
}

/// A family of formats with its products that are not read. `None`: all of them are.
fn unread(format: &Unread) -> Option<ListItem> {
    let is_read = |name: &str| DIALECTS.iter().flat_map(Dialect::product_names).any(|read| read == name);
    let products: Vec<&str> =
        format.products.iter().map(|product| product.name).filter(|name| !is_read(name)).collect();
    if products.is_empty() && !format.products.is_empty() {
        return None;
    }
    let own: Vec<&str> = format.keys.iter().chain(format.kinds).copied().collect();
    let about = match own.as_slice() {
        [] => "keys and types that name reasoning".to_string(),
        own => format!("keys and types that name reasoning, and {}", own.join(", ")),
    };
    let about = match products.as_slice() {
        [] => about,
        [one] if *one == format.name => about,
        all => format!("{about}; {}", all.join(", ")),
    };
    Some(ListItem {
        line: vec![format.name.into(), about],
        object: object_text(|members| {
            members.string("name", format.name);
            members.strings("products", products);
            members.strings("keys", format.keys);
            members.strings("types", format.kinds);
            members.strings("suspect", format.suspect);
            members.strings("clean", format.clean);
        }),
    })
}
