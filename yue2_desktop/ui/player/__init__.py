"""The player at the foot of the window: one sound, its position, its loop and the device that plays it."""
