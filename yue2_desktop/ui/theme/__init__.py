"""How the window looks: colours by role, measures on a grid, icons, all from one place."""
