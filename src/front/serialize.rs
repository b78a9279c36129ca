//! How values of other rooms are serialised: by the names that the command prints. The rooms themselves know nothing of it,
//! so that none of their types becomes one more format.

use crate::check::{Excerpt, Severity};
use crate::frame::Framing;
use crate::model::{Loss, Role};
use crate::tokens::BlockKind;
use serde::{Serialize, Serializer, ser::SerializeStruct};

macro_rules! by_name {
    ($($name:ident: $of:expr,)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let name: fn($name) -> &'static str = $of;
                serializer.serialize_str(name(*self))
            }
        }
    )*};
}

by_name! {
    Framing: Framing::name,
    Severity: Severity::name,
    BlockKind: BlockKind::word,
    Loss: Loss::name,
    Role: |role| match role {
        Role::Assistant => "assistant",
        Role::User => "user",
        Role::System => "system",
        Role::Tool => "tool",
    },
}

impl Serialize for Excerpt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Excerpt", 4)?;
        members.serialize_field("before", &self.before)?;
        members.serialize_field("text", &self.text)?;
        members.serialize_field("cut", &self.cut)?;
        members.serialize_field("after", &self.after)?;
        members.end()
    }
}
