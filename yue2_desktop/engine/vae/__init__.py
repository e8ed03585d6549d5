"""The audio decoder: latents to 48 kHz stereo."""
