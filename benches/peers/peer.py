"""The jobs in Python, as someone would write them who cares for speed: ENGINE JOB, from stdin to stdout."""

import sys

engine, job = sys.argv[1:]
source, write = sys.stdin.buffer, sys.stdout.buffer.write

if engine == "orjson":
    import orjson

    loads, dumps = orjson.loads, orjson.dumps

    def dumps_indented(value):
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)

else:
    import json

    loads = json.loads
    # One encoder for all records: json.dumps with options makes one for each.
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

    def dumps(value):
        return encode(value).encode()

    def dumps_indented(value):
        return json.dumps(value, ensure_ascii=False, indent=2).encode()


def strip_record(record):
    for message in record["messages"]:
        message.pop("reasoning_content", None)


def reasoning_of(text):
    return {"text": text, "tokensEst": (len(text) + 3) // 4}


def strip():
    for line in source:
        record = loads(line)
        strip_record(record)
        write(dumps(record) + b"\n")


def strip_array():
    records = loads(source.read())
    for record in records:
        strip_record(record)
    write(dumps_indented(records) + b"\n")


def all_but_last():
    for line in source:
        record = loads(line)
        found = [message for message in record["messages"] if message.get("reasoning_content")]
        for message in found[:-1]:
            del message["reasoning_content"]
        write(dumps(record) + b"\n")


def split():
    for number, line in enumerate(source, 1):
        for position, message in enumerate(loads(line)["messages"], 1):
            if message["role"] == "assistant":
                row = {"record": number, "message": position, "visible": message["content"] or ""}
                text = message.get("reasoning_content")
                if text:
                    row["reasoning"] = reasoning_of(text)
                write(dumps(row) + b"\n")


def split_field():
    for number, line in enumerate(source, 1):
        text = loads(line)["text"]
        tag = "think" if "<think>" in text else "REASONING"
        before, _, rest = text.partition(f"<{tag}>")
        reasoning, _, after = rest.partition(f"</{tag}>")
        row = {"record": number, "field": "/text", "visible": (before + after).strip()}
        row["reasoning"] = reasoning_of(reasoning.strip())
        write(dumps(row) + b"\n")


def strip_events():
    for line in source:
        if line.startswith(b"data: {"):
            event = loads(line[6:])
            delta = event["choices"][0]["delta"]
            if delta.pop("reasoning_content", None) is None or delta:
                write(b"data: " + dumps(event) + b"\n\n")
        elif line.startswith(b"data:"):
            write(line + b"\n")


def events_to_text():
    for line in source:
        if line.startswith(b"data: {"):
            choice = loads(line[6:])["choices"][0]
            content = choice["delta"].get("content")
            if content:
                write(content.encode())
            if choice["finish_reason"]:
                write(b"\n")


SPEAKERS = {"assistant": "ai", "user": "human", "tool": "tool"}
ROLES = {speaker: role for role, speaker in SPEAKERS.items()}


def to_blocks():
    for line in source:
        record = loads(line)
        for message in record["messages"]:
            role = message.pop("role")
            blocks = []
            thought = message.pop("reasoning_content", None)
            if thought is not None:
                blocks.append({"type": "thinking", "thought": thought, "sourceField": "reasoning_content"})
            text = message.pop("content", None)
            if text is not None:
                blocks.append({"type": "text", "text": text})
            message["speaker"] = SPEAKERS.get(role, role)
            message["blocks"] = blocks
        write(dumps(record) + b"\n")


def from_blocks():
    for line in source:
        record = loads(line)
        for message in record["messages"]:
            blocks = message.pop("blocks")
            message["role"] = ROLES[message.pop("speaker")]
            message["content"] = "\n".join(block["text"] for block in blocks if block["type"] == "text")
            thoughts = [block["thought"] for block in blocks if block["type"] == "thinking"]
            if thoughts:
                message["reasoning_content"] = "\n".join(thoughts)
        write(dumps(record) + b"\n")


def tokens():
    count = lambda text: (len(text or "") + 3) // 4
    for line in source:
        reasoning = final = other = 0
        for message in loads(line)["messages"]:
            if message["role"] == "assistant":
                reasoning += count(message.get("reasoning_content"))
                final += count(message["content"])
            else:
                other += count(message["content"])
        share = reasoning / (reasoning + final) if reasoning + final else 0
        row = {"reasoning_tokens": reasoning, "final_tokens": final, "other_tokens": other, "reasoning_ratio": share}
        row.update(raw=reasoning + final + other, effective=final + other)
        write(dumps(row) + b"\n")


def folded(text):
    """The text as it is compared: without emphasis, with single spaces, in lower case."""
    text = MARKS.sub("", LEADS.sub("", text))
    return " ".join(text.split()).lower()


def grams(text, n, into):
    into.update(text[i : i + n] for i in range(len(text) - n + 1))


def check():
    """Passages of 48 characters or more that an answer shares with the reasoning so far, and nobody else said."""
    import re

    global MARKS, LEADS
    MARKS, LEADS = re.compile(r"[*_~`]"), re.compile(r"(?m)^\s*(?:[>#+-]+\s|\d{1,3}[.)]\s)")
    fences = re.compile(r"(?ms)^ {0,3}```.*?^ {0,3}```")
    for number, line in enumerate(source, 1):
        secret, public = set(), set()
        for position, message in enumerate(loads(line)["messages"], 1):
            text = message["content"] or ""
            if message["role"] != "assistant":
                grams(folded(text), 24, public)
                continue
            thought = folded(message.get("reasoning_content") or "")
            grams(thought, 48, secret)
            answer = folded(fences.sub("\0", text))
            passages = []
            for i in range(len(answer) - 47):
                if answer[i : i + 48] in secret:
                    if passages and i <= passages[-1][1]:
                        passages[-1][1] = i + 48
                    else:
                        passages.append([i, i + 48])
            for start, end in passages if answer != thought else ():
                known = [False] * (end - start)
                for i in range(start, end - 23):
                    if answer[i : i + 24] in public:
                        known[i - start : i - start + 24] = [True] * 24
                if known.count(False) >= 24:
                    row = {"record": number, "message": position, "start": start, "end": end}
                    write(dumps(row) + b"\n")
            grams(answer, 24, public)


globals()[job.replace("-", "_")]()
