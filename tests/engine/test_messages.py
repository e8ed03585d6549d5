"""The protocol between window and engine: every message there and back, and nothing that breaks it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.engine.messages import (
    MAX_LINE,
    Cancel,
    Command,
    CountTokens,
    Event,
    FactsRead,
    Failed,
    Freed,
    FreeMemory,
    Made,
    Make,
    MessageError,
    Noted,
    PlanTaken,
    Progressed,
    Quit,
    ReadFacts,
    Ready,
    StageDone,
    TokensCounted,
    decode_command,
    decode_event,
    encode,
)

COMMANDS: list[Command] = [
    ReadFacts(),
    Make(3, {"seed": 2**63 - 1, "lyrics": "café ☃\n\u2028"}),
    Cancel(3),
    CountTokens(4, "models/Песня", "full", "folk", "[Verse]\n雪", "X:1\n"),
    FreeMemory(),
    Quit(),
]
EVENTS: list[Event] = [
    Ready(1, "0.1.0", "2.13.0", 17),
    FactsRead({"gpus": None}),
    TokensCounted(4, 123),
    TokensCounted(5),
    Progressed(1, "semantic", 5, 9000, "tokens", 31.5, 290.0),
    Progressed(1, "semantic", 0, 9000, "tokens"),
    PlanTaken(1, "BF16 with both halves resident"),
    StageDone(1, "plan", 2.5),
    Made(1, "takes/Песня 1", {"seconds": 31.2}),
    Failed(1, "disk-full", "No room.", "The score is kept.", {"needed": 5}),
    Freed(1 << 30, None),
    Noted("warning", "text"),
]


@pytest.mark.parametrize("message", COMMANDS, ids=lambda m: type(m).__name__)
def test_commands_there_and_back(message: Command) -> None:
    line = encode(message)
    assert "\n" not in line
    assert line.isascii(), "a console's code page cannot harm it"
    assert decode_command(line) == message
    with pytest.raises(MessageError, match="no message is called"):
        decode_event(line)


@pytest.mark.parametrize("message", EVENTS, ids=lambda m: type(m).__name__)
def test_events_there_and_back(message: Event) -> None:
    assert decode_event(encode(message)) == message


def test_unknown_fields_are_tolerated_and_defaults_filled() -> None:
    assert decode_command('{"v": 1, "type": "cancel", "job": 4, "why": [1, 2]}') == Cancel(4)
    assert decode_event('{"v": 1, "type": "failed", "job": 4, "kind": "k", "sentence": "s"}') == Failed(4, "k", "s")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not JSON"),
        ("Segmentation fault", "not JSON"),
        ("[1]", "not an object"),
        ("{}", "version None"),
        ('{"v": 2, "type": "quit"}', "version 2"),
        ('{"v": 1, "type": "explode"}', "no message is called"),
        ('{"v": 1, "type": "cancel"}', "lacks 'job'"),
        ('{"v": 1, "type": "cancel", "job": "3"}', "'job' is str"),
        ('{"v": 1, "type": "cancel", "job": true}', "'job' is bool"),
        ('{"v": 1, "type": "cancel", "job": 1.5}', "'job' is float"),
        ('{"v": 1, "type": "make", "job": 1, "order": [1]}', "'order' is list"),
        ('{"v": 1, "type": "cancel", "job": NaN}', "NaN is no number"),
        ("[" * 100_000, "not JSON"),
        ('"' + "x" * MAX_LINE + '"', "is no message"),
    ],
)
def test_what_is_no_message_is_told_so(line: str, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        decode_command(line)


@pytest.mark.parametrize(
    "message",
    [
        Progressed(1, "semantic", 1, 2, "tokens", float("nan")),
        Progressed(1, "semantic", 1.5, 2, "tokens"),  # type: ignore[arg-type]
        Made(1, "f", {"x": float("inf")}),
        Made(1, "f", {"x": object()}),
        Noted("log", "x" * MAX_LINE),
    ],
    ids=lambda m: type(m).__name__,
)
def test_what_is_not_as_declared_is_not_sent(message: Event) -> None:
    with pytest.raises(MessageError):
        encode(message)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_line_is_a_message_or_an_error(line: str) -> None:
    for decode in (decode_command, decode_event):
        try:
            decode(line)
        except MessageError:
            continue


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.dictionaries(st.text(), x)))
def test_any_object_is_a_message_or_an_error(value: object) -> None:
    line = json.dumps({"v": 1, "type": "make", "job": value, "order": value})
    try:
        decode_command(line)
    except MessageError:
        return
    assert isinstance(value, int)


def test_the_window_can_import_the_messages_without_torch() -> None:
    code = "import sys, yue2_desktop.engine.messages; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
