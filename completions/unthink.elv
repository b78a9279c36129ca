
use builtin;
use str;

set edit:completion:arg-completer[unthink] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'unthink'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'unthink'= {
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --close 'Where a block ends'
            cand --start 'What a message begins with'
            cand --blocks 'Which blocks of a message count [default: as the tag''s row says]'
            cand --marker 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand strip 'Apply a strip policy; every byte that it does not remove is unchanged'
            cand split 'Separate visible text from reasoning'
            cand convert 'Write the same conversation in another dialect'
            cand tokens 'Report token estimates, raw and effective'
            cand profile 'Show, check and save the settings in force'
            cand list 'List what the program knows: dialects, tags, policies, settings, rules'
            cand completions 'Print completions for a shell'
            cand man 'Print the manual page'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unthink;strip'= {
            cand -p 'Which reasoning goes: none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N [default: what the settings say, which by themselves remove all of it]'
            cand --policy 'Which reasoning goes: none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N [default: what the settings say, which by themselves remove all of it]'
            cand --unit 'What all-but-last counts'
            cand --empty 'What happens to a message that is left without content'
            cand --close 'Where a block ends'
            cand --start 'What a message begins with'
            cand --blocks 'Which blocks of a message count [default: as the tag''s row says]'
            cand --marker 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --stats 'Say on stderr how much was removed'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;split'= {
            cand -o 'Output form: json is one object per assistant message, text the visible text only, events and sse a live stream of words [default: json, with --only text]'
            cand --output 'Output form: json is one object per assistant message, text the visible text only, events and sse a live stream of words [default: json, with --only text]'
            cand --only 'Write the visible text or the reasoning only'
            cand --reasoning-to 'With -o text: write the reasoning to stderr or to a file'
            cand --field 'Split the string at this JSON Pointer in any JSON record; repeatable'
            cand --join 'What stands between several blocks'
            cand --close 'Where a block ends'
            cand --start 'What a message begins with'
            cand --blocks 'Which blocks of a message count [default: as the tag''s row says]'
            cand --marker 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --verbatim 'Keep the white space just inside tags'
            cand --postproc 'Postprocess the text as `-o events` does, by the settings `llm.postproc.*`'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;convert'= {
            cand -t 'What to convert to: reasoning-content, reasoning, thinking-block or tagged'
            cand --to 'What to convert to: reasoning-content, reasoning, thinking-block or tagged'
            cand --report-loss 'Write each loss to this file, as JSON lines'
            cand --close 'Where a block ends'
            cand --start 'What a message begins with'
            cand --blocks 'Which blocks of a message count [default: as the tag''s row says]'
            cand --marker 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --escape 'With --to tagged: escape a closing tag that stands in the reasoning; otherwise the record is refused'
            cand --strict 'Something that the dialect cannot hold makes the status 3'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;tokens'= {
            cand -m 'How tokens are counted'
            cand --method 'How tokens are counted'
            cand --by 'What a row is about'
            cand --limit 'Size of the context in tokens: adds the share of it that is used, by the effective count'
            cand --compress-at 'Share of the context from which on compression is due'
            cand -o 'Output form [default: table on a terminal, jsonl in a pipe]'
            cand --output 'Output form [default: table on a terminal, jsonl in a pipe]'
            cand --close 'Where a block ends'
            cand --start 'What a message begins with'
            cand --blocks 'Which blocks of a message count [default: as the tag''s row says]'
            cand --marker 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --total 'Write a total behind the rows'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;profile'= {
            cand -o 'Output form [default: table on a terminal, else json]'
            cand --output 'Output form [default: table on a terminal, else json]'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --check 'Print no settings: only the exit status says whether they are right'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;list'= {
            cand -o 'Output form'
            cand --output 'Output form'
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;completions'= {
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;man'= {
            cand -f 'Input dialect; `auto` looks at each record'
            cand --from 'Input dialect; `auto` looks at each record'
            cand --framing 'Input framing'
            cand --tag 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]'
            cand --unclosed 'What an opener without a closer means [default: as the tag''s row says]'
            cand --profile 'Read settings from this file: JSON, flat or under ephemeralSettings'
            cand --set 'Set one setting, a row of `list settings`; repeatable; wins over --profile'
            cand --on-error 'What to do with a record that cannot be understood'
            cand --rejects 'Keep records that were skipped in this file'
            cand --max-record 'Longest record held in memory, in bytes; K, M and G are powers of 1024'
            cand --color 'When to colour messages; NO_COLOR and CLICOLOR_FORCE are respected'
            cand --allow-unstripped 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
            cand -q 'Fewer notes on stderr'
            cand --quiet 'Fewer notes on stderr'
            cand -v 'More notes on stderr'
            cand --verbose 'More notes on stderr'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'unthink;help'= {
            cand strip 'Apply a strip policy; every byte that it does not remove is unchanged'
            cand split 'Separate visible text from reasoning'
            cand convert 'Write the same conversation in another dialect'
            cand tokens 'Report token estimates, raw and effective'
            cand profile 'Show, check and save the settings in force'
            cand list 'List what the program knows: dialects, tags, policies, settings, rules'
            cand completions 'Print completions for a shell'
            cand man 'Print the manual page'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unthink;help;strip'= {
        }
        &'unthink;help;split'= {
        }
        &'unthink;help;convert'= {
        }
        &'unthink;help;tokens'= {
        }
        &'unthink;help;profile'= {
        }
        &'unthink;help;list'= {
        }
        &'unthink;help;completions'= {
        }
        &'unthink;help;man'= {
        }
        &'unthink;help;help'= {
        }
    ]
    $completions[$command]
}
