"""The words of a song: sections and tags, syllables, length, and lyric files in any usual encoding."""
