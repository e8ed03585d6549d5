"""The engine process as the window sees it: started, spoken to, cancelled, ended; and the worker that drives it."""
