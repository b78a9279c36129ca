//! Data sets, by the names of their columns.

use super::{Members, Product, product};

pub(in crate::dialect::suspect) const SETS: &[Product] = &[
    Product {
        signs: &[Members(&["/question", "/thinking_trajectories"])],
        examples: &[r#"{"question":"2+2?","thinking_trajectories":["Two and two."],"attempt":"4"}"#],
        ..product("s1K data set")
    },
    Product {
        signs: &[Members(&["/problem", "/generations"])],
        examples: &[r#"{"problem":"2+2?","solution":"4","generations":["4"],"correctness_math_verify":[true]}"#],
        ..product("OpenR1 data set")
    },
    Product {
        signs: &[Members(&["/prompt", "/chosen", "/rejected"])],
        examples: &[r#"{"prompt":"2+2?","chosen":"4","rejected":"5"}"#],
        ..product("preference data set")
    },
    Product {
        signs: &[Members(&["/prompt", "/completion"])],
        examples: &[r#"{"prompt":"2+2?","completion":"4"}"#],
        ..product("prompt and completion data set")
    },
    Product {
        signs: &[Members(&["/instruction", "/output"])],
        examples: &[r#"{"instruction":"2+2?","input":"","output":"4"}"#],
        ..product("Alpaca data set")
    },
    Product {
        signs: &[Members(&["/question", "/answer"]), Members(&["/question", "/response"])],
        examples: &[r#"{"question":"2+2?","answer":"Two and two.\n#### 4"}"#],
        ..product("question and answer data set")
    },
];
