# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_unthink_global_optspecs
    string join \n f/from= framing= tag= tags= live unclosed= profile= set= on-error= foreign= allow-unstripped rejects= max-record= color= q/quiet v/verbose close= start= inline= blocks= marker= O/output-file= output-dir= files-from= 0/null g/glob= hidden no-ignore r/recursive h/help V/version
end

function __fish_unthink_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_unthink_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_unthink_using_subcommand
    set -l cmd (__fish_unthink_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c unthink -n "__fish_unthink_needs_command" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_needs_command" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_needs_command" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_needs_command" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_needs_command" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_needs_command" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_needs_command" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_needs_command" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_needs_command" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_needs_command" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_needs_command" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_needs_command" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_needs_command" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_needs_command" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_needs_command" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -l output-dir -d 'Write what is made of each file to a file of the same name in this folder' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_needs_command" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_needs_command" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_needs_command" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_needs_command" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_needs_command" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_needs_command" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_needs_command" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_needs_command" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_needs_command" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_needs_command" -s V -l version -d 'Print version'
complete -c unthink -n "__fish_unthink_needs_command" -a "strip" -d 'Apply a strip policy; every byte that it does not remove is unchanged'
complete -c unthink -n "__fish_unthink_needs_command" -a "split" -d 'Separate visible text from reasoning'
complete -c unthink -n "__fish_unthink_needs_command" -a "convert" -d 'Write the same conversation in another dialect'
complete -c unthink -n "__fish_unthink_needs_command" -a "tokens" -d 'Report token estimates, raw and effective'
complete -c unthink -n "__fish_unthink_needs_command" -a "check" -d 'Look for leaked or malformed reasoning: status 1 if there is some'
complete -c unthink -n "__fish_unthink_needs_command" -a "show" -d 'Draw a conversation for a person'
complete -c unthink -n "__fish_unthink_needs_command" -a "profile" -d 'Show, check and save the settings in force'
complete -c unthink -n "__fish_unthink_needs_command" -a "list" -d 'List what the program knows: dialects, tags, policies, settings, rules, formats that are not read'
complete -c unthink -n "__fish_unthink_needs_command" -a "completions" -d 'Print completions for a shell'
complete -c unthink -n "__fish_unthink_needs_command" -a "man" -d 'Print a page of the manual'
complete -c unthink -n "__fish_unthink_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s p -l policy -d 'Which reasoning goes: none, all, all-but-last, before-last-user, keep-tool-turns, keep-last-N [default: what the settings say, which by themselves remove all of it]' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l unit -d 'What all-but-last counts' -r -f -a "message\t'Messages'
turn\t'Turns: all assistant messages since the last user message'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l context -d 'Only what stands in this context: a name or a path of MEW\'s reasoning sequences (a/b), with all that stands in it; repeatable' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l agent -d 'Only the reasoning of this agent, in a log in which several speak; repeatable' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l empty -d 'What happens to a message that is left without content' -r -f -a "keep\t'It stays'
drop\t'It goes'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l field -d 'Strip the string at this JSON Pointer in any JSON record, and nothing else of it; repeatable; a step * is every member or element' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l drop -d 'Remove the member at this JSON Pointer from any JSON record, and nothing else of it; repeatable' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s i -l in-place -d 'Write what is left of each FILE to FILE itself, and nothing to stdout; with SUFFIX (-i.bak), keep the old one as FILESUFFIX' -r -f
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l output-dir -d 'Write what is made of each file to a file of the same name in this folder' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l intermediate -d 'Remove messages that are marked as intermediate reasoning; one that begins or ends a delegation stays without its content, so that no delegation is left with one end'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l delegations -d 'The same, and all messages in delegations whose messages are intermediate'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l redact -d 'Empty the <REDACTED> sections of the reasoning that stays; without a policy, all of it stays, but for signed or encrypted blocks with such a section, which go whole: their signature holds for no other text'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l stats -d 'Say on stderr what became of each file and how much of it was removed, and the sums of several files'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l dry-run -d 'Write nothing but a line for each FILE: how many blocks and how many bytes would be removed, its name, and what would become of it (changed, clean, or left: why), with tabs between them; with the exit status and the messages of a real run, also one with --in-place'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l diff -d 'Write what would change as a unified diff, for `patch -p0` or `git apply -p0`; it shows the reasoning that would be removed'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand strip" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s o -l output -d 'Output form: json is one object per assistant message, text the visible text only, events and sse a live stream of words [default: json; text with --only or --reasoning-to]' -r -f -a "json\t'One object per assistant message, one per line'
text\t'Text'
events\t'A JSON object for each word as it is settled, and one for each message that is over; postprocessed as the settings `llm.postproc.*` say'
sse\t'The same as server-sent events'
prometheus\t'Totals as Prometheus metrics'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l only -d 'Write the visible text or the reasoning only' -r -f -a "visible\t'The visible text'
reasoning\t'The reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l reasoning-to -d 'Write the reasoning to stderr or to a file; goes with -o json and text, and makes text the default' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -l field -d 'Split the string at this JSON Pointer in any JSON record; repeatable; a step * is every member or element' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l join -d 'What stands between several blocks' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand split" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand split" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand split" -l verbatim -d 'Keep the white space just inside tags'
complete -c unthink -n "__fish_unthink_using_subcommand split" -l postproc -d 'Postprocess the text as `-o events` does, by the settings `llm.postproc.*`'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand split" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand split" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand split" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand split" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand split" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s t -l to -d 'What to convert to: any dialect that `list dialects` says can be written; xml-lines or serialized: the instructions of messages as text, as lines of a prompt in front of the text, or in their short form' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l seed -d 'With --to mew: make other identifiers' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l report-loss -d 'Write each loss to this file, as JSON lines' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l output-dir -d 'Write what is made of each file to a file of the same name in this folder' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l escape -d 'With --to tagged or harmony: escape what would end the reasoning, or be read as Harmony; otherwise the record is refused'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l strict -d 'Refuse records of which something would be lost, with status 3; events of a stream are written all the same'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s m -l method -d 'How tokens are counted: by one of these, or by a tokenizer.json of Hugging Face' -r -f -a "chars4\t'A quarter of the UTF-16 code units of each block, rounded up'
words\t'Words between white space'
o200k\t'The vocabulary o200k_base, exactly'
cl100k\t'The vocabulary cl100k_base, exactly'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l by -d 'What a row is about; several with commas or repeated, for groups of messages over all files: model,day' -r -f -a "record\t'Records: conversations, responses, messages that stand alone'
message\t'Messages'
block\t'Blocks of reasoning and texts'
file\t'Files'
folder\t'Folders of files'
model\t'Models'
day\t'Days'
session\t'Sessions'
project\t'The folders that the program worked in'
agent\t'Those who speak, in a log in which several do (MEW)'
context\t'Sequences of reasoning in such a log, each with its answer; what stands in none has an empty context'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l sort -d 'Sort the rows by this column: numbers from the largest, names by their letters' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l limit -d 'Size of the context in tokens: adds the share of it that is used, by the effective count' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l compress-at -d 'Share of the context from which on compression is due' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s o -l output -d 'Output form [default: table on a terminal, jsonl in a pipe]' -r -f -a "table\t'Columns'
jsonl\t'A JSON object a line'
json\t'One JSON value'
csv\t'Comma-separated values with a header'
prometheus\t'Totals as Prometheus metrics'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l utc -d 'Days are those of UTC, and not of the local time (TZ)'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l reverse -d 'Sort the other way round'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l total -d 'Write a total behind the rows'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l only-total -d 'Write the total, and no rows'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand tokens" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l select -d 'Use these rules only: codes, beginnings of codes such as UT1, or names, with commas between them; repeatable [default: all but those that `unthink list rules` marks as "only if selected"]' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l ignore -d 'Do not use these rules, which are named as for --select' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l fail-on -d 'The least severity of a finding that makes the exit status 1' -r -f -a "error\t'Errors: reasoning reaches a reader, or may'
warning\t'Errors and warnings'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -s p -l policy -d 'UT105: report the reasoning that `unthink strip` with this policy would remove; `unthink list policies` has all [default: that of the settings, if they have one]' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l min-length -d 'UT102: a passage that reasoning and answer share is reported if it has so many characters' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l duplicate-percent -d 'UT106: an answer is reported as a whole if so many per cent of it are reasoning' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-reasoning-tokens -d 'UT401: a message is reported if its reasoning has more tokens' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-ratio -d 'UT402: a message is reported if a larger share of its tokens, from 0 to 1, is reasoning' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-delegation-depth -d 'UT225: how many delegations may be open at a time' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l capability -d 'UT216: what reasoning an agent may send, in a log in which several speak: reasoning/* all, reasoning/start only the start of a sequence, reasoning/step only thoughts, or a kind such as reasoning/conclusion; repeatable; for agents that are not named everything is allowed, unless AGENT is *, which is everybody else' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-messages -d 'UT217: how many messages of reasoning a sequence may have, in a log in which several speak' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l allow -d 'Passages that may stand in an answer, one a line; lines that begin with # are comments; repeatable' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -s o -l output -d 'Output form [default: full on a terminal, concise in a pipe]' -r -f -a "full\t'A paragraph for each finding, for people'
concise\t'A line for each finding: FILE:LINE:COLUMN: RULE: what was found'
json\t'One JSON object with the findings and a summary'
jsonl\t'A JSON object for each finding, one a line'
sarif\t'SARIF 2.1.0, which code scanning reads'
junit\t'JUnit XML, which test reports of CI servers read'
github\t'Annotations of GitHub Actions'
gitlab\t'A Code Quality report of GitLab'
prometheus\t'Totals as Prometheus metrics'
summary\t'Markdown for the page of a CI job'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l output-file -d 'Write a report to a file as well, as in sarif=out.sarif; repeatable; a file is there whole or not at all' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-findings -d 'A report shows so many findings; of the others, it has the number' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l baseline -d 'Leave out the findings that are in this file, wherever their lines are now; the files in it are named from the folder that it is in' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -l write-baseline -d 'Write all findings to this file, for --baseline, and report none of them' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -l explain -d 'Explain a rule, by its code or name: what it finds, why that matters, what to do; nothing is read' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand check" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand check" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand check" -l excerpt -d 'Show the text that was found: without this, no report has any text of the input'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l exit-zero -d 'Exit with 0 although there are findings; with 3 or 4 still, if something could not be understood or read'
complete -c unthink -n "__fish_unthink_using_subcommand check" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand check" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand check" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand check" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand check" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l theme -d 'What the background of the terminal is' -r -f -a "auto\t'As the terminal answers, or COLORFGBG says; dark otherwise'
dark\t'Light text on a dark background'
light\t'Dark text on a light background'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l width -d 'How many columns the drawing has [default: those of the terminal, or COLUMNS, or 80]' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -l paging -d 'When to use a pager: the command in PAGER, or less' -r -f -a "auto\t'On a terminal, if it is longer than the screen, and not a live stream'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l close -d 'Where a block ends' -r -f -a "first\t'At the first closer'
balanced\t'Where depth returns to zero, or else at the last closer'
last\t'At the last closer of the message'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l start -d 'What a message begins with' -r -f -a "auto\t'The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener'
visible\t'Visible text'
reasoning\t'Reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l inline -d 'What a tag means of which it is not certain whether it is used or only spoken of' -r -f -a "ask\t'The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text'
mention\t'Text, which only speaks of the tag'
delimiter\t'A tag that opens or closes reasoning'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l blocks -d 'Which blocks of a message count [default: as the tag\'s row says]' -r -f -a "one\t'The first block of a message'
all\t'Every block'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l marker -d 'What stands before this text is reasoning, what stands after it the answer; the tag table is off unless --tag is given' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -s O -l output-file -d 'Write to this file instead of stdout; the file is there whole or not at all, and compressed if its name ends in .gz or .zst' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand show" -l files-from -d 'Read the files and folders that this file names too, one a line; - is stdin' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand show" -s g -l glob -d 'In folders, read the files whose names match instead of those with likely endings (.json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv, .tsv, also with .gz or .zst); !GLOB leaves out those that match; repeatable, the last one that matches counts' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand show" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand show" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand show" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand show" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand show" -l html -d 'Write one page of HTML that needs no other file: reasoning is collapsed in it, and can be searched'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l svg -d 'Write charts as SVG: the tokens of each message, and the share of reasoning as the conversation goes on'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l collapse -d 'Draw each block of reasoning in one line'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l raw -d 'Pass control characters and escape sequences of the input to the terminal, which obeys them'
complete -c unthink -n "__fish_unthink_using_subcommand show" -s 0 -l null -d 'Names in that file end with a NUL byte, as `git ls-files -z` and `find -print0` write them'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l hidden -d 'Read hidden files and folders too'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l no-ignore -d 'Read what .gitignore and .unthinkignore leave out, too'
complete -c unthink -n "__fish_unthink_using_subcommand show" -s r -l recursive -d 'Read the files in folders and in the folders below; this is done without the option, too'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand show" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand show" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand show" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -s o -l output -d 'Output form [default: table on a terminal, else json]' -r -f -a "json\t'A profile that --profile loads again'
table\t'One setting per line: its key, its value, and where that comes from'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l check -d 'Print no settings: only the exit status says whether they are right'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand profile" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand list" -s o -l output -d 'Output form' -r -f -a "text\t'One item per line: its name, then what it is'
json\t'An array of objects, one per line'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand list" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand list" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand list" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand list" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand list" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand list" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand list" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand list" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand list" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand list" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand list" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand completions" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand completions" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand completions" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand completions" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand man" -s f -l from -d 'Input dialect; `auto` looks at each record' -r
complete -c unthink -n "__fish_unthink_using_subcommand man" -l framing -d 'Input framing' -r -f -a "auto\t'The first bytes decide'
jsonl\t'One JSON value a line'
json\t'One JSON value; the elements of a top-level array are records'
sse\t'Server-sent events'
text\t'Raw text: the whole input is one message'
csv\t'Comma-separated values: each cell is a text, the first row has the names'
tsv\t'The same with tabs'"
complete -c unthink -n "__fish_unthink_using_subcommand man" -l tag -d 'Inline delimiters to look for: a row of the tag table, or OPEN,CLOSE; repeatable [default: every row]' -r
complete -c unthink -n "__fish_unthink_using_subcommand man" -l tags -d 'Read rows of the tag table from this file, JSON; repeatable; they come before the table' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand man" -l unclosed -d 'What an opener without a closer means [default: as the tag\'s row says]' -r -f -a "visible\t'The opener is text'
reasoning\t'Everything after it is reasoning'
error\t'The record cannot be understood'"
complete -c unthink -n "__fish_unthink_using_subcommand man" -l profile -d 'Read settings from this file: JSON, flat or under ephemeralSettings' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand man" -l set -d 'Set one setting, a row of `list settings`; repeatable; wins over --profile' -r
complete -c unthink -n "__fish_unthink_using_subcommand man" -l on-error -d 'What to do with a record that cannot be understood' -r -f -a "skip\t'Leave it out and go on'
stop\t'Leave it out and end there'
pass\t'Copy it through'"
complete -c unthink -n "__fish_unthink_using_subcommand man" -l foreign -d 'What to do with a record that may hold reasoning, and is in no format that is read' -r -f -a "refuse\t'It cannot be understood: it is left out, and the status is 3'
pass\t'It is passed on as it is, with a warning'"
complete -c unthink -n "__fish_unthink_using_subcommand man" -l rejects -d 'Keep records that were skipped in this file' -r -F
complete -c unthink -n "__fish_unthink_using_subcommand man" -l max-record -d 'Longest record held in memory, in bytes; K, M and G are powers of 1024' -r
complete -c unthink -n "__fish_unthink_using_subcommand man" -l color -d 'When to colour messages and diffs; NO_COLOR and CLICOLOR_FORCE are respected' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c unthink -n "__fish_unthink_using_subcommand man" -l live -d 'Decide at once, as for a live event stream: a text is visible unless it opens with a tag, and nothing waits for what may come'
complete -c unthink -n "__fish_unthink_using_subcommand man" -l allow-unstripped -d 'Let `--on-error pass` copy records through whose reasoning could not be looked for'
complete -c unthink -n "__fish_unthink_using_subcommand man" -s q -l quiet -d 'Fewer notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand man" -s v -l verbose -d 'More notes on stderr'
complete -c unthink -n "__fish_unthink_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "strip" -d 'Apply a strip policy; every byte that it does not remove is unchanged'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "split" -d 'Separate visible text from reasoning'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "convert" -d 'Write the same conversation in another dialect'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "tokens" -d 'Report token estimates, raw and effective'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "check" -d 'Look for leaked or malformed reasoning: status 1 if there is some'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "show" -d 'Draw a conversation for a person'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "profile" -d 'Show, check and save the settings in force'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "list" -d 'List what the program knows: dialects, tags, policies, settings, rules, formats that are not read'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "completions" -d 'Print completions for a shell'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "man" -d 'Print a page of the manual'
complete -c unthink -n "__fish_unthink_using_subcommand help; and not __fish_seen_subcommand_from strip split convert tokens check show profile list completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
