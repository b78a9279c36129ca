//! Which requests providers accept, as far as reasoning decides it: rules about targets, and the least repair.
//!
//! A rule and a target are rows of tables ([`rules`](mod@rules), [`targets`]). A text is read into conversations whose
//! parts know their places in it (`read`); rules are asked about each conversation (`judge`), and what they find has
//! edits of the text with it (`edit`). A repair makes the first edits that any finding has, and asks all rules again,
//! until none has any left (`repair`).
//!
//! Rules age: each has the day on which it was known last. None of them was tried out with a provider by this program.

mod case;
mod conversation;
mod edit;
mod envelope;
#[cfg(feature = "cli")]
mod explain;
mod few;
mod judge;
mod message;
mod model;
mod parse;
mod read;
mod repair;
pub mod rules;
mod session;
mod signs;
pub mod targets;
mod value;

#[cfg(feature = "cli")]
pub use case::Need;
pub use case::{Fill, ForeignThoughts};
#[cfg(feature = "cli")]
pub use explain::{Explained, explain};
#[cfg(feature = "cli")]
pub use judge::{Judged, places};
pub use judge::{RequestFinding, ShownFindings, UnjudgedRecord, judge, shown};
#[cfg(feature = "cli")]
pub use model::Model;
#[cfg(feature = "cli")]
pub use repair::{Gone, RepairedText};
pub use repair::{Repairs, repair};
#[cfg(feature = "cli")]
pub use targets::RequestShape;
pub use targets::Target;
