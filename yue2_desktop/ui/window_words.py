"""Sentences of planner and engine, which speak of the command line, in the words of the window."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_CONTEXT: Final = "WindowWords"


def _rule(pattern: str, words: object) -> tuple[re.Pattern[str], str]:
    return re.compile(pattern), str(words)


#: What is said there, and here instead; the first ones go first. Empty words take a way out away that is not here.
_RULES: Final = (
    _rule(r"'yue2-desktop fit' shows", QT_TRANSLATE_NOOP(_CONTEXT, "“Why?” shows")),
    _rule(r"--run-anyway tries", QT_TRANSLATE_NOOP(_CONTEXT, "“Run anyway” tries")),
    _rule(r", raise the limit of the score with --abc-sampling,? or", QT_TRANSLATE_NOOP(_CONTEXT, ", or")),
    _rule(r"(,? or) give --allow-bad-score to sing it as it is", QT_TRANSLATE_NOOP(_CONTEXT, " or write another one")),
    _rule(r" \('yue2-desktop score check' shows all\)", ""),
    _rule(r"'yue2-desktop score check' shows them", QT_TRANSLATE_NOOP(_CONTEXT, "they are marked in its text")),
    _rule(
        r"but cot is off, which sings without one; use --cot full, or leave the score out",
        QT_TRANSLATE_NOOP(_CONTEXT, "but the song is asked for without one; choose “With chords” below the lyrics"),
    ),
    _rule(
        r"but cot is melody, which is used to none; --cot full sings them as chords",
        QT_TRANSLATE_NOOP(
            _CONTEXT, "but “Melody only” is chosen, which is used to none; “With chords” sings them as chords"
        ),
    ),
    _rule(
        r"'yue2-desktop score import' turns it into one",
        QT_TRANSLATE_NOOP(_CONTEXT, "“Import…” in the score's menu turns it into one"),
    ),
    _rule(
        r"start a new render with --abc-file .*?(?=[.;,]?$)",
        QT_TRANSLATE_NOOP(_CONTEXT, "drop it on the window and render again"),
    ),
    _rule(
        r": yue2-desktop convert --to \S+ --nar bf16",
        QT_TRANSLATE_NOOP(_CONTEXT, " (`yue2-desktop convert` makes one, in a terminal)"),
    ),
    _rule(
        r"makes another take: --ar-precision q8_0, or q4_0",
        QT_TRANSLATE_NOOP(_CONTEXT, "makes another take: choose the mode “GGUF” beside the fit line"),
    ),
    _rule(
        r" \(--nar-residency streamed, --vae-core 64, --ar-precision q8_0\)",
        QT_TRANSLATE_NOOP(_CONTEXT, ": another mode beside the fit line"),
    ),
    _rule(r"or ask for less \(--max-frames, --vae-core 64\)", QT_TRANSLATE_NOOP(_CONTEXT, "or make the song shorter")),
    _rule(r" \((--vae|--ar-precision|--model)\)", ""),
    _rule(
        r"Use --mode offload-ar or --device cpu",
        QT_TRANSLATE_NOOP(_CONTEXT, "Choose the mode “BF16, halves parked in memory”"),
    ),
    _rule(r"Use --mode offload-ar", QT_TRANSLATE_NOOP(_CONTEXT, "Choose the mode “BF16, halves parked in memory”")),
    _rule(
        r"Use (--mode bf16|--ar-precision bf16)",
        QT_TRANSLATE_NOOP(_CONTEXT, "Choose the mode “BF16, both halves on the card”"),
    ),
    _rule(r"Use --device cpu or another precision", QT_TRANSLATE_NOOP(_CONTEXT, "Choose another mode")),
    _rule(r"kernel of the processor, which --device cpu takes", QT_TRANSLATE_NOOP(_CONTEXT, "kernel of the processor")),
    _rule(
        r"float32 is asked for with --dtype float32",
        QT_TRANSLATE_NOOP(_CONTEXT, "float32 is asked for as the number format of the whole song"),
    ),
    _rule(r",? or (use )?--device cpu", ""),
    _rule(r"(?i)use --device cpu, or (\w)", r"\1"),
    _rule(r" Use --device cpu\.", ""),
    _rule(r", or render the sound again with --dtype float32", ""),
    _rule(r"render the sound again with --dtype float32, or check", QT_TRANSLATE_NOOP(_CONTEXT, "check")),
    _rule(r" Use --dtype float32[^.]*\.", ""),
    _rule(r"--vae-core is", QT_TRANSLATE_NOOP(_CONTEXT, "The length of a tile is")),
    _rule(r"--dtype is", QT_TRANSLATE_NOOP(_CONTEXT, "The number format is")),
    _rule(r"--device is", QT_TRANSLATE_NOOP(_CONTEXT, "The device is")),
)
_COMMAND_LINE: Final = re.compile(r"--[a-z]|yue2-desktop [a-z]")
_BEGINNING: Final = re.compile(r"(?<=[.] )[a-z]")


def in_window_words(sentence: str) -> str:
    """The sentence with the ways out that the window has; one that names no command is left as it is."""
    if not _COMMAND_LINE.search(sentence):
        return sentence
    for pattern, words in _RULES:
        said = QCoreApplication.translate(_CONTEXT, words) if words else ""
        if pattern.search(sentence):
            sentence = pattern.sub(said, sentence)
    return _BEGINNING.sub(lambda found: found.group().upper(), sentence)
