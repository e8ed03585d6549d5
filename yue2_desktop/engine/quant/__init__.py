"""Quantised weights: block types, and linear maps that multiply with packed weights."""
