//! Which tool is to be called.

use super::super::{Json, is_word, member, quoted};
use crate::json::elements;
use crate::json::text::decoded;

/// Which tool a request wants to be called. Names are JSON strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToolChoice {
    /// The model chooses whether to call any.
    Auto,
    /// None.
    Never,
    /// Any of them.
    Any,
    /// This one.
    One(Vec<u8>),
    /// One of these; if the flag is false, or none.
    Of(bool, Vec<Vec<u8>>),
}

/// How a format spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum ChoiceStyle {
    /// A word, or an object with its type, and the tool in an object in it.
    Nested,
    /// The same, with a word of its own for any.
    NestedAny,
    /// A word, or an object with its type and the name.
    Flat,
    /// An object with its type, which also says whether several tools may be called.
    Typed,
    /// An object with a mode in capital letters, and a list of names.
    Mode,
    /// An object with one member, under a key for what it is.
    Keyed,
    /// A word, or an object with a mode and a list of names.
    Allowed,
    /// A word in capital letters.
    Capital,
}

impl ChoiceStyle {
    /// Whether it says in the same place whether several tools may be called.
    pub fn has_parallel(self) -> bool {
        self == Self::Typed
    }
}

/// The names in a list of names, or of objects with a name.
fn names(list: &[u8]) -> Option<Vec<Vec<u8>>> {
    let of = |item: &[u8]| match item.first() {
        Some(b'"') => Some(item.to_vec()),
        _ => name_in(item),
    };
    elements(list, 0).map(|(_, at)| of(&list[at])).collect()
}

/// The name of a function, beside its type or in an object.
fn name_in(tool: &[u8]) -> Option<Vec<u8>> {
    let inner = member(tool, "function");
    member(inner.as_deref().unwrap_or(tool), "name").filter(|name| name.starts_with(b"\""))
}

impl ToolChoice {
    /// Reads a word for it.
    fn of_word(word: &[u8]) -> Option<Self> {
        match &*word.to_ascii_lowercase() {
            b"auto" => Some(Self::Auto),
            b"none" => Some(Self::Never),
            b"any" | b"required" => Some(Self::Any),
            _ => None,
        }
    }

    /// Reads a mode and a list of names: one of them must be called unless the mode says otherwise.
    fn of_mode(mode: &[u8], list: Option<Vec<u8>>) -> Option<Self> {
        let mode = mode.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        let choice = Self::of_word(&decoded(mode))?;
        let mut names = match list {
            Some(list) => names(&list)?,
            None => Vec::new(),
        };
        match (choice, names.len()) {
            (choice, 0) => Some(choice),
            (Self::Any, 1) => names.pop().map(Self::One),
            (Self::Any, _) => Some(Self::Of(true, names)),
            (Self::Auto, _) => Some(Self::Of(false, names)),
            _ => None,
        }
    }

    /// Reads it, however it is spelt.
    pub fn read(value: &[u8]) -> Option<Self> {
        if let [b'"', word @ .., b'"'] = value {
            return Self::of_word(&decoded(word));
        }
        for key in ["functionCallingConfig", "function_calling_config"] {
            if let Some(config) = member(value, key) {
                let list =
                    member(&config, "allowedFunctionNames").or_else(|| member(&config, "allowed_function_names"));
                return Self::of_mode(&member(&config, "mode")?, list);
            }
        }
        if let Some(inner) = member(value, "tool") {
            return name_in(&inner).map(Self::One);
        }
        if let Some(kind) = member(value, "type") {
            if is_word(Some(&kind), "allowed_tools") {
                let inner = member(value, "allowed_tools").unwrap_or_else(|| value.to_vec());
                return Self::of_mode(&member(&inner, "mode")?, member(&inner, "tools"));
            }
            return match is_word(Some(&kind), "function") || is_word(Some(&kind), "tool") {
                true => name_in(value).map(Self::One),
                false => Self::of_word(&decoded(kind.strip_prefix(b"\"")?.strip_suffix(b"\"")?)),
            };
        }
        if let Some(inner) = member(value, "allowed_tools") {
            return Self::of_mode(&member(&inner, "mode")?, member(&inner, "tools"));
        }
        // A request of the first version names the function alone.
        let keyed = ["auto", "any"].into_iter().find(|key| member(value, key).is_some());
        keyed.and_then(|key| Self::of_word(key.as_bytes())).or_else(|| member(value, "name").map(Self::One))
    }

    /// As a format spells it, if it has a spelling for it. `several`: whether several tools may be called, if that is known.
    pub fn written(&self, style: ChoiceStyle, several: Option<&[u8]>) -> Option<Vec<u8>> {
        match style {
            ChoiceStyle::Typed => self.typed(several),
            ChoiceStyle::Mode => self.mode(),
            ChoiceStyle::Keyed => match self {
                Self::Auto => Some(Json::object().raw("auto", b"{}").end()),
                Self::Any => Some(Json::object().raw("any", b"{}").end()),
                Self::One(name) => Some(Json::object().object_in("tool", |json| json.raw("name", name)).end()),
                Self::Never | Self::Of(..) => None,
            },
            ChoiceStyle::Capital => match self {
                Self::Any => Some(quoted(b"REQUIRED")),
                Self::Never => Some(quoted(b"NONE")),
                Self::Auto | Self::One(_) | Self::Of(..) => None,
            },
            _ => self.worded(style),
        }
    }

    /// As a word, or as an object for names.
    fn worded(&self, style: ChoiceStyle) -> Option<Vec<u8>> {
        let any = if matches!(style, ChoiceStyle::NestedAny | ChoiceStyle::Allowed) { "any" } else { "required" };
        let tool = |name: &[u8]| match style {
            ChoiceStyle::Allowed => name.to_vec(),
            ChoiceStyle::Flat => Json::object().word("type", "function").raw("name", name).end(),
            _ => Json::object().word("type", "function").object_in("function", |json| json.raw("name", name)).end(),
        };
        let (must, names) = match self {
            Self::Auto => return Some(quoted(b"auto")),
            Self::Never => return Some(quoted(b"none")),
            Self::Any => return Some(quoted(any.as_bytes())),
            Self::One(name) if style != ChoiceStyle::Allowed => return Some(tool(name)),
            Self::One(name) => (&true, std::slice::from_ref(name)),
            Self::Of(must, names) => (must, names.as_slice()),
        };
        let allowed = |json: Json| {
            let json = json.word("mode", if *must { any } else { "auto" });
            json.list_of("tools", |list| names.iter().fold(list, |list, name| list.item(&tool(name))))
        };
        let typed = Json::object().word("type", "allowed_tools");
        match style {
            ChoiceStyle::Nested => Some(typed.object_in("allowed_tools", allowed).end()),
            ChoiceStyle::Flat => Some(allowed(typed).end()),
            ChoiceStyle::Allowed => Some(Json::object().object_in("allowed_tools", allowed).end()),
            _ => None,
        }
    }

    /// As an object with a type.
    fn typed(&self, several: Option<&[u8]>) -> Option<Vec<u8>> {
        let (kind, name) = match self {
            Self::Auto => ("auto", None),
            Self::Never => ("none", None),
            Self::Any => ("any", None),
            Self::One(name) => ("tool", Some(name.as_slice())),
            Self::Of(..) => return None,
        };
        let single = several.filter(|_| *self != Self::Never);
        let single = single.map(|several| if several == b"false" { &b"true"[..] } else { b"false" });
        let json = Json::object().word("type", kind).some("name", name);
        Some(json.some("disable_parallel_tool_use", single).end())
    }

    /// As an object with a mode and a list of names.
    fn mode(&self) -> Option<Vec<u8>> {
        let (mode, names) = match self {
            Self::Auto => ("AUTO", &[][..]),
            Self::Never => ("NONE", &[][..]),
            Self::Any => ("ANY", &[][..]),
            Self::One(name) => ("ANY", std::slice::from_ref(name)),
            Self::Of(true, names) => ("ANY", names.as_slice()),
            Self::Of(false, _) => return None,
        };
        let json = Json::object().word("mode", mode);
        Some(match names {
            [] => json.end(),
            names => json.list_of("allowedFunctionNames", |list| list.items(names)).end(),
        })
    }
}
