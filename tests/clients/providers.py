"""Reads replies with the client libraries of further providers, and checks requests by the types of these libraries.

Each reader gets the bytes that `unthink convert` wrote, serves them from the loopback server, and says what the client
saw. What a format does not tell (identifiers, signatures) is left out.
"""

import base64
import json
import struct
import zlib
from dataclasses import dataclass, field
from functools import lru_cache

import boto3
import botocore.config
import botocore.session
import botocore.validate
import cohere
import ollama
from cohere.core.unchecked_base_model import construct_type
from google import genai
from google.genai import types
from google.genai._gaos.types.interactions.createmodelinteraction import CreateModelInteraction
from mistralai.client import Mistral, models

import clients


@dataclass
class Seen:
    """What a client found."""

    text: str = ""
    reasoning: str = ""
    calls: list = field(default_factory=list)  # (name, parsed arguments)
    call_ids: list = field(default_factory=list)
    stop: str = ""

    def call(self, name, arguments, id=None):
        self.calls.append((name, json.loads(arguments) if isinstance(arguments, str) else arguments))
        self.call_ids.append(id)


def _serving(body, framing):
    return clients._the_server().serving(body, framing)


@lru_cache(maxsize=None)
def _genai(url):
    return genai.Client(api_key="none", vertexai=False, http_options=types.HttpOptions(base_url=url))


@lru_cache(maxsize=None)
def _runtime(url):
    return boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=botocore.config.Config(retries={"max_attempts": 0}),
    )


# Gemini generateContent


def read_gemini(body, framing):
    """Read a reply with `client.models`."""
    seen = Seen()
    with _serving(body, framing) as url:
        client = _genai(url)
        request = {"model": "m", "contents": "?"}
        if framing == "sse":
            replies = list(client.models.generate_content_stream(**request))
        else:
            replies = [client.models.generate_content(**request)]
    for reply in replies:
        if not reply.response_id or not reply.model_version:
            raise ValueError("a reply without an identifier or a model")
        [candidate] = reply.candidates
        for part in candidate.content.parts or []:
            if part.function_call:
                seen.call(part.function_call.name, part.function_call.args or {}, part.function_call.id)
            elif part.thought:
                seen.reasoning += part.text or ""
            else:
                seen.text += part.text or ""
        if candidate.finish_reason:
            words = {"STOP": "tool" if seen.calls else "end", "MAX_TOKENS": "length"}
            seen.stop = words.get(candidate.finish_reason.value, candidate.finish_reason.value)
    return seen


def check_gemini(request):
    """A request keeps to the types of the library, which know no other members."""
    for content in request["contents"]:
        types.Content.model_validate(content)
    if "systemInstruction" in request:
        types.Content.model_validate(request["systemInstruction"])
    for tool in request.get("tools", []):
        types.Tool.model_validate(tool)
    types.GenerationConfig.model_validate(request.get("generationConfig", {}))
    _only(request, {"model", "contents", "systemInstruction", "tools", "generationConfig"})


# Gemini Interactions


def read_interactions(body, framing):
    """Read a reply with `client.interactions`."""
    seen = Seen()
    with _serving(body, framing) as url:
        client = _genai(url)
        if framing == "json":
            interaction = client.interactions.create(model="m", input="?")
            for step in interaction.steps:
                if step.type == "thought":
                    seen.reasoning += "".join(part.text for part in step.summary or [])
                elif step.type == "model_output":
                    seen.text += "".join(part.text for part in step.content or [])
                elif step.type == "function_call":
                    seen.call(step.name, step.arguments, step.id)
                else:
                    raise ValueError("an unknown step: %s" % step.type)
            status = interaction.status
        else:
            status = _steps(client.interactions.create(model="m", input="?", stream=True), seen)
    words = {"completed": "end", "requires_action": "tool", "incomplete": "length"}
    seen.stop = words.get(status, status)
    return seen


def _steps(events, seen):
    """Adds the steps of a stream, and returns how the interaction stands at its end."""
    status, open_steps = None, {}
    for event in events:
        if event.event_type == "step.start":
            open_steps[event.index] = [event.step, ""]
        elif event.event_type == "step.delta":
            delta = event.delta
            if delta.type == "thought_summary":
                seen.reasoning += delta.content.text
            elif delta.type == "text":
                seen.text += delta.text
            elif delta.type == "arguments_delta":
                open_steps[event.index][1] += delta.arguments
            elif delta.type != "thought_signature":
                raise ValueError("an unknown delta: %s" % delta.type)
        elif event.event_type == "step.stop":
            step, arguments = open_steps.pop(event.index)
            if step.type == "function_call":
                seen.call(step.name, arguments or "{}", step.id)
        elif event.event_type == "interaction.completed":
            status = event.interaction.status
    if open_steps:
        raise ValueError("steps that do not end: %s" % sorted(open_steps))
    return status


def check_interactions(request):
    """A request keeps to the types of the library."""
    typed = CreateModelInteraction.model_validate(request)
    unknown = [step for step in typed.input or [] if type(step).__name__.startswith("Unknown")]
    if unknown:
        raise ValueError("unknown steps: %s" % unknown)
    _only(request, set(CreateModelInteraction.model_fields))


# Cohere v2

_COHERE_STOPS = {"COMPLETE": "end", "TOOL_CALL": "tool", "MAX_TOKENS": "length"}


def read_cohere(body, framing):
    """Read a reply with `ClientV2.chat`."""
    seen = Seen()
    with _serving(body, framing) as url:
        client = cohere.ClientV2(api_key="none", base_url=url, timeout=20, log_warning_experimental_features=False)
        request = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
        if framing == "json":
            reply = client.chat(**request)
            if reply.message.role != "assistant":
                raise ValueError("not a message of the assistant")
            seen.reasoning += reply.message.tool_plan or ""
            for part in reply.message.content or []:
                if part.type == "thinking":
                    seen.reasoning += part.thinking
                else:
                    seen.text += part.text
            for call in reply.message.tool_calls or []:
                seen.call(call.function.name, call.function.arguments, call.id)
            stop = reply.finish_reason
        else:
            stop = _cohere_events(client.chat_stream(**request), seen)
    seen.stop = _COHERE_STOPS.get(stop, stop)
    return seen


def _cohere_events(events, seen):
    """Adds what the events of a stream say, and returns why it ended."""
    stop, calls, parts = None, {}, {}
    for event in events:
        if event.type == "content-start":
            parts[event.index] = event.delta.message.content.type
        elif event.type == "content-delta":
            content = event.delta.message.content
            if parts[event.index] == "thinking":
                seen.reasoning += content.thinking
            else:
                seen.text += content.text
        elif event.type == "tool-plan-delta":
            seen.reasoning += event.delta.message.tool_plan
        elif event.type == "tool-call-start":
            call = event.delta.message.tool_calls
            calls[event.index] = [call.id, call.function.name, call.function.arguments]
        elif event.type == "tool-call-delta":
            calls[event.index][2] += event.delta.message.tool_calls.function.arguments
        elif event.type == "message-end":
            stop = event.delta.finish_reason
    for _, (id, name, arguments) in sorted(calls.items()):
        seen.call(name, arguments, id)
    return stop


def check_cohere(request):
    """Messages and tools keep to the types of the library, and have no other members."""
    for message in request["messages"]:
        typed = construct_type(type_=cohere.ChatMessageV2, object_=message)
        _known(typed, message)
    for tool in request.get("tools", []):
        _known(construct_type(type_=cohere.ToolV2, object_=tool), tool)
    _only(request, {"model", "messages", "tools", "max_tokens", "temperature", "p", "stream"})


def _known(typed, given):
    """No object of a message has a member for which its type has no field."""
    if isinstance(typed, list):
        for one, value in zip(typed, given):
            _known(one, value)
    elif hasattr(typed, "model_fields"):
        extra = set(typed.model_extra or {})
        if extra:
            raise ValueError("members without a place in %s: %s" % (type(typed).__name__, sorted(extra)))
        for name in type(typed).model_fields:
            if isinstance(given, dict) and name in given:
                _known(getattr(typed, name), given[name])


# Mistral

_MISTRAL_STOPS = {"stop": "end", "tool_calls": "tool", "length": "length"}


def read_mistral(body, framing):
    """Read a reply with `client.chat`."""
    seen = Seen()
    with _serving(body, framing) as url:
        client = Mistral(api_key="none", server_url=url, timeout_ms=20000)
        request = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
        if framing == "json":
            messages = [(choice.message, choice.finish_reason) for choice in client.chat.complete(**request).choices]
        else:
            chunks = [event.data for event in client.chat.stream(**request)]
            messages = [(choice.delta, choice.finish_reason) for chunk in chunks for choice in chunk.choices]
    for message, stop in messages:
        content = message.content or ""
        for part in [content] if isinstance(content, str) else content:
            if isinstance(part, str):
                seen.text += part
            elif part.type == "thinking":
                seen.reasoning += "".join(text.text for text in part.thinking)
            else:
                seen.text += part.text
        for call in message.tool_calls or []:
            seen.call(call.function.name, call.function.arguments, call.id)
        seen.stop = _MISTRAL_STOPS.get(stop, stop) if isinstance(stop, str) else seen.stop
    return seen


def check_mistral(request):
    """A request keeps to the types of the library."""
    typed = models.ChatCompletionRequest.model_validate(request)
    _only(request, set(models.ChatCompletionRequest.model_fields))
    for message, given in zip(typed.messages, request["messages"]):
        _known(message, given)


# Ollama


def read_ollama(body, framing):
    """Read a reply with `Client.chat`."""
    seen = Seen()
    with _serving(body, framing) as url:
        client = ollama.Client(host=url, timeout=20)
        request = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
        replies = list(client.chat(stream=True, **request)) if framing == "jsonl" else [client.chat(**request)]
    for reply in replies:
        seen.text += reply.message.content or ""
        seen.reasoning += reply.message.thinking or ""
        for call in reply.message.tool_calls or []:
            seen.call(call.function.name, dict(call.function.arguments))
    if not replies[-1].done:
        raise ValueError("the last reply does not say that it is the last one")
    words = {"stop": "tool" if seen.calls else "end", "length": "length"}
    seen.stop = words.get(replies[-1].done_reason, replies[-1].done_reason)
    return seen


def check_ollama(request):
    """Messages and tools keep to the types of the library."""
    ollama._types.ChatRequest.model_validate(request)
    for message in request["messages"]:
        images = [ollama.Image(value=image) for image in message.get("images", [])]
        _known(ollama.Message.model_validate({**message, "images": images or None}), message)
    for tool in request.get("tools", []):
        ollama.Tool.model_validate(tool)
    ollama.Options.model_validate(request.get("options", {}))
    _only(request, set(ollama._types.ChatRequest.model_fields))


# Bedrock Converse


def read_bedrock(body, framing):
    """Read a reply with the client of the runtime. Events come in binary frames, which are made here."""
    seen = Seen()
    if framing == "jsonl":
        body = b"".join(_frame(*pair) for line in body.splitlines() for pair in json.loads(line).items())
    with _serving(body, "frames" if framing == "jsonl" else framing) as url:
        client = _runtime(url)
        request = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "?"}]}]}
        if framing == "json":
            reply = client.converse(**request)
            stop = reply["stopReason"]
            for part in reply["output"]["message"]["content"]:
                if "toolUse" in part:
                    seen.call(part["toolUse"]["name"], part["toolUse"]["input"], part["toolUse"]["toolUseId"])
                elif "reasoningContent" in part:
                    seen.reasoning += part["reasoningContent"].get("reasoningText", {}).get("text", "")
                else:
                    seen.text += part["text"]
        else:
            stop = _converse_events(client.converse_stream(**request)["stream"], seen)
    words = {"end_turn": "end", "tool_use": "tool", "max_tokens": "length"}
    seen.stop = words.get(stop, stop)
    return seen


def _converse_events(events, seen):
    """Adds what the events of a stream say, and returns why it ended."""
    stop, calls = None, {}
    for event in events:
        [(name, value)] = event.items()
        if name == "contentBlockStart":
            call = value["start"]["toolUse"]
            calls[value["contentBlockIndex"]] = [call["toolUseId"], call["name"], ""]
        elif name == "contentBlockDelta":
            delta = value["delta"]
            if "toolUse" in delta:
                calls[value["contentBlockIndex"]][2] += delta["toolUse"]["input"]
            seen.reasoning += delta.get("reasoningContent", {}).get("text", "")
            seen.text += delta.get("text", "")
        elif name == "messageStop":
            stop = value["stopReason"]
    for _, (id, name, arguments) in sorted(calls.items()):
        seen.call(name, arguments or "{}", id)
    return stop


def _frame(name, value):
    """An event as the service sends it: lengths, a checksum, headers, the JSON, a checksum."""
    headers = b""
    for key, word in [(":event-type", name), (":content-type", "application/json"), (":message-type", "event")]:
        headers += struct.pack("!B", len(key)) + key.encode() + b"\x07" + struct.pack("!H", len(word)) + word.encode()
    payload = json.dumps(value).encode()
    head = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    frame = head + struct.pack("!I", zlib.crc32(head)) + headers + payload
    return frame + struct.pack("!I", zlib.crc32(frame))


def check_bedrock(request):
    """A request keeps to the service's own description of the operation."""
    session = botocore.session.get_session()
    model = session.get_service_model("bedrock-runtime").operation_model("Converse")
    report = botocore.validate.ParamValidator().validate(_decoded(request), model.input_shape)
    if report.has_errors():
        raise ValueError(report.generate_report())


def _decoded(value):
    """A request as the library gets it: bytes, which JSON has in base64."""
    if isinstance(value, dict):
        return {
            key: base64.b64decode(child) if key in ("bytes", "redactedContent") else _decoded(child)
            for key, child in value.items()
        }
    return [_decoded(child) for child in value] if isinstance(value, list) else value


def _only(request, known):
    """A request has no other members than these."""
    if not set(request) <= known:
        raise ValueError("members without a place: %s" % sorted(set(request) - known))


READERS = {
    "gemini": read_gemini,
    "interactions": read_interactions,
    "cohere": read_cohere,
    "mistral": read_mistral,
    "ollama": read_ollama,
    "bedrock": read_bedrock,
}
CHECKS = {
    "gemini": check_gemini,
    "interactions": check_interactions,
    "cohere": check_cohere,
    "mistral": check_mistral,
    "ollama": check_ollama,
    "bedrock": check_bedrock,
}
