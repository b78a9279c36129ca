//! The lists of what options name: formats, rows of the tag table, rules of `check`, targets of `check --target` and their rules.
//! An option takes the name of an item, or the item.

/// What an item has in common with its name.
macro_rules! is_its_name {
    ($info:ident.$name:ident) => {
        impl PartialEq for $info {
            fn eq(&self, other: &Self) -> bool {
                self.0.$name == other.0.$name
            }
        }

        impl Eq for $info {}

        impl std::hash::Hash for $info {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.$name.hash(state);
            }
        }

        impl std::fmt::Debug for $info {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($info)).field(&self.0.$name).finish()
            }
        }

        impl std::fmt::Display for $info {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0.$name)
            }
        }

        impl AsRef<str> for $info {
            fn as_ref(&self) -> &str {
                &self.0.$name
            }
        }

        impl From<$info> for String {
            fn from(item: $info) -> String {
                item.0.$name.to_string()
            }
        }
    };
}

mod dialects;
mod rules;
mod tags;
mod targets;

pub use dialects::{DialectInfo, dialects};
pub use rules::{RuleInfo, rules};
pub use tags::{TagInfo, tags};
pub use targets::{TargetInfo, TargetRuleInfo, targets};
