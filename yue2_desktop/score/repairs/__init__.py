"""Repairs of a score: what the program offers for each breach of a rule."""
