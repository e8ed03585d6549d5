"""Reading text of the dialect: tokens, bars, voices, header and groups, and what is wrong with each."""
