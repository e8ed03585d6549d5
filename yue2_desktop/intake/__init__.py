"""What can be dropped on the window: lyrics, scores, songs, takes and sounds, each told by what it is."""
