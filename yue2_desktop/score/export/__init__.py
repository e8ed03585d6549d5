"""The score in other programs' files: MIDI, MusicXML, MEI, SVG, PDF, PNG, ABC. Pure: bytes out, nothing written."""
