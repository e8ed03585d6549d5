"""The preview sound: what the score says, played at once by a small synthesizer, long before a render."""
