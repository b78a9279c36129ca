//! Coding agents and other programs on a user's machine.

use super::{Members, Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const AGENTS: &[Product] = &[
    Product { places: &["/payload/replacement_history/*/encrypted_content", "/payload/summary"], ..product("Codex") },
    Product {
        signs: &[
            Members(&["/responderUsername", "/requests/*/message", "/requests/*/response"]),
            Members(&["/v/responderUsername", "/v/requests"]),
        ],
        remedy: "jq 'del(.. | objects | select(.kind? == \"thinking\"))' FILE",
        examples: &[
            r#"{"version":3,"requesterUsername":"me","responderUsername":"GitHub Copilot","requests":[{"message":{"text":"Will it rain?"},"response":[{"value":"By noon."}]}]}"#,
        ],
        ..product("Copilot Chat (VS Code)")
    },
    Product {
        signs: &[Words(&["SQLite format 3", "cursorDiskKV"])],
        remedy: "sqlite3 FILE \"SELECT value FROM cursorDiskKV WHERE key LIKE 'bubbleId:%'\" | jq -c 'del(.thinking, .allThinkingBlocks)'",
        examples: &[
            "SQLite format 3\0 CREATE TABLE ItemTable (key TEXT, value BLOB) CREATE TABLE cursorDiskKV (key TEXT, value BLOB)",
        ],
        ..product("Cursor")
    },
    Product {
        signs: &[Words(&["SQLite format 3", "CREATE TABLE ItemTable"])],
        remedy: "sqlite3 FILE \"SELECT value FROM ItemTable WHERE key LIKE '%chat%'\" | unthink check --policy all",
        examples: &["SQLite format 3\0 CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"],
        ..product("VS Code state")
    },
    Product {
        signs: &[Members(&["/meta/cost", "/messages/*/parts"]), Words(&["SQLite format 3", "parts TEXT NOT NULL"])],
        remedy: "jq 'del(.. | objects | select(.type? == \"reasoning\"))' FILE",
        examples: &[
            r#"{"meta":{"id":"s1","cost":0.0},"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"Will it rain?"}]}]}"#,
            "SQLite format 3\0 CREATE TABLE messages (id TEXT PRIMARY KEY, role TEXT NOT NULL, parts TEXT NOT NULL)",
        ],
        ..product("Crush")
    },
    Product {
        signs: &[Words(&["SQLite format 3", "CREATE TABLE [responses]"])],
        remedy: "sqlite3 -json FILE 'SELECT id, prompt, response FROM responses' | unthink strip --field '/response'",
        examples: &[
            "SQLite format 3\0 CREATE TABLE [responses] ([id] TEXT PRIMARY KEY, [prompt] TEXT, [response] TEXT)",
        ],
        ..product("llm (simonw, data base)")
    },
];
