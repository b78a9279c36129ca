//! Reads messages and items of all shapes by the same code, since real files mix them, and makes conversations of them.
//! Which shape a conversation has is told by what only one of them has.

use super::conversation::{
    MessageSender, RequestBlock, RequestConversation, RequestItemKind, RequestMessage, RequestOrigin, RequestPart,
};
use super::few::Few;
use super::parse::Inner;
use super::targets::RequestShape;
use super::value::{Object, Value};

/// Whether an object is an item, and no message.
pub fn is_item(object: &Object<'_>) -> bool {
    let kinds = ["reasoning", "function_call", "function_call_output", "item_reference"];
    object.has("call_id") || kinds.iter().any(|kind| object.says("type", kind))
}

/// A conversation of these messages.
pub fn conversation<'a>(
    shape: Option<RequestShape>,
    origin: RequestOrigin,
    messages: Vec<RequestMessage<'a>>,
    record: u64,
) -> RequestConversation<'a> {
    let shape = shape.or_else(|| shape_of(&messages));
    let mut thoughts = Vec::new();
    for (number, message) in messages.iter().enumerate().filter(|(_, message)| message.is_assistant()) {
        let blocks = message.blocks.iter().enumerate().filter(|(_, block)| block.thinks());
        thoughts.extend(blocks.map(|(block, _)| (number, block)));
    }
    RequestConversation { shape, origin, root: None, list: None, messages, thoughts, record, model: None }
}

/// The shape of messages, if they have what only one shape has.
fn shape_of(messages: &[RequestMessage<'_>]) -> Option<RequestShape> {
    let any = |is: &dyn Fn(&RequestMessage<'_>) -> bool| messages.iter().any(is);
    let block = |is: &dyn Fn(&RequestBlock<'_>) -> bool| any(&|message| message.blocks.iter().any(is));
    let untyped = |block: &RequestBlock<'_>| !block.object.has("type") && block.kind != RequestItemKind::Other;
    match () {
        () if any(&|message| message.object().has("parts")) => Some(RequestShape::Contents),
        () if block(&untyped) => Some(RequestShape::Converse),
        () if any(&|message| message.object().has("tool_calls") || message.role == MessageSender::Tool) => {
            Some(RequestShape::Chat)
        }
        () if block(&|block| {
            matches!(block.kind, RequestItemKind::Call | RequestItemKind::Result | RequestItemKind::Redacted)
        }) =>
        {
            Some(RequestShape::Blocks)
        }
        () => None,
    }
}

/// Reads a message or an item.
pub fn message<'a>(object: Object<'a>, line: Option<usize>) -> RequestMessage<'a> {
    let (role, kind, part) = (role(&object), item(&object), RequestPart { object, line });
    let blocks = blocks(part.content());
    RequestMessage { role, kind, parts: Few::of(part), blocks }
}

/// Reads a message or an item of a log, of which a part was read before.
pub fn message_of<'a>(mut inner: Inner<'a>, line: usize) -> RequestMessage<'a> {
    let (role, kind) = (role(&inner.object), item(&inner.object));
    let content = inner.object.first(&["content", "parts"]).map(|(_, content)| content);
    let known = content.and_then(|content| inner.blocks_of(content));
    let blocks = known.unwrap_or_else(|| blocks(content));
    RequestMessage { role, kind, parts: Few::of(RequestPart { object: inner.object, line: Some(line) }), blocks }
}

/// The blocks of a list.
fn blocks(content: Option<Value<'_>>) -> Few<RequestBlock<'_>> {
    content
        .into_iter()
        .flat_map(Value::list)
        .filter_map(Value::object)
        .map(|object| RequestBlock { kind: RequestItemKind::of_block(&object), object })
        .collect()
}

fn role(object: &Object<'_>) -> MessageSender {
    match object.get("role").map(Value::bytes).as_deref() {
        Some(b"user") => MessageSender::User,
        Some(b"assistant" | b"model") => MessageSender::Assistant,
        Some(b"tool" | b"function") => MessageSender::Tool,
        Some(b"system" | b"developer") => MessageSender::System,
        // A content without a role is the user's.
        None if object.has("parts") => MessageSender::User,
        None => match item(object) {
            RequestItemKind::Thinking | RequestItemKind::Call => MessageSender::Assistant,
            RequestItemKind::Result => MessageSender::Tool,
            _ => MessageSender::Other,
        },
        Some(_) => MessageSender::Other,
    }
}

/// What an item is.
fn item(object: &Object<'_>) -> RequestItemKind {
    let Some(kind) = object.get("type").filter(|_| !object.has("parts")) else { return RequestItemKind::Text };
    match kind.bytes().as_ref() {
        b"message" => RequestItemKind::Text,
        b"reasoning" => RequestItemKind::Thinking,
        b"item_reference" => RequestItemKind::Reference,
        call if call.ends_with(b"_call") => RequestItemKind::Call,
        output if output.ends_with(b"_output") => RequestItemKind::Result,
        _ if object.has("role") => RequestItemKind::Text,
        _ => RequestItemKind::Other,
    }
}
