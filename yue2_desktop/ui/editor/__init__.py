"""The words of a song in the window: style, lyrics, sections, and what is chosen before it is sung."""
