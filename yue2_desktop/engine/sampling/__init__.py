"""Choosing the next token: phase mask, penalty, temperature, top-k, top-p, the draw."""
