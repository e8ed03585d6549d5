"""Renders that wait, run and have run: their states, the store that survives a restart, what runs next."""
