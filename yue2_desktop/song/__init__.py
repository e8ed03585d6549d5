"""The document: what a song asks for, as values; nothing here knows a model, a folder or a window."""
