//! Data sets, by the names of their columns.

use super::{Members, Product, product};

pub(in crate::dialect::suspect) const SETS: &[Product] = &[Product {
    signs: &[Members(&["/question", "/answer"]), Members(&["/question", "/response"])],
    examples: &[r#"{"question":"2+2?","answer":"Two and two.\n#### 4"}"#],
    ..product("question and answer data set")
}];
