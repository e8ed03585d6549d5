"""The style of a song as chips: a vocabulary, free text, completion, templates."""
