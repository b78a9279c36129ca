//! Coze: the events of its chat API.
//!
//! Specified by its documentation ("Streaming response of the Chat API"). Only the name of an event says whether its message is a
//! piece or, once more, the whole.

use crate::dialect::product::product;
use crate::dialect::shape::{BASE, Does, Kind, STRING, Shape, Slot, State, When, is, state, sure};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static MESSAGE: State = state(
    "message",
    &[
        is("id", STRING, Slot::Id).beside("type", &[]),
        is("status", STRING, Slot::Stop),
        is("type", STRING, Slot::Subtype),
        is("content", STRING, Slot::Text),
        is("reasoning_content", STRING, Slot::Thought),
    ],
    &[
        sure(
            &[When::Event(&["conversation.message.delta"]), When::Is(Slot::Subtype, &["answer"])],
            Does::Feed(Some(Kind::Text)),
        ),
        sure(
            &[When::Event(&["conversation.message.completed"]), When::Is(Slot::Subtype, &["answer"])],
            Does::Repeat(Some(Kind::Text)),
        ),
        sure(&[When::Event(&["conversation.chat.completed"])], Does::End),
    ],
);

const SHAPE: Shape = Shape {
    record: &MESSAGE,
    events: &["conversation.message.delta", "conversation.message.completed", "conversation.chat.completed"],
    keys: &["reasoning_content"],
    by_id: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "coze",
    aliases: &["coze-chat"],
    about: "Coze: the events of its chat API, with reasoning_content",
    products: &[product("Coze")],
    framings: &[Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
