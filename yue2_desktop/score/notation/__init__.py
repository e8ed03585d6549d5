"""How the score is written on staves: note values, accidentals, ties, tuplets; shared by MEI and MusicXML."""
