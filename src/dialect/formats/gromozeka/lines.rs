//! Instructions as lines of a prompt, and as the program's own short form of them.

use super::contexts::escaped;
use crate::agents::delegation::prompt_length;
use crate::json::text::{decoded, utf8};
use crate::json::{Token, member};
use crate::model::InstructionForm;

/// How many characters of the instructions for an agent are in the short form.
const SHOWN: usize = 200;

/// The line of an instruction, which is a JSON object. None if no line is known for its type.
pub(super) fn line(form: InstructionForm, instruction: &[u8]) -> Option<Vec<u8>> {
    let get = |name: &str| match member(instruction, 0, name) {
        Some((Token::String(text), _)) => decoded(text.raw(instruction)),
        _ => Vec::new(),
    };
    let class = get("type");
    let xml = form == InstructionForm::Xml;
    // Text from the input must not end an element.
    let text = |name: &str| {
        let text = utf8(&get(name)).into_owned();
        if xml { escaped(&text) } else { text }
    };
    let line_in = |short: String, line: String| Some(if xml { line } else { short });
    let line = match class.rsplit(|b| *b == b'.').next().unwrap_or_default() {
        b"DelegateReasoning" => {
            let prompt = get("agentPrompt");
            let length = prompt_length(&prompt);
            let line = format!("<delegate-reasoning>Specialist active ({length} chars)</delegate-reasoning>");
            line_in(format!("delegate_reasoning:{length}:{}", beginning(&utf8(&prompt))), line)
        }
        b"ReturnControl" => {
            line_in("return_control".into(), "<return-control>Returning to main agent</return-control>".into())
        }
        b"IntermediateReasoning" => {
            line_in("intermediate".into(), "<intermediate>Internal reasoning</intermediate>".into())
        }
        b"user" => line_in("user".into(), "<source>user</source>".into()),
        b"agent" => {
            let tab = text("tabId");
            line_in(format!("agent:{tab}"), format!("<source>agent:{tab}</source>"))
        }
        b"UserInstruction" => {
            let all = [text("id"), text("title"), text("description")].join(":");
            line_in(all.clone(), format!("<user-instruction>{all}</user-instruction>"))
        }
        b"ResponseExpected" => {
            let tab = text("targetTabId");
            let expected = format!("Response Expected:Use tell_agent with target_tab_id: {tab}");
            line_in(
                format!("response_expected:{tab}"),
                format!("<instruction>response_expected:{expected}</instruction>"),
            )
        }
        class => super::contexts::element(class, instruction),
    };
    line.map(String::into_bytes)
}

/// The first characters of a text, in UTF-16 units as the program counts them: a pair is not cut in half.
fn beginning(text: &str) -> &str {
    let mut count = 0;
    let fits = |(_, c): &(usize, char)| {
        count += c.len_utf16();
        count <= SHOWN
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_instructions() {
        for (instruction, xml, short) in [
            (
                r#"{"type":"a.b.DelegateReasoning","agentPrompt":"Look \"here\" é😀"}"#,
                "<delegate-reasoning>Specialist active (15 chars)</delegate-reasoning>",
                "delegate_reasoning:15:Look \"here\" é😀",
            ),
            (
                r#"{"type":"a.ReturnControl"}"#,
                "<return-control>Returning to main agent</return-control>",
                "return_control",
            ),
            (
                r#"{"type":"a.IntermediateReasoning"}"#,
                "<intermediate>Internal reasoning</intermediate>",
                "intermediate",
            ),
            (r#"{"type":"user"}"#, "<source>user</source>", "user"),
            (r#"{"tabId":"<t>","type":"agent"}"#, "<source>agent:&lt;t&gt;</source>", "agent:<t>"),
            (
                r#"{"type":"a.UserInstruction","id":"i","title":"A & B","description":"</user-instruction>"}"#,
                "<user-instruction>i:A &amp; B:&lt;/user-instruction&gt;</user-instruction>",
                "i:A & B:</user-instruction>",
            ),
            (
                r#"{"type":"a.ResponseExpected","targetTabId":"t"}"#,
                "<instruction>response_expected:Response Expected:Use tell_agent with target_tab_id: t</instruction>",
                "response_expected:t",
            ),
        ] {
            let line_in = |form| String::from_utf8(line(form, instruction.as_bytes()).unwrap()).unwrap();
            assert_eq!(line_in(InstructionForm::Xml), xml);
            assert_eq!(line_in(InstructionForm::Short), short);
        }
        assert_eq!(line(InstructionForm::Xml, br#"{"type":"workspace_context"}"#), None);
        assert_eq!(line(InstructionForm::Xml, br#"{"type":"previous_turn_terminated","reason":"OTHER"}"#), None);
        assert_eq!(beginning(&"😀".repeat(101)).chars().count(), 100);
        assert_eq!(beginning(&("a".to_string() + &"😀".repeat(101))).chars().count(), 100);
    }
}
