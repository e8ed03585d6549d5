"""Files of lyrics in every usual encoding and form (user-reports.md, row 67)."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.lyrics.encodings import LEGACY, Certainty, decode_text
from yue2_desktop.song.lyrics.lyric_file import lyrics_from, read_lyrics_file

CHINESE = "[主歌]\n昨夜的雨下了一整晚\n窗外的灯还没有熄灭\n\n【副歌】\n为你 我愿意等到天亮\n"
TRADITIONAL = "[主歌]\n昨夜的雨下了一整晚\n窗外的燈還沒有熄滅\n\n【副歌】\n為你 我願意等到天亮\n"
JAPANESE = "[Aメロ]\n夜の街を歩いている\n君の声が聞こえる\n\nサビ\nさよならは言わないで\n"
KOREAN = "[1절]\n밤하늘의 별을 따서\n너에게 줄 거야\n\n후렴:\n사랑해 너를 사랑해\n"
RUSSIAN = "[Куплет]\nДождь идёт по крышам тихо\nЯ стою у окна\n\nПрипев:\nНочь, улица, фонарь\n"
FRENCH = "[Verse]\nLa fenêtre est ouverte à l’été\nEt ça sent la forêt\n(Refrain)\nOù es-tu, mon cœur ?\n"
GERMAN = "[Verse]\nDie letzte Bahn fährt ohne mich\nWir zählen Sterne, Stück für Stück\nÜber der Straße\n"
SPANISH = "Mañana será otro día, corazón\n¿Qué pasó con la canción?\n"
POLISH = "Będę śpiewać aż do świtu\nMiłość to gdzieś daleko łka\n"
TURKISH = "Gözlerin gökyüzü gibi\nŞarkılar söylüyor ağaçlar, aşkım\n"
GREEK = "Σ' αγαπώ γιατί είσαι ωραία\nΗ καρδιά μου χτυπά\n"

FILES = [
    (CHINESE, "gbk", "gb18030"), (CHINESE, "gb18030", "gb18030"), (TRADITIONAL, "big5", "big5hkscs"),
    (JAPANESE, "cp932", "cp932"), (JAPANESE, "euc_jp", "euc_jp"), (KOREAN, "euc_kr", "cp949"),
    (RUSSIAN, "cp1251", "cp1251"), (RUSSIAN, "koi8_r", "koi8_r"), (FRENCH, "cp1252", "cp1252"),
    (GERMAN, "cp1252", "cp1252"), (SPANISH, "cp1252", "cp1252"), (POLISH, "cp1250", "cp1250"),
    (TURKISH, "cp1254", "cp1254"), (GREEK, "cp1253", "cp1253"),
]  # fmt: skip
ALL = (CHINESE, TRADITIONAL, JAPANESE, KOREAN, RUSSIAN, FRENCH, GERMAN, POLISH)


@pytest.mark.parametrize(("text", "written", "read"), FILES, ids=[f"{row[1]}-{row[0][:9]!r}" for row in FILES])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_row_67_old_encodings_are_guessed_and_shown(
    tmp_path: Path, text: str, written: str, read: str, end: str
) -> None:
    path = tmp_path / "слова ☃.txt"
    path.write_bytes(text.replace("\n", end).encode(written))
    found = read_lyrics_file(path)
    assert found.lyrics.text == text
    assert found.lyrics.encoding == read
    assert found.certainty is not Certainty.SURE
    assert found.lyrics.label in found.notes[0]
    assert found.lyrics.preview
    assert not found.lyrics.preview.isascii()


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_row_67_what_is_marked_is_sure(text: str, mark: bytes, encoding: str) -> None:
    found = lyrics_from(mark + text.encode(encoding), Path("a.txt"))
    assert found.lyrics.text == text
    assert found.certainty is Certainty.SURE
    assert found.others == found.notes == ()


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_row_67_utf_16_without_a_mark(text: str, encoding: str) -> None:
    found = lyrics_from(text.encode(encoding), Path("a.txt"))
    assert found.lyrics.text == text
    assert found.certainty is Certainty.LIKELY


@pytest.mark.parametrize(
    ("words", "encoding"),
    [("为你", "gbk"), ("【副歌】", "gbk"), ("サビ", "cp932"), ("Припев", "cp1251"), ("été", "cp1252")],
)
def test_few_words_are_guessed_but_unsure(words: str, encoding: str) -> None:
    found = lyrics_from(words.encode(encoding), Path("a.txt"))
    assert found.lyrics.text == words
    assert found.certainty is Certainty.UNSURE


@pytest.mark.parametrize(("text", "written", "read"), FILES, ids=[f"{row[1]}-{row[0][:9]!r}" for row in FILES])
def test_other_readings_can_be_chosen(text: str, written: str, read: str) -> None:
    found = lyrics_from(text.encode(written), Path("a.txt"))
    texts = [choice.text for choice in found.choices]
    assert len(set(texts)) == len(texts)
    assert {choice.encoding for choice in found.choices} <= {*LEGACY, "utf-8"}


def test_a_file_cut_inside_a_character_is_read() -> None:
    found = lyrics_from(CHINESE.strip().encode("gbk")[:-1], Path("a.txt"))
    assert found.lyrics.text == CHINESE.strip()[:-1]


def test_a_little_damage_is_told_and_kept() -> None:
    data = bytearray((RUSSIAN * 3).encode("utf-8"))
    data[40] = 0xFF
    found = lyrics_from(bytes(data), Path("a.txt"))
    assert found.lyrics.encoding == "utf-8"
    assert any("damaged" in note for note in found.notes)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
        b"fLaC" + b"\0\0\0\x22" * 40,
        b"\x01\x02\x03" * 50,
        b"PK\x03\x04\x14\0\0\0\x08\0" * 9,
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Problem, match="holds no text that can be read; save it as plain text") as caught:
        lyrics_from(data, Path("cover.txt"))
    assert caught.value.kind is ProblemKind.BAD_FILE
    assert "cover.txt" in caught.value.sentence


def test_a_large_file_is_refused_and_a_long_text_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * (1 << 20) + b"b")
    with pytest.raises(Problem, match="larger than 1 MiB"):
        read_lyrics_file(path)
    path.write_bytes(b"la la\n" * 4_000)
    found = read_lyrics_file(path)
    assert len(found.lyrics.text) == 24_000
    assert "24,000 characters and a song takes 20,000" in found.notes[0]


@pytest.mark.parametrize("name", ["absent.txt", "folder"])
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(Problem) as caught:
        read_lyrics_file(tmp_path / name)
    assert name in caught.value.sentence


def test_an_empty_file_is_an_empty_text() -> None:
    assert lyrics_from(b"", Path("a.txt")).lyrics.text == ""


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    decoded = decode_text(data)
    if decoded is not None:
        assert "\0" not in decoded.best.text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=200))
def test_utf_8_always_comes_back(text: str) -> None:
    decoded = decode_text(text.encode("utf-8"))
    assert decoded is not None
    assert decoded.best.text == text.removeprefix("\ufeff")
