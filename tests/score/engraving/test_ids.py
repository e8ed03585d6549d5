"""Ids that carry places."""

from __future__ import annotations

import pytest

from yue2_desktop.score.elements import Span, Voice
from yue2_desktop.score.engraving.ids import ElementId, Kind, id_text, read_id


@pytest.mark.parametrize("voice", [None, Voice.VOCAL, Voice.INS])
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("piece", [0, 3])
def test_an_id_reads_back_as_what_it_was_made_of(voice: Voice | None, kind: Kind, piece: int) -> None:
    made = ElementId(voice, 7, kind, Span(16, 20, 22), piece)
    assert read_id(made.text) == made
    assert made.text == id_text(voice, 7, kind, Span(16, 20, 22), piece)


@pytest.mark.parametrize("text", ["", "tb9dfuc", "v3m0n1c1e2", "v1m0x1c1e2", "v1m0n1c1e2s", "n16c2e3", "v1m0n1c1e2 "])
def test_other_ids_are_none_of_ours(text: str) -> None:
    assert read_id(text) is None
