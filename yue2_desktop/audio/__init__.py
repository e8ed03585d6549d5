"""Sound on its way to the ears: waveform peaks, levels, a transport with loops, sinks."""
