"""The two-branch transformer (AR and NAR), as functions over weight values."""
