"""The words as the model gets them: without remarks and without characters that nobody sees."""

from __future__ import annotations

from yue2_desktop.song.lyrics.outline import LineKind, read_lyrics
from yue2_desktop.song.lyrics.section_names import seen


def sung_text(lyrics: str) -> str:
    """`lyrics` for the prompt: `# ...` lines taken out, line feeds alone, no byte order marks or zero-width spaces.

    Spaces and tabs around a tag go, too. Everything else stays as it was typed, wrong tags as well: each character
    gives other tokens, and with them another song. Lyrics that are clean come back equal.
    """
    outline = read_lyrics(lyrics)
    parts = []
    for number, line in enumerate(outline.lines):
        if line.kind is LineKind.COMMENT:
            continue
        text = seen(lyrics[line.start : line.end])
        is_last = number + 1 == len(outline.lines)
        ended = not is_last or line.end < len(lyrics)
        parts.append((text.strip() if line.kind is LineKind.TAG else text) + ("\n" if ended else ""))
    return "".join(parts)


def sung_style(style: str) -> str:
    """`style` for the prompt: on one line, without characters that nobody sees; otherwise as it was typed."""
    lines = [line for line in seen(style).splitlines() if line.strip(" ,")]
    return ", ".join(line.strip().rstrip(",").rstrip() for line in lines) if len(lines) > 1 else "".join(lines)
