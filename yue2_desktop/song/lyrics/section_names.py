"""What people call the sections of a song, in the languages that songs are written in, and the tag for each.

The tags are those by convention of the model (spec/yue2.md, section 7); it reads them as plain text, so that any
other word in square brackets is allowed, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

#: Tag to the names that mean it, as `_plain` writes them. A name stands once.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "Intro": (
        "intro", "introduction", "prelude", "opening", "前奏", "引子", "序奏", "イントロ", "인트로", "전주",
        "einleitung", "vorspiel", "intro musical", "introducción", "introduccion", "introdução", "introducao",
        "introduzione", "вступление", "интро", "вступ", "інтро", "wstęp", "inledning", "giriş", "dạo đầu",
        "مقدمة", "פתיחה", "εισαγωγή",
    ),
    "Verse": (
        "verse", "vers", "vs", "stanza", "strophe", "couplet", "estrofa", "verso", "strofa", "strofă", "sloka",
        "versszak", "säkeistö", "zwrotka", "kıta", "bait", "lời", "phiên khúc", "куплет", "строфа", "主歌",
        "主歌段", "aメロ", "ヴァース", "バース", "벌스", "절", "番", "κουπλέ", "مقطع", "בית", "अंतरा",
        "ท่อนเวิร์ส",
    ),
    "Pre-Chorus": (
        "pre chorus", "prechorus", "pre", "pre hook", "导歌", "導歌", "预副歌", "預副歌", "前副歌", "bメロ",
        "プレコーラス", "프리코러스", "프리 코러스", "pré refrain", "pre refrain", "prérefrain", "pre coro",
        "precoro", "pre estribillo", "preestribillo", "pré refrão", "pre refrão", "pre ritornello",
        "pre refren", "предприпев", "пре припев", "передприспів", "brygga till refräng", "vorrefrain",
    ),
    "Chorus": (
        "chorus", "refrain", "chor", "coro", "estribillo", "refrão", "refrao", "ritornello", "refrein",
        "refräng", "refrän", "omkvæd", "refreng", "refrén", "refren", "ref", "kertosäe", "nakarat", "reff",
        "reffrain", "điệp khúc", "припев", "приспів", "хор", "рефрен", "副歌", "副歌段", "サビ", "コーラス",
        "코러스", "후렴", "후렴구", "싸비", "ρεφρέν", "ρεφραίν", "لازمة", "פזמון", "मुखड़ा", "ท่อนคอรัส",
    ),
    "Post-Chorus": (
        "post chorus", "postchorus", "后副歌", "後副歌", "ポストコーラス", "포스트코러스", "포스트 코러스",
        "post refrain", "post estribillo", "post coro", "pós refrão", "постприпев",
    ),
    "Hook": ("hook", "hooks", "记忆点", "フック", "훅", "хук", "gancho", "ท่อนฮุก"),
    "Bridge": (
        "bridge", "middle 8", "middle eight", "pont", "puente", "ponte", "brücke", "brug", "brygga", "stick",
        "most", "mostek", "köprü", "бридж", "мост", "міст", "桥段", "橋段", "桥", "橋", "过渡", "過渡",
        "cメロ", "ブリッジ", "大サビ", "브릿지", "브리지", "γέφυρα", "جسر", "גשר",
    ),
    "Interlude": (
        "interlude", "intermezzo", "musical interlude", "instrumental interlude", "zwischenspiel",
        "interludio", "interlúdio", "tussenspel", "mellanspel", "przerywnik", "проигрыш", "програш", "间奏",
        "間奏", "インタールード", "간주", "인터루드", "dạo giữa", "ara",
    ),
    "Instrumental": (
        "instrumental", "instrumental break", "inst", "instr", "strumentale", "instrumentale", "instrumentaal",
        "инструментал", "інструментал", "纯音乐", "純音樂", "器乐", "器樂", "インスト", "연주", "연주곡",
    ),
    "Solo": ("solo", "独奏", "獨奏", "ソロ", "솔로", "соло"),
    "Break": ("break", "ブレイク", "브레이크", "брейк"),
    "Breakdown": ("breakdown", "break down", "брейкдаун"),
    "Drop": ("drop", "the drop", "beat drop", "ドロップ", "드롭", "дроп"),
    "Build-Up": ("build up", "build", "buildup", "ビルドアップ", "빌드업"),
    "Rap": ("rap", "rap verse", "说唱", "說唱", "ラップ", "랩", "рэп", "реп"),
    "Spoken": (
        "spoken", "spoken word", "monologue", "念白", "独白", "獨白", "語り", "セリフ", "내레이션",
        "gesprochen", "parlé",
    ),
    "Outro": (
        "outro", "ending", "coda", "finale", "fade out", "尾奏", "尾声", "尾聲", "结尾", "結尾", "后奏",
        "後奏", "アウトロ", "エンディング", "아웃트로", "아우트로", "후주", "nachspiel", "schluss",
        "encerramento", "conclusión", "zakończenie", "концовка", "кода", "аутро", "закінчення", "avslutning",
        "çıkış", "dạo kết", "خاتمة", "סיום",
    ),
    "End": ("end", "the end", "fin", "fine", "конец", "кінець", "終", "完", "끝"),
}  # fmt: skip

#: Names that are ordinary words of a song, too: they count as a section only in brackets or with a colon, alone.
_ORDINARY: Final = frozenset({"Break", "Breakdown", "Drop", "End", "Hook", "Instrumental", "Rap", "Solo", "Spoken"})
_ORDINARY_NAMES: Final = frozenset({
    "build", "build up", "pre", "vs", "lời", "most", "pont", "ponte", "stick", "coda", "fin", "ending",
    "finale", "fade out", "opening", "prelude", "桥", "橋", "мост", "міст", "хор", "절", "coro", "bait",
    "refrain", "ara", "ref", "reff", "verso", "couplet", "过渡", "過渡", "schluss", "brücke", "brug", "puente",
    "köprü", "inst", "instr", "giriş", "בית", "גשר", "جسر", "مقطع", "chor", "γέφυρα", "brygga", "番",
})  # fmt: skip

#: Turkish has an i with and one without a dot, whose capitals Python does not know apart.
_DOTS: Final = str.maketrans({"ı": "i", "\u0307": None})
_TAG_OF: Final = {name.translate(_DOTS): tag for tag, names in NAMES.items() for name in names}
_ORDINALS: Final = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "1st": "1", "2nd": "2", "3rd": "3", "4th": "4",
    "erste": "1", "zweite": "2", "dritte": "3", "premier": "1", "primera": "1", "segunda": "2", "primo": "1",
}  # fmt: skip
_QUALITIES: Final = frozenset({"final", "last", "double", "half", "short", "long", "extended", "repeat"})
#: Sections that an instrument can be named before: `guitar solo`.
_PLAYED: Final = frozenset({"solo", "break", "interlude", "intro", "outro", "instrumental"})
_NUMBERS: Final = {
    **{word: str(number) for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)},
    **{roman: str(number) for number, roman in enumerate(("i", "ii", "iii", "iv", "v", "vi"), 1)},
    **{figure: str(number) for number, figure in enumerate("一二三四五六七八九", 1)},
}
_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_AFTER: Final = re.compile(rf"(?:\s+|(?<=[{_CJK}])|(?<=[^\W\d_]))[#.(]?\s*(?P<number>\d{{1,2}}|[a-d])\)?")
_WORD_AFTER: Final = re.compile(rf"(?P<name>.+?)(?:\s+|(?<=[{_CJK}]))(?P<word>[a-z]+|[一二三四五六七八九])")
_BEFORE: Final = re.compile(
    r"(?:第)?(?P<number>\d{1,2}|[一二三四五六七八九])\s*"
    r"(?:st|nd|rd|th|er|ère|e|ème|[.)º°ª]|й|я|ша|段|番|節)?\s*(?P<name>\D.*)"
)
_WORD_BEFORE: Final = re.compile(r"(?P<word>[a-z0-9]+(?: [a-z]+)?) (?P<name>[^ ]+(?: [^ ]+)?)")
_REPEATED: Final = re.compile(r"\s*[(]?(?:[x×*]\s*\d{1,2}|\d{1,2}\s*[x×]|repeat(?:ed)?)[)]?\s*$")
_DASHES: Final = re.compile(r"[\s_·・‐‑‒–—−-]+")
#: No name with its detail is longer; whatever is, is a line of the song.
_LONGEST: Final = 80
#: Characters that nobody sees; they are no part of the words and never go to the model (`sung`).
HIDDEN: Final = "\ufeff\u200b\u2060\u200e\u200f\u00ad"
_UNHIDE: Final = str.maketrans(dict.fromkeys(HIDDEN))
#: After a name: what is said about the section, such as `Verse 1: female voice`.
_DETAIL: Final = re.compile(r"\s*(?:[:：|｜,，;；(（]|\s[-–—~]\s)\s*(?P<detail>.*)$", re.DOTALL)


@dataclass(frozen=True)
class SectionName:
    """A section by name: the tag's word, what stands before it (`Guitar`, `Final`), a number or letter behind it.

    `detail` is what is said about the section, as written; `ordinary` says that the name alone could be a word of the
    song, too.
    """

    tag: str
    number: str = ""
    quality: str = ""
    detail: str = ""
    ordinary: bool = False

    @property
    def label(self) -> str:
        """The name as a tag has it, without detail: `Verse 2`, `Guitar Solo`."""
        return " ".join(part for part in (self.quality, self.tag, self.number) if part)


def section_name(text: str) -> SectionName | None:
    """The section that `text` (no brackets around it) names in any of the languages here, or None.

    `Verse 2`, `VERSE II`, `2. Strophe`, `Second verse`, `副歌一`, `Final Chorus x2`, `Verse 1: soft voice`.
    """
    if len(text) > _LONGEST:
        return None
    found = _named(_plain(text))
    if found is not None:
        return found
    split = _DETAIL.search(text)
    if split is None or not split["detail"].strip():
        return None
    found = _named(_plain(text[: split.start()]))
    return None if found is None else replace(found, detail=split["detail"].strip().rstrip(")）").strip())


def _plain(text: str) -> str:
    return _DASHES.sub(" ", unicodedata.normalize("NFKC", seen(text)).casefold().translate(_DOTS)).strip()


def seen(text: str) -> str:
    """`text` without the characters that nobody sees."""
    return text.translate(_UNHIDE)


def _named(plain: str) -> SectionName | None:
    name = _REPEATED.sub("", plain)
    if name in _TAG_OF:
        return _made(name)
    for quality, number, rest in _readings(name):
        if rest in _TAG_OF:
            return replace(_made(rest), quality=quality.title(), number=number, ordinary=not (quality or number))
    return None


def _made(name: str) -> SectionName:
    tag = _TAG_OF[name]
    return SectionName(tag, ordinary=tag in _ORDINARY or name in _ORDINARY_NAMES)


def _readings(name: str) -> Iterator[tuple[str, str, str]]:
    """The ways in which `name` can be a quality, a number and a name."""
    for found in _AFTER.finditer(name):
        number = found["number"]
        # A letter must stand apart ("verse a"), or a plural would be one.
        if found.end() == len(name) and (number.isdigit() or name[found.start()] == " "):
            yield "", number.upper(), name[: found.start()].strip()
    if (after := _WORD_AFTER.fullmatch(name)) and after["word"] in _NUMBERS:
        yield "", _NUMBERS[after["word"]], after["name"].strip()
    if before := _BEFORE.fullmatch(name):
        yield "", _NUMBERS.get(before["number"], before["number"]), before["name"].strip()
    if worded := _WORD_BEFORE.fullmatch(name):
        word, rest = worded["word"], worded["name"]
        if word in _ORDINALS:
            yield "", _ORDINALS[word], rest
        elif word in _QUALITIES or rest in _PLAYED:
            yield word, "", rest
