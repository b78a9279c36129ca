"""Reads replies with the client libraries of the providers, and says what the clients saw."""

import json
from dataclasses import dataclass, field
from functools import lru_cache

import anthropic
import openai
from openai.lib.streaming.chat import ChatCompletionStreamState

from server import Server

_server = None
REASONING_KEYS = {"thinking", "reasoning_content", "reasoning_details", "signature", "encrypted_content"}
REASONING_TYPES = {
    "thinking",
    "redacted_thinking",
    "thinking_delta",
    "signature_delta",
    "signature",
    "reasoning",
    "reasoning_text",
    "summary_text",
}


@dataclass
class Reply:
    """What a client found in one reply, in terms that all formats share."""

    text: list = field(default_factory=list)  # visible text, one element a block
    calls: list = field(default_factory=list)  # (name, parsed arguments)
    reasoning: list = field(default_factory=list)  # one element a block or part
    stop: str = ""  # end, tool, length, or the word of the format
    call_ids: list = field(default_factory=list)
    signatures: list = field(default_factory=list)
    order: list = field(default_factory=list)  # text, call, reasoning as they follow each other
    arguments: str = ""  # arguments of all calls, as JSON text
    dump: object = None  # everything that the client holds
    deltas: dict = None  # what the events of a stream said: text, reasoning, arguments

    def note(self, kind):
        """Remember that a block of this kind comes next; neighbours of one kind count once."""
        if self.order[-1:] != [kind]:
            self.order.append(kind)

    def seen(self):
        """What a user of the client sees, for comparison and for messages."""
        return {
            "text": "".join(self.text),
            "calls": [list(call) for call in self.calls],
            "call ids": self.call_ids,
            "stop": self.stop,
            "reasoning": self.reasoning,
        }


def _the_server():
    """One server for all tests; it ends with the process."""
    global _server
    if _server is None:
        _server = Server()
    return _server


@lru_cache(maxsize=None)
def _client(library, url, strict):
    """A client; a strict one refuses what does not fit the types of the library."""
    return library(api_key="none", base_url=url, max_retries=0, timeout=20, _strict_response_validation=strict)


def _blocks(values):
    return [value for value in values if value]


def traces_of_reasoning(value, path=""):
    """Paths in a dump at which something is reasoning: a type or a non-empty field."""
    found = []
    if isinstance(value, dict):
        kind = str(value.get("type"))
        if kind in REASONING_TYPES or kind.startswith("response.reasoning"):
            found.append("%s: type %s" % (path, kind))
        for key, child in value.items():
            if key in REASONING_KEYS and child:
                found.append("%s/%s" % (path, key))
            found += traces_of_reasoning(child, "%s/%s" % (path, key))
    elif isinstance(value, list):
        for number, child in enumerate(value):
            found += traces_of_reasoning(child, "%s/%d" % (path, number))
    return found


def _dump(model):
    """The fields that came over the wire, also those the client has no name for."""
    return json.loads(model.to_json(exclude_unset=True, exclude_none=True, warnings=False))


# Anthropic Messages

_ANTHROPIC_STOPS = {"end_turn": "end", "stop_sequence": "end", "tool_use": "tool", "max_tokens": "length"}


def read_anthropic(body, framing, strict=False):
    """Read a reply with `client.messages`."""
    server = _the_server()
    with server.serving(body, framing) as url:
        client = _client(anthropic.Anthropic, url, strict)
        request = {"model": "m", "max_tokens": 1024, "messages": [{"role": "user", "content": "?"}]}
        deltas, events = None, []
        if framing == "json":
            message = client.messages.create(**request)
        else:
            deltas = {"text": "", "reasoning": "", "arguments": ""}
            with client.messages.stream(**request) as stream:
                for event in stream:
                    events.append(_dump(event))
                    if event.type == "content_block_delta":
                        _add_anthropic_delta(deltas, event.delta)
                message = stream.get_final_message()
    reply = Reply(deltas=deltas, stop=_ANTHROPIC_STOPS.get(message.stop_reason, message.stop_reason))
    if message.role != "assistant" or message.type != "message":
        raise ValueError("not a message of the assistant: %s, %s" % (message.type, message.role))
    for block in message.content:
        if block.type == "text":
            reply.text += _blocks([block.text])
            if block.text.strip():
                reply.note("text")
        elif block.type == "thinking":
            reply.reasoning += _blocks([block.thinking])
            if block.thinking:
                reply.note("reasoning")
            reply.signatures += _blocks([getattr(block, "signature", None)])
        elif block.type == "redacted_thinking":
            reply.signatures.append(block.data)
        elif block.type == "tool_use":
            reply.note("call")
            reply.calls.append((block.name, block.input))
            reply.call_ids.append(block.id)
    reply.dump = {"final": _dump(message), "events": events}
    return reply


def _add_anthropic_delta(deltas, delta):
    if delta.type == "text_delta":
        deltas["text"] += delta.text
    elif delta.type == "thinking_delta":
        deltas["reasoning"] += delta.thinking
    elif delta.type == "input_json_delta":
        deltas["arguments"] += delta.partial_json


# OpenAI Responses

_FINAL_EVENTS = {"response.completed", "response.incomplete", "response.failed"}
_REASONING_DELTAS = {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}


def read_responses(body, framing, strict=False):
    """Read a reply with `client.responses`."""
    server = _the_server()
    with server.serving(body, framing) as url:
        client = _client(openai.OpenAI, url + "/v1", strict)
        deltas, events = None, []
        if framing == "json":
            response = client.responses.create(model="m", input="?")
        else:
            deltas = {"text": "", "reasoning": "", "arguments": ""}
            response = None
            with client.responses.stream(model="m", input="?") as stream:
                for event in stream:
                    events.append(_dump(event))
                    if event.type == "response.output_text.delta":
                        deltas["text"] += event.delta
                    elif event.type in _REASONING_DELTAS:
                        deltas["reasoning"] += event.delta
                    elif event.type == "response.function_call_arguments.delta":
                        deltas["arguments"] += event.delta
                    elif event.type in _FINAL_EVENTS:
                        response = event.response
                if response is None:
                    raise ValueError("the stream has no event that ends the response")
                if response.status == "completed":
                    response = stream.get_final_response()
    reply = Reply(deltas=deltas)
    for item in response.output:
        if item.type == "message":
            texts = _blocks([part.text for part in item.content if part.type == "output_text"])
            reply.text += texts
            if "".join(texts).strip():
                reply.note("text")
        elif item.type == "function_call":
            reply.note("call")
            reply.arguments += item.arguments
            reply.calls.append((item.name, json.loads(item.arguments)))
            reply.call_ids.append(item.call_id)
        elif item.type == "reasoning":
            parts = _blocks([part.text for part in item.summary or []])
            raw = _blocks([part.text for part in item.content or []])
            # Some gateways say the same text as summary and as content.
            reply.reasoning += parts if parts == raw else parts + raw
            if parts or raw:
                reply.note("reasoning")
            reply.signatures += _blocks([item.encrypted_content])
    if "".join(reply.text) != response.output_text:
        raise ValueError("output_text is not the text of the messages")
    reply.stop = _responses_stop(response, reply.calls)
    reply.dump = {"final": _dump(response), "events": events}
    return reply


def _responses_stop(response, calls):
    if response.status == "incomplete":
        reason = response.incomplete_details and response.incomplete_details.reason
        return "length" if reason == "max_output_tokens" else str(reason)
    if response.status == "completed":
        return "tool" if calls else "end"
    return str(response.status)


# OpenAI chat completions

_CHAT_STOPS = {"stop": "end", "tool_calls": "tool", "length": "length"}


def read_chat(body, framing, strict=False):
    """Read a reply with `client.chat.completions`."""
    server = _the_server()
    request = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
    with server.serving(body, framing) as url:
        client = _client(openai.OpenAI, url + "/v1", strict)
        deltas, events, order = None, [], Reply()
        if framing == "json":
            completion = client.chat.completions.create(**request)
        else:
            deltas = {"text": "", "reasoning": "", "arguments": ""}
            state = ChatCompletionStreamState()
            for chunk in client.chat.completions.create(stream=True, **request):
                events.append(_dump(chunk))
                state.handle_chunk(chunk)
                for choice in chunk.choices:
                    _add_chat_delta(deltas, order, choice.delta)
            with client.chat.completions.stream(**request) as stream:
                # get_final_completion() raises where a reply was cut off.
                completion = stream.until_done().current_completion_snapshot
            if _dump(completion) != _dump(state.current_completion_snapshot):
                raise ValueError("stream() and create(stream=True) do not agree")
    [choice] = completion.choices
    message = choice.message
    stop = _CHAT_STOPS.get(choice.finish_reason, str(choice.finish_reason))
    reply = Reply(deltas=deltas, stop=stop, order=order.order)
    if message.role != "assistant":
        raise ValueError("not a message of the assistant: %s" % message.role)
    reply.text = _blocks([message.content])
    reply.reasoning = _blocks([getattr(message, "reasoning_content", None)])
    for call in message.tool_calls or []:
        reply.arguments += call.function.arguments
        reply.calls.append((call.function.name, json.loads(call.function.arguments)))
        reply.call_ids.append(call.id)
    if framing == "json":  # a whole message has one place for each
        parts = {"reasoning": reply.reasoning, "text": reply.text, "call": reply.calls}
        reply.order = [kind for kind, found in parts.items() if found]
    reply.dump = {"final": _dump(completion), "events": events}
    return reply


def _add_chat_delta(deltas, order, delta):
    reasoning = getattr(delta, "reasoning_content", None)
    if reasoning:
        deltas["reasoning"] += reasoning
        order.note("reasoning")
    if delta.content:
        deltas["text"] += delta.content
        if delta.content.strip():
            order.note("text")
    for call in delta.tool_calls or []:
        deltas["arguments"] += call.function.arguments or ""
        order.note("call")


READERS = {"anthropic": read_anthropic, "responses": read_responses, "reasoning-content": read_chat}
