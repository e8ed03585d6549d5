"""How likely a text is one that somebody wrote, rather than the same bytes read in a wrong encoding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

#: The commonest characters of songs. Where bytes are read wrongly these are rare; in verse they are a quarter or more.
_SIMPLIFIED: Final = frozenset(
    "的我你不是一在有了人爱心想天这那么没到就能为来都会再过说只多去里道还看上情时也和谁让生如走自要梦风夜花月雨泪世界"
    "手远今明日年他她们个中大地出后以可得着下对起样把好开光快乐灯路窗外阳歌声副主段"
)
_TRADITIONAL: Final = frozenset(
    "的我你不是一在有了人愛心想天這那麼沒到就能為來都會再過說只多去裡道還看上情時也和誰讓生如走自要夢風夜花月雨淚世界"
    "手遠今明日年他她們個中大地出後以可得著下對起樣把好開光快樂燈路窗外陽歌聲副主段妳係嘅咁唔"
)
_HANGUL: Final = frozenset(
    "이다는을가에의하고지나너사랑그날내한도로기서리어아만우니를은게네라마해대면없있안눈보오시자말수음길와여인같못바람별밤"
    "들거야절후렴줄처럼늘손꿈비빛"
)
_KANJI: Final = frozenset("夜街君声僕私人心空愛夢花風今日何言思出来見行時二一手中前世界涙桜春夏秋冬雨道光星海遠")
#: Ё and its like are left out: what counts is how common a letter is.
_RUSSIAN: Final = frozenset("оеаинтсрвлкмдпуяыьгзбчйхжі")
_GREEK: Final = frozenset("αοιετσνηυρπκμλςίόέάήώύ")
#: How far a letter with a mark speaks for its encoding; letters that are not here speak against it. The same byte is
#: è and č, ñ and ń, õ and ő: what is rare in its own languages counts less.
_LATIN_OF: Final = {
    "cp1252": {**dict.fromkeys("éèêëàâäáãåæçïíîìóôöòúùüñß", 1.0), "õ": 0.8, "û": 0.9, "ø": 0.7, "æ": 0.6,
               **dict.fromkeys("œýÿðþšž", 0.3)},
    "cp1250": {**dict.fromkeys("ąćęłńóśźżřšžýáíéěúčďťňäôöüßîâç", 1.0), "ů": 1.0, "ő": 0.9, "ű": 0.9,
               **dict.fromkeys("ĺŕăşţëđ", 0.4)},
    "cp1254": {**dict.fromkeys("ğışçöü", 1.0), **dict.fromkeys("âîûéáèê", 0.4)},
}  # fmt: skip
#: What decides between readings that are equally good.
_PRIOR: Final = {"cp1252": 0.02, "cp1251": 0.02, "cp1254": -0.01}
_MARKS: Final = frozenset("’‘“”„…–—´«»°")
_MIXED: Final = re.compile(r"(?<=[A-Za-z])[^\W\d_a-zA-Z]|[^\W\d_a-zA-Z](?=[A-Za-z])")
_MID_CAPITAL: Final = re.compile(r"[a-zà-öø-ÿа-яёα-ω][A-ZÀ-ÖØ-ÞА-ЯЁΑ-Ω]")
#: So large a share of common characters is what real verse has at least.
_USUAL_SHARE: Final = 0.3
_ODD: Final = frozenset({"Co", "Cn", "Cs", "Cc", "So", "Sm", "Sk", "Sc", "No"})
_FINE_CONTROLS: Final = frozenset("\t\n\r\f\v")


def plausibility(text: str, encoding: str) -> float:
    """How likely `text` is right, 0 to 1, if its bytes were read as `encoding` (one of `encodings.LEGACY`)."""
    foreign = [char for char in text if not char.isascii()]
    odd = sum(_is_odd(char) for char in text)
    if not foreign:
        return 1.0 if odd == 0 else 0.0
    letters = [char for char in foreign if char.isalpha()]
    judge = _JUDGES.get(encoding)
    judged = judge(letters, text, encoding) if judge is not None and letters else 0.5
    return max(0.0, judged + _PRIOR.get(encoding, 0.0) - 2 * odd / len(foreign))


def _is_odd(char: str) -> bool:
    """Whether nobody would write it: an invisible control, or a sign beyond ASCII that is no letter's neighbour."""
    if char.isascii():
        return char < " " and char not in _FINE_CONTROLS
    return unicodedata.category(char) in _ODD and char not in _MARKS


def _chinese(letters: list[str], _text: str, encoding: str) -> float:
    common = _TRADITIONAL if encoding.startswith("big5") else _SIMPLIFIED
    return _share(letters, common) * _of_script(letters, "CJK")


def _japanese(letters: list[str], _text: str, _encoding: str) -> float:
    kana = sum(name.startswith(("HIRAGANA", "KATAKANA")) for name in map(_name, letters))
    # Half-width katakana are what the bytes of other encodings turn into, and nobody writes verse in them.
    half = sum(name.startswith("HALFWIDTH") for name in map(_name, letters))
    known = kana + sum(char in _KANJI for char in letters)
    return max(0.0, min(1.0, known / len(letters) / 0.5) - 2 * half / len(letters))


def _korean(letters: list[str], _text: str, _encoding: str) -> float:
    return _share(letters, _HANGUL) * _of_script(letters, "HANGUL")


def _cyrillic(letters: list[str], text: str, _encoding: str) -> float:
    return _alphabet(letters, text, _RUSSIAN, "CYRILLIC")


def _greek(letters: list[str], text: str, _encoding: str) -> float:
    return _alphabet(letters, text, _GREEK, "GREEK")


def _alphabet(letters: list[str], text: str, common: frozenset[str], script: str) -> float:
    """Small letters are common ones, capitals stand first and are few, and no word mixes in Latin letters."""
    lowers = [char for char in letters if char.islower()]
    fit = sum(char.lower() in common for char in letters) / len(letters)
    shouted = 0.8 if len(lowers) < len(letters) / 2 else 1.0
    mixed = min(1.0, len(_MIXED.findall(text)) / len(letters))
    wrong_case = len(_MID_CAPITAL.findall(text)) / len(letters)
    return max(0.0, fit * shouted * (1 - mixed) * _of_script(letters, script) - 3 * wrong_case)


def _latin(letters: list[str], text: str, encoding: str) -> float:
    """Letters with marks stand among plain ones, in small letters unless the whole word is in capitals."""
    fit = sum(_LATIN_OF[encoding].get(char.lower(), 0.0) for char in letters) / len(letters)
    plain = sum(char.isascii() and char.isalpha() for char in text)
    among = min(1.0, plain / (1.5 * len(letters)))
    wrong_case = len(_MID_CAPITAL.findall(text)) / len(letters)
    return max(0.0, 0.9 * fit * among - wrong_case)


def _share(letters: list[str], common: frozenset[str]) -> float:
    return min(1.0, sum(char in common for char in letters) / len(letters) / _USUAL_SHARE)


def _of_script(letters: list[str], script: str) -> float:
    return sum(_name(char).startswith(script) for char in letters) / len(letters)


def _name(char: str) -> str:
    return unicodedata.name(char, "")


_JUDGES: Final[dict[str, Callable[[list[str], str, str], float]]] = {
    "gb18030": _chinese,
    "big5hkscs": _chinese,
    "cp932": _japanese,
    "euc_jp": _japanese,
    "cp949": _korean,
    "cp1251": _cyrillic,
    "koi8_r": _cyrillic,
    "cp1253": _greek,
    "cp1252": _latin,
    "cp1250": _latin,
    "cp1254": _latin,
}
