//! Takes away each key and each case of each row, and each use of a slot, in turn: a case of the tests must fail.
//!
//! Only the commands of the cases are run, by the library. `UNTHINK_MUTATE=NAME` asks for the parts of one row.

#[cfg(test)]
mod tests {
    use crate::dialect::formats::chat;
    use crate::dialect::shape::mutation::{self, RowPart};
    use crate::dialect::shape::{State, To, USES};
    use crate::dialect::{DIALECTS, FACT_TEXTS, Pass, ReadOptions};
    use crate::engine::{Engine, EngineOptions};
    use crate::inline::Tags;
    use crate::out::Sinks;
    use crate::show::{Draw, DrawOptions};
    use crate::show::{Painter, Terminal, TerminalOptions};
    use crate::{ConvertOptions, InputOptions, SplitOptions, StripOptions, TokensOptions};
    use crate::{convert, split, strip, tokens};
    use std::cell::RefCell;
    use std::collections::{HashMap, HashSet};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;
    use std::rc::Rc;

    /// A command of a case, as far as the library has it.
    struct CaseCommand {
        verb: String,
        options: HashMap<String, String>,
        input: Vec<u8>,
    }

    impl CaseCommand {
        fn parse(line: &str, input: String) -> Option<Self> {
            let mut words = line.split(' ');
            let verb =
                words.next().filter(|verb| ["strip", "split", "tokens", "convert", "show"].contains(verb))?.to_string();
            let mut options = HashMap::new();
            while let Some(word) = words.next() {
                let known = ["--to", "--from", "-f", "--policy", "--by", "-o", "--width"].contains(&word);
                options.insert(word.replace("--from", "-f"), words.next().filter(|_| known)?.to_string());
            }
            Some(Self { verb, options, input: input.into_bytes() })
        }

        /// What the command writes and reports.
        fn run(&self) -> String {
            let word = |name: &str| self.options.get(name).cloned();
            let mut input = InputOptions::default();
            input.dialect = word("-f");
            let policy = word("--policy").and_then(|policy| policy.parse().ok());
            match &*self.verb {
                "strip" => {
                    let policy = policy.unwrap_or_default();
                    format!("{:?}", strip(&self.input, &StripOptions { policy, input, ..StripOptions::default() }))
                }
                "split" => format!("{:?}", split(&self.input, &SplitOptions { input, ..SplitOptions::default() })),
                "show" => shown(&self.input),
                "tokens" => format!("{:?}", tokens(&self.input, &TokensOptions { input, ..TokensOptions::default() })),
                _ => {
                    let mut options = ConvertOptions { input, ..ConvertOptions::new(word("--to").unwrap_or_default()) };
                    options.policy = policy.unwrap_or(options.policy);
                    format!("{:?}", convert(&self.input, &options))
                }
            }
        }
    }

    /// What is drawn in a terminal.
    fn shown(input: &[u8]) -> String {
        let painter = Rc::new(RefCell::new(Terminal::new(TerminalOptions::default())));
        let options = DrawOptions { reasoning: true, texts: FACT_TEXTS, input: None };
        let draw = Draw::new(options, Rc::clone(&painter) as Rc<RefCell<dyn Painter>>);
        let options = EngineOptions {
            framing: None,
            read: ReadOptions::default(),
            max_record: 1 << 20,
            stop: false,
            pass: Pass::default(),
        };
        let (mut engine, mut sinks) = (Engine::new(&Tags::default(), options, draw), Sinks::default());
        engine.push(input, &mut sinks);
        engine.finish(&mut sinks);
        painter.borrow_mut().finish(&mut sinks.out);
        String::from_utf8_lossy(&sinks.out).into_owned()
    }

    /// The input of a case, as `tests/it/cases.rs` reads it.
    fn unescape(lines: &[&str]) -> String {
        let text: String = lines.iter().map(|line| format!("{}\n", line.replace("\\r", "\r"))).collect();
        match text.strip_suffix("\n\\\n") {
            Some(text) => text.to_string(),
            None => text,
        }
    }

    /// The cases in the files of a folder and of those in it.
    fn cases(folder: &Path, out: &mut Vec<CaseCommand>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                cases(&path, out);
            } else if path.extension().is_some_and(|end| end == "case") {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines: Vec<&str> = text.lines().collect();
                for (at, line) in lines.iter().enumerate() {
                    let Some(line) = line.strip_prefix("$ unthink ") else { continue };
                    let end = at + 1 + lines[at + 1..].iter().position(|line| line.starts_with("---")).unwrap();
                    out.extend(CaseCommand::parse(line, unescape(&lines[at + 1..end])));
                }
            }
        }
    }

    /// The parts of a row, each with its name: the keys and cases of a state, and of those that it leads to.
    fn parts_of(
        row: &str,
        state: &'static State,
        seen: &mut (HashSet<*const State>, HashSet<RowPart>),
        out: &mut Vec<(RowPart, String)>,
    ) {
        if !seen.0.insert(std::ptr::from_ref(state)) {
            return;
        }
        for key in state.all_keys() {
            let part = RowPart::key(key);
            if seen.1.insert(part) {
                let to = match key.to {
                    To::Is(slot) | To::Into(slot, _) | To::One(slot, _) | To::Either(slot, ..) | To::Each(slot, _) => {
                        format!("{slot:?}")
                    }
                    To::Pass => "pass".into(),
                    To::Lost => "lost".into(),
                    To::Search => "search".into(),
                    To::Same(_) => "same".into(),
                    To::Pairs(..) => "pairs".into(),
                    To::Record => "record".into(),
                };
                out.push((part, format!("{row}: `{}` of {}, {to}, for {:#b}", key.name, state.name, key.json)));
            }
            match key.to {
                To::Same(inner) | To::Into(_, inner) | To::One(_, inner) | To::Each(_, inner) | To::Pairs(_, inner) => {
                    parts_of(row, inner, seen, out);
                }
                To::Either(_, one, other) => [one, other].iter().for_each(|inner| parts_of(row, inner, seen, out)),
                To::Is(_) | To::Record | To::Pass | To::Lost | To::Search => (),
            }
        }
        for (number, case) in state.cases.iter().enumerate() {
            let name = format!("{row}: case {number} of {}, {:?} if {:?}", state.name, case.does, case.when);
            out.push((RowPart::case(state, case), name));
        }
    }

    fn parts() -> Vec<(RowPart, String)> {
        let (mut out, mut seen) = (Vec::new(), Default::default());
        parts_of("chat", &chat::states::RECORD, &mut seen, &mut out);
        for dialect in DIALECTS {
            if let Some(shape) = dialect.shape {
                parts_of(dialect.name, shape.record, &mut seen, &mut out);
            }
        }
        for (meaning, slots) in USES {
            out.extend(
                slots.iter().map(|slot| (RowPart::of(*meaning, *slot), format!("uses: {slot:?} by {meaning:?}"))),
            );
        }
        out
    }

    /// Parts that no case can notice, or that none notices yet, each with the reason why it stands.
    const UNNOTICED: &[(&str, &str)] = &[
        ("claude-code: `toolUseResult` of line, pass", "a line of the user is not searched: it is scanned faster"),
        ("claude-code: `tool_use_result` of line, pass", "the same"),
        ("mew: case 0 of params", "it says which slots are used: the message around it is the call"),
        ("mew: case 0 of context", "the same: the message around it is the operation"),
        ("mew: case 0 of result", "the same: the message around it is the result"),
        ("responses: `error` of record, Error", "no case yet: an error is found by any reader"),
        // Without these, `log-line` reads the record, which then has not the name of its format.
        ("responses: case 0 of item", "it says which format the list is in"),
        ("bedrock: case 9 of record", "it says which service the line is of"),
        ("cherry-studio: case 0 of backup", "it says which program wrote the backup"),
        ("open-webui: case 1 of export", "it says which program wrote the export"),
        // The search exempts the keys that rows of today have for these; another key would need the use.
        ("uses: Calls by Message", "arguments of calls"),
        ("uses: Calls by Response", "the same"),
        ("uses: Marks by Message", "instructions"),
        ("uses: Parts by Message", "identifiers"),
        ("uses: Inner by OtherBlock", "parameters of calls"),
        ("uses: Inner by HostedPiece", "parts of calls"),
        // What goes as reasoning may have anything.
        ("uses: Heading by ReasoningBlock", "a block of reasoning"),
        // Numbers and tokens are never refused.
        ("uses: Shadow by Piece", "the numbers of tokens"),
        ("uses: Shadow by Family", "the same"),
        ("uses: Probabilities by Message", "tokens"),
        ("uses: Probabilities by Piece", "tokens"),
        ("uses: Probabilities by TextBlock", "tokens"),
        ("uses: Probabilities by TextPiece", "tokens"),
        ("uses: Result by MediaBlock", "it stands in messages of the user only"),
        ("uses: Probabilities by Family", "null, which is never refused"),
        ("uses: Shown by Family", "a refusal is a text of its message, which is searched as such"),
        ("uses: Input by Family", "arguments of calls"),
        // What is no text of a part of chat is searched by the part.
        ("uses: Result by Family", "results of calls"),
        ("uses: Seal by Family", "signatures"),
        ("uses: Ciphertext by Family", "the same"),
    ];

    #[test]
    fn a_case_fails_without_each_part_of_a_row() {
        let mut all = Vec::new();
        cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata"), &mut all);
        let runs: Vec<_> = all.iter().map(|case| mutation::without(RowPart::default(), || case.run())).collect();
        let only = std::env::var("UNTHINK_MUTATE").unwrap_or_default();
        let (mut unnoticed, mut used) = (Vec::new(), HashSet::<&str>::new());
        for (part, name) in parts().into_iter().filter(|(_, name)| name.starts_with(&only)) {
            let asks = || all.iter().zip(&runs).filter(|(_, (_, needed))| needed.contains(&part));
            let fails = |(case, (want, _)): (&CaseCommand, &(String, _))| {
                // A row that is not whole may break what is asserted.
                let run = || catch_unwind(AssertUnwindSafe(|| case.run()));
                mutation::without(part, run).0.ok().as_ref() != Some(want)
            };
            // The language has uses that no row of today needs.
            let needed = asks().next().is_some() || !name.starts_with("uses");
            if asks().any(fails) {
                continue;
            }
            match UNNOTICED.iter().find(|(known, _)| name.starts_with(known)) {
                Some((known, _)) => used.extend([known]),
                None if needed => unnoticed.push(format!("{name} ({} cases ask for it)", asks().count())),
                None => (),
            }
        }
        assert!(unnoticed.is_empty(), "{} parts that no case needs:\n{}", unnoticed.len(), unnoticed.join("\n"));
        let stale: Vec<_> = UNNOTICED.iter().filter(|(known, _)| !used.contains(known)).collect();
        assert!(!only.is_empty() || stale.is_empty(), "a case needs these, which are listed as not needed: {stale:?}");
    }
}
