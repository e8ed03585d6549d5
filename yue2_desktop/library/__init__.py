"""Takes on disk: artefacts, manifests, audio files."""
