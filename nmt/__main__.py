"""Entry point of ``python -m nmt``."""

import sys

from nmt.cli import main

if __name__ == "__main__":
    sys.exit(main())
