"""The engine process: what it hears from the window, and the takes that it makes."""
