"""Text to token ids: the tokenizer and the prompts."""
