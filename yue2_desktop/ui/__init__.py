"""The window: widgets that are given values and emit signals, and the glue between them and the program."""
