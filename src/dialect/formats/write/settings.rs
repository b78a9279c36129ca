//! The settings of a request: the same under different names, at different places, and some spelt differently.

mod choice;
mod known;
mod layout;

use super::{Json, Tools, elements, is_word, tools};
use crate::json::text::decoded;
use crate::json::{Literal, Token, is_filled, member, members};
use crate::model::content::{Attribute, HeadFact, RecordHead};
use crate::model::{Loss, Losses};
pub(in crate::dialect) use choice::ChoiceStyle;
use choice::ToolChoice;
use known::{KnownSetting, known};
use layout::AnswerLayout;
pub(in crate::dialect) use layout::LayoutStyle;
use std::ops::Range;

/// A setting that has one value, which formats spell alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum RequestSetting {
    Temperature,
    TopP,
    TopK,
    Seed,
    Frequency,
    Presence,
    /// The texts that end the answer, as a list.
    Stop,
    /// Whether several tools may be called at once.
    Parallel,
    /// How hard the model thinks, in a word.
    Effort,
    /// How many tokens it may think.
    Budget,
    /// Whether it thinks at all, or as it sees fit, as an object with a type.
    Mode,
    /// How long the answer is, in a word.
    Verbosity,
    /// Who uses the program, as an identifier.
    User,
}

/// Where a format has the settings of a request, and how it spells them. Each place is a path of keys in the request. What is not
/// listed is a loss.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct RequestSettings {
    /// How it has the tools, and where.
    pub tools: Option<(Tools, &'static str)>,
    /// The token limit of the answer, if it stands among the settings.
    pub limit: Option<&'static str>,
    /// The settings with one value.
    pub names: &'static [(RequestSetting, &'static str)],
    /// The words that it has for how hard the model thinks.
    pub efforts: &'static [&'static str],
    /// The fewest tokens that the model may be told to think. Its service takes them only where they are fewer than those of the
    /// answer, nothing is said of how tokens are chosen, and no tool is called whose call it has not signed.
    pub least_budget: Option<u64>,
    /// Which tool is to be called.
    pub choice: Option<(ChoiceStyle, &'static str)>,
    /// The layout of the answer: JSON, after a schema.
    pub layout: Option<(LayoutStyle, &'static str)>,
    /// Further members of a request that the format knows. They stand in the request itself.
    pub beside: &'static [&'static str],
    /// Those that only this format has: requests that say so by nothing else are read as those of others.
    pub own: &'static [&'static str],
}

/// A format that has none.
pub(in crate::dialect) const NO_SETTINGS: RequestSettings = RequestSettings {
    tools: None,
    limit: None,
    names: &[],
    efforts: &[],
    least_budget: None,
    choice: None,
    layout: None,
    beside: &[],
    own: &[],
};

/// The settings that stand beside the messages in Chat Completions.
pub(in crate::dialect) const CHAT_SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Nested, "tools")),
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "top_p"),
        (RequestSetting::Seed, "seed"),
        (RequestSetting::Frequency, "frequency_penalty"),
        (RequestSetting::Presence, "presence_penalty"),
        (RequestSetting::Stop, "stop"),
        (RequestSetting::Parallel, "parallel_tool_calls"),
        (RequestSetting::Effort, "reasoning_effort"),
        (RequestSetting::Verbosity, "verbosity"),
        (RequestSetting::User, "user"),
    ],
    efforts: EFFORTS,
    choice: Some((ChoiceStyle::Nested, "tool_choice")),
    layout: Some((LayoutStyle::Nested, "response_format")),
    beside: &["stream", "metadata", "store", "service_tier"],
    ..NO_SETTINGS
};

/// The token limit of an answer where a format demands one and the request has none.
pub(in crate::dialect) const DEFAULT_LIMIT: &[u8] = b"4096";

/// All words for how hard a model thinks.
pub(in crate::dialect) const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh"];

/// Whether the settings say that a request is sent to a provider: conversations in a file have a model at most. Where the model stands
/// in the address, the others say it.
pub(in crate::dialect) fn is_request(head: &RecordHead) -> bool {
    const SAID: &[&[u8]] = &[
        b"temperature",
        b"top_p",
        b"topP",
        b"p",
        b"stopSequences",
        b"toolConfig",
        b"thinkingConfig",
        b"responseSchema",
    ];
    let says = |fact: &HeadFact| fact.name == Attribute::Parameter && SAID.contains(&&*decoded(&fact.key));
    head.get(Attribute::Model).or(head.get(Attribute::Limit)).is_some() || head.facts.iter().any(says)
}

/// The settings of a request while they are written.
struct SettingsWriter<'t> {
    to: &'t RequestSettings,
    head: &'t RecordHead,
    json: Json,
    /// Those in objects of the request, by their paths, in order.
    inner: Vec<(&'static str, Vec<u8>)>,
    /// It is sent to a provider.
    asks: bool,
    /// Some tool is written. Without one, providers refuse settings about tools.
    callable: bool,
    /// Those that are written.
    set: Vec<RequestSetting>,
    /// Which tool is to be called, and whether several may be: some formats have both in one object.
    choice: Option<(ToolChoice, Option<u64>)>,
    parallel: Option<(Vec<u8>, Option<u64>)>,
    /// The layout of the answer, which some formats have in several members.
    layout: Option<(AnswerLayout, Option<u64>)>,
}

impl SettingsWriter<'_> {
    /// Writes a member: in the request itself at once, so that members keep their order.
    fn put(mut self, path: &'static str, value: &[u8]) -> Self {
        match path.contains('/') {
            true => self.inner.push((path, value.to_vec())),
            false => self.json = self.json.raw(path, value),
        }
        self
    }

    /// Writes a setting that has one value.
    fn one(mut self, setting: RequestSetting, value: &[u8], losses: &mut Losses) -> Self {
        let place = self.to.names.iter().find(|(name, _)| *name == setting).map(|(_, place)| *place);
        let has_word = |efforts: &[&str]| efforts.iter().any(|word| is_word(Some(value), word));
        let fits = match setting {
            RequestSetting::Effort => has_word(self.to.efforts),
            RequestSetting::Budget => self.may_think(value),
            RequestSetting::Parallel => self.callable,
            // In a row of a data set it may be what somebody has asked.
            RequestSetting::User => self.asks,
            _ => true,
        };
        match place.filter(|place| fits && !self.is_said(setting, place) && !self.set.contains(&setting)) {
            Some(place) => {
                self.set.push(setting);
                // An object that says only that has a type.
                let typed = place.starts_with("thinking/");
                let all = if typed { self.put("thinking/type", b"\"enabled\"") } else { self };
                all.put(place, value)
            }
            None => {
                losses.push(Loss::Parameter);
                self
            }
        }
    }

    /// Whether the object that a setting stands in says it in another word: how hard the model thinks, and how long.
    fn is_said(&self, setting: RequestSetting, place: &str) -> bool {
        let twin = match setting {
            RequestSetting::Effort => RequestSetting::Budget,
            RequestSetting::Budget => RequestSetting::Effort,
            _ => return false,
        };
        let in_object = |(name, other): &(RequestSetting, &'static str)| {
            let object = other.rsplit_once('/').map(|(object, _)| object);
            *name == twin && object.is_some() && object == place.rsplit_once('/').map(|(object, _)| object)
        };
        self.set.contains(&twin) && self.to.names.iter().any(in_object)
    }

    /// Whether the service takes this many tokens to think.
    fn may_think(&self, budget: &[u8]) -> bool {
        let Some(least) = self.to.least_budget else { return true };
        let number = |value: &[u8]| std::str::from_utf8(value).ok()?.parse::<u64>().ok();
        let limit = number(self.head.get(Attribute::Limit).unwrap_or(DEFAULT_LIMIT));
        let samples =
            |fact: &HeadFact| matches!(&*decoded(&fact.key), b"temperature" | b"top_p" | b"topP" | b"top_k" | b"topK");
        let free = !self.callable && !self.head.facts.iter().any(samples);
        let enough = |budget| budget >= least && limit.is_some_and(|limit| budget < limit);
        free && number(budget).is_some_and(enough)
    }

    /// Takes what is known of a member.
    fn take(mut self, found: KnownSetting, at: Option<u64>, losses: &mut Losses) -> Self {
        let of_choice = matches!(self.to.choice, Some((style, _)) if style.has_parallel());
        match found {
            KnownSetting::One(RequestSetting::Parallel, value) if of_choice && self.parallel.is_none() => {
                self.parallel = Some((value, at));
            }
            KnownSetting::One(setting, value) => return self.one(setting, &value, losses),
            KnownSetting::Choice(choice) if self.choice.is_none() => self.choice = Some((choice, at)),
            KnownSetting::Layout(layout) if self.layout.as_ref().is_none_or(|(known, _)| known.grows_to(&layout)) => {
                self.layout = Some((layout, at));
            }
            KnownSetting::Layout(AnswerLayout::Json) if matches!(self.layout, Some((AnswerLayout::Schema(_), _))) => (),
            KnownSetting::Choice(_) | KnownSetting::Layout(_) => losses.push(Loss::Parameter),
        }
        self
    }

    /// Writes what was kept to the end.
    fn end(mut self, losses: &mut Losses) -> Json {
        let (choice, parallel, layout) = (self.choice.take(), self.parallel.take(), self.layout.take());
        let several = parallel.as_ref().map(|(value, _)| value.as_slice());
        // One object may say both.
        let both = choice.is_some() && parallel.is_some();
        let implied = parallel.as_ref().map(|(_, at)| (ToolChoice::Auto, *at)).filter(|_| choice.is_none());
        if let Some((choice, at)) = choice.or(implied) {
            losses.outside(at);
            let place = self.to.choice.filter(|_| self.callable);
            match place.and_then(|(style, place)| Some((place, choice.written(style, several)?))) {
                Some((place, value)) => {
                    losses.extend((choice == ToolChoice::Never && parallel.is_some()).then_some(Loss::Parameter));
                    self = self.put(place, &value);
                }
                None => {
                    losses.push(Loss::Parameter);
                    losses.extend(both.then_some(Loss::Parameter));
                }
            }
        }
        if let Some((layout, at)) = layout {
            losses.outside(at);
            let members = self.to.layout.map(|(style, place)| layout.written(style, place, losses)).unwrap_or_default();
            losses.extend(members.is_empty().then_some(Loss::Parameter));
            self = members.into_iter().fold(self, |all, (place, value)| all.put(place, &value));
        }
        losses.outside(None);
        let inner: Vec<(&str, &[u8])> = self.inner.iter().map(|(path, value)| (*path, value.as_slice())).collect();
        nested(self.json, &inner)
    }
}

/// Writes members by their paths, those with the same beginning in one object.
fn nested<'m>(json: Json, members: &[(&'m str, &'m [u8])]) -> Json {
    let mut groups: Vec<&str> = Vec::new();
    members.iter().fold(json, |json, (path, value)| {
        let Some((group, _)) = path.split_once('/') else { return json.raw(path, value) };
        if groups.contains(&group) {
            return json;
        }
        groups.push(group);
        let rest = |(path, value): &(&'m str, &'m [u8])| {
            let (name, rest) = path.split_once('/')?;
            (name == group).then_some((rest, *value))
        };
        let inside: Vec<(&str, &[u8])> = members.iter().filter_map(rest).collect();
        json.object_in(group, |json| nested(json, &inside))
    })
}

/// Adds the losses of parts of the instructions that have more than a text.
fn lost_of_system(head: &RecordHead, losses: &mut Losses) {
    let Some(value @ [b'[', ..]) = head.get(Attribute::System) else { return };
    let more = |part: &Range<usize>| {
        let is_more = |(key, _, member): (Literal, Token, Range<usize>)| {
            is_filled(&value[member]) && !["type", "text"].iter().any(|name| key.is(value, name))
        };
        // A part without a text is a place where a cache may begin.
        member(value, part.start, "text").is_some() && members(value, part.start).any(is_more)
    };
    losses.extend(elements(value, 0).filter(|(_, part)| more(part)).map(|_| Loss::Extra));
}

/// Writes the settings of a request where a format has them, and the members that stay beside it; the others are losses.
pub(in crate::dialect) fn settings(json: Json, head: &RecordHead, to: &RequestSettings, losses: &mut Losses) -> Json {
    let is_request = is_request(head);
    lost_of_system(head, losses);
    // The request may be large: its keys are collected once, where other members may be added.
    let mut own = None;
    let (inner, set) = (Vec::new(), Vec::new());
    let mut all = SettingsWriter {
        to,
        head,
        json,
        inner,
        asks: is_request,
        callable: false,
        set,
        choice: None,
        parallel: None,
        layout: None,
    };
    if let Some((form, place)) = to.tools
        && let Some(written) = head.get(Attribute::Tools).and_then(|value| tools(value, form, losses))
    {
        all.callable = true;
        let declared = || Json::list().item(&Json::object().raw("functionDeclarations", &written).end()).end();
        let written = if form == Tools::Declared { declared() } else { written };
        all = all.put(place, &written);
    }
    if let Some((place, value)) = to.limit.and_then(|place| Some((place, head.get(Attribute::Limit)?))) {
        all = all.put(place, value);
    }
    for HeadFact { name, key, value, at } in &head.facts {
        losses.outside(*at);
        let plain = decoded(key);
        // A member that both formats have stays as it is.
        let asked = matches!(name, Attribute::Parameter) || matches!(name, Attribute::Extra) && is_request;
        let known_here = if *name == Attribute::Parameter { to.beside } else { &[] };
        let stays = known_here.iter().chain(to.own).find(|word| asked && word.as_bytes() == plain);
        if let Some(found) = (asked && stays.is_none()).then(|| known(&plain, value, losses)).flatten() {
            all = found.into_iter().fold(all, |all, found| all.take(found, *at, losses));
            continue;
        }
        match name {
            // A provider refuses unknown parameters. A file of conversations may have other members.
            Attribute::Parameter | Attribute::Extra if asked => match stays {
                Some(name) => all.json = all.json.raw(name, value),
                None => losses.push(Loss::Parameter),
            },
            Attribute::Extra if !own.get_or_insert_with(|| all.json.keys()).insert(plain.clone()) => {
                losses.push(Loss::Parameter);
            }
            Attribute::Extra => all.json = all.json.raw(&String::from_utf8_lossy(key), value),
            _ => (),
        }
    }
    all.end(losses)
}
