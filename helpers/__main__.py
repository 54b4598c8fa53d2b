"""Run the shell commands: python -m helpers check | sections | find | link | tune | selftest | audit."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
