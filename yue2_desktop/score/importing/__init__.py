"""Other programs' files as scores of the dialect: MIDI, ordinary ABC, MusicXML; with a report of what was changed."""
