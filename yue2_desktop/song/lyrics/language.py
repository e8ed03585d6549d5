"""Which language is sung: named by the style, or guessed from the letters and commonest words of the lyrics."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Final

#: ISO 639 code to the names of the language, in English and its own; the first one is what chips say.
LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("English",),
    "zh": (
        "Chinese", "Mandarin", "Mandarin Chinese", "中文", "国语", "國語", "普通话", "普通話", "华语", "華語", "汉语",
    ),
    "yue": ("Cantonese", "粤语", "粵語", "广东话", "廣東話"),
    "ja": ("Japanese", "日本語", "日语", "日語"),
    "ko": ("Korean", "한국어", "韩语", "韓語"),
    "es": ("Spanish", "Español", "Castellano"),
    "pt": ("Portuguese", "Português", "Brazilian Portuguese"),
    "fr": ("French", "Français"),
    "de": ("German", "Deutsch"),
    "it": ("Italian", "Italiano"),
    "nl": ("Dutch", "Nederlands", "Flemish"),
    "sv": ("Swedish", "Svenska"),
    "da": ("Danish", "Dansk"),
    "nb": ("Norwegian", "Norsk", "Bokmål"),
    "is": ("Icelandic", "Íslenska"),
    "fi": ("Finnish", "Suomi"),
    "et": ("Estonian", "Eesti"),
    "lv": ("Latvian", "Latviešu"),
    "lt": ("Lithuanian", "Lietuvių"),
    "pl": ("Polish", "Polski"),
    "cs": ("Czech", "Čeština"),
    "sk": ("Slovak", "Slovenčina"),
    "sl": ("Slovenian", "Slovene", "Slovenščina"),
    "hr": ("Croatian", "Hrvatski", "Bosnian"),
    "sr": ("Serbian", "Српски"),
    "bg": ("Bulgarian", "Български"),
    "ru": ("Russian", "Русский"),
    "uk": ("Ukrainian", "Українська"),
    "be": ("Belarusian", "Беларуская"),
    "hu": ("Hungarian", "Magyar"),
    "ro": ("Romanian", "Română"),
    "el": ("Greek", "Ελληνικά"),
    "tr": ("Turkish", "Türkçe"),
    "ca": ("Catalan", "Català"),
    "gl": ("Galician", "Galego"),
    "eu": ("Basque", "Euskara"),
    "id": ("Indonesian", "Bahasa Indonesia", "Malay", "Bahasa Melayu"),
    "tl": ("Tagalog", "Filipino"),
    "vi": ("Vietnamese", "Tiếng Việt"),
    "th": ("Thai", "ไทย"),
    "hi": ("Hindi", "हिन्दी"),
    "ta": ("Tamil", "தமிழ்"),
    "te": ("Telugu", "తెలుగు"),
    "bn": ("Bengali", "বাংলা"),
    "ar": ("Arabic", "العربية"),
    "he": ("Hebrew", "עברית"),
    "fa": ("Persian", "Farsi", "فارسی"),
    "la": ("Latin", "Latina"),
    "eo": ("Esperanto",),
    "af": ("Afrikaans",),
    "sw": ("Swahili", "Kiswahili"),
    "zu": ("Zulu", "isiZulu"),
}  # fmt: skip

_NAMED: Final = sorted(
    ((name.casefold(), code) for code, names in LANGUAGES.items() for name in names),
    key=lambda pair: -len(pair[0]),
)
#: Words that look like a language in a style but name music.
_NOT_A_LANGUAGE: Final = re.compile(r"\blatin (?:pop|rock|jazz|trap|house|music|percussion|guitar|groove|soul)\b")
#: Script, as the first word of a letter's Unicode name, to the language most sung in it.
_SCRIPTS: Final = {
    "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "CYRILLIC": "ru", "GREEK": "el", "THAI": "th",
    "DEVANAGARI": "hi", "TAMIL": "ta", "TELUGU": "te", "BENGALI": "bn", "ARABIC": "ar", "HEBREW": "he",
}  # fmt: skip
#: The commonest short words of languages in Latin script.
_WORDS: Final = {
    "en": "the and you my in of to it's i'm me is on we for with your be that all",
    "de": "und ich du die der nicht ist das ein wir mir dich mich zu auf den mein ohne",
    "fr": "je et les des pas tu est une dans le que pour moi c'est sur mon toi qui nous il elle ses mes tout ne en vie",
    "es": "que el y los por con una mi tu las es del no te como sin más yo quiero",
    "pt": "que não eu os você com uma meu um as do da em é mais se te minha pra",
    "it": "che non di il per mi sei un una gli con più è ma io questo sono della",
    "nl": "het een ik van jij niet dat en de voor met mijn je op naar wij is maar",
    "pl": "nie się na jak to mi że do jest co ja ty gdy już we moje tylko",
    "sv": "och jag inte det som att är en på du mig för har med vi till när",
    "cs": "se na že je jsem jak mě co by ty kde tak jen můj když už ve",
    "tr": "bir ve bu ben sen için gibi ne çok beni seni aşk her yok var",
    "id": "yang dan di aku kau tak ku ini itu untuk cinta dengan akan ada kita",
    "fi": "ja on en se että sinä minä ei kun niin mä sä vain oon jos",
    "hu": "a az és hogy nem egy mert csak vagy szerelem én te van már",
    "ro": "și nu de la în te mă să e ca iubire mea mai un pe",
}  # fmt: skip
_VIETNAMESE: Final = re.compile("[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]")
_UKRAINIAN: Final = re.compile("[іїєґ]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SAMPLE_CHARS: Final = 6_000


def language_in_style(style: str) -> str | None:
    """The code of the first language that `style` names; None if it names none."""
    text = _NOT_A_LANGUAGE.sub(" ", style.casefold())
    places = []
    for name, code in _NAMED:
        ascii_name = name.isascii()
        pattern = rf"\b{re.escape(name)}\b" if ascii_name else re.escape(name)
        if found := re.search(pattern, text):
            places.append((found.start(), -len(name), code))
    return min(places)[2] if places else None


def guessed_language(lyrics: str) -> str | None:
    """The code of the language that most of `lyrics` is in, by script and commonest words; None if nothing tells."""
    text = lyrics[:_SAMPLE_CHARS].casefold()
    scripts = Counter(unicodedata.name(char, "").split(" ")[0] for char in text if char.isalpha())
    if not scripts:
        return None
    if scripts["HIRAGANA"] + scripts["KATAKANA"] > scripts["CJK"] / 8:
        scripts["HIRAGANA"] += scripts["CJK"]
        scripts["CJK"] = 0
    # One of these letters is a syllable, of which Latin ones need two or three.
    for script in ("CJK", "HANGUL", "HIRAGANA", "KATAKANA"):
        scripts[script] *= 3
    script = scripts.most_common(1)[0][0]
    if script == "CYRILLIC" and _UKRAINIAN.search(text):
        return "uk"
    if script != "LATIN":
        return _SCRIPTS.get(script)
    if len(_VIETNAMESE.findall(text)) > len(text) / 25:
        return "vi"
    return _by_words(text)


def language_of(style: str, lyrics: str) -> str | None:
    """The language that the style names, or else the one that the lyrics look like."""
    return language_in_style(style) or guessed_language(lyrics)


def _by_words(text: str) -> str | None:
    words = Counter(_WORD.findall(text.replace("’", "'")))
    found = {code: [words[word] for word in common.split() if words[word]] for code, common in _WORDS.items()}
    best = max(found, key=lambda code: sum(found[code]))
    # One word alone tells nothing: "la la la" is sung everywhere.
    return best if len(found[best]) > 1 else None
