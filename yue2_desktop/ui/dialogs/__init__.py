"""The dialogs: only where something would be lost, or must be chosen."""
