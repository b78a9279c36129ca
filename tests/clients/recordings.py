"""Recorded replies of providers, where the directory that holds them is there."""

import json
import os
from pathlib import Path

from checks import Source

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(os.environ.get("UNTHINK_SAMPLES") or ROOT.parent / "shared" / "samples")
FAMILIES = {
    "anthropic-messages-": "anthropic",
    "openai-responses-": "responses",
    "openai-chat-reasoning-content-": "reasoning-content",
}


def recordings():
    """Pairs of a source and its entry in the index."""
    index = SAMPLES / "INDEX.json"
    if not index.is_file():
        return []
    found = []
    for entry in json.loads(index.read_text(encoding="utf-8")):
        name = entry["file"]
        dialects = [dialect for prefix, dialect in FAMILIES.items() if name.startswith(prefix)]
        if not dialects or entry["kind"] != "response" or entry["framing"] not in ("json", "sse"):
            continue
        body = (SAMPLES / name).read_bytes()
        secrets = list(entry.get("signatures") or [])
        secrets += [part["text"] for part in entry.get("expected_reasoning_parts") or []]
        visible = entry.get("expected_content") or ""
        secrets = tuple(text for text in secrets if len(text) > 15 and text not in visible)
        found.append((Source(name, dialects[0], entry["framing"], body, secrets), entry))
    return found
