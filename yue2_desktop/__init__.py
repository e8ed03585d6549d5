"""YuE2 Desktop: sketch songs offline with YuE2-3B on a small GPU."""

__version__ = "0.1.0"
