"""The score in the ABC dialect of YuE2: read, check, change, draw, hear, export."""
