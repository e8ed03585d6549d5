"""The acoustic stage: noise, chunks, prefill, velocity, solver."""
