"""The special token ids of the released vocabulary (spec yue2, section 6)."""

from __future__ import annotations

#: Ordinary BPE ids are 0..TEXT_TOKENS-1; nothing else ever comes from text.
TEXT_TOKENS = 151_643
EOD = 151_643
ABC_START = 151_847
ABC_END = 151_848
MUSIC_START = 151_851
MUSIC_END = 151_852
#: Codec value c is token CODEC_OFFSET + c, for c in 0..CODEC_SIZE-1.
CODEC_OFFSET = 151_853
CODEC_SIZE = 32_768
#: Rows that the vocabulary matrices must have at least: the last codec token.
VOCABULARY_NEEDED = CODEC_OFFSET + CODEC_SIZE
