"""What runs on a graphics card only: each path is small, probed on the user's own card, and can be left out."""
