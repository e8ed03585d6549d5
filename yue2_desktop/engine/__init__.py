"""The model in torch: text, weights, the two branches, sampling, flow matching, audio decoder, pipeline."""
