"""The shell commands: each reads, calls the rooms that do the work, prints, and returns the exit code."""
