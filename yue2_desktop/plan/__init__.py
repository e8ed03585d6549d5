"""Memory and time arithmetic, the choice of a plan, the fit check; pure Python."""
