"""From the score to pages: MEI with the places of the text in its ids, the engraver, SVG for any renderer, the map."""
