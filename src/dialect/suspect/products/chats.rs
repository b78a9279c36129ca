//! Chat products: exports of accounts, and files of programs with a window.

use super::{Members, Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const CHATS: &[Product] = &[
    Product {
        places: &["/indexedDB/message_blocks/*/content"],
        signs: &[Members(&["/indexedDB/message_blocks"])],
        remedy: "jq 'del(.indexedDB.message_blocks[] | select(.type == \"thinking\"))' FILE",
        examples: &[
            r#"{"time":1785578400000,"indexedDB":{"topics":[],"message_blocks":[{"type":"main_text","content":"Will it rain?"}]}}"#,
        ],
        ..product("Cherry Studio")
    },
    Product {
        signs: &[Words(&["\n- conversationId: ", "\n- exportAt: "])],
        remedy: "grep -v '^{\"type\":\"think\"' FILE",
        examples: &[
            "# Conversation\n- conversationId: c1\n- endpoint: anthropic\n- exportAt: 10:00:00\n\n## History\n",
        ],
        ..product("LibreChat")
    },
    Product {
        places: &["/chat/history/messages/*/content"],
        signs: &[Members(&["/chat/history/messages"])],
        remedy: "jq 'del(.. | objects | select(.type? == \"reasoning\")) | walk(if type == \"string\" then gsub(\"<details type=\\\"reasoning\\\"(.|\\n)*?</details>\\n?\"; \"\") else . end)' FILE",
        examples: &[
            r#"[{"id":"c1","chat":{"history":{"messages":{"u1":{"role":"user","content":"Will it rain?"}},"currentId":"u1"}}}]"#,
        ],
        ..product("Open WebUI")
    },
    Product {
        places: &["/extra/reasoning"],
        signs: &[Members(&["/chat_metadata", "/character_name"]), Members(&["/mes", "/is_user"])],
        examples: &[
            r#"{"user_name":"User","character_name":"Bot","chat_metadata":{}}"#,
            r#"{"name":"User","is_user":true,"mes":"Will it rain?","extra":{}}"#,
        ],
        ..product("SillyTavern")
    },
    Product {
        signs: &[Members(&["/object=thread.message", "/thread_id", "/content/*/text/value"])],
        examples: &[
            r#"{"id":"m1","object":"thread.message","thread_id":"t1","role":"user","content":[{"type":"text","text":{"value":"Will it rain?","annotations":[]}}]}"#,
        ],
        ..product("Jan")
    },
];
