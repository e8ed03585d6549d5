"""Weights on disk: where tensors lie, what names and shapes a checkpoint must have, how they are read."""
