
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'unthink' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'unthink'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'unthink' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('strip', 'strip', [CompletionResultType]::ParameterValue, 'Apply a strip policy; every byte that it does not remove is unchanged')
            [CompletionResult]::new('split', 'split', [CompletionResultType]::ParameterValue, 'Separate visible text from reasoning')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write the same conversation in another dialect')
            [CompletionResult]::new('tokens', 'tokens', [CompletionResultType]::ParameterValue, 'Report token estimates, raw and effective')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for leaked or malformed reasoning: status 1 if there is some')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Draw a conversation for a person')
            [CompletionResult]::new('profile', 'profile', [CompletionResultType]::ParameterValue, 'Show, check and save the settings in force')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what the program knows: dialects, tags, policies, settings, rules, formats that are not read')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a page of the manual')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unthink;strip' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Which reasoning goes: none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N [default: what the settings say, which by themselves remove all of it]')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'Which reasoning goes: none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N [default: what the settings say, which by themselves remove all of it]')
            [CompletionResult]::new('--unit', '--unit', [CompletionResultType]::ParameterName, 'What all-but-last counts')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Only what stands in this context: a name or a path of MEW''s reasoning sequences (a/b), with all that stands in it; repeatable')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only the reasoning of this agent, in a log in which several speak; repeatable')
            [CompletionResult]::new('--empty', '--empty', [CompletionResultType]::ParameterName, 'What happens to a message that is left without content')
            [CompletionResult]::new('--field', '--field', [CompletionResultType]::ParameterName, 'Strip the string at this JSON Pointer in any JSON record, and nothing else of it; repeatable; a step * is every member or element')
            [CompletionResult]::new('--drop', '--drop', [CompletionResultType]::ParameterName, 'Remove the member at this JSON Pointer from any JSON record, and nothing else of it; repeatable')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Write what is left of each FILE to FILE itself, and nothing to stdout; with SUFFIX (-i.bak), keep the old one as FILESUFFIX')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Write what is left of each FILE to FILE itself, and nothing to stdout; with SUFFIX (-i.bak), keep the old one as FILESUFFIX')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--intermediate', '--intermediate', [CompletionResultType]::ParameterName, 'Remove messages that are marked as intermediate reasoning; one that begins or ends a delegation stays without its content, so that no delegation is left with one end')
            [CompletionResult]::new('--delegations', '--delegations', [CompletionResultType]::ParameterName, 'The same, and all messages in delegations whose messages are intermediate')
            [CompletionResult]::new('--redact', '--redact', [CompletionResultType]::ParameterName, 'Empty the <REDACTED> sections of the reasoning that stays; without a policy, all of it stays, but for signed or encrypted blocks with such a section, which go whole: their signature holds for no other text')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Say on stderr what became of each file and how much of it was removed, and the sums of several files')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing but a line for each FILE: how many blocks and how many bytes would be removed, its name, and what would become of it (changed, clean, or left: why), with tabs between them; with the exit status and the messages of a real run, also one with --in-place')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Write what would change as a unified diff, for `patch -p0` or `git apply -p0`; it shows the reasoning that would be removed')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;split' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output form: json is one object per assistant message, text the visible text only, events and sse a live stream of words [default: json; text with --only or --reasoning-to]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output form: json is one object per assistant message, text the visible text only, events and sse a live stream of words [default: json; text with --only or --reasoning-to]')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Write the visible text or the reasoning only')
            [CompletionResult]::new('--reasoning-to', '--reasoning-to', [CompletionResultType]::ParameterName, 'Write the reasoning to stderr or to a file; goes with -o json and text, and makes text the default')
            [CompletionResult]::new('--field', '--field', [CompletionResultType]::ParameterName, 'Split the string at this JSON Pointer in any JSON record; repeatable; a step * is every member or element')
            [CompletionResult]::new('--join', '--join', [CompletionResultType]::ParameterName, 'What stands between several blocks')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--verbatim', '--verbatim', [CompletionResultType]::ParameterName, 'Keep the white space just inside tags')
            [CompletionResult]::new('--postproc', '--postproc', [CompletionResultType]::ParameterName, 'Postprocess the text as `-o events` does, by the settings `llm.postproc.*`')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;convert' {
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'What to convert to: any dialect that `list dialects` says can be written; xml-lines or serialized: the instructions of messages as text, as lines of a prompt in front of the text, or in their short form')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'What to convert to: any dialect that `list dialects` says can be written; xml-lines or serialized: the instructions of messages as text, as lines of a prompt in front of the text, or in their short form')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'With --to mew: make other identifiers')
            [CompletionResult]::new('--report-loss', '--report-loss', [CompletionResultType]::ParameterName, 'Write each loss to this file, as JSON lines')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'With --to tagged or harmony: escape what would end the reasoning, or be read as Harmony; otherwise the record is refused')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Refuse records of which something would be lost, with status 3; events of a stream are written all the same')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;tokens' {
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'How tokens are counted')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'How tokens are counted')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'What a row is about')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Size of the context in tokens: adds the share of it that is used, by the effective count')
            [CompletionResult]::new('--compress-at', '--compress-at', [CompletionResultType]::ParameterName, 'Share of the context from which on compression is due')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output form [default: table on a terminal, jsonl in a pipe]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output form [default: table on a terminal, jsonl in a pipe]')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--total', '--total', [CompletionResultType]::ParameterName, 'Write a total behind the rows')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;check' {
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Use these rules only: codes, beginnings of codes such as UT1, or names, with commas between them; repeatable [default: all but those that `unthink list rules` marks as "only if selected"]')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Do not use these rules, which are named as for --select')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'The least severity of a finding that makes the exit status 1')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'UT105: report the reasoning that `unthink strip` with this policy would remove; `unthink list policies` has all [default: that of the settings, if they have one]')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'UT105: report the reasoning that `unthink strip` with this policy would remove; `unthink list policies` has all [default: that of the settings, if they have one]')
            [CompletionResult]::new('--min-length', '--min-length', [CompletionResultType]::ParameterName, 'UT102: a passage that reasoning and answer share is reported if it has so many characters')
            [CompletionResult]::new('--duplicate-percent', '--duplicate-percent', [CompletionResultType]::ParameterName, 'UT106: an answer is reported as a whole if so many per cent of it are reasoning')
            [CompletionResult]::new('--max-reasoning-tokens', '--max-reasoning-tokens', [CompletionResultType]::ParameterName, 'UT401: a message is reported if its reasoning has more tokens')
            [CompletionResult]::new('--max-ratio', '--max-ratio', [CompletionResultType]::ParameterName, 'UT402: a message is reported if a larger share of its tokens, from 0 to 1, is reasoning')
            [CompletionResult]::new('--max-delegation-depth', '--max-delegation-depth', [CompletionResultType]::ParameterName, 'UT225: how many delegations may be open at a time')
            [CompletionResult]::new('--capability', '--capability', [CompletionResultType]::ParameterName, 'UT216: what reasoning an agent may send, in a log in which several speak: reasoning/* all, reasoning/start only the start of a sequence, reasoning/step only thoughts, or a kind such as reasoning/conclusion; repeatable; for agents that are not named everything is allowed, unless AGENT is *, which is everybody else')
            [CompletionResult]::new('--max-messages', '--max-messages', [CompletionResultType]::ParameterName, 'UT217: how many messages of reasoning a sequence may have, in a log in which several speak')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Passages that may stand in an answer, one a line; lines that begin with # are comments; repeatable')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output form [default: full on a terminal, concise in a pipe]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output form [default: full on a terminal, concise in a pipe]')
            [CompletionResult]::new('--output-file', '--output-file', [CompletionResultType]::ParameterName, 'Write a report to a file as well, as in sarif=out.sarif; repeatable; a file is there whole or not at all')
            [CompletionResult]::new('--max-findings', '--max-findings', [CompletionResultType]::ParameterName, 'A report shows so many findings; of the others, it has the number')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Leave out the findings that are in this file, wherever their lines are now; the files in it are named from the folder that it is in')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write all findings to this file, for --baseline, and report none of them')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain a rule, by its code or name: what it finds, why that matters, what to do; nothing is read')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the files and folders that this file names too, one a line; - is stdin')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In folders, read the files whose names match instead of those with likely endings; !GLOB leaves out those that match; repeatable, the last one that matches counts')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In folders, read the files whose names match instead of those with likely endings; !GLOB leaves out those that match; repeatable, the last one that matches counts')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--excerpt', '--excerpt', [CompletionResultType]::ParameterName, 'Show the text that was found: without this, no report has any text of the input')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'Exit with 0 although there are findings; with 3 or 4 still, if something could not be understood or read')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Read hidden files and folders too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Read what .gitignore and .unthinkignore leave out, too')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;show' {
            [CompletionResult]::new('--theme', '--theme', [CompletionResultType]::ParameterName, 'What the background of the terminal is')
            [CompletionResult]::new('--width', '--width', [CompletionResultType]::ParameterName, 'How many columns the drawing has [default: those of the terminal, or COLUMNS, or 80]')
            [CompletionResult]::new('--paging', '--paging', [CompletionResultType]::ParameterName, 'When to use a pager: the command in PAGER, or less')
            [CompletionResult]::new('--close', '--close', [CompletionResultType]::ParameterName, 'Where a block ends')
            [CompletionResult]::new('--start', '--start', [CompletionResultType]::ParameterName, 'What a message begins with')
            [CompletionResult]::new('--inline', '--inline', [CompletionResultType]::ParameterName, 'What a tag means of which it is not certain whether it is used or only spoken of')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'Which blocks of a message count [default: as the tag''s row says]')
            [CompletionResult]::new('--marker', '--marker', [CompletionResultType]::ParameterName, 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write one page of HTML that needs no other file: reasoning is collapsed in it, and can be searched')
            [CompletionResult]::new('--svg', '--svg', [CompletionResultType]::ParameterName, 'Write charts as SVG: the tokens of each message, and the share of reasoning as the conversation goes on')
            [CompletionResult]::new('--collapse', '--collapse', [CompletionResultType]::ParameterName, 'Draw each block of reasoning in one line')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Pass control characters and escape sequences of the input to the terminal, which obeys them')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;profile' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output form [default: table on a terminal, else json]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output form [default: table on a terminal, else json]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Print no settings: only the exit status says whether they are right')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;list' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output form')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output form')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;completions' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;man' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Input dialect; `auto` looks at each record')
            [CompletionResult]::new('--framing', '--framing', [CompletionResultType]::ParameterName, 'Input framing')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]')
            [CompletionResult]::new('--tags', '--tags', [CompletionResultType]::ParameterName, 'Read rows of the tag table from this file, JSON; repeatable; they come before the table')
            [CompletionResult]::new('--unclosed', '--unclosed', [CompletionResultType]::ParameterName, 'What an opener without a closer means [default: as the tag''s row says]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Read settings from this file: JSON, flat or under ephemeralSettings')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set one setting, a row of `list settings`; repeatable; wins over --profile')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What to do with a record that cannot be understood')
            [CompletionResult]::new('--foreign', '--foreign', [CompletionResultType]::ParameterName, 'What to do with a record that may hold reasoning, and is in no format that is read')
            [CompletionResult]::new('--rejects', '--rejects', [CompletionResultType]::ParameterName, 'Keep records that were skipped in this file')
            [CompletionResult]::new('--max-record', '--max-record', [CompletionResultType]::ParameterName, 'Longest record held in memory, in bytes; K, M and G are powers of 1024')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected')
            [CompletionResult]::new('--live', '--live', [CompletionResultType]::ParameterName, 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come')
            [CompletionResult]::new('--allow-unstripped', '--allow-unstripped', [CompletionResultType]::ParameterName, 'Let `--on-error pass` copy records through whose reasoning could not be looked for')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Fewer notes on stderr')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'More notes on stderr')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'unthink;help' {
            [CompletionResult]::new('strip', 'strip', [CompletionResultType]::ParameterValue, 'Apply a strip policy; every byte that it does not remove is unchanged')
            [CompletionResult]::new('split', 'split', [CompletionResultType]::ParameterValue, 'Separate visible text from reasoning')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write the same conversation in another dialect')
            [CompletionResult]::new('tokens', 'tokens', [CompletionResultType]::ParameterValue, 'Report token estimates, raw and effective')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for leaked or malformed reasoning: status 1 if there is some')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Draw a conversation for a person')
            [CompletionResult]::new('profile', 'profile', [CompletionResultType]::ParameterValue, 'Show, check and save the settings in force')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what the program knows: dialects, tags, policies, settings, rules, formats that are not read')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a page of the manual')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unthink;help;strip' {
            break
        }
        'unthink;help;split' {
            break
        }
        'unthink;help;convert' {
            break
        }
        'unthink;help;tokens' {
            break
        }
        'unthink;help;check' {
            break
        }
        'unthink;help;show' {
            break
        }
        'unthink;help;profile' {
            break
        }
        'unthink;help;list' {
            break
        }
        'unthink;help;completions' {
            break
        }
        'unthink;help;man' {
            break
        }
        'unthink;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
