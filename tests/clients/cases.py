"""Replies written for these tests, and how each provider would send them.

A case is a list of parts in the order in which the model made them. A builder writes a case as a provider
sends it, whole (`json`) or as server-sent events (`sse`). What a format has no place for is left out.
The words of the reasoning stand nowhere else in the case, so that one left behind can be found.
"""

import json
from dataclasses import dataclass


@dataclass
class Think:
    """Reasoning: one element a part of a summary; `raw` if it is no summary."""

    parts: list
    signature: str = ""
    raw: bool = False

    @property
    def text(self):
        return "\n\n".join(self.parts)


@dataclass
class Redacted:
    """Reasoning of which only a ciphertext is sent."""

    data: str


@dataclass
class Text:
    text: str


@dataclass
class Call:
    id: str
    name: str
    arguments: dict


@dataclass
class Case:
    name: str
    parts: list
    stop: str
    secrets: tuple = ()  # words that stand in the reasoning only


CASES = [
    Case(
        "text-only",
        [Text("The ferry leaves at noon.")],
        "end",
    ),
    Case(
        "thinking-text",
        [
            Think(["Recall the timetable: marmalade ferry, weekday."], "c2lnbmF0dXJlLW9uZQ=="),
            Text("The ferry leaves at noon."),
        ],
        "end",
        ("marmalade", "c2lnbmF0dXJlLW9uZQ"),
    ),
    Case(
        "thinking-text-call",
        [
            Think(["A zeppelin needs the wind, so ask for the weather."], "c2lnbmF0dXJlLXR3bw=="),
            Text("Let me look that up."),
            Call("call_w1", "get_weather", {"city": "Zürich", "days": 3, "units": {"wind": "kn"}}),
        ],
        "tool",
        ("zeppelin", "c2lnbmF0dXJlLXR3bw"),
    ),
    Case(
        "call-without-text",
        [
            Think(["Only the abacus can tell."], "c2lnbmF0dXJlLXRocmVl", raw=True),
            Call("call_a1", "count", {}),
        ],
        "tool",
        ("abacus", "c2lnbmF0dXJlLXRocmVl"),
    ),
    Case(
        "several-calls",
        [
            Think(["Three lookups, like a trident."], "c2lnbmF0dXJlLWZvdXI="),
            Call("call_s1", "find", {"query": "ferry \"noon\"", "limit": 5}),
            Call("call_s2", "find", {"query": "bus\nnight", "tags": ["a", None, True, 1.5]}),
            Call("call_s3", "now", {}),
        ],
        "tool",
        ("trident", "c2lnbmF0dXJlLWZvdXI"),
    ),
    Case(
        "calls-without-reasoning",
        [Text("Two questions first."), Call("call_n1", "ask", {"n": 1}), Call("call_n2", "ask", {"n": 2})],
        "tool",
    ),
    Case(
        "redacted",
        [Redacted("cmVkYWN0ZWQtYmxvY2s="), Redacted("cmVkYWN0ZWQtb3RoZXI="), Text("I can say this much.")],
        "end",
        ("cmVkYWN0ZWQtYmxvY2s", "cmVkYWN0ZWQtb3RoZXI"),
    ),
    Case(
        "thinking-redacted-call",
        [
            Think(["Begin with the walrus."], "c2lnbmF0dXJlLWZpdmU="),
            Redacted("cmVkYWN0ZWQtZml2ZQ=="),
            Text("One moment."),
            Call("call_r1", "lookup", {"key": "k"}),
        ],
        "tool",
        ("walrus", "c2lnbmF0dXJlLWZpdmU", "cmVkYWN0ZWQtZml2ZQ"),
    ),
    Case(
        "interleaved",
        [
            Think(["Sort the gondolas by colour."], "c2lnbmF0dXJlLXNpeA=="),
            Text("First, the red ones. "),
            Think(["Then weigh the accordion."], "c2lnbmF0dXJlLXNldmVu"),
            Text("Second, the heavy ones."),
            Call("call_i1", "sort", {"by": ["colour", "weight"]}),
        ],
        "tool",
        ("gondolas", "accordion", "c2lnbmF0dXJlLXNpeA", "c2lnbmF0dXJlLXNldmVu"),
    ),
    Case(
        "empty-thinking",
        [Think([""], "c2lnbmF0dXJlLWVtcHR5"), Text("Forty-two.")],
        "end",
        ("c2lnbmF0dXJlLWVtcHR5",),
    ),
    Case(
        "summary-parts",
        [
            Think(
                ["**Reading**\n\nThe pumpernickel comes first.", "**Checking**\n\nThe saxophone comes last."],
                "c2lnbmF0dXJlLXBhcnRz",
            ),
            Text("Both are in order."),
        ],
        "end",
        ("pumpernickel", "saxophone", "c2lnbmF0dXJlLXBhcnRz"),
    ),
    Case(
        "raw-reasoning",
        [
            Think(["Hmm, the periwinkle is blue. Wait, \"blue\" or \\violet\\?\nBlue."], raw=True),
            Text("It is blue.\n"),
        ],
        "end",
        ("periwinkle",),
    ),
    Case(
        "other-scripts",
        [
            Think(["Übersetze: 海豚 heißt Delfin; \u2028 zählt nicht 🐬🏳️‍🌈."], "c2lnbmF0dXJlLWRvbHBoaW4="),
            Text("«Délphîn»: 鯨 is another word \U0001f40b\u00a0\u2028\t\"quoted\" \\ back </slash>."),
            Call("call_o1", "翻訳", {"テキスト": "鯨🐋", "path": "C:\\new\\tab"}),
        ],
        "tool",
        ("Übersetze", "海豚", "Delfin", "c2lnbmF0dXJlLWRvbHBoaW4"),
    ),
    Case(
        "cut-off",
        [
            Think(["Write the whole chronicle of the tapioca."], "c2lnbmF0dXJlLWN1dA=="),
            Text("In the beginning there was"),
        ],
        "length",
        ("tapioca", "c2lnbmF0dXJlLWN1dA"),
    ),
    Case(
        "cut-off-in-thinking",
        [Think(["Count every snorkel, one, two,"], raw=True)],
        "length",
        ("snorkel",),
    ),
]


def pieces(text, size=7):
    """Cut a text as a stream would."""
    return [text[start:start + size] for start in range(0, len(text), size)]


def _json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _event(data, name=None, padding=0):
    """One event; Anthropic puts spaces before the last brace."""
    body = _json(data)
    body = body[:-1] + " " * padding + body[-1]
    return ("event: %s\n" % name if name else "") + "data: %s\n\n" % body


# Anthropic Messages

ANTHROPIC_STOPS = {"end": "end_turn", "tool": "tool_use", "length": "max_tokens"}


def _anthropic_block(part):
    if isinstance(part, Think):
        return {"type": "thinking", "thinking": part.text, "signature": part.signature}
    if isinstance(part, Redacted):
        return {"type": "redacted_thinking", "data": part.data}
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}


def _anthropic_message(content, stop, output_tokens):
    return {
        "id": "msg_0123",
        "type": "message",
        "role": "assistant",
        "model": "some-model",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 12, "cache_read_input_tokens": 0, "output_tokens": output_tokens},
    }


def anthropic_json(case):
    """A whole message."""
    content = [_anthropic_block(part) for part in case.parts]
    return _json(_anthropic_message(content, ANTHROPIC_STOPS[case.stop], 34))


def anthropic_sse(case):
    """A stream of a message, with a ping and with the padding that the service puts in."""
    out = [_event({"type": "message_start", "message": _anthropic_message([], None, 1)}, "message_start", 3)]
    for index, part in enumerate(case.parts):
        block, deltas = _anthropic_block(part), []
        if isinstance(part, Think):
            block.update(thinking="", signature="")
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(part.text)]
            if part.signature:
                deltas.append({"type": "signature_delta", "signature": part.signature})
        elif isinstance(part, Text):
            block.update(text="")
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces(part.text)]
        elif isinstance(part, Call):
            block.update(input={})
            text = [""] + (pieces(_json(part.arguments)) if part.arguments else [])
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in text]
        start = {"type": "content_block_start", "index": index, "content_block": block}
        out.append(_event(start, "content_block_start"))
        if index == 0:
            out.append(_event({"type": "ping"}, "ping"))
        for number, delta in enumerate(deltas):
            event = {"type": "content_block_delta", "index": index, "delta": delta}
            out.append(_event(event, "content_block_delta", number % 5))
        out.append(_event({"type": "content_block_stop", "index": index}, "content_block_stop", 4))
    delta = {"stop_reason": ANTHROPIC_STOPS[case.stop], "stop_sequence": None}
    out.append(_event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 34}}, "message_delta", 2))
    out.append(_event({"type": "message_stop"}, "message_stop"))
    return "".join(out)


# OpenAI Responses


def _responses_item(part, number):
    if isinstance(part, (Think, Redacted)):
        item = {"id": "rs_%02d" % number, "type": "reasoning", "summary": []}
        if isinstance(part, Redacted):
            item["encrypted_content"] = part.data
            return item
        texts = [text for text in part.parts if text]
        if part.raw:
            item["content"] = [{"type": "reasoning_text", "text": text} for text in texts]
        else:
            item["summary"] = [{"type": "summary_text", "text": text} for text in texts]
        if part.signature:
            item["encrypted_content"] = part.signature
        return item
    if isinstance(part, Text):
        return {
            "id": "msg_%02d" % number,
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": part.text, "annotations": [], "logprobs": []}],
        }
    return {
        "id": "fc_%02d" % number,
        "type": "function_call",
        "status": "completed",
        "call_id": part.id,
        "name": part.name,
        "arguments": _json(part.arguments),
    }


def _response(status, output):
    return {
        "id": "resp_0123",
        "object": "response",
        "created_at": 1700000000,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "model": "some-model",
        "output": output,
        "parallel_tool_calls": True,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "usage": None if status == "in_progress" else _RESPONSES_USAGE,
        "metadata": {},
    }


_RESPONSES_USAGE = {
    "input_tokens": 12,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 34,
    "output_tokens_details": {"reasoning_tokens": 20},
    "total_tokens": 46,
}


def _responses_final(case):
    items = [_responses_item(part, number) for number, part in enumerate(case.parts)]
    return _response("incomplete" if case.stop == "length" else "completed", items)


def responses_json(case):
    """A whole response."""
    return json.dumps(_responses_final(case), ensure_ascii=False, indent=2) + "\n"


def responses_sse(case):
    """A stream of a response."""
    out = []

    def emit(kind, **fields):
        out.append(_event({"type": kind, "sequence_number": len(out), **fields}, kind))

    def emit_part(kind, place, part, text):
        """A part, from the event that opens it to the one that closes it."""
        is_summary = kind == "response.reasoning_summary_text"
        opener = "response.reasoning_summary_part" if is_summary else "response.content_part"
        more = {"logprobs": []} if kind == "response.output_text" else {}
        emit(opener + ".added", **place, part={**part, "text": ""})
        for piece in pieces(text):
            emit(kind + ".delta", **place, delta=piece, **more, obfuscation="x" * (9 - len(piece)))
        emit(kind + ".done", **place, text=text, **more)
        emit(opener + ".done", **place, part=part)

    emit("response.created", response=_response("in_progress", []))
    emit("response.in_progress", response=_response("in_progress", []))
    final = _responses_final(case)
    for index, item in enumerate(final["output"]):
        place = {"output_index": index, "item_id": item["id"]}
        begun = dict(item)
        if item["type"] == "reasoning":
            begun.update({key: [] for key in ("summary", "content") if key in item})
            if "encrypted_content" in item:
                begun["encrypted_content"] = item["encrypted_content"][:-4]
        elif item["type"] == "message":
            begun.update(status="in_progress", content=[])
        else:
            begun.update(status="in_progress", arguments="")
        emit("response.output_item.added", output_index=index, item=begun)
        if item["type"] == "reasoning":
            for number, part in enumerate(item["summary"]):
                emit_part("response.reasoning_summary_text", {**place, "summary_index": number}, part, part["text"])
            for number, part in enumerate(item.get("content", [])):
                emit_part("response.reasoning_text", {**place, "content_index": number}, part, part["text"])
        elif item["type"] == "message":
            for number, part in enumerate(item["content"]):
                emit_part("response.output_text", {**place, "content_index": number}, part, part["text"])
        else:
            for piece in pieces(item["arguments"]):
                emit("response.function_call_arguments.delta", **place, delta=piece)
            emit("response.function_call_arguments.done", **place, name=item["name"], arguments=item["arguments"])
        emit("response.output_item.done", output_index=index, item=item)
    emit("response." + final["status"], response=final)
    return "".join(out)


# OpenAI chat completions with reasoning_content

CHAT_STOPS = {"end": "stop", "tool": "tool_calls", "length": "length"}
_CHAT_USAGE = {"prompt_tokens": 12, "completion_tokens": 34, "total_tokens": 46}


def chat_json(case):
    """A whole completion."""
    thoughts = [part.text for part in case.parts if isinstance(part, Think)]
    text = "".join(part.text for part in case.parts if isinstance(part, Text))
    message = {"role": "assistant", "content": text or None}
    if thoughts:
        message["reasoning_content"] = "\n".join(thoughts)
    calls = [
        {"id": part.id, "type": "function", "function": {"name": part.name, "arguments": _json(part.arguments)}}
        for part in case.parts
        if isinstance(part, Call)
    ]
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": CHAT_STOPS[case.stop]}
    return _json(
        {
            "id": "chatcmpl-0123",
            "object": "chat.completion",
            "created": 1700000000,
            "model": "some-model",
            "choices": [choice],
            "usage": _CHAT_USAGE,
        }
    )


def chat_sse(case):
    """A stream of a completion, with both text fields in each delta, the idle one null."""
    out = []

    def emit(delta, finish=None):
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        out.append(_event({**head, "choices": choices, "usage": None}))

    head = {"id": "chatcmpl-0123", "object": "chat.completion.chunk", "created": 1700000000, "model": "some-model"}
    emit({"role": "assistant", "content": None, "reasoning_content": ""})
    calls = 0
    for part in case.parts:
        if isinstance(part, Think):
            for piece in pieces(part.text):
                emit({"content": None, "reasoning_content": piece})
        elif isinstance(part, Text):
            for piece in pieces(part.text):
                emit({"content": piece, "reasoning_content": None})
        elif isinstance(part, Call):
            function = {"name": part.name, "arguments": ""}
            emit({"tool_calls": [{"index": calls, "id": part.id, "type": "function", "function": function}]})
            for piece in pieces(_json(part.arguments)):
                emit({"tool_calls": [{"index": calls, "function": {"arguments": piece}}]})
            calls += 1
    emit({"content": "", "reasoning_content": None}, CHAT_STOPS[case.stop])
    out.append(_event({**head, "choices": [], "usage": _CHAT_USAGE}))
    return "".join(out) + "data: [DONE]\n\n"


BUILDERS = {
    ("anthropic", "json"): anthropic_json,
    ("anthropic", "sse"): anthropic_sse,
    ("responses", "json"): responses_json,
    ("responses", "sse"): responses_sse,
    ("reasoning-content", "json"): chat_json,
    ("reasoning-content", "sse"): chat_sse,
}


def build(case, dialect, framing):
    """The bytes of a case."""
    return BUILDERS[dialect, framing](case).encode()
