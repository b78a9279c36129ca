//! Cline and Roo Code: what their windows show of a task (`ui_messages.json`), which their command lines print by lines.
//!
//! Found in the programs' own code (`ClineMessage` in `src/shared/ExtensionMessage.ts`); not specified. The list is shown, and
//! not sent to a provider again: an element of reasoning goes as a whole. The first text is the task, which nothing but its
//! place says.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, is, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ELEMENT: State = state(
    "element",
    &[
        is("type", STRING, Slot::Type),
        is("say", STRING, Slot::ByUser).beside("say", &["task", "user_feedback"]),
        is("say", STRING, Slot::Subtype),
        is("ask", STRING, Slot::Subtype).beside("ask", &["plan_mode_respond"]),
        is("text", STRING, Slot::Text),
    ],
    &[
        case(&[ty(&["say"]), When::Has(Slot::ByUser)], Does::Message),
        sure(&[ty(&["say"]), When::Is(Slot::Subtype, &["reasoning"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["say"]), When::Is(Slot::Subtype, &["text", "completion_result"])], Does::Block(Kind::Text)),
        // A plan, as JSON, with answers that the user may choose.
        case(&[ty(&["ask"]), When::Is(Slot::Subtype, &["plan_mode_respond"])], Does::Block(Kind::Text)),
        // What the user, tools and the program say, and questions to the user, which have JSON as their text.
        case(&[ty(&["say", "ask"])], Does::Quotes(&["text"])),
    ],
);

const SHAPE: Shape = Shape {
    record: &ELEMENT,
    recognised_by: &[
        Recognition { has: &[("ts", &[]), ("type", &["say"]), ("say", &[])], sure: false },
        Recognition { has: &[("ts", &[]), ("type", &["ask"]), ("ask", &[])], sure: false },
    ],
    items: true,
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "cline",
    aliases: &["roo-code", "cline-ui-messages"],
    about: "Cline and Roo Code: what their windows show of a task",
    products: &[Product {
        signs: &[Sign::Members(&["/ts", "/type=say", "/say"]), Sign::Members(&["/ts", "/type=ask", "/ask"])],
        examples: &[r#"[{"ts":1785578400000,"type":"say","say":"text","text":"Will it rain?"}]"#],
        ..product("Cline or Roo Code (ui_messages)")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
