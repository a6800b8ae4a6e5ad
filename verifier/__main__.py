"""``python -m verifier`` is the command ``verifier``."""

from verifier.interfaces.cli import main

if __name__ == "__main__":
    main()
