"""The score panel: notation and its text, side by side."""
