"""Speed and memory on random weights of the released size, each beside a plain path and the bandwidth floor."""
