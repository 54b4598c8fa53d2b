"""One question to a System One server: who may ask it, how its reply is checked, and what went wrong in words."""
