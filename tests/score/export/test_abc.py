"""Ordinary ABC."""

from __future__ import annotations

import pytest

from tests.score.importing.same import assert_same
from tests.score.samples import GOOD
from yue2_desktop.score.export.abc import plain_abc
from yue2_desktop.score.importing.abc import import_abc
from yue2_desktop.score.parser import parse


def test_title_and_sections_are_where_other_programs_look() -> None:
    lines = plain_abc(parse(GOOD["01_full_twinkle"]).score, "Twinkle\nStar").splitlines()
    assert lines[1] == "T:Twinkle Star"
    assert lines[8] == "P:intro"
    assert not any(line.startswith("%") for line in lines)


@pytest.mark.parametrize("name", GOOD)
def test_it_can_be_imported_again(name: str) -> None:
    score = parse(GOOD[name]).score
    parsed = parse(import_abc(plain_abc(score, "A")).text)
    assert parsed.diagnostics == ()
    assert_same(score, parsed.score)
